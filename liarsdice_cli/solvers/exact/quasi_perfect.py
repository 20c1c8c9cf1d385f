"""Quasi-perfect equilibria of two-player constant-sum games: exact, at every information set, with a proof.

The program of the game with trembles is solved for a small tremble; its support gives plans that are polynomials in the
tremble; the judge (`extensive.trembles`) proves that they are an equilibrium for every smaller tremble, or a smaller one is
tried, from the support found last. What the plans tend to is the answer, and the plans are its proof.

Nothing is eliminated beforehand. An action that is weakly dominated, even one beside an action that wins whatever happens,
still trembles: its sets are to be answered, and what the other player believes depends on it. `solvers.exact.solve` may
leave such actions out because it promises nothing of play after them.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from math import inf

import numpy as np

from liarsdice_cli.errors import Argument, LiarsDiceError, TimeLimitError
from liarsdice_cli.extensive.evaluate import judge
from liarsdice_cli.extensive.stream import NONE, Numbers
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.extensive.trembles import is_equilibrium, limit
from liarsdice_cli.solvers.exact.reduction import unreduced
from liarsdice_cli.solvers.exact.sequence_form import SequenceForm, require_sequence_form, sequence_form
from liarsdice_cli.solvers.exact.trembling import Support, TremblingProgram
from liarsdice_cli.solvers.solution import QUASI_PERFECT, Solved

QUICK = 100_000
"""The largest tree, in nodes, that is refined where a person has not asked for it; about two seconds."""
_TREMBLES = (10, 13, 16, 20, 24, 28, 32, 40, 48, 64)
"""The trembles tried, as binary digits. The first proves most games; the larger the first, the easier for floats."""


def solve(tree: GameTree, time_limit: float | None = None) -> tuple[Solved, str]:
    """A judged quasi-perfect equilibrium in fractions, and a line on its proof.

    Raises LiarsDiceError for games that are not of two players with constant sum and perfect recall, and where no tremble
    leads to a proof; TimeLimitError after `time_limit` seconds. Cost: a linear program as large as the game, a few more from
    its basis, and two sparse systems in fractions for every action that a player can take in a row.

    >>> from liarsdice_cli.games.liarsdice import rules
    >>> from liarsdice_cli.games.liarsdice.tree import build
    >>> solved, _ = solve(build(rules.rules("common", 3)))
    >>> str(solved.judgement.payoffs[0]), solved.judgement.is_equilibrium, solved.judgement.quasi_perfect
    ('4/9', True, True)
    """
    require_sequence_form(tree, QUASI_PERFECT)
    deadline = inf if time_limit is None else time.monotonic() + time_limit
    form = sequence_form(tree, unreduced(tree))
    program = TremblingProgram(form)
    for support in _supports(program, deadline):
        plans = program.plans(support)
        weights = None if plans is None else _by_action(tree, form, plans)
        if weights is not None and is_equilibrium(tree, weights):
            profile = limit(tree, weights)
            judgement = replace(judge(profile), quasi_perfect=True)
            return Solved(judgement, profile), _note(program, support)
    raise LiarsDiceError(
        "no tremble that was tried leads to a proof: bring the payoffs nearer to each other, or try ",
        Argument("tremble", "1e-3"),
    )


def _supports(program: TremblingProgram, deadline: float) -> Iterator[Support]:
    """Supports at smaller and smaller trembles."""
    for digits in _TREMBLES:
        support = program.support(digits, deadline)
        if time.monotonic() > deadline:
            raise TimeLimitError("stopped at the time limit while looking for a support")
        if support is not None:
            yield support


def _by_action(tree: GameTree, form: SequenceForm, plans: tuple[Numbers, Numbers]) -> Numbers:
    """The weights of both plans by action of the tree, at the end those of the empty sequence."""
    weights = np.full((tree.actions + 1, plans[0].shape[1]), Fraction(0), object)
    for side, plan in zip(form.sides, plans, strict=True):
        weights[side.action] = plan[1:]
    weights[NONE] = plans[0][0]
    return weights


def _note(program: TremblingProgram, support: Support) -> str:
    played, sequences = (sum(int(np.sum(of)) - 1 for of in support.plans), sum(len(of) - 1 for of in support.plans))
    return (
        f"where everybody errs with a small probability, {played:,} of {sequences:,} actions are taken on purpose; how often, "
        f"polynomials of degree {program.degree} say, and prove the equilibrium for every small enough probability"
    )
