"""The layout of all tables for a person, whatever text is in their cells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from liarsdice_cli.text import counted, printable

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions
    from rich.table import Table
    from rich.text import Text

_ENDLESS = 100_000
LONG = 30
"""Rows after which a table is cut for a person."""


def table(columns: Sequence[str], rows: Iterable[Sequence[str | Text]], *, right: bool = False) -> Table:
    """Return a table with a line below its head; text that is too wide continues on the next line, so nothing is lost.

    columns : their names
    rows    : their cells, which are not read as markup and cannot control a terminal
    right   : whether all columns but the first are aligned to the right, as for numbers
    """
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    laid_out = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for place, name in enumerate(columns):
        laid_out.add_column(cell(name), justify="right" if right and place else "left", overflow="fold")
    for row in rows:
        laid_out.add_row(*(cell(text) if isinstance(text, str) else text for text in row))
    return laid_out


@dataclass(frozen=True)
class Fitting:
    """A table with a narrower second form, which is used if the first one is too wide for the terminal."""

    wide: Table
    narrow: Table

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Table]:
        """Yield the wide form if no cell of it has to be folded, otherwise the narrow one."""
        from rich.measure import Measurement

        wanted = Measurement.get(console, options.update(width=_ENDLESS), self.wide).maximum
        fits = wanted <= options.max_width
        yield self.wide if fits else self.narrow


def cell(text: str, style: str = "") -> Text:
    """Return a text of any origin for a cell or a branch of a tree: without markup, and unable to control a terminal."""
    from rich.text import Text

    return Text(printable(text), style)


def below_each_other(texts: Iterable[str]) -> Text:
    """Return a cell of several lines."""
    from rich.text import Text

    return Text("\n").join(map(cell, texts))


class Hinted(str):
    """A line with a hint for the command line, such as an option that shows more. Everything else prints the line alone.

    >>> line = Hinted("5 more", "; --full shows all")
    >>> str(line), on_command_line(line)
    ('5 more', '5 more; --full shows all')
    """

    hint: str

    def __new__(cls, line: str, hint: str) -> Hinted:
        """Return the line with this hint, which begins with what separates it from the line."""
        hinted = super().__new__(cls, line)
        hinted.hint = hint
        return hinted


def on_command_line(line: str) -> str:
    """Return a line with its hint for the command line, if it has one."""
    return line + line.hint if isinstance(line, Hinted) else line


def rest(left: int) -> Iterator[str]:
    """Yield the line below a table that lacks some rows; nothing below a whole one."""
    if left:
        yield Hinted(f"  ... {counted(left)} more", "; --full shows all")
