"""The nodes of the tree of Liar's Dice, in blocks, between any two positions of the tree.

Chance moves deal the dice. Below every deal lies the same betting tree (`betting.py`); only the information sets and the
outcomes of the calls differ. A block is therefore made once, and then filled in for every deal from small tables. Nothing
larger than a block is held in memory.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import prod
from typing import Any, NamedTuple

import numpy as np

from liarsdice_cli.extensive.stream import BLOCK, CHANCE, NONE, TERMINAL, Actions, Block, Bools, Ints, Texts
from liarsdice_cli.games.liarsdice.betting import Betting, Extensions, HistoryRange
from liarsdice_cli.games.liarsdice.matching import matching_table
from liarsdice_cli.games.liarsdice.rules import Roll, Rules

_WORDS: Texts = np.array(["opening", "after"], object)
"""The words in the label of an information set before its bids: in the opening, and after bids."""


class _PlayerDeals:
    """The deals of one player's dice: the index of every branch's roll, and whether the branch is the first with that roll."""

    def __init__(self, rules: Rules, player: int, ordered: bool) -> None:
        rolls = rules.rolls(player)
        faces = range(1, rules.sides + 1)
        dice: list[Roll] = list(product(faces, repeat=rules.dice[player])) if ordered else [roll for roll, _ in rolls]
        row = {roll: index for index, (roll, _) in enumerate(rolls)}
        probability = dict(rolls)
        whole = Fraction(1, len(dice))
        self.labels = [rules.roll_label(roll) for roll in dice]
        self.probabilities = [whole if ordered else probability[roll] for roll in dice]
        self.roll: Ints = np.array([row[tuple(sorted(roll))] for roll in dice], np.int64)
        self.first: Bools = np.zeros(len(dice), bool)
        self.first[np.unique(self.roll, return_index=True)[1]] = True
        self.roll_labels = [rules.roll_label(roll) for roll, _ in rolls]
        self.matching: Ints = np.ascontiguousarray(matching_table(rules, player).T)


class _Nodes(NamedTuple):
    """The nodes of a table of extensions in columns, each history before its final actions; the same below every deal.

    player  : the player to move, or TERMINAL
    mover   : the player to move, or the number of players at a terminal node: the column in a deal's tables of players
    rank    : 1 more than the history's rank among the extensions, 0 at a terminal node
    actions : row of the game's lists of actions, 0 at a terminal node; the value for the first history depends on the range
    call    : the column in a deal's table of outcomes: bid * players + caller, first for calls, then for spot-on. The next is
              for decision nodes. Those after it are for the final actions after the prefix of the range
    """

    player: Ints
    mover: Ints
    rank: Ints
    actions: Ints
    call: Ints


class _Deals(NamedTuple):
    """Consecutive deals (rows) and the tables for the nodes below them (columns).

    roll     : for each player the index of the roll
    before   : for each player the number of information sets before those of the roll; the last column is 0
    first    : whether the deal is the first with the player's roll
    outcomes : the outcome of every call, by bid and caller, then of every spot-on claim, then NONE
    """

    roll: Ints
    before: Ints
    first: Bools
    outcomes: Ints


class Unfolding:
    """Makes the blocks of nodes of a game; tables that the blocks share are computed once."""

    def __init__(self, rules: Rules, dealing: str) -> None:
        self.rules = rules
        self.betting = Betting(rules.bidding, rules.players)
        self.player_deals = [_PlayerDeals(rules, player, dealing == "ordered") for player in range(rules.players)]
        self.shape = tuple(len(deals.labels) for deals in self.player_deals)
        self.stages = tuple(_stages(self.player_deals, dealing))
        self.stage_sizes = tuple(len(stage.labels) for stage in self.stages)
        self.quantity: Ints = np.array([bid.quantity for bid in rules.bids])
        self._nodes_of: dict[tuple[int, int, int, bool], _Nodes] = {}

    def between(self, start: int, stop: int) -> Iterator[Block]:
        """Yield the nodes between two positions in prefix order; see `stream`."""
        run = self.stage_sizes[-1]
        first_run = bisect_right(range(prod(self.shape) // run), start, key=lambda number: self._node(number * run)) - 1
        for deal in range(first_run * run, prod(self.shape), run):
            node = self._node(deal)
            if node >= stop:
                return
            chance = self._chance_nodes(deal)
            if start < node + len(chance.player):
                yield chance.between(start - node, stop - node)
            yield from self._dealt_nodes(deal, node + len(chance.player), start, stop)

    def _node(self, deal: int) -> int:
        """Return the position in prefix order of the first chance node just before a deal; the deal is a multiple of the last
        stage.
        """
        opened = sum(-(-deal // prod(self.stage_sizes[stage:])) for stage in range(len(self.stages)))
        return deal * self.betting.nodes + opened

    def _dealt_nodes(self, deal: int, node: int, start: int, stop: int) -> Iterator[Block]:
        """Yield the nodes between start and stop below the last chance move, whose first deal begins at a node."""
        size = self.betting.nodes
        together = max(1, BLOCK // size)
        end = min(self.stage_sizes[-1], -(-(stop - node) // size))
        for index in range(max(0, start - node) // size, end, together):
            deals = self._deals(np.arange(deal + index, deal + min(index + together, end)))
            top = node + index * size
            for span in self.betting.ranges(self.betting.history_at(max(0, start - top))):
                place = top + self.betting.node_of(span.start)
                if place >= stop:
                    return
                yield self._betting_nodes(deals, span, max(0, start - place), stop - place)

    def _chance_nodes(self, deal: int) -> Block:
        """Return the chance nodes just before a deal: those of all stages of which it is the first deal.

        Each is an information set of its own: Gambit treats chance nodes in one set as a player with imperfect recall.
        """
        sizes = self.stage_sizes
        rows = np.array([stage for stage in range(len(sizes)) if deal % prod(sizes[stage:]) == 0])
        before = [sum(prod(sizes[:earlier]) for earlier in range(stage)) for stage in rows.tolist()]
        number = np.array([1 + count + deal // prod(sizes[stage:]) for count, stage in zip(before, rows.tolist(), strict=True)])
        return Block(np.full(len(rows), CHANCE), number, rows, np.full(len(rows), NONE), np.ones(len(rows), bool), _no_labels)

    def _betting_nodes(self, deals: _Deals, span: HistoryRange, start: int, stop: int) -> Block:
        """Return a range's nodes between start and stop below every deal: decision nodes, each before its terminal nodes."""
        nodes, alone = self._nodes(span), len(deals.roll) == 1
        if alone:
            nodes = _Nodes(*(column[start:stop] for column in nodes))
        last_bid = span.prefix.bit_length() - 1
        actions = nodes.actions
        if not span.skipped and not (alone and start):
            actions = actions.copy()
            actions[0] = self._actions_after(last_bid)
        before = deals.before + np.append(span.before, 0).astype(np.int32)
        calls = self.rules.players * len(self.quantity)
        own = (
            last_bid * self.rules.players + int(span.extensions.player[0]) + calls * np.arange(self.betting.final_action_count)
        )
        outcomes = np.append(deals.outcomes, deals.outcomes[:, own], axis=1)
        rows = len(deals.roll)
        block = Block(
            player=np.tile(nodes.player, rows),
            number=(np.take(before, nodes.mover, axis=1) + nodes.rank).reshape(-1),
            actions=np.tile(actions, rows),
            outcome=np.take(outcomes, nodes.call, axis=1).reshape(-1),
            first=np.take(deals.first, nodes.mover, axis=1).reshape(-1),
            labels=self._labels(deals, span, len(actions), start if alone else 0),
        )
        return block if alone else block.between(start, stop)

    def _nodes(self, span: HistoryRange) -> _Nodes:
        """Return the nodes of a range as far as they are the same for all ranges with the same extensions."""
        opening = span.prefix == 0 and not span.skipped
        key = span.lowest, len(span.extensions.added), int(span.extensions.player[0]), opening
        if key not in self._nodes_of:
            self._nodes_of[key] = self._new_nodes(span.extensions, span.lowest, opening)
        skipped = span.skipped * (1 + self.betting.final_action_count)
        return _Nodes(*(column[skipped:] for column in self._nodes_of[key]))

    def _new_nodes(self, extensions: Extensions, lowest: int, opening: bool) -> _Nodes:
        players, last_bid, endings = self.rules.players, extensions.last + lowest, self.betting.final_action_count
        calls = players * len(self.quantity)
        no_call = endings * calls
        call = [
            np.where(extensions.last >= 0, ending * calls + last_bid * players + extensions.player, no_call + 1 + ending)
            for ending in range(endings)
        ]
        columns: tuple[Ints, ...] = (  # as narrow as possible, except indices, which numpy would widen each time
            _with_calls(extensions.player, *[TERMINAL] * endings).astype(np.int8),
            _with_calls(extensions.player, *[players] * endings).astype(np.intp),
            _with_calls(extensions.rank + 1, *[0] * endings).astype(np.int32),
            _with_calls(self._actions_after(last_bid), *[0] * endings).astype(np.int32),
            _with_calls(no_call + 0 * extensions.player, *call).astype(np.intp),
        )
        if opening:  # a call is not legal there
            columns = tuple(np.delete(column, range(1, 1 + endings)) for column in columns)
        return _Nodes(*columns)

    def _actions_after(self, last_bid: Any) -> Any:
        """Return the row of the legal actions after a bid, or after each of an array of bids."""
        return len(self.stages) + 1 + last_bid

    def _deals(self, deals: Ints) -> _Deals:
        """Return the tables for the nodes below some deals."""
        thrown = np.unravel_index(deals, self.shape)
        roll = np.stack([deals.roll[index] for deals, index in zip(self.player_deals, thrown, strict=True)], axis=1)
        first = [self._first_deal(player, thrown) for player in range(self.rules.players)]
        no_player = np.zeros((len(deals), 1), np.int32)
        return _Deals(
            roll=roll,
            before=np.append((roll * self.betting.histories).astype(np.int32), no_player, axis=1),
            first=np.stack([*first, np.zeros(len(deals), bool)], axis=1),
            outcomes=np.append(self._call_outcomes(roll).astype(np.int32), no_player + NONE, axis=1),
        )

    def _labels(self, deals: _Deals, span: HistoryRange, size: int, start: int) -> Callable[[Ints], list[str]]:
        """Return a function that makes the labels of the information sets at some nodes of a block of `_betting_nodes`.

        size, start : the number of nodes of each deal, and how many of the range's nodes come before them
        """
        opening = span.prefix == 0 and not span.skipped

        def labels(places: Ints) -> list[str]:
            deal, node = np.divmod(places, size)
            endings = self.betting.final_action_count
            place = (start + node + opening * endings) // (1 + endings)
            history, player = span.history[place], span.extensions.player[span.skipped + place]
            text = _WORDS[(history > 0).astype(np.intp)]
            for index, group in enumerate(self._history_texts):
                text += group[(history >> 8 * index & 255).astype(np.intp)]
            for mover, begin in enumerate(self._roll_texts):
                own = player == mover
                text[own] = begin[deals.roll[deal[own], mover]] + text[own]
            return list(text)

        return labels

    def _first_deal(self, player: int, thrown: tuple[Ints, ...]) -> Bools:
        """Return whether each deal is the first, in order, with the player's roll."""
        first = self.player_deals[player].first[thrown[player]]
        for other, index in enumerate(thrown):
            if other != player:
                first = first & (index == 0)
        return first

    def _call_outcomes(self, roll: Ints) -> Ints:
        """Return the outcome of calling every bid, by every player (columns), for rolls (rows); then those of spot-on."""
        matching = np.sum([deals.matching[rows] for deals, rows in zip(self.player_deals, roll.T, strict=True)], axis=0)
        surplus = matching - self.quantity
        holds = np.hstack([self.rules.stands(surplus, ending) for ending in self.rules.bidding.final_actions])[:, :, None]
        caller = np.arange(self.rules.players)
        bidder = (caller - 1) % self.rules.players
        loser = np.where(holds, self.rules.loser(bidder, caller, True), self.rules.loser(bidder, caller, False))
        outcome = 1 - loser if self.rules.players == 2 else loser
        return outcome.reshape(len(roll), -1)

    @cached_property
    def _history_texts(self) -> list[Texts]:
        """For every 8 bids in turn, the text of each of their 256 subsets: " 1x2 2x1"."""
        bids = [str(bid) for bid in self.rules.bids]
        return [
            _column(
                "".join(f" {bid}" for place, bid in enumerate(bids[start : start + 8]) if mask >> place & 1)
                for mask in range(256)
            )
            for start in range(0, len(bids), 8)
        ]

    @cached_property
    def _roll_texts(self) -> list[Texts]:
        """For every player, the beginning of the labels with each roll."""
        return [
            _column(f"P{player} roll {roll} " for roll in deals.roll_labels)
            for player, deals in enumerate(self.player_deals, 1)
        ]


def _column(texts: Iterable[str]) -> Texts:
    return np.array([*texts], object)


def _with_calls(decision: Ints, *calls: Ints | int) -> Ints:
    """Return entries for every history, each followed by those of its terminal nodes; a number is repeated for all."""
    return np.stack(np.broadcast_arrays(decision, *calls), axis=-1).reshape(-1)


def _stages(player_deals: list[_PlayerDeals], dealing: str) -> Iterator[Actions]:
    """Yield the chance moves in turn."""
    if dealing == "staged":
        for one in player_deals:
            yield Actions(tuple(one.labels), tuple(one.probabilities))
    else:
        labels = tuple("|".join(deal) for deal in product(*(one.labels for one in player_deals)))
        yield Actions(
            labels, tuple(prod(deal, start=Fraction(1)) for deal in product(*(one.probabilities for one in player_deals)))
        )


def _no_labels(places: Ints) -> list[str]:
    return [""] * len(places)
