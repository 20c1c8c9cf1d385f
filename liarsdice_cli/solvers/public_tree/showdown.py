"""What a call, or the claim that a bid is spot-on, is worth to the learner, roll by roll: parts of the compiled walk.

The others' matching dice add up, so what counts is the chance that they add up to so much: the chances of each player's,
weighed by reach, folded into one another. They are computed once for each group of bids wherever the reach has changed.
"""

from __future__ import annotations

from typing import Any

from liarsdice_cli.extensive.stream import Floats
from liarsdice_cli.solvers.public_tree.arrays import FALSE, INEXACT, SPOT_ON, TRUE, LookUps, Stack, WalkRates, padded_rolls
from liarsdice_cli.system.compiling import inlined_in_place


@inlined_in_place
def ended(
    chooses: bool,
    learner: int,
    ending: int,
    bid: int,
    bidder: int,
    caller: int,
    tables: LookUps,
    stack: Stack,
    value: Floats,
    rates: WalkRates,
) -> None:
    """Fill `value` with what it is worth to the learner that the caller ends the round after a bid.

    chooses : the learner comes to a history that has not grown, and may as well end it in another way, or make any higher
              bid, which is then called
    ending  : 0 for a call, 1 for spot-on
    """
    width = padded_rolls(tables, learner)
    if bidder != learner and caller != learner:
        _fill_with_what_comes(learner, tables, stack, value, rates)
        return
    first = bid + 1 - tables.endings if chooses else bid  # below the bid stands the other ending
    for place in range(first, tables.stop[bid] if chooses else bid + 1):
        other, happens = max(place, bid), TRUE
        if place <= bid:
            happens = SPOT_ON if ending == 1 or place < bid else FALSE
            if bidder == learner:
                happens = INEXACT if ending == 1 else TRUE
        _fold(tables.group[other], learner, tables, stack, rates)
        _by_roll(happens, other, learner, tables, stack, value if place == first else stack.total)
        if place > first:
            for roll in range(width):
                value[roll] = max(value[roll], stack.total[roll])


@inlined_in_place
def others_reach(learner: int, stack: Stack, rates: WalkRates) -> Any:
    """The chance that all players but the learner come to a depth: the product of their reaches, summed over rolls."""
    comes = rates.one
    for player in range(len(stack.mass)):
        if player != learner:
            comes *= stack.mass[player]
    return comes


@inlined_in_place
def _fill_with_what_comes(learner: int, tables: LookUps, stack: Stack, value: Floats, rates: WalkRates) -> None:
    """Two others settle it: the learner is not the one who loses."""
    comes = others_reach(learner, stack, rates)
    for roll in range(padded_rolls(tables, learner)):
        value[roll] = comes


@inlined_in_place
def _by_roll(happens: int, bid: int, learner: int, tables: LookUps, stack: Stack, value: Floats) -> None:
    """Pick the chance that something happens, for each roll by what the roll matches itself."""
    group, quantity = tables.group[bid], tables.quantity[bid]
    chances = stack.chances[stack.slot[0], group, happens]
    width, last = padded_rolls(tables, learner), len(chances) - 1 - tables.most[learner]
    for count in range(tables.most[learner] + 1):
        matches, chance = tables.matches[learner, group, count], chances[min(max(quantity - count + 1, 0), last)]
        if count == 0:
            for roll in range(width):
                value[roll] = matches[roll] * chance
        else:
            for roll in range(width):
                value[roll] += matches[roll] * chance


@inlined_in_place
def _fold(group: int, learner: int, tables: LookUps, stack: Stack, rates: WalkRates) -> None:
    """Fill `Stack.chances` for a group of bids, unless it is known what they are."""
    slot = stack.slot[0]
    if stack.known[slot, group]:
        return
    stack.known[slot, group] = True
    chances, most = stack.sum, 0
    for player in range(len(tables.blocks)):
        if player == learner:
            continue
        reach, width = stack.vectors[stack.at[player]], padded_rolls(tables, player)
        for count in range(tables.most[player] + 1):
            matches, mass = tables.matches[player, group, count], rates.zero
            for roll in range(width):
                mass += reach[roll] * matches[roll]
            if most == 0:
                chances[count] = mass
            else:
                stack.one[count] = mass
        if most > 0:
            for total in range(most + tables.most[player], -1, -1):
                mass = rates.zero
                for count in range(max(0, total - most), min(tables.most[player], total) + 1):
                    mass += chances[total - count] * stack.one[count]
                chances[total] = mass
        most += tables.most[player]
    at_least, fewer = stack.chances[slot, group, TRUE], stack.chances[slot, group, FALSE]
    mass = rates.zero
    at_least[most + 2] = mass
    for count in range(most, -1, -1):
        mass += chances[count]
        at_least[count + 1] = mass
    at_least[0] = mass
    mass = rates.zero
    fewer[0] = mass
    for count in range(most + 1):
        fewer[count + 1] = mass
        mass += chances[count]
    fewer[most + 2] = mass
    if tables.endings > 1:
        _fold_exact(most, chances, stack.chances[slot, group], rates)


@inlined_in_place
def _fold_exact(most: int, chances: Floats, found: Floats, rates: WalkRates) -> None:
    """The chances that the others have exactly so many, and that they have not, from those that they have so many or fewer."""
    at_least, fewer, exactly, otherwise = found[TRUE], found[FALSE], found[SPOT_ON], found[INEXACT]
    exactly[0] = exactly[most + 2] = rates.zero
    otherwise[0], otherwise[most + 2] = at_least[0], fewer[most + 2]
    for count in range(most + 1):
        exactly[count + 1] = chances[count]
        otherwise[count + 1] = fewer[count + 1] + at_least[count + 2]
