"""Answers as text for a person and as JSON for a program; what is in the JSON is described in docs/json.md."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import floor, log10
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.markup import escape

from liarsdice_cli.errors import counted
from liarsdice_cli.extensive import after_history
from liarsdice_cli.extensive.evaluate import Judgement
from liarsdice_cli.extensive.profile import BEST, EQUAL, Profile
from liarsdice_cli.extensive.recall import has_perfect_recall
from liarsdice_cli.extensive.tree import CHANCE, NONE, TERMINAL, Bools, GameTree
from liarsdice_cli.formats import profile_json
from liarsdice_cli.formats.numbers import encoded, shown
from liarsdice_cli.solvers.regret.convergence import RunHistory
from liarsdice_cli.solvers.solution import Solution, SubgamePerfect

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

_MARKS = {EQUAL: ("*", "equal probabilities stand there"), BEST: ("+", "a best response to the others stands there")}
LONG = 30
"""Rows after which a table is cut for a person."""


@dataclass(frozen=True)
class Facts:
    """What `info` and `solve` say of a game before anything is solved; numbers of any size.

    infosets : information sets of each player
    constant_sum, perfect_recall : whether the game has them
    """

    title: str
    players: tuple[str, ...]
    decision_nodes: int
    chance_nodes: int
    terminal_nodes: int
    infosets: tuple[int, ...]
    constant_sum: bool
    perfect_recall: bool

    @property
    def nodes(self) -> int:
        """All nodes."""
        return self.decision_nodes + self.chance_nodes + self.terminal_nodes

    @classmethod
    def of(cls, tree: GameTree) -> Facts:
        """The facts of a tree in memory."""
        chance = int(np.count_nonzero(tree.player == CHANCE))
        terminal = int(np.count_nonzero(tree.player == TERMINAL))
        sets = np.bincount(tree.infosets.player + 1, minlength=len(tree.players) + 1)[1:]
        return cls(
            tree.title,
            tree.players,
            tree.nodes - chance - terminal,
            chance,
            terminal,
            tuple(sets.tolist()),
            tree.constant_sum is not None,
            has_perfect_recall(tree),
        )

    def json(self) -> dict[str, Any]:
        """The content of `info --json`, and of the head of `solve --json`."""
        return {
            "title": self.title,
            "players": list(self.players),
            "nodes": self.nodes,
            "decision_nodes": self.decision_nodes,
            "chance_nodes": self.chance_nodes,
            "terminal_nodes": self.terminal_nodes,
            "infosets": list(self.infosets),
            "constant_sum": self.constant_sum,
            "perfect_recall": self.perfect_recall,
        }

    def lines(self) -> Iterator[str]:
        """The same for a person."""
        yield self.title or "(a game without a title)"
        numbers = (self.decision_nodes, self.chance_nodes, self.terminal_nodes)
        kinds = ", ".join(
            f"{counted(number)} {kind}" for number, kind in zip(numbers, ("decision", "chance", "terminal"), strict=True)
        )
        yield f"{counted(self.nodes)} nodes: {kinds}"
        sets = ", ".join(f"{counted(sets)} of {name}" for name, sets in zip(self.players, self.infosets, strict=True))
        yield f"information sets: {sets or 'none'}"
        recall = "perfect recall" if self.perfect_recall else "imperfect recall"
        yield f"{'constant sum' if self.constant_sum else 'general sum'}, {recall}"


def solution_json(tree: GameTree, solution: Solution, histories: Sequence[Sequence[str]] = ()) -> dict[str, Any]:
    """What `solve --json` holds beside the facts and the source of the game; `histories` asks for `shown`."""
    return {
        "method": solution.method,
        "arithmetic": solution.arithmetic,
        "form": solution.form,
        "reason": solution.reason,
        "note": solution.note,
        "finished": solution.finished,
        "exact": solution.exact,
        "seconds": round(solution.seconds, 6),
        "subgame_perfect": _subgame_perfect_json(solution.subgame_perfect),
        "course": None if solution.run_history is None else run_history_json(solution.run_history),
        "profiles": [
            judgement_json(one.judgement)
            | {"probabilities": profile_json.sets(tree, one.profile)}
            | {"shown": [_page_json(tree, one.profile, history) for history in histories]}
            for one in solution.solved
        ],
    }


def _subgame_perfect_json(found: SubgamePerfect | None) -> dict[str, Any] | None:
    if found is None:
        return None
    payoffs = [[encoded(number) for number in vector] for vector in found.payoffs]
    return {"payoffs": payoffs, "complete": found.complete, "ties": found.ties}


def run_history_json(run_history: RunHistory) -> dict[str, Any]:
    """How a minimiser went; seconds in milliseconds' precision."""
    proved = run_history.last.proved
    return {
        "iterations": run_history.last.iteration,
        "ended": run_history.ended,
        "proved": [proved.lower, proved.upper],
        "moments": [
            [sample.iteration, round(sample.seconds, 3), sample.bounds.lower, sample.bounds.upper]
            for sample in run_history.samples
        ],
    }


def judgement_json(judgement: Judgement) -> dict[str, Any]:
    """What the judge says of a profile."""
    bounds = judgement.bounds
    return {
        "payoffs": [encoded(number) for number in judgement.payoffs],
        "regrets": [encoded(number) for number in judgement.regrets],
        "equilibrium": judgement.is_equilibrium,
        "exploitability": encoded(judgement.exploitability),
        "bounds": None if bounds is None else [encoded(number) for number in bounds],
    }


def solution_lines(solution: Solution) -> Iterator[str]:
    """How the answer was found."""
    reason = f" (chosen: {solution.reason})" if solution.reason else ""
    yield f"method {solution.method}, {solution.arithmetic}, {solution.form} form{reason}; {solution.seconds:.2f} s"
    if solution.note:
        yield f"the method says: {solution.note}"
    if solution.subgame_perfect:
        yield from _subgame_perfect_lines(solution.subgame_perfect)
    if solution.run_history:
        yield from run_history_lines(solution.run_history)
    elif not solution.finished:
        yield f"stopped at the time limit with {len(solution.solved)} profile(s)"
    elif not solution.solved:
        yield "the method found no profile"


_ENDS = {
    "target": "target reached",
    "iterations": "ended",
    "time": "stopped at the time limit",
    "interrupt": "interrupted",
}


def run_history_lines(run_history: RunHistory) -> Iterator[str]:
    """Where a minimiser ended, and what it has proved on the way."""
    last, proved = run_history.last, run_history.last.proved
    end = f"{_ENDS[run_history.ended]} after {counted(last.iteration)} iteration(s)"
    yield f"{end}, at exploitability {shown(last.bounds.exploitability)}"
    bounds = f"{outward(proved.lower, -1)} to {outward(proved.upper, 1)}"
    yield f"proved, rounding included: the value for player 1 lies from {bounds}"


def outward(number: float, direction: int) -> str:
    """A bound in ten digits, rounded so that it still holds."""
    text = f"{number:.10g}"
    if (float(text) - number) * direction >= 0:
        return text
    return f"{number + direction * 10.0 ** (floor(log10(abs(number))) - 9):.10g}"


def _subgame_perfect_lines(found: SubgamePerfect) -> Iterator[str]:
    """The payoffs of all subgame-perfect equilibria, and whether ties matter."""
    vectors = [f"({', '.join(map(shown, vector))})" for vector in found.payoffs]
    more = f" and {len(vectors) - LONG} more" if len(vectors) > LONG else ""
    yield f"subgame-perfect payoffs: {', '.join(vectors[:LONG])}{more}{'' if found.complete else ', and others not listed'}"
    if found.ties:
        matter = (
            "they matter: the profile shown is one choice of several"
            if len(vectors) > 1
            else "they do not matter to the payoffs"
        )
        yield f"ties at {counted(found.ties)} node(s); {matter}"


def judgement_lines(tree: GameTree, judgement: Judgement) -> Iterator[str]:
    """The verdict on a profile, then payoffs and regrets."""
    yield _verdict(judgement)
    width = max(map(len, (*tree.players, "player")))
    payoffs, regrets = ([shown(number) for number in numbers] for numbers in (judgement.payoffs, judgement.regrets))
    column = max(map(len, (*payoffs, "payoff")))
    yield f"  {'player':{width}}  {'payoff':{column}}  regret"
    for name, payoff, regret in zip(tree.players, payoffs, regrets, strict=True):
        yield f"  {name:{width}}  {payoff:{column}}  {regret}"
    bounds = judgement.bounds
    if bounds is not None:
        low, high = map(shown, bounds)
        value = f"is {low}" if judgement.is_equilibrium else f"lies from {low} to {high}"
        yield f"  the value for {tree.players[0]} {value}"
        yield f"  exploitability, the mean of the two regrets: {shown(judgement.exploitability)}"


def _verdict(judgement: Judgement) -> str:
    if judgement.is_equilibrium:
        return "an equilibrium: no player can gain, in exact fractions"
    if judgement.max_regret is None:
        return "not judged: without perfect recall a best response is not known"
    if judgement.exact:
        return f"no equilibrium: a player can gain {shown(judgement.max_regret)}"
    return f"within {shown(judgement.max_regret)} of an equilibrium, in floats: so much can a player gain"


@dataclass(frozen=True)
class Detail:
    """How much of a profile a person sees: `all` also the unreached information sets, `full` all rows of long tables."""

    all: bool = False
    full: bool = False


def profile_tables(tree: GameTree, profile: Profile, view: Detail) -> Iterator[RenderableType]:
    """A table a player: information set, and the actions with their probabilities."""
    reached = reached_sets(tree, profile)
    for player, name in enumerate(tree.players):
        his = np.flatnonzero(tree.infosets.player == player)
        rows = his if view.all else his[reached[his]]
        shown_rows = rows if view.full else rows[:LONG]
        yield f"\n{name}"
        if len(shown_rows):
            yield _table(tree, profile, shown_rows.tolist())
        if len(shown_rows) < len(rows):
            yield f"  ... {counted(len(rows) - len(shown_rows))} more; --full shows all"
        if len(rows) < len(his):
            unreached = len(his) - len(rows)
            be = "information set is" if unreached == 1 else "information sets are"
            yield f"  {counted(unreached)} {be} never reached; --all shows {'it' if unreached == 1 else 'them'}"
    for source, mark in _MARKS.items():
        sets = int(np.count_nonzero(profile.source == source))
        if sets and (view.all or np.any(reached & (profile.source == source))):
            yield f"\n{mark[0]} the method says nothing of this set ({counted(sets)} in all); {mark[1]}"


def page_tables(tree: GameTree, profile: Profile, history: Sequence[str]) -> Iterator[RenderableType]:
    """What each roll does after a history: a row a roll, a column an action with its probability and its value."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    page = after_history.after(tree, profile, history)
    yield f"\n{tree.players[page.player]}, {'after ' + ' '.join(history) if history else 'opening'}: probability (value)"
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("information set")
    for action in page.actions:
        table.add_column(escape(action))
    if any(row.last_bid_true is not None for row in page.rows):
        table.add_column("last bid true")
    for row in page.rows:
        values = ["-"] * len(page.actions) if row.values is None else [shown(value) for value in row.values]
        cells = [f"{shown(number)} ({value})" for number, value in zip(row.probabilities, values, strict=True)]
        odds = [shown(row.last_bid_true)] if any(one.last_bid_true is not None for one in page.rows) else []
        table.add_row(escape(tree.label_of(row.row)), *cells, *odds)
    yield table


def _page_json(tree: GameTree, profile: Profile, history: Sequence[str]) -> dict[str, Any]:
    page = after_history.after(tree, profile, history)
    rows = [
        {
            "number": int(tree.infosets.number[row.row]),
            "label": tree.infosets.labels[row.row],
            "probabilities": [encoded(number) for number in row.probabilities],
            "values": None if row.values is None else [encoded(value) for value in row.values],
            "last_bid_true": encoded(row.last_bid_true),
        }
        for row in page.rows
    ]
    return {"history": list(history), "player": page.player + 1, "actions": list(page.actions), "rows": rows}


def _table(tree: GameTree, profile: Profile, rows: Sequence[int]) -> Table:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("information set")
    table.add_column("actions and probabilities")
    for row in rows:
        actions = tree.actions_at(row).labels
        pairs = zip(actions, profile.at(tree, row), strict=True)
        text = "  ".join(f"{action} {shown(number)}" for action, number in pairs if number)
        mark = f" {_MARKS[profile.source[row]][0]}" if profile.source[row] in _MARKS else ""
        table.add_row(escape(tree.label_of(row)) + mark, escape(text))
    return table


def reached_sets(tree: GameTree, profile: Profile) -> Bools:
    """For every information set whether play under the profile can come to one of its nodes."""
    taken = np.append(profile.probabilities != 0, True)[tree.action]
    taken[0] = True
    nodes = tree.along_path(taken, np.logical_and)
    reached = np.zeros(len(tree.infosets) + 1, bool)
    reached[tree.infoset[nodes]] = True
    return reached[:NONE]
