"""Pictures of games and of profiles on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING, overload

from liarsdice_cli.bots.zero_intelligence.model import Model
from liarsdice_cli.draw import choice, pictures
from liarsdice_cli.errors import Argument, LiarsDiceError, UsageError, check_flags, check_number, check_one_of, check_type
from liarsdice_cli.extensive.paths import moves
from liarsdice_cli.extensive.profile import Profile
from liarsdice_cli.extensive.renderable import Renderable
from liarsdice_cli.extensive.subtree_view import SubtreeView
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.formats.writing import writable
from liarsdice_cli.games.impartial.subtraction import TakeAway
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.subgame import Subgame
from liarsdice_cli.games.positions import Analysis, PositionGraph
from liarsdice_cli.library.figures import Figure, figure
from liarsdice_cli.library.impartial import Nim
from liarsdice_cli.library.outcomes import Outcomes
from liarsdice_cli.progress import SILENT, Progress, check_progress
from liarsdice_cli.report.judgement import verdict_on
from liarsdice_cli.solvers.ladder import solve
from liarsdice_cli.solvers.problem import Problem, RulesProblem
from liarsdice_cli.solvers.regret.convergence import TARGET
from liarsdice_cli.solvers.request import Request
from liarsdice_cli.solvers.solution import Solution

if TYPE_CHECKING:
    from liarsdice_cli.solvers.problem import Game

_DRAWN = GameTree | Rules | Subgame | Problem | Profile | Solution | Outcomes | TakeAway | Nim | Analysis | Model
SOLVED = 300_000
"""The largest game, in nodes, that is solved for its picture, in a second or two."""
SECONDS = 10.0
"""The time limit for solving it."""


@writable
@dataclass(frozen=True, eq=False)
class Picture(Renderable):
    """A picture of a game, or of a part of it; `write` saves it, and a notebook shows it.

    part         : the part that is drawn, with its profile
    infosets     : how information sets are shown, one of `draw.pictures.INFOSETS`
    reached_only : whether everything that the profile never reaches is left out
    told         : the parts of `note`; the names of arguments are of the type `Argument`
    """

    part: SubtreeView
    infosets: str = "auto"
    told: tuple[str | Argument, ...] = ()
    reached_only: bool = False

    @property
    def note(self) -> str:
        """The origin of the profile, or the reason why there is none; "" for a given profile."""
        return "".join(map(str, self.told))

    def dumps(self, name: str) -> bytes:
        """Return the content of a file of this name (- for text); UsageError if the name does not end in a picture format."""
        return pictures.dumps(self.part, pictures.tree_format(name), self.infosets, self.reached_only)

    def __repr__(self) -> str:
        return f"Picture({self.part.title!r})"


@overload
def picture(what: TakeAway | Nim | Analysis | Model, *, start: int = ..., unfolded: bool = ...) -> Figure: ...


@overload
def picture(
    what: Game | Problem | Profile | Solution | Outcomes,
    *,
    no_profile: bool = ...,
    history: str | Sequence[str] = ...,
    depth: int | None = ...,
    infosets: str = ...,
    reached_only: bool = ...,
    progress: Progress = ...,
) -> Picture: ...


def picture(
    what: Game | Problem | Profile | Solution | Outcomes | TakeAway | Nim | Analysis | Model,
    *,
    start: int = 0,
    unfolded: bool = False,
    no_profile: bool = False,
    history: str | Sequence[str] = (),
    depth: int | None = None,
    infosets: str = "auto",
    reached_only: bool = False,
    progress: Progress = SILENT,
) -> Picture | Figure:
    """Return a picture of a game, of a profile on it, or of the positions from which a player wins.

    what         : a profile, or a solution, of which it shows the first profile; a game, which is solved first if it has at
                   most 300,000 nodes (see `note`); the result of `outcomes`; or a position of take-away or Nim, an analysed
                   graph, or Zero Intelligence's model
    start        : for a graph, the number of the first position
    unfolded     : for take-away and graphs, draw the tree of all plays instead of the positions
    no_profile   : draw the game alone, without solving it
    history      : moves of the players, after which the picture begins
    depth        : the most moves of the players that it shows
    infosets     : "dotted" lines, "chips" with numbers, or "auto": lines if they cross nothing
    reached_only : leave out the nodes that the profile never reaches; the title then says so
    progress     : receives reports while the game is solved, as in `solve`

    Liar's Dice gets a panel for every deal. A game too large for that gets the public tree, with a bar for every roll.

    Raises UsageError for an option of another kind of picture. If the game is too large, raises LiarsDiceError before solving
    it, and names a depth that can be drawn.

    >>> from liarsdice_cli import picture, rules
    >>> drawn = picture(rules("classic", 2))
    >>> drawn.note.split(";")[0], drawn.dumps("tree.svg")[:4]
    ('solved by method quasi-perfect', b'<svg')
    """
    if isinstance(what, PositionGraph):
        raise UsageError(Argument("what"), " is a graph without winners: give its analysis, graph.analyse()")
    check_type("what", what, _DRAWN, "give rules, such as rules('classic', 3), a tree, a profile, a solution or a position")
    check_type("start", start, Integral, "give the number of a position")
    check_flags(unfolded=unfolded, no_profile=no_profile, reached_only=reached_only)
    check_number("depth", depth, 0)
    check_type("infosets", infosets, str, f"choose from {', '.join(pictures.INFOSETS)}")
    check_one_of("infosets", infosets, pictures.INFOSETS)
    check_progress(progress)
    if isinstance(what, TakeAway | Nim | Analysis | Model):
        _refuse(
            "a game tree",
            no_profile=no_profile,
            history=history,
            depth=depth is not None,
            infosets=infosets != "auto",
            reached_only=reached_only,
        )
        if not isinstance(what, Analysis):
            _refuse("an analysed graph", start=start)
        return figure(what, start, unfolded=unfolded)
    _refuse("an analysed graph", start=start)
    _refuse("take-away or of an analysed graph", unfolded=unfolded)
    what = what.solution if isinstance(what, Outcomes) else what
    what = what.profile if isinstance(what, Solution) else what
    given = what if isinstance(what, Profile) else None
    what = what if isinstance(what, Profile | Problem) else Problem.of(what)
    if isinstance(what, Problem):
        what.check_history(moves(history))
    told: tuple[str | Argument, ...] = ()
    if no_profile and reached_only:
        raise UsageError(
            Argument("no_profile", True),
            " shows no profile, so nothing is reached: leave out this option or ",
            Argument("reached_only", True),
        )
    if no_profile:
        given = None
    elif given is None:
        if not reached_only:
            choice.check(_part(what.tree, None, history, depth).tree)  # nothing is solved for a picture that cannot be drawn
        given, told = _solved(what, progress)
    if isinstance(what, Problem) and what.without:
        told = f"drawn{what.without}", *(("; ", *told) if told else ())
    return Picture(_part(what.tree, given, history, depth), infosets, told, reached_only)


def _refuse(picture: str, **options: object) -> None:
    """Raise UsageError for an option that is given but is only for this kind of picture."""
    for option, given in options.items():
        if given:
            raise UsageError(Argument(option), f" is for a picture of {picture}: leave it out")


def _part(tree: GameTree, profile: Profile | None, history: str | Sequence[str], depth: int | None) -> SubtreeView:
    part = SubtreeView.whole(tree, profile).after(moves(history))
    return part if depth is None else part.cut(depth)


def _solved(what: Profile | Problem, progress: Progress) -> tuple[Profile | None, tuple[str | Argument, ...]]:
    """Return a profile of a small game and its origin; otherwise None and the reason."""
    without, tree = "drawn without a profile: ", what.tree
    game: Problem | GameTree = tree
    request = Request(time_limit=SECONDS, max_profiles=1)  # the picture shows one profile
    if isinstance(what, RulesProblem) and what.players > 2 and not what.lock:
        game, request = what, Request(time_limit=SECONDS, target=TARGET * what.public.range)  # on the public tree
    if tree.nodes > SOLVED:
        many = f"{tree.nodes:,} nodes are more than the {SOLVED:,} that can be solved here"
        return None, (f"{without}{many}; give ", Argument("profile"))
    progress.begin("solving", unit="profiles")
    try:
        solution = solve(game, request, progress)
    except LiarsDiceError as error:
        return None, (without, *error.parts)
    if not solution.solved:
        within = "" if solution.finished else f" within {SECONDS:g} s"
        return None, (f"{without}method {solution.method} found none{within}; give ", Argument("profile"))
    return solution.profile, (f"solved by method {solution.method}; {verdict_on(solution.best)}",)
