"""A progress bar on standard error for work that takes longer than a moment."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from liarsdice_cli.cli.printing import print_message
from liarsdice_cli.text import printable

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from liarsdice_cli.solvers.regret.convergence import Sample, WorkerFacts
    from liarsdice_cli.solvers.request import Progress

_MOMENT = 0.7  # seconds without a bar
_SHOWN = 8  # workers that are shown one by one


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
def waiting(what: str, quiet: bool) -> Iterator[Callable[[str], None]]:
    """Show a spinner on a terminal, with the time so far and a few words on the state of the work.

    Yields the function to call with a few words on that (see `Nearing`).
    """
    if quiet or not sys.stderr.isatty():
        yield lambda words: None
        return
    spinner = _Spinner(what)
    try:
        yield spinner.say
    finally:
        spinner.stop()


@contextmanager
def solving(what: str, quiet: bool) -> Iterator[Progress]:
    """Show a spinner while a game is solved, with the results so far; yield the Progress for the solver."""
    from liarsdice_cli.solvers.request import Progress

    nearing = Nearing()
    with waiting(what, quiet) as say:
        yield Progress(
            profile=lambda found: say(f"{found} profile(s) found"),
            sample=lambda sample, target: say(nearing(sample, target)),
            message=print_message,
        )


class Nearing:
    """The words on a minimiser under way: call it with every sample and the target, if there is one."""

    def __init__(self) -> None:
        self._moments: list[Sample] = []

    def __call__(self, sample: Sample, target: float | None) -> str:
        """Iteration, bounds, exploitability, and the time that may be left to the target."""
        from liarsdice_cli.solvers.regret.convergence import Bounds, estimate

        self._moments.append(sample)
        left = None if target is None else estimate(self._moments, target)
        reached, proved = f"{sample.bounds.exploitability:.2e}", sample.proved
        words = [f"iteration {sample.iteration:,}"]
        if isinstance(proved, Bounds):
            words += [f"value {proved.lower:.6f} to {proved.upper:.6f}", f"exploitability {reached}"]
        else:
            words.append(f"largest regret {reached}")
        if target is not None:
            words.append(f"target {target:.2e}" + ("" if left is None else f" in about {_duration(left)}"))
        return "; ".join([", ".join(words), *_at_work(sample.workers)])


def _at_work(workers: Sequence[WorkerFacts]) -> Iterator[str]:
    """Yield the memory and the time for the last iteration of each worker; of many, the least and the most."""
    from liarsdice_cli.system.memory import size

    if len(workers) > _SHOWN:
        held, took = ([getattr(worker, what) for worker in workers] for what in ("bytes", "seconds"))
        yield f"{len(workers)} workers with {size(min(held))} to {size(max(held))}, {min(took):.3g} to {max(took):.3g} s each"
        return
    for number, worker in enumerate(workers, 1):
        holds = f"{worker.histories:,} histories, {size(worker.bytes)}"
        yield f"worker {number} on {worker.machine}: {holds}, {worker.seconds:.3g} s"


def between(sample: Sample) -> str:
    """The bounds on the value for player 1 that have been proved by a sample; nothing for three or more players."""
    from liarsdice_cli.formats.numbers import shown_between
    from liarsdice_cli.solvers.regret.convergence import Bounds

    return shown_between(sample.proved.lower, sample.proved.upper) if isinstance(sample.proved, Bounds) else ""


def _duration(seconds: float) -> str:
    """Rounded to what a person can use."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


class _Spinner:
    """Waits a moment, in a thread of its own, before it imports rich and draws."""

    def __init__(self, what: str) -> None:
        from threading import Lock, Timer

        self.what, self.words = what, ""
        self._bar: Bar | None = None
        self._lock, self._stopped = Lock(), False
        self._timer = Timer(_MOMENT, self._start)
        self._timer.daemon = True
        self._timer.start()

    def say(self, words: str) -> None:
        """Show these words."""
        self.words = words
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
        from rich.progress import Progress as Bar
        from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn
        from rich.table import Column

        with self._lock:
            if self._stopped:
                return
            column = Column()  # not the usual one, so a long text goes on in the next line
            words = TextColumn("{task.description}", markup=False, table_column=column)
            columns = SpinnerColumn(), words, TimeElapsedColumn()
            self._bar = Bar(*columns, console=Console(stderr=True), transient=True)
            self._bar.add_task(self._text(), total=None)
            self._bar.start()

    def _text(self) -> str:
        return printable(f"{self.what}{', ' if self.words else ''}{self.words}; Ctrl-C ends it")


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
        from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar

        words, share = TextColumn("{task.description}", markup=False), TextColumn("{task.percentage:>3.0f} %")
        columns = words, BarColumn(), share, TimeRemainingColumn()
        bar = Bar(*columns, console=Console(stderr=True), transient=True)
        task = bar.add_task(printable(self.what), total=self.total)
        bar.start()
        self.stop = bar.stop
        self._show = lambda done: bar.update(task, completed=done)
