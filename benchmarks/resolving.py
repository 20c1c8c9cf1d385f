"""`make resolving`: the tables in docs/resolving.md, how strong the bot `resolving` is; plays what docs/resolving.csv lacks.

A line is a row of `ENTRIES`: the dice, the bot as it is named, its opponent in all other seats, and how many deals are played,
each from every seat. `make resolving` plays those that the file lacks and leaves the others as they are; `--again NAME` plays
those of one bot anew. What the bot does in a second depends on the machine, so nobody gets the same numbers, and the file
says how many decisions were taken in how many seconds.

The networks of dudo.ai are looked for in the folder DUDO_MODELS (see benchmarks/dudo.py); where it is not named their lines are
left as they are.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks import kept as table_file
from benchmarks.exploit import replaced
from benchmarks.kept import Key, Line
from liarsdice_cli.bots.resolving import Rational, Resolving
from liarsdice_cli.bots.specs import asked
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.library.exploitation import exploitability
from liarsdice_cli.library.playing import tournament

DOCS = Path(__file__).parent.parent / "docs"
PAGE, TABLE = DOCS / "resolving.md", DOCS / "resolving.csv"
PRESET, SIDES = "ones-low", 6
NETWORKS = "dudo.ai's networks"
EXACT = "a best response"
KEY = ("dice", "bot", "opponent", "match")
COLUMNS = (*KEY, "games", "won", "low", "high", "decisions", "seconds")


class Entry(NamedTuple):
    """A bot among others of one kind; of a best response, no games but what is left to the bot, exactly."""

    dice: tuple[int, ...]
    bot: str
    opponent: str
    deals: int
    match: bool = False

    @property
    def key(self) -> tuple[str, ...]:
        """What there is one line of."""
        return ",".join(map(str, self.dice)), self.bot, self.opponent, "yes" if self.match else ""

    @property
    def missing(self) -> str:
        """What is missing to play it here, in words."""
        return "name a folder by DUDO_MODELS" if self.opponent == NETWORKS and "DUDO_MODELS" not in os.environ else ""


ROBUST, LEVEL = "zero-intelligence:robust", "zero-intelligence"
ENTRIES = (
    *(Entry((1, 1), f"resolving:0.2{kind}", EXACT, 0) for kind in ("", ":rational")),
    *(Entry(dice, "resolving:rational", EXACT, 0) for dice in ((2, 1), (1, 2), (2, 2))),
    *(Entry((1, 1), "resolving:0.2", other, 2000) for other in ("honest", LEVEL, ROBUST)),
    *(Entry((2, 2), "resolving:0.2", other, 1000) for other in ("honest", LEVEL, ROBUST)),
    *(Entry((3, 3), "resolving:0.5", other, 250) for other in ("honest", LEVEL, ROBUST)),
    *(Entry((5, 5), "resolving", other, 120) for other in ("honest", LEVEL, ROBUST)),
    *(Entry((dice, dice), f"resolving{seconds}:rational", NETWORKS, deals) for dice, seconds, deals in (
        (1, ":0.2", 2000), (2, ":0.2", 1000), (3, ":0.5", 250), (5, "", 120),
    )),
    *(Entry((5, 5, 5), "resolving", other, 50) for other in ("honest", ROBUST)),
    *(Entry((5,) * 6, "resolving", other, 60) for other in ("honest", ROBUST)),
    Entry((5, 5), "resolving:0.5", ROBUST, 10, match=True),
)  # fmt: skip


def kept() -> dict[Key, Line]:
    """The lines of the file."""
    return table_file.read(TABLE, KEY)


def write(lines: dict[Key, Line]) -> None:
    """Keep the lines, in the order of `ENTRIES`."""
    table_file.write(TABLE, COLUMNS, (lines[entry.key] for entry in ENTRIES if entry.key in lines))


def played(entry: Entry) -> Line:
    """The line of an entry."""
    game, begun = rules(PRESET, SIDES, entry.dice), time.perf_counter()
    bot = asked(entry.bot)
    assert isinstance(bot, Rational | Resolving), entry.bot
    if entry.opponent == EXACT:
        mean = float(exploitability(game, bot).mean)
        numbers: tuple[object, ...] = ("", f"{mean:.6f}", "", "")
    else:
        name = f"benchmarks.dudo:Dudo:{os.environ['DUDO_MODELS']}" if entry.opponent == NETWORKS else entry.opponent
        others = [asked(name)] * (len(entry.dice) - 1)
        result = tournament(game, [bot, *others], rounds=entry.deals * len(entry.dice), match=entry.match, seed=1)
        found = result.standings()[0]
        numbers = found.games, f"{found.rate:.6f}", f"{found.low:.6f}", f"{found.high:.6f}"
    decisions = (bot.resolving if isinstance(bot, Rational) else bot).decisions
    seconds = f"{time.perf_counter() - begun:.0f}"
    return dict(zip(COLUMNS, map(str, (*entry.key, *numbers, decisions, seconds)), strict=True))


def table(lines: list[Line]) -> Iterator[str]:
    """The page's table."""
    yield "| dice | bot | against | games | won | at 95 % | fair |"
    yield "|---|---|---|---|---|---|---|"
    for one in lines:
        if one["opponent"] == EXACT:
            continue
        players = one["dice"].count(",") + 1
        fair = 1 / players if one["match"] else 1 / 2 if players == 2 else 1 - 1 / players
        games = f"{one['games']} {'matches' if one['match'] else 'rounds'}"
        between = f"{100 * float(one['low']):.1f} - {100 * float(one['high']):.1f} %"
        cells = (
            one["dice"],
            one["bot"],
            one["opponent"],
            games,
            f"{100 * float(one['won']):.1f} %",
            between,
            f"{100 * fair:.1f} %",
        )
        yield f"| {' | '.join(cells)} |"


def exact(lines: list[Line]) -> Iterator[str]:
    """What is left to the bot against a best response."""
    yield "| dice | bot | is sure of, in the mean of both seats | in equilibrium |"
    yield "|---|---|---|---|"
    for one in lines:
        if one["opponent"] == EXACT:
            yield f"| {one['dice']} | {one['bot']} | {float(one['won']):.4f} | 0.5 |"


def made(text: str, lines: list[Line]) -> str:
    """The page with its tables made again."""
    return replaced(replaced(text, "table", table(lines), "resolving"), "exact", exact(lines), "resolving")


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("--again", metavar="NAME", help="play the lines of this bot anew")
    again = reader.parse_args().again
    lines = kept()
    for entry in ENTRIES:
        if entry.key in lines and entry.bot != again:
            continue
        if entry.missing:
            print(f"{' '.join(entry.key)}: left as it is; {entry.missing}")
            continue
        lines[entry.key] = played(entry)
        write(lines)
        print(*lines[entry.key].values(), flush=True)
    write(lines)
    if PAGE.exists():
        PAGE.write_text(made(PAGE.read_text(encoding="utf-8"), list(kept().values())), encoding="utf-8")


if __name__ == "__main__":
    main()
