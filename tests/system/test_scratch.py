"""Test temporary folders: each is removed with its owner, and folders of ended processes are removed later."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from liarsdice_cli.system import scratch
from liarsdice_cli.system.locks import machine
from tests.support.command_line import posix


class Owner:
    """An object that owns a folder."""


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Make temporary folders in the test's folder, and return it."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    yield tmp_path
    machine.cache_clear()


def test_a_folder_is_removed_with_its_owner(place: Path) -> None:
    owner = Owner()
    folder = scratch.folder(owner)
    (folder / "state").write_bytes(b"kept")
    assert folder.parent == place
    del owner
    assert not folder.exists()


@posix
def test_only_folders_of_ended_processes_are_removed(place: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    gone = place / f"liarsdice-{machine()}-{ended.pid}-x"
    names = (
        f"liarsdice-{machine()}-{os.getpid()}-x",
        f"liarsdice-{machine()}-1-x",
        "liarsdice-notes",
        f"other-{machine()}-{ended.pid}-x",
        f"liarsdice-{machine()}-²-x",
    )
    others = [place / name for name in names]
    for folder in (gone, *others):
        folder.mkdir()
        (folder / "state").write_bytes(b"kept")
    link = place / f"liarsdice-{machine()}-{ended.pid}-link"
    link.symlink_to(others[0])
    owner = Owner()
    scratch.folder(owner)
    assert not gone.exists()
    assert all((folder / "state").exists() for folder in others)
    assert link.is_symlink()


@posix
@pytest.mark.parametrize(
    ("module", "name", "elsewhere"),
    [(platform, "node", "another-host"), (os, "readlink", "pid:[1]")],
    ids=["of another host", "of a container with this host's name"],
)
def test_folders_of_a_process_on_another_host_stay(
    place: Path, module: object, name: str, elsewhere: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    owners = Owner(), Owner()
    with monkeypatch.context() as there:  # the same temporary folder; no process here has this number
        machine.cache_clear()
        there.setattr(module, name, lambda *_: elsewhere)
        there.setattr(os, "getpid", lambda: ended.pid)
        theirs = scratch.folder(owners[0])
    machine.cache_clear()
    scratch.folder(owners[1])
    assert theirs.exists()
