"""Files as a person names them: `-` for a pipe, gzip by itself, and nothing half-written ever."""

from __future__ import annotations

import gzip
import io
import os
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import IO, Any, cast

from liarsdice_cli.errors import LiarsDiceError, check_type
from liarsdice_cli.formats import parts
from liarsdice_cli.system import memory

PIPE = "-"
_COMPRESSED = ".gz"
USUAL = 4 * 10**9
"""The most bytes that are read where nothing else is said."""
_GZIP_MAGIC = b"\x1f\x8b"
_PIECE = 1 << 20
_most: ContextVar[int | None] = ContextVar("most", default=None)


def read(name: str) -> bytes:
    """The bytes of a file, or of standard input for `-`; gzip is undone wherever it is found.

    Raises LiarsDiceError that names the file and the reason; one reason is that there is more than `at_most` says, packed
    or unpacked.
    """
    check_type("name", name, str, "give the name of a file as text")
    most = _most.get()
    most = min(USUAL, memory.available() // 2) if most is None else most
    try:
        if name == PIPE:
            data = _whole(cast(io.BufferedReader, sys.stdin.buffer), name, most)
        else:
            with Path(name).open("rb") as file:
                data = _whole(file, name, most)
    except OSError as error:
        raise LiarsDiceError(f"cannot read {name}: {_reason(error)}") from error
    if not data.startswith(_GZIP_MAGIC):
        return data
    try:
        return _whole(gzip.GzipFile(fileobj=io.BytesIO(data)), name, most)
    except (OSError, EOFError, zlib.error) as error:
        raise LiarsDiceError(
            f"cannot read {shown(name)}: the gzip data is damaged or cut short; copy the file again"
        ) from error


def _whole(stream: io.BufferedReader | gzip.GzipFile, name: str, most: int) -> bytes:
    """All that a stream holds, read piece by piece so that one without an end is noticed.

    Python heeds an interrupt between two reads of the system, but not between those within one `read` of its own.
    """
    kept = io.BytesIO()
    while piece := stream.read1(_PIECE):
        if kept.tell() + len(piece) > most:
            raise LiarsDiceError(
                f"cannot read {shown(name)}: it holds more than {memory.size(most)}, the most that is read; if it is meant, "
                f"raise that in front of the command: liarsdice --max-input {4 * most // 10**9 + 1}GB ..."
            )
        kept.write(piece)
    return kept.getvalue()


@contextmanager
def at_most(size: int) -> Iterator[None]:
    """Inside, `read` takes so many bytes; otherwise `USUAL`, or half of the free memory if that is less."""
    before = _most.set(size)
    try:
        yield
    finally:
        _most.reset(before)


@contextmanager
def output(name: str, packed: bool = True) -> Iterator[IO[bytes]]:
    """A place to write bytes that ends up whole or not at all: standard output for `-`, else the named file.

    A file is written beside its final place and moved there when the block ends well (see `parts`); after an error or an
    interrupt nothing of it is left, and a file that was there before is untouched. Names ending in .gz are compressed, a gzip
    member for what is written at once, if the file may be `packed`. Pipes and devices are written directly. Raises
    LiarsDiceError that names the file and the reason.
    """
    if name == PIPE:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    given = Path(name)
    try:
        if given.exists() and not given.is_file() and not given.is_dir():
            with given.open("wb") as device, _compressed(name if packed else "", device) as out:
                yield out
            return
        target = Path(os.path.realpath(name))  # a link stays one
        if target.is_dir():
            raise IsADirectoryError(21, "it is a directory")
        with parts.moved_into_place(target) as file, _compressed(name if packed else "", file) as out:
            yield out
    except BrokenPipeError:
        raise
    except OSError as error:
        raise LiarsDiceError(f"cannot write {name}: {_reason(error)}") from error


def uncompressed(name: str) -> str:
    """The name that a file would have if it were not compressed, which says what is in it.

    >>> uncompressed("game.efg.gz"), uncompressed("game.efg")
    ('game.efg', 'game.efg')
    """
    return name[: -len(_COMPRESSED)] if name.lower().endswith(_COMPRESSED) else name


def shown(name: str) -> str:
    """How messages call a file."""
    return "standard input" if name == PIPE else name


def check_writable(name: str) -> None:
    """Refuse at once what `output` would refuse after the work is done: a directory, or a folder that is not there.

    Raises LiarsDiceError as `output` does; a disk can still turn out to be full later.
    """
    target = Path(os.path.realpath(name))
    if name != PIPE and target.is_dir():
        raise LiarsDiceError(f"cannot write {name}: it is a directory; name a file in it")
    if name != PIPE and not os.access(target.parent, os.W_OK):
        missing = "the folder cannot be written" if target.parent.is_dir() else "there is no such folder"
        raise LiarsDiceError(f"cannot write {name}: {missing}; check the name and the folder")


def packing(out: IO[bytes]) -> tuple[Callable[[bytes], bytes], Callable[[bytes], object]]:
    """What packs bytes for an output of `output`, a function that can be pickled; and what takes them there once packed."""
    return (_member, out.take) if isinstance(out, _Members) else (bytes, out.write)


class _Members(io.RawIOBase):
    """A gzip file of members, one after the other: what is written at once is packed alone, which can be done elsewhere."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self._empty = file, True

    def write(self, data: Any) -> int:
        self.take(_member(data))
        return len(data)

    def take(self, member: bytes) -> None:
        """Put a member at the end of the file."""
        self._file.write(member)
        self._empty = False

    def finish(self) -> None:
        """A file of no bytes is a member, too."""
        if self._empty:
            self.write(b"")


def _member(data: bytes) -> bytes:
    """A gzip file, or a member of one, that holds these bytes; the same at any time and under any name."""
    packed = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=packed, compresslevel=6, mtime=0) as out:
        out.write(data)
    return packed.getvalue()


@contextmanager
def _compressed(name: str, file: IO[bytes]) -> Iterator[IO[bytes]]:
    if uncompressed(name) == name:
        yield file
        return
    members = _Members(file)
    yield cast(IO[bytes], members)
    members.finish()


def _reason(error: OSError) -> str:
    """What went wrong in words, with what to do where that is known."""
    text = (error.strerror or str(error)).rstrip(".")
    mend = {
        2: "check the name and the folder",
        21: "name a file in it",
        13: "choose a place where you may read and write",
        28: "free some space or write elsewhere",
        30: "choose a place that can be written",
    }.get(error.errno or 0)
    return f"{text}; {mend}" if mend else text
