"""Games of any size as streams: columns of nodes in prefix order, block by block, beside small tables.

A node is a position in the columns. Prefix order (a node, then the subtrees of its branches from first to last) is the
order of Gambit's .efg files, so a game is read and written by walking its columns once. Everything that repeats is held
once: the actions of an information set are a row of `action_lists`, payoffs a row of `outcomes`. What holds a game in memory
is a `tree.GameTree`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple, SupportsIndex

import numpy as np
import numpy.typing as npt

from liarsdice_cli.errors import Argument

Ints = npt.NDArray[np.integer]
Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.floating]
Texts = npt.NDArray[np.object_]
Numbers = npt.NDArray[Any]
"""Fractions or Python integers (dtype object) where exact, else float64."""

CHANCE = -1
"""The player to whom the chance nodes belong; the players themselves are 0, 1, ..."""
TERMINAL = -2
"""Stands in a column of players where nobody moves."""
NONE = -1
"""Stands in a column of rows (information sets, outcomes, parents) where there is none."""

BLOCK = 1 << 16
"""Nodes in a block: large enough that numpy's overhead vanishes, small enough to stay in the processor's cache."""


class Actions(NamedTuple):
    """The actions of an information set in order; for chance with their probabilities, else `probabilities` is None."""

    labels: tuple[str, ...]
    probabilities: tuple[Fraction, ...] | None = None


class Outcome(NamedTuple):
    """A named vector of exact payoffs, one a player."""

    label: str
    payoffs: tuple[Fraction, ...]


class Block(NamedTuple):
    """Consecutive nodes in prefix order, all columns of one length.

    player  : who moves, CHANCE or TERMINAL
    number  : number of the information set, unique per player (0 where terminal)
    actions : row of the game's `action_lists` (0 where terminal)
    outcome : row of the game's outcomes, or NONE
    first   : whether the information set occurs here for the first time
    labels  : the labels of the information sets at these positions of the block ("" for none)
    """

    player: Ints
    number: Ints
    actions: Ints
    outcome: Ints
    first: Bools
    labels: Callable[[Ints], list[str]]

    def between(self, start: int, stop: int) -> Block:
        """The nodes of the block from place `start` up to place `stop`, which may lie outside of it."""
        start = max(start, 0)
        if start == 0 and stop >= len(self.player):
            return self
        nodes = slice(start, stop)
        return Block(
            self.player[nodes],
            self.number[nodes],
            self.actions[nodes],
            self.outcome[nodes],
            self.first[nodes],
            lambda places: self.labels(places + start),
        )


@dataclass(frozen=True, eq=False)
class TreeStream:
    """A game as a header, small tables and blocks of nodes: what a writer needs, in memory that does not grow.

    infosets    : the number of information sets of chance, then of each player
    between     : the nodes from one place in prefix order up to another, in blocks; from any place, any number of times
    node_labels : the labels of the nodes that have one
    origin      : a function that can be imported and its arguments, which make the stream again; pickled instead of it
    cure        : how to get a smaller game, for messages: "lower ..."; empty if the stream's maker knows no way
    """

    title: str
    comment: str
    players: tuple[str, ...]
    action_lists: Sequence[Actions]
    outcomes: Sequence[Outcome]
    nodes: int
    infosets: tuple[int, ...]
    between: Callable[[int, int], Iterator[Block]]
    node_labels: Mapping[int, str] = field(default_factory=dict)
    origin: tuple[Callable[..., TreeStream], tuple[Any, ...]] | None = None
    cure: tuple[str | Argument, ...] = ()

    def blocks(self) -> Iterator[Block]:
        """All nodes in prefix order."""
        return self.between(0, self.nodes)

    @cached_property
    def outcome_nodes(self) -> Ints:
        """For every outcome the node where it first stands, or the number of nodes where it never does.

        Cost: a walk to where the last of them is found.
        """
        found = np.full(len(self.outcomes) + 1, self.nodes, np.int64)  # and NONE
        start = 0
        for block in self.blocks():
            stop = start + len(block.outcome)
            places = np.full(len(found), self.nodes, np.int64)
            places[block.outcome[::-1]] = np.arange(stop - 1, start - 1, -1)  # of equal rows the last one written stays
            np.minimum(found, places, out=found)
            if np.all(found[:-1] < self.nodes):
                break
            start = stop
        return found[:-1]

    @cached_property
    def memo(self) -> dict[str, Any]:
        """What other rooms have worked out for this stream, kept with it."""
        return {}

    def __reduce_ex__(self, protocol: SupportsIndex) -> Any:
        return self.origin or super().__reduce_ex__(protocol)
