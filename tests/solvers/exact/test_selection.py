"""Selection of one equilibrium of many: the same for any path of HiGHS, any dealing and every command."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from liarsdice_cli.bots.equilibrium import Equilibrium
from liarsdice_cli.extensive.profile import Profile
from liarsdice_cli.extensive.stream import CHANCE
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.formats import efg
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.strategy import ProfileStrategy
from liarsdice_cli.games.liarsdice.tree import build, stream
from liarsdice_cli.library.explorer import explore
from liarsdice_cli.library.pictures import picture
from liarsdice_cli.solvers.exact import iterative_refinement, linear_program, quasi_perfect, selection
from liarsdice_cli.solvers.exact import solve as exact
from liarsdice_cli.solvers.exact.perturbed import PerturbedProgram
from liarsdice_cli.solvers.exact.reduction import reduce, unreduced
from liarsdice_cli.solvers.exact.sequence_form import SequenceForm, sequence_form
from liarsdice_cli.solvers.request import Request
from tests.support.command_line import KUHN
from tests.support.properties import mostly_slow
from tests.support.random_games import Game, constant_sum_games, tree_of
from tests.support.solving import solve

PENNIES = b"""EFG 2 R "pennies" { "A" "B" } p "" 1 1 "" { "H" "T" } 0 p "" 2 1 "" { "h" "t" } 0
t "" 1 "" { 1 -1 } t "" 2 "" { -1 1 } p "" 2 1 0 t "" 2 t "" 1"""

GAMES = mostly_slow([("joker", 4, (1, 1)), ("classic", 3, (1, 1)), ("top-wild", 3, (2, 1)), ("snyd", 3, (1, 1))])
METHODS: dict[str, Callable[[GameTree], Any]] = {
    "exact": lambda tree: exact.solve(tree)[0],
    "quasi-perfect": quasi_perfect.solve,
}


def unlike(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """Make HiGHS take another path: without presolve, by the primal simplex, with another random seed."""
    ordinary = linear_program.new_highs

    def other(presolve: bool) -> Any:
        highs = ordinary(False)
        highs.setOptionValue("random_seed", seed)
        highs.setOptionValue("simplex_strategy", 4)
        return highs

    monkeypatch.setattr(linear_program, "new_highs", other)
    monkeypatch.setattr(iterative_refinement, "new_highs", other)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("preset", "sides", "dice"), GAMES)
def test_the_equilibrium_does_not_depend_on_the_path_of_highs(
    preset: str, sides: int, dice: tuple[int, int], method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = build(rules(preset, sides, dice))
    first = METHODS[method](tree)
    for seed in (1, 2):
        unlike(monkeypatch, seed)
        again = METHODS[method](tree)
        assert again.profile.probabilities.tolist() == first.profile.probabilities.tolist()
        assert again.one_of_many == first.one_of_many


def test_without_selection_the_equilibrium_depends_on_the_path_of_highs(monkeypatch: pytest.MonkeyPatch) -> None:
    """This shows that the test above can fail."""
    tree = build(rules("joker", 4))
    first, _ = exact.solve(tree, selects=False)
    unlike(monkeypatch, 1)
    again, _ = exact.solve(tree, selects=False)
    assert again.profile.probabilities.tolist() != first.profile.probabilities.tolist()


def total(tree: GameTree, form: SequenceForm, profile: Profile) -> list[int]:
    """Return, for each player, the sum that the preferred plan maximises by definition."""
    sums = []
    for player, side in enumerate(form.sides):
        weights = np.ones(side.sequences, object)
        for sequence, (action, number) in enumerate(zip(side.action.tolist(), side.set.tolist(), strict=True), 1):
            weights[sequence] = weights[side.before[number]] * profile.probabilities[action]
        sums.append((weights * selection.preferences(tree, form.sides[player])).sum())
    return sums


@given(constant_sum_games())
def test_the_selected_equilibrium_is_preferred_to_an_unselected_one(game: Game) -> None:
    tree = tree_of(game)
    form = sequence_form(tree, reduce(tree, exact.ends(tree)))
    preferred, other = (exact.solve(tree, selects=selects)[0].profile for selects in (True, False))
    assert all(one >= two for one, two in zip(total(tree, form, preferred), total(tree, form, other), strict=True))


@pytest.mark.parametrize(("game", "many"), [("pennies", False), ("common", True), ("kuhn", True)])
@pytest.mark.parametrize("method", METHODS)
def test_one_of_many_is_set_if_there_are_other_equilibria(game: str, many: bool, method: str) -> None:
    """Kuhn poker has a family of equilibria: player 1 bets the lowest card with any probability up to 1/3."""
    made = {
        "pennies": lambda: efg.parse(PENNIES),
        "common": lambda: build(rules("common", 3)),
        "kuhn": lambda: efg.read(str(KUHN)),
    }
    tree = made[game]()
    assert METHODS[method](tree).one_of_many is many


def test_plans_of_another_equilibrium_differ_and_lead_to_the_same_selection() -> None:
    tree = build(rules("common", 3))
    form = sequence_form(tree, unreduced(tree))
    program = PerturbedProgram(form, trembles=False)
    plans = program.plans(10, inf)
    assert plans is not None
    chosen = selection.preferred(program, tree, plans, inf)
    assert chosen is not None
    others = selection.another(program, tree, chosen, inf)
    assert others is not None
    assert any(np.any(one != two) for one, two in zip(chosen, others, strict=True))
    assert selection.preferred(program, tree, others, inf)[0].tolist() == chosen[0].tolist()  # type: ignore[index]


def by_name(profile: Profile) -> dict[str, list[Any]]:
    tree = profile.tree
    return {tree.label_of(row): profile.at(row) for row in np.flatnonzero(tree.infosets.player != CHANCE).tolist()}


def test_the_equilibrium_is_the_same_for_every_dealing_and_for_a_file() -> None:
    game = rules("joker", 3, (2, 1))
    dealt = [by_name(solve(game, "auto", Request(dealing=dealing)).profile) for dealing in ("ordered", "multiset", "staged")]
    assert dealt[0] == dealt[1] == dealt[2]
    assert by_name(solve(efg.parse(efg.dumps(stream(game)))).profile) == dealt[0]


def test_solving_drawing_exploring_and_playing_use_the_same_equilibrium() -> None:
    game = rules("common", 3)
    solution = solve(game)
    assert solution.solved[0].one_of_many
    drawn, explored = picture(game, depth=2).part.profile, explore(game).strategy
    assert drawn is not None
    known = by_name(solution.profile)
    assert all(known[name] == probabilities for name, probabilities in by_name(drawn).items() if name in known)
    own = ProfileStrategy.of(game, solution.problem.free_tree, solution.profile.probabilities)
    played = Equilibrium().strategy(game)
    for history in ((), (0,), (2,), (0, 2), (0, 3), (2, 5)):
        assert np.allclose(own.at(history), played.at(history), atol=1e-9)
        assert np.allclose(own.at(history), explored.at(history), atol=1e-9)
