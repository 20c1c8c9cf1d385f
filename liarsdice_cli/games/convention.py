"""Normal and misere play of games in which who cannot move has come to the end."""

from __future__ import annotations


def convention(misere: bool) -> str:
    """What becomes of who cannot move.

    >>> convention(False)
    'normal play: who cannot move loses'
    """
    return "misere play: who cannot move wins" if misere else "normal play: who cannot move loses"
