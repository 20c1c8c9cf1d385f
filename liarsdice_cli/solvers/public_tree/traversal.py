"""The compiled traversal of the expanded histories of one shard: it updates regrets, evaluates, or finds a best response.

The traversal carries the *reach* of every player except the update player: for each roll, the probability of the roll times the
probabilities of the player's own actions on the path. It returns values to the update player: for each roll, the probability of
not losing the round, weighted by the product of the other players' reaches and summed over their rolls.

If the other players' reach is 0, nothing below can change and all values are 0. The traversal then prunes the branch, unless
the average player (`Pass.average_player`) reaches it. It expands an unexpanded history of the update player if the reach is
above a threshold and the shard has room. The mover calls at every unexpanded history, see `showdown`.

Start reading at `traverse`. On *entering* a history it computes the mover's strategy. Then it *steps* through the actions that
have columns to the next expanded child, and later *takes back* the child's value. On *leaving* the history it computes the
value and the regrets. The depth of a history is the number of bids since the root of the subtree, and `Stack` holds an entry
for each depth.

Numba inlines the parts here that take the whole context. Everything else (`behaviour`, `expanding`,
most of `showdown` and `arrays`) takes a few arrays and numbers, is compiled by itself, and is inlined by LLVM. Inlining by
numba copies the whole caller and would take several times as long to compile.

`make bench` compares the speed with the same traversal in C. Three things matter, and none of them shows in a single line.
Indexes must be known to be 0 or more (unsigned, or bounded by a loop). Vectors of rolls must be rows of an array, not slices.
Inner loops must not divide.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from liarsdice_cli.extensive.stream import Floats, Ints
from liarsdice_cli.solvers.public_tree import arrays, behaviour, expanding, showdown
from liarsdice_cli.solvers.public_tree.arrays import (
    DOWN,
    EVALUATE,
    LEARN,
    RESPOND,
    WHOLE,
    Context,
    Pass,
    Rates,
    ShowdownTables,
    Stack,
    Subtrees,
    add,
    bids_after,
    copy,
    fill,
    padded_rolls,
)
from liarsdice_cli.solvers.public_tree.behaviour import (
    Infosets,
    add_tremble,
    apply_lock,
    apply_lock_to_value,
    compute_best_value,
    compute_strategy,
    compute_value,
    multiply_reach,
    remove_tremble_from_value,
    tremble_value,
    update_regrets,
)
from liarsdice_cli.solvers.public_tree.expanding import Parent, expand, expand_child, load_columns
from liarsdice_cli.solvers.public_tree.showdown import RoundEnd, others_reach, round_value
from liarsdice_cli.strategies.shard import BID, CHILD, LAST_BID, MOVER, NONE
from liarsdice_cli.strategies.store import ROOT
from liarsdice_cli.system.compiling import compiled_in_place, inlined_in_place, part_in_place


@compiled_in_place(arrays, behaviour, expanding, showdown)
def traverse(current: Pass, context: Context, subtrees: Subtrees, chosen: Ints, cut: int, below: Subtrees) -> int:
    """Traverse some subtrees of a shard; return the number of histories visited, negative if a number was not finite.

    chosen : rows of `subtrees`
    cut    : the first bid that a pass DOWN or UP does not follow
    below  : the subtrees below the cut: a pass DOWN finds or adds them, and a pass UP uses their values
    """
    tables, shard, stack, player = context.tables, context.shard, context.stack, current.update_player
    players, width, deepest = len(tables.blocks), padded_rolls(tables.blocks, player), len(stack.next_action) - 1
    visited, finite = 0, True
    for root in chosen:
        if not _begin(current, context, subtrees, root):
            continue
        depth, mover, entering = 0, subtrees.roots[root, MOVER], True
        while 0 <= depth < deepest:
            if entering:
                visited += 1
                finite &= _enter(current, context, mover, depth)
            elif current.span != DOWN and stack.alive[depth + 1]:
                _take_back(stack, depth, mover == player, tables.blocks[player])
            child = _step(current, context, mover, depth, cut, below)
            entering = child != NONE
            if entering:
                depth, mover = depth + 1, _next_player(mover, players)
                stack.first_column[depth] = shard.first_column[child]
            else:
                _leave(current, context, mover, depth)
                depth, mover = depth - 1, _previous_player(mover, players)
        for roll in range(width):
            subtrees.value[root, roll] = stack.value[0, roll]
            finite &= np.isfinite(stack.value[0, roll])
    return visited if finite else -visited - 1


@part_in_place
def _next_player(player: int, players: int) -> int:
    return player + 1 if player + 1 < players else 0


@part_in_place
def _previous_player(player: int, players: int) -> int:
    return player - 1 if player > 0 else players - 1


@part_in_place
def _first_vector(action_reach: Floats, depth: int) -> int:
    """Return the row of `Stack.vectors` of the first action at a depth."""
    return int(depth * action_reach.shape[1])


@inlined_in_place
def _infosets(tables: ShowdownTables, stack: Stack, depth: int, mover: int) -> Infosets:
    """Return the information sets of the mover at a depth."""
    return Infosets(int(stack.actions[depth]), tables.blocks[mover], _first_vector(stack.action_reach, depth))


@inlined_in_place
def _begin(current: Pass, context: Context, subtrees: Subtrees, root: int) -> bool:
    """Set up the root of a subtree, expanding it while learning; return False if it is unexpanded."""
    tables, stack, rates, update_player = context.tables, context.stack, context.rates, current.update_player
    players = len(tables.blocks)
    for player in range(players):
        start, mass = len(stack.vectors) - players + player, rates.zero
        own = stack.vectors[start]
        for roll in range(padded_rolls(tables.blocks, player)):
            own[roll] = subtrees.reach[root, player, roll]
            mass += subtrees.reach[root, player, roll]
        stack.reach_row[player], stack.reach_sum[player] = start, mass
    stack.alive[0] = others_reach(update_player, context) > rates.prune_at
    stack.last_bid[0] = subtrees.roots[root, LAST_BID]
    stack.slot[0] = 0
    for group in range(stack.known.shape[1]):
        stack.known[0, group] = False
    fill(stack.value[0], rates.zero, tables.blocks[update_player])
    history = subtrees.roots[root, ROOT]
    if history == NONE and current.mode == LEARN:
        mover = subtrees.roots[root, MOVER]
        history = expand(tables, context.shard, stack.last_bid[0], mover, rates.tremble > rates.zero, 0)
        subtrees.roots[root, ROOT] = history
    if history == NONE:
        return False
    stack.first_column[0] = context.shard.first_column[history]
    return True


@inlined_in_place
def _enter(current: Pass, context: Context, mover: int, depth: int) -> bool:
    """Compute the mover's strategy and reach at a history; return False if a number is not finite."""
    tables, shard, stack, rates = context.tables, context.shard, context.stack, context.rates
    alive, finite, averages = stack.alive[depth], True, mover == current.average_player
    stack.next_action[depth] = 0
    stack.actions[depth] = load_columns(shard.columns, stack.first_column[depth], stack.column[depth], stack.entry[depth])
    infosets, entry = _infosets(tables, stack, depth, mover), stack.entry[depth]
    updates = mover == current.update_player
    if (alive and current.mode != RESPOND and current.span != DOWN) if updates else (alive or averages):
        prediction = rates.update_prediction if updates else rates.other_prediction
        finite = compute_strategy(
            shard.weights, shard.last_regrets, entry, infosets, rates, prediction, stack.vectors, stack.total
        )
        if current.mode == LEARN and rates.tremble > rates.zero:  # average strategies include the tremble already
            add_tremble(infosets, rates.tremble, _share(stack, rates, infosets), rates.one, stack.vectors)
        if len(shard.lock) > 0:
            apply_lock(shard.lock, entry, infosets, stack.vectors, stack.total)
    if updates:
        return finite
    stack.reach_row_before[depth], stack.reach_sum_before[depth] = stack.reach_row[mover], stack.reach_sum[mover]
    stack.slot_before[depth] = stack.slot[0]
    if alive:
        fill(stack.value[depth], rates.zero, tables.blocks[current.update_player])
    if alive or averages:
        adds = current.mode == LEARN and averages and current.span != DOWN
        weight = rates.average_weight if adds else rates.zero
        reach_row, action_reach = stack.reach_row[mover], stack.action_reach[depth]
        multiply_reach(shard.averages, entry, infosets, reach_row, weight, rates.zero, stack.vectors, action_reach)
    return finite


@inlined_in_place
def _share(stack: Stack, rates: Rates, infosets: Infosets) -> Any:
    """Return the probability of a tremble to each action."""
    return rates.tremble / stack.one.dtype.type(infosets.actions)


@inlined_in_place
def _set_reach(stack: Stack, depth: int, mover: int, action: int, mass: Any) -> None:
    """Set the reach of a mover other than the update player to its reach after an action."""
    stack.reach_row[mover], stack.reach_sum[mover] = _first_vector(stack.action_reach, depth) + action, mass
    stack.slot[0] = depth + 1
    for group in range(stack.known.shape[1]):
        stack.known[depth + 1, group] = False


@inlined_in_place
def _step(current: Pass, context: Context, mover: int, depth: int, cut: int, below: Subtrees) -> int:
    """Return the next history to enter, NONE after the last action; add the values of actions without such a history."""
    tables, stack, rates, update_player = context.tables, context.stack, context.rates, current.update_player
    players = len(tables.blocks)
    next_mover, last, alive = _next_player(mover, players), stack.last_bid[depth], stack.alive[depth]
    updates, averages = mover == update_player, mover == current.average_player
    for action in range(stack.next_action[depth], stack.actions[depth]):
        bid = context.shard.columns[stack.column[depth, action], BID]
        reached, crosses, child = alive, current.span != WHOLE and bid >= cut, NONE
        if not updates and (alive or averages):
            mass = stack.action_reach[depth, action]
            if averages and mass <= rates.prune_at:
                continue
            _set_reach(stack, depth, mover, action, mass)
            reached = alive and others_reach(update_player, context) > rates.prune_at
            if not reached and current.average_player < 0:
                continue
        if last < bid and bids_after(tables.stop, bid) + tables.endings > 1:
            child = context.shard.columns[stack.column[depth, action], CHILD]
            expands = current.mode == LEARN and next_mover == update_player and reached and child == NONE
            if expands and others_reach(update_player, context) > rates.expand_above:
                parent = Parent(last, mover, stack.first_column[depth])
                all_bids = rates.tremble > rates.zero
                child = expand_child(tables, context.shard, below, parent, stack.column[depth, action], all_bids, crosses)
        if child != NONE and not crosses:
            stack.next_action[depth], stack.last_bid[depth + 1], stack.alive[depth + 1] = action + 1, bid, reached
            return int(child)
        if current.span == DOWN:
            if child != NONE:
                _store_reach(tables, stack, below, child)
            continue
        if not reached:
            continue
        value = stack.action_value[depth, action] if updates else stack.value[depth + 1]
        if child != NONE and below.roots[child, ROOT] != NONE:
            copy(below.value[child], value, tables.blocks[update_player])
        else:
            ending, bidder, caller = 0, mover, next_mover
            if bid == last:
                ending, bidder, caller = action, _previous_player(mover, players), mover
            best = current.mode == RESPOND and bidder == mover and caller == update_player
            round_value(context, RoundEnd(ending, bid, bidder, caller), update_player, best, value)
        if not updates:
            add(value, stack.value[depth], tables.blocks[update_player])
    return NONE


@inlined_in_place
def _store_reach(tables: ShowdownTables, stack: Stack, below: Subtrees, subtree: int) -> None:
    """Store the reach of every player at a subtree below the cut."""
    below.due[subtree] = True
    for player in range(len(tables.blocks)):
        copy(stack.vectors[stack.reach_row[player]], below.reach[subtree, player], tables.blocks[player])


@inlined_in_place
def _take_back(stack: Stack, depth: int, updates: bool, blocks: int) -> None:
    """Store the child's value as the value of the update player's action, or add it to another player's history."""
    if updates:
        copy(stack.value[depth + 1], stack.action_value[depth, stack.next_action[depth] - 1], blocks)
    else:
        add(stack.value[depth + 1], stack.value[depth], blocks)


@inlined_in_place
def _leave(current: Pass, context: Context, mover: int, depth: int) -> None:
    """Compute the value and the regrets at a history of the update player; restore the reach at another player's history."""
    stack, updates = context.stack, mover == current.update_player
    if not updates:
        stack.reach_row[mover], stack.reach_sum[mover] = stack.reach_row_before[depth], stack.reach_sum_before[depth]
        stack.slot[0] = stack.slot_before[depth]
    if not updates or not stack.alive[depth] or current.span == DOWN:
        return
    shard, rates, entry = context.shard, context.rates, stack.entry[depth]
    infosets = _infosets(context.tables, stack, depth, mover)
    action_value, value, total = stack.action_value[depth], stack.value[depth], stack.total
    trembles = rates.tremble > rates.zero and current.mode != EVALUATE
    intended, share = rates.one - rates.tremble, _share(stack, rates, infosets)
    if current.mode == RESPOND:
        compute_best_value(action_value, infosets, value)
        if trembles:
            tremble_value(action_value, infosets, intended, share, value, total)
        if len(shard.lock) > 0:
            apply_lock_to_value(shard.lock, entry, action_value, infosets, value, total)
        return
    compute_value(action_value, infosets, stack.vectors, value)
    if current.mode == LEARN:  # regrets compare intended actions, without the tremble
        if trembles:
            remove_tremble_from_value(action_value, infosets, intended, share, value, total)
        update_regrets(shard.weights, shard.last_regrets, entry, action_value, value, infosets, rates)
        if trembles:
            tremble_value(action_value, infosets, intended, share, value, total)
