"""Solve a game by keyword arguments, and read the locks and beliefs that a person writes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from liarsdice_cli.bots.equilibrium import strategy_in
from liarsdice_cli.errors import Argument, LiarsDiceError, UsageError, check_type, checked_items, listed
from liarsdice_cli.extensive.locks import LockedSet, locked_sets
from liarsdice_cli.formats import belief_lines, files, lock_lines, registry
from liarsdice_cli.games.liarsdice.locks import PLAYER, sets_in, strategy_lock
from liarsdice_cli.games.liarsdice.rules import Roll, Rules
from liarsdice_cli.games.liarsdice.strategy import Strategy
from liarsdice_cli.progress import SILENT, Progress, check_progress
from liarsdice_cli.solvers import ladder
from liarsdice_cli.solvers.problem import Game, Problem, PublicTreeProblem
from liarsdice_cli.solvers.request import AUTO, EXACT_NODES, Request
from liarsdice_cli.solvers.solution import Solution
from liarsdice_cli.text import quoted

_LOCK = "give a line, such as 'P1 roll 1 opening: 1x2 1', or the name of a file"
_OF_PLAYER = re.compile(rf"{PLAYER}=(.+)", re.DOTALL)
_MAX_HISTORIES = 1 << 17
"""The most histories at which a player's whole strategy is locked."""


def solve(
    game: Game | Problem,
    *,
    method: str = AUTO,
    target: float | None = None,
    iterations: int | None = None,
    time_limit: float | None = None,
    lock: str | Sequence[str | LockedSet] = (),
    refine: str | None = None,
    tremble: float | None = None,
    arithmetic: str | None = None,
    form: str | None = None,
    dealing: str = "ordered",
    exact_max_nodes: int = EXACT_NODES,
    max_profiles: int | None = None,
    threads: int | None = None,
    memory: int | None = None,
    cluster: str | None = None,
    checkpoint: files.FileName | None = None,
    sample_factor: float | None = None,
    progress: Progress = SILENT,
) -> Solution:
    """Solve a game and evaluate every profile that is found.

    game            : a tree, rules, or a subgame of Liar's Dice
    method          : a name that `liarsdice methods` lists, or "auto"
    target          : the exploitability at which a regret minimiser stops, in units of the payoffs; for Gambit's methods that
                      approximate, the largest regret
    iterations      : the iteration at which it stops
    time_limit      : seconds
    lock            : a fixed strategy at some information sets: lines such as "P1 roll 1 opening: 1x2 1", or names of files
    refine          : "quasi-perfect" for an equilibrium that stays optimal after mistakes
    tremble         : the probability that a player errs at an information set, for regret minimisers
    arithmetic      : "rational" or "float"
    form            : "extensive", "strategic" or "public tree"
    dealing         : how the tree deals the dice: "ordered", "multiset" or "staged"
    exact_max_nodes : the largest tree that "auto" solves exactly, in nodes
    max_profiles    : the number of profiles after which Gambit's methods stop
    threads         : threads on the public tree; None for one per processor
    memory          : bytes for the histories of the public tree; None for most of the free memory
    cluster         : the workers that hold the public tree, such as "local:4", or "gpu" for an NVIDIA GPU
    checkpoint      : the file in which a long run saves its state; if it exists, the run continues from it
    sample_factor   : the run history has samples at the powers of this factor, rounded up, the same in every run
    progress        : counts the profiles that Gambit finds, and receives the bounds of iterative methods and messages

    Raises UsageError for an unknown method and for options that it does not have, LiarsDiceError for a game that it cannot
    solve. Ctrl-C ends a regret minimiser with its result so far, and any other method with KeyboardInterrupt.

    >>> from liarsdice_cli import rules, solve
    >>> solution = solve(rules("joker", 3, payoffs="zero-sum"))
    >>> solution.method, str(solution.value), solution.exact
    ('quasi-perfect', '1/3', True)
    """
    request = Request(
        method,
        arithmetic=arithmetic,
        form=form,
        refine=refine,
        time_limit=time_limit,
        dealing=dealing,
        exact_max_nodes=exact_max_nodes,
        target=target,
        iterations=iterations,
        tremble=tremble,
        threads=threads,
        memory=memory,
        cluster=cluster,
        checkpoint=checkpoint,
        sample_factor=sample_factor,
        max_profiles=max_profiles,
    )
    problem = game if isinstance(game, Problem) else Problem.of(game, dealing)
    check_progress(progress)
    progress.begin(f"solving by {method}", unit="profiles")
    given = _given(lock, problem)
    return ladder.solve(problem.locked(given) if given else problem, request, progress)


def _given(lock: str | Sequence[str | LockedSet], problem: Problem) -> tuple[LockedSet, ...]:
    """Return the locked information sets that texts and locked sets name."""
    items = [lock] if isinstance(lock, str) else checked_items("lock", lock, str | LockedSet, _LOCK)
    return tuple(one for item in items for one in (locks(item, problem) if isinstance(item, str) else (item,)))


def locks(text: str, game: Game | Problem) -> tuple[LockedSet, ...]:
    """Return the lock in a text: a line, a file of lines, a profile (.json), a strategy file (.ldz), or one player's part.

    A line is "P2 roll 3 after 1x5: call 1"; a part is "P2=profile.json". Give the result to `solve` as `lock`. Raises
    UsageError or LiarsDiceError for any other text, and for files of another game.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> locks("P1 roll 1 opening: 1x2 1/3, 2x2 2/3", rules("common", 2))[0].name
    'P1 roll 1 opening'
    """
    check_type("text", text, str, _LOCK)
    problem = game if isinstance(game, Problem) else Problem.of(game)
    of_player = _OF_PLAYER.fullmatch(text)
    player, name = (int(of_player[1]) - 1, of_player[2]) if of_player else (None, text)
    given = Argument("lock", text)
    if player is not None and player >= problem.players:
        raise UsageError(given, f": there are {problem.players} players: give P1 to P{problem.players}")
    if registry.holds(name, registry.STRATEGY):
        return _of_strategy(name, player, problem)
    if registry.holds(name, registry.PROFILE):
        return locked_sets(registry.read(name, registry.PROFILE, problem.free_tree), player)
    if of_player:
        raise UsageError(given, ": a player's strategy comes from a profile (.json) or a strategy file (.ldz): name one")
    if _is_there(text):
        return lock_lines.read(text)
    if ":" not in text:
        raise LiarsDiceError(f"lock {quoted(text)} is not a file: name one, or write a line such as {lock_lines.EXAMPLE!r}")
    return (lock_lines.parsed(text),)


def _is_there(name: str) -> bool:
    """Return whether a text is the name of a file or folder, or `-`; names may contain colons, as lines do."""
    try:
        return name == files.PIPE or (bool(name) and Path(name).exists())
    except (OSError, ValueError):  # too long for a name, or with characters that no name has
        return False


def _of_strategy(name: str, player: int | None, problem: Problem) -> tuple[LockedSet, ...]:
    """Return a strategy file, or one player's strategy in it, as a lock at the sets that the player's own play reaches."""
    kept = registry.read(name, registry.STRATEGY)
    if not isinstance(problem, PublicTreeProblem) or kept.rules not in (problem.rules, problem.reduced):
        given = listed(kept.rules.arguments | {"payoffs": kept.rules.payoffs})
        raise UsageError(Argument("lock", name), f": the strategy is for {kept.rules}: give ", *given)
    players = range(problem.players) if player is None else [player]
    return tuple(one for each in players for one in sets_in(kept.rules, strategy_lock(kept, each, _MAX_HISTORIES)))


def beliefs(text: str, rules: Rules) -> Strategy | Mapping[int, Mapping[Roll, float]]:
    """Return the beliefs in a text, for `subgame`: a line, a file of lines, or a strategy file or profile (.ldz, .json).

    A line is "P2 roll 3 4: 1/2". Raises LiarsDiceError for any other text, naming a file that cannot be read or belongs to
    another game.
    """
    if registry.holds(text, registry.STRATEGY) or registry.holds(text, registry.PROFILE):
        return strategy_in(text, rules)
    if ":" in text and not _is_there(text):
        return belief_lines.parsed(text, rules)
    return belief_lines.read(text, rules)
