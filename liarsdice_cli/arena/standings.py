"""Rate bots from counts of games: win rates with confidence intervals, and Elo ratings."""

from __future__ import annotations

from math import log, sqrt

import numpy as np

from liarsdice_cli.extensive.stream import Floats, Ints

_Z = 1.959963984540054
"""The quantile of the normal distribution that leaves 2.5 % above it."""
SCALE = 400 / log(10)
"""Elo points per unit of log-odds: 400 points are odds of 10 to 1."""


def interval(won: int, games: int, deals: int, spread: float) -> tuple[float, float]:
    """Return the 95 % interval for the probability of winning, from deals that are each played from every seat.

    won, games : the totals of all deals
    spread     : the sum over the deals of (games won with the deal - rate x games with the deal)^2

    The games of a deal share its luck. So they count as fewer independent games, or as more if a good deal for one seat is a
    bad one for the other. Their number is that of the games divided by the design effect (Kish 1965, "Survey sampling", section
    8.2): the variance of the rate divided by that with independent games. It is used in Wilson's interval. One deal more, with
    all its games alike, is added to the estimate, so that a few deals that happen to agree prove nothing.

    >>> [round(bound, 3) for bound in interval(100, 200, 100, 0)], [round(bound, 3) for bound in interval(100, 200, 100, 100)]
    ([0.49, 0.51], [0.404, 0.596])
    """
    if not games or won in (0, games):  # games of one deal share its luck, so each deal counts once
        counted = min(games, deals)
        return wilson(won and counted, counted)
    rate = won / games
    effect = (deals * spread / (games * rate * (1 - rate)) + games / deals) / (deals + 1)
    return wilson(won / effect, games / effect)


def wilson(won: float, games: float) -> tuple[float, float]:
    """Return the 95 % interval of Wilson (1927) for a probability, from independent games; (0, 1) for no games.

    Centre (p + z^2 / 2n) / (1 + z^2 / n), half width z / (1 + z^2 / n) sqrt(p (1 - p) / n + z^2 / 4n^2).

    >>> [round(bound, 4) for bound in wilson(8, 10)], wilson(0, 0)
    ([0.4902, 0.9433], (0.0, 1.0))
    """
    if not games:
        return 0.0, 1.0
    share, spread = won / games, _Z**2 / games
    centre = (share + spread / 2) / (1 + spread)
    half = _Z / (1 + spread) * sqrt(share * (1 - share) / games + spread / (4 * games))
    return max(0.0, centre - half), min(1.0, centre + half)


def elo(ahead: Ints) -> Floats:
    """Return ratings in Elo points with mean 0, by maximum likelihood in the model of Bradley and Terry (1952).

    ahead : the number of games in which the bot of the row ended ahead of the bot of the column, shape (bots, bots)

    The odds that one bot is ahead of another are 10^(difference / 400). Every pair that met gets an extra half game for each
    side, so the rating of a bot that always wins is finite. Cost: a few linear systems of this size.

    >>> elo(np.array([[0, 100], [10, 0]])).round(1).tolist()
    [196.2, -196.2]
    """
    met = (ahead + ahead.T > 0) & ~np.eye(len(ahead), dtype=bool)
    counts = ahead + 0.5 * met
    games, won = counts + counts.T, counts.sum(axis=1)
    rating = np.zeros(len(ahead))
    for _ in range(100):
        chance = 1 / (1 + np.exp(rating[None, :] - rating[:, None]))
        weight = games * chance * (1 - chance)
        curvature = np.diag(weight.sum(axis=1)) - weight + np.ones_like(weight) / len(weight)  # the mean stays 0
        step = np.linalg.solve(curvature + 1e-12 * np.eye(len(weight)), won - (games * chance).sum(axis=1))
        rating += np.clip(step, -1, 1)
        if np.abs(step).max() < 1e-10:
            break
    found: Floats = SCALE * (rating - rating.mean())
    return found
