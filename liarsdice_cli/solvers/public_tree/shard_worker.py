"""Some shards of a tree in the process of a worker, which walks them: what `elsewhere` calls."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from math import inf
from typing import Any, NamedTuple

import numpy as np

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.stream import Ints
from liarsdice_cli.games.liarsdice.grown import OWNER, GrownTree, Shard
from liarsdice_cli.games.public_game import PublicGame
from liarsdice_cli.solvers.public_tree import arrays, sections
from liarsdice_cli.solvers.public_tree.board import Board, Layout, Returned, Sent, new_board, seen
from liarsdice_cli.solvers.public_tree.walks import Numbers, Plan, ShardWalker
from liarsdice_cli.system import cluster


class Turn(NamedTuple):
    """What a worker is to walk.

    plan  : as it is sent
    fresh : whether shards may make room before
    board : the file of one that is shown, or the part of it that is sent
    """

    plan: Plan
    fresh: bool
    board: str | Sent


class Report(NamedTuple):
    """What a board that both see does not say; None where that is nothing.

    short : whether memory did not do
    back  : what has come so far of a part that was sent; else None
    """

    short: bool
    back: Returned | None


class ShardWorker:
    """Shards that a worker holds.

    kept, kind : the names of the arrays, and their kind of float
    """

    def __init__(self, game: PublicGame, cut: int, kept: Sequence[str], kind: Any) -> None:
        self.game, self.kind, self.memory = game, kind, inf
        self.tree = GrownTree([len(rolls) for rolls in game.rolls], game.bidding, kept, kind, cut)
        self.held: dict[int, Shard] = {}
        self._walkers: dict[str, ShardWalker] = {}
        self._left: list[tuple[int, Any]] = []
        self._boards: dict[str, Board] = {}
        self._used = np.zeros(2, np.int64)
        self._short = False

    def place(self) -> cluster.Place:
        """Where this is."""
        return cluster.here()

    def limit(self, memory: float) -> None:
        """Let the shards take so many bytes."""
        self.memory = memory

    def begin(self, held: Sequence[int]) -> None:
        """Hold these shards and no others, in which nothing has grown."""
        self.held = {number: self.tree.new_shard() for number in held}

    def compile(self, numbers: Sequence[tuple[Any, Numbers]]) -> None:
        """Compile walks in some kinds of float on some arrays."""
        for kind, names in numbers:
            self._walker(kind).compile(names, self.tree.new_shard())

    def _walker(self, kind: Any) -> ShardWalker:
        name = np.dtype(kind).name
        if name not in self._walkers:
            self._walkers[name] = ShardWalker(self.game, np.dtype(kind).type)
        return self._walkers[name]

    def see(self, files: Mapping[str, Layout]) -> list[str]:
        """Map the boards in these files, and no others; return the files that are there."""
        self._boards = {}
        for file, layout in files.items():
            with suppress(OSError):
                self._boards[file] = seen(file, layout)
        return list(self._boards)

    def walk(self, turn: Turn, seconds: float) -> Report | None:
        """Walk what is due for so long, but at least one shard; see `walk_on` for the rest."""
        if turn.fresh:
            self._short = not self.tree.make_room(self.memory, list(self.held.values()))
        self._board = self._boards[turn.board] if isinstance(turn.board, str) else self._board_of(turn.board, turn.plan.learner)
        kind = self._board.value.dtype.type
        self._plan, self._walks = turn.plan.received(kind), self._walker(kind)
        rows = self._board.rows(list(self.held))
        owners: Any = self._board.roots[rows, OWNER]
        self._left = [(number, rows[owners == number]) for number in np.unique(owners).tolist()[::-1]]
        return self.walk_on(seconds)

    def _board_of(self, sent: Sent, learner: int) -> Board:
        """A board of our own, with the part that is sent."""
        count, _, width = sent.reach.shape
        board = new_board(Layout(len(self.tree.shards), count, self.game.players, width, sent.reach.dtype.name))
        board.take(sent, learner)
        return board

    def walk_on(self, seconds: float) -> Report | None:
        """Walk more of what is due, for so long."""
        until, board, begun = time.monotonic() + seconds, self._board, False
        subtrees = arrays.Subtrees(board.roots, self._used, board.due, board.reach, board.value)
        while self._left and (not begun or time.monotonic() < until):
            number, own = self._left.pop()
            before, begun = time.thread_time(), True
            board.visited[number] = self._walks.walk(self._plan, self.held[number], subtrees, own)
            board.seconds[number], board.walked[number] = time.thread_time() - before, True
        for number, shard in self.held.items():
            board.sizes[number] = shard.size
        if board.file:
            return Report(self._short, None) if self._short else None
        return Report(self._short, board.returned(list(self.held), int(self.tree.widths[self._plan.learner])))

    def section(self, number: int, roots: Ints) -> Any:
        """A shard as bytes, where `roots` are its subtrees."""
        self._set_roots(roots)
        views = [np.frombuffer(piece, np.uint8) for piece in sections.pieces(self.tree, number, self.held[number])]
        return np.concatenate(views) if views else np.zeros(0, np.uint8)

    def give(self, number: int, roots: Ints) -> Any:
        """A shard as bytes, which is then no longer held here."""
        content = self.section(number, roots)
        del self.held[number]
        return content

    def accept(self, number: int, roots: Ints, size: Ints, content: Any) -> None:
        """Hold a shard that another worker gave."""
        self._set_roots(roots)
        self.held[number] = sections.shard_of(self.tree, number, size, content)

    def keep(self, file: str, roots: Ints, starts: dict[int, int]) -> dict[int, int]:
        """Write shards at their places into a file that is there already; return the CRC-32 of each. Raises OSError."""
        self._set_roots(roots)
        found = {}
        try:
            with open(file, "r+b") as out:
                for number, start in starts.items():
                    out.seek(start)
                    found[number] = sections.write(self.tree, number, self.held[number], out)
                out.flush()
                os.fsync(out.fileno())
        except FileNotFoundError as error:
            raise self._unseen(file) from error
        return found

    def take(self, file: str, roots: Ints, starts: dict[int, int], sizes: dict[int, Ints], checks: dict[int, int]) -> None:
        """Hold the shards that stand at some places of a file, and no others.

        Raises ValueError where they are damaged, OSError where the file cannot be read.
        """
        self._set_roots(roots)
        self.held = {}
        try:
            with open(file, "rb") as kept:
                for number, start in starts.items():
                    kept.seek(start)
                    self.held[number] = sections.read(self.tree, number, sizes[number], checks[number], kept)
        except FileNotFoundError as error:
            raise self._unseen(file) from error

    def _unseen(self, file: str) -> LiarsDiceError:
        return LiarsDiceError(
            f"the worker on {self.place().machine} does not find {file}: with several machines, name a file in a folder that "
            "all of them share"
        )

    def _set_roots(self, roots: Any) -> None:
        self.tree.roots, self.tree.subtrees[0] = roots, len(roots)
