"""The output of `verify`: the evaluation of a profile or strategy file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from liarsdice_cli.extensive.evaluate import Judgement
from liarsdice_cli.formats.documents.solutions import Verify
from liarsdice_cli.report.facts import game_info, game_json
from liarsdice_cli.report.judgement import both_json, both_lines
from liarsdice_cli.report.solution import reduction_text
from liarsdice_cli.solvers.problem import Problem
from liarsdice_cli.text import numbered


@dataclass(frozen=True)
class Verification:
    """The evaluation of a file.

    problem   : the game
    source    : the file of the game, or None for rules
    strategy  : the file of the profile or strategy
    judgement : the evaluation; if the file marks locked information sets, in the locked game
    completed : number of information sets without a distribution in the file; they get equal probabilities
    whole     : whether the file is evaluated in the whole game, with impossible bids
    free      : the evaluation in the game without the lock; None if nothing is locked
    locked    : number of locked information sets
    """

    problem: Problem
    source: str | None
    strategy: str
    judgement: Judgement
    completed: int = 0
    whole: bool = False
    free: Judgement | None = None
    locked: int = 0

    def json(self) -> Verify:
        """Return the document of `verify`."""
        return {
            **game_json(self.problem, self.source),
            **both_json(self.judgement, self.free),
            "solved_on": None if self.whole else reduction_text(self.problem),
            "strategy": self.strategy,
            "completed": self.completed,
            "locked": self.locked,
        }

    def lines(self) -> Iterator[str]:
        """Yield lines for a person."""
        facts, reduction = game_info(self.problem), reduction_text(self.problem)
        yield from facts.lines()
        if reduction and not self.whole:
            yield reduction
        yield ""
        if self.locked:
            yield f"the file marks {numbered(self.locked, 'information sets')} as locked"
        yield from both_lines(facts.players, self.judgement, self.free)
        if self.completed:
            missing = numbered(self.completed, "information sets")
            yield f"  the file gives no distribution at {missing}: equal probabilities are used there"
