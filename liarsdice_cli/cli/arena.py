"""`liarsdice arena`: bots against each other, with win rates, ratings and a cross table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.options import (
    FILE,
    RuleOptions,
    WholeRange,
    bots_option,
    json_option,
    quiet_option,
    seconds_option,
    table_options,
)
from liarsdice_cli.cli.printing import print_json, print_tables
from liarsdice_cli.cli.progress import progress

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from liarsdice_cli.arena.tournament import Result, Standing, Tournament

_EXAMPLE = """
liarsdice arena honest random equilibrium --rules common --seed 1
liarsdice arena honest random --dice 5,5,5 --rules dudo --match honest --rounds 1000 --workers 2
liarsdice arena honest my_bots:Cautious --move-seconds 1 --csv results.csv
"""


@click.command(cls=CommandWithExample, example=_EXAMPLE)
@click.argument("names", nargs=-1, metavar="BOT BOT ...")
@table_options
@click.option("--rounds", type=WholeRange(1), default=10_000, show_default=True, metavar="N", help="Games of each pairing.")
@click.option("--match", is_flag=True, help="A game is a match: the loser of a round loses a die and opens the next.")
@click.option("--seed", type=WholeRange(0), metavar="N", help="From which everything random follows.  [default: a new one]")
@click.option("--workers", type=WholeRange(1), default=1, show_default=True, metavar="N", help="Processes to play on.")
@seconds_option
@click.option("--csv", "csv_file", type=FILE, metavar="FILE", help="Write a row for every bot against every other.")
@bots_option
@json_option
@quiet_option
def command(
    names: tuple[str, ...],
    asked: RuleOptions,
    rounds: int,
    match: bool,
    seed: int | None,
    workers: int,
    move_seconds: float,
    csv_file: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Let every BOT play every other (at larger tables, every combination that fills one).

    Each deal is played from every seat, so the number of games is a multiple of the seats. Bots: see --bots.
    """
    from liarsdice_cli.arena.tournament import Tournament, run
    from liarsdice_cli.bots.specs import bot
    from liarsdice_cli.errors import UsageError
    from liarsdice_cli.formats import files

    if as_json and csv_file == "-":
        raise UsageError("--json and --csv - would both write to standard output: name a file after --csv")
    if csv_file is not None:
        files.check_writable(csv_file)
    rules = asked.rules()
    bots = tuple(bot(name, move_seconds) for name in names)
    tournament = Tournament(rules, bots, -(-rounds // rules.players), match, _new_seed() if seed is None else seed)
    with progress("playing", tournament.games * len(tournament.tables), quiet) as advance:
        result = run(tournament, workers, advance)
    if csv_file is not None:
        with files.output(csv_file) as out:
            out.write(_csv(result))
    if as_json:
        print_json("arena", _json(result))
    elif csv_file != "-":
        print_tables(_shown(result))


def _new_seed() -> int:
    import secrets

    return secrets.randbits(32)


def _games(tournament: Tournament) -> str:
    return "matches" if tournament.match else "rounds"


def _shown(result: Result) -> Iterator[RenderableType]:
    """The answer for a person."""
    tournament, standings = result.tournament, result.standings()
    tables, seats = len(tournament.tables), tournament.rules.players
    yield str(tournament.rules)
    yield (
        f"{tables:,} table(s) of {seats}, {tournament.games:,} {_games(tournament)} at each: {tournament.deals:,} deals, "
        f"each played from every seat; seed {tournament.seed}"
    )
    yield _standings(standings, tournament)
    yield f"\nHow often the bot of the row {'beat' if seats == 2 else 'came ahead of'} the one of the column"
    yield _cross(result)
    yield "\n95 %: Wilson's interval. Elo: the fit of Bradley and Terry, mean 0; 400 points are odds of 10 to 1."
    failed = [one for one in standings if one.failures]
    if failed:
        yield f"\nForfeited {_games(tournament)}"
        yield from (f"  {one.name}: {count:,} ({reason})" for one in failed for reason, count in one.failures.items())


def _standings(standings: list[Standing], tournament: Tournament) -> Table:
    """A row a bot, the best first."""
    from rich.markup import escape

    table = _table("bot", _games(tournament), "won", "rate", "95 %", "Elo", *["dice left"] * tournament.match)
    for one in sorted(standings, key=lambda one: -one.elo):
        interval = f"{100 * one.low:.2f} - {100 * one.high:.2f} %"
        dice = [] if one.dice is None else [f"{one.dice:.2f}"]
        table.add_row(
            escape(one.name), f"{one.games:,}", f"{one.won:,}", f"{100 * one.rate:.2f} %", interval, f"{one.elo:+.0f}", *dice
        )
    return table


def _cross(result: Result) -> Table:
    from rich.markup import escape

    table = _table("", *result.names)
    for name, shares in zip(result.names, result.shares(), strict=True):
        table.add_row(escape(name), *("-" if share is None else f"{100 * share:.2f} %" for share in shares))
    return table


def _table(first: str, *numbers: str) -> Table:
    from rich.box import SIMPLE_HEAD
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column(first, overflow="fold")
    for number in numbers:
        table.add_column(escape(number), justify="right", overflow="fold")
    return table


def _json(result: Result) -> dict[str, Any]:
    """The content of `arena --json`; see docs/json.md."""
    tournament = result.tournament
    return {
        "rules": str(tournament.rules),
        "match": tournament.match,
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


def _csv(result: Result) -> bytes:
    """A row for every bot against every other that it met."""
    import csv
    import io

    from liarsdice_cli.arena.standings import wilson

    text = io.StringIO(newline="")
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["bot", "against", "ahead", "behind", "rate", "low", "high"])
    ahead = result.ahead.tolist()
    for one, name in enumerate(result.names):
        for other, against in enumerate(result.names):
            met = ahead[one][other] + ahead[other][one]
            if met:
                share = ahead[one][other] / met
                numbers = (f"{number:.6f}" for number in (share, *wilson(ahead[one][other], met)))
                rows.writerow([name, against, ahead[one][other], ahead[other][one], *numbers])
    return text.getvalue().encode()
