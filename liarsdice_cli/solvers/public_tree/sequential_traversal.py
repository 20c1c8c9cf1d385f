"""The compiled traversal that computes the regret of the player to move at every history, given the beliefs there.

At every history the traversal holds a *belief state* of each player: for each roll a weight and an order. The order counts the
mistakes that the roll needs to get here, and the weight is the rest of its reach probability. If mistakes are ever less likely,
only the rolls of the lowest order are believed. Weights are scaled at every step. A weight below `TINIEST` is lost: it becomes
NaN, and so do the regrets that depend on it.

All values are probabilities of not losing, given the beliefs about the other player: `OWN` under the strategies, `BEST` for
a best response from there on. For the player to move, a history has the mean of the values of its actions, or the largest. For
the other player it has the mean, by the chance of each action.

At an unexpanded history the mover calls with every roll. So a bid there is a mistake that reveals nothing, and the beliefs are
those at the last expanded history before it. `_leave_expanded` computes the regrets of all histories below in closed form.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from liarsdice_cli.extensive.stream import Floats, Ints
from liarsdice_cli.solvers.public_tree import sequential_arrays
from liarsdice_cli.solvers.public_tree.sequential_arrays import (
    BEST,
    OWN,
    Below,
    Largest,
    SequentialLayout,
    SequentialStack,
    Tables,
)
from liarsdice_cli.strategies.shard import BID, BLOCK, CHILD, LANES, LAST_BID, MOVER, NEXT, NONE
from liarsdice_cli.strategies.store import ROOT
from liarsdice_cli.system.compiling import compiled_in_place, part_in_place

TINIEST = 1e-290
"""The smallest weight, relative to the total of the believed rolls."""


@part_in_place
def _fill(vector: Floats, number: float) -> None:
    """Fill a vector with a number."""
    for place in range(len(vector)):
        vector[place] = number


@part_in_place
def _copy(source: Any, vector: Any) -> None:
    """Copy a vector into another."""
    for place in range(len(source)):
        vector[place] = source[place]


@part_in_place
def _copy_values(source: Floats, values: Floats) -> None:
    """Copy the values of both kinds and players."""
    for kind in range(2):
        for player in range(2):
            _copy(source[kind, player], values[kind, player])


@part_in_place
def _fill_mass(tables: Tables, player: int, group: int, weights: Floats, mass: Floats) -> None:
    """Fill `mass` with the weight of a player's rolls that have at least 0, 1, 2, ... matching dice."""
    _fill(mass, 0.0)
    for roll in range(tables.rolls[player]):
        mass[tables.matching[player, group, roll]] += weights[roll]
    for count in range(len(mass) - 2, -1, -1):
        mass[count] += mass[count + 1]


@part_in_place
def _chance(tables: Tables, player: int, bid: int, roll: int, mass: Floats, exactly: bool) -> float:
    """Return the weight of the other player's rolls with which a bid is true (or exact), if the player has this roll."""
    missing = tables.quantity[bid] - tables.matching[player, tables.group[bid], roll]
    if exactly:
        return float(mass[missing] - mass[missing + 1]) if 0 <= missing < len(mass) - 1 else 0.0
    return float(mass[min(max(missing, 0), len(mass) - 1)])


@compiled_in_place(sequential_arrays)
def believe(tables: Tables, player: int, weights: Floats, orders: Ints, belief: Floats) -> None:
    """Fill in the probabilities of a player's rolls from their weights and orders, and scale the weights.

    The probabilities are NaN if they depend on a weight that is lost.
    """
    least, total = -1, 0.0
    for roll in range(tables.rolls[player]):
        if weights[roll] > 0 and (least < 0 or orders[roll] < least):
            least = orders[roll]
    if least < 0:
        _fill(belief, np.nan)
        return
    for roll in range(tables.rolls[player]):
        belief[roll] = weights[roll] if orders[roll] == least else 0.0
        total += belief[roll]
    for roll in range(tables.rolls[player]):
        weights[roll] /= total
        belief[roll] /= total


@part_in_place
def _note(
    stack: SequentialStack, largest: Largest, depth: int, last: int, again: bool, player: int, roll: int, regret: float
) -> None:
    """Keep a regret if it is a player's largest, or NaN.

    depth, last : the history of the regret, or the bids before it and its last bid
    again       : whether there is one more bid between them, the lowest one
    """
    if regret <= largest.regret[player] or np.isnan(largest.regret[player]):
        return
    path, length = largest.path[player], depth
    for step in range(depth):
        path[step] = stack.path[step]
    if again:
        path[length] = path[length - 1] + 1
        length += 1
    if depth > 0 and last > path[depth - 1]:
        path[length] = last
        length += 1
    largest.regret[player], largest.place[player, 0], largest.place[player, 1] = regret, length, roll


@part_in_place
def _leave_expanded(tables: Tables, stack: SequentialStack, largest: Largest, depth: int, mover: int) -> None:
    """Fill in the values of an unexpanded history, and note the regrets there and at all histories below it.

    At each of them the mover may call, claim spot-on, or make a bid that is called. The last bids below, and their movers, are
    all that their regrets depend on.
    """
    bid, belief, value, mass, best = stack.path[depth - 1], stack.belief[depth], stack.value[depth], stack.mass, stack.best
    _fill(best[0], 0.0)
    _fill(best[1], 0.0)
    for player in range(2):
        for group in range(mass.shape[1]):
            _fill_mass(tables, player, group, belief[player], mass[player, group])
    for last in range(tables.stops[bid] - 1, bid - 1, -1):
        for player in range(2):
            moves = player == mover if last == bid else player != mover or last > bid + 1
            others = mass[1 - player, tables.group[last]]
            for roll in range(tables.rolls[player]):
                true = _chance(tables, player, last, roll, others, False)
                called = others[0] - true
                claimed = _chance(tables, player, last, roll, others, True) if tables.endings > 1 else 0.0
                most = max(called, claimed, best[player, roll])
                if moves:
                    again = last > bid and player == mover
                    _note(stack, largest, depth, last, again, player, roll, most - called)
                if last == bid:
                    value[OWN, player, roll] = called if player == mover else true
                    value[BEST, player, roll] = most if player == mover else true
                best[player, roll] = max(best[player, roll], true)


@part_in_place
def _entry(layout: SequentialLayout, column: int, roll: int) -> Any:
    """Return the entry of a roll in a column."""
    return layout.entries[layout.blocks[layout.columns[column, BLOCK] + roll // LANES], roll % LANES]


@part_in_place
def _load_chances(
    tables: Tables, layout: SequentialLayout, stack: SequentialStack, depth: int, mover: int, column: int, first: bool
) -> None:
    """Fill in the probabilities of a column's action; if a roll has no entries, it takes the first action."""
    chances, totals = stack.chances[depth], stack.totals[depth]
    for roll in range(tables.rolls[mover]):
        entry = _entry(layout, column, roll)
        chances[roll] = entry / totals[roll] if totals[roll] > 0 else (1.0 if first else 0.0)


@part_in_place
def _end(tables: Tables, stack: SequentialStack, depth: int, bid: int, mover: int, claims: bool) -> None:
    """Add the values of ending the round by a call, or by a claim of spot-on."""
    belief, value, other, chances = stack.belief[depth], stack.value[depth], 1 - mover, stack.chances[depth]
    group = tables.group[bid]
    others, own = stack.mass[other, group], stack.mass[mover, group]
    _fill_mass(tables, other, group, belief[other], others)
    for roll in range(tables.rolls[mover]):
        won = _chance(tables, mover, bid, roll, others, claims)
        won = won if claims else others[0] - won
        value[OWN, mover, roll] += chances[roll] * won
        value[BEST, mover, roll] = max(value[BEST, mover, roll], won)
        stack.best[mover, roll] = belief[mover, roll] * chances[roll]
    _fill_mass(tables, mover, group, stack.best[mover], own)
    for roll in range(tables.rolls[other]):
        won = _chance(tables, other, bid, roll, own, claims)
        won = own[0] - won if claims else won
        value[OWN, other, roll] += won
        value[BEST, other, roll] += won


@part_in_place
def _bid(tables: Tables, stack: SequentialStack, depth: int, bid: int, mover: int, share: float, taken: bool) -> float:
    """Fill in the belief states after a bid; return its probability.

    share : the share of the bid in the mover's mistakes
    taken : whether a roll may make the bid on purpose, with the probability in the stack
    """
    chances, chance, other = stack.chances[depth], 0.0, 1 - mover
    weight, order = stack.weight[depth + 1], stack.order[depth + 1]
    _copy(stack.weight[depth, other], weight[other])
    _copy(stack.order[depth, other], order[other])
    _copy(stack.belief[depth, other], stack.belief[depth + 1, other])
    stack.path[depth] = bid
    for roll in range(tables.rolls[mover]):
        intended = taken and chances[roll] > 0
        before = stack.weight[depth, mover, roll]
        made = before * (chances[roll] if intended else share)
        weight[mover, roll] = made if made >= TINIEST or before == 0 else np.nan
        order[mover, roll] = stack.order[depth, mover, roll] + (0 if intended else 1)
        chance += stack.belief[depth, mover, roll] * chances[roll] if taken else 0.0
    believe(tables, mover, weight[mover], order[mover], stack.belief[depth + 1, mover])
    return chance


@part_in_place
def _take_back(tables: Tables, stack: SequentialStack, depth: int, mover: int, chance: float, taken: bool) -> None:
    """Add the values of the history after a bid."""
    after, value, other, chances = stack.value[depth + 1], stack.value[depth], 1 - mover, stack.chances[depth]
    for roll in range(tables.rolls[mover]):
        if taken:
            value[OWN, mover, roll] += chances[roll] * after[OWN, mover, roll]
        value[BEST, mover, roll] = max(value[BEST, mover, roll], after[BEST, mover, roll])
    for roll in range(tables.rolls[other]):
        value[OWN, other, roll] += chance * after[OWN, other, roll]
        value[BEST, other, roll] += chance * after[BEST, other, roll]


@part_in_place
def _load_totals(
    tables: Tables, layout: SequentialLayout, stack: SequentialStack, history: int, depth: int, mover: int
) -> None:
    """Fill in the sums of the entries of all columns."""
    totals, column = stack.totals[depth], layout.first_column[history]
    _fill(totals, 0.0)
    while column != NONE:
        for roll in range(tables.rolls[mover]):
            totals[roll] += _entry(layout, column, roll)
        column = layout.columns[column, NEXT]


@part_in_place
def _keep_state(stack: SequentialStack, depth: int, below: Below, subtree: int) -> None:
    """Store the belief states and the path of a subtree."""
    for player in range(2):
        _copy(stack.weight[depth, player], below.weight[subtree, player])
        _copy(stack.order[depth, player], below.order[subtree, player])
    _copy(stack.path, below.path[subtree])
    below.length[subtree] = depth


@part_in_place
def _enter(tables: Tables, layout: SequentialLayout, stack: SequentialStack, history: int, depth: int) -> None:
    """Begin with the first column of an expanded history."""
    mover = int(layout.states[history, MOVER])
    stack.history[depth], stack.column[depth] = history, layout.first_column[history]
    for player in range(2):
        _fill(stack.value[depth, OWN, player], 0.0)
        _fill(stack.value[depth, BEST, player], -1.0 if player == mover else 0.0)
    for bid in range(stack.seen.shape[1]):
        stack.seen[depth, bid] = False
    _load_totals(tables, layout, stack, history, depth, mover)


@part_in_place
def _leave(tables: Tables, stack: SequentialStack, largest: Largest, last: int, mover: int, depth: int) -> None:
    """Add the bids without a column, which are called, and note the regrets."""
    for bid in range(last + 1, tables.stops[last]):
        if not stack.seen[depth, bid] and (last >= 0 or tables.opens[bid]):
            _bid(tables, stack, depth, bid, mover, 1.0, False)
            _leave_expanded(tables, stack, largest, depth + 1, 1 - mover)
            _take_back(tables, stack, depth, mover, 0.0, False)
    for roll in range(tables.rolls[mover]):
        regret = stack.value[depth, BEST, mover, roll] - stack.value[depth, OWN, mover, roll]
        _note(stack, largest, depth, last, False, mover, roll, regret)


@compiled_in_place(sequential_arrays)
def visit(
    tables: Tables,
    layout: SequentialLayout,
    below: Below,
    stack: SequentialStack,
    largest: Largest,
    root: int,
    start: int,
    down: bool,
) -> None:
    """Fill in the values of an expanded history, whose belief states are in the stack, and note the regrets from there on.

    root  : the history
    start : the number of bids before it
    down  : fill in the belief states of the subtrees below the cut, and nothing else that matters
    """
    depth = start
    _enter(tables, layout, stack, root, depth)
    while True:
        history, column = stack.history[depth], stack.column[depth]
        last, mover = int(layout.states[history, LAST_BID]), int(layout.states[history, MOVER])
        if column == NONE:
            _leave(tables, stack, largest, last, mover, depth)
            if depth == start:
                return
            depth -= 1
            _take_back(tables, stack, depth, 1 - mover, stack.chance[depth], True)
            continue
        bid, child = int(layout.columns[column, BID]), int(layout.columns[column, CHILD])
        stack.column[depth] = layout.columns[column, NEXT]
        first = column == layout.first_column[history]
        _load_chances(tables, layout, stack, depth, mover, column, first)
        if bid == last:
            _end(tables, stack, depth, bid, mover, not first)
            continue
        stack.seen[depth, bid] = True
        actions = tables.stops[last] - last - 1 + tables.endings if last >= 0 else tables.opening
        stack.chance[depth] = _bid(tables, stack, depth, bid, mover, 1.0 / actions, True)
        crosses = bid >= layout.cut and child != NONE
        if child != NONE and not crosses:
            depth += 1
            _enter(tables, layout, stack, child, depth)
            continue
        if crosses and down:
            _keep_state(stack, depth + 1, below, child)
        elif crosses and below.roots[child, ROOT] != NONE:
            _copy_values(below.value[child], stack.value[depth + 1])
        else:
            _leave_expanded(tables, stack, largest, depth + 1, 1 - mover)
        _take_back(tables, stack, depth, mover, stack.chance[depth], True)


@compiled_in_place(sequential_arrays)
def visit_subtrees(
    tables: Tables, layout: SequentialLayout, below: Below, stack: SequentialStack, largest: Largest, chosen: Ints
) -> None:
    """Visit some subtrees of a shard, and store their values."""
    for subtree in chosen:
        depth = below.length[subtree]
        _copy(below.path[subtree], stack.path)
        for player in range(2):
            _copy(below.weight[subtree, player], stack.weight[depth, player])
            _copy(below.order[subtree, player], stack.order[depth, player])
            believe(tables, player, stack.weight[depth, player], stack.order[depth, player], stack.belief[depth, player])
        visit(tables, layout, below, stack, largest, below.roots[subtree, ROOT], depth, False)
        _copy_values(stack.value[depth], below.value[subtree])
