"""`liarsdice explore`: a page to click through a strategy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.option_table import option
from liarsdice_cli.cli.options import RuleOptions, json_option, one_pipe, quiet_option, rule_options
from liarsdice_cli.cli.printing import check_file, open_page, print_message, print_written
from liarsdice_cli.cli.serving import Serving, serving_options
from liarsdice_cli.cli.types import FILE
from liarsdice_cli.draw.formats import PAGE
from liarsdice_cli.errors import UsageError
from liarsdice_cli.formats import registry

if TYPE_CHECKING:
    from liarsdice_cli.draw.visitors import Access
    from liarsdice_cli.library.explorer import Explorer, GameExplorer

_EXAMPLE = """
liarsdice explore --sides 6 -o explorer.html --open
liarsdice explore --sides 2 --profile profile.json -o explorer.html
liarsdice explore --sides 3 --rules common --dice 2,2 --serve --open
liarsdice explore strategy.ldz --depth 3 -o explorer.html
liarsdice explore strategy.ldz --serve --open
liarsdice explore kuhn-poker.efg -o kuhn.html
"""


@click.command(cls=CommandWithExample, example=_EXAMPLE)
@click.argument("what", type=FILE, required=False, metavar="[STRATEGY|GAME]")
@rule_options
@option("profile")
@option("depth")
@option("output", ".html, or - for standard output")
@serving_options
@json_option
@quiet_option
def command(
    what: str | None,
    asked: RuleOptions,
    profile: str | None,
    depth: int | None,
    output: str | None,
    serving: Serving,
    as_json: bool,
    quiet: bool,
) -> None:
    """Write a page that shows a strategy after any public history, its reasons, and the cost of mistakes.

    The page is one file that needs no network. STRATEGY is a strategy file of Liar's Dice (.ldz), and GAME is any game file;
    rule options describe a game too. The game is solved unless --profile is given. If a game of Liar's Dice is too large for
    one file, the page ends after as many bids as fit. With --depth it ends earlier, which is quicker.
    """
    serving.check()
    _check(output, serving.serve, serving.opened, as_json)
    if serving.serve and depth is not None:
        raise UsageError("--depth is for a page in a file, and --serve shows everything: leave --depth out")
    _check_game(what, serving.serve)
    check_file("-o", output, as_json)
    access = serving.access(quiet) if serving.serve else None  # before the game is solved
    explorer = _explorer(what, asked, profile, depth, serving.serve, quiet)
    if output is not None:
        _write(explorer, output, quiet)
    if as_json and output is not None:
        print_written(output, "html", explorer.nodes)
    if access is not None:
        _serve(_of_dice(explorer), serving, access, quiet)
    elif serving.opened and output is not None:
        open_page(_file_address(output))


def _check(output: str | None, serve: bool, opened: bool, as_json: bool) -> None:
    """Refuse outputs that do not go together."""
    if output is not None and serve:
        raise UsageError("--serve writes no file: give only one of -o and --serve")
    if output is None and not serve:
        raise UsageError("nowhere to show the page: give -o explorer.html or --serve")
    if output not in (None, "-") and not registry.holds(str(output), PAGE):
        raise UsageError(f"-o {output}: the name of a page must end in {registry.suffixes(PAGE)}")
    if opened and output == "-":
        raise UsageError("--open needs a file: give -o explorer.html")
    if as_json and serve:
        raise UsageError("--json describes the file that is written: give -o instead of --serve")


def _check_game(what: str | None, serve: bool) -> None:
    """Refuse to serve a game file."""
    if serve and what is not None and not registry.holds(what, registry.STRATEGY):
        raise UsageError("--serve needs rules of Liar's Dice or a strategy file: for other games, give -o explorer.html")


def _of_dice(explorer: Explorer | GameExplorer) -> Explorer:
    from liarsdice_cli.library.explorer import Explorer

    assert isinstance(explorer, Explorer), "checked before"
    return explorer


def _explorer(
    name: str | None, asked: RuleOptions, profile: str | None, depth: int | None, serve: bool, quiet: bool
) -> Explorer | GameExplorer:
    """Return the explorer of a strategy file, or of a game with a given profile or a solution."""
    from liarsdice_cli.cli.game import check_small, problem_of
    from liarsdice_cli.cli.progress import display
    from liarsdice_cli.formats.registry import read_profile, read_strategy
    from liarsdice_cli.library.explorer import explore

    if name is not None and registry.holds(name, registry.STRATEGY):
        if asked or profile is not None:
            raise UsageError(f"{name} contains its rules and its strategy: leave out rule options and --profile")
        return explore(read_strategy(name), depth=depth)
    one_pipe(name, profile)
    problem = problem_of(name, asked)
    if not serve:
        check_small(problem)
    if profile is not None:
        return explore(problem, profile=read_profile(profile, problem.tree), depth=depth, source=f"profile {profile}")
    with display(quiet) as progress:
        return explore(problem, depth=depth, progress=progress)


def _write(explorer: Explorer | GameExplorer, output: str, quiet: bool) -> None:
    from liarsdice_cli.cli.progress import display
    from liarsdice_cli.formats.writing import write
    from liarsdice_cli.library.explorer import Explorer

    if not isinstance(explorer, Explorer):
        write(explorer, output)
        return
    with display(quiet) as progress:
        write(explorer, output, progress=progress)
    shown, every = explorer.shown, explorer.strategy.rules.bid_count
    if shown < every and explorer.depth is None and not quiet:
        print_message(f"the page ends after {shown} bids, the most that fit in a file; --serve shows everything")


def _serve(explorer: Explorer, serving: Serving, access: Access, quiet: bool) -> None:
    from liarsdice_cli.cli.progress import display

    with display(quiet) as progress:
        server = explorer.serve(serving.port, progress, access)
    with server:
        with display(quiet, "compiling"):
            server.after([])  # like every request, so that no request compiles anything in a thread
        serving.run(server, quiet)


def _file_address(name: str) -> str:
    from pathlib import Path

    return Path(name).resolve().as_uri()
