"""Checkpoints: the whole state of a public-tree solver in a file, from which it goes on as if nothing had happened.

A line that names the format, a line of JSON (game, method, kind of float, iteration, what is proved, the shapes of the
arrays), the arrays one after the other as they lie in memory (little-endian), and four bytes with the CRC-32 of all that.

What is read back is what was written: the sum is looked at before anything else, and then everything has to lie where a
solver can have come to.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from io import SEEK_END
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np

from liarsdice_cli.errors import Argument, LiarsDiceError
from liarsdice_cli.extensive.tree import Floats
from liarsdice_cli.formats import files
from liarsdice_cli.formats.heads import LONGEST, Head
from liarsdice_cli.solvers.public_tree.solver import PublicTree
from liarsdice_cli.solvers.regret.convergence import Bounds

_MAGIC = b"liarsdice checkpoint 1\n"
_PIECE = 1 << 24
_SUM = 4
_MOST_ITERATIONS = 1 << 53


def write(name: str, solver: PublicTree, proved: Bounds | None) -> None:
    """Keep the state; the file that was there stays until the new one is whole. LiarsDiceError where it cannot be written."""
    with files.output(name) as out:
        check = 0
        pieces: Iterator[Any] = chain((_MAGIC, _head(solver, proved)), _pieces(solver))
        for piece in pieces:
            out.write(piece)
            check = zlib.crc32(piece, check)
        out.write(check.to_bytes(_SUM, "little"))


def read(name: str, solver: PublicTree) -> Bounds | None:
    """Fill a new solver with a kept state; returns what had been proved.

    Raises LiarsDiceError for a file that is no checkpoint, of another version, game, method or kind of float, or damaged;
    the solver is then of no use. Cost: the file is read twice, the first time for its sum.
    """
    try:
        with Path(name).open("rb") as file:
            return _read(name, file, solver)
    except OSError as error:
        raise LiarsDiceError(f"cannot read the checkpoint {name}: {error.strerror or error}") from error


def _read(name: str, file: BinaryIO, solver: PublicTree) -> Bounds | None:
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
    except ValueError:
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
    for key, what in (("game", "game"), ("method", "method"), ("kind", "kind of float"), ("shapes", "size")):
        theirs = head.fields.get(key)
        if theirs != ours[key]:
            raise LiarsDiceError(
                f"the checkpoint {name} has another {what}: {str(theirs)[:200]}, not {ours[key]}; "
                "give the options it was made with, or start without ",
                Argument("resume"),
            )


def _fill(file: BinaryIO, solver: PublicTree) -> None:
    """Read the arrays into the solver; ValueError unless they are all there, and finite."""
    for piece in _pieces(solver):
        if file.readinto(piece) != len(piece):  # type: ignore[attr-defined]
            raise ValueError("the arrays are cut short")
        if not np.isfinite(np.frombuffer(piece, solver.kind)).all():
            raise ValueError("a number is not finite")
    if len(file.read(_SUM + 1)) != _SUM:
        raise ValueError("the arrays are too long")
    if any(array.size and array.min() < 0 for array in solver.averages):
        raise ValueError("a strategy is negative")


def _progress(head: Head, solver: PublicTree) -> Bounds | None:
    """Set the iteration, and give what was proved: bounds in their order within the payoffs. ValueError for others."""
    solver.iteration = head.whole("iteration", 0, _MOST_ITERATIONS)
    if not head.has("proved"):
        return None
    lower, upper = head.numbers("proved")
    game = solver.game
    lose, win = sorted(map(float, game.payoffs))
    if not (lose - game.rounding_error <= lower <= upper + game.rounding_error <= win + 2 * game.rounding_error):
        raise ValueError("no bounds")
    return Bounds(lower, upper)


def _facts(solver: PublicTree) -> dict[str, Any]:
    return {
        "game": solver.game.name,
        "method": solver.minimiser.name,
        "kind": np.dtype(solver.kind).name,
        "shapes": [list(array.shape) for array in _arrays(solver)],
    }


def _head(solver: PublicTree, proved: Bounds | None) -> bytes:
    bounds = [proved.lower, proved.upper] if proved else None
    return json.dumps(_facts(solver) | {"iteration": solver.iteration, "proved": bounds}).encode() + b"\n"


def _arrays(solver: PublicTree) -> list[Floats]:
    return [*solver.regrets, *solver.averages, *solver.last]


def _pieces(solver: PublicTree) -> Iterator[memoryview[int]]:
    """The bytes of all arrays, in place."""
    for array in _arrays(solver):
        if array.size:
            whole = memoryview(cast(Any, array.reshape(-1).view(np.uint8)))
            for start in range(0, len(whole), _PIECE):
                yield whole[start : start + _PIECE]
