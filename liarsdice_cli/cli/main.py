"""The command `liarsdice`: import and run a command, and turn every outcome into an exit code.

0 success; 1 a problem with the game or the files; 2 wrong usage; 3 stopped at the time limit; 130 interrupted.
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
from liarsdice_cli.cli.printing import print_message
from liarsdice_cli.cli.types import SIZE
from liarsdice_cli.cli.wording import worded
from liarsdice_cli.errors import LiarsDiceError, UsageError
from liarsdice_cli.system import interrupts

GROUPS = {
    "Game files": {
        "rules": "Explain the rule presets.",
        "build": "Unfold Liar's Dice into a game tree and write it.",
        "info": "Count nodes and information sets.",
        "convert": "Write a game file in another format.",
        "draw": "Draw a game tree, and a profile on it.",
    },
    "Solving": {
        "solve": "Find equilibria and evaluate them.",
        "verify": "Evaluate a profile or strategy file again.",
        "resolve": "Re-solve a subgame safely.",
        "values": "Compute a table of values of many games.",
        "match": "Compute win probabilities of whole matches.",
        "curves": "Compare regret minimisers over iterations or time.",
        "methods": "List the solving methods.",
        "prepare": "Compile all functions beforehand, once.",
    },
    "Reading and exploiting strategies": {
        "show": "Show a strategy after a history.",
        "explore": "Write or serve a page to click through a strategy.",
        "exploit": "Compute a bot's exact worst case.",
        "safe-exploit": "Compute how much a bot can be exploited for a bounded risk.",
        "sweep": "Compute the worst case of zero intelligence at many levels.",
        "benchmark": "Score a policy on ten fixed games.",
        "model": "Compute Zero Intelligence's normal model.",
    },
    "Playing": {
        "play": "Play against bots in the terminal.",
        "coach": "Get advice at a real table.",
        "probability": "Compute how probable a bid is, and the best raise.",
        "arena": "Let bots play each other, and rate them.",
        "bots": "List the bots.",
    },
    "Other games": {
        "outcomes": "Solve a game given as combinations of moves and outcomes.",
        "impartial": "Solve combinatorial games: take-away, Nim, sums, graphs.",
    },
}
"""The commands under the headings of the help, each with one line. A command's module has its name, with _ for -."""
COMMANDS = {name: line for group in GROUPS.values() for name, line in group.items()}


class _Carried(Exception):  # noqa: N818 (not an error)
    """Carries an error past click, which would end a closed pipe with code 1 and an interrupt with an empty line."""

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
            try:
                return super().invoke(ctx)
            except click.UsageError as error:  # click's parser does not name the command
                self._refuse_own_option(error, ctx.invoked_subcommand)
                error.ctx = error.ctx or click.Context(self, ctx, ctx.invoked_subcommand)
                raise

    def _refuse_own_option(self, error: click.UsageError, command: str | None) -> None:
        """Raise UsageError with the place of an option of `liarsdice` itself that stands after the command."""
        own = {name for param in self.params for name in param.opts}
        if isinstance(error, click.NoSuchOption) and (option := error.option_name) in own:
            raise UsageError(f"{option} is not an option of {command}: give it before the command, liarsdice {option} ...")

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        names = tuple(COMMANDS)
        if args[0] not in names and not ctx.resilient_parsing and (near := get_close_matches(args[0], names, 1)):
            raise UsageError(f"there is no command {args[0]}: did you mean {near[0]}?")
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = import_module(f"liarsdice_cli.cli.{name.replace('-', '_')}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for heading, commands in GROUPS.items():
            with formatter.section(heading):
                formatter.write_dl(list(commands.items()))

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        write_example("liarsdice build --sides 3 -o game.efg\nliarsdice solve game.efg", formatter)
        super().format_help(ctx, formatter)


def _read_at_most(ctx: click.Context, param: click.Parameter, size: int | None) -> None:
    """Set the largest size of a file that the command reads."""
    if size is not None:
        from liarsdice_cli.formats import files

        ctx.with_resource(files.at_most(size))


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="`liarsdice COMMAND -h` shows the options of a command.",
)
@click.version_option(__version__, "-V", "--version", message="%(prog)s %(version)s")
@click.option(
    "--max-input",
    type=SIZE,
    metavar="SIZE",
    expose_value=False,
    callback=_read_at_most,
    help="Largest file to read, such as 20GB.  [default: 4GB, less where memory is scarce]",
)
def cli() -> None:
    """Solve Liar's Dice: build game trees, find equilibria, evaluate strategies and play."""


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
        return _say("out of memory; choose a smaller game", 1)
    except OSError as error:
        from liarsdice_cli.formats import files

        place = "standard output" if error.errno == errno.ENOSPC else "the system"
        return _say(f"{error.filename or place}: {files.reason(error)}", 1)
    except Exception as error:
        if isinstance(error.__cause__, KeyboardInterrupt):  # some compiled modules turn one into an ImportError
            return _say("interrupted", 130)
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
    """Print a line on standard error; return the code."""
    with suppress(OSError):
        if code == 130 and sys.stderr.isatty():
            click.echo(err=True)  # the terminal shows ^C
        print_message(message)
    return code


def _line(error: click.ClickException) -> str:
    """Return click's message on one line."""
    return " ".join(error.format_message().split())


def _prepare() -> None:
    """Prepare the process: its signals, and streams that exist and accept any text.

    Output to a pipe or a file is the same on every system: lines end with a line feed.
    """
    interrupts.interrupt_on_termination()
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed: the next file opened would take its place
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace", newline=None if stream.isatty() else "\n")


def _forget_interrupts() -> None:
    """Run an empty text, so that the process ends with its exit code.

    After an interrupt in text that `exec` ran (as for dataclasses), Python would kill the process whatever its code.
    """
    exec("")


def _release_streams() -> None:
    """Flush the streams; discard text that cannot be written, so that the interpreter's last flush reports no error."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
