"""Checkpoints: the whole state of a public-tree solver in a file, from which it goes on as if nothing had happened.

A line that names the format, a line of JSON (game, method, kind of float, iteration, what is proved, the shapes of the
arrays), the arrays one after the other as they lie in memory (little-endian), and four bytes with the CRC-32 of all that.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import IO, Any, cast

import numpy as np

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.tree import Floats
from liarsdice_cli.formats import files
from liarsdice_cli.solvers.public_tree.solver import PublicTree
from liarsdice_cli.solvers.regret.convergence import Bounds

_MAGIC = b"liarsdice checkpoint 1\n"
_PIECE = 1 << 24
_LONGEST_HEAD = 1 << 16


def write(name: str, solver: PublicTree, proved: Bounds | None) -> None:
    """Keep the state; the file that was there stays until the new one is whole. LiarsDiceError where it cannot be written."""
    with files.output(name) as out:
        check = 0
        pieces: Iterator[Any] = chain((_MAGIC, _head(solver, proved)), _pieces(solver))
        for piece in pieces:
            out.write(piece)
            check = zlib.crc32(piece, check)
        out.write(check.to_bytes(4, "little"))


def read(name: str, solver: PublicTree) -> Bounds | None:
    """Fill a new solver with a kept state; returns what had been proved.

    Raises LiarsDiceError for a file that is no checkpoint, of another version, game, method or kind of float, or damaged;
    the solver is then of no use.
    """
    try:
        with Path(name).open("rb") as file:
            return _read(name, file, solver)
    except OSError as error:
        raise LiarsDiceError(f"cannot read the checkpoint {name}: {error.strerror or error}") from error


def _read(name: str, file: IO[bytes], solver: PublicTree) -> Bounds | None:
    magic = file.readline(len(_MAGIC))
    if magic != _MAGIC:
        other = magic.startswith(_MAGIC[:21])
        why = "is of another version of this program" if other else "is no checkpoint"
        raise LiarsDiceError(f"{name} {why}: name the file that --checkpoint wrote, or start without --resume")
    line = file.readline(_LONGEST_HEAD)
    damaged = LiarsDiceError(f"the checkpoint {name} is damaged or cut short: use an older copy, or start without --resume")
    try:
        head = json.loads(line)
        if not isinstance(head, dict):
            raise damaged
    except ValueError:
        raise damaged from None
    ours = _facts(solver)
    for key, what in (("game", "game"), ("method", "method"), ("kind", "kind of float"), ("shapes", "size")):
        if head.get(key) != ours[key]:
            raise LiarsDiceError(
                f"the checkpoint {name} has another {what}: {head.get(key)}, not {ours[key]}; "
                "give the options it was made with, or start without --resume"
            )
    check = zlib.crc32(line, zlib.crc32(magic))
    for piece in _pieces(solver):
        if file.readinto(piece) != len(piece):  # type: ignore[attr-defined]
            raise damaged
        check = zlib.crc32(piece, check)
    if file.read() != check.to_bytes(4, "little"):
        raise damaged
    try:
        solver.iteration = int(head["iteration"])
        return Bounds(*map(float, head["proved"])) if head["proved"] else None
    except (KeyError, TypeError, ValueError):
        raise damaged from None


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
