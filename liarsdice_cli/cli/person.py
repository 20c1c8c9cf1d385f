"""A person at the table: shows what there is to see, asks for a move until there is one, and keeps what was decided."""

from __future__ import annotations

import io
import re
import shutil
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from textwrap import wrap
from typing import TYPE_CHECKING

import click

from liarsdice_cli.bots.protocol import IllegalActionError, View, action_of
from liarsdice_cli.errors import printable
from liarsdice_cli.games.liarsdice.strategy import CALL

if TYPE_CHECKING:
    import numpy as np

YOU = "you"
_FACES = "⚀⚁⚂⚃⚄⚅"
_BID = re.compile(r"([0-9]{1,4})\s*[x*, ]\s*([0-9]{1,4})", re.IGNORECASE)
_NARROWEST = 20
_MANY = 60
"""Bids that are listed; of more, the first."""


class LeavesError(Exception):
    """The person has had enough: the input ended, or said so."""


@dataclass(frozen=True)
class Decision:
    """What the person did in a round, and saw before it."""

    round: int
    view: View
    action: int


@dataclass(eq=False)
class Person:
    """The person behind the protocol of a bot.

    advise : what to show before a move, or None
    """

    advise: Callable[[View], Iterable[str]] | None = None
    name: str = YOU
    round: int = 0
    decisions: list[Decision] = field(default_factory=list)

    def __post_init__(self) -> None:
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")  # bytes that are no text are no bid either

    def act(self, view: View, generator: np.random.Generator) -> int:
        """See `Bot`. Raises LeavesError at the end of the input, or where the person says so."""
        say(f"Your dice: {dice_text(view.roll, view.rules.sides)}")
        say(_choices(view))
        if self.advise is not None:
            for line in self.advise(view):
                say(f"  hint: {line}")
        while True:
            action = _understood(_asked("Your bid, or call: " if view.may_call else "Your bid: "), view)
            if action is not None:
                self.decisions.append(Decision(self.round, view, action))
                return action


def say(text: str) -> None:
    """A line for the person, folded where the terminal is narrow."""
    for line in wrap(printable(text), _width(), subsequent_indent="  ", break_on_hyphens=False) or [""]:
        click.echo(line)


def dice_text(dice: Iterable[int], sides: int) -> str:
    """Dice as they look, where the output can show it, and in digits."""
    glyphs = sides <= len(_FACES) and _shows(_FACES)
    return " ".join(f"{_FACES[die - 1]} {die} " if glyphs else f"[{die}]" for die in dice).rstrip()


def _shows(text: str) -> bool:
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _width() -> int:
    return max(_NARROWEST, shutil.get_terminal_size().columns) if sys.stdout.isatty() else 100


def _choices(view: View) -> str:
    """What may be done."""
    legal = [str(bid) for bid in view.legal]
    if len(legal) > _MANY:
        legal = [*legal[: _MANY // 2], "...", legal[-1]]
    if not view.may_call:
        return f"You open. Bids: {' '.join(legal)}"
    if not legal:
        return f"{view.last} is the highest bid: you can only call it."
    return f"You may call {view.last}, or bid {' '.join(legal)}"


def _asked(prompt: str) -> str:
    """A line from the person."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        try:
            return input(prompt).strip()
        except EOFError:
            click.echo()
            raise LeavesError from None
    click.echo(prompt, nl=False)
    line = sys.stdin.readline()
    click.echo(line.rstrip("\r\n"))  # a pipe shows nothing by itself
    if not line:
        raise LeavesError
    return line.strip()


def _understood(text: str, view: View) -> int | None:
    """The action that a person means; None, after a word on what a bid looks like, for none."""
    word = text.casefold()
    if word in ("quit", "q", "exit"):
        raise LeavesError
    highest = max(view.rules.bids, key=lambda bid: (bid.quantity, bid.face))
    example = view.legal[0] if view.legal else highest
    looks = f"a bid is quantity x face, such as {example} (at least {example.quantity} of all dice count as a {example.face})"
    if word in ("help", "h", "?"):
        say(f"{looks}. call challenges the last bid. quit, or Ctrl-D, ends the game.")
        return None
    match = _BID.fullmatch(word)
    try:
        if word in ("call", "c"):
            return action_of(view, CALL)
        if match is None:
            say(f"{text[:40]!r} is no bid: {looks}" + ("; or say call" if view.may_call else ""))
            return None
        return action_of(view, (int(match[1]), int(match[2])))
    except IllegalActionError:
        say(_refused(text, view, match is not None))
        return None


def _refused(text: str, view: View, is_bid: bool) -> str:
    if not is_bid:
        return "There is no bid to call yet: you open with a bid."
    match = _BID.fullmatch(text)
    assert match is not None, "only what looks like a bid is refused as one"
    bid = f"{int(match[1])}x{int(match[2])}"
    if bid not in map(str, view.rules.bids):
        faces = ", ".join(map(str, view.rules.faces))
        return f"{bid} is no bid here: quantities go from 1 to {view.rules.max_quantity}, faces are {faces}."
    then = f"the lowest now is {view.legal[0]}" if view.legal else "you can only call"
    return f"{bid} does not follow {view.last}: bids rise, and {then}."
