"""Gambit's methods for computing equilibria, as data: what `gambit` checks and `gambit_child` calls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class GambitMethod:
    """A method of Gambit and the games that it accepts.

    name           : Gambit's name
    summary        : result and algorithm, in words
    arithmetic     : arithmetic to choose from, the default first
    forms          : game forms to choose from, the default first
    players        : exact number of players, or None for any number
    constant_sum   : whether the game must be constant-sum
    perfect_recall : whether every player must have perfect recall
    regret_bound   : whether it stops at a `target`

    The methods named -agent find agent equilibria: profiles in which no single information set can gain (Selten 1975). They
    need not be equilibria.

    Sources: lp and lcp on the extensive form, Koller, Megiddo and von Stengel 1996; on the strategic form, Dantzig 1951
    and Lemke and Howson 1964; enummixed, Mangasarian 1964; enumpoly, Porter, Nudelman and Shoham 2004; gnm and ipa,
    Govindan and Wilson 2003 and 2004; simpdiv, van der Laan, Talman and van der Heyden 1987; liap, McKelvey 1991;
    logit, McKelvey and Palfrey 1998 and Turocy 2005; hp, Herings and Peeters 2001.
    """

    name: str
    summary: str
    arithmetic: tuple[str, ...]
    forms: tuple[str, ...]
    players: int | None = None
    constant_sum: bool = False
    perfect_recall: bool = True
    regret_bound: bool = False


EXACT, FLOAT, BOTH = ("rational",), ("float",), ("rational", "float")
TREE, TABLE, EITHER = ("extensive",), ("strategic",), ("extensive", "strategic")
_LIST = (
    GambitMethod("lp", "one equilibrium, by a linear program", BOTH, EITHER, players=2, constant_sum=True),
    GambitMethod("lcp", "one equilibrium or more, by linear complementarity", BOTH, EITHER, players=2),
    GambitMethod("enumpure", "all equilibria in pure strategies, by trying each", EXACT, TABLE),
    GambitMethod("enummixed", "all extreme equilibria, by enumerating vertices", BOTH, TABLE, players=2),
    GambitMethod("enumpoly", "isolated equilibria, support by support", FLOAT, EITHER, regret_bound=True),
    GambitMethod("gnm", "one equilibrium or more, by a global Newton method", FLOAT, TABLE),
    GambitMethod("ipa", "one equilibrium, by iterated polymatrix approximation", FLOAT, TABLE),
    GambitMethod("simpdiv", "one approximate equilibrium, by simplicial subdivision", EXACT, TABLE, regret_bound=True),
    GambitMethod("liap", "one approximate equilibrium or none, by a Lyapunov function", FLOAT, TABLE, regret_bound=True),
    GambitMethod("logit", "one approximate equilibrium, along quantal response equilibria", FLOAT, EITHER, regret_bound=True),
    GambitMethod("hp", "one approximate equilibrium, by a tracing homotopy", FLOAT, TABLE, regret_bound=True),
    GambitMethod("enumpure-agent", "all pure agent equilibria", EXACT, TREE, perfect_recall=False),
    GambitMethod("liap-agent", "one agent equilibrium or none", FLOAT, TREE, regret_bound=True),
)
METHODS: Mapping[str, GambitMethod] = {method.name: method for method in _LIST}
