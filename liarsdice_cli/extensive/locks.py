"""Locks: partial strategies that are given, so that the rest of the game is solved against them.

A player has no choice at a locked information set, so chance can act there instead. The locked game is the same tree with the
locked sets given to chance. Rows of sets, actions and nodes stay the same, so a profile of one game is one of the other too.

A person writes a lock set by set (`LockedSet`). `tree_lock` adapts it to a tree; Liar's Dice adapts it to its public tree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from liarsdice_cli.errors import LiarsDiceError, UsageError
from liarsdice_cli.extensive.number import plain_fractions
from liarsdice_cli.extensive.profile import GIVEN, LOCKED, Profile
from liarsdice_cli.extensive.recall import remembered
from liarsdice_cli.extensive.stream import CHANCE, Actions
from liarsdice_cli.extensive.tree import GameTree, InfoSets
from liarsdice_cli.extensive.trembles import RefinedProfile, with_locked_actions
from liarsdice_cli.text import brief, quoted

TreeLock = Mapping[int, tuple[Fraction, ...]]
"""A lock on a tree: the probabilities of all actions at the locked information sets, by their rows."""


class LockedSet(NamedTuple):
    """A locked information set: its name (`GameTree.label_of`), and the probabilities of actions; other actions have 0."""

    name: str
    probabilities: tuple[tuple[str, Fraction], ...]

    def among(self, actions: Sequence[str]) -> tuple[Fraction, ...]:
        """Return the probabilities of all these actions, in order; UsageError unless they are a distribution over some.

        >>> [str(number) for number in LockedSet("P2 roll 1", (("1x2", Fraction(1)),)).among(["call", "1x2"])]
        ['0', '1']
        """
        given = dict(self.probabilities)
        for action in given:
            if action not in actions:
                raise UsageError(
                    f"lock at {quoted(self.name)}: {quoted(action)} is not an action there; give {', '.join(actions)[:200]}"
                )
        total = sum(given.values(), Fraction(0))
        if total != 1 or len(given) < len(self.probabilities) or min(given.values()) < 0:
            raise UsageError(
                f"lock at {quoted(self.name)}: give each action one probability of 0 or more, so that they add up to 1"
                f"{'' if total == 1 else f', not {brief(total)}'}"
            )
        return tuple(given.get(action, Fraction(0)) for action in actions)

    def twice(self) -> UsageError:
        """Return the error that the set is locked twice."""
        return UsageError(f"{quoted(self.name)} is locked twice: give one lock for each information set")


def tree_lock(tree: GameTree, lock: Iterable[LockedSet], row_of: Callable[[str], int] | None = None) -> TreeLock:
    """Return a lock by the rows of a tree.

    row_of : find the row of a name; by default by label, or by player and number as in "P2 set 3"

    Raises UsageError as `LockedSet.among`, for a name of no set or of several, and for a set that is locked twice.
    """
    found: dict[int, tuple[Fraction, ...]] = {}
    for one in lock:
        row = _row_called(tree, one.name) if row_of is None else row_of(one.name)
        if row in found:
            raise one.twice()
        found[row] = one.among(tree.actions_at(row).names)
    return found


def _row_called(tree: GameTree, name: str) -> int:
    try:
        return tree.row_called(name)
    except LiarsDiceError as error:
        raise UsageError("lock: ", *error.parts) from error


def locked_sets(profile: Profile, player: int | None = None) -> tuple[LockedSet, ...]:
    """Return a profile, or one player's strategy in it, as a lock; floats become fractions (`plain_fractions`).

    Sets for which the profile gives no behaviour (`EQUAL`, `BEST`) are left out.
    """
    tree = profile.tree
    rows = np.flatnonzero((tree.infosets.player != CHANCE) & np.isin(profile.source, (GIVEN, LOCKED)))
    own = [row for row in rows.tolist() if player is None or tree.infosets.player[row] == player]
    names = [tree.infosets.labels[row] for row in rows.tolist()]
    unique = len(set(names)) == len(names) and all(names)
    return tuple(
        LockedSet(
            tree.label_of(row) if unique else tree.numbered(row),
            tuple(zip(tree.actions_at(row).names, plain_fractions(profile.at(row)), strict=True)),
        )
        for row in own
    )


def locked(tree: GameTree, lock: TreeLock) -> GameTree:
    """Return the locked game; rows of sets, actions and nodes are those of the game.

    Perfect recall stays perfect, and a player who only forgets locked actions gets it.

    >>> from liarsdice_cli.games.liarsdice import rules, tree
    >>> game = tree.build(rules.rules("common", 1))
    >>> one = locked(game, {1: (Fraction(1, 3), Fraction(2, 3))})
    >>> game.infosets.player.tolist(), one.infosets.player.tolist(), one.chance_probabilities[1:3].tolist()
    ([-1, 0, 0, 1, 1], [-1, -1, 0, 1, 1], [Fraction(1, 3), Fraction(2, 3)])
    """
    if not lock:
        return tree
    table, rows = tree.infosets, np.array(list(lock), np.int64)
    player, number, actions = (column.copy() for column in (table.player, table.number.astype(np.int64), table.actions))
    player[rows] = CHANCE
    number[rows] = table.unused_numbers(len(rows))
    choices = dict.fromkeys(Actions(tree.actions_at(row).labels, numbers) for row, numbers in lock.items())
    place = {one: len(tree.action_lists) + index for index, one in enumerate(choices)}
    actions[rows] = [place[Actions(tree.actions_at(row).labels, numbers)] for row, numbers in lock.items()]
    sets = InfoSets(player, number, actions, table.labels)
    return replace(tree, action_lists=[*tree.action_lists, *choices], infosets=sets)


def marked(tree: GameTree, profile: Profile, lock: TreeLock) -> Profile:
    """Return a profile of the locked game as one of the game, with its locked sets marked `LOCKED`.

    The trembling plans of a refined profile are then plans of the game that never tremble at locked sets. Without perfect
    recall of all players in the game, the profile loses them.
    """
    probabilities, source = profile.probabilities.copy(), profile.source.copy()
    for row, numbers in lock.items():
        own = slice(tree.first_action[row], tree.first_action[row + 1])
        probabilities[own] = numbers if profile.exact else [float(number) for number in numbers]
    source[list(lock)] = LOCKED
    if not isinstance(profile, RefinedProfile):
        return replace(profile, tree=tree, probabilities=probabilities, source=source)
    if any(remembered(tree, player) is None for player in range(len(tree.players))):
        return Profile(tree, probabilities, source)
    return RefinedProfile(tree, probabilities, source, with_locked_actions(tree, profile.weights, lock))


def lock_in(profile: Profile) -> TreeLock:
    """Return the lock that a profile marks."""
    rows: list[int] = np.flatnonzero(profile.source == LOCKED).tolist()
    return {row: tuple(Fraction(number) for number in profile.at(row)) for row in rows}
