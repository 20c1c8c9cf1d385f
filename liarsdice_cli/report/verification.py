"""What `verify` says: the judge's word on a profile or strategy that was kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from liarsdice_cli.extensive.evaluate import Judgement
from liarsdice_cli.report.judgement import judgement_json, judgement_lines
from liarsdice_cli.report.solution import facts_of, problem_json, reduction_text
from liarsdice_cli.solvers.problem import Problem


@dataclass(frozen=True)
class Verification:
    """A verdict on a file.

    problem   : the game that it is for
    source    : the file of the game, or None for rules
    judgement : the verdict
    completed : information sets of which the file gives no distribution; equal probabilities stand there
    whole     : whether the file is judged in the whole game, impossible bids included
    """

    problem: Problem
    source: str | None
    judgement: Judgement
    completed: int = 0
    whole: bool = False

    def json(self) -> dict[str, Any]:
        """The content of `verify --json`."""
        head = problem_json(self.problem, self.source) | ({"lifted": None} if self.whole else {})
        return head | {"exact": self.judgement.is_equilibrium, "completed": self.completed} | judgement_json(self.judgement)

    def lines(self) -> Iterator[str]:
        """The same for a person."""
        facts, reduction = facts_of(self.problem), reduction_text(self.problem)
        yield from facts.lines()
        if reduction and not self.whole:
            yield reduction
        yield ""
        yield from judgement_lines(facts.players, self.judgement)
        if self.completed:
            yield (
                f"  the file gives no distribution at {self.completed:,} information set(s); judged with equal probabilities"
            )
