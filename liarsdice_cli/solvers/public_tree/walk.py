"""The walk over subtrees of the betting tree: one compiled function that updates, judges and evaluates.

It goes in prefix order, as the rows do, and carries with it what the other player's rolls are worth: `reach`, the
probability of each roll times that of the other's own actions so far. Back come values: for each roll of the player in
question (the *learner*) the sum over the other's rolls of reach times the probability that the learner wins.

Where the reach is nothing, nothing below can change and nothing is worth anything: the walk turns back there.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from liarsdice_cli.extensive.tree import Floats, Ints
from liarsdice_cli.system.compiling import compiled, inlined

LEARN, RESPOND, EVALUATE = 0, 1, 2
"""What a walk does at the learner's histories: improve the strategy; take the best action; follow the weights."""
WHOLE, DOWN, UP = 0, 1, 2
"""How far: to the end; to the cut, noting the reach that comes there; to the cut, taking from there the values noted."""
NOTHING = 1e-30
"""Reach that is taken for none while learning (it would only slow the floats down)."""


class LookUps(NamedTuple):
    """What does not change from walk to walk of one learner; arrays only.

    before   : `Layout.before`
    won      : floats (2, bids, learner's counts, other's rolls): 1 where the learner wins with this count, else 0; first the
               bids that the other calls, then those that the learner calls
    matching : integers (bids, learner's rolls) of the learner
    """

    before: Ints
    won: Floats
    matching: Ints


class Subtrees(NamedTuple):
    """Subtrees of the betting tree, a row each: where they are, what comes to them and what they are worth.

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
    learner_next, other_next : the last regrets of minimisers that predict; else empty
    average                  : the other's average, to which learning adds; else empty
    """

    learner: Floats
    other: Floats
    learner_next: Floats
    other_next: Floats
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


@compiled
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
    bids = tables.before.shape[1] - 1
    mine_rolls, other_rolls, counts = subtrees.value.shape[1], subtrees.reach.shape[1], tables.won.shape[2]
    depth, kind = bids + 1, subtrees.reach.dtype
    last, following = np.empty(depth, np.int64), np.empty(depth, np.int64)
    mine_row, other_row = np.empty(depth, np.int64), np.empty(depth, np.int64)
    mask = np.zeros(depth, np.int64)
    reach = np.empty((depth, other_rolls), kind)
    value = np.empty((depth, mine_rolls), kind)
    play = np.empty((depth, bids + 1, max(mine_rolls, other_rolls)), kind)
    worth = np.empty((depth, bids + 1, mine_rolls), kind)
    total = np.empty(max(mine_rolls, other_rolls), kind)
    won = np.empty(counts, kind)
    visited, sound = 0, True
    for number in chosen:
        d, entering = 0, True
        last[0], mine_row[0], other_row[0] = subtrees.roots[number, 0], subtrees.roots[number, 1], subtrees.roots[number, 2]
        learners = subtrees.roots[number, 3] == 1
        reach[0] = subtrees.reach[number]
        while True:
            bid, mine = last[d], (d % 2 == 0) == learners
            call = 1 if bid >= 0 else 0
            actions = bids - 1 - bid + call
            if entering:
                entering = False
                visited += 1
                following[d] = bid + 1
                if not mine or mode != RESPOND:  # one call: the compiler takes each of them apart anew
                    sound &= _behaviour(
                        weights.learner if mine else weights.other,
                        weights.learner_next if mine else weights.other_next,
                        rates.learner_prediction if mine else rates.other_prediction,
                        rates.least,
                        mine_row[d] if mine else other_row[d],
                        actions,
                        play[d],
                        total,
                        mine_rolls if mine else other_rolls,
                    )
                if mine:
                    if call:
                        _showdown(1, tables, bid, reach[d], worth[d, 0], won)
                else:
                    for action in range(actions):
                        for roll in range(other_rolls):
                            play[d, action, roll] *= reach[d, roll]
                    if mode == LEARN and span != DOWN:
                        for action in range(actions):
                            for roll in range(other_rolls):
                                weights.average[other_row[d] + action, roll] += rates.average_weight * play[d, action, roll]
                    if call:
                        _showdown(0, tables, bid, play[d, 0], value[d], won)
                    else:
                        value[d] = 0
            higher = following[d]
            if higher < bids:
                action = higher - bid - 1 + call
                following[d] += 1
                passed_mover = tables.before[0, higher] - tables.before[0, bid + 1]
                passed_other = tables.before[1, higher] - tables.before[1, bid + 1]
                if mine:
                    if higher == bids - 1:
                        _showdown(0, tables, higher, reach[d], worth[d, action], won)
                        continue
                    reach[d + 1] = reach[d]
                    other_row[d + 1] = other_row[d] + passed_mover
                    mine_row[d + 1] = mine_row[d] + actions + passed_other
                else:
                    comes = rates.nothing * 0
                    for roll in range(other_rolls):
                        comes += play[d, action, roll]
                    if comes <= rates.nothing:
                        continue
                    if higher == bids - 1:
                        _showdown(1, tables, higher, play[d, action], worth[d, 0], won)
                        for roll in range(mine_rolls):
                            value[d, roll] += worth[d, 0, roll]
                        continue
                    for roll in range(other_rolls):
                        reach[d + 1, roll] = play[d, action, roll]
                    mine_row[d + 1] = mine_row[d] + passed_mover
                    other_row[d + 1] = other_row[d] + actions + passed_other
                if span != WHOLE and higher >= cut:
                    row = mask[d] * (bids - 1 - cut) + higher - cut
                    if span == DOWN:
                        below.roots[row, 1], below.roots[row, 2] = mine_row[d + 1], other_row[d + 1]
                        below.reach[row] = reach[d + 1]
                        value[d + 1] = 0
                    else:
                        value[d + 1] = below.value[row]
                else:
                    mask[d + 1] = mask[d] | 1 << higher if span != WHOLE else 0
                    d += 1
                    last[d] = higher
                    entering = True
                    continue
            else:
                if mine:
                    if mode == RESPOND:
                        value[d] = worth[d, 0]
                        for action in range(1, actions):
                            for roll in range(mine_rolls):
                                value[d, roll] = max(value[d, roll], worth[d, action, roll])
                    else:
                        value[d] = 0
                        for action in range(actions):
                            for roll in range(mine_rolls):
                                value[d, roll] += play[d, action, roll] * worth[d, action, roll]
                        if mode == LEARN and span != DOWN:
                            _learn(weights, rates, mine_row[d], actions, worth[d], value[d])
                if d == 0:
                    break
                d -= 1
            came, bid, mine = following[d] - 1, last[d], (d % 2 == 0) == learners
            if mine:
                action = came - bid - 1 + (1 if bid >= 0 else 0)
                for roll in range(mine_rolls):
                    worth[d, action, roll] = value[d + 1, roll]
            else:
                for roll in range(mine_rolls):
                    value[d, roll] += value[d + 1, roll]
        subtrees.value[number] = value[0]
        for roll in range(mine_rolls):
            sound &= np.isfinite(value[0, roll])
    return visited if sound else -visited


@inlined
def _behaviour(
    weights: Floats,
    following: Floats,
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
                weight = weights[row + action, roll] + prediction * following[row + action, roll]
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


@inlined
def _showdown(caller: int, tables: LookUps, bid: int, reach: Floats, value: Floats, won: Floats) -> None:
    """Fill `value` with what the learner wins, roll by roll, when the bid is called: by the other (0) or by himself (1)."""
    for count in range(len(won)):
        mass = reach[0] * 0
        for roll in range(tables.won.shape[3]):
            mass += reach[roll] * tables.won[caller, bid, count, roll]
        won[count] = mass
    for roll in range(tables.matching.shape[1]):
        value[roll] = won[tables.matching[bid, roll]]


@inlined
def _learn(weights: Weights, rates: WalkRates, row: int, actions: int, worth: Floats, value: Floats) -> None:
    """Add the regrets of this visit."""
    for action in range(actions):
        for roll in range(len(value)):
            regret = worth[action, roll] - value[roll]
            old = weights.learner[row + action, roll]
            new = old * (rates.discount if old > 0 else rates.discount_negative) + rates.regret_weight * regret
            weights.learner[row + action, roll] = rates.floor if new <= rates.floor else new
        if rates.learner_prediction > 0:
            for roll in range(len(value)):
                weights.learner_next[row + action, roll] = worth[action, roll] - value[roll]
