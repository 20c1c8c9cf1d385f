"""The costs of a bot's decisions, by the values of a solution."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from liarsdice_cli.bots.advice import SHOWDOWN, Adviser
from liarsdice_cli.bots.equilibrium import Equilibrium, OfFile
from liarsdice_cli.bots.protocol import Bot, View

_SAME = 1e-6
"""A cost below this is rounding."""


@dataclass(frozen=True)
class Decisions:
    """The decisions of one bot.

    made    : number of decisions
    valued  : those at views that the solution reaches, so that it has values there
    loss    : mean cost of these: the largest value of an action minus that of the bot's; a value is the probability of not
              losing the round. None if there are none
    worse   : those that cost anything
    """

    made: int
    valued: int
    loss: float | None
    worse: int


def adviser_of(bots: Sequence[Bot]) -> Adviser | None:
    """Return the adviser with the solution that one of the bots plays; None if none does.

    >>> adviser_of([Equilibrium()]) is None, adviser_of([]) is None
    (False, True)
    """
    return Adviser.of(bots) if any(isinstance(bot, Equilibrium | OfFile) for bot in bots) else None


def valued(decisions: Mapping[tuple[View, int], int], adviser: Adviser) -> Decisions:
    """Return the costs of decisions, each given with the number of times that it was made.

    Cost: a few milliseconds for every view.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> view = View(rules("common", 3), (3,), (2,))
    >>> valued({(view, view.actions[0]): 3, (view, view.actions[-1]): 1}, Adviser()).loss > 0
    True
    """
    made = count = worse = 0
    total = 0.0
    for (view, action), times in decisions.items():
        made += times
        advice = adviser.advice(view) if adviser.knows(view.rules) else None
        if advice is None or advice.basis == SHOWDOWN:
            continue
        cost = float(advice.cost(action))
        count, total, worse = count + times, total + times * cost, worse + times * (cost > _SAME)
    return Decisions(made, count, total / count if count else None, worse)
