"""What a benchmark has measured, kept in a CSV file of docs: a line for each key, so that only what is missing is measured."""

from __future__ import annotations

import csv
import io
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
