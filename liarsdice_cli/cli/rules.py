"""`liarsdice rules`: what the presets mean, in plain sentences."""

from __future__ import annotations

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.options import PRESET, RuleOptions, change_options, json_option
from liarsdice_cli.cli.printing import print_json, print_tables
from liarsdice_cli.games.liarsdice.rules import PRESETS, rules


@click.command(cls=CommandWithExample, example="liarsdice rules\nliarsdice rules dudo --dice 5,5")
@click.argument("preset", type=PRESET, required=False, metavar="[PRESET]")
@change_options
@json_option
def command(preset: str | None, asked: RuleOptions, as_json: bool) -> None:
    """What the rules of PRESET say, with an example, who plays by them, and how others differ.

    Without it, all presets in a line each. Options change the rules.
    """
    from liarsdice_cli.report.rules import presets_json, presets_tables, rules_tables

    changes = {name: getattr(asked, name) for name in asked.given}
    every = [rules(name, **changes) for name in PRESETS]
    chosen = [one for one in every if preset in (None, one.name)]
    if as_json:
        print_json("rules", presets_json(chosen))
    elif preset is None:
        print_tables(presets_tables(every))
    else:
        print_tables(rules_tables(chosen[0], [one for one in every if one.name != preset]))
