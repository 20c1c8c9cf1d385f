"""What a benchmark has measured, kept in a CSV file of docs: a line for each key, so that only what is missing is measured.

A page shows the tables between two comments, which name the command that makes them.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from liarsdice_cli.formats import files
from liarsdice_cli.formats.tables import csv_bytes

Line = dict[str, str]
Key = tuple[str, ...]


def read(table: Path, key: Sequence[str]) -> dict[Key, Line]:
    """The lines of a file by the columns that are their key, in its order; none where there is no file yet."""
    text = table.read_text(encoding="utf-8") if table.exists() else ""
    return {tuple(one[column] for column in key): one for one in csv.DictReader(io.StringIO(text))}


def write(table: Path, columns: Sequence[str], lines: Iterable[Line]) -> None:
    """Keep the lines, in their order."""
    with files.output(str(table)) as out:
        out.write(csv_bytes(columns, ([one[column] for column in columns] for one in lines)))


def marks(command: str) -> tuple[str, str]:
    """Return the comments before and after what a command, such as "make values", writes into a page."""
    return f"<!-- begin: {command} -->\n", f"<!-- end: {command} -->\n"


def replaced(text: str, command: str, lines: Iterable[str]) -> str:
    """Return the page with the lines that a command writes between its marks."""
    begin, end = marks(command)
    made = begin + "\n" + "\n".join(lines) + "\n\n" + end
    return re.sub(re.escape(begin) + ".*" + re.escape(end), lambda _: made, text, flags=re.DOTALL)
