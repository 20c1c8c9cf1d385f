"""The output of `liarsdice show`: the players' actions after a history, in a strategy file or in a profile of a game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from liarsdice_cli.formats.documents.solutions import Show, Shown
from liarsdice_cli.formats.rule_fields import rules_json
from liarsdice_cli.games.liarsdice.beliefs import RollsAfter
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.report.facts import game_info
from liarsdice_cli.report.judgement import verdict_on
from liarsdice_cli.report.profile import page_json, page_tables
from liarsdice_cli.report.reading import origin_line, reading_json, reading_tables
from liarsdice_cli.report.rules import titled
from liarsdice_cli.solvers.problem import Problem, PublicTreeProblem
from liarsdice_cli.solvers.solution import EvaluatedProfile
from liarsdice_cli.strategies.stored import StoredStrategy

if TYPE_CHECKING:
    from rich.console import RenderableType

    from liarsdice_cli.formats.registry import KeptStrategy


def file_tables(kept: KeptStrategy, reading: RollsAfter, full: bool = False) -> Iterator[RenderableType]:
    """Yield the origin of a strategy file, and its play after a history."""
    yield origin_line(kept)
    yield from reading_tables(reading, full)


def file_json(kept: KeptStrategy, source: str, reading: RollsAfter) -> Show:
    """Return the document of `show` for the strategy file `source`."""
    return {**titled(kept.rules), "source": source, "shown": [reading_json(reading)], "resolving": None}


def profile_tables(
    problem: Problem, one: EvaluatedProfile, origin: str, history: Sequence[str], full: bool = False
) -> Iterator[RenderableType]:
    """Yield the game, the origin of a profile and its verdict, and its play after a history."""
    yield f"{game_info(problem).title}; {origin}, {verdict_on(one)}"
    if one.stored is None:
        yield from page_tables(one.in_tree, history)
    else:
        yield from reading_tables(stored_after(one.stored, history), full)


def profile_json(problem: Problem, one: EvaluatedProfile, source: str | None, history: Sequence[str]) -> Show:
    """Return the document of `show` for a profile.

    source : the file of the game; None for rules
    """
    rules = rules_json(problem.rules) if isinstance(problem, PublicTreeProblem) else None
    shown = page_json(one.in_tree, history) if one.stored is None else reading_json(stored_after(one.stored, history))
    title = game_info(problem).title
    return {"rules": rules, "title": title, "source": None if rules else source, "shown": [shown], "resolving": None}


def stored_after(stored: StoredStrategy, history: Sequence[str]) -> RollsAfter:
    """Return the play of a strategy without a tree after a history; computes the values of all subtrees."""
    from liarsdice_cli.solvers.public_tree.values import Values  # imports numba

    return Values(stored).after(BettingState.parse(stored.rules, history).history)


def shown_at_start(stored: StoredStrategy) -> list[Shown]:
    """Return the play at the start of a subgame; nothing for a whole game."""
    start = stored.start
    return [] if start is None else [reading_json(stored_after(stored, start.history_text.split()))]
