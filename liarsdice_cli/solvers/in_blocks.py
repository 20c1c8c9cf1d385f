"""The best response to a strategy of Liar's Dice for two players, by blocks of histories that it is asked after at once.

A block holds histories after which one player moves and one bid stands, with the weight of each of the strategy's rolls there:
its probability times that of the strategy's own bids. A bid leads from a block to another; histories to which the strategy
never comes are left out on the way. Histories that end in one of the low bids are gathered, all with one last bid and one
mover in one block, from the opening upwards. From there on a block is followed to the end of the bidding, depth first, so that
no more is held than the low bids need; the blocks are as large as the low bids made them. One pass asks the strategy once
after every history to which it comes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from liarsdice_cli.extensive.stream import Bools, Floats
from liarsdice_cli.games.bidding import OPENING, Bidding
from liarsdice_cli.games.liarsdice.histories import Histories, many
from liarsdice_cli.games.liarsdice.strategy import Strategy
from liarsdice_cli.solvers.best_response import BestValue, chances, check, exact_value, stand, too_large

MOST = 1 << 25
"""The most histories that are visited for a seat: all that there are with 24 bids."""
_TOGETHER = 1 << 17
"""Weights, histories times rolls, that a block has room for: what a processor keeps near at hand."""
_NOTHING: Callable[[int], None] = lambda histories: None  # noqa: E731


def best_value_in_blocks(
    strategy: Strategy,
    player: int,
    most_bids: int | None = None,
    advance: Callable[[int], None] = _NOTHING,
    most: int = MOST,
) -> BestValue:
    """What a player, from 0, wins at best against the other's part of a strategy; see `best_response.best_value`.

    most_bids : how often the player may bid, after which it calls, or None: then the response is a best one. A limited
                responder wins no more than a best response does
    advance   : called with the number of histories done, those to which nobody comes included
    most      : histories to visit

    Raises LiarsDiceError for other than two players, and BeyondReachError where the strategy comes to more histories. Cost:
    where it comes to many, half a microsecond a history with 21 rolls, and what the strategy takes to answer.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> from liarsdice_cli.games.liarsdice.strategy import Uniform
    >>> two = Uniform(rules("common", 2))
    >>> found = best_value_in_blocks(two, 0)
    >>> round(found.value, 6), found.positions, round(best_value_in_blocks(two, 0, most_bids=1).value, 6)
    (0.822917, 16, 0.791667)
    """
    check(strategy.rules)
    walk = _Walk(strategy, player, strategy.rules.bid_count if most_bids is None else most_bids, advance, most)
    value = walk.value()
    exact = exact_value(strategy.rules, value) if walk.pure else None
    return BestValue(value if exact is None else exact, walk.visited)


class _Piece(NamedTuple):
    """Histories to which a bid leads from some of a block.

    block   : from which it leads
    rows    : which of its histories: an index of them, or a slice of all
    bid     : its number
    weights : of the strategy's rolls after it, (rows, rolls)
    """

    block: _Block
    rows: Any
    bid: int
    weights: Floats


@dataclass(eq=False)
class _Block:
    """Histories with one last bid and one mover.

    made    : which bids have been made, (histories, bids)
    weights : of the strategy's rolls, (histories, rolls)
    values  : what the responder wins with each of its rolls, weighed so, as far as it is known: (histories, rolls)
    """

    player: int
    last: int
    made: Bools
    weights: Floats
    values: Floats = field(init=False)

    @classmethod
    def after(cls, pieces: Sequence[_Piece]) -> _Block:
        """All histories to which the pieces lead, which have one bid and one mover."""
        block, bid = pieces[0].block, pieces[0].bid
        made = np.concatenate([piece.block.made[piece.rows] for piece in pieces])
        made[:, bid] = True
        return cls(1 - block.player, bid, made, np.concatenate([piece.weights for piece in pieces]))


@dataclass(eq=False)
class _Walk:
    """The walk of `best_value_in_blocks`."""

    strategy: Strategy
    responder: int
    most_bids: int
    advance: Callable[[int], None]
    most: int
    pure: bool = True
    visited: int = 0

    @property
    def bidding(self) -> Bidding:
        """Which bids may be made when."""
        return self.strategy.rules.bidding

    @property
    def bids(self) -> int:
        """How many there are."""
        return self.bidding.bids

    @cached_property
    def stand(self) -> list[Floats]:
        """For each ending whether bids stand, by the strategy's rolls and the responder's: 1 or 0, (bids, rolls, rolls)."""
        rules, player = self.strategy.rules, self.responder
        return [np.ascontiguousarray(stand(rules, player, ending).transpose(0, 2, 1)) for ending in self.bidding.ends]

    def value(self) -> float:
        """The probability that the responder wins."""
        own, other = (chances(self.strategy.rules, seat) for seat in (self.responder, 1 - self.responder))
        opening = _Block(0, OPENING, np.zeros((1, self.bids), np.bool_), other[None, :])
        low = (_TOGETHER // max(len(own), len(other))).bit_length() - 1
        self._gather(opening, min(max(low, 0), self.bids))
        return float(opening.values[0] @ own)

    def _gather(self, opening: _Block, low: int) -> None:
        """Find the values of the opening; blocks are gathered up to the bid `low`, and followed to the end from there on."""
        gathered: list[tuple[_Block, list[_Piece]]] = [(opening, [])]
        waiting: dict[tuple[int, int], list[_Piece]] = defaultdict(list)
        for piece in self._pieces(opening):
            waiting[piece.bid, 1].append(piece)
        for last, player in product(range(self.bids), range(2)):
            pieces = waiting.pop((last, player), [])
            if not pieces:
                continue
            block = _Block.after(pieces)
            if last < low:
                gathered.append((block, pieces))
                for piece in self._pieces(block):
                    waiting[piece.bid, 1 - player].append(piece)
            else:
                self._follow(block)
                self._hand_back(block, pieces)
        for block, pieces in reversed(gathered):
            self._hand_back(block, pieces)

    def _follow(self, block: _Block) -> None:
        """Find the values of a block, depth first."""
        for piece in self._pieces(block):
            below = _Block.after([piece])
            self._follow(below)
            self._hand_back(below, [piece])

    def _hand_back(self, block: _Block, pieces: Sequence[_Piece]) -> None:
        """Tell the blocks before what a block's histories are worth: the responder takes the best, the strategy its mean."""
        first = 0
        for piece in pieces:
            values, to = block.values[first : first + len(piece.weights)], piece.block.values
            first += len(piece.weights)
            if piece.block.player == self.responder:
                to[piece.rows] = np.maximum(to[piece.rows], values)
            else:
                to[piece.rows] += values

    def _pieces(self, block: _Block) -> Iterator[_Piece]:
        """Begin with what a block's histories are worth by a call; yields where bids lead, those that are made at all."""
        self.visited += len(block.made)
        self.advance(len(block.made))
        if self.visited > self.most:
            raise too_large(self.strategy.rules, self.most)
        if block.player == self.responder:
            return self._responding(block)
        return self._asking(block)

    def _responding(self, block: _Block) -> Iterator[_Piece]:
        """The same where the responder moves, who may do everything that its limit allows."""
        if block.last == OPENING:
            block.values = np.zeros((1, self.stand[0].shape[2]))
        else:
            stands = np.min([block.weights @ stand[block.last] for stand in self.stand], axis=0)
            block.values = block.weights.sum(axis=1, keepdims=True) - stands
        may_bid = block.made.sum(axis=1) // 2 < self.most_bids
        for bid in self.bidding.following(block.last):
            yield from self._piece(block, bid, may_bid, block.weights)

    def _asking(self, block: _Block) -> Iterator[_Piece]:
        """The same where the strategy moves."""
        shares = self._shares(block)
        if block.last == OPENING:
            block.values = np.zeros((1, self.stand[0].shape[2]))
        else:
            ends = zip(shares, self.stand, strict=False)
            block.values = np.sum([share @ stand[block.last] for share, stand in ends], axis=0)
            shares = shares[self.bidding.endings :]
        for bid, weights in zip(self.bidding.following(block.last), shares, strict=True):
            yield from self._piece(block, bid, weights.any(axis=1), weights)

    def _shares(self, block: _Block) -> Floats:
        """What is left of the weights by each action: (actions, histories, rolls)."""
        if not self.bidding.decides(block.last):
            return block.weights[None]
        asked = Histories(self.strategy.rules, block.player, block.last, block.made, block.weights > 0)
        said = many(self.strategy, asked)
        self.pure = self.pure and not np.any((said != 0) & (said != 1))
        shares: Floats = np.empty((said.shape[1], *block.weights.shape))
        return np.multiply(said.transpose(1, 0, 2), block.weights, out=shares)

    def _piece(self, block: _Block, bid: int, goes_on: Bools, weights: Floats) -> Iterator[_Piece]:
        """Those histories that a bid leads on from, if there are any."""
        left_out = len(goes_on) - int(np.count_nonzero(goes_on))
        if left_out:
            self.advance(left_out << (self.bidding.stop(bid) - 1 - bid))
        if left_out < len(goes_on):
            rows = np.flatnonzero(goes_on) if left_out else slice(None)
            yield _Piece(block, rows, bid, weights[rows])
