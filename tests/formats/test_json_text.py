"""Test reading untrusted JSON: the same result as json.loads, up to a depth that does not depend on Python's version."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarsdice_cli.formats.heads import Head
from liarsdice_cli.formats.json_text import DEEPEST, loads
from tests.support.command_line import assert_refused, run_here

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.sampled_from('[]{}"\\ax')),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


def nested(depth: int) -> str:
    return '{"a": ' * depth + "1" + "}" * depth


@given(content=JSON, encoding=st.sampled_from([None, "utf-8", "utf-8-sig", "utf-16", "utf-32-be"]))
def test_json_that_is_not_deep_is_read(content: object, encoding: str | None) -> None:
    text = json.dumps(content)
    assert loads(text if encoding is None else text.encode(encoding)) == content


@given(text=st.text(st.sampled_from('[]{}":,\\a1 ')))
def test_any_text_is_read_or_refused_as_by_json_loads_except_for_keys_given_twice(text: str) -> None:
    def once(pairs: list[tuple[str, object]]) -> dict[str, object]:
        if len(dict(pairs)) < len(pairs):
            raise ValueError
        return dict(pairs)

    def read(how: Callable[[str], object]) -> object:
        try:
            return how(text)
        except ValueError:
            return ValueError

    assert read(loads) == read(partial(json.loads, object_pairs_hook=once))


def test_a_key_that_is_given_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="the key 'a' is given twice"):
        loads('{"b": 1, "a": 2, "a": 3}')
    (tmp_path / "twice.json").write_text('{"positions": {"a": ["b"], "b": [], "a": []}}')
    assert_refused(run_here("impartial", "positions", tmp_path / "twice.json"), "the key 'a' is given twice")


def test_the_depth_is_limited_and_brackets_in_strings_do_not_count() -> None:
    assert loads(nested(DEEPEST)) == json.loads(nested(DEEPEST))
    assert loads('["%s"]' % ("[" * 2 * DEEPEST)) == ["[" * 2 * DEEPEST]
    for depth in (DEEPEST + 1, 500, 5_000, 500_000):
        for text in (nested(depth), "[" * depth, '"' + nested(depth)):
            with pytest.raises(ValueError):  # noqa: PT011 (no JSON, or too deep)
                loads(text)
    with pytest.raises(ValueError):  # noqa: PT011
        loads('"' + '\\"' * 200_000)  # linear, however the text ends


@pytest.mark.parametrize("depth", [500, 5_000])
def test_deep_files_are_refused_in_one_line(depth: int, tmp_path: Path) -> None:
    deep = tmp_path / "deep.json"
    deep.write_text('{"sets": [], "players": ["Ann"], "schema": ' + nested(depth) + "}")
    run_here("build", "--sides", "2", "-o", tmp_path / "game.efg")
    for asked in (("verify", tmp_path / "game.efg", deep), ("outcomes", deep), ("impartial", "positions", deep)):
        assert_refused(run_here(*asked), " is not ")
    with pytest.raises(ValueError, match="brackets"):
        Head.parsed(nested(depth).encode())
