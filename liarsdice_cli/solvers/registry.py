"""All methods by name, and the ladder that chooses one: the only way from a game to a `Solution`."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import prod

import numpy as np

from liarsdice_cli.errors import TimeLimitError, UsageError
from liarsdice_cli.extensive.evaluate import complete, judge
from liarsdice_cli.extensive.profile import ROUNDING, Probabilities, Profile, from_sets
from liarsdice_cli.extensive.recall import has_perfect_recall
from liarsdice_cli.extensive.strategic_form import count_strategies
from liarsdice_cli.extensive.tree import CHANCE, NONE, Actions, GameTree, InfoSets, Ints
from liarsdice_cli.formats import efg
from liarsdice_cli.solvers import backward, gambit
from liarsdice_cli.solvers.exact import solve as exact
from liarsdice_cli.solvers.regret.convergence import TARGET, Limits, Sample, run
from liarsdice_cli.solvers.regret.minimisers import DEFAULT, MINIMISERS, minimiser
from liarsdice_cli.solvers.solution import Solution, Solved

AUTO = "auto"
EXACT = "exact"
BACKWARD = "backward"

_FEW_PROFILES = 10_000
"""Pure strategy profiles that `auto` lets Gambit try one after the other; a second or two."""


@dataclass(frozen=True)
class Request:
    """What a person asks of a method; None leaves a choice to the method.

    arithmetic : 'rational' or 'float'
    form       : 'extensive' or 'strategic'
    time_limit : seconds
    stop_after : profiles
    max_regret : for methods that stop at a regret, as a share of the game's range of payoffs
    target     : the exploitability at which a minimiser stops
    iterations : after which it does
    """

    arithmetic: str | None = None
    form: str | None = None
    time_limit: float | None = None
    stop_after: int | None = None
    max_regret: float | None = None
    target: float | None = None
    iterations: int | None = None

    @property
    def iterates(self) -> bool:
        """Whether it asks for what only minimisers do."""
        return self.target is not None or self.iterations is not None


def methods() -> dict[str, str]:
    """The names of all methods with one line on each, `auto` first."""
    ours = {
        AUTO: "the first of these that fits the game",
        BACKWARD: "backward induction with all ties, for perfect information",
        EXACT: "an exact equilibrium of a two-player constant-sum game",
    }
    minimisers = {one.name: one.summary for one in MINIMISERS.values()}
    return ours | minimisers | {one.name: one.summary for one in gambit.METHODS.values()}


def solve(
    tree: GameTree,
    method: str = AUTO,
    request: Request | None = None,
    on_profile: Callable[[int], None] = lambda found: None,
    on_sample: Callable[[Sample, float | None], None] = lambda sample, target: None,
) -> Solution:
    """Solve a game by a method and judge every profile that it returns.

    on_profile : called with the number of profiles found so far
    on_moment  : called by a minimiser with its bounds and its target, now and then; Ctrl-C ends it with those bounds

    Raises UsageError for an unknown method, LiarsDiceError for a game that it cannot take.
    """
    request = request or Request()
    if method not in methods():
        raise UsageError(f"--method {method}: choose from {', '.join(methods())}")
    name, reason = choose(tree, request) if method == AUTO else (method, "")
    if name in MINIMISERS:
        return replace(_by_minimiser(tree, name, request, on_sample), reason=reason)
    if request.iterates:
        raise UsageError(f"{name} takes no --target and no --iterations; leave them out, or use a minimiser such as {DEFAULT}")
    ours = name in (EXACT, BACKWARD)
    solution = _by_ours(tree, name, request) if ours else _by_gambit(tree, name, request, on_profile)
    return replace(solution, reason=reason)


def choose(tree: GameTree, request: Request) -> tuple[str, str]:
    """The first method of the ladder that fits the game and the request, and why."""
    if request.iterates:
        return DEFAULT, "the minimiser to take where a target or iterations are given"
    players = len(tree.players)
    ours = request.arithmetic != "float" and request.form != "strategic" and request.max_regret is None
    if ours and backward.has_perfect_information(tree):
        return BACKWARD, "perfect information"
    if not has_perfect_recall(tree):
        return "enumpure-agent", "a player forgets, so only agreement set by set can be looked for"
    if request.max_regret is not None:
        return "logit", "the first method that takes a regret"
    if players == 2 and tree.constant_sum is not None:
        return EXACT if ours else "lp", "two players, constant sum, perfect recall"
    if players == 2:
        return "lcp", "two players, perfect recall"
    pure = prod(count_strategies(tree, player) for player in range(players))
    if pure <= _FEW_PROFILES and request.arithmetic != "float":
        return "enumpure", f"{players} player(s), {pure:,} pure profiles, few enough to try each"
    return "logit", f"{players} player(s), {'in floats' if pure <= _FEW_PROFILES else 'too many pure profiles to try each'}"


def _by_ours(tree: GameTree, name: str, request: Request) -> Solution:
    """Solve by one of our own methods, in fractions on the tree itself."""
    _refuse(name, request)
    begun = time.perf_counter()
    note, found = "", None
    solved: tuple[Solved, ...] = ()
    try:
        if name == EXACT:
            answer, note = exact.solve(tree, request.time_limit)
        else:
            profile, found = backward.solve(tree, request.time_limit)
            answer = judged(tree, profile)
        solved, finished = (answer,), True
    except TimeLimitError as error:
        note, finished = str(error), False
    return Solution(name, "rational", "extensive", "", time.perf_counter() - begun, finished, note, solved, found)


def _refuse(name: str, request: Request) -> None:
    """Refuse what our own methods do not do."""
    if request.arithmetic == "float" or request.form == "strategic":
        raise UsageError(
            f"{name} computes in fractions on the extensive form; use a method such as lp or lcp for anything else"
        )
    if request.max_regret is not None:
        raise UsageError(f"{name} accepts no regret; leave --max-regret out, or use a method such as logit")


def _by_minimiser(tree: GameTree, name: str, request: Request, on_sample: Callable[[Sample, float | None], None]) -> Solution:
    """Minimise regrets in floats; the profile is that of the average strategies."""
    from liarsdice_cli.solvers.regret.sparse import SparseForm  # imports numba

    if request.arithmetic == "rational" or request.form == "strategic":
        raise UsageError(f"{name} computes in floats on the extensive form; use a method such as lp or lcp for anything else")
    if request.max_regret is not None:
        raise UsageError(f"{name} takes an exploitability instead of a regret: give --target for --max-regret")
    begun = time.perf_counter()
    limits = Limits(request.target, request.iterations, request.time_limit)
    solver = SparseForm(tree, minimiser(name))
    if limits == Limits():
        limits = Limits(target=TARGET * (solver.range or 1))
    if limits.target is not None and limits.target <= solver.rounding_error:
        raise UsageError(
            f"--target {limits.target:.3g}: rounding hides exploitabilities below {solver.rounding_error:.2g} in this game; "
            "give more, or --iterations or --time-limit alone"
        )
    run_history = run(solver, limits, lambda sample: on_sample(sample, limits.target))
    answer = judged(tree, complete(tree, solver.profile()))
    finished = run_history.ended in ("target", "iterations")
    return Solution(
        name, "float", "extensive", "", time.perf_counter() - begun, finished, "", (answer,), run_history=run_history
    )


def _by_gambit(tree: GameTree, method: str, request: Request, on_profile: Callable[[int], None]) -> Solution:
    """Hand the game to Gambit in a child process, with labels that lead back to our rows."""
    found = 0

    def count(profile: object) -> None:
        nonlocal found
        found += 1
        on_profile(found)

    run = gambit.run(
        efg.dumps(_numbered(tree).stream(), labels="full"),
        method,
        arithmetic=request.arithmetic,
        form=request.form,
        time_limit=request.time_limit,
        stop_after=request.stop_after,
        max_regret=request.max_regret,
        on_profile=count,
    )
    profiles = (complete(tree, from_sets(tree, _filled_up(given))) for given in run.profiles)
    solved = tuple(judged(tree, profile) for profile in profiles)
    short = sum(_is_short(numbers) for given in run.profiles for numbers in given.values())
    scaled = [f"{short} distribution(s) that added up to less than 1 were scaled up"] if short else []
    note = "; ".join([run.note, *scaled] if run.note else scaled)
    return Solution(method, run.arithmetic, run.form, "", run.seconds, run.finished, note, solved)


def _filled_up(given: gambit.RawProfile) -> dict[int, Probabilities]:
    """Probabilities that add up to less than 1, scaled so that they add up to 1.

    Gambit's lp lets player 1 leave out play that would bring the lowest payoff of the game; more play brings no less.
    """
    return {
        row: [number / sum(numbers) for number in numbers] if _is_short(numbers) else numbers for row, numbers in given.items()
    }


def _is_short(numbers: Probabilities) -> bool:
    """Whether something is missing to 1; in floats, by more than the rounding that `from_sets` mends."""
    total = sum(numbers)
    return 0 < total < (1 - ROUNDING if isinstance(total, float) else 1)


def judged(tree: GameTree, profile: Profile) -> Solved:
    """A profile with the judge's verdict."""
    return Solved(profile, judge(tree, profile))


def _numbered(tree: GameTree) -> GameTree:
    """The same game with labels that no reader renames: rows for information sets, places for actions, short names."""
    action_lists = [
        Actions(tuple(map(str, range(1, len(choices.labels) + 1))), choices.probabilities) for choices in tree.action_lists
    ]
    outcomes = [outcome._replace(label=str(row)) for row, outcome in enumerate(tree.outcomes, 1)]
    rows, infoset = _chance_apart(tree)
    player, choices = tree.infosets.player[rows], tree.infosets.actions[rows]
    labels = [str(row) if mover != CHANCE else "" for row, mover in zip(rows.tolist(), player.tolist(), strict=True)]
    return replace(
        tree,
        title="game",
        comment="",
        players=tuple(f"P{player}" for player in range(1, len(tree.players) + 1)),
        action_lists=action_lists,
        outcomes=outcomes,
        infosets=InfoSets(player, np.arange(1, len(rows) + 1), choices, labels),
        infoset=infoset,
        node_labels={},
    )


def _chance_apart(tree: GameTree) -> tuple[Ints, Ints]:
    """New sets, every chance node being one of its own: for every new set the old one, and for every node the new one.

    Gambit holds chance to what it asks of players, and takes a chance set of several nodes for imperfect recall.
    """
    players, nodes = np.flatnonzero(tree.infosets.player != CHANCE), np.flatnonzero(tree.player == CHANCE)
    place = np.full(len(tree.infosets) + 1, NONE)
    place[players] = np.arange(len(players))
    infoset = place[tree.infoset]
    infoset[nodes] = len(players) + np.arange(len(nodes))
    return np.concatenate([players, tree.infoset[nodes]]), infoset
