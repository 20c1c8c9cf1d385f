"""How wide what is printed is: a terminal's width there, a hundred characters of text where nobody looks on."""

from __future__ import annotations

import pytest

from liarsdice_cli.cli import printing
from liarsdice_cli.cli.main import run


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
def test_no_line_of_text_that_is_piped_is_wider_than_a_hundred_and_nothing_is_lost(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(words) == 0
    said = capsys.readouterr().out
    assert max(map(len, said.splitlines())) <= 100
    monkeypatch.setattr(printing, "_PIPED_TEXT", 10_000)
    assert run(words) == 0
    durations = str.maketrans("", "", "0123456789.")
    whole = capsys.readouterr().out
    assert said.translate(durations).split() == whole.translate(durations).split()


def test_a_summary_goes_on_in_its_own_column() -> None:
    first, second = printing._folded(f"name   {'word ' * 8}", 30)
    assert first.startswith("name   word")
    assert second.startswith("       word")
    assert len(first) <= 30
