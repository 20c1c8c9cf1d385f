"""Choose a method and solve: the only way from a game to a `Solution`.

If the request names no method, the first selection rule that fits chooses one; `Solution.reason` says why.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from math import prod
from typing import NamedTuple

from liarsdice_cli.errors import Argument, ArgumentError, LiarsDiceError, TimeLimitError, UsageError, check_type
from liarsdice_cli.extensive.evaluate import judge
from liarsdice_cli.extensive.locks import marked
from liarsdice_cli.extensive.strategic_form import count_strategies
from liarsdice_cli.progress import SILENT, Progress, check_progress
from liarsdice_cli.solvers import registry
from liarsdice_cli.solvers.exact import quasi_perfect
from liarsdice_cli.solvers.problem import Game, Problem, PublicTreeProblem, SubgameProblem
from liarsdice_cli.solvers.registry import BACKWARD, DOUBLE_ORACLE, EXACT, Method
from liarsdice_cli.solvers.regret.minimisers import DEFAULT, FOR_MORE
from liarsdice_cli.solvers.request import AUTO, FLOAT, MIRROR_DESCENT, PUBLIC_TREE, QUASI_PERFECT, RATIONAL, SEQUENTIAL, Request
from liarsdice_cli.solvers.solution import EvaluatedProfile, Solution
from liarsdice_cli.text import numbered

_WITHOUT_REGRET = (BACKWARD, QUASI_PERFECT, EXACT)
"""Methods in fractions, which meet any target."""
_FEW_PROFILES = 10_000
"""Pure strategy profiles that Gambit may try one after the other; a second or two."""


@dataclass(frozen=True)
class Choice:
    """A method for a request, and the reason for it ("" if the request names it).

    request     : the request that is passed to the method
    public_tree : whether it works without a tree, so that it returns no profile
    """

    method: Method
    reason: str
    request: Request
    public_tree: bool = False


def solve(game: Game | Problem, request: Request | None = None, progress: Progress = SILENT) -> Solution:
    """Return the solution of a game: a tree, rules or a subgame of Liar's Dice. Every profile in it is judged.

    game     : may be a problem, with a lock perhaps
    request  : the defaults are those of the command line
    progress : counts the profiles that Gambit finds, and receives the samples of iterative methods and messages

    Raises UsageError for an unknown method and for options that it does not have, LiarsDiceError for a game that it cannot
    solve. Ctrl-C ends a minimiser with its result so far, any other method with KeyboardInterrupt. Cost: that of the method.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> solution = solve(rules("joker", 3, payoffs="zero-sum"))
    >>> solution.method, str(solution.best.judgement.bounds[0]), solution.exact
    ('quasi-perfect', '1/3', True)
    """
    check_type("request", request, Request | None, "give Request(...), or leave it out")
    check_progress(progress)
    request = request or Request()
    problem = game if isinstance(game, Problem) else Problem.of(game, request.dealing)
    begun, chosen = time.monotonic(), choose(problem, request)
    try:
        found = chosen.method.run(problem, chosen.request, progress)
    except LiarsDiceError as error:
        asked = chosen.method.name != QUASI_PERFECT or not chosen.reason or request.refine is not None
        if asked or isinstance(error, TimeLimitError):
            raise
        reason = f"{_TWO}; {QUASI_PERFECT} found no proof"
        rest = request.time_limit and max(0.001, request.time_limit - (time.monotonic() - begun))
        chosen = Choice(registry.METHODS[EXACT], reason, chosen.request.updated(time_limit=rest))
        found = chosen.method.run(problem, chosen.request, progress)
    return Solution(
        **vars(found) | {"solved": tuple(_in_free_game(problem, one) for one in found.solved)},
        problem=problem,
        request=request,
        method=chosen.method.name,
        reason=chosen.reason,
        versions=_versions("liarsdice-cli", "numpy", *chosen.method.packages),
    )


def _in_free_game(problem: Problem, one: EvaluatedProfile) -> EvaluatedProfile:
    """Return a profile of a locked game with its evaluation in the game without the lock, too."""
    if one.profile is None or not problem.lock:
        return one
    profile = marked(problem.free_tree, one.profile, problem.tree_lock)
    return replace(one, profile=profile, free=judge(profile))


def choose(problem: Problem, request: Request) -> Choice:
    """Return the method that the request names, or the first that fits; UsageError if the game or an option does not fit."""
    return _by_method(problem, request) if request.refine is None else _refined(problem, request)


def _by_method(problem: Problem, request: Request) -> Choice:
    """Return the method that the request names, or the first that fits, whatever its refinement."""
    if request.method == AUTO:
        rule = next(rule for rule in LADDER if rule.takes(problem, request))
        method, reason = registry.method(rule.method), rule.reason(problem)
        _check_minimiser(problem, request)
        if method.name in _WITHOUT_REGRET:
            request = request.updated(target=None)
    else:
        method, reason = registry.method(request.method), ""
    minimises = registry.iterates(method.name)
    for option in registry.LIMITS:
        if getattr(request, option) is not None and option not in method.limits:
            raise UsageError(
                f"{method.name} takes no ", Argument(option), f": leave it out, or use a minimiser such as {DEFAULT}"
            )
    on_public_tree = (minimises or method.name == MIRROR_DESCENT) and registry.on_public_tree(problem, request)
    _refuse(method.name, request, on_public_tree)
    if isinstance(problem, SubgameProblem) and not on_public_tree:
        raise UsageError(f"{method.name} needs a tree, which a subgame does not have: use {DEFAULT}")
    without_tree = on_public_tree or (method.name == DOUBLE_ORACLE and isinstance(problem, PublicTreeProblem))
    return Choice(method, reason, request, without_tree)


def _check_minimiser(problem: Problem, request: Request) -> None:
    """Raise UsageError if the request has options that only minimisers have, and no minimiser takes the tree."""
    if request.iterates and not isinstance(problem, PublicTreeProblem) and not registry.of_two_with_recall(problem):
        raise UsageError(
            "only minimisers take ",
            Argument(request.iterates[0]),
            ", and they need a constant-sum game of two players with perfect recall: leave it out",
        )


def _refined(problem: Problem, request: Request) -> Choice:
    """Return the method for the refinement in the request."""
    if isinstance(problem, SubgameProblem):
        raise UsageError("a subgame is solved only between bounds: leave ", Argument("refine"), " out")
    if request.refine == SEQUENTIAL:
        if request.method not in (AUTO, MIRROR_DESCENT):
            raise UsageError(f"only {MIRROR_DESCENT} finds a {SEQUENTIAL} equilibrium: leave ", Argument("method"), " out")
        if problem.players > 2:
            raise LiarsDiceError(f"a {SEQUENTIAL} equilibrium is found for two players: leave ", Argument("refine"), " out")
        chosen = _by_method(problem, replace(request, method=MIRROR_DESCENT))
        return replace(chosen, reason="small regret at every history, also after mistakes")
    if request.refine != QUASI_PERFECT:
        raise ArgumentError("refine", request.refine, f"choose {QUASI_PERFECT} or {SEQUENTIAL}")
    if request.method not in (AUTO, QUASI_PERFECT):
        raise UsageError(
            f"only the method {QUASI_PERFECT} finds a {QUASI_PERFECT} equilibrium: leave ", Argument("method"), " out"
        )
    if request.iterates:
        raise UsageError(f"{QUASI_PERFECT} takes no ", Argument(request.iterates[0]), ": leave it out")
    if problem.players != 2:
        raise LiarsDiceError(
            f"a {QUASI_PERFECT} equilibrium needs a constant-sum game of two players: leave ", Argument("refine"), " out"
        )
    _refuse(QUASI_PERFECT, request, on_public_tree=False)
    return Choice(registry.METHODS[QUASI_PERFECT], f"{_TWO}; also optimal after mistakes", request)


def _refuse(name: str, request: Request, on_public_tree: bool) -> None:
    """Raise UsageError for options of the public tree without one, and for Gambit's options on it."""
    of_gambit = ["max_profiles"] if request.max_profiles is not None else []
    others = () if request.refine is not None else (", or see ", Argument("methods"), " for another method")
    for option in of_gambit if on_public_tree else request.for_public_tree:
        raise UsageError(f"{name} does not support ", Argument(option), ": leave it out", *others)


class SelectionRule(NamedTuple):
    """A method, the condition under which it is chosen, and the reason to print."""

    method: str
    takes: Callable[[Problem, Request], bool]
    reason: Callable[[Problem], str]


def _why(words: str) -> Callable[[Problem], str]:
    return lambda problem: words


def _pure_profiles(problem: Problem) -> int:
    """Return the number of pure strategy profiles, in reduced strategies."""
    return prod(count_strategies(problem.tree, player) for player in range(problem.players))


def _few(problem: Problem, request: Request) -> bool:
    return request.arithmetic != FLOAT and _pure_profiles(problem) <= _FEW_PROFILES


def _logit_reason(problem: Problem) -> str:
    few = _pure_profiles(problem) <= _FEW_PROFILES
    return f"{numbered(problem.players, 'players')}, {'in floats' if few else 'too many pure profiles to try each'}"


def _of_more_players(problem: Problem, request: Request) -> bool:
    """Return whether these are rules of three or more players, without an option that only Gambit's methods have."""
    of_gambit = request.arithmetic == RATIONAL or request.max_profiles is not None
    return problem.players > 2 and registry.on_public_tree(problem, request) and not of_gambit


def _quick_to_refine(problem: Problem, request: Request) -> bool:
    return registry.METHODS[QUASI_PERFECT].fits(problem, request) and problem.information_sets <= quasi_perfect.QUICK


_TWO = "two players, constant sum, perfect recall"

LADDER = (
    SelectionRule(FOR_MORE, _of_more_players, _why("rules of three or more players")),
    SelectionRule(DEFAULT, lambda problem, request: isinstance(problem, SubgameProblem), _why("a subgame, from beliefs")),
    SelectionRule(
        DEFAULT,
        lambda problem, request: (
            bool(request.iterates) or (request.target is not None and registry.METHODS[DEFAULT].fits(problem, request))
        ),
        _why("the default minimiser for a target, a number of iterations or a tremble"),
    ),
    SelectionRule(
        DEFAULT,
        lambda problem, request: (
            request.form == PUBLIC_TREE
            or (problem.players == 2 and isinstance(problem, PublicTreeProblem) and problem.nodes > request.exact_max_nodes)
        ),
        _why("two players, and too large for the exact method"),
    ),
    SelectionRule(BACKWARD, registry.METHODS[BACKWARD].fits, _why("perfect information")),
    SelectionRule(
        "enumpure-agent",
        lambda problem, request: not problem.perfect_recall,
        _why("a player forgets, so only an agent equilibrium can be sought"),
    ),
    SelectionRule(QUASI_PERFECT, _quick_to_refine, _why(f"{_TWO}; also optimal after mistakes")),
    SelectionRule(EXACT, registry.METHODS[EXACT].fits, _why(_TWO)),
    SelectionRule("logit", lambda problem, request: request.target is not None, _why("the first method that takes a target")),
    SelectionRule("lp", lambda problem, request: problem.players == 2 and problem.constant_sum, _why(_TWO)),
    SelectionRule("lcp", lambda problem, request: problem.players == 2, _why("two players, perfect recall")),
    SelectionRule(
        "enumpure",
        _few,
        lambda problem: (
            f"{numbered(problem.players, 'players')}, {numbered(_pure_profiles(problem), 'pure profiles')}, "
            "few enough to try each"
        ),
    ),
    SelectionRule("logit", lambda problem, request: True, _logit_reason),
)
"""The selection rules, first to last; the last one takes everything."""


def methods() -> dict[str, str]:
    """Return the names of all methods with one line on each, AUTO first."""
    return {AUTO: "the first of these that fits the game"} | {one.name: one.summary for one in registry.METHODS.values()}


def _versions(*packages: str) -> dict[str, str]:
    """Return the versions of installed packages."""
    found = {}
    for package in packages:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "unknown"
    return found
