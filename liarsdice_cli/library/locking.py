"""Locks as a person writes them: lines, files of lines, profiles and strategy files."""

from __future__ import annotations

import re
from pathlib import Path

from liarsdice_cli.errors import Argument, UsageError, check_type, listed
from liarsdice_cli.extensive.locks import LockedSet, locked_sets
from liarsdice_cli.formats import lock_lines, registry
from liarsdice_cli.games.liarsdice.locks import sets_in, strategy_lock
from liarsdice_cli.solvers.problem import Game, Problem, PublicTreeProblem

_OF_PLAYER = re.compile(r"P([1-9])=(.+)", re.DOTALL)
_MAX_HISTORIES = 1 << 17
"""The most histories at which a player's whole strategy is locked."""


def locks(text: str, game: Game | Problem) -> tuple[LockedSet, ...]:
    """Return the lock in a text: a line, a file of lines, a profile (.json), a strategy file (.ldz), or one player's part.

    A line is "P2 roll 3 after 1x5: call 1"; a part is "P2=profile.json". Give the result to `solve` as `lock`. Raises
    UsageError or LiarsDiceError for any other text, and for files of another game.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> locks("P1 roll 1 opening: 1x2 1/3, 2x2 2/3", rules("common", 2))[0].name
    'P1 roll 1 opening'
    """
    check_type("text", text, str, "give a line, such as 'P1 roll 1 opening: 1x2 1', or the name of a file")
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
        raise UsageError(given, ": a player's part is that of a profile (.json) or a strategy file (.ldz): name one")
    is_line = ":" in text and not Path(text).is_file()  # there are folders with colons in their names
    return (lock_lines.parsed(text),) if is_line else lock_lines.read(text)


def _of_strategy(name: str, player: int | None, problem: Problem) -> tuple[LockedSet, ...]:
    """Return a strategy file, or one player's strategy in it, as a lock at the sets that the player's own play reaches."""
    kept = registry.read(name, registry.STRATEGY)
    if not isinstance(problem, PublicTreeProblem) or kept.rules not in (problem.rules, problem.reduced):
        raise UsageError(Argument("lock", name), f": the strategy is for {kept.rules}: give ", *listed(kept.rules.arguments))
    players = range(problem.players) if player is None else [player]
    return tuple(one for each in players for one in sets_in(kept.rules, strategy_lock(kept, each, _MAX_HISTORIES)))
