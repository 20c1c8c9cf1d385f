"""Set the amount of testing: `make test` runs a tenth of the examples of a property and some rows of a large table, and
`make test-slow` runs all of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import settings

WHOLE, TENTH = 100, 10
"""The default number of examples of a property in the profiles "thorough" and "quick"."""


def register() -> None:
    """Register both profiles and load the quick one; `--hypothesis-profile` chooses the other."""
    settings.register_profile("thorough", max_examples=WHOLE, deadline=None)
    settings.register_profile("quick", max_examples=TENTH, deadline=None)
    settings.load_profile("quick")


def examples(count: int = WHOLE, **more: Any) -> settings:
    """Return the settings of a property with this number of examples in the thorough profile, and a tenth in the quick one."""
    share = settings().max_examples / WHOLE
    return settings(max_examples=max(1, round(count * share)), deadline=None, **more)


def mostly_slow(rows: Iterable[Any], every: int = 5) -> list[Any]:
    """Return the rows of a large table, all marked slow except one of `every`; each can be a tuple of arguments."""
    found = []
    for place, row in enumerate(rows):
        marks = () if place % every == 0 else pytest.mark.slow
        found.append(pytest.param(*(row if isinstance(row, tuple) else (row,)), marks=marks))
    return found
