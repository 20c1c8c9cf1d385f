"""Test untrusted text printed as one line without control characters."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarsdice_cli.text import printable
from tests.support.properties import mostly_slow

STEERING = {"Cc", "Cf", "Cs", "Zl", "Zp"}
JOINERS = "\u200c\u200d"


PLANES = [range(0x3000), range(0x3000, 0x20000), range(0x20000, 0xE0000), range(0xE0000, sys.maxunicode + 1)]


@pytest.mark.parametrize("codes", mostly_slow(PLANES))
def test_exactly_the_control_characters_are_escaped(codes: range) -> None:
    for code in codes:
        letter = chr(code)
        shown = printable(letter)
        if unicodedata.category(letter) in STEERING and letter not in JOINERS:
            assert shown.isascii(), hex(code)
            assert shown.isprintable(), hex(code)
            assert shown.encode().decode("unicode_escape") == letter
        else:
            assert shown == letter


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b]0;title\x07", r"\x1b]0;title\x07"),
        ("\x1b[2J", r"\x1b[2J"),
        ("\x9b31m", r"\x9b31m"),
        ("a\u202eb\u2066c\u200f", r"a\u202eb\u2066c\u200f"),
        ("one\ntwo\r\x85\u2028three\t\x00", r"one\ntwo\r\x85\u2028three\t\x00"),
        ("\ud800", r"\ud800"),
    ],
)
def test_control_characters_are_shown_as_python_escapes(text: str, shown: str) -> None:
    assert printable(text) == shown


@pytest.mark.parametrize(
    "text", ["Zoë & Søren", "שלום\u200cशांति", "骰子\u3000賭", "1\xa0000", "👩\u200d👧", "⚀⚅", r"C:\new \x1b", "[bold]x[/bold]"]
)
def test_other_text_is_unchanged(text: str) -> None:
    assert printable(text) == text


@given(st.text(), st.integers(5, 40))
def test_long_text_loses_its_middle(text: str, most: int) -> None:
    whole, cut = printable(text), printable(text, most)
    if len(whole) <= most:
        assert cut == whole
    else:
        head, _, tail = cut.partition("...") if "..." not in whole else (cut[:1], "", cut[-1:])
        assert len(cut) == most
        assert whole.startswith(head)
        assert whole.endswith(tail)
