"""A progress bar on standard error for work that takes longer than a moment."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress

    from liarsdice_cli.solvers.convergence import Moment

_MOMENT = 0.7  # seconds without a bar


@contextmanager
def progress(what: str, total: int, quiet: bool) -> Iterator[Callable[[int], None]]:
    """Yields the function to call with every amount done; shows nothing where standard error is no terminal."""
    if quiet or not sys.stderr.isatty():
        yield lambda amount: None
        return
    bar = _Bar(what, total)
    try:
        yield bar.advance
    finally:
        bar.stop()


@contextmanager
def telling(what: str, quiet: bool) -> Iterator[Callable[[str], None]]:
    """Shows on a terminal that something goes on, and how long already; yields the function to call with what is new."""
    if quiet or not sys.stderr.isatty():
        yield lambda news: None
        return
    spinner = _Spinner(what)
    try:
        yield spinner.say
    finally:
        spinner.stop()


@contextmanager
def waiting(what: str, quiet: bool) -> Iterator[Callable[[int], None]]:
    """Shows on a terminal that something without a known end goes on, how long already, and how much it has found.

    Yields the function to call with the number of profiles found so far.
    """
    with telling(what, quiet) as tell:
        yield lambda found: tell(f"{found} profile(s) found")


@contextmanager
def converging(what: str, target: float | None, quiet: bool) -> Iterator[Callable[[Moment], None]]:
    """Shows on a terminal how bounds close in; yields the function to call with every new `Moment`."""
    if quiet or not sys.stderr.isatty():
        yield lambda moment: None
        return
    from liarsdice_cli.solvers.convergence import estimate

    spinner = _Spinner(what)
    moments: list[Moment] = []

    def show(moment: Moment) -> None:
        moments.append(moment)
        low, high = moment.proved.lower, moment.proved.upper
        text = f"iteration {moment.iteration:,}, value from {low:.6f} to {high:.6f}"
        text += f", exploitability {moment.bounds.exploitability:.2e}"
        left = None if target is None else estimate(moments, target)
        if target is not None:
            text += f" of {target:g}" + ("" if left is None else f", about {_duration(left)} left")
        spinner.say(text)

    try:
        yield show
    finally:
        spinner.stop()


def _duration(seconds: float) -> str:
    """Rounded to what a person can use."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


class _Spinner:
    """Waits a moment, in a thread of its own, before it imports rich and draws."""

    def __init__(self, what: str) -> None:
        from threading import Lock, Timer

        self.what, self.news = what, ""
        self._bar: Progress | None = None
        self._lock, self._stopped = Lock(), False
        self._timer = Timer(_MOMENT, self._start)
        self._timer.daemon = True
        self._timer.start()

    def say(self, news: str) -> None:
        """Show this beside what goes on."""
        self.news = news
        if self._bar:
            self._bar.update(self._bar.task_ids[0], description=self._text())

    def stop(self) -> None:
        """Take everything away again."""
        self._timer.cancel()
        with self._lock:
            self._stopped = True
            if self._bar:
                self._bar.stop()

    def _start(self) -> None:
        from rich.console import Console
        from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        with self._lock:
            if self._stopped:
                return
            columns = SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
            self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self._bar.add_task(self._text(), total=None)
            self._bar.start()

    def _text(self) -> str:
        news = f", {self.news}" if self.news else ""
        return f"{self.what}{news}; Ctrl-C ends it"


class _Bar:
    """Waits a moment before it imports rich and draws."""

    def __init__(self, what: str, total: int) -> None:
        self.what, self.total = what, total
        self.done, self.begun = 0, time.monotonic()
        self.stop: Callable[[], None] = lambda: None
        self._show: Callable[[int], None] | None = None

    def advance(self, amount: int) -> None:
        """Count this much more as done."""
        self.done += amount
        if self._show:
            self._show(self.done)
        elif time.monotonic() - self.begun > _MOMENT:
            self._start()

    def _start(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        columns = TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f} %"), TimeRemainingColumn()
        bar = Progress(*columns, console=Console(stderr=True), transient=True)
        task = bar.add_task(self.what, total=self.total)
        bar.start()
        self.stop = bar.stop
        self._show = lambda done: bar.update(task, completed=done)
