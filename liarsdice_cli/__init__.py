"""Liar's Dice as a game of game theory: build the tree, write it, solve it, judge the answer.

>>> import liarsdice_cli as ld
>>> solution = ld.solve(ld.rules("joker", 3, payoffs="zero-sum"))
>>> solution.method, str(solution.best.judgement.bounds[0])
('exact', '1/3')

The public names are imported when they are first asked for, so that `import liarsdice_cli` is quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from liarsdice_cli.extensive.evaluate import Judgement, judge
    from liarsdice_cli.extensive.locks import LockedSet
    from liarsdice_cli.extensive.profile import Profile
    from liarsdice_cli.extensive.tree import GameTree
    from liarsdice_cli.formats.efg import read
    from liarsdice_cli.games.liarsdice.rules import Rules, rules
    from liarsdice_cli.games.liarsdice.tree import build
    from liarsdice_cli.solvers.ladder import solve
    from liarsdice_cli.solvers.solution import Request, Solution

__version__ = "0.1.0"

_HOMES = {
    "GameTree": "extensive.tree",
    "Judgement": "extensive.evaluate",
    "LockedSet": "extensive.locks",
    "Profile": "extensive.profile",
    "Request": "solvers.solution",
    "Rules": "games.liarsdice.rules",
    "Solution": "solvers.solution",
    "build": "games.liarsdice.tree",
    "judge": "extensive.evaluate",
    "read": "formats.efg",
    "rules": "games.liarsdice.rules",
    "solve": "solvers.ladder",
}
"""The module of every public name."""

__all__ = [
    "GameTree",
    "Judgement",
    "LockedSet",
    "Profile",
    "Request",
    "Rules",
    "Solution",
    "__version__",
    "build",
    "judge",
    "read",
    "rules",
    "solve",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
