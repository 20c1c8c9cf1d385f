"""Check that the benchmarks parse the output of the program."""

from __future__ import annotations

import pytest

from benchmarks import run
from benchmarks.measure import Measured
from tests.support.command_line import run_here


def test_a_row_of_exact_solutions_is_made_from_the_json_of_solve(capsys: pytest.CaptureFixture[str]) -> None:
    answer = run_here("solve", "--sides", 2, "--json").out
    run._solved("two sides", Measured(answer, 0.25, 100.0, 0))
    assert capsys.readouterr().out == "| two sides | 125 | 1/2 | True | 0.25 | 100 |\n"
