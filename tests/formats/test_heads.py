"""Test heads: a field has the requested type and range, or reading it raises ValueError."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarsdice_cli.formats.heads import LONGEST, Head

ASK: dict[str, Callable[[Head], object]] = {
    "under": lambda head: head.under("a"),
    "text": lambda head: head.text("a"),
    "whole": lambda head: head.whole("a", 0, 9),
    "wholes": lambda head: head.wholes("a", 0, 9),
    "number": lambda head: head.number("a"),
    "numbers": lambda head: head.numbers("a"),
}

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(content=JSON, how=st.sampled_from(sorted(ASK)))
def test_a_field_has_the_requested_type_or_is_refused(content: object, how: str) -> None:
    head = Head.parsed(json.dumps({"a": content}).encode())
    try:
        answer = ASK[how](head)
    except ValueError:
        return
    assert answer == (Head(content) if how == "under" else content)  # type: ignore[arg-type]


@given(data=st.binary() | JSON.map(lambda content: json.dumps(content).encode()))
def test_bytes_are_a_json_object_or_refused(data: bytes) -> None:
    with suppress(ValueError):
        assert json.loads(data) == Head.parsed(data).fields


@pytest.mark.parametrize(
    "data",
    [
        b'{"a": ' * 5_000 + b"1" + b"}" * 5_000,
        b"[" * 60_000,
        b'{"a": "' + b"x" * LONGEST + b'"}',
        b'{"a": ' + b"9" * 5_000 + b"}",
        b"\xff{}",
        b"",
    ],
)
def test_a_head_that_is_too_deep_too_long_or_invalid_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 (whichever reason)
        Head.parsed(data)


@pytest.mark.parametrize(
    "value", ["Infinity", "-Infinity", "NaN", "1e400", "true", '"1"', "null", "1.0", "-1", "10", "1" * 400]
)
def test_other_values_than_whole_numbers_in_the_range_are_refused(value: str) -> None:
    head = Head.parsed(b'{"a": %s, "b": [%s]}' % (value.encode(), value.encode()))
    with pytest.raises(ValueError, match="a is not a whole number"):
        head.whole("a", 0, 9)
    with pytest.raises(ValueError, match="b is not a whole number"):
        head.wholes("b", 0, 9)


@pytest.mark.parametrize("value", ["Infinity", "-Infinity", "NaN", "1e400", "true", '"1"', "null", "1" * 400])
def test_other_values_than_finite_numbers_are_refused(value: str) -> None:
    with pytest.raises(ValueError, match="a is not a finite number"):
        Head.parsed(b'{"a": %s}' % value.encode()).number("a")
