"""Runs Gambit's methods for computing equilibria, each in a child process that can be ended at any moment.

Gambit's methods ignore signals and block all threads until they return, so a time limit and Ctrl-C only work from outside. The
parent starts a child (`gambit_child.work`), sends it the game as .efg text, and receives each profile as soon as Gambit finds
it. Only the child imports pygambit (0.8 s, 130 MB).

The profiles are Gambit's claims: every one still has to be judged (`extensive.evaluate`).
"""

from __future__ import annotations

import math
import os
import re
import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from liarsdice_cli.errors import Argument, LiarsDiceError, UsageError
from liarsdice_cli.progress import SILENT, Progress
from liarsdice_cli.solvers.gambit_child import Message, RawProfile, work
from liarsdice_cli.solvers.gambit_methods import METHODS
from liarsdice_cli.solvers.regret.convergence import Limits
from liarsdice_cli.solvers.request import Request

if TYPE_CHECKING:
    from liarsdice_cli.system.processes import Child


@dataclass(frozen=True)
class GambitRun:
    """The result of a run of one of Gambit's methods.

    profiles   : profiles found, also those found before the time limit
    finished   : False if the time limit ended the run
    seconds    : wall time of the method alone
    arithmetic : arithmetic used
    form       : game form used
    note       : why Gambit gave up, such as "regret target not reached"; there may then be no profile
    """

    profiles: tuple[RawProfile, ...]
    finished: bool
    seconds: float
    arithmetic: str
    form: str
    note: str = ""


def run(efg: bytes, request: Request, progress: Progress = SILENT) -> GambitRun:
    """Run one of Gambit's methods on an extensive game and return the profiles that it found.

    efg      : .efg text; the label of every player's information set is a decimal integer, unique in the game
    request  : the method, a key of `METHODS`, with its arithmetic and form, by default the first that the method has;
               `max_profiles`; `target`, for methods with `regret_bound`; and `time_limit`, counted from the start of the child,
               which includes the import of pygambit (0.8 s) and reading the game
    progress : counts the profiles as they arrive

    A profile lacks the information sets for which Gambit returns 0 or NaN for every action. Usually the player's own strategy
    avoids such a set. But lp on the extensive form also omits reached sets, if player 1 gets the game's lowest payoff with
    every action. All other numbers are Gambit's, even if they sum to less than 1.

    Starting points: simpdiv, liap, liap-agent and hp take the centroid. hp refuses it if a player has several best responses;
    it then takes fixed unequal weights. gnm and ipa refuse the centroid as their perturbation and take Gambit's default,
    weight 1 on each player's first strategy.

    Raises UsageError for an unknown method or an unsuitable value; LiarsDiceError for an unsuitable game, a crash, or a missing
    pygambit. KeyboardInterrupt and errors in `progress` end the child first. Cost: that of the method, 0.1 ms for each
    information set, and 0.07 ms more for each profile, in trees up to 20 moves deep.
    """
    method, order = request.method, _order(request)
    deadline = math.inf if request.time_limit is None else time.monotonic() + request.time_limit
    profiles: list[RawProfile] = []
    finished, begun, seconds, note = False, math.inf, 0.0, ""
    with closing(GambitProcess(order, efg)) as process:
        for message in process.messages(deadline):
            match message:
                case "profile", profile:
                    profiles.append(profile)
                    progress.advance()
                case "error", text:
                    raise _explained(method, text)
                case "finished", (seconds, note):
                    finished = True
                case _:
                    begun = time.monotonic()
        if not finished and not process.stopped:
            raise LiarsDiceError(
                f"Gambit's {method} {process.last_words()}; try another ", Argument("method"), " or a smaller game"
            )
    seconds = seconds if finished else max(0.0, time.monotonic() - begun)
    return GambitRun(tuple(profiles), finished, seconds, order["arithmetic"], order["form"], note)


def _order(request: Request) -> dict[str, Any]:
    """Return the request for `gambit_child.work`; raise UsageError for values that the method does not accept."""
    method = request.method
    if method not in METHODS:
        raise UsageError(f"Gambit has no method {method!r}; choose one of {', '.join(METHODS)}")
    accepted = METHODS[method]
    for name, choice, known in (
        ("arithmetic", request.arithmetic, accepted.arithmetic),
        ("form", request.form, accepted.forms),
    ):
        if choice is not None and choice not in known:
            raise UsageError(
                f"{method} cannot use {name} {choice!r}; choose {' or '.join(known)}, or another ", Argument("method")
            )
    Limits(request.target)  # raises UsageError for a number that is no target
    if request.target is not None and not accepted.regret_bound:
        raise UsageError(f"{method} takes no ", Argument("target"), "; leave it out, or try ", Argument("method", "logit"))
    return {
        "method": method,
        "arithmetic": request.arithmetic or accepted.arithmetic[0],
        "form": request.form or accepted.forms[0],
        "time_limit": request.time_limit,
        "max_profiles": request.max_profiles,
        "target": request.target,
        "parent": os.getpid(),
    }


# Patterns of Gambit's error messages, and the advice for each. The first that matches applies.
_REFUSALS: tuple[tuple[str | Argument, ...], ...] = (
    ("pygambit|No module|import|DLL", "needs Gambit, but {}; run: pip install 'pygambit>=17.0.0b2,<18'"),
    ("constant-sum games", "needs a constant-sum game of two players; try ", Argument("method", "lcp")),
    ("two-player games", "needs a game of exactly two players; try ", Argument("method", "auto")),
    ("imperfect recall", "needs perfect recall, but a player of this game forgets; try ", Argument("method", "enumpure-agent")),
    (
        "best responses found",
        "needs a start with a single best response for each player, but found none; try ",
        Argument("method", "logit"),
    ),
    ("bad_alloc|MemoryError", "ran out of memory; try another ", Argument("method"), " or a smaller game"),
    ("Parse error", "needs a game that Gambit can read, but: {}; correct the file"),
    ("", "failed on this game ({}); try another ", Argument("method")),
)


def _explained(method: str, text: str) -> LiarsDiceError:
    _, advice, *cure = next(row for row in _REFUSALS if re.search(str(row[0]), text))
    return LiarsDiceError(f"{method} {str(advice).format(' '.join(text.split()))}", *cure)


class GambitProcess:
    """The child process that runs a method, until it is closed.

    stopped : whether the deadline ended it
    """

    def __init__(self, request: Mapping[str, Any], efg: bytes) -> None:
        from liarsdice_cli.system.processes import Child, LastWords  # loads multiprocessing: 20 ms that --help can do without

        self.stopped = False
        self._errors = LastWords()
        self.child: Child = Child(work, request, complaints=self._errors, main=False)
        with suppress(OSError):  # the child has ended: `messages` finds out
            self.child.connection.send_bytes(efg)

    def close(self) -> None:
        """End the process."""
        self.child.close()

    def messages(self, deadline: float) -> Iterator[Message]:
        """Yield the child's messages until it ends. At the deadline, end it and yield the messages that it had sent by then."""
        connection = self.child.connection
        while True:
            left = deadline - time.monotonic()
            if left <= 0 and not self.stopped:
                self.stopped = True
                self.child.kill()
            try:
                # Half a second at a time: on Windows, Ctrl-C cannot interrupt an endless wait.
                if connection.poll(0.5 if self.stopped else min(0.5, left)):
                    yield connection.recv()
            except (EOFError, OSError):  # the end, or a message that the end cut short
                return

    def last_words(self) -> str:
        """Return in one line how a child ended that never finished."""
        code = self.child.wait()
        last = self._errors.text.strip().rpartition("\n")[2]
        end = f"ended with exit code {code}" if code >= 0 else f"was ended by {signal.Signals(-code).name}"
        return end + (", perhaps for lack of memory" if "KILL" in end else "") + (f" ({last})" if last else "")
