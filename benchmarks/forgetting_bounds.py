"""`make forgetting`, second part: bounds on the exploitability of a player that remembers the last bids only.

It computes the lines that docs/forgetting-bounds.csv lacks, for games that are too large for the judge, and writes the second
table in docs/results.md. Minutes a line, three hours for all, with two threads. `--again common-3,3-1` computes one line again.

Such a player's strategy has few nodes (examples/forgetting.py). But its opponent remembers everything, so the beliefs of a best
response need whole histories. The search expands a history only while two bounds on its value differ. The bounds need the nodes
only:

- Lower bound: the opponent calls, or continues with one strategy that remembers as much as the player.
- Upper bound: the opponent sees the player's dice. Then it needs the last bids only.

The bounds are for the strategy that the training found. The best strategy with the same memory may lose less.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, NamedTuple

import numba
import numpy as np

import liarsdice_cli as ld
from benchmarks.results import Key, Line, Page, Results, Wanted, markdown
from examples.forgetting import TOGETHER, Graph, train

KEY = ("rules", "dice", "memory")
COLUMNS = (*KEY, "iterations", "drawn", "nodes", "lower", "upper", "histories", "training_seconds", "search_seconds")
RESULTS = Results("forgetting-bounds.csv", KEY, COLUMNS)
THREADS = 2

COARSE, FINER = 1e-3, 4.0
"""The first search prunes histories whose bounds differ by at most this probability; each later search divides it by FINER."""
TINY = 1e-9
"""The search ignores rolls with a reach probability up to this one."""
ROOM = 4_000_000_000
"""Bytes for the tables of the bounds. If all rolls need more, each search handles some of the opponent's rolls."""
OUTWARDS = 1.2e-7
"""A relative error larger than that of rounding to 32 bits; bounds are widened by it."""


class Tables(NamedTuple):
    """The nodes, the strategies, and the bounds at each node.

    mine         : whether the opponent moves at a node
    last         : the last bid of a node, -1 in the opening
    first, child : `Graph.edges`
    stands       : whether bids are true: (bids, player's rolls, opponent's rolls)
    strategy     : the player's, and the opponent's in the lower bound: (edges, rolls of the player to move)
    lower, upper : bounds on the probability that the opponent wins, given all dice: (nodes, player's rolls, opponent's rolls)
    """

    mine: Any
    last: Any
    first: Any
    child: Any
    stands: Any
    strategy: Any
    lower: Any
    upper: Any


@numba.njit(cache=True, nogil=True)
def fill_bounds(begin: int, end: int, tables: Tables, reach: Any) -> None:
    """Compute the bounds of the tables, in 32 bits.

    The lower bound is the value of the best actions against the mean beliefs at each node.

    begin, end : the range of the opponent's rolls
    reach      : reach probabilities of the player's rolls, summed over the histories of a node: (nodes, rolls)
    """
    mine, last, first, child, stands, strategy, lower, upper = tables
    rolls = reach.shape[1]
    low, high, one, other = np.empty((4, rolls, end - begin))
    gain, best = np.empty((2, end - begin))
    for node in range(len(mine) - 1, -1, -1):
        low[:], high[:], best[:] = 0.0, 0.0, -1.0
        for edge in range(first[node], first[node + 1]):
            if child[edge] >= 0:
                one[:], other[:] = lower[child[edge], :, begin:end], upper[child[edge], :, begin:end]
            else:
                one[:] = stands[last[node], :, begin:end]
                if mine[node]:
                    one[:] = 1.0 - one
                other[:] = one
            if not mine[node]:
                for roll in range(rolls):
                    low[roll] += strategy[edge, roll] * one[roll]
                    high[roll] += strategy[edge, roll] * other[roll]
                continue
            gain[:] = 0.0
            for roll in range(rolls):
                gain += reach[node, roll] * one[roll]
                high[roll] = np.maximum(high[roll], other[roll])
            for place in range(end - begin):
                if gain[place] > best[place]:
                    best[place] = gain[place]
                    low[:, place] = one[:, place]
        lower[node, :, begin:end] = low * (1 - OUTWARDS)
        upper[node, :, begin:end] = high * (1 + OUTWARDS)


@numba.njit(cache=True, nogil=True)
def product(reach: Any, table: Any, rest: float, found: Any) -> None:
    """Set `found` to the product of reach probabilities with a table (player's rolls, opponent's rolls).

    rest : the value for rolls of negligible reach probability: 0 for a lower bound, 1 for an upper bound
    """
    found[:] = 0.0
    for roll in range(len(reach)):
        if reach[roll] > TINY:
            for place in range(len(found)):
                found[place] += reach[roll] * table[roll, place]
        elif rest > 0:
            found += reach[roll] * rest


@numba.njit(nogil=True)  # not cached: numba cannot load a recursive function from its cache
def narrow(
    node: int,
    reach: Any,
    low: Any,
    high: Any,
    weight: Any,
    least: float,
    visited: Any,
    stop: Any,
    tables: Tables,
) -> None:
    """Tighten the bounds on the value of one history, times reach probabilities, for each of the opponent's rolls.

    weight  : the probability of each of the opponent's rolls, or 0 if another action is proved to be at least as good
    least   : the search prunes a child if its weighted bounds differ by at most this
    visited : counter of histories
    stop    : flag that another thread sets to end the search; the bounds so far are valid
    """
    if stop[0]:
        return
    mine, last, first, child, stands, strategy, lower, upper = tables
    visited[0] += 1
    begin, size = first[node], first[node + 1] - first[node]
    lows, highs = np.zeros((2, size, len(low)))
    if mine[node]:
        for edge in range(begin, begin + size):
            if child[edge] >= 0:
                product(reach, lower[child[edge]], 0.0, lows[edge - begin])
                product(reach, upper[child[edge]], 1.0, highs[edge - begin])
            else:
                product(reach, stands[last[node]], 1.0, lows[edge - begin])
                product(reach, stands[last[node]], 0.0, highs[edge - begin])
                lows[edge - begin] = reach.sum() - lows[edge - begin]
                highs[edge - begin] = reach.sum() - highs[edge - begin]
            low[:] = np.maximum(low, lows[edge - begin])
        for edge in range(begin, begin + size):
            ones, others = lows[edge - begin], highs[edge - begin]
            if child[edge] >= 0 and (weight * np.maximum(others - low, 0.0)).sum() > least:
                open_still = np.where(others > low, weight, 0.0)
                narrow(child[edge], reach, ones, others, open_still, least, visited, stop, tables)
                low[:] = np.maximum(low, ones)
        for place in range(len(low)):
            high[place] = min(high[place], highs[:, place].max())
        return
    for edge in range(begin, begin + size):
        after = reach * strategy[edge, : len(reach)]
        if after.max() == 0:
            continue
        ones, others = lows[edge - begin], highs[edge - begin]
        if child[edge] < 0:
            product(after, stands[last[node]], 0.0, ones)
            product(after, stands[last[node]], 1.0, others)
            continue
        product(after, lower[child[edge]], 0.0, ones)
        product(after, upper[child[edge]], 1.0, others)
        if (weight * (others - ones)).sum() > least:
            narrow(child[edge], after, ones, others, weight, least, visited, stop, tables)
    for place in range(len(low)):
        low[place] = max(low[place], lows[:, place].sum())
        high[place] = min(high[place], highs[:, place].sum())


class Bounds(NamedTuple):
    """Lower and upper bound, and the number of histories that the search visited."""

    lower: float
    upper: float
    histories: int


class Seat(NamedTuple):
    """The data that all searches for one seat of the opponent, 0 or 1, share.

    mine          : whether the opponent moves at a node
    prior, weight : the probabilities of the player's rolls, and of the opponent's
    stands        : whether bids are true: (bids, player's rolls, opponent's rolls)
    reach         : of the player's rolls at a node, if the opponent plays nearly the same strategy: (nodes, rolls)
    """

    graph: Graph
    strategy: Any
    mine: Any
    prior: Any
    weight: Any
    stands: Any
    reach: Any

    @classmethod
    def of(cls, graph: Graph, strategy: Any, seat: int) -> Seat:
        """Compute the data in one pass over all edges."""
        rules, (first, child) = graph.rules, graph.edges
        mine = np.array([mover == seat for mover, _ in graph.nodes])
        prior, weight = (
            np.array([float(probability) for _, probability in rules.rolls(player)]) for player in (1 - seat, seat)
        )
        reach = np.zeros((len(mine), len(prior)))
        reach[0] = prior
        for node, moves in enumerate(mine):
            edges = range(first[node], first[node + 1])
            for edge in edges:
                if child[edge] >= 0:
                    shares = strategy[edge]
                    mean = 0.95 * (shares[: len(weight)] @ weight) + 0.05 / len(edges)
                    reach[child[edge]] += reach[node] * (mean if moves else shares[: len(prior)])
        return cls(graph, strategy, mine, prior, weight, graph.stands if seat == 1 else graph.stands.transpose(0, 2, 1), reach)

    def parts(self) -> Iterator[slice]:
        """Yield the opponent's rolls in parts whose tables fit into `ROOM`."""
        together = max(1, ROOM // (8 * len(self.mine) * len(self.prior)))
        for begin in range(0, len(self.weight), together):
            yield slice(begin, min(begin + together, len(self.weight)))


class Search:
    """The search for one seat of the opponent and some of its rolls."""

    def __init__(self, seat: Seat, rolls: slice, pool: ThreadPoolExecutor) -> None:
        graph, self.pool, self.prior, self.weight = seat.graph, pool, seat.prior, seat.weight[rolls]
        last, size = np.array([bids[-1] if bids else -1 for _, bids in graph.nodes]), len(self.weight)
        lower, upper = np.empty((2, len(last), len(self.prior), size), np.float32)
        stands = np.ascontiguousarray(seat.stands[:, :, rolls])
        self.tables = Tables(seat.mine, last, *graph.edges, stands, seat.strategy, lower, upper)
        parts = ((begin, min(begin + TOGETHER, size)) for begin in range(0, size, TOGETHER))
        for task in [pool.submit(fill_bounds, *part, self.tables, seat.reach) for part in parts]:
            task.result()

    def bounds(self, least: float, stop: Any) -> Bounds:
        """Return the bounds of one search; `least` and `stop` are those of `narrow`."""
        tables = self.tables
        size, choosing = tables.first[1], bool(tables.mine[0])
        shares = tables.strategy[:size, : len(self.prior)]
        reach = self.prior * (np.ones_like(shares) if choosing else shares)
        lows, highs = np.zeros((2, size, len(self.weight)))
        for edge in range(size):
            product(reach[edge], tables.lower[tables.child[edge]], 0.0, lows[edge])
            product(reach[edge], tables.upper[tables.child[edge]], 1.0, highs[edge])
        best = lows.max(axis=0) if choosing else lows
        weights, visited = np.where(highs > best, self.weight, 0.0), np.zeros((size, 1), np.int64)
        tasks = [
            self.pool.submit(narrow, tables.child[edge], reach[edge], *both, weights[edge], least, visited[edge], stop, tables)
            for edge, both in enumerate(zip(lows, highs, strict=True))
        ]
        for task in tasks:
            task.result()
        total = np.max if choosing else np.sum
        lower, upper = (float(self.weight @ total(one, axis=0)) for one in (lows, highs))
        return Bounds(lower, upper, int(visited.sum()))


def bounds(graph: Graph, strategy: Any, seconds: float, threads: int = 1, least: float = 0.0) -> Bounds:
    """Return bounds on the exploitability of a strategy in the whole game, with payoffs 1 and -1.

    seconds : time limit for all searches
    least   : end after a search that prunes histories whose bounds differ by at most this; 0 for exact values
    """
    lower, upper, histories = 0.0, 0.0, 0
    strategy = np.ascontiguousarray(strategy)
    seats = [Seat.of(graph, strategy, seat) for seat in (0, 1)]
    parts = [(seat, rolls) for seat in seats for rolls in seat.parts()]
    with ThreadPoolExecutor(threads) as pool:
        for seat, rolls in parts:
            search, stop, depth = Search(seat, rolls, pool), np.ones(1, np.bool_), COARSE
            search.bounds(depth, stop)  # compiles the code of a search
            stop[0] = False
            timer = threading.Timer(seconds / len(parts), stop.__setitem__, (0, True))
            timer.start()
            best = Bounds(0.0, float(search.weight.sum()), 0)
            while True:
                found = search.bounds(max(depth, least), stop)
                best = Bounds(max(best.lower, found.lower), min(best.upper, found.upper), best.histories + found.histories)
                if stop[0] or depth <= least or best.upper - best.lower < 1e-6:
                    break
                depth /= FINER
            timer.cancel()
            lower, upper, histories = lower + best.lower, upper + best.upper, histories + best.histories
    return Bounds(lower - 1, upper - 1, histories)


class Place(NamedTuple):
    """A strategy to train and to bound: number of iterations, seconds for the searches, and `drawn` of `train`."""

    preset: str
    dice: tuple[int, int]
    memory: int
    iterations: int
    search: float
    drawn: int | None = None

    @property
    def key(self) -> Key:
        """The key of its line."""
        return self.preset, ",".join(map(str, self.dice)), str(self.memory)


ITERATIONS = {1: 1000, 2: 500, 3: 100, 4: 50}
PLACES = (
    *(Place("snyd", (2, 2), memory, count, 60) for memory, count in {1: 1000, 2: 1000, 3: 500, 4: 250}.items()),
    *(
        Place(preset, (3, 3), memory, count, 60)
        for preset in ("common", "joker", "ones-low")
        for memory, count in ITERATIONS.items()
    ),
    Place("common", (5, 5), 1, 200, 200),
    Place("common", (5, 5), 2, 500, 500, drawn=8),
    Place("common", (5, 5), 3, 250, 600, drawn=8),
)


def measured(place: Place) -> Iterator[Line]:
    """Train a strategy, and yield the line with its bounds."""
    rules = ld.rules(place.preset, 6, place.dice, payoffs="zero-sum").without_impossible_bids()
    graph = Graph.of(rules, place.memory)
    train(graph, 1, threads=THREADS, drawn=place.drawn)  # compiles
    begun = time.monotonic()
    strategy = train(graph, place.iterations, threads=THREADS, drawn=place.drawn)
    trained = time.monotonic()
    found = bounds(graph, strategy, place.search, THREADS)
    numbers = place.iterations, place.drawn or "", len(graph.nodes), f"{found.lower:.9f}", f"{found.upper:.9f}", found.histories
    yield RESULTS.line(*place.key, *numbers, f"{trained - begun:.1f}", f"{time.monotonic() - trained:.1f}")


def wanted() -> list[Wanted]:
    """Return the lines of all strategies."""
    return [Wanted(place.key, "-".join(place.key), partial(measured, place)) for place in PLACES]


def table() -> Iterator[str]:
    """Yield the page's table: a row for each game, and a column for each memory."""
    lines, memories = RESULTS.read(), sorted({place.memory for place in PLACES})
    games = dict.fromkeys(place.key[:2] for place in PLACES)
    rows = ((*game, *(_between(lines.get((*game, str(memory)))) for memory in memories)) for game in games)
    return markdown(["rules", "dice", *(f"m = {memory}" for memory in memories)], rows)


def _between(line: Line | None) -> str:
    """Return both bounds as text, rounded outwards."""
    if line is None:
        return "-"
    lower, upper = math.floor(1e4 * float(line["lower"])), math.ceil(1e4 * float(line["upper"]))
    digits = (f"{number / 1e4:.4f}" for number in (lower, upper))
    return " to ".join(digits)


PAGE = Page("results.md", {"make forgetting, bounds": table})

if __name__ == "__main__":
    RESULTS.complete(wanted(), __doc__)
    PAGE.write()
