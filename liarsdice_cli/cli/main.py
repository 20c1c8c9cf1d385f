"""The command `liarsdice`: finds the command's file, runs it, and turns every end into an exit code.

0 done; 1 a problem with the game or the files; 2 wrong usage; 3 stopped at the time limit; 130 interrupted.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from importlib import import_module
from typing import Any, NoReturn

import click
from click.exceptions import NoArgsIsHelpError

from liarsdice_cli import __version__
from liarsdice_cli.cli.help import write_example
from liarsdice_cli.cli.options import SIZE
from liarsdice_cli.cli.printing import print_message
from liarsdice_cli.cli.wording import worded
from liarsdice_cli.errors import LiarsDiceError, UsageError
from liarsdice_cli.system import interrupts

COMMANDS = {
    "rules": "What the rules mean, in plain sentences.",
    "build": "Unfold Liar's Dice into a game tree and write it.",
    "info": "Count nodes and information sets.",
    "solve": "Find equilibria and judge them.",
    "verify": "Judge a kept profile again.",
    "resolve": "Solve the rest of a round anew, safely.",
    "show": "Show what a kept strategy does, and why.",
    "values": "Values of many games, exact or between proved bounds.",
    "match": "Who wins a match in which losers give up dice.",
    "convert": "Write a game file in another format.",
    "outcomes": "Solve a game given as combinations of moves and outcomes.",
    "impartial": "Solve combinatorial games: take-away, Nim, sums, graphs.",
    "draw": "Draw the tree, and a profile on it.",
    "explore": "Click through a strategy: a page for the browser.",
    "probability": "At the table: is a bid true, and which raise is best?",
    "model": "The numbers of Zero Intelligence's normal model.",
    "coach": "At a real table: what to do, and why.",
    "play": "Play against bots in the terminal.",
    "arena": "Let bots play each other, and rate them.",
    "exploit": "How bad is the worst case of a bot? Exactly.",
}
"""The commands in the order of the help, each in the file of its name with one line of help."""
ALIASES = {"odds": "probability"}
"""Other names of commands, which the help does not list."""


class _Carried(Exception):  # noqa: N818 (not an error)
    """Carries past click what it would end in its own way: a closed pipe with code 1, an interrupt with an empty line."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(error)
        self.error = error


@contextmanager
def _past_click() -> Iterator[None]:
    try:
        yield
    except (BrokenPipeError, KeyboardInterrupt) as error:
        raise _Carried(error) from error


class _Commands(click.Group):
    """Imports the file of a command only when that command runs, so that `--help` is quick."""

    def make_context(self, *arguments: Any, **settings: Any) -> click.Context:
        with _past_click():
            return super().make_context(*arguments, **settings)

    def invoke(self, ctx: click.Context) -> Any:
        with _past_click():
            return super().invoke(ctx)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        names = (*COMMANDS, *ALIASES)
        if args[0] not in names and not ctx.resilient_parsing and (near := get_close_matches(args[0], names, 1)):
            raise UsageError(f"there is no command {args[0]}: did you mean {near[0]}?")
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        name = ALIASES.get(name, name)
        if name not in COMMANDS:
            return None
        command: click.Command = import_module(f"liarsdice_cli.cli.{name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        write_example("liarsdice build --sides 3 -o game.efg\nliarsdice solve game.efg", formatter)
        super().format_help(ctx, formatter)


def _read_at_most(ctx: click.Context, param: click.Parameter, size: int | None) -> None:
    """Set the most that the command reads of a file."""
    if size is not None:
        from liarsdice_cli.formats import files

        ctx.with_resource(files.at_most(size))


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Shell completion: docs/command-line.md. Documentation and the JSON schema: docs/.",
)
@click.version_option(__version__, "-V", "--version", message="%(prog)s %(version)s")
@click.option(
    "--max-input",
    type=SIZE,
    metavar="SIZE",
    expose_value=False,
    callback=_read_at_most,
    help="The most to read of a file, such as 20GB.  [default: 4GB, less where memory is scarce]",
)
def cli() -> None:
    """Liar's Dice as a game of game theory: build the tree, write it for Gambit, solve it, judge the answer."""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and end the process with its exit code."""
    _prepare()
    try:
        code = run(arguments)
    except BrokenPipeError:
        code = 0
    _release_streams()
    _forget_interrupts()
    sys.exit(code)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code. A closed pipe is raised as BrokenPipeError."""
    try:
        code = _run(arguments)
        sys.stdout.flush()
        return code
    except NoArgsIsHelpError as error:
        error.show()
        return error.exit_code
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else "liarsdice"
        return _say(f"{_line(error).rstrip('.?')}; see `{command} --help`", error.exit_code)
    except click.ClickException as error:
        return _say(_line(error), error.exit_code)
    except LiarsDiceError as error:
        return _say(worded(error), error.exit_code)
    except (KeyboardInterrupt, click.Abort):
        return _say("interrupted", 130)
    except BrokenPipeError:
        raise
    except MemoryError:
        return _say("the machine's memory does not suffice; choose a smaller game", 1)
    except OSError as error:
        place = "standard output" if error.errno == errno.ENOSPC else "the system"
        return _say(f"{error.filename or place}: {error.strerror or error}", 1)
    except Exception as error:
        if os.environ.get("LIARSDICE_DEBUG"):
            raise
        return _say(f"internal error ({type(error).__name__}: {error}); please report it, with LIARSDICE_DEBUG=1 set", 1)


def _run(arguments: Sequence[str] | None) -> int:
    try:
        result = cli.main(arguments, prog_name="liarsdice", standalone_mode=False)
    except _Carried as carried:
        raise carried.error from None
    return result if isinstance(result, int) else 0


def _say(message: str, code: int) -> int:
    """One line on standard error."""
    with suppress(OSError):
        if code == 130 and sys.stderr.isatty():
            click.echo(err=True)  # the terminal shows ^C
        print_message(message)
    return code


def _line(error: click.ClickException) -> str:
    """What click says, which may be a list below a line."""
    return " ".join(error.format_message().split())


def _prepare() -> None:
    """Make the process ready: its signals, and streams that are there and take any text.

    What a pipe or a file gets is the same on every system: lines end as in the files that we write.
    """
    interrupts.interrupt_on_termination()
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed: the next file opened would take its place
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace", newline=None if stream.isatty() else "\n")


def _forget_interrupts() -> None:
    """Python kills a process once interrupted in text that it ran (dataclasses do), whatever its code; new text undoes it."""
    exec("")


def _release_streams() -> None:
    """Nothing may complain about a reader who left, or a full disk, when the interpreter flushes for the last time."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
