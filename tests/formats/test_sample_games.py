"""Check that every sample game has the counts and the payoffs in the table beside it."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from liarsdice_cli.formats import efg
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.tree import stream
from tests.support.solving import solve

FOLDER = Path(__file__).parents[2] / "sample_games"


def _rows() -> dict[str, list[str]]:
    rows = {}
    for line in (FOLDER / "README.md").read_text().splitlines():
        if line.startswith("| `"):
            cells = [cell.strip() for cell in line.strip("|").split(" | ")]
            rows[cells[0].strip("`")] = cells
    return rows


ROWS = _rows()


def test_every_file_has_a_row_and_every_row_a_file() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {"README.md", "poker.py", *ROWS}
    assert len(ROWS) >= 12


@pytest.mark.parametrize("name", sorted(ROWS))
def test_the_counts_match_the_table(name: str) -> None:
    tree = efg.read(str(FOLDER / name))
    _, _, nodes, sets, *_ = ROWS[name]
    own = [np.count_nonzero(tree.infosets.player == player) for player in range(len(tree.players))]
    assert (str(tree.nodes), " + ".join(map(str, own))) == (nodes, sets)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow if name == "take-away-7.efg" else ())
        for name in sorted(ROWS)
        if ROWS[name][4] != "none"
    ],
)
def test_the_solved_payoffs_match_the_table(name: str) -> None:
    solution = solve(efg.read(str(FOLDER / name)), ROWS[name][4])
    vectors = (re.findall(r"-?\d+(?:/\d+)?", part) for part in ROWS[name][5].split(";"))
    known = {tuple(map(Fraction, vector)) for vector in vectors}
    assert solution.exact
    assert {one.judgement.payoffs for one in solution.solved} == known


@pytest.mark.parametrize("name", sorted(ROWS))
def test_every_file_cites_a_source(name: str) -> None:
    assert efg.read(str(FOLDER / name)).comment
    assert len(ROWS[name][6]) > 10


@pytest.mark.parametrize("sides", [2, 3])
def test_the_liars_dice_files_match_the_generated_games(sides: int) -> None:
    assert (FOLDER / f"liars-dice-{sides}-sides.efg").read_bytes() == efg.dumps(stream(rules("classic", sides)))
