"""`liarsdice model`: Zero Intelligence's continuous model in numbers."""

from __future__ import annotations

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.option_table import option
from liarsdice_cli.cli.options import json_option, quiet_option
from liarsdice_cli.cli.printing import check_file, print_json, print_tables
from liarsdice_cli.cli.progress import display
from liarsdice_cli.cli.types import DECIMAL
from liarsdice_cli.errors import UsageError

_EXAMPLE = """
liarsdice model 3
liarsdice model 1 2 3 5 --full
liarsdice model 3 --z-score 0.5 --holds 0.2
liarsdice model 1 2 3 5 -o levels.svg
liarsdice model 3 --full --holds 0.2 --calls 0.7 --json
"""


@click.command(cls=CommandWithExample, example=_EXAMPLE)
@click.argument("others", type=DECIMAL, nargs=-1, metavar="[OTHERS ...]")
@option("own", default=0.0, show_default=True)
@option("z-score", "  [default: the best one]")
@option("holds")
@option("calls")
@option("full", " Here: also the best distribution of levels, which takes a second for each number.")
@option(
    "output", "a picture (.svg, .png or .pdf) of the rolls with which A wins, or for several OTHERS of the worst case by level"
)
@json_option
@quiet_option
def command(
    others: tuple[float, ...],
    own: float,
    z_score: float | None,
    holding: float | None,
    call: float | None,
    full: bool,
    output: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Compute the normal model of Zero Intelligence with OTHERS, numbers of other players (default 3).

    Player A plays at a level, and B stands for all other players, who know it. The command prints the roll at which calling and
    raising cost A the same, and the level with the best worst case. Options add the best distribution of levels and the best
    response to a level.
    """
    from liarsdice_cli.bots.zero_intelligence.model import model
    from liarsdice_cli.draw.formats import CHART
    from liarsdice_cli.formats import registry
    from liarsdice_cli.formats.writing import write
    from liarsdice_cli.library.figures import by_level, figure
    from liarsdice_cli.report.model import Asked, model_json, model_tables

    if call is not None and holding is None:
        raise UsageError("--calls needs --holds: give the roll with which B calls")
    models = [model(one, own=own, z_score=z_score) for one in others or (3.0,)]
    asked = Asked(full, holding, call)
    if output is not None:
        registry.check(output, CHART)
        check_file("-o", output, as_json)
        write(figure(models[0]) if len(models) == 1 else by_level(models), output)
    with display(quiet, "the model"):
        answer = model_json(models, asked) if as_json else list(model_tables(models, asked))
    if isinstance(answer, dict):
        print_json("model", answer)
    elif output != "-":
        print_tables(answer)
