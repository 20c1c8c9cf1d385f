"""Packages that only some functions need."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from liarsdice_cli.errors import LiarsDiceError


def optional(name: str) -> Any:
    """Return a package that may not be installed; LiarsDiceError, with the command that installs it, if it is not."""
    try:
        return import_module(name)
    except ImportError as error:
        raise LiarsDiceError(f"this needs {name}, which is not installed; run: pip install {name}") from error
