"""Games, profiles, strategies and pictures to files and back, in the format that the name says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from liarsdice_cli.errors import Argument, LiarsDiceError, TimeLimitError, UsageError, check_type
from liarsdice_cli.extensive.excerpt import Part
from liarsdice_cli.extensive.profile import Profile
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.formats import files, kinds
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.tree import stream
from liarsdice_cli.library.histories import moves

if TYPE_CHECKING:
    from liarsdice_cli.formats.ldz import StrategyFile
    from liarsdice_cli.games.liarsdice.strategy import Strategy
    from liarsdice_cli.library.explorer import Explorer, GameExplorer, Sheet
    from liarsdice_cli.library.figures import Figure
    from liarsdice_cli.library.pictures import Picture
    from liarsdice_cli.solvers.solution import Solution
    from liarsdice_cli.system.tasks import InOrder


def read(name: str) -> GameTree:
    """The game in an .efg file, packed by gzip or not; - for standard input.

    Raises LiarsDiceError, naming the file and the place in it, for what is no game, and for a file larger than memory takes.
    Cost: about 0.7 s and 200 MB a million nodes.

    >>> read("sample_games/kuhn-poker.efg").nodes
    55
    """
    return kinds.read(name, kinds.GAME)


def read_profile(name: str, game: GameTree) -> Profile:
    """The profile in a .json file, as `write` keeps it, for its game; LiarsDiceError where it belongs to another."""
    check_type("game", game, GameTree, "give the tree of the profile, such as read('game.efg')")
    return kinds.read(name, kinds.PROFILE, game)


def read_strategy(name: str) -> StrategyFile:
    """The strategy in an .ldz file, which knows its rules, read as it is needed; LiarsDiceError for any other file."""
    return kinds.read(name, kinds.STRATEGY)


def write(
    what: Rules | GameTree | Profile | Solution | Strategy | Picture | Figure | Explorer | GameExplorer | Sheet,
    name: str,
    **how: Any,
) -> None:
    """Write it to a file in the format that the name says, - for standard output; the file is whole, or is not there.

    what | formats                     | how
    Rules, GameTree | .efg, .nfg, .gbt | labels="auto", "full" or "none"; of rules also chance, as `build` takes it; `advance`,
                                         called with numbers of nodes; `in_order`, which makes sections elsewhere
    Profile         | .json, .gbt      | of a .gbt: depth, history, to cut a part out
    Solution        | .json, .gbt, .ldz | the same, of the first profile; an .ldz file also holds what has no profile
    Strategy        | .ldz             | method, as the file says it; judged before it is kept
    Picture         | .svg, .png, .pdf, .tex, .html, .txt |
    Figure          | the same but .txt; of a chart .svg, .png, .pdf |
    Explorer        | .html            | advance, called with numbers of histories; its `sheet()`, to print: .html, .pdf
    GameExplorer    | .html            |

    Raises LiarsDiceError where the file cannot be written or there is nothing to write, UsageError for a name that says no
    fitting format. Rules are written as they are unfolded, in memory that does not grow with the tree.

    >>> from tempfile import TemporaryDirectory
    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> with TemporaryDirectory() as folder:
    ...     write(rules("classic", 2), f"{folder}/game.efg")
    ...     read(f"{folder}/game.efg").nodes
    125
    """
    if "chance" in how and not isinstance(what, Rules):
        raise UsageError(Argument("chance"), " says how a tree of rules deals the dice: leave it out for what is no rules")
    if isinstance(what, Rules | GameTree):
        _write_game(what, name, **how)
        return
    from liarsdice_cli.solvers.solution import Solution  # which a game that is only written needs not wait for

    if isinstance(what, Profile):
        _write_profile(what, name, **how)
    elif isinstance(what, Solution):
        _write_solution(what, name, **how)
    elif hasattr(what, "dumps"):
        _write_content(what, name, **how)
    else:
        from liarsdice_cli.games.liarsdice.strategy import Strategy

        check_type("what", what, Strategy, "give rules, a tree, a profile, a solution, a strategy or a picture")
        _write_strategy(what, name, **how)


def _write_game(
    game: Rules | GameTree,
    name: str,
    *,
    labels: str = "auto",
    chance: str = "ordered",
    advance: Callable[[int], None] = lambda nodes: None,
    in_order: InOrder = map,
) -> None:
    nodes = stream(game, chance) if isinstance(game, Rules) else game.stream()
    writer = kinds.writer(name, kinds.GAME)
    with files.output(name) as out:
        writer(nodes, out, labels, advance, in_order)


def _write_profile(
    profile: Profile, name: str, *, method: str = "", depth: int | None = None, history: str | Sequence[str] = ()
) -> None:
    kinds.check(name, kinds.PROFILE, kinds.WORKBOOK)
    check_part(name, depth, moves(history))
    if kinds.holds(name, kinds.WORKBOOK):
        write_workbook(profile.tree, profile, method, name, depth, history)
        return
    content = kinds.writer(name, kinds.PROFILE)(profile, method)
    with files.output(name) as out:
        out.write(content)


def write_workbook(
    tree: GameTree,
    profile: Profile | None,
    method: str,
    name: str,
    depth: int | None = None,
    history: str | Sequence[str] = (),
) -> None:
    """Write a workbook that Gambit's interface can open, of a game or of a part of it, with a profile or without.

    Raises LiarsDiceError where no part is small enough, and for a history after which nobody moves.
    """
    content = kinds.writer(name, kinds.WORKBOOK)(Part.whole(tree, profile).after(moves(history)), method, depth)
    with files.output(name) as out:
        out.write(content)


def _write_solution(solution: Solution, name: str, *, depth: int | None = None, history: str | Sequence[str] = ()) -> None:
    if not solution.solved:
        kind = LiarsDiceError if solution.finished else TimeLimitError
        raise kind(f"no profile was found, so {name} is not written; try another ", Argument("method"), " or more time")
    check_solution(name)
    if kinds.holds(name, kinds.STRATEGY):
        _write_solved(solution, name)
    else:
        _write_profile(solution.profile, name, method=solution.method, depth=depth, history=history)


def _write_strategy(strategy: Strategy, name: str, *, method: str = "") -> None:
    """Write any strategy of Liar's Dice as a strategy file, with what the judge says of it."""
    from liarsdice_cli.formats.ldz import Origin
    from liarsdice_cli.library.judging import judge
    from liarsdice_cli.strategies.expansion import expanded

    kept = expanded(strategy)
    kinds.writer(name, kinds.STRATEGY)(name, kept, Origin.of(method, None, judge(kept)))


def _write_solved(solution: Solution, name: str) -> None:
    """Write what the first profile does in the game that was solved as a strategy file, where probabilities have 16 bits."""
    from liarsdice_cli.formats.ldz import Origin
    from liarsdice_cli.games.liarsdice.strategy import ProfileStrategy
    from liarsdice_cli.strategies.expansion import expanded

    check_strategy(name, solution.problem.rules)
    rules, best, history = solution.problem.reduced, solution.best, solution.run_history
    assert rules is not None, "checked"
    if best.stored is None:
        grown = expanded(ProfileStrategy.of(rules, solution.problem.free_tree, best.in_tree.probabilities))
    else:
        from liarsdice_cli.solvers.public_tree.values import subtree_values

        grown = replace(best.stored, values=subtree_values(best.stored, solution.request.threads))
    iterations = None if history is None or best.stored is None else history.last.iteration
    kinds.writer(name, kinds.STRATEGY)(name, grown, Origin.of(solution.method, iterations, best.free or best.judgement))


def _write_content(what: Any, name: str, **how: Any) -> None:
    content = what.dumps(name, **how)
    with files.output(name) as out:
        out.write(content)


def check_solution(name: str) -> None:
    """Raise UsageError if a name has an ending that no format of solutions has."""
    kinds.check(name, kinds.PROFILE, kinds.WORKBOOK, kinds.STRATEGY)


def check_strategy(name: str | None, rules: Rules | None) -> None:
    """Refuse to keep a strategy file of what is no game of rules."""
    if name is not None and kinds.holds(name, kinds.STRATEGY) and rules is None:
        raise UsageError(Argument("output", name), ": strategy files are for rules (", *_RULES, "); name a .json file")


_RULES = (Argument("sides"), ", ", Argument("dice"), " ...")


def check_part(name: str | None, depth: int | None, history: Sequence[str]) -> None:
    """Refuse to cut a part out for a file that is no workbook."""
    if (depth is not None or history) and (name is None or not kinds.holds(name, kinds.WORKBOOK)):
        raise UsageError(
            *(Argument("depth"), " and ", Argument("history")),
            " cut a part out for a workbook of Gambit's: ",
            f"name a file that ends in {kinds.suffixes(kinds.WORKBOOK)}",
        )
