"""`liarsdice rules`: explain the presets in sentences."""

from __future__ import annotations

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.options import RuleOptions, json_option, shape_options
from liarsdice_cli.cli.printing import print_json, print_tables
from liarsdice_cli.cli.types import PRESET
from liarsdice_cli.cli.wording import option
from liarsdice_cli.errors import Argument, UsageError
from liarsdice_cli.games.liarsdice.presets import PRESETS
from liarsdice_cli.games.liarsdice.rules import rules


@click.command(cls=CommandWithExample, example="liarsdice rules\nliarsdice rules dudo --dice 5,5")
@click.argument("preset", type=PRESET, required=False, metavar="[PRESET]")
@shape_options
@json_option
def command(preset: str | None, asked: RuleOptions, as_json: bool) -> None:
    """Explain the rules of PRESET with an example, their origin, and the differences from other presets.

    Without PRESET it prints one line for each preset. Options other than --sides and --dice change the named preset.
    """
    from liarsdice_cli.report.rules import presets_json, presets_tables, rules_tables

    given = asked.arguments
    shape = {name: value for name, value in given.items() if name in ("sides", "dice")}
    if preset is None and given != shape:
        changes = " and ".join(option(Argument(name)) for name in given if name not in shape)
        raise UsageError(f"{changes} would change a preset: name it, as in liarsdice rules common")
    every = [rules(name, **(given if name == preset else shape)) for name in PRESETS]
    chosen = [one for one in every if preset in (None, one.name)]
    if as_json:
        print_json("rules", presets_json(chosen))
    elif preset is None:
        print_tables(presets_tables(every))
    else:
        print_tables(rules_tables(chosen[0], [one for one in every if one.name != preset]))
