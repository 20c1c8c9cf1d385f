"""The sentences that the coach says in the terminal and on its page, from `sentences.json`, which both fill in.

A name in braces stands for a part of the sentence. A sentence about a player has `{who}`, and what the verb needs: `{s}` is ""
or "s", and `{were}` is "were" or "was".
"""

from __future__ import annotations

import json
from importlib.resources import files

SENTENCES: dict[str, str] = json.loads((files(__package__) / "sentences.json").read_text("utf-8"))
"""The sentences by their names."""


def sentence(name: str, **parts: object) -> str:
    """Return a sentence with its parts.

    >>> sentence("call", s="", bid="2x3"), sentence("opens", who="Ann", s="s")
    ('call 2x3', 'Ann opens.')
    """
    return SENTENCES[name].format(**parts)
