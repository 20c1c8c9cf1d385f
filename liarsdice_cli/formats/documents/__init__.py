"""The JSON documents of the program, as typed classes.

`make json` generates docs/json.md and the JSON Schemas in docs/schemas from these classes and their docstrings.
"""

from __future__ import annotations

from typing import NamedTuple

from liarsdice_cli.formats.documents import games, playing, research, solutions, tables


class Kind(NamedTuple):
    """A kind of document.

    content  : the class of the document
    version  : a number that rises when a key changes its meaning or is removed
    printers : the commands that print the document with `--json`
    """

    content: type
    version: int
    printers: tuple[str, ...]


KINDS = {
    "info": Kind(games.Info, 1, ("info",)),
    "rules": Kind(games.Presets, 2, ("rules",)),
    "names": Kind(games.Names, 1, ("methods", "bots")),
    "written": Kind(games.Written, 1, ("build", "convert", "draw", "explore")),
    "solve": Kind(solutions.Solve, 4, ("solve", "outcomes")),
    "verify": Kind(solutions.Verify, 3, ("verify", "exploit (three or more players)")),
    "show": Kind(solutions.Show, 3, ("show", "resolve")),
    "profile": Kind(solutions.Profile, 1, ()),
    "values": Kind(tables.Values, 2, ("values", "match")),
    "exploit": Kind(tables.Exploit, 3, ("exploit", "sweep")),
    "benchmark": Kind(research.Benchmark, 1, ("benchmark",)),
    "curves": Kind(research.Curves, 1, ("curves",)),
    "safe": Kind(tables.Safe, 2, ("safe-exploit",)),
    "impartial": Kind(tables.Impartial, 1, ("impartial takeaway", "impartial bachet", "impartial nim", "impartial grundy")),
    "positions": Kind(tables.Positions, 1, ("impartial positions",)),
    "probability": Kind(playing.Probability, 2, ("probability",)),
    "model": Kind(playing.Model, 2, ("model",)),
    "play": Kind(playing.Play, 2, ("play",)),
    "coach": Kind(playing.Coach, 2, ("coach",)),
    "arena": Kind(tables.Arena, 2, ("arena",)),
}
"""All kinds of documents by name."""


def schema(kind: str) -> str:
    """Return the content of a document's key `schema`.

    >>> schema("info")
    'liarsdice/info/1'
    """
    return f"liarsdice/{kind}/{KINDS[kind].version}"
