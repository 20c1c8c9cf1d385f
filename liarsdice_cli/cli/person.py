"""A person at the table: show the view, prompt until the person types a legal move, and keep the decisions."""

from __future__ import annotations

import io
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout
from dataclasses import dataclass, field
from textwrap import wrap
from typing import TYPE_CHECKING

import click

from liarsdice_cli.bots.protocol import IllegalActionError, View, action_of
from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.games.bidding import CALL, SPOT_ON
from liarsdice_cli.games.liarsdice.bids import typed_bid
from liarsdice_cli.report.play import YOU, Decision, bid_format, choices, dice_text, refusal
from liarsdice_cli.system.terminals import typed_ahead
from liarsdice_cli.text import DIE_FACES, printable

if TYPE_CHECKING:
    import numpy as np

QUIT, HELP, UNDO = ("quit", "q", "exit"), ("help", "h", "?"), ("undo", "u")
ENDED = {CALL: ("call", "c"), SPOT_ON: ("spot-on", "spot on", "spot", "exact", "s")}
"""The words for the actions that end a round, in any case."""
YES, NO = ("yes", "y", *ENDED[SPOT_ON]), ("", "no", "n")
"""Answers to the question for a claim out of turn; Enter alone is a no."""
_NARROWEST = 20
_LONGEST = 10_000
"""The most characters of a line."""
_KEPT = "\0"
"""A blank at which no line is folded."""


class LeavesError(Exception):
    """The person quits: the input ended, or a word of `QUIT` was typed."""


class TakesBackError(Exception):
    """The person takes back the last decision; `history` has the bids before it."""

    def __init__(self, history: tuple[int, ...]) -> None:
        self.history = history


@dataclass(eq=False)
class Person:
    """The person behind the protocol of a bot.

    advise    : returns the lines to show before a move, or None
    round     : the number of the round that is played
    decisions : all decisions of the person
    """

    name = YOU
    advise: Callable[[View], Iterable[str]] | None = None
    round: int = 0
    decisions: list[Decision] = field(default_factory=list)

    def __post_init__(self) -> None:
        take_any_text()

    def act(self, view: View, generator: np.random.Generator) -> int:
        """Return the action that the person types. Raises LeavesError if the person quits, TakesBackError after an undo."""
        say(f"Your dice: {dice_text(view.roll, view.rules.sides, glyphs())}", bold=True)
        say(choices(view))
        self._hint(view)
        while True:
            text = asked(_prompt(view))
            if text.casefold() in UNDO:
                self._take_back()
                continue
            action = _understood(text, view)
            if action is not None:
                self.decisions.append(Decision(self.round, view, action))
                return action

    def claims(self, view: View) -> bool:
        """Ask whether the person claims spot-on out of turn. Raises as `act`."""
        self._hint(view)
        prompt = f"Your dice: {dice_text(view.roll, view.rules.sides, glyphs())}. Spot-on? (Enter for no): "
        while (word := asked(prompt).casefold()) not in (*YES, *NO):
            if word in QUIT:
                raise LeavesError
            if word in UNDO:
                self._take_back()
            else:
                say(f"Type spot-on to claim that {view.last} is exact, or just press Enter. undo takes your last bid back.")
        return word in YES

    def _hint(self, view: View) -> None:
        if self.advise is not None:
            for line in self.advise(view):
                say(f"  hint: {line}", fg="cyan")

    def _take_back(self) -> None:
        """Raise TakesBackError for the last decision, if it is in this round: the dice of earlier rounds have been shown."""
        if not self.decisions or self.decisions[-1].round != self.round:
            say("You have no move in this round to take back.")
            return
        before = self.decisions.pop()
        say("Your last bid is taken back.")
        raise TakesBackError(before.view.history)


@contextmanager
def talking(aside: bool, quiet: bool = False) -> Iterator[None]:
    """Print the conversation inside the block on standard output or, with `aside`, on standard error.

    aside : whether standard output is for something else
    quiet : with `aside`, print nothing
    """
    if not aside:
        yield
        return
    with ExitStack() as closing:
        out = closing.enter_context(open(os.devnull, "w", encoding="utf-8")) if quiet else sys.stderr
        with redirect_stdout(out):
            yield


def take_any_text() -> None:
    """Accept bytes on standard input that are not text: they are not a bid, and no error either."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")


def say(text: str, fg: str | None = None, bold: bool | None = None) -> None:
    """Print a line for the person, folded if the terminal is narrow; in colour if the terminal shows it."""
    styled = (fg or bold) and _coloured()
    whole = printable(text).replace(" %", _KEPT + "%")  # no line begins with the sign
    for line in wrap(whole, _width(), subsequent_indent="  ", break_on_hyphens=False) or [""]:
        shown = line.replace(_KEPT, " ")
        click.echo(click.style(shown, fg=fg, bold=bold) if styled else shown)


def _coloured() -> bool:
    """Return whether the output is a terminal that shows colours, and the user has not disabled them (no-color.org)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def glyphs() -> bool:
    """Return whether the output can show the signs for die faces."""
    try:
        DIE_FACES.encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _width() -> int:
    return max(_NARROWEST, shutil.get_terminal_size().columns) if sys.stdout.isatty() else 100


def asked(prompt: str) -> str:
    """Prompt for a line and return it; raises LeavesError at the end of the input."""
    prompt = printable(prompt)
    if sys.stdin.isatty() and sys.stdout.isatty():
        begun, whole = typed_ahead()
        if whole:
            click.echo(prompt + printable(begun))
            return begun.strip()
        try:
            return (begun + input(prompt + printable(begun))).strip()
        except EOFError:
            click.echo()
            raise LeavesError from None
    click.echo(prompt, nl=False)
    line = typed()
    if not sys.stdin.isatty():
        click.echo(printable(line.rstrip("\r\n")))  # a pipe does not echo the line
    if not line:
        raise LeavesError
    return line.strip()


def typed() -> str:
    """Return the next line of standard input, "" at its end; LiarsDiceError if it is too long, as on an endless device."""
    begun, whole = typed_ahead()
    line = f"{begun}\n" if whole else begun + sys.stdin.readline(_LONGEST + 1)
    if len(line) > _LONGEST:
        raise LiarsDiceError(f"a line of standard input has more than {_LONGEST:,} characters: type one bid on each line")
    return line


def _prompt(view: View) -> str:
    if view.may_say_spot_on:
        return "Your bid, call or spot-on: "
    return "Your bid, or call: " if view.may_call else "Your bid: "


def ending_of(word: str) -> int | None:
    """Return the action that ends a round and has this word; None for any other word.

    >>> ending_of("c"), ending_of("exact"), ending_of("2x3")
    (-1, -2, None)
    """
    return next((ending for ending, words in ENDED.items() if word in words), None)


def _understood(text: str, view: View) -> int | None:
    """Return the action that a text names; if it names no legal one, print help and return None."""
    word = text.casefold()
    if word in QUIT:
        raise LeavesError
    if word in HELP:
        spot_on = " spot-on claims that the bid is exact." * view.rules.spot_on
        ends = f"call challenges the last bid.{spot_on} undo takes your last bid back. quit, or Ctrl-D, ends the game."
        say(f"{bid_format(view)}. {ends}")
        return None
    ending, bid = ending_of(word), typed_bid(word)
    if bid is None and ending is None:
        say(f"{text[:40]!r} is not a bid: {bid_format(view)}" + ("; or say call" if view.may_call else ""))
        return None
    try:
        return action_of(view, ending if bid is None else bid)
    except IllegalActionError:
        say(refusal(view, ending if bid is None else str(bid)))
        return None
