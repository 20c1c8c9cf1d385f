"""How often a property is tried: a tenth of its examples in `make test`, all of them in `make test-slow`."""

from __future__ import annotations

from typing import Any

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
