"""Readers for every command that reads a game, on legal but unusual games."""

from __future__ import annotations

import random

from tests.fuzz.reader import Reader, given
from tests.support.command_line import FORGETFUL, KUHN, PENNIES
from tests.support.random_games import drawn, unusual_files

_AT_ONCE = 40
"""Games generated at once, because hypothesis is slow to start."""
_INPUTS = 5
"""Games that each command reads in the tests. Many of them are hard and use up the time limit."""
_LIMIT = ("--time-limit", "1")
"""Less than `gambit_here.LONG`, so that Gambit's methods run in a process that can be stopped."""
_made: list[bytes] = []


def _another(data: bytes, draw: random.Random) -> bytes:
    """Return another legal game, whatever the data."""
    if not _made:
        _made.extend(drawn(unusual_files(), _AT_ONCE, draw.getrandbits(32)))
    return _made.pop()


def _game(name: str, *arguments: str, then: tuple[tuple[str, ...], ...] = ()) -> Reader:
    seeds = given(*(path.read_bytes() for path in (KUHN, PENNIES, FORGETFUL)))
    return Reader(f"game-{name}", arguments, seeds, change=_another, inputs=_INPUTS, then=then)


_SOLVED = ("solve", "INPUT", "-o", "OUTPUT.json", *_LIMIT)
_WORKBOOK = ("convert", "INPUT", "OUTPUT.json", "OUTPUT.gbt")
_OF_OURS = ("backward", "exact", "quasi-perfect", "double-oracle", "rounded")
_OF_GAMBIT = ("lp", "lcp", "enumpure", "enummixed", "enumpoly", "logit", "liap", "enumpure-agent")

GAMES = (
    _game("info", "info", "INPUT", "--json"),
    _game("solve", "solve", "INPUT", "--full", *_LIMIT),
    _game("solve-json", "solve", "INPUT", "--json", *_LIMIT),
    *(_game(f"solve-{name}", "solve", "INPUT", "--method", name, *_LIMIT) for name in (*_OF_OURS, *_OF_GAMBIT)),
    _game("minimise", "solve", "INPUT", "--iterations", "30", "--json"),
    _game("tremble", "solve", "INPUT", "--iterations", "5", "--tremble", "0.01"),
    _game("verify", *_SOLVED, then=(("verify", "INPUT", "OUTPUT.json"), ("verify", "INPUT", "OUTPUT.json", "--json"))),
    _game("lock", *_SOLVED, then=(("solve", "INPUT", "--lock", "P1=OUTPUT.json", *_LIMIT),)),
    _game("double-oracle-lock", *_SOLVED, then=(("solve", "INPUT", "--lock", "OUTPUT.json", "--method", "double-oracle"),)),
    _game("draw", "draw", "INPUT"),
    _game("draw-svg", "draw", "INPUT", "-o", "OUTPUT.svg", "--json"),
    _game("draw-tex", "draw", "INPUT", "-o", "OUTPUT.tex", "--infosets", "chips"),
    _game("draw-html", "draw", "INPUT", "-o", "OUTPUT.html", "--infosets", "dotted"),
    _game("draw-bare", "draw", "INPUT", "--profile", "none", "-o", "OUTPUT.svg"),
    _game("draw-depth", "draw", "INPUT", "--depth", "2", "-o", "OUTPUT.html"),
    _game("draw-part", *_SOLVED, then=(("draw", "INPUT", "--profile", "OUTPUT.json", "--depth", "1", "--reached-only"),)),
    _game("draw-from", "draw", "INPUT", "--from", "a"),
    _game("show", *_SOLVED, then=(("show", "INPUT", "a", "--profile", "OUTPUT.json"),)),
    _game("explore", "explore", "INPUT", "-o", "OUTPUT.html"),
    _game("explore-depth", "explore", "INPUT", "--depth", "1", "-o", "OUTPUT.html", "--json"),
    _game("explore-profile", *_SOLVED, then=(("explore", "INPUT", "--profile", "OUTPUT.json", "-o", "OUTPUT.html"),)),
    _game(
        "convert-efg",
        *("convert", "INPUT", "OUTPUT.efg", "--json"),
        then=(("convert", "OUTPUT.efg", "OUTPUT.efg.gz", "--labels", "full"),),
    ),
    _game("convert-nfg", "convert", "INPUT", "OUTPUT.nfg"),
    _game("convert-gbt", "convert", "INPUT", "OUTPUT.gbt"),
    _game("convert-part", "convert", "INPUT", "OUTPUT.gbt", "--from", "a"),
    _game("workbook", *_SOLVED, then=(_WORKBOOK, (*_WORKBOOK, "--depth", "1"))),
)
"""One row for each command."""
