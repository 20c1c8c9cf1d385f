"""One request, one result: what a person asks of a solver, and the judged answer, whatever method gives it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

from liarsdice_cli.errors import LiarsDiceError, check_type, checked_items
from liarsdice_cli.extensive.displayed import Displayed
from liarsdice_cli.extensive.evaluate import Judgement
from liarsdice_cli.extensive.locks import LockedSet, marked
from liarsdice_cli.extensive.number import Number
from liarsdice_cli.extensive.profile import Profile
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.strategy import ProfileStrategy, Strategy, profile_of
from liarsdice_cli.games.liarsdice.subgame import Subgame
from liarsdice_cli.solvers.regret.convergence import Limits, RunHistory, Sample
from liarsdice_cli.strategies.combined import in_whole_game
from liarsdice_cli.strategies.stored import StoredStrategy

if TYPE_CHECKING:
    from liarsdice_cli.solvers.problem import Problem

AUTO = "auto"
"""The method that stands for the first one of the ladder that fits."""
RATIONAL, FLOAT = "rational", "float"
EXTENSIVE, STRATEGIC, PUBLIC_TREE = "extensive", "strategic", "public tree"
"""What a method works on: the game tree; the table of all strategies; bids in public and rolls in private, without a tree."""
ERRING = (
    "everybody errs with probability {:g} at every decision, and then takes any action alike: the bounds on the way are those "
    "of that game; the verdict below is on the game without, where the regrets are what these errors cost"
)
"""What a minimiser says of a tremble."""
QUASI_PERFECT = "quasi-perfect"
"""The refinement that can be asked for, and the method that finds it."""
EXACT_NODES = 15_000_000
"""The largest tree, in nodes, that is solved exactly where a person leaves the choice: a minute or three, and 2 GB.

Measured on one core of a busy machine: 0.3 to 0.8 million nodes took 1 to 10 s, 5 to 8 million 10 to 82 s, 13 million 43 to
189 s (`docs/values.csv`).
"""


@dataclass(frozen=True)
class Checkpoints:
    """Where a long run keeps its state, and where it takes one up; None for neither.

    file   : written every `every` seconds (longer where writing one takes long) and at the end
    resume : the file of an earlier run, from which this one goes on as if nothing had happened
    """

    file: str | None = None
    every: float = 180.0
    resume: str | None = None


@dataclass(frozen=True)
class Request:
    """What a person asks for; None leaves a choice to the method.

    method      : a name in `registry.methods`, or AUTO
    arithmetic  : RATIONAL or FLOAT
    form        : EXTENSIVE, STRATEGIC or PUBLIC_TREE
    refine      : QUASI_PERFECT, for an equilibrium that is best after mistakes too; AUTO takes the method for it
    tremble     : of minimisers, the probability that a player errs at an information set, and takes any action alike
    time_limit  : seconds
    stop_after  : profiles
    max_regret  : for methods that stop at a regret, as a share of the game's range of payoffs
    target      : the exploitability at which a minimiser stops, in units of the payoffs
    iterations  : after which it does, those of a checkpoint included
    threads     : on the public tree; None for one a processor
    memory      : bytes that the histories of the public tree may fill, on every worker of a cluster; None for most of what is
                  free
    cluster     : where workers hold the public tree (`system.cluster_names.cluster`); None for this process
    checkpoints : of a run on the public tree
    chance      : how the tree of rules deals the dice (`rules.CHANCES`)
    exact_nodes : the largest tree, in nodes, that AUTO solves exactly
    lock        : behaviour that is fixed at some information sets; the rest is solved against it, and against each other
    selects     : whether the exact method looks for the preferred equilibrium; the value alone does not need it
    """

    method: str = AUTO
    arithmetic: str | None = None
    form: str | None = None
    refine: str | None = None
    tremble: float | None = None
    time_limit: float | None = None
    stop_after: int | None = None
    max_regret: float | None = None
    target: float | None = None
    iterations: int | None = None
    threads: int | None = None
    memory: int | None = None
    cluster: str | None = None
    checkpoints: Checkpoints | None = None
    chance: str = "ordered"
    exact_nodes: int = EXACT_NODES
    lock: tuple[LockedSet, ...] = ()
    selects: bool = True

    def __post_init__(self) -> None:
        """Raise UsageError for a field of another type."""
        for name in ("method", "chance"):
            check_type(name, getattr(self, name), str, "give its name as text")
        for name in ("arithmetic", "form", "refine", "cluster"):
            check_type(name, getattr(self, name), str | None, "give its name as text, or leave it out")
        for name in ("time_limit", "target", "tremble", "max_regret"):
            check_type(name, getattr(self, name), Real | None, "give a number, or leave it out")
        for name in ("iterations", "stop_after", "threads", "memory"):
            check_type(name, getattr(self, name), Integral | None, "give a whole number, or leave it out")
        check_type("exact_nodes", self.exact_nodes, Integral, "give a whole number")
        check_type("checkpoints", self.checkpoints, Checkpoints | None, "give checkpoints, or leave them out")
        checked_items("lock", self.lock, LockedSet, "give locked sets, such as locks('P1 roll 1 opening: 1x2 1', game)")

    @property
    def iterates(self) -> bool:
        """Whether it asks for what only minimisers do."""
        return self.target is not None or self.iterations is not None or self.tremble is not None

    @property
    def limits(self) -> Limits:
        """When a minimiser stops."""
        return Limits(self.target, self.iterations, self.time_limit)


@dataclass(frozen=True)
class Watch:
    """What is told while a method works.

    profile : the number of profiles found so far
    sample  : the bounds of a minimiser, and its target or None
    words   : what a person should know at once, such as that a checkpoint could not be written
    """

    profile: Callable[[int], None] = lambda found: None
    sample: Callable[[Sample, float | None], None] = lambda sample, target: None
    words: Callable[[str], None] = lambda words: None


@dataclass(frozen=True)
class Solved:
    """Behaviour that a method returned, with the judge's verdict on it.

    profile  : in the tree of the problem; None for an answer on the public tree
    stored   : the strategy that was found without a tree, on the public tree or by the double oracle; otherwise None
    free     : of a locked game, the verdict in the game without the lock, where everybody may deviate everywhere; else None
    one_of_many : whether the game is proved to have other equilibria that differ at sets which a player's own actions reach
    """

    judgement: Judgement
    profile: Profile | None = None
    stored: StoredStrategy | None = None
    free: Judgement | None = None
    one_of_many: bool = False

    @property
    def in_tree(self) -> Profile:
        """The profile; LiarsDiceError where the game was solved without a tree."""
        if self.profile is None:
            raise LiarsDiceError(
                "this game was solved without a tree, so there is no profile: keep the strategy in an .ldz file"
            )
        return self.profile


@dataclass(frozen=True)
class SubgamePerfect:
    """The payoff vectors of all pure subgame-perfect equilibria, sorted; not `complete` where there are too many to list.

    ties : the nodes where several actions are best in the equilibrium shown; they matter if there are several vectors
    """

    payoffs: tuple[tuple[Fraction, ...], ...]
    complete: bool
    ties: int


@dataclass(frozen=True)
class Answer:
    """What a method gives back; `ladder.solve` makes a `Solution` of it.

    arithmetic : RATIONAL or FLOAT, in which the method computed
    form       : EXTENSIVE, STRATEGIC or PUBLIC_TREE, on which it worked
    solved     : the profiles in the order found; the judge's word on each is the only claim made of it
    seconds    : wall time of the method alone
    finished   : False where the time limit or an interrupt ended it; what was found until then is kept
    note       : what the method said of itself, or ""
    subgame_perfect : of a game of perfect information, else None
    run_history : how a minimiser went, else None
    parameters : what the method worked with beyond the request: threads, kind of float, target
    lost       : why the last checkpoint could not be written, or ""
    """

    arithmetic: str
    form: str
    solved: tuple[Solved, ...]
    seconds: float
    finished: bool = True
    note: str = ""
    subgame_perfect: SubgamePerfect | None = None
    run_history: RunHistory | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    lost: str = ""


@dataclass(frozen=True)
class Solution(Answer, Displayed):
    """The answer to a request, with all that is needed to ask for it again.

    problem  : the game as it was asked for and as it was solved
    request  : what was asked
    method   : the name of the method that answered
    reason   : why it was chosen, or "" where the person named it
    versions : of this program and of the packages that the method computed with
    """

    problem: Problem = field(kw_only=True)
    request: Request = field(kw_only=True)
    method: str = field(kw_only=True)
    reason: str = field(kw_only=True)
    versions: Mapping[str, str] = field(kw_only=True)

    def __repr__(self) -> str:
        game = self.problem.rules or self.problem.tree
        return f"Solution({self.method}, {len(self.solved)} profile(s){', exact' if self.exact else ''}, of {game!r})"

    @property
    def interrupted(self) -> bool:
        """Whether a person ended it."""
        return self.run_history is not None and self.run_history.ended == "interrupt"

    @property
    def exact(self) -> bool:
        """Whether there are profiles and each is proved to be an equilibrium (of the locked game): regrets 0 in fractions."""
        return bool(self.solved) and all(one.judgement.is_equilibrium for one in self.solved)

    @property
    def best(self) -> Solved:
        """The first profile; LiarsDiceError where there is none."""
        if not self.solved:
            raise LiarsDiceError(f"{self.method} found no profile; try another method or more time")
        return self.solved[0]

    @cached_property
    def profile(self) -> Profile:
        """The first profile. A strategy that was found without a tree is converted to a profile of the tree, in floats.

        Raises LiarsDiceError if nothing was found or the strategy has no profile: for the rest of a round,
        for trees above the `exact_nodes` of the request, and for strategies in fractions.
        """
        best, problem = self.best, self.problem
        fits = problem.start is None and self.arithmetic == FLOAT and problem.nodes <= self.request.exact_nodes
        if best.profile is not None or best.stored is None or not fits:
            return best.in_tree
        profile = profile_of(best.stored, problem.free_tree)
        return marked(problem.free_tree, profile, problem.fixed) if problem.lock else profile

    @property
    def value(self) -> Number:
        """What a constant-sum game of two is worth to player 1: the fraction that is proved, or the middle of the bounds.

        Raises LiarsDiceError for other games, where equilibria may pay differently: see `payoffs`.
        """
        bounds = self.best.judgement.bounds
        if bounds is None:
            raise LiarsDiceError("only a constant-sum game of two players has a value: see the payoffs of the judgement")
        return bounds[0] if bounds[0] == bounds[1] else (bounds[0] + bounds[1]) / 2

    @property
    def judgement(self) -> Judgement:
        """The judge's verdict on the first profile; LiarsDiceError where there is none."""
        return self.best.judgement

    def strategy(self) -> Strategy:
        """What the first profile does in the game of the rules, bids that are never true included.

        Raises LiarsDiceError where there is no profile; for a game that did not come from rules there is no strategy.
        """
        rules, best = self.problem.rules, self.best
        assert rules is not None, "asked for rules only"
        if best.stored is not None:
            return in_whole_game(rules, best.stored)
        reduced = rules.without_impossible_bids() if self.problem.is_reduced else rules
        found = ProfileStrategy.of(reduced, self.problem.free_tree, best.in_tree.probabilities)
        return in_whole_game(rules, found)


Game = GameTree | Rules | Subgame
"""What can be solved."""
