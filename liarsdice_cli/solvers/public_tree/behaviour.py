"""How a player acts by what is kept of the actions, and what is kept of it: parts of the compiled walk."""

from __future__ import annotations

from typing import Any

import numpy as np

from liarsdice_cli.extensive.stream import Floats
from liarsdice_cli.solvers.public_tree.arrays import Rows, Stack, WalkRates
from liarsdice_cli.system.compiling import inlined_in_place


@inlined_in_place
def probabilities(
    rows: Rows, prediction: Any, first: int, actions: int, width: int, stack: Stack, play: int, rates: WalkRates
) -> bool:
    """Fill the vectors from `play` on with probabilities in proportion to positive weights; False if not finite.

    Where there are none, the first action is taken: a call, or in the opening the lowest bid.
    """
    zero, total = rates.zero, stack.total
    for roll in range(width):
        total[roll] = zero
    for action in range(actions):
        start, own = first + action * width, stack.vectors[play + action]
        weights, last = rows.weights[start : start + width], rows.last[start : start + width]
        for roll in range(width):
            weight = weights[roll]
            if prediction > 0:
                weight += prediction * last[roll]
            weight = zero if weight <= zero else weight
            own[roll] = weight
            total[roll] += weight
    check = zero
    for roll in range(width):
        check += total[roll]
    for roll in range(width):
        total[roll] = rates.one / total[roll] if total[roll] > rates.least else zero
    for action in range(actions):
        own = stack.vectors[play + action]
        for roll in range(width):
            own[roll] *= total[roll]
    called = stack.vectors[play]
    for roll in range(width):
        if total[roll] == zero:
            called[roll] = rates.one
    return bool(np.isfinite(check))


@inlined_in_place
def err(actions: int, width: int, stack: Stack, play: int, rates: WalkRates) -> None:
    """Let the player err."""
    if rates.tremble <= rates.zero:
        return
    share = rates.tremble / stack.one.dtype.type(actions)
    for action in range(actions):
        own = stack.vectors[play + action]
        for roll in range(width):
            own[roll] = own[roll] * (rates.one - rates.tremble) + share


@inlined_in_place
def erring(sign: Any, actions: int, width: int, stack: Stack, action_value: Floats, value: Floats, rates: WalkRates) -> None:
    """The value of who acts on purpose made that of who errs too (sign 1), or the other way about (-1)."""
    if rates.tremble <= rates.zero:
        return
    mean = stack.total
    for roll in range(width):
        mean[roll] = rates.zero
    for action in range(actions):
        own = action_value[action]
        for roll in range(width):
            mean[roll] += own[roll]
    share, purpose = rates.tremble / stack.one.dtype.type(actions), rates.one - rates.tremble
    for roll in range(width):
        if sign > 0:
            value[roll] = purpose * value[roll] + share * mean[roll]
        else:
            value[roll] = (value[roll] - share * mean[roll]) / purpose


@inlined_in_place
def lock_totals(rows: Rows, first: int, actions: int, width: int, stack: Stack, rates: WalkRates) -> None:
    """Fill `Stack.total` with the sum of the locked probabilities for each roll: 1, or 0 for a roll that is not locked."""
    for roll in range(width):
        stack.total[roll] = rates.zero
    for action in range(actions):
        start = first + action * width
        lock = rows.lock[start : start + width]
        for roll in range(width):
            stack.total[roll] += lock[roll]


@inlined_in_place
def lock_probabilities(rows: Rows, first: int, actions: int, width: int, stack: Stack, play: int, rates: WalkRates) -> None:
    """Replace the probabilities of locked rolls with those of the lock."""
    if len(rows.lock) == 0:
        return
    lock_totals(rows, first, actions, width, stack, rates)
    for action in range(actions):
        start, own = first + action * width, stack.vectors[play + action]
        lock = rows.lock[start : start + width]
        for roll in range(width):
            own[roll] = lock[roll] if stack.total[roll] > rates.zero else own[roll]


@inlined_in_place
def lock_values(
    rows: Rows, first: int, actions: int, width: int, stack: Stack, action_value: Floats, value: Floats, rates: WalkRates
) -> None:
    """Replace the values of locked rolls with those of the lock's actions."""
    if len(rows.lock) == 0:
        return
    lock_totals(rows, first, actions, width, stack, rates)
    for roll in range(width):
        value[roll] = rates.zero if stack.total[roll] > rates.zero else value[roll]
    for action in range(actions):
        start, own = first + action * width, action_value[action]
        lock = rows.lock[start : start + width]
        for roll in range(width):
            if lock[roll] > rates.zero:
                value[roll] += lock[roll] * own[roll]


@inlined_in_place
def weigh(
    averages: bool,
    stack: Stack,
    depth: int,
    reach: int,
    play: int,
    first: int,
    actions: int,
    width: int,
    rows: Rows,
    rates: WalkRates,
) -> None:
    """Make reaches of a player's probabilities, and add them to the averages."""
    for action in range(actions):
        mass, after, comes = rates.zero, stack.vectors[play + action], stack.vectors[reach]
        for roll in range(width):
            chance = after[roll] * comes[roll]
            after[roll] = chance
            mass += chance
        stack.action_mass[depth, action] = mass
        if averages and mass > 0:
            start = first + action * width
            average = rows.averages[start : start + width]
            for roll in range(width):
                average[roll] += rates.average_weight * after[roll]


@inlined_in_place
def learn(first: int, actions: int, width: int, action_value: Floats, value: Floats, rows: Rows, rates: WalkRates) -> None:
    """Add the regrets of this visit."""
    for action in range(actions):
        start, own = first + action * width, action_value[action]
        regrets = rows.weights[start : start + width]
        for roll in range(width):
            old = regrets[roll]
            new = old * (rates.discount if old > 0 else rates.discount_negative)
            new += rates.regret_weight * (own[roll] - value[roll])
            regrets[roll] = rates.floor if new <= rates.floor else new
        if rates.learner_prediction > 0:
            last = rows.last[start : start + width]
            for roll in range(width):
                last[roll] = own[roll] - value[roll]
