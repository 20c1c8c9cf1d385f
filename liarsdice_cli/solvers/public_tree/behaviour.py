"""The strategy of the mover at one history, and the updates of its regrets and averages: parts of the compiled traversal.

The parts take arrays and numbers rather than the whole context, so that each is compiled quickly (see `part_in_place`). `entry`
has where the entries of each action begin in every array of the shard, in units of `LANES`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from liarsdice_cli.extensive.stream import Floats, Ints
from liarsdice_cli.solvers.public_tree.arrays import Rates
from liarsdice_cli.strategies.shard import LANES
from liarsdice_cli.system.compiling import part_in_place


class Infosets(NamedTuple):
    """The information sets of the mover at one history, one a roll.

    actions : the number of actions
    blocks  : the padded number of rolls, in units of `LANES`; a part multiplies them itself, so that the compiler sees that
              loops over rolls fill whole vectors
    vector  : the row of `Stack.vectors` for the first action
    """

    actions: int
    blocks: int
    vector: int


@part_in_place
def compute_strategy(
    weights: Floats,
    last_regrets: Floats,
    entry: Ints,
    infosets: Infosets,
    prediction: Any,
    smallest: Any,
    vectors: Floats,
    total: Floats,
) -> bool:
    """Fill the vectors with probabilities in proportion to positive weights; return False if a weight is not finite.

    If a roll has no positive weight, it takes the first action: the call, or the lowest bid in the opening.

    smallest : as in `Context`
    total    : scratch
    """
    actions, width, vector = infosets.actions, int(infosets.blocks) * LANES, infosets.vector
    zero, one = total.dtype.type(0), total.dtype.type(1)
    for roll in range(width):
        total[roll] = zero
    for action in range(actions):
        start, own = int(entry[action]) * LANES, vectors[vector + action]
        regrets, last = weights[start : start + width], last_regrets[start : start + width]
        for roll in range(width):
            weight = regrets[roll]
            if prediction > 0:
                weight += prediction * last[roll]
            weight = zero if weight <= zero else weight
            own[roll] = weight
            total[roll] += weight
    check = zero
    for roll in range(width):
        check += total[roll]
    for roll in range(width):
        total[roll] = one / total[roll] if total[roll] > smallest else zero
    for action in range(actions):
        own = vectors[vector + action]
        for roll in range(width):
            own[roll] *= total[roll]
    called = vectors[vector]
    for roll in range(width):
        if total[roll] == zero:
            called[roll] = one
    return bool(np.isfinite(check))


@part_in_place
def add_tremble(infosets: Infosets, intended: Any, share: Any, vectors: Floats) -> None:
    """Mix the strategy with the uniform one.

    intended, share : the probabilities of the intended action and of a tremble to each action
    """
    width = int(infosets.blocks) * LANES
    for action in range(infosets.actions):
        own = vectors[infosets.vector + action]
        for roll in range(width):
            own[roll] = own[roll] * intended + share


@part_in_place
def tremble_value(action_value: Floats, infosets: Infosets, intended: Any, share: Any, value: Floats, total: Floats) -> None:
    """Turn the value of an intended action into the value of a strategy that trembles.

    intended, share : the probabilities of the intended action and of a tremble to each action
    total           : scratch
    """
    width = int(infosets.blocks) * LANES
    _sum_over_actions(action_value, infosets, total)
    for roll in range(width):
        value[roll] = intended * value[roll] + share * total[roll]


@part_in_place
def remove_tremble_from_value(
    action_value: Floats, infosets: Infosets, intended: Any, share: Any, value: Floats, total: Floats
) -> None:
    """Turn the value of a strategy that trembles into the value of its intended actions; arguments as for `tremble_value`."""
    width = int(infosets.blocks) * LANES
    _sum_over_actions(action_value, infosets, total)
    for roll in range(width):
        value[roll] = (value[roll] - share * total[roll]) / intended


@part_in_place
def _sum_over_actions(action_value: Floats, infosets: Infosets, total: Floats) -> None:
    """Fill `total` with the sum of the action values of every roll."""
    width = int(infosets.blocks) * LANES
    for roll in range(width):
        total[roll] = 0
    for action in range(infosets.actions):
        own = action_value[action]
        for roll in range(width):
            total[roll] += own[roll]


@part_in_place
def _sum_lock(lock: Floats, entry: Ints, infosets: Infosets, total: Floats) -> None:
    """Fill `total` with the sum of the locked probabilities of every roll: 1, or 0 for a roll without a lock."""
    width = int(infosets.blocks) * LANES
    for roll in range(width):
        total[roll] = 0
    for action in range(infosets.actions):
        start = int(entry[action]) * LANES
        own = lock[start : start + width]
        for roll in range(width):
            total[roll] += own[roll]


@part_in_place
def apply_lock(lock: Floats, entry: Ints, infosets: Infosets, vectors: Floats, total: Floats) -> None:
    """Replace the probabilities of locked rolls; `total` is scratch."""
    width = int(infosets.blocks) * LANES
    _sum_lock(lock, entry, infosets, total)
    for action in range(infosets.actions):
        start, own = int(entry[action]) * LANES, vectors[infosets.vector + action]
        fixed = lock[start : start + width]
        for roll in range(width):
            own[roll] = fixed[roll] if total[roll] > 0 else own[roll]


@part_in_place
def apply_lock_to_value(
    lock: Floats, entry: Ints, action_value: Floats, infosets: Infosets, value: Floats, total: Floats
) -> None:
    """Replace the best action's value by that of the locked strategy for locked rolls; `total` is scratch."""
    width = int(infosets.blocks) * LANES
    _sum_lock(lock, entry, infosets, total)
    for roll in range(width):
        if total[roll] > 0:
            value[roll] = 0
    for action in range(infosets.actions):
        start, own = int(entry[action]) * LANES, action_value[action]
        fixed = lock[start : start + width]
        for roll in range(width):
            if fixed[roll] > 0:
                value[roll] += fixed[roll] * own[roll]


@part_in_place
def multiply_reach(
    averages: Floats,
    entry: Ints,
    infosets: Infosets,
    reach_row: int,
    weight: Any,
    vectors: Floats,
    action_reach: Floats,
) -> None:
    """Multiply the probabilities of another player by its reach, and add them to the averages with a weight if it is above 0.

    reach_row    : the row of `vectors` that holds the player's reach at the history
    action_reach : filled with the sum of the reach after each action
    """
    width = int(infosets.blocks) * LANES
    for action in range(infosets.actions):
        mass, after, before = action_reach.dtype.type(0), vectors[infosets.vector + action], vectors[reach_row]
        for roll in range(width):
            chance = after[roll] * before[roll]
            after[roll] = chance
            mass += chance
        action_reach[action] = mass
        if weight > 0 and mass > 0:
            start = int(entry[action]) * LANES
            average = averages[start : start + width]
            for roll in range(width):
                average[roll] += weight * after[roll]


@part_in_place
def update_regrets(
    weights: Floats, last_regrets: Floats, entry: Ints, action_value: Floats, value: Floats, infosets: Infosets, rates: Rates
) -> None:
    """Add the regrets of this visit."""
    width = int(infosets.blocks) * LANES
    for action in range(infosets.actions):
        start, own = int(entry[action]) * LANES, action_value[action]
        regrets = weights[start : start + width]
        for roll in range(width):
            old = regrets[roll]
            new = old * (rates.discount if old > 0 else rates.discount_negative)
            new += rates.regret_weight * (own[roll] - value[roll])
            regrets[roll] = rates.floor if new <= rates.floor else new
        if rates.update_prediction > 0:
            last = last_regrets[start : start + width]
            for roll in range(width):
                last[roll] = own[roll] - value[roll]


@part_in_place
def descend(
    strategy: Floats,
    means: Floats,
    entry: Ints,
    action_value: Floats,
    infosets: Infosets,
    reach: Any,
    share: Any,
    sharpness: Any,
    intended: Any,
    tremble: Any,
    top: Floats,
    total: Floats,
) -> None:
    """Take a step of mirror descent at every roll: average the values of the actions, and act by their logit choice.

    means             : the averages of the values
    reach             : the other players' reach, by which the values are divided
    share, sharpness  : as in `Mirror`
    intended, tremble : the probabilities of the intended action and of a tremble to each action
    top, total        : scratch
    """
    width, actions = int(infosets.blocks) * LANES, infosets.actions
    scale, keep = share / reach, total.dtype.type(1) - share
    for action in range(actions):
        start, value = int(entry[action]) * LANES, action_value[action]
        mean = means[start : start + width]
        for roll in range(width):
            mean[roll] = keep * mean[roll] + scale * value[roll]
        for roll in range(width):
            top[roll] = mean[roll] if action == 0 else max(top[roll], mean[roll])
    for roll in range(width):
        total[roll] = 0
    for action in range(actions):
        start = int(entry[action]) * LANES
        mean, chance = means[start : start + width], strategy[start : start + width]
        for roll in range(width):
            chance[roll] = np.exp(sharpness * (mean[roll] - top[roll]))
            total[roll] += chance[roll]
    for roll in range(width):
        total[roll] = intended / total[roll]
    for action in range(actions):
        start = int(entry[action]) * LANES
        chance = strategy[start : start + width]
        for roll in range(width):
            chance[roll] = chance[roll] * total[roll] + tremble


@part_in_place
def compute_value(action_value: Floats, infosets: Infosets, vectors: Floats, value: Floats) -> None:
    """Fill `value` with the sum of the action values, each times its probability."""
    width = int(infosets.blocks) * LANES
    for roll in range(width):
        value[roll] = 0
    for action in range(infosets.actions):
        probability, own = vectors[infosets.vector + action], action_value[action]
        for roll in range(width):
            value[roll] += probability[roll] * own[roll]


@part_in_place
def compute_best_value(action_value: Floats, infosets: Infosets, value: Floats) -> None:
    """Fill `value` with the largest of the action values."""
    width = int(infosets.blocks) * LANES
    for roll in range(width):
        value[roll] = action_value[0, roll]
    for action in range(1, infosets.actions):
        for roll in range(width):
            value[roll] = max(value[roll], action_value[action, roll])
