"""Quasi-perfect equilibria of two-player constant-sum games: exact, at every information set, with a proof.

The program of the perturbed game is solved for a small tremble. Its optimum gives plans that are polynomials in the tremble.
The judge (`extensive.trembles`) proves that they are an equilibrium for every smaller tremble. If it cannot, a smaller tremble
is tried. The result is the limit of the plans, and the plans are its proof. Among several such equilibria `selection` chooses
the preferred one.

No action is eliminated first. A weakly dominated action still trembles, even beside an action that surely wins: the sets after
it need an answer, and the other player's beliefs depend on it. `solvers.exact.solve` may eliminate such actions because it
promises nothing about play after them.
"""

from __future__ import annotations

import time
from fractions import Fraction
from math import inf

import numpy as np

from liarsdice_cli.errors import Argument, LiarsDiceError, TimeLimitError
from liarsdice_cli.extensive.evaluate import judge
from liarsdice_cli.extensive.stream import NONE, Numbers
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.extensive.trembles import RefinedJudgement, is_equilibrium, limit
from liarsdice_cli.solvers.exact import selection
from liarsdice_cli.solvers.exact.linear_program import Plans
from liarsdice_cli.solvers.exact.perturbed import PerturbedProgram
from liarsdice_cli.solvers.exact.reduction import unreduced
from liarsdice_cli.solvers.exact.sequence_form import SequenceForm, require_sequence_form
from liarsdice_cli.solvers.exact.solve import Search, differ
from liarsdice_cli.solvers.request import QUASI_PERFECT
from liarsdice_cli.solvers.solution import EvaluatedProfile

QUICK = 8_000
"""The most information sets of a game for which AUTO chooses this method; it then takes two or three seconds."""
_TREMBLES = (10, 13, 16, 20, 24, 28, 32, 40, 48, 64)
"""The trembles to try, as binary digits. The first one is enough for most games; a large tremble suits floats best."""


def solve(tree: GameTree, time_limit: float | None = None) -> EvaluatedProfile:
    """Return a judged quasi-perfect equilibrium in fractions.

    Raises LiarsDiceError unless the game has two players, constant sum and perfect recall, and if no tremble leads to a proof;
    TimeLimitError after `time_limit` seconds. Cost: a linear program as large as the game, a few more from its basis, and two
    sparse systems in fractions for each action of the longest sequence of a player.

    >>> from liarsdice_cli.games.liarsdice import rules
    >>> from liarsdice_cli.games.liarsdice.tree import build
    >>> solved = solve(build(rules.rules("common", 3)))
    >>> solved.judgement.is_equilibrium, str(solved.judgement.payoffs[0])
    (True, '4/9')
    """
    require_sequence_form(tree, QUASI_PERFECT)
    deadline = inf if time_limit is None else time.monotonic() + time_limit
    search = Search(tree, unreduced(tree))
    program = PerturbedProgram(search.form)
    found = _proved_plans(tree, program, deadline)
    if not found:
        raise LiarsDiceError(
            "no tremble that was tried leads to a proof: use payoffs of similar size, or try ",
            Argument("tremble", "1e-3"),
        )
    profile = limit(tree, _by_action(tree, search.form, found[-1]))
    judgement = RefinedJudgement.of(judge(profile), quasi_perfect=True)
    first, last = _limits(found[0]), _limits(found[-1])
    one_of_many = differ(first, last) or search.has_others(PerturbedProgram(search.form, trembles=False), last, deadline)
    return EvaluatedProfile(judgement, profile, one_of_many=one_of_many)


def _limits(plans: Plans) -> Plans:
    """Return the plans without trembles, (sequences, 1)."""
    return plans[0][:, :1], plans[1][:, :1]


def _proved_plans(tree: GameTree, program: PerturbedProgram, deadline: float) -> list[Plans]:
    """Return plans that are proved to be an equilibrium, the preferred ones last if found; empty if there is no proof."""
    proved: list[Plans] = []
    for bits in _TREMBLES:
        if time.monotonic() > deadline and not proved:
            raise TimeLimitError("stopped at the time limit while looking for plans")
        proved = proved or _proved(tree, program, program.plans(bits, deadline))
        if proved:
            try:
                chosen = _proved(tree, program, selection.preferred(program, tree, proved[0], deadline, bits))
            except TimeLimitError:
                return proved
            if chosen or time.monotonic() > deadline:
                return proved + chosen
    return proved


def _proved(tree: GameTree, program: PerturbedProgram, plans: Plans | None) -> list[Plans]:
    """Return the plans in a list if they are proved to be an equilibrium for every small tremble; an empty list otherwise."""
    return [plans] if plans is not None and is_equilibrium(tree, _by_action(tree, program.form, plans)) else []


def _by_action(tree: GameTree, form: SequenceForm, plans: Plans) -> Numbers:
    """Return the weights of both plans by action of the tree, and at the end those of the empty sequence."""
    weights = np.full((tree.actions + 1, plans[0].shape[1]), Fraction(0), object)
    for side, plan in zip(form.sides, plans, strict=True):
        weights[side.action] = plan[1:]
    weights[NONE] = plans[0][0]
    return weights
