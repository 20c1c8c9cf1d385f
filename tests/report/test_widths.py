"""Test tables on terminals of several widths: no line is wider, and no bracket is broken across lines."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable
from functools import cache
from typing import Any

import pytest
from rich.console import Console

from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.report.history import HistoryReport, history_tables
from liarsdice_cli.report.tables import Fitting, table
from liarsdice_cli.solvers.ladder import solve
from liarsdice_cli.solvers.request import EXTENSIVE, Request
from liarsdice_cli.solvers.solution import Solution

WIDTHS = (60, 80, 100, 160)


def printed(parts: Iterable[Any], width: int) -> list[str]:
    """Return the lines of the tables only."""
    console = Console(file=io.StringIO(), width=width, highlight=False)
    for part in parts:
        if not isinstance(part, str):
            console.print(part)
    text: str = console.file.getvalue()  # type: ignore[attr-defined]
    return text.splitlines()


@cache
def common(sides: int) -> Solution:
    return solve(rules("common", sides), Request(form=EXTENSIVE))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("sides", [2, 4, pytest.param(5, marks=pytest.mark.slow)])
def test_tables_of_a_profile_after_bids_fit(width: int, sides: int) -> None:
    lines = []
    for history in ([], ["1x1"]):
        report = HistoryReport.of_profile(common(sides).profile, history)
        lines += printed(history_tables(report, full=True), width)
    assert max(map(len, lines)) <= width
    assert not any(re.search(r"\([^)]*$", line) for line in lines)  # no bracket continues on the next line
    assert len([line for line in lines if line.startswith("1 ")]) == 2


@pytest.mark.parametrize("width", WIDTHS)
def test_tables_of_a_strategy_fit(width: int) -> None:
    averages = solve(rules("joker", 6), Request(iterations=30)).best.stored
    assert averages is not None
    lines = printed(history_tables(HistoryReport.of_strategy(averages, ["1x3"]), full=True), width)
    assert max(map(len, lines)) <= width
    assert not any(re.search(r"\([^)]*$", line) for line in lines)


def test_a_table_uses_its_narrow_form_only_if_it_must() -> None:
    both = Fitting(table(["a" * 30], [["1"]]), table(["b"], [["2"]]))
    assert "b" in printed([both], 29)[0]
    assert "a" * 30 in printed([both], 30)[0]
