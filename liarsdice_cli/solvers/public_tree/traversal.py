"""The compiled traversal of the expanded histories of one shard: it updates regrets, evaluates, or finds a best response.

The traversal carries the *reach* of every player except the update player: for each roll, the probability of the roll times the
probabilities of the player's own actions on the path. It returns values to the update player: for each roll, the probability of
not losing the round, weighted by the product of the other players' reaches and summed over their rolls.

If the other players' reach is 0, nothing below can change and all values are 0. The traversal then prunes the branch, unless
the average player (`Pass.average_player`) reaches it. It expands an unexpanded history of the update player if the reach is
above a threshold and the shard has room. The mover calls at every unexpanded history, see `showdown`.

Start reading at the end of `traverse`. On *entering* a history it computes the mover's strategy. Then it *steps* through the
actions that have columns to the next expanded child, and later *takes back* the child's value. On *leaving* the history it
computes the value and the regrets. The depth of a history is the number of bids since the root of the subtree, and `Stack`
holds an entry for each depth.

Three rules keep the first run from compiling for long. A part that needs many arrays is a function inside `traverse`: numba
inlines it before it infers types, and copies no tuple of arrays. Everything else (`behaviour`, `expanding`, `showdown`)
takes a few arrays and numbers, is compiled by itself, and is inlined by LLVM. And an argument that is None (`learning`, `lock`,
`tremble`) takes the code that needs it away, so that each mode is compiled when it is first used.

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
    FALSE,
    INEXACT,
    SPOT_ON,
    TRUE,
    WHOLE,
    Context,
    Learning,
    Mirror,
    Pass,
    Subtrees,
    add,
    copy,
    fill,
    keep_larger,
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
    descend,
    multiply_reach,
    remove_tremble_from_value,
    tremble_value,
    update_regrets,
)
from liarsdice_cli.solvers.public_tree.expanding import Parent, expand, expand_child, load_columns
from liarsdice_cli.solvers.public_tree.showdown import add_others, fill_events, others_reach, spread
from liarsdice_cli.strategies.shard import BID, CHILD, LAST_BID, MOVER, NONE
from liarsdice_cli.strategies.store import ROOT
from liarsdice_cli.system.compiling import compiled_in_place, part_in_place


@part_in_place
def _next_player(player: int, players: int) -> int:
    return player + 1 if player + 1 < players else 0


@part_in_place
def _previous_player(player: int, players: int) -> int:
    return player - 1 if player > 0 else players - 1


@compiled_in_place(arrays, behaviour, expanding, showdown)
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
    blocks, stop, endings = tables.blocks, tables.stop, tables.endings
    group_of, quantity, most, matches = showdowns
    columns, first_columns, roots = layout.columns, layout.first_column, subtrees.roots
    last_bid, first_column, actions, next_action = stack.last_bid, stack.first_column, stack.actions, stack.next_action
    column, entry, alive, reach_row, reach_sum = stack.column, stack.entry, stack.alive, stack.reach_row, stack.reach_sum
    slot, slot_before = stack.slot, stack.slot_before
    reach_row_before, reach_sum_before = stack.reach_row_before, stack.reach_sum_before
    vectors, action_reach, action_value, value = stack.vectors, stack.action_reach, stack.action_value, stack.value
    total, known, chances, scratch, dice = stack.total, stack.known, stack.chances, stack.one, stack.sum
    below_roots, below_used, below_due, below_reach, below_value = below.roots, below.used, below.due, below.reach, below.value
    own_blocks, players, most_actions, groups = blocks[update_player], len(blocks), action_reach.shape[1], known.shape[1]
    zero, one = total.dtype.type(0), total.dtype.type(1)
    prune_at = zero if learning is None else learning.rates.prune_at

    def forget_chances(place: int) -> None:
        for group in range(groups):
            known[place, group] = False

    def begin(root: int) -> bool:
        """Set up the root of a subtree, expanding it while learning; return False if it is unexpanded."""
        for player in range(players):
            start, mass = len(vectors) - players + player, zero
            own = vectors[start]
            for roll in range(padded_rolls(blocks, player)):
                own[roll] = subtrees.reach[root, player, roll]
                mass += subtrees.reach[root, player, roll]
            reach_row[player], reach_sum[player] = start, mass
        alive[0], last_bid[0], slot[0] = others_reach(reach_sum, update_player) > prune_at, roots[root, LAST_BID], 0
        forget_chances(0)
        fill(value[0], zero, own_blocks)
        if learning is not None and roots[root, ROOT] == NONE:
            all_bids = tremble is not None
            roots[root, ROOT] = expand(tables, layout, last_bid[0], roots[root, MOVER], all_bids, 0)
        history = roots[root, ROOT]
        if history != NONE:
            first_column[0] = first_columns[history]
        return bool(history != NONE)

    def enter(mover: int, depth: int) -> bool:
        """Compute the mover's strategy and reach at a history; return False if a number is not finite."""
        finite, averages, updates = True, mover == average_player, mover == update_player
        next_action[depth] = 0
        actions[depth] = load_columns(columns, first_column[depth], column[depth], entry[depth])
        infosets = Infosets(int(actions[depth]), blocks[mover], depth * most_actions)
        if (alive[depth] and not best and span != DOWN) if updates else (alive[depth] or averages):
            if learning is None or mirror is not None:
                finite = compute_strategy(weights, weights, entry[depth], infosets, zero, smallest, vectors, total)
            else:
                rates, last_regrets = learning.rates, learning.last_regrets
                prediction = rates.update_prediction if updates else rates.other_prediction
                finite = compute_strategy(weights, last_regrets, entry[depth], infosets, prediction, smallest, vectors, total)
                if tremble is not None:  # average strategies include the tremble already
                    add_tremble(infosets, one - tremble, tremble / total.dtype.type(infosets.actions), vectors)
            if lock is not None:
                apply_lock(lock, entry[depth], infosets, vectors, total)
        if not updates:
            reach_row_before[depth], reach_sum_before[depth] = reach_row[mover], reach_sum[mover]
            slot_before[depth] = slot[0]
            if alive[depth]:
                fill(value[depth], zero, own_blocks)
            if alive[depth] or averages:
                sums, weight = weights, zero
                if learning is not None:
                    sums, weight = learning.averages, learning.rates.average_weight if averages and span != DOWN else zero
                multiply_reach(sums, entry[depth], infosets, reach_row[mover], weight, vectors, action_reach[depth])
        return finite

    def chance_by_roll(event: int, bid: int, result: Floats) -> None:
        """Fill `result` with the chance of an event for each roll, by the number of dice in the roll that match the bid."""
        place, group = slot[0], group_of[bid]
        if not known[place, group]:
            known[place, group] = True
            others = add_others(matches, group, vectors, reach_row, most, blocks, update_player, dice, scratch)
            fill_events(others, dice, endings, chances[place, group])
        found = chances[place, group, event]
        spread(matches[update_player, group], found, quantity[bid], most[update_player], own_blocks, result)

    def round_value(ending: int, bid: int, bidder: int, caller: int, any_action: bool, result: Floats) -> None:
        """Fill `result` with the update player's value of a call (`ending` 0) or a spot-on claim (1) after a bid of `bidder`.

        any_action : take the caller's best action at an unexpanded history instead: any ending, or any higher bid, which the
                     next player calls
        """
        if bidder != update_player and caller != update_player:
            fill(result, others_reach(reach_sum, update_player), own_blocks)  # the update player cannot lose
        else:
            first = bid + 1 - endings if any_action else bid  # the place below the bid stands for the other ending
            for place in range(first, stop[bid] if any_action else bid + 1):
                event = TRUE
                if place <= bid:
                    event = SPOT_ON if ending == 1 or place < bid else FALSE
                    if bidder == update_player:
                        event = INEXACT if ending == 1 else TRUE
                chance_by_roll(event, max(place, bid), result if place == first else total)
                if place > first:
                    keep_larger(total, result, own_blocks)

    def store_reach(subtree: int) -> None:
        """Store the reach of every player at a subtree below the cut."""
        below_due[subtree] = True
        for player in range(players):
            copy(vectors[reach_row[player]], below_reach[subtree, player], blocks[player])

    def step(mover: int, depth: int) -> int:
        """Return the next history to enter, NONE after the last action; add the values of actions without such a history."""
        next_mover, last = _next_player(mover, players), last_bid[depth]
        updates, averages = mover == update_player, mover == average_player
        for action in range(next_action[depth], actions[depth]):
            bid, reached, child = int(columns[column[depth, action], BID]), alive[depth], NONE
            crosses = span != WHOLE and bid >= cut
            if not updates and (alive[depth] or averages):
                mass = action_reach[depth, action]
                if averages and mass <= prune_at:
                    continue
                reach_row[mover], reach_sum[mover], slot[0] = depth * most_actions + action, mass, depth + 1
                forget_chances(depth + 1)
                reached = alive[depth] and others_reach(reach_sum, update_player) > prune_at
                if not reached and average_player < 0:
                    continue
            if last < bid and tables.expandable[bid]:
                child = int(columns[column[depth, action], CHILD])
                if learning is not None:
                    expands = child == NONE and reached and next_mover == update_player
                    if expands and others_reach(reach_sum, update_player) > learning.rates.expand_above:
                        parent, all_bids = Parent(last, mover, first_column[depth]), tremble is not None
                        child = expand_child(
                            tables, layout, below_roots, below_used, parent, column[depth, action], all_bids, crosses
                        )
            if child != NONE and not crosses:
                next_action[depth], last_bid[depth + 1], alive[depth + 1] = action + 1, bid, reached
                return child
            if span == DOWN:
                if child != NONE:
                    store_reach(child)
                continue
            if not reached:
                continue
            result = action_value[depth, action] if updates else value[depth + 1]
            if child != NONE and below_roots[child, ROOT] != NONE:
                copy(below_value[child], result, own_blocks)
            else:
                ending, bidder, caller = 0, mover, next_mover
                if bid == last:
                    ending, bidder, caller = action, _previous_player(mover, players), mover
                round_value(ending, bid, bidder, caller, best and bid > last and caller == update_player, result)
            if not updates:
                add(result, value[depth], own_blocks)
        return NONE

    def take_back(mover: int, depth: int) -> None:
        """Store the child's value as the value of the update player's action, or add it to another player's history."""
        if mover == update_player:
            copy(value[depth + 1], action_value[depth, next_action[depth] - 1], own_blocks)
        else:
            add(value[depth + 1], value[depth], own_blocks)

    def leave(mover: int, depth: int) -> None:
        """Compute value and regrets at a history of the update player; restore the reach at another player's history."""
        if mover != update_player:
            reach_row[mover], reach_sum[mover] = reach_row_before[depth], reach_sum_before[depth]
            slot[0] = slot_before[depth]
        elif alive[depth] and span != DOWN:
            infosets = Infosets(int(actions[depth]), own_blocks, depth * most_actions)
            values, result = action_value[depth], value[depth]
            if best:
                compute_best_value(values, infosets, result)
            else:
                compute_value(values, infosets, vectors, result)
            if mirror is not None and learning is not None and tremble is not None:
                share, reached = tremble / total.dtype.type(infosets.actions), others_reach(reach_sum, update_player)
                top = action_value[depth, infosets.actions]
                means, numbers = learning.averages, (mirror.share, mirror.sharpness, one - tremble, share)
                descend(weights, means, entry[depth], values, infosets, reached, *numbers, top, total)
            elif learning is not None:  # regrets compare intended actions, without the tremble
                if tremble is not None:
                    share = tremble / total.dtype.type(infosets.actions)
                    remove_tremble_from_value(values, infosets, one - tremble, share, result, total)
                update_regrets(weights, learning.last_regrets, entry[depth], values, result, infosets, learning.rates)
            if tremble is not None and (best or learning is not None) and mirror is None:
                share = tremble / total.dtype.type(infosets.actions)
                tremble_value(values, infosets, one - tremble, share, result, total)
            if lock is not None and best:
                apply_lock_to_value(lock, entry[depth], values, infosets, result, total)

    visited, finite = 0, True
    for root in chosen:
        if begin(root):
            depth, mover, entering = 0, int(roots[root, MOVER]), True
            while 0 <= depth < len(next_action) - 1:
                if entering:
                    visited += 1
                    finite &= enter(mover, depth)
                elif span != DOWN and alive[depth + 1]:
                    take_back(mover, depth)
                child = step(mover, depth)
                entering = child != NONE
                if entering:
                    depth, mover = depth + 1, _next_player(mover, players)
                    first_column[depth] = first_columns[child]
                else:
                    leave(mover, depth)
                    depth, mover = depth - 1, _previous_player(mover, players)
            for roll in range(padded_rolls(blocks, update_player)):
                subtrees.value[root, roll] = value[0, roll]
                finite &= np.isfinite(value[0, roll])
    return visited if finite else -visited - 1
