"""The board that lies between the top of a tree and the shards below it, wherever those are.

Who leads writes what comes to the subtrees below the cut, and who holds the shards what those are worth. Processes of one
machine see the same board, in a file that all of them have mapped into their memory, so that leading many workers costs little
more than leading one. On several machines each is sent its own part, and sends back what has come of it.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Sequence
from contextlib import suppress
from math import prod
from pathlib import Path
from tempfile import mkstemp
from typing import Any, NamedTuple
from weakref import finalize

import numpy as np

from liarsdice_cli.extensive.stream import Floats, Ints
from liarsdice_cli.games.liarsdice.grown import OWNER

_LINE = 64
"""Bytes at a multiple of which every array begins."""


class Layout(NamedTuple):
    """How large a board is: shards of the tree, room for subtrees, players, numbers for their rolls, and the kind of float."""

    shards: int
    subtrees: int
    players: int
    width: int
    kind: str

    @property
    def arrays(self) -> tuple[tuple[tuple[int, ...], str], ...]:
        """The shape and kind of every array of a board, in order."""
        return (
            ((self.shards, 7), "int64"),
            ((self.shards,), "float64"),
            ((self.shards,), "int64"),
            ((self.shards,), "bool"),
            ((self.subtrees, 4), "int64"),
            ((self.subtrees,), "bool"),
            ((self.subtrees, self.players, self.width), self.kind),
            ((self.subtrees, self.width), self.kind),
        )

    @property
    def bytes(self) -> int:
        """What a board takes."""
        return sum(_lines(prod(shape) * np.dtype(kind).itemsize) for shape, kind in self.arrays)


class Sent(NamedTuple):
    """The part of a board that is sent to who cannot see it, of subtrees that are due in shards of theirs.

    roots : integers (subtrees, 4), see `Board`
    reach : (subtrees, players but the learner, rolls)
    """

    roots: Ints
    reach: Floats


class Returned(NamedTuple):
    """What comes back, so far: what stands on the worker's board, see there, of its shards and the subtrees that it was sent.

    shards : their numbers; `sizes`, `seconds`, `visited` and `walked` have a row for each
    roots  : integers (subtrees, 4)
    value  : (subtrees, rolls of the learner)
    """

    shards: Sequence[int]
    sizes: Ints
    seconds: Floats
    visited: Ints
    walked: Any
    roots: Ints
    value: Floats


class Board(NamedTuple):
    """The subtrees below a cut, and the shards that hold them, in one walk over all.

    sizes   : integers (shards, 7), `Shard.size` of each
    seconds : floats (shards), of the processor, that each took in this walk; 0 until then
    visited : integers (shards), the histories that were visited in it
    walked  : booleans (shards), whether that is done
    roots   : integers (room for subtrees, 4), a copy of `GrownTree.roots`; who walks fills in ROOT where one grows
    due, reach, value : see `arrays.Subtrees`
    file    : where other processes find it; "" if they do not
    """

    sizes: Ints
    seconds: Floats
    visited: Ints
    walked: Any
    roots: Ints
    due: Any
    reach: Floats
    value: Floats
    file: str

    def rows(self, shards: Sequence[int]) -> Ints:
        """The subtrees of some shards that are due, rising."""
        due: Ints = np.flatnonzero(self.due)
        return due[np.isin(self.roots[due, OWNER], shards)]

    def sent(self, rows: Ints, learner: int) -> Sent:
        """What who walks these subtrees has to know."""
        return Sent(self.roots[rows], self.reach[rows][:, self._others(learner)])

    def take(self, sent: Sent, learner: int) -> None:
        """Write down that, and no more."""
        self.due[:] = True
        self.roots[:], self.reach[:, self._others(learner)] = sent

    def returned(self, shards: Sequence[int], rolls: int) -> Returned:
        """What has come of these shards, where the learner has so many rolls."""
        rows = self.rows(shards)
        known = self.sizes[shards], self.seconds[shards], self.visited[shards], self.walked[shards]
        return Returned(shards, *known, self.roots[rows], self.value[rows, :rolls])

    def take_back(self, rows: Ints, back: Returned) -> None:
        """Write down that, where `rows` were sent."""
        self.sizes[back.shards], self.seconds[back.shards] = back.sizes, back.seconds
        self.visited[back.shards], self.walked[back.shards] = back.visited, back.walked
        self.roots[rows], self.value[rows, : back.value.shape[1]] = back.roots, back.value

    def _others(self, learner: int) -> list[int]:
        return [player for player in range(self.reach.shape[1]) if player != learner]


def new_board(layout: Layout) -> Board:
    """A board of this process alone, with zeros."""
    return _on(layout, np.zeros(layout.bytes, np.uint8), "")


def shared_board(layout: Layout, folder: Path) -> Board:
    """A board with zeros that other processes can see, in a file that goes with it.

    Raises OSError where there is no room for it; nothing of it is left then.
    """
    number, file = mkstemp(dir=folder)
    try:
        with open(number, "wb") as out:
            out.write(bytes(layout.bytes))  # now: room that is missing later ends whoever writes there
        board = seen(file, layout)
    except OSError:
        _remove(file)
        raise
    finalize(board.sizes, _remove, file)
    return board


def seen(file: str, layout: Layout) -> Board:
    """The board in a file that a process of this machine has made, with the same layout; OSError where there is none."""
    with open(file, "r+b") as opened:
        return _on(layout, mmap.mmap(opened.fileno(), 0), file)


def _on(layout: Layout, memory: Any, file: str) -> Board:
    at, arrays = 0, []
    for shape, kind in layout.arrays:
        count = prod(shape)
        array: Any = np.frombuffer(memory, kind, count, at) if count else np.zeros(0, kind)
        arrays.append(array.reshape(shape))
        at += _lines(array.nbytes)
    sizes, seconds, visited, walked, roots, due, reach, value = arrays
    return Board(sizes, seconds, visited, walked, roots, due, reach, value, file)


def _remove(file: str) -> None:
    with suppress(OSError):  # a system that keeps what is in use; it goes with its folder
        os.unlink(file)


def _lines(size: int) -> int:
    return -(-size // _LINE) * _LINE
