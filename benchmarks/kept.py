"""The results of a benchmark in a CSV file of docs, one line for each key, so that only missing lines are measured.

A page shows a table between two comments that name the command which writes it.
"""

from __future__ import annotations

import argparse
import csv
import io
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from liarsdice_cli.formats import files
from liarsdice_cli.formats.tables import csv_bytes

DOCS = Path(__file__).parent.parent / "docs"
Line = dict[str, str]
Key = tuple[str, ...]


def read(table: Path, key: Sequence[str]) -> dict[Key, Line]:
    """Return the lines of a file by their key columns, in the order of the file; none if there is no file yet."""
    text = table.read_text(encoding="utf-8") if table.exists() else ""
    return {tuple(one[column] for column in key): one for one in csv.DictReader(io.StringIO(text))}


def write(table: Path, columns: Sequence[str], lines: Iterable[Line]) -> None:
    """Write the lines in their order."""
    with files.output(str(table)) as out:
        out.write(csv_bytes(columns, ([one[column] for column in columns] for one in lines)))


class Wanted(NamedTuple):
    """A line that a file should have.

    name    : for `--again NAME`, which measures the line again
    lacking : the missing requirement for the measurement in words; "" if there is none
    measure : return the line
    """

    key: Key
    name: str
    lacking: str
    measure: Callable[[], Line]


def complete(
    lines: dict[Key, Line], wanted: Iterable[Wanted], write: Callable[[dict[Key, Line]], None], description: str | None
) -> None:
    """Measure missing lines, and those that `--again NAME` on the command line names; write all lines after each.

    description : of the program, for --help
    """
    reader = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("--again", metavar="NAME", help="measure the lines of this policy or bot again")
    again = reader.parse_args().again
    for one in wanted:
        if one.key in lines and one.name != again:
            continue
        if one.lacking:
            print(f"{' '.join(one.key)}: left as it is; {one.lacking}")
            continue
        lines[one.key] = one.measure()
        write(lines)
        print(*lines[one.key].values(), flush=True)
    write(lines)


def marks(command: str) -> tuple[str, str]:
    """Return the comments before and after the text that a command, such as "make values", writes into a page."""
    return f"<!-- begin: {command} -->\n", f"<!-- end: {command} -->\n"


def replaced(text: str, command: str, lines: Iterable[str]) -> str:
    """Return the page with the lines that a command writes between its marks."""
    begin, end = marks(command)
    made = begin + "\n" + "\n".join(lines) + "\n\n" + end
    return re.sub(re.escape(begin) + ".*" + re.escape(end), lambda _: made, text, flags=re.DOTALL)
