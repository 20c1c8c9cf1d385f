"""The command `liarsdice`: finds the command's file, runs it, and turns every end into an exit code.

0 done; 1 a problem with the game or the files; 2 wrong usage; 3 stopped at the time limit; 130 interrupted.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

import click

from liarsdice_cli import __version__
from liarsdice_cli.cli.help import write_example
from liarsdice_cli.errors import LiarsDiceError

COMMANDS = {
    "build": "Unfold Liar's Dice into a game tree and write it.",
    "info": "Count nodes and information sets.",
    "solve": "Find equilibria and judge them.",
    "verify": "Judge a kept profile again.",
    "convert": "Write a game file in another format.",
}
"""The commands in the order of the help, each in the file of its name with one line of help."""


class _Commands(click.Group):
    """Imports the file of a command only when that command runs, so that `--help` is quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
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


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Shell completion: docs/command-line.md. Documentation and the JSON schema: docs/.",
)
@click.version_option(__version__, "-V", "--version", message="%(prog)s %(version)s")
def cli() -> None:
    """Liar's Dice as a game of game theory: build the tree, write it for Gambit, solve it, judge the answer."""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and end the process with its exit code."""
    signal.signal(signal.SIGTERM, _terminate)
    try:
        code = run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        code = 0
    if code == 0 or not sys.stdout.closed:
        _release_stdout()
    sys.exit(code)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code. A closed pipe is raised as BrokenPipeError."""
    try:
        result = cli.main(arguments, prog_name="liarsdice", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except click.UsageError as error:
        error.show()
        return error.exit_code
    except click.ClickException as error:
        return _say(error.format_message(), error.exit_code)
    except LiarsDiceError as error:
        return _say(str(error), error.exit_code)
    except (KeyboardInterrupt, click.Abort):
        return _say("interrupted", 130)
    except BrokenPipeError:
        raise
    except MemoryError:
        return _say("the machine's memory does not suffice; choose a smaller game", 1)
    except OSError as error:
        return _say(f"{error.filename or 'the system'}: {error.strerror or error}", 1)
    except Exception as error:
        if os.environ.get("LIARSDICE_DEBUG"):
            raise
        return _say(f"internal error ({type(error).__name__}: {error}); please report it, with LIARSDICE_DEBUG=1 set", 1)


def _say(message: str, code: int) -> int:
    """One line on standard error."""
    click.echo(f"liarsdice: {' '.join(message.split())}", err=True)
    return code


def _terminate(signum: int, frame: object) -> None:
    """A polite request to end cleans up as an interrupt does."""
    raise KeyboardInterrupt


def _release_stdout() -> None:
    """Nothing may complain about a reader who left when the interpreter flushes for the last time."""
    try:
        sys.stdout.flush()
    except (BrokenPipeError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
