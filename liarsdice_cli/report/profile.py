"""What a profile does, information set by information set, or after a history."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.markup import escape

from liarsdice_cli.errors import counted
from liarsdice_cli.extensive import after_history
from liarsdice_cli.extensive.profile import BEST, EQUAL, Profile
from liarsdice_cli.extensive.tree import NONE, Bools, GameTree
from liarsdice_cli.formats.numbers import encoded, shown

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

_MARKS = {EQUAL: ("*", "equal probabilities stand there"), BEST: ("+", "a best response to the others stands there")}
LONG = 30
"""Rows after which a table is cut for a person."""


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
    if any(row.odds is not None for row in page.rows):
        table.add_column("last bid true")
    for row in page.rows:
        values = ["-"] * len(page.actions) if row.values is None else [shown(value) for value in row.values]
        cells = [f"{shown(number)} ({value})" for number, value in zip(row.probabilities, values, strict=True)]
        odds = [shown(row.odds)] if any(one.odds is not None for one in page.rows) else []
        table.add_row(escape(tree.label_of(row.row)), *cells, *odds)
    yield table


def page_json(tree: GameTree, profile: Profile, history: Sequence[str]) -> dict[str, Any]:
    """The same for a program."""
    page = after_history.after(tree, profile, history)
    rows = [
        {
            "number": int(tree.infosets.number[row.row]),
            "label": tree.infosets.labels[row.row],
            "probabilities": [encoded(number) for number in row.probabilities],
            "values": None if row.values is None else [encoded(value) for value in row.values],
            "last_bid_true": encoded(row.odds),
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
