"""The gains of players at an unexpanded history, which decide whether it is expanded: parts of the compiled traversal.

The update player calls there. It may gain by another action, and the bidder may gain by the bid that is called. Each gain is a
sum over the player's rolls, in probability of not losing, weighted by the roll's probability and by the other players' reach.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from liarsdice_cli.extensive.stream import Floats, Ints
from liarsdice_cli.solvers.public_tree.arrays import BidTables, Chances, ShowdownTables, keep_larger
from liarsdice_cli.solvers.public_tree.showdown import fill_value, forget_chances, others_reach
from liarsdice_cli.strategies.shard import LANES
from liarsdice_cli.system.compiling import part_in_place

TEMPTING, EASIER = 4, 8
"""If the bidder gains more than `TEMPTING` thresholds by the bid, the threshold is divided by `EASIER`."""


@part_in_place
def matters(
    tables: ShowdownTables,
    bids: BidTables,
    update_player: int,
    slot: int,
    bid: int,
    bidder: int,
    threshold: Any,
    value: Floats,
    chances: Chances,
    vectors: Floats,
    reach_row: Ints,
    reach_sum: Floats,
    total: Floats,
    scratch: Floats,
) -> bool:
    """Return whether the update player gains more than a threshold at an unexpanded history.

    A roll gains if another action makes it more probable not to lose than the call: spot-on, or a bid, which the next player
    calls. Only the lowest bid on each face is tried, since it is true most often.

    In games of two, a bidder who gains much by the bid will make it more often. So the update player's gain will grow, and
    a smaller one is enough (see `TEMPTING`).

    slot      : as in `Stack`
    bid       : the last bid, by `bidder`
    threshold : a gain, in the unit of the reach
    value     : as for `bid_gain`; empty if only the update player's gain counts
    vectors   : as for `bid_gain`
    scratch   : three vectors of rolls, like `total`

    Cost: the value of one call; of the bid and of each other action only if the call leaves room for such a gain.
    """
    blocks, endings, chance = bids.blocks, bids.endings, tables.chance[update_player]
    own_blocks, after = blocks[update_player], update_player + 1 if update_player + 1 < len(blocks) else 0
    call, best, gain, reached = scratch[0], scratch[1], total.dtype.type(0), others_reach(reach_sum, update_player)
    least = threshold / total.dtype.type(EASIER if len(value) > 0 else 1)
    if reached <= least:
        return False
    for option in range(endings + bids.faces[bid]):
        asked: Any = np.int32(bid if option < endings else bids.lowest[bid, option - endings])
        one, other = (bidder, update_player) if option < endings else (update_player, after)
        claims = 0 < option < endings
        called: Any = np.int64(asked)
        numbers = update_player, endings, slot, claims, asked, one, other, called
        fill_value(tables, blocks, *numbers, chances, vectors, reach_row, reach_sum, total, total)
        if option > 0:
            keep_larger(total, best, own_blocks)
            continue
        for roll in range(own_blocks * LANES):
            call[roll] = best[roll] = total[roll]
            gain += chance[roll] * (reached - call[roll])
        if gain > least and len(value) > 0:
            of_bid, of_reach = (endings, bid, bidder, update_player, value), (chances, vectors, reach_row, reach_sum, total)
            if bid_gain(tables, blocks, *of_bid, *of_reach, scratch[2]) > total.dtype.type(TEMPTING) * threshold:
                threshold = least
        if gain <= threshold:  # no action can gain more
            return False
    gain = total.dtype.type(0)
    for roll in range(own_blocks * LANES):
        gain += chance[roll] * (best[roll] - call[roll])
    return bool(gain > threshold)


@part_in_place
def bid_gain(
    tables: ShowdownTables,
    blocks: Ints,
    endings: int,
    bid: int,
    bidder: int,
    caller: int,
    value: Floats,
    chances: Chances,
    vectors: Floats,
    reach_row: Ints,
    reach_sum: Floats,
    total: Floats,
    result: Floats,
) -> Any:
    """Return what one of two players gains by a bid that the other one calls; infinity if the value before it is not known.

    value   : for each roll the bidder's value before the bid, divided by the caller's reach; all 0 if it is not known
    vectors : the last one before the reach at the root is the caller's reach
    result  : scratch, like `total` a vector of rolls
    """
    row, before, zero, chance = len(vectors) - len(blocks) - 1, reach_row[caller], total.dtype.type(0), tables.chance[bidder]
    found, known, reached, reach = zero, zero, zero, vectors[row]
    for roll in range(blocks[caller] * LANES):
        reached += reach[roll]
    slot: Any = np.uint32(len(chances.known) - 1)  # no bid is left at that depth
    called: Any = np.int64(bid)
    forget_chances(chances.known[slot])
    reach_row[caller] = row
    numbers = bidder, endings, slot, False, bid, bidder, caller, called
    fill_value(tables, blocks, *numbers, chances, vectors, reach_row, reach_sum, total, result)
    reach_row[caller] = before
    for roll in range(blocks[bidder] * LANES):
        more = result[roll] - value[roll] * reached
        found += chance[roll] * more if more > zero else zero
        known += value[roll]
    return found if known > zero else total.dtype.type(np.inf)
