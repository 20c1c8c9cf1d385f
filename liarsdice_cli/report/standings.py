"""The output of `liarsdice arena`: the ranking of the bots, and the results of each pair."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from liarsdice_cli.arena.tournament import Result, Standing, Tournament
from liarsdice_cli.formats.documents.tables import Arena
from liarsdice_cli.formats.rule_fields import csv_of_games, yes_or_no
from liarsdice_cli.games.liarsdice.sentences import beyond_rounds
from liarsdice_cli.report.rules import titled
from liarsdice_cli.report.tables import table
from liarsdice_cli.text import numbered

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table


def standings_tables(result: Result) -> Iterator[RenderableType]:
    """Yield the answer for a person: a table of the bots, the best first, and one of every bot against every other."""
    tournament, standings = result.tournament, result.standings()
    tables, seats = len(tournament.tables), tournament.rules.players
    yield str(tournament.rules)
    yield from beyond_rounds(tournament.match_rules)
    yield (
        f"{numbered(tables, 'tables')} of {seats}, {numbered(tournament.games, _games(tournament))} at each: "
        f"{numbered(tournament.deals, 'deals')}, "
        f"each played from every seat; seed {tournament.seed}"
    )
    yield _ranking(standings, tournament)
    yield ""
    yield f"How often the row's bot {'beat' if seats == 2 else 'came ahead of'} the column's bot"
    yield _cross(result)
    yield ""
    yield "95 %: Wilson interval, with the games of each deal as one cluster."
    yield "Elo: Bradley-Terry fit with mean 0; 400 points are odds of 10 to 1."
    yield from _decisions(result)
    failed = [one for one in standings if one.failures]
    if failed:
        yield ""
        yield f"Forfeited {_games(tournament)}"
        yield from (f"  {one.name}: {count:,} ({reason})" for one in failed for reason, count in one.failures.items())


def _decisions(result: Result) -> Iterator[RenderableType]:
    """Yield the cost of the decisions of bots that are not policies, if a solution was among the bots."""
    found = result.decisions()
    if found:
        yield ""
        yield "Cost of decisions by the equilibrium's values, as a loss in the probability of not losing"
        yield table(
            ("bot", "decisions", "with a value", "worse than the best", "mean cost"),
            (
                (
                    result.names[bot],
                    f"{one.made:,}",
                    f"{one.valued:,}",
                    "-" if one.loss is None else f"{100 * one.worse / one.valued:.1f} %",
                    "-" if one.loss is None else f"{one.loss:z.4f}",
                )
                for bot, one in found.items()
            ),
            right=True,
        )


def _games(tournament: Tournament) -> str:
    return "matches" if tournament.match else "rounds"


def _ranking(standings: list[Standing], tournament: Tournament) -> Table:
    """Return a table with a row for each bot, the best first."""
    columns = ("bot", _games(tournament), "won", "rate", "95 %", "Elo", *["dice left"] * tournament.match)
    return table(columns, map(_cells, sorted(standings, key=lambda one: -one.elo)), right=True)


def _cells(one: Standing) -> tuple[str, ...]:
    interval = f"{100 * one.low:.2f} - {100 * one.high:.2f} %"
    dice = [] if one.dice is None else [f"{one.dice:.2f}"]
    return one.name, f"{one.games:,}", f"{one.won:,}", f"{100 * one.rate:.2f} %", interval, f"{one.elo:+.0f}", *dice


def _cross(result: Result) -> Table:
    rows = (
        (name, *("-" if share is None else f"{100 * share:.2f} %" for share in shares))
        for name, shares in zip(result.names, result.shares(), strict=True)
    )
    return table(("", *result.names), rows, right=True)


def standings_json(result: Result) -> Arena:
    """Return the document of `arena`."""
    tournament = result.tournament
    return {
        **titled(tournament.rules),
        "match": tournament.match,
        "palifico": tournament.match_rules.palifico,
        "spot_on_gains": tournament.match_rules.spot_on_gains,
        "spot_on_by": tournament.match_rules.spot_on_by,
        "deals": tournament.deals,
        "games": tournament.games,
        "seed": tournament.seed,
        "bots": [
            {
                "name": one.name,
                "games": one.games,
                "won": one.won,
                "rate": one.rate,
                "interval": [one.low, one.high],
                "elo": one.elo,
                "dice_left": one.dice,
                "forfeits": [{"reason": reason, "games": count} for reason, count in one.failures.items()],
            }
            for one in result.standings()
        ],
        "decisions": [
            {
                "bot": result.names[bot],
                "decisions": one.made,
                "valued": one.valued,
                "worse": one.worse,
                "mean_loss": one.loss,
            }
            for bot, one in result.decisions().items()
        ],
        "cross": result.shares(),
        "tables": [
            {
                "bots": [result.names[bot] for bot in bots],
                "rounds": tally.rounds,
                "won_by_seat": tally.won.tolist(),
                "ahead": tally.ahead.tolist(),
            }
            for bots, tally in zip(tournament.tables, result.tallies, strict=True)
        ],
    }


def standings_csv(result: Result) -> bytes:
    """Return a row for every bot against every other that it met."""
    tournament = result.tournament
    match_rules = tournament.match_rules
    flags = (tournament.match, match_rules.palifico, match_rules.spot_on_gains)
    played = (*map(yes_or_no, flags), match_rules.spot_on_by)
    columns = ("match", "palifico", "spot_on_gains", "spot_on_by", "bot", "against", "ahead", "behind", "rate", "low", "high")
    return csv_of_games(columns, ((tournament.rules, (*played, *row)) for row in _pairs(result)))


def _pairs(result: Result) -> Iterator[tuple[object, ...]]:
    counts = result.ahead.tolist()
    for one, name in enumerate(result.names):
        for other, against in enumerate(result.names):
            ahead, behind = counts[one][other], counts[other][one]
            if met := ahead + behind:
                numbers = (f"{number:.6f}" for number in (ahead / met, *result.interval(one, other)))
                yield name, against, ahead, behind, *numbers
