"""The updates of the entries of the mover at one history: parts of the compiled traversal.

`block` has the first block of each action, and `rows` the rows of the blocks.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from liarsdice_cli.extensive.stream import Floats, Ints
from liarsdice_cli.solvers.public_tree.arrays import Learning, Rates, Rows
from liarsdice_cli.strategies.shard import LANES, REFUSED, ROWS, ZEROS
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
def own_row(rows: Rows, block: int) -> int:
    """Return the row of a block, which gets one if it has none; ZEROS if there is no room, so that the numbers are lost."""
    row: Any = rows.of_block[block]
    if row == ZEROS:
        if rows.used[ROWS] < rows.room:
            row = np.uint32(rows.used[ROWS])
            rows.used[ROWS] += 1
            rows.of_block[block] = row
        else:
            rows.used[REFUSED] += 1
    return int(row)


@part_in_place
def load_average(averages: Floats, rows: Rows, block: Any, blocks: int, result: Floats) -> None:
    """Fill `result` with the entries of the averages in a column, which begins with `block`."""
    for part in range(blocks):
        average = averages[rows.of_block[block + part]]
        for lane in range(LANES):
            result[part * LANES + lane] = average[lane]


@part_in_place
def load_sum(averages: Floats, rows: Rows, block: Any, blocks: int, weight: Any, source: Floats, result: Floats) -> Any:
    """Fill `result` with what `add_average` would leave in a column, and return its sum."""
    mass = averages.dtype.type(0)
    for part in range(blocks):
        average = averages[rows.of_block[block + part]]
        for lane in range(LANES):
            entry = average[lane] + weight * source[part * LANES + lane]
            result[part * LANES + lane] = entry
            mass += entry
    return mass


@part_in_place
def add_average(averages: Floats, rows: Rows, block: Any, blocks: int, weight: Any, source: Floats) -> None:
    """Add a vector of rolls, times a weight, to the averages in a column, which begins with `block`."""
    for part in range(blocks):
        some = averages.dtype.type(0)
        for lane in range(LANES):
            some += source[part * LANES + lane]
        if some > 0:
            row = own_row(rows, block + part)
            if row != ZEROS:
                average = averages[row]
                for lane in range(LANES):
                    average[lane] += weight * source[part * LANES + lane]


@part_in_place
def multiply_reach(
    learning: Learning | None,
    averages: bool,
    rows: Rows,
    block: Ints,
    infosets: Infosets,
    reach_row: int,
    vectors: Floats,
    action_reach: Floats,
) -> None:
    """Multiply the probabilities of another player by its reach.

    averages     : whether to add them to the averages, if the pass learns
    reach_row    : the row of `vectors` that holds the player's reach at the history
    action_reach : filled with the sum of the reach after each action
    """
    width = infosets.blocks * LANES
    for action in range(infosets.actions):
        mass, after, before = action_reach.dtype.type(0), vectors[infosets.vector + action], vectors[reach_row]
        for roll in range(width):
            chance = after[roll] * before[roll]
            after[roll] = chance
            mass += chance
        action_reach[action] = mass
        if learning is not None and averages and mass > 0:
            first, weight = np.int64(block[action]), learning.rates.average_weight
            add_average(learning.averages, rows, first, infosets.blocks, weight, after)


@part_in_place
def update_regrets(
    weights: Floats,
    last_regrets: Floats,
    rows: Rows,
    block: Ints,
    action_value: Floats,
    value: Floats,
    infosets: Infosets,
    rates: Rates,
) -> None:
    """Add the regrets of this visit."""
    zero = value.dtype.type(0)
    for action in range(infosets.actions):
        own = action_value[action]
        for part in range(infosets.blocks):
            place = block[action] + part
            if rows.of_block[place] == ZEROS:
                gains = zero
                for lane in range(LANES):
                    gain = own[part * LANES + lane] - value[part * LANES + lane]
                    gains += gain if gain > zero else zero
                if gains == zero and rates.floor >= zero:  # the entries stay 0, and a negative prediction changes nothing
                    continue
            row = own_row(rows, place)
            if row == ZEROS:
                continue
            regrets = weights[row]
            for lane in range(LANES):
                old, roll = regrets[lane], part * LANES + lane
                new = old * (rates.discount if old > 0 else rates.discount_negative)
                new += rates.regret_weight * (own[roll] - value[roll])
                regrets[lane] = rates.floor if new <= rates.floor else new
            if rates.update_prediction > 0:
                last = last_regrets[row]
                for lane in range(LANES):
                    last[lane] = own[part * LANES + lane] - value[part * LANES + lane]


@part_in_place
def descend(
    strategy: Floats,
    means: Floats,
    rows: Rows,
    block: Ints,
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

    Without room for a row for every block, nothing changes.

    means             : the averages of the values
    reach             : the other players' reach, by which the values are divided
    share, sharpness  : as in `Mirror`
    intended, tremble : the probabilities of the intended action and of a tremble to each action
    top, total        : scratch
    """
    width, actions = infosets.blocks * LANES, infosets.actions
    scale, keep = share / reach, total.dtype.type(1) - share
    for action in range(actions):
        for part in range(infosets.blocks):
            if own_row(rows, block[action] + part) == ZEROS:
                return
    for action in range(actions):
        value = action_value[action]
        for part in range(infosets.blocks):
            mean = means[rows.of_block[block[action] + part]]
            for lane in range(LANES):
                roll = part * LANES + lane
                mean[lane] = keep * mean[lane] + scale * value[roll]
                top[roll] = mean[lane] if action == 0 or mean[lane] > top[roll] else top[roll]
    for roll in range(width):
        total[roll] = 0
    for action in range(actions):
        for part in range(infosets.blocks):
            row = rows.of_block[block[action] + part]
            mean, chance = means[row], strategy[row]
            for lane in range(LANES):
                roll = part * LANES + lane
                chance[lane] = np.exp(sharpness * (mean[lane] - top[roll]))
                total[roll] += chance[lane]
    for roll in range(width):
        total[roll] = intended / total[roll]
    for action in range(actions):
        for part in range(infosets.blocks):
            chance = strategy[rows.of_block[block[action] + part]]
            for lane in range(LANES):
                chance[lane] = chance[lane] * total[part * LANES + lane] + tremble
