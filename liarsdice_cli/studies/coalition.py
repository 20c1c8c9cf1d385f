"""Payoffs of a bot against a coalition of all others, who know it and share their rolls."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from liarsdice_cli.extensive.number import Number
from liarsdice_cli.extensive.renderable import Renderable
from liarsdice_cli.formats.numbers import shown
from liarsdice_cli.games.liarsdice.payoffs import payoff_at, total_payoff
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.solvers.best_response import BestResponseValue

MOST = 1 << 20
"""The most positions that are visited for a seat, which takes minutes."""


@dataclass(frozen=True)
class Coalition(Renderable):
    """The largest probability, for each seat, that a bot loses against a coalition of all others.

    bot   : the name of the bot
    found : for every seat the probability that the bot loses, a Fraction if it is exact, and the positions visited
    """

    bot: str
    rules: Rules
    found: tuple[BestResponseValue, ...]

    def __repr__(self) -> str:
        return f"Coalition({self.bot}, {self.rules}: payoffs {', '.join(map(shown, self.payoffs))} against all others together)"

    @property
    def losing(self) -> tuple[Number, ...]:
        """The probability that the bot loses in each seat."""
        return tuple(one.value for one in self.found)

    @property
    def payoffs(self) -> tuple[Number, ...]:
        """The payoff of the bot in each seat."""
        return tuple(payoff_at(self.rules, 1 - loses) for loses in self.losing)

    @property
    def fair(self) -> tuple[Fraction, ...]:
        """The payoff of each seat if all players lose with the same probability."""
        return (total_payoff(self.rules) / self.rules.players,) * self.rules.players
