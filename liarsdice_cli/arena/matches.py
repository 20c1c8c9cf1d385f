"""How a match goes on: the only place that says what losing a round costs, and who opens the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from liarsdice_cli.extensive.stream import Bools, Ints


@dataclass(eq=False)
class Matches:
    """Matches side by side, between two rounds.

    dice   : how many every seat has, shape (matches, seats)
    opener : the seat that opens the next round of each
    last   : whether it has just come down to its last die, so that the round is palifico where that is played
    """

    dice: Ints
    opener: Ints
    last: Bools

    @classmethod
    def begin(cls, dice: Sequence[int], count: int = 1) -> Matches:
        """So many matches with these dice of every seat, opened by the first."""
        return cls(np.tile(np.array(dice, np.int64), (count, 1)), np.zeros(count, np.int64), np.zeros(count, np.bool_))

    def lose(self, matches: Ints, seats: Ints, forfeited: Bools) -> None:
        """In each of these matches a seat loses a round: a die, or all it has where it forfeited; and it opens the next.

        Where it has no dice left, the next one after it that has some opens.

        >>> match = Matches.begin((2, 1, 1))
        >>> match.lose(np.array([0]), np.array([1]), np.array([False]))
        >>> match.dice.tolist(), match.opener.tolist(), match.last.tolist()
        ([[2, 0, 1]], [2], [False])
        """
        self.dice[matches, seats] = np.where(forfeited, 0, self.dice[matches, seats] - 1)
        self.last[matches] = self.dice[matches, seats] == 1
        self.opener[matches] = _next_with_dice(self.dice[matches], seats)

    def going(self, matches: Ints) -> Ints:
        """Those of the matches that go on: several seats have dice."""
        left: Ints = matches[np.count_nonzero(self.dice[matches], axis=1) > 1]
        return left


def _next_with_dice(dice: Ints, seat: Ints) -> Ints:
    """For every match (row) the seat itself, or the next one after it that has dice."""
    players = dice.shape[1]
    following = (seat[:, None] + np.arange(players)) % players
    has = np.take_along_axis(dice, following, axis=1) > 0
    found: Ints = np.take_along_axis(following, has.argmax(axis=1)[:, None], axis=1)[:, 0]
    return found
