"""Liar's Dice as a game of game theory: build the tree, write it, solve it, judge the answer.

>>> import liarsdice_cli as ld
>>> solution = ld.solve(ld.rules("joker", 3, payoffs="zero-sum"))
>>> solution.method, str(solution.value)
('quasi-perfect', '1/3')
>>> sum(solution.profile["P1 roll 2 opening"].values())
Fraction(1, 1)

docs/library.md is the reference. The public names are imported when they are first asked for, so that `import liarsdice_cli`
is quick; what is not among them may change at any time.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from liarsdice_cli.bots.protocol import Bot, Policy, View
    from liarsdice_cli.bots.specs import policy
    from liarsdice_cli.bots.zero_intelligence.model import model
    from liarsdice_cli.errors import LiarsDiceError, UsageError
    from liarsdice_cli.extensive.evaluate import Judgement
    from liarsdice_cli.extensive.locks import LockedSet
    from liarsdice_cli.extensive.profile import Profile
    from liarsdice_cli.extensive.tree import GameTree
    from liarsdice_cli.formats.positions import read as positions
    from liarsdice_cli.formats.registry import read_game as read
    from liarsdice_cli.formats.registry import read_profile, read_strategy
    from liarsdice_cli.formats.writing import write
    from liarsdice_cli.games.impartial.sums import game as grundy
    from liarsdice_cli.games.liarsdice.bids import Bid
    from liarsdice_cli.games.liarsdice.rules import Rules, rules
    from liarsdice_cli.games.liarsdice.strategy import Strategy
    from liarsdice_cli.games.liarsdice.subgame import Subgame, subgame
    from liarsdice_cli.games.liarsdice.tree import build
    from liarsdice_cli.library.coaching import Coach, coach
    from liarsdice_cli.library.explorer import Explorer, explore
    from liarsdice_cli.library.impartial import nim, takeaway
    from liarsdice_cli.library.interop import (
        from_openspiel,
        from_pygambit,
        to_numpy,
        to_openspiel,
        to_pandas,
        to_pygambit,
    )
    from liarsdice_cli.library.judging import judge, strategy_at
    from liarsdice_cli.library.locking import locks
    from liarsdice_cli.library.outcomes import outcomes
    from liarsdice_cli.library.pictures import Picture, draw
    from liarsdice_cli.library.playing import arena, play
    from liarsdice_cli.library.probability import probability
    from liarsdice_cli.library.safety import safe_exploitation
    from liarsdice_cli.library.tables import match, values
    from liarsdice_cli.report.facts import game_info
    from liarsdice_cli.solvers.ladder import solve
    from liarsdice_cli.solvers.request import Request
    from liarsdice_cli.solvers.solution import Solution
    from liarsdice_cli.studies.coalition import coalition
    from liarsdice_cli.studies.exploitability import exploitability
    from liarsdice_cli.studies.resolving import resolve
    from liarsdice_cli.studies.value_table import grid

__version__ = "0.1.0"

_HOMES = {
    "Bid": "games.liarsdice.bids",
    "Bot": "bots.protocol",
    "Coach": "library.coaching",
    "Explorer": "library.explorer",
    "GameTree": "extensive.tree",
    "Judgement": "extensive.evaluate",
    "LiarsDiceError": "errors",
    "LockedSet": "extensive.locks",
    "Picture": "library.pictures",
    "Policy": "bots.protocol",
    "Profile": "extensive.profile",
    "Request": "solvers.request",
    "Rules": "games.liarsdice.rules",
    "Solution": "solvers.solution",
    "Strategy": "games.liarsdice.strategy",
    "Subgame": "games.liarsdice.subgame",
    "UsageError": "errors",
    "View": "bots.protocol",
    "arena": "library.playing",
    "build": "games.liarsdice.tree",
    "coach": "library.coaching",
    "coalition": "studies.coalition",
    "draw": "library.pictures",
    "exploitability": "studies.exploitability",
    "explore": "library.explorer",
    "from_openspiel": "library.interop",
    "from_pygambit": "library.interop",
    "game_info": "report.facts",
    "grid": "studies.value_table",
    "grundy": "games.impartial.sums:game",
    "judge": "library.judging",
    "locks": "library.locking",
    "match": "library.tables",
    "model": "bots.zero_intelligence.model",
    "nim": "library.impartial",
    "outcomes": "library.outcomes",
    "play": "library.playing",
    "policy": "bots.specs",
    "positions": "formats.positions:read",
    "probability": "library.probability",
    "read": "formats.registry:read_game",
    "read_profile": "formats.registry",
    "read_strategy": "formats.registry",
    "resolve": "studies.resolving",
    "rules": "games.liarsdice.rules",
    "safe_exploitation": "library.safety",
    "solve": "solvers.ladder",
    "strategy_at": "library.judging",
    "subgame": "games.liarsdice.subgame",
    "takeaway": "library.impartial",
    "to_numpy": "library.interop",
    "to_openspiel": "library.interop",
    "to_pandas": "library.interop",
    "to_pygambit": "library.interop",
    "values": "library.tables",
    "write": "formats.writing",
}
"""The module of every public name, and after a colon its name there if it differs."""

__all__ = [
    "Bid",
    "Bot",
    "Coach",
    "Explorer",
    "GameTree",
    "Judgement",
    "LiarsDiceError",
    "LockedSet",
    "Picture",
    "Policy",
    "Profile",
    "Request",
    "Rules",
    "Solution",
    "Strategy",
    "Subgame",
    "UsageError",
    "View",
    "__version__",
    "arena",
    "build",
    "coach",
    "coalition",
    "draw",
    "exploitability",
    "explore",
    "from_openspiel",
    "from_pygambit",
    "game_info",
    "grid",
    "grundy",
    "judge",
    "locks",
    "match",
    "model",
    "nim",
    "outcomes",
    "play",
    "policy",
    "positions",
    "probability",
    "read",
    "read_profile",
    "read_strategy",
    "resolve",
    "rules",
    "safe_exploitation",
    "solve",
    "strategy_at",
    "subgame",
    "takeaway",
    "to_numpy",
    "to_openspiel",
    "to_pandas",
    "to_pygambit",
    "values",
    "write",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, _, called = _HOMES[name].partition(":")
    return getattr(import_module(f"{__name__}.{module}"), called or name)


def __dir__() -> list[str]:
    return __all__


class _Package(ModuleType):
    """This module, in which `draw` and `arena` stay the functions when the rooms of these names are imported."""

    def __setattr__(self, name: str, value: Any) -> None:
        """Python binds every imported room here; where a public name is called the same, that one is meant."""
        if not (name in _HOMES and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package

# These rooms register what they provide to rooms below. Python runs this file before it imports any room.
import liarsdice_cli.draw  # noqa: E402
import liarsdice_cli.library  # noqa: E402, F401
