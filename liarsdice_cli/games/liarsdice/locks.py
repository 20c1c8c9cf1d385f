"""Information sets of Liar's Dice by their names, without a tree: "P2 roll 3 after 1x5"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from liarsdice_cli.errors import UsageError, quoted
from liarsdice_cli.extensive.locks import LockedSet
from liarsdice_cli.extensive.stream import Bools, Floats
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.games.liarsdice.betting import Betting
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.strategy import action_name, actions, history_of, mover

_NAME = re.compile(r"\s*P([1-9])\s+roll\s+([0-9][0-9 ,-]*?)\s+(opening|after\s+(.+?))\s*", re.IGNORECASE)


class Place(NamedTuple):
    """An information set: the numbers of the bids before it, and the number of the mover's roll."""

    history: tuple[int, ...]
    roll: int


class LockedHistory(NamedTuple):
    """What is fixed after some bids: for which of the mover's rolls, and the probabilities (actions, rolls)."""

    history: tuple[int, ...]
    rolls: Bools
    probabilities: Floats


def place_of(rules: Rules, name: str) -> Place:
    """The information set that a name means; UsageError where there is none. The faces of a roll may stand in any order.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> place_of(rules("classic", 6), "P2 roll 3 after 1x5"), place_of(rules("joker", 6, (2, 2)), "P1 roll 2 1 opening")
    (Place(history=(4,), roll=2), Place(history=(), roll=1))
    """
    found = _NAME.fullmatch(name)
    if found is None:
        raise UsageError(
            f"{quoted(name)} names no information set: write one such as 'P2 roll 3 after 1x5' or 'P1 roll 3 opening'"
        )
    player, history = int(found[1]) - 1, tuple(history_of(rules, (found[4] or "").split()))
    if player != mover(rules, history):
        raise UsageError(f"{quoted(name)} names no information set: P{mover(rules, history) + 1} moves there")
    faces = re.findall(r"\d+" if rules.sides > 9 else r"\d", found[2])
    roll = tuple(sorted(map(int, faces)))
    rolls = [one for one, _ in rules.rolls(player)]
    if roll not in rolls:
        example = rules.roll_label(rolls[-1])
        raise UsageError(f"{quoted(name)}: P{player + 1} has no roll {quoted(found[2])}; there is {example}")
    return Place(history, rolls.index(roll))


def row_of(rules: Rules, tree: GameTree, name: str) -> int:
    """The row of that information set in the tree that `tree.build` makes of the rules; raises as `place_of`."""
    history, roll = place_of(rules, name)
    player, betting = mover(rules, history), Betting(rules.bid_count, rules.players)
    first = int(np.argmax(tree.infosets.player == player))
    return first + roll * betting.histories[player] + betting.rank(history)


def by_history(rules: Rules, lock: Iterable[LockedSet]) -> list[LockedHistory]:
    """A lock, gathered by histories; raises as `place_of` and `LockedSet.among`."""
    found: dict[tuple[int, ...], LockedHistory] = {}
    for one in lock:
        history, roll = place_of(rules, one.name)
        names = [action_name(rules, action) for action in actions(rules, history)]
        width = rules.roll_count(mover(rules, history))
        here = found.setdefault(history, LockedHistory(history, np.zeros(width, bool), np.zeros((len(names), width))))
        if here.rolls[roll]:
            raise UsageError(f"{quoted(one.name)} is locked twice: give one lock for each information set")
        here.rolls[roll] = True
        here.probabilities[:, roll] = [float(number) for number in one.among(names)]
    return list(found.values())
