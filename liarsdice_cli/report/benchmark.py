"""The output of `liarsdice benchmark`: a policy's exploitability in each game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from liarsdice_cli.formats.documents.research import Benchmark as BenchmarkFields
from liarsdice_cli.formats.documents.research import BenchmarkGame
from liarsdice_cli.formats.numbers import encoded, shown
from liarsdice_cli.report.rules import titled
from liarsdice_cli.report.tables import table
from liarsdice_cli.studies.benchmark import NAME, SOLVED, VERSION, Benchmark, Score
from liarsdice_cli.text import comma_list, numbered

if TYPE_CHECKING:
    from rich.console import RenderableType


def benchmark_tables(found: Benchmark) -> Iterator[RenderableType]:
    """Yield a table with a row for each game, and the summary."""
    yield f"{NAME}, version {VERSION}: {found.policy}"
    yield table(("game", "value", "exploitability", "seconds"), map(_row, enumerate(found.scores, 1)), right=True)
    refused = [(place, one) for place, one in enumerate(found.scores, 1) if one.refused]
    yield from (f"{place}: {one.refused}" for place, one in refused)
    mean = "" if found.mean is None else f"; mean exploitability {shown(found.mean)}"
    yield f"solved to {SOLVED:g}: {found.solved} of {len(found.scores)} games{mean}"


def _row(placed: tuple[int, Score]) -> tuple[str, ...]:
    place, one = placed
    rules = one.game.rules
    name = f"{place}  {rules.name}, {numbered(rules.sides, 'sides')}, dice {comma_list(rules.dice)}"
    lost = "-" if one.worst_case is None else f"{float(one.worst_case.exploitability):.6f}"
    return name, f"{float(one.game.value):.6f}", lost, f"{one.seconds:.1f}"


def benchmark_json(found: Benchmark) -> BenchmarkFields:
    """Return the document of `benchmark`."""
    return {
        "benchmark": NAME,
        "benchmark_version": VERSION,
        "policy": found.policy,
        "games": [_game_json(one) for one in found.scores],
        "solved": found.solved,
        "mean_exploitability": found.mean,
    }


def _game_json(one: Score) -> BenchmarkGame:
    worst = one.worst_case
    return {
        **titled(one.game.rules),
        "value": encoded(one.game.value),
        "time_limit": one.game.seconds,
        "payoffs_as_each": None if worst is None else [encoded(payoff) for payoff in worst.payoffs],
        "exploitability": None if worst is None else encoded(worst.exploitability),
        "rounding_error": None if worst is None else worst.rounding_error,
        "seconds": round(one.seconds, 3),
        "refused": one.refused,
    }
