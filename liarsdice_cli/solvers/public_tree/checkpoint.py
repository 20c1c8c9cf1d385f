"""Checkpoints: the whole state of a public-tree solver in a file, from which it goes on as if nothing had happened.

A line that names the format and a line of JSON (game, method, kind of float, threshold, lock, tremble, iteration, whose turn it
is, what is proved). Then arrays of 64-bit integers, each after its length: how many subtrees there are and which shards have
been walked in this turn, the subtrees, `Shard.size` of every shard, the top one first; and what the subtrees are worth, where a
turn is under way. Then the section of every shard (see `sections`). At the end the CRC-32 of all that stands before the
sections, of every section, and of these sums themselves, in four bytes each. All numbers are little-endian.

So who holds a shard can write it where it belongs, and read it there, while others do the same with theirs; the bytes are the
same whoever writes them. What is read back is what was written: sums are looked at before anything is believed, and then
everything has to lie where a solver can have come to.
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
from liarsdice_cli.solvers.public_tree import sections
from liarsdice_cli.solvers.public_tree.solver import PublicTree
from liarsdice_cli.solvers.regret.convergence import Bounds, Proof
from liarsdice_cli.strategies.shard import NONE

_MAGIC = b"liarsdice checkpoint 4\n"
_SUM = 4
_LENGTH = 8
_MOST_ITERATIONS = 1 << 53


def write(name: str, solver: PublicTree, proved: Proof | None) -> None:
    """Keep the state; the file that was there stays until the new one is whole.

    Raises LiarsDiceError where it cannot be written, WorkerLostError where a worker is lost that holds a part of it.
    """
    begin = b"".join([_MAGIC, _head(solver, proved), *_arrays(solver)])
    starts = sections.starts(solver.tree, solver.tree.sizes, len(begin))
    with files.output(name, packed=False) as file:
        out = cast(BinaryIO, file)
        out.write(begin)
        checks = [crc32(begin), sections.write(solver.tree, NONE, solver.tree.top, out)]
        checks += solver.holder.keep(out, starts[1:])
        sums = np.array(checks, "<u4").tobytes()
        out.write(sums + crc32(sums).to_bytes(_SUM, "little"))


def read(name: str, solver: PublicTree) -> Proof | None:
    """Fill a solver with a kept state, in place of what it has; returns what had been proved.

    Raises LiarsDiceError for a file that is no checkpoint, of another version, game, method or kind of float, or damaged;
    the solver is then of no use.
    """
    try:
        with Path(name).open("rb") as file:
            return _read(name, file, solver)
    except OSError as error:
        raise LiarsDiceError(f"cannot read the checkpoint {name}: {error.strerror or error}") from error


class _Begin(NamedTuple):
    """What stands before the sections: `state` is how many subtrees there are, and which shards are done."""

    head: Head
    state: Ints
    roots: Any
    sizes: Ints
    values: bytes
    checks: list[int]
    end: int


def _read(name: str, file: BinaryIO, solver: PublicTree) -> Proof | None:
    magic = file.readline(len(_MAGIC))
    if magic != _MAGIC:
        other = magic.startswith(_MAGIC[:21])
        why = "is of another version of this program" if other else "is no checkpoint"
        raise LiarsDiceError(
            f"{name} {why}: name the file that ", Argument("checkpoint"), " wrote, or start without ", Argument("resume")
        )
    try:
        begin = _begin(file)
        _check_facts(name, begin.head, solver)
        _fill(file, begin, solver)
        return _progress(begin.head, solver)
    except (ValueError, MemoryError):
        raise LiarsDiceError(
            f"the checkpoint {name} is damaged or cut short: use an older copy, or start without ", Argument("resume")
        ) from None


def _begin(file: BinaryIO) -> _Begin:
    """What stands before the sections, and the sums of all; ValueError unless they are right."""
    whole = file.seek(0, SEEK_END)
    file.seek(len(_MAGIC))
    head = file.readline(LONGEST)
    state, roots, sizes, values = (_content(file, whole) for _ in range(4))
    end = file.tell()
    size = np.frombuffer(sizes, np.int64).reshape(-1, 7)
    file.seek(whole - (len(size) + 2) * _SUM)
    sums, of_sums = file.read((len(size) + 1) * _SUM), file.read()
    file.seek(0)
    checks = np.frombuffer(sums, "<u4").tolist()
    if crc32(sums).to_bytes(_SUM, "little") != of_sums or crc32(file.read(end)) != checks[0]:
        raise ValueError("the sum is wrong")
    known = np.frombuffer(state, np.int64), np.frombuffer(roots, np.int64).reshape(-1, 4), size
    return _Begin(Head.parsed(head), *known, values, checks[1:], end)


def _content(file: BinaryIO, most: int) -> bytes:
    """What stands after its length; ValueError unless it is whole."""
    length = int.from_bytes(file.read(_LENGTH), "little")
    if length > most or len(content := file.read(length)) != length:
        raise ValueError("an array is cut short")
    return content


def _check_facts(name: str, head: Head, solver: PublicTree) -> None:
    """Refuse the state of another game or solver."""
    ours = _facts(solver)
    words = {"kind": "kind of float", "growth": "threshold"}
    for key in ours:
        theirs = head.fields.get(key)
        if theirs != ours[key]:
            raise LiarsDiceError(
                f"the checkpoint {name} has another {words.get(key, key)}: {str(theirs)[:200]}, not {ours[key]}; "
                "give the options it was made with, or start without ",
                Argument("resume"),
            )


def _fill(file: BinaryIO, begin: _Begin, solver: PublicTree) -> None:
    """Take the grown tree and the walk that was under way; ValueError unless all is there and lies where it may."""
    tree, shards = solver.tree, len(solver.tree.shards)
    if len(begin.state) != 2 + shards or len(begin.sizes) != 1 + shards:
        raise ValueError("another number of shards")
    starts = sections.starts(tree, begin.sizes, begin.end)
    if starts[-1] + (len(begin.sizes) + 2) * _SUM != file.seek(0, SEEK_END):
        raise ValueError("more or less than the sections")
    tree.reset()
    tree.subtrees[:] = begin.state[:2]
    tree.roots = begin.roots.copy()
    count, refused = tree.subtrees.tolist()
    if not (0 <= count <= len(tree.roots) and refused >= 0) or (tree.roots[count:] != NONE).any():
        raise ValueError("subtrees out of range")
    tree.check_subtrees(shards)
    file.seek(starts[0])
    tree.top = sections.read(tree, NONE, begin.sizes[0], begin.checks[0], file)
    solver.holder.take(file, starts[1:], begin.sizes[1:], begin.checks[1:])
    solver.done = set(np.flatnonzero(begin.state[2:]).tolist())
    solver.walks.fit()
    if solver.done:
        below = solver.walks.below.value
        below[:] = np.frombuffer(begin.values, solver.kind).reshape(below.shape)


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
    progress = {"iteration": solver.iteration, "learner": solver.learner, "proved": bounds}
    return json.dumps(_facts(solver) | progress).encode() + b"\n"


def _arrays(solver: PublicTree) -> Iterator[bytes]:
    """What stands between the head and the sections."""
    tree = solver.tree
    state = np.array([*tree.subtrees, *(number in solver.done for number in range(len(tree.shards)))], np.int64)
    values = solver.walks.below.value if solver.done else np.zeros(0)
    for array in (state, tree.roots, tree.sizes, values):
        yield array.nbytes.to_bytes(_LENGTH, "little")
        yield array.tobytes()
