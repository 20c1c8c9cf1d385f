"""Options that the commands on combinatorial games share."""

from __future__ import annotations

import re
from difflib import get_close_matches

import click

from liarsdice_cli.cli.option_table import option, stacked
from liarsdice_cli.cli.options import json_option, quiet_option
from liarsdice_cli.draw.formats import SCENE
from liarsdice_cli.errors import UsageError
from liarsdice_cli.formats import registry
from liarsdice_cli.text import printable, whole

misere_option = option("misere")
output_option = option("output", registry.suffixes(registry.GAME))
outputs_option = option(
    "output",
    f"the game ({registry.suffixes(registry.GAME)}), a picture of won and lost positions ({registry.suffixes(SCENE)}); "
    "or one of each",
    multiple=True,
)
full_option = option("full", " A picture then shows the tree of all plays, with won and lost positions in colour.")
question_options = stacked(misere_option, full_option, outputs_option, json_option, quiet_option)
"""The options for a game with a tree of plays: `misere`, `full`, `output`, `as_json`, `quiet`."""


def refuse_options(context: click.Context, _parameter: click.Parameter, words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words, which may be numbers below zero; raise NoSuchOption if one looks like an option.

    It is the callback of an argument whose command ignores unknown options.
    """
    for word in words:
        if re.match("-[^0-9]", word):
            known = [name for option in context.command.params for name in option.opts if name.startswith("-")]
            raise click.NoSuchOption(word, possibilities=get_close_matches(word, known), ctx=context)
    return words


def numbers(text: str, option: str) -> list[int]:
    """Return the numbers in a text, with commas between them; UsageError for anything else."""
    try:
        return [whole(number) for number in text.split(",")] if text.strip() else []
    except ValueError as error:
        given = printable(text, 80)
        raise UsageError(f"{option} {given}: give whole numbers separated by commas, such as 1,2,3") from error
