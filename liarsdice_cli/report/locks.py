"""Locks as JSON and text, and evaluations of a profile in the locked game and in the game without the lock."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from liarsdice_cli.extensive.evaluate import Judgement
from liarsdice_cli.extensive.locks import LockedSet
from liarsdice_cli.formats.documents.solutions import Lock, LockedEvaluation
from liarsdice_cli.formats.lock_lines import line
from liarsdice_cli.formats.numbers import encoded
from liarsdice_cli.report.judgement import judgement_json, judgement_lines
from liarsdice_cli.text import counted

_MANY = 5
"""The most locks that are printed."""


def lock_json(lock: Sequence[LockedSet]) -> list[Lock]:
    """Return the locked sets, each with its actions of positive probability."""
    return [
        {"infoset": one.name, "actions": {action: encoded(number) for action, number in one.probabilities if number}}
        for one in lock
    ]


def lock_lines(lock: Sequence[LockedSet]) -> Iterator[str]:
    """Yield lines for a person; none without a lock."""
    if not lock:
        return
    many = "information set" if len(lock) == 1 else "information sets"
    yield f"{counted(len(lock))} {many} locked; the other information sets are solved:"
    shown = lock if len(lock) <= _MANY else lock[: _MANY - 1]
    yield from (f"  {line(one)}" for one in shown)
    if len(shown) < len(lock):
        yield f"  ... and {counted(len(lock) - len(shown))} more"


def both_json(judgement: Judgement, free: Judgement | None) -> LockedEvaluation:
    """Return the evaluation in the locked game, and that in the game without the lock as `unlocked`, None without a lock."""
    return {**judgement_json(judgement), "unlocked": None if free is None else judgement_json(free)}


def both_lines(players: Sequence[str], judgement: Judgement, free: Judgement | None) -> Iterator[str]:
    """Yield lines for a person."""
    if free is None:
        yield from judgement_lines(players, judgement)
        return
    yield "in the locked game, in which no player deviates at a locked information set:"
    yield from judgement_lines(players, judgement)
    yield "in the unlocked game, in which players may deviate everywhere:"
    yield from judgement_lines(players, free)
