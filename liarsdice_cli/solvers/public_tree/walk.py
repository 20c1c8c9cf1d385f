"""The walk over subtrees of the betting tree: one compiled loop that updates, judges and evaluates.

It goes in prefix order, as the rows do, and carries down the other player's `reach`: for each of the other's rolls its
probability times that of the other's own actions so far. Back come values: for each roll of the player in question (the
*learner*) the sum over the other's rolls of reach times the probability that the learner wins.

Where the reach is nothing, nothing below can change and every value is 0: the walk turns back there.

To read it, begin with `_walk`: at every history it *enters* (how does the mover act here, what is the value of a call?),
*steps* to the child by each higher bid in turn, *takes* every child's value *back*, and *leaves* (what is the value of the
history, and what regrets does that give?). These parts become one loop when it is compiled: each but the showdown is called
in one place only, since the compiler takes every call apart anew. A history lies at a depth, the number of bids since the
subtree's root, and all that is known of the histories above stands in a `_Stack`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from liarsdice_cli.extensive.tree import Floats, Ints
from liarsdice_cli.system.compiling import compiled_in_place, inlined_in_place

LEARN, RESPOND, EVALUATE = 0, 1, 2
"""What a walk does at the learner's histories: improve the strategy; take the best action; follow the weights."""
WHOLE, DOWN, UP = 0, 1, 2
"""How far: to the end; to the cut, noting the reach that comes there; to the cut, taking from there the values noted."""
LEARNER, OTHER = 0, 1
"""The two players, wherever an axis of an array has one entry for each."""
NOTHING = 1e-30
"""Reach that is taken for none while learning (it would only slow the floats down)."""


class LookUps(NamedTuple):
    """What does not change from walk to walk of one learner; arrays only.

    before   : `Layout.before`
    won      : floats (2, bids, learner's counts, other's rolls): 1 where the learner wins with this count when the bid is
               called, else 0; first the learner's own bids, then the other's
    matching : integers (bids, learner's rolls) of the learner
    """

    before: Ints
    won: Floats
    matching: Ints


class Subtrees(NamedTuple):
    """Subtrees of the betting tree, a row each: where they are, what comes to them and their values.

    roots : integers (subtrees, 4): the last bid (-1 for the whole tree), the first rows in the learner's and in the other's
            arrays, and 1 if the learner moves there, else 0
    reach : floats (subtrees, other's rolls), of the kind that all computation is in
    value : floats (subtrees, learner's rolls), filled by a walk

    The subtrees below a cut at bid c are those after a last bid j of c or higher and lower bids before, a bit each in a mask:
    in row mask * width + j - c, with width = bids - 1 - c, since after the highest bid nothing is left to decide.
    """

    roots: Ints
    reach: Floats
    value: Floats


class Weights(NamedTuple):
    """The arrays that a walk reads and writes: 2-D, (rows, rolls).

    learner, other           : regrets while learning; else weights in proportion to which the players act
    learner_last, other_last : the last regrets of minimisers that predict; else empty
    average                  : the other's average, to which learning adds; else empty
    """

    learner: Floats
    other: Floats
    learner_last: Floats
    other_last: Floats
    average: Floats


class WalkRates(NamedTuple):
    """The numbers of a step for the kernels (see `minimisers.Step`), and two of the computation.

    nothing : reach up to which the walk turns back
    least   : sums of weights up to which there are no weights; the smallest whose inverse is a float
    """

    discount: Any
    discount_negative: Any
    regret_weight: Any
    floor: Any
    learner_prediction: Any
    other_prediction: Any
    average_weight: Any
    nothing: Any
    least: Any


class _Stack(NamedTuple):
    """The histories from the root of a subtree to where the walk is, an entry for each depth.

    last_bid     : the history's last bid, -1 in the opening
    next_bid     : the bid by which the walk steps on from it
    mask         : a bit for each of its bids; right above a cut only
    rows         : its first rows in the learner's and in the other's arrays
    reach        : (depth, other's rolls)
    play         : (depth, action, mover's rolls): the learner's probabilities, or the other's reach after the action
    action_value : (depth, action, learner's rolls), where the learner moves
    value        : (depth, learner's rolls)
    total, won   : room for a number for each roll of the mover, and for each count of the learner
    """

    last_bid: Ints
    next_bid: Ints
    mask: Ints
    rows: Ints
    reach: Floats
    play: Floats
    action_value: Floats
    value: Floats
    total: Floats
    won: Floats


def walk(
    mode: int,
    span: int,
    subtrees: Subtrees,
    chosen: Ints,
    tables: LookUps,
    cut: int,
    below: Subtrees,
    weights: Weights,
    rates: WalkRates,
) -> int:
    """Walk some subtrees; returns the histories visited, negative if a number was not finite.

    chosen : their rows
    cut    : the bid at which a walk down or up is cut
    below  : the subtrees below the cut: a walk down fills their first rows and reach, a walk up takes their values
    """
    depths, kind = tables.before.shape[1], subtrees.reach.dtype
    learner_rolls, other_rolls = subtrees.value.shape[1], subtrees.reach.shape[1]
    most_rolls = max(learner_rolls, other_rolls)
    stack = _Stack(
        np.empty(depths, np.int64),
        np.empty(depths, np.int64),
        np.empty(depths, np.int64),
        np.empty((depths, 2), np.int64),
        np.empty((depths, other_rolls), kind),
        np.empty((depths, depths, most_rolls), kind),
        np.empty((depths, depths, learner_rolls), kind),
        np.empty((depths, learner_rolls), kind),
        np.empty(most_rolls, kind),
        np.empty(tables.won.shape[2], kind),
    )
    return int(_walk(mode, span, subtrees, chosen, tables, cut, below, weights, rates, stack))


@compiled_in_place
def _walk(
    mode: int,
    span: int,
    subtrees: Subtrees,
    chosen: Ints,
    tables: LookUps,
    cut: int,
    below: Subtrees,
    weights: Weights,
    rates: WalkRates,
    stack: _Stack,
) -> int:
    """The loop of `walk`; see the head of this file."""
    bids, visited, sound = tables.before.shape[1] - 1, 0, True
    for root in chosen:
        learner_begins = subtrees.roots[root, 3] == 1
        _begin(stack, subtrees, root)
        depth, arrived = 0, True
        while True:
            learners = (depth % 2 == 0) == learner_begins
            if arrived:
                arrived = False
                visited += 1
                sound &= _enter(mode, span, stack, depth, learners, tables, weights, rates)
            bid = stack.next_bid[depth]
            if bid < bids:
                stack.next_bid[depth] += 1
                if not _step(stack, depth, learners, bid, tables, rates.nothing):
                    continue
                if bid == bids - 1:  # the highest one, which can only be called
                    bidder = LEARNER if learners else OTHER
                    _showdown(bidder, bid, tables, stack.reach[depth + 1], stack.value[depth + 1], stack.won)
                elif span == WHOLE or bid < cut:
                    depth, arrived = depth + 1, True
                    continue
                else:
                    _cross_the_cut(span, stack, depth, below, bid - cut, bids - 1 - cut)
            else:
                if learners:
                    _leave(mode, span, stack, depth, bids, weights, rates)
                if depth == 0:
                    break
                depth -= 1
            _take_back(stack, depth, (depth % 2 == 0) == learner_begins)
        for roll in range(subtrees.value.shape[1]):
            subtrees.value[root, roll] = stack.value[0, roll]
            sound &= np.isfinite(stack.value[0, roll])
    return visited if sound else -visited


@inlined_in_place
def _begin(stack: _Stack, subtrees: Subtrees, root: int) -> None:
    """At the root of a subtree."""
    stack.last_bid[0], stack.mask[0] = subtrees.roots[root, 0], 0
    stack.rows[0, LEARNER], stack.rows[0, OTHER] = subtrees.roots[root, 1], subtrees.roots[root, 2]
    for roll in range(stack.reach.shape[1]):
        stack.reach[0, roll] = subtrees.reach[root, roll]


@inlined_in_place
def _enter(
    mode: int, span: int, stack: _Stack, depth: int, learners: bool, tables: LookUps, weights: Weights, rates: WalkRates
) -> bool:
    """How the mover acts at a history, and the value of a call there; False if a number is not finite.

    At the other's histories the value begins with that of the call, to which the values of all children are added.
    """
    last = stack.last_bid[depth]
    stack.next_bid[depth] = last + 1
    actions = tables.before.shape[1] - 1 - max(last, 0)
    row, play, reach = stack.rows[depth, LEARNER if learners else OTHER], stack.play[depth], stack.reach[depth]
    sound = True
    if not learners or mode != RESPOND:
        sound = _probabilities(
            weights.learner if learners else weights.other,
            weights.learner_last if learners else weights.other_last,
            rates.learner_prediction if learners else rates.other_prediction,
            rates.least,
            row,
            actions,
            play,
            stack.total,
            stack.value.shape[1] if learners else len(reach),
        )
    if learners:
        if last >= 0:
            _showdown(OTHER, last, tables, reach, stack.action_value[depth, 0], stack.won)
        return sound
    for action in range(actions):
        for roll in range(len(reach)):
            play[action, roll] *= reach[roll]
    if mode == LEARN and span != DOWN:
        for action in range(actions):
            for roll in range(len(reach)):
                weights.average[row + action, roll] += rates.average_weight * play[action, roll]
    if last >= 0:
        _showdown(LEARNER, last, tables, play[0], stack.value[depth], stack.won)
    else:
        for roll in range(stack.value.shape[1]):
            stack.value[depth, roll] = 0
    return sound


@inlined_in_place
def _step(stack: _Stack, depth: int, learners: bool, bid: int, tables: LookUps, nothing: Any) -> bool:
    """Step from a history to its child by a bid; False if the other never comes there."""
    last, bids = stack.last_bid[depth], tables.before.shape[1] - 1
    bidder, answerer = (LEARNER, OTHER) if learners else (OTHER, LEARNER)
    stack.last_bid[depth + 1] = bid
    stack.mask[depth + 1] = stack.mask[depth] | 1 << bid
    passed_answerer = tables.before[0, bid] - tables.before[0, last + 1]
    passed_bidder = tables.before[1, bid] - tables.before[1, last + 1]
    stack.rows[depth + 1, answerer] = stack.rows[depth, answerer] + passed_answerer
    stack.rows[depth + 1, bidder] = stack.rows[depth, bidder] + bids - max(last, 0) + passed_bidder
    comes = nothing * 0
    if learners:
        for roll in range(stack.reach.shape[1]):
            stack.reach[depth + 1, roll] = stack.reach[depth, roll]
    else:
        for roll in range(stack.reach.shape[1]):
            stack.reach[depth + 1, roll] = stack.play[depth, bid - max(last, 0), roll]
            comes += stack.reach[depth + 1, roll]
    return bool(learners or comes > nothing)


@inlined_in_place
def _cross_the_cut(span: int, stack: _Stack, depth: int, below: Subtrees, place: int, width: int) -> None:
    """The child is the root of a subtree below the cut: note what comes there on the way down, take its value on the way up."""
    row = stack.mask[depth] * width + place
    if span == DOWN:
        below.roots[row, 1], below.roots[row, 2] = stack.rows[depth + 1, LEARNER], stack.rows[depth + 1, OTHER]
        for roll in range(stack.reach.shape[1]):
            below.reach[row, roll] = stack.reach[depth + 1, roll]
        for roll in range(stack.value.shape[1]):
            stack.value[depth + 1, roll] = 0
    else:
        for roll in range(stack.value.shape[1]):
            stack.value[depth + 1, roll] = below.value[row, roll]


@inlined_in_place
def _take_back(stack: _Stack, depth: int, learners: bool) -> None:
    """The value of the child just visited: that of an action of the learner, or a part of the value under the other's play."""
    action = stack.next_bid[depth] - 1 - max(stack.last_bid[depth], 0)
    if learners:
        for roll in range(stack.value.shape[1]):
            stack.action_value[depth, action, roll] = stack.value[depth + 1, roll]
    else:
        for roll in range(stack.value.shape[1]):
            stack.value[depth, roll] += stack.value[depth + 1, roll]


@inlined_in_place
def _leave(mode: int, span: int, stack: _Stack, depth: int, bids: int, weights: Weights, rates: WalkRates) -> None:
    """The value of a history of the learner, from those of all actions; and the regrets that they give."""
    actions = bids - max(stack.last_bid[depth], 0)
    play, action_value, value = stack.play[depth], stack.action_value[depth], stack.value[depth]
    if mode == RESPOND:
        for roll in range(len(value)):
            value[roll] = action_value[0, roll]
        for action in range(1, actions):
            for roll in range(len(value)):
                value[roll] = max(value[roll], action_value[action, roll])
    else:
        for roll in range(len(value)):
            value[roll] = 0
        for action in range(actions):
            for roll in range(len(value)):
                value[roll] += play[action, roll] * action_value[action, roll]
        if mode == LEARN and span != DOWN:
            _learn(weights, rates, stack.rows[depth, LEARNER], actions, action_value, value)


@inlined_in_place
def _probabilities(
    weights: Floats,
    last_regrets: Floats,
    prediction: Any,
    least: Any,
    row: int,
    actions: int,
    play: Floats,
    total: Floats,
    rolls: int,
) -> bool:
    """Fill `play` with probabilities in proportion to positive weights, alike where there are none; False if not finite."""
    zero = prediction * 0
    for roll in range(rolls):
        total[roll] = zero
    for action in range(actions):
        if prediction > 0:
            for roll in range(rolls):
                weight = weights[row + action, roll] + prediction * last_regrets[row + action, roll]
                weight = zero if weight <= zero else weight
                play[action, roll] = weight
                total[roll] += weight
        else:
            for roll in range(rolls):
                weight = weights[row + action, roll]
                weight = zero if weight <= zero else weight
                play[action, roll] = weight
                total[roll] += weight
    check = zero
    for roll in range(rolls):
        check += total[roll]
        total[roll] = (zero + 1) / total[roll] if total[roll] > least else zero
    alike = (zero + 1) / actions
    for action in range(actions):
        for roll in range(rolls):
            play[action, roll] = play[action, roll] * total[roll] if total[roll] > zero else alike
    return bool(np.isfinite(check))


@inlined_in_place
def _showdown(bidder: int, bid: int, tables: LookUps, reach: Floats, value: Floats, won: Floats) -> None:
    """Fill `value` with what the learner wins, roll by roll, when this bid of the learner or of the other is called."""
    for count in range(len(won)):
        mass = reach[0] * 0
        for roll in range(tables.won.shape[3]):
            mass += reach[roll] * tables.won[bidder, bid, count, roll]
        won[count] = mass
    for roll in range(tables.matching.shape[1]):
        value[roll] = won[tables.matching[bid, roll]]


@inlined_in_place
def _learn(weights: Weights, rates: WalkRates, row: int, actions: int, action_value: Floats, value: Floats) -> None:
    """Add the regrets of this visit."""
    for action in range(actions):
        for roll in range(len(value)):
            regret = action_value[action, roll] - value[roll]
            old = weights.learner[row + action, roll]
            new = old * (rates.discount if old > 0 else rates.discount_negative) + rates.regret_weight * regret
            weights.learner[row + action, roll] = rates.floor if new <= rates.floor else new
        if rates.learner_prediction > 0:
            for roll in range(len(value)):
                weights.learner_last[row + action, roll] = action_value[action, roll] - value[roll]
