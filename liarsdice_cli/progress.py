"""Progress of long computations: one class for every function that reports it.

A function that may take long has the parameter `progress: Progress = SILENT`. It calls the methods of this object while it
works. Their base class does nothing, so a caller overrides only the methods that it needs; `cli.progress` shows bars on a
terminal.

Work has stages, one after the other. Functions of the packages `formats`, `arena`, `studies` and `library` begin them, since
they know what the user asked for and how much there is to do. A function that does a part of such work, such as a solver,
begins no stage: it counts, samples and sends messages within the stage of its caller.
"""

from __future__ import annotations

from typing import Any

from liarsdice_cli.errors import check_type


class Progress:
    """The receiver of reports from a long computation. Its methods do nothing; derive a class and override some.

    >>> class Counted(Progress):
    ...     done = 0
    ...     def advance(self, count: int = 1) -> None:
    ...         self.done += count
    >>> from liarsdice_cli import rules, tournament
    >>> counted = Counted()
    >>> result = tournament(rules("common", 2), ["honest", "random"], rounds=10, seed=1, progress=counted)
    >>> counted.done
    10
    """

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"

    def begin(self, what: str, total: int | None = None, unit: str = "") -> None:
        """Begin a stage; it ends the stage before, and its count starts at 0.

        what  : a few words on the work, such as "writing"
        total : the largest count that the stage can reach, or None if that is not known
        unit  : what it counts, in the plural, such as "nodes"; "" if it counts nothing
        """

    def advance(self, count: int = 1) -> None:
        """Count more of the stage as done."""

    def sample(self, sample: Any, target: float | None) -> None:
        """Receive the state of an iterative solver whenever it has computed bounds.

        sample : a `Sample` of `solvers.regret.convergence`, with `iteration`, `seconds`, `bounds`, `proved` and `workers`
        target : the exploitability at which the solver stops, or None
        """

    def message(self, text: str) -> None:
        """Receive a message for the user that cannot wait, such as that a checkpoint could not be written."""

    def note(self, text: str) -> None:
        """Receive a remark that a quiet command leaves out, such as that the memory is full. By default it is a message."""
        self.message(text)


SILENT = Progress()
"""The default: it ignores every report."""


def check_progress(progress: object) -> None:
    """Raise UsageError unless an argument of the library is a `Progress`."""
    check_type("progress", progress, Progress, "give an object of a class derived from Progress, or leave it out")
