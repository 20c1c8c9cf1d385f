"""The compiled traversal of the expanded histories of one shard: it updates regrets, evaluates, or finds a best response.

The traversal carries the *reach* of every player except the update player. For each roll this is the probability of the roll
times the probabilities of the player's own actions on the path. It returns values to the update player. For each roll this is
the probability of not losing the round, weighted by the product of the other players' reaches and summed over their rolls.

If the other players' reach is 0, nothing below can change and all values are 0. The traversal then prunes the branch, unless
the average player (`Pass.average_player`) reaches it. The mover calls at every unexpanded history. If the update player gains
enough by another action there (see `gains.matters`), and the shard has room, the traversal expands it. For this the
bidder's reach is that of its average strategy, since players soon give up many of their bids. The average strategy of a new
history begins with the calls so far: what it has at the player's last action before (see `_load_played`).

While learning, a history of the update player *waits* if the reach is low (`Rates.wait_below`). Then nothing below it changes,
and its value is that of its last visit, in proportion to the reach.

On *entering* a history the traversal computes the mover's strategy. Then it *steps* through the actions that have columns to
the next expanded child, and later *takes back* the child's value. On *leaving* the history it computes the value and the
regrets. The depth of a history is the number of bids since the root of the subtree, and `Stack` holds an entry for each depth.

Four rules keep the first run from compiling for long. The walk is one function, since it needs all arrays: numba is slow at
copying a tuple of arrays for a call, and slower at inlining one function into another. Everything else (`behaviour`,
`entries`, `expanding`, `gains`, `showdown`) takes a few arrays and numbers, is compiled by itself, and is inlined by LLVM. Each
of these parts is called with the same kinds of arguments everywhere: for a literal, or an integer of another size, numba would
compile it once more. And an argument that is None (`learning`, `lock`, `tremble`, `mirror`) takes the code that needs it away,
so that each mode is compiled when it is first used.

`make bench` compares the speed with the same traversal in C. Three things matter, and none of them shows in a single line.
Indexes must be known to be 0 or more (unsigned, or bounded by a loop). Vectors of rolls must be rows of an array, not slices.
Inner loops must not divide.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from liarsdice_cli.extensive.stream import Floats, Ints
from liarsdice_cli.solvers.public_tree import arrays, behaviour, entries, expanding, gains, showdown
from liarsdice_cli.solvers.public_tree.arrays import (
    DOWN,
    UP,
    WHOLE,
    Context,
    Learning,
    Mirror,
    Pass,
    Rows,
    Subtrees,
    add,
    copy,
    fill,
    load_reach,
    multiply,
    padded_rolls,
    store_reach,
)
from liarsdice_cli.solvers.public_tree.behaviour import fill_strategy, update
from liarsdice_cli.solvers.public_tree.entries import Infosets, add_average, load_average, load_sum, multiply_reach
from liarsdice_cli.solvers.public_tree.expanding import Parent, expand, expand_child, load_columns
from liarsdice_cli.solvers.public_tree.gains import matters
from liarsdice_cli.solvers.public_tree.showdown import fill_value, forget_chances, others_reach
from liarsdice_cli.strategies.shard import BID, BLOCK, CHILD, LANES, LAST_BID, MOVER, NONE
from liarsdice_cli.strategies.store import ROOT
from liarsdice_cli.system.compiling import compiled_in_place, part_in_place


@part_in_place
def _next_player(player: int, players: int) -> int:
    return player + 1 if player + 1 < players else 0


@part_in_place
def _previous_player(player: int, players: int) -> int:
    return player - 1 if player > 0 else players - 1


@part_in_place
def _waits(learning: Learning, history: int, reached: Any, blocks: int) -> bool:
    """Return whether a history of the update player waits, since the other players' reach is low and its value is known."""
    if learning.values.shape[1] == 0 or reached > learning.rates.wait_below:
        return False
    known, value = learning.values.dtype.type(0), learning.values[history]
    for roll in range(blocks * LANES):
        known += value[roll]
    return bool(known > 0)


@part_in_place
def _load_played(
    averages: Floats, rows: Rows, block: Ints, next_action: Ints, depth: int, blocks: int, at_root: Floats, played: Floats
) -> None:
    """Fill `played` with the average, not yet normalised, at the update player's last action on the path: (rolls).

    depth   : of the history with this action; negative if it is above the root
    at_root : the result if it is above the root
    """
    if depth < 0:
        copy(at_root, played, blocks)
    else:
        load_average(averages, rows, np.int64(block[depth, next_action[depth] - 1]), blocks, played)


@compiled_in_place(arrays, behaviour, entries, expanding, gains, showdown)
def traverse(
    current: Pass,
    context: Context,
    subtrees: Subtrees,
    chosen: Ints,
    cut: int,
    below: Subtrees,
    learning: Learning | None,
    lock: Floats | None,
    tremble: Any,
    mirror: Mirror | None,
) -> int:
    """Traverse some subtrees of a shard; return the number of histories visited, negative if a number was not finite.

    chosen   : rows of `subtrees`
    cut      : the first bid that a pass DOWN or UP does not follow
    below    : the subtrees below the cut: a pass DOWN finds or adds them, and a pass UP uses their values
    learning : what the pass updates; None if it evaluates the strategies or finds a best response
    lock     : fixed probabilities, 0 for all actions of a roll without a lock; None if nothing is locked
    tremble  : the probability with which a player acts uniformly at random, or None
    mirror   : the step of mirror descent that learning takes instead of one of regret minimisation, or None. The weights are
               then the strategies, and the averages those of values; there must be a tremble
    """
    update_player, average_player, span, best = current
    tables, showdowns, layout, weights, stack, smallest = context
    blocks, stop, endings, expandable = tables.blocks, tables.stop, tables.endings, tables.expandable
    columns, first_columns, roots = layout.columns, layout.first_column, subtrees.roots
    last_bid, history, actions, next_action = stack.last_bid, stack.history, stack.actions, stack.next_action
    column, block, alive, reach_row, reach_sum = stack.column, stack.block, stack.alive, stack.reach_row, stack.reach_sum
    slot, slot_before = stack.slot, stack.slot_before
    reach_row_before, reach_sum_before = stack.reach_row_before, stack.reach_sum_before
    vectors, action_reach, action_value, value = stack.vectors, stack.action_reach, stack.action_value, stack.value
    total, known, chances = stack.total, stack.chances.known, stack.chances
    below_roots, below_used, below_due, below_reach, below_value = below.roots, below.used, below.due, below.reach, below.value
    rows = Rows(layout.blocks, layout.used, layout.room_for_rows)
    own_blocks, players, most_actions = blocks[update_player], len(blocks), action_reach.shape[1]
    average_row = len(action_reach) * most_actions
    zero, one = total.dtype.type(0), total.dtype.type(1)
    prune_at = zero if learning is None else learning.rates.prune_at
    grows = learning is not None and span != UP and learning.rates.expand_above < np.inf
    visited, finite = 0, True
    for root in chosen:
        load_reach(subtrees.reach[root], blocks, vectors, reach_row, reach_sum)
        alive[0], last_bid[0], slot[0] = others_reach(reach_sum, update_player) > prune_at, roots[root, LAST_BID], 0
        forget_chances(known[0])
        fill(value[0], zero, own_blocks)
        at_root = vectors[reach_row[update_player]]
        if learning is not None and roots[root, ROOT] == NONE and roots[root, MOVER] == update_player:
            all_bids, reserved = tremble is not None, np.int64(0)
            roots[root, ROOT] = expand(tables, layout, last_bid[0], roots[root, MOVER], all_bids, reserved)
            if tremble is None and roots[root, ROOT] != NONE:
                call = np.int64(columns[first_columns[roots[root, ROOT]], BLOCK])
                add_average(learning.averages, rows, call, own_blocks, one, at_root)
        if roots[root, ROOT] == NONE:
            continue
        history[0] = roots[root, ROOT]
        depth, mover, enters = 0, int(roots[root, MOVER]), True
        if learning is not None and mover == update_player:
            reached = others_reach(reach_sum, update_player)
            if _waits(learning, history[0], reached, own_blocks):
                multiply(learning.values[history[0]], reached, subtrees.value[root], own_blocks)
                continue
        while 0 <= depth < len(next_action) - 1:
            updates, averages, last = mover == update_player, mover == average_player, last_bid[depth]
            before, after = _previous_player(mover, players), _next_player(mover, players)
            if enters:  # compute the mover's strategy and reach
                visited += 1
                next_action[depth] = 0
                actions[depth] = load_columns(columns, first_columns[history[depth]], column[depth], block[depth])
                infosets = Infosets(actions[depth], blocks[mover], depth * most_actions)
                if (alive[depth] and not best and span != DOWN) if updates else (alive[depth] or averages):
                    modes = learning, lock, tremble, mirror, updates
                    finite &= fill_strategy(weights, *modes, rows, block[depth], infosets, smallest, vectors, total)
                if not updates:
                    reach_row_before[depth], reach_sum_before[depth] = reach_row[mover], reach_sum[mover]
                    slot_before[depth] = slot[0]
                    if alive[depth]:
                        fill(value[depth], zero, own_blocks)
                    if alive[depth] or averages:
                        adds = averages and span != DOWN
                        multiply_reach(
                            learning, adds, rows, block[depth], infosets, reach_row[mover], vectors, action_reach[depth]
                        )
            elif span != DOWN and alive[depth + 1]:  # take the value of the child back
                if updates:
                    copy(value[depth + 1], action_value[depth, next_action[depth] - 1], own_blocks)
                else:
                    add(value[depth + 1], value[depth], own_blocks)
            enters = False
            # step to the next expanded child, and add the values of the actions before it, which have none
            for action in range(next_action[depth], actions[depth]):
                bid, reached, child = columns[column[depth, action], BID], alive[depth], NONE
                crosses = span != WHOLE and bid >= cut
                if not updates and (alive[depth] or averages):
                    mass = action_reach[depth, action]
                    if averages and mass <= prune_at:
                        continue
                    reach_row[mover], reach_sum[mover], slot[0] = depth * most_actions + action, mass, depth + 1
                    forget_chances(known[depth + 1])
                    reached = alive[depth] and others_reach(reach_sum, update_player) > prune_at
                    if not reached and average_player < 0:
                        continue
                if last < bid:
                    child = columns[column[depth, action], CHILD]
                    if learning is not None and grows:
                        expands = child == NONE and expandable[bid] and reached and after == update_player
                        above = learning.rates.expand_above
                        if expands and tremble is not None:
                            expands = others_reach(reach_sum, update_player) > above
                        elif expands:
                            where, scratch = (update_player, slot[0], bid, mover), (total, action_value[depth])
                            first, added = np.int64(block[depth, action]), vectors[reach_row[mover]]
                            weight = learning.rates.average_weight if span == DOWN else zero  # otherwise added already
                            reach_sum[mover] = load_sum(
                                learning.averages, rows, first, blocks[mover], weight, added, vectors[average_row]
                            )
                            reach_row[mover] = average_row
                            own, played = depth + 1 - players, vectors[average_row + 1]
                            _load_played(learning.averages, rows, block, next_action, own, own_blocks, at_root, played)
                            before_bid, of_reach = learning.values[history[depth]], (chances, vectors, reach_row, reach_sum)
                            expands = matters(showdowns, tables, *where, above, before_bid, *of_reach, *scratch)
                            reach_row[mover], reach_sum[mover] = depth * most_actions + action, action_reach[depth, action]
                            forget_chances(known[slot[0]])
                        if expands:
                            first = first_columns[history[depth]]
                            parent, place = Parent(last, mover, first), column[depth, action]
                            child = expand_child(
                                tables, layout, below_roots, below_used, parent, place, tremble is not None, crosses
                            )
                            if tremble is None and child != NONE and not crosses:
                                call = np.int64(columns[first_columns[child], BLOCK])
                                add_average(learning.averages, rows, call, own_blocks, one, vectors[average_row + 1])
                if child != NONE and not crosses:
                    if learning is not None and reached and after == update_player:
                        mass = others_reach(reach_sum, update_player)
                        if _waits(learning, child, mass, own_blocks):
                            if span != DOWN:
                                multiply(learning.values[child], mass, value[depth + 1], own_blocks)
                                add(value[depth + 1], value[depth], own_blocks)
                            continue
                    next_action[depth], last_bid[depth + 1], alive[depth + 1] = action + 1, bid, reached
                    history[depth + 1], enters = child, True
                    break
                if span == DOWN and child != NONE:
                    below_due[child] = True
                    store_reach(vectors, reach_row, blocks, below_reach[child])
                    if learning is not None and tremble is None:
                        next_action[depth] = action + 1
                        own = depth + update_player - mover - (players if update_player > mover else 0)
                        played = below_reach[child, update_player]
                        _load_played(learning.averages, rows, block, next_action, own, own_blocks, at_root, played)
                if span == DOWN or not reached:
                    continue
                result = action_value[depth, action] if updates else value[depth + 1]
                if child != NONE and below_roots[child, ROOT] != NONE:
                    copy(below_value[child], result, own_blocks)
                else:
                    ends, claims = bid == last, bid == last and action > 0
                    bidder, caller = before if ends else mover, mover if ends else after
                    end = stop[bid] if best and not ends and caller == update_player else bid
                    numbers = update_player, endings, slot[0], claims, bid, bidder, caller, end
                    fill_value(showdowns, blocks, *numbers, chances, vectors, reach_row, reach_sum, total, result)
                if not updates:
                    add(result, value[depth], own_blocks)
            if enters:
                depth, mover = depth + 1, after
                continue
            # leave the history: restore the reach, or compute the value and the regrets of the update player
            if not updates:
                reach_row[mover], reach_sum[mover] = reach_row_before[depth], reach_sum_before[depth]
                slot[0] = slot_before[depth]
            elif alive[depth] and span != DOWN:
                infosets = Infosets(actions[depth], own_blocks, depth * most_actions)
                reached = others_reach(reach_sum, update_player)
                modes = learning, lock, tremble, mirror, best
                update(
                    weights, *modes, rows, block[depth], infosets, reached, vectors, action_value[depth], value[depth], total
                )
                if learning is not None and learning.values.shape[1] > 0:
                    multiply(value[depth], one / reached, learning.values[history[depth]], own_blocks)
            depth, mover = depth - 1, before
        for roll in range(padded_rolls(blocks, update_player)):
            subtrees.value[root, roll] = value[0, roll]
            finite &= np.isfinite(value[0, roll])
    return visited if finite else -visited - 1
