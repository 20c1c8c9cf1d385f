"""Bots as a person names them on the command line."""

from __future__ import annotations

import re
from collections.abc import Callable

from liarsdice_cli.bots.best_response import BestResponse
from liarsdice_cli.bots.equilibrium import Equilibrium, OfFile
from liarsdice_cli.bots.protocol import Policy
from liarsdice_cli.bots.simple import Honest, Random
from liarsdice_cli.bots.user import UserBot
from liarsdice_cli.errors import UsageError

KINDS = {
    "random": "every action with the same probability",
    "honest": "bids what it holds, calls what it cannot support",
    "equilibrium": "an exact equilibrium of a small two-player game; equilibrium:FILE plays a profile file",
    "best-response:BOT": "the best answer to another bot of this list, in small two-player games",
    "package.module:Class": "your own, see docs/bots.md",
}
"""What can be named, with a line on each."""

_OWN = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*")


def policy(spec: str) -> Policy:
    """The bot of this name; UsageError for names of none, and for bots of a person's own, whose probabilities nobody knows.

    >>> policy("best-response:honest").name
    'best-response:honest'
    """
    kind, _, argument = spec.partition(":")
    if kind not in _MAKERS:
        if _OWN.fullmatch(spec):
            raise UsageError(f"{spec} gives no probabilities, which a best response needs: name one of our own bots there")
        raise UsageError(f"there is no bot {spec!r}: choose from {', '.join(KINDS)}")
    return _MAKERS[kind](spec, argument)


def bot(spec: str, seconds: float) -> Policy | UserBot:
    """The bot of this name; seconds is how long one of the person's own may take for a move."""
    if spec.partition(":")[0] not in _MAKERS and _OWN.fullmatch(spec):
        return UserBot(spec, seconds)
    return policy(spec)


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


def _best_response(spec: str, against: str) -> Policy:
    if not against:
        raise UsageError("best-response names no bot to answer: write best-response:honest")
    return BestResponse(spec, policy(against))


_MAKERS: dict[str, Callable[[str, str], Policy]] = {
    "random": _plain(Random),
    "honest": _plain(Honest),
    "equilibrium": _equilibrium,
    "best-response": _best_response,
}
