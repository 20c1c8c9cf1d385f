"""How much is tried: of a property a tenth of its examples in `make test` and all of them in `make test-slow`; of a large
table some rows in `make test` and the others in `make test-slow`, as is what a quicker test sees as well."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import settings

WHOLE, TENTH = 100, 10
"""Examples of a property that does not say how many it wants, in the profiles "thorough" and "quick"."""


def register() -> None:
    """Make the two profiles known and take the quick one; `--hypothesis-profile` chooses another afterwards."""
    settings.register_profile("thorough", max_examples=WHOLE, deadline=None)
    settings.register_profile("quick", max_examples=TENTH, deadline=None)
    settings.load_profile("quick")


def examples(count: int = WHOLE, **more: Any) -> settings:
    """A property's settings: so many examples in the thorough profile, and as many less as it has less in another."""
    share = settings().max_examples / WHOLE
    return settings(max_examples=max(1, round(count * share)), deadline=None, **more)


def mostly_slow(rows: Iterable[Any], every: int = 5) -> list[Any]:
    """The rows of a large table, of which all but every fifth are spared; each may be a tuple of arguments."""
    found = []
    for place, row in enumerate(rows):
        marks = () if place % every == 0 else SPARED
        found.append(pytest.param(*(row if isinstance(row, tuple) else (row,)), marks=marks))
    return found


SPARED = (pytest.mark.slow, pytest.mark.spared)


def spared(test: Callable[..., Any]) -> Callable[..., Any]:
    """A test beside which a quicker one sees most of what it sees: slow only to save time."""
    for mark in SPARED:
        test = mark(test)
    return test
