"""The output of `liarsdice curves`: how fast regret minimisers converge."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from liarsdice_cli.draw.chart import Chart, Panels
from liarsdice_cli.draw.curves import Series, curves
from liarsdice_cli.formats.documents.research import ConvergenceCurve as CurveFields
from liarsdice_cli.formats.documents.research import Curves
from liarsdice_cli.formats.rule_fields import csv_of_games
from liarsdice_cli.games.liarsdice.presets import words_of
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.report.rules import titled
from liarsdice_cli.report.tables import table
from liarsdice_cli.studies.convergence_curves import ConvergenceCurve
from liarsdice_cli.text import comma_list, numbered

if TYPE_CHECKING:
    from rich.console import RenderableType


def curves_tables(found: Sequence[ConvergenceCurve]) -> Iterator[RenderableType]:
    """Yield a table with the end of every run."""
    lasts = ((one, one.run_history.last) for one in found)
    rows = (
        (_game(one.rules), one.method, f"{last.iteration:,}", f"{last.seconds:.2f}", f"{last.bounds.exploitability:.3g}")
        for one, last in lasts
    )
    yield table(("game", "method", "iterations", "seconds", "exploitability"), rows, right=True)
    yield f"Payoffs {found[0].rules.payoffs}."


def curves_json(found: Sequence[ConvergenceCurve]) -> Curves:
    """Return the document of `curves`."""
    return {"curves": [_curve_json(one) for one in found]}


def _curve_json(one: ConvergenceCurve) -> CurveFields:
    samples = one.run_history.samples
    return {
        **titled(one.rules),
        "method": one.method,
        "ended": one.ended,
        "samples": [[sample.iteration, round(sample.seconds, 6), sample.bounds.exploitability] for sample in samples],
    }


def curves_csv(found: Sequence[ConvergenceCurve]) -> bytes:
    """Return the samples as CSV, with a row for each."""
    rows = (
        (one.rules, (one.method, sample.iteration, f"{sample.seconds:.6f}", f"{sample.bounds.exploitability:.9g}"))
        for one in found
        for sample in one.run_history.samples
    )
    return csv_of_games(("method", "iteration", "seconds", "exploitability"), rows)


def curves_picture(found: Sequence[ConvergenceCurve]) -> Panels:
    """Return the picture: a curve for each minimiser and game, over iterations and, below that, over time; all logarithmic."""
    return Panels("Exploitability of regret minimisers", [_chart(found, "iterations"), _chart(found, "seconds")])


def _chart(found: Sequence[ConvergenceCurve], over: str) -> Chart:
    games = list(dict.fromkeys(one.rules for one in found))
    series = []
    for one in found:
        points = [
            (sample.iteration if over == "iterations" else sample.seconds, sample.bounds.exploitability)
            for sample in one.run_history.samples
        ]
        series.append(Series(one.method if len(games) == 1 else f"{one.method}, {_game(one.rules)}", points))
    where = games[0] if len(games) == 1 else f"payoffs {games[0].payoffs}"
    return curves(f"Exploitability over {over}", series, x_name=over, y_name=f"exploitability; {where}")


def _game(rules: Rules) -> str:
    """Return the rules without the payoffs, which all games of a picture share."""
    return ", ".join((rules.name, numbered(rules.sides, "sides"), f"dice {comma_list(rules.dice)}", *words_of(rules.changes)))
