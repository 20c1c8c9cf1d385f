"""The arrays and numbers of the compiled traversal, in named tuples that numba accepts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from liarsdice_cli.extensive.stream import Bools, Floats, Ints
from liarsdice_cli.games.public_game import PublicGame, bid_groups
from liarsdice_cli.strategies.shard import LANES, NONE, padded
from liarsdice_cli.system.compiling import part_in_place

WHOLE, DOWN, UP = 0, 1, 2
"""The spans of a pass: the whole tree; from the root to the cut, storing reach; from stored values at the cut to the root."""
NEGLIGIBLE = 1e-30
"""The reach that counts as 0 while learning; smaller floats are only slow."""
NO_PLAYER = -1
"""The average player of a pass that averages no strategy."""
TRUE, FALSE, SPOT_ON, INEXACT = 0, 1, 2, 3
"""The events on an axis of `Stack.chances`: a bid is true or false; in games with spot-on, it is exact or not."""


class Pass(NamedTuple):
    """One pass over expanded histories.

    update_player  : the player whose regrets or values it computes
    average_player : the player whose average strategy it updates, or NO_PLAYER
    span           : WHOLE, DOWN or UP
    best           : whether the update player plays a best response
    """

    update_player: int
    average_player: int
    span: int
    best: bool


class BidTables(NamedTuple):
    """Which bids may follow, in whole numbers.

    blocks   : integers (players): padded rolls, in units of `LANES`
    stop     : integers (bids): the first bid that is too high to follow it
    endings  : the number of actions that end the round after a bid
    faces    : integers (bids): the number of faces that have a legal bid after it
    lowest   : integers (bids, faces): the lowest bid on each of them, rising
    next_on_face : signed integers (bids): the next higher bid on the same face, or NONE
    expandable   : booleans (bids): whether a history after it may be expanded

    Integers that are never negative are unsigned and short. For a signed index numba checks each time whether it counts from
    the end. Arithmetic with unsigned integers of 64 bits would give floats.
    """

    blocks: Ints
    stop: Ints
    endings: int
    faces: Ints
    lowest: Ints
    next_on_face: Ints
    expandable: Any


class ShowdownTables(NamedTuple):
    """The tables that decide a showdown. Bids that the same dice match are one group.

    group    : integers (bids)
    quantity : integers (bids): the number of matching dice that makes a bid true
    most     : integers (players): the most matching dice of a roll of the player
    matches  : floats (players, groups, rolls): the number of matching dice, NONE for padding. As floats they compare quickly
    chance   : floats (players, rolls): the probability of a roll
    """

    group: Ints
    quantity: Ints
    most: Ints
    matches: Floats
    chance: Floats


class Layout(NamedTuple):
    """The histories, columns and blocks of a shard (see `Shard`), and the room for blocks and rows."""

    states: Ints
    first_column: Ints
    columns: Ints
    blocks: Ints
    used: Ints
    room_for_blocks: int
    room_for_rows: int


class Rows(NamedTuple):
    """Where the entries of blocks are (see `Shard`).

    of_block : `Shard.blocks`
    used     : `Shard.used`
    room     : the room for rows
    """

    of_block: Ints
    used: Ints
    room: int


class Rates(NamedTuple):
    """The numbers of a regret minimiser's step (see `minimisers.Step`) and thresholds, all in one kind of float.

    prune_at     : a pass prunes a branch at this reach of the other players or less
    expand_above : a pass expands a history of the update player above this gain (see `gains.matters`), where the bidder's
                   reach is a sum over iterations as in the averages; with a tremble, above this reach of the other players
    wait_below   : at this reach of the other players or less, a history of the update player waits: the pass uses its last
                   value
    """

    discount: Any
    discount_negative: Any
    regret_weight: Any
    floor: Any
    update_prediction: Any
    other_prediction: Any
    average_weight: Any
    prune_at: Any
    expand_above: Any
    wait_below: Any


class Learning(NamedTuple):
    """The arrays that a pass updates besides the regrets, and the rates.

    averages     : the sums of strategies that it adds to
    last_regrets : of minimisers that predict; otherwise empty
    values       : `Shard.values`
    """

    averages: Floats
    last_regrets: Floats
    values: Floats
    rates: Rates


class Subtrees(NamedTuple):
    """Subtrees of the betting tree, one a row: their roots, reach and values.

    roots : `StrategyStore.roots`
    used  : `StrategyStore.subtrees`
    due   : whether a pass DOWN reached the subtree
    reach : (subtrees, players, rolls): the probability of a roll times the probabilities of the player's own actions. While
            learning, the update player's row has the sum of this over the iterations in its average, weighted as they are
    value : (subtrees, rolls of the update player), filled by a pass
    """

    roots: Ints
    used: Ints
    due: Any
    reach: Floats
    value: Floats


class Chances(NamedTuple):
    """The chances of the ends of the round.

    known    : (slot, group): whether `event` belongs to the current reach
    event    : (slot, group, event, missing dice from -1): the chance of the event, weighted by reach, if the bid needs this
               many matching dice from the other players
    one, sum : scratch: distributions of the matching dice of one other player and of several
    """

    known: Any
    event: Floats
    one: Floats
    sum: Floats


class Stack(NamedTuple):
    """The histories from the root of a subtree to the current one, with an entry for each depth.

    last_bid     : the history's last bid, -1 in the opening
    history      : the history's number in its shard
    actions      : the number of its actions that have columns
    next_action  : the next action to step to; 0 is the call (then spot-on, in games that have it), or the lowest opening bid
    column       : (depth, action): the column of the action
    block        : (depth, action): its first block
    alive        : whether the other players reach it; if not, the pass only updates an average
    reach_row    : (player): the row of `vectors` that holds the player's reach at the current history
    reach_sum    : (player): the sum of that row
    slot         : (1): the depth at which the other players' reach last changed, which is the first index of the chances
    reach_row_before, reach_sum_before, slot_before : the same on entering the history, if its mover is not the update player
    vectors      : for each depth and action of the mover, one number a roll: the update player's probabilities, or another
                   player's reach after the action; then scratch, for the average reach of a bidder and of a caller; then the
                   reach of every player at the root
    action_reach : (depth, action): the sum of such a reach
    action_value : (depth, action, rolls of the update player), at histories of the update player; one more row is scratch
    value        : (depth, rolls of the update player)
    total        : scratch, one number a roll
    chances      : of the ends of the round
    """

    last_bid: Ints
    history: Ints
    actions: Ints
    next_action: Ints
    column: Ints
    block: Ints
    alive: Any
    reach_row: Ints
    reach_sum: Floats
    slot: Ints
    reach_row_before: Ints
    reach_sum_before: Floats
    slot_before: Ints
    vectors: Floats
    action_reach: Floats
    action_value: Floats
    value: Floats
    total: Floats
    chances: Chances


class Context(NamedTuple):
    """The tables, arrays and stack of a pass over one shard.

    weights  : players act in proportion to these: regrets while learning, otherwise a strategy
    smallest : weights whose sum is not above this count as 0; below it, the inverse is not finite
    """

    bids: BidTables
    showdowns: ShowdownTables
    layout: Layout
    weights: Floats
    stack: Stack
    smallest: Any


@part_in_place
def padded_rolls(blocks: Ints, player: int) -> int:
    """Return the padded number of rolls of a player, in a form that shows the compiler that whole vectors are filled."""
    rolls: int = blocks[player] * LANES
    return rolls


@part_in_place
def bids_after(stop: Ints, last: int) -> int:
    """Return the number of legal bids after a last bid, which is not the opening."""
    bids: int = stop[last] - last - 1
    return bids


class Mirror(NamedTuple):
    """The numbers of a step of magnetic mirror descent (see `regret.mirror_descent`), in one kind of float.

    share     : the share of the new values in the averages
    sharpness : the inverse of the temperature, in units of the probability of not losing
    """

    share: Any
    sharpness: Any


def bid_tables(game: PublicGame, settled: Bools | None = None) -> BidTables:
    """Return the tables of a game's bids.

    settled : the bids after which no history is expanded, see `PublicGame.settled`; by default, those without a choice
    """
    bidding = game.bidding
    blocks = np.array([padded(len(rolls)) // LANES for rolls in game.rolls], np.uint32)
    lowest = [bidding.lowest(bid) for bid in range(game.bids)]
    faces = np.array([*map(len, lowest)], np.uint32)
    table = np.zeros((game.bids, max(1, *faces.tolist())), np.uint32)
    for bid, one in enumerate(lowest):
        table[bid, : len(one)] = one
    stop, above = bidding.stops[:-1].astype(np.uint32), bidding.next_on_face.astype(np.int32)
    choice = np.array([bidding.has_choice(bid) for bid in range(game.bids)])
    expandable = choice if settled is None else choice & ~settled
    return BidTables(blocks, stop, bidding.final_action_count, faces, table, above, expandable)


def showdown_tables(game: PublicGame, kind: Any) -> ShowdownTables:
    """Return the tables of a game's showdowns in a kind of float."""
    parts, group = bid_groups(game.matching)
    most = np.array([int(one.max()) for one in game.matching], np.uint32)
    matches = np.full((game.players, len(parts[0]), padded(max(map(len, game.rolls)))), NONE, kind)
    for player, own in enumerate(parts):
        matches[player, :, : own.shape[1]] = own
    chance = np.zeros((game.players, matches.shape[-1]), kind)
    for player, rolls in enumerate(game.rolls):
        chance[player, : len(rolls)] = rolls
    return ShowdownTables(group.astype(np.uint32), game.quantity, most, matches, chance)


def new_stack(tables: ShowdownTables, endings: int) -> Stack:
    """Return a stack for one pass at a time; `endings` as in `BidTables`."""
    players, groups, width = tables.matches.shape
    bids, kind, matching = len(tables.group), tables.chance.dtype, int(tables.most.max()) + 1
    depths, sums = bids + 2, int(tables.most.sum()) + 3
    return Stack(
        np.zeros(depths, np.int64),
        np.zeros(depths, np.int64),
        np.zeros(depths, np.uint32),
        np.zeros(depths, np.uint32),
        np.zeros((depths, bids + 1), np.uint32),
        np.zeros((depths, bids + 1), np.uint32),
        np.zeros(depths, np.bool_),
        np.zeros(players, np.uint32),
        np.zeros(players, kind),
        np.zeros(1, np.uint32),
        np.zeros(depths, np.uint32),
        np.zeros(depths, kind),
        np.zeros(depths, np.uint32),
        np.zeros((depths * (bids + 1) + 2 + players, width), kind),
        np.zeros((depths, bids + 1), kind),
        np.zeros((depths, bids + 2, width), kind),
        np.zeros((depths, width), kind),
        np.zeros(width, kind),
        Chances(
            np.zeros((depths, groups), np.bool_),
            np.zeros((depths, groups, 2 * endings, sums), kind),
            np.zeros(matching, kind),
            np.zeros(sums, kind),
        ),
    )


def whole_tree(game: PublicGame, kind: Any) -> Subtrees:
    """Return the whole betting tree as one subtree."""
    return one_subtree((game.last, game.first, 0), game.rolls, padded(max(map(len, game.rolls))), kind)


def one_subtree(root: tuple[int, int, int], reaches: Sequence[Floats], width: int, kind: Any) -> Subtrees:
    """Return one subtree, which begins with this last bid, mover and history; `width` is the most padded rolls of a player."""
    reach = np.zeros((1, len(reaches), width), kind)
    for player, rolls in enumerate(reaches):
        reach[0, player, : len(rolls)] = rolls
    roots = np.array([[*root, 0]], np.int64)
    return Subtrees(roots, np.array([1, 0], np.int64), np.ones(1, np.bool_), reach, np.zeros((1, width), kind))


def subtrees_below(roots: Ints, used: Ints, players: int, width: int, kind: Any) -> Subtrees:
    """Return the subtrees below a cut, with reach and values 0."""
    due, reach = np.zeros(len(roots), np.bool_), np.zeros((len(roots), players, width), kind)
    return Subtrees(roots, used, due, reach, np.zeros((len(roots), width), kind))


@part_in_place
def fill(vector: Floats, number: Any, blocks: int) -> None:
    """Fill a vector of rolls, in units of `LANES`, with a number."""
    for roll in range(blocks * LANES):
        vector[roll] = number


@part_in_place
def copy(source: Floats, vector: Floats, blocks: int) -> None:
    """Copy a vector of rolls into another."""
    for roll in range(blocks * LANES):
        vector[roll] = source[roll]


@part_in_place
def multiply(source: Floats, factor: Any, vector: Floats, blocks: int) -> None:
    """Fill a vector of rolls with another, times a factor."""
    for roll in range(blocks * LANES):
        vector[roll] = source[roll] * factor


@part_in_place
def add(source: Floats, vector: Floats, blocks: int) -> None:
    """Add a vector of rolls to another."""
    for roll in range(blocks * LANES):
        vector[roll] += source[roll]


@part_in_place
def keep_larger(source: Floats, vector: Floats, blocks: int) -> None:
    """Replace what is smaller in a vector of rolls than in another."""
    for roll in range(blocks * LANES):
        vector[roll] = source[roll] if source[roll] > vector[roll] else vector[roll]


@part_in_place
def load_reach(reach: Floats, blocks: Ints, vectors: Floats, reach_row: Ints, reach_sum: Floats) -> None:
    """Copy the reach of every player at the root of a subtree into the last vectors; arguments as in `Subtrees` and `Stack`."""
    for player in range(len(blocks)):
        row, mass = len(vectors) - len(blocks) + player, reach_sum.dtype.type(0)
        own, source = vectors[row], reach[player]
        for roll in range(padded_rolls(blocks, player)):
            own[roll] = source[roll]
            mass += source[roll]
        reach_row[player], reach_sum[player] = row, mass


@part_in_place
def store_reach(vectors: Floats, reach_row: Ints, blocks: Ints, reach: Floats) -> None:
    """Store the reach of every player at a subtree below the cut; arguments as in `Stack` and `Subtrees`."""
    for player in range(len(blocks)):
        copy(vectors[reach_row[player]], reach[player], blocks[player])
