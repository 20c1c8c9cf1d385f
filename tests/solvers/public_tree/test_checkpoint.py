"""Checkpoints: going on from one is going on, bit for bit; anything else is refused with the reason."""

from __future__ import annotations

import json
import zlib

import numpy as np
import pytest

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.games.liarsdice.public import public_game
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.solvers.public_tree import checkpoint
from liarsdice_cli.solvers.public_tree.solver import PublicTree
from liarsdice_cli.solvers.regret.convergence import Bounds, Limits, run
from liarsdice_cli.solvers.regret.minimisers import MINIMISERS, minimiser

pytestmark = pytest.mark.compiled

GAME = public_game(rules("joker", 4, (2, 1)))


def _solver(name="dcfr+", iterations=0, game=GAME):
    solver = PublicTree(game, minimiser(name))
    for _ in range(iterations):
        solver.iterate()
    return solver


def _state(solver):
    return [*solver.regrets, *solver.averages, *solver.last]


@pytest.mark.parametrize("name", MINIMISERS)
def test_a_run_that_was_interrupted_ends_bit_for_bit_as_one_that_was_not(name, tmp_path):
    file = str(tmp_path / "state")
    checkpoint.write(file, _solver(name, 7), Bounds(0.25, 0.5))
    resumed = _solver(name)
    assert checkpoint.read(file, resumed) == Bounds(0.25, 0.5)
    assert resumed.iteration == 7
    for _ in range(6):
        resumed.iterate()
    for one, other in zip(_state(resumed), _state(_solver(name, 13)), strict=True):
        assert one.tobytes() == other.tobytes()


@pytest.fixture
def kept(tmp_path):
    file = tmp_path / "state"
    checkpoint.write(str(file), _solver(iterations=3), None)
    return file


def _assert_refused(file, match, solver=None):
    with pytest.raises(LiarsDiceError, match=match):
        checkpoint.read(str(file), solver or _solver())


@pytest.mark.parametrize(
    ("solver", "what"),
    [
        (_solver("cfr+"), "another method: dcfr\\+, not cfr\\+"),
        (_solver(game=public_game(rules("joker", 4, (1, 2)))), "another game: joker rules, 4 sides, dice 2,1"),
        (_solver(game=public_game(rules("joker", 4, (2, 1), payoffs="zero-sum"))), "another game"),
    ],
)
def test_a_checkpoint_of_something_else_is_refused(solver, what, kept):
    _assert_refused(kept, what, solver)


def test_damage_anywhere_is_refused(kept):
    whole = kept.read_bytes()
    generator = np.random.default_rng(1)
    for place in [30, len(whole) - 1, *generator.integers(400, len(whole), 5)]:
        changed = bytearray(whole)
        changed[place] ^= 1
        kept.write_bytes(changed)
        _assert_refused(kept, r"damaged or cut short|another game")
    for size in (0, 5, 23, 100, len(whole) // 2, len(whole) - 1):
        kept.write_bytes(whole[:size])
        _assert_refused(kept, r"damaged or cut short|no checkpoint")
    kept.write_bytes(whole + b"x")
    _assert_refused(kept, "damaged")


def test_other_files_and_versions_are_named(kept):
    whole = kept.read_bytes()
    kept.write_bytes(whole.replace(b"checkpoint 1", b"checkpoint 2", 1))
    _assert_refused(kept, "another version")
    kept.write_bytes(b"EFG 2 R\n" * 10)
    _assert_refused(kept, "no checkpoint")
    _assert_refused(f"{kept}.not", "cannot read")


def _rewrite(kept, line=None, change=(), content=lambda rest: rest):
    """Write other contents with a right sum."""
    magic, before, rest = kept.read_bytes().split(b"\n", 2)
    line = json.dumps(json.loads(before) | dict(change)).encode() if line is None else line
    whole = magic + b"\n" + line + b"\n" + content(rest[:-4])
    kept.write_bytes(whole + zlib.crc32(whole).to_bytes(4, "little"))


@pytest.mark.parametrize(
    "change",
    [
        {"iteration": "many"},
        {"iteration": -1},
        {"iteration": float("inf")},
        {"iteration": 2.5},
        {"proved": 3},
        {"proved": ["low", 1]},
        {"proved": [float("nan"), 1]},
        {"proved": [0.25]},
        {"proved": [0.75, 0.25]},
        {"proved": [-3, 0.25]},
        {"proved": [0.25, 3]},
    ],
)
def test_a_head_that_says_nonsense_is_refused_even_with_a_right_sum(change, kept):
    _rewrite(kept, change=change)
    _assert_refused(kept, "damaged")


@pytest.mark.parametrize("line", [b"[" * 60_000, b"[]", b"", b"\xff", b'{"game": ' * 5_000])
def test_a_head_that_is_none_is_refused_even_with_a_right_sum(line, kept):
    _rewrite(kept, line)
    _assert_refused(kept, "damaged")


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_numbers_that_no_solver_comes_to_are_refused_even_with_a_right_sum(number, kept):
    _rewrite(kept, content=lambda rest: np.array([number]).tobytes() + rest[8:])
    _assert_refused(kept, "damaged")


def test_the_sum_is_looked_at_first(kept):
    """What a damaged head says is not told to anybody."""
    whole = kept.read_bytes()
    kept.write_bytes(whole.replace(b"joker rules, 4", b"jokes rules, 4", 1))
    _assert_refused(kept, "damaged")


def test_bounds_that_contradict_what_is_computed_are_refused(kept):
    """Joker with dice 2,1: player 1 gets between 0.5 and 0.9."""
    _rewrite(kept, change={"proved": [0.9999, 1.0]})
    solver = _solver()
    earlier = checkpoint.read(str(kept), solver)
    with pytest.raises(LiarsDiceError, match=r"the checkpoint's bounds, 0\.9999 to 1, contradict"):
        run(solver, Limits(iterations=5), earlier=earlier)
