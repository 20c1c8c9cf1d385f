"""A bot that plays a best response to another."""

from __future__ import annotations

from collections.abc import Sequence

from liarsdice_cli.bots.protocol import OfStrategy, Policy
from liarsdice_cli.extensive.stream import Floats
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.games.liarsdice.strategy import Strategy
from liarsdice_cli.solvers.best_response import Response, respond


class BestResponse(OfStrategy):
    """Plays a best response to another bot, whose probabilities it knows, in every two-player game.

    name : the specification, `best-response:BOT`
    """

    def __init__(self, name: str, against: Policy) -> None:
        self.name, self.against, self.one_game = name, against, against.one_game
        self._strategies: dict[Rules, _Both] = {}

    def check(self, rules: Rules) -> None:
        """See `Policy`."""
        self.against.check(rules)
        for player in range(2):
            self.strategy(rules).response(player)

    def strategy(self, rules: Rules) -> _Both:
        """See `Policy`; raises as `respond`, when it is asked."""
        if rules not in self._strategies:
            self._strategies[rules] = _Both(self.against.strategy(rules), self.against.looks_back)
        return self._strategies[rules]


class _Both:
    """The responses of both players to one strategy, each found when it is first asked for."""

    def __init__(self, against: Strategy, looks_back: bool) -> None:
        self.against, self.looks_back, self.rules = against, looks_back, against.rules
        self._responses: dict[int, Response] = {}

    def response(self, player: int) -> Response:
        """The best response of a player."""
        if player not in self._responses:
            self._responses[player] = respond(self.against, player, self.looks_back)
        return self._responses[player]

    def at(self, history: Sequence[int]) -> Floats:
        """See `Strategy`."""
        return self.response(BettingState(self.rules, history).mover).at(history)
