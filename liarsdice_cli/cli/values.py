"""`liarsdice values`: a table of values over sides, dice and rule presets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.option_table import option
from liarsdice_cli.cli.options import RuleOptions, change_options, json_option, quiet_option
from liarsdice_cli.cli.printing import print_json, print_tables
from liarsdice_cli.cli.progress import display
from liarsdice_cli.cli.types import PresetChoice
from liarsdice_cli.cli.valuing import ended, opened, table_option, valuation_options
from liarsdice_cli.games.liarsdice.presets import PRESETS
from liarsdice_cli.games.liarsdice.rules import MOST
from liarsdice_cli.text import whole

if TYPE_CHECKING:
    from liarsdice_cli.solvers.request import Request

_EXAMPLE = """
liarsdice values --sides 2..6 --dice 1,1 --rules joker common
liarsdice values --sides 2..6 --dice 1,1 2,1 1,2 --rules all --payoffs zero-sum -o values.csv
liarsdice values --rules common --sides 6 --dice 2,2 --method double-oracle --exact
"""

_LISTS = ("--sides", "--dice", "--rules")
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
            self.fail(f"{part!r} is upside down; give {high}..{low}")
        if high - low > MOST:
            self.fail(f"{part!r} is too long a range; dice have at most {MOST} sides")
        return range(low, high + 1)


class _Lists(CommandWithExample):
    """A command whose `_LISTS` take several words: `--dice 1,1 2,1` is `--dice 1,1 --dice 2,1`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, list(_repeated(args)))


def _repeated(args: Iterable[str]) -> Iterator[str]:
    words, option = iter(args), ""
    for word in words:
        if option and not word.startswith("-"):
            yield from (option, word)
            continue
        name, _, value = word.partition("=")
        option = name if name in _LISTS else ""
        yield word
        if option and not value:
            yield from islice(words, 1)


@click.command(cls=_Lists, example=_EXAMPLE)
@option("sides", "  [default: 2..6]", type=_Sides(), multiple=True)
@option("dice", "  [default: 1,1]", multiple=True)
@option("rules", "  [default: classic]", type=PresetChoice((*PRESETS, "all")), multiple=True)
@change_options
@option("payoffs", default="win")
@valuation_options
@table_option
@option("exact")
@json_option
@quiet_option
def command(
    sides: Sequence[Sequence[int]],
    dice: Sequence[tuple[int, ...]],
    preset: Sequence[str],
    asked: RuleOptions,
    payoffs: str,
    request: Request,
    output: str | None,
    exact: bool,
    as_json: bool,
    quiet: bool,
) -> int:
    """Compute the values of many games for two players: exact fractions if that is quick, otherwise proved bounds.

    --sides, --dice and --rules take several values each; every combination is a game. A value is the payoff of player 1, the
    opener. Ctrl-C keeps and prints the finished games.
    """
    from liarsdice_cli.library.tables import grid
    from liarsdice_cli.library.tables import values as solve
    from liarsdice_cli.report.values import values_json, values_tables

    presets = tuple(PRESETS) if "all" in preset else preset or ("classic",)
    all_sides = [side for part in sides or (range(2, 7),) for side in part]
    games = grid(presets, all_sides, dice or ((1, 1),), payoffs, **asked.arguments)
    table = opened(output)
    interrupted = None
    try:
        with display(quiet) as progress:
            solve(games, request, table=table, progress=progress)
    except KeyboardInterrupt as error:
        interrupted = error
    known = [one for one in map(table.get, games) if one is not None]
    if as_json:
        print_json("values", values_json(known, interrupted is None))
    else:
        print_tables(values_tables(known, payoffs, len(games), exact))
    if interrupted is not None:
        raise interrupted
    return ended(table)
