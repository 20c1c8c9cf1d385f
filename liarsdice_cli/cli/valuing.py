"""What `values` and `match` share: how much work a game is worth, where results are kept, and how they are shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import click

from liarsdice_cli.cli.options import FILE, WholeRange
from liarsdice_cli.cli.progress import waiting

if TYPE_CHECKING:
    from rich.table import Table

    from liarsdice_cli.games.liarsdice.rules import Rules
    from liarsdice_cli.studies.valuation import Valuation
    from liarsdice_cli.studies.value_table import ValueTable

_Function = TypeVar("_Function", bound=Callable[..., Any])

_OPTIONS = (
    click.option("--target", type=float, metavar="X", help="Exploitability that bounds must reach.  [default: 1e-3]"),
    click.option(
        "--time-limit", type=click.FloatRange(0, min_open=True), metavar="SECONDS", help="For each game.  [default: none]"
    ),
    click.option(
        "--exact-up-to", "exact_nodes", type=WholeRange(0), metavar="NODES", help="Largest exact.  [default: 15000000]"
    ),
    click.option("--threads", type=WholeRange(1), metavar="N", help="Threads on the public tree.  [default: all cores]"),
)


def valuation_options(function: _Function) -> _Function:
    """The options that say how much work a game is worth; the function gets what was given together as `worth`."""

    @wraps(function)
    def gathered(**values: Any) -> Any:
        worth = {name: values.pop(name) for name in ("target", "time_limit", "exact_nodes", "threads")}
        return function(worth={name: value for name, value in worth.items() if value is not None}, **values)

    wrapped: Any = gathered
    for option in reversed(_OPTIONS):
        wrapped = option(wrapped)
    result: _Function = wrapped
    return result


csv_option = click.option("--csv", type=FILE, metavar="FILE", help="Keep results in FILE, which is whole after every game.")
resume_option = click.option(
    "--resume", type=FILE, metavar="FILE", help="Solve only games that FILE lacks, and keep them there too."
)


def opened(csv: str | None, resume: str | None) -> ValueTable:
    """What the file to resume knows, kept where `--csv` says, else in that file. UsageError for pipes."""
    from pathlib import Path

    from liarsdice_cli.errors import UsageError
    from liarsdice_cli.studies.value_table import ValueTable, read

    if "-" in (csv, resume):
        raise UsageError("--csv and --resume name a file that is written again and again, which a pipe cannot be")
    known = read(resume) if resume is not None and Path(resume).exists() else []
    return ValueTable(known, csv or resume)


def solve_all(games: Sequence[Rules], table: ValueTable, worth: dict[str, Any], quiet: bool) -> None:
    """Value the games that the table lacks; on a terminal with the game and its bounds."""
    from liarsdice_cli.formats.numbers import shown_between
    from liarsdice_cli.solvers.solution import Request
    from liarsdice_cli.studies.valuation import value

    request = Request(**worth)
    missing = [game for game in games if table.get(game) is None]
    for number, game in enumerate(missing, 1):
        with waiting(f"game {number} of {len(missing)}, {game}", quiet) as tell:
            found = value(game, request, lambda sample: tell(shown_between(sample.proved.lower, sample.proved.upper)))
        said = table.lost
        table.add(found)
        if table.lost and not said:
            click.echo(f"liarsdice: {table.lost}; solving goes on", err=True)


def ended(table: ValueTable) -> int:
    """The exit code: 1 where the results could not be kept."""
    return 1 if table.lost else 0


def valuation_json(one: Valuation) -> dict[str, Any]:
    """A valuation for a program."""
    from liarsdice_cli.formats.numbers import encoded

    return {
        "rules": one.rules.name,
        "sides": one.rules.sides,
        "dice": list(one.rules.dice),
        "payoffs": one.rules.payoffs,
        "exact": one.exact,
        "lower": encoded(one.lower),
        "upper": encoded(one.upper),
        "value": encoded(one.value),
        "exploitability": encoded(one.exploitability),
        "method": one.method,
        "arithmetic": one.arithmetic,
        "seconds": round(one.seconds, 3),
        "iterations": one.iterations,
        "note": one.note,
    }


def valuations_table(valuations: Iterable[Valuation]) -> Table:
    """A row a game: its value or bounds, rounded outwards, and where they come from."""
    from liarsdice_cli.formats.numbers import shown, shown_between

    table = plain_table("rules", "sides", "dice", "value to player 1", "exploitability", "method", "time")
    for one in valuations:
        between = "-" if one.lower is None or one.upper is None else shown_between(one.lower, one.upper)
        game = one.rules.name, str(one.rules.sides), dice_text(one)
        table.add_row(*game, between, shown(one.exploitability), *made(one))
    return table


def dice_text(one: Valuation) -> str:
    """The dice of a game as a person writes them."""
    return ",".join(map(str, one.rules.dice))


def made(one: Valuation) -> tuple[str, str]:
    """How a valuation was found, and in what time."""
    method = one.method if one.iterations is None else f"{one.method}, {one.iterations:,} iterations"
    return method, f"{one.seconds:.2f} s"


def plain_table(*columns: str) -> Table:
    """An empty table in this program's style."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for column in columns:
        table.add_column(column)
    return table
