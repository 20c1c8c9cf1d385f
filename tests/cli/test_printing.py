"""The width of printed text, at most a hundred characters without a terminal, and the singular of counted nouns."""

from __future__ import annotations

import io
import re
from contextlib import redirect_stdout

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarsdice_cli.cli.main import run
from liarsdice_cli.cli.printing import print_lines
from tests.support.command_line import run_here
from tests.support.properties import examples


@pytest.mark.parametrize(
    "words",
    [
        ("methods",),
        ("bots",),
        ("solve", "--sides", "3"),
        ("impartial", "takeaway", "60", "1,2,3", "--full"),
        ("impartial", "grundy", "kayles"),
        ("exploit", "honest", "--sides", "3"),
        ("rules", "dudo", "--dice", "1,1,1"),
    ],
    ids=" ".join,
)
def test_piped_text_is_at_most_a_hundred_characters_wide(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(words) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 100


@given(st.lists(st.text("ab(1/2)%.", min_size=1, max_size=30), min_size=1, max_size=60))
@examples(60)
def test_no_word_of_a_long_line_is_lost(words: list[str]) -> None:
    with redirect_stdout(io.StringIO()) as out:
        print_lines([f"  {' '.join(words)}"])
    assert out.getvalue().split() == words
    assert max(map(len, out.getvalue().splitlines())) <= 100


def test_a_wrapped_summary_stays_in_its_own_column(capsys: pytest.CaptureFixture[str]) -> None:
    print_lines([f"name   {'word ' * 30}"])
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("name   word")
    assert second.startswith("       word")
    assert len(first) <= 100


def test_a_count_of_one_is_in_the_singular() -> None:
    ended = run_here("solve", "--sides", 1, "--dice", "1,1,1", "--iterations", 1, "--full")
    assert ended.code == 0
    words = " ".join(ended.out.split())
    assert "after 1 iteration" in words
    assert not re.search(r"\b1 (iterations|histories|sides|dice|nodes)\b|\(s\)", words)
    ended = run_here("arena", "random", "honest", "--rounds", 2, "--seed", 1)
    assert "1 table of 2, 2 rounds at each: 1 deal, each" in ended.out
    assert run_here("probability", "1", "1", "--sides", 1, "--rules", "common").out.startswith("2 dice, 1 side, ")
