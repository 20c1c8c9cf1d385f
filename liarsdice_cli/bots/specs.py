"""Bots by the names that the command line takes."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from math import inf
from typing import NamedTuple

from liarsdice_cli.bots import table
from liarsdice_cli.bots.best_response import BestResponseBot
from liarsdice_cli.bots.characters import Bluffer, Copier, Moody, Trusting
from liarsdice_cli.bots.equilibrium import Equilibrium, OfFile
from liarsdice_cli.bots.forms import given
from liarsdice_cli.bots.protocol import Policy
from liarsdice_cli.bots.resolving import SECONDS, Resolving
from liarsdice_cli.bots.rollouts import Rollouts
from liarsdice_cli.bots.simple import Honest, Random
from liarsdice_cli.bots.statistical import RobustBot, ZeroIntelligenceBot
from liarsdice_cli.bots.text_protocol import COMMAND
from liarsdice_cli.bots.user import UserBot, user_policy
from liarsdice_cli.bots.zero_intelligence.payoff import LEVEL, as_level
from liarsdice_cli.errors import LiarsDiceError, UsageError, check_type
from liarsdice_cli.formats import registry
from liarsdice_cli.formats.numbers import decoded
from liarsdice_cli.games.liarsdice.tail_probabilities import binomial, normal
from liarsdice_cli.text import decimal, quoted

NORMAL, ROBUST, ROBUST_MIXTURE, ZERO_INTELLIGENCE = "normal", "robust", "robust-mixture", "zero-intelligence"
_MOST_COLONS = 20
"""The most colons in the name of a bot that replies to others."""
_OWN = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*(:.+)?")


def policy(spec: str) -> Policy:
    """Return the bot of this name; UsageError for an unknown name, and for a user's bot, whose probabilities are unknown.

    >>> from liarsdice_cli import policy
    >>> policy("best-response:honest").name
    'best-response:honest'
    """
    check_type("spec", spec, str, "give the name of a bot as text, such as 'honest'")
    kind, _, argument = spec.partition(":")
    if kind not in _BY_NAME:
        if _is_own(spec):
            raise UsageError(f"{spec} gives no probabilities, which a best response needs: name a bot that does")
        if registry.holds(spec, registry.STRATEGY) or registry.holds(spec, registry.PROFILE):
            raise UsageError(f"there is no bot {quoted(spec)}: for the strategy in a file, write equilibrium:{spec}")
        raise UsageError(f"there is no bot {quoted(spec)}: choose from {', '.join(SUMMARIES)}")
    return _BY_NAME[kind].make(spec, argument)


def policy_of(what: object) -> Policy:
    """Return the bot of a name, a user's policy (see `user.user_policy`), or the policy of an object (see `forms.given`).

    >>> policy_of("honest").name, policy_of(lambda history, rolls: []).name
    ('honest', '<lambda>')
    """
    if not isinstance(what, str):
        return given(what)
    return user_policy(what) if _is_own(what) and not what.startswith(COMMAND) else policy(what)


def bot(spec: str, seconds: float) -> Policy | UserBot:
    """Return the bot of this name; `seconds` is the time limit of a user's bot for a move."""
    return UserBot(spec, seconds) if _is_own(spec) else policy(spec)


def _is_own(spec: str) -> bool:
    return spec.startswith(COMMAND) or (spec.partition(":")[0] not in _BY_NAME and _OWN.fullmatch(spec) is not None)


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


def _resolving(spec: str, seconds: str) -> Policy:
    try:
        limit = decimal(seconds) if ":" in spec else SECONDS
    except ValueError:
        limit = 0.0
    if not 0 < limit < inf:
        raise UsageError(f"{spec}: write the time limit for a decision in seconds, such as resolving:0.5")
    return Resolving(spec, limit)


def _opponent(spec: str, against: str) -> Policy:
    """Return the bot that another one replies to; UsageError for one within many others."""
    if spec.count(":") > _MOST_COLONS:
        raise UsageError(f"{quoted(spec, 40)} names a bot within a bot within a bot ...: name one opponent, such as honest")
    return policy(against)


def _rollout(spec: str, against: str) -> Policy:
    if ":" in spec and not against:
        raise UsageError("rollout: names no bot to reply to: write rollout, or rollout:honest")
    return Rollouts(spec, _opponent(spec, against) if against else None)


def _best_response(spec: str, against: str) -> Policy:
    if not against:
        raise UsageError("best-response names no bot to respond to: write best-response:honest")
    return BestResponseBot(spec, _opponent(spec, against))


class BotKind(NamedTuple):
    """A kind of bot.

    written : its name; a specification is of this kind if it is the same up to the first colon
    summary : a line of help
    make    : returns the bot of a specification and of the text after its first colon
    """

    written: str
    summary: str
    make: Callable[[str, str], Policy]


KINDS = (
    BotKind("random", "every action with the same probability", _plain(Random)),
    BotKind("honest", "bids what its own dice make true, calls bids above its expectation", _plain(Honest)),
    BotKind(
        "equilibrium",
        "equilibrium of a small game: exact for two players, approximate for more; equilibrium:FILE plays from a file",
        _equilibrium,
    ),
    BotKind(
        ZERO_INTELLIGENCE,
        "statistical; zero-intelligence:0.3 calls below the level 0.3, :0.1@1,0.5@3 draws the level in each round",
        _zero_intelligence,
    ),
    BotKind(
        f"{ZERO_INTELLIGENCE}:{ROBUST}",
        "statistical, with the level that has the best worst case; :robust-mixture draws the level in each round",
        _zero_intelligence,
    ),
    BotKind(
        "rollout",
        "a best response to its beliefs about the others, by playing out the round; rollout:honest assumes honest players",
        _rollout,
    ),
    BotKind(
        "resolving",
        "assumes rational players: solves the game, or a subgame at each decision; resolving:0.2 takes 0.2 seconds, not 1",
        _resolving,
    ),
    BotKind("bluffer", "honest, but a third of its bids are bluffs", _plain(Bluffer)),
    BotKind("copier", "stays on the last face as long as it can", _plain(Copier)),
    BotKind("moody", "calls more often the more bids there are, whatever its dice", _plain(Moody)),
    BotKind("trusting", "believes the last three bids", _plain(Trusting)),
    BotKind("table:FILE", "probabilities in a NumPy file (.npz)", _table),
    BotKind("best-response:BOT", "a best response to another bot of this list, in small two-player games", _best_response),
)
"""All built-in bots, each in one row."""

SUMMARIES = {kind.written: kind.summary for kind in KINDS} | {
    "package.module:Class": "your own: a class with a method act(view, generator) or distribution(view)",
    f"{COMMAND}COMMAND": "a program that reads prompts and answers one line each, such as a language model's",
}
"""All bots that can be named, with a line of help on each."""

_BY_NAME = {kind.written.partition(":")[0]: kind for kind in KINDS}
