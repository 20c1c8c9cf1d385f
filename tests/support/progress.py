"""Progress that tests can inspect."""

from __future__ import annotations

from typing import Any

from liarsdice_cli.progress import Progress


class Recorded(Progress):
    """Records everything that is reported.

    begun    : every stage, with its total and its unit
    counts   : every count; `done` is their sum
    samples  : every sample, with the target
    messages : every message
    """

    def __init__(self) -> None:
        self.begun: list[tuple[str, int | None, str]] = []
        self.counts: list[int] = []
        self.samples: list[tuple[Any, float | None]] = []
        self.messages: list[str] = []

    @property
    def done(self) -> int:
        return sum(self.counts)

    def begin(self, what: str, total: int | None = None, unit: str = "") -> None:
        self.begun.append((what, total, unit))

    def advance(self, count: int = 1) -> None:
        self.counts.append(count)

    def sample(self, sample: Any, target: float | None) -> None:
        self.samples.append((sample, target))

    def message(self, text: str) -> None:
        self.messages.append(text)
