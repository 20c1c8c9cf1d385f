"""The compiled steps of regret minimisation on the sequence form: one pass over a player's sets forward, or backward.

A player's sequences are numbered from 1 (0 is the empty one), those of a set together, and a set comes after the sets that
can precede it. So going forward every set finds what leads to it done, and going backward what follows it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from liarsdice_cli.extensive.stream import Floats, Ints
from liarsdice_cli.system.compiling import compiled, inlined

NOTHING = 1e-30
"""Realization weight of the other player up to which nobody is taken to come, where that changes nothing but predictions."""
LEAST = float(np.finfo(np.float64).tiny)
"""Sums of weights up to which there are no weights; the smallest float whose inverse is one."""


class PlayerPart(NamedTuple):
    """A player's sets and sequences, and the player's payoffs at the ends of the game; arrays only.

    first  : for every set its first sequence, and one past the last sequence at the end
    before : for every set the sequence that leads to it
    start  : for every sequence its first entry, and the number of entries at the end
    column : for every entry the sequence of the other player
    payoff : for every entry the chance that the ends with both sequences come, times the payoff there (0 to 1); float64
    """

    first: Ints
    before: Ints
    start: Ints
    column: Ints
    payoff: Floats


class TurnRates(NamedTuple):
    """The numbers of a step for one player's turn (see `minimisers.Step`); `every` says that no set may be left out.

    tremble : the probability of an error at every set; an error takes every action alike
    """

    discount: float
    discount_negative: float
    regret_weight: float
    floor: float
    prediction: float
    every: bool
    tremble: float


@compiled
def realize(side: PlayerPart, weights: Floats, last: Floats, prediction: float, tremble: float, plan: Floats) -> bool:
    """Fill `plan` with the realization plan of who acts in proportion to max(weights + prediction last, 0), or errs.

    Where all of these are 0, all actions are played alike. `last` is read only where `prediction` is above 0. False where
    a number is not finite.
    """
    plan[0] = 1.0
    check = 0.0
    for row in range(len(side.before)):
        low, high = side.first[row], side.first[row + 1]
        total = 0.0
        for sequence in range(low, high):
            weight = weights[sequence] + (prediction * last[sequence] if prediction > 0 else 0.0)
            plan[sequence] = 0.0 if weight <= 0 else weight
            total += plan[sequence]
        check += total
        reach = plan[side.before[row]]
        factor = reach * (1 - tremble) / total if total > LEAST else 0.0
        by_error = reach * (tremble if total > LEAST else 1.0) / (high - low)
        for sequence in range(low, high):
            plan[sequence] = plan[sequence] * factor + by_error if total > LEAST else by_error
    return bool(np.isfinite(check))


@inlined
def _ends(side: PlayerPart, sequence: int, other: Floats) -> tuple[float, float]:
    """The value of the ends directly after a sequence, and the largest weight with which the other comes there."""
    gain, comes = 0.0, 0.0
    for entry in range(side.start[sequence], side.start[sequence + 1]):
        weight = other[side.column[entry]]
        gain += side.payoff[entry] * weight
        comes = max(comes, weight)
    return gain, comes


@compiled
def learn(
    side: PlayerPart, other: Floats, regrets: Floats, last: Floats, rates: TurnRates, gains: Floats, comes: Floats
) -> float:
    """Add to a player's regrets those against the other's realization plan; returns the value of the strategy so far.

    gains, comes : floats (sequences), room to work in
    """
    gains[:] = 0.0
    comes[:] = 0.0
    for row in range(len(side.before) - 1, -1, -1):
        low, high = side.first[row], side.first[row + 1]
        visited = 0.0
        for sequence in range(low, high):
            gain, come = _ends(side, sequence, other)
            gains[sequence] += gain
            visited = max(visited, max(comes[sequence], come))
        if visited <= NOTHING and not rates.every:
            continue
        total, value, mean = 0.0, 0.0, 0.0
        for sequence in range(low, high):
            weight = regrets[sequence] + (rates.prediction * last[sequence] if rates.prediction > 0 else 0.0)
            weight = 0.0 if weight <= 0 else weight
            total += weight
            value += weight * gains[sequence]
            mean += gains[sequence]
        mean = mean / (high - low)
        value = value / total if total > LEAST else mean  # on purpose: regrets are those of what can be chosen
        for sequence in range(low, high):
            regret = gains[sequence] - value
            old = regrets[sequence]
            new = old * (rates.discount if old > 0 else rates.discount_negative) + rates.regret_weight * regret
            regrets[sequence] = rates.floor if new <= rates.floor else new
            if rates.prediction > 0:
                last[sequence] = regret
        before = side.before[row]
        gains[before] += value + rates.tremble * (mean - value)
        comes[before] = max(comes[before], visited)
    return float(gains[0] + _ends(side, 0, other)[0])


@compiled
def respond(side: PlayerPart, other: Floats, tremble: float, gains: Floats) -> float:
    """What a player gets at best against the other's realization plan, erring as well."""
    gains[:] = 0.0
    for row in range(len(side.before) - 1, -1, -1):
        low, high = side.first[row], side.first[row + 1]
        best, mean = 0.0, 0.0
        for sequence in range(low, high):
            gain = gains[sequence] + _ends(side, sequence, other)[0]
            best = max(best, gain)
            mean += gain / (high - low)
        gains[side.before[row]] += (1 - tremble) * best + tremble * mean
    return float(gains[0] + _ends(side, 0, other)[0])


@compiled
def add(average: Floats, weight: float, plan: Floats) -> None:
    """Add a realization plan to an average."""
    for sequence in range(len(plan)):
        average[sequence] += weight * plan[sequence]
