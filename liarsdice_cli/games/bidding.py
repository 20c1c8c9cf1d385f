"""The legal bids after each bid: the one definition, used by the rules, the trees, the bots and the pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from liarsdice_cli.extensive.stream import Bools, Ints

OPENING = -1
"""Stands for the last bid before any bid has been made."""
CALL, SPOT_ON = FINAL_ACTIONS = -1, -2
"""The actions that end the bidding. All other actions are the numbers of bids. Every game has a call."""
FINAL_ACTION_NAMES = ("call", "spot-on")
"""The names of the final actions."""


@dataclass(frozen=True)
class Bidding:
    """N bids, numbered from 0 in rising order, and which of them are legal after which.

    Only some bids may open. After a bid, the higher bids of its group are legal, and so are the final actions.

    bids               : N
    openings           : the numbers of the bids that may open, rising
    group_size         : consecutive bids in a group; N if every higher bid is legal
    final_action_count : how many of `FINAL_ACTIONS` are legal after a bid: 1 for a call, 2 with spot-on
    faces              : the face of each bid; whenever a bid is true, so are the lower ones on its face. Empty if bids cannot
                         be compared

    >>> Bidding.free(3).following(OPENING), Bidding.free(3).following(0)
    (range(0, 3), range(1, 3))
    >>> runs = Bidding(6, (0, 1, 3), group_size=3)
    >>> list(runs.following(3)), runs.actions(OPENING), runs.actions(3), runs.has_choice(5)
    ([4, 5], 3, 3, False)
    """

    bids: int
    openings: Sequence[int]
    group_size: int
    final_action_count: int = 1
    faces: Sequence[int] = ()

    @classmethod
    def free(cls, bids: int, final_action_count: int = 1, faces: Sequence[int] = ()) -> Bidding:
        """Return a bidding in which every bid may open and every higher bid may follow."""
        return cls(bids, range(bids), bids, final_action_count, faces)

    @property
    def is_free(self) -> bool:
        """Whether every set of bids is a history."""
        return len(self.openings) == self.bids == self.group_size

    @property
    def final_actions(self) -> tuple[int, ...]:
        """The actions that end the bidding."""
        return FINAL_ACTIONS[: self.final_action_count]

    def stop(self, last: int) -> int:
        """Return the number of the first bid that is too high to follow the last one."""
        return self.bids if last == OPENING else last - last % self.group_size + self.group_size

    def following(self, last: int) -> Sequence[int]:
        """Return the numbers of the legal bids after the last one, rising."""
        return self.openings if last == OPENING else range(last + 1, self.stop(last))

    def has_choice(self, last: int) -> bool:
        """Return whether the player to move has a choice; if not, a call is the only action."""
        return self.actions(last) > 1

    def allows(self, history: Sequence[int]) -> bool:
        """Return whether these rising bids are a history."""
        return all(bid in self.following(last) for last, bid in pairwise([OPENING, *history]))

    def actions(self, last: int) -> int:
        """Return the number of legal actions: the bids that may follow and, after the opening, the final actions."""
        return len(self.openings) if last == OPENING else self.stop(last) - last - 1 + self.final_action_count

    def column_bids(self, last: int) -> list[int]:
        """Return for each legal action the bid that it makes; a final action has the number of the last bid.

        >>> Bidding.free(3).column_bids(1), Bidding.free(3).column_bids(OPENING)
        ([1, 2], [0, 1, 2])
        """
        endings = [] if last == OPENING else [last] * self.final_action_count
        return [*endings, *self.following(last)]

    def action_index(self, action: int) -> int:
        """Return the position of an action among all actions of the game: the final actions first, then every bid.

        >>> [Bidding.free(3, final_action_count=2).action_index(action) for action in (CALL, SPOT_ON, 0)]
        [0, 1, 2]
        """
        return self.final_action_count + action if action >= 0 else CALL - action

    def lowest(self, last: int) -> list[int]:
        """Return the lowest legal bid on each face after the last one, rising.

        >>> Bidding.free(6, faces=(0, 1, 0, 1, 0, 1)).lowest(1), Bidding.free(3).lowest(0)
        ([2, 3], [1, 2])
        """
        found: dict[int, int] = {}
        for bid in self.following(last):
            found.setdefault(self.faces[bid] if self.faces else bid, bid)
        return list(found.values())

    @cached_property
    def next_on_face(self) -> Ints:
        """For every bid, the next higher one on its face, or -1."""
        import numpy as np

        found, above = np.full(self.bids, -1), dict[int, int]()
        for bid in reversed(range(self.bids)):
            face = self.faces[bid] if self.faces else bid
            found[bid] = above.get(face, -1)
            above[face] = bid
        return found

    def subtree_histories(self, bid: int) -> int:
        """Return the number of histories that begin with a bid, itself included: 2^k with k higher bids in its group."""
        return 1 << self.stop(bid) - bid - 1

    @property
    def history_count(self) -> int:
        """The number of histories, the opening included: 2^N if the bidding is free."""
        return 1 << self.bids if self.is_free else 1 + sum(map(self.subtree_histories, self.openings))

    @cached_property
    def stops(self) -> Ints:
        """`stop` of every bid. The last entry, which index -1 finds, is that of the opening."""
        import numpy as np  # rules are made without it

        return np.array([*map(self.stop, range(self.bids)), self.bids])

    @cached_property
    def can_open(self) -> Bools:
        """Whether each bid may open."""
        import numpy as np

        found = np.zeros(self.bids, np.bool_)
        found[list(self.openings)] = True
        return found

    @cached_property
    def can_follow(self) -> Bools:
        """Whether a bid (column) may follow a last bid (row); the last row is the opening. N^2 bytes."""
        import numpy as np

        bid, last = np.arange(self.bids), np.arange(self.bids)[:, None]
        return np.vstack([(bid > last) & (bid < self.stops[:-1, None]), self.can_open])

    def histories(self, most: int | None = None, history: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
        """Yield a history and all its continuations of at most `most` bids, in prefix order.

        >>> list(Bidding(4, (0, 2), group_size=2).histories())
        [(), (0,), (0, 1), (2,), (2, 3)]
        """
        yield history
        if most is None or len(history) < most:
            for bid in self.following(history[-1] if history else OPENING):
                yield from self.histories(most, (*history, bid))
