"""Test free memory: the limit of a control group, and which pages count against it."""

from __future__ import annotations

from pathlib import Path

import pytest

from liarsdice_cli.system import memory


@pytest.fixture
def group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a control group with a limit of 50,000 bytes, of which 49,000 are used."""
    monkeypatch.setattr(memory, "CONTROL_GROUP", tmp_path)
    (tmp_path / "memory.max").write_text("50000\n")
    (tmp_path / "memory.current").write_text("49000\n")
    (tmp_path / "memory.stat").write_text("anon 4000\nfile 45000\ninactive_file 40000\nactive_file 5000\n")
    return tmp_path


def test_inactive_pages_of_files_count_as_free(group: Path) -> None:
    assert memory.available() == 41_000 * 0.95


def test_several_workers_share_the_free_memory(group: Path) -> None:
    with memory.shared_by(2):
        assert memory.available() == 41_000 * 0.95 / 2


def test_inactive_pages_that_are_not_listed_count_as_none(group: Path) -> None:
    (group / "memory.stat").write_text("anon 4000\n")
    assert memory.available() == 1_000 * 0.95


@pytest.mark.parametrize(("name", "content"), [("memory.max", "max\n"), ("memory.current", None)])
def test_without_a_limit_the_memory_of_the_machine_counts(group: Path, name: str, content: str | None) -> None:
    (group / name).unlink()
    if content:
        (group / name).write_text(content)
    assert memory.available() > 1_000_000
