"""An unwritable checkpoint does not stop the solver, but a run that loses its last state exits with 1."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.solvers.public_tree import checkpoint, run
from tests.support.command_line import full_device, run_here

SMALL = ("solve", "--rules", "joker", "--sides", 3, "--method", "dcfr+", "--iterations", 30)


def always(monkeypatch: pytest.MonkeyPatch) -> None:
    """Write the state after every iteration."""
    monkeypatch.setattr(run, "_EVERY", 0)
    monkeypatch.setattr(run, "_SAVING_SHARE", math.inf)


@full_device
@pytest.mark.parametrize("often", [False, True], ids=["at the end", "all the time"])
def test_losing_the_last_state_gives_exit_code_1(often: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if often:
        always(monkeypatch)
    ended = run_here(*SMALL, "--checkpoint", "/dev/full", "--json")
    assert json.loads(ended.out)["profiles"]  # the result is printed nevertheless
    assert ended.code == 1
    assert len(ended.err.splitlines()) == 1  # reported once
    assert "/dev/full" in ended.err


def test_writing_the_last_state_gives_exit_code_0(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    written, write = [], checkpoint.write

    def first_fails(name: str, *state: object) -> None:
        written.append(name)
        if len(written) == 1:
            raise LiarsDiceError(f"cannot write {name}: No space left on device")
        write(name, *state)  # type: ignore[arg-type]

    monkeypatch.setattr(checkpoint, "write", first_fails)
    always(monkeypatch)
    ended = run_here(*SMALL, "--checkpoint", tmp_path / "state", "--json")
    assert ended.code == 0
    assert len(written) > 1
    assert (tmp_path / "state").exists()
