"""Liar's Dice as a game of game theory: build trees, write, draw and solve them, and evaluate strategies.

>>> import liarsdice_cli as ld
>>> solution = ld.solve(ld.rules("joker", 3, payoffs="zero-sum"))
>>> solution.method, str(solution.value)
('quasi-perfect', '1/3')
>>> sum(solution.profile["P1 roll 2 opening"].values())
Fraction(1, 1)

docs/library.md shows the main uses. Public names are imported when they are first used, so that this import is quick. All
other names may change at any time.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from liarsdice_cli.bots.protocol import Policy
    from liarsdice_cli.bots.specs import policy
    from liarsdice_cli.bots.zero_intelligence.model import model
    from liarsdice_cli.errors import LiarsDiceError, UsageError
    from liarsdice_cli.extensive.profile import Profile
    from liarsdice_cli.extensive.tree import GameTree
    from liarsdice_cli.formats.registry import read_game as read
    from liarsdice_cli.formats.registry import read_profile, read_strategy
    from liarsdice_cli.formats.writing import write
    from liarsdice_cli.games.liarsdice.bids import Bid
    from liarsdice_cli.games.liarsdice.rules import Rules, rules
    from liarsdice_cli.games.liarsdice.strategy import Strategy
    from liarsdice_cli.games.liarsdice.subgame import subgame
    from liarsdice_cli.games.liarsdice.tree import build
    from liarsdice_cli.library import impartial, interop
    from liarsdice_cli.library.coaching import coach
    from liarsdice_cli.library.exploitation import coalition, exploitability, safe_exploitation
    from liarsdice_cli.library.explorer import explore
    from liarsdice_cli.library.judging import judge, strategy_at
    from liarsdice_cli.library.outcomes import outcomes
    from liarsdice_cli.library.pictures import picture
    from liarsdice_cli.library.playing import play, tournament
    from liarsdice_cli.library.probability import probability
    from liarsdice_cli.library.solving import solve
    from liarsdice_cli.library.tables import grid, match, values
    from liarsdice_cli.progress import Progress
    from liarsdice_cli.report.facts import game_info
    from liarsdice_cli.solvers.solution import Solution
    from liarsdice_cli.studies.resolving import resolve

__version__ = "0.1.0"

_HOMES = {
    "Bid": "games.liarsdice.bids",
    "GameTree": "extensive.tree",
    "LiarsDiceError": "errors",
    "Policy": "bots.protocol",
    "Profile": "extensive.profile",
    "Progress": "progress",
    "Rules": "games.liarsdice.rules",
    "Solution": "solvers.solution",
    "Strategy": "games.liarsdice.strategy",
    "UsageError": "errors",
    "build": "games.liarsdice.tree",
    "coach": "library.coaching",
    "coalition": "library.exploitation",
    "exploitability": "library.exploitation",
    "explore": "library.explorer",
    "game_info": "report.facts",
    "grid": "library.tables",
    "judge": "library.judging",
    "match": "library.tables",
    "model": "bots.zero_intelligence.model",
    "outcomes": "library.outcomes",
    "picture": "library.pictures",
    "play": "library.playing",
    "policy": "bots.specs",
    "probability": "library.probability",
    "read": "formats.registry:read_game",
    "read_profile": "formats.registry",
    "read_strategy": "formats.registry",
    "resolve": "studies.resolving",
    "rules": "games.liarsdice.rules",
    "safe_exploitation": "library.exploitation",
    "solve": "library.solving",
    "strategy_at": "library.judging",
    "subgame": "games.liarsdice.subgame",
    "tournament": "library.playing",
    "values": "library.tables",
    "write": "formats.writing",
}
"""The module of every public name, and after a colon its name there if it differs."""

_MODULES = {"impartial": "library.impartial", "interop": "library.interop"}
"""The public modules."""

__all__ = [
    "Bid",
    "GameTree",
    "LiarsDiceError",
    "Policy",
    "Profile",
    "Progress",
    "Rules",
    "Solution",
    "Strategy",
    "UsageError",
    "__version__",
    "build",
    "coach",
    "coalition",
    "exploitability",
    "explore",
    "game_info",
    "grid",
    "impartial",
    "interop",
    "judge",
    "match",
    "model",
    "outcomes",
    "picture",
    "play",
    "policy",
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
    "tournament",
    "values",
    "write",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"{__name__}.{_MODULES[name]}")
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, _, original = _HOMES[name].partition(":")
    return getattr(import_module(f"{__name__}.{module}"), original or name)


def __dir__() -> list[str]:
    return __all__


# These packages register what they provide to lower ones. Python runs this file before it imports any of them.
import liarsdice_cli.draw  # noqa: E402
import liarsdice_cli.library  # noqa: E402, F401
