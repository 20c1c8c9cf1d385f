"""The output of `liarsdice match`: the probability of winning it from each number of dice, and the values of its rounds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from liarsdice_cli.formats.documents.tables import Match as MatchFields
from liarsdice_cli.formats.documents.tables import MatchState, Values
from liarsdice_cli.formats.numbers import down, encoded, shown_between, up
from liarsdice_cli.games.liarsdice.presets import words_of
from liarsdice_cli.report.rules import titled
from liarsdice_cli.report.tables import Hinted, table
from liarsdice_cli.report.values import made, valuation_json
from liarsdice_cli.studies.intervals import Interval
from liarsdice_cli.studies.match import OPEN, PROVED, REVERSED, EndlessMatch, Match, chance
from liarsdice_cli.studies.match_of_more import MatchOfMore
from liarsdice_cli.text import comma_list, numbered

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table as RichTable

    from liarsdice_cli.games.liarsdice.rules import Rules
    from liarsdice_cli.games.liarsdice.table import Table

_LONG = 16
"""The most characters of a fraction in a table; longer ones are rounded."""

_NEXT = {
    "loser": "the loser of a round gives up a die and opens the next round",
    "winner": "the loser of a round gives up a die, and the winner opens the next round",
    "alternate": "the loser of a round gives up a die, and the players open in turn",
}


def match_tables(match: Match | MatchOfMore) -> Iterator[RenderableType]:
    """Yield a table of the match for each opener, then the rounds; for three or more players one table."""
    game = match.start.game
    changed = "".join(f", {words}" for words in words_of(game.changes))
    yield f"{game.name} rules, {numbered(game.sides, 'sides')}{changed}; {_NEXT[match.opener]}"
    if match.start.match_rules.palifico:
        yield "a player who drops to one die opens a palifico round: no face is wild, and all bids keep the face of the opening"
    yield from _of_more(match) if isinstance(match, MatchOfMore) else _of_two(match)


def _of_more(match: MatchOfMore) -> Iterator[RenderableType]:
    yield ""
    yield "Probability that each player wins the match, if all players only try not to lose each round"
    players = range(1, len(match.start.dice) + 1)
    heads = ("dice", "opener", *(f"player {player}" for player in players))
    yield table(heads, (_row(match, state) for state in match.rounds()))
    yield f"no player can gain more than {match.regret:.2g} in a round; the possible gain in the whole match is unknown"


def _row(match: MatchOfMore, state: Table) -> tuple[str, ...]:
    return (_dice(state), str(state.opener + 1), *(f"{wins:.4f}" for wins in match.wins(state)))


def _dice(one: Table | Rules) -> str:
    return comma_list(one.dice) + " palifico" * one.is_palifico


def _of_two(match: Match) -> Iterator[RenderableType]:
    if isinstance(match, EndlessMatch):
        yield "a right spot-on claim wins back a die, up to the starting number; no player loses one, and the claimer opens"
    for opener in (1, 2):
        yield ""
        yield f"Player {opener} opens: probability that player 1 wins the match"
        yield _table(match, opener)
    if isinstance(match, EndlessMatch):
        yield ""
        gaps = match.endless.gaps
        yield f"bounds after {numbered(len(gaps), 'sweeps')} over all rounds: at most {float(gaps[-1]):.2g} apart"
        return
    if any(_is_long(one.match) for one in match.rounds.values()):
        yield Hinted("numbers with ~ are rounded", "; --json prints them as fractions")
    yield from _rounds(match)


def _table(match: Match, opener: int) -> RichTable:
    """Return a table with a row for each number of dice of player 1 and a column for each of player 2."""
    first, second = (range(1, dice + 1) for dice in match.start.dice)
    rows = ((str(own), *(_cell(match.won_by_first(own, other, opener)) for other in second)) for own in first)
    return table(("dice of player 1", *(f"player 2: {other}" for other in second)), rows)


def _cell(wins: Interval) -> str:
    return f"~{float(wins.lower):.6f}" if _is_long(wins) else shown_between(*wins)


def _is_long(wins: Interval) -> bool:
    return wins.exact and len(str(wins.lower)) > _LONG


def _rounds(match: Match) -> Iterator[RenderableType]:
    """Yield the values of the rounds, and whether winning a round is always at least as good as losing it."""
    yield ""
    yield "Single rounds: probability that the opener wins"
    rows = ((_dice(one.rules), _cell(chance(one)), *made(one)) for one in match.valuations)
    yield table(("opener's dice, the other's", "wins", "method", "time"), rows)
    yield from (f"any value from 0 to 1 is possible: {one.note}" for one in match.valuations if one.lower is None)
    noted = (one for one in match.valuations if one.note and one.lower is not None)
    yield from (f"{_dice(one.rules)}: {one.note}" for one in noted)
    if all(one.order == PROVED for one in match.rounds.values()):
        yield "winning a round is always at least as good as losing it: proved by the bounds"
    for order, words in ((OPEN, "the bounds do not show whether winning is"), (REVERSED, "winning is not")):
        where = " ".join(f"{own},{other}" for (own, other), one in match.rounds.items() if one.order == order)
        if where:
            yield f"{words} at least as good as losing with these dice of the opener and the other player: {where}"


def match_json(match: Match | MatchOfMore) -> Values:
    """Return the document of `match`."""
    fields: MatchFields = {
        **titled(match.start.game),
        "opener": match.opener,
        "palifico": match.start.match_rules.palifico,
        "gaps": [up(gap) for gap in match.endless.gaps] if isinstance(match, EndlessMatch) else None,
        "regret": match.regret if isinstance(match, MatchOfMore) else None,
        "states": list(_states_of_more(match) if isinstance(match, MatchOfMore) else _states(match)),
    }
    games = [] if isinstance(match, MatchOfMore) else [valuation_json(one) for one in match.valuations]
    return {"finished": True, "games": games, "match": fields}


def _states_of_more(match: MatchOfMore) -> Iterator[MatchState]:
    """Yield every round with all players in."""
    for state in match.rounds():
        yield {
            "dice": list(state.dice),
            "opener": state.opener + 1,
            "exact": False,
            "lower": None,
            "upper": None,
            "order": None,
            "wins": list(match.wins(state)),
        }


def _states(match: Match) -> Iterator[MatchState]:
    """Yield every pair of dice and opener."""
    first, second = match.start.dice
    for opener in (1, 2):
        for own in range(1, first + 1):
            for other in range(1, second + 1):
                wins = match.won_by_first(own, other, opener)
                lower, upper = _encoded(wins)
                yield {
                    "dice": [own, other],
                    "opener": opener,
                    "exact": wins.exact,
                    "lower": lower,
                    "upper": upper,
                    "order": None if isinstance(match, EndlessMatch) else match.round_of(own, other, opener).order,
                    "wins": None,
                }


def _encoded(wins: Interval) -> tuple[str | float, str | float]:
    """Return both bounds as fractions if they are one number, otherwise as floats, rounded outwards."""
    return (encoded(wins.lower), encoded(wins.upper)) if wins.exact else (down(wins.lower), up(wins.upper))
