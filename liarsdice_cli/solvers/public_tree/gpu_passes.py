"""The passes of a GPU over all expanded histories, for two players: one thread a roll, one block of threads a history.

A history's *level* is the number of bids since the root. A pass first goes down level by level and computes the reach of the
opponent. Then it goes up and computes the values to the update player. All blocks wait for each other between two levels. The
rules of the game and of the update are those of `traversal`, which explains them; the layout is another. In every array of
`Entries`, a column or a history has a row of numbers, one for each roll.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from numba import cuda, float32, float64

from liarsdice_cli.solvers.public_tree.arrays import FALSE, INEXACT, SPOT_ON, TRUE
from liarsdice_cli.solvers.public_tree.leveled import Levels
from liarsdice_cli.solvers.public_tree.traversers import LEARN, RESPOND
from liarsdice_cli.strategies.shard import NONE
from liarsdice_cli.system.gpu import WARP, kernel, part

SHARED = 128, 32
"""The shape of a block's shared memory: a row for each action or group of bids, and in it a number for each warp or event."""
NOTHING = 2**32 - 1
"""Stands for `shard.NONE`: 32-bit integers on the GPU have no sign, so that no index can count from the end."""
_COUNTS = 8
"""The numbers of matching dice of a player, 0 included: three events take two more each in shared memory."""


class GameTables(NamedTuple):
    """The tables of a game; others than these are as in `arrays.BidTables` and `arrays.ShowdownTables`.

    chance   : floats (players, rolls): the probability of each roll
    matching : integers (players, groups, rolls): the number of matching dice
    missing  : integers (players, bids, rolls): 1 more than the dice that a bid needs of the opponent, from 0 to n + 2 if no
               roll of the opponent has more than n matching dice
    first    : the player who moves at the root
    """

    chance: Any
    matching: Any
    missing: Any
    group: Any
    most: Any
    faces: Any
    lowest: Any
    endings: int
    first: int


class Entries(NamedTuple):
    """The numbers of a pass, one row a column or history and in it one number a roll.

    weights  : (columns, rolls): players act in proportion to these
    averages : (columns, rolls): the sums of strategies
    reach    : (columns, rolls): the opponent's reach after its own action
    mass     : (columns): the sum of that
    value    : (histories, rolls): the value to the update player
    wanted   : (columns): set to 1 where a history is to be expanded
    """

    weights: Any
    averages: Any
    reach: Any
    mass: Any
    value: Any
    wanted: Any


class GpuRates(NamedTuple):
    """The numbers of a step (see `arrays.Rates`), in the kind of float of the pass."""

    discount: Any
    discount_negative: Any
    regret_weight: Any
    floor: Any
    average_weight: Any
    prune_at: Any
    expand_above: Any
    smallest: Any


class Work(NamedTuple):
    """Everything that the threads of a block work on; `buffer` is the memory that they share."""

    game: GameTables
    levels: Levels
    entries: Entries
    rates: GpuRates
    buffer: Any


@part
def _sum_over_warp(number: Any) -> Any:
    """Return the sum over the threads of a warp, to its first thread."""
    offset = WARP // 2
    while offset > 0:
        number += cuda.shfl_down_sync(0xFFFFFFFF, number, offset)
        offset //= 2
    return number


@part
def _reach(work: Work, column: Any, player: int, roll: Any) -> Any:
    """Return a player's reach after its own column, or before its first action."""
    return work.game.chance[player, roll] if column == NOTHING else work.entries.reach[column, roll]


@part
def _is_reached(work: Work, column: Any) -> bool:
    """Return whether the opponent reaches what follows its own column."""
    return bool(column == NOTHING or work.entries.mass[column] > work.rates.prune_at)


@part
def _weight(work: Work, column: Any, roll: Any) -> Any:
    """Return the weight of an action if it is positive, otherwise 0."""
    kind = work.entries.value.dtype.type
    return max(kind(work.entries.weights[column, roll]), kind(0))


@part
def _scale(work: Work, history: Any, roll: Any) -> Any:
    """Return what turns the positive weights of a roll into probabilities; 0 if no weight is positive."""
    kind = work.entries.value.dtype.type
    total = kind(0)
    for column in range(work.levels.begin[history], work.levels.begin[history + 1]):
        total += _weight(work, column, roll)
    return kind(1) / total if total > work.rates.smallest else kind(0)


@part
def _probability(work: Work, column: Any, roll: Any, scale: Any, is_first: bool) -> Any:
    """Return the probability of an action; without weights, the first one is taken."""
    kind = work.entries.value.dtype.type
    in_proportion = _weight(work, column, roll) * scale
    return in_proportion if scale > 0 else kind(1) if is_first else kind(0)


@part
def _go_down(work: Work, history: Any, player: int) -> None:
    """Compute the reach after each action of its mover, add it to the averages, and mark what is to be expanded."""
    levels, entries, rates, buffer = work.levels, work.entries, work.rates, work.buffer
    roll, width = cuda.threadIdx.x, cuda.blockDim.x
    begin, end = levels.begin[history], levels.begin[history + 1]
    if not _is_reached(work, levels.own[history]):
        for column in range(begin + roll, end, width):
            entries.mass[column] = 0
        return
    before, scale = _reach(work, levels.own[history], player, roll), _scale(work, history, roll)
    for column in range(begin, end):
        reach = before * _probability(work, column, roll, scale, column == begin)
        entries.reach[column, roll] = reach
        if rates.average_weight > 0:  # the GPU's memory adds, and the thread need not wait for what was there
            cuda.atomic.add(entries.averages, (column, roll), rates.average_weight * reach)
        mass = _sum_over_warp(reach)
        if roll % WARP == 0:
            buffer[column - begin, roll // WARP] = mass
    cuda.syncthreads()
    for column in range(begin + roll, end, width):
        mass = entries.value.dtype.type(0)
        for warp in range(width // WARP):
            mass += buffer[column - begin, warp]
        entries.mass[column] = mass
        if mass > rates.expand_above and _can_be_expanded(work, column, history):
            entries.wanted[column] = 1
    cuda.syncthreads()


@part
def _can_be_expanded(work: Work, column: Any, history: Any) -> bool:
    """Return whether a column makes a bid behind which there is an unexpanded history with a choice."""
    game, bid = work.game, work.levels.bid[column]
    bids = work.levels.child[column] == NOTHING and bid != work.levels.last_bid[history]
    return bool(bids and game.faces[bid] + game.endings > 1)


@part
def _fill_events(work: Work, column: Any, opponent: int, group: Any, row: Any) -> None:
    """Fill a row of the buffer with the chances of all events, by the number of dice that a bid misses; one warp's work.

    For n matching dice of the opponent at most, the row holds n + 3 numbers for `TRUE`, then for `FALSE`, then for `SPOT_ON`:
    for -1 missing dice, 0, and so on. All are weighted by reach. They are sums, not differences, so that rounding is bounded.
    """
    game, buffer, lane, kind = work.game, work.buffer, cuda.threadIdx.x % WARP, work.entries.value.dtype.type
    masses = cuda.local.array(_COUNTS, work.entries.value.dtype)
    for count in range(_COUNTS):
        masses[count] = 0
    for part_of_rolls in range(cuda.blockDim.x // WARP):
        roll = part_of_rolls * WARP + lane
        reach, found = _reach(work, column, opponent, roll), game.matching[opponent, group, roll]
        for count in range(_COUNTS):
            masses[count] += reach if found == count else kind(0)
    most = game.most[opponent]
    places, at_least, fewer = most + 3, kind(0), kind(0)
    if lane == 0:
        buffer[row, TRUE * places + places - 1] = buffer[row, FALSE * places] = kind(0)
        buffer[row, SPOT_ON * places] = buffer[row, SPOT_ON * places + places - 1] = kind(0)
    for count in range(_COUNTS):
        high = _COUNTS - 1 - count
        masses[high] = _sum_over_warp(masses[high])
        at_least += masses[high]
        if lane == 0 and high <= most:
            buffer[row, TRUE * places + high + 1] = at_least
            buffer[row, SPOT_ON * places + high + 1] = masses[high]
    if lane == 0:
        buffer[row, TRUE * places] = at_least
    for count in range(_COUNTS):
        if lane == 0 and count <= most:
            buffer[row, FALSE * places + count + 1] = fewer
        fewer += masses[count]
    if lane == 0:
        buffer[row, FALSE * places + places - 1] = fewer


@part
def _chance(work: Work, row: Any, event: int, player: int, bid: Any) -> Any:
    """Return the chance of an event about a bid for this thread's roll, by a row of the buffer."""
    places, missing = work.game.most[1 - player] + 3, work.game.missing[player, bid, cuda.threadIdx.x]
    if event == INEXACT:
        return work.buffer[row, FALSE * places + missing] + work.buffer[row, TRUE * places + min(missing + 1, places - 1)]
    return work.buffer[row, event * places + missing]


@part
def _winning_event(updates: bool, ending: Any, final: bool) -> int:
    """Return the event in which the update player does not lose, after an action without an expanded history behind it.

    updates : whether the update player takes the action
    ending  : 0 for a call, 1 for a spot-on claim
    final   : whether the action ends the round; if not, the next player calls
    """
    if not final:
        return TRUE if updates else FALSE
    if ending == 0:
        return FALSE if updates else TRUE
    return SPOT_ON if updates else INEXACT


@part
def _fill_all_events(work: Work, history: Any, player: int, updates: bool) -> None:
    """Fill a row of the buffer for each action without an expanded history behind it; a warp takes an action."""
    levels, warps = work.levels, cuda.blockDim.x // WARP
    begin = levels.begin[history]
    for column in range(begin + cuda.threadIdx.x // WARP, levels.begin[history + 1], warps):
        if levels.child[column] == NOTHING and (updates or _is_reached(work, column)):
            source = levels.led[history] if updates else column
            _fill_events(work, source, 1 - player, work.game.group[levels.bid[column]], column - begin)
    cuda.syncthreads()


@part
def _action_value(work: Work, history: Any, column: Any, player: int, updates: bool) -> Any:
    """Return the value of an action to the update player, for this thread's roll.

    Both numbers are loaded and one is taken: without a branch the GPU loads those of several actions at once.
    """
    levels, child, bid, row = (
        work.levels,
        work.levels.child[column],
        work.levels.bid[column],
        column - work.levels.begin[history],
    )
    chance = _chance(work, row, _winning_event(updates, row, bid == levels.last_bid[history]), player, bid)
    below = work.entries.value[0 if child == NOTHING else child, cuda.threadIdx.x]
    return chance if child == NOTHING else below


@part
def _best_reply_value(work: Work, column: Any, player: int) -> Any:
    """Return the update player's best value at an unexpanded history: it ends the round, or bids and is called."""
    game, bid, warps = work.game, work.levels.bid[column], cuda.blockDim.x // WARP
    cuda.syncthreads()
    for group in range(cuda.threadIdx.x // WARP, game.matching.shape[1], warps):
        _fill_events(work, column, 1 - player, group, group)
    cuda.syncthreads()
    best = _chance(work, game.group[bid], FALSE, player, bid)
    if game.endings > 1:
        best = max(best, _chance(work, game.group[bid], SPOT_ON, player, bid))
    for face in range(game.faces[bid]):
        higher = game.lowest[bid, face]
        best = max(best, _chance(work, game.group[higher], TRUE, player, higher))
    return best


@part
def _go_up_at_opponent(work: Work, history: Any, player: int, mode: int) -> None:
    """Compute the value of a history at which the opponent moves: the sum of the values after its actions."""
    levels, entries = work.levels, work.entries
    if not _is_reached(work, levels.own[history]):
        return
    _fill_all_events(work, history, player, False)
    value, last = entries.value.dtype.type(0), levels.last_bid[history]
    for column in range(levels.begin[history], levels.begin[history + 1]):
        result = _action_value(work, history, column, player, False)
        counts = _is_reached(work, column) and not _replies(work, column, last, mode)
        value += result if counts else entries.value.dtype.type(0)
    if mode == RESPOND:
        for column in range(levels.begin[history], levels.begin[history + 1]):
            if _replies(work, column, last, mode) and _is_reached(work, column):
                value += _best_reply_value(work, column, player)
    entries.value[history, cuda.threadIdx.x] = value
    cuda.syncthreads()


@part
def _replies(work: Work, column: Any, last: Any, mode: int) -> bool:
    """Return whether the update player replies to an action at an unexpanded history, and replies best."""
    return mode == RESPOND and work.levels.child[column] == NOTHING and work.levels.bid[column] != last


@part
def _go_up_at_update_player(work: Work, history: Any, player: int, mode: int) -> None:
    """Compute the value of a history at which the update player moves, and update its regrets if it learns."""
    levels, entries, rates, roll = work.levels, work.entries, work.rates, cuda.threadIdx.x
    begin, end = levels.begin[history], levels.begin[history + 1]
    if not _is_reached(work, levels.led[history]):
        return
    _fill_all_events(work, history, player, True)
    scale, value = entries.value.dtype.type(0), entries.value.dtype.type(0)
    if mode != RESPOND:
        scale = _scale(work, history, roll)
    for column in range(begin, end):
        result = _action_value(work, history, column, player, True)
        if mode == RESPOND:
            value = result if column == begin else max(value, result)
        else:
            value += result * _probability(work, column, roll, scale, column == begin)
    entries.value[history, roll] = value
    if mode == LEARN:
        for column in range(begin, end):
            regret = _action_value(work, history, column, player, True) - value
            old = entries.weights[column, roll]
            new = old * (rates.discount if old > 0 else rates.discount_negative) + rates.regret_weight * regret
            entries.weights[column, roll] = max(new, rates.floor)
    cuda.syncthreads()


@part
def _go_all_the_way_down(work: Work, player: int) -> None:
    """Go down from level to level, to every history of the opponent."""
    grid, levels = cuda.cg.this_grid(), work.levels.level
    for level in range(len(levels) - 1):
        if (work.game.first + level) % 2 != player:
            for history in range(levels[level] + cuda.blockIdx.x, levels[level + 1], cuda.gridDim.x):
                _go_down(work, history, 1 - player)
            grid.sync()


@part
def _go_all_the_way_up(work: Work, player: int, mode: int) -> None:
    """Go up from level to level, to every history."""
    grid, levels = cuda.cg.this_grid(), work.levels.level
    for above in range(len(levels) - 1):
        level = len(levels) - 2 - above
        for history in range(levels[level] + cuda.blockIdx.x, levels[level + 1], cuda.gridDim.x):
            if (work.game.first + level) % 2 == player:
                _go_up_at_update_player(work, history, player, mode)
            else:
                _go_up_at_opponent(work, history, player, mode)
        grid.sync()


@kernel
def mark(game: GameTables, levels: Levels, entries: Entries, rates: GpuRates, player: int) -> None:
    """Mark the histories of the update player that are to be expanded."""
    buffer = cuda.shared.array(SHARED, float32)
    _go_all_the_way_down(Work(game, levels, entries, rates, buffer), player)


@kernel
def learn(game: GameTables, levels: Levels, entries: Entries, rates: GpuRates, player: int) -> None:
    """Update the regrets of one player, and the averages of the other."""
    work = Work(game, levels, entries, rates, cuda.shared.array(SHARED, float32))
    _go_all_the_way_down(work, player)
    _go_all_the_way_up(work, player, LEARN)


@kernel
def judge(game: GameTables, levels: Levels, entries: Entries, rates: GpuRates, player: int, mode: int) -> None:
    """Compute values of strategies (`traversers.EVALUATE`) or of a best response to the opponent (`RESPOND`), in float64."""
    work = Work(game, levels, entries, rates, cuda.shared.array(SHARED, float64))
    _go_all_the_way_down(work, player)
    _go_all_the_way_up(work, player, mode)


@kernel
def gather(rows: Any, chosen: Any, found: Any) -> None:
    """Copy the chosen rows; where none is chosen, fill with 0."""
    roll = cuda.threadIdx.x
    for place in range(cuda.blockIdx.x, len(chosen), cuda.gridDim.x):
        found[place, roll] = 0 if chosen[place] == NONE else rows[chosen[place], roll]
