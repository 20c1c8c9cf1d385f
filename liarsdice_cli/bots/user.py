"""A user's bot, `package.module:Class`, run in its own process so that a failure in it cannot stop the play.

Only classes that the user names on the command line are imported, and only in that process.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

from liarsdice_cli.bots.forms import given, of_views
from liarsdice_cli.bots.given import Given, in_words, said_by
from liarsdice_cli.bots.protocol import IllegalActionError, Policy, View, action_of
from liarsdice_cli.bots.text_protocol import COMMAND, TextPlayer
from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.games.liarsdice.rules import Roll, Rules
from liarsdice_cli.system.processes import Child, Complaints

_Request = tuple[Rules | None, Roll, tuple[int, ...], int | None]
"""A view as it is sent: its rules, or None for the rules of the view before; its roll, history and claimer."""
START_SECONDS = 30.0
"""The time limit for importing and creating a bot."""


class BotFailedError(Exception):
    """A bot raised an exception, returned an illegal action, took too long or ended its process; the message says which.

    ended : whether its process had to be ended
    """

    def __init__(self, message: str, ended: bool = False) -> None:
        super().__init__(message)
        self.ended = ended


class UserBot:
    """A user's class with the protocol of `Bot`, in its own process.

    name    : `package.module:Class`; the class has `act(view, generator)`, and perhaps
              `claims(view)`. Or `command:COMMAND`, see `text_protocol`
    seconds : the time limit for a move

    Its standard error is passed on, up to 64 kB.
    """

    def __init__(self, name: str, seconds: float) -> None:
        self.name, self.seconds = name, seconds
        self._seed: list[int] = [0]
        self._child: Child | None = None
        self._known: Rules | None = None
        self._claims = False
        self._complaints = Complaints(name)

    def begin(self, seed: list[int]) -> None:
        """Create the bot again, with a generator of this seed; LiarsDiceError if it cannot be created."""
        self.close()
        self._seed = seed
        try:
            self._start()
        except BotFailedError as error:
            raise LiarsDiceError(f"{self.name} {error}") from error

    def act(self, view: View, generator: np.random.Generator | None = None) -> int:
        """Return the bot's action; the bot draws from its own generator. Raises BotFailedError."""
        return self._answer(view)

    def claims(self, view: View) -> bool:
        """Return whether the bot claims spot-on out of turn; False if it has no method for that. Raises BotFailedError."""
        if self._child is None:
            self._start()
        return self._claims and bool(self._answer(view))

    def _answer(self, view: View) -> int:
        if self._child is None:
            self._start()
        rules = None if view.rules == self._known else view.rules  # sent once: they take longer to send than the rest
        self._known = view.rules
        answer = self._ask(
            (rules, view.roll, view.history, view.claimer), self.seconds, f"took longer than {self.seconds:g} s for a move"
        )
        if isinstance(answer, str):
            raise BotFailedError(answer)
        action: int = answer
        return action

    def close(self) -> None:
        """End its process."""
        if self._child is not None:
            self._child.close()
            self._child = None

    def _start(self) -> None:
        """Start the process, which creates the bot."""
        self._child, self._known = Child(_serve, self.name, self._seed, complaints=self._complaints), None
        said = self._ask(None, START_SECONDS, f"took longer than {START_SECONDS:g} s to start")
        if isinstance(said, str):
            self.close()
            raise BotFailedError(said, ended=True)
        self._claims = said

    def _ask(self, request: _Request | None, seconds: float, too_long: str) -> Any:
        """Return the process's answer; after a BotFailedError the process has ended, and the next move starts another."""
        assert self._child is not None, "there is a process"
        connection = self._child.connection
        try:
            connection.send(request)
            if not connection.poll(seconds):
                raise BotFailedError(too_long, ended=True)
            return connection.recv()
        except (EOFError, OSError) as error:
            raise BotFailedError("ended its own process", ended=True) from error
        finally:
            if sys.exc_info()[0] is not None:
                self.close()


def user_policy(name: str) -> Policy:
    """Return the object `package.module:Class` as a policy with known probabilities, in this process.

    Raises LiarsDiceError with its name if it does not exist, cannot be created, or is no policy.
    """
    found = given(said_by(name, lambda: _made(name)), name)
    if type(found).strategy is not Policy.strategy:
        return found
    return Given(name, of_views(found.distribution), playable=found.check)  # names the line of an exception


def _serve(connection: Connection, name: str, seed: list[int]) -> None:
    """Serve a bot in its process: send whether it has a method `claims`, then an answer to every view; a failure is text."""
    connection.recv()
    try:
        bot = _player(name)
    except BaseException as error:
        connection.send(in_words(error) if not isinstance(error, LiarsDiceError) else str(error))
        return
    connection.send(callable(getattr(bot, "claims", None)))
    generator = np.random.default_rng(seed)
    rules: Rules | None = None
    while True:
        new_rules, roll, history, claimer = connection.recv()
        rules = new_rules or rules
        assert rules is not None, "the first view has the rules"
        try:
            connection.send(_answered(bot, View(rules, roll, history, claimer), generator))
        except IllegalActionError as error:
            connection.send(str(error))
        except (EOFError, BrokenPipeError, ConnectionResetError):
            raise
        except BaseException as error:
            connection.send(in_words(error))


def _answered(bot: Any, view: View, generator: np.random.Generator) -> int:
    """Return a bot's action, or whether it claims spot-on out of turn; IllegalActionError for any other answer."""
    if view.claimer is None:
        action: Any = bot.act(view, generator)
        return action if isinstance(bot, TextPlayer) else action_of(view, action)
    said = bot.claims(view)
    if not isinstance(said, bool | np.bool_):
        raise IllegalActionError(f"answered {str(said)[:40]!r} when asked for a claim, not True or False")
    return bool(said)


def _player(name: str) -> Any:
    """Return the object `package.module:Class` if it has a method act; otherwise a bot that draws from its probabilities.

    For `command:COMMAND` it is the player behind the command.
    """
    if name.startswith(COMMAND):
        return TextPlayer(name.removeprefix(COMMAND))
    made = _made(name)
    if callable(getattr(made, "act", None)):
        return made
    try:
        policy: Any = given(made, name)
    except LiarsDiceError as error:
        raise LiarsDiceError(
            "has no method act(view, generator) and gives no probabilities, so it cannot play; give it one of them"
        ) from error
    if hasattr(made, "claims"):
        policy.claims = made.claims
    return policy


def _made(name: str) -> Any:
    """Return the object `package.module:Class[:ARGUMENT]`; LiarsDiceError if it does not exist.

    A class, or any callable if an argument is given, is called to create the object.
    """
    module, _, rest = name.partition(":")
    attribute, _, argument = rest.partition(":")
    if (folder := os.getcwd()) not in sys.path:  # never removed: a bot may import more of its files later
        sys.path.append(folder)
    try:
        made = import_module(module)
    except ModuleNotFoundError as error:
        if error.name not in (module, module.partition(".")[0]):
            raise
        raise LiarsDiceError("cannot be found: run in the folder of its file, or install its package") from error
    if not hasattr(made, attribute):
        raise LiarsDiceError(f"cannot be found: there is no {attribute} in {module}")
    found = getattr(made, attribute)
    if argument:
        return found(argument)
    return found() if isinstance(found, type) else found
