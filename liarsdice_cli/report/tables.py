"""The one way to lay out a table for a person, whatever stands in its cells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from liarsdice_cli.errors import counted, printable

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

LONG = 30
"""Rows after which a table is cut for a person."""


def table(columns: Sequence[str], rows: Iterable[Sequence[str | Text]], *, right: bool = False) -> Table:
    """A table with a line below its head; what is too wide goes on in the next line, so nothing is lost.

    columns : their names
    rows    : their cells, in which nothing is taken for markup, and nothing steers a terminal
    right   : whether all columns but the first stand to the right, as numbers do
    """
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    laid_out = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for place, name in enumerate(columns):
        laid_out.add_column(cell(name), justify="right" if right and place else "left", overflow="fold")
    for row in rows:
        laid_out.add_row(*(cell(text) if isinstance(text, str) else text for text in row))
    return laid_out


def cell(text: str, style: str = "") -> Text:
    """A text of any origin as it stands, for a cell or a twig of a tree: no markup, and nothing that steers a terminal."""
    from rich.text import Text

    return Text(printable(text), style)


def rest(left: int) -> Iterator[str]:
    """The line below a table that lacks some rows; none below a whole one."""
    if left:
        yield f"  ... {counted(left)} more; --full shows all"
