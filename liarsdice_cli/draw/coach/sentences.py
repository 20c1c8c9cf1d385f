"""The sentences of the coach, from `sentences.json`. The terminal and the page fill in the same ones.

A name in braces stands for a part of the sentence. In a sentence about a player, `{who}` is the player. The verb agrees by
`{s}`, which is "" or "s", or by `{were}`, which is "were" or "was".
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
