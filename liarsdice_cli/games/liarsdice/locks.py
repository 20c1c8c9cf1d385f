"""Locks in Liar's Dice without a tree: information sets by name ("P2 roll 3 after 1x5"), and whole strategies."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from liarsdice_cli.errors import Argument, LiarsDiceError, UsageError
from liarsdice_cli.extensive.locks import LockedSet, TreeLock
from liarsdice_cli.extensive.number import plain_fractions
from liarsdice_cli.extensive.stream import Bools, Floats
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.games.bidding import CALL
from liarsdice_cli.games.liarsdice.rules import Roll, Rules
from liarsdice_cli.games.liarsdice.state import BettingState, first_infoset, history_text
from liarsdice_cli.games.liarsdice.strategy import Strategy, roll_index
from liarsdice_cli.text import quoted

PublicLock = Mapping[tuple[int, ...], Floats]
"""A lock on a public tree: for locked histories the behaviour as in `Strategy.at`, with NaN for rolls that are not locked."""

PLAYER = r"P([1-9][0-9]{0,2})"
"""A player's name in a line that a person writes, as a regular expression."""
_NAME = re.compile(rf"\s*{PLAYER}\s+roll\s+([0-9][0-9 ,-]*?)\s+(opening|after\s+(.+?))\s*", re.IGNORECASE)


class InfosetKey(NamedTuple):
    """An information set: the numbers of the bids in its history, and the number of the roll of the player to move."""

    history: tuple[int, ...]
    roll: int


def infoset_key(rules: Rules, name: str) -> InfosetKey:
    """Return the information set with a name; UsageError if there is none. The faces of a roll may be in any order.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> infoset_key(rules("classic", 6), "P2 roll 3 after 1x5"), infoset_key(rules("joker", 6, (2, 2)), "P1 roll 2 1 opening")
    (InfosetKey(history=(4,), roll=2), InfosetKey(history=(), roll=1))
    """
    found = _NAME.fullmatch(name)
    if found is None:
        raise UsageError(
            f"{quoted(name)} names no information set: write one such as 'P2 roll 3 after 1x5' or 'P1 roll 3 opening'"
        )
    player, state = int(found[1]) - 1, BettingState.parse(rules, (found[4] or "").split())
    if player != state.mover:
        raise UsageError(f"{quoted(name)} names no information set: P{state.mover + 1} moves there")
    try:
        roll = roll_of(rules, player, found[2])
    except UsageError as error:
        raise UsageError(f"{quoted(name)}: ", *error.parts) from error
    return InfosetKey(state.history, roll_index(rules, player, roll))


def roll_of(rules: Rules, player: int, text: str) -> Roll:
    """Return the roll of a player, from 0, from its faces in any order; UsageError if the player has no such roll.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> roll_of(rules("common", 6, (2, 1)), 0, "4 3")
    (3, 4)
    """
    faces = re.findall(r"\d{1,9}" if rules.sides > 9 else r"\d", text)
    roll = tuple(sorted(map(int, faces)))
    if len(roll) != rules.dice[player] or not set(roll) <= set(range(1, rules.sides + 1)):
        example = rules.roll_label((rules.sides,) * rules.dice[player])
        raise UsageError(f"P{player + 1} has no roll {quoted(text)}: write one such as {example}")
    return roll


def row_of(rules: Rules, tree: GameTree, name: str) -> int:
    """Return the row of an information set in the tree that `tree.build` makes of the rules; raises as `infoset_key`."""
    key = infoset_key(rules, name)
    return first_infoset(tree) + int(BettingState(rules, key.history).infosets[key.roll])


def locked_rolls(behaviour: Floats) -> Bools:
    """Return which rolls are locked at a history of a lock."""
    found: Bools = ~np.isnan(behaviour[0])
    return found


def public_lock(rules: Rules, lock: Iterable[LockedSet]) -> PublicLock:
    """Return a lock by histories; raises as `infoset_key` and `LockedSet.among`, and for a set that is locked twice."""
    found: dict[tuple[int, ...], Floats] = {}
    for one in lock:
        history, roll = infoset_key(rules, one.name)
        state = BettingState(rules, history)
        names = state.action_names
        here = found.setdefault(history, np.full((len(names), state.roll_count), np.nan))
        if locked_rolls(here)[roll]:
            raise one.twice()
        here[:, roll] = [float(number) for number in one.among(names)]
    return found


def strategy_lock(strategy: Strategy, player: int, max_histories: int) -> PublicLock:
    """Return a player's whole strategy as a lock, at the sets that the player's own actions can reach.

    Raises LiarsDiceError for more than `max_histories`. Cost: `strategy.at` once a history.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> from liarsdice_cli.games.liarsdice.strategy import Uniform
    >>> list(strategy_lock(Uniform(rules("common", 2)), 1, 100))
    [(3,), (2,), (1,), (1, 2, 3), (0,), (0, 2, 3), (0, 1, 3), (0, 1, 2)]
    """
    rules = strategy.rules
    found: dict[tuple[int, ...], Floats] = {}
    waiting: list[tuple[tuple[int, ...], Bools]] = [((), np.ones(rules.roll_count(player), bool))]
    while waiting:
        history, reached = waiting.pop()
        state = BettingState(rules, history)
        behaviour = strategy.at(history) if state.mover == player else None
        if behaviour is not None:  # strategies often return one array at many histories, so copy only if needed
            found[history] = behaviour if reached.all() else np.where(reached, behaviour, np.nan)
            if len(found) > max_histories:
                raise LiarsDiceError(
                    f"the strategy reaches more than {max_histories:,} betting histories in {rules}; give fewer ",
                    *(Argument("sides"), " or ", Argument("dice")),
                )
        for place, action in enumerate(state.actions):
            after = reached if behaviour is None else reached & (behaviour[place] > 0)
            if action > CALL and after.any():
                waiting.append(((*history, action), after))
    return found


def sets_in(rules: Rules, lock: PublicLock) -> Iterator[LockedSet]:
    """Yield a lock set by set, in fractions (`plain_fractions`)."""
    for history, behaviour in lock.items():
        player = BettingState(rules, history).mover
        rolls = [rules.roll_label(roll) for roll, _ in rules.rolls(player)]
        after = f"after {history_text(rules, history)}" if history else "opening"
        names = BettingState(rules, history).action_names
        for roll in np.flatnonzero(locked_rolls(behaviour)).tolist():
            numbers = plain_fractions(behaviour[:, roll].tolist())
            yield LockedSet(f"P{player + 1} roll {rolls[roll]} {after}", tuple(zip(names, numbers, strict=True)))


def on_tree(rules: Rules, tree: GameTree, lock: PublicLock) -> TreeLock:
    """Return a lock by the rows of the tree that `tree.build` makes of the rules, in fractions (`plain_fractions`)."""
    first = first_infoset(tree)
    return {
        first + int(BettingState(rules, history).infosets[roll]): tuple(plain_fractions(behaviour[:, roll].tolist()))
        for history, behaviour in lock.items()
        for roll in np.flatnonzero(locked_rolls(behaviour)).tolist()
    }
