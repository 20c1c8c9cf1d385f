"""The cost of remembering the last bids only: strategies with a memory of m bids, and their exact worst case.

    python examples/forgetting.py --rules joker --dice 2,1 --memory 1 2 3

Players of Dudo by Neller and Hnath (2011, "Approximating optimal Dudo play with fixed-strategy iteration counterfactual regret
minimization") and of OpenSpiel's `liars_dice_ir` see their dice and the last m bids. Then many histories are one information
set, and the game is a graph of (player to move, last bids) instead of a tree. FSICFR passes over it once forwards, adding up
reach probabilities, and once backwards, adding up values. This program does the same for all dice at once; FSICFR draws dice.
The average strategy is then judged in the whole game, against opponents that remember everything.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numba
import numpy as np

import liarsdice_cli as ld
from liarsdice_cli.games.liarsdice.histories import Histories

CALL = -1
"""The child of an edge that ends the round."""
TOGETHER = 32
"""Rolls in one task of a thread."""


@dataclass(frozen=True)
class Graph:
    """The abstract game: nodes in an order in which children come later.

    rules  : for two players, without impossible bids
    nodes  : the player to move and the last bids, by their numbers
    memory : the number of last bids that a player remembers
    """

    rules: Any
    nodes: list[tuple[int, tuple[int, ...]]]
    memory: int

    @classmethod
    def of(cls, rules: Any, memory: int) -> Graph:
        """Return the graph of a game for players that remember this many bids."""
        found, waiting = {(0, ())}, [(0, ())]
        while waiting:
            player, bids = waiting.pop()
            for bid in rules.bidding.following(bids[-1] if bids else -1):
                child = (1 - player, (*bids, bid)[-memory:])
                if child not in found:
                    found.add(child)
                    waiting.append(child)
        return cls(rules, sorted(found, key=lambda node: (node[1][-1:], node)), memory)

    @cached_property
    def edges(self) -> tuple[np.ndarray, np.ndarray]:
        """The first edge of each node (and at the end the number of edges), and the child of each edge; a call comes first."""
        place = {node: number for number, node in enumerate(self.nodes)}
        first, child = [0], []
        for player, bids in self.nodes:
            child += [CALL] * bool(bids)
            child += [
                place[1 - player, (*bids, bid)[-self.memory :]]
                for bid in self.rules.bidding.following(bids[-1] if bids else -1)
            ]
            first.append(len(child))
        return np.array(first), np.array(child)

    @cached_property
    def stands(self) -> np.ndarray:
        """Whether each bid is true: shape (bids, rolls of player 1, rolls of player 2)."""
        rules = self.rules
        counts = [
            np.array([[rules.matching(roll, bid.face) for roll, _ in rules.rolls(one)] for bid in rules.bids]) for one in (0, 1)
        ]
        quantity = np.array([bid.quantity for bid in rules.bids])
        return (counts[0][:, :, None] + counts[1][:, None, :] >= quantity[:, None, None]).astype(np.float64)


@numba.njit(cache=True)
def regret_matching(edges: Any, rolls: Any, regrets: Any, strategy: Any) -> None:
    """Set the strategy of a node for these rolls in proportion to positive regrets; uniform if no regret is positive."""
    total = np.zeros(len(rolls))
    for edge in edges:
        for place, roll in enumerate(rolls):
            total[place] += max(regrets[edge, roll], 0.0)
    for edge in edges:
        for place, roll in enumerate(rolls):
            strategy[edge, place] = max(regrets[edge, roll], 0.0) / total[place] if total[place] > 0 else 1.0 / len(edges)


@numba.njit(cache=True, nogil=True)
def forwards(
    player: int, rolls: Any, mover: Any, first: Any, child: Any, regrets: Any, own: Any, theirs: Any, reach: Any, own_reach: Any
) -> None:
    """Set both strategies, and sum reach probabilities over all histories of each node; the caller sets those of the opening.

    rolls            : the rolls of the other player in this iteration
    own, theirs      : the strategies: (edges, rolls of the player) and (edges, rolls of the other)
    reach, own_reach : reach probabilities of the rolls of the other, and of the player: (nodes, rolls)
    """
    every, others = np.arange(own_reach.shape[1]), len(rolls)
    for node in range(len(mover)):
        edges = np.arange(first[node], first[node + 1])
        mine = mover[node] == player
        regret_matching(edges, every if mine else rolls, regrets, own if mine else theirs)
        for edge in edges:
            if child[edge] >= 0:
                if mine:
                    reach[child[edge]] += reach[node]
                    own_reach[child[edge]] += own_reach[node] * own[edge, : len(every)]
                else:
                    reach[child[edge]] += reach[node] * theirs[edge, :others]
                    own_reach[child[edge]] += own_reach[node]


@numba.njit(cache=True, nogil=True)
def backwards(
    begin: int,
    end: int,
    player: int,
    mover: Any,
    last: Any,
    first: Any,
    child: Any,
    stands: Any,
    own: Any,
    theirs: Any,
    reach: Any,
    own_reach: Any,
    values: Any,
    regrets: Any,
    sums: Any,
    weight: float,
    discount: float,
    plus: bool,
) -> None:
    """Update regrets and sums of some of the player's rolls: (edges, rolls). Arguments as in `forwards`.

    values   : buffer for the probability that the player wins, given all dice: (nodes, rolls of the other, rolls of the player)
    stands   : whether bids are true, by the rolls of the other and of the player: (bids, rolls, rolls)
    weight   : of this iteration in the average strategy
    discount : of earlier regrets
    plus     : whether negative regrets are set to 0
    """
    (nodes, others), rolls = reach.shape, end - begin
    gain, value = np.empty((2, rolls))
    for node in range(nodes - 1, -1, -1):
        mine = mover[node] == player
        edges = range(first[node], first[node + 1])
        if reach[node].max() == 0:  # its values are not used
            for edge in edges if mine else range(0):
                for roll in range(begin, end):
                    regrets[edge, roll] *= discount
                    sums[edge, roll] += weight * own_reach[node, roll] * own[edge, roll]
            continue
        here = values[node]
        here[:others, :rolls] = 0.0
        for edge in edges:
            lost, gain[:] = 1.0 if child[edge] < 0 and mine else 0.0, 0.0
            for other in range(others):
                after = values[child[edge], other, :rolls] if child[edge] >= 0 else stands[last[node], other, begin:end]
                if mine:
                    for place in range(rolls):
                        won = abs(lost - after[place])
                        here[other, place] += own[edge, begin + place] * won
                        gain[place] += reach[node, other] * won
                else:
                    for place in range(rolls):
                        here[other, place] += theirs[edge, other] * after[place]
            if mine:
                for place, roll in enumerate(range(begin, end)):
                    regrets[edge, roll] = regrets[edge, roll] * discount + gain[place]
                    sums[edge, roll] += weight * own_reach[node, roll] * own[edge, roll]
        if mine:
            value[:] = 0.0
            for other in range(others):
                for place in range(rolls):
                    value[place] += reach[node, other] * here[other, place]
            for edge in edges:
                for place, roll in enumerate(range(begin, end)):
                    regret = regrets[edge, roll] - value[place]
                    regrets[edge, roll] = max(regret, 0.0) if plus else regret


def train(graph: Graph, iterations: int, plus: bool = True, threads: int = 1, drawn: int | None = None) -> np.ndarray:
    """Return the average strategy of DCFR+ (Xu et al. 2024), or of plain CFR as FSICFR has it: (edges, rolls).

    threads : the result does not depend on their number
    drawn   : the number of rolls of the other player to draw for each update of a player; None for all rolls
    """
    rules, generator = graph.rules, np.random.default_rng(1)
    first, child = graph.edges
    mover = np.array([player for player, _ in graph.nodes])
    last = np.array([bids[-1] if bids else -1 for _, bids in graph.nodes])
    sizes = [rules.roll_count(player) for player in (0, 1)]
    widths = [drawn or size for size in sizes]
    regrets, sums, own = np.zeros((3, len(child), max(sizes)))
    theirs = np.zeros((len(child), max(widths)))
    stands = (np.ascontiguousarray(graph.stands.transpose(0, 2, 1)), graph.stands)
    priors = [np.array([float(probability) for _, probability in rules.rolls(player)]) for player in (0, 1)]
    rooms = [np.zeros((len(mover), max(widths), TOGETHER)) for _ in range(0, max(sizes), TOGETHER)]
    with ThreadPoolExecutor(threads) as pool:
        for iteration in range(1, iterations + 1):
            scheme = (float(iteration**4), 1 - 1 / ((iteration - 1) ** 1.5 + 1), True) if plus else (1.0, 1.0, False)
            for player in (0, 1):
                chosen, chances = np.arange(sizes[1 - player]), priors[1 - player]
                if drawn is not None:
                    chosen, chances = generator.choice(chosen, drawn, p=chances), np.full(drawn, 1 / drawn)
                reach, own_reach = np.zeros((len(mover), len(chosen))), np.zeros((len(mover), sizes[player]))
                reach[0], own_reach[0] = chances, 1.0
                forwards(player, chosen, mover, first, child, regrets, own, theirs, reach, own_reach)
                true = np.ascontiguousarray(stands[player][:, chosen])
                known = player, mover, last, first, child, true, own, theirs, reach, own_reach
                parts = [(begin, min(begin + TOGETHER, sizes[player])) for begin in range(0, sizes[player], TOGETHER)]
                tasks = [
                    pool.submit(backwards, *part, *known, room, regrets, sums, *scheme)
                    for part, room in zip(parts, rooms, strict=False)
                ]
                for task in tasks:
                    task.result()
    for node in range(len(graph.nodes)):
        shares = sums[first[node] : first[node + 1]]
        shares[:, shares.sum(axis=0) == 0] = 1
        shares /= shares.sum(axis=0)
    return sums


class Remembering:
    """A policy that remembers the last bids only; the judge calls it with whole histories."""

    def __init__(self, graph: Graph, strategy: np.ndarray, name: str) -> None:
        self.name, self.graph = name, graph
        first, _ = graph.edges
        rows: dict[tuple[int, int], list[tuple[int, Any]]] = {}
        for node, (player, bids) in enumerate(graph.nodes):
            shares = strategy[first[node] : first[node + 1], : graph.rules.roll_count(player)].T
            rows.setdefault((player, bids[-1] if bids else -1), []).append((sum(1 << bid for bid in bids), shares))
        self.rows = {place: sorted(found, key=lambda one: one[0]) for place, found in rows.items()}

    @cached_property
    def blocks(self) -> dict[tuple[int, int], tuple[np.ndarray, np.ndarray]]:
        """By player to move and last bid: the sorted codes of the remembered bids, and strategies (nodes, rolls, actions)."""
        return {
            place: (np.array([code for code, _ in rows]), np.stack([shares for _, shares in rows]))
            for place, rows in self.rows.items()
        }

    def distributions(self, histories: Histories) -> np.ndarray:
        """Return the probabilities for a batch of histories: (histories, rolls, actions)."""
        made = histories.bids_made
        later = np.cumsum(made[:, ::-1], axis=1)[:, ::-1]
        remembered = (made & (later <= self.graph.memory)) @ (1 << np.arange(made.shape[1]))
        codes, shares = self.blocks[histories.player, histories.last]
        return shares[np.searchsorted(codes, remembered)]


def remembering(rules: Any, memory: int, iterations: int, plus: bool = True) -> Remembering:
    """Return the policy that CFR finds with this memory."""
    graph = Graph.of(rules, memory)
    return Remembering(graph, train(graph, iterations, plus), f"memory of {memory}")


def costs(rules: Any, memories: list[int], iterations: int, plus: bool) -> Iterator[tuple[int, int, float]]:
    """Yield each memory, its number of nodes, and the exploitability of its strategy in the whole game."""
    for memory in memories:
        policy = remembering(rules, memory, iterations, plus)
        yield memory, len(policy.graph.nodes), float(ld.exploitability(rules, policy).exploitability)


def main() -> None:
    """Print a line for each memory."""
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("--rules", default="common")
    reader.add_argument("--sides", type=int, default=6)
    reader.add_argument("--dice", default="1,1")
    reader.add_argument("--memory", type=int, nargs="+", default=[1, 2, 3, 4])
    reader.add_argument("--iterations", type=int, default=1000)
    reader.add_argument("--plain", action="store_true", help="CFR with plain averages, as FSICFR, instead of DCFR+")
    given = reader.parse_args()
    dice = [int(count) for count in given.dice.split(",")]
    rules = ld.rules(given.rules, given.sides, dice, payoffs="zero-sum").without_impossible_bids()
    print(rules)
    for memory, nodes, lost in costs(rules, given.memory, given.iterations, not given.plain):
        print(f"memory {memory}: {nodes:,} nodes, exploitability {lost:.6f}", flush=True)


if __name__ == "__main__":
    main()
