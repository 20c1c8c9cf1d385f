"""Options that the commands on combinatorial games share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from liarsdice_cli.cli.option_table import option
from liarsdice_cli.cli.options import json_option, quiet_option
from liarsdice_cli.draw import pictures
from liarsdice_cli.errors import UsageError
from liarsdice_cli.formats import registry
from liarsdice_cli.text import printable, whole

_Function = TypeVar("_Function", bound=Callable[..., Any])


def _checked(ctx: click.Context, param: click.Parameter, name: str | None) -> str | None:
    """A name that can be drawn to, so that nothing is solved for one that cannot."""
    if name is not None:
        pictures.figure_format(name)
    return name


misere_option = option("misere")
output_option = option("output", registry.suffixes(registry.GAME))
draw_option = option("draw", f"won and lost positions, {pictures.FIGURE_SUFFIXES}", callback=_checked)
tree_option = option("draw-tree", f"won and lost in colours, {pictures.FIGURE_SUFFIXES}", callback=_checked)


def question_options(full: str) -> Callable[[_Function], _Function]:
    """All that is asked of a game with a tree of plays: `misere`, `full`, `output`, `picture`, `tree`, `as_json`, `quiet`.

    full : the help of --full
    """
    whole_table = option("full")

    def wrapped(function: _Function) -> _Function:
        options = (misere_option, whole_table, output_option, draw_option, tree_option, json_option, quiet_option)
        made: Any = function
        for add in reversed(options):
            made = add(made)
        result: _Function = made
        return result

    return wrapped


def numbers(text: str, option: str) -> list[int]:
    """Numbers with commas between them; UsageError for anything else."""
    try:
        return [whole(number) for number in text.split(",")] if text.strip() else []
    except ValueError as error:
        given = printable(text, 80)
        raise UsageError(f"{option} {given}: give whole numbers with commas between them, such as 1,2,3") from error
