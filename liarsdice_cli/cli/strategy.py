"""The strategy that a command line means: what a profile does in the game of the rules, or what solving it finds."""

from __future__ import annotations

from dataclasses import dataclass

from liarsdice_cli.cli.game import problem_of
from liarsdice_cli.cli.options import RuleOptions
from liarsdice_cli.cli.progress import solving
from liarsdice_cli.errors import LiarsDiceError, UsageError
from liarsdice_cli.extensive.trembles import judge_refined, with_mistakes
from liarsdice_cli.formats import kinds
from liarsdice_cli.games.liarsdice.strategy import OfProfile, Strategy
from liarsdice_cli.report.judgement import verdict
from liarsdice_cli.report.reading import proved
from liarsdice_cli.report.solution import facts_of
from liarsdice_cli.solvers.ladder import answer, refined_if_quick
from liarsdice_cli.solvers.problem import Problem
from liarsdice_cli.solvers.solution import Request, Solved


@dataclass(frozen=True)
class FoundStrategy:
    """A strategy and where it comes from.

    title  : of the game that was asked for
    source : in words: the method or the file, what the judge says, and which bids are left out
    exact  : whether its probabilities are fractions
    """

    strategy: Strategy
    title: str
    source: str
    exact: bool


def strategy_of(game: str | None, asked: RuleOptions, profile: str | None, quiet: bool) -> FoundStrategy:
    """The strategy of the profile in the file, or of the solved game of the rules, over the rules that were solved.

    game : the name of a strategy file, which knows its rules; any other file is refused with a UsageError
    """
    if game is not None and kinds.holds(game, kinds.STRATEGY):
        return _file(game, asked, profile)
    if game is not None:
        raise UsageError(
            f"{game}: a game file does not say which rules it comes from: give rule options such as --sides 3, "
            "and --profile for a profile of that game"
        )
    if not asked:
        raise UsageError("no game: give rule options such as --sides 3")
    problem = problem_of(None, asked)
    assert problem.reduced is not None, "the problem is one of rules"
    best, origin = _solved(problem, quiet) if profile is None else _kept(profile, problem)
    words = f"{origin}; {verdict(best.judgement)}"
    left_out = _LEFT_OUT if problem.is_reduced else ""
    return FoundStrategy(
        _strategy(problem, best), facts_of(problem).title, f"{words}. {left_out}".strip(), best.judgement.exact
    )


def _strategy(problem: Problem, best: Solved) -> Strategy:
    """What is done in the game that was solved."""
    if best.averages is not None:
        return best.averages
    assert problem.reduced is not None, "the problem is one of rules"
    return OfProfile.of(problem.reduced, problem.tree, with_mistakes(best.in_tree))


def _file(name: str, asked: RuleOptions, profile: str | None) -> FoundStrategy:
    """The strategy in a file."""
    if asked or profile is not None:
        raise UsageError(f"{name} knows its rules and what is done in them: leave rule options and --profile out")
    kept = kinds.read(name, kinds.STRATEGY)
    source = f"strategy {name}, found by {kept.origin.method}; {proved(kept.origin)}."
    return FoundStrategy(kept, f"Liar's Dice: {kept.rules}", source, False)


def _kept(name: str, problem: Problem) -> tuple[Solved, str]:
    profile = kinds.read(name, kinds.PROFILE, problem.tree)
    return Solved(judge_refined(profile), profile), f"profile {name}"


def _solved(problem: Problem, quiet: bool) -> tuple[Solved, str]:
    with solving("solving", quiet) as watch:
        solution = answer(problem, refined_if_quick(problem, Request(chance=problem.chance)), watch)
    if not solution.solved:
        raise LiarsDiceError("no profile was found; give one with --profile")
    return solution.best, f"solved by method {solution.method}"


_LEFT_OUT = "Bids on more dice than there are can never be true and are left out: whoever faces one calls."
