"""A reader of the program as the fuzzers run it."""

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
    """Something that reads what a person gives it.

    arguments : of the command line; INPUT in one of them stands for a file with the input, or for the input itself where it is
                a text; where it stands in none, the input is typed; OUTPUT.html stands for a file to write
    seeds     : inputs from which to start, made in a folder
    is_text   : whether the input is an argument itself, or a part of one
    change    : how to change an input
    inputs    : how many changed inputs the tests try; `make fuzz` has no end
    then      : further command lines, each run where the one before it ended well
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
        """Whether the input is what a person types."""
        return not any("INPUT" in one for one in self.arguments)

    @property
    def names_bots(self) -> bool:
        """Whether the input names a bot, and so may name code to import."""
        return self.name.startswith("bots")


def given(*texts: str | bytes) -> Callable[[Path], list[bytes]]:
    """These inputs."""
    return lambda folder: [text.encode() if isinstance(text, str) else text for text in texts]


def made(*arguments: str) -> Callable[[Path], list[bytes]]:
    """What a command writes to the file called OUTPUT."""

    def seeds(folder: Path) -> list[bytes]:
        name = folder / f"seed{next(Path(one).suffix for one in arguments if one.startswith('OUTPUT'))}"
        ended = run_here(*(name if one.startswith("OUTPUT") else one for one in arguments))
        assert ended.code == 0, ended.err
        return [name.read_bytes()]

    return seeds
