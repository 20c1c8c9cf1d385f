"""Standard output: lines and tables for a person, JSON for a program."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import RenderableType

_PIPE_WIDTH = 160
_VERSIONS = {"solve": 2, "verify": 2}
"""Versions of the schemas that are not the first."""


def print_json(kind: str, content: dict[str, Any]) -> None:
    """One JSON document that begins with its schema: `liarsdice/KIND/VERSION`."""
    json.dump({"schema": f"liarsdice/{kind}/{_VERSIONS.get(kind, 1)}"} | content, sys.stdout, indent=1)
    click.echo()


def print_lines(lines: Iterable[str]) -> None:
    """Plain lines."""
    for line in lines:
        click.echo(line)


def print_tables(parts: Iterable[RenderableType]) -> None:
    """Lines and tables, as wide as the terminal; colours only there, and not with NO_COLOR."""
    from rich.console import Console

    console = Console(width=None if sys.stdout.isatty() else _PIPE_WIDTH, highlight=False, emoji=False)
    for part in parts:
        if isinstance(part, str):
            click.echo(part)
            continue
        with console.capture() as table:  # rich would end the process itself where a pipe is closed
            console.print(part)
        print_lines(line.rstrip() for line in table.get().splitlines())
