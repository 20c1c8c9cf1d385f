"""Liar's Dice as a tree: a stream of nodes of any length, or a tree in memory.

This module computes the size of the tree in closed form, and the tables that its nodes refer to. `unfolding.py` makes the
nodes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import prod

import numpy as np

from liarsdice_cli.errors import Argument, ArgumentError, LiarsDiceError
from liarsdice_cli.extensive.collect import collect
from liarsdice_cli.extensive.stream import Actions, Outcome, TreeStream
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.games.bidding import Bidding
from liarsdice_cli.games.liarsdice.betting import Betting
from liarsdice_cli.games.liarsdice.rules import DEALINGS, Rules, check_rules
from liarsdice_cli.games.liarsdice.subgame import Subgame
from liarsdice_cli.games.liarsdice.unfolding import Unfolding
from liarsdice_cli.text import counted

MOST_DEALS = 1_000_000
"""The most combinations of the players' dice for which a tree is made."""
MAX_NODES_WITH_IMPOSSIBLE_BIDS = 1_000_000
"""The largest game, in nodes, that keeps impossible bids in its tree; see `Rules.without_impossible_bids`."""
MOST_NUMBER = 2**31 - 1
"""The highest number of an information set that Gambit reads."""
_LOWER = "lower ", Argument("sides"), ", ", Argument("dice"), " or ", Argument("max_quantity")
"""The ways to a smaller tree, for messages."""


@dataclass(frozen=True)
class Counts:
    """The size of a tree in closed form; exact at any size, at no cost.

    The nodes of each kind, and in `infosets` the number of information sets of each player in turn, without chance.

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
        """The number of all nodes."""
        return self.decision_nodes + self.chance_nodes + self.terminal_nodes

    @classmethod
    def of(cls, rules: Rules, dealing: str = "ordered") -> Counts:
        """Return the counts of the tree that `stream` makes: a betting tree (see `Betting`) for every deal, and the chance
        nodes.
        """
        betting = Betting(rules.bidding, rules.players)
        stages = _stage_sizes(rules, dealing)
        deals = prod(stages)
        infosets = (rules.roll_count(player) * histories for player, histories in enumerate(betting.histories))
        return cls(
            decision_nodes=deals * betting.decision_nodes,
            chance_nodes=sum(prod(stages[:stage]) for stage in range(len(stages))),
            terminal_nodes=deals * (betting.nodes - betting.decision_nodes),
            infosets=tuple(infosets),
        )

    @classmethod
    def of_subgame(cls, start: Subgame) -> Counts:
        """Return the counts of a subgame, with one deal for each combination of rolls of positive probability.

        >>> from liarsdice_cli.games.liarsdice.rules import rules
        >>> from liarsdice_cli.games.liarsdice.subgame import subgame
        >>> Counts.of_subgame(subgame(rules("common", 2), "1x2")).infosets
        (4, 4)
        """
        bidding = Bidding.free(len(start.bids), start.rules.bidding.final_action_count) if start.history else start.bidding
        players, betting = start.rules.players, Betting(bidding, start.rules.players)
        rolls = [int(np.count_nonzero(one)) for one in start.beliefs]
        ended = betting.final_action_count * (betting.decision_nodes - (not start.history))
        infosets = (rolls[player] * betting.histories[(player - start.mover) % players] for player in range(players))
        return cls(prod(rolls) * betting.decision_nodes, 1, prod(rolls) * ended, tuple(infosets))


def reduced_game(rules: Rules, dealing: str = "ordered") -> Rules:
    """Return the rules whose tree is solved: the same, or those without impossible bids if the tree is large.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> reduced_game(rules("classic", 3)).max_quantity, reduced_game(rules("classic", 6)).max_quantity
    (3, 2)
    """
    return rules if Counts.of(rules, dealing).nodes <= MAX_NODES_WITH_IMPOSSIBLE_BIDS else rules.without_impossible_bids()


def stream(rules: Rules, dealing: str = "ordered") -> TreeStream:
    """Return the tree of the rules as blocks of nodes, in memory that does not grow with the tree.

    Information sets are numbered 1, 2, ... for each player: roll by roll in lexicographic order, the histories of a roll in
    prefix order. Raises UsageError for an unknown `dealing`, LiarsDiceError for too many deals or information sets.
    """
    check_rules(rules)
    counts = Counts.of(rules, dealing)
    if max(counts.infosets) > MOST_NUMBER:
        raise LiarsDiceError(
            f"the tree has {counted(counts.nodes)} nodes and {counted(max(counts.infosets))} information sets of one player, "
            f"above the {MOST_NUMBER:,} that a file can number: ",
            *_LOWER,
            *_equivalent(rules, dealing),
        )
    deals = prod(_stage_sizes(rules, dealing))
    if deals > MOST_DEALS:
        raise LiarsDiceError(
            f"chance has {counted(deals)} branches, above {MOST_DEALS:,}: lower ",
            *(Argument("sides"), " or ", Argument("dice")),
            *((", or use ", Argument("dealing", "multiset")) if dealing == "ordered" else ()),
        )
    unfolding = Unfolding(rules, dealing)
    return TreeStream(
        title=f"Liar's Dice: {rules}",
        comment=f"{counts.nodes} nodes; dice dealt by {dealing} rolls; player 1 opens",
        players=tuple(f"Player {player + 1}" for player in range(rules.players)),
        action_lists=(*unfolding.stages, *_betting_actions(rules)),
        outcomes=_outcomes(rules),
        nodes=counts.nodes,
        infosets=(counts.chance_nodes, *counts.infosets),
        between=unfolding.between,
        origin=(_stream_again, (rules, dealing)),
        cure=(*_LOWER, ", or use no tree: `liarsdice solve ... -o strategy.ldz`, then show, draw or explore that file"),
    )


def _equivalent(rules: Rules, dealing: str) -> tuple[str | Argument, ...]:
    """Return the cure that keeps the value, if there is one: to leave out impossible bids."""
    small = rules.without_impossible_bids()
    if small == rules or max(Counts.of(small, dealing).infosets) > MOST_NUMBER:
        return ()
    nodes = counted(Counts.of(small, dealing).nodes)
    return (
        f" (without the bids of {small.max_quantity + 1} or more dice, which are never true, the game has the same value "
        f"and {nodes} nodes: ",
        Argument("max_quantity", small.max_quantity),
        ")",
    )


@lru_cache(maxsize=1)
def _stream_again(rules: Rules, dealing: str) -> TreeStream:
    """Return the stream in another process, cached because the process receives the same request many times."""
    return stream(rules, dealing)


def build(rules: Rules, dealing: str = "ordered") -> GameTree:
    """Return the tree of the rules in memory.

    Raises UsageError for an unknown dealing, and LiarsDiceError for a tree that is too large.

    >>> from liarsdice_cli import build, rules
    >>> tree = build(rules("classic", 2))
    >>> tree.nodes, tree.infosets.labels[1], tree.infosets.labels[16]
    (125, 'P1 roll 1 opening', 'P1 roll 2 after 2x1 2x2')
    """
    return collect(stream(rules, dealing))


def _stage_sizes(rules: Rules, dealing: str) -> tuple[int, ...]:
    """Return the number of branches of each chance move in turn."""
    rolls = tuple(rules.roll_count(player) for player in range(rules.players))
    if dealing == "ordered":
        return (rules.sides ** sum(rules.dice),)
    if dealing == "multiset":
        return (prod(rolls),)
    if dealing == "staged":
        return rolls
    raise ArgumentError("dealing", dealing, f"choose from {', '.join(DEALINGS)}")


def _betting_actions(rules: Rules) -> Iterator[Actions]:
    """Yield the actions in the opening, then those after each bid in turn."""
    bids = tuple(map(str, rules.bids))
    yield Actions(tuple(bids[bid] for bid in rules.bidding.openings))
    for last in range(len(bids)):
        yield Actions((*rules.final_action_names, *bids[last + 1 : rules.bidding.stop(last)]))


def _outcomes(rules: Rules) -> tuple[Outcome, ...]:
    """Return the outcomes of the game, named by the winner of two players (player 1 first), otherwise by the loser."""
    if rules.players == 2:
        return tuple(Outcome(f"P{winner + 1} wins", rules.payoffs_when_losing(1 - winner)) for winner in range(2))
    return tuple(Outcome(f"P{loser + 1} loses", rules.payoffs_when_losing(loser)) for loser in range(rules.players))
