"""Tables of a profile, by information sets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from liarsdice_cli.extensive.profile import BEST, EQUAL, LOCKED, Profile
from liarsdice_cli.extensive.profile_values import ProfileValues
from liarsdice_cli.formats.numbers import shown
from liarsdice_cli.report.tables import LONG, Hinted, rest, table
from liarsdice_cli.text import counted

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

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
            yield Hinted(f"  {counted(unreached)} {be} never reached", f"; --full shows {them}")
    for source, mark in _MARKS.items():
        sets = int(np.count_nonzero(profile.source == source))
        if sets and (full or np.any(reached & (profile.source == source))):
            yield ""
            yield f"{mark[0]} {mark[1].format(counted(sets))}"


def _table(profile: Profile, rows: Sequence[int]) -> Table:
    return table(("information set", "actions and probabilities"), (_cells(profile, row) for row in rows))


def _cells(profile: Profile, row: int) -> tuple[str, str]:
    """Return the name of an information set, with the mark of its source, and the actions that are taken."""
    tree = profile.tree
    pairs = zip(tree.actions_at(row).names, profile.at(row), strict=True)
    mark = f" {_MARKS[profile.source[row]][0]}" if profile.source[row] in _MARKS else ""
    return f"{tree.label_of(row)}{mark}", "  ".join(f"{action} {shown(number)}" for action, number in pairs if number)
