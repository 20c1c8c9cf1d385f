"""The update player's value of a call or a spot-on claim, for each roll: parts of the compiled traversal.

The matching dice of the other players add up. So the value needs the distribution of their sum, weighted by reach: the
convolution of one distribution a player. It is computed once for each group of bids and each change of the reach.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from liarsdice_cli.extensive.stream import Floats
from liarsdice_cli.solvers.public_tree.arrays import FALSE, INEXACT, SPOT_ON, TRUE, Context, fill, keep_larger
from liarsdice_cli.strategies.shard import LANES
from liarsdice_cli.system.compiling import inlined_in_place, part_in_place


class RoundEnd(NamedTuple):
    """The end of a round: `caller` calls (`ending` 0) or claims spot-on (`ending` 1) after a bid of `bidder`."""

    ending: int
    bid: int
    bidder: int
    caller: int


@inlined_in_place
def round_value(context: Context, end: RoundEnd, update_player: int, best: bool, value: Floats) -> None:
    """Fill `value` with the update player's value of the end of a round, for each roll.

    best : take the best action of the update player at an unexpanded history instead: any ending, or any higher bid, which
           the next player calls
    """
    tables, stack, bid = context.tables, context.stack, end.bid
    if end.bidder != update_player and end.caller != update_player:
        _fill_with_reach(context, update_player, value)
        return
    first = bid + 1 - tables.endings if best else bid  # the place below the bid stands for the other ending
    for place in range(first, tables.stop[bid] if best else bid + 1):
        called, event = max(place, bid), TRUE
        if place <= bid:
            event = SPOT_ON if end.ending == 1 or place < bid else FALSE
            if end.bidder == update_player:
                event = INEXACT if end.ending == 1 else TRUE
        _compute_chances(context, tables.group[called], update_player)
        _chance_by_roll(context, event, called, update_player, value if place == first else stack.total)
        if place > first:
            keep_larger(stack.total, value, tables.blocks[update_player])


@inlined_in_place
def others_reach(update_player: int, context: Context) -> Any:
    """Return the product over all other players of their reach, summed over rolls."""
    return _product_without(context.stack.reach_sum, update_player, context.rates.one)


@part_in_place
def _product_without(numbers: Floats, left_out: int, one: Any) -> Any:
    """Return the product of all numbers but one."""
    product = one
    for place in range(len(numbers)):
        if place != left_out:
            product *= numbers[place]
    return product


@inlined_in_place
def _fill_with_reach(context: Context, update_player: int, value: Floats) -> None:
    """Fill `value` for a showdown between two other players, which the update player cannot lose."""
    fill(value, others_reach(update_player, context), context.tables.blocks[update_player])


@inlined_in_place
def _chance_by_roll(context: Context, event: int, bid: int, update_player: int, value: Floats) -> None:
    """Fill `value` with the chance of an event for each roll, by the number of dice in the roll that match the bid."""
    tables, stack = context.tables, context.stack
    group, most, blocks = tables.group[bid], tables.most[update_player], tables.blocks[update_player]
    chances = stack.chances[stack.slot[0], group, event]
    _spread(tables.matches[update_player, group], chances, tables.quantity[bid], most, blocks, value)


@part_in_place
def _spread(matches: Floats, chances: Floats, quantity: int, most: int, blocks: int, value: Floats) -> None:
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


@inlined_in_place
def _compute_chances(context: Context, group: int, update_player: int) -> None:
    """Fill `Stack.chances` for a group of bids, unless it holds them already."""
    tables, stack = context.tables, context.stack
    slot = stack.slot[0]
    if stack.known[slot, group]:
        return
    stack.known[slot, group] = True
    most = 0
    for player in range(len(tables.blocks)):
        if player != update_player:
            reach, matches = stack.vectors[stack.reach_row[player]], tables.matches[player, group]
            _add_player(matches, reach, tables.most[player], tables.blocks[player], most, stack.sum, stack.one)
            most += tables.most[player]
    _fill_events(most, stack.sum, tables.endings, stack.chances[slot, group])


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
