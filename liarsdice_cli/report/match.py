"""What `liarsdice match` says: who wins a match, from all numbers of dice, and its rounds by themselves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from liarsdice_cli.formats.numbers import down, encoded, shown_between, up
from liarsdice_cli.games.liarsdice.presets import words_of
from liarsdice_cli.report.tables import table
from liarsdice_cli.report.values import dice_text, made, valuation_json
from liarsdice_cli.studies.match import OPEN, PROVED, REVERSED, Interval, Match, chance

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

_LONG = 16
"""Characters of a fraction that is shown in a table; longer ones are rounded there."""

_NEXT = {
    "loser": "who loses a round gives up a die and opens the next",
    "winner": "who loses a round gives up a die, and the other opens the next",
    "alternate": "who loses a round gives up a die, and the players open in turn",
}


def match_tables(match: Match) -> Iterator[RenderableType]:
    """The answer for a person: for either opener a table of the match, then the rounds."""
    changed = "".join(f", {words}" for words in words_of(match.changes))
    yield f"{match.preset} rules, {match.sides} side{'' if match.sides == 1 else 's'}{changed}; {_NEXT[match.opener]}"
    if match.palifico:
        yield "who comes down to one die opens a palifico round: nothing is wild, and the face stays"
    for opener in (1, 2):
        yield ""
        yield f"Player {opener} opens: probability that player 1 wins the match"
        yield _table(match, opener)
    if any(_is_long(one.match) for one in match.rounds.values()):
        yield "numbers with ~ are rounded; --json has them as fractions"
    yield from _rounds(match)


def _table(match: Match, opener: int) -> Table:
    """A row for every number of dice of player 1 and a column for those of player 2."""
    first, second = (range(1, dice + 1) for dice in match.dice)
    rows = ((str(own), *(_cell(match.won_by_first(own, other, opener)) for other in second)) for own in first)
    return table(("dice of player 1", *(f"player 2: {other}" for other in second)), rows)


def _cell(wins: Interval) -> str:
    return f"~{float(wins.lower):.6f}" if _is_long(wins) else shown_between(*wins)


def _is_long(wins: Interval) -> bool:
    return wins.exact and len(str(wins.lower)) > _LONG


def _rounds(match: Match) -> Iterator[RenderableType]:
    """The rounds by themselves, and whether winning one is always as good as losing it."""
    yield ""
    yield "Rounds by themselves: probability that their opener wins them"
    rows = ((dice_text(one) + " palifico" * one.rules.is_palifico, _cell(chance(one)), *made(one)) for one in match.valuations)
    yield table(("opener's dice, the other's", "wins", "method", "time"), rows)
    yield from (f"taken as anything from 0 to 1: {one.note}" for one in match.valuations if one.lower is None)
    noted = (one for one in match.valuations if one.note and one.lower is not None)
    yield from (f"{dice_text(one)}{' palifico' * one.rules.is_palifico}: {one.note}" for one in noted)
    if all(one.order == PROVED for one in match.rounds.values()):
        yield "in every round winning it is at least as good as losing it: proved by the bounds"
    for order, words in ((OPEN, "the bounds leave open whether winning is"), (REVERSED, "winning is not")):
        where = " ".join(f"{own},{other}" for (own, other), one in match.rounds.items() if one.order == order)
        if where:
            yield f"{words} at least as good as losing where the opener and the other have these dice: {where}"


def match_json(match: Match) -> dict[str, Any]:
    """The content of `match --json`; see docs/json.md."""
    head = {"rules": match.preset, "sides": match.sides, "dice": list(match.dice), "opener": match.opener}
    head |= {"palifico": match.palifico, "changes": dict(match.changes)}
    return head | {"states": list(_states(match)), "rounds": [valuation_json(one) for one in match.valuations]}


def _states(match: Match) -> Iterator[dict[str, Any]]:
    """Every pair of dice and opener."""
    first, second = match.dice
    for opener in (1, 2):
        for own in range(1, first + 1):
            for other in range(1, second + 1):
                wins = match.won_by_first(own, other, opener)
                bounds = dict(zip(("lower", "upper"), _encoded(wins), strict=True))
                order = {"order": match.round_of(own, other, opener).order}
                yield {"dice": [own, other], "opener": opener, "exact": wins.exact} | bounds | order


def _encoded(wins: Interval) -> tuple[str | float | None, ...]:
    """Both bounds as fractions if they are one number, else as floats, rounded outwards."""
    return (encoded(wins.lower), encoded(wins.upper)) if wins.exact else (down(wins.lower), up(wins.upper))
