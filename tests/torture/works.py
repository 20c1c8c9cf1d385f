"""The tortured commands: the files that each writes, how to check these files, and how to resume the command."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from liarsdice_cli.formats import efg, profile_json
from liarsdice_cli.formats.ldz import StrategyFile
from liarsdice_cli.games.liarsdice import tree
from liarsdice_cli.games.liarsdice.public import public_game
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.solvers.public_tree import checkpoint
from liarsdice_cli.solvers.public_tree.solver import PublicTree
from liarsdice_cli.solvers.regret.minimisers import minimiser
from liarsdice_cli.studies import value_table

Check = Callable[[Path], None]

_GAME = ("--rules", "joker", "--sides", "4", "--dice", "2,1")
_METHOD = ("--method", "dcfr+")
BOT = """import sys
class Bot:
    def act(self, view, generator):
        print("thinking", file=sys.stderr)
        return view.actions[0]
"""


@dataclass(frozen=True)
class Work:
    """A command, and the files that it writes, each with a check that raises unless the file is whole.

    seconds : time within which a signal is sent
    goes_on : a file name, and the command that resumes if this file exists
    """

    name: str
    arguments: tuple[str, ...]
    writes: dict[str, Check]
    seconds: float
    goes_on: tuple[str, tuple[str, ...]] | None = None


@cache
def _expected(sides: int) -> bytes:
    return efg.dumps(tree.stream(rules("classic", sides)))


def _is_game(sides: int) -> Check:
    def check(path: Path) -> None:
        data = path.read_bytes()
        assert (gzip.decompress(data) if path.suffix == ".gz" else data) == _expected(sides)

    return check


def _is_profile(path: Path) -> None:
    profile_json.read(str(path), tree.build(rules("classic", 3)))


def _is_strategy(path: Path) -> None:
    kept = StrategyFile(str(path))
    assert len([*kept.store.all_shards]) == len(kept.store.shards) + 1  # each of them has been read


def _is_checkpoint(path: Path) -> None:
    checkpoint.read(str(path), PublicTree(public_game(rules("joker", 4, (2, 1))), minimiser("dcfr+")))


def _is_value_table(path: Path) -> None:
    value_table.read(str(path))


def _is_table(path: Path) -> None:
    lines = path.read_text().splitlines()
    assert len({line.count(",") for line in lines}) == 1
    assert len(lines) > 1


def _is_json(path: Path) -> None:
    json.loads(path.read_bytes())


WORKS = (
    Work("build", ("build", "--sides", "4", "-o", "game.efg"), {"game.efg": _is_game(4)}, 5),
    Work("build, packed", ("build", "--sides", "3", "-o", "game.efg.gz"), {"game.efg.gz": _is_game(3)}, 1.5),
    Work("solve", ("solve", "--sides", "3", "-o", "profile.json"), {"profile.json": _is_profile}, 3),
    Work(
        "solve by Gambit", ("solve", "--sides", "2", "--method", "enumpure", "--time-limit", "9", "-o", "profile.json"), {}, 6
    ),
    Work(
        "solve, checkpoints",
        (
            *("solve", *_GAME, *_METHOD, "--iterations", "3000", "--checkpoint", "state"),
            "-o",
            "kept.ldz",
        ),
        {"state": _is_checkpoint, "kept.ldz": _is_strategy},
        8,
        (
            "state",
            ("solve", *_GAME, *_METHOD, "--iterations", "3001", "--checkpoint", "state", "-o", "kept.ldz"),
        ),
    ),
    Work(
        "values",
        ("values", "--sides", "2..4", "--rules", "all", "-o", "values.csv"),
        {"values.csv": _is_value_table},
        8,
        ("values.csv", ("values", "--sides", "2", "-o", "values.csv")),
    ),
    Work(
        "values, workers",
        ("values", "--sides", "2..4", "--rules", "all", "-o", "values.csv", "--cluster", "local:2"),
        {"values.csv": _is_value_table},
        8,
        ("values.csv", ("values", "--sides", "2", "-o", "values.csv", "--cluster", "local:2")),
    ),
    Work(
        "arena",
        ("arena", "honest", "random", "zero-intelligence", "--rounds", "300000", "--cluster", "local:2", "-o", "table.csv"),
        {"table.csv": _is_table},
        8,
    ),
    Work("arena, own bot", ("arena", "own:Bot", "random", "--rounds", "5000", "-o", "table.csv"), {"table.csv": _is_table}, 3),
)
"""All tortured commands."""
