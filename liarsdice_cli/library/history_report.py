"""Reports of a strategy after one history, in the same form for games of every size."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive import after_history
from liarsdice_cli.extensive.number import Number
from liarsdice_cli.extensive.profile import Profile
from liarsdice_cli.extensive.profile_values import ProfileValues
from liarsdice_cli.extensive.renderable import Renderable
from liarsdice_cli.extensive.stream import Numbers
from liarsdice_cli.formats.numbers import shown
from liarsdice_cli.games.liarsdice.beliefs import RollsAfter
from liarsdice_cli.report.profile import last_bid_true
from liarsdice_cli.report.tables import LONG, below_each_other, table
from liarsdice_cli.text import numbered, quoted

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

_HARDLY = 0.005
"""Actions with a smaller probability are left out of tables."""
_LIKELY = 10
"""The most rolls of another player that a table lists."""
_OF_ROLL = re.compile(r"P\d+ roll (.+?) (?:opening|after .*)")
"""The name of an information set in a tree of Liar's Dice."""


@dataclass(frozen=True, eq=False)
class HistoryReport(Renderable):
    """The probabilities and values of one player's actions after a history.

    history       : the actions so far
    player        : the player to move, from 1
    rolls         : the player's rolls, such as "3" or "14"; in a game without rolls, the names of the information sets
    actions       : the possible actions
    probabilities : of every roll (row) and action (column)
    values        : the player's expected payoffs in the same shape; None or NaN where they are not known
    roll_beliefs  : the posterior of each of the player's own rolls; None if the history is never reached
    last_bid_true : for every roll, the probability that the last bid is true; None if it is not known
    reach         : the probability that play reaches the history
    beliefs       : for every other player, from 1, the posterior of each roll; empty for a profile of a tree

    The numbers are fractions if the strategy is exact, otherwise float64. `report["3"]` is the row of a roll.
    """

    history: tuple[str, ...]
    player: int
    rolls: tuple[str, ...]
    actions: tuple[str, ...]
    probabilities: Numbers
    values: Numbers
    roll_beliefs: Numbers | None
    last_bid_true: Numbers | None
    reach: Number
    beliefs: Mapping[int, Mapping[str, Number]]

    @classmethod
    def of_profile(cls, profile: Profile, history: Sequence[str]) -> HistoryReport:
        """Return the report of a profile; raises as `extensive.after_history.after`."""
        found, tree = after_history.after(profile, history), profile.tree
        reach = ProfileValues(profile).infoset_reach[[row.row for row in found.rows]]
        unknown = [None] * len(found.actions)
        truths = [last_bid_true(found, row) for row in found.rows]
        kind = object if profile.exact else np.float64
        return cls(
            history=tuple(history),
            player=found.player + 1,
            rolls=tuple(map(_roll_in, (tree.label_of(row.row) for row in found.rows))),
            actions=found.actions,
            probabilities=np.array([row.probabilities for row in found.rows], kind),
            values=np.array([row.values or unknown for row in found.rows], kind),
            roll_beliefs=reach / reach.sum() if reach.sum() else None,
            last_bid_true=None if all(truth is None for truth in truths) else np.array(truths, kind),
            reach=reach.sum(),
            beliefs={},
        )

    @classmethod
    def of_rolls(cls, found: RollsAfter) -> HistoryReport:
        """Return the report of a strategy of Liar's Dice."""
        rules, mover = found.rules, found.mover
        names = [[rules.roll_label(roll) for roll, _ in rules.rolls(player)] for player in range(rules.players)]
        others = {other: found.beliefs(other) for other in found.others}
        return cls(
            history=tuple(str(rules.bids[bid]) for bid in found.history),
            player=mover + 1,
            rolls=tuple(names[mover]),
            actions=tuple(found.state.action_names),
            probabilities=found.probabilities.T,
            values=np.full(found.probabilities.T.shape, np.nan) if found.values is None else found.values.T,
            roll_beliefs=found.beliefs(mover),
            last_bid_true=found.last_bid_true,
            reach=found.reach,
            beliefs={
                other + 1: dict(zip(names[other], belief.tolist(), strict=True))
                for other, belief in others.items()
                if belief is not None
            },
        )

    def __getitem__(self, roll: str | int) -> dict[str, Number]:
        """Return the probability of every action with a roll; LiarsDiceError for a roll that the player cannot have."""
        return dict(zip(self.actions, self.probabilities[self._row(roll)].tolist(), strict=True))

    def values_of(self, roll: str | int) -> dict[str, Number | None]:
        """Return the value of every action with a roll; raises as `report[roll]`."""
        return dict(zip(self.actions, self.values[self._row(roll)].tolist(), strict=True))

    def _row(self, roll: str | int) -> int:
        if str(roll) not in self.rolls:
            raise LiarsDiceError(f"player {self.player} has no roll {quoted(str(roll))}: choose from {', '.join(self.rolls)}")
        return self.rolls.index(str(roll))

    def __repr__(self) -> str:
        after = f"after {' '.join(self.history)}" if self.history else "in the opening"
        size = f"{numbered(len(self.rolls), 'rolls')}, {numbered(len(self.actions), 'actions')}"
        return f"HistoryReport(player {self.player} {after}: {size})"


def _roll_in(name: str) -> str:
    """Return the roll in the name of an information set, or the whole name in other games."""
    found = _OF_ROLL.fullmatch(name)
    return name if found is None else found[1]


def history_tables(report: HistoryReport) -> Iterator[RenderableType]:
    """Yield the report as a table with a row for every roll, and the likely rolls of the other players."""
    where = f"after {' '.join(report.history)}" if report.history else "opening"
    yield f"player {report.player}, {where}; reached with probability {shown(report.reach)}"
    truths = [] if report.last_bid_true is None else [shown(number) for number in report.last_bid_true.tolist()]
    beliefs = ["-"] * len(report.rolls) if report.roll_beliefs is None else [shown(it) for it in report.roll_beliefs.tolist()]
    rows: list[Sequence[str | Text]] = [
        (roll, beliefs[row], *truths[row : row + 1], below_each_other(_taken(report, roll)))
        for row, roll in enumerate(report.rolls[:LONG])
    ]
    yield table(("roll", "probability", *["last bid true"][: len(truths)], "actions: probability (value)"), rows)
    if len(report.rolls) > LONG:
        yield f"  and {len(report.rolls) - LONG:,} more rolls"
    for player, belief in report.beliefs.items() if report.history else ():
        likely = sorted(belief.items(), key=lambda pair: -pair[1])[:_LIKELY]
        yield table((f"player {player} holds", "probability"), [(roll, shown(number)) for roll, number in likely])


def _taken(report: HistoryReport, roll: str) -> Iterator[str]:
    values = report.values_of(roll)
    for action, share in report[roll].items():
        if share >= _HARDLY:
            yield f"{action} {shown(share)} ({shown(None if values[action] != values[action] else values[action])})"
