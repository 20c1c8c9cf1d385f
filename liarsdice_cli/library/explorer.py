"""The explorer: a page that shows a strategy at every public state, with values, beliefs and the cost of mistakes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from typing import overload

import numpy as np

from liarsdice_cli.draw.explorer import columns, game, page, server, sheet, shell
from liarsdice_cli.draw.formats import PAGE, SHEET
from liarsdice_cli.draw.scene import Scene
from liarsdice_cli.draw.visitors import HERE, Access
from liarsdice_cli.errors import Argument, LiarsDiceError, UsageError, check_number, check_type
from liarsdice_cli.extensive.evaluate import judge
from liarsdice_cli.extensive.profile import Profile, allows_fractions
from liarsdice_cli.extensive.profile_values import ProfileValues
from liarsdice_cli.extensive.recall import of_two_with_recall
from liarsdice_cli.extensive.renderable import Renderable
from liarsdice_cli.extensive.stream import CHANCE
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.extensive.trembles import with_mistakes
from liarsdice_cli.formats import registry
from liarsdice_cli.formats.certificate import Certificate
from liarsdice_cli.formats.ldz import StrategyFile
from liarsdice_cli.formats.writing import writable
from liarsdice_cli.games.liarsdice import beliefs, continuations
from liarsdice_cli.games.liarsdice.beliefs import RollsAfter
from liarsdice_cli.games.liarsdice.continuations import Continuations
from liarsdice_cli.games.liarsdice.exact_strategy import ExactStrategy
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.strategy import ProfileStrategy, Strategy
from liarsdice_cli.games.liarsdice.tree import Counts
from liarsdice_cli.progress import SILENT, Progress, check_progress
from liarsdice_cli.report.judgement import verdict_on
from liarsdice_cli.report.showing import proved
from liarsdice_cli.solvers.exact.alternatives import Alternatives
from liarsdice_cli.solvers.ladder import solve
from liarsdice_cli.solvers.problem import Problem, TreeProblem
from liarsdice_cli.solvers.request import Request
from liarsdice_cli.solvers.solution import EvaluatedProfile, Solution, given
from liarsdice_cli.strategies.stored import stored_in

_MOST_NODES = 500_000
"""The largest game, in nodes, in which the explorer looks for other equilibria; that takes a few seconds."""
_SECONDS = 10.0
"""The seconds for a search of pure profiles; a game with imperfect recall can have more than can ever be tried."""
_LEFT_OUT = " Bids on more dice than there are can never be true and are left out: a player who faces one calls."


@writable
@dataclass(frozen=True)
class Sheet:
    """A page to print."""

    scene: Scene

    def dumps(self, name: str = "sheet.html") -> bytes:
        """Return the content of a file of this name; LiarsDiceError if it is a PDF and CairoSVG is missing."""
        return registry.writer(name, SHEET)(self.scene)


@writable
@dataclass(frozen=True)
class Explorer(Renderable):
    """An explorer of Liar's Dice: `write` saves it as one offline page, and `serve` serves it on this machine.

    strategy : the strategy, for the rules that were solved
    title    : the title of the requested game
    source   : the method or the file of the strategy, and the verdict of its evaluation
    exact    : whether its probabilities are fractions
    depth    : the most bids before a decision that a page shows; None for as many as fit
    profile  : the strategy as a profile of the tree of its rules, if it has one. A page shows fractions if
               `allows_fractions` of the histories times the rolls, otherwise decimals
    """

    strategy: Strategy
    title: str
    source: str
    exact: bool
    depth: int | None = None
    profile: Profile | None = None

    def __post_init__(self) -> None:
        """Raise UsageError for the strategy of a subgame."""
        found = stored_in(self.strategy)
        if found is not None and found.start is not None:
            cure = f"explore the whole game, or call strategy_at(solution, {found.start.history_text or 'opening'!r})"
            raise UsageError(Argument("what"), f" is the solution of a subgame, which has no page: {cure}")

    def __repr__(self) -> str:
        return f"Explorer({self.title}; {self.source})"

    def dumps(self, name: str = "explorer.html", *, progress: Progress = SILENT) -> bytes:
        """Return the content of a file of this name; if it is too large, LiarsDiceError names the greatest depth that fits.

        progress : counts the histories that are read, `histories` in all

        In a game that is not small, every history takes about 2 ms (two dice each with six sides).
        """
        shown = self.shown  # raises before anything is read
        progress.begin("reading", self.histories, "histories")
        content = page.of_file(self._readings(progress), self.title, self.source, self.exact, shown, self._others)
        return registry.writer(name, PAGE)(content)

    def sheet(self) -> Sheet:
        """Return a page to print with the openings and answers of every roll; `write` saves it as .html or .pdf."""
        return Sheet(sheet.scene(self.strategy, self.title, self.source))

    @property
    def shown(self) -> int:
        """The most bids before a decision that a file shows; LiarsDiceError if `depth` is more than fits."""
        return page.deepest(self.strategy.rules, self.depth)

    def limited(self, histories: int) -> Explorer:
        """Return an explorer of at most this many histories, if they are read one by one; otherwise this one."""
        rules = self.strategy.rules
        if page.is_small(rules) or self.histories <= histories:
            return self
        return replace(self, depth=max(depth for depth in range(self.shown) if columns.histories(rules, depth) <= histories))

    @property
    def histories(self) -> int:
        """The number of histories on a page."""
        rules = self.strategy.rules
        return columns.histories(rules, rules.bid_count if page.is_small(rules) else self.shown)

    @property
    def nodes(self) -> int:
        """The number of nodes of the game."""
        return Counts.of(self.strategy.rules).nodes

    def serve(self, port: int = 0, progress: Progress = SILENT, access: Access = HERE) -> server.Server:
        """Return a server at this port (0: a free one), for games of any size; it has an `address`.

        progress : counts the histories that are read first
        access   : the address to listen at; by default only this machine can connect

        It answers while `serve_forever` runs and is closed as a context manager. Raises LiarsDiceError for a port in use.
        """
        rules = self.strategy.rules
        if page.is_small(rules):
            progress.begin("reading", self.histories, "histories")
        readings = self._readings(progress)
        fractions = isinstance(readings, Continuations) and readings.exact
        content = shell.html(page.of_server(rules, self.title, self.source, self.exact, fractions, self._others))
        return server.Server(port, content, rules, readings.after, access)

    @cached_property
    def _others(self) -> dict[str, Mapping[str, Fraction]]:
        """The actions of other equilibria, by the names of information sets; empty if they are not known."""
        found = {} if self.profile is None else _alternatives(self.profile)
        return {self.profile.tree.label_of(row): shares for row, shares in found.items() if self.profile is not None}

    def _readings(self, progress: Progress) -> columns.Readings:
        rules = self.strategy.rules
        if self.profile is not None and allows_fractions(self.profile, beliefs.table_size(rules, ())):
            return Continuations(ExactStrategy(rules, self.profile), progress=progress)
        if page.is_small(rules):
            return continuations.all_continuations(self.strategy, progress=progress)
        return columns.OneByOne(rules, self._reader(), progress)

    def _reader(self) -> Callable[[Sequence[int]], RollsAfter]:
        """Return the function that computes a history of a large strategy; without an expanded tree it omits slow values."""
        from liarsdice_cli.solvers.public_tree.values import Values  # imports numba
        from liarsdice_cli.strategies.stored import Stored

        return Values(self.strategy).after if isinstance(self.strategy, Stored) else partial(continuations.after, self.strategy)


@writable
@dataclass(frozen=True)
class GameExplorer(Renderable):
    """An explorer of a profile in any game, by public states; `write` saves it as one page.

    profile : the profile, with its game
    source  : the method or the file of the profile, and the verdict of its evaluation
    depth   : the most public states before a decision that a page shows; None for all
    """

    profile: Profile
    source: str
    depth: int | None = None

    def __repr__(self) -> str:
        return f"GameExplorer({self.title}; {self.source})"

    def dumps(self, name: str = "explorer.html") -> bytes:
        """Return the content of a file of this name; LiarsDiceError if the game is too large for a page."""
        content = game.of_game(self.profile, self.source, self.depth, _alternatives(self.profile))
        return registry.writer(name, PAGE)(content)

    @property
    def title(self) -> str:
        """The title of the game."""
        return self.profile.tree.title

    @property
    def nodes(self) -> int:
        """The number of nodes of the game."""
        return self.profile.tree.nodes


@overload
def explore(
    what: GameTree,
    *,
    profile: Profile | None = ...,
    depth: int | None = ...,
    source: str = ...,
    progress: Progress = ...,
) -> GameExplorer: ...


@overload
def explore(
    what: Rules | Strategy,
    *,
    profile: Profile | None = ...,
    depth: int | None = ...,
    source: str = ...,
    progress: Progress = ...,
) -> Explorer: ...


@overload
def explore(
    what: Problem | Solution,
    *,
    profile: Profile | None = ...,
    depth: int | None = ...,
    source: str = ...,
    progress: Progress = ...,
) -> Explorer | GameExplorer: ...


def explore(
    what: GameTree | Rules | Problem | Solution | Strategy,
    *,
    profile: Profile | None = None,
    depth: int | None = None,
    source: str = "",
    progress: Progress = SILENT,
) -> Explorer | GameExplorer:
    """Return the explorer of a strategy of Liar's Dice, or of a profile of any other game.

    what     : rules or another game, which is solved first; a solution; or a strategy of Liar's Dice, such as a strategy file
    profile  : a profile of the game, which is then not solved
    depth    : the most bids, or public moves, before a decision that a page shows
    source   : the origin of the profile or the strategy, for the page
    progress : receives reports while the game is solved, as in `solve`

    Raises LiarsDiceError if no profile is found, and for a game without rules that is too large for a page; UsageError for a
    profile together with a strategy.

    >>> from liarsdice_cli import explore, rules
    >>> explore(rules("common", 2)).source[:33]
    'Solved by method quasi-perfect; a'
    """
    cure = "give rules, such as rules('classic', 3), a tree, such as read('game.efg'), a solution or a strategy"
    check_type("what", what, GameTree | Rules | Problem | Solution | Strategy, cure)
    check_type("profile", profile, Profile | None, "give a profile, such as solve(game).profile, or leave it out")
    check_number("depth", depth, 0)
    check_type("source", source, str, "give text")
    check_progress(progress)
    if isinstance(what, Strategy):
        if profile is not None:
            raise UsageError(Argument("profile"), " is for rules or a tree: leave it out, or give one of these")
        return _of_strategy(what, source, depth)
    asked = what.problem if isinstance(what, Solution) else what
    problem = asked if isinstance(asked, Problem) else Problem.of(asked)
    if profile is not None:
        return _of_profile(problem, given(profile, problem), source or "a profile", depth)
    solution = what if isinstance(what, Solution) else _solved(problem, progress)
    if not solution.solved:
        late = "" if solution.finished else " in time"
        raise LiarsDiceError(f"method {solution.method} found no profile{late}: give ", Argument("profile"))
    return _of_profile(solution.problem, solution.best, f"Solved by method {solution.method}", depth)


def _solved(problem: Problem, progress: Progress) -> Solution:
    """Return the solution of a game, if a page can show it, with one profile."""
    request = Request(dealing=problem.dealing)
    if isinstance(problem, TreeProblem):
        game.check(problem.tree)
        request = Request(max_profiles=1, time_limit=None if problem.perfect_recall else _SECONDS)
    progress.begin("solving", unit="profiles")
    return solve(problem, request, progress)


def _of_strategy(strategy: Strategy, source: str, depth: int | None) -> Explorer:
    title, words = f"Liar's Dice: {strategy.rules}", source or "a strategy"
    if isinstance(strategy, StrategyFile | Certificate):
        words = f"{source or f'Strategy {strategy.file}'}, found by {strategy.origin.method}; {proved(strategy.origin)}."
    return Explorer(strategy, title, words, False, depth)


def _of_profile(problem: Problem, best: EvaluatedProfile, origin: str, depth: int | None) -> Explorer | GameExplorer:
    """Return the explorer of a profile or a strategy, with the verdict on it."""
    source = f"{origin}{problem.without}; {verdict_on(best)}."
    if isinstance(problem, TreeProblem):
        return GameExplorer(best.in_tree, source, depth)
    left_out = _LEFT_OUT if problem.left_out else ""
    profile = None if problem.lock else best.profile  # in the tree of a locked game chance moves at the locked sets
    return Explorer(_strategy(problem, best), problem.title, source + left_out, best.judgement.exact, depth, profile)


def _alternatives(profile: Profile) -> dict[int, Mapping[str, Fraction]]:
    """Return the largest probabilities of actions in other equilibria, at the sets that the profile reaches, by row.

    The result is empty unless the profile is proved to be an equilibrium of two players with constant sum and perfect recall,
    in a game of at most `_MOST_NODES`.
    """
    tree = profile.tree
    if tree.nodes > _MOST_NODES or not (of_two_with_recall(tree) and profile.exact and judge(profile).is_equilibrium):
        return {}
    reach = ProfileValues(profile.in_floats()).infoset_reach
    rows = [row for row in np.argsort(-reach, kind="stable").tolist() if reach[row] > 0 and tree.infosets.player[row] != CHANCE]
    return Alternatives(profile).largest_probabilities(rows)


def _strategy(problem: Problem, best: EvaluatedProfile) -> Strategy:
    """Return the strategy in the game that was solved."""
    if best.stored is not None:
        return best.stored
    rules = problem.with_rules().reduced
    return ProfileStrategy.of(rules, problem.free_tree, with_mistakes(best.in_tree))
