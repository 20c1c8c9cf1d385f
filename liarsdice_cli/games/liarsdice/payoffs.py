"""Convert between the payoff of a player and the probability of not losing the round. All players have the same payoffs."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, TypeVar

from liarsdice_cli.games.liarsdice.rules import Rules

if TYPE_CHECKING:
    from liarsdice_cli.extensive.number import Number  # imports numpy

_Number = TypeVar("_Number", float, Fraction, "Number")


def payoff_at(rules: Rules, wins: _Number) -> _Number:
    """Return the expected payoff of a player whose probability of not losing is `wins`.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> str(payoff_at(rules("common", 6, (1, 1, 1), payoffs="zero-sum"), Fraction(1, 3)))
    '-1/2'
    """
    return rules.payoffs_when_losing(0)[0] + payoff_range(rules) * wins


def wins_at(rules: Rules, payoff: _Number) -> _Number:
    """Return the probability of not losing of a player with this expected payoff.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> str(wins_at(rules("common", 6, (1, 1, 1), payoffs="zero-sum"), Fraction(-1, 2)))
    '1/3'
    """
    return (payoff - rules.payoffs_when_losing(0)[0]) / payoff_range(rules)


def payoff_range(rules: Rules) -> Fraction:
    """Return the difference between a player's payoffs for not losing and for losing."""
    lose, win = rules.payoffs_when_losing(0)[:2]
    return win - lose


def total_payoff(rules: Rules) -> Fraction:
    """Return the sum of all players' payoffs, which does not depend on the loser."""
    return sum(rules.payoffs_when_losing(0), start=Fraction(0))
