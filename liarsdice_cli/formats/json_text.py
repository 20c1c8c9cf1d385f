"""Reading of JSON from any source, with a limit on its depth."""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import accumulate
from typing import Any

DEEPEST = 100
"""The deepest nesting of brackets that is read; the program's own documents nest fewer than ten."""
_BETWEEN_BRACKETS = re.compile(r'(?:[^][{}"]++|"[^"\\]*+(?:\\.[^"\\]*+)*+"?)++', re.DOTALL)
"""Strings, whose brackets do not count, and all other text between brackets."""


def loads(data: bytes | str, **options: Any) -> Any:
    """Return the value of a JSON text; the options are those of json.loads.

    Raises ValueError if the text is not JSON, gives a key of an object twice, or nests deeper than `DEEPEST`. Python's own
    limit differs from version to version, and a value just within it can still end in RecursionError when it is compared or
    printed.

    >>> loads('{"a": [1, 2]}')
    {'a': [1, 2]}
    """
    text = data if isinstance(data, str) else data.decode(json.detect_encoding(data))
    brackets = _BETWEEN_BRACKETS.sub("", text)
    if max(accumulate(1 if bracket in "[{" else -1 for bracket in brackets), default=0) > DEEPEST:
        raise ValueError(f"JSON with more than {DEEPEST} brackets within each other")
    return json.loads(text, object_pairs_hook=_object, **options)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
        raise ValueError(f"the key {twice[:60]!r} is given twice")
    return found
