"""Options of several words, for commands on many games: `--dice 1,1 2,1` is `--dice 1,1 --dice 2,1`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.games.liarsdice.dice import MOST
from liarsdice_cli.text import whole

LISTS = ("--sides", "--dice", "--rules")
"""Options that take several words, one after the other."""


class _Sides(click.ParamType[tuple[int, ...]]):
    name = "N..N"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, ...]:
        if isinstance(value, tuple):
            return value
        return tuple(side for part in str(value).split(",") for side in self._range(part))

    def _range(self, part: str) -> Iterable[int]:
        first, dots, last = part.partition("..")
        try:
            low, high = whole(first), whole(last if dots else first)
        except ValueError:
            self.fail(f"{part!r}: give a number, a range such as 2..6 or a list such as 2,4,6")
        if low > high:
            self.fail(f"{part!r} is in descending order; give {high}..{low}")
        if high - low > MOST:
            self.fail(f"{part!r} is too long a range; dice have at most {MOST} sides")
        return range(low, high + 1)


SIDES = _Sides()
"""The type of a number of sides, a range or a list."""


class CommandWithLists(CommandWithExample):
    """A command whose `LISTS` take several words: `--dice 1,1 2,1` is `--dice 1,1 --dice 2,1`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Repeat the option before every word of its list."""
        return super().parse_args(ctx, list(_repeated(args)))


def _repeated(args: Iterable[str]) -> Iterator[str]:
    words, option = iter(args), ""
    for word in words:
        if option and not word.startswith("-"):
            yield from (option, word)
            continue
        name, _, value = word.partition("=")
        option = name if name in LISTS else ""
        yield word
        if option and not value:
            yield from islice(words, 1)
