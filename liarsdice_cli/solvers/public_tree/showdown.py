"""What a call is worth to the learner, roll by roll: parts of the compiled walk.

The others' matching dice add up, so what counts is the chance that they add up to so much: the chances of each player's,
weighed by reach, folded into one another. They are computed once for each group of bids wherever the reach has changed.
"""

from __future__ import annotations

from typing import Any

from liarsdice_cli.extensive.tree import Floats
from liarsdice_cli.solvers.public_tree.arrays import AT_ONCE, FALSE, TRUE, LookUps, Stack, WalkRates
from liarsdice_cli.system.compiling import inlined_in_place


@inlined_in_place
def called(
    chooses: bool,
    learner: int,
    bid: int,
    bidder: int,
    depth: int,
    tables: LookUps,
    stack: Stack,
    value: Floats,
    rates: WalkRates,
) -> None:
    """Fill `value` with what a call of the bid, by the one after the bidder, is worth to the learner.

    depth   : where the reach stands that comes there
    chooses : the learner comes to a history that has not grown, and may as well make any higher bid, which is then called
    """
    bids, width, players = len(tables.group), tables.widths[learner], len(tables.widths)
    if bidder != learner and (bidder + 1) % players != learner:
        _fill_with_what_comes(depth, learner, tables, stack, value, rates)
        return
    for other in range(bid, bids if chooses else bid + 1):
        _fold(tables.group[other], depth, learner, tables, stack, rates)
        _by_roll(bidder == learner or other > bid, other, depth, learner, tables, stack, value if other == bid else stack.total)
        if other > bid:
            for roll in range(width):
                value[roll] = max(value[roll], stack.total[roll])


@inlined_in_place
def others_reach(depth: int, learner: int, stack: Stack, rates: WalkRates) -> Any:
    """The chance that all players but the learner come to a depth: the product of their reaches, summed over rolls."""
    comes = rates.one
    for player in range(stack.mass.shape[1]):
        if player != learner:
            comes *= stack.mass[depth, player]
    return comes


@inlined_in_place
def _fill_with_what_comes(depth: int, learner: int, tables: LookUps, stack: Stack, value: Floats, rates: WalkRates) -> None:
    """Two others settle it: the learner is not the one who loses."""
    comes = others_reach(depth, learner, stack, rates)
    for roll in range(tables.widths[learner]):
        value[roll] = comes


@inlined_in_place
def _four_kinds(tables: LookUps, player: int, group: int, count: int) -> tuple[Floats, Floats, Floats, Floats]:
    """For each of `AT_ONCE` kinds of matching, from `count` on, 1 at the player's rolls of that kind."""
    matches = tables.matches[player, group]
    return matches[count], matches[count + 1], matches[count + 2], matches[count + 3]


@inlined_in_place
def _by_roll(learners_bid: bool, bid: int, depth: int, learner: int, tables: LookUps, stack: Stack, value: Floats) -> None:
    """Pick the chance for each roll by what the roll matches itself."""
    group, quantity = tables.group[bid], tables.quantity[bid]
    chances = stack.chances[stack.slot[depth], group, TRUE if learners_bid else FALSE]
    width, last = tables.widths[learner], len(chances) - 1
    for count in range(0, tables.most[learner] + 1, AT_ONCE):
        none, one, two, three = _four_kinds(tables, learner, group, count)
        if_none, if_one, if_two, if_three = (
            chances[min(max(quantity - count, 0), last)],
            chances[min(max(quantity - count - 1, 0), last)],
            chances[min(max(quantity - count - 2, 0), last)],
            chances[min(max(quantity - count - 3, 0), last)],
        )
        if count == 0:
            for roll in range(width):
                value[roll] = none[roll] * if_none + one[roll] * if_one + two[roll] * if_two + three[roll] * if_three
        else:
            for roll in range(width):
                value[roll] += none[roll] * if_none + one[roll] * if_one + two[roll] * if_two + three[roll] * if_three


@inlined_in_place
def _fold(group: int, depth: int, learner: int, tables: LookUps, stack: Stack, rates: WalkRates) -> None:
    """Fill `Stack.chances` for a group of bids, unless it is known what they are."""
    slot = stack.slot[depth]
    if stack.known[slot, group]:
        return
    stack.known[slot, group] = True
    chances, most = stack.sum, 0
    chances[0] = rates.one
    for player in range(len(tables.widths)):
        if player == learner:
            continue
        start, width = stack.at[depth, player], tables.widths[player]
        reach = stack.vectors[start : start + width]
        for count in range(0, tables.most[player] + 1, AT_ONCE):
            none, one, two, three = _four_kinds(tables, player, group, count)
            has_none = has_one = has_two = has_three = rates.zero
            for roll in range(width):
                comes = reach[roll]
                has_none += comes * none[roll]
                has_one += comes * one[roll]
                has_two += comes * two[roll]
                has_three += comes * three[roll]
            stack.one[count], stack.one[count + 1] = has_none, has_one
            stack.one[count + 2], stack.one[count + 3] = has_two, has_three
        for total in range(most + tables.most[player], -1, -1):
            mass = rates.zero
            for count in range(max(0, total - most), min(tables.most[player], total) + 1):
                mass += chances[total - count] * stack.one[count]
            chances[total] = mass
        most += tables.most[player]
    at_least, fewer = stack.chances[slot, group, TRUE], stack.chances[slot, group, FALSE]
    mass = rates.zero
    for count in range(len(at_least) - 1, -1, -1):
        if count <= most:
            mass += chances[count]
        at_least[count] = mass
    mass = rates.zero
    for count in range(len(fewer)):
        fewer[count] = mass
        if count <= most:
            mass += chances[count]
