"""A progress bar on standard error for work that takes longer than a moment."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

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
