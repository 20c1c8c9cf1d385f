"""What is given in another type than a function takes: one clear error, a UsageError that names the argument and the cure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import liarsdice_cli as ld
from liarsdice_cli.errors import UsageError

anything: Any = ld


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        *[("sides", value) for value in ("3", 2.0, True, None)],
        *[("dice", value) for value in (2, "11", ("1", "1"), (1.5, 1), None)],
        *[("max_quantity", value) for value in ("2", 1.5)],
        *[("wild", value) for value in (1.5, [1])],
        *[(name, value) for name in ("preset", "order", "payoffs") for value in (3, ["x"])],
        *[(name, value) for name in ("wild_opening", "stairs", "fixed_face", "spot_on") for value in ("yes", 2)],
    ],
)
def test_rules_of_wrong_types_are_refused_by_name(argument: str, value: object) -> None:
    with pytest.raises(UsageError, match=f"^{argument}"):
        anything.rules(**{argument: value})


@pytest.mark.parametrize(
    "call",
    [
        ld.solve,
        ld.build,
        ld.draw,
        ld.explore,
        ld.judge,
        ld.after,
        ld.subgame,
        lambda what: ld.exploitability(what, "honest"),
        lambda what: ld.collusion(what, "honest"),
        lambda what: ld.safe("honest", what),
    ],
)
@pytest.mark.parametrize("what", ["classic", 3, None])
def test_what_is_no_game_is_refused_with_what_to_give(call: Callable[[Any], object], what: object) -> None:
    with pytest.raises(UsageError, match=rf"^(game|rules|what) is of the type {type(what).__name__}: give "):
        call(what)


@pytest.mark.parametrize("call", [ld.read, ld.read_strategy, lambda name: ld.write(ld.rules("common", 2), name)])
@pytest.mark.parametrize("name", [3, None])
def test_what_is_no_name_of_a_file_is_refused(call: Callable[[Any], object], name: object) -> None:
    with pytest.raises(UsageError, match=r"^name is of the type .*: give the name of a file as text"):
        call(name)


@pytest.mark.parametrize(
    "name", ["time_limit", "target", "tremble", "max_regret", "iterations", "stop_after", "threads", "memory"]
)
def test_a_request_of_wrong_types_is_refused_by_name(name: str) -> None:
    with pytest.raises(UsageError, match=f"^{name} is of the type str: give a .*number, or leave it out"):
        anything.solve(ld.rules("common", 2), **{name: "1"})
    with pytest.raises(UsageError, match=r"^request is of the type int"):
        anything.solve(ld.rules("common", 2), 3)


def test_numbers_of_numpy_are_numbers() -> None:
    numpy = pytest.importorskip("numpy")
    assert anything.rules(sides=numpy.int64(3), dice=numpy.array([1, 1])) == ld.rules(sides=3)
