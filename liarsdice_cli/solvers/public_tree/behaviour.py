"""The strategy of the mover at one history, and the updates of its regrets and averages: parts of the compiled traversal."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from liarsdice_cli.extensive.stream import Floats
from liarsdice_cli.solvers.public_tree.arrays import Context
from liarsdice_cli.strategies.shard import LANES
from liarsdice_cli.system.compiling import inlined_in_place


class Infosets(NamedTuple):
    """The information sets of the mover at one history, one a roll.

    depth   : of the history
    actions : the number of actions
    width   : the padded number of rolls
    vector  : the row of `Stack.vectors` for the first action
    """

    depth: int
    actions: int
    width: int
    vector: int


@inlined_in_place
def first_entry(context: Context, infosets: Infosets, action: int) -> int:
    """Return where the entries of an action begin in every array of the shard."""
    return int(context.stack.entry[infosets.depth, action]) * LANES


@inlined_in_place
def compute_strategy(context: Context, infosets: Infosets, prediction: Any) -> bool:
    """Fill the vectors with probabilities in proportion to positive weights; return False if a weight is not finite.

    If a roll has no positive weight, it takes the first action: the call, or the lowest bid in the opening.
    """
    shard, stack, rates = context.shard, context.stack, context.rates
    actions, width, vector = infosets.actions, infosets.width, infosets.vector
    zero, total = rates.zero, stack.total
    for roll in range(width):
        total[roll] = zero
    for action in range(actions):
        start, own = first_entry(context, infosets, action), stack.vectors[vector + action]
        weights, last = shard.weights[start : start + width], shard.last_regrets[start : start + width]
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
        total[roll] = rates.one / total[roll] if total[roll] > rates.smallest else zero
    for action in range(actions):
        own = stack.vectors[vector + action]
        for roll in range(width):
            own[roll] *= total[roll]
    called = stack.vectors[vector]
    for roll in range(width):
        if total[roll] == zero:
            called[roll] = rates.one
    return bool(np.isfinite(check))


@inlined_in_place
def add_tremble(context: Context, infosets: Infosets) -> None:
    """Mix the strategy with the uniform one, by the probability of a tremble."""
    stack, rates, width = context.stack, context.rates, infosets.width
    if rates.tremble <= rates.zero:
        return
    share = rates.tremble / stack.one.dtype.type(infosets.actions)
    for action in range(infosets.actions):
        own = stack.vectors[infosets.vector + action]
        for roll in range(width):
            own[roll] = own[roll] * (rates.one - rates.tremble) + share


@inlined_in_place
def tremble_value(context: Context, infosets: Infosets, action_value: Floats, value: Floats) -> None:
    """Turn the value of an intended action into the value of a strategy that trembles."""
    rates, mean = context.rates, context.stack.total
    if rates.tremble <= rates.zero:
        return
    _sum_over_actions(context, infosets, action_value)
    share, intended = rates.tremble / context.stack.one.dtype.type(infosets.actions), rates.one - rates.tremble
    for roll in range(infosets.width):
        value[roll] = intended * value[roll] + share * mean[roll]


@inlined_in_place
def remove_tremble_from_value(context: Context, infosets: Infosets, action_value: Floats, value: Floats) -> None:
    """Turn the value of a strategy that trembles into the value of its intended actions."""
    rates, mean = context.rates, context.stack.total
    if rates.tremble <= rates.zero:
        return
    _sum_over_actions(context, infosets, action_value)
    share, intended = rates.tremble / context.stack.one.dtype.type(infosets.actions), rates.one - rates.tremble
    for roll in range(infosets.width):
        value[roll] = (value[roll] - share * mean[roll]) / intended


@inlined_in_place
def _sum_over_actions(context: Context, infosets: Infosets, action_value: Floats) -> None:
    """Fill `Stack.total` with the sum of the action values of every roll."""
    total, width = context.stack.total, infosets.width
    for roll in range(width):
        total[roll] = context.rates.zero
    for action in range(infosets.actions):
        own = action_value[action]
        for roll in range(width):
            total[roll] += own[roll]


@inlined_in_place
def _sum_lock(context: Context, infosets: Infosets) -> None:
    """Fill `Stack.total` with the sum of the locked probabilities of every roll: 1, or 0 for a roll without a lock."""
    total, width = context.stack.total, infosets.width
    for roll in range(width):
        total[roll] = context.rates.zero
    for action in range(infosets.actions):
        start = first_entry(context, infosets, action)
        lock = context.shard.lock[start : start + width]
        for roll in range(width):
            total[roll] += lock[roll]


@inlined_in_place
def apply_lock(context: Context, infosets: Infosets) -> None:
    """Replace the probabilities of locked rolls."""
    shard, stack, width = context.shard, context.stack, infosets.width
    if len(shard.lock) == 0:
        return
    _sum_lock(context, infosets)
    for action in range(infosets.actions):
        start, own = first_entry(context, infosets, action), stack.vectors[infosets.vector + action]
        lock = shard.lock[start : start + width]
        for roll in range(width):
            own[roll] = lock[roll] if stack.total[roll] > context.rates.zero else own[roll]


@inlined_in_place
def apply_lock_to_value(context: Context, infosets: Infosets, action_value: Floats, value: Floats) -> None:
    """Replace the best action's value by that of the locked strategy for locked rolls."""
    shard, total, width, zero = context.shard, context.stack.total, infosets.width, context.rates.zero
    if len(shard.lock) == 0:
        return
    _sum_lock(context, infosets)
    for roll in range(width):
        value[roll] = zero if total[roll] > zero else value[roll]
    for action in range(infosets.actions):
        start, own = first_entry(context, infosets, action), action_value[action]
        lock = shard.lock[start : start + width]
        for roll in range(width):
            if lock[roll] > zero:
                value[roll] += lock[roll] * own[roll]


@inlined_in_place
def multiply_reach(context: Context, infosets: Infosets, depth: int, reach_row: int, averages: bool) -> None:
    """Multiply the probabilities of another player by its reach, and add them to the averages if asked.

    reach_row : the row of `Stack.vectors` that holds the player's reach at the history
    """
    shard, stack, rates, width = context.shard, context.stack, context.rates, infosets.width
    for action in range(infosets.actions):
        mass, after, before = rates.zero, stack.vectors[infosets.vector + action], stack.vectors[reach_row]
        for roll in range(width):
            chance = after[roll] * before[roll]
            after[roll] = chance
            mass += chance
        stack.action_reach[depth, action] = mass
        if averages and mass > 0:
            start = first_entry(context, infosets, action)
            average = shard.averages[start : start + width]
            for roll in range(width):
                average[roll] += rates.average_weight * after[roll]


@inlined_in_place
def update_regrets(context: Context, infosets: Infosets, action_value: Floats, value: Floats) -> None:
    """Add the regrets of this visit."""
    shard, rates, width = context.shard, context.rates, infosets.width
    for action in range(infosets.actions):
        start, own = first_entry(context, infosets, action), action_value[action]
        regrets = shard.weights[start : start + width]
        for roll in range(width):
            old = regrets[roll]
            new = old * (rates.discount if old > 0 else rates.discount_negative)
            new += rates.regret_weight * (own[roll] - value[roll])
            regrets[roll] = rates.floor if new <= rates.floor else new
        if rates.update_prediction > 0:
            last = shard.last_regrets[start : start + width]
            for roll in range(width):
                last[roll] = own[roll] - value[roll]
