"""Bots as a person names them on the command line."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from math import inf
from typing import NamedTuple

from liarsdice_cli.bots import table
from liarsdice_cli.bots.best_response import BestResponseBot
from liarsdice_cli.bots.equilibrium import Equilibrium, OfFile
from liarsdice_cli.bots.protocol import Policy
from liarsdice_cli.bots.resolving import SECONDS, Resolving
from liarsdice_cli.bots.simple import Honest, Random
from liarsdice_cli.bots.statistical import RobustBot, ZeroIntelligenceBot
from liarsdice_cli.bots.user import UserBot
from liarsdice_cli.bots.user import asked as asked_of_own
from liarsdice_cli.bots.zero_intelligence.payoff import LEVEL, as_level
from liarsdice_cli.errors import LiarsDiceError, UsageError, check_type
from liarsdice_cli.formats.numbers import decoded
from liarsdice_cli.games.liarsdice.tail_probabilities import binomial, normal
from liarsdice_cli.text import decimal, quoted

NORMAL, ROBUST, ROBUST_MIXTURE, ZERO_INTELLIGENCE = "normal", "robust", "robust-mixture", "zero-intelligence"
_RESOLVING = re.compile(r"resolving(?::([^:]+?))??(:rational)?")
_OWN = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*(:.+)?")


def policy(spec: str) -> Policy:
    """The bot of this name; UsageError for names of none, and for bots of a person's own, whose probabilities nobody knows.

    >>> policy("best-response:honest").name
    'best-response:honest'
    """
    check_type("spec", spec, str, "give the name of a bot as text, such as 'honest'")
    kind, _, argument = spec.partition(":")
    if kind not in _BY_NAME:
        if _is_own(spec):
            raise UsageError(f"{spec} gives no probabilities, which a best response needs: name one of our own bots there")
        raise UsageError(f"there is no bot {quoted(spec)}: choose from {', '.join(SUMMARIES)}")
    return _BY_NAME[kind].make(spec, argument)


def asked(spec: str) -> Policy:
    """The bot of this name; one of a person's own if it gives probabilities (see `user.asked`)."""
    return asked_of_own(spec) if _is_own(spec) else policy(spec)


def bot(spec: str, seconds: float) -> Policy | UserBot:
    """The bot of this name; seconds is how long one of the person's own may take for a move."""
    return UserBot(spec, seconds) if _is_own(spec) else policy(spec)


def _is_own(spec: str) -> bool:
    return spec.partition(":")[0] not in _BY_NAME and _OWN.fullmatch(spec) is not None


def _plain(make: Callable[[], Policy]) -> Callable[[str, str], Policy]:
    def made(spec: str, argument: str) -> Policy:
        if ":" in spec:
            kind = spec.partition(":")[0]
            raise UsageError(f"{kind} takes nothing after a colon: write {kind}")
        return make()

    return made


def _equilibrium(spec: str, file: str) -> Policy:
    if ":" not in spec:
        return Equilibrium()
    if not file:
        raise UsageError("equilibrium: names no file: write equilibrium, or equilibrium:FILE")
    return OfFile(spec, file)


def _table(spec: str, file: str) -> Policy:
    if not file:
        raise UsageError("table names no file: write table:policy.npz")
    return table.read(spec, file)


def _zero_intelligence(spec: str, levels: str) -> Policy:
    tails = binomial
    if levels.partition(":")[0] == NORMAL:
        tails, levels = normal, levels.partition(":")[2]
    if levels in (ROBUST, ROBUST_MIXTURE):
        return RobustBot(spec, levels == ROBUST_MIXTURE, tails)
    if spec.rpartition(":")[2] in (ZERO_INTELLIGENCE, NORMAL):
        return ZeroIntelligenceBot(spec, {LEVEL: 1.0}, tails)
    try:
        pairs = [level.partition("@") for level in levels.split(",")]
        weights = {as_level(decoded(level)): Fraction(decoded(weight)) if at else Fraction(1) for level, at, weight in pairs}
    except LiarsDiceError as error:
        raise UsageError(
            f"{spec}: ", *error.parts, "; write zero-intelligence:0.3, or levels with weights, such as 0.1@1,0.5@3"
        ) from error
    if len(weights) < len(pairs) or min(weights.values()) <= 0:
        raise UsageError(f"{spec}: give different levels, each with a weight above 0, such as 0.1@1,0.5@3")
    total = sum(weights.values())
    return ZeroIntelligenceBot(spec, {level: float(weight / total) for level, weight in weights.items()}, tails)


def _resolving(spec: str, argument: str) -> Policy:
    asked = _RESOLVING.fullmatch(spec)
    try:
        seconds = decimal(asked[1]) if asked and asked[1] else SECONDS
    except ValueError:
        seconds = 0.0
    if asked is None or not 0 < seconds < inf:
        raise UsageError(
            f"{spec}: write how many seconds a decision may take, such as resolving:0.5, and resolving:0.5:rational where the "
            "others are to be taken for rational"
        )
    return Resolving(spec, seconds, rational=1.0) if asked[2] else Resolving(spec, seconds)


def _best_response(spec: str, against: str) -> Policy:
    if not against:
        raise UsageError("best-response names no bot to answer: write best-response:honest")
    return BestResponseBot(spec, policy(against))


class Kind(NamedTuple):
    """A kind of bot.

    written : how it is named; a specification is of the kind if it is the same up to the first colon
    summary : a line on it
    make    : the bot of a specification, given whole, and of what follows its first colon
    """

    written: str
    summary: str
    make: Callable[[str, str], Policy]


KINDS = (
    Kind("random", "every action with the same probability", _plain(Random)),
    Kind("honest", "bids what it holds, calls what it cannot support", _plain(Honest)),
    Kind(
        "equilibrium",
        "of a small game: exact for two, an epsilon-equilibrium for more; equilibrium:FILE plays a profile or strategy file",
        _equilibrium,
    ),
    Kind(
        ZERO_INTELLIGENCE,
        "by statistics; zero-intelligence:0.3 calls below the level 0.3, :0.1@1,0.5@3 draws it each round",
        _zero_intelligence,
    ),
    Kind(
        f"{ZERO_INTELLIGENCE}:{ROBUST}",
        "at the level that theory finds best in the worst case; :robust-mixture draws it each round",
        _zero_intelligence,
    ),
    Kind(
        "resolving",
        "solves the rest of the round at every decision; resolving:0.2 in 0.2 seconds, not 1; :rational for rational others",
        _resolving,
    ),
    Kind("table:FILE", "probabilities in a NumPy file (.npz), see docs/judge.md", _table),
    Kind("best-response:BOT", "the best answer to another bot of this list, in small two-player games", _best_response),
)
"""All bots but a person's own, each in one row."""

SUMMARIES = {**{kind.written: kind.summary for kind in KINDS}, "package.module:Class": "your own, see docs/bots.md"}
"""What can be named, with a line on each."""

_BY_NAME = {kind.written.partition(":")[0]: kind for kind in KINDS}
