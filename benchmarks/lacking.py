"""Print the gain of safe re-solving after bids that a kept solution lacks: docs/strength.md, "How `resolving` decides".

    liarsdice solve --rules ones-low --dice 5,5 --target 0.1 -o bots
    python -m benchmarks.lacking ones-low 5,5 1000

The bot `equilibrium` plays rounds against each opponent, in both seats in turn. It plays the kept solution only, so it calls at
its first decision after bids that the solution lacks, which ends the round. From the same decision, `resolving` plays the round
to its end several times, with different random choices. Minutes for each opponent; it writes no files.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from benchmarks.results import parser
from liarsdice_cli.arena.one_by_one import play
from liarsdice_cli.bots.equilibrium import Equilibrium
from liarsdice_cli.bots.protocol import Bot, View
from liarsdice_cli.bots.resolving import Resolving
from liarsdice_cli.bots.specs import policy
from liarsdice_cli.games.bidding import CALL
from liarsdice_cli.games.liarsdice.rules import Roll, Rules, rules
from liarsdice_cli.games.liarsdice.table import Table
from liarsdice_cli.strategies.stored import is_expanded

OPPONENTS = ("honest", "copier", "bluffer", "moody", "trusting", "zero-intelligence:0.3")
SEED, TIMES = 5, 4
"""The seed of the deals, and the number of times that `resolving` plays a round to its end."""


class Timed:
    """A bot that records the seconds of its decisions."""

    def __init__(self, bot: Bot) -> None:
        self.bot, self.name = bot, bot.name
        self.seconds: list[float] = []

    def act(self, view: View, generator: np.random.Generator) -> int:
        """Return the bot's action."""
        begun = time.perf_counter()
        action = self.bot.act(view, generator)
        self.seconds.append(time.perf_counter() - begun)
        return action


class Comparison:
    """Rounds against one opponent, in a game with a kept solution."""

    def __init__(self, game: Rules, opponent: str) -> None:
        self.table, self.opponent = Table.start(game), policy(opponent)
        resolving = Resolving("resolving")
        resolving.check(game)
        safe = resolving.safe_resolver(game)
        assert safe is not None, "keep a solution with `liarsdice solve -o bots` first"
        self.solution, self.kept, self.resolving = safe.solution, Equilibrium(), Timed(resolving)
        self.generator = np.random.default_rng(SEED)
        self.decisions = 0

    def rounds(self, count: int) -> Iterator[tuple[bool, float]]:
        """Play rounds; yield the results of a call and of `resolving` for each round with a decision that the solution lacks.

        The result of a call is whether the bot does not lose; that of `resolving` is the frequency of this in `TIMES` plays.
        """
        for number in range(count):
            seat = number % 2
            rolls = [tuple(sorted(self.generator.integers(1, 7, dice).tolist())) for dice in self.table.dice]
            views: list[View] = []
            play(self.table, self._bots(self.kept, seat), rolls, self.generator, lambda view, _: views.append(view))  # noqa: B023
            own = [view.history for view in views if view.player == seat]
            self.decisions += len(own)
            lacking = next((history for history in own if history and not is_expanded(self.solution, history)), None)
            if lacking is not None:
                called = replace(self.table, history=(*lacking, CALL)).showdown(rolls).loser != seat
                yield called, float(np.mean([self._played(lacking, seat, rolls) for _ in range(TIMES)]))

    def _bots(self, own: Bot, seat: int) -> list[Bot]:
        return [own, self.opponent] if seat == 0 else [self.opponent, own]

    def _played(self, history: tuple[int, ...], seat: int, rolls: Sequence[Roll]) -> bool:
        """Play the rest of a round with `resolving`; return whether it does not lose."""
        table = replace(self.table, history=history)
        return play(table, self._bots(self.resolving, seat), rolls, self.generator).loser != seat


def main(preset: str, dice: str, count: int) -> None:
    """Print a row for each opponent, and the time of the decisions."""
    game, seconds = rules(preset, 6, tuple(map(int, dice.split(",")))), []
    print("| opponent | decisions | lacking | won by calling | won by re-solving | difference |\n|---|---|---|---|---|---|")
    for opponent in OPPONENTS:
        compared = Comparison(game, opponent)
        found = np.array(list(compared.rounds(count)), float).reshape(-1, 2)
        seconds += compared.resolving.seconds
        row = f"| {opponent} | {compared.decisions} | {len(found)} |"
        if len(found) > 1:
            gains = found[:, 1] - found[:, 0]
            half = 1.96 * gains.std(ddof=1) / len(gains) ** 0.5
            row += f" {found[:, 0].mean():.1%} | {found[:, 1].mean():.1%} | {gains.mean():+.1%} ± {half:.1%} |"
        print(row, flush=True)
    took = np.array([one for one in seconds if one > 1e-3])  # the shorter ones solve nothing
    print(f"{len(took)} subgames solved, {took.mean():.2f} s on average, {took.max():.2f} s at most")


if __name__ == "__main__":
    reader = parser(__doc__)
    for name in ("preset", "dice", "rounds"):
        reader.add_argument(name)
    given = reader.parse_args()
    main(given.preset, given.dice, int(given.rounds))
