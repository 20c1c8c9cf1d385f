"""Requests to solve a game, and the judged solutions that every method returns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from functools import cached_property
from numbers import Integral, Real
from typing import Any

from liarsdice_cli.errors import Argument, LiarsDiceError, TimeLimitError, UsageError, check_type, checked_items
from liarsdice_cli.extensive.evaluate import Judgement
from liarsdice_cli.extensive.locks import LockedSet, marked
from liarsdice_cli.extensive.number import Number
from liarsdice_cli.extensive.profile import Profile
from liarsdice_cli.extensive.renderable import Renderable
from liarsdice_cli.formats import registry
from liarsdice_cli.formats.ldz import Origin
from liarsdice_cli.formats.writing import write_profile, writes
from liarsdice_cli.games.liarsdice.strategy import ProfileStrategy, Strategy, profile_of
from liarsdice_cli.solvers.problem import Problem, PublicTreeProblem, RulesProblem
from liarsdice_cli.solvers.regret.convergence import Limits, RunHistory, Sample
from liarsdice_cli.strategies.combined import in_whole_game
from liarsdice_cli.strategies.expansion import expanded
from liarsdice_cli.strategies.stored import StoredStrategy

AUTO = "auto"
"""The name that lets the selection rules choose a method."""
RATIONAL, FLOAT = "rational", "float"
EXTENSIVE, STRATEGIC, PUBLIC_TREE = "extensive", "strategic", "public tree"
"""Game forms: the game tree; the table of all strategies; the public tree, with private rolls at every history."""
ERRING = (
    "everybody errs with probability {:g} at every decision, and then takes any action alike: the bounds on the way are those "
    "of that game; the verdict below is on the game without, where the regrets are what these errors cost"
)
"""The note of a minimiser that solved a perturbed game."""
QUASI_PERFECT = "quasi-perfect"
"""The name of a refinement and of the method that finds it."""
EXACT_NODES = 15_000_000
"""The largest tree, in nodes, that AUTO solves exactly: one to three minutes and 2 GB.

Measured on one core of a busy machine: 0.3 to 0.8 million nodes took 1 to 10 s, 5 to 8 million 10 to 82 s, 13 million 43 to
189 s (`docs/values.csv`).
"""


@dataclass(frozen=True)
class Checkpoints:
    """The files in which a long run saves its state and from which it resumes; None for neither.

    file   : written every `every` seconds, less often if writing takes long, and at the end
    resume : the file of an earlier run, which this one continues
    """

    file: str | None = None
    every: float = 180.0
    resume: str | None = None


@dataclass(frozen=True)
class MinimiserOptions:
    """Options of regret minimisers; None leaves a choice to the minimiser.

    target      : the exploitability at which it stops, in units of the payoffs
    iterations  : the iteration at which it stops, counted from the start of a checkpoint that is resumed
    tremble     : the probability that a player errs at an information set and acts uniformly at random
    threads     : on the public tree; None for one per processor
    memory      : bytes that the histories of the public tree may fill, on each worker of a cluster; None for most of the
                  free memory
    cluster     : the workers that hold the public tree (`system.cluster_names.cluster`); None for this process
    checkpoints : of a run on the public tree
    """

    target: float | None = None
    iterations: int | None = None
    tremble: float | None = None
    threads: int | None = None
    memory: int | None = None
    cluster: str | None = None
    checkpoints: Checkpoints | None = None

    def __post_init__(self) -> None:
        """Raise UsageError for a field of another type."""
        _check_numbers(self, ("target", "tremble"), ("iterations", "threads", "memory"))
        check_type("cluster", self.cluster, str | None, "give its name as text, or leave it out")
        check_type("checkpoints", self.checkpoints, Checkpoints | None, "give checkpoints, or leave them out")

    @property
    def for_public_tree(self) -> list[str]:
        """The names of the options that are set and need a public tree."""
        checkpoints = self.checkpoints or Checkpoints()
        options = {
            "threads": self.threads,
            "memory": self.memory,
            "cluster": self.cluster,
            "checkpoint": checkpoints.file,
            "resume": checkpoints.resume,
        }
        return [name for name, value in options.items() if value is not None]


@dataclass(frozen=True)
class GambitOptions:
    """Options of Gambit's methods; None leaves a choice to the method.

    stop_after : the number of profiles after which a method stops
    max_regret : the regret at which a method stops, as a share of the game's range of payoffs
    """

    stop_after: int | None = None
    max_regret: float | None = None

    def __post_init__(self) -> None:
        """Raise UsageError for a field of another type."""
        _check_numbers(self, ("max_regret",), ("stop_after",))

    @property
    def given(self) -> list[str]:
        """The names of the options that are set."""
        return [name for name, value in vars(self).items() if value is not None]


def _check_numbers(options: object, reals: Iterable[str], wholes: Iterable[str]) -> None:
    for name in reals:
        check_type(name, getattr(options, name), Real | None, "give a number, or leave it out")
    for name in wholes:
        check_type(name, getattr(options, name), Integral | None, "give a whole number, or leave it out")


@dataclass(frozen=True)
class Request:
    """How to solve a game; None leaves a choice to the method.

    method      : a name in `registry.methods`, or AUTO
    arithmetic  : RATIONAL or FLOAT
    form        : EXTENSIVE, STRATEGIC or PUBLIC_TREE
    refine      : QUASI_PERFECT, for an equilibrium that stays optimal after mistakes; AUTO takes the method for it
    time_limit  : seconds
    chance      : how the tree of rules deals the dice (`rules.DEALINGS`)
    exact_nodes : the largest tree, in nodes, that AUTO solves exactly
    lock        : a partial strategy that is given; the rest of the game is solved against it
    selects     : whether the exact method looks for the preferred equilibrium; the value alone does not need it
    minimiser   : options of regret minimisers
    gambit      : options of Gambit's methods
    """

    method: str = AUTO
    arithmetic: str | None = None
    form: str | None = None
    refine: str | None = None
    time_limit: float | None = None
    chance: str = "ordered"
    exact_nodes: int = EXACT_NODES
    lock: tuple[LockedSet, ...] = ()
    selects: bool = True
    minimiser: MinimiserOptions = MinimiserOptions()
    gambit: GambitOptions = GambitOptions()

    def __post_init__(self) -> None:
        """Raise UsageError for a field of another type."""
        for name in ("method", "chance"):
            check_type(name, getattr(self, name), str, "give its name as text")
        for name in ("arithmetic", "form", "refine"):
            check_type(name, getattr(self, name), str | None, "give its name as text, or leave it out")
        check_type("minimiser", self.minimiser, MinimiserOptions, "give MinimiserOptions(...)")
        check_type("gambit", self.gambit, GambitOptions, "give GambitOptions(...)")
        _check_numbers(self, ("time_limit",), ())
        check_type("exact_nodes", self.exact_nodes, Integral, "give a whole number")
        checked_items("lock", self.lock, LockedSet, "give locked sets, such as locks('P1 roll 1 opening: 1x2 1', game)")

    @classmethod
    def of(cls, method: str = AUTO, **options: Any) -> Request:
        """Return a request from its options by name, those of minimisers and of Gambit's methods among them.

        >>> Request.of("dcfr+", target=1e-4).minimiser.target
        0.0001
        """
        return cls(method).updated(**options)

    def updated(self, **options: Any) -> Request:
        """Return the request with these options, named as for `of`, instead of its own."""
        groups = {}
        for name in ("minimiser", "gambit"):
            group = getattr(self, name)
            own = {field.name: options.pop(field.name) for field in fields(group) if field.name in options}
            groups[name] = replace(group, **own)
        return replace(self, **(groups | options))

    @property
    def iterates(self) -> bool:
        """Whether it asks for a target, iterations or a tremble, which only minimisers have."""
        options = self.minimiser
        return options.target is not None or options.iterations is not None or options.tremble is not None

    @property
    def limits(self) -> Limits:
        """The limits at which a minimiser stops."""
        return Limits(self.minimiser.target, self.minimiser.iterations, self.time_limit)


@dataclass(frozen=True)
class Progress:
    """The functions that a method calls while it works.

    profile : called with the number of profiles found so far
    sample  : called with the bounds of a minimiser and with its target or None
    message : called with a text to show at once, such as that a checkpoint could not be written
    """

    profile: Callable[[int], None] = lambda found: None
    sample: Callable[[Sample, float | None], None] = lambda sample, target: None
    message: Callable[[str], None] = lambda text: None


@dataclass(frozen=True)
class EvaluatedProfile:
    """A profile that a method found, with its evaluation by the judge.

    profile  : in the tree of the problem; None for a result on the public tree
    stored   : the strategy found without a tree, on the public tree or by the double oracle; otherwise None
    free     : for a locked game, the evaluation in the game without the lock; otherwise None
    one_of_many : whether the game provably has other equilibria that differ at sets which a player's own actions reach
    """

    judgement: Judgement
    profile: Profile | None = None
    stored: StoredStrategy | None = None
    free: Judgement | None = None
    one_of_many: bool = False

    @property
    def in_tree(self) -> Profile:
        """The profile; LiarsDiceError if the game was solved without a tree."""
        if self.profile is None:
            raise LiarsDiceError(
                "this game was solved without a tree, so there is no profile: keep the strategy in an .ldz file"
            )
        return self.profile


@dataclass(frozen=True)
class SubgamePerfect:
    """The payoff vectors of all pure subgame-perfect equilibria, sorted; not `complete` if there are too many to list.

    ties : the nodes where several actions are best in the equilibrium shown; they matter if there are several vectors
    """

    payoffs: tuple[tuple[Fraction, ...], ...]
    complete: bool
    ties: int


@dataclass(frozen=True)
class MethodResult:
    """The result of a method, of which `ladder.solve` makes a `Solution`.

    arithmetic : RATIONAL or FLOAT
    form       : EXTENSIVE, STRATEGIC or PUBLIC_TREE
    solved     : the profiles in the order in which they were found; only the judge's evaluation makes claims about them
    seconds    : wall time of the method alone
    finished   : False if the time limit or an interrupt ended it; profiles found until then are kept
    note       : a remark of the method, or ""
    subgame_perfect : for a game of perfect information, otherwise None
    run_history : the bounds of a minimiser over time, otherwise None
    parameters : settings beyond the request: threads, float type, target
    lost       : the reason why the last checkpoint could not be written, or ""
    """

    arithmetic: str
    form: str
    solved: tuple[EvaluatedProfile, ...]
    seconds: float
    finished: bool = True
    note: str = ""
    subgame_perfect: SubgamePerfect | None = None
    run_history: RunHistory | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    lost: str = ""


@dataclass(frozen=True)
class Solution(MethodResult, Renderable):
    """The result of a request, with everything that repeats it.

    problem  : the game as it was asked for and as it was solved
    request  : as it was given
    method   : the name of the method
    reason   : why it was chosen, or "" if the request names it
    versions : of this program and of the packages that the method uses
    """

    problem: Problem = field(kw_only=True)
    request: Request = field(kw_only=True)
    method: str = field(kw_only=True)
    reason: str = field(kw_only=True)
    versions: Mapping[str, str] = field(kw_only=True)

    def __repr__(self) -> str:
        return (
            f"Solution({self.method}, {len(self.solved)} profile(s){', exact' if self.exact else ''}, of {self.problem.game!r})"
        )

    @property
    def interrupted(self) -> bool:
        """Whether an interrupt ended the method."""
        return self.run_history is not None and self.run_history.ended == "interrupt"

    @property
    def exact(self) -> bool:
        """Whether there are profiles and each is a proved equilibrium of the (locked) game: its regrets are 0 in fractions."""
        return bool(self.solved) and all(one.judgement.is_equilibrium for one in self.solved)

    @property
    def best(self) -> EvaluatedProfile:
        """The first profile; LiarsDiceError if there is none."""
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
        fits = isinstance(problem, RulesProblem) and self.arithmetic == FLOAT and problem.nodes <= self.request.exact_nodes
        if best.profile is not None or best.stored is None or not fits:
            return best.in_tree
        profile = profile_of(best.stored, problem.free_tree)
        return marked(problem.free_tree, profile, problem.tree_lock) if problem.lock else profile

    @property
    def value(self) -> Number:
        """The value of a two-player constant-sum game for player 1: the proved fraction, or the middle of the bounds.

        Raises LiarsDiceError for other games, where equilibria may pay differently: see `payoffs`.
        """
        bounds = self.best.judgement.bounds
        if bounds is None:
            raise LiarsDiceError("only a constant-sum game of two players has a value: see the payoffs of the judgement")
        return bounds[0] if bounds[0] == bounds[1] else (bounds[0] + bounds[1]) / 2

    @property
    def judgement(self) -> Judgement:
        """The evaluation of the first profile; LiarsDiceError if there is none."""
        return self.best.judgement

    def strategy(self) -> Strategy:
        """Return the strategies of the first profile in the game of the rules, impossible bids included.

        Raises LiarsDiceError if there is no profile. The game must come from rules.
        """
        problem, best = self.problem, self.best
        assert isinstance(problem, PublicTreeProblem), "asked for rules only"
        if best.stored is not None:
            return in_whole_game(problem.rules, best.stored)
        found = ProfileStrategy.of(problem.reduced, problem.free_tree, best.in_tree.probabilities)
        return in_whole_game(problem.rules, found)


def _write_strategy(solution: Solution, name: str) -> None:
    """Write the first profile as a strategy file: expanded, in the game that was solved, with its bounds."""
    problem, best, history = solution.problem, solution.best, solution.run_history
    assert isinstance(problem, PublicTreeProblem), "asked for rules only"
    if best.stored is None:
        strategy = expanded(ProfileStrategy.of(problem.reduced, problem.free_tree, best.in_tree.probabilities))
    else:
        from liarsdice_cli.solvers.public_tree.values import subtree_values  # imports numba

        strategy = replace(best.stored, values=subtree_values(best.stored, solution.request.minimiser.threads))
    iterations = None if history is None or best.stored is None else history.last.iteration
    origin = Origin.of(solution.method, iterations, best.free or best.judgement)
    registry.writer(name, registry.STRATEGY)(name, strategy, origin)


def check_strategy(name: str | None, problem: Problem) -> None:
    """Raise UsageError if a strategy file is to be written for a game that does not come from rules."""
    if name is not None and registry.holds(name, registry.STRATEGY) and not isinstance(problem, PublicTreeProblem):
        given = Argument("sides"), ", ", Argument("dice"), " ..."
        raise UsageError(Argument("output", name), ": strategy files are for rules (", *given, "); name a .json file")


@writes(Solution)
def write_solution(solution: Solution, name: str, *, depth: int | None = None, history: str | Sequence[str] = ()) -> None:
    """Write the first profile of a solution: as a strategy file, or as `write_profile` does.

    depth, history : as for `write_profile`

    Raises TimeLimitError or LiarsDiceError if there is no profile, UsageError for a name of another format.
    """
    if not solution.solved:
        kind = LiarsDiceError if solution.finished else TimeLimitError
        raise kind(f"no profile was found, so {name} is not written; try another ", Argument("method"), " or more time")
    registry.check(name, registry.PROFILE, registry.WORKBOOK, registry.STRATEGY)
    if registry.holds(name, registry.STRATEGY):
        check_strategy(name, solution.problem)
        _write_strategy(solution, name)
    else:
        write_profile(solution.profile, name, method=solution.method, depth=depth, history=history)
