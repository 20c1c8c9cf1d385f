"""What a solver returns: judged profiles, and how they were found."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from liarsdice_cli.extensive.evaluate import Judgement
from liarsdice_cli.extensive.profile import Profile
from liarsdice_cli.solvers.regret.convergence import RunHistory


@dataclass(frozen=True)
class Solved:
    """A profile that a method returned, with the judge's verdict on it."""

    profile: Profile
    judgement: Judgement


@dataclass(frozen=True)
class SubgamePerfect:
    """The payoff vectors of all pure subgame-perfect equilibria, sorted; not `complete` where there are too many to list.

    ties : the nodes where several actions are best in the equilibrium shown; they matter if there are several vectors
    """

    payoffs: tuple[tuple[Fraction, ...], ...]
    complete: bool
    ties: int


@dataclass(frozen=True)
class Solution:
    """The answer of a method to a game.

    method     : its name in the registry
    arithmetic : 'rational' or 'float', in which the method computed
    form       : 'extensive' or 'strategic', on which it worked
    reason     : why it was chosen, or "" where the person named it
    seconds    : wall time of the method alone
    finished   : False where the time limit or an interrupt ended it; what was found until then is kept
    note       : what the method said of itself, or ""
    solved     : the profiles in the order found; the judge's word on each is the only claim made of it
    subgame_perfect : of a game of perfect information, else None
    course     : how a minimiser went, else None
    """

    method: str
    arithmetic: str
    form: str
    reason: str
    seconds: float
    finished: bool
    note: str
    solved: tuple[Solved, ...]
    subgame_perfect: SubgamePerfect | None = None
    run_history: RunHistory | None = None

    @property
    def interrupted(self) -> bool:
        """Whether a person ended it."""
        return self.run_history is not None and self.run_history.ended == "interrupt"

    @property
    def exact(self) -> bool:
        """Whether there are profiles and each is proved to be an equilibrium: regrets 0 in fractions."""
        return bool(self.solved) and all(one.judgement.is_equilibrium for one in self.solved)
