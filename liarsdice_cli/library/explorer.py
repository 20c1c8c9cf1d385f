"""The explorer: a page to click through what a strategy of Liar's Dice does after any bids, why, and what mistakes cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from liarsdice_cli.draw.explorer import page, server
from liarsdice_cli.errors import LiarsDiceError, UsageError
from liarsdice_cli.extensive.displayed import Displayed
from liarsdice_cli.extensive.profile import Profile
from liarsdice_cli.extensive.trembles import judge_refined, with_mistakes
from liarsdice_cli.formats import kinds
from liarsdice_cli.formats.ldz import StrategyFile
from liarsdice_cli.games.liarsdice import beliefs
from liarsdice_cli.games.liarsdice.beliefs import RollsAfter
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.strategy import OfProfile, Strategy
from liarsdice_cli.report.judgement import verdict
from liarsdice_cli.report.reading import proved
from liarsdice_cli.solvers.ladder import solve_for_mistakes
from liarsdice_cli.solvers.problem import Problem
from liarsdice_cli.solvers.solution import Request, Solution, Solved, Watch

_NOTHING: Callable[[int], None] = lambda histories: None  # noqa: E731
_LEFT_OUT = " Bids on more dice than there are can never be true and are left out: whoever faces one calls."


@dataclass(frozen=True)
class Explorer(Displayed):
    """What a page shows; `write` keeps it as one file that needs no network, `serve` answers a browser on this machine.

    strategy : over the rules that were solved
    title    : of the game that was asked for
    source   : where the strategy comes from, in words: the method or the file, and what the judge says
    exact    : whether its probabilities are fractions
    depth    : the most bids before a decision that a page shows; None for all
    """

    strategy: Strategy
    title: str
    source: str
    exact: bool
    depth: int | None = None

    def dumps(self, name: str = "explorer.html", *, advance: Callable[[int], None] = _NOTHING) -> bytes:
        """The content of a file of this name; LiarsDiceError that names the greatest depth that fits where it is too large.

        advance : called with numbers of histories, 2^N of them for N bids
        """
        everything = page.all_readings(self.strategy, advance)
        return kinds.writer(name, kinds.PAGE)(everything, self.title, self.source, self.exact, self.depth)

    def serve(self, port: int = 0, advance: Callable[[int], None] = _NOTHING) -> server.Server:
        """A server at 127.0.0.1 and this port (0: a free one), for games of any size; `address` says where.

        It answers while `serve_forever` runs and is closed as a context manager. Raises LiarsDiceError for a port in use.
        """
        rules = self.strategy.rules
        after = page.all_readings(self.strategy, advance).after if page.is_small(rules) else self._reader()
        return server.Server(port, page.of_server(rules, self.title, self.source, self.exact), rules, after)

    def _reader(self) -> Callable[[Sequence[int]], RollsAfter]:
        """What reads a large strategy; one that has grown with all values, any other with those that take no long search."""
        from liarsdice_cli.solvers.public_tree.values import Grown, Values  # imports numba

        return Values(self.strategy).after if isinstance(self.strategy, Grown) else partial(beliefs.after, self.strategy)


def explore(
    what: Rules | Problem | Solution | Strategy,
    *,
    profile: Profile | None = None,
    depth: int | None = None,
    source: str = "",
    watch: Watch | None = None,
) -> Explorer:
    """The explorer of a strategy.

    what    : rules, which are solved, refined where that is quick; a solution of rules; or any strategy of Liar's Dice,
              a strategy file for one
    profile : of the tree of the rules, in place of solving them
    source  : where the profile or the strategy comes from
    watch   : what is told while they are solved

    Raises UsageError for a game that is not of rules, LiarsDiceError where no profile is found.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> explore(rules("common", 2)).source[:33]
    'solved by method quasi-perfect; a'
    """
    if isinstance(what, Rules | Problem):
        problem = Problem(what) if isinstance(what, Rules) else what
        if profile is not None:
            return _of(problem, Solved(judge_refined(profile), profile), source or "a profile", depth)
        return _of_solution(solve_for_mistakes(problem, Request(chance=problem.chance), watch), depth)
    if isinstance(what, Solution):
        return _of_solution(what, depth)
    title = f"Liar's Dice: {what.rules}"
    if isinstance(what, StrategyFile):
        words = f"{source or f'strategy {what.file}'}, found by {what.origin.method}; {proved(what.origin)}."
        return Explorer(what, title, words, False, depth)
    return Explorer(what, title, source or "a strategy", False, depth)


def _of_solution(solution: Solution, depth: int | None) -> Explorer:
    if solution.problem.rules is None:
        raise UsageError("the explorer is for Liar's Dice: a game file does not say which rules it comes from; give the rules")
    if not solution.solved:
        raise LiarsDiceError("no profile was found; give one, or more time")
    return _of(solution.problem, solution.best, f"solved by method {solution.method}", depth)


def _of(problem: Problem, best: Solved, origin: str, depth: int | None) -> Explorer:
    left_out = _LEFT_OUT if problem.is_reduced else ""
    source = f"{origin}; {verdict(best.judgement)}.{left_out}"
    return Explorer(_strategy(problem, best), f"Liar's Dice: {problem.rules}", source, best.judgement.exact, depth)


def _strategy(problem: Problem, best: Solved) -> Strategy:
    """What is done in the game that was solved."""
    if best.averages is not None:
        return best.averages
    assert problem.reduced is not None, "the problem is one of rules"
    return OfProfile.of(problem.reduced, problem.free_tree, with_mistakes(best.in_tree))
