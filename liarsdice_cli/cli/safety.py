"""`liarsdice exploit --max-risk`: exploit a bot with a bounded risk."""

from __future__ import annotations

from contextlib import contextmanager
from fractions import Fraction
from typing import TYPE_CHECKING

import click

from liarsdice_cli.cli.options import FILE, not_with
from liarsdice_cli.cli.printing import check_file, print_json, print_tables
from liarsdice_cli.cli.progress import waiting
from liarsdice_cli.errors import LiarsDiceError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, TypeVar

    from liarsdice_cli.games.liarsdice.rules import Rules

    Function = TypeVar("Function", bound=Callable[..., Any])

ALL = "all"


def safe_options(function: Function) -> Function:
    """Add the options of safe exploitation; the function gets `safe`, `drawn` and `output`."""
    safe = click.option(
        "--max-risk",
        "safe",
        metavar="P",
        help="What wins most against BOT and loses at most P, in payoff below the value, against anybody; `all` for every P.",
    )
    drawn = click.option("--draw", "drawn", type=FILE, metavar="FILE", help="With --max-risk all: draw the curve (.svg).")
    output = click.option(
        "-o", "--output", type=FILE, metavar="FILE", help="With --max-risk P: keep the strategy for both seats (.ldz)."
    )
    return safe(drawn(output(function)))


def check_safe(safe: str | None, drawn: str | None, output: str | None, others: dict[str, object]) -> None:
    """Refuse options that do not go together; `others` are options that --max-risk excludes, None if not given."""
    from liarsdice_cli.formats import registry

    if drawn is not None and safe != ALL:
        raise UsageError("--draw draws the curve of --max-risk all: give both")
    if drawn is not None and not drawn.lower().endswith(".svg"):
        raise UsageError(f"--draw {drawn}: the curve is drawn as .svg: name such a file")
    if output is not None and safe in (None, ALL):
        raise UsageError("-o keeps the strategy of --max-risk P: say how much may be risked")
    if output is not None and not registry.holds(output, registry.STRATEGY):
        raise UsageError(f"-o {output}: a strategy is kept in a file whose name ends in {registry.suffixes(registry.STRATEGY)}")
    for option, name in (("--draw", drawn), ("-o", output)):
        check_file(option, name, as_json=False)
    if safe is not None:
        not_with("--max-risk", others)


def most_of(safe: str) -> Fraction | None:
    """Return the largest risk, None for `all`; UsageError for any other text than a number."""
    from liarsdice_cli.formats.numbers import decoded

    if safe == ALL:
        return None
    try:
        return Fraction(decoded(safe))
    except LiarsDiceError as error:
        raise UsageError(f"--max-risk {safe}: give what may be risked, such as 0.01 or 1/100, or all") from error


def answer_safely(
    spec: str,
    rules: Rules,
    safe: str,
    target: float | None,
    csv_file: str | None,
    drawn: str | None,
    output: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Compute and print the frontiers of both seats."""
    from liarsdice_cli.formats import files
    from liarsdice_cli.formats.writing import write
    from liarsdice_cli.library.exploitation import safe_exploitation
    from liarsdice_cli.report.safe import safe_csv, safe_json, safe_tables

    @contextmanager
    def following(what: str) -> Iterator[Callable[[int], None]]:
        with waiting(what, quiet) as say:
            yield lambda number: say(f"{number} responses")

    found = safe_exploitation(spec, rules, most_of(safe), target=target, following=following)
    if csv_file is not None:
        with files.output(csv_file) as out:
            out.write(safe_csv(found.bot, found.frontiers))
    if drawn is not None:
        with files.output(drawn) as out:
            out.write(found.svg().encode())
    if output is not None:
        write(found.strategy, output, method="exploit --max-risk")
    if as_json:
        print_json("safe", safe_json(found.bot, rules, found.max_risk, found.frontiers))
    elif csv_file != files.PIPE and drawn != files.PIPE:
        print_tables(safe_tables(found.bot, rules, found.max_risk, found.frontiers))
