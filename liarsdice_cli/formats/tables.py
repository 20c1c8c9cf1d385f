"""Tables in CSV and JSON: texts, their places in a file, and numbers as codes for texts."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, TypeVar

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.stream import NONE
from liarsdice_cli.formats import files, json_text
from liarsdice_cli.text import printable

CHUNK = 1 << 16
"""The number of rows that are converted to numbers at once."""

_Parsed = TypeVar("_Parsed")
Row = tuple[int, list[str]]
"""The line of a row, and its cells."""


def text(name: str) -> str:
    """Return the text in a file; LiarsDiceError if it is not in UTF-8."""
    try:
        return files.read(name).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise LiarsDiceError(f"{files.shown(name)} is not text in UTF-8: save it in UTF-8") from error


def parsed_lines(name: str, parse: Callable[[str], _Parsed]) -> list[_Parsed]:
    """Return the results of a function for all lines of a file that are neither empty nor comments (#).

    Raises LiarsDiceError as `text`, and with the number of the line as `parse`.
    """
    found = []
    for number, line in enumerate(text(name).splitlines(), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            try:
                found.append(parse(line))
            except LiarsDiceError as error:
                raise LiarsDiceError(f"{files.shown(name)}, line {number}: ", *error.parts) from error
    return found


def is_json(content: str) -> bool:
    """Return whether a text is meant as a JSON object."""
    return content.lstrip()[:1] == "{"


def json_object(content: str, where: str) -> dict[str, Any]:
    """Return a JSON object, with numbers that have a decimal point as texts; LiarsDiceError for anything else."""
    try:
        found: dict[str, Any] = json_text.loads(content, parse_float=str)
    except ValueError as error:
        raise LiarsDiceError(f"{where} is not JSON: {error}") from error
    if "\\ud" in content.lower():
        _check_surrogates(found, where)
    return found


def _check_surrogates(found: dict[str, Any], where: str) -> None:
    """Raise LiarsDiceError if a text has half of a surrogate pair, which JSON can express but no text file can hold."""
    try:
        json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        half = error.object[error.start]
        raise LiarsDiceError(
            f"{where}: {printable(half)} is half of a surrogate pair and not a character: write both halves, or the character"
        ) from error


def csv_rows(content: str, where: str) -> Iterator[Row]:
    """Yield the rows of a CSV text that are not blank, the header first; LiarsDiceError, naming the line, for a damaged one."""
    reader = csv.reader(io.StringIO(content, newline=""), skipinitialspace=True)
    try:
        for row in reader:
            if row:
                yield reader.line_num, row
    except csv.Error as error:
        raise LiarsDiceError(f"{where}, line {reader.line_num}: {error}; save the table as CSV again") from error


def csv_bytes(columns: Sequence[str], rows: Iterable[Iterable[object]]) -> bytes:
    """Return a CSV file: the header, then the rows.

    >>> csv_bytes(("name", "won"), [("a,b", 1), ("c", None)])
    b'name,won\\n"a,b",1\\nc,\\n'
    """
    content = io.StringIO(newline="")
    writer = csv.writer(content, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return content.getvalue().encode(errors="backslashreplace")  # a file name need not be text in UTF-8


def chunks(rows: Iterator[Row]) -> Iterator[list[Row]]:
    """Yield the rows in lists of up to `CHUNK`."""
    while chunk := list(islice(rows, CHUNK)):
        yield chunk


class Codes(dict[str, int]):
    """Numbers for names, in the order of their first use; the empty name is NONE.

    Space around a name is ignored, and several spaces within it count as one (Gambit accepts no others).

    >>> codes = Codes()
    >>> [codes[text] for text in ("a", "b  c", " a", "b c", " ")], codes.names
    ([0, 1, 0, 1, -1], ['a', 'b c'])
    """

    def __init__(self) -> None:
        super().__init__({"": NONE})
        self.names: list[str] = []

    def __missing__(self, text: str) -> int:
        name = tidy(text)
        if name not in self:
            self[name] = len(self.names)
            self.names.append(name)
        code: int = self[name]
        self[text] = code
        return code


def tidy(text: str) -> str:
    """Return a name with single spaces within it and none around it."""
    return " ".join(text.split())
