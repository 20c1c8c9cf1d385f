"""`liarsdice values`: a table of values over sides, dice and rule presets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.options import DICE, PresetChoice, RuleOptions, change_options, json_option, quiet_option
from liarsdice_cli.cli.printing import print_json, print_tables
from liarsdice_cli.cli.valuing import Lost, csv_option, ended, following, opened, resume_option, valuation_options
from liarsdice_cli.games.liarsdice.presets import PRESETS
from liarsdice_cli.games.liarsdice.rules import MOST, PAYOFFS
from liarsdice_cli.text import whole

if TYPE_CHECKING:
    from liarsdice_cli.solvers.request import Request

_EXAMPLE = """
liarsdice values --sides 2..6 --dice 1,1 --rules joker common
liarsdice values --sides 2..6 --dice 1,1 2,1 1,2 --rules all --payoffs zero-sum --resume values.csv
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
@click.option("--sides", type=_Sides(), multiple=True, help="Sides, such as 2..6 or 2 4.  [default: 2..6]")
@click.option("--dice", type=DICE, multiple=True, help="Dice of both players, such as 1,1 2,1.  [default: 1,1]")
@click.option("--rules", "names", type=PresetChoice((*PRESETS, "all")), multiple=True, help="Presets.  [default: classic]")
@change_options
@click.option("--payoffs", type=click.Choice(PAYOFFS), default="win", help="1/0, or +1/-1.  [default: win]")
@valuation_options
@csv_option
@resume_option
@json_option
@quiet_option
def command(
    sides: Sequence[Sequence[int]],
    dice: Sequence[tuple[int, ...]],
    names: Sequence[str],
    asked: RuleOptions,
    payoffs: str,
    request: Request,
    csv: str | None,
    resume: str | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """Values of many games for two players: exact fractions where that is quick, else bounds that are proved.

    --sides, --dice and --rules take several values each; every combination is a game. A value is the payoff of player 1,
    who opens; a game of more than two has none, see `solve`. Ctrl-C keeps and shows what is done.
    """
    from liarsdice_cli.library.tables import grid
    from liarsdice_cli.library.tables import values as solve
    from liarsdice_cli.report.values import values_json, values_tables

    presets = tuple(PRESETS) if "all" in names else names or ("classic",)
    all_sides = [side for part in sides or (range(2, 7),) for side in part]
    games = grid(presets, all_sides, dice or ((1, 1),), payoffs, **asked.arguments)
    table = opened(csv, resume)
    interrupted = None
    try:
        solve(games, request, table=table, following=following(quiet), kept=Lost())
    except KeyboardInterrupt as error:
        interrupted = error
    known = [one for one in map(table.get, games) if one is not None]
    if as_json:
        print_json("values", values_json(known, interrupted is None))
    else:
        print_tables(values_tables(known, payoffs, len(games)))
    if interrupted is not None:
        raise interrupted
    return ended(table)
