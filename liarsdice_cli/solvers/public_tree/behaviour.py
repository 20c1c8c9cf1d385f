"""The strategy of the mover at one history, and its value: parts of the compiled traversal.

The parts take arrays and numbers rather than the whole context, so that each is compiled quickly (see `part_in_place`). `block`
has the first block of each action, and `rows` the rows of the blocks.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from liarsdice_cli.extensive.stream import Floats, Ints
from liarsdice_cli.solvers.public_tree.arrays import Learning, Mirror, Rows
from liarsdice_cli.solvers.public_tree.entries import Infosets, descend, update_regrets
from liarsdice_cli.strategies.shard import LANES
from liarsdice_cli.system.compiling import part_in_place


@part_in_place
def fill_strategy(
    weights: Floats,
    learning: Learning | None,
    lock: Floats | None,
    tremble: Any,
    mirror: Mirror | None,
    updates: bool,
    rows: Rows,
    block: Ints,
    infosets: Infosets,
    smallest: Any,
    vectors: Floats,
    total: Floats,
) -> bool:
    """Fill the vectors with the mover's strategy; return False if a weight is not finite.

    Arguments as in `Context` and `traversal.traverse`.

    updates : whether the mover is the update player
    total   : scratch
    """
    zero, one = total.dtype.type(0), total.dtype.type(1)
    if learning is None or mirror is not None:
        finite = compute_strategy(weights, weights, rows, block, infosets, zero, smallest, vectors, total)
    else:
        prediction = learning.rates.update_prediction if updates else learning.rates.other_prediction
        finite = compute_strategy(weights, learning.last_regrets, rows, block, infosets, prediction, smallest, vectors, total)
        if tremble is not None:  # average strategies include the tremble already
            add_tremble(infosets, one - tremble, tremble / total.dtype.type(infosets.actions), vectors)
    if lock is not None:
        apply_lock(lock, rows, block, infosets, vectors, total)
    return bool(finite)


@part_in_place
def update(
    weights: Floats,
    learning: Learning | None,
    lock: Floats | None,
    tremble: Any,
    mirror: Mirror | None,
    best: bool,
    rows: Rows,
    block: Ints,
    infosets: Infosets,
    reached: Any,
    vectors: Floats,
    action_value: Floats,
    value: Floats,
    total: Floats,
) -> None:
    """Fill in the value of a history of the update player, and take the step of learning. Arguments as for `fill_strategy`.

    best         : whether the player plays a best response
    reached      : the other players' reach
    action_value : the value of each action to each roll; one more row is scratch
    """
    one, share = total.dtype.type(1), total.dtype.type(0)
    if best:
        compute_best_value(action_value, infosets, value)
    else:
        compute_value(action_value, infosets, vectors, value)
    if tremble is not None:
        share = tremble / total.dtype.type(infosets.actions)
    if mirror is not None and learning is not None and tremble is not None:
        numbers = reached, mirror.share, mirror.sharpness, one - tremble, share
        descend(
            weights, learning.averages, rows, block, action_value, infosets, *numbers, action_value[infosets.actions], total
        )
    elif learning is not None:  # regrets compare intended actions, without the tremble
        if tremble is not None:
            remove_tremble_from_value(action_value, infosets, one - tremble, share, value, total)
        update_regrets(weights, learning.last_regrets, rows, block, action_value, value, infosets, learning.rates)
    if tremble is not None and (best or learning is not None) and mirror is None:
        tremble_value(action_value, infosets, one - tremble, share, value, total)
    if lock is not None and best:
        apply_lock_to_value(lock, rows, block, action_value, infosets, value, total)


@part_in_place
def compute_strategy(
    weights: Floats,
    last_regrets: Floats,
    rows: Rows,
    block: Ints,
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
    actions, width, vector = infosets.actions, infosets.blocks * LANES, infosets.vector
    zero, one = total.dtype.type(0), total.dtype.type(1)
    for roll in range(width):
        total[roll] = zero
    for action in range(actions):
        own = vectors[vector + action]
        for part in range(infosets.blocks):
            row = rows.of_block[block[action] + part]
            regrets = weights[row]
            for lane in range(LANES):
                weight = regrets[lane]
                if prediction > 0:
                    weight += prediction * last_regrets[row, lane]
                weight = zero if weight <= zero else weight
                own[part * LANES + lane] = weight
                total[part * LANES + lane] += weight
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
    width = infosets.blocks * LANES
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
    width = infosets.blocks * LANES
    _sum_over_actions(action_value, infosets, total)
    for roll in range(width):
        value[roll] = intended * value[roll] + share * total[roll]


@part_in_place
def remove_tremble_from_value(
    action_value: Floats, infosets: Infosets, intended: Any, share: Any, value: Floats, total: Floats
) -> None:
    """Turn the value of a strategy that trembles into the value of its intended actions; arguments as for `tremble_value`."""
    width = infosets.blocks * LANES
    _sum_over_actions(action_value, infosets, total)
    for roll in range(width):
        value[roll] = (value[roll] - share * total[roll]) / intended


@part_in_place
def _sum_over_actions(action_value: Floats, infosets: Infosets, total: Floats) -> None:
    """Fill `total` with the sum of the action values of every roll."""
    width = infosets.blocks * LANES
    for roll in range(width):
        total[roll] = 0
    for action in range(infosets.actions):
        own = action_value[action]
        for roll in range(width):
            total[roll] += own[roll]


@part_in_place
def _sum_lock(lock: Floats, rows: Rows, block: Ints, infosets: Infosets, total: Floats) -> None:
    """Fill `total` with the sum of the locked probabilities of every roll: 1, or 0 for a roll without a lock."""
    width = infosets.blocks * LANES
    for roll in range(width):
        total[roll] = 0
    for action in range(infosets.actions):
        for part in range(infosets.blocks):
            own = lock[rows.of_block[block[action] + part]]
            for lane in range(LANES):
                total[part * LANES + lane] += own[lane]


@part_in_place
def apply_lock(lock: Floats, rows: Rows, block: Ints, infosets: Infosets, vectors: Floats, total: Floats) -> None:
    """Replace the probabilities of locked rolls; `total` is scratch."""
    _sum_lock(lock, rows, block, infosets, total)
    for action in range(infosets.actions):
        own = vectors[infosets.vector + action]
        for part in range(infosets.blocks):
            fixed = lock[rows.of_block[block[action] + part]]
            for lane in range(LANES):
                roll = part * LANES + lane
                own[roll] = fixed[lane] if total[roll] > 0 else own[roll]


@part_in_place
def apply_lock_to_value(
    lock: Floats, rows: Rows, block: Ints, action_value: Floats, infosets: Infosets, value: Floats, total: Floats
) -> None:
    """Replace the best action's value by that of the locked strategy for locked rolls; `total` is scratch."""
    width = infosets.blocks * LANES
    _sum_lock(lock, rows, block, infosets, total)
    for roll in range(width):
        if total[roll] > 0:
            value[roll] = 0
    for action in range(infosets.actions):
        own = action_value[action]
        for part in range(infosets.blocks):
            fixed = lock[rows.of_block[block[action] + part]]
            for lane in range(LANES):
                roll = part * LANES + lane
                if fixed[lane] > 0:
                    value[roll] += fixed[lane] * own[roll]


@part_in_place
def compute_value(action_value: Floats, infosets: Infosets, vectors: Floats, value: Floats) -> None:
    """Fill `value` with the sum of the action values, each times its probability."""
    width = infosets.blocks * LANES
    for roll in range(width):
        value[roll] = 0
    for action in range(infosets.actions):
        probability, own = vectors[infosets.vector + action], action_value[action]
        for roll in range(width):
            value[roll] += probability[roll] * own[roll]


@part_in_place
def compute_best_value(action_value: Floats, infosets: Infosets, value: Floats) -> None:
    """Fill `value` with the largest of the action values."""
    width = infosets.blocks * LANES
    for roll in range(width):
        value[roll] = action_value[0, roll]
    for action in range(1, infosets.actions):
        for roll in range(width):
            other = action_value[action, roll]
            value[roll] = other if other > value[roll] else value[roll]
