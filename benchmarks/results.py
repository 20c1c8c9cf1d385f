"""The results of a benchmark: a CSV file in docs, and the tables that a page of docs shows of it.

A script measures only the results that its file lacks, and writes the file after each of them. Its options are:

    --again NAME   measure only the results of this name, even if the file has them
    --tables       measure nothing, only write the tables
"""

from __future__ import annotations

import argparse
import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from liarsdice_cli.extensive.number import Number
from liarsdice_cli.formats import files
from liarsdice_cli.formats.numbers import shown_between
from liarsdice_cli.formats.tables import csv_bytes

DOCS = Path(__file__).parent.parent / "docs"
LONGEST = 30
"""The most characters of a fraction in a table."""
Line = dict[str, str]
Key = tuple[str, ...]


class Wanted(NamedTuple):
    """A measurement that a file should have.

    key     : the first key columns of its lines
    name    : for `--again NAME`
    measure : return the lines
    missing : the missing requirement for the measurement in words; "" if there is none
    """

    key: Key
    name: str
    measure: Callable[[], Iterable[Line]]
    missing: str = ""


class Results(NamedTuple):
    """A CSV file in docs, the columns that identify a line, and all columns."""

    name: str
    key: Key
    columns: Sequence[str]

    @property
    def file(self) -> Path:
        """The path of the file."""
        return DOCS / self.name

    def line(self, *cells: object) -> Line:
        """Return a line with these cells."""
        return dict(zip(self.columns, map(str, cells), strict=True))

    def key_of(self, line: Line) -> Key:
        """Return the key of a line."""
        return tuple(line[column] for column in self.key)

    def read(self) -> dict[Key, Line]:
        """Return the lines of the file by their keys, in the order of the file; none if there is no file yet."""
        text = self.file.read_text(encoding="utf-8") if self.file.exists() else ""
        return {self.key_of(line): line for line in csv.DictReader(io.StringIO(text))}

    def write(self, lines: Iterable[Line]) -> None:
        """Write the lines in their order."""
        with files.output(str(self.file)) as out:
            out.write(csv_bytes(self.columns, ([line[column] for column in self.columns] for line in lines)))

    def of(self, wanted: Wanted) -> list[Line]:
        """Return the lines of a measurement that the file has."""
        return [line for key, line in self.read().items() if key[: len(wanted.key)] == wanted.key]

    def complete(self, wanted: Sequence[Wanted], description: str | None) -> None:
        """Make the measurements that the file lacks, or those for which the command line asks.

        After each one, the file is written: the lines in the order of `wanted`, and no others.

        description : of the script, for --help
        """
        reader, names = parser_with_tables(description), dict.fromkeys(one.name for one in wanted)
        reader.add_argument("--again", metavar="NAME", help="measure only the results of this name, even if the file has them")
        given = reader.parse_args()
        if given.again is not None and given.again not in names:
            reader.error(f"no result has the name {given.again!r}: choose from {'; '.join(names)}")
        for one in wanted:
            if given.tables or (self.of(one) if given.again is None else one.name != given.again):
                continue
            if one.missing:
                print(f"{' '.join(one.key)}: left as it is; {one.missing}")
                continue
            lines = list(one.measure())
            # The file is read again, since another process may have added lines.
            self.write([line for other in wanted for line in (lines if other is one else self.of(other))])
            for line in lines:
                print(*line.values(), flush=True)


def parser(description: str | None) -> argparse.ArgumentParser:
    """Return a parser of a script's command line, whose --help prints the description as it is."""
    return argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)


def parser_with_tables(description: str | None) -> argparse.ArgumentParser:
    """Return a parser as `parser` does, with the option --tables."""
    made = parser(description)
    made.add_argument("--tables", action="store_true", help="measure nothing, only write the tables")
    return made


class Page(NamedTuple):
    """A page of docs, and what returns the lines of each of its tables, by the command that writes the table.

    A table stands between two comments that name the command, such as "make values".
    """

    name: str
    tables: Mapping[str, Callable[[], Iterable[str]]]

    @property
    def file(self) -> Path:
        """The path of the page."""
        return DOCS / self.name

    def text(self) -> str:
        """Return the page as it is."""
        return self.file.read_text(encoding="utf-8")

    def generated(self) -> str:
        """Return the page with its tables generated again."""
        text = self.text()
        for command, lines in self.tables.items():
            begin, end = marks(command)
            before, _, rest = text.partition(begin)
            after = rest.partition(end)[2]
            text = before + begin + "\n" + "\n".join(lines()) + "\n\n" + end + after
        return text

    def write(self) -> None:
        """Generate the tables again."""
        self.file.write_text(self.generated(), encoding="utf-8")


def marks(command: str) -> tuple[str, str]:
    """Return the comments before and after the table that a command writes."""
    return f"<!-- begin: {command} -->\n", f"<!-- end: {command} -->\n"


def markdown(head: Sequence[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    """Yield the lines of a Markdown table."""
    yield f"| {' | '.join(head)} |"
    yield "|---" * len(head) + "|"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def between(lower: Number, upper: Number) -> str:
    """Return bounds for a table, or an exact value: a fraction, rounded if it is long."""
    if lower != upper or not isinstance(lower, Fraction):
        return shown_between(lower, upper)
    exact = str(lower)
    return exact if len(exact) <= LONGEST else f"{float(lower):.6g} (rounded)"
