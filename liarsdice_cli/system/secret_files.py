"""A secret that is kept in a file which only its owner can read."""

from __future__ import annotations

import os
import re
import secrets
import stat

from liarsdice_cli.errors import LiarsDiceError

_SECRET = re.compile(r"[A-Za-z0-9_-]{22,100}")
"""At least 128 random bits, as `secrets.token_urlsafe(16)` writes them."""


def kept_secret(name: str) -> str:
    """Return the secret in a file that only its owner can read; write a new one if there is no file.

    With it, and with one port, a page has the same address whenever it is served. Raises LiarsDiceError for a file that other
    users can read, that holds something else, or that cannot be read or written.
    """
    try:
        _write(name)
    except FileExistsError:
        pass
    except OSError as error:
        raise LiarsDiceError(f"cannot write {name!r}: {error.strerror}; name a file in a folder that exists") from error
    try:
        with open(name, encoding="ascii") as text:
            others = stat.S_IMODE(os.fstat(text.fileno()).st_mode) & 0o077
            found = text.read(1000).strip()
    except OSError as error:
        raise LiarsDiceError(f"cannot read {name}: {error.strerror}; name another file") from error
    except ValueError as error:
        raise LiarsDiceError(f"{name} does not contain a secret: name a file that does not exist yet") from error
    if others and os.name == "posix":
        raise LiarsDiceError(f"{name} can be read by other users: chmod 600 {name}")
    if not _SECRET.fullmatch(found):
        raise LiarsDiceError(f"{name} does not contain a secret: name a file that does not exist yet")
    return found


def _write(name: str) -> None:
    """Write a new secret, or nothing; FileExistsError if there is a file of this name."""
    descriptor = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.write(descriptor, f"{secrets.token_urlsafe(16)}\n".encode())
    except OSError:
        os.close(descriptor)
        os.unlink(name)
        raise
    os.close(descriptor)
