"""The exact solutions without a tree match the table of values."""

from __future__ import annotations

from fractions import Fraction

import pytest

from benchmarks import double_oracle
from benchmarks.results import DOCS, Line
from liarsdice_cli.studies.value_table import read

KNOWN = double_oracle.RESULTS.read()
GAMES = {double_oracle.key_of(game): game for game in double_oracle.GAMES}


@pytest.mark.parametrize("line", KNOWN.values(), ids=lambda line: f"{line['rules']} {line['dice']} {line['sides']}")
def test_the_values_are_those_of_the_table_of_values(line: Line) -> None:
    game = GAMES[line["rules"], line["dice"], line["sides"]].rules
    (found,) = {one.value for one in read(str(DOCS / "values.csv")) if one.rules == game}
    assert found == Fraction(line["value"])
