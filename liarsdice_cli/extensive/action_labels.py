"""Histories as a person writes them."""

from __future__ import annotations

from collections.abc import Sequence

from liarsdice_cli.errors import checked_items


def moves(history: str | Sequence[str]) -> list[str]:
    """Return the labels of the players' actions in a sequence, or in a text such as "1x2 2x3"; "opening" has none.

    Raises UsageError for anything but text.

    >>> moves("1x2 2x3"), moves("opening"), moves(["pass", "bet one"])
    (['1x2', '2x3'], [], ['pass', 'bet one'])
    """
    if isinstance(history, str):
        return [] if history == "opening" else history.split()
    return list(checked_items("history", history, str, "give labels of moves, such as \"1x2 2x3\" or ['1x2', '2x3']"))
