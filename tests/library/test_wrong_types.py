"""Arguments of wrong types: one clear error, which names the argument and the cure."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import liarsdice_cli as ld
from liarsdice_cli.bots.simple import Random
from liarsdice_cli.errors import LiarsDiceError, UsageError
from liarsdice_cli.games.liarsdice.strategy import Uniform
from liarsdice_cli.solvers.request import Request

TWO = ld.rules("common", 2)

anything: Any = ld
FUNCTIONS = {
    name: one
    for home, names in ((ld, ld.__all__), (ld.impartial, ld.impartial.__all__), (ld.interop, ld.interop.__all__))
    for name in names
    if inspect.isfunction(one := getattr(home, name))
}
"""Every public function, those in public modules included."""
PACKAGES = {
    "from_pygambit": "pygambit",
    "to_openspiel": "pyspiel",
    "to_pandas": "pandas",
    "to_pettingzoo": "pettingzoo",
    "to_pygambit": "pygambit",
}
"""Functions that need a package which may not be installed."""


def required(folder: Path) -> dict[str, tuple[Any, ...]]:
    """Return arguments of the right types for every public function: those that it needs, or a few more."""
    rules, solution = ld.rules("common", 2), solved()
    tree = solution.profile.tree
    ld.write(tree, f"{folder}/game.efg")
    ld.write(solution.profile, f"{folder}/profile.json")
    (folder / "outcomes.csv").write_text("move,move,Ann,Bob\nl,x,1,2\nr,x,2,1\n")
    (folder / "positions.csv").write_text("from,to\n1,0\n0,\n")
    return {
        "build": (rules,),
        "coach": (["Ann", "me"],),
        "coalition": (ld.rules("common", 2, (1, 1, 1)), "random"),
        "exploitability": (rules, "random"),
        "explore": (tree,),
        "from_openspiel": (Random(), rules),
        "from_pygambit": (ld.interop.to_pygambit(tree),),
        "from_tensors": (len,),
        "grid": (["joker"], [2], [(1, 1)]),
        "grundy": ("kayles",),
        "game_info": (tree,),
        "judge": (solution.profile,),
        "match": ("joker", 2, (2, 1)),
        "model": (3,),
        "nim": ([1, 2],),
        "outcomes": (f"{folder}/outcomes.csv",),
        "picture": (tree,),
        "play": (rules, Random()),
        "policy": ("honest",),
        "positions": (f"{folder}/positions.csv",),
        "probability": ([1, 2], 2),
        "read": (f"{folder}/game.efg",),
        "read_profile": (f"{folder}/profile.json", tree),
        "read_strategy": (f"{folder}/strategy.ldz",),
        "resolve": (Uniform(rules), "9x9"),
        "rules": (),
        "safe_exploitation": (rules, "honest", 0),
        "solve": (rules,),
        "strategy_at": (solution,),
        "subgame": (rules,),
        "takeaway": (5, [1, 2]),
        "to_numpy": (tree,),
        "to_openspiel": (solution,),
        "to_pandas": (tree,),
        "to_pettingzoo": (rules,),
        "to_pygambit": (tree,),
        "tournament": (rules, ["honest", "random"]),
        "values": ([rules],),
        "write": (rules, f"{folder}/new.efg"),
    }


@cache
def solved() -> ld.Solution:
    """Return the solution of a small game."""
    return ld.solve(ld.rules("common", 2))


def call(name: str, arguments: dict[str, Any]) -> None:
    """Call a public function, and enter what it returns if that is a context."""
    result: Any = FUNCTIONS[name](**arguments)
    if hasattr(result, "__enter__"):
        with result:
            pass


@pytest.mark.parametrize("name", FUNCTIONS)
def test_public_functions_refuse_arguments_of_wrong_types_with_a_clear_error(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # some of the arguments are names of files
    if name in PACKAGES:
        pytest.importorskip(PACKAGES[name])
    signature = inspect.signature(FUNCTIONS[name])
    right = signature.bind(*required(tmp_path)[name]).arguments
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.VAR_KEYWORD:
            continue
        refused = [object(), *({"int": [True], "bool": ["no", 1]}.get(parameter.annotation.removesuffix(" | None"), []))]
        for wrong in refused:
            with pytest.raises(LiarsDiceError, match=rf"^{parameter.name}\b|gives no probabilities"):
                call(name, right | {parameter.name: wrong})
        for wrong in (3, 1.5, "none", None, True, [object()], [True], {"a": 1}, b"x", (1, "2")):
            try:
                call(name, right | {parameter.name: wrong})
            except LiarsDiceError:
                continue  # any other error fails the test


FIELDS = {field.name: field.type for field in dataclasses.fields(Request)}


@pytest.mark.parametrize("field", sorted(FIELDS))
def test_every_field_of_a_request_refuses_a_wrong_type(field: str) -> None:
    with pytest.raises(UsageError, match=f"^{field} is of the type object: give "):
        Request(**{field: object()})


@pytest.mark.parametrize("lock", [3, [object()]])
def test_an_invalid_lock_is_refused(lock: object) -> None:
    with pytest.raises(LiarsDiceError, match="lock"):
        anything.solve(ld.rules("common", 2), lock=lock)


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
        ld.picture,
        ld.explore,
        ld.judge,
        ld.strategy_at,
        ld.subgame,
        lambda what: ld.exploitability(what, "honest"),
        lambda what: ld.coalition(what, "honest"),
        lambda what: ld.safe_exploitation(what, "honest"),
    ],
)
@pytest.mark.parametrize("what", ["classic", 3, None])
def test_an_argument_that_is_not_a_game_is_refused_with_a_cure(call: Callable[[Any], object], what: object) -> None:
    with pytest.raises(UsageError, match=rf"^(game|rules|what) is of the type {type(what).__name__}: give "):
        call(what)


@pytest.mark.parametrize("call", [ld.read, ld.read_strategy, lambda name: ld.write(ld.rules("common", 2), name)])
@pytest.mark.parametrize("name", [3, None])
def test_an_argument_that_is_not_a_file_name_is_refused(call: Callable[[Any], object], name: object) -> None:
    with pytest.raises(UsageError, match=r"^name is of the type .*: give the name of a file, as text or as a path"):
        call(name)


@pytest.mark.parametrize("name", ["time_limit", "target", "tremble", "iterations", "max_profiles", "threads", "memory"])
def test_numbers_of_a_request_given_as_text_are_refused_by_name(name: str) -> None:
    with pytest.raises(UsageError, match=f"^{name} is of the type str: give a .*number.*, or leave it out"):
        anything.solve(ld.rules("common", 2), **{name: "1"})


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: ld.solve(TWO, time_limit=float("nan")), "time_limit=nan: give a number above 0"),
        (lambda: ld.solve(TWO, target=Fraction(10) ** 400), r"target=1.00000e\+400: give a finite exploitability"),
        (lambda: ld.solve(TWO, time_limit=0), "time_limit=0: give a number above 0"),
        (lambda: ld.solve(TWO, method="cfr+", sample_factor=float("inf")), "sample_factor=inf: give 1.01 or more"),
        (lambda: ld.solve(TWO, iterations=-1), "iterations=-1: give a whole number of 1 or more"),
        (lambda: ld.solve(TWO, threads=-2), "threads=-2: give a whole number of 1 or more"),
        (lambda: ld.solve(TWO, memory=0), "memory=0: give a whole number of 1 or more"),
        (lambda: ld.tournament(TWO, ["honest", "random"], rounds=0), "rounds=0: give a whole number of 1 or more"),
        (lambda: ld.tournament(TWO, ["honest", "random"], seed=-1), "seed=-1: give a whole number of 0 or more"),
        (lambda: ld.exploitability(TWO, "honest", opponent_max_bids=-1), "opponent_max_bids=-1: give"),
        (lambda: ld.explore(TWO, depth=-1), "depth=-1: give a whole number of 0 or more"),
        (lambda: ld.impartial.grundy("kayles", limit=0), "limit=0: give a whole number of 1 or more"),
        *[
            (lambda name=name: ld.impartial.grundy(name).grundy(-1), "heap=-1: give a whole number of 0 or more")
            for name in ("kayles", "nim", "1,2,3")
        ],
        *[
            (lambda call=call, player=player: call(player), f"player={player}: give a number from 0 to 1$")
            for call in (TWO.rolls, TWO.roll_count)
            for player in (2, -1, True)
        ],
        (lambda: ld.impartial.grundy("kayles").grundy_of([3, -1]), "heap=-1: give a whole number of 0 or more"),
        (lambda: ld.impartial.grundy("kayles").values(-3), "count=-3: give a whole number of 0 or more"),
    ],
)
def test_numbers_out_of_range_are_refused_with_a_cure(call: Callable[[], object], words: str) -> None:
    with pytest.raises(UsageError, match=f"^{words}"):
        call()


@pytest.mark.parametrize(
    "call",
    [
        lambda found: ld.exploitability(TWO, found),
        lambda found: ld.coalition(TWO, found),
        lambda found: ld.safe_exploitation(TWO, found, 0),
    ],
)
def test_a_solution_given_as_a_policy_is_refused_with_a_cure(call: Callable[[Any], object]) -> None:
    with pytest.raises(
        LiarsDiceError, match=r"^a solution gives no probabilities itself: give its strategy, solution\.strategy\(\)$"
    ):
        call(solved())
    call(solved().strategy())


@pytest.mark.parametrize("name", ["kayles", "nim", "1,2,3"])
def test_a_heap_size_of_a_wrong_type_is_refused(name: str) -> None:
    game: Any = ld.impartial.grundy(name)
    for call, argument in ((game.grundy, "heap"), (game.values, "count")):
        with pytest.raises(UsageError, match=f"^{argument} is of the type float: give a whole number of 0 or more"):
            call(1.5)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"arithmetic": "decimal"}, "arithmetic='decimal': choose from rational, float"),
        ({"form": "x", "method": "cfr", "iterations": 3}, "form='x': choose from extensive, strategic, public tree"),
        ({"form": "extensiv"}, "form='extensiv': choose from extensive, strategic, public tree"),
    ],
)
def test_an_unknown_arithmetic_or_form_is_refused_by_name(options: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=f"^{words}$"):
        ld.solve(TWO, **options)


def test_an_information_set_name_of_a_wrong_type_is_refused() -> None:
    profile: Any = solved().profile
    with pytest.raises(UsageError, match=r"^name is of the type int: give the name of an information set as text"):
        profile[0]


def test_an_unknown_option_of_a_request_is_refused_by_name() -> None:
    with pytest.raises(
        UsageError, match=r"^foo is not an option of a request: leave it out, or choose from method, .*, sample_factor$"
    ):
        ld.values([TWO], foo=2)


def test_an_unknown_rule_of_a_grid_is_refused_by_name() -> None:
    with pytest.raises(UsageError, match=r"^walid is not a rule: leave it out, or choose from wild, .*, spot_on$"):
        ld.grid(["joker"], [2], [(1, 1)], walid=1)


def test_numbers_of_numpy_are_accepted() -> None:
    numpy = pytest.importorskip("numpy")
    assert anything.rules(sides=numpy.int64(3), dice=numpy.array([1, 1])) == ld.rules(sides=3)
