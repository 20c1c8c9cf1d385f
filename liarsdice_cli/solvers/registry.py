"""The table of all methods.

To add a method, write a function from a problem, a request and a progress to a `MethodResult`, and give it a row here. To let
the program choose it, add a selection rule in `ladder`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from liarsdice_cli.errors import Argument, ArgumentError, LiarsDiceError, TimeLimitError, UsageError
from liarsdice_cli.extensive.evaluate import judge
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.progress import Progress
from liarsdice_cli.solvers import backward, by_gambit, gambit_methods, rounding
from liarsdice_cli.solvers.exact import quasi_perfect
from liarsdice_cli.solvers.exact import solve as exact
from liarsdice_cli.solvers.problem import Problem, PublicTreeProblem
from liarsdice_cli.solvers.regret.minimisers import MINIMISERS, Minimiser
from liarsdice_cli.solvers.request import (
    AUTO,
    EXTENSIVE,
    FLOAT,
    MIRROR_DESCENT,
    PUBLIC_TREE,
    QUASI_PERFECT,
    RATIONAL,
    STRATEGIC,
    Request,
)
from liarsdice_cli.solvers.solution import EvaluatedProfile, MethodResult, SubgamePerfect
from liarsdice_cli.text import numbered

EXACT, BACKWARD, DOUBLE_ORACLE, ROUNDED = "exact", "backward", "double-oracle", "rounded"

_NODE_SECONDS = 1e-6
"""A lower bound on the seconds per node of a method in fractions. Reading and reducing a tree took 1.2e-6, the whole method
1.5e-6 to 1.5e-5 (`request.EXACT_NODES`). A tree that needs more than the time limit is not built."""

_Found = tuple[EvaluatedProfile, str, SubgamePerfect | None]
"""An evaluated profile, a note, and all subgame-perfect payoffs if the method computes them."""

LIMITS = ("target", "iterations", "tremble", "sample_factor")
"""The options of a request that only some methods take: regret minimisers take all of them."""


@dataclass(frozen=True)
class Method:
    """A method that solves games.

    name     : as for `--method`
    summary  : one line for `liarsdice methods`
    fits     : returns whether it can solve a game as requested
    run      : solves; raises UsageError for requests and LiarsDiceError for games that do not fit
    packages : the packages that it uses beside numpy
    limits   : those of `LIMITS` that it takes
    """

    name: str
    summary: str
    fits: Callable[[Problem, Request], bool]
    run: Callable[[Problem, Request, Progress], MethodResult]
    packages: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()


def _exactly(tree: GameTree, request: Request) -> _Found:
    solved, note = exact.solve(tree, request.time_limit, request.selects)
    return solved, note, None


def _quasi_perfectly(tree: GameTree, request: Request) -> _Found:
    return quasi_perfect.solve(tree, request.time_limit), "", None


def _backward(tree: GameTree, request: Request) -> _Found:
    profile, found = backward.solve(tree, request.time_limit)
    return EvaluatedProfile(judge(profile), profile), "", found


def _solve_in_fractions(
    name: str, find: Callable[[GameTree, Request], _Found], problem: Problem, request: Request, progress: Progress
) -> MethodResult:
    """Run a method that computes one profile in fractions on the tree."""
    _refuse_floats(name, request)
    begun, limit = time.perf_counter(), request.time_limit
    try:
        if limit is not None and problem.nodes * _NODE_SECONDS > limit:
            raise TimeLimitError(f"stopped at the time limit, too short for a tree of {numbered(problem.nodes, 'nodes')}")
        tree = problem.tree
        left = None if limit is None else limit - (time.perf_counter() - begun)
        if left is not None and left <= 0:
            raise TimeLimitError("stopped at the time limit, while the tree was built")
        solved, note, found = find(tree, replace(request, time_limit=left))
    except TimeLimitError as error:
        return MethodResult(RATIONAL, EXTENSIVE, (), time.perf_counter() - begun, False, str(error))
    return MethodResult(RATIONAL, EXTENSIVE, (solved,), time.perf_counter() - begun, note=note, subgame_perfect=found)


def _refuse_floats(name: str, request: Request, form: str = EXTENSIVE) -> None:
    """Raise UsageError for a request that a method in fractions on one form cannot meet."""
    if not in_fractions(request, form):
        wrong = "arithmetic" if request.arithmetic == FLOAT else "form"
        others = "" if request.refine is not None else ", or use a method such as lp or lcp"
        raise UsageError(
            f"{name} computes in fractions on the {form}{' form' if form == EXTENSIVE else ''}: leave ",
            Argument(wrong),
            f" out{others}",
        )


def in_fractions(request: Request, form: str = EXTENSIVE) -> bool:
    """Return whether a method in fractions on this form that finds one profile can meet a request."""
    return request.arithmetic != FLOAT and request.form in (None, form)


def _double_oracle_takes(problem: Problem, request: Request) -> bool:
    fits = in_fractions(request, PUBLIC_TREE) and isinstance(problem, PublicTreeProblem)
    return fits and problem.players == 2 and not problem.lock


def _by_double_oracle(problem: Problem, request: Request, progress: Progress) -> MethodResult:
    """Run the double oracle on rules for two players, in fractions and without a tree."""
    if not isinstance(problem, PublicTreeProblem) or problem.players != 2:
        raise LiarsDiceError(
            f"{DOUBLE_ORACLE} works on rules of Liar's Dice for two players (",
            *(Argument("sides"), ", ", Argument("dice"), " ...); try "),
            Argument("method", EXACT if of_two_with_recall(problem) else AUTO),
        )
    _refuse_floats(DOUBLE_ORACLE, request, PUBLIC_TREE)
    problem.refuse_lock(DOUBLE_ORACLE)
    from liarsdice_cli.solvers.double_oracle import solve as double_oracle  # imports highspy, through it

    begun = time.perf_counter()
    try:
        found = double_oracle.solve(problem.reduced, progress, request.time_limit)
    except TimeLimitError as error:
        return MethodResult(RATIONAL, PUBLIC_TREE, (), time.perf_counter() - begun, False, str(error))
    solved = EvaluatedProfile(found.judgement, stored=found.strategy, plans=found.plans)
    return MethodResult(RATIONAL, PUBLIC_TREE, (solved,), time.perf_counter() - begun, note=found.note, parameters=found.facts)


def _rounded(problem: Problem, request: Request, progress: Progress) -> MethodResult:
    """Run a minimiser, round its average strategies and judge them in fractions."""
    _refuse_floats(ROUNDED, request)
    problem.refuse_lock(ROUNDED)
    return rounding.solve(problem, request, progress)


def _minimise(minimiser: Minimiser, problem: Problem, request: Request, progress: Progress) -> MethodResult:
    """Run a minimiser: on the public tree if there is one and the request allows it, otherwise on the tree."""
    if request.arithmetic == RATIONAL or request.form == STRATEGIC:
        raise UsageError(
            f"{minimiser.name} computes in floats on the extensive form; use a method such as lp or lcp for anything else"
        )
    if request.form == PUBLIC_TREE and not isinstance(problem, PublicTreeProblem):
        raise UsageError(f"{minimiser.name} works without a tree only on rules; leave the form out")
    if request.form == EXTENSIVE and isinstance(problem, PublicTreeProblem) and problem.players > 2:
        raise UsageError(f"{minimiser.name} works on the extensive form of two players only; leave ", Argument("form"), " out")
    if isinstance(problem, PublicTreeProblem) and on_public_tree(problem, request):
        from liarsdice_cli.solvers.public_tree import run as public_tree  # imports numba, as does the other

        return public_tree.minimise(problem, minimiser, request, progress)
    from liarsdice_cli.solvers.regret import run as sequence_form

    return sequence_form.minimise(problem, minimiser, request, progress)


def _by_mirror_descent(problem: Problem, request: Request, progress: Progress) -> MethodResult:
    """Run mirror descent on the public tree."""
    if request.arithmetic == RATIONAL or not isinstance(problem, PublicTreeProblem) or not on_public_tree(problem, request):
        wrong = "arithmetic" if request.arithmetic == RATIONAL else "form"
        if not isinstance(problem, PublicTreeProblem):
            wrong = "method" if request.refine is None else "refine"
        raise UsageError(
            f"{MIRROR_DESCENT} computes in floats on rules of Liar's Dice (",
            *(Argument("sides"), ", ", Argument("dice"), " ...), without a tree: leave ", Argument(wrong), " out"),
        )
    from liarsdice_cli.solvers.public_tree import mirror_descent  # imports numba

    return mirror_descent.solve(problem, request, progress)


def on_public_tree(problem: Problem, request: Request) -> bool:
    """Return whether minimisers solve this on the public tree, as they do for rules unless the request names another form."""
    return isinstance(problem, PublicTreeProblem) and request.form in (None, PUBLIC_TREE)


def _of_perfect_information(problem: Problem) -> bool:
    """Return whether every information set is a single node; for rules without a lock this needs no tree."""
    if isinstance(problem, PublicTreeProblem) and not problem.lock:
        return all(problem.rules.roll_count(player) == 1 for player in range(problem.players))
    return backward.has_perfect_information(problem.tree)


def of_two_with_recall(problem: Problem) -> bool:
    """Return whether it is a constant-sum game of two players with perfect recall."""
    return problem.players == 2 and problem.constant_sum and problem.perfect_recall


def _gambit_takes(method: gambit_methods.GambitMethod, problem: Problem, request: Request) -> bool:
    return (
        not request.iterates
        and (request.target is None or method.regret_bound)
        and request.arithmetic in (None, *method.arithmetic)
        and request.form in (None, *method.forms)
        and method.players in (None, problem.players)
        and (problem.constant_sum or not method.constant_sum)
        and (problem.perfect_recall or not method.perfect_recall)
    )


def _rows() -> Iterator[Method]:
    yield Method(
        BACKWARD,
        "backward induction with all ties, for perfect information",
        lambda problem, request: in_fractions(request) and _of_perfect_information(problem),
        partial(_solve_in_fractions, BACKWARD, _backward),
    )
    yield Method(
        EXACT,
        "an exact equilibrium of a two-player constant-sum game",
        lambda problem, request: in_fractions(request) and of_two_with_recall(problem),
        partial(_solve_in_fractions, EXACT, _exactly),
        ("highspy",),
    )
    yield Method(
        QUASI_PERFECT,
        "an exact equilibrium of such a game that is also optimal after mistakes",
        lambda problem, request: in_fractions(request) and of_two_with_recall(problem),
        partial(_solve_in_fractions, QUASI_PERFECT, _quasi_perfectly),
        ("highspy",),
    )
    yield Method(
        DOUBLE_ORACLE,
        "an exact equilibrium of two-player rules, without a tree, from a growing restricted game",
        _double_oracle_takes,
        _by_double_oracle,
        ("highspy",),
    )
    for minimiser in MINIMISERS.values():
        yield Method(
            minimiser.name,
            minimiser.summary,
            lambda problem, request: (
                request.arithmetic != RATIONAL and (on_public_tree(problem, request) or of_two_with_recall(problem))
            ),
            partial(_minimise, minimiser),
            ("numba",),
            LIMITS,
        )
    yield Method(
        MIRROR_DESCENT,
        "small regret at every history, also after mistakes, for two-player rules (Sokota et al. 2023, MMD)",
        lambda problem, request: request.arithmetic != RATIONAL and on_public_tree(problem, request) and problem.players == 2,
        _by_mirror_descent,
        ("numba",),
        ("target", "iterations", "sample_factor"),
    )
    yield Method(
        ROUNDED,
        "average strategies of a minimiser, rounded to fractions, for small games of any number of players",
        lambda problem, request: (
            in_fractions(request) and isinstance(problem, PublicTreeProblem) and problem.nodes <= rounding.MOST_NODES
        ),
        _rounded,
        ("numba",),
    )
    for method in gambit_methods.METHODS.values():
        run = partial(by_gambit.solve, method.name)
        limits = ("target",) if method.regret_bound else ()
        yield Method(method.name, method.summary, partial(_gambit_takes, method), run, ("pygambit",), limits)


METHODS = {method.name: method for method in _rows()}
"""All methods by name."""


def method(name: str) -> Method:
    """Return the method of a name; UsageError for an unknown name."""
    if name not in METHODS:
        raise ArgumentError("method", name, f"choose from auto, {', '.join(METHODS)}")
    return METHODS[name]


def iterates(name: str) -> bool:
    """Return whether the method of a name is a regret minimiser, which has a target and iterations."""
    return name in MINIMISERS
