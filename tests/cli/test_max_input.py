"""The limit on the size of input, packed or unpacked, and the option that sets it."""

from __future__ import annotations

import gzip
import io
import os
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.formats import files
from liarsdice_cli.system import memory
from liarsdice_cli.system.local_cluster import LocalCluster
from liarsdice_cli.system.tasks import in_order
from tests.support.command_line import PENNIES, assert_refused, posix, run_here


@pytest.mark.parametrize("packed", [False, True])
def test_a_file_that_is_too_large_is_refused_and_the_limit_applies_to_one_command(packed: bool, tmp_path: Path) -> None:
    game = tmp_path / "game.efg"
    game.write_bytes(gzip.compress(PENNIES.read_bytes()) if packed else PENNIES.read_bytes())
    assert_refused(run_here("--max-input", 100, "info", game), str(game), "--max-input")
    assert run_here("--max-input", "1 MB", "info", game).code == 0
    assert run_here("info", game).code == 0


def test_standard_input_that_is_too_large_is_refused() -> None:
    assert_refused(run_here("--max-input", 100, "info", "-", input=PENNIES.read_bytes()), "standard input")


def test_a_small_file_that_unpacks_to_a_large_one_is_refused(tmp_path: Path) -> None:
    bomb = tmp_path / "bomb.gz"
    bomb.write_bytes(gzip.compress(bytes(10**8)))
    assert bomb.stat().st_size < 10**6
    with files.at_most(10**6), pytest.raises(LiarsDiceError, match="1 MB"):
        files.read(str(bomb))


def test_the_parts_of_a_strategy_file_count_unpacked(tmp_path: Path) -> None:
    name = tmp_path / "strategy.ldz"
    assert run_here("solve", "--sides", 3, "-o", name).code == 0
    with zipfile.ZipFile(name) as archive:
        largest = max(part.file_size for part in archive.infolist())
    assert_refused(run_here("--max-input", largest - 1, "verify", name), str(name), "--max-input")
    assert run_here("--max-input", largest, "verify", name).code == 0


@posix
@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="there is no /dev/zero")
def test_an_endless_device_is_refused() -> None:
    with files.at_most(10**7), pytest.raises(LiarsDiceError, match="10 MB"):
        files.read("/dev/zero")


def test_the_limit_holds_in_threads_and_in_workers(tmp_path: Path) -> None:
    name = tmp_path / "file"
    name.write_bytes(bytes(101))
    with ThreadPoolExecutor(1) as thread, files.at_most(100):
        with pytest.raises(LiarsDiceError, match="100 bytes"):
            thread.submit(files.read, str(name)).result()
        with pytest.raises(LiarsDiceError, match="100 bytes"):
            list(in_order(LocalCluster(1), files.read, [str(name)]))
    assert len(files.read(str(name))) == 101


def test_reading_stops_soon_after_the_limit() -> None:
    class Endless(io.BufferedIOBase):
        given = 0

        def read1(self, size: int = -1) -> bytes:
            self.given += size
            return bytes(size)

    stream = Endless()
    with pytest.raises(LiarsDiceError), files.at_most(10**7):
        files._whole(stream, "endless")  # type: ignore[arg-type]
    assert stream.given < 2 * 10**7


def test_the_limit_is_lower_if_memory_is_scarce(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available", lambda: 300)
    assert_refused(run_here("info", PENNIES), "150 bytes")


@pytest.mark.parametrize("size", ["much", "", "1_0", "-1", "٣", "1e9", "9" * 20, "nan GB"])
def test_an_invalid_size_is_refused(size: str) -> None:
    assert_refused(run_here("--max-input", size, "info", PENNIES), code=2)
