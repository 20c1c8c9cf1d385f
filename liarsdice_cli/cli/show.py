"""`liarsdice show`: what a kept strategy does after a history, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.options import FILE, json_option, moves_of
from liarsdice_cli.cli.printing import print_json, print_lines, print_tables

if TYPE_CHECKING:
    from rich.console import RenderableType

    from liarsdice_cli.solvers.public_tree.values import Weighted


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
    from liarsdice_cli.formats import kinds
    from liarsdice_cli.games.liarsdice.strategy import history_of as bids_of

    kept = kinds.read(strategy, kinds.STRATEGY)
    bids = bids_of(kept.rules, moves_of(history))
    if as_json:
        print_json("show", {"rules": str(kept.rules), "source": strategy} | pages_json(kept, [bids])[0])
        return
    print_lines(
        [f"{kept.rules}; {kept.origin.method}, value for player 1 from {kept.origin.lower:.6g} to {kept.origin.upper:.6g}"]
    )
    print_tables(pages(kept, [bids], full))


def pages(said: Weighted, histories: Sequence[Sequence[int]], full: bool = False) -> Iterator[RenderableType]:
    """For every history, lines and tables for a person."""
    from liarsdice_cli.report.public_solution import reading_tables
    from liarsdice_cli.solvers.public_tree.values import after

    for history in histories:
        yield from reading_tables(after(said, history), full)


def pages_json(said: Weighted, histories: Sequence[Sequence[int]]) -> list[dict[str, Any]]:
    """The same for a program."""
    from liarsdice_cli.report.public_solution import reading_json
    from liarsdice_cli.solvers.public_tree.values import after

    return [reading_json(after(said, history)) for history in histories]
