"""The chances of the ends of a round, for each roll of the update player: parts of the compiled traversal.

The matching dice of the other players add up. So the value of a call or a spot-on claim needs the distribution of their sum,
weighted by reach: the convolution of one distribution a player. It is computed once for each group of bids and each change of
the reach.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from liarsdice_cli.extensive.stream import Floats, Ints
from liarsdice_cli.solvers.public_tree.arrays import (
    FALSE,
    INEXACT,
    SPOT_ON,
    TRUE,
    Chances,
    ShowdownTables,
    fill,
    keep_larger,
)
from liarsdice_cli.strategies.shard import LANES
from liarsdice_cli.system.compiling import part_in_place

_TOGETHER = 3
"""A loop over the rolls looks for three numbers of matching dice (`a`, `b`, `c`), so that it reads and writes memory once."""


@part_in_place
def others_reach(reach_sum: Floats, update_player: int) -> Any:
    """Return the product over all other players of their reach, summed over rolls."""
    product = reach_sum.dtype.type(1)
    for player in range(len(reach_sum)):
        if player != update_player:
            product *= reach_sum[player]
    return product


@part_in_place
def forget_chances(known: Any) -> None:
    """Forget the chances of every group of bids, since the reach changes."""
    for group in range(len(known)):
        known[group] = False


@part_in_place
def fill_value(
    tables: ShowdownTables,
    blocks: Ints,
    update_player: int,
    endings: int,
    slot: int,
    claims: bool,
    bid: int,
    bidder: int,
    caller: int,
    end: int,
    chances: Chances,
    vectors: Floats,
    reach_row: Ints,
    reach_sum: Floats,
    total: Floats,
    result: Floats,
) -> None:
    """Fill `result` with the update player's value of a call, or of a spot-on claim, after a bid.

    slot   : as in `Stack`
    end    : the bid; or at an unexpanded history, where the caller takes the best action instead, the first bid that is too
             high: it can be any ending, or any higher bid, which the next player calls
    result : filled by roll, by the number of dice in the roll that match the bid
    total  : scratch
    """
    own_blocks = blocks[update_player]
    if bidder != update_player and caller != update_player:
        fill(result, others_reach(reach_sum, update_player), own_blocks)  # the update player cannot lose
        return
    first = bid if end == bid else bid + 1 - endings  # the place below the bid stands for the other ending
    for place in range(first, bid + 1 if end == bid else end):
        event = TRUE
        if place <= bid:
            event = SPOT_ON if claims or place < bid else FALSE
            if bidder == update_player:
                event = INEXACT if claims else TRUE
        asked = bid if place < bid else place
        group, values = tables.group[asked], result if place == first else total
        if not chances.known[slot, group]:
            chances.known[slot, group] = True
            most = _add_others(
                tables.matches, group, vectors, reach_row, tables.most, blocks, update_player, chances.sum, chances.one
            )
            _fill_events(most, chances.sum, endings, chances.event[slot, group])
        found, own = chances.event[slot, group, event], tables.matches[update_player, group]
        _spread(own, found, tables.quantity[asked], tables.most[update_player], own_blocks, values)
        if place > first:
            keep_larger(total, result, own_blocks)


@part_in_place
def _spread(matches: Floats, chances: Floats, quantity: int, most: int, blocks: int, value: Floats) -> None:
    """Fill `value` for each roll with the entry of `chances` for the dice that a bid needs beside those of the roll."""
    width, last, kind, zero = blocks * LANES, len(chances) - 1 - most, chances.dtype.type, chances.dtype.type(0)
    for count in range(0, most + 1, _TOGETHER):
        missing = quantity + 1 - count
        a, b, c = kind(count), kind(count + 1), kind(count + 2)
        chance_a, chance_b = _entry(chances, missing, last), _entry(chances, missing - 1, last)
        chance_c = _entry(chances, missing - 2, last)
        for roll in range(width):
            matching, other = matches[roll], zero if count == 0 else value[roll]
            value[roll] = chance_a if matching == a else chance_b if matching == b else chance_c if matching == c else other


@part_in_place
def _entry(chances: Floats, place: int, last: int) -> Any:
    """Return the entry at a place, or the nearest one up to `last`."""
    return chances[0 if place < 0 else last if place > last else place]


@part_in_place
def _add_others(
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
    others: Any = np.int64(0)  # for a literal 0 numba would compile `_add_player` once more
    for player in range(len(blocks)):
        if player != update_player:
            reach = vectors[reach_row[player]]
            _add_player(matches[player, group], reach, most[player], blocks[player], others, dice, scratch)
            others += most[player]
    most_of_all: int = others
    return most_of_all


@part_in_place
def _add_player(matches: Floats, reach: Floats, own: int, blocks: int, most: int, chances: Floats, one: Floats) -> None:
    """Add one player's matching dice to the distribution of those of some other players.

    own     : the most matching dice of the player
    most    : the most of the others, 0 for none
    chances : the distribution, weighted by reach
    one     : scratch
    """
    width, kind, zero = blocks * LANES, chances.dtype.type, chances.dtype.type(0)
    dice = chances if most == 0 else one
    for count in range(0, own + 1, _TOGETHER):
        a, b, c = kind(count), kind(count + 1), kind(count + 2)
        mass_a, mass_b, mass_c = zero, zero, zero
        for roll in range(width):
            matching, mass = matches[roll], reach[roll]
            mass_a += mass if matching == a else zero
            mass_b += mass if matching == b else zero
            mass_c += mass if matching == c else zero
        dice[count] = mass_a
        if count + 1 <= own:
            dice[count + 1] = mass_b
        if count + 2 <= own:
            dice[count + 2] = mass_c
    if most > 0:
        for total in range(most + own, -1, -1):
            mass, first, last = zero, total - most, total if total < own else own
            for count in range(first if first > 0 else 0, last + 1):
                mass += chances[total - count] * one[count]
            chances[total] = mass


@part_in_place
def _fill_events(most: int, chances: Floats, endings: int, events: Floats) -> None:
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
