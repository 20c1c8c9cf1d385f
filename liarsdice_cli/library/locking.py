"""What a person fixes before the rest is solved, as they write it."""

from __future__ import annotations

import re
from pathlib import Path

from liarsdice_cli.errors import Argument, UsageError, check_type, listed
from liarsdice_cli.extensive.locks import LockedSet, sets_of
from liarsdice_cli.formats import lock_lines, registry
from liarsdice_cli.games.liarsdice.locks import sets_bound
from liarsdice_cli.solvers.problem import Game, Problem, PublicTreeProblem

_OF_PLAYER = re.compile(r"P([1-9])=(.+)", re.DOTALL)
_MOST = 1 << 17
"""Betting histories to which a player's strategy may come that is locked whole."""


def locks(text: str, game: Game | Problem) -> tuple[LockedSet, ...]:
    """What a text locks in a game: a line, a file of lines, a profile (.json), a strategy file (.ldz), or one player's part.

    A line is "P2 roll 3 after 1x5: call 1"; a part is "P2=profile.json". Give the result to `solve` as `lock`. Raises
    UsageError or LiarsDiceError for what is none, and for files of another game.

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
        return sets_of(registry.read(name, registry.PROFILE, problem.free_tree), player)
    if of_player:
        raise UsageError(given, ": a player's part is that of a profile (.json) or a strategy file (.ldz): name one")
    is_line = ":" in text and not Path(text).is_file()  # there are folders with colons in their names
    return (lock_lines.parsed(text),) if is_line else lock_lines.read(text)


def _of_strategy(name: str, player: int | None, problem: Problem) -> tuple[LockedSet, ...]:
    """What a strategy file says of one player, or of all, where their own play comes."""
    kept = registry.read(name, registry.STRATEGY)
    if not isinstance(problem, PublicTreeProblem) or kept.rules not in (problem.rules, problem.reduced):
        raise UsageError(Argument("lock", name), f": the strategy is for {kept.rules}: give ", *listed(kept.rules.arguments))
    players = range(problem.players) if player is None else [player]
    return tuple(one for each in players for one in sets_bound(kept, each, _MOST))
