"""The batched search of the betting histories for a best response; `best_response` has the functions that run it.

A batch holds histories with one last bid and one player to move, and the reach probability of each roll of the strategy. That
is the roll's probability times those of the strategy's own bids. Histories that the strategy never reaches are pruned.

From the opening upwards, all histories with one last bid and one player to move are collected into one batch. When the room for
such batches is used up, the search follows each further batch to the end of the bidding, depth first.

If the strategy depends only on its roll and the last bid, histories of a batch with equal reach probabilities have equal
continuations. They can be merged into one position, which brings games within reach that have far too many histories.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from math import inf
from typing import Any, NamedTuple

import numpy as np

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.stream import Bools, Floats, Ints
from liarsdice_cli.games.bidding import OPENING, Bidding
from liarsdice_cli.games.liarsdice.beliefs import priors
from liarsdice_cli.games.liarsdice.histories import Histories, probabilities_at
from liarsdice_cli.games.liarsdice.matching import standing_table
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.sentences import smaller
from liarsdice_cli.games.liarsdice.strategy import Strategy
from liarsdice_cli.progress import SILENT, Progress
from liarsdice_cli.strategies.combined import LastBidOnly
from liarsdice_cli.text import counted

MAX_POSITIONS = 500_000
"""Default limit of the positions that a search visits."""
ROOM = 1 << 17
"""Numbers (histories times rolls) in the collected batches: about what fits into a processor's cache."""
_ONE_THREAD = 1 << 17
"""The most multiplications in a product that OpenBLAS leaves to one thread (it shares from 2^18 on)."""
_TIE = 1e-13
"""Values that differ by less are equal: the order of additions, which depends on the processor, can make them differ."""
_MAX_BIDS = 300
"""Most bids in a game: the search recurses once for each."""
_MAX_SHOWDOWNS = 30_000_000
"""Most combinations of a bid and the rolls of both players."""


class BeyondReachError(LiarsDiceError):
    """The game is too large for a search."""


def with_coalition(rules: Rules, seat: int) -> Rules:
    """Return the same bids for two players: the coalition with all dice of the others, and the player in a seat."""
    return replace(rules, dice=(sum(rules.dice) - rules.dice[seat], rules.dice[seat]))


def check_size(rules: Rules) -> None:
    """Raise BeyondReachError if the bids or rolls of a game are too many for any search."""
    showdowns = rules.bid_count * rules.roll_count(0) * rules.roll_count(1)
    if rules.bid_count > _MAX_BIDS or showdowns > _MAX_SHOWDOWNS:
        raise _too_large(rules, MAX_POSITIONS)


def _too_large(rules: Rules, max_positions: int) -> BeyondReachError:
    histories, rolls = counted(rules.bidding.history_count), counted(rules.roll_count(0) * rules.roll_count(1))
    return BeyondReachError(
        f"a best response in {rules} cannot be computed: {histories} betting histories (the limit is {max_positions:,}) "
        f"and {rolls} pairs of rolls; ",
        *smaller(rules),
    )


def _product(rows: Floats, table: Floats) -> Floats:
    """Return the product of many rows with a small matrix, in parts that OpenBLAS computes on one thread.

    For such matrices its threads wait for each other longer than they work, and on a busy machine many times as long.
    """
    part = max(1, _ONE_THREAD // table.size)
    found: Floats = np.empty((len(rows), table.shape[1]))
    whole = len(rows) // part * part
    if whole:
        np.matmul(rows[:whole].reshape(-1, part, rows.shape[1]), table, out=found[:whole].reshape(-1, part, table.shape[1]))
    np.matmul(rows[whole:], table, out=found[whole:])
    return found


@dataclass(eq=False)
class _Batch:
    """Histories with one last bid and one player to move.

    player  : player to move, from 0
    last    : number of the last bid, or OPENING
    made    : which bids have been made, (histories, bids); merged histories are represented by any one of them
    reach   : reach probabilities of the strategy's rolls, (histories, rolls)
    values  : probability that the responder wins with each of its rolls, times the reach probabilities, as far as it is
              known: (histories, responder's rolls)
    choices : row of the responder's best action so far, shaped as `values`; only kept for a best response
    """

    player: int
    last: int
    made: Bools
    reach: Floats
    values: Floats = field(init=False)
    choices: Ints | None = None


class _Step(NamedTuple):
    """One bid after some histories of a batch.

    parent : the batch
    rows   : index of the histories in the batch
    bid    : number of the bid
    action : row of the bid in `BettingState.actions`
    reach  : reach probabilities after the bid, (histories, rolls)
    keys   : each row of `reach` as bytes, if positions are merged
    """

    parent: _Batch
    rows: Any
    bid: int
    action: int
    reach: Floats
    keys: list[bytes] | None


class _Link(NamedTuple):
    """The histories of a parent batch to whose values a batch's values are backed up.

    parent      : the batch before
    parent_rows : index of the histories in it
    action      : row of the bid between them in `BettingState.actions`
    rows        : index, in the batch, of the history after each
    """

    parent: _Batch
    parent_rows: Any
    action: int
    rows: Any


@dataclass(eq=False)
class _Arrivals:
    """Histories with one last bid and one player to move, on their way into one batch.

    count    : number of positions
    distinct : the row of each distinct `_Step.keys`, if positions are merged
    """

    count: int = 0
    distinct: dict[bytes, int] = field(default_factory=dict)
    made: list[Bools] = field(default_factory=list)
    reach: list[Floats] = field(default_factory=list)
    links: list[_Link] = field(default_factory=list)

    def add(self, step: _Step) -> int:
        """Add the histories after a bid; return the number of new positions."""
        before = self.count
        rows: Any
        if step.keys is None:
            self.count += len(step.reach)
            rows = slice(before, self.count)
            self.made.append(step.parent.made[step.rows])
            self.reach.append(step.reach)
        else:
            distinct = self.distinct
            rows = np.array([distinct.setdefault(key, len(distinct)) for key in step.keys])
            self.count = len(distinct)
            self.made = [step.parent.made[:1]]
        self.links.append(_Link(step.parent, step.rows, step.action, rows))
        return self.count - before

    def batch(self, player: int, last: int) -> _Batch:
        """Return the batch of everything that was added."""
        made = np.concatenate(self.made)
        made[:, last] = True
        if self.distinct:
            made = np.broadcast_to(made, (self.count, made.shape[1]))
            reach: Floats = np.frombuffer(b"".join(self.distinct)).reshape(self.count, -1)
        else:
            reach = self.reach[0] if len(self.reach) == 1 else np.concatenate(self.reach)
        return _Batch(player, last, made, reach)


@dataclass(eq=False)
class BettingSearch:
    """The search for a best response to a strategy in one seat.

    strategy      : the strategy
    seat          : its player, from 0; all others respond, as a coalition if there are several
    max_positions : limit of the positions to visit
    merge         : whether the strategy depends only on the roll and the last bid, so that histories with equal
                    continuations are one position
    opponent_max_bids     : see `best_response_value`
    progress      : see `best_response_value`
    choices       : filled with `BestResponse.choices` if given
    pure          : whether every probability that the strategy returned was 0 or 1
    visited       : number of positions visited
    """

    strategy: Strategy
    seat: int
    max_positions: int
    merge: bool = False
    opponent_max_bids: int | None = None
    progress: Progress = SILENT
    choices: dict[tuple[int, ...], Ints] | None = None
    pure: bool = True
    visited: int = 0

    def __post_init__(self) -> None:
        if self.merge:
            self.strategy = LastBidOnly(self.strategy)

    @cached_property
    def pair(self) -> Rules:
        """The game as one of two players: the responder, and the strategy's player."""
        return with_coalition(self.strategy.rules, self.seat)

    @cached_property
    def bidding(self) -> Bidding:
        """Which bids may be made when."""
        return self.strategy.rules.bidding

    @cached_property
    def stands(self) -> list[Floats]:
        """1 if a bid stands against each final action, otherwise 0: arrays (bids, the strategy's rolls, responder's rolls)."""
        tables = (standing_table(self.pair, ending) for ending in self.bidding.final_actions)
        return [np.ascontiguousarray(table.transpose(0, 2, 1), np.float64) for table in tables]

    def value(self) -> float:
        """Return the probability that the responder wins."""
        own, reach = priors(self.pair)
        opening = _Batch(0, OPENING, np.zeros((1, self.bidding.bids), np.bool_), reach[None, :])
        self._count(1)
        self._collect(opening)
        return float(opening.values[0] @ own)

    def _collect(self, opening: _Batch) -> None:
        """Find the values of the opening, with batches collected from the lowest last bid upwards."""
        expanded: list[tuple[_Batch, list[_Link]]] = []
        waiting: dict[tuple[int, int], _Arrivals] = defaultdict(_Arrivals)
        players, room = self.strategy.rules.players, inf if self.merge else ROOM

        def expand(batch: _Batch, links: list[_Link]) -> None:
            expanded.append((batch, links))
            for step in self._expand(batch):
                self._count(waiting[step.bid, (batch.player + 1) % players].add(step))
            if self.merge:
                batch.reach = batch.reach[:0]  # saves memory: from here on the values are enough

        expand(opening, [])
        for last, player in product(range(self.bidding.bids), range(players)):
            if (last, player) not in waiting:
                continue
            arrivals = waiting.pop((last, player))
            batch = arrivals.batch(player, last)
            size = len(batch.reach) * max(self.pair.roll_count(0), self.pair.roll_count(1))
            if size <= room:
                room -= size
                expand(batch, arrivals.links)
            else:
                self._follow(batch)
                self._back_up(batch, arrivals.links)
        for batch, links in reversed(expanded):
            self._back_up(batch, links)

    def _follow(self, batch: _Batch) -> None:
        """Find the values of a batch, depth first."""
        for step in self._expand(batch):
            arrivals = _Arrivals()
            self._count(arrivals.add(step))
            below = arrivals.batch((batch.player + 1) % self.strategy.rules.players, step.bid)
            self._follow(below)
            self._back_up(below, arrivals.links)

    def _count(self, positions: int) -> None:
        self.visited += positions
        if self.visited > self.max_positions:
            raise _too_large(self.pair, self.max_positions)

    def _back_up(self, batch: _Batch, links: list[_Link]) -> None:
        """Add a batch's final values to those of its parents: the responder maximises, the strategy averages."""
        if batch.choices is not None and self.choices is not None:
            self.choices.update(zip(self._histories(batch), batch.choices, strict=True))
        for parent, parent_rows, action, rows in links:
            values = batch.values[rows]
            if parent.player == self.seat:
                parent.values[parent_rows] += values
                continue
            so_far = parent.values[parent_rows]
            if parent.choices is not None:
                choices = parent.choices[parent_rows]
                first = np.where(values >= so_far - _TIE, np.minimum(choices, action), choices)
                parent.choices[parent_rows] = np.where(values > so_far + _TIE, action, first)
            parent.values[parent_rows] = np.maximum(so_far, values)

    def _expand(self, batch: _Batch) -> Iterator[_Step]:
        """Set a batch's values to those of ending the round; yield the bids that are made, with their reach probabilities."""
        if not self.merge:
            self.progress.advance(len(batch.made))
        return self._respond(batch) if batch.player != self.seat else self._ask(batch)

    def _respond(self, batch: _Batch) -> Iterator[_Step]:
        """Expand a batch in which the responder moves."""
        batch.values = np.zeros((len(batch.made), self.pair.roll_count(0)))
        if self.choices is not None:
            batch.choices = np.zeros(batch.values.shape, np.int64)
        if batch.last != OPENING and (batch.player - 1) % self.strategy.rules.players == self.seat:
            total = batch.reach.sum(axis=1, keepdims=True)
            ended = [total - _product(batch.reach, stands[batch.last]) for stands in self.stands]
            batch.values = ended[0] if len(ended) == 1 else np.max(ended, axis=0)
            if batch.choices is not None and len(ended) > 1:
                batch.choices = (np.array(ended) >= batch.values - _TIE).argmax(axis=0)
        rows: Any = slice(None)
        if self.opponent_max_bids is not None:
            rows = np.flatnonzero(batch.made.sum(axis=1) // 2 < self.opponent_max_bids)
        reach = batch.reach[rows]
        keys = self._keys(reach)
        for action, bid in enumerate(self.bidding.following(batch.last), self._endings(batch)):
            self._prune(len(batch.made) - len(reach), bid)
            if len(reach):
                yield _Step(batch, rows, bid, action, reach, keys)

    def _ask(self, batch: _Batch) -> Iterator[_Step]:
        """Expand a batch in which the strategy moves."""
        reach = self._reach(batch)
        endings = self._endings(batch)
        batch.values = np.zeros((len(batch.made), self.pair.roll_count(0)))
        for ended, stands in zip(reach[:endings], self.stands, strict=False):
            batch.values += _product(ended, stands[batch.last])
        made: Bools = np.any(reach[endings:], axis=2)
        counts = np.count_nonzero(made, axis=1).tolist()
        for place, (bid, count) in enumerate(zip(self.bidding.following(batch.last), counts, strict=True)):
            self._prune(len(batch.made) - count, bid)
            if count:
                rows: Any = np.flatnonzero(made[place]) if count < len(batch.made) else slice(None)
                after = reach[endings + place, rows]
                yield _Step(batch, rows, bid, endings + place, after, self._keys(after))

    def _reach(self, batch: _Batch) -> Floats:
        """Return the reach probabilities after each of the strategy's actions: (actions, histories, rolls)."""
        if not self.bidding.has_choice(batch.last):
            return batch.reach[None]
        answer = probabilities_at(self.strategy, self._histories(batch))
        self.pure = self.pure and not np.any((answer != 0) & (answer != 1))
        reach: Floats = np.empty((answer.shape[1], *batch.reach.shape))
        return np.multiply(answer.transpose(1, 0, 2), batch.reach, out=reach)

    def _histories(self, batch: _Batch) -> Histories:
        return Histories(self.strategy.rules, batch.player, batch.last, batch.made, batch.reach > 0)

    def _keys(self, reach: Floats) -> list[bytes] | None:
        """Return what is equal for histories that are merged; None if positions are not merged."""
        return [row.tobytes() for row in reach] if self.merge else None

    def _endings(self, batch: _Batch) -> int:
        """Return the number of actions that end the round."""
        return 0 if batch.last == OPENING else self.bidding.final_action_count

    def _prune(self, histories: int, bid: int) -> None:
        """Report the histories after a bid, and all that follow them, as done."""
        if histories and not self.merge:
            self.progress.advance(histories * self.bidding.subtree_histories(bid))
