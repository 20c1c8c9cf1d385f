"""The cost of remembering the last bids only: strategies with a memory of m bids, and their exact worst case.

    python examples/forgetting.py --rules joker --dice 2,1 --memory 1 2 3

Players of Dudo by Neller and Hnath (2011, "Approximating optimal Dudo play with fixed-strategy iteration counterfactual regret
minimization") and of OpenSpiel's `liars_dice_ir` know their dice and the last m bids. Then many histories are one information
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
TOGETHER = 16
"""Rolls of a player whose values are in memory at once, in each thread."""


@dataclass(frozen=True)
class Graph:
    """The abstract game: nodes in an order in which children come later.

    rules : of two players, with bids that can be true only
    nodes : the player to move and the last bids, by their numbers
    """

    rules: Any
    nodes: list[tuple[int, tuple[int, ...]]]
    memory: int

    @classmethod
    def of(cls, rules: Any, memory: int) -> Graph:
        """Return the graph of a game for players with a memory of some bids."""
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
        """The first edge of each node (and the number of all), and the child of each edge; a call comes first."""
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
def regret_matching(edges: Any, regrets: Any, strategy: Any) -> None:
    """Set the strategy of a node to its positive regrets, or evenly where there are none."""
    for roll in range(regrets.shape[1]):
        total = 0.0
        for edge in edges:
            total += max(regrets[edge, roll], 0.0)
        for edge in edges:
            strategy[edge, roll] = max(regrets[edge, roll], 0.0) / total if total > 0 else 1.0 / len(edges)


@numba.njit(cache=True, nogil=True)
def forwards(player: int, mover: Any, first: Any, child: Any, regrets: Any, strategy: Any, reach: Any, own_reach: Any) -> None:
    """Set the strategy, and add up reach probabilities over all histories of a node; those of the opening are given.

    strategy         : (edges, rolls of the player to move)
    reach, own_reach : of the rolls of the other, and of the player: (nodes, rolls)
    """
    own, others = own_reach.shape[1], reach.shape[1]
    for node in range(len(mover)):
        edges = np.arange(first[node], first[node + 1])
        regret_matching(edges, regrets[:, : own if mover[node] == player else others], strategy)
        for edge in edges:
            if child[edge] >= 0:
                if mover[node] == player:
                    reach[child[edge]] += reach[node]
                    own_reach[child[edge]] += own_reach[node] * strategy[edge, :own]
                else:
                    reach[child[edge]] += reach[node] * strategy[edge, :others]
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
    strategy: Any,
    reach: Any,
    own_reach: Any,
    values: Any,
    regrets: Any,
    sums: Any,
    weight: float,
    discount: float,
    plus: bool,
) -> None:
    """Update regrets and sums of some of the player's rolls: (edges, rolls).

    values : room for the probability that the player wins, given all dice: (nodes, rolls of the player, rolls of the other)
    stands : whether bids are true, by the rolls of the player and of the other: (bids, rolls, rolls)
    weight, discount, plus : the weight of the average, the discount of earlier regrets, and whether those below 0 are dropped
    """
    nodes, others = reach.shape
    for node in range(nodes - 1, -1, -1):
        mine = mover[node] == player
        if reach[node].max() == 0:  # its values are nowhere used
            for edge in range(first[node], first[node + 1] if mine else first[node]):
                for roll in range(begin, end):
                    regrets[edge, roll] *= discount
                    sums[edge, roll] += weight * own_reach[node, roll] * strategy[edge, roll]
            continue
        values[node, :, :others] = 0.0
        for edge in range(first[node], first[node + 1]):
            for roll in range(begin, end):
                here = values[node, roll - begin]
                after = values[child[edge], roll - begin] if child[edge] >= 0 else stands[last[node], roll]
                if mine:
                    share, gain = strategy[edge, roll], 0.0
                    lost = 1.0 if child[edge] < 0 else 0.0
                    for other in range(others):
                        value = abs(lost - after[other])
                        here[other] += share * value
                        gain += reach[node, other] * value
                    regrets[edge, roll] = regrets[edge, roll] * discount + gain
                    sums[edge, roll] += weight * own_reach[node, roll] * share
                else:
                    for other in range(others):
                        here[other] += strategy[edge, other] * after[other]
        if mine:
            for roll in range(begin, end):
                value = 0.0
                for other in range(others):
                    value += reach[node, other] * values[node, roll - begin, other]
                for edge in range(first[node], first[node + 1]):
                    regret = regrets[edge, roll] - value
                    regrets[edge, roll] = max(regret, 0.0) if plus else regret


def train(graph: Graph, iterations: int, plus: bool = True, threads: int = 1) -> np.ndarray:
    """Return the average strategy of DCFR+ (Xu et al. 2024), or of plain CFR as FSICFR has it: (edges, rolls).

    threads : do some rolls each; the result does not depend on their number
    """
    rules = graph.rules
    first, child = graph.edges
    mover = np.array([player for player, _ in graph.nodes])
    last = np.array([bids[-1] if bids else -1 for _, bids in graph.nodes])
    sizes = [rules.roll_count(player) for player in (0, 1)]
    regrets, sums, strategy = np.zeros((3, len(child), max(sizes)))
    stands = (graph.stands, np.ascontiguousarray(graph.stands.transpose(0, 2, 1)))
    priors = [np.array([float(probability) for _, probability in rules.rolls(player)]) for player in (0, 1)]
    rooms = [np.zeros((len(mover), TOGETHER, max(sizes))) for _ in range(0, max(sizes), TOGETHER)]
    with ThreadPoolExecutor(threads) as pool:
        for iteration in range(1, iterations + 1):
            scheme = (float(iteration**4), 1 - 1 / ((iteration - 1) ** 1.5 + 1), True) if plus else (1.0, 1.0, False)
            for player in (0, 1):
                reach, own_reach = np.zeros((len(mover), sizes[1 - player])), np.zeros((len(mover), sizes[player]))
                reach[0], own_reach[0] = priors[1 - player], 1.0
                forwards(player, mover, first, child, regrets, strategy, reach, own_reach)
                known = player, mover, last, first, child, stands[player], strategy, reach, own_reach
                parts = [(begin, min(begin + TOGETHER, sizes[player])) for begin in range(0, sizes[player], TOGETHER)]
                tasks = [
                    pool.submit(backwards, *part, *known, room, regrets, sums, *scheme)
                    for part, room in zip(parts, rooms, strict=False)
                ]
                for task in tasks:
                    task.result()
    for node in range(len(graph.nodes)):
        own = sums[first[node] : first[node + 1]]
        own[:, own.sum(axis=0) == 0] = 1
        own /= own.sum(axis=0)
    return sums


class Remembering:
    """A policy with a memory of the last bids; the judge asks it about whole histories."""

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
        """By the player to move and the last bid: the last bids as rising numbers, and (nodes, rolls, actions)."""
        return {
            place: (np.array([code for code, _ in rows]), np.stack([shares for _, shares in rows]))
            for place, rows in self.rows.items()
        }

    def distributions(self, histories: Histories) -> np.ndarray:
        """Return the probabilities after many histories, by their last bids alone."""
        made = histories.bids_made
        later = np.cumsum(made[:, ::-1], axis=1)[:, ::-1]
        remembered = (made & (later <= self.graph.memory)) @ (1 << np.arange(made.shape[1]))
        codes, shares = self.blocks[histories.player, histories.last]
        return shares[np.searchsorted(codes, remembered)]


def remembering(rules: Any, memory: int, iterations: int, plus: bool = True) -> Remembering:
    """Return the policy that CFR finds with a memory of some bids; bids that cannot be true are left out of the rules."""
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
