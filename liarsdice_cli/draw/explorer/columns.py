"""The numbers of an explorer page: four tables over all short histories, and how they are packed into text."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any, NamedTuple

import numpy as np

from liarsdice_cli.extensive.stream import Floats, Ints, Numbers
from liarsdice_cli.formats.numbers import exact_text
from liarsdice_cli.games.liarsdice import beliefs
from liarsdice_cli.games.liarsdice.beliefs import RollsAfter
from liarsdice_cli.games.liarsdice.continuations import Continuations
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.progress import SILENT, Progress


class Tables(NamedTuple):
    """The numbers of a page, with a row for each history and a column for each roll of one player.

    Short histories come first. Those of one length are ordered by their bit masks. The place of a history is then a sum of
    binomial coefficients (the combinatorial number system), which the script computes. Sets of bids that are not a history have
    rows too; these are not read.

    ends, end_values : the probability and the value of each final action (a call, and spot-on if it is played), for the
                       rolls of the mover; histories up to the page's depth, one table after the other
    bids, bid_values : the probability and the value of the last bid, for the rolls of its bidder; histories up to one bid more
    """

    ends: Floats
    end_values: Floats
    bids: Floats
    bid_values: Floats


@dataclass(frozen=True)
class OneByOne:
    """Readings of a game that is too large to traverse: each one is computed separately.

    after    : returns the reading after the bids with these numbers, which rise
    progress : counts the histories that are read
    """

    rules: Rules
    after: Callable[[Sequence[int]], RollsAfter]
    progress: Progress = SILENT


Readings = Continuations | OneByOne
"""The sources of a page's numbers."""


def histories(rules: Rules, depth: int) -> int:
    """Return the number of histories of at most `depth` bids.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> histories(rules("common", 6, (2, 2)), 4)
    12951
    """
    return sum(comb(rules.bid_count, length) for length in range(depth + 1))


def numbers(rules: Rules, depth: int) -> int:
    """Return the number of numbers on a page of this depth.

    There are four for each history and roll, or six if spot-on is played. The deepest histories have two: only their last
    bid is shown.
    """
    shown = (2 + 2 * rules.bidding.final_action_count) * histories(rules, depth) + 2 * comb(rules.bid_count, depth + 1)
    return shown * beliefs.most_rolls(rules)


def tables(readings: Readings, depth: int) -> Tables:
    """Return the four tables of all histories of at most `depth` bids; an unknown value is nan.

    Cost: one reading for each history with `OneByOne`, otherwise a few steps on whole columns.
    """
    return _at_once(readings, depth) if isinstance(readings, Continuations) else _gathered(readings, depth)


def _at_once(everything: Continuations, depth: int) -> Tables:
    shown, bids = _short(everything, depth), _short(everything, depth + 1)
    ends, end_values = (one[:, shown] for one in (everything.endings, everything.ending_values))
    return Tables(ends, end_values, everything.bids[bids], everything.bid_values[bids])


def _short(everything: Continuations, depth: int) -> Ints:
    """Return the rows of the histories of at most `depth` bids, short ones first."""
    order = np.argsort(everything.length, kind="stable")
    found: Ints = order[everything.length[order] <= depth]
    return found


def _gathered(readings: OneByOne, depth: int) -> Tables:
    rules, wide = readings.rules, beliefs.most_rolls(readings.rules)
    place = {history: row for row, history in enumerate(_in_order(rules, depth + 1))}
    count = rules.bidding.final_action_count
    ends, end_values = np.zeros((2, count, histories(rules, depth), wide))
    bids, bid_values = np.zeros((2, len(place), wide))
    end_values[:], bid_values[:] = np.nan, np.nan
    for history in _in_order(rules, depth):
        readings.progress.advance()
        if not rules.bidding.allows(history):
            continue
        reading = readings.after(history)
        own = slice(reading.probabilities.shape[1])
        shares = reading.probabilities
        values = np.full(shares.shape, np.nan) if reading.values is None else reading.values
        if history:
            ends[:, place[history], own], end_values[:, place[history], own] = shares[:count], values[:count]
            shares, values = shares[count:], values[count:]
        later = [place[*history, bid] for bid in rules.bidding.following(BettingState(rules, history).last_bid)]
        bids[later, own], bid_values[later, own] = shares, values
    return Tables(ends, end_values, bids, bid_values)


def _in_order(rules: Rules, depth: int) -> Iterator[tuple[int, ...]]:
    """Yield the histories in the order of the rows: by rising masks, in which the highest bid counts most."""
    for length in range(min(depth, rules.bid_count) + 1):
        yield from sorted(combinations(range(rules.bid_count), length), key=lambda history: history[::-1])


def packed(unpacked: Tables) -> str:
    """Return the numbers as floats of 32 bits, deflated, in base64."""
    return _deflated(b"".join(table.astype("<f4").tobytes() for table in unpacked))


class InFractions(NamedTuple):
    """The numbers of a page in fractions, deflated, in base64.

    columns  : for every number its index among the numerals, in 16 bits if there are at most 2^16 numerals, otherwise in 32.
               A fifth table, of the shape of the third, follows the four others. For histories that the last bidder reaches
               only by mistake it has the relative probabilities of that player's rolls, for all other histories 0
    numerals : each fraction once, as Python writes it, with spaces between; an empty one stands for an unknown number
    """

    columns: str
    numerals: str

    @classmethod
    def of(cls, everything: Continuations, depth: int) -> InFractions:
        """Return the numbers of all histories of at most `depth` bids."""
        places: dict[str, int] = {}
        arrays: Iterable[Any] = (*_at_once(everything, depth), _mistakes(everything, depth))
        texts = ("" if number is None else exact_text(number) for array in arrays for number in array.flat)
        found = [places.setdefault(text, len(places)) for text in texts]
        columns = np.array(found, "<u2" if len(places) <= 1 << 16 else "<u4")
        return cls(_deflated(columns.tobytes()), _deflated(" ".join(places).encode()))


def _mistakes(everything: Continuations, depth: int) -> Numbers:
    rows = _short(everything, depth + 1)
    bidder = (everything.length[rows] - 1) % len(everything.players)
    return np.where(everything.by_mistake[rows][:, None], everything.reaches[bidder, rows], 0)


def _deflated(raw: bytes) -> str:
    return base64.b64encode(zlib.compress(raw, 9)).decode()
