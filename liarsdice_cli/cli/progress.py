"""Progress on standard error, for work that takes longer than a moment: a bar, or a spinner if the end is not known."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from liarsdice_cli.cli.printing import messages_by, print_message
from liarsdice_cli.progress import Progress
from liarsdice_cli.text import duration, numbered, printable

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from liarsdice_cli.solvers.regret.convergence import Sample, WorkerFacts

_MOMENT = 0.7  # seconds without a display
_SHOWN = 8  # workers that are shown one by one


@contextmanager
def display(quiet: bool, what: str = "", unit: str = "") -> Iterator[Progress]:
    """Yield the object to which functions report progress; it shows the stage on standard error, if that is a terminal.

    quiet      : show nothing but messages about problems
    what, unit : a stage to begin with (`Progress.begin`)
    """
    if quiet or not sys.stderr.isatty():
        yield _Problems() if quiet else Messages()
        return
    shown = _Display()
    if what:
        shown.begin(what, unit=unit)
    with messages_by(shown.write):
        try:
            yield shown
        finally:
            shown.end()


class Messages(Progress):
    """Prints messages, and shows nothing else."""

    def message(self, text: str) -> None:
        """Print the message on standard error."""
        print_message(text)


class _Problems(Messages):
    """Prints messages about problems, and shows nothing else."""

    def note(self, text: str) -> None:
        """Leave the message out."""


class _Display(Messages):
    """Shows the current stage."""

    def __init__(self) -> None:
        self._stage: _Stage | None = None

    def begin(self, what: str, total: int | None = None, unit: str = "") -> None:
        self.end()
        self._stage = _Stage(what, total, unit)

    def advance(self, count: int = 1) -> None:
        if self._stage:
            self._stage.advance(count)

    def sample(self, sample: Sample, target: float | None) -> None:
        if self._stage:
            self._stage.sample(sample, target)

    def write(self, line: str) -> None:
        """Write a line of a message above the stage."""
        if self._stage:
            self._stage.write(line)
        else:
            click.echo(line, err=True)

    def end(self) -> None:
        """Remove the display."""
        if self._stage:
            self._stage.end()


class _Stage:
    """One stage; it waits a moment, in its own thread, before it imports rich and draws.

    A stage with a total is a bar. Any other is a spinner with the time so far, and the last sample or the count.
    """

    def __init__(self, what: str, total: int | None, unit: str) -> None:
        from threading import Lock, Timer

        self.what, self.total, self.unit = what, total, unit
        self.done, self.words = 0, ""
        self._nearing = Nearing()
        self._bar: Bar | None = None
        self._lock, self._ended = Lock(), False
        self._timer = Timer(_MOMENT, self._start)
        self._timer.daemon = True
        self._timer.start()

    def advance(self, count: int) -> None:
        self.done += count
        self._update()

    def sample(self, sample: Sample, target: float | None) -> None:
        self.words = self._nearing(sample, target)
        self._update()

    def write(self, line: str) -> None:
        """Write a line; while a bar is drawn, only its own console can write above it."""
        with self._lock:
            if self._bar and not self._ended:
                self._bar.console.print(line, markup=False, emoji=False, highlight=False, soft_wrap=True)
            else:
                click.echo(line, err=True)

    def end(self) -> None:
        self._timer.cancel()
        with self._lock:
            self._ended = True
            if self._bar:
                self._bar.stop()

    def _update(self) -> None:
        if self._bar is None:
            return
        if self.total is None:
            self._bar.update(self._bar.task_ids[0], description=self._text())
        else:
            self._bar.update(self._bar.task_ids[0], completed=self.done)

    def _start(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, ProgressColumn, SpinnerColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar
        from rich.table import Column

        with self._lock:
            if self._ended:
                return
            column = Column()  # not the default one, so that a long text continues on the next line
            words = TextColumn("{task.description}", markup=False, table_column=column)
            columns: tuple[ProgressColumn, ...] = SpinnerColumn(), words, TimeElapsedColumn()
            if self.total is not None:
                columns = words, BarColumn(), TextColumn("{task.percentage:>3.0f} %"), TimeRemainingColumn()
            bar = Bar(*columns, console=Console(stderr=True), transient=True)
            bar.add_task(self._text(), total=self.total, completed=self.done)
            self._bar = bar
            bar.start()

    def _text(self) -> str:
        if self.total is not None:
            return printable(self.what)
        words = self.words or (numbered(self.done, self.unit) if self.done else "")
        return printable(f"{self.what}{', ' if words else ''}{words}; Ctrl-C ends it")


class Nearing:
    """The text on a minimiser's progress: call it with every sample and the target, if there is one."""

    def __init__(self) -> None:
        self._moments: list[Sample] = []

    def __call__(self, sample: Sample, target: float | None) -> str:
        """Return the iteration, the bounds, the exploitability, and the estimated time to the target."""
        from liarsdice_cli.solvers.regret.convergence import Bounds, SequentialBounds, estimate

        if self._moments and sample.seconds < self._moments[-1].seconds:
            self._moments.clear()  # another run begins in the same stage
        self._moments.append(sample)
        left = None if target is None else estimate(self._moments, target)
        reached, proved = f"{sample.bounds.measure:.2e}", sample.proved
        words = [f"iteration {sample.iteration:,}"]
        if isinstance(proved, Bounds):
            measure = "largest regret at any history" if isinstance(proved, SequentialBounds) else "exploitability"
            words += [f"value {proved.lower:.6f} to {proved.upper:.6f}", f"{measure} {reached}"]
        else:
            words.append(f"largest regret {reached}")
        if target is not None:
            words.append(f"target {target:.2e}" + ("" if left is None else f" in about {duration(left)}"))
        return "; ".join([", ".join(words), *_at_work(sample.workers)])


def _at_work(workers: Sequence[WorkerFacts]) -> Iterator[str]:
    """Yield the memory and the time for the last iteration of each worker; of many, the least and the most."""
    from liarsdice_cli.system.memory import size

    if len(workers) > _SHOWN:
        held, took = ([getattr(worker, what) for worker in workers] for what in ("bytes", "seconds"))
        yield f"{len(workers)} workers with {size(min(held))} to {size(max(held))}, {min(took):.3g} to {max(took):.3g} s each"
        return
    for number, worker in enumerate(workers, 1):
        holds = f"{numbered(worker.histories, 'histories')}, {size(worker.bytes)}"
        yield f"worker {number} on {worker.machine}: {holds}, {worker.seconds:.3g} s"
