"""Exact equilibria of two-player constant-sum games: elimination, linear program, exact basis, and lifting to the whole game.

The result is exact if HiGHS's last basis is optimal in fractions, and otherwise a bracket; the judge decides which. If there
are many equilibria, `selection` chooses the preferred one of the reduced game.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from math import inf

import numpy as np

from liarsdice_cli.errors import Argument, LiarsDiceError, TimeLimitError
from liarsdice_cli.extensive.evaluate import complete, judge, realization
from liarsdice_cli.extensive.profile import EQUAL, GIVEN, Profile
from liarsdice_cli.extensive.recall import sets_before
from liarsdice_cli.extensive.stream import CHANCE, NONE, TERMINAL, Bools, Ints, Numbers
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.solvers.exact import selection
from liarsdice_cli.solvers.exact.linear_program import LinearProgram, Plans
from liarsdice_cli.solvers.exact.perturbed import PerturbedProgram
from liarsdice_cli.solvers.exact.reduction import Reduction, reduce
from liarsdice_cli.solvers.exact.sequence_form import SequenceForm, require_sequence_form, sequence_form
from liarsdice_cli.solvers.solution import EvaluatedProfile

_FINE = 10**9
"""The denominator to which plans in floats are rounded, so that the judge can compute in fractions."""
_MOST_WORK = 500_000_000
"""The most work of the exact simplex to improve a bracket (see `simplex.maximise`), about a minute; without a limit it can take
days."""


def solve(tree: GameTree, time_limit: float | None = None, selects: bool = True) -> tuple[EvaluatedProfile, str]:
    """Return a judged profile of the whole game in fractions, and a line on the actions that were eliminated.

    selects : whether to find the preferred equilibrium, which takes up to twice as long

    If the judge finds regret, the program is solved again in another way. The result is the profile with the least regret.

    Raises LiarsDiceError unless the game has two players, constant sum and perfect recall; TimeLimitError after `time_limit`
    seconds without a profile. Cost: a few vector steps over the nodes, and a linear program as large as the reduced game.
    """
    deadline = inf if time_limit is None else time.monotonic() + time_limit
    require_sequence_form(tree, "exact")
    reduction = reduce(tree, ends(tree), deadline)
    search = Search(tree, reduction)
    solved, plans = search.best(deadline)
    return search.preferred(solved, plans, deadline) if selects else solved, _summary(tree, reduction)


def solve_reduced(tree: GameTree, reduction: Reduction, chance: Numbers) -> EvaluatedProfile:
    """Return a judged profile of the whole game, given its reduction; raises as `solve`.

    chance : probabilities of all actions of chance that replace those of the tree
    """
    return Search(tree, reduction, chance).best(inf)[0]


class Search:
    """The search for optimal plans of the reduced game, and for the profile of the whole game with the least regret."""

    def __init__(self, tree: GameTree, reduction: Reduction, chance: Numbers | None = None) -> None:
        self.tree, self.reduction, self.chance = tree, reduction, chance
        self.form = sequence_form(tree, reduction, chance)

    def best(self, deadline: float) -> tuple[EvaluatedProfile, Plans]:
        """Return the judged profile with the least regret, and its plans in the reduced game."""
        found: list[tuple[EvaluatedProfile, Plans]] = []
        try:
            for plans in _attempts(LinearProgram(self.form), deadline):
                found.append((self._lifted(plans), plans))
                if found[-1][0].judgement.is_equilibrium:
                    break
        except TimeLimitError:
            if not found:
                raise
        if not found:
            raise LiarsDiceError(
                "the linear program cannot be solved in floats: use payoffs of similar size, or try ",
                Argument("method", "lp"),
            )
        return min(found, key=lambda one: one[0].judgement.exploitability or 0)

    def preferred(self, solved: EvaluatedProfile, plans: Plans, deadline: float) -> EvaluatedProfile:
        """Return the preferred equilibrium; the given profile if it is none, or if time or precision does not suffice."""
        if not solved.judgement.is_equilibrium or any(plan.dtype != object for plan in plans):
            return solved
        program = PerturbedProgram(self.form, trembles=False)
        try:
            chosen = selection.preferred(program, self.tree, (plans[0][:, None], plans[1][:, None]), deadline)
            if chosen is None:
                return solved
            better = self._lifted(chosen)
            if not better.judgement.is_equilibrium:
                return solved
            one_of_many = differ(plans, chosen) or self.has_others(program, chosen, deadline)
            return replace(better, one_of_many=one_of_many)
        except TimeLimitError:
            return solved

    def has_others(self, program: PerturbedProgram, chosen: Plans, deadline: float) -> bool:
        """Return whether there is another judged equilibrium, whose plans give some sequences other weights."""
        try:
            others = selection.another(program, self.tree, chosen, deadline)
        except TimeLimitError:
            return False
        return others is not None and self._lifted(others).judgement.is_equilibrium

    def _lifted(self, plans: Plans) -> EvaluatedProfile:
        """Return the judged profile of the whole game, given plans as vectors or as columns."""
        flat = plans[0].reshape(-1), plans[1].reshape(-1)
        profile = complete(_lifted(self.tree, self.form, self.reduction, flat, self.chance))
        return EvaluatedProfile(judge(profile), profile)


def _attempts(program: LinearProgram, deadline: float) -> Iterator[Plans]:
    """Yield optimal plans: by HiGHS with and without presolve, then by the exact simplex, with limited work if HiGHS succeeded.

    The plans are the exact ones of HiGHS's last basis, or its floats if that basis is not optimal in fractions. HiGHS may find
    no optimum at all if the payoffs differ too much in size.
    """
    found_optimum = False
    for presolve in (True, False):
        highs = program.optimum(deadline, presolve)
        if highs is not None:
            found_optimum = True
            yield program.exact_plans(highs) or program.float_plans(highs)
    if program.fits_simplex():
        plans = program.simplex_plans(deadline, _MOST_WORK if found_optimum else inf)
        if plans is not None:
            yield plans


def differ(plans: Plans, others: Plans) -> bool:
    """Return whether two pairs of plans give some sequence different weights."""
    return any(np.any(first.ravel() != second.ravel()) for first, second in zip(plans, others, strict=True))


def ends(tree: GameTree) -> Ints:
    """Return for every node 1 if the game ends there with player 1's best payoff, -1 with the worst, otherwise 0."""
    payoffs, index = tree.totals([outcome.payoffs[0] for outcome in tree.outcomes])
    terminal = tree.player == TERMINAL
    used = [payoffs[number] for number in np.unique(index[terminal]).tolist()]
    best, worst = max(used), min(used)
    if best == worst:
        return np.zeros(tree.nodes, np.int8)
    label = np.array([1 if payoff == best else -1 if payoff == worst else 0 for payoff in payoffs], np.int8)
    return np.where(terminal, label[index], np.int8(0))


def _lifted(tree: GameTree, form: SequenceForm, reduction: Reduction, plans: Plans, chance: Numbers | None = None) -> Profile:
    """Return the profile of the whole game: behaviour from the plans, otherwise a winning action, otherwise kept actions.

    Only sets that the player's own actions never reach stay without behaviour. They are marked EQUAL.
    """
    source = np.where(tree.infosets.player == CHANCE, GIVEN, EQUAL)
    chance = tree.chance_probabilities[:-1] if chance is None else chance
    probabilities = np.where(tree.action_player == CHANCE, chance, np.array(Fraction(0)))
    for side, plan in zip(form.sides, plans, strict=True):
        weights = _fractions(plan)
        own = np.zeros(len(side.rows), object)
        np.add.at(own, side.set, weights[1:])
        reached = own > 0
        played = reached[side.set]
        probabilities[side.action[played]] = weights[1:][played] / own[side.set[played]]
        source[side.rows[reached]] = GIVEN
    won = np.flatnonzero((reduction.wins != NONE) & (source == EQUAL))
    probabilities[reduction.wins[won]] = Fraction(1)
    source[won] = GIVEN
    _spread(tree, probabilities, source, reduction.actions)
    for player in (0, 1):
        before = sets_before(tree, player)
        reached = realization(tree, probabilities, before, player)[before] != 0
        source[(source == EQUAL) & (tree.infosets.player == player) & reached] = GIVEN
    _spread(tree, probabilities, source, np.ones(tree.actions, bool))
    return Profile(tree, probabilities, source)


def _spread(tree: GameTree, probabilities: Numbers, source: Ints, allowed: Bools) -> None:
    """Put equal probabilities on the allowed actions at the sets that are marked EQUAL.

    A set that the player's own actions reach, but the other player only by a dropped action, needs them among the kept actions:
    the reduction dropped that action because every kept reply to it is good enough, not every reply.
    """
    for row in np.flatnonzero(source == EQUAL).tolist():
        actions = slice(tree.first_action[row], tree.first_action[row + 1])
        size = int(np.count_nonzero(allowed[actions]))
        probabilities[actions] = [Fraction(int(here), size) for here in allowed[actions].tolist()]


def _fractions(plan: Numbers) -> Numbers:
    """Return the weights as fractions, with 0 for the negative ones that rounding leaves."""
    if plan.dtype == object:
        return plan
    return np.array([Fraction(max(round(weight * _FINE), 0), _FINE) for weight in plan.tolist()], object)


def _summary(tree: GameTree, reduction: Reduction) -> str:
    players = tree.action_player != CHANCE
    kept, nodes = int(np.count_nonzero(reduction.actions & players)), int(np.count_nonzero(reduction.nodes))
    return (
        f"iterated elimination of weakly dominated actions removed {tree.nodes - nodes:,} of {tree.nodes:,} nodes and "
        f"{int(np.count_nonzero(players)) - kept:,} of {int(np.count_nonzero(players)):,} actions; "
        "the linear program of the rest was lifted back"
    )
