"""Files as a user names them: `-` is a pipe, gzip is handled here, and a file is written whole or not at all.

A writer fills a part file beside the target and moves it there once it is complete. A writer that is killed leaves its part
file behind, and the next writer to the same target removes it. To be sure that its owner is gone, every writer locks its part
file; the system releases the lock when the process ends. Some network file systems do not show the locks of other machines, so
only part files of this machine are removed. Their names are `.NAME.mmmmmmmmrrrrrrrr.part`: eight digits for the machine and
eight random ones. Windows has no such locks, but it cannot remove an open file; there, a part file is removed a day after its
last change.
"""

from __future__ import annotations

import gzip
import io
import os
import re
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, BinaryIO, cast

from liarsdice_cli.errors import LiarsDiceError, UsageError, check_type
from liarsdice_cli.system import interrupts, memory
from liarsdice_cli.system.locks import LOCKS, lock, machine
from liarsdice_cli.text import printable

FileName = str | os.PathLike[str]
"""The name of a file, as text or as a path."""
PIPE = "-"
DEFAULT_LIMIT = 4 * 10**9
"""Default limit on the bytes of an input."""
_COMPRESSED = ".gz"
_GZIP_MAGIC = b"\x1f\x8b"
_PIECE = 1 << 20
_PART = ".part"
_DIGITS = 8
_ABANDONED = 24 * 3600
"""Age in seconds at which a part file without a lock is removed."""
_LIMIT = "LIARSDICE_MAX_INPUT"
"""The environment variable with the limit of `at_most`; workers and other processes that are started inherit it."""
_LONGEST_BEGINNING = 160
"""The most bytes of a name that the names of its part files begin with; a file system allows 255 in all."""


def read(name: str) -> bytes:
    """Return the bytes of a file, or of standard input for `-`, uncompressed if they are in gzip format.

    Raises LiarsDiceError, naming the file, if it cannot be read or holds more bytes than `at_most` allows.
    """
    _check_name(name)
    try:
        if name == PIPE:
            data = _whole(cast(io.BufferedReader, sys.stdin.buffer), name)
        else:
            with Path(name).open("rb") as file:
                data = _whole(file, name)
    except OSError as error:
        raise LiarsDiceError(f"cannot read {name}: {reason(error)}") from error
    if not data.startswith(_GZIP_MAGIC):
        return data
    try:
        return _whole(gzip.GzipFile(fileobj=io.BytesIO(data)), name)
    except (OSError, EOFError, zlib.error) as error:
        raise LiarsDiceError(
            f"cannot read {shown(name)}: the gzip data is damaged or cut short; copy the file again"
        ) from error


def check_size(name: str, size: int, limit: int | None = None) -> None:
    """Raise LiarsDiceError, naming the file, if its unpacked `size` in bytes is above `limit` (or that of `at_most`)."""
    limit = limit or _largest()
    if size > limit:
        raise LiarsDiceError(
            f"cannot read {shown(name)}: it holds more than {memory.size(limit)}, the limit; to read it, give a "
            f"higher limit before the command: liarsdice --max-input {4 * limit // 10**9 + 1}GB ..."
        )


def _largest() -> int:
    given = os.environ.get(_LIMIT, "")
    return int(given) if re.fullmatch("[0-9]{1,30}", given) else min(DEFAULT_LIMIT, memory.available() // 2)


def _whole(stream: io.BufferedReader | gzip.GzipFile, name: str) -> bytes:
    """Return all bytes of a stream; raise LiarsDiceError as soon as there are more than the limit.

    It reads in pieces because Python handles an interrupt between two system calls, but not inside one large `read`.
    """
    kept, limit = io.BytesIO(), _largest()
    while piece := _piece(stream):
        check_size(name, kept.tell() + len(piece), limit)
        kept.write(piece)
    return kept.getvalue()


def _piece(stream: io.BufferedReader | gzip.GzipFile) -> bytes:
    """Return the next bytes of a stream, or none at its end."""
    with suppress(ValueError):  # a stream in memory, or more than a thousand open files
        interrupts.wait_for_input(stream.fileno())
    return stream.read1(_PIECE)


@contextmanager
def at_most(size: int) -> Iterator[None]:
    """Limit `read` and `check_size` to this many bytes inside the block, also in processes that start there.

    The default is `DEFAULT_LIMIT`, or half of the free memory if that is less.
    """
    before = os.environ.get(_LIMIT)
    os.environ[_LIMIT] = str(size)
    try:
        yield
    finally:
        if before is None:
            del os.environ[_LIMIT]
        else:
            os.environ[_LIMIT] = before


@contextmanager
def output(name: str, packed: bool = True) -> Iterator[IO[bytes]]:
    """Open a file for bytes that appears whole at the end of the block, or not at all; `-` is standard output.

    If the block raises an error or is interrupted, an existing file stays as it was. If the name ends in .gz and `packed` is
    true, each write becomes one gzip member. Pipes and devices are written directly.

    Raises LiarsDiceError, naming the file, if it cannot be written.
    """
    if name == PIPE:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    _check_name(name)
    given = Path(name)
    try:
        if given.exists() and not given.is_file() and not given.is_dir():
            with given.open("wb") as device, _compressed(name if packed else "", device) as out:
                yield out
            return
        target = Path(os.path.realpath(name))  # replace the file that a link names, not the link
        if target.is_dir():
            raise IsADirectoryError(21, "it is a directory")
        with _moved_into_place(target) as file, _compressed(name if packed else "", file) as out:
            yield out
    except BrokenPipeError:
        raise
    except OSError as error:
        raise LiarsDiceError(f"cannot write {name}: {reason(error)}") from error


@contextmanager
def _moved_into_place(target: Path) -> Iterator[BinaryIO]:
    """Open a part file and move it to the target, with the target's mode, if the block succeeds; remove it otherwise.

    Removes abandoned part files of the same target first. Raises OSError.
    """
    _remove_orphans(target)
    while True:
        part = target.with_name(f"{_begin(target)}{os.urandom(_DIGITS // 2).hex()}{_PART}")
        try:  # opened inside, because an interrupt can arrive as soon as the file exists
            with part.open("xb") as file:
                if not _locked(file) or not part.exists():
                    continue  # another writer removed it as abandoned before it was locked
                yield file
                file.flush()
                os.fsync(file.fileno())
                if LOCKS:  # move it under the lock; Windows cannot move an open file, and has no modes
                    if target.exists():
                        part.chmod(target.stat().st_mode & 0o777)
                    part.replace(target)
            if not LOCKS:
                part.replace(target)
            return
        finally:
            with suppress(OSError):
                part.unlink(missing_ok=True)


def _remove_orphans(target: Path) -> None:
    """Remove the target's part files that this machine made and whose writers have ended; keep them if in doubt."""
    begin = _begin(target)
    with suppress(OSError), os.scandir(target.parent) as entries:
        for entry in entries:
            fits = entry.name.startswith(begin) and len(entry.name) == len(begin) + _DIGITS + len(_PART)
            if fits and entry.name.endswith(_PART) and entry.is_file(follow_symlinks=False):
                _remove_orphan(Path(entry.path))


def _remove_orphan(part: Path) -> None:
    with suppress(OSError):  # locked, open on Windows, or already removed
        if not LOCKS:
            if time.time() - part.stat().st_mtime > _ABANDONED:
                part.unlink()
            return
        with part.open("r+b") as file:
            lock(file)
            part.unlink()


def _locked(file: BinaryIO) -> bool:
    """Lock a file and return whether no other process holds its lock. A file system without locks counts as success."""
    try:
        lock(file)
    except BlockingIOError:
        return False
    except OSError:
        pass
    return True


def _begin(target: Path) -> str:
    """Return the prefix of the names of a target's part files on this machine, short enough for every file system."""
    return f".{os.fsdecode(os.fsencode(target.name)[:_LONGEST_BEGINNING])}.{machine()}"


def uncompressed(name: str) -> str:
    """Return the name without .gz, so that its ending names the format.

    >>> uncompressed("game.efg.gz"), uncompressed("game.efg")
    ('game.efg', 'game.efg')
    """
    return name[: -len(_COMPRESSED)] if name.lower().endswith(_COMPRESSED) else name


def shown(name: str) -> str:
    """Return the name that messages use for a file."""
    return "standard input" if name == PIPE else name


def check_writable(name: str) -> None:
    """Raise LiarsDiceError if the name is a directory or its folder cannot be written, before any long work starts.

    A full disk is noticed only by `output`.
    """
    _check_name(name)
    target = Path(os.path.realpath(name))
    if name != PIPE and target.is_dir():
        raise LiarsDiceError(f"cannot write {name}: it is a directory; name a file in it")
    if name != PIPE and not os.access(target.parent, os.W_OK):
        missing = "the folder cannot be written" if target.parent.is_dir() else "there is no such folder"
        raise LiarsDiceError(f"cannot write {name}: {missing}; check the name and the folder")


def check_exists(name: str) -> None:
    """Raise LiarsDiceError if there is no file of this name; `-` exists."""
    if name != PIPE and not Path(name).exists():
        raise LiarsDiceError(f"cannot read {shown(name)}: {reason(FileNotFoundError(2, os.strerror(2)))}")


def name_of(name: object) -> str:
    """Return the name of a file as text; UsageError for anything but text or a path.

    >>> name_of("game.efg"), name_of(Path("game.efg"))
    ('game.efg', 'game.efg')
    """
    found = os.fspath(name) if isinstance(name, os.PathLike) else name
    check_type("name", found, str, "give the name of a file, as text or as a path")
    return cast(str, found)


def _check_name(name: str) -> None:
    """Raise UsageError unless this text can name a file. An empty text cannot, nor one with a slash at the end."""
    name_of(name)
    if not name:
        raise UsageError("the name of a file is empty: give a name")
    if "\0" in name:
        raise UsageError(f"{printable(name, 80)} holds a null character, which no name of a file can: give another name")
    if name.endswith(("/", os.sep)):  # `Path` drops the slash, and would accept the name of a file
        raise UsageError(f"{name} is the name of a folder: name a file in it")


def packing(out: IO[bytes]) -> tuple[Callable[[bytes], bytes], Callable[[bytes], object]]:
    """Return two functions for a file of `output`: one that packs bytes, which can be pickled, and one that writes them."""
    return (_member, out.take) if isinstance(out, _Members) else (bytes, out.write)


class _Members(io.RawIOBase):
    """A gzip file in which each write is a separate member, so that another process can pack it."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self._empty = file, True

    def write(self, data: Any) -> int:
        self.take(_member(data))
        return len(data)

    def take(self, member: bytes) -> None:
        """Append a packed member to the file."""
        self._file.write(member)
        self._empty = False

    def finish(self) -> None:
        """Write an empty member if the file has none, because a gzip file needs one."""
        if self._empty:
            self.write(b"")


def _member(data: bytes) -> bytes:
    """Return a gzip member that holds these bytes; equal bytes give equal members at any time and under any name."""
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


def reason(error: OSError) -> str:
    """Return the cause of an error in words, with the remedy if there is one."""
    text = (error.strerror or str(error)).rstrip(".")
    remedy = {
        2: "check the name and the folder",
        21: "name a file in it",
        13: "choose a place where you may read and write",
        28: "free some space or write elsewhere",
        30: "choose a place that can be written",
    }.get(error.errno or 0)
    return f"{text}; {remedy}" if remedy else text
