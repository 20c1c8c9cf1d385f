"""Games of any size as streams: columns of nodes in prefix order, block by block, beside small tables.

A node is a position in the columns. Prefix order (a node, then the subtrees of its branches from first to last) is the
order of Gambit's .efg files, so a game is read and written in one pass over its columns. Repeated data is held once: the
actions of an information set are a row of `action_lists`, payoffs a row of `outcomes`. A game in memory is a `tree.GameTree`.
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
"""Exact numbers, Fractions or Python integers (dtype object), or float64."""

CHANCE = -1
"""The player at chance nodes; the players of the game are 0, 1, ..."""
TERMINAL = -2
"""The entry of terminal nodes in a column of players."""
NONE = -1
"""The entry for none in a column of rows: information sets, outcomes, parents."""

BLOCK = 1 << 16
"""Nodes in a block: large enough to hide numpy's overhead, small enough for the processor's cache."""


class Actions(NamedTuple):
    """The actions of an information set in order; `probabilities` is None except for chance."""

    labels: tuple[str, ...]
    probabilities: tuple[Fraction, ...] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The labels; an action without one is named by its number from 1."""
        return tuple(label or str(number) for number, label in enumerate(self.labels, 1))


class Outcome(NamedTuple):
    """A vector of exact payoffs, one a player, with a label."""

    label: str
    payoffs: tuple[Fraction, ...]


class Block(NamedTuple):
    """Consecutive nodes in prefix order, all columns of one length.

    player  : the player to move, CHANCE or TERMINAL
    number  : number of the information set, unique per player (0 where terminal)
    actions : row of the game's `action_lists` (0 where terminal)
    outcome : row of the game's outcomes, or NONE
    first   : whether this is the first node of its information set
    labels  : a function from positions in the block to the labels of their information sets ("" for none)
    """

    player: Ints
    number: Ints
    actions: Ints
    outcome: Ints
    first: Bools
    labels: Callable[[Ints], list[str]]

    def between(self, start: int, stop: int) -> Block:
        """Return the nodes of the block from position `start` up to `stop`, which may lie outside it."""
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
            lambda positions: self.labels(positions + start),
        )


@dataclass(frozen=True, eq=False)
class TreeStream:
    """A game as a header, small tables and blocks of nodes: enough to write it, in constant memory.

    infosets    : the number of information sets of chance, then of each player
    between     : a function that yields the nodes from one position in prefix order up to another, in blocks
    node_labels : the labels of the nodes that have one
    origin      : an importable function and its arguments that return this stream; pickled instead of it
    cure        : how to get a smaller game, for messages: "lower ..."; empty if the maker of the stream knows no way
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
        """Yield all nodes in prefix order."""
        return self.between(0, self.nodes)

    @cached_property
    def outcome_nodes(self) -> Ints:
        """The first node with each outcome, or the number of nodes if there is none.

        Cost: a pass up to the last of these nodes.
        """
        found = np.full(len(self.outcomes) + 1, self.nodes, np.int64)  # and NONE
        start = 0
        for block in self.blocks():
            stop = start + len(block.outcome)
            first = np.full(len(found), self.nodes, np.int64)
            first[block.outcome[::-1]] = np.arange(stop - 1, start - 1, -1)  # the last write to a row wins
            np.minimum(found, first, out=found)
            if np.all(found[:-1] < self.nodes):
                break
            start = stop
        return found[:-1]

    @cached_property
    def memo(self) -> dict[str, Any]:
        """A cache for what other modules compute from this stream."""
        return {}

    def __reduce_ex__(self, protocol: SupportsIndex) -> Any:
        return self.origin or super().__reduce_ex__(protocol)
