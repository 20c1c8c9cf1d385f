"""Locks in Liar's Dice without a tree: sets by their names ("P2 roll 3 after 1x5"), and all that a strategy does."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from liarsdice_cli.errors import Argument, LiarsDiceError, UsageError, quoted
from liarsdice_cli.extensive.locks import Fixed, LockedSet
from liarsdice_cli.extensive.number import plain_fractions
from liarsdice_cli.extensive.stream import Bools, Floats
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.games.bidding import CALL
from liarsdice_cli.games.liarsdice.betting import Betting
from liarsdice_cli.games.liarsdice.rules import Roll, Rules
from liarsdice_cli.games.liarsdice.strategy import Strategy, action_name, actions, history_of, mover

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
    try:
        roll = roll_of(rules, player, found[2])
    except UsageError as error:
        raise UsageError(f"{quoted(name)}: ", *error.parts) from error
    return Place(history, [one for one, _ in rules.rolls(player)].index(roll))


def roll_of(rules: Rules, player: int, text: str) -> Roll:
    """The roll of a player, from 0, that a person writes as its faces, in any order; UsageError where there is none.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> roll_of(rules("common", 6, (2, 1)), 0, "4 3")
    (3, 4)
    """
    faces = re.findall(r"\d+" if rules.sides > 9 else r"\d", text)
    roll, rolls = tuple(sorted(map(int, faces))), [one for one, _ in rules.rolls(player)]
    if roll not in rolls:
        raise UsageError(f"P{player + 1} has no roll {quoted(text)}; there is {rules.roll_label(rolls[-1])}")
    return roll


def row_of(rules: Rules, tree: GameTree, name: str) -> int:
    """The row of that information set in the tree that `tree.build` makes of the rules; raises as `place_of`."""
    return _row(rules, tree, place_of(rules, name))


def _row(rules: Rules, tree: GameTree, place: Place) -> int:
    player, betting = mover(rules, place.history), Betting(rules.bidding, rules.players)
    first = int(np.argmax(tree.infosets.player == player))
    return first + place.roll * betting.histories[player] + betting.rank(place.history)


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


def bound_to(strategy: Strategy, player: int, most: int) -> list[LockedHistory]:
    """All that a player, from 0, does who is bound to a strategy: at every history to which that leads, with the rolls it does.

    most : histories; LiarsDiceError for more. Cost: the strategy is asked at each of them.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> from liarsdice_cli.games.liarsdice.strategy import Equal
    >>> [one.history for one in bound_to(Equal(rules("common", 2)), 1, 100)]
    [(3,), (2,), (1,), (1, 2, 3), (0,), (0, 2, 3), (0, 1, 3), (0, 1, 2)]
    """
    rules, found = strategy.rules, []
    waiting: list[tuple[tuple[int, ...], Bools]] = [((), np.ones(rules.roll_count(player), bool))]
    while waiting:
        history, comes = waiting.pop()
        own, said = mover(rules, history) == player, None
        if own:
            said = strategy.at(history)
            found.append(LockedHistory(history, comes, said))
            if len(found) > most:
                raise LiarsDiceError(
                    f"the strategy comes to more than {most:,} betting histories in {rules}; give fewer ",
                    *(Argument("sides"), " or ", Argument("dice")),
                )
        for place, action in enumerate(actions(rules, history)):
            after = comes if said is None else comes & (said[place] > 0)
            if action > CALL and after.any():
                waiting.append(((*history, action), after))
    return found


def sets_bound(strategy: Strategy, player: int, most: int) -> Iterator[LockedSet]:
    """The same set by set, in fractions (see `plain_fractions`)."""
    rules = strategy.rules
    rolls = [rules.roll_label(roll) for roll, _ in rules.rolls(player)]
    for history, comes, probabilities in bound_to(strategy, player, most):
        after = f"after {' '.join(str(rules.bids[bid]) for bid in history)}" if history else "opening"
        names = [action_name(rules, action) for action in actions(rules, history)]
        for roll in np.flatnonzero(comes).tolist():
            numbers = plain_fractions(probabilities[:, roll].tolist())
            yield LockedSet(f"P{player + 1} roll {rolls[roll]} {after}", tuple(zip(names, numbers, strict=True)))


def fixed_by(rules: Rules, tree: GameTree, lock: Sequence[LockedHistory]) -> Fixed:
    """The same by the rows of the tree that `tree.build` makes of the rules, in fractions (see `plain_fractions`)."""
    return {
        _row(rules, tree, Place(one.history, roll)): tuple(plain_fractions(one.probabilities[:, roll].tolist()))
        for one in lock
        for roll in np.flatnonzero(one.rolls).tolist()
    }
