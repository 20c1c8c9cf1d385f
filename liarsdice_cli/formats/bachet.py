"""Reading the input of UVa 10404, "Bachet's Game": one line for each game, with n stones, m, and m numbers that may be taken.

Source: Online Judge, problem 10404; its limits are n up to 1,000,000 and m up to 10.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Iterator

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.formats import files

MOST = 10**9
"""The largest number in a line."""


def read(name: str) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield the stones and the allowed numbers of each line, in order and each once; blank lines are skipped.

    Raises LiarsDiceError, naming line and column, when it reaches an ill-formed line.
    """
    where = files.shown(name)
    for number, line in enumerate(files.read(name).removeprefix(BOM_UTF8).splitlines(), 1):
        words = [(found.start() + 1, found[0]) for found in re.finditer(rb"\S+", line)]
        if words:
            yield _game(words, len(line.rstrip()) + 1, f"{where}, line {number}")


def _game(words: list[tuple[int, bytes]], end: int, where: str) -> tuple[int, tuple[int, ...]]:
    values = [_number(word, f"{where}, column {column}") for column, word in words]
    if len(values) < 2:
        raise LiarsDiceError(f"{where}, column {end}: the line ends early; give the stones, the number of moves, and the moves")
    if values[1] < 1:
        raise LiarsDiceError(f"{where}, column {words[1][0]}: {values[1]} numbers follow, so there is no move; give at least 1")
    if len(values) != values[1] + 2:
        column = end if len(values) < values[1] + 2 else words[values[1] + 2][0]
        raise LiarsDiceError(
            f"{where}, column {column}: {values[1]} numbers should follow, but {len(values) - 2} do; correct the line"
        )
    for (column, _), value in zip(words[2:], values[2:], strict=True):
        if not value:
            raise LiarsDiceError(f"{where}, column {column}: a player cannot take 0 stones; give numbers of 1 or more")
    return values[0], tuple(sorted(set(values[2:])))


def _number(word: bytes, where: str) -> int:
    if not word.isdigit() or len(word) > 20 or int(word) > MOST:
        shown = word[:20].decode("ascii", "backslashreplace")
        raise LiarsDiceError(f"{where}: {shown!r} is not a number of stones; give a whole number from 0 to {MOST:,}")
    return int(word)
