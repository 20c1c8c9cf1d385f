"""What the compiled walk reads and writes, as named tuples of arrays and numbers."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from liarsdice_cli.extensive.stream import Floats, Ints
from liarsdice_cli.games.public_game import PublicGame
from liarsdice_cli.strategies.shard import LANES, padded
from liarsdice_cli.system.compiling import inlined_in_place

TRUE, FALSE, SPOT_ON, INEXACT = 0, 1, 2, 3
"""What a bid may be, on the axis of `Stack.chances`; the last two where it may be said to be spot-on: just true, or not."""


class LookUps(NamedTuple):
    """The rolls and the bids of a game; bids that the same dice count for are one group.

    blocks   : integers (players): padded rolls, in `LANES`
    group    : integers (bids)
    quantity : integers (bids): the matching that makes a bid true
    stop     : integers (bids): the first bid that is too high to follow it
    openings : integers: the bids that can open
    endings  : how many ways there are to end the round after a bid
    most     : integers (players): the most that a roll of the player matches
    matches  : floats (players, groups, matching from 0, rolls): 1 where a roll matches so much, else 0

    Integers that are never below 0 are unsigned, and short: numba takes an index below 0 for one from the end, and asks of
    every index whether it is one unless its kind says so. (Arithmetic with unsigned integers of 64 bits makes floats.)
    """

    blocks: Ints
    group: Ints
    quantity: Ints
    stop: Ints
    openings: Ints
    endings: int
    most: Ints
    matches: Floats


class Rows(NamedTuple):
    """A shard (see `grown.Shard`), and what is done with its numbers.

    weights  : of actions, in proportion to which players act: regrets while learning, else a strategy
    last     : the last regrets of minimisers that predict; else empty
    averages : the strategies so far, to which learning adds
    lock     : locked probabilities, 0 for all actions of a roll that is not locked; empty without a lock
    """

    first: Ints
    place: Ints
    children: Ints
    used: Ints
    weights: Floats
    last: Floats
    averages: Floats
    lock: Floats


class Subtrees(NamedTuple):
    """Subtrees of the betting tree, a row each: where they are, what comes to them and their values.

    roots : `StrategyStore.roots`
    used  : `StrategyStore.subtrees`
    due   : whether a walk down came there
    reach : (subtrees, players, rolls): for each player's rolls its probability times that of the player's actions so far
    value : (subtrees, rolls of the learner), filled by a walk
    """

    roots: Ints
    used: Ints
    due: Any
    reach: Floats
    value: Floats


class WalkRates(NamedTuple):
    """The numbers of a step for the kernels (see `minimisers.Step`), and some of the computation, all of one kind of float.

    nothing : reach up to which the walk turns back
    growth  : reach of the other players above which a history of the learner grows
    least   : sums of weights up to which there are no weights; the smallest whose inverse is a float
    tremble : the probability of an error where a player moves; an error takes every action alike
    zero, one : both as this kind of float; a whole number in their place would make float64 of float32
    """

    discount: Any
    discount_negative: Any
    regret_weight: Any
    floor: Any
    learner_prediction: Any
    other_prediction: Any
    average_weight: Any
    nothing: Any
    growth: Any
    least: Any
    tremble: Any
    zero: Any
    one: Any


class Stack(NamedTuple):
    """The histories from the root of a subtree to where the walk is, an entry for each depth.

    last_bid     : the history's last bid, -1 in the opening
    next_action  : the action by which the walk steps on from it: 0 is the call (1 is spot-on, where it is played), or in the
                   opening the lowest bid
    first, place : where its numbers and its children begin
    alive        : whether all players but the learner come there; else the walk is only for an average
    at           : (player): the row of `vectors` where the player's reach stands, where the walk is
    mass         : (player): the sum of that
    slot         : (1): the depth at which the other players' reach was last changed, where `chances` of it stand
    at_before, mass_before, slot_before : what these were where the walk came there, if the mover is not the learner
    vectors      : for each depth and action of the mover a number for each roll: the learner's probabilities, or the reach
                   of another player after the action; then the reaches at the root
    action_mass  : (depth, action): the sum of such a reach
    action_value : (depth, action, learner's rolls), where the learner moves
    value        : (depth, learner's rolls)
    total        : room for a number for each roll
    known        : (slot, group): whether `chances` are those of the present reach
    chances      : (slot, group, what a bid is, missing from -1): the chance, weighed by reach, that it is so where so many
                   of its dice are missing among the learner's own: for TRUE that all others have at least so many
    one, sum     : room for the chances of one player's and of several players' matching dice
    """

    last_bid: Ints
    next_action: Ints
    first: Ints
    place: Ints
    alive: Any
    at: Ints
    mass: Floats
    slot: Ints
    at_before: Ints
    mass_before: Floats
    slot_before: Ints
    vectors: Floats
    action_mass: Floats
    action_value: Floats
    value: Floats
    total: Floats
    known: Any
    chances: Floats
    one: Floats
    sum: Floats


@inlined_in_place
def padded_rolls(tables: LookUps, player: int) -> int:
    """How many numbers there are for all rolls of a player; the compiler sees that they fill whole vectors."""
    return int(tables.blocks[player]) * LANES


@inlined_in_place
def actions_after(tables: LookUps, last: int) -> int:
    """How many actions there are after a last bid, -1 in the opening; see `Bidding.actions`."""
    return int(tables.stop[last]) - last - 1 + tables.endings if last >= 0 else len(tables.openings)


@inlined_in_place
def bid_of(tables: LookUps, last: int, action: int) -> int:
    """The bid that an action is; of one that ends the round, the bid that it is said of."""
    return last + max(0, action + 1 - tables.endings) if last >= 0 else int(tables.openings[action])


def look_ups(game: PublicGame, kind: Any) -> LookUps:
    """The tables of a game in a kind of float."""
    rows, group = np.unique(np.concatenate(game.matching, axis=1), axis=0, return_inverse=True)
    blocks = np.array([padded(len(rolls)) // LANES for rolls in game.rolls], np.uint32)
    most = np.array([int(one.max()) for one in game.matching], np.uint32)
    matching = int(most.max()) + 1
    matches = np.zeros((game.players, len(rows), matching, padded(max(map(len, game.rolls)))), kind)
    first = 0
    for player, rolls in enumerate(game.rolls):
        own = rows[:, first : first + len(rolls)]
        matches[player, :, :, : len(rolls)] = own[:, None, :] == np.arange(matching)[None, :, None]
        first += len(rolls)
    stop, openings = game.bidding.stops[:-1].astype(np.uint32), np.array(game.bidding.openings, np.uint32)
    kinds, endings = group.reshape(-1).astype(np.uint32), game.bidding.endings
    return LookUps(blocks, kinds, game.quantity, stop, openings, endings, most, matches)


def new_stack(tables: LookUps) -> Stack:
    """Room for one walk at a time."""
    players, groups, matching, width = tables.matches.shape
    bids, kind = len(tables.group), tables.matches.dtype
    depths, sums = bids + 2, int(tables.most.sum()) + 3
    next_action = np.zeros(depths, np.uint32)
    return Stack(
        np.zeros(depths, np.int64),
        next_action,
        np.zeros(depths, np.int64),
        np.zeros(depths, np.int64),
        np.zeros(depths, np.bool_),
        np.zeros(players, np.uint32),
        np.zeros(players, kind),
        np.zeros(1, np.uint32),
        np.zeros(depths, np.uint32),
        np.zeros(depths, kind),
        np.zeros(depths, np.uint32),
        np.zeros((depths * (bids + 1) + players, width), kind),
        np.zeros((depths, bids + 1), kind),
        np.zeros((depths, bids + 1, width), kind),
        np.zeros((depths, width), kind),
        np.zeros(width, kind),
        np.zeros((depths, groups), np.bool_),
        np.zeros((depths, groups, 2 * tables.endings, sums), kind),
        np.zeros(matching, kind),
        np.zeros(sums, kind),
    )


def whole(game: PublicGame, kind: Any) -> Subtrees:
    """The whole betting tree as the one subtree of its root."""
    width = padded(max(map(len, game.rolls)))
    reach = np.zeros((1, game.players, width), kind)
    for player, rolls in enumerate(game.rolls):
        reach[0, player, : len(rolls)] = rolls
    opening = np.array([[game.last, game.first, 0, 0]], np.int64)
    return Subtrees(opening, np.array([1, 0], np.int64), np.ones(1, np.bool_), reach, np.zeros((1, width), kind))


def below(roots: Ints, used: Ints, players: int, width: int, kind: Any) -> Subtrees:
    """Subtrees below a cut, with nothing that comes there."""
    due, reach = np.zeros(len(roots), np.bool_), np.zeros((len(roots), players, width), kind)
    return Subtrees(roots, used, due, reach, np.zeros((len(roots), width), kind))
