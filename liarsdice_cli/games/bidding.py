"""Which bids may be made when: the one definition of it, for the rules, the tree, the public tree, bots and pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from liarsdice_cli.extensive.after_history import InfosetReport, SetsAfter
    from liarsdice_cli.extensive.number import Number
    from liarsdice_cli.extensive.stream import Bools, Ints

OPENING = -1
"""The last bid where there is none."""
CALL, SPOT_ON = FINAL_ACTIONS = -1, -2
"""What ends the bidding, among actions that are otherwise the numbers of bids; all games have the first."""
FINAL_ACTION_NAMES = ("call", "spot-on")
"""How they are written."""


@dataclass(frozen=True)
class Bidding:
    """N bids, numbered from 0 as they rise. Some can open; after a bid come higher ones of its run, or it is ended.

    bids     : N
    openings : the numbers of the bids that can open, rising
    run      : how many bids in turn a run has: N where every higher bid may follow
    endings  : how many of `FINAL_ACTIONS` there are after every bid: a call, and perhaps the claim that it is spot-on

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

    @classmethod
    def free(cls, bids: int, final_action_count: int = 1) -> Bidding:
        """Every bid can open, and be followed by every higher one."""
        return cls(bids, range(bids), bids, final_action_count)

    @property
    def is_free(self) -> bool:
        """Whether a history is any set of bids."""
        return len(self.openings) == self.bids == self.group_size

    @property
    def final_actions(self) -> tuple[int, ...]:
        """The actions that end the bidding."""
        return FINAL_ACTIONS[: self.final_action_count]

    def stop(self, last: int) -> int:
        """The number of the first bid that is too high to follow the last one."""
        return self.bids if last == OPENING else last - last % self.group_size + self.group_size

    def following(self, last: int) -> Sequence[int]:
        """The numbers of the bids that may follow the last one, rising."""
        return self.openings if last == OPENING else range(last + 1, self.stop(last))

    def has_choice(self, last: int) -> bool:
        """Whether who moves after a last bid has a choice: where not, nothing can follow but a call."""
        return self.actions(last) > 1

    def allows(self, history: Sequence[int]) -> bool:
        """Whether these rising bids are a history."""
        return all(bid in self.following(last) for last, bid in pairwise([OPENING, *history]))

    def actions(self, last: int) -> int:
        """How many actions there are: the bids that may follow, and after the opening the endings."""
        return len(self.openings) if last == OPENING else self.stop(last) - last - 1 + self.final_action_count

    def action_index(self, action: int) -> int:
        """Where an action stands among all that there are: those that end the bidding, then every bid.

        >>> [Bidding.free(3, final_action_count=2).action_index(action) for action in (CALL, SPOT_ON, 0)]
        [0, 1, 2]
        """
        return self.final_action_count + action if action >= 0 else CALL - action

    def child_slots(self, last: int) -> int:
        """For how many of the bids from the next one on there may be more to keep: all after which there is a choice.

        The last bid of a run has none after it, unless it may be said to be spot-on. In the opening from bid 0 on.
        """
        return self.stop(last) - 1 - last - (self.final_action_count == 1)

    def subtree_histories(self, bid: int) -> int:
        """How many histories begin with a bid, itself included: 2^k with k bids after it in its run."""
        return 1 << self.stop(bid) - bid - 1

    @property
    def history_count(self) -> int:
        """The number of histories, the opening included: 2^N where the bidding is free."""
        return 1 << self.bids if self.is_free else 1 + sum(map(self.subtree_histories, self.openings))

    @cached_property
    def stops(self) -> Ints:
        """`stop` of every bid, and at the end, where -1 finds it, that of the opening."""
        import numpy as np  # rules are made without it

        return np.array([*map(self.stop, range(self.bids)), self.bids])

    @cached_property
    def can_open(self) -> Bools:
        """Whether a bid can open."""
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
        """A history and all that can follow it, of at most so many bids, in prefix order.

        >>> list(Bidding(4, (0, 2), group_size=2).histories())
        [(), (0,), (0, 1), (2,), (2, 3)]
        """
        yield history
        if most is None or len(history) < most:
            for bid in self.following(history[-1] if history else OPENING):
                yield from self.histories(most, (*history, bid))


def last_bid_true(page: SetsAfter, row: InfosetReport) -> Number | None:
    """Return the probability that the last bid is true, so that a call loses.

    page : the information sets after the history; row is one of them

    None if play does not reach the set, or its first action is not a call that ends the game.
    """
    return row.first_action_loses if page.actions[0] == FINAL_ACTION_NAMES[0] else None
