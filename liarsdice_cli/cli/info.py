"""`liarsdice info`: how large a game is, from the rules in closed form or from a file."""

from __future__ import annotations

from typing import Any

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.options import FILE, json_option, one_game, rule_options, rules_of, tree_of
from liarsdice_cli.cli.printing import print_json, print_lines


@click.command(cls=CommandWithExample, example="liarsdice info --sides 6\nliarsdice info game.efg --json")
@click.argument("game", type=FILE, required=False)
@rule_options
@json_option
def command(game: str | None, asked: dict[str, Any], as_json: bool) -> None:
    """Count the nodes and information sets of GAME (a file, or - for standard input) or of the rules, at any size."""
    from liarsdice_cli.report import Facts

    one_game(game, asked)
    facts = _facts_of_rules(asked) if game is None else Facts.of(tree_of(game, asked))
    if as_json:
        print_json("info", facts.json())
    else:
        print_lines(facts.lines())


def _facts_of_rules(asked: dict[str, Any]) -> Any:
    from liarsdice_cli.games.liarsdice.tree import Counts
    from liarsdice_cli.report import Facts

    rules, chance = rules_of(asked)
    counts = Counts.of(rules, chance)
    return Facts(
        title=f"Liar's Dice: {rules}",
        players=tuple(f"Player {player + 1}" for player in range(rules.players)),
        decision_nodes=counts.decision_nodes,
        chance_nodes=counts.chance_nodes,
        terminal_nodes=counts.terminal_nodes,
        infosets=counts.infosets,
        constant_sum=True,
        perfect_recall=True,
    )
