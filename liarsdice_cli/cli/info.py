"""`liarsdice info`: the size of a game, from the rules in closed form or from a file."""

from __future__ import annotations

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.options import RuleOptions, json_option, rule_options
from liarsdice_cli.cli.printing import print_json, print_lines
from liarsdice_cli.cli.types import FILE


@click.command(cls=CommandWithExample, example="liarsdice info --sides 6\nliarsdice info game.efg --json")
@click.argument("game", type=FILE, required=False)
@rule_options
@json_option
def command(game: str | None, asked: RuleOptions, as_json: bool) -> None:
    """Count the nodes and information sets of GAME (a file, or - for standard input) or of the rules, at any size."""
    from liarsdice_cli.cli.game import problem_of
    from liarsdice_cli.report.facts import game_info, info_json

    problem = problem_of(game, asked)
    if as_json:
        print_json("info", info_json(problem, game))
    else:
        print_lines(game_info(problem).lines())
