"""`liarsdice match`: who wins a whole match, in which the loser of a call gives up a die."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.options import DICE, WHOLE, json_option, quiet_option
from liarsdice_cli.cli.printing import print_json, print_tables
from liarsdice_cli.cli.valuing import (
    dice_text,
    ended,
    made,
    opened,
    plain_table,
    resume_option,
    solve_all,
    valuation_json,
    valuation_options,
)
from liarsdice_cli.games.liarsdice.rules import PRESETS
from liarsdice_cli.studies.match import OPEN, OPENERS, PROVED, REVERSED, Dice, Interval, Stage, chance, play, stages

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from liarsdice_cli.studies.valuation import Valuation

_EXAMPLE = """
liarsdice match --dice 2,2 --sides 3 --rules joker
liarsdice match --dice 2,2 --sides 6 --rules joker --opener winner --resume rounds.csv
"""

_LONG = 16
"""Characters of a fraction that is shown in a table; longer ones are rounded there."""


@click.command(cls=CommandWithExample, example=_EXAMPLE)
@click.option("--dice", type=DICE, default="2,2", show_default=True, help="Dice of both players when the match begins.")
@click.option("--sides", type=WHOLE, default=6, show_default=True, metavar="N", help="Faces 1..N of every die.")
@click.option("--rules", "preset", type=click.Choice(tuple(PRESETS)), default="classic", show_default=True, help="Rule preset.")
@click.option(
    "--opener",
    type=click.Choice(OPENERS),
    default="loser",
    show_default=True,
    help="Who opens the next round.",
)
@valuation_options
@resume_option
@json_option
@quiet_option
def command(
    dice: tuple[int, ...],
    sides: int,
    preset: str,
    opener: str,
    worth: dict[str, Any],
    resume: str | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """The probability of winning a whole match, from all numbers of dice up to those given, for either opener.

    The loser of a call gives up a die, and all dice are rolled anew; who has none left has lost. Every round is valued as
    `values` does, exactly or between bounds, and the bounds are carried through.
    """
    games = stages(preset, sides, dice)
    table = opened(None, resume)
    games = [other if table.get(other := replace(game, payoffs="zero-sum")) else game for game in games]
    solve_all(games, table, worth, quiet)
    known = [one for one in map(table.get, games) if one is not None]
    rounds = play({(one.rules.dice[0], one.rules.dice[1]): chance(one) for one in known}, opener)
    first, second = dice
    if as_json:
        head = {"rules": preset, "sides": sides, "dice": list(dice), "opener": opener}
        states = list(_states(rounds, first, second))
        print_json("match", head | {"states": states, "rounds": [valuation_json(one) for one in known]})
    else:
        title = f"{preset} rules, {sides} side{'' if sides == 1 else 's'}; {_NEXT[opener]}"
        print_tables((title, *_tables(rounds, first, second), *_rounds(known, rounds)))
    return ended(table)


_NEXT = {
    "loser": "who loses a round gives up a die and opens the next",
    "winner": "who loses a round gives up a die, and the other opens the next",
    "alternate": "who loses a round gives up a die, and the players open in turn",
}


def _seen_by_first(rounds: Mapping[Dice, Stage], own: int, other: int, opener: int) -> Interval:
    """The probability that player 1 wins the match, with his dice first."""
    return rounds[own, other].match if opener == 1 else rounds[other, own].match.of_other()


def _states(rounds: Mapping[Dice, Stage], first: int, second: int) -> Iterator[dict[str, Any]]:
    """Every pair of dice and opener for a program."""
    for opener in (1, 2):
        for own in range(1, first + 1):
            for other in range(1, second + 1):
                wins = _seen_by_first(rounds, own, other, opener)
                order = rounds[(own, other) if opener == 1 else (other, own)].order
                bounds = dict(zip(("lower", "upper"), _encoded(wins), strict=True))
                yield {"dice": [own, other], "opener": opener, "exact": wins.exact} | bounds | {"order": order}


def _encoded(wins: Interval) -> tuple[str | float | None, ...]:
    """Both bounds as fractions if they are one number, else as floats, rounded outwards."""
    from liarsdice_cli.formats.numbers import down, encoded, up

    return (encoded(wins.lower), encoded(wins.upper)) if wins.exact else (down(wins.lower), up(wins.upper))


def _tables(rounds: Mapping[Dice, Stage], first: int, second: int) -> Iterator[RenderableType]:
    """For either opener, a row for every number of dice of player 1 and a column for those of player 2."""
    for opener in (1, 2):
        yield f"\nPlayer {opener} opens: probability that player 1 wins the match"
        yield _table(rounds, first, second, opener)
    shown_wins = [rounds[pair].match for pair in rounds]
    if any(wins.exact and len(str(wins.lower)) > _LONG for wins in shown_wins):
        yield "numbers with ~ are rounded; --json has them as fractions"


def _table(rounds: Mapping[Dice, Stage], first: int, second: int, opener: int) -> Table:
    table = plain_table("dice of player 1", *(f"player 2: {other}" for other in range(1, second + 1)))
    for own in range(1, first + 1):
        cells = (_seen_by_first(rounds, own, other, opener) for other in range(1, second + 1))
        table.add_row(str(own), *map(_cell, cells))
    return table


def _cell(wins: Interval) -> str:
    from liarsdice_cli.formats.numbers import shown_between

    if wins.exact and len(str(wins.lower)) > _LONG:
        return f"~{float(wins.lower):.6f}"
    return shown_between(*wins)


def _rounds(known: Sequence[Valuation], rounds: Mapping[Dice, Stage]) -> Iterator[RenderableType]:
    """The rounds by themselves, and whether winning one is always as good as losing it."""
    yield "\nRounds by themselves: probability that their opener wins them"
    table = plain_table("his dice, the other's", "wins", "method", "time")
    for one in known:
        table.add_row(dice_text(one), _cell(chance(one)), *made(one))
    yield table
    yield from (f"taken as anything from 0 to 1: {one.note}" for one in known if one.lower is None)
    if all(one.order == PROVED for one in rounds.values()):
        yield "in every round winning it is at least as good as losing it: proved by the bounds"
    for order, words in ((OPEN, "the bounds leave open whether winning is"), (REVERSED, "winning is not")):
        where = " ".join(f"{own},{other}" for (own, other), one in rounds.items() if one.order == order)
        if where:
            yield f"{words} at least as good as losing where the opener and the other have these dice: {where}"
