"""Folders for what is needed only meanwhile: they go with who needs them, and those of processes that are gone are removed."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from liarsdice_cli.system import scratch
from tests.support.command_line import posix


class Owner:
    """Somebody who needs a folder."""


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary folders are made."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_a_folder_goes_with_its_owner(place: Path) -> None:
    owner = Owner()
    folder = scratch.folder(owner)
    (folder / "state").write_bytes(b"kept")
    assert folder.parent == place
    del owner
    assert not folder.exists()


@posix
def test_folders_of_processes_that_are_gone_are_removed_and_no_others(place: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    gone = place / f"liarsdice-{ended.pid}-x"
    others = [
        place / name for name in (f"liarsdice-{os.getpid()}-x", "liarsdice-1-x", "liarsdice-notes", f"other-{ended.pid}-x")
    ]
    for folder in (gone, *others):
        folder.mkdir()
        (folder / "state").write_bytes(b"kept")
    link = place / f"liarsdice-{ended.pid}-link"
    link.symlink_to(others[0])
    owner = Owner()
    scratch.folder(owner)
    assert not gone.exists()
    assert all((folder / "state").exists() for folder in others)
    assert link.is_symlink()
