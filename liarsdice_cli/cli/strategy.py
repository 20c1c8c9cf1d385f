"""The strategy that a command line means: what a profile does in the game of the rules, or what solving it finds."""

from __future__ import annotations

from dataclasses import dataclass

from liarsdice_cli.cli.game import game_of
from liarsdice_cli.cli.options import RuleOptions
from liarsdice_cli.cli.progress import waiting
from liarsdice_cli.errors import LiarsDiceError, UsageError
from liarsdice_cli.extensive.profile import Profile
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.formats import profile_json
from liarsdice_cli.formats.ldz import StrategyFile, is_strategy
from liarsdice_cli.games.liarsdice.strategy import OfProfile, Strategy
from liarsdice_cli.report.solution import judgement_lines
from liarsdice_cli.solvers.registry import AUTO, Request, judged, solve
from liarsdice_cli.solvers.solution import Solved


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
    if game is not None and is_strategy(game):
        return _file(game, asked, profile)
    if game is not None:
        raise UsageError(
            f"{game}: a game file does not say which rules it comes from: give rule options such as --sides 3, "
            "and --profile for a profile of that game"
        )
    if not asked:
        raise UsageError("no game: give rule options such as --sides 3")
    rules = asked.rules()
    if rules.players != 2:
        raise UsageError(
            f"--dice names {rules.players} players: give two numbers, such as 1,1; values are shown for two players"
        )
    chosen = game_of(None, asked)
    solved, origin = (_solved(chosen.tree, quiet)) if profile is None else _kept(profile, chosen.tree)
    words = f"{origin}; {next(judgement_lines(chosen.tree, solved.judgement))}"
    rules = rules if chosen.lifted is None else rules.without_impossible_bids()
    strategy = OfProfile.of(rules, chosen.tree, solved.profile.probabilities)
    return FoundStrategy(strategy, chosen.facts.title, f"{words}. {_left_out(chosen.lifted)}".strip(), solved.profile.exact)


def _file(name: str, asked: RuleOptions, profile: str | None) -> FoundStrategy:
    """The strategy in a file."""
    if asked or profile is not None:
        raise UsageError(f"{name} knows its rules and what is done in them: leave rule options and --profile out")
    kept = StrategyFile(name)
    origin = kept.origin
    source = f"strategy {name}, found by {origin.method}; value for player 1 from {origin.lower:.6g} to {origin.upper:.6g}."
    return FoundStrategy(kept, f"Liar's Dice: {kept.rules}", source, False)


def _kept(name: str, tree: GameTree) -> tuple[Solved, str]:
    profile: Profile = profile_json.read(name, tree)
    return judged(tree, profile), f"profile {name}"


def _solved(tree: GameTree, quiet: bool) -> tuple[Solved, str]:
    with waiting("solving", quiet):
        solution = solve(tree, AUTO, Request())
    if not solution.solved:
        raise LiarsDiceError("no profile was found; give one with --profile")
    return solution.solved[0], f"solved by method {solution.method}"


def _left_out(lifted: str | None) -> str:
    return (
        ""
        if lifted is None
        else "Bids on more dice than there are can never be true and are left out: whoever faces one calls."
    )
