"""`liarsdice explore`: a page to click through what a strategy does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.options import FILE, RuleOptions, WholeRange, quiet_option, rule_options
from liarsdice_cli.cli.printing import print_message
from liarsdice_cli.errors import UsageError
from liarsdice_cli.formats import kinds

if TYPE_CHECKING:
    from liarsdice_cli.cli.strategy import FoundStrategy
    from liarsdice_cli.games.liarsdice.beliefs import Continuations, RollsAfter
    from liarsdice_cli.games.liarsdice.strategy import Strategy

_EXAMPLE = """
liarsdice explore --sides 6 -o explorer.html --open
liarsdice explore --sides 2 --profile profile.json -o explorer.html
liarsdice explore --sides 3 --rules common --dice 2,2 --serve --open
liarsdice explore strategy.ldz --serve --open
"""


@click.command(cls=CommandWithExample, example=_EXAMPLE)
@click.argument("strategy", type=FILE, required=False)
@rule_options
@click.option(
    "--profile", type=FILE, metavar="FILE", help="Show this profile, as `solve -o` keeps it; else the game is solved."
)
@click.option("--depth", type=WholeRange(0), metavar="N", help="Only decisions after at most N bids.")
@click.option("-o", "--output", type=FILE, metavar="FILE", help="The page to write, .html, or - for standard output.")
@click.option("--serve", is_flag=True, help="Serve the page on this machine (127.0.0.1) until Ctrl-C, for large games.")
@click.option("--port", type=WholeRange(0, 65535), default=0, metavar="N", help="Where to serve.  [default: any free port]")
@click.option("--open", "opened", is_flag=True, help="Open the page in the browser.")
@quiet_option
def command(
    strategy: str | None,
    asked: RuleOptions,
    profile: str | None,
    depth: int | None,
    output: str | None,
    serve: bool,
    port: int,
    opened: bool,
    quiet: bool,
) -> None:
    """Write a page that shows what a strategy of Liar's Dice does after any bids, why, and what mistakes cost.

    The page is one file that needs no network. STRATEGY is a strategy file (.ldz); without one, the rules
    are solved, or --profile says what is done in their game.
    """
    from liarsdice_cli.cli.strategy import strategy_of
    from liarsdice_cli.formats import files

    _check(output, serve, port, opened, depth)
    if output is not None:
        files.check_writable(output)
    found = strategy_of(strategy, asked, profile, quiet)
    if serve:
        _serve(found, port, opened, quiet)
        return
    assert output is not None, "checked above"
    _write(found, depth, output, quiet)
    if opened:
        _open(_file_address(output))


def _check(output: str | None, serve: bool, port: int, opened: bool, depth: int | None) -> None:
    """Refuse options that do not go together."""
    if (output is None) != serve:
        both = "--serve writes no page: leave one of -o and --serve out"
        raise UsageError(both if serve else "nowhere to show the page: give -o explorer.html, or --serve")
    if output not in (None, "-") and not kinds.holds(str(output), kinds.PAGE):
        raise UsageError(f"-o {output}: the name of a page must end in {kinds.suffixes(kinds.PAGE)}")
    if output == "-" and opened:
        raise UsageError("--open needs a file: give -o explorer.html")
    if port and not serve:
        raise UsageError("--port is for --serve")
    if serve and depth is not None:
        raise UsageError("--depth cuts a page; --serve shows everything")


def _write(found: FoundStrategy, depth: int | None, output: str, quiet: bool) -> None:
    from liarsdice_cli.formats import files

    content = kinds.writer(output, kinds.PAGE)(_everything(found, quiet), found.title, found.source, found.exact, depth)
    with files.output(output) as out:
        out.write(content)


def _everything(found: FoundStrategy, quiet: bool) -> Continuations:
    from liarsdice_cli.cli.progress import progress
    from liarsdice_cli.draw.explorer import page

    with progress("reading", 2**found.strategy.rules.bid_count, quiet) as advance:
        return page.all_readings(found.strategy, advance)


def _serve(found: FoundStrategy, port: int, opened: bool, quiet: bool) -> None:
    from liarsdice_cli.draw.explorer import page, server

    rules = found.strategy.rules
    after = _everything(found, quiet).after if page.is_small(rules) else _reader(found.strategy)
    with server.Server(port, page.of_server(rules, found.title, found.source, found.exact), rules, after) as served:
        click.echo(served.address)
        if opened:
            _open(served.address)
        served.serve_forever(poll_interval=0.1)


def _reader(strategy: Strategy) -> Callable[[Sequence[int]], RollsAfter]:
    """What reads a large strategy; one that has grown with all values, any other with those that take no long search."""
    from liarsdice_cli.games.liarsdice import beliefs
    from liarsdice_cli.solvers.public_tree.values import Grown, Values

    return Values(strategy).after if isinstance(strategy, Grown) else partial(beliefs.after, strategy)


def _file_address(name: str) -> str:
    from pathlib import Path

    return Path(name).resolve().as_uri()


def _open(address: str) -> None:
    """Show the page in the person's browser; without one, say where it is."""
    import webbrowser

    if not webbrowser.open(address):
        print_message(f"no browser could be started: open {address}")
