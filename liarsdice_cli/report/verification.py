"""What `verify` says: the judge's word on a profile or strategy that was kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from liarsdice_cli.extensive.evaluate import Judgement
from liarsdice_cli.report.facts import game_info
from liarsdice_cli.report.locks import both_json, both_lines
from liarsdice_cli.report.solution import problem_json, reduction_text
from liarsdice_cli.solvers.problem import Problem


@dataclass(frozen=True)
class Verification:
    """A verdict on a file.

    problem   : the game that it is for
    source    : the file of the game, or None for rules
    judgement : the verdict
    completed : information sets of which the file gives no distribution; equal probabilities stand there
    whole     : whether the file is judged in the whole game, impossible bids included
    free      : where the file says that some information sets were locked: the verdict in the game without the lock, while
                `judgement` is that in the locked game
    locked    : how many of them there are
    """

    problem: Problem
    source: str | None
    judgement: Judgement
    completed: int = 0
    whole: bool = False
    free: Judgement | None = None
    locked: int = 0

    def json(self) -> dict[str, Any]:
        """The content of `verify --json`."""
        head = problem_json(self.problem, self.source) | ({"lifted": None} if self.whole else {})
        proved = {"exact": self.judgement.is_equilibrium, "completed": self.completed, "locked": self.locked}
        return head | proved | both_json(self.judgement, self.free)

    def lines(self) -> Iterator[str]:
        """The same for a person."""
        facts, reduction = game_info(self.problem), reduction_text(self.problem)
        yield from facts.lines()
        if reduction and not self.whole:
            yield reduction
        yield ""
        if self.locked:
            yield f"locked at {self.locked:,} information set(s), as the file says"
        yield from both_lines(facts.players, self.judgement, self.free)
        if self.completed:
            yield (
                f"  the file gives no distribution at {self.completed:,} information set(s); judged with equal probabilities"
            )
