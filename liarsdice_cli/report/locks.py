"""What is locked in a game, and what is said of a profile in the locked game and in the free one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from liarsdice_cli.extensive.evaluate import Judgement
from liarsdice_cli.extensive.locks import LockedSet
from liarsdice_cli.formats.lock_lines import line
from liarsdice_cli.formats.numbers import encoded
from liarsdice_cli.report.judgement import judgement_json, judgement_lines
from liarsdice_cli.text import counted

_MANY = 5
"""Locks that are shown of many."""


def lock_json(lock: Sequence[LockedSet]) -> list[dict[str, Any]]:
    """The locked sets, each with its actions that are taken."""
    return [
        {"set": one.name, "actions": {action: encoded(number) for action, number in one.probabilities if number}}
        for one in lock
    ]


def lock_lines(lock: Sequence[LockedSet]) -> Iterator[str]:
    """The same for a person; nothing where nothing is locked."""
    if not lock:
        return
    many = "information set" if len(lock) == 1 else "information sets"
    yield f"{counted(len(lock))} {many} locked; the rest is solved against that:"
    shown = lock if len(lock) <= _MANY else lock[: _MANY - 1]
    yield from (f"  {line(one)}" for one in shown)
    if len(shown) < len(lock):
        yield f"  ... and {counted(len(lock) - len(shown))} more"


def both_json(judgement: Judgement, free: Judgement | None) -> dict[str, Any]:
    """The verdict, in the locked game where something is locked; then also that in the free game."""
    return judgement_json(judgement) | {"free": None if free is None else judgement_json(free)}


def both_lines(players: Sequence[str], judgement: Judgement, free: Judgement | None) -> Iterator[str]:
    """The same for a person."""
    if free is None:
        yield from judgement_lines(players, judgement)
        return
    yield "in the locked game, where nobody deviates at a locked information set:"
    yield from judgement_lines(players, judgement)
    yield "in the free game, where everybody may deviate everywhere:"
    yield from judgement_lines(players, free)
