"""The judged solutions that every method returns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from liarsdice_cli.errors import Argument, LiarsDiceError, TimeLimitError, UsageError
from liarsdice_cli.extensive.evaluate import Judgement
from liarsdice_cli.extensive.locks import marked
from liarsdice_cli.extensive.number import Number
from liarsdice_cli.extensive.paths import moves
from liarsdice_cli.extensive.profile import Profile
from liarsdice_cli.extensive.renderable import Renderable
from liarsdice_cli.extensive.trembles import RefinedProfile, judge_refined
from liarsdice_cli.formats import registry
from liarsdice_cli.formats.ldz import Origin
from liarsdice_cli.formats.numbers import shown, shown_between
from liarsdice_cli.formats.writing import check_part, write_profile, writes
from liarsdice_cli.games.liarsdice.strategy import ProfileStrategy, Strategy, profile_of
from liarsdice_cli.games.liarsdice.subgame import Subgame
from liarsdice_cli.solvers.problem import Problem, PublicTreeProblem, RulesProblem
from liarsdice_cli.solvers.regret.convergence import RunHistory
from liarsdice_cli.solvers.request import FLOAT, Request
from liarsdice_cli.strategies.combined import in_whole_game
from liarsdice_cli.strategies.expansion import expanded
from liarsdice_cli.strategies.listed import ListedStrategy, listed, rounded
from liarsdice_cli.strategies.stored import StoredStrategy
from liarsdice_cli.text import quoted


@dataclass(frozen=True)
class EvaluatedProfile:
    """A profile that a method found, with its evaluation by the judge.

    profile  : in the tree of the problem; None for a result on the public tree
    stored   : the strategy found without a tree, on the public tree or by the double oracle; otherwise None
    plans    : the same in fractions, if the double oracle found it; otherwise None
    free     : for a locked game, the evaluation in the game without the lock; otherwise None
    one_of_many : whether the game provably has other equilibria that differ at sets which a player's own actions reach
    """

    judgement: Judgement
    profile: Profile | None = None
    stored: StoredStrategy | None = None
    plans: ListedStrategy | None = None
    free: Judgement | None = None
    one_of_many: bool = False

    @property
    def in_tree(self) -> Profile:
        """The profile; LiarsDiceError if the game was solved without a tree."""
        if self.profile is None:
            raise LiarsDiceError(
                "this game was solved without a tree, so there is no profile: save the strategy in an .ldz file"
            )
        return self.profile


def given(profile: Profile, problem: Problem) -> EvaluatedProfile:
    """Return a given profile with its evaluation; UsageError if it belongs to another game."""
    tree = problem.free_tree
    if profile.tree is not tree and profile.tree.fingerprint != tree.fingerprint:
        raise UsageError(
            Argument("profile"), f" belongs to another game, {quoted(profile.tree.title)}: give one of {quoted(tree.title)}"
        )
    return EvaluatedProfile(judge_refined(profile), profile)


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
        return f"Solution({self._result} by {self.method}, of {self.problem.game!r})"

    @property
    def _result(self) -> str:
        """The value, or the largest regret in games without one, and whether it is exact."""
        if not self.solved:
            return "no profile"
        bounds, regret = self.judgement.bounds, self.judgement.max_regret
        if bounds is not None:
            return f"{'exact ' if self.exact else ''}value {shown_between(*bounds)}"
        if regret is None:
            return "a profile without known regrets"
        return "an exact equilibrium" if self.exact else f"a profile with regrets up to {shown(regret)}"

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C or SIGTERM came while the method ran."""
        return self.run_history is not None and self.run_history.interrupted

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

        Raises LiarsDiceError if nothing was found or the strategy has no profile: for a subgame,
        for trees above the `exact_max_nodes` of the request, and for strategies in fractions.
        """
        best, problem = self.best, self.problem
        fits = isinstance(problem, RulesProblem) and self.arithmetic == FLOAT and problem.nodes <= self.request.exact_max_nodes
        if best.profile is not None or best.stored is None or not fits:
            return best.in_tree
        profile = profile_of(best.stored, problem.free_tree)
        return marked(problem.free_tree, profile, problem.tree_lock) if problem.lock else profile

    @property
    def value(self) -> Number:
        """The value of a two-player constant-sum game for player 1: the proved fraction, or the middle of the bounds.

        Raises LiarsDiceError for other games, where equilibria may pay differently: see `judgement.payoffs`.
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

        Raises LiarsDiceError if there is no profile, UsageError if the game does not come from rules.
        """
        problem, best = self.problem.with_rules(), self.best
        if best.stored is not None:
            return in_whole_game(problem.rules, best.stored)
        return in_whole_game(problem.rules, _of_profile(self))


def _of_profile(solution: Solution) -> ProfileStrategy:
    """Return the first profile as a strategy, in the game that was solved."""
    problem = solution.problem.with_rules()
    return ProfileStrategy.of(problem.reduced, problem.free_tree, solution.best.in_tree.probabilities)


def _write_strategy(solution: Solution, name: str) -> None:
    """Write the first profile as a strategy file: expanded, in the game that was solved, with its bounds.

    A refined profile is expanded everywhere, because it also says how to play after mistakes.
    """
    best, history = solution.best, solution.run_history
    if best.stored is None:
        strategy = expanded(_of_profile(solution), after_mistakes=isinstance(best.in_tree, RefinedProfile))
    else:
        from liarsdice_cli.solvers.public_tree.values import subtree_values  # imports numba

        strategy = replace(best.stored, values=subtree_values(best.stored, solution.request.threads))
    iterations = None if history is None or best.stored is None else history.last.iteration
    origin = Origin.of(solution.method, iterations, best.free or best.judgement)
    registry.writer(name, registry.STRATEGY)(name, strategy, origin)


def _write_certificate(solution: Solution, name: str) -> None:
    """Write what the first profile proves as a certificate, in the game of the rules, impossible bids included."""
    from liarsdice_cli.solvers.double_oracle.certifying import certificate

    best = solution.best
    if best.stored is None:
        profile = _of_profile(solution)
        plans = listed(profile) if best.in_tree.exact else rounded(expanded(profile))
    else:
        plans = best.plans or rounded(best.stored)
    found = certificate(plans.in_whole_game(solution.problem.with_rules().rules), solution.method)
    registry.writer(name, registry.STRATEGY)(name, found, found.origin)


def check_whole(name: str, start: Subgame | None) -> None:
    """Raise UsageError if the solution or the strategy of a subgame is to be saved in a file."""
    if start is not None:
        raise UsageError(
            Argument("output", name),
            ": a subgame cannot be saved: use `liarsdice resolve` to put it into a strategy file, or save a part of a whole "
            f"solution in a file whose name ends in {registry.suffixes(registry.WORKBOOK)}",
        )


def check_output(name: str | None, problem: Problem) -> None:
    """Raise UsageError if a file is to be written for a game that cannot have one.

    A subgame has none. A strategy file is for rules; a certificate is for the whole round of two players, without a lock.
    """
    if name is not None and isinstance(problem, PublicTreeProblem):
        check_whole(name, problem.start)
    if name is not None and registry.holds(name, registry.STRATEGY) and not isinstance(problem, PublicTreeProblem):
        given = Argument("sides"), ", ", Argument("dice"), " ..."
        raise UsageError(Argument("output", name), ": strategy files are for rules (", *given, "); name a .json file")
    if name is not None and registry.is_certificate(name) and (problem.players != 2 or problem.lock):
        raise UsageError(Argument("output", name), ": a certificate is for two players, without a lock; name an .ldz file")


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
    check_output(name, solution.problem)
    if registry.holds(name, registry.STRATEGY):
        check_part(name, depth, moves(history))
        (_write_certificate if registry.is_certificate(name) else _write_strategy)(solution, name)
    else:
        write_profile(solution.profile, name, method=solution.method, depth=depth, history=history)
