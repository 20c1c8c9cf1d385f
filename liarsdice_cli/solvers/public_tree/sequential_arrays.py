"""The arrays of the traversal that computes regrets at every history, in named tuples that numba accepts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from liarsdice_cli.extensive.stream import Bools, Floats, Ints
from liarsdice_cli.games.public_game import PublicGame, bid_groups

OWN, BEST = 0, 1
"""The kinds of values."""


class Tables(NamedTuple):
    """The bids and rolls of a game of two players, in whole numbers.

    stops    : integers (bids + 1): the first bid that is too high to follow each bid, and at the end, for the opening, the bids
    opens    : booleans (bids): whether a bid may open
    opening  : the number of bids that may open
    endings  : the number of actions that end the round after a bid
    group    : integers (bids): the same dice match all bids of a group
    quantity : integers (bids): the matching dice that make a bid true
    matching : integers (players, groups, rolls): the dice of a roll that match
    rolls    : integers (players)
    """

    stops: Ints
    opens: Bools
    opening: int
    endings: int
    group: Ints
    quantity: Ints
    matching: Ints
    rolls: Ints


class SequentialLayout(NamedTuple):
    """The histories and columns of a shard (see `Shard`), and the entries in proportion to which players act.

    entries : one array of `Shard.arrays`
    cut     : the first bid that leads out of the shard
    """

    states: Ints
    first_column: Ints
    columns: Ints
    blocks: Ints
    entries: Floats
    cut: int


class Below(NamedTuple):
    """The subtrees below the cut: their belief states, paths and values, filled in by the passes.

    roots  : `StrategyStore.roots`
    weight : floats (subtrees, players, rolls)
    order  : integers (subtrees, players, rolls)
    value  : floats (subtrees, kinds, players, rolls)
    path   : integers (subtrees, depths): the bids before
    length : integers (subtrees): the number of these bids
    """

    roots: Ints
    weight: Floats
    order: Ints
    value: Floats
    path: Ints
    length: Ints


class SequentialStack(NamedTuple):
    """The histories from the root to the current one, with an entry for each number of bids.

    path    : integers (depth): the bids
    weight, order, belief : (depth, players, rolls): the belief states, and the probabilities that follow
    value   : floats (depth, kinds, players, rolls)
    chances : floats (depth, rolls): the probability of an action
    totals  : floats (depth, rolls): the sum of a roll's entries
    chance  : floats (depth): the probability of the bid that the path makes
    history, column : integers (depth): the history, and the next of its columns
    seen    : booleans (depth, bids): the bids that have columns
    mass    : floats (players, groups, matching dice): scratch, the weight of the rolls with at least so many matching dice
    best    : floats (players, rolls): scratch
    """

    path: Ints
    weight: Floats
    order: Ints
    belief: Floats
    value: Floats
    chances: Floats
    totals: Floats
    chance: Floats
    history: Ints
    column: Ints
    seen: Bools
    mass: Floats
    best: Floats


class Largest(NamedTuple):
    """The largest regrets so far.

    regret : floats (players)
    path   : integers (players, bids): the bids of its history
    place  : integers (players, 2): the number of these bids, and the roll
    """

    regret: Floats
    path: Ints
    place: Ints


def tables_of(game: PublicGame) -> Tables:
    """Return the tables of a game of two players."""
    parts, group = bid_groups(game.matching)
    rolls = np.array([len(one) for one in game.rolls])
    matching = np.zeros((2, len(parts[0]), int(rolls.max())), np.int64)
    for player, own in enumerate(parts):
        matching[player, :, : rolls[player]] = own
    bidding = game.bidding
    quantity = game.quantity.astype(np.int64)
    opening, endings = len(bidding.openings), bidding.final_action_count
    return Tables(bidding.stops, bidding.can_open, opening, endings, group, quantity, matching, rolls)


def new_below(roots: Ints, tables: Tables) -> Below:
    """Return the subtrees of a store, with belief states and values 0."""
    subtrees, (players, _, width) = len(roots), tables.matching.shape
    return Below(
        roots,
        np.zeros((subtrees, players, width)),
        np.zeros((subtrees, players, width), np.int64),
        np.zeros((subtrees, 2, players, width)),
        np.zeros((subtrees, len(tables.quantity) + 2), np.int64),
        np.zeros(subtrees, np.int64),
    )


def new_largest(tables: Tables) -> Largest:
    """Return no regrets."""
    return Largest(np.zeros(2), np.zeros((2, len(tables.quantity) + 2), np.int64), np.zeros((2, 2), np.int64))


def new_stack(tables: Tables) -> SequentialStack:
    """Return an empty stack."""
    bids, (players, groups, width) = len(tables.quantity), tables.matching.shape
    depths, by_roll = bids + 2, (bids + 2, players, width)
    return SequentialStack(
        np.zeros(depths, np.int64),
        np.zeros(by_roll),
        np.zeros(by_roll, np.int64),
        np.zeros(by_roll),
        np.zeros((depths, 2, players, width)),
        np.zeros((depths, width)),
        np.zeros((depths, width)),
        np.zeros(depths),
        np.zeros(depths, np.int64),
        np.zeros(depths, np.int64),
        np.zeros((depths, bids), np.bool_),
        np.zeros((players, groups, int(tables.matching.max()) + 2)),
        np.zeros((players, width)),
    )
