"""The readers of the program as the fuzzers run them."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.fuzz.mutation import mutated
from tests.support.command_line import run_here

Change = Callable[[bytes, random.Random], bytes]


@dataclass(frozen=True)
class Reader:
    """A command that reads the user's input.

    arguments : of the command line; INPUT stands for a file with the input, or for the input itself if it is a text; without
                INPUT, the input is typed; OUTPUT.html stands for a file to write
    seeds     : inputs to start from, made in a folder
    is_text   : whether the input is an argument or a part of one
    change    : how to change an input
    inputs    : number of changed inputs that the tests try; `make fuzz` has no limit
    then      : further command lines; each runs if the one before it succeeded
    """

    name: str
    arguments: tuple[str, ...]
    seeds: Callable[[Path], list[bytes]]
    is_text: bool = False
    change: Change = mutated
    inputs: int = 200
    then: tuple[tuple[str, ...], ...] = ()

    @property
    def is_typed(self) -> bool:
        """Whether the input is typed into the running command."""
        return not any("INPUT" in one for one in self.arguments)

    @property
    def names_bots(self) -> bool:
        """Whether the input names a bot, and so may name code to import."""
        return self.name.startswith("bots")


def given(*texts: str | bytes) -> Callable[[Path], list[bytes]]:
    """Return a function that returns these inputs."""
    return lambda folder: [text.encode() if isinstance(text, str) else text for text in texts]


def made(*arguments: str) -> Callable[[Path], list[bytes]]:
    """Return a function that runs a command and returns the content of its file OUTPUT."""

    def seeds(folder: Path) -> list[bytes]:
        name = folder / f"seed{next(Path(one).suffix for one in arguments if one.startswith('OUTPUT'))}"
        ended = run_here(*(name if one.startswith("OUTPUT") else one for one in arguments))
        assert ended.code == 0, ended.err
        return [name.read_bytes()]

    return seeds
