"""`liarsdice odds`: whether a bid is true, what every raise is worth, and what to do."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.options import WHOLE, json_option
from liarsdice_cli.cli.printing import print_json, print_tables
from liarsdice_cli.errors import LiarsDiceError, UsageError
from liarsdice_cli.games.liarsdice.rules import PRESETS, Bid, rules

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from liarsdice_cli.bots.zero_intelligence.payoff import Raise
    from liarsdice_cli.games.liarsdice.sight import Sight

_ROWS = 20
_UNLIKELY = Fraction(1, 20)


@click.command(
    cls=CommandWithExample,
    example="liarsdice odds --own 2,3,3,3,3 --unknown 36 --bid 16x3\nliarsdice odds --own 1,4 --unknown 3 --rules dudo",
)
@click.option("--own", required=True, metavar="FACES", help="Your dice, such as 2,3,3,3,3.")
@click.option("--unknown", type=WHOLE, required=True, metavar="N", help="How many dice you cannot see.")
@click.option("--bid", metavar="BID", help="The last bid, quantity x face, such as 16x3; none in the opening.")
@click.option("--known", default="", metavar="FACES", help="Dice that everybody sees.")
@click.option(
    "--next", "next_dice", type=WHOLE, metavar="N", help="Dice of the next player.  [default: as many as yours, if there are]"
)
@click.option("--level", default="0.3", show_default=True, help="A player calls what is true with a probability below this.")
@click.option(
    "--rules", "preset", type=click.Choice(tuple(PRESETS)), default="ones-low", show_default=True, help="Rule preset."
)
@click.option("--sides", type=WHOLE, default=6, show_default=True, metavar="N", help="Faces 1..N of every die.")
@click.option("--wild", metavar="FACE", help="Wild face, or none.  [default: the preset's]")
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
    full: bool,
    as_json: bool,
) -> None:
    """The odds at the table: how probable it is that a bid is true, what each raise is worth, and what to do.

    The payoff is the number of dice that you win on average (docs/zero-intelligence.md).
    """
    from liarsdice_cli.games.liarsdice.sight import Sight

    mine = _faces(own, "--own")
    if not mine:
        raise UsageError("--own names no dice: give the faces of your dice, such as 2,3,3")
    if next_dice is None:
        next_dice = max(0, min(len(mine), unknown))
    sight = Sight(rules(preset, sides, (1, 1), wild=wild), mine, unknown, next_dice, _faces(known, "--known"))
    odds = _Odds(sight, None if bid is None else _bid(bid, sight), _level(level))
    if as_json:
        print_json("odds", _json(odds))
    else:
        print_tables(_lines(odds, full))


def _faces(text: str, option: str) -> tuple[int, ...]:
    parts = [part.strip() for part in text.split(",")] if text.strip() else []
    if not all(re.fullmatch(r"[0-9]{1,3}", part) for part in parts):
        raise UsageError(f"{option} {text[:40]!r}: give the faces of dice with commas between them, such as 2,3,3")
    return tuple(sorted(map(int, parts)))


def _bid(text: str, sight: Sight) -> Bid:
    parts = re.fullmatch(r"([0-9]{1,9})x([0-9]{1,3})", text.strip())
    if parts is None:
        raise UsageError(f"--bid {text[:40]!r}: a bid is quantity x face, such as {Bid(3, sight.rules.faces[-1])}")
    bid = Bid(int(parts[1]), int(parts[2]))
    sight.raises(bid)
    return bid


def _level(text: str) -> Fraction:
    from liarsdice_cli.bots.zero_intelligence.payoff import as_level
    from liarsdice_cli.formats.numbers import decoded

    try:
        return as_level(decoded(text.strip()))
    except UsageError:
        raise
    except LiarsDiceError as error:
        raise UsageError(f"--level {text[:40]!r}: give a probability such as 0.3 or 1/3") from error


@dataclass(frozen=True)
class _Odds:
    """The question, and what the model says."""

    sight: Sight
    last: Bid | None
    level: Fraction

    @cached_property
    def raises(self) -> list[Raise]:
        """All legal raises, the best first."""
        from liarsdice_cli.bots.zero_intelligence import payoff

        return sorted(payoff.raises(self.sight, self.last, self.level), key=lambda one: one.rank, reverse=True)

    @cached_property
    def true(self) -> Fraction:
        """The probability that the last bid is true; 1 in the opening."""
        from liarsdice_cli.games.liarsdice.sight import probability_true

        return Fraction(1) if self.last is None else Fraction(probability_true(self.sight, self.last))

    @property
    def best(self) -> Raise | None:
        return self.raises[0] if self.raises else None

    @property
    def pays(self) -> bool:
        """Whether calling is the recommendation."""
        from liarsdice_cli.bots.zero_intelligence.payoff import call_pays

        return self.last is not None and call_pays(self.sight, self.last, self.best)

    @property
    def below_level(self) -> bool:
        """Whether a player with the level calls."""
        return self.last is not None and (self.best is None or self.true < self.level)

    def verdict(self, called: bool) -> str:
        """What is done, in words."""
        if called:
            return "call"
        assert self.best is not None, "who does not call has a raise"
        return f"{'bid' if self.last is None else 'raise to'} {self.best.bid}"

    @property
    def reason(self) -> str:
        """Why the recommendation is what it is."""
        if self.last is None:
            return f"payoff {_decimal(self.raises[0].omega)}; no other bid has a better one"
        call = f"a call is worth {_decimal(-self.true)}"
        if self.best is None:
            return f"{call}, and there is no raise for which there are dice enough"
        return f"{call}, the best raise, {self.best.bid}, {_decimal(self.best.omega)}"

    @property
    def by_level(self) -> str:
        """What the page's rule does, and why."""
        verdict = self.verdict(self.below_level)
        if self.last is None:
            return f"{verdict}: the opening cannot call"
        if self.best is None:
            return f"{verdict}: no raise is left"
        relation = "below" if self.below_level else "not below"
        return f"{verdict}: {_decimal(self.true)} is {relation} {float(self.level):g}"


def _lines(odds: _Odds, full: bool) -> Iterator[RenderableType]:
    sight = odds.sight
    wild = f"{sight.rules.wild} is wild" if sight.rules.wild else "no wild face"
    known = f", {_dice(sight.known)} known" if sight.known else ""
    yield f"{odds.sight.total} dice, {sight.rules.sides} sides, {wild}; {sight.rules.name} rules"
    yield f"own {_dice(sight.own)}{known}; {sight.unknown} unknown, {sight.next_dice} of them the next player's"
    yield ""
    if odds.last is not None:
        yield from _about_bid(odds, odds.last)
        yield ""
    shown = [one for one in odds.raises if full or _sensible(odds, one)]
    shown = shown if full else shown[:_ROWS]
    if shown:
        yield _table(odds, shown)
        if len(shown) < len(odds.raises):
            left = "true with 0.05 or more, and not safe from a call" if len(shown) < _ROWS else "the best"
            yield f"{len(shown)} of {len(odds.raises)} raises, {left}; --all shows all"
        yield ""
    yield f"recommended: {odds.verdict(odds.pays)}: {odds.reason}"
    yield f"a player with level {float(odds.level):g} would {odds.by_level}"


def _about_bid(odds: _Odds, bid: Bid) -> Iterator[str]:
    from liarsdice_cli.formats.numbers import shown
    from liarsdice_cli.games.liarsdice import sight as seen
    from liarsdice_cli.games.liarsdice.sight import probability_true
    from liarsdice_cli.games.liarsdice.tails import normal

    sight, chance = odds.sight, seen.chance(odds.sight.rules, bid.face)
    mean, deviation = sight.unknown * chance, seen.deviations(sight)[bid.face - 1]
    missing = max(sight.missing(bid), 0)
    yield f"{bid}: {bid.quantity - sight.missing(bid)} seen, {missing} missing"
    yield f"  expected among the unknown, each with chance {chance}: {float(mean):.4g}, standard deviation {deviation:.4g}"
    yield f"  true with probability {shown(odds.true)}; normal {float(probability_true(sight, bid, normal)):.6g}"
    ours, page = _z_scores(sight, bid)
    yield f"  z-score {_decimal(ours)}, {_decimal(page)} with the document's +0.5"


def _z_scores(sight: Sight, bid: Bid) -> Iterator[float | None]:
    """The z-score with the correction that makes Phi(z) the probability of a bad bid, then the document's."""
    from liarsdice_cli.games.liarsdice.sight import CONTINUITY_CORRECTION, PAGE_CORRECTION, z_score

    for correction in (CONTINUITY_CORRECTION, PAGE_CORRECTION):
        z = z_score(sight, bid, correction)
        yield z if math.isfinite(z) else None


def _sensible(odds: _Odds, one: Raise) -> bool:
    """Not a raise that the next player never calls, nor one that is hardly ever true; but the best one in any case."""
    return one is odds.best or (one.omega < 0 and one.bad <= 1 - _UNLIKELY)


def _table(odds: _Odds, shown: list[Raise]) -> Table:
    from rich import box
    from rich.table import Table

    from liarsdice_cli.bots.zero_intelligence.payoff import probability_called

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for name in ("raise", "true", "bad (p)", "next calls", "payoff (omega)"):
        table.add_column(name, justify="left" if name == "raise" else "right")
    for one in shown:
        called = probability_called(odds.sight, one.bid, odds.level)
        table.add_row(str(one.bid), *map(_decimal, (1 - one.bad, one.bad, called, one.omega)))
    return table


def _decimal(number: Fraction | float | None) -> str:
    return "-" if number is None else f"{float(number) + 0.0:.4f}".replace("-0.0000", "0.0000")


def _dice(faces: tuple[int, ...]) -> str:
    return " ".join(map(str, faces))


def _json(odds: _Odds) -> dict[str, Any]:
    from liarsdice_cli.bots.zero_intelligence.payoff import probability_called
    from liarsdice_cli.formats.numbers import encoded

    sight = odds.sight
    return {
        "rules": sight.rules.name,
        "sides": sight.rules.sides,
        "wild": sight.rules.wild,
        "own": list(sight.own),
        "known": list(sight.known),
        "unknown": sight.unknown,
        "next_dice": sight.next_dice,
        "level": encoded(odds.level),
        "last_bid": None if odds.last is None else _bid_json(odds, odds.last),
        "raises": [
            {
                "bid": str(one.bid),
                "true": encoded(1 - one.bad),
                "called": encoded(probability_called(sight, one.bid, odds.level)),
                "omega": encoded(one.omega),
            }
            for one in odds.raises
        ],
        "recommended": _action(odds, odds.pays),
        "reason": odds.reason,
        "by_level": _action(odds, odds.below_level),
    }


def _action(odds: _Odds, called: bool) -> str:
    return "call" if called or odds.best is None else str(odds.best.bid)


def _bid_json(odds: _Odds, bid: Bid) -> dict[str, Any]:
    from liarsdice_cli.formats.numbers import encoded
    from liarsdice_cli.games.liarsdice import sight as seen
    from liarsdice_cli.games.liarsdice.sight import probability_true
    from liarsdice_cli.games.liarsdice.tails import normal

    ours, page = _z_scores(odds.sight, bid)
    return {
        "bid": str(bid),
        "missing": odds.sight.missing(bid),
        "chance": encoded(seen.chance(odds.sight.rules, bid.face)),
        "expected": encoded(seen.expectations(odds.sight)[bid.face - 1]),
        "deviation": seen.deviations(odds.sight)[bid.face - 1],
        "true": encoded(odds.true),
        "true_normal": float(probability_true(odds.sight, bid, normal)),
        "z_score": ours,
        "page_z_score": page,
    }
