"""Gambit's .efg files: a game as text, one node after the other in prefix order.

docs/efg.md describes the format, its traps, and the files that Gambit's own reader refuses.
"""

from __future__ import annotations

from liarsdice_cli.formats.efg.reader import parse, read
from liarsdice_cli.formats.efg.writer import dumps, section, sections, write

__all__ = ["dumps", "parse", "read", "section", "sections", "write"]
