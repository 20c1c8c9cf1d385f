"""Exact equilibria by rounding: a regret minimiser's average strategies as fractions, until the judge finds no regret.

No linear program gives an equilibrium of a game with three or more players. In general the probabilities are roots of
polynomials (Nash 1951 gives a game for three players whose only equilibrium is irrational). But the equilibria that a minimiser
approaches in small games often have fractions with small denominators, and its averages show which ones. The judge alone
evaluates the roundings, in fractions, on the whole tree.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import inf

import numpy as np

from liarsdice_cli.errors import Argument, LiarsDiceError
from liarsdice_cli.extensive.evaluate import judge
from liarsdice_cli.extensive.number import nearest_fractions
from liarsdice_cli.extensive.profile import GIVEN, Profile
from liarsdice_cli.extensive.stream import CHANCE
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.games.liarsdice.strategy import Strategy, profile_of
from liarsdice_cli.progress import Progress
from liarsdice_cli.solvers.problem import Problem, PublicTreeProblem
from liarsdice_cli.solvers.regret.minimisers import FOR_MORE, minimiser
from liarsdice_cli.solvers.request import EXTENSIVE, RATIONAL, Request
from liarsdice_cli.solvers.solution import EvaluatedProfile, MethodResult

MOST_NODES = 1_000_000
"""The largest tree, in nodes; each rounding needs a judgement of the whole tree."""
_TARGET, _ITERATIONS = 1e-10, 20_000
"""The limits of the minimiser: exploitability over the range of payoffs, and iterations."""
_EVERY = 100
"""The iterations between two computations of exploitability; fixed, so that a machine's speed does not change the result."""
_DENOMINATORS = (*range(1, 13), *(round(12 * 10 ** (step / 4)) for step in range(1, 21)))
"""The largest denominators of the roundings, in the order in which they are judged."""


def solve(problem: Problem, request: Request, progress: Progress) -> MethodResult:
    """Return the first rounding of a minimiser's averages that is an equilibrium, otherwise the one with the least regret.

    Raises LiarsDiceError for games without rules, and for trees above `MOST_NODES`. Cost: thousands of iterations, and a
    judgement of the tree for each largest denominator.
    """
    from liarsdice_cli.solvers.public_tree.run import minimise  # imports numba

    if not isinstance(problem, PublicTreeProblem):
        raise LiarsDiceError("rounded works on rules of Liar's Dice: give rules instead of a tree, or try enumpure")
    if problem.nodes > MOST_NODES:
        raise LiarsDiceError(
            f"rounded judges in fractions on the tree, and {problem.nodes:,} nodes are more than {MOST_NODES:,}: lower ",
            Argument("sides"),
            " or ",
            Argument("dice"),
        )
    begun, tree = time.perf_counter(), problem.tree
    asked = Request(target=_TARGET * problem.public.range, iterations=_ITERATIONS, time_limit=request.time_limit)
    found = minimise(problem, minimiser(FOR_MORE), asked, progress, every=_EVERY)
    stored, history = found.solved[0].stored, found.run_history
    assert stored is not None, "the public tree has it"
    assert history is not None, "a minimiser has one"
    history.completed()
    most, best, finished = _best(roundings(tree, stored), begun + (request.time_limit or inf))
    words = f"up to {most:,}" if best.judgement.is_equilibrium else f"up to {most:,}; no rounding is an equilibrium"
    return MethodResult(
        RATIONAL,
        EXTENSIVE,
        (best,),
        time.perf_counter() - begun,
        found.finished and finished,
        f"the averages of {FOR_MORE}, rounded to denominators {words}, before the largest takes the remainder",
        run_history=history,
        parameters={"denominator": most},
    )


def _best(candidates: Iterable[tuple[int, Profile]], deadline: float) -> tuple[int, EvaluatedProfile, bool]:
    """Return the first candidate that is an equilibrium, otherwise the one with the least regret.

    Before it comes its denominator, and after it whether the search is finished.

    deadline : a time of time.perf_counter, after which no further candidate is judged
    """
    judged: list[tuple[int, EvaluatedProfile]] = []
    finished = True
    for most, profile in candidates:
        if judged and time.perf_counter() > deadline:
            finished = False
            break
        judged.append((most, EvaluatedProfile(judge(profile), profile)))
        if judged[-1][1].judgement.is_equilibrium:
            return *judged[-1], True
    return *min(judged, key=lambda one: one[1].judgement.max_regret or 0), finished


def roundings(tree: GameTree, strategy: Strategy) -> Iterator[tuple[int, Profile]]:
    """Yield increasing largest denominators, each with the profile of the strategy rounded to it, in the tree of its rules.

    >>> from liarsdice_cli.games.liarsdice import rules, tree
    >>> from liarsdice_cli.games.liarsdice.strategy import Uniform
    >>> two = rules.rules("classic", 2)
    >>> most, profile = next(roundings(tree.build(two), Uniform(two)))
    >>> most, [str(number) for number in profile.probabilities[4:8]]
    (1, ['1', '0', '0', '0'])
    """
    floats = profile_of(strategy, tree).probabilities
    given = np.where(tree.action_player == CHANCE, tree.chance_probabilities[:-1], np.array(Fraction(0)))
    rows = np.flatnonzero(tree.infosets.player != CHANCE).tolist()
    for most in _DENOMINATORS:
        probabilities = given.copy()
        for row in rows:
            own = slice(tree.first_action[row], tree.first_action[row + 1])
            probabilities[own] = nearest_fractions(floats[own].tolist(), most)
        yield most, Profile(tree, probabilities, np.full(len(tree.infosets), GIVEN))
