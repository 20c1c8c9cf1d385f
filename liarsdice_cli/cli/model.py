"""`liarsdice model`: Zero Intelligence's continuous model in numbers."""

from __future__ import annotations

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.options import DECIMAL, FILE, json_option, quiet_option
from liarsdice_cli.cli.printing import check_file, print_json, print_tables
from liarsdice_cli.cli.progress import waiting
from liarsdice_cli.errors import UsageError

_EXAMPLE = """
liarsdice model 3
liarsdice model 1 2 3 5 --mixed
liarsdice model 3 --level 0.5 --holds 0.2
liarsdice model 1 2 3 5 --draw levels.svg
liarsdice model 3 --mixed --holds 0.2 --calls 0.7 --json
"""


@click.command(cls=CommandWithExample, example=_EXAMPLE)
@click.argument("others", type=DECIMAL, nargs=-1, metavar="[OTHERS ...]")
@click.option("--own", type=DECIMAL, default=0.0, show_default=True, metavar="S", help="A's own roll, for y0.")
@click.option("--level", type=DECIMAL, metavar="Z", help="The worst case of this level, a z-score.  [default: the best one]")
@click.option("--mixed", is_flag=True, help="The best distribution of levels too, between two bounds (a second each).")
@click.option("--holds", "holding", type=DECIMAL, metavar="Y", help="Where B, who holds Y and knows A's level, calls.")
@click.option("--calls", "call", type=DECIMAL, metavar="K", help="With --holds: how often B wins by calling at K.")
@click.option(
    "--draw",
    "drawn",
    type=FILE,
    metavar="FILE",
    help="Draw the model: of one number of others where A wins, of several the worst case by level.",
)
@json_option
@quiet_option
def command(
    others: tuple[float, ...],
    own: float,
    level: float | None,
    mixed: bool,
    holding: float | None,
    call: float | None,
    drawn: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """The normal model of Zero Intelligence with so many OTHERS (by default 3): where calling and raising cost the same,
    the level whose worst case is best, the best distribution of levels, and what who knows a level does against it.

    What the numbers are, and where the document that they come from slips: docs/zero-intelligence.md.
    """
    from liarsdice_cli.bots.zero_intelligence.model import model
    from liarsdice_cli.draw.pictures import figure_format
    from liarsdice_cli.formats.writing import write
    from liarsdice_cli.library.figures import by_level, figure
    from liarsdice_cli.report.model import Asked, model_json, model_tables

    if call is not None and holding is None:
        raise UsageError("--calls says where B calls who holds --holds Y: give both")
    models = [model(one, own=own, level=level) for one in others or (3.0,)]
    asked = Asked(mixed, holding, call)
    if drawn is not None:
        figure_format(drawn, chart=True)
        check_file("--draw", drawn, as_json)
        write(figure(models[0]) if len(models) == 1 else by_level(models), drawn)
    with waiting("the model", quiet):
        answer = model_json(models, asked) if as_json else list(model_tables(models, asked))
    if isinstance(answer, dict):
        print_json("model", answer)
    elif drawn != "-":
        print_tables(answer)
