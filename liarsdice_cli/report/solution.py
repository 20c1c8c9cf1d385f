"""Solutions as tables for a person and as a document for a program."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from liarsdice_cli.extensive.profile_values import ProfileValues
from liarsdice_cli.formats import profile_json
from liarsdice_cli.formats.documents.solutions import Solve, SolvedProfile
from liarsdice_cli.formats.documents.solutions import SubgamePerfect as SubgamePerfectFields
from liarsdice_cli.formats.numbers import encoded, shown
from liarsdice_cli.games.liarsdice.subgame import BAYES, GIVEN, PRIOR
from liarsdice_cli.report.facts import game_info, game_json
from liarsdice_cli.report.history import HistoryReport, history_json, history_tables
from liarsdice_cli.report.judgement import both_json, both_lines, lock_json, lock_lines
from liarsdice_cli.report.profile import profile_tables
from liarsdice_cli.report.run_history import run_history_json, run_history_lines
from liarsdice_cli.report.tables import LONG, Hinted
from liarsdice_cli.solvers.problem import Problem, RulesProblem, SubgameProblem
from liarsdice_cli.solvers.registry import EXACT
from liarsdice_cli.solvers.request import PUBLIC_TREE
from liarsdice_cli.solvers.solution import EvaluatedProfile, Solution, SubgamePerfect
from liarsdice_cli.strategies.stored import StoredStrategy
from liarsdice_cli.text import numbered

if TYPE_CHECKING:
    from rich.console import RenderableType

_SOURCES = {
    PRIOR: "fair dice, as if the bids carried no information",
    GIVEN: "as given",
    BAYES: "by Bayes' rule from a strategy",
}
ONE_OF_MANY = "one of many equilibria"
_MANY = 3
"""Profiles that are shown of many."""


def reduction_text(problem: Problem) -> str | None:
    """Return why the solution of the reduced game solves the whole game; None if they are the same."""
    if not (isinstance(problem, RulesProblem) and problem.left_out):
        return None
    return (
        f"solved{problem.without} ({problem.nodes:,} nodes are left): "
        "no player makes such a bid, and a player who faces one always calls and wins, so this solves the whole game"
    )


def solve_json(solution: Solution, source: str | None) -> Solve:
    """Return the document of `solve`.

    source : the file of the game; None for rules
    """
    return {
        **game_json(solution.problem, source),
        "solved_on": reduction_text(solution.problem),
        "method": solution.method,
        "arithmetic": solution.arithmetic,
        "form": solution.form,
        "reason": solution.reason,
        "parameters": dict(solution.parameters),
        "versions": dict(solution.versions),
        "note": solution.note,
        "finished": solution.finished,
        "lock": lock_json(solution.problem.lock),
        "seconds": round(solution.seconds, 6),
        "subgame_perfect": _subgame_perfect_json(solution.subgame_perfect),
        "run_history": None if solution.run_history is None else run_history_json(solution.run_history),
        "path_of_play": None,
        "profiles": [_profile_json(one) for one in solution.solved],
    }


def _profile_json(one: EvaluatedProfile) -> SolvedProfile:
    report = None if one.stored is None else _at_start(one.stored)
    return {
        **both_json(one.judgement, one.free),
        "one_of_many": one.one_of_many,
        "probabilities": profile_json.sets(one.in_tree) if one.stored is None else None,
        "shown": [] if report is None else [history_json(report)],
    }


def _subgame_perfect_json(found: SubgamePerfect | None) -> SubgamePerfectFields | None:
    if found is None:
        return None
    payoffs = [[encoded(number) for number in vector] for vector in found.payoffs]
    return {"payoffs": payoffs, "complete": found.complete, "ties": found.ties}


def solution_tables(solution: Solution, full: bool = False) -> Iterator[RenderableType]:
    """Yield the game, how it was solved, and for each profile what the players do, then the verdict and the value."""
    facts, reduction = game_info(solution.problem), reduction_text(solution.problem)
    yield from facts.lines()
    if isinstance(solution.problem, SubgameProblem):
        yield f"beliefs: {_SOURCES[solution.problem.start.source]}"
    yield from lock_lines(solution.problem.lock)
    yield from solution_lines(solution)
    if reduction:
        yield reduction
    first = solution.solved if full else solution.solved[:_MANY]
    for number, one in enumerate(first, 1):
        if len(solution.solved) > 1:
            yield from ("", f"profile {number} of {len(solution.solved)}")
        yield from _solved_tables(solution, one, full)
        yield ""
        if one.one_of_many:
            shared = solution.reason and not solution.problem.lock  # what the ladder takes, other commands take too
            yield f"{ONE_OF_MANY}: all commands use this one" if shared else ONE_OF_MANY
        yield from both_lines(facts.players, one.judgement, one.free)
    if len(first) < len(solution.solved):
        exact = sum(one.judgement.is_equilibrium for one in solution.solved)
        rest = f"... {len(solution.solved) - len(first):,} more profiles ({exact:,} of all are equilibria in exact fractions)"
        yield from ("", Hinted(rest, "; --full shows all"))


def _solved_tables(solution: Solution, one: EvaluatedProfile, full: bool) -> Iterator[RenderableType]:
    """Yield the play of a profile: at all information sets of a tree, or at the start of a subgame."""
    if one.stored is not None:
        report = _at_start(one.stored)
        if report is not None:
            yield ""
            yield from history_tables(report, full, len(report.history))
        return
    profile = one.in_tree
    yield from profile_tables(profile, full)
    if solution.method == EXACT and not ProfileValues(profile).reached_sets[profile.tree.infosets.player >= 0].all():
        never = "at information sets that are never reached, actions need not be optimal"
        yield Hinted(never, "; --refine quasi-perfect finds optimal ones there too")


def _at_start(stored: StoredStrategy) -> HistoryReport | None:
    """Return the play at the start of a subgame; None for a whole game."""
    start = stored.start
    return None if start is None else HistoryReport.of_strategy(stored, start.history_text.split())


def solution_lines(solution: Solution) -> Iterator[str]:
    """Yield the method, its reason, its time, and its notes."""
    reason = f" (chosen: {solution.reason})" if solution.reason else ""
    form = solution.form if solution.form == PUBLIC_TREE else f"{solution.form} form"
    yield f"method {solution.method}, {solution.arithmetic}, {form}{reason}; {solution.seconds:.2f} s"
    if solution.note:
        yield solution.note
    if solution.subgame_perfect:
        yield from _subgame_perfect_lines(solution.subgame_perfect)
    if solution.run_history:
        yield from run_history_lines(solution.run_history, "tremble" in solution.parameters)
    elif not solution.finished:
        yield f"stopped at the time limit with {numbered(len(solution.solved), 'profiles')}"
    elif not solution.solved:
        yield Hinted("the method found no profile: try another one", " (see liarsdice methods)")


def _subgame_perfect_lines(found: SubgamePerfect) -> Iterator[str]:
    """Yield the payoffs of all subgame-perfect equilibria, and whether ties matter."""
    vectors = [f"({', '.join(map(shown, vector))})" for vector in found.payoffs]
    more = f" and {len(vectors) - LONG} more" if len(vectors) > LONG else ""
    yield f"subgame-perfect payoffs: {', '.join(vectors[:LONG])}{more}{'' if found.complete else ', and others not listed'}"
    if found.ties:
        matter = (
            "they matter: the profile shown is one choice of several"
            if len(vectors) > 1
            else "they do not matter to the payoffs"
        )
        yield f"ties at {numbered(found.ties, 'nodes')}; {matter}"
