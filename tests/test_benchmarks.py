"""Check that the benchmarks parse the output of the program, and that the tables in docs are those of the measured results."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from types import ModuleType

import pytest

from benchmarks import double_oracle, results, run
from benchmarks.measure import LIARSDICE, Measured, call_alone, run_alone
from benchmarks.results import Line, Page, Results, Wanted
from benchmarks.solving import Game, samples
from tests.support.command_line import run_here

WITH_RESULTS = [
    *("costs", "double_oracle", "forgetting", "forgetting_bounds", "growth", "judge", "large", "safe", "strength", "ten"),
]
RESULTS = Results("squares.csv", ("name", "number"), ("name", "number", "square"))
PAGE = Page("squares.md", {"make squares": lambda: [line["square"] for line in RESULTS.read().values()]})
not_on_windows = pytest.mark.skipif(sys.platform == "win32", reason="Windows does not report the peak memory of a child")


def script(name: str) -> ModuleType:
    return importlib.import_module(f"benchmarks.{name}")


def test_a_row_of_exact_solutions_is_made_from_the_json_of_solve(capsys: pytest.CaptureFixture[str]) -> None:
    answer = run_here("solve", "--sides", 2, "--json").out
    run._solved("two sides", Measured(answer, 0, 0.25, 0.2, 100.0))
    assert capsys.readouterr().out == "| two sides | 125 | 1/2 | True | 0.25 | 100 |\n"


@pytest.mark.parametrize("name", [*WITH_RESULTS, "matches", "values"])
def test_the_tables_of_a_page_are_those_of_the_results(name: str) -> None:
    page = script(name).PAGE
    assert page.generated() == page.text()
    assert all(text in page.text() for command in page.tables for text in results.marks(command))


@pytest.mark.parametrize("name", WITH_RESULTS)
def test_every_line_of_a_file_is_wanted(name: str) -> None:
    file, wanted = script(name).RESULTS, script(name).wanted()
    assert sorted(line for one in wanted for line in map(file.key_of, file.of(one))) == sorted(file.read())


@not_on_windows
def test_a_command_is_measured_alone(tmp_path: Path) -> None:
    room = bytearray(300_000_000)  # does not count as memory of the command
    found = run_alone(*LIARSDICE, "info", "--sides", "3", "--json", folder=tmp_path)
    assert (found.code, found.json["nodes"]) == (0, 9208)
    assert found.processor_seconds > 0.01
    assert 10 < found.megabytes < len(room) / 1e6
    assert run_alone(sys.executable, "-c", "while True: pass", limit=0.2).code == -9


@not_on_windows
def test_a_function_is_called_alone() -> None:
    assert call_alone(double_oracle.key_of, Game("common", 6, "2,1")).json == ["common", "2,1", "6"]
    assert call_alone(double_oracle.key_of).code == 1


def test_samples_are_taken_at_growing_iterations_after_the_caller_was_asked() -> None:
    solver, asked = Game("common", 3, "1,1").solver(), list[float]()
    found = list(islice(samples(solver, 2.0, asked.append), 4))
    assert [one.iteration for one in found] == [1, 2, 4, 8]
    first, second, third, _ = (one.exploitability for one in found)
    assert asked == [1.0, first, second, second, *[third] * 4]
    assert all(0 < one.visited <= 1 for one in found)


def squares(*numbers: int) -> list[Wanted]:
    def measured(number: int) -> Iterator[Line]:
        yield RESULTS.line("square", number, number**2)

    return [Wanted(("square", str(one)), f"{one}", lambda one=one: measured(one), "no wish" * (one == 7)) for one in numbers]


def test_only_missing_results_are_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "DOCS", tmp_path)

    def squared(numbers: list[int], *options: str) -> list[str]:
        monkeypatch.setattr(sys, "argv", ["squares.py", *options])
        RESULTS.complete(squares(*numbers), None)
        return [line["square"] for line in RESULTS.read().values()]

    assert squared([3, 7], "--tables") == []
    assert squared([3, 7]) == ["9"]
    RESULTS.write([RESULTS.line("square", 3, "wrong")])
    assert squared([2, 3, 7]) == ["4", "wrong"]
    assert squared([1, 2, 3], "--again", "3") == ["4", "9"]
    with pytest.raises(SystemExit):
        squared([3], "--again", "4")
    begin, end = results.marks("make squares")
    PAGE.file.write_text(f"Squares\n\n{begin}{end}", encoding="utf-8")
    PAGE.write()
    assert PAGE.text() == f"Squares\n\n{begin}\n4\n9\n\n{end}"
