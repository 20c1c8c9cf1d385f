"""The walk over the histories of a shard that have grown: one compiled loop that learns, judges and evaluates.

It carries down the *reach* of every player but one: for each of the player's rolls its probability times that of the player's
own actions so far. Back come values to the one who is left, the *learner*: for each roll, summed over the others' rolls and
weighed by the product of their reaches, the chance not to be the one who loses.

Where the others' reach is nothing, nothing below can change and every value is 0: the walk turns back there, or goes on only
for the average of one player (`averaged`) who does come there. A history of the learner grows when the walk comes to it with
more than a threshold of reach, in a shard that has room. Where none has grown whoever moves there calls, see `showdown`.

To read it, begin with `walk`: at every history it *enters* (how does the mover act here?), *steps* on by a call and by each
higher bid in turn, *takes* the value of what follows *back*, and *leaves* (what is the value of the history, and what regrets
does that give?). These parts become one loop when it is compiled: each is called in one place only, or is short, since the
compiler takes every call apart anew. A history lies at a depth, the number of bids since the
subtree's root, and all that is known of the histories above stands in a `Stack`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from liarsdice_cli.extensive.tree import Ints
from liarsdice_cli.games.liarsdice.grown import HISTORIES, LAST_BID, MOVER, NONE, NUMBERS, PLACES, REFUSED, ROOT
from liarsdice_cli.solvers.public_tree import behaviour, showdown
from liarsdice_cli.solvers.public_tree.arrays import LookUps, Rows, Stack, Subtrees, WalkRates
from liarsdice_cli.solvers.public_tree.behaviour import learn, probabilities, weigh
from liarsdice_cli.solvers.public_tree.showdown import called, others_reach
from liarsdice_cli.system.compiling import compiled_in_place, inlined_in_place

LEARN, RESPOND, EVALUATE = 0, 1, 2
"""What a walk does at the learner's histories: improve the strategy; take the best action; follow the weights."""
WHOLE, DOWN, UP = 0, 1, 2
"""How far: to the end; to the cut, noting the reach that comes there; to the cut, taking from there the values noted."""
NOTHING = 1e-30
"""Reach that is taken for none while learning (it would only slow the floats down)."""
NOBODY = -1
"""In the place of `averaged`, where nobody's strategy is averaged."""


@compiled_in_place(behaviour, showdown)
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
    bids, players = len(tables.group), len(tables.widths)
    visited, sound, width = 0, True, tables.widths[learner]
    for root in chosen:
        first_mover = subtrees.roots[root, MOVER]
        if not _begin(mode, learner, stack, subtrees, root, rows, tables, rates):
            continue
        depth, arrived = 0, True
        while True:
            mover = (first_mover + depth) % players
            if arrived:
                arrived = False
                visited += 1
                sound &= _enter(mode, span, learner, averaged, mover, stack, depth, tables, rows, rates)
            bid = stack.next_bid[depth]
            if bid < bids:
                stack.next_bid[depth] += 1
                if not _step(learner, averaged, mover, stack, depth, bid, tables, rates):
                    continue
                bidder, crosses, child = mover, span != WHOLE and bid >= cut, NONE
                if bid == stack.last_bid[depth]:
                    bidder = (mover - 1) % players
                elif bid < bids - 1:
                    child = _child(mode, learner, (mover + 1) % players, stack, depth, bid, crosses, tables, rows, below, rates)
                if child != NONE and crosses:
                    if span == DOWN:
                        _leave_at_the_cut(stack, _level(stack, depth), below, child, tables)
                        continue
                    if below.roots[child, ROOT] == NONE:
                        child = NONE
                if child == NONE:
                    if span == DOWN or not stack.alive[depth + 1]:
                        continue
                    chooses = mode == RESPOND and bidder == mover and (mover + 1) % players == learner
                    if mover == learner:
                        value = stack.action_value[depth, bid - max(stack.last_bid[depth], 0)]
                    else:
                        value = stack.value[depth + 1]
                    called(chooses, learner, bid, bidder, _level(stack, depth), tables, stack, value, rates)
                    if mover == learner:
                        continue
                elif crosses:
                    for roll in range(width):
                        stack.value[depth + 1, roll] = below.value[child, roll]
                else:
                    if not stack.turned[depth]:
                        _pass_on(stack, depth, players)
                    depth += 1
                    stack.first[depth], stack.place[depth] = rows.first[child], rows.place[child]
                    arrived = True
                    continue
            else:
                if mover == learner and stack.alive[depth] and span != DOWN:
                    _leave(mode, stack, depth, bids, width, rows, rates)
                if depth == 0:
                    break
                depth -= 1
                mover = (first_mover + depth) % players
            if span != DOWN and stack.alive[depth + 1]:
                _take_back(stack, depth, mover == learner, width)
        for roll in range(width):
            subtrees.value[root, roll] = stack.value[0, roll]
            sound &= np.isfinite(stack.value[0, roll])
    return visited if sound else -visited - 1


@inlined_in_place
def _begin(
    mode: int, learner: int, stack: Stack, subtrees: Subtrees, root: int, rows: Rows, tables: LookUps, rates: WalkRates
) -> bool:
    """At the root of a subtree, which grows if it has not; False if there is no room for it, or it has not grown."""
    players, bids = len(tables.widths), len(tables.group)
    most_rolls = tables.matches.shape[3]
    for player in range(players):
        start, mass = len(stack.vectors) - (players - player) * most_rolls, rates.zero
        own = stack.vectors[start : start + most_rolls]
        for roll in range(tables.widths[player]):
            own[roll] = subtrees.reach[root, player, roll]
            mass += subtrees.reach[root, player, roll]
        stack.at[0, player], stack.mass[0, player] = start, mass
    stack.alive[0] = others_reach(0, learner, stack, rates) > rates.nothing
    stack.last_bid[0] = subtrees.roots[root, LAST_BID]
    stack.slot[0] = 0
    for group in range(stack.known.shape[1]):
        stack.known[0, group] = False
    for roll in range(tables.widths[learner]):
        stack.value[0, roll] = 0
    history = subtrees.roots[root, ROOT]
    if history == NONE and mode == LEARN:
        history = _grow(rows, stack.last_bid[0], bids, tables.widths[subtrees.roots[root, MOVER]])
        subtrees.roots[root, ROOT] = history
    if history == NONE:
        return False
    stack.first[0], stack.place[0] = rows.first[history], rows.place[history]
    return True


@inlined_in_place
def _grow(rows: Rows, last: int, bids: int, width: int) -> int:
    """The number of a new history after a last bid; NONE if the shard has no room."""
    history, places, numbers = rows.used[HISTORIES], bids - 2 - last, (bids - max(last, 0)) * width
    if (
        history == len(rows.first)
        or rows.used[PLACES] + places > len(rows.children)
        or rows.used[NUMBERS] + numbers > len(rows.weights)
    ):
        rows.used[REFUSED] += 1
        return NONE
    rows.first[history], rows.place[history] = rows.used[NUMBERS], rows.used[PLACES]
    rows.used[HISTORIES] += 1
    rows.used[PLACES] += places
    rows.used[NUMBERS] += numbers
    return int(history)


@inlined_in_place
def _child(
    mode: int,
    learner: int,
    next_mover: int,
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
    if child != NONE or mode != LEARN or next_mover != learner or not stack.alive[depth + 1]:
        return int(child)
    if others_reach(depth + 1, learner, stack, rates) <= rates.growth:
        return NONE
    if not crosses:
        child = _grow(rows, bid, len(tables.group), tables.widths[next_mover])
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
    bids, last, alive, sound = len(tables.group), stack.last_bid[depth], stack.alive[depth], True
    stack.next_bid[depth] = max(last, 0)
    actions, width, first = bids - max(last, 0), tables.widths[mover], stack.first[depth]
    play = depth * (bids + 1) * tables.matches.shape[3]
    if (alive and mode != RESPOND and span != DOWN) if mover == learner else (alive or mover == averaged):
        prediction = rates.learner_prediction if mover == learner else rates.other_prediction
        sound = probabilities(rows, prediction, first, actions, width, stack, play, rates)
    if mover == learner:
        return sound
    if alive:
        for roll in range(tables.widths[learner]):
            stack.value[depth, roll] = 0
    if alive or mover == averaged:
        averages = mode == LEARN and mover == averaged and span != DOWN
        weigh(averages, stack, depth, stack.at[depth, mover], play, first, actions, width, rows, rates)
    return sound


@inlined_in_place
def _turn(stack: Stack, depth: int, mover: int, start: int, mass: Any, players: int) -> None:
    """What comes to the next depth after an action of a player other than the learner."""
    for player in range(players):
        stack.at[depth + 1, player] = stack.at[depth, player]
        stack.mass[depth + 1, player] = stack.mass[depth, player]
    stack.at[depth + 1, mover], stack.mass[depth + 1, mover] = start, mass
    stack.slot[depth + 1] = depth + 1
    for group in range(stack.known.shape[1]):
        stack.known[depth + 1, group] = False


@inlined_in_place
def _step(
    learner: int, averaged: int, mover: int, stack: Stack, depth: int, bid: int, tables: LookUps, rates: WalkRates
) -> bool:
    """Step on from a history by a bid, or by a call where it is the last one; False if nobody does who matters."""
    bids, players = len(tables.group), len(tables.widths)
    last, alive = stack.last_bid[depth], stack.alive[depth]
    stack.last_bid[depth + 1] = bid
    stack.turned[depth] = mover != learner and (alive or mover == averaged)
    if not stack.turned[depth]:
        stack.alive[depth + 1] = alive
        return True
    action = bid - max(last, 0)
    mass = stack.action_mass[depth, action]
    if mover == averaged and mass <= rates.nothing:
        return False
    start = depth * (bids + 1) * tables.matches.shape[3] + action * tables.widths[mover]
    _turn(stack, depth, mover, start, mass, players)
    stack.alive[depth + 1] = alive and others_reach(depth + 1, learner, stack, rates) > rates.nothing
    return bool(stack.alive[depth + 1] or averaged >= 0)


@inlined_in_place
def _level(stack: Stack, depth: int) -> int:
    """The depth at which the reach stands that comes to what follows."""
    return depth + 1 if stack.turned[depth] else depth


@inlined_in_place
def _pass_on(stack: Stack, depth: int, players: int) -> None:
    """The same reach comes to the next depth."""
    for player in range(players):
        stack.at[depth + 1, player] = stack.at[depth, player]
        stack.mass[depth + 1, player] = stack.mass[depth, player]
    stack.slot[depth + 1] = stack.slot[depth]


@inlined_in_place
def _leave_at_the_cut(stack: Stack, depth: int, below: Subtrees, subtree: int, tables: LookUps) -> None:
    """Note what comes to a subtree."""
    below.due[subtree] = True
    for player in range(len(tables.widths)):
        start, width = stack.at[depth, player], tables.widths[player]
        own = stack.vectors[start : start + width]
        for roll in range(width):
            below.reach[subtree, player, roll] = own[roll]


@inlined_in_place
def _take_back(stack: Stack, depth: int, learners: bool, width: int) -> None:
    """The value of the child just visited: that of an action of the learner, or a part of the value under others' play."""
    action = stack.next_bid[depth] - 1 - max(stack.last_bid[depth], 0)
    if learners:
        for roll in range(width):
            stack.action_value[depth, action, roll] = stack.value[depth + 1, roll]
    else:
        for roll in range(width):
            stack.value[depth, roll] += stack.value[depth + 1, roll]


@inlined_in_place
def _leave(mode: int, stack: Stack, depth: int, bids: int, width: int, rows: Rows, rates: WalkRates) -> None:
    """The value of a history of the learner, from those of all actions; and the regrets that they give."""
    actions = bids - max(stack.last_bid[depth], 0)
    action_value, value = stack.action_value[depth], stack.value[depth]
    if mode == RESPOND:
        for roll in range(width):
            value[roll] = action_value[0, roll]
        for action in range(1, actions):
            for roll in range(width):
                value[roll] = max(value[roll], action_value[action, roll])
        return
    play = depth * (bids + 1) * action_value.shape[1]
    for roll in range(width):
        value[roll] = 0
    for action in range(actions):
        probability, own = stack.vectors[play + action * width : play + (action + 1) * width], action_value[action]
        for roll in range(width):
            value[roll] += probability[roll] * own[roll]
    if mode == LEARN:
        learn(stack.first[depth], actions, width, action_value, value, rows, rates)
