"""The walk over the histories of a shard that have grown: one compiled loop that learns, judges and evaluates.

It carries down the *reach* of every player but one: for each of the player's rolls its probability times that of the player's
own actions so far. Back come values to the one who is left, the *learner*: for each roll, summed over the others' rolls and
weighed by the product of their reaches, the chance not to be the one who loses.

Where the others' reach is nothing, nothing below can change and every value is 0: the walk turns back there, or goes on only
for the average of one player (`averaged`) who does come there. A history of the learner grows when the walk comes to it with
more than a threshold of reach, in a shard that has room. Where none has grown whoever moves there calls, see `showdown`.

To read it, begin with `walk`: at every history it *enters* (how does the mover act here?), *steps* on, by a call and by each
higher bid in turn, to the next one that has grown, *takes* the value of what follows *back*, and *leaves* (what is the value of
the history, and what regrets does that give?). These parts become one loop when it is compiled: each is called in one place
only, or is short, since the compiler takes every call apart anew. A history lies at a depth, the number of bids since the
subtree's root, and all that is known of the histories above stands in a `Stack`.

How fast it is beside the same walk in plain C is a part of `make bench`. What that takes is not seen in single lines: indexes
that the compiler knows to be no less than 0 (unsigned ones, and those between the bounds of a loop), vectors of rolls as rows
of an array, not as slices, and no division.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from liarsdice_cli.extensive.stream import Ints
from liarsdice_cli.solvers.public_tree import arrays, behaviour, showdown
from liarsdice_cli.solvers.public_tree.arrays import (
    LookUps,
    Rows,
    Stack,
    Subtrees,
    WalkRates,
    actions_after,
    bid_of,
    padded_rolls,
)
from liarsdice_cli.solvers.public_tree.behaviour import (
    err,
    erring,
    learn,
    lock_probabilities,
    lock_values,
    probabilities,
    weigh,
)
from liarsdice_cli.solvers.public_tree.showdown import ended, others_reach
from liarsdice_cli.strategies.shard import CHILDREN, ENTRIES, HISTORIES, NONE, REFUSED
from liarsdice_cli.strategies.store import LAST_BID, MOVER, ROOT
from liarsdice_cli.system.compiling import compiled_in_place, inlined_in_place

LEARN, RESPOND, EVALUATE = 0, 1, 2
"""What a walk does at the learner's histories: improve the strategy; take the best action; follow the weights."""
WHOLE, DOWN, UP = 0, 1, 2
"""How far: to the end; to the cut, noting the reach that comes there; to the cut, taking from there the values noted."""
NOTHING = 1e-30
"""Reach that is taken for none while learning (it would only slow the floats down)."""
NOBODY = -1
"""In the place of `averaged`, where nobody's strategy is averaged."""


@compiled_in_place(arrays, behaviour, showdown)
def walk(
    mode: int,
    span: int,
    learner: int,
    averaged: int,
    tables: LookUps,
    rows: Rows,
    subtrees: Subtrees,
    chosen: Ints,
    cut: int,
    below: Subtrees,
    rates: WalkRates,
    stack: Stack,
) -> int:
    """Walk some subtrees of one shard; returns the histories visited, less than 0 if a number was not finite.

    averaged : the player whose averages are added to while learning
    subtrees : where `chosen` are rows of
    cut      : the bid from which on a walk down or up is cut
    below    : the subtrees below the cut: a walk down finds or begins them, and a walk up takes their values
    """
    players, width, deepest = len(tables.blocks), padded_rolls(tables, learner), len(stack.next_action) - 1
    visited, sound = 0, True
    for root in chosen:
        if not _begin(mode, learner, stack, subtrees, root, rows, tables, rates):
            continue
        depth, mover, arrived = 0, subtrees.roots[root, MOVER], True
        while 0 <= depth < deepest:
            if arrived:
                visited += 1
                sound &= _enter(mode, span, learner, averaged, mover, stack, depth, tables, rows, rates)
            elif span != DOWN and stack.alive[depth + 1]:
                _take_back(stack, depth, mover == learner, width)
            child = _step(mode, span, learner, averaged, mover, stack, depth, tables, rows, cut, below, rates)
            arrived = child != NONE
            if arrived:
                depth, mover = depth + 1, _following(mover, players)
                stack.first[depth], stack.place[depth] = rows.first[child], rows.place[child]
            else:
                _leave(mode, span, learner, mover, stack, depth, tables, rows, rates)
                depth, mover = depth - 1, _preceding(mover, players)
        for roll in range(width):
            subtrees.value[root, roll] = stack.value[0, roll]
            sound &= np.isfinite(stack.value[0, roll])
    return visited if sound else -visited - 1


@inlined_in_place
def _following(player: int, players: int) -> int:
    """Who moves after a player."""
    return player + 1 if player + 1 < players else 0


@inlined_in_place
def _preceding(player: int, players: int) -> int:
    """Who moves before a player."""
    return player - 1 if player > 0 else players - 1


@inlined_in_place
def _play(stack: Stack, depth: int) -> int:
    """The first row of `Stack.vectors` of a depth."""
    return int(depth * stack.action_mass.shape[1])


@inlined_in_place
def _begin(
    mode: int, learner: int, stack: Stack, subtrees: Subtrees, root: int, rows: Rows, tables: LookUps, rates: WalkRates
) -> bool:
    """At the root of a subtree, which grows if it has not; False if there is no room for it, or it has not grown."""
    players = len(tables.blocks)
    for player in range(players):
        start, mass = len(stack.vectors) - players + player, rates.zero
        own = stack.vectors[start]
        for roll in range(padded_rolls(tables, player)):
            own[roll] = subtrees.reach[root, player, roll]
            mass += subtrees.reach[root, player, roll]
        stack.at[player], stack.mass[player] = start, mass
    stack.alive[0] = others_reach(learner, stack, rates) > rates.nothing
    stack.last_bid[0] = subtrees.roots[root, LAST_BID]
    stack.slot[0] = 0
    for group in range(stack.known.shape[1]):
        stack.known[0, group] = False
    for roll in range(padded_rolls(tables, learner)):
        stack.value[0, roll] = 0
    history = subtrees.roots[root, ROOT]
    if history == NONE and mode == LEARN:
        history = _grow(rows, stack.last_bid[0], tables, padded_rolls(tables, subtrees.roots[root, MOVER]))
        subtrees.roots[root, ROOT] = history
    if history == NONE:
        return False
    stack.first[0], stack.place[0] = rows.first[history], rows.place[history]
    return True


@inlined_in_place
def _grow(rows: Rows, last: int, tables: LookUps, width: int) -> int:
    """The number of a new history after a last bid; NONE if the shard has no room."""
    actions = actions_after(tables, last)
    history, places, numbers = rows.used[HISTORIES], actions - 2, actions * width  # see `Bidding.places`
    if (
        history == len(rows.first)
        or rows.used[CHILDREN] + places > len(rows.children)
        or rows.used[ENTRIES] + numbers > len(rows.weights)
    ):
        rows.used[REFUSED] += 1
        return NONE
    rows.first[history], rows.place[history] = rows.used[ENTRIES], rows.used[CHILDREN]
    rows.used[HISTORIES] += 1
    rows.used[CHILDREN] += places
    rows.used[ENTRIES] += numbers
    return int(history)


@inlined_in_place
def _child(
    mode: int,
    learner: int,
    next_mover: int,
    comes: bool,
    stack: Stack,
    depth: int,
    bid: int,
    crosses: bool,
    tables: LookUps,
    rows: Rows,
    below: Subtrees,
    rates: WalkRates,
) -> int:
    """The history after a bid, or the subtree; the learner's grow where enough comes. NONE where there is none."""
    place = stack.place[depth] + bid - stack.last_bid[depth] - 1
    child = rows.children[place]
    if child != NONE or mode != LEARN or next_mover != learner or not comes:
        return int(child)
    if others_reach(learner, stack, rates) <= rates.growth:
        return NONE
    if not crosses:
        child = _grow(rows, bid, tables, padded_rolls(tables, next_mover))
    elif below.used[0] == len(below.roots):
        below.used[1] += 1
    else:
        child = below.used[0]
        below.used[0] += 1
        below.roots[child, LAST_BID], below.roots[child, MOVER] = bid, next_mover
    rows.children[place] = child
    return int(child)


@inlined_in_place
def _enter(
    mode: int,
    span: int,
    learner: int,
    averaged: int,
    mover: int,
    stack: Stack,
    depth: int,
    tables: LookUps,
    rows: Rows,
    rates: WalkRates,
) -> bool:
    """How the mover acts at a history; False if a number is not finite."""
    alive, sound = stack.alive[depth], True
    stack.next_action[depth] = 0
    actions, width, first = actions_after(tables, stack.last_bid[depth]), padded_rolls(tables, mover), stack.first[depth]
    play = _play(stack, depth)
    if (alive and mode != RESPOND and span != DOWN) if mover == learner else (alive or mover == averaged):
        prediction = rates.learner_prediction if mover == learner else rates.other_prediction
        sound = probabilities(rows, prediction, first, actions, width, stack, play, rates)
        if mode == LEARN:  # averages have the errors in them
            err(actions, width, stack, play, rates)
        lock_probabilities(rows, first, actions, width, stack, play, rates)
    if mover == learner:
        return sound
    stack.at_before[depth], stack.mass_before[depth] = stack.at[mover], stack.mass[mover]
    stack.slot_before[depth] = stack.slot[0]
    if alive:
        for roll in range(padded_rolls(tables, learner)):
            stack.value[depth, roll] = 0
    if alive or mover == averaged:
        averages = mode == LEARN and mover == averaged and span != DOWN
        weigh(averages, stack, depth, stack.at[mover], play, first, actions, width, rows, rates)
    return sound


@inlined_in_place
def _turn(stack: Stack, depth: int, mover: int, action: int, mass: Any) -> None:
    """Let come what comes to the next depth after an action of a player other than the learner."""
    stack.at[mover], stack.mass[mover], stack.slot[0] = _play(stack, depth) + action, mass, depth + 1
    for group in range(stack.known.shape[1]):
        stack.known[depth + 1, group] = False


@inlined_in_place
def _step(
    mode: int,
    span: int,
    learner: int,
    averaged: int,
    mover: int,
    stack: Stack,
    depth: int,
    tables: LookUps,
    rows: Rows,
    cut: int,
    below: Subtrees,
    rates: WalkRates,
) -> int:
    """The next history to walk, by a bid not made yet; NONE if there is none left. What else follows is settled on the way."""
    next_mover, width = _following(mover, len(tables.blocks)), padded_rolls(tables, learner)
    last, alive = stack.last_bid[depth], stack.alive[depth]
    learners, turns = mover == learner, mover != learner and (alive or mover == averaged)
    for action in range(stack.next_action[depth], actions_after(tables, last)):
        bid = bid_of(tables, last, action)
        comes, crosses, child = alive, span != WHOLE and bid >= cut, NONE
        if turns:
            mass = stack.action_mass[depth, action]
            if mover == averaged and mass <= rates.nothing:
                continue
            _turn(stack, depth, mover, action, mass)
            comes = alive and others_reach(learner, stack, rates) > rates.nothing
            if not comes and averaged < 0:
                continue
        if last < bid and actions_after(tables, bid) > 1:
            child = _child(mode, learner, next_mover, comes, stack, depth, bid, crosses, tables, rows, below, rates)
        if child != NONE and not crosses:
            stack.next_action[depth], stack.last_bid[depth + 1], stack.alive[depth + 1] = action + 1, bid, comes
            return int(child)
        if span == DOWN:
            if child != NONE:
                _leave_at_the_cut(stack, below, child, tables)
            continue
        if not comes:
            continue
        value = stack.action_value[depth, action] if learners else stack.value[depth + 1]
        if child != NONE and below.roots[child, ROOT] != NONE:
            for roll in range(width):
                value[roll] = below.value[child, roll]
        else:
            ending, bidder, caller = 0, mover, next_mover
            if bid == last:
                ending, bidder, caller = action, _preceding(mover, len(tables.blocks)), mover
            chooses = mode == RESPOND and bidder == mover and caller == learner
            ended(chooses, learner, ending, bid, bidder, caller, tables, stack, value, rates)
        if not learners:
            for roll in range(width):
                stack.value[depth, roll] += value[roll]
    return NONE


@inlined_in_place
def _leave_at_the_cut(stack: Stack, below: Subtrees, subtree: int, tables: LookUps) -> None:
    """Note what comes to a subtree."""
    below.due[subtree] = True
    for player in range(len(tables.blocks)):
        own = stack.vectors[stack.at[player]]
        for roll in range(padded_rolls(tables, player)):
            below.reach[subtree, player, roll] = own[roll]


@inlined_in_place
def _take_back(stack: Stack, depth: int, learners: bool, width: int) -> None:
    """The value of the child just visited: that of an action of the learner, or a part of the value under others' play."""
    action = stack.next_action[depth] - 1
    if learners:
        for roll in range(width):
            stack.action_value[depth, action, roll] = stack.value[depth + 1, roll]
    else:
        for roll in range(width):
            stack.value[depth, roll] += stack.value[depth + 1, roll]


@inlined_in_place
def _leave(
    mode: int, span: int, learner: int, mover: int, stack: Stack, depth: int, tables: LookUps, rows: Rows, rates: WalkRates
) -> None:
    """The value of a history of the learner, from those of all actions; and the regrets that they give."""
    if mover != learner:
        stack.at[mover], stack.mass[mover] = stack.at_before[depth], stack.mass_before[depth]
        stack.slot[0] = stack.slot_before[depth]
    if mover != learner or not stack.alive[depth] or span == DOWN:
        return
    actions, width = actions_after(tables, stack.last_bid[depth]), padded_rolls(tables, learner)
    action_value, value = stack.action_value[depth], stack.value[depth]
    if mode == RESPOND:
        for roll in range(width):
            value[roll] = action_value[0, roll]
        for action in range(1, actions):
            for roll in range(width):
                value[roll] = max(value[roll], action_value[action, roll])
        erring(1, actions, width, stack, action_value, value, rates)
        lock_values(rows, stack.first[depth], actions, width, stack, action_value, value, rates)
        return
    play = _play(stack, depth)
    for roll in range(width):
        value[roll] = 0
    for action in range(actions):
        probability, own = stack.vectors[play + action], action_value[action]
        for roll in range(width):
            value[roll] += probability[roll] * own[roll]
    if mode == LEARN:  # regrets are those of what can be chosen
        erring(-1, actions, width, stack, action_value, value, rates)
        learn(stack.first[depth], actions, width, action_value, value, rows, rates)
        erring(1, actions, width, stack, action_value, value, rates)
