"""A strategy after one history, in the same form for games of every size: for the library, as tables and as JSON."""

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
from liarsdice_cli.extensive.renderable import Renderable
from liarsdice_cli.extensive.stream import Numbers
from liarsdice_cli.formats.documents.solutions import Belief, Opponent, Reply, Shown
from liarsdice_cli.formats.numbers import encoded, shown
from liarsdice_cli.games.bidding import FINAL_ACTION_NAMES
from liarsdice_cli.games.liarsdice import continuations
from liarsdice_cli.games.liarsdice.beliefs import RollsAfter
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.games.liarsdice.strategy import Strategy
from liarsdice_cli.report.tables import Fitting, Hinted, below_each_other, rest, table
from liarsdice_cli.strategies.stored import Stored, stored_in
from liarsdice_cli.text import numbered, quoted

if TYPE_CHECKING:
    from rich.console import RenderableType

_MOST_ROLLS = 60
"""The most rolls that are shown without --full: enough for three six-sided dice."""
_HARDLY = 0.005
"""Smaller probabilities are left out of tables without --full."""
_OF_ROLL = re.compile(r"P\d+ roll (.+?) (?:opening|after .*)")
"""The name of an information set in a tree of Liar's Dice."""
_ROLL = re.compile(r"\d+(-\d+)*")
_BID = re.compile(r"\d+x\d+")


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
    beliefs       : for every other player, from 1, the posterior of each roll, or None if the player never reaches the history;
                    empty for a profile of a tree
    numbers       : the numbers of the information sets in the tree; None for a strategy without a tree

    The numbers are fractions if the strategy is exact, otherwise float64. `report["3"]` is the row of a roll, and the report
    iterates over its rolls.
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
    beliefs: Mapping[int, Mapping[str, Number] | None]
    numbers: tuple[int, ...] | None

    @classmethod
    def of_profile(cls, profile: Profile, history: Sequence[str]) -> HistoryReport:
        """Return the report of a profile; raises as `extensive.after_history.after`."""
        found, tree = after_history.after(profile, history), profile.tree
        reach = np.array([row.reach for row in found.rows])
        unknown = [None] * len(found.actions)
        has_bid = bool(history) and _BID.fullmatch(history[-1]) is not None
        truths = [last_bid_true(found, row) if has_bid else None for row in found.rows]
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
            numbers=tuple(tree.infosets.number[[row.row for row in found.rows]].tolist()),
        )

    @classmethod
    def of_strategy(cls, strategy: Strategy, history: Sequence[str]) -> HistoryReport:
        """Return the report of a strategy of Liar's Dice; raises as `BettingState.parse`."""
        found = _rolls_after(stored_in(strategy) or strategy, history)
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
                other + 1: None if belief is None else dict(zip(names[other], belief.tolist(), strict=True))
                for other, belief in others.items()
            },
            numbers=None,
        )

    @property
    def row_name(self) -> str:
        """The name of a row: "roll", or "information set" in a game without rolls."""
        return "roll" if all(map(_ROLL.fullmatch, self.rolls)) else "information set"

    def __getitem__(self, roll: str | int) -> dict[str, Number]:
        """Return the probability of every action with a roll; LiarsDiceError for a roll that the player cannot have."""
        return dict(zip(self.actions, self.probabilities[self._row(roll)].tolist(), strict=True))

    def __contains__(self, roll: object) -> bool:
        return str(roll) in self.rolls

    def __iter__(self) -> Iterator[str]:
        return iter(self.rolls)

    def __len__(self) -> int:
        return len(self.rolls)

    def _row(self, roll: str | int) -> int:
        if roll not in self:
            raise LiarsDiceError(
                f"player {self.player} has no {self.row_name} {quoted(str(roll))}: choose from {', '.join(self.rolls)}"
            )
        return self.rolls.index(str(roll))

    def __repr__(self) -> str:
        after = f"after {' '.join(self.history)}" if self.history else "in the opening"
        size = f"{numbered(len(self.rolls), 'rolls')}, {numbered(len(self.actions), 'actions')}"
        return f"HistoryReport(player {self.player} {after}: {size})"


def _rolls_after(strategy: Strategy, history: Sequence[str]) -> RollsAfter:
    bids = BettingState.parse(strategy.rules, history).history
    if not isinstance(strategy, Stored):
        return continuations.after(strategy, bids)
    from liarsdice_cli.solvers.public_tree.values import Values  # imports numba

    return Values(strategy).after(bids)


def _roll_in(name: str) -> str:
    """Return the roll in the name of an information set, or the whole name in other games."""
    found = _OF_ROLL.fullmatch(name)
    return name if found is None else found[1]


def last_bid_true(page: after_history.SetsAfter, row: after_history.InfosetReport) -> Number | None:
    """Return the probability that the last bid is true, so that a call loses.

    page : the information sets after the history; row is one of them

    None if play does not reach the set, or its first action is not a call that ends the game.
    """
    return row.first_action_loses if page.actions[0] == FINAL_ACTION_NAMES[0] else None


def history_tables(report: HistoryReport, full: bool = False, start: int = 0) -> Iterator[RenderableType]:
    """Yield the actions of each roll, then the beliefs about the other players, likely rolls first.

    full  : include all rolls and actions
    start : number of actions before the subgame that the strategy is for. The probability of a later history is relative to it,
            and rolls that have no probability in the beliefs of the subgame are left out.
    """
    where = f"player {report.player}, {'after ' + ' '.join(report.history) if report.history else 'opening'}"
    since = f" from {report.history[start - 1]}" if start else ""
    at_start = 0 < start == len(report.history)
    yield where if at_start else f"{where}; reached{since} with probability {_text(report.reach)}"
    rows = [row for row in range(len(report.rolls)) if full or not start or _probability(report, row) != 0]
    first = rows if full else rows[:_MOST_ROLLS]
    truth = () if report.last_bid_true is None else ("last bid true",)
    columns = (report.row_name, "probability", *truth, "value", "actions (value)")
    heads = [list(_head(report, row)) for row in first]
    done = [list(_taken(report, row, full)) for row in first]
    wide = table(columns, ((*head, "  ".join(texts)) for head, texts in zip(heads, done, strict=True)))
    yield Fitting(wide, table(columns, ((*head, below_each_other(texts)) for head, texts in zip(heads, done, strict=True))))
    yield from rest(len(rows) - len(first))
    for player, belief in report.beliefs.items():
        if belief is None:
            trembles = f"player {player} never reaches this history; with trembles every history is reached"
            yield Hinted(trembles, " (solve --tremble 0.01)")
        elif report.history:
            yield from _belief_tables(player, belief, full)


def _head(report: HistoryReport, row: int) -> Iterator[str]:
    """Yield the cells of a roll before its actions."""
    yield report.rolls[row]
    yield _text(_probability(report, row))
    if report.last_bid_true is not None:
        yield _text(_last_bid_true(report, row))
    known = _values(report, row) is not None
    yield _text((report.probabilities[row] * report.values[row]).sum() if known else None)


def _taken(report: HistoryReport, row: int, full: bool) -> Iterator[str]:
    """Yield the actions of a roll with their probabilities and values."""
    values = _values(report, row) or len(report.actions) * (None,)
    for action, share, value in zip(report.actions, report.probabilities[row], values, strict=True):
        if full or share >= _HARDLY:
            yield f"{action} {_text(share)} ({_text(value)})"


def _belief_tables(player: int, belief: Mapping[str, Number], full: bool) -> Iterator[RenderableType]:
    """Yield the posterior of another player's rolls."""
    likely = [pair for pair in sorted(belief.items(), key=lambda pair: -pair[1]) if full or pair[1] >= _HARDLY]
    first = likely if full else likely[:_MOST_ROLLS]
    yield table((f"player {player} may hold", "probability"), ((roll, _text(number)) for roll, number in first))
    yield from rest(len(likely) - len(first))


def _text(number: Number | None) -> str:
    """Return a number for a table: a float with four decimals, or in six digits if it is smaller than they show."""
    return f"{number:z.4f}" if isinstance(number, float) and (number == 0 or abs(number) >= 1e-4) else shown(number)


def _probability(report: HistoryReport, row: int) -> Number | None:
    return None if report.roll_beliefs is None else report.roll_beliefs[row]


def _values(report: HistoryReport, row: int) -> list[Number] | None:
    """Return the values of the actions; None if they are not known."""
    values = [_known(value) for value in report.values[row].tolist()]
    known = [value for value in values if value is not None]
    return known if len(known) == len(values) else None


def _last_bid_true(report: HistoryReport, row: int) -> Number | None:
    return None if report.last_bid_true is None else _known(report.last_bid_true[row])


def _known(number: Number | None) -> Number | None:
    """Return None for NaN."""
    return None if number != number else number


def history_json(report: HistoryReport) -> Shown:
    """Return the report for a program."""
    return {
        "history": list(report.history),
        "player": report.player,
        "reach": encoded(report.reach),
        "actions": list(report.actions),
        "infosets": [_reply(report, row) for row in range(len(report.rolls))],
        "others": [_opponent(player, belief) for player, belief in report.beliefs.items()],
    }


def _reply(report: HistoryReport, row: int) -> Reply:
    values = _values(report, row)
    return {
        "label": report.rolls[row],
        "number": None if report.numbers is None else report.numbers[row],
        "probability": encoded(_probability(report, row)),
        "probabilities": [encoded(number) for number in report.probabilities[row].tolist()],
        "values": None if values is None else [encoded(value) for value in values],
        "last_bid_true": encoded(_last_bid_true(report, row)),
    }


def _opponent(player: int, belief: Mapping[str, Number] | None) -> Opponent:
    if belief is None:
        return {"player": player, "rolls": None}
    rolls: list[Belief] = [{"label": roll, "probability": encoded(number)} for roll, number in belief.items()]
    return {"player": player, "rolls": rolls}
