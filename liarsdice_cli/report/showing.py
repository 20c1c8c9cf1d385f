"""The output of `liarsdice show`: the players' actions after a history, in a strategy file or in a profile of a game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from liarsdice_cli.formats.documents.solutions import Show
from liarsdice_cli.formats.ldz import Origin
from liarsdice_cli.formats.rule_fields import rules_json
from liarsdice_cli.report.history import HistoryReport, history_json, history_tables
from liarsdice_cli.report.judgement import verdict_on
from liarsdice_cli.report.rules import titled
from liarsdice_cli.solvers.problem import Problem, PublicTreeProblem
from liarsdice_cli.solvers.solution import EvaluatedProfile

if TYPE_CHECKING:
    from rich.console import RenderableType

    from liarsdice_cli.formats.registry import KeptStrategy


def origin_line(kept: KeptStrategy) -> str:
    """Return the rules, the method and the proof of a strategy file."""
    return f"{kept.rules}; {kept.origin.method}, {proved(kept.origin)}"


def proved(origin: Origin) -> str:
    """Return the proof in a strategy file: bounds for two players, otherwise the largest regret.

    Different bounds that print alike are one number "to six digits", since they prove no more.

    >>> proved(Origin("dcfr+", 9, 0.49999999, 0.5)), proved(Origin("dcfr+", 9, 0.4, 0.5))
    ('value for player 1: 0.5 to six digits', 'value for player 1 from 0.4 to 0.5')
    >>> proved(Origin("exact", None, 0.5, 0.5))
    'value for player 1: 0.5'
    """
    if origin.regrets is not None:
        return f"no player could gain more than {max(origin.regrets):.3g}"
    lower, upper = f"{origin.lower:.6g}", f"{origin.upper:.6g}"
    if lower != upper:
        return f"value for player 1 from {lower} to {upper}"
    return f"value for player 1: {lower}{'' if origin.lower == origin.upper else ' to six digits'}"


def file_tables(kept: KeptStrategy, report: HistoryReport, full: bool = False) -> Iterator[RenderableType]:
    """Yield the origin of a strategy file, and its play after a history."""
    yield from (origin_line(kept), "")
    yield from history_tables(report, full)


def file_json(kept: KeptStrategy, source: str, report: HistoryReport) -> Show:
    """Return the document of `show` for the strategy file `source`."""
    return {**titled(kept.rules), "source": source, "shown": [history_json(report)], "resolving": None}


def solved_tables(
    problem: Problem, one: EvaluatedProfile, origin: str, history: Sequence[str], full: bool = False
) -> Iterator[RenderableType]:
    """Yield the game, the origin of a profile and its verdict, and its play after a history."""
    yield from (f"{problem.title}; {origin}, {verdict_on(one)}", "")
    yield from history_tables(_report(one, history), full)


def solved_json(problem: Problem, one: EvaluatedProfile, source: str | None, history: Sequence[str]) -> Show:
    """Return the document of `show` for a profile.

    source : the file of the game; None for rules
    """
    rules = rules_json(problem.rules) if isinstance(problem, PublicTreeProblem) else None
    shown = history_json(_report(one, history))
    return {"rules": rules, "title": problem.title, "source": None if rules else source, "shown": [shown], "resolving": None}


def _report(one: EvaluatedProfile, history: Sequence[str]) -> HistoryReport:
    if one.stored is None:
        return HistoryReport.of_profile(one.in_tree, history)
    return HistoryReport.of_strategy(one.stored, history)
