"""`liarsdice draw`: a picture of a game, and of a profile on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.options import FILE, RuleOptions, moves_of, part_options, quiet_option, rule_options, written_option
from liarsdice_cli.cli.printing import check_file, print_message, print_written
from liarsdice_cli.draw import pictures
from liarsdice_cli.errors import LiarsDiceError, UsageError

if TYPE_CHECKING:
    from liarsdice_cli.extensive.excerpt import Part
    from liarsdice_cli.extensive.profile import Profile
    from liarsdice_cli.extensive.tree import GameTree

SOLVED = 300_000
"""The largest game, in nodes, that is solved for its picture; a second or two."""
_SECONDS = 10.0
"""How long a method may take for it."""

_EXAMPLE = """
liarsdice draw --sides 2 -o tree.svg
liarsdice draw game.efg --profile profile.json --from "1x2 2x3" --depth 2 -o part.pdf
liarsdice draw game.efg --bare
"""


@click.command(cls=CommandWithExample, example=_EXAMPLE)
@click.argument("game", type=FILE, required=False)
@rule_options
@click.option(
    "--profile", type=FILE, metavar="FILE", help="Show this profile, as `solve -o` keeps it; else a small game is solved."
)
@click.option("--bare", is_flag=True, help="Draw the game alone: show no profile, and solve nothing.")
@click.option(
    "--infosets",
    type=click.Choice(pictures.INFOSETS),
    default="auto",
    show_default=True,
    help="Join information sets by dotted lines, or write their numbers; auto takes lines where they cross nothing.",
)
@part_options
@click.option(
    "-o", "--output", type=FILE, default="-", metavar="FILE", help=f"File to write, {pictures.SUFFIXES}.  [default: - as .txt]"
)
@written_option
@quiet_option
def command(
    game: str | None,
    asked: RuleOptions,
    profile: str | None,
    bare: bool,
    infosets: str,
    depth: int | None,
    history: str,
    output: str,
    as_json: bool,
    quiet: bool,
) -> None:
    """Draw GAME (a file, or - for standard input) or the game of the rules, in the format that the output's name says.

    Liar's Dice gets a panel for every deal; a game too large for that, the betting tree once with a bar for every roll.
    """
    from liarsdice_cli.cli.game import problem_of
    from liarsdice_cli.draw import choice
    from liarsdice_cli.formats import files, kinds

    kind = pictures.format_of(output)
    if bare and profile is not None:
        raise UsageError("--bare shows no profile: leave one of --bare and --profile out")
    if profile == "-" and game == "-":
        raise UsageError("the game and the profile cannot both come from standard input: name a file for one of them")
    check_file("-o", output, as_json)
    tree, played = problem_of(game, asked).tree, None
    if profile is not None:
        played = kinds.read(profile, kinds.PROFILE, tree)
    elif not bare:
        choice.check(_part(tree, None, history, depth).tree)  # nothing is solved for a picture that cannot be drawn
        played = _solved(tree, quiet)
    picture = pictures.dumps(_part(tree, played, history, depth), kind, infosets)
    with files.output(output) as out:
        out.write(picture)
    if as_json:
        print_written(output, kind.suffix.removeprefix("."), tree.nodes)


def _part(tree: GameTree, profile: Profile | None, history: str, depth: int | None) -> Part:
    from liarsdice_cli.extensive.excerpt import Part

    part = Part.whole(tree, profile).after(moves_of(history))
    return part if depth is None else part.cut(depth)


def _solved(tree: GameTree, quiet: bool) -> Profile | None:
    """A profile of a game that is small enough; says on standard error where it comes from, or why there is none."""
    from liarsdice_cli.cli.progress import solving
    from liarsdice_cli.report.judgement import verdict
    from liarsdice_cli.solvers.ladder import solve
    from liarsdice_cli.solvers.solution import Request

    def say(words: str) -> None:
        if not quiet:
            print_message(words)

    if tree.nodes > SOLVED:
        say(f"drawn without a profile: {tree.nodes:,} nodes are more than the {SOLVED:,} that are solved here; give --profile")
        return None
    try:
        with solving("solving", quiet) as watch:
            solution = solve(tree, Request(time_limit=_SECONDS), watch)
    except LiarsDiceError as error:
        say(f"drawn without a profile: {error}")
        return None
    if not solution.solved:
        say(f"drawn without a profile: method {solution.method} found none within {_SECONDS:g} s; give --profile")
        return None
    say(f"solved by method {solution.method}; {verdict(solution.best.judgement)}")
    return solution.best.in_tree
