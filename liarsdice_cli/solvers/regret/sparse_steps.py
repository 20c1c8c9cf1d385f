"""The compiled steps of regret minimisation on the sequence form: passes forward or backward over a player's sets.

A player's sequences are numbered from 1 (0 is the empty one). Those of a set are consecutive, and a set has a larger number
than the sets before it in the game. So a forward pass handles the earlier sets first, and a backward pass the later ones.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from liarsdice_cli.extensive.stream import Floats, Ints
from liarsdice_cli.system.compiling import compiled, inlined

NO_REACH = 1e-30
"""The largest reach of the other player that counts as none; sets without reach are skipped, which affects only predictions."""
LEAST = float(np.finfo(np.float64).tiny)
"""The largest sum of weights that counts as 0: the smallest float with an inverse."""


class PlayerPart(NamedTuple):
    """A player's sets and sequences, and the player's payoffs at the ends of the game; arrays only.

    first  : for every set its first sequence, and one past the last sequence at the end
    before : for every set the sequence that leads to it
    start  : for every sequence its first entry, and the number of entries at the end
    column : for every entry the sequence of the other player
    payoff : for every entry chance's probability of the terminal nodes after both sequences, times the payoff (0 to 1)
    """

    first: Ints
    before: Ints
    start: Ints
    column: Ints
    payoff: Floats


class TurnRates(NamedTuple):
    """The numbers of a step for one update player (see `minimisers.Step`).

    every   : whether every set needs an update, also without reach
    tremble : the probability of a uniformly random action at every set
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
    """Fill `plan` with the realization plan in proportion to max(weights + prediction last, 0), with trembles.

    If all of these are 0 at a set, its actions get equal probabilities. `last` is read only if `prediction` is above 0. Return
    whether all numbers are finite.
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
        uniform = reach * (tremble if total > LEAST else 1.0) / (high - low)
        for sequence in range(low, high):
            plan[sequence] = plan[sequence] * factor + uniform if total > LEAST else uniform
    return bool(np.isfinite(check))


@inlined
def _ends(side: PlayerPart, sequence: int, other: Floats) -> tuple[float, float]:
    """Return the value of the terminal nodes directly after a sequence, and the other player's largest reach there."""
    value, reach = 0.0, 0.0
    for entry in range(side.start[sequence], side.start[sequence + 1]):
        weight = other[side.column[entry]]
        value += side.payoff[entry] * weight
        reach = max(reach, weight)
    return value, reach


@compiled
def update(
    side: PlayerPart, other: Floats, regrets: Floats, last: Floats, rates: TurnRates, values: Floats, reach: Floats
) -> float:
    """Add a player's regrets against the other player's realization plan; return the value of the current strategy.

    values, reach : floats (sequences), work space
    """
    values[:] = 0.0
    reach[:] = 0.0
    for row in range(len(side.before) - 1, -1, -1):
        low, high = side.first[row], side.first[row + 1]
        set_reach = 0.0
        for sequence in range(low, high):
            direct, direct_reach = _ends(side, sequence, other)
            values[sequence] += direct
            set_reach = max(set_reach, max(reach[sequence], direct_reach))
        if set_reach <= NO_REACH and not rates.every:
            continue
        total, value, mean = 0.0, 0.0, 0.0
        for sequence in range(low, high):
            weight = regrets[sequence] + (rates.prediction * last[sequence] if rates.prediction > 0 else 0.0)
            weight = 0.0 if weight <= 0 else weight
            total += weight
            value += weight * values[sequence]
            mean += values[sequence]
        mean = mean / (high - low)
        value = value / total if total > LEAST else mean  # without the tremble: regrets compare what the player can choose
        for sequence in range(low, high):
            regret = values[sequence] - value
            old = regrets[sequence]
            new = old * (rates.discount if old > 0 else rates.discount_negative) + rates.regret_weight * regret
            regrets[sequence] = rates.floor if new <= rates.floor else new
            if rates.prediction > 0:
                last[sequence] = regret
        before = side.before[row]
        values[before] += value + rates.tremble * (mean - value)
        reach[before] = max(reach[before], set_reach)
    return float(values[0] + _ends(side, 0, other)[0])


@compiled
def respond(side: PlayerPart, other: Floats, tremble: float, values: Floats) -> float:
    """Return the value of a player's best response, with trembles, to the other player's realization plan."""
    values[:] = 0.0
    for row in range(len(side.before) - 1, -1, -1):
        low, high = side.first[row], side.first[row + 1]
        best, mean = 0.0, 0.0
        for sequence in range(low, high):
            value = values[sequence] + _ends(side, sequence, other)[0]
            best = max(best, value)
            mean += value / (high - low)
        values[side.before[row]] += (1 - tremble) * best + tremble * mean
    return float(values[0] + _ends(side, 0, other)[0])


@compiled
def add(average: Floats, weight: float, plan: Floats) -> None:
    """Add a realization plan to an average."""
    for sequence in range(len(plan)):
        average[sequence] += weight * plan[sequence]
