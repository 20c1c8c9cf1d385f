"""`liarsdice probability`: whether a bid is true, what every raise is worth, and what to do."""

from __future__ import annotations

import re
from fractions import Fraction

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.options import PRESET, WHOLE, json_option
from liarsdice_cli.cli.printing import print_json, print_tables
from liarsdice_cli.errors import LiarsDiceError, UsageError
from liarsdice_cli.games.liarsdice.bids import Bid, typed_bid
from liarsdice_cli.games.liarsdice.rules import ORDERS, Rules, rules
from liarsdice_cli.text import quoted

_EXAMPLE = """
liarsdice probability --own 2,3,3,3,3 --unknown 36 --bid 16x3
liarsdice probability --own 1,4 --unknown 3 --rules dudo
"""


@click.command(cls=CommandWithExample, example=_EXAMPLE)
@click.option("--own", required=True, metavar="FACES", help="Your dice, such as 2,3,3,3,3.")
@click.option("--unknown", type=WHOLE, required=True, metavar="N", help="How many dice you cannot see.")
@click.option("--bid", metavar="BID", help="The last bid, quantity x face, such as 16x3; none in the opening.")
@click.option("--known", default="", metavar="FACES", help="Dice that everybody sees.")
@click.option(
    "--next", "next_dice", type=WHOLE, metavar="N", help="Dice of the next player.  [default: as many as yours, if there are]"
)
@click.option("--level", default="0.3", show_default=True, help="A player calls what is true with a probability below this.")
@click.option("--rules", "preset", type=PRESET, default="ones-low", show_default=True, help="Rule preset.")
@click.option("--sides", type=WHOLE, default=6, show_default=True, metavar="N", help="Faces 1..N of every die.")
@click.option("--wild", metavar="FACE", help="Wild face, or none.  [default: the preset's]")
@click.option("--order", type=click.Choice(ORDERS), help="Bids rise by this first.  [default: the preset's]")
@click.option("--all", "full", is_flag=True, help="Show all raises.")
@json_option
def command(
    own: str,
    unknown: int,
    bid: str | None,
    known: str,
    next_dice: int | None,
    level: str,
    preset: str,
    sides: int,
    wild: str | None,
    order: str | None,
    full: bool,
    as_json: bool,
) -> None:
    """At the table: how probable it is that a bid is true, what each raise is worth, and what to do.

    The payoff is the number of dice that you win on average (docs/zero-intelligence.md). There is no --max-quantity:
    raises go up to all the dice there are, and no higher one could be true.
    """
    from liarsdice_cli.library.probability import probability
    from liarsdice_cli.report.probability import probability_json, probability_tables

    game = rules(preset, sides, (1, 1), wild=wild, order=order)
    situation = probability(
        _faces(own, "--own"),
        unknown,
        None if bid is None else _bid(bid, game),
        rules=game,
        known=_faces(known, "--known"),
        next_dice=next_dice,
        level=_level(level),
    )
    if as_json:
        print_json("probability", probability_json(situation))
    else:
        print_tables(probability_tables(situation, full))


def _faces(text: str, option: str) -> tuple[int, ...]:
    parts = [part.strip() for part in text.split(",")] if text.strip() else []
    if not all(re.fullmatch(r"[0-9]{1,3}", part) for part in parts):
        raise UsageError(f"{option} {quoted(text, 40)}: give the faces of dice with commas between them, such as 2,3,3")
    return tuple(map(int, parts))


def _bid(text: str, rules: Rules) -> Bid:
    found = typed_bid(text)
    if found is None:
        raise UsageError(f"--bid {quoted(text, 40)}: a bid is quantity x face, such as {Bid(3, rules.faces[-1])}")
    return found


def _level(text: str) -> Fraction:
    from liarsdice_cli.bots.zero_intelligence.payoff import as_level
    from liarsdice_cli.formats.numbers import decoded

    try:
        return as_level(decoded(text.strip()))
    except UsageError:
        raise
    except LiarsDiceError as error:
        raise UsageError(f"--level {quoted(text, 40)}: give a probability such as 0.3 or 1/3") from error
