"""Liar's Dice unfolded: from rules to a stream of nodes of any length, or to a tree in memory.

The game is the chance moves that deal the dice, and below every deal the same betting tree (`betting.py`) with the
information sets of its players' rolls and the outcomes of its calls. A block is therefore a table of deals by histories,
filled by broadcasting, and nothing larger than a block is ever held.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from liarsdice_cli.errors import Argument, ArgumentError, LiarsDiceError, counted
from liarsdice_cli.extensive.tree import (
    BLOCK,
    CHANCE,
    NONE,
    TERMINAL,
    Actions,
    Block,
    Bools,
    GameTree,
    Ints,
    Outcome,
    TreeStream,
    collect,
)
from liarsdice_cli.games.liarsdice.betting import Betting, Stretch
from liarsdice_cli.games.liarsdice.matching import matching_table
from liarsdice_cli.games.liarsdice.rules import CHANCES, Roll, Rules

MOST_DEALS = 1_000_000
"""The most combinations of the players' dice that are unfolded."""
EXPLICIT = 1_000_000
"""The largest game, in nodes, whose bids on more dice than there are stay in the tree; see `Rules.without_impossible_bids`."""
MOST_NUMBER = 2**31 - 1
"""The highest number of an information set that Gambit reads."""


@dataclass(frozen=True)
class Counts:
    """What a tree holds, in closed form; exact at any size, at no cost.

    The nodes of each kind, and in `infosets` the information sets of each player in turn, those of chance left out.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> [Counts.of(rules("classic", sides)).nodes for sides in (2, 3, 4, 6)]
    [125, 9208, 2097137, 4947802324957]
    """

    decision_nodes: int
    chance_nodes: int
    terminal_nodes: int
    infosets: tuple[int, ...]

    @property
    def nodes(self) -> int:
        """All nodes."""
        return self.decision_nodes + self.chance_nodes + self.terminal_nodes

    @classmethod
    def of(cls, rules: Rules, chance: str = "ordered") -> Counts:
        """The counts of the tree that `stream` unfolds; R deals over N bids give R (2^(N+1) - 1) nodes and the chance nodes."""
        betting = Betting(rules.bid_count, rules.players)
        stages = _stage_sizes(rules, chance)
        deals = prod(stages)
        infosets = (rules.roll_count(player) * histories for player, histories in enumerate(betting.histories))
        return cls(
            decision_nodes=deals * betting.decision_nodes,
            chance_nodes=sum(prod(stages[:stage]) for stage in range(len(stages))),
            terminal_nodes=deals * (betting.decision_nodes - 1),
            infosets=tuple(infosets),
        )


def reduced_game(rules: Rules, chance: str = "ordered") -> Rules:
    """The rules whose tree is solved to solve the game: the same, or those without impossible bids where its tree is large.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> reduced_game(rules("classic", 3)).max_quantity, reduced_game(rules("classic", 6)).max_quantity
    (3, 2)
    """
    return rules if Counts.of(rules, chance).nodes <= EXPLICIT else rules.without_impossible_bids()


def stream(rules: Rules, chance: str = "ordered") -> TreeStream:
    """The tree of the rules as blocks of nodes, in memory that does not grow with the tree.

    Information sets are numbered 1, 2, ... for each player: roll by roll in lexicographic order, the histories of a roll in
    prefix order. Raises UsageError for an unknown `chance`, LiarsDiceError where Gambit's numbers or the deals run out.
    """
    counts = Counts.of(rules, chance)
    if max(counts.infosets) > MOST_NUMBER:
        raise LiarsDiceError(
            f"the tree has {counted(counts.nodes)} nodes and {counted(max(counts.infosets))} information sets of one player, "
            f"above the {MOST_NUMBER:,} that a file can number: lower ",
            *(Argument("sides"), ", ", Argument("dice"), " or ", Argument("max_quantity")),
        )
    deals = prod(_stage_sizes(rules, chance))
    if deals > MOST_DEALS:
        raise LiarsDiceError(
            f"chance has {counted(deals)} branches, above {MOST_DEALS:,}: lower ",
            *(Argument("sides"), " or ", Argument("dice")),
            *((", or use ", Argument("chance", "multiset")) if chance == "ordered" else ()),
        )
    unfolding = _Unfolding(rules, chance)
    return TreeStream(
        title=f"Liar's Dice: {rules}",
        comment=f"{counts.nodes} nodes; dice dealt by {chance} rolls; player 1 opens",
        players=tuple(f"Player {player + 1}" for player in range(rules.players)),
        action_lists=(*unfolding.stages, *_betting_actions(rules)),
        outcomes=_outcomes(rules),
        nodes=counts.nodes,
        infosets=(counts.chance_nodes, *counts.infosets),
        blocks=unfolding.blocks,
    )


def build(rules: Rules, chance: str = "ordered") -> GameTree:
    """The tree of the rules in memory; raises as `stream` and `collect` do.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> tree = build(rules("classic", 2))
    >>> tree.nodes, tree.infosets.labels[1], tree.infosets.labels[16]
    (125, 'P1 roll 1 opening', 'P1 roll 2 after 2x1 2x2')
    """
    return collect(stream(rules, chance))


def _stage_sizes(rules: Rules, chance: str) -> tuple[int, ...]:
    """The number of branches of each chance move in turn."""
    rolls = tuple(rules.roll_count(player) for player in range(rules.players))
    if chance == "ordered":
        return (rules.sides ** sum(rules.dice),)
    if chance == "multiset":
        return (prod(rolls),)
    if chance == "staged":
        return rolls
    raise ArgumentError("chance", chance, f"choose from {', '.join(CHANCES)}")


def _betting_actions(rules: Rules) -> Iterator[Actions]:
    """The actions in the opening, then those after each bid in turn."""
    bids = tuple(map(str, rules.bids))
    yield Actions(bids)
    for last in range(len(bids)):
        yield Actions(("call", *bids[last + 1 :]))


def _outcomes(rules: Rules) -> tuple[Outcome, ...]:
    """The ends of the game: with two players named by the winner, player 1 first, else by the loser."""
    if rules.players == 2:
        return tuple(Outcome(f"P{winner + 1} wins", rules.payoffs_when_losing(1 - winner)) for winner in range(2))
    return tuple(Outcome(f"P{loser + 1} loses", rules.payoffs_when_losing(loser)) for loser in range(rules.players))


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


class _Unfolding:
    """The walk from rules to blocks; everything that the blocks share is computed once, here."""

    def __init__(self, rules: Rules, chance: str) -> None:
        self.rules = rules
        self.betting = Betting(rules.bid_count, rules.players)
        self.dealing = [_Dealing(rules, player, chance == "ordered") for player in range(rules.players)]
        self.shape = tuple(len(dealing.labels) for dealing in self.dealing)
        self.stages = tuple(_stages(self.dealing, chance))
        self.quantity: Ints = np.array([bid.quantity for bid in rules.bids])

    def blocks(self) -> Iterator[Block]:
        """All nodes in prefix order; see `stream`."""
        run = len(self.stages[-1].labels)
        together = max(1, min(run, BLOCK // self.betting.nodes))
        for start in range(0, prod(self.shape), run):
            yield self._chance_nodes(start)
            for deal in range(start, start + run, together):
                deals = np.arange(deal, min(deal + together, start + run))
                for stretch in self.betting.stretches():
                    yield self._betting_nodes(deals, stretch)

    def _chance_nodes(self, deal: int) -> Block:
        """The chance nodes that open before a deal: those of all stages whose later stages begin anew with it.

        Each is a set of its own: Gambit takes chance nodes that share one for a player who forgets.
        """
        sizes = [len(stage.labels) for stage in self.stages]
        rows = np.array([stage for stage in range(len(sizes)) if deal % prod(sizes[stage:]) == 0])
        before = [sum(prod(sizes[:earlier]) for earlier in range(stage)) for stage in rows.tolist()]
        number = np.array([1 + count + deal // prod(sizes[stage:]) for count, stage in zip(before, rows.tolist(), strict=True)])
        return Block(np.full(len(rows), CHANCE), number, rows, np.full(len(rows), NONE), np.ones(len(rows), bool), _no_labels)

    def _betting_nodes(self, deals: Ints, stretch: Stretch) -> Block:
        """Every deal's decision nodes in this stretch, each followed by the call where there is one."""
        thrown = np.unravel_index(deals, self.shape)
        size = (len(deals), len(stretch.history))
        number, first = self._infosets(thrown, stretch)
        places = np.arange(2 * number.size)
        if stretch.history[0] == 0:  # the opening, the first history of its stretch, has no call
            places = places[places % (2 * size[1]) != 1]
        return Block(
            player=_with_calls(size, stretch.player, TERMINAL)[places],
            number=_with_calls(size, number, 0)[places],
            actions=_with_calls(size, len(self.stages) + 1 + stretch.last_bid, 0)[places],
            outcome=_with_calls(size, NONE, self._call_outcomes(thrown, stretch))[places],
            first=_with_calls(size, first, False, bool)[places],
            labels=self._labels(thrown, stretch, places),
        )

    def _infosets(self, thrown: tuple[Ints, ...], stretch: Stretch) -> tuple[Ints, Bools]:
        """The number of every decision node's information set, and whether the set occurs there first: (deals, histories)."""
        size = (len(thrown[0]), len(stretch.history))
        number, first = np.empty(size, np.int64), np.empty(size, bool)
        for player, dealing in enumerate(self.dealing):
            moves = stretch.player == player
            before = dealing.roll[thrown[player]] * self.betting.histories[player]  # the sets of all rolls before this one
            number[:, moves] = before[:, None] + stretch.rank[moves] + 1
            first[:, moves] = self._first_deal(player, thrown)[:, None]
        return number, first

    def _labels(self, thrown: tuple[Ints, ...], stretch: Stretch, nodes: Ints) -> Callable[[Ints], list[str]]:
        """The labels of the information sets in a block of `_betting_nodes`, made only for the places that are asked for.

        nodes : for every node of the block 2 (deal * histories + history), and 1 more for a call
        """

        def labels(places: Ints) -> list[str]:
            deal, history = np.divmod(nodes[places] // 2, len(stretch.history))
            player = stretch.player[history]
            rolls = np.stack([dealing.roll[index] for dealing, index in zip(self.dealing, thrown, strict=True)])
            roll, bids = rolls[player, deal], stretch.history[history]
            return [self._label(*one) for one in zip(player.tolist(), roll.tolist(), bids.tolist(), strict=True)]

        return labels

    def _label(self, player: int, roll: int, history: int) -> str:
        """What a player knows, in words."""
        return f"P{player + 1} roll {self.dealing[player].roll_labels[roll]} {_history_text(self._history_texts, history)}"

    def _first_deal(self, player: int, thrown: tuple[Ints, ...]) -> Bools:
        """Whether a deal is the first, in order, with the player's roll of it."""
        first = self.dealing[player].first[thrown[player]]
        for other, index in enumerate(thrown):
            if other != player:
                first = first & (index == 0)
        return first

    def _call_outcomes(self, thrown: tuple[Ints, ...], stretch: Stretch) -> Ints:
        """The outcome of calling the last bid of every history (columns) in every deal (rows)."""
        matching = sum(dealing.matching[dealing.roll[index]] for dealing, index in zip(self.dealing, thrown, strict=True))
        holds = (matching >= self.quantity)[:, stretch.last_bid]
        bidder = (stretch.player - 1) % self.rules.players
        loser = np.where(holds, self.rules.loser(bidder, stretch.player, True), self.rules.loser(bidder, stretch.player, False))
        return 1 - loser if self.rules.players == 2 else loser

    @cached_property
    def _history_texts(self) -> list[list[str]]:
        """For every 8 bids in turn, the text of each of their 256 subsets: " 1x2 2x1"."""
        bids = [str(bid) for bid in self.rules.bids]
        return [
            [
                "".join(f" {bid}" for place, bid in enumerate(bids[start : start + 8]) if mask >> place & 1)
                for mask in range(256)
            ]
            for start in range(0, len(bids), 8)
        ]


def _with_calls(size: tuple[int, int], decision: Any, call: Any, kind: type = np.int64) -> npt.NDArray[Any]:
    """A column with what stands at every history of every deal, and after each what stands at its call.

    Both are given once, for every history, or for every deal (rows) and history (columns).
    """
    column: npt.NDArray[Any] = np.empty((*size, 2), kind)
    column[..., 0], column[..., 1] = decision, call
    return column.reshape(-1)


def _history_text(texts: list[list[str]], history: int) -> str:
    """The bids of a mask in words."""
    if not history:
        return "opening"
    return "after" + "".join(group[history >> 8 * index & 255] for index, group in enumerate(texts))


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
