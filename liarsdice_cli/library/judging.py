"""Evaluate profiles and strategies, and report their actions after a history."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, overload

from liarsdice_cli.errors import ArgumentError, check_flags, check_type
from liarsdice_cli.extensive.evaluate import Judgement, SequentialJudgement
from liarsdice_cli.extensive.locks import lock_in, locked
from liarsdice_cli.extensive.paths import moves
from liarsdice_cli.extensive.profile import Profile
from liarsdice_cli.extensive.trembles import judge_refined
from liarsdice_cli.formats import registry
from liarsdice_cli.formats.writing import writes
from liarsdice_cli.games.liarsdice.strategy import Strategy
from liarsdice_cli.report.history import HistoryReport
from liarsdice_cli.solvers.solution import Solution, check_whole
from liarsdice_cli.strategies.expansion import expanded, stored
from liarsdice_cli.strategies.listed import ListedStrategy, rounded
from liarsdice_cli.strategies.stored import stored_in

_CURE = "give a profile, such as solve(rules('classic', 3)).profile, or a strategy, such as read_strategy('strategy.ldz')"


@overload
def judge(what: Profile | Strategy) -> Judgement: ...


@overload
def judge(what: Strategy, *, sequential: Literal[True]) -> SequentialJudgement: ...


def judge(what: Profile | Strategy, *, sequential: bool = False) -> Judgement:
    """Return the payoffs, best-response values and regrets of a profile or a strategy.

    what       : a profile of a tree, evaluated exactly if it is in fractions; or a strategy of Liar's Dice, evaluated on the
                 public tree: a certificate exactly, others in float64. For a refined profile, the result also states whether it
                 is proved quasi-perfect
    sequential : for a strategy of two players, also return the largest regret of each player at any history, reached or not:
                 the gain of a best response from there on, given the roll and the beliefs there. Beliefs follow from the
                 strategies by Bayes' rule; after bids that are never made, from small errors that are alike for all rolls

    Raises LiarsDiceError for payoffs that are too large for floats, and for a strategy of too large a game. Cost: some vector
    steps over the nodes of a tree; for a strategy, a traversal of all histories that it reaches, for each player. Source: that
    of `extensive.evaluate.judge` and of `solvers.public_tree.responses`.

    >>> from liarsdice_cli import judge, rules, solve
    >>> judge(solve(rules("classic", 2)).profile).is_equilibrium
    True
    >>> from liarsdice_cli.games.liarsdice.strategy import Uniform
    >>> found = judge(Uniform(rules("joker", 2)), sequential=True)
    >>> round(found.sequential_regret, 9), found.sequential[1].history, found.sequential[1].roll
    (0.5, ('1x2',), (1,))
    """
    check_flags(sequential=sequential)
    if isinstance(what, Profile):
        if sequential:
            raise ArgumentError("sequential", sequential, "it is for strategies of Liar's Dice; leave it out for a profile")
        return judge_refined(what)
    check_type("what", what, Strategy, _CURE)
    if sequential:
        from liarsdice_cli.solvers.public_tree import sequential as at_every_history

        return at_every_history.judge(stored_in(what) or expanded(what, after_mistakes=True))
    if isinstance(what, ListedStrategy):
        from liarsdice_cli.solvers.double_oracle import certifying

        return certifying.judge(what)
    from liarsdice_cli.games.liarsdice.public import public_game
    from liarsdice_cli.solvers.public_tree.responses import Responses

    found = stored(what)
    return Responses(public_game(found.rules, found.start), found.store).judge()


def judge_locked(profile: Profile) -> Judgement:
    """Return the evaluation in the game with the lock that the profile marks; without marks the same as `judge`."""
    return judge(profile.on(locked(profile.tree, lock_in(profile))))


def strategy_at(what: Profile | Solution | Strategy, history: str | Sequence[str] = "opening") -> HistoryReport:
    """Return the actions of a strategy after a history, with their probabilities and values, for every roll.

    history : labels of actions, or a text such as "1x2 2x3"; "opening" for none

    The numbers are fractions for an exact profile, otherwise float64. Raises LiarsDiceError for an impossible history.

    >>> from liarsdice_cli import rules, solve, strategy_at
    >>> found = strategy_at(solve(rules("classic", 2)), "2x1")
    >>> found.rolls, found.actions, found["1"]["call"]
    (('1', '2'), ('call', '2x2'), Fraction(1, 1))
    """
    if isinstance(what, Solution):
        what = what.strategy() if what.best.stored is not None else what.profile
    if isinstance(what, Profile):
        return HistoryReport.of_profile(what, moves(history))
    check_type("what", what, Strategy, _CURE)
    return HistoryReport.of_strategy(what, moves(history))


@writes(Strategy)
def _write_strategy(strategy: Strategy, name: str, *, method: str = "") -> None:
    """Write a strategy of Liar's Dice, expanded and evaluated. One from a strategy file keeps its origin and its histories.

    method : the name of its origin in the file; its own if it has one, or "unknown"
    """
    from liarsdice_cli.formats.certificate import Certificate
    from liarsdice_cli.formats.ldz import Origin, StrategyFile

    writer = registry.writer(name, registry.STRATEGY)  # checks the name before the strategy is evaluated
    if (found := stored_in(strategy)) is not None:
        check_whole(name, found.start)
    if not method:
        method = strategy.origin.method if isinstance(strategy, StrategyFile | Certificate) else "unknown"
    if registry.is_certificate(name):
        from liarsdice_cli.solvers.double_oracle.certifying import certificate

        plans = strategy if isinstance(strategy, ListedStrategy) else rounded(stored(strategy))
        proof = certificate(plans, method)
        writer(name, proof, proof.origin)
        return
    if isinstance(strategy, StrategyFile):
        writer(name, strategy, replace(strategy.origin, method=method))
        return
    kept = expanded(strategy)
    writer(name, kept, Origin.of(method, None, judge(kept)))
