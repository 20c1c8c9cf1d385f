"""Checks of the columns of a shard that is read: compiled code indexes arrays by them, and a best response relies on them."""

from __future__ import annotations

import numpy as np

from liarsdice_cli.extensive.stream import Ints
from liarsdice_cli.games.bidding import OPENING, Bidding
from liarsdice_cli.strategies.shard import BID, CHILD, LAST_BID, NONE

_TOGETHER = 1 << 12
"""Histories that are checked at a time."""


def check_columns(bidding: Bidding, states: Ints, columns: Ints, owner: Ints, all_bids: bool) -> None:
    """Raise ValueError unless the columns of every history are the final actions and the bids that its mover may need.

    states   : the last bid and the mover of every history: (histories, 2)
    columns  : `Shard.columns`: (columns, 4)
    owner    : the history of every column: (columns)
    all_bids : whether every legal bid must have a column
    """
    endings = np.where(states[:, LAST_BID] == OPENING, 0, bidding.final_action_count)
    place = _place_among_equals(owner)
    ends = place < endings[owner]
    if np.any(columns[ends, BID] != states[owner[ends], LAST_BID]) or np.any(columns[ends, CHILD] != NONE):
        raise ValueError("a final action is missing")
    if np.any(np.bincount(owner, minlength=len(states)) < np.maximum(1, endings)):
        raise ValueError("a history without an action")
    opens = (place == 0) & (states[owner, LAST_BID] == OPENING)
    if np.any(columns[opens, BID] != bidding.openings[0]):
        raise ValueError("the lowest bid of the opening is not its first action")
    bids = columns[~ends]
    within(bids[:, BID], 0, bidding.bids - 1)
    order = np.argsort(owner[~ends] * bidding.bids + bids[:, BID], kind="stable")
    history, bid, child = owner[~ends][order], bids[order, BID], bids[order, CHILD]
    if np.any(np.diff(history * bidding.bids + bid) == 0):
        raise ValueError("a bid twice")
    for first in range(0, len(states), _TOGETHER):
        some = slice(*np.searchsorted(history, [first, first + _TOGETHER]))
        _check_bids(
            bidding, states[first : first + _TOGETHER, LAST_BID], history[some] - first, bid[some], child[some], all_bids
        )


def _check_bids(bidding: Bidding, last: Ints, history: Ints, bid: Ints, child: Ints, all_bids: bool) -> None:
    """Raise ValueError unless the bids of some histories are legal, and those that may be needed are there."""
    bids, there = np.arange(bidding.bids), np.zeros((len(last), bidding.bids), np.bool_)
    expanded = np.zeros_like(there)
    there[history, bid], expanded[history, bid] = True, child != NONE
    legal = bidding.can_follow[last]
    if np.any(there & ~legal):
        raise ValueError("a bid that there is not")
    if np.any(expanded & ~np.array([bidding.has_choice(one) for one in range(bidding.bids)])):
        raise ValueError("a history without a choice")
    faces = np.array(bidding.faces or bids)
    for face in np.unique(faces):
        own = np.flatnonzero(faces == face)
        needless = np.logical_or.accumulate(there[:, own] & ~expanded[:, own], axis=1)
        if np.any(legal[:, own] & ~there[:, own] & ~(needless & (not all_bids))):
            raise ValueError("a bid is missing")


def _place_among_equals(keys: Ints) -> Ints:
    """Return how many equal keys stand before each."""
    order = np.argsort(keys, kind="stable")
    starts = np.flatnonzero(np.diff(keys[order], prepend=-1))
    places = np.arange(len(keys)) - np.repeat(starts, np.diff(starts, append=len(keys)))
    found = np.empty(len(keys), np.int64)
    found[order] = places
    return found


def within(numbers: Ints, least: int, most: int) -> None:
    """Raise ValueError unless all numbers lie within their range."""
    if len(numbers) and not least <= numbers.min() <= numbers.max() <= most:
        raise ValueError("a number is out of its range")
