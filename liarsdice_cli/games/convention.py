"""Normal and misere play, for games that end when a player cannot move."""

from __future__ import annotations


def convention(misere: bool) -> str:
    """Return the convention in words: whether a player who cannot move loses or wins.

    >>> convention(False)
    'normal play: a player who cannot move loses'
    """
    return "misere play: a player who cannot move wins" if misere else "normal play: a player who cannot move loses"
