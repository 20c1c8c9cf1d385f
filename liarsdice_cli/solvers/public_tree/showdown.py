"""The chances of the ends of a round, for each roll of the update player: parts of the compiled traversal.

The matching dice of the other players add up. So the value of a call or a spot-on claim needs the distribution of their sum,
weighted by reach: the convolution of one distribution a player. It is computed once for each group of bids and each change of
the reach.
"""

from __future__ import annotations

from typing import Any

from liarsdice_cli.extensive.stream import Floats, Ints
from liarsdice_cli.solvers.public_tree.arrays import FALSE, INEXACT, SPOT_ON, TRUE
from liarsdice_cli.strategies.shard import LANES
from liarsdice_cli.system.compiling import part_in_place


@part_in_place
def others_reach(reach_sum: Floats, update_player: int) -> Any:
    """Return the product over all other players of their reach, summed over rolls."""
    product = reach_sum.dtype.type(1)
    for player in range(len(reach_sum)):
        if player != update_player:
            product *= reach_sum[player]
    return product


@part_in_place
def spread(matches: Floats, chances: Floats, quantity: int, most: int, blocks: int, value: Floats) -> None:
    """Fill `value` for each roll with the entry of `chances` for the dice that a bid needs beside those of the roll."""
    width, last = int(blocks) * LANES, len(chances) - 1 - most
    for count in range(most + 1):
        own, chance = matches[count], chances[min(max(quantity - count + 1, 0), last)]
        if count == 0:
            for roll in range(width):
                value[roll] = own[roll] * chance
        else:
            for roll in range(width):
                value[roll] += own[roll] * chance


@part_in_place
def add_others(
    matches: Floats,
    group: int,
    vectors: Floats,
    reach_row: Ints,
    most: Ints,
    blocks: Ints,
    update_player: int,
    dice: Floats,
    scratch: Floats,
) -> int:
    """Fill `dice` with the distribution of all other players' dice that match a group of bids, and return the most of them.

    Arguments as in `Stack` and the tables.
    """
    others = int(len(blocks) - len(blocks))  # numba would compile `_add_player` once more for a literal 0
    for player in range(len(blocks)):
        if player != update_player:
            reach = vectors[reach_row[player]]
            _add_player(matches[player, group], reach, most[player], blocks[player], others, dice, scratch)
            others += int(most[player])
    return others


@part_in_place
def _add_player(matches: Floats, reach: Floats, own: int, blocks: int, most: int, chances: Floats, one: Floats) -> None:
    """Add one player's matching dice to the distribution of those of some other players.

    own     : the most matching dice of the player
    most    : the most of the others, 0 for none
    chances : the distribution, weighted by reach
    one     : scratch
    """
    width, zero = int(blocks) * LANES, chances.dtype.type(0)
    for count in range(own + 1):
        row, mass = matches[count], zero
        for roll in range(width):
            mass += reach[roll] * row[roll]
        if most == 0:
            chances[count] = mass
        else:
            one[count] = mass
    if most > 0:
        for total in range(most + own, -1, -1):
            mass = zero
            for count in range(max(0, total - most), min(own, total) + 1):
                mass += chances[total - count] * one[count]
            chances[total] = mass


@part_in_place
def fill_events(most: int, chances: Floats, endings: int, events: Floats) -> None:
    """Fill in the chances of all events for each number of missing dice from -1, from a distribution of the matching dice."""
    zero = chances.dtype.type(0)
    at_least, fewer, mass = events[TRUE], events[FALSE], zero
    at_least[most + 2] = mass
    for count in range(most, -1, -1):
        mass += chances[count]
        at_least[count + 1] = mass
    at_least[0] = mass
    mass = zero
    fewer[0] = mass
    for count in range(most + 1):
        fewer[count + 1] = mass
        mass += chances[count]
    fewer[most + 2] = mass
    if endings > 1:
        exactly, otherwise = events[SPOT_ON], events[INEXACT]
        exactly[0] = exactly[most + 2] = zero
        otherwise[0], otherwise[most + 2] = at_least[0], fewer[most + 2]
        for count in range(most + 1):
            exactly[count + 1] = chances[count]
            otherwise[count + 1] = fewer[count + 1] + at_least[count + 2]
