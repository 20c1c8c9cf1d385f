"""`make strength`: measure the strength of the bots, for docs/strength.csv and the tables in docs/strength.md.

An entry of `ENTRIES` has the rules, the dice, the bot, its opponents in all other seats, and the number of deals. The bot plays
each deal from every seat. `make strength` plays the rows that the file lacks; minutes a row, three hours for all. `--again
rollout` plays the rows of one bot again. `resolving` has a time limit, so its results are not reproducible; those of `rollout`
are.

The environment variable DUDO_MODELS names the folder with the networks of dudo.ai (see benchmarks/dudo.py). Without it, their
rows are not changed.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from functools import lru_cache, partial
from itertools import cycle, islice
from math import erfc, sqrt
from typing import NamedTuple

from benchmarks.results import Key, Line, Page, Results, Wanted, markdown
from liarsdice_cli.bots.protocol import OfStrategy, Policy
from liarsdice_cli.bots.specs import policy_of
from liarsdice_cli.bots.zero_intelligence.policy import BY_PAYOFF, ZeroIntelligence
from liarsdice_cli.games.liarsdice.rules import Rules, rules
from liarsdice_cli.library.exploitation import exploitability
from liarsdice_cli.library.playing import tournament

SIDES = 6
NETWORKS = "dudo.ai's networks"
MIXED = "a mixed table"
ODDS = "odds"
EXACT = "a best response"
SEED, AGAIN = 4, 5
"""The seeds of the deals. `rollout` was developed with other seeds, and a new version of it needs new ones.

With the second seed, rows that the first one left undecided are played again, with many more deals.
"""
KEY = ("rules", "dice", "bot", "opponent", "match", "seed")
RESULTS = Results("strength.csv", KEY, (*KEY, "games", "won", "low", "high", "seconds"))
ERROR = 0.05
"""The probability that at least one row is wrongly called above or below its fair share."""

STATISTICAL = ("honest", *(f"zero-intelligence:{level}" for level in ("0.1", "0.2", "0.3", "0.5")), "zero-intelligence:robust")
LEARNER = "liarsdice_cli.bots.characters:Learner"
STRANGERS = ("bluffer", "copier", "moody", "trusting", "rollout:honest", LEARNER)
"""Opponents that no model of `rollout` describes."""
NEW = (ODDS, "rollout:zero-intelligence:0.3")
"""Opponents that `rollout` had never played against before these runs."""
AT_A_MIXED_TABLE = ("honest", "bluffer", "zero-intelligence:0.2", "copier", "trusting")


class Odds(OfStrategy):
    """The bot that plays the recommendations of `liarsdice probability`, and of `odds` in the coach."""

    name = ODDS
    looks_back = False

    def strategy(self, rules: Rules) -> ZeroIntelligence:
        """Return Zero Intelligence that calls if this costs less than the best raise."""
        return _odds(rules)


@lru_cache(16)
def _odds(rules: Rules) -> ZeroIntelligence:
    return ZeroIntelligence(rules, call=BY_PAYOFF)


class Entry(NamedTuple):
    """A bot and its opponents. Against a best response, no deals are played: the result is exact."""

    rules: str
    dice: tuple[int, ...]
    bot: str
    opponent: str
    deals: int
    match: bool = False
    seed: int = SEED

    @property
    def key(self) -> Key:
        """The key of its row."""
        seed = str(self.seed) if self.deals else ""
        return self.rules, ",".join(map(str, self.dice)), self.bot, self.opponent, "yes" if self.match else "", seed

    @property
    def missing(self) -> str:
        """The missing requirement in words; "" if there is none."""
        return "name a folder by DUDO_MODELS" if self.opponent == NETWORKS and "DUDO_MODELS" not in os.environ else ""

    @property
    def others(self) -> list[str | Policy]:
        """The bots in the other seats."""
        tables: dict[str, list[str | Policy]] = {
            NETWORKS: [f"benchmarks.dudo:Dudo:{os.environ.get('DUDO_MODELS', '')}"],
            MIXED: list(AT_A_MIXED_TABLE),
            ODDS: [Odds()],
        }
        named = tables.get(self.opponent, [self.opponent])
        return list(islice(cycle(named), len(self.dice) - 1))


THREE, SIX = (5,) * 3, (5,) * 6
BASE = "ones-low"
ENTRIES = (
    *(Entry(BASE, dice, "resolving", EXACT, 0) for dice in ((1, 1), (2, 1), (1, 2), (2, 2))),
    *(Entry(BASE, dice, "rollout", EXACT, 0) for dice in ((1, 1), (2, 1), (1, 2))),
    *(Entry(BASE, (dice, dice), f"resolving{seconds}", NETWORKS, deals) for dice, seconds, deals in (
        (1, ":0.2", 2000), (2, ":0.2", 1000), (3, ":0.5", 250), (5, "", 120),
    )),
    *(Entry(BASE, (dice, dice), "rollout", other, deals) for dice, deals in ((1, 1000), (2, 300), (3, 200), (5, 150))
      for other in ("honest", "zero-intelligence:0.3", "bluffer")),
    *(Entry(BASE, THREE, "rollout", other, 100) for other in (*STATISTICAL, *STRANGERS, *NEW, MIXED)),
    *(Entry(BASE, SIX, "rollout", other, 120) for other in (*STATISTICAL, *STRANGERS, *NEW, MIXED)),
    *(Entry(BASE, SIX, f"rollout:{other}", other, 40) for other in ("honest", "zero-intelligence:0.3", "copier")),
    *(Entry(other_rules, dice, "rollout", other, deals) for other_rules in ("common", "perudo")
      for dice, deals in ((THREE, 100), (SIX, 40)) for other in ("honest", "zero-intelligence:0.3", "bluffer", MIXED)),
    *(Entry(BASE, dice, ODDS, other, deals) for dice, deals in ((THREE, 100), (SIX, 120))
      for other in ("honest", *STRANGERS, MIXED)),
    *(Entry(BASE, dice, "rollout", other, deals, seed=AGAIN) for dice, deals in ((THREE, 2000), (SIX, 600))
      for other in ("trusting", "rollout:zero-intelligence:0.3")),
    *(Entry(BASE, SIX, bot, "moody", 600, seed=AGAIN) for bot in ("rollout", ODDS)),
)  # fmt: skip


def played(entry: Entry) -> Iterator[Line]:
    """Play an entry, and yield its row."""
    game, begun = rules(entry.rules, SIDES, entry.dice), time.perf_counter()
    if entry.opponent == EXACT:
        mean = float(exploitability(game, policy_of(entry.bot)).mean)
        numbers: tuple[object, ...] = ("", f"{mean:.6f}", "", "")
    else:
        bots: list[str | Policy] = [Odds() if entry.bot == ODDS else entry.bot, *entry.others]
        result = tournament(game, bots, rounds=entry.deals * len(entry.dice), match=entry.match, seed=entry.seed)
        found = next(one for one in result.standings() if one.name.split(" ")[0] == entry.bot)
        numbers = found.games, f"{found.rate:.6f}", f"{found.low:.6f}", f"{found.high:.6f}"
    yield RESULTS.line(*entry.key, *numbers, f"{time.perf_counter() - begun:.0f}")


def wanted() -> list[Wanted]:
    """Return the rows of all entries."""
    return [Wanted(entry.key, entry.bot, partial(played, entry), entry.missing) for entry in ENTRIES]


def fair(one: Line) -> float:
    """Return the win rate of a bot that is as strong as the others."""
    players = one["dice"].count(",") + 1
    return 1 / players if one["match"] else 1 - 1 / players


def score(one: Line) -> float:
    """Return the score test of the fair win rate: Wilson's interval has the rates whose score is at most 1.96."""
    won, end = float(one["won"]), float(one["low"] if float(one["won"]) > 0.5 else one["high"])
    deviation = abs(won - end) / 1.96 * sqrt(fair(one) * (1 - fair(one)) / (end * (1 - end)))
    return (won - fair(one)) / deviation


def verdicts(lines: list[Line]) -> list[str]:
    """Return for each row whether it is above or below its fair share: score tests with Holm's correction for all rows."""
    off = [score(one) for one in lines]
    order = sorted(range(len(lines)), key=lambda row: -abs(off[row]))
    found = ["not decided"] * len(lines)
    for rank, row in enumerate(order):
        if erfc(abs(off[row]) / sqrt(2)) > ERROR / (len(lines) - rank):
            break
        found[row] = "above" if off[row] > 0 else "below"
    return found


def table() -> Iterator[str]:
    """Yield the page's table of played rows."""
    games = [line for line in RESULTS.read().values() if line["opponent"] != EXACT]
    head = ("rules", "dice", "bot", "against", "seed", "rounds", "won", "at 95 %", "fair", "after correction")
    return markdown(head, map(_cells, games, verdicts(games)))


def _cells(line: Line, verdict: str) -> Iterator[str]:
    rate, low, high = (100 * float(line[column]) for column in ("won", "low", "high"))
    yield from (line["rules"], line["dice"], line["bot"])
    yield line["opponent"].rpartition(".")[2] if line["opponent"] == LEARNER else line["opponent"]
    yield from (line["seed"], line["games"], f"{rate:.1f} %", f"{low:.1f} - {high:.1f} %", f"{100 * fair(line):.1f} %", verdict)


def exact() -> Iterator[str]:
    """Yield the page's table of exact results against a best response."""
    lines = (line for line in RESULTS.read().values() if line["opponent"] == EXACT)
    rows = ((line["dice"], line["bot"], f"{float(line['won']):.4f}", "0.5") for line in lines)
    return markdown(("dice", "bot", "is sure of, on average over both seats", "in equilibrium"), rows)


PAGE = Page("strength.md", {"make strength, table": table, "make strength, exact": exact})

if __name__ == "__main__":
    RESULTS.complete(wanted(), __doc__)
    PAGE.write()
