"""Test numbers of any size as text."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.formats.numbers import decoded, encoded, kept, shown, shown_between


@given(number=st.fractions() | st.integers().map(Fraction) | st.floats(allow_nan=False))
def test_encoded_numbers_are_decoded(number: Any) -> None:
    assert decoded(encoded(number)) == number
    assert isinstance(encoded(number), float if isinstance(number, float) else str)
    assert isinstance(number, float) or encoded(number) == str(number)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (Fraction(10) ** 5000, "1.00000e+5000 (exact in --json)"),
        (-(Fraction(10) ** 400), "-1.00000e+400 (exact in --json)"),
        (Fraction(1, 10**5000), "1e-5000 (exact in --json)"),
        (Fraction(10**5000 + 1, 3 * 10**5000), "0.333333 (exact in --json)"),
        (Fraction(-7, 327), "-7/327"),
        (Fraction(0), "0"),
        (Fraction(12345678901234567890), "12345678901234567890"),
        (Fraction(123456789012345678901), "1.23457e+20 (exact in --json)"),
        (None, "-"),
        (-0.25, "-0.25"),
    ],
)
def test_numbers_are_shortened_for_people(number: Any, text: str) -> None:
    assert shown(number) == text


@given(ends=st.tuples(st.fractions(), st.fractions()).map(sorted), scale=st.sampled_from([1, 10**25, 10**400]))
def test_shown_bounds_contain_the_bounds(ends: list[Fraction], scale: int) -> None:
    lower, upper = (end * scale for end in ends)
    shown_lower, _, shown_upper = shown_between(lower, upper).partition(" .. ")
    if shown_upper:
        assert 0 <= lower - Fraction(shown_lower) < Fraction(1, 10**6)
        assert 0 <= Fraction(shown_upper) - upper < Fraction(1, 10**6)
    else:
        assert lower == upper


def test_long_fractions_are_encoded_in_full() -> None:
    assert encoded(Fraction(-(10**5000), 3**9999)) == f"-1{'0' * 5000}/{encoded(Fraction(3**9999))}"
    assert encoded(Fraction(10**5000)) == "1" + "0" * 5000


@given(bits=st.integers(10_000, 100_000), divided=st.booleans(), seed=st.randoms())
def test_long_fractions_are_read_as_they_were_written(bits: int, divided: bool, seed: Random) -> None:
    number = Fraction(-seed.getrandbits(bits), seed.getrandbits(bits) + 1 if divided else 1)
    assert decoded(kept(number)) == number


def test_a_fraction_that_cannot_be_read_is_not_written() -> None:
    with pytest.raises(LiarsDiceError, match=r"^a number has 100,001 characters, more than the 100,000 that a file may have: "):
        kept(Fraction(10**100_000))


@pytest.mark.parametrize(
    "value", [None, True, "", "x", "1/0", "1e1000", "1/2e3", "1_0", "nan", [], {}, "9" * 100_001, f"{'9' * 4001}/2/3"]
)
def test_values_that_are_no_numbers_are_refused(value: Any) -> None:
    with pytest.raises(LiarsDiceError, match=r"is not a number|more than the 100,000") as refused:
        decoded(value)
    assert len(str(refused.value)) < 150


def test_numbers_may_have_exponents() -> None:
    assert (decoded("1e-05"), decoded("-2.5E+3")) == (Fraction(1, 100_000), Fraction(-2500))
