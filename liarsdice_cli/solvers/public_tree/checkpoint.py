"""Checkpoints: the whole state of a public-tree solver in a file, from which it goes on as if nothing had happened.

A line that names the format, a line of JSON (game, method, kind of float, threshold, iteration, whose turn it is, what is
proved), the arrays one after the other, each after its length in eight bytes (which subtrees there are and which shards have
been walked in this turn; of every shard its room, what is used of it, and that), and four bytes with the CRC-32 of all that.
All numbers are little-endian.

What is read back is what was written: the sum is looked at before anything else, and then everything has to lie where a
solver can have come to.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from io import SEEK_END
from itertools import chain
from os import fstat
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np

from liarsdice_cli.errors import Argument, LiarsDiceError
from liarsdice_cli.formats import files
from liarsdice_cli.formats.heads import LONGEST, Head
from liarsdice_cli.games.liarsdice.grown import NONE, REFUSED, Shard
from liarsdice_cli.solvers.public_tree.solver import AVERAGES, PublicTree
from liarsdice_cli.solvers.regret.convergence import Bounds, Proof

_MAGIC = b"liarsdice checkpoint 2\n"
_PIECE = 1 << 24
_SUM = 4
_MOST_ITERATIONS = 1 << 53
_MOST_ROOM = 1 << 36


def write(name: str, solver: PublicTree, proved: Proof | None) -> None:
    """Keep the state; the file that was there stays until the new one is whole. LiarsDiceError where it cannot be written."""
    with files.output(name) as out:
        check = 0
        pieces: Iterator[Any] = chain((_MAGIC, _head(solver, proved)), _pieces(solver))
        for piece in pieces:
            out.write(piece)
            check = zlib.crc32(piece, check)
        out.write(check.to_bytes(_SUM, "little"))


def read(name: str, solver: PublicTree) -> Proof | None:
    """Fill a new solver with a kept state; returns what had been proved.

    Raises LiarsDiceError for a file that is no checkpoint, of another version, game, method or kind of float, or damaged;
    the solver is then of no use. Cost: the file is read twice, the first time for its sum.
    """
    try:
        with Path(name).open("rb") as file:
            return _read(name, file, solver)
    except OSError as error:
        raise LiarsDiceError(f"cannot read the checkpoint {name}: {error.strerror or error}") from error


def _read(name: str, file: BinaryIO, solver: PublicTree) -> Proof | None:
    magic = file.readline(len(_MAGIC))
    if magic != _MAGIC:
        other = magic.startswith(_MAGIC[:21])
        why = "is of another version of this program" if other else "is no checkpoint"
        raise LiarsDiceError(
            f"{name} {why}: name the file that ", Argument("checkpoint"), " wrote, or start without ", Argument("resume")
        )
    try:
        _check_sum(file)
        file.seek(len(_MAGIC))
        head = Head.parsed(file.readline(LONGEST))
        _check_facts(name, head, solver)
        _fill(file, solver)
        return _progress(head, solver)
    except (ValueError, MemoryError):
        raise LiarsDiceError(
            f"the checkpoint {name} is damaged or cut short: use an older copy, or start without ", Argument("resume")
        ) from None


def _check_sum(file: BinaryIO) -> None:
    """ValueError unless the file ends with the sum of all that stands before it."""
    left = file.seek(0, SEEK_END) - _SUM
    file.seek(0)
    check = 0
    while left > 0 and (piece := file.read(min(left, _PIECE))):
        check, left = zlib.crc32(piece, check), left - len(piece)
    if left or file.read() != check.to_bytes(_SUM, "little"):
        raise ValueError("the sum is wrong")


def _check_facts(name: str, head: Head, solver: PublicTree) -> None:
    """Refuse the state of another game or solver."""
    ours = _facts(solver)
    for key, what in (("game", "game"), ("method", "method"), ("kind", "kind of float"), ("growth", "threshold")):
        theirs = head.fields.get(key)
        if theirs != ours[key]:
            raise LiarsDiceError(
                f"the checkpoint {name} has another {what}: {str(theirs)[:200]}, not {ours[key]}; "
                "give the options it was made with, or start without ",
                Argument("resume"),
            )


def _fill(file: BinaryIO, solver: PublicTree) -> None:
    """Read the grown tree and the walk that was under way; ValueError unless all is there and lies where it may."""
    tree = solver.tree
    if len(state := _array(file, np.int64, 2 + len(tree.shards))) != 2 + len(tree.shards):
        raise ValueError("another number of shards")
    tree.subtrees[:] = state[:2]
    solver.done = set(np.flatnonzero(state[2:]).tolist())
    tree.roots = _array(file, np.int64).reshape(-1, 4)
    count, refused = tree.subtrees.tolist()
    if not (0 <= count <= len(tree.roots) and refused >= 0) or (tree.roots[count:] != NONE).any():
        raise ValueError("subtrees out of range")
    tree.check_subtrees(len(tree.shards))
    for number, shard in enumerate(tree.all_shards, NONE):
        _fill_shard(file, number, shard, solver)
    if solver.done:
        values = _array(file, solver.kind)
        solver.walks.below.value[:] = values.reshape(solver.walks.below.value.shape)
    if len(file.read(_SUM + 1)) != _SUM:
        raise ValueError("the arrays are too long")


def _fill_shard(file: BinaryIO, number: int, shard: Shard, solver: PublicTree) -> None:
    tree = solver.tree
    rooms, used = _array(file, np.int64, 3).tolist(), _array(file, np.int64, 4)
    fits = all(0 <= some <= room <= _MOST_ROOM for some, room in zip(used[:3].tolist(), rooms, strict=True))
    if not fits or used[REFUSED] < 0:
        raise ValueError("a shard is larger than its room")
    shard.make_room(*rooms)
    moves = _array(file, np.int16).reshape(-1, 2).astype(np.int64)
    tree.lay_out(shard, moves)
    if not np.array_equal(shard.used[:3], used[:3]):
        raise ValueError("a shard holds something else")
    shard.used[:] = used
    _, places, numbers = used[:3].tolist()
    shard.children[:places] = _array(file, np.int32, places)
    tree.check(shard, moves, number)
    for name, array in shard.kept.items():
        array[:numbers] = _array(file, solver.kind, numbers)
        if not np.isfinite(array[:numbers]).all():
            raise ValueError("a number is not finite")
        if name == AVERAGES and numbers and array[:numbers].min() < 0:
            raise ValueError("a strategy is negative")


def _array(file: BinaryIO, kind: Any, count: int | None = None) -> Any:
    """The next array; ValueError unless it is whole, and as long as it has to be."""
    length = int.from_bytes(file.read(8), "little")
    if count is not None and length != count:
        raise ValueError("an array of another length")
    if length * np.dtype(kind).itemsize > fstat(file.fileno()).st_size:
        raise ValueError("an array longer than the file")
    array = np.empty(length, kind)
    if length and file.readinto(memoryview(cast(Any, array)).cast("B")) != array.nbytes:  # type: ignore[attr-defined]
        raise ValueError("the arrays are cut short")
    return array


def _progress(head: Head, solver: PublicTree) -> Proof | None:
    """Set where the solver is, and give what was proved: bounds in their order within the payoffs. ValueError for others."""
    solver.iteration = head.whole("iteration", 0, _MOST_ITERATIONS)
    solver.learner = head.whole("learner", 0, solver.game.players - 1)
    if not head.has("proved"):
        return None
    lower, upper = head.numbers("proved")
    game = solver.game
    if game.players != 2:
        raise ValueError("no bounds of such a game")
    lose, win = sorted(map(float, game.payoffs[0]))
    if not (lose - game.rounding_error <= lower <= upper + game.rounding_error <= win + 2 * game.rounding_error):
        raise ValueError("no bounds")
    return Bounds(lower, upper)


def _facts(solver: PublicTree) -> dict[str, Any]:
    return {
        "game": solver.game.name,
        "method": solver.minimiser.name,
        "kind": np.dtype(solver.kind).name,
        "growth": solver.growth,
    }


def _head(solver: PublicTree, proved: Proof | None) -> bytes:
    bounds = [proved.lower, proved.upper] if isinstance(proved, Bounds) else None
    progress = {"iteration": solver.iteration, "learner": solver.learner, "proved": bounds}
    return json.dumps(_facts(solver) | progress).encode() + b"\n"


def _arrays(solver: PublicTree) -> Iterator[Any]:
    """All arrays of the state, one after the other."""
    tree = solver.tree
    yield np.array([*tree.subtrees, *(number in solver.done for number in range(len(tree.shards)))], np.int64)
    yield tree.roots.reshape(-1)
    for shard in tree.all_shards:
        _, places, numbers, _ = shard.used.tolist()
        yield from (np.array(shard.rooms, np.int64), shard.used)
        yield from (tree.moves(shard).astype(np.int16).reshape(-1), shard.children[:places])
        yield from (array[:numbers] for array in shard.kept.values())
    if solver.done:
        yield solver.walks.below.value.reshape(-1)


def _pieces(solver: PublicTree) -> Iterator[Any]:
    """The bytes of all arrays, each after its length."""
    for array in _arrays(solver):
        yield len(array).to_bytes(8, "little")
        if len(array):
            whole = memoryview(cast(Any, np.ascontiguousarray(array))).cast("B")
            for start in range(0, len(whole), _PIECE):
                yield whole[start : start + _PIECE]
