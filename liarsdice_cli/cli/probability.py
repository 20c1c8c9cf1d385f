"""`liarsdice probability`: the probability of a bid, the payoff of every raise, and the recommended action."""

from __future__ import annotations

import re
from fractions import Fraction

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.option_table import option
from liarsdice_cli.cli.options import json_option
from liarsdice_cli.cli.printing import print_json, print_tables
from liarsdice_cli.cli.types import WHOLE
from liarsdice_cli.errors import LiarsDiceError, UsageError
from liarsdice_cli.games.liarsdice.bids import Bid, typed_bid
from liarsdice_cli.games.liarsdice.rules import Rules, rules
from liarsdice_cli.text import quoted

_EXAMPLE = """
liarsdice probability 2,3,3,3,3 36 16x3
liarsdice probability 1,4 3 --rules dudo
"""


@click.command(cls=CommandWithExample, example=_EXAMPLE)
@click.argument("own", metavar="FACES")
@click.argument("unknown", type=WHOLE)
@click.argument("bid", required=False)
@option("known")
@option("next", "  [default: as many as yours, at most UNKNOWN]")
@option("level", default="0.3")
@option("rules", default="ones-low")
@option("sides", default=6)
@option("wild", "  [default: the preset's]")
@option("order", "  [default: the preset's]")
@option("full")
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
    """Compute how probable a bid is, the payoff of each raise, and what to do.

    FACES are your dice, UNKNOWN is the number of dice that you cannot see, and BID is the last bid, quantity x face; leave it
    out in the opening. The payoff of an action is the mean change of your number of dice, from -1 to 0. Raises go up to the
    number of all dice.
    """
    from liarsdice_cli.library.probability import probability
    from liarsdice_cli.report.probability import probability_json, probability_tables

    game = rules(preset, sides, (1, 1), wild=wild, order=order)
    situation = probability(
        _faces(own, "FACES"),
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
    if (not parts and option == "FACES") or not all(re.fullmatch(r"[0-9]{1,3}", part) for part in parts):
        raise UsageError(f"{option} {quoted(text, 40)}: give the faces of dice separated by commas, such as 2,3,3")
    return tuple(map(int, parts))


def _bid(text: str, rules: Rules) -> Bid:
    found = typed_bid(text)
    if found is None:
        raise UsageError(f"BID {quoted(text, 40)}: a bid is quantity x face, such as {Bid(3, rules.faces[-1])}")
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
