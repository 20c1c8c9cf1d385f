"""Locks: behaviour that is fixed at some information sets, so that the rest of the game can be solved against it.

Whoever would move at a locked set has no choice there, so that chance may as well move: the locked game is the same tree with
these sets given to chance. Sets, actions and nodes stay where they are, and a profile of one game is a profile of the other.
Where the lock never takes an action nobody comes below it, as nobody does below what chance never does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from liarsdice_cli.errors import LiarsDiceError, UsageError, quoted
from liarsdice_cli.extensive.number import plain_fractions
from liarsdice_cli.extensive.profile import GIVEN, LOCKED, Profile
from liarsdice_cli.extensive.stream import CHANCE, Actions
from liarsdice_cli.extensive.tree import GameTree, InfoSets

Fixed = Mapping[int, tuple[Fraction, ...]]
"""The probabilities of all actions at the locked information sets, by their rows."""


class LockedSet(NamedTuple):
    """An information set by its name (`GameTree.label_of`), and the probabilities of actions there; of others it is 0."""

    name: str
    probabilities: tuple[tuple[str, Fraction], ...]

    def among(self, actions: Sequence[str]) -> tuple[Fraction, ...]:
        """The probabilities of all these actions, in order; UsageError unless they are a distribution over some of them.

        >>> [str(number) for number in LockedSet("P2 roll 1", (("1x2", Fraction(1)),)).among(["call", "1x2"])]
        ['0', '1']
        """
        given = dict(self.probabilities)
        for action in given:
            if action not in actions:
                raise UsageError(
                    f"lock at {quoted(self.name)}: {quoted(action)} is no action there: {', '.join(actions)[:200]}"
                )
        total = sum(given.values(), Fraction(0))
        if total != 1 or len(given) < len(self.probabilities) or min(given.values()) < 0:
            raise UsageError(
                f"lock at {quoted(self.name)}: give each action one probability from 0, so that they add up to 1, not {total}"
            )
        return tuple(given.get(action, Fraction(0)) for action in actions)


def rows_of(tree: GameTree, lock: Iterable[LockedSet]) -> Iterator[tuple[int, LockedSet]]:
    """Every locked set with its row, found by its label, or by player and number as in "P2 set 3".

    Raises UsageError where no set of a player, or more than one, is called so.
    """
    for one in lock:
        try:
            yield tree.row_called(one.name), one
        except LiarsDiceError as error:
            raise UsageError("lock: ", *error.parts) from error


def fixed_at(tree: GameTree, lock: Iterable[tuple[int, LockedSet]]) -> Fixed:
    """The probabilities at locked sets, each given with its row; raises as `LockedSet.among`, and for a set locked twice."""
    fixed: dict[int, tuple[Fraction, ...]] = {}
    for row, one in lock:
        if row in fixed:
            raise UsageError(f"{quoted(one.name)} is locked twice: give one lock for each information set")
        fixed[row] = one.among(tree.actions_at(row).labels)
    return fixed


def sets_of(profile: Profile, player: int | None = None) -> tuple[LockedSet, ...]:
    """All that a profile gives, of one player if one is named, as a lock; floats are rounded to millionths.

    Sets of which the profile does not say anything (`EQUAL`, `BEST`) are left out.
    """
    tree = profile.tree
    rows = np.flatnonzero((tree.infosets.player != CHANCE) & np.isin(profile.source, (GIVEN, LOCKED)))
    own = [row for row in rows.tolist() if player is None or tree.infosets.player[row] == player]
    names = [tree.infosets.labels[row] for row in rows.tolist()]
    unique = len(set(names)) == len(names) and all(names)
    return tuple(
        LockedSet(
            tree.label_of(row) if unique else tree.numbered(row),
            tuple(zip(tree.actions_at(row).labels, plain_fractions(profile.at(row)), strict=True)),
        )
        for row in own
    )


def locked(tree: GameTree, fixed: Fixed) -> GameTree:
    """The locked game; rows of sets, actions and nodes are those of the game. The players' recall stays as it is.

    >>> from liarsdice_cli.games.liarsdice import rules, tree
    >>> game = tree.build(rules.rules("common", 1))
    >>> one = locked(game, {1: (Fraction(1, 3), Fraction(2, 3))})
    >>> game.infosets.player.tolist(), one.infosets.player.tolist(), one.chance_probabilities[1:3].tolist()
    ([-1, 0, 0, 1, 1], [-1, -1, 0, 1, 1], [Fraction(1, 3), Fraction(2, 3)])
    """
    if not fixed:
        return tree
    table, rows = tree.infosets, np.array(list(fixed), np.int64)
    player, number, actions = (column.copy() for column in (table.player, table.number.astype(np.int64), table.actions))
    player[rows] = CHANCE
    number[rows] = table.unused_numbers(len(rows))
    choices = dict.fromkeys(Actions(tree.actions_at(row).labels, numbers) for row, numbers in fixed.items())
    place = {one: len(tree.action_lists) + index for index, one in enumerate(choices)}
    actions[rows] = [place[Actions(tree.actions_at(row).labels, numbers)] for row, numbers in fixed.items()]
    sets = InfoSets(player, number, actions, table.labels)
    return replace(tree, action_lists=[*tree.action_lists, *choices], infosets=sets)


def marked(tree: GameTree, profile: Profile, fixed: Fixed) -> Profile:
    """A profile of the locked game as one of the game, its locked sets marked `LOCKED`."""
    probabilities, source = profile.probabilities.copy(), profile.source.copy()
    for row, numbers in fixed.items():
        own = slice(tree.first_action[row], tree.first_action[row + 1])
        probabilities[own] = numbers if profile.exact else [float(number) for number in numbers]
    source[list(fixed)] = LOCKED
    return replace(profile, tree=tree, probabilities=probabilities, source=source)


def locks_in(profile: Profile) -> Fixed:
    """What a profile marks as locked."""
    rows: list[int] = np.flatnonzero(profile.source == LOCKED).tolist()
    return {row: tuple(Fraction(number) for number in profile.at(row)) for row in rows}
