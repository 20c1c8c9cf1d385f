"""Printed output as HTML and as Markdown: lines stay lines, and tables become tables.

Everything from a game is escaped, so that no label can act in a page.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from itertools import zip_longest
from typing import TYPE_CHECKING

from liarsdice_cli.text import printable

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

_WIDTH = 100
"""Width in columns of other output, such as a tree of text."""
_MARKED = str.maketrans({character: f"\\{character}" for character in "\\`*_[]|#~$"} | {"<": "&lt;", ">": "&gt;", "&": "&amp;"})
"""Characters with a meaning in Markdown, with their escapes."""
_KEPT = "  "
"""Line ending that forces a line break in Markdown."""


def html(parts: Iterable[RenderableType]) -> str:
    """Return the parts as HTML, with neighbouring lines in one block.

    >>> html(["a < b", "c"])
    '<pre style="font-family:monospace;white-space:pre-wrap">a &lt; b\\nc</pre>'
    """
    return "".join(_html(part) for part in _blocks(parts))


def markdown(parts: Iterable[RenderableType]) -> str:
    """Return the parts as Markdown, with tables as GitHub writes them.

    >>> markdown(["1 | 2", "", "3"])
    '1 \\\\| 2\\n\\n3\\n'
    """
    return "\n".join(_markdown(part) for part in _blocks(parts))


def _blocks(parts: Iterable[RenderableType]) -> Iterator[str | Table]:
    """Yield neighbouring lines joined into one text, and the tables between them."""
    from rich.table import Table

    from liarsdice_cli.report.tables import Fitting

    lines: list[str] = []
    for part in parts:
        whole = part.wide if isinstance(part, Fitting) else part
        if isinstance(whole, Table):
            yield from _joined(lines)
            lines = []
            yield whole
        else:
            lines += [printable(whole)] if isinstance(whole, str) else _drawn(whole)
    yield from _joined(lines)


def _joined(lines: list[str]) -> Iterator[str]:
    text = "\n".join(lines).strip("\n")
    if text:
        yield text


def _drawn(part: RenderableType) -> list[str]:
    """Return the lines of any other object that rich can print."""
    from io import StringIO

    from rich.console import Console

    console = Console(file=StringIO(), width=_WIDTH, color_system=None, highlight=False, emoji=False)
    with console.capture() as captured:
        console.print(part)
    return [line.rstrip() for line in captured.get().splitlines()]


def _cells(table: Table) -> tuple[list[str], list[list[str]]]:
    """Return the column headings and the rows."""
    heads = [str(column.header) for column in table.columns]
    rows = zip(*([str(cell) for cell in column.cells] for column in table.columns), strict=True)
    return heads, [list(row) for row in rows]


def _html(part: str | Table) -> str:
    if isinstance(part, str):
        return f'<pre style="font-family:monospace;white-space:pre-wrap">{escape(part)}</pre>'
    heads, rows = _cells(part)
    head = "".join(f"<th>{escape(text)}</th>" for text in heads)
    body = "".join(f"<tr>{''.join(f'<td>{_broken(text)}</td>' for text in row)}</tr>" for row in rows)
    return f"<table style='text-align:left'><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _broken(text: str) -> str:
    return escape(text).replace("\n", "<br>")


def _markdown(part: str | Table) -> str:
    if isinstance(part, str):
        lines = part.translate(_MARKED).split("\n")
        return "".join(f"{line}{_KEPT if line and below else ''}\n" for line, below in zip_longest(lines, lines[1:]))
    heads, rows = _cells(part)
    lines = [_row(heads), _row(["---"] * len(heads)), *map(_row, ([text.translate(_MARKED) for text in row] for row in rows))]
    return "\n".join(lines) + "\n"


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cell.replace(chr(10), '<br>') for cell in cells)} |"
