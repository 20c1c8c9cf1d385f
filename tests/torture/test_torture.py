"""Run a few trials of `make torture`."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.support.command_line import posix
from tests.torture.trial import DISKS, SIGNALS, Trial, disks, faults
from tests.torture.works import WORKS, Work

pytestmark = [posix, pytest.mark.slow]


@pytest.mark.parametrize("name", SIGNALS)
@pytest.mark.parametrize("work", WORKS, ids=lambda work: work.name)
def test_a_signal_leaves_no_broken_files_and_no_processes(work: Work, name: str, tmp_path: Path) -> None:
    draw = random.Random(f"{work.name} {name}")
    trial = Trial(work, name, "usual", draw.uniform(0, work.seconds), 0)
    assert faults(trial, tmp_path) == [], trial


@pytest.mark.parametrize("kind", DISKS[1:])
@pytest.mark.parametrize("work", WORKS, ids=lambda work: work.name)
def test_a_bad_disk_leaves_no_broken_files_and_no_processes(work: Work, kind: str, tmp_path: Path) -> None:
    if kind not in disks(tmp_path):
        pytest.skip("needs the right to mount")
    trial = Trial(work, "none", kind, work.seconds, 3_000)
    assert faults(trial, tmp_path) == [], trial
