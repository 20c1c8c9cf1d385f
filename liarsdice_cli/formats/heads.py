"""Heads: the JSON at the beginning of strategy files and checkpoints, with checked fields.

A head may come from any source, so its length is bounded, and the type and range of every field are checked.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import Any

from liarsdice_cli.formats import json_text

LONGEST = 1 << 16
"""The most bytes of a head."""
_LONGEST_TEXT = 1 << 12


@dataclass(frozen=True)
class Head:
    """The fields of an object in a head. Each method returns a field, and raises ValueError if its type or range is wrong.

    >>> head = Head.parsed(b'{"method": "cfr+", "iteration": 7, "proved": [0.25, 0.5]}')
    >>> head.text("method"), head.whole("iteration", 0, 10**9), head.numbers("proved")
    ('cfr+', 7, [0.25, 0.5])
    """

    fields: dict[str, Any]

    @classmethod
    def parsed(cls, data: bytes) -> Head:
        """Return the head in these bytes; ValueError if there are more than `LONGEST`."""
        if len(data) > LONGEST:
            raise ValueError(f"a head of {len(data)} bytes")
        return cls._of(json_text.loads(data))

    @classmethod
    def _of(cls, fields: Any) -> Head:
        if not isinstance(fields, dict):
            raise ValueError(f"{type(fields).__name__} instead of an object")
        return cls(fields)

    def has(self, key: str) -> bool:
        """Return whether there is a field of this name that is not null."""
        return self.fields.get(key) is not None

    def under(self, key: str) -> Head:
        """Return the object in a field."""
        return self._of(self.fields.get(key))

    def text(self, key: str) -> str:
        """Return a text that a terminal can show."""
        value = self.fields.get(key)
        if not isinstance(value, str) or len(value) > _LONGEST_TEXT or not value.isprintable():
            raise ValueError(f"{key} is not text")
        return value

    def whole(self, key: str, least: int, most: int) -> int:
        """Return a whole number from `least` to `most`."""
        return _whole(key, self.fields.get(key), least, most)

    def wholes(self, key: str, least: int, most: int) -> list[int]:
        """Return a list of whole numbers from `least` to `most`."""
        return [_whole(key, value, least, most) for value in self._list(key)]

    def number(self, key: str) -> float:
        """Return a finite number."""
        return _number(key, self.fields.get(key))

    def numbers(self, key: str) -> list[float]:
        """Return a list of finite numbers."""
        return [_number(key, value) for value in self._list(key)]

    def _list(self, key: str) -> list[Any]:
        value = self.fields.get(key)
        if not isinstance(value, list):
            raise ValueError(f"{key} is not a list")
        return value


def _whole(key: str, value: Any, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        raise ValueError(f"{key} is not a whole number from {least} to {most}")
    return value


def _number(key: str, value: Any) -> float:
    if type(value) not in (int, float) or abs(value) > 1e300 or not isfinite(value):
        raise ValueError(f"{key} is not a finite number")
    return float(value)
