"""Gambit's methods for computing equilibria, each run in a child process that can be ended at any moment.

No method of Gambit gives way to a signal or to another thread before it returns, so a time limit and Ctrl-C can work
only from outside. The parent starts `python -m liarsdice_cli.solvers.gambit_child`, hands it the game as .efg text and reads
the profiles, one JSON line each, as they are found. pygambit is imported in the child only (0.8 s, 130 MB).

What comes back is what Gambit says, not what is true: every profile still has to be judged (`evaluate`).
"""

from __future__ import annotations

import json
import math
import os
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, TypeAlias

from liarsdice_cli.errors import Argument, LiarsDiceError, UsageError

RawProfile: TypeAlias = Mapping[int, tuple[Fraction, ...] | tuple[float, ...]]
"""Label of an information set -> probabilities of its actions, in the order of the file."""


@dataclass(frozen=True)
class GambitMethod:
    """A method of Gambit and the games that it can take.

    `arithmetic` and `forms` list what it can work in, the default first; `players` is the exact number that it needs
    (None: any). With `agent_form` it looks for profiles in which no single information set can gain (Selten 1975),
    which need not be equilibria. With `regret_bound` it takes `max_regret`.

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
    agent_form: bool = False
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
    GambitMethod("simpdiv", "one approximate equilibrium, by simplices", EXACT, TABLE, regret_bound=True),
    GambitMethod("liap", "one approximate equilibrium or none, by minimisation", FLOAT, TABLE, regret_bound=True),
    GambitMethod("logit", "one approximate equilibrium, along quantal responses", FLOAT, EITHER, regret_bound=True),
    GambitMethod("hp", "one approximate equilibrium, by a tracing homotopy", FLOAT, TABLE, regret_bound=True),
    GambitMethod("enumpure-agent", "all pure agent equilibria", EXACT, TREE, perfect_recall=False, agent_form=True),
    GambitMethod("liap-agent", "one agent equilibrium or none", FLOAT, TREE, agent_form=True, regret_bound=True),
)
METHODS: Mapping[str, GambitMethod] = {method.name: method for method in _LIST}


@dataclass(frozen=True)
class GambitRun:
    """What a method of Gambit answered.

    `finished` is False when the time limit ended it; the profiles found until then are kept. `seconds` is the wall time
    of the method alone. `note` says why Gambit gave up ("regret target not reached"), perhaps with no profile at all.
    """

    profiles: tuple[RawProfile, ...]
    finished: bool
    seconds: float
    arithmetic: str
    form: str
    note: str = ""


def run(
    efg: bytes,
    method: str,
    *,
    arithmetic: str | None = None,
    form: str | None = None,
    time_limit: float | None = None,
    stop_after: int | None = None,
    max_regret: float | None = None,
    on_profile: Callable[[RawProfile], None] | None = None,
) -> GambitRun:
    """Run one of Gambit's methods on an extensive game and return the profiles that it found.

    efg: .efg text in which every information set of a player is labelled with a decimal integer, unique in the game.
    method: a key of `METHODS`. arithmetic, form: one of the method's own; None takes its first.
    time_limit: seconds (> 0) from the start of the child, so importing pygambit (0.8 s) and reading the game count.
    stop_after: end after this many profiles (>= 1). on_profile: called with each profile as it arrives.
    max_regret: the largest accepted regret (> 0) as a share of the difference between the game's highest and lowest
    payoff, for methods with `regret_bound`.

    A set of which Gambit says nothing (0 or nan for every action) is left out of the profile; the other numbers are
    Gambit's, even where they sum to less than 1. Usually the player's own strategy avoids such a set. But lp on the
    extensive form leaves out reached ones too, where player 1 gets the game's lowest payoff whatever the action.

    Starting points: simpdiv, liap, liap-agent and hp take the centroid (hp, which refuses it where a player has several
    best responses, then takes fixed unequal weights). gnm and ipa refuse it as their perturbation and take Gambit's
    default, weight 1 on each player's first strategy.

    Raises UsageError for an unknown method or a value that it cannot take, LiarsDiceError for a game that it cannot
    take, for a crash and for a missing pygambit. KeyboardInterrupt and errors in `on_profile` end the child first.
    Cost: that of the method; 0.1 ms an information set and 0.07 ms more for each profile, on trees up to 20 moves deep.
    """
    request = _request(method, arithmetic, form, time_limit=time_limit, stop_after=stop_after, max_regret=max_regret)
    deadline = math.inf if time_limit is None else time.monotonic() + time_limit
    profiles: list[RawProfile] = []
    finished, begun, seconds, note = False, math.inf, 0.0, ""
    with closing(_Child(request, efg)) as child:
        for message in child.messages(deadline):
            match message:
                case {"profile": rows}:
                    # Fractions travel as strings, floats as JSON numbers, which keep every bit.
                    numbers = {label: [Fraction(p) if isinstance(p, str) else p for p in rows[label]] for label in rows}
                    profiles.append({int(label): tuple(row) for label, row in numbers.items()})
                    if on_profile is not None:
                        on_profile(profiles[-1])
                case {"error": text}:
                    raise _explained(method, text)
                case {"seconds": seconds, "note": note}:
                    finished = True
                case _:
                    begun = time.monotonic()
        if not finished and not child.stopped:
            raise LiarsDiceError(
                f"Gambit's {method} {child.last_words()}; try another ", Argument("method"), " or a smaller game"
            )
    seconds = seconds if finished else max(0.0, time.monotonic() - begun)
    return GambitRun(tuple(profiles), finished, seconds, request["arithmetic"], request["form"], note)


def _request(method: str, arithmetic: str | None, form: str | None, **limits: float | None) -> dict[str, Any]:
    if method not in METHODS:
        raise UsageError(f"Gambit has no method {method!r}; choose one of {', '.join(METHODS)}")
    can = METHODS[method]
    for what, choice, known in (("arithmetic", arithmetic, can.arithmetic), ("form", form, can.forms)):
        if choice is not None and choice not in known:
            raise UsageError(
                f"{method} cannot use {what} {choice!r}; choose {' or '.join(known)}, or another ", Argument("method")
            )
    for what, number in limits.items():
        if number is not None and not number > 0:
            raise UsageError(f"{what} is {number}; give a number above 0, or leave it out")
    if limits["max_regret"] is not None and not can.regret_bound:
        raise UsageError(f"{method} takes no largest regret; leave it out, or try ", Argument("method", "logit"))
    options = {"arithmetic": arithmetic or can.arithmetic[0], "form": form or can.forms[0]}
    return {"method": method, **options, **limits, "parent": os.getpid()}


# What Gambit says when it refuses a game -> what a person can do. The first that occurs counts.
_REFUSALS: tuple[tuple[str | Argument, ...], ...] = (
    ("pygambit|No module|import|DLL", "needs Gambit, but {}; do: pip install 'pygambit>=17.0.0b2,<18'"),
    ("constant-sum games", "needs a constant-sum game of two players; try ", Argument("method", "lcp")),
    ("two-player games", "needs a game of exactly two players; try ", Argument("method", "logit")),
    ("imperfect recall", "needs perfect recall, but a player of this game forgets; try ", Argument("method", "enumpure-agent")),
    (
        "best responses found",
        "needs a start with a single best response each, which is not found; try ",
        Argument("method", "logit"),
    ),
    ("bad_alloc|MemoryError", "ran out of memory; try another ", Argument("method"), " or a smaller game"),
    ("Parse error", "needs a game that Gambit can read, but: {}; mend the file"),
    ("", "failed on this game ({}); try another ", Argument("method")),
)


def _explained(method: str, text: str) -> LiarsDiceError:
    _, advice, *cure = next(row for row in _REFUSALS if re.search(str(row[0]), text))
    return LiarsDiceError(f"{method} {str(advice).format(' '.join(text.split()))}", *cure)


class _Child:
    """The process that runs the method, until it is closed."""

    def __init__(self, request: Mapping[str, Any], efg: bytes) -> None:
        import subprocess  # these two take 20 ms, which a program that only prints help should not pay
        import tempfile

        # The child is to find every module where the parent does, also in a checkout.
        places = [os.path.abspath(place) for place in sys.path] + [str(Path(__file__).resolve().parents[2])]
        self.stopped = False
        self._lines: SimpleQueue[bytes] = SimpleQueue()
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 (closed in close; unlike a pipe it never fills up)
        # A session (on Windows: a group) of its own keeps the terminal's Ctrl-C from the child: the parent decides.
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "liarsdice_cli.solvers.gambit_child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(places)},
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
        # Write and read at the same time: either pipe may fill up before the other side gets round to it.
        header = json.dumps({**request, "size": len(efg)}).encode() + b"\n"
        write = threading.Thread(target=self._write, args=(header, efg), daemon=True)
        self._threads = (write, threading.Thread(target=self._read, daemon=True))
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        for thread in self._threads:
            thread.join()
        for stream in (self._process.stdin, self._process.stdout, self._errors):
            with suppress(OSError):
                stream.close()  # type: ignore[union-attr]

    def _write(self, *parts: bytes) -> None:
        # The pipe stays open afterwards: its end tells the child that the parent is gone.
        stream: Any = self._process.stdin
        with suppress(OSError):  # the child ended first: the reader will notice
            stream.writelines(parts)
            stream.flush()

    def _read(self) -> None:
        stream: Any = self._process.stdout
        for line in stream:
            self._lines.put(line)
        self._lines.put(b"")

    def messages(self, deadline: float) -> Iterator[dict[str, Any]]:
        """Yield what the child says until it ends; at the deadline end it and yield what it had said by then."""
        while True:
            left = deadline - time.monotonic()
            if left <= 0 and not self.stopped:
                self.stopped = True
                self._process.kill()
            with suppress(Empty):  # half a second at a time: on Windows Ctrl-C cannot interrupt a wait without an end
                line = self._lines.get(timeout=0.5 if self.stopped else min(0.5, left))
                if not line.endswith(b"\n"):  # the end, or a line that the end cut short
                    return
                yield json.loads(line)

    def last_words(self) -> str:
        """How a child that never finished came to its end, in one line."""
        code = self._process.wait()
        self._errors.seek(0)
        said = self._errors.read().decode(errors="replace").strip().rpartition("\n")[2]
        end = f"ended with exit code {code}" if code >= 0 else f"was ended by {signal.Signals(-code).name}"
        return end + (", perhaps for want of memory" if "KILL" in end else "") + (f" ({said})" if said else "")
