"""What a benchmark has measured, kept in a CSV file of docs: a line for each key, so that only what is missing is measured.

A page shows the tables between two comments, which name the command that makes them.
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
    """The lines of a file by the columns that are their key, in its order; none where there is no file yet."""
    text = table.read_text(encoding="utf-8") if table.exists() else ""
    return {tuple(one[column] for column in key): one for one in csv.DictReader(io.StringIO(text))}


def write(table: Path, columns: Sequence[str], lines: Iterable[Line]) -> None:
    """Keep the lines, in their order."""
    with files.output(str(table)) as out:
        out.write(csv_bytes(columns, ([one[column] for column in columns] for one in lines)))


class Wanted(NamedTuple):
    """A line that a file is to have.

    name    : measured anew if `--again` names it
    lacking : what is missing to measure it here, in words; "" if nothing
    measure : return the line
    """

    key: Key
    name: str
    lacking: str
    measure: Callable[[], Line]


def complete(
    lines: dict[Key, Line], wanted: Iterable[Wanted], write: Callable[[dict[Key, Line]], None], description: str | None
) -> None:
    """Measure what the lines lack, and what `--again NAME` on the command line names; write all after each.

    description : of the program, for --help
    """
    reader = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("--again", metavar="NAME", help="measure the lines of this policy or bot anew")
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
    """Return the comments before and after what a command, such as "make values", writes into a page."""
    return f"<!-- begin: {command} -->\n", f"<!-- end: {command} -->\n"


def replaced(text: str, command: str, lines: Iterable[str]) -> str:
    """Return the page with the lines that a command writes between its marks."""
    begin, end = marks(command)
    made = begin + "\n" + "\n".join(lines) + "\n\n" + end
    return re.sub(re.escape(begin) + ".*" + re.escape(end), lambda _: made, text, flags=re.DOTALL)
