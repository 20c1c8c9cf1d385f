"""A person at the table: shows what there is to see, asks for a move until there is one, and keeps what was decided."""

from __future__ import annotations

import io
import shutil
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from textwrap import wrap
from typing import TYPE_CHECKING

import click

from liarsdice_cli.bots.protocol import IllegalActionError, View, action_of
from liarsdice_cli.errors import printable
from liarsdice_cli.games.liarsdice.rules import typed_bid
from liarsdice_cli.games.liarsdice.strategy import CALL
from liarsdice_cli.report.play import FACES, YOU, Decision, bid_format, choices, dice_text, refusal

if TYPE_CHECKING:
    import numpy as np

_NARROWEST = 20


class LeavesError(Exception):
    """The person has had enough: the input ended, or said so."""


@dataclass(eq=False)
class Person:
    """The person behind the protocol of a bot.

    advise    : what to show before a move, or None
    round     : the number of the round that is played
    decisions : all that the person did
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
        say(f"Your dice: {dice_text(view.roll, view.rules.sides, glyphs())}")
        say(choices(view))
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


def glyphs() -> bool:
    """Whether the output can show dice as they look."""
    try:
        FACES.encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _width() -> int:
    return max(_NARROWEST, shutil.get_terminal_size().columns) if sys.stdout.isatty() else 100


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
    """The action that a person means; None, after a word on what may be done, for none."""
    word = text.casefold()
    if word in ("quit", "q", "exit"):
        raise LeavesError
    if word in ("help", "h", "?"):
        say(f"{bid_format(view)}. call challenges the last bid. quit, or Ctrl-D, ends the game.")
        return None
    called, bid = word in ("call", "c"), typed_bid(word)
    if bid is None and not called:
        say(f"{text[:40]!r} is no bid: {bid_format(view)}" + ("; or say call" if view.may_call else ""))
        return None
    try:
        return action_of(view, CALL if bid is None else bid)
    except IllegalActionError:
        say(refusal(view, None if bid is None else str(bid)))
        return None
