"""Test every row of the table of file formats; a new row gets the same tests."""

from __future__ import annotations

import gzip
import io
import re
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from liarsdice_cli.draw.formats import PAGE, SHEET
from liarsdice_cli.errors import UsageError
from liarsdice_cli.extensive.profile import from_sets
from liarsdice_cli.extensive.subtree_view import SubtreeView
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.formats import registry
from liarsdice_cli.formats.ldz import Origin
from liarsdice_cli.formats.registry import GAME, PROFILE, STRATEGY, WORKBOOK, ContentType, Format
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.strategy import Uniform
from liarsdice_cli.games.liarsdice.tree import build
from liarsdice_cli.progress import SILENT
from liarsdice_cli.strategies.expansion import expanded
from tests.support.command_line import KUHN, assert_refused, run_here

OUTCOMES, POSITIONS = "outcomes.csv", "graph.csv"


def of_kind(kind: object) -> object:
    """Run a test once for each suffix of a content type."""
    return pytest.mark.parametrize("suffix", [row.suffix for row in registry.table() if row.holds is kind])


def is_read(suffix: str, kind: object) -> bool:
    return any(row.reader for row in registry.table() if (row.suffix, row.holds) == (suffix, kind))


@pytest.fixture(scope="module")
def tree() -> GameTree:
    return build(rules("joker", 2))


@pytest.mark.parametrize("row", [*registry.table()], ids=lambda row: f"{row.holds.name}{row.suffix}")
def test_a_row_names_existing_functions(row: Format) -> None:
    assert row.suffix == row.suffix.lower()
    assert row.suffix.startswith(".")
    for function in filter(None, (row.writer, row.reader)):
        assert callable(registry.load(function))


def test_no_name_has_two_formats_of_one_content_type() -> None:
    for one, two in permutations(registry.table(), 2):
        assert one.holds is not two.holds or not one.suffix.endswith(two.suffix)


@of_kind(GAME)
def test_a_game_is_written_and_read_again(suffix: str, tree: GameTree, tmp_path: Path) -> None:
    name, out = str(tmp_path / f"game{suffix}"), io.BytesIO()
    registry.writer(name, GAME)(tree.stream(), out, "auto", SILENT, map)
    assert out.getvalue()
    assert run_here("build", "--rules", "joker", "--sides", 2, "-o", name) == (0, "", "")
    assert Path(name).read_bytes() == out.getvalue()
    if is_read(suffix, GAME):
        assert registry.read(name, GAME).fingerprint == tree.fingerprint


@of_kind(PROFILE)
def test_a_profile_is_written_and_read_again(suffix: str, tree: GameTree, tmp_path: Path) -> None:
    name, profile = str(tmp_path / f"profile{suffix}"), from_sets(tree, {})
    Path(name).write_bytes(registry.writer(name, PROFILE)(profile, "equal"))
    if is_read(suffix, PROFILE):
        assert np.array_equal(registry.read(name, PROFILE, tree).probabilities, profile.probabilities)


@of_kind(WORKBOOK)
def test_a_workbook_holds_the_game_alone_and_with_a_profile(suffix: str, tree: GameTree) -> None:
    write = registry.writer(f"game{suffix}", WORKBOOK)
    assert write(SubtreeView.whole(tree), "", None) != write(SubtreeView.whole(tree, from_sets(tree, {})), "equal", None)
    assert registry.holds(f"game{suffix}", GAME)


@of_kind(STRATEGY)
@pytest.mark.parametrize("dice", [(1, 1), (1, 1, 1)])
def test_a_strategy_is_written_and_read_again(dice: tuple[int, ...], suffix: str, tmp_path: Path) -> None:
    game, name = rules("common", 2, dice), str(tmp_path / f"kept{suffix}")
    if registry.is_certificate(name):  # certificates hold only fractions: tests/formats/test_certificate.py
        with pytest.raises(UsageError, match="is in floats"):
            registry.writer(name, STRATEGY)(name, expanded(Uniform(game)), Origin("equal", None, 0.0, 1.0))
        return
    origin = Origin("equal", None, 0.0, 1.0) if len(dice) == 2 else Origin("equal", None, regrets=(0.25, 0.5, 0.75))
    registry.writer(name, STRATEGY)(name, expanded(Uniform(game)), origin)
    kept = registry.read(name, STRATEGY)
    assert (kept.rules, kept.origin) == (game, origin)
    assert np.allclose(kept.at([1]), Uniform(game).at([1]), atol=1e-4)


def test_names_without_a_suffix_get_the_first_format() -> None:
    for name in ("-", "game", "folder.nfg/game", "game.gz"):
        assert registry.writer(name, GAME) is registry.writer("game.efg", GAME)


@pytest.mark.parametrize("kind", [GAME, PROFILE, STRATEGY, WORKBOOK, PAGE, SHEET], ids=lambda kind: kind.name)
@pytest.mark.parametrize("name", ["game.txt", "folder.efg/game.doc", "game.efg.bak", "game.txt.gz"])
def test_a_name_with_another_ending_is_refused(name: str, kind: ContentType[Any, ..., Any]) -> None:
    with pytest.raises(UsageError, match=rf"^{re.escape(name)}: the name must end in {re.escape(registry.suffixes(kind))}, "):
        registry.writer(name, kind)


@pytest.mark.parametrize(
    "command",
    [
        ("build", "--sides", "2", "-o", "FILE"),
        ("convert", KUHN, "FILE"),
        ("solve", KUHN, "-o", "FILE"),
        ("solve", "--sides", "2", "-o", "FILE"),
        ("draw", "--sides", "2", "-o", "FILE"),
        ("explore", "--sides", "2", "-o", "FILE"),
        ("draw", "--sides", "3", "-o", "FILE"),
        ("outcomes", OUTCOMES, "-o", "FILE"),
        ("impartial", "positions", POSITIONS, "-o", "FILE"),
    ],
    ids=lambda command: " ".join(Path(str(word)).name for word in command),
)
def test_commands_write_nothing_to_a_name_with_another_ending(command: tuple[object, ...], tmp_path: Path) -> None:
    (tmp_path / "outcomes.csv").write_text("move,Ann\nLeft,1\nRight,2\n")
    (tmp_path / "graph.csv").write_text("from,to\na,b\nb,\n")
    ended = run_here(*("game.doc" if word == "FILE" else word for word in command), cwd=tmp_path)
    assert_refused(ended, "game.doc", "must end in", code=2)
    assert {path.name for path in tmp_path.iterdir()} == {"outcomes.csv", "graph.csv"}


def test_capitals_and_gz_do_not_hide_the_format(tmp_path: Path) -> None:
    assert run_here("build", "--sides", 1, "-o", tmp_path / "game.NFG.GZ") == (0, "", "")
    assert gzip.decompress((tmp_path / "game.NFG.GZ").read_bytes()).startswith(b"NFG 1 R")
    assert registry.holds("Game.GBT.gz", WORKBOOK)
    assert not registry.holds("kept.ldz.gz", STRATEGY)  # compressed already, and read piece by piece


def test_help_pages_follow_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    assert registry.suffixes(GAME) in " ".join(run_here("build", "-h").out.split())
    before = registry.suffixes(GAME)
    monkeypatch.setattr(registry, "REGISTERED", [*registry.REGISTERED, lambda: [Format(".new", GAME, "formats.efg:write")]])
    assert registry.suffixes(GAME) == f"{before.replace(' or ', ', ')} or .new"
