"""The table of exact solutions without a tree matches its data, and the data match the table of values."""

from __future__ import annotations

from fractions import Fraction

import pytest

from benchmarks import double_oracle
from benchmarks.kept import DOCS, Line
from liarsdice_cli.studies.value_table import read

KNOWN = double_oracle.known()
GAMES = {one.key: one for one in double_oracle.GAMES}


def test_the_page_has_the_table_generated_from_the_data() -> None:
    text = double_oracle.PAGE.read_text(encoding="utf-8")
    assert double_oracle.page(text) == text
    assert list(KNOWN) == [key for key in GAMES if key in KNOWN]
    assert all(f"| {line['value']} | {line['rounds']} |" in text for line in KNOWN.values())


@pytest.mark.parametrize("line", KNOWN.values(), ids=lambda line: f"{line['rules']} {line['dice']} {line['sides']}")
def test_the_values_are_those_of_the_table_of_values(line: Line) -> None:
    game = GAMES[line["rules"], line["dice"], line["sides"]].game
    (found,) = {one.value for one in read(str(DOCS / "values.csv")) if one.rules == game}
    assert found == Fraction(line["value"])
