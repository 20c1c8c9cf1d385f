"""The nodes of Liar's Dice, in blocks from any place of the tree to any other.

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
"""How the label of an information set goes on before any bid, and after the first."""


class _Dealing:
    """How one player's dice fall at one stage: every branch's roll (a row of the rolls), and whether it is the roll's first."""

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
    """The nodes of a extensions of histories, each history before its call, in columns; what is the same below every deal.

    player  : who moves, or TERMINAL
    mover   : who moves, or the number of players at a call: where a node looks in a deal's tables of players
    rank    : 1 more than the history's rank in the extensions, 0 at a call
    actions : row of the game's lists of actions, 0 at a call; the extensions's first history has those of the span instead
    call    : where a node looks in a deal's table of outcomes: bid * players + caller, where bids go on with those that are
              said to be spot-on; behind these in the first row where nobody calls, in the next at the call (and at spot-on)
              after the extensions's first history, which is of the span's own bid
    """

    player: Ints
    mover: Ints
    rank: Ints
    actions: Ints
    call: Ints


class _Deals(NamedTuple):
    """Consecutive deals (rows) and what the nodes below them look up (columns).

    roll     : for each player the row of their roll
    before   : for each player, and for nobody, the number of information sets that come before those of their roll
    first    : whether the deal is the first with the player's roll
    outcomes : the outcome of every call, by bid and caller, and of every spot-on, then NONE
    """

    roll: Ints
    before: Ints
    first: Bools
    outcomes: Ints


class Unfolding:
    """The walk from rules to blocks; everything that the blocks share is computed once, here."""

    def __init__(self, rules: Rules, chance: str) -> None:
        self.rules = rules
        self.betting = Betting(rules.bidding, rules.players)
        self.dealing = [_Dealing(rules, player, chance == "ordered") for player in range(rules.players)]
        self.shape = tuple(len(dealing.labels) for dealing in self.dealing)
        self.stages = tuple(_stages(self.dealing, chance))
        self.stage_sizes = tuple(len(stage.labels) for stage in self.stages)
        self.quantity: Ints = np.array([bid.quantity for bid in rules.bids])
        self._nodes_of: dict[tuple[int, int, int, bool], _Nodes] = {}

    def between(self, start: int, stop: int) -> Iterator[Block]:
        """The nodes from one place in prefix order up to another; see `stream`."""
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
        """The place in prefix order of the first chance node that opens before a deal; the deal is a multiple of a run."""
        opened = sum(-(-deal // prod(self.stage_sizes[stage:])) for stage in range(len(self.stages)))
        return deal * self.betting.nodes + opened

    def _dealt_nodes(self, deal: int, node: int, start: int, stop: int) -> Iterator[Block]:
        """What lies between start and stop below the last chance move, whose first deal begins at a node."""
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
        """The chance nodes that open before a deal: those of all stages whose later stages begin anew with it.

        Each is a set of its own: Gambit takes chance nodes that share one for a player who forgets.
        """
        sizes = self.stage_sizes
        rows = np.array([stage for stage in range(len(sizes)) if deal % prod(sizes[stage:]) == 0])
        before = [sum(prod(sizes[:earlier]) for earlier in range(stage)) for stage in rows.tolist()]
        number = np.array([1 + count + deal // prod(sizes[stage:]) for count, stage in zip(before, rows.tolist(), strict=True)])
        return Block(np.full(len(rows), CHANCE), number, rows, np.full(len(rows), NONE), np.ones(len(rows), bool), _no_labels)

    def _betting_nodes(self, deals: _Deals, span: HistoryRange, start: int, stop: int) -> Block:
        """Of every deal's decision nodes in this span, each followed by the call where there is one: those in between."""
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
        """What the span's nodes have in common with those of all other ranges of its extensions."""
        opening = span.prefix == 0 and not span.skipped
        key = span.lowest, len(span.extensions.added), int(span.extensions.player[0]), opening
        if key not in self._nodes_of:
            self._nodes_of[key] = self._new_nodes(span.extensions, span.lowest, opening)
        skipped = span.skipped * (1 + self.betting.final_action_count)
        return _Nodes(*(column[skipped:] for column in self._nodes_of[key]))

    def _new_nodes(self, extensions: Extensions, lowest: int, opening: bool) -> _Nodes:
        players, last_bid, endings = self.rules.players, extensions.last + lowest, self.betting.final_action_count
        calls = players * len(self.quantity)
        nobody_calls = endings * calls
        call = [
            np.where(extensions.last >= 0, ending * calls + last_bid * players + extensions.player, nobody_calls + 1 + ending)
            for ending in range(endings)
        ]
        columns: tuple[Ints, ...] = (  # as narrow as can be, but for what is an index, which numpy would widen each time
            _with_calls(extensions.player, *[TERMINAL] * endings).astype(np.int8),
            _with_calls(extensions.player, *[players] * endings).astype(np.intp),
            _with_calls(extensions.rank + 1, *[0] * endings).astype(np.int32),
            _with_calls(self._actions_after(last_bid), *[0] * endings).astype(np.int32),
            _with_calls(nobody_calls + 0 * extensions.player, *call).astype(np.intp),
        )
        if opening:  # nobody can call there
            columns = tuple(np.delete(column, range(1, 1 + endings)) for column in columns)
        return _Nodes(*columns)

    def _actions_after(self, last_bid: Any) -> Any:
        """The row of the actions that there are after a bid, or after each of a column."""
        return len(self.stages) + 1 + last_bid

    def _deals(self, deals: Ints) -> _Deals:
        """What the nodes below some deals look up."""
        thrown = np.unravel_index(deals, self.shape)
        roll = np.stack([dealing.roll[index] for dealing, index in zip(self.dealing, thrown, strict=True)], axis=1)
        first = [self._first_deal(player, thrown) for player in range(self.rules.players)]
        nobody = np.zeros((len(deals), 1), np.int32)
        return _Deals(
            roll=roll,
            before=np.append((roll * self.betting.histories).astype(np.int32), nobody, axis=1),
            first=np.stack([*first, np.zeros(len(deals), bool)], axis=1),
            outcomes=np.append(self._call_outcomes(roll).astype(np.int32), nobody + NONE, axis=1),
        )

    def _labels(self, deals: _Deals, span: HistoryRange, size: int, start: int) -> Callable[[Ints], list[str]]:
        """The labels of the information sets in a block of `_betting_nodes`, made only for the places that are asked for.

        size, start : the number of nodes of each deal, and how many of the span's nodes come before them
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
        """Whether a deal is the first, in order, with the player's roll of it."""
        first = self.dealing[player].first[thrown[player]]
        for other, index in enumerate(thrown):
            if other != player:
                first = first & (index == 0)
        return first

    def _call_outcomes(self, roll: Ints) -> Ints:
        """The outcome of calling every bid, by every player (columns), where these are the rolls (rows); then of spot-on."""
        matching = np.sum([dealing.matching[rows] for dealing, rows in zip(self.dealing, roll.T, strict=True)], axis=0)
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
        """For every player the beginning of the labels with each of their rolls."""
        return [
            _column(f"P{player} roll {roll} " for roll in dealing.roll_labels) for player, dealing in enumerate(self.dealing, 1)
        ]


def _column(texts: Iterable[str]) -> Texts:
    return np.array([*texts], object)


def _with_calls(decision: Ints, *calls: Ints | int) -> Ints:
    """A column with what stands at every history, and after each what stands at its call; a number stands at all of them."""
    return np.stack(np.broadcast_arrays(decision, *calls), axis=-1).reshape(-1)


def _stages(dealing: list[_Dealing], chance: str) -> Iterator[Actions]:
    """The chance moves in turn."""
    if chance == "staged":
        for one in dealing:
            yield Actions(tuple(one.labels), tuple(one.probabilities))
    else:
        labels = tuple("|".join(deal) for deal in product(*(one.labels for one in dealing)))
        yield Actions(labels, tuple(prod(deal, start=Fraction(1)) for deal in product(*(one.probabilities for one in dealing))))


def _no_labels(places: Ints) -> list[str]:
    return [""] * len(places)
