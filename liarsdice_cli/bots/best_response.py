"""A bot that plays a best response to another."""

from __future__ import annotations

from collections.abc import Sequence

from liarsdice_cli.bots.protocol import OfStrategy, Policy
from liarsdice_cli.extensive.stream import Floats
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.games.liarsdice.strategy import Strategy
from liarsdice_cli.solvers.best_response import BestResponse, best_response


class BestResponseBot(OfStrategy):
    """Plays a best response to another bot, whose probabilities it knows, in every two-player game.

    name : the specification, `best-response:BOT`
    """

    def __init__(self, name: str, against: Policy) -> None:
        self.name, self.against, self.one_game = name, against, against.one_game
        self._strategies: dict[Rules, _BestResponses] = {}

    def check(self, rules: Rules) -> None:
        """Raise LiarsDiceError for a game that the other bot does not play or that is too large to search."""
        self.against.check(rules)
        for player in range(2):
            self.strategy(rules).of(player)

    def strategy(self, rules: Rules) -> _BestResponses:
        """Return the responses of both players; they are computed, and raise as `best_response`, when they are needed."""
        if rules not in self._strategies:
            self._strategies[rules] = _BestResponses(self.against.strategy(rules), self.against.looks_back)
        return self._strategies[rules]


class _BestResponses:
    """The best responses of both players to one strategy, each computed when it is first needed."""

    def __init__(self, against: Strategy, looks_back: bool) -> None:
        self.against, self.looks_back, self.rules = against, looks_back, against.rules
        self._responses: dict[int, BestResponse] = {}

    def of(self, player: int) -> BestResponse:
        """Return the best response of a player, from 0."""
        if player not in self._responses:
            self._responses[player] = best_response(self.against, player, self.looks_back)
        return self._responses[player]

    def at(self, history: Sequence[int]) -> Floats:
        """Return `Strategy.at` of the player to move."""
        return self.of(BettingState(self.rules, history).mover).at(history)
