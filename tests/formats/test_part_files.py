"""Test part files: the next writer removes the part file of a killed writer, and keeps that of a running one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import BinaryIO

import pytest

from liarsdice_cli.formats import files
from liarsdice_cli.system.locks import machine
from tests.support.command_line import ROOT, posix
from tests.support.processes import popen

_WRITER = """
import sys
from liarsdice_cli.formats import files
with files.output(sys.argv[1]) as out:
    out.write(b"half")
    print("writing", flush=True)
    sys.stdin.readline()
"""


@pytest.fixture
def writer(tmp_path: Path) -> subprocess.Popen[str]:
    """Start a process that is in the middle of writing game.efg."""
    process = popen(
        [sys.executable, "-c", _WRITER, str(tmp_path / "game.efg")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "writing\n"
    return process


def write(path: Path, data: bytes = b"whole") -> None:
    with files.output(str(path)) as out:
        out.write(data)


def part_files(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if path.name.endswith(".part")]


@posix
def test_the_next_writer_removes_the_file_of_a_killed_writer(writer: subprocess.Popen[str], tmp_path: Path) -> None:
    writer.send_signal(signal.SIGKILL)
    writer.wait()
    assert len(part_files(tmp_path)) == 1
    write(tmp_path / "other.efg")
    assert len(part_files(tmp_path)) == 1
    write(tmp_path / "game.efg")
    assert part_files(tmp_path) == []
    assert (tmp_path / "game.efg").read_bytes() == b"whole"


@posix
def test_the_part_file_of_a_running_writer_stays(writer: subprocess.Popen[str], tmp_path: Path) -> None:
    write(tmp_path / "game.efg")
    assert len(part_files(tmp_path)) == 1
    writer.communicate("\n")
    assert (tmp_path / "game.efg").read_bytes() == b"half"
    assert part_files(tmp_path) == []


@pytest.mark.parametrize(
    "name",
    [
        ".game.efg.00000000deadbeef.part",
        ".game.efg.deadbeef.part",
        f".game.efg.{machine()}deadbeef.parts",
        f".game.efg.{machine()}deadbeef0.part",
        f".game.efg.gz.{machine()}deadbeef.part",
        "game.part",
    ],
)
def test_files_of_another_machine_or_name_stay(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(b"")
    write(tmp_path / "game.efg")
    assert (tmp_path / name).exists()


def test_a_folder_stays(tmp_path: Path) -> None:
    (tmp_path / f".game.efg.{machine()}deadbeef.part").mkdir()
    write(tmp_path / "game.efg")
    assert len(part_files(tmp_path)) == 1


def test_a_part_file_removed_before_it_is_locked_is_created_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lock, taken = files.lock, []

    def first_taken_away(file: BinaryIO) -> None:
        if not taken:
            taken.extend(tmp_path.iterdir())
            taken[0].unlink()
        lock(file)

    monkeypatch.setattr(files, "lock", first_taken_away)
    write(tmp_path / "game.efg")
    assert (tmp_path / "game.efg").read_bytes() == b"whole"
    assert len(taken) == 1


def test_an_interrupt_right_after_the_part_file_is_created_leaves_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(file: object) -> None:
        assert len(part_files(tmp_path)) == 1
        raise KeyboardInterrupt

    monkeypatch.setattr(files, "lock", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write(tmp_path / "game.efg")
    assert part_files(tmp_path) == []


def test_without_locks_only_old_part_files_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "LOCKS", False)
    young, old = (tmp_path / f".game.efg.{machine()}0000000{digit}.part" for digit in (1, 2))
    young.write_bytes(b"")
    old.write_bytes(b"")
    os.utime(old, (0, 0))
    write(tmp_path / "game.efg")
    assert part_files(tmp_path) == [young.name]
    assert (tmp_path / "game.efg").read_bytes() == b"whole"
