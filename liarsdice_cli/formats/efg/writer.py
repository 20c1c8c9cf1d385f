"""Write .efg files in sections, each of which can be made alone, so that the memory does not grow with the tree.

All sections but the last have the same number of nodes. A bracket that is written once, at the first node of its information
set or outcome, follows from the game and not from earlier sections.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import IO, TYPE_CHECKING

from liarsdice_cli.extensive.stream import TreeStream
from liarsdice_cli.formats import files
from liarsdice_cli.formats.efg.lines import Lines, quoted

if TYPE_CHECKING:
    from liarsdice_cli.system.tasks import InOrder

LABELS = ("auto", "full", "none")
"""Which information sets carry labels: those of small games (`LABELLED_NODES`), all, or none."""

LABELLED_NODES = 20_000
"""The largest game, in nodes, that `auto` writes with labels and brackets everywhere; see docs/efg.md for the measurement."""

SECTION = 1 << 18
"""Nodes in a section: some megabytes of text, made in hundredths of a second, packed in tenths."""


def write(
    stream: TreeStream,
    out: IO[bytes],
    labels: str = "auto",
    progress: Callable[[int], None] = lambda nodes: None,
    in_order: InOrder = map,
) -> None:
    """Write the game in Gambit's format, in memory that does not grow with it.

    labels   : 'full' labels every information set and repeats its bracket at each of its nodes, for people to read;
               'none' leaves the labels away and gives every bracket once, which is a quarter of the size; 'auto' chooses
    progress : called with the number of nodes of every section written
    in_order : maps a function over the sections, possibly in other processes; the bytes do not change

    Numbers are written as exact fractions. Speed: 30 to 40 million nodes a second and core, in Python (see `COMPILED`) 6 to 8
    million, with labels 1 million.
    """
    pack, take = files.packing(out)
    left = stream.nodes
    for data in in_order(partial(_packed, pack, stream, labels), range(sections(stream))):
        take(data)
        progress(min(left, SECTION))
        left -= SECTION


def dumps(stream: TreeStream, labels: str = "auto") -> bytes:
    """Return the file as bytes, for games that fit in memory.

    >>> from liarsdice_cli.games.liarsdice import tree, rules
    >>> print(dumps(tree.stream(rules.rules("common", 1))).decode().splitlines()[-1])
    t "" 1 "P1 wins" { 1, 0 }
    """
    return b"".join(section(stream, labels, index) for index in range(sections(stream)))


def sections(stream: TreeStream) -> int:
    """Return the number of sections of a game's file, which depends only on its number of nodes."""
    return -(-stream.nodes // SECTION)


def section(stream: TreeStream, labels: str, index: int) -> bytes:
    """Return a section of the file; the first one includes the header, and all of them in order are the file.

    The arguments can be pickled. Each process computes the lines that sections share once.

    >>> from liarsdice_cli.games.liarsdice import tree, rules
    >>> section(tree.stream(rules.rules("common", 1)), "none", 0).decode().splitlines()[-1]
    't "" 1'
    """
    lines = _lines(stream, labels == "full" or (labels == "auto" and stream.nodes <= LABELLED_NODES))
    start = index * SECTION
    nodes = lines.of(stream.between(start, min(start + SECTION, stream.nodes)), start)
    return _header(stream) + nodes if index == 0 else nodes


def _packed(pack: Callable[[bytes], bytes], stream: TreeStream, labels: str, index: int) -> bytes:
    return pack(section(stream, labels, index))


def _header(stream: TreeStream) -> bytes:
    players = " ".join(map(quoted, stream.players))
    return f"EFG 2 R {quoted(stream.title)} {{ {players} }}\n{quoted(stream.comment)}\n\n".encode()


def _lines(stream: TreeStream, full: bool) -> Lines:
    """Return the lines object that the sections of a game share; the stream caches it."""
    key = f"lines of .efg, {'full' if full else 'brief'}"
    if key not in stream.memo:
        stream.memo[key] = Lines(stream, full)
    lines: Lines = stream.memo[key]
    return lines
