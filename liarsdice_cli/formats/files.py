"""Files as a person names them: `-` for a pipe, gzip by itself, and nothing half-written ever."""

from __future__ import annotations

import gzip
import os
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, cast

from liarsdice_cli.errors import LiarsDiceError

PIPE = "-"
_COMPRESSED = ".gz"
_GZIP_MAGIC = b"\x1f\x8b"


def read(name: str) -> bytes:
    """The bytes of a file, or of standard input for `-`; gzip is undone wherever it is found.

    Raises LiarsDiceError that names the file and the reason.
    """
    try:
        data = sys.stdin.buffer.read() if name == PIPE else Path(name).read_bytes()
    except OSError as error:
        raise LiarsDiceError(f"cannot read {name}: {_reason(error)}") from error
    if not data.startswith(_GZIP_MAGIC):
        return data
    try:
        return gzip.decompress(data)
    except (OSError, EOFError, zlib.error) as error:
        raise LiarsDiceError(
            f"cannot read {shown(name)}: the gzip data is damaged or cut short; copy the file again"
        ) from error


@contextmanager
def output(name: str) -> Iterator[IO[bytes]]:
    """A place to write bytes that ends up whole or not at all: standard output for `-`, else the named file.

    A file is written beside its final place and moved there when the block ends well; after an error or an interrupt
    nothing of it is left, and a file that was there before is untouched. Names ending in .gz are compressed. Pipes and
    devices are written directly. Raises LiarsDiceError that names the file and the reason.
    """
    if name == PIPE:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    given = Path(name)
    try:
        if given.exists() and not given.is_file() and not given.is_dir():
            with given.open("wb") as device, _compressed(name, device) as out:
                yield out
            return
        target = Path(os.path.realpath(name))  # a link stays one
        if target.is_dir():
            raise IsADirectoryError(21, "it is a directory; name a file in it")
        with _moved_into_place(target) as file, _compressed(name, file) as out:
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


@contextmanager
def _moved_into_place(target: Path) -> Iterator[IO[bytes]]:
    part = target.with_name(f".{target.name}.{os.urandom(4).hex()}.part")
    try:
        with part.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            part.chmod(target.stat().st_mode & 0o777)
        part.replace(target)
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


@contextmanager
def _compressed(name: str, file: IO[bytes]) -> Iterator[IO[bytes]]:
    if uncompressed(name) == name:
        yield file
        return
    with gzip.GzipFile(filename="", mode="wb", fileobj=file, compresslevel=6, mtime=0) as packed:
        yield cast(IO[bytes], packed)


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
