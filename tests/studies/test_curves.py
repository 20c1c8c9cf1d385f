"""Test the curves of regret minimisers as a table, data, JSON and pictures."""

from __future__ import annotations

import csv
import io
from itertools import pairwise
from pathlib import Path

import pytest

import liarsdice_cli as ld
from liarsdice_cli.draw.curves import Series, curves
from liarsdice_cli.solvers.request import Request
from liarsdice_cli.studies.convergence_curves import convergence_curves
from tests.support.command_line import assert_refused, document, run_here

ASKED = ("curves", "cfr", "dcfr+", "--rules", "joker", "common", "--sides", 2, "--iterations", 9)


def test_a_curve_has_the_exploitability_of_the_strategy_at_each_sample() -> None:
    (found,) = convergence_curves([ld.rules("common", 3)], ["cfr+"], Request(iterations=8, sample_factor=2.0))
    assert [point.iteration for point in found.run_history.samples] == [0, 1, 2, 4, 8]
    for point in found.run_history.samples[1:]:
        solution = ld.solve(found.rules, method="cfr+", iterations=point.iteration)
        judged = ld.exploitability(found.rules, solution.strategy())
        assert point.bounds.exploitability == pytest.approx(float(judged.exploitability), abs=1e-6)
    seconds = [point.seconds for point in found.run_history.samples]
    assert seconds == sorted(seconds)


def test_the_run_history_of_a_solution_is_a_table() -> None:
    pytest.importorskip("pandas")
    frame = ld.interop.to_pandas(ld.solve(ld.rules("common", 2), method="dcfr+", iterations=5, sample_factor=2).run_history)
    assert list(frame["iteration"]) == [0, 1, 2, 4, 5]
    assert list(frame.columns) == ["iteration", "seconds", "exploitability", "lower", "upper"]
    assert ((frame["upper"] - frame["lower"]) / 2 == frame["exploitability"]).all()
    three = ld.solve(ld.rules("common", 2, (1, 1, 1)), method="pdcfr+", iterations=2, sample_factor=2).run_history
    assert list(ld.interop.to_pandas(three).columns)[3:] == ["regret 1", "regret 2", "regret 3"]


def test_the_command_writes_data_and_a_picture(tmp_path: Path) -> None:
    shown = run_here(*ASKED, "-o", tmp_path / "curves.csv", "-o", tmp_path / "curves.svg")
    assert (shown.code, shown.err) == (0, "")
    rows = list(csv.DictReader(io.StringIO((tmp_path / "curves.csv").read_text())))
    assert {(row["rules"], row["method"]) for row in rows} == {
        (one, way) for one in ("joker", "common") for way in ("cfr", "dcfr+")
    }
    assert [int(row["iteration"]) for row in rows] == [*range(10)] * 4
    picture = (tmp_path / "curves.svg").read_text()
    assert "Exploitability over iterations" in picture
    assert "Exploitability over seconds" in picture
    assert "dcfr+, joker, 2 sides, dice 1,1" in picture
    found = document(run_here(*ASKED, "--json"), "curves")["curves"]
    assert [[sample[0], sample[2]] for one in found for sample in one["samples"]] == [
        [int(row["iteration"]), pytest.approx(float(row["exploitability"]), rel=1e-8)] for row in rows
    ]


def test_a_picture_is_written_as_pdf(tmp_path: Path) -> None:
    pytest.importorskip("cairosvg")
    assert run_here(*ASKED, "-o", tmp_path / "curves.pdf").code == 0
    assert (tmp_path / "curves.pdf").read_bytes().startswith(b"%PDF")


def test_other_methods_and_invalid_factors_are_refused() -> None:
    assert_refused(run_here("curves", "exact"), "exact is not a regret minimiser", code=2)
    assert_refused(run_here("curves", "-o", "curves.txt"), "the name must end in", code=2)
    assert_refused(run_here("curves", "--dice", "1,1,1"), "two", code=2)
    with pytest.raises(ld.UsageError, match=r"give 1\.01 or more"):
        ld.solve(ld.rules("common", 2), sample_factor=1)
    with pytest.raises(ld.UsageError, match="takes no sample_factor"):
        ld.solve(ld.rules("common", 2), method="exact", sample_factor=2)


def test_names_at_the_ends_of_curves_do_not_overlap() -> None:
    chart = curves("many", [Series(str(place), [(1, 1), (10, 0.1)]) for place in range(8)], x_name="x", y_name="y")
    heights = sorted(mark.at[1] for mark in chart.markers)
    assert all(second - first > 0.01 for first, second in pairwise(heights))
    empty = curves("none", [Series("a", [(1, 0.0)])], x_name="x", y_name="y")
    assert empty.curves == []
    assert "<svg" in empty.svg()
