"""Command lines that are refused: each error names its cause and what to type."""

from __future__ import annotations

import pytest

from tests.support.command_line import PENNIES, assert_refused, run_here


@pytest.mark.parametrize("words", [(PENNIES,), (PENNIES, "opening"), ("missing.ldz",), ("-",)])
def test_show_refuses_a_file_beside_rule_options(words: tuple[object, ...]) -> None:
    ended = run_here("show", *words, "--sides", 3)
    assert_refused(ended, f"both {words[0]} and --sides describe a game", code=2)
