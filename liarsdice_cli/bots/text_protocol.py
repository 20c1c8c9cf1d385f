"""The text protocol: a command that reads a prompt and answers one line, so that a language model can play.

The command is started once. Before every decision it gets a prompt in UTF-8 on standard input, which ends with an empty
line. It prints its answer, such as `2x3`, as one line on standard output.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

from liarsdice_cli.bots.protocol import IllegalActionError, View, action_of
from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.games.bidding import FINAL_ACTION_NAMES
from liarsdice_cli.games.liarsdice.bids import typed_bid
from liarsdice_cli.games.liarsdice.sentences import sentences
from liarsdice_cli.system.processes import lead_group
from liarsdice_cli.text import printable, quoted

_LONGEST = 10_000
"""The most characters of a line that is read."""

COMMAND = "command:"
"""The beginning of a specification; the command follows."""
UNREADABLE = "gave an unreadable answer"
ILLEGAL = "gave an illegal answer"
_SHOWN = 3
"""The most refused answers that are printed."""
_DECORATION = re.compile(r"^[\s\"'`*_.]+|[\s\"'`*_.!]+$")
"""The decoration that models put around an answer."""


def prompt(view: View) -> str:
    """Return the prompt for a decision: the rules, what the player sees, and the legal answers; it has no empty line.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> print("\\n".join(prompt(View(rules("common", 3), (3,), (1,))).splitlines()[-6:]))
    You are player 2 of 2, and it is your turn.
    Dice of each player: 1, 1
    Your own dice: 3
    Bids so far: player 1 bids 1x2
    Legal answers: call, 1x3, 2x1, 2x2, 2x3
    Answer with one of them on one line, and with nothing else.
    """
    return "\n".join(_prompt(view))


def _prompt(view: View) -> Iterator[str]:
    rules = view.rules
    yield "You play one round of Liar's Dice."
    yield from sentences(rules)
    yield f"You are player {view.player + 1} of {rules.players}, and it is your turn."
    yield f"Dice of each player: {', '.join(map(str, rules.dice))}"
    yield f"Your own dice: {' '.join(map(str, view.roll))}"
    bids = [f"player {place % rules.players + 1} bids {bid}" for place, bid in enumerate(view.bids)]
    yield f"Bids so far: {', '.join(bids) or 'none'}"
    yield f"Legal answers: {', '.join(view.state.action_names)}"
    yield "Answer with one of them on one line, and with nothing else."


def read_answer(view: View, line: str) -> int:
    """Return the action in a line: a bid as a person types it, call or spot-on, in any case, in quotes or with a full stop.

    Raises IllegalActionError, with `UNREADABLE` or `ILLEGAL` alone as its message, so that errors can be counted.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> view = View(rules("common", 6), (3,), (2,))
    >>> read_answer(view, '"Call."'), read_answer(view, " 1 x 4\\n")
    (-1, 3)
    """
    said = _DECORATION.sub("", line).lower().replace(" ", "-")
    bid = typed_bid(_DECORATION.sub("", line))
    if bid is None and said not in FINAL_ACTION_NAMES:
        raise IllegalActionError(UNREADABLE)
    try:
        return action_of(view, said if bid is None else bid)
    except IllegalActionError:
        raise IllegalActionError(ILLEGAL) from None


class TextPlayer:
    """A player behind a command; it runs in the process of `user.UserBot`, which has the time limit.

    command : with its arguments, as in a shell, but without one. It ends with this object, or when its standard input does
    """

    def __init__(self, command: str) -> None:
        self._name, self._complaints = f"{COMMAND}{command}", 0
        lead_group()
        try:
            words = shlex.split(command)
            if not words:
                raise ValueError("it names no program")
            pipe: Any = subprocess.PIPE
            self._process = subprocess.Popen(words, stdin=pipe, stdout=pipe, encoding="utf-8", errors="replace")
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise LiarsDiceError(f"cannot be started: {reason}; write command: and a program with its arguments") from error

    def act(self, view: View, generator: object = None) -> int:
        """Return the answer's action; EOFError if the command has ended, or writes a line that is too long."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.write(f"{prompt(view)}\n\n")
        stdin.flush()
        line = stdout.readline(_LONGEST)
        if not line or (len(line) == _LONGEST and not line.endswith("\n")):
            raise EOFError
        try:
            return read_answer(view, line)
        except IllegalActionError as error:
            self._complaints += 1
            if self._complaints <= _SHOWN:
                print(
                    f"liarsdice: {printable(self._name, 80)} {error}: {quoted(line.strip(), 80)}", file=sys.stderr, flush=True
                )
            raise
