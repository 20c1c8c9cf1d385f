"""Checkpoints: the complete state of a public-tree solver in a file, from which a later run resumes with the same results.

The first line names the format. The second is JSON: game, method, kind of float, expansion threshold, lock, tremble, iteration,
update player and proved bounds. Then follow four arrays, each after its length in bytes:

- 64-bit integers: the number of subtrees, the number that found no room, and for each shard whether this turn has traversed it
- 64-bit integers: the subtrees (`StrategyStore.roots`)
- 64-bit integers: `Shard.size` of every shard, the top one first
- floats: the values of the subtrees, if a turn is under way

Then follow the bytes of every shard (see `shard_io`), and in four bytes each the CRC-32 of everything before the shards, of
every shard, and of these checksums. All numbers are little-endian.

The place of every shard is known in advance. So workers write and read their shards in parallel, and the bytes do not
depend on the number of workers. On reading, checksums are checked first. Then every index and number must be in its range.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from io import SEEK_END
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, cast
from zlib import crc32

import numpy as np

from liarsdice_cli.errors import Argument, LiarsDiceError
from liarsdice_cli.extensive.stream import Ints
from liarsdice_cli.formats import files
from liarsdice_cli.formats.heads import LONGEST, Head
from liarsdice_cli.games.liarsdice.locks import PublicLock, locked_rolls
from liarsdice_cli.solvers.public_tree import shard_io
from liarsdice_cli.solvers.public_tree.solver import PublicTree
from liarsdice_cli.solvers.regret.convergence import Bounds, Proof
from liarsdice_cli.strategies.shard import NONE

_MAGIC = b"liarsdice checkpoint 8\n"
_CHECKSUM = 4
_LENGTH = 8
_MOST_ITERATIONS = 1 << 53


def write(name: str, solver: PublicTree, proved: Proof | None) -> None:
    """Write the state. An existing file is replaced only when the new one is complete.

    Raises LiarsDiceError if it cannot be written, WorkerLostError if a worker with some of the shards is lost.
    """
    begin = b"".join([_MAGIC, _head(solver, proved), *_arrays(solver)])
    starts = shard_io.starts(solver.store, solver.store.sizes, len(begin))
    with files.output(name, packed=False) as file:
        out = cast(BinaryIO, file)
        out.write(begin)
        checksums = [crc32(begin), shard_io.write(solver.store.top, out)]
        checksums += solver.backend.save(out, starts[1:])
        end = np.array(checksums, "<u4").tobytes()
        out.write(end + crc32(end).to_bytes(_CHECKSUM, "little"))


def read(name: str, solver: PublicTree) -> Proof | None:
    """Replace the state of a solver by that in a file; return the proof that the file contains.

    Raises LiarsDiceError for a file that is damaged, is not a checkpoint, or has another version, game, method or kind of
    float. The solver is then in an undefined state.
    """
    try:
        with Path(name).open("rb") as file:
            return _read(name, file, solver)
    except OSError as error:
        raise LiarsDiceError(f"cannot read the checkpoint {name}: {files.reason(error)}") from error


class _Begin(NamedTuple):
    """The part before the shards, and the checksums of all shards."""

    head: Head
    state: Ints
    roots: Any
    sizes: Ints
    values: bytes
    checksums: list[int]
    end: int


def _read(name: str, file: BinaryIO, solver: PublicTree) -> Proof | None:
    magic = file.readline(len(_MAGIC))
    if magic != _MAGIC:
        other = magic.startswith(_MAGIC[:21])
        why = "comes from another version of this program" if other else "is not a checkpoint"
        raise LiarsDiceError(f"{name} {why}: name a file that ", Argument("checkpoint"), " wrote, or a new one to start again")
    try:
        begin = _begin(file)
        _check_facts(name, begin.head, solver)
        _fill(file, begin, solver)
        return _progress(begin.head, solver)
    except (ValueError, MemoryError):
        raise LiarsDiceError(
            f"the checkpoint {name} is damaged or cut short: use an older copy, or name another file to start again"
        ) from None


def _begin(file: BinaryIO) -> _Begin:
    """Read the part before the shards, and the checksums; ValueError unless they fit."""
    whole = file.seek(0, SEEK_END)
    file.seek(len(_MAGIC))
    head = file.readline(LONGEST)
    state, roots, sizes, values = (_content(file, whole) for _ in range(4))
    end = file.tell()
    size = np.frombuffer(sizes, np.int64).reshape(-1, 9)
    file.seek(whole - (len(size) + 2) * _CHECKSUM)
    checksums, last = file.read((len(size) + 1) * _CHECKSUM), file.read()
    file.seek(0)
    found = np.frombuffer(checksums, "<u4").tolist()
    if crc32(checksums).to_bytes(_CHECKSUM, "little") != last or crc32(file.read(end)) != found[0]:
        raise ValueError("the sum is wrong")
    known = np.frombuffer(state, np.int64), np.frombuffer(roots, np.int64).reshape(-1, 4), size
    return _Begin(Head.parsed(head), *known, values, found[1:], end)


def _content(file: BinaryIO, most: int) -> bytes:
    """Read an array after its length; ValueError if it is incomplete."""
    length = int.from_bytes(file.read(_LENGTH), "little")
    if length > most or len(content := file.read(length)) != length:
        raise ValueError("an array is cut short")
    return content


def _check_facts(name: str, head: Head, solver: PublicTree) -> None:
    """Raise LiarsDiceError for the state of another game or solver."""
    ours = _facts(solver)
    words = {"kind": "kind of float"}
    for key in ours:
        theirs = head.fields.get(key)
        if theirs != ours[key]:
            raise LiarsDiceError(
                f"the checkpoint {name} has another {words.get(key, key)}: {str(theirs)[:200]}, not {ours[key]}; "
                "give the options it was made with, or name another file to start again"
            )


def _fill(file: BinaryIO, begin: _Begin, solver: PublicTree) -> None:
    """Load the tree and the turn that was under way; ValueError unless everything is complete and valid."""
    store, shards = solver.store, len(solver.store.shards)
    if len(begin.state) != 2 + shards or len(begin.sizes) != 1 + shards:
        raise ValueError("another number of shards")
    starts = shard_io.starts(store, begin.sizes, begin.end)
    if starts[-1] + (len(begin.sizes) + 2) * _CHECKSUM != file.seek(0, SEEK_END):
        raise ValueError("more or less than the shards")
    store.reset()
    store.subtrees[:] = begin.state[:2]
    store.roots = begin.roots.copy()
    count, refused = store.subtrees.tolist()
    if not (0 <= count <= len(store.roots) and refused >= 0) or (store.roots[count:] != NONE).any():
        raise ValueError("subtrees out of range")
    store.check_subtrees(shards)
    file.seek(starts[0])
    store.top = shard_io.read(store, NONE, begin.sizes[0], begin.checksums[0], file)
    solver.backend.load(file, starts[1:], begin.sizes[1:], begin.checksums[1:])
    solver.done = set(np.flatnonzero(begin.state[2:]).tolist())
    solver.traverser.fit()
    if solver.done:
        below = solver.traverser.below.value
        below[:] = np.frombuffer(begin.values, solver.kind).reshape(below.shape)


def _progress(head: Head, solver: PublicTree) -> Proof | None:
    """Set the iteration and the update player, and return the proof; ValueError for values out of range."""
    solver.iteration = head.whole("iteration", 0, _MOST_ITERATIONS)
    solver.update_player = head.whole("update_player", 0, solver.game.players - 1)
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
        "lock": _digest(solver.lock) if solver.lock else None,
        "tremble": solver.tremble,
    }


def _digest(lock: PublicLock) -> str:
    """Return a short digest of a lock."""
    digest = sha256()
    for history, behaviour in lock.items():
        rolls = locked_rolls(behaviour)
        digest.update(f"{history} {rolls.tolist()} {behaviour[:, rolls].tolist()};".encode())
    return digest.hexdigest()[:16]


def _head(solver: PublicTree, proved: Proof | None) -> bytes:
    bounds = [proved.lower, proved.upper] if isinstance(proved, Bounds) else None
    progress = {"iteration": solver.iteration, "update_player": solver.update_player, "proved": bounds}
    return json.dumps(_facts(solver) | progress).encode() + b"\n"


def _arrays(solver: PublicTree) -> Iterator[bytes]:
    """Yield the arrays between the head and the shards."""
    store = solver.store
    state = np.array([*store.subtrees, *(number in solver.done for number in range(len(store.shards)))], np.int64)
    values = solver.traverser.below.value if solver.done else np.zeros(0)
    for array in (state, store.roots, store.sizes, values):
        yield array.nbytes.to_bytes(_LENGTH, "little")
        yield array.tobytes()
