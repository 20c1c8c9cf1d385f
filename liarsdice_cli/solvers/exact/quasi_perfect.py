"""Quasi-perfect equilibria of two-player constant-sum games: exact, at every information set, with a proof.

The program of the game with trembles is solved for a small tremble. Its optimum gives plans that are polynomials in the
tremble. The judge (`extensive.trembles`) proves that they are an equilibrium for every smaller tremble; otherwise a smaller one
is tried. The limit of the plans is the answer, and the plans are its proof. Of several such equilibria `selection` takes the
preferred one.

Nothing is eliminated beforehand. An action that is weakly dominated, even one beside an action that wins whatever happens,
still trembles: its sets are to be answered, and what the other player believes depends on it. `solvers.exact.solve` may
leave such actions out because it promises nothing of play after them.
"""

from __future__ import annotations

import time
from dataclasses import replace
from fractions import Fraction
from math import inf

import numpy as np

from liarsdice_cli.errors import Argument, LiarsDiceError, TimeLimitError
from liarsdice_cli.extensive.evaluate import judge
from liarsdice_cli.extensive.stream import NONE, Numbers
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.extensive.trembles import is_equilibrium, limit
from liarsdice_cli.solvers.exact import selection
from liarsdice_cli.solvers.exact.linear_program import Plans
from liarsdice_cli.solvers.exact.reduction import unreduced
from liarsdice_cli.solvers.exact.sequence_form import SequenceForm, require_sequence_form
from liarsdice_cli.solvers.exact.solve import Search
from liarsdice_cli.solvers.exact.trembling import TremblingProgram
from liarsdice_cli.solvers.solution import QUASI_PERFECT, EvaluatedProfile

QUICK = 8_000
"""The most information sets of a game for which AUTO takes this method, which then needs two or three seconds."""
_TREMBLES = (10, 13, 16, 20, 24, 28, 32, 40, 48, 64)
"""The trembles tried, as binary digits. The first proves most games; the larger the first, the easier for floats."""


def solve(tree: GameTree, time_limit: float | None = None) -> tuple[EvaluatedProfile, str]:
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
    search = Search(tree, unreduced(tree))
    program = TremblingProgram(search.form)
    plans = _proved_plans(tree, program, deadline)
    if plans is None:
        raise LiarsDiceError(
            "no tremble that was tried leads to a proof: use payoffs of similar size, or try ",
            Argument("tremble", "1e-3"),
        )
    profile = limit(tree, _by_action(tree, search.form, plans))
    judgement = replace(judge(profile), quasi_perfect=True)
    limits = plans[0][:, :1], plans[1][:, :1]
    many = search.has_others(TremblingProgram(search.form, trembles=False), limits, deadline)
    return EvaluatedProfile(judgement, profile, one_of_many=many), _note(program)


def _proved_plans(tree: GameTree, program: TremblingProgram, deadline: float) -> Plans | None:
    """Return the preferred plans if they are found and proved to be an equilibrium, otherwise any proved plans, or None."""
    found: Plans | None = None
    for bits in _TREMBLES:
        found = found or _proved(tree, program, program.plans(bits, deadline))
        chosen = found and _proved(tree, program, selection.preferred(program, tree, found, deadline, bits))
        if time.monotonic() > deadline:
            raise TimeLimitError("stopped at the time limit while looking for plans")
        if chosen is not None:
            return chosen
    return found


def _proved(tree: GameTree, program: TremblingProgram, plans: Plans | None) -> Plans | None:
    """Return the plans if they are proved to be an equilibrium for every small tremble, otherwise None."""
    return plans if plans is not None and is_equilibrium(tree, _by_action(tree, program.form, plans)) else None


def _by_action(tree: GameTree, form: SequenceForm, plans: Plans) -> Numbers:
    """The weights of both plans by action of the tree, at the end those of the empty sequence."""
    weights = np.full((tree.actions + 1, plans[0].shape[1]), Fraction(0), object)
    for side, plan in zip(form.sides, plans, strict=True):
        weights[side.action] = plan[1:]
    weights[NONE] = plans[0][0]
    return weights


def _note(program: TremblingProgram) -> str:
    return (
        "optimal at every information set, after mistakes too; proved with probabilities of mistakes that are polynomials of "
        f"degree {program.degree}"
    )
