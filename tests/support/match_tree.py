"""A whole match between two players as one game tree, to compare with solutions round by round."""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from itertools import product
from typing import NamedTuple

import numpy as np

from liarsdice_cli.extensive.stream import CHANCE, NONE, Actions, Outcome
from liarsdice_cli.extensive.tree import GameTree, InfoSets
from liarsdice_cli.games.liarsdice.bids import Bid
from liarsdice_cli.games.liarsdice.rules import Roll, Rules
from liarsdice_cli.solvers.exact import solve as exact


class Round(NamedTuple):
    """A round: its rules, in which player 1 opens; both players' dice; the player who opens it in the match."""

    rules: Rules
    dice: tuple[int, ...]
    opener: int


class End(NamedTuple):
    """How a round ends: the last action, the player who takes it, both players' rolls, and the last bid."""

    action: str
    player: int
    rolls: tuple[Roll, ...]
    bid: Bid


class MatchTree(ABC):
    """A match as one tree, with each round below the round before it; it shares no code with the solutions by rounds.

    A subclass calls `_round` for the first round, and in `_after` for the next one, or `_win`.
    """

    endings: tuple[str, ...] = ("call",)
    """The actions that end a round."""

    def __init__(self) -> None:
        self.action_lists: list[Actions] = []
        self.sets: dict[object, int] = {}
        self.players: list[int] = []
        self.infoset: list[int] = []
        self.outcome: list[int] = []

    @abstractmethod
    def _after(self, played: Round, end: End, past: tuple[object, ...]) -> None:
        """Add the nodes below the end of a round; `past` has one item for each round played."""

    def tree(self) -> GameTree:
        count = len(self.players)
        table = InfoSets(np.array(self.players, np.int8), np.arange(1, count + 1), np.arange(count), [""] * count)
        ends = [Outcome(f"P{player + 1} wins", (Fraction(player == 0), Fraction(player == 1))) for player in (0, 1)]
        nodes = np.array(self.infoset, np.int32), np.array(self.outcome, np.int32)
        return GameTree("match", "", ("Player 1", "Player 2"), self.action_lists, ends, table, *nodes)

    def value(self) -> Fraction:
        """Return player 1's probability of winning in equilibrium."""
        found, _ = exact.solve(self.tree())
        assert found.judgement.is_equilibrium
        return Fraction(found.judgement.payoffs[0])

    def _node(self, player: int, key: object, choices: Actions) -> None:
        if key not in self.sets:
            self.sets[key] = len(self.players)
            self.players.append(player)
            self.action_lists.append(choices)
        self.infoset.append(self.sets[key])
        self.outcome.append(NONE)

    def _win(self, winner: int) -> None:
        """Add a terminal node."""
        self.infoset.append(NONE)
        self.outcome.append(winner)

    def _round(self, started: Round, past: tuple[object, ...]) -> None:
        deals = list(product(started.rules.rolls(0), started.rules.rolls(1)))
        chances = tuple(one * other for (_, one), (_, other) in deals)
        self._node(CHANCE, ("chance", past), Actions(tuple(f"{one}|{other}" for (one, _), (other, _) in deals), chances))
        for (one, _), (other, _) in deals:
            self._bidding(started, (one, other) if started.opener == 0 else (other, one), (), past)

    def _bidding(self, played: Round, rolls: tuple[Roll, ...], history: tuple[int, ...], past: tuple[object, ...]) -> None:
        game, player = played.rules, (played.opener + len(history)) % 2
        endings = self.endings if history else ()
        higher = game.bidding.following(history[-1] if history else -1)
        self._node(
            player, (past, player, rolls[player], history), Actions(endings + tuple(str(game.bids[bid]) for bid in higher))
        )
        for action in endings:
            end = End(action, player, rolls, game.bids[history[-1]])
            self._after(played, end, (*past, (rolls, history, action)))
        for bid in higher:
            self._bidding(played, rolls, (*history, bid), past)
