"""Tasks for the workers of tests, in a module that their processes can import."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import NoReturn

from liarsdice_cli.errors import Argument, ArgumentError, LiarsDiceError, UsageError


class Notes:
    """An object with a state."""

    def __init__(self, first: str) -> None:
        self.words = [first]

    def add(self, word: str) -> list[str]:
        self.words.append(word)
        return self.words

    def process(self) -> int:
        return os.getpid()


class NeverMade:
    def __init__(self) -> None:
        raise UsageError("there is none")


def squared(number: int) -> int:
    return number * number


def process(_: object) -> int:
    return os.getpid()


def available(_: object) -> int:
    from liarsdice_cli.system import memory

    return memory.available()


class OnlyAfter:
    """Returns a number; for the first number it waits until another worker has reached the last one."""

    def __init__(self, first: int, last: int, folder: Path) -> None:
        self.first, self.last, self.sign = first, last, folder / "sign"

    def __call__(self, number: int) -> int:
        if number == self.last:
            self.sign.touch()
        elif number == self.first:
            from tests.support.command_line import wait_for  # which takes long to import

            wait_for(self.sign.exists)
        return number


class Dies:
    """Returns the square of a number; at one number it first kills its process `times` times."""

    def __init__(self, number: int, times: int, folder: Path) -> None:
        self.number, self.times, self.folder = number, times, folder

    def __call__(self, number: int) -> int:
        deaths = len(list(self.folder.iterdir()))
        if number == self.number and deaths < self.times:
            (self.folder / str(deaths)).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return number * number


class Stubborn(Exception):  # noqa: N818
    """An exception that can be pickled but not unpickled."""

    def __init__(self, one: int, other: int) -> None:
        super().__init__(f"{one} and {other}")


class Changed(Exception):  # noqa: N818
    """An exception with another message after it is pickled and unpickled."""

    def __init__(self, words: str) -> None:
        super().__init__(f"it says {words}")


ERRORS = (
    LiarsDiceError("600 nodes: lower ", Argument("sides"), " or ", Argument("dice")),
    UsageError("give ", Argument("dice", (1, 1))),
    ArgumentError("sides", 0, "give ", Argument("sides", 2)),
    KeyError("nothing"),
    MemoryError(),
    OSError(28, "No space left on device"),
)


def fails(number: int) -> NoReturn:
    raise ERRORS[number]


def fails_at_two(number: int) -> int:
    if number == 2:
        raise UsageError("two")
    return number


def fails_in_its_own_way(number: int) -> NoReturn:
    class Hidden(Exception):  # noqa: N818
        pass

    raise (Hidden("nobody can import it"), Stubborn(1, 2), Changed("no"))[number]


def answers_with_what_cannot_be_sent(number: int) -> object:
    return squared if number == 0 else lambda: number
