"""Printing: lines and tables for a person, JSON for a program, and messages on standard error."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, redirect_stdout
from functools import partial
from textwrap import wrap
from typing import TYPE_CHECKING

import click

from liarsdice_cli.errors import UsageError
from liarsdice_cli.report.tables import on_command_line
from liarsdice_cli.text import printable

if TYPE_CHECKING:
    from rich.console import RenderableType

_PIPED_TEXT, _PIPED_TABLE = 100, 160
"""The widths of text and of tables without a terminal. Tables are wider, since programs cut their columns."""
_NARROWEST = 20
_LONG_WORD = 5_000
"""Characters without a blank from which a line is cut anywhere."""
_SECOND_COLUMN = re.compile(r"\S.{0,30}? {2,}(?=\S)")
_LONGEST = 1000
"""The most characters of a message about a problem; a longer one, which quotes some input, loses its middle."""
_write: Callable[[str], object] = partial(click.echo, err=True)
"""The function that writes a line of a message."""


@contextmanager
def messages_by(write: Callable[[str], object]) -> Iterator[None]:
    """Write each line of a message with this function inside the block, such as above a progress bar."""
    global _write
    before, _write = _write, write
    try:
        yield
    finally:
        _write = before


def policy_output() -> AbstractContextManager[object]:
    """Print on standard error inside the block, which runs a user's policy, so that standard output holds the answer alone."""
    return redirect_stdout(sys.stderr)


def print_json(kind: str, content: Mapping[str, object], indent: int | None = 1) -> None:
    """Print a JSON document that begins with its schema, `liarsdice/KIND/VERSION`; on one line if `indent` is None."""
    import json

    from liarsdice_cli.formats.documents import schema

    json.dump({"schema": schema(kind), **content}, sys.stdout, indent=indent)
    click.echo()


def print_names(summaries: Mapping[str, str], as_json: bool) -> None:
    """Print a list of names with a line on each, or the JSON document `names`."""
    if as_json:
        print_json("names", {"names": [{"name": name, "summary": summary} for name, summary in summaries.items()]})
        return
    width = max(map(len, summaries))
    print_lines(f"{name:{width}}  {summary}" for name, summary in summaries.items())


def print_lines(lines: Iterable[str]) -> None:
    """Print plain lines, which cannot control the terminal; one that is too wide continues, indented, on the next."""
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else _PIPED_TEXT
    for line in lines:
        for part in _folded(printable(on_command_line(line)), width):
            click.echo(part)


def _folded(line: str, width: int) -> list[str]:
    """Return a line in parts that fit, the first with its own indent; text in a second column continues in that column."""
    if len(line) <= width:
        return [line]
    if max(map(len, line.split()), default=0) > _LONG_WORD:  # `wrap` copies such a word for every line
        return [line[start : start + width] for start in range(0, len(line), width)]
    column = _SECOND_COLUMN.match(line)
    inwards = column.end() if column else len(line) - len(line.lstrip()) + 2
    indent = " " * min(inwards, width // 2)
    return wrap(line, max(width, _NARROWEST), subsequent_indent=indent, break_on_hyphens=False, drop_whitespace=True)


def print_tables(parts: Iterable[RenderableType]) -> None:
    """Print lines, and tables (see `report.tables`) as wide as the terminal; colours only there, and not with NO_COLOR."""
    console = None
    for part in parts:
        if isinstance(part, str):
            print_lines([part])
            continue
        if console is None:
            from rich.console import Console

            console = Console(width=None if sys.stdout.isatty() else _PIPED_TABLE, highlight=False, emoji=False)
        with console.capture() as table:  # rich would end the process itself if a pipe is closed
            console.print(part)
        for line in table.get().splitlines():
            click.echo(line.rstrip())


def print_report(
    kind: str,
    content: Callable[[], Mapping[str, object]],
    tables: Callable[[], Iterable[RenderableType]],
    as_json: bool,
    *written: str | None,
) -> None:
    """Print a result as JSON or as tables; print nothing if one of the files that were written is standard output.

    written : the names of the files, None for one that is not given; `check_file` refuses `-` together with `as_json`
    """
    from liarsdice_cli.formats import files

    if as_json:
        print_json(kind, content())
    elif files.PIPE not in written:
        print_tables(tables())


def print_answer(
    kind: str,
    content: Callable[[], Mapping[str, object]],
    tables: Callable[[], Iterable[RenderableType]],
    as_json: bool,
    csv: Callable[[], bytes],
    csv_file: str | None,
) -> None:
    """Write an answer as CSV if a file is given, and print it as JSON or tables unless the CSV went to standard output."""
    from liarsdice_cli.formats import files

    if csv_file is not None:
        with files.output(csv_file) as out:
            out.write(csv())
    print_report(kind, content, tables, as_json, csv_file)


def print_message(message: str) -> None:
    """Print an error or a note as one line on standard error, folded if it is too wide for the terminal."""
    line = f"liarsdice: {printable(message, _LONGEST)}"
    parts = _folded(line, shutil.get_terminal_size().columns) if sys.stderr.isatty() else [line]
    for part in parts:
        _write(part)


def print_written(name: str, kind: str, nodes: int) -> None:
    """Print the JSON document on a file that has been written: its format, the nodes of the game, and its size."""
    from pathlib import Path

    print_json("written", {"file": name, "format": kind, "nodes": nodes, "bytes": Path(name).stat().st_size})


def check_file(option: str, name: str | None, as_json: bool) -> None:
    """Refuse a file that cannot be written before any long work, and two documents on standard output."""
    from liarsdice_cli.formats import files

    if name == files.PIPE and as_json:
        raise UsageError(f"--json and {option} - would both write to standard output: name a file instead of -")
    if name is not None:
        files.check_writable(name)


def open_page(address: str) -> None:
    """Open a page in the user's browser; without a browser, print its address."""
    import webbrowser

    if not webbrowser.open(address):
        print_message(f"no browser could be started: open {address}")
