"""Tables of a profile: by information sets, or after a history."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from liarsdice_cli.extensive import after_history
from liarsdice_cli.extensive.number import Number
from liarsdice_cli.extensive.profile import BEST, EQUAL, LOCKED, Profile
from liarsdice_cli.extensive.profile_values import ProfileValues
from liarsdice_cli.formats.documents.solutions import Reply, Shown
from liarsdice_cli.formats.numbers import encoded, shown
from liarsdice_cli.games.bidding import FINAL_ACTION_NAMES
from liarsdice_cli.report.tables import LONG, Fitting, below_each_other, distinct, rest, table
from liarsdice_cli.text import counted

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table
    from rich.text import Text

_MARKS = {
    EQUAL: ("*", "the method gives no distribution here ({} in all); equal probabilities are filled in"),
    BEST: ("+", "the method gives no distribution here ({} in all); a best response to the others is filled in"),
    LOCKED: ("=", "locked ({} in all)"),
}


def profile_tables(profile: Profile, full: bool = False) -> Iterator[RenderableType]:
    """Yield a table for each player: information sets, and their actions with probabilities.

    full : include all rows of long tables, and information sets that are never reached
    """
    tree, reached = profile.tree, ProfileValues(profile).reached_sets
    for player, name in enumerate(tree.players):
        own = np.flatnonzero(tree.infosets.player == player)
        rows = own if full else own[reached[own]]
        shown_rows = rows if full else rows[:LONG]
        yield from ("", name)
        if len(shown_rows):
            yield _table(profile, shown_rows.tolist())
        yield from rest(len(rows) - len(shown_rows))
        if len(rows) < len(own):
            unreached = len(own) - len(rows)
            be = "information set is" if unreached == 1 else "information sets are"
            them = "it" if unreached == 1 else "them"
            yield f"  {counted(unreached)} {be} never reached; --full shows {them}"
    for source, mark in _MARKS.items():
        sets = int(np.count_nonzero(profile.source == source))
        if sets and (full or np.any(reached & (profile.source == source))):
            yield ""
            yield f"{mark[0]} {mark[1].format(counted(sets))}"


def page_tables(profile: Profile, history: Sequence[str]) -> Iterator[RenderableType]:
    """Yield a table of the information sets after a history: a column an action, with its probability and its value.

    If that is too wide, a cell lists the actions that are taken, one a line.
    """
    tree, page = profile.tree, after_history.after(profile, history)
    yield ""
    yield f"{tree.players[page.player]}, {'after ' + ' '.join(history) if history else 'opening'}: probability (value)"
    called = any(last_bid_true(page, row) is not None for row in page.rows)
    rows: list[Sequence[str | Text]] = []
    played: list[Sequence[str | Text]] = []
    for row, label in zip(page.rows, distinct([tree.label_of(row.row) for row in page.rows]), strict=True):
        values = ["-"] * len(page.actions) if row.values is None else [shown(value) for value in row.values]
        cells = [f"{shown(number)} ({value})" for number, value in zip(row.probabilities, values, strict=True)]
        taken = [f"{name} {text}" for name, text, share in zip(page.actions, cells, row.probabilities, strict=True) if share]
        truth = [shown(last_bid_true(page, row))] * called
        rows.append([tree.label_of(row.row), *cells, *truth])
        played.append([label, below_each_other(taken), *truth])
    truth = ["last bid true"] * called
    yield Fitting(table(("information set", *page.actions, *truth), rows), table(("set", "played (value)", *truth), played))


def page_json(profile: Profile, history: Sequence[str]) -> Shown:
    """Return the same for a program."""
    tree, page = profile.tree, after_history.after(profile, history)
    infosets: list[Reply] = [
        {
            "label": tree.infosets.labels[row.row],
            "number": int(tree.infosets.number[row.row]),
            "roll": None,
            "probability": None,
            "probabilities": [encoded(number) for number in row.probabilities],
            "values": None if row.values is None else [encoded(value) for value in row.values],
            "last_bid_true": encoded(last_bid_true(page, row)),
        }
        for row in page.rows
    ]
    return {
        "history": list(history),
        "player": page.player + 1,
        "reach": None,
        "actions": list(page.actions),
        "infosets": infosets,
        "others": [],
    }


def _table(profile: Profile, rows: Sequence[int]) -> Table:
    return table(("information set", "actions and probabilities"), (_cells(profile, row) for row in rows))


def _cells(profile: Profile, row: int) -> tuple[str, str]:
    """Return the name of an information set, with the mark of its source, and the actions that are taken."""
    tree = profile.tree
    pairs = zip(tree.actions_at(row).labels, profile.at(row), strict=True)
    mark = f" {_MARKS[profile.source[row]][0]}" if profile.source[row] in _MARKS else ""
    return f"{tree.label_of(row)}{mark}", "  ".join(f"{action} {shown(number)}" for action, number in pairs if number)


def last_bid_true(page: after_history.SetsAfter, row: after_history.InfosetReport) -> Number | None:
    """Return the probability that the last bid is true, so that a call loses.

    page : the information sets after the history; row is one of them

    None if play does not reach the set, or its first action is not a call that ends the game.
    """
    return row.first_action_loses if page.actions[0] == FINAL_ACTION_NAMES[0] else None
