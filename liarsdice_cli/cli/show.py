"""`liarsdice show`: what a kept strategy does after a history, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.options import FILE, history_of, json_option
from liarsdice_cli.cli.printing import print_json, print_lines, print_tables

if TYPE_CHECKING:
    from rich.console import RenderableType

    from liarsdice_cli.formats.ldz import StrategyFile
    from liarsdice_cli.reading import Reading
    from liarsdice_cli.solvers.public_tree.averages import Averages


@click.command(
    cls=CommandWithExample, example='liarsdice show strategy.ldz opening\nliarsdice show strategy.ldz "2x3 3x3" --full'
)
@click.argument("strategy", type=FILE)
@click.argument("history", default="opening")
@click.option("--full", is_flag=True, help="Also actions that are hardly ever taken, and unlikely rolls.")
@json_option
def command(strategy: str, history: str, full: bool, as_json: bool) -> None:
    """Show what each roll does after HISTORY ("opening", or bids such as "2x3 3x3") in the strategy file STRATEGY.

    With the value of each action, the odds that the last bid is true, and what the other player may hold by then.
    """
    from liarsdice_cli.formats import ldz
    from liarsdice_cli.games.liarsdice.strategy import history_of as bids_of

    kept = ldz.StrategyFile(strategy)
    bids = bids_of(kept.rules, history_of(history))
    if as_json:
        print_json("show", {"rules": str(kept.rules), "source": strategy} | pages_json(kept, [bids])[0])
        return
    print_lines(
        [f"{kept.rules}; {kept.origin.method}, value for player 1 from {kept.origin.lower:.6g} to {kept.origin.upper:.6g}"]
    )
    print_tables(pages(kept, [bids], full))


def pages(said: StrategyFile | Averages, histories: Sequence[Sequence[int]], full: bool = False) -> Iterator[RenderableType]:
    """For every history, lines and tables for a person."""
    from liarsdice_cli.public_report import reading_tables

    for history in histories:
        yield from reading_tables(_read(said, history), full)


def pages_json(said: StrategyFile | Averages, histories: Sequence[Sequence[int]]) -> list[dict[str, Any]]:
    """The same for a program."""
    from liarsdice_cli.public_report import reading_json

    return [reading_json(_read(said, history)) for history in histories]


def _read(said: StrategyFile | Averages, history: Sequence[int]) -> Reading:
    """What holds after a history, with values whatever the size of the game."""
    from liarsdice_cli import reading
    from liarsdice_cli.games.liarsdice.public import public_game
    from liarsdice_cli.solvers.public_tree.values import action_wins

    here = reading.after(said, history, most=0)
    reach = here.reaches[1 - here.mover]
    if reach.sum() == 0:
        return here
    game = public_game(said.rules)
    wins = action_wins(game, history, reach, said.weights) / reach.sum()
    win, lose = (float(said.rules.payoffs_when_losing(loser)[here.mover]) for loser in (1 - here.mover, here.mover))
    return replace(here, values=lose + (win - lose) * wins)
