"""The option that fixes some behaviour before the rest is solved."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from liarsdice_cli.errors import UsageError

if TYPE_CHECKING:
    from liarsdice_cli.extensive.locks import LockedSet
    from liarsdice_cli.solvers.problem import Problem
    from liarsdice_cli.solvers.solution import Request

_OF_PLAYER = re.compile(r"P([1-9])=(.+)", re.DOTALL)

_MOST = 1 << 17
"""Betting histories to which a player's strategy may come that is locked whole."""

lock_option = click.option(
    "--lock",
    "locks",
    multiple=True,
    metavar="LOCK",
    help='Fix what is done somewhere, and solve the rest: "P2 roll 3 after 1x5: call 1", a file with a lock a line, a profile '
    "(.json) or strategy file (.ldz), or one player's part of one as in P2=profile.json; can be repeated.",
)


def locked(problem: Problem, request: Request, locks: tuple[str, ...]) -> tuple[Problem, Request]:
    """The game and the request with these locks; raises UsageError or LiarsDiceError for what is none."""
    if not locks:
        return problem, request
    lock = tuple(one for text in locks for one in _locks(text, problem))
    return problem.locked(lock), replace(request, lock=lock)


def _locks(text: str, problem: Problem) -> tuple[LockedSet, ...]:
    """What one option locks."""
    from liarsdice_cli.extensive.locks import sets_of
    from liarsdice_cli.formats import kinds, lock_lines

    of_player = _OF_PLAYER.fullmatch(text)
    player, name = (int(of_player[1]) - 1, of_player[2]) if of_player else (None, text)
    if player is not None and player >= problem.players:
        raise UsageError(f"--lock {text}: there are {problem.players} players: give P1 to P{problem.players}")
    if kinds.holds(name, kinds.STRATEGY):
        return _of_strategy(name, player, problem)
    if kinds.holds(name, kinds.PROFILE):
        return sets_of(kinds.read(name, kinds.PROFILE, problem.free_tree), player)
    if of_player:
        raise UsageError(f"--lock {text}: a player's part is that of a profile (.json) or a strategy file (.ldz): name one")
    is_line = ":" in text and not Path(text).is_file()  # there are folders with colons in their names
    return (lock_lines.parsed(text),) if is_line else lock_lines.read(text)


def _of_strategy(name: str, player: int | None, problem: Problem) -> tuple[LockedSet, ...]:
    """What a strategy file says of one player, or of all, where their own play comes."""
    from liarsdice_cli.formats import kinds
    from liarsdice_cli.games.liarsdice.locks import sets_bound

    kept = kinds.read(name, kinds.STRATEGY)
    if problem.rules is None or kept.rules not in (problem.rules, problem.reduced):
        raise UsageError(f"--lock {name}: the strategy is for {kept.rules}: give these rules")
    players = range(problem.players) if player is None else [player]
    return tuple(one for each in players for one in sets_bound(kept, each, _MOST))
