"""Convert our docstrings to Markdown: rows of "name : meaning" become definition lists, and examples become code blocks."""

from __future__ import annotations

import re
from typing import Any

import griffe

ROW = re.compile(r"(\w[\w, ]*?) +: (.*)")


class Readable(griffe.Extension):
    """Converts every docstring when it is loaded."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Convert the docstring of a module, class, function or attribute."""
        if obj.docstring:
            obj.docstring.value = as_markdown(obj.docstring.value)


def as_markdown(docstring: str) -> str:
    """Return a docstring as Markdown, converted block by block."""
    return "\n\n".join(map(_block, re.split(r"\n\s*\n", docstring.strip())))


def _block(block: str) -> str:
    if block.startswith(">>> "):
        return f"```pycon\n{block}\n```"
    rows = [ROW.fullmatch(" ".join(row.split())) for row in re.split(r"\n(?!\s)", block)]
    return "\n\n".join(f"`{row[1]}`\n:   {row[2]}" for row in rows if row) if all(rows) else block
