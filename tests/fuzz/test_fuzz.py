"""Run every reader on mutated inputs: exit codes 0 to 3, one-line errors, no stray files, no hang, no internal error.

`make fuzz` does the same for any length of time. Inputs that once failed are kept in `corpus/`, as READER--WHAT.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.fuzz.reader import Reader
from tests.fuzz.readers import READERS
from tests.fuzz.trial import fault
from tests.support.command_line import posix

CORPUS = sorted((Path(__file__).parent / "corpus").iterdir())
DEAR = {
    "game-explore--rounding-overflows",
    "game-explore--millions-of-agent-equilibria",
    "game-draw--millions-of-agent-equilibria",
}
"""Inputs that take a second each."""

pytestmark = posix


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, id=path.name, marks=[pytest.mark.slow] if path.name in DEAR else []) for path in CORPUS],
)
def test_inputs_that_once_failed_are_handled(path: Path, tmp_path: Path) -> None:
    reader = next(one for one in READERS if one.name == path.name.partition("--")[0])
    assert fault(reader, path.read_bytes(), tmp_path) == ""


@pytest.mark.slow
@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
def test_mutated_inputs_are_handled(reader: Reader, tmp_path: Path) -> None:
    draw = random.Random(reader.name)
    seeds = reader.seeds(tmp_path)
    for path in tmp_path.iterdir():
        path.unlink()
    for data in seeds:
        assert fault(reader, data, tmp_path) == ""
    for _ in range(reader.inputs):
        data = reader.change(draw.choice(seeds), draw)
        found = fault(reader, data, tmp_path)
        assert found == "", (reader.name, data[:500])
