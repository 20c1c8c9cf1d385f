"""Test the layout of tables."""

from __future__ import annotations

import pytest
from rich.console import Console
from rich.tree import Tree

from liarsdice_cli.cli.printing import print_tables
from liarsdice_cli.report.tables import cell, rest, table


def shown(part: object, width: int = 100) -> list[str]:
    console = Console(width=width, color_system=None, highlight=False, emoji=False)
    with console.capture() as captured:
        console.print(part)
    return [line.rstrip() for line in captured.get().splitlines()]


def test_a_table_has_a_line_below_its_header_and_can_be_right_aligned() -> None:
    rows = [("honest", "7"), ("x", "10,000")]
    assert shown(table(("bot", "won"), rows)) == ["bot      won", "───────────────", "honest   7", "x        10,000"]
    assert shown(table(("bot", "won"), rows, right=True)) == [
        "bot         won",
        "───────────────",
        "honest        7",
        "x        10,000",
    ]


@pytest.mark.parametrize("text", ["[bold]x[/bold]", "[/]", "a[link=http://x]b", ":dice:", "back\\", "\\[x]", "é 骰子"])
def test_nothing_in_a_cell_or_a_header_is_markup(text: str) -> None:
    head, _, row = shown(table((text, "n"), [(text, "1")]))
    assert head.split()[:-1] == row.split()[:-1] == text.split()
    assert shown(Tree(cell(text))) == [text]


def test_control_characters_in_cells_and_headers_are_escaped() -> None:
    evil = "\x1b]0;title\x07\n\u202e\x9b2J"
    lines = shown(table((evil,), [(evil,)]))
    assert lines[0] == lines[2] == r"\x1b]0;title\x07\n\u202e\x9b2J"
    assert len(lines) == 3


def test_text_that_is_too_wide_is_wrapped() -> None:
    lines = shown(table(("name", "n"), [("x" * 50, "1")]), width=30)
    assert "".join(lines).count("x") == 50
    assert max(map(len, lines)) <= 30


def test_the_number_of_omitted_rows_is_printed() -> None:
    assert list(rest(0)) == []
    assert list(rest(1234)) == ["  ... 1,234 more"]


def test_lines_between_tables_are_escaped_too(capsys: pytest.CaptureFixture[str]) -> None:
    print_tables(["a\x1b[31m\nb", table(("c",), [("ddd",)])])
    assert capsys.readouterr().out.splitlines() == [r"a\x1b[31m\nb", "c", "───", "ddd"]
