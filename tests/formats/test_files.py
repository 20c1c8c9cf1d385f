"""Test reading and writing files by name: atomic writes, automatic gzip, and one-line errors."""

from __future__ import annotations

import gzip
import io
import os
import pickle
import stat
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarsdice_cli.errors import LiarsDiceError, UsageError
from liarsdice_cli.formats import files
from tests.support.packed import members
from tests.support.properties import examples

POSIX = pytest.mark.skipif(os.name != "posix", reason="needs POSIX files")


def is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def write(path: Path, *parts: bytes) -> None:
    with files.output(str(path)) as out:
        for part in parts:
            out.write(part)


def test_written_bytes_are_read_back(tmp_path: Path) -> None:
    write(tmp_path / "game.efg", b"one\r\n", b"two\x00\xff")
    assert files.read(str(tmp_path / "game.efg")) == b"one\r\ntwo\x00\xff"
    assert [path.name for path in tmp_path.iterdir()] == ["game.efg"]


def test_nothing_written_makes_an_empty_file(tmp_path: Path) -> None:
    write(tmp_path / "game.efg")
    assert (tmp_path / "game.efg").read_bytes() == b""


@pytest.mark.parametrize("name", ["game.efg", "game.efg.gz"])
@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, ValueError, LiarsDiceError, MemoryError])
@pytest.mark.parametrize("before", [None, b"the old game"])
def test_after_an_error_nothing_is_left_behind(
    tmp_path: Path, name: str, error: type[BaseException], before: bytes | None
) -> None:
    path = tmp_path / name
    if before is not None:
        path.write_bytes(before)
    with pytest.raises(error), files.output(str(path)) as out:  # noqa: PT012 (the block is what is tested)
        out.write(b"half of the new g" * 100_000)
        raise error
    assert [path.name for path in tmp_path.iterdir()] == ([name] if before is not None else [])
    assert before is None or path.read_bytes() == before


def test_the_old_file_stays_until_the_new_one_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "game.efg"
    path.write_bytes(b"old")
    with files.output(str(path)) as out:
        out.write(b"new" * 1_000_000)
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new" * 1_000_000


def test_two_writers_do_not_disturb_each_other(tmp_path: Path) -> None:
    path = tmp_path / "game.efg"
    with files.output(str(path)) as one:
        one.write(b"one")
        write(path, b"two")
        assert path.read_bytes() == b"two"
    assert path.read_bytes() == b"one"
    assert [path.name for path in tmp_path.iterdir()] == ["game.efg"]


def test_gz_files_are_compressed_reproducibly(tmp_path: Path) -> None:
    for name in ("one.efg.gz", "two.efg.gz"):
        write(tmp_path / name, b"game" * 10_000)
    data = (tmp_path / "one.efg.gz").read_bytes()
    assert data.startswith(b"\x1f\x8b")
    assert len(data) < 1_000
    assert gzip.decompress(data) == b"game" * 10_000
    assert data == (tmp_path / "two.efg.gz").read_bytes()
    assert data[3:8] == bytes(5)  # neither a name nor a time


def test_each_write_is_a_gzip_member_wherever_it_is_packed(tmp_path: Path) -> None:
    path = tmp_path / "game.efg.gz"
    with files.output(str(path)) as out:
        out.write(b"one" * 1_000)
        pack, take = files.packing(out)
        take(pickle.loads(pickle.dumps(pack))(b"two" * 1_000))
    assert members(path.read_bytes()) == [b"one" * 1_000, b"two" * 1_000]
    write(tmp_path / "two.gz", b"one" * 1_000, b"two" * 1_000)
    assert (tmp_path / "two.gz").read_bytes() == path.read_bytes()
    assert files.read(str(path)) == b"one" * 1_000 + b"two" * 1_000


def test_packing_for_a_plain_file_leaves_the_bytes_unchanged(tmp_path: Path) -> None:
    with files.output(str(tmp_path / "game.efg")) as out:
        pack, take = files.packing(out)
        take(pickle.loads(pickle.dumps(pack))(b"game"))
    assert (tmp_path / "game.efg").read_bytes() == b"game"


def test_nothing_written_makes_an_empty_gzip_member(tmp_path: Path) -> None:
    write(tmp_path / "game.efg.gz")
    assert members((tmp_path / "game.efg.gz").read_bytes()) == [b""]


def test_gzip_is_detected_whatever_the_name(tmp_path: Path) -> None:
    write(tmp_path / "game.gz", b"game")
    (tmp_path / "game.gz").rename(tmp_path / "game.efg")
    assert files.read(str(tmp_path / "game.efg")) == b"game"
    (tmp_path / "plain.gz").write_bytes(b"game")
    assert files.read(str(tmp_path / "plain.gz")) == b"game"
    (tmp_path / "parts.gz").write_bytes(gzip.compress(b"ga") + gzip.compress(b"me"))
    assert files.read(str(tmp_path / "parts.gz")) == b"game"


PACKED = gzip.compress(b'EFG 2 R "" { "A" } t "" 0' * 9, mtime=0)


def damaged() -> dict[str, bytes]:
    flipped = bytearray(PACKED)
    flipped[15] ^= 0xFF
    wrong_sum = bytearray(PACKED)
    wrong_sum[-6] ^= 1
    return {
        "cut short": PACKED[:-9],
        "without its end": PACKED[:-4],
        "only two bytes": PACKED[:2],
        "flipped": bytes(flipped),
        "wrong sum": bytes(wrong_sum),
        "with rubbish behind": PACKED + b"rubbish",
        "of an unknown method": PACKED[:2] + b"\x07" + PACKED[3:],
    }


@pytest.mark.parametrize("data", damaged().values(), ids=damaged().keys())
def test_damaged_gzip_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "game.efg.gz"
    path.write_bytes(data)
    with pytest.raises(LiarsDiceError, match=r"game\.efg\.gz.*gzip.*copy the file again"):
        files.read(str(path))


@examples()
@given(place=st.integers(0, len(PACKED) - 1), byte=st.integers(0, 255))
def test_gzip_with_one_wrong_byte_is_refused_or_read(tmp_path_factory: pytest.TempPathFactory, place: int, byte: int) -> None:
    path = tmp_path_factory.getbasetemp() / "wrong.gz"
    path.write_bytes(PACKED[:place] + bytes([byte]) + PACKED[place + 1 :])
    try:
        message = "" if files.read(str(path)) else "empty"
    except LiarsDiceError as error:
        message = str(error)
    assert "\n" not in message
    assert message == "" or "gzip" in message


@pytest.mark.parametrize("name", ["missing.efg", "missing/game.efg"])
def test_a_missing_file_is_reported(tmp_path: Path, name: str) -> None:
    with pytest.raises(LiarsDiceError, match=r"cannot read .*missing.*: .*; check the name and the folder") as refused:
        files.read(str(tmp_path / name))
    assert "\n" not in str(refused.value)


def test_writing_to_a_missing_folder_is_reported(tmp_path: Path) -> None:
    with pytest.raises(LiarsDiceError, match=r"cannot write .*missing.*; check the name and the folder"):
        write(tmp_path / "missing" / "game.efg", b"game")


def test_an_empty_name_is_refused() -> None:
    for use in (files.read, files.check_writable):
        with pytest.raises(UsageError, match="the name of a file is empty"):
            use("")
    with pytest.raises(UsageError, match="the name of a file is empty"), files.output(""):
        pass


@pytest.mark.parametrize("name", [".", "folder"])
def test_a_folder_instead_of_a_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(LiarsDiceError, match="cannot read"):
        files.read(name)
    with pytest.raises(LiarsDiceError, match=r"it is a directory; name a file in it$"), files.output(name):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]
    assert not any((tmp_path / "folder").iterdir())


def test_a_file_instead_of_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(LiarsDiceError, match="cannot read"):
        files.read(str(tmp_path / "file" / "game.efg"))
    with pytest.raises(LiarsDiceError, match="cannot write"):
        write(tmp_path / "file" / "game.efg", b"game")


@pytest.fixture
def nothing_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail if a file is moved: a test that runs as root could replace a device with a file."""

    def refuse(*names: object, **options: object) -> None:
        pytest.fail(f"a file is moved: {names}")

    for module, name in ((os, "rename"), (os, "replace"), (os, "link"), (Path, "rename"), (Path, "replace")):
        monkeypatch.setattr(module, name, refuse)


@POSIX
@pytest.mark.usefixtures("nothing_moves")
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("size", [1, 10_000_000])
def test_a_full_device_is_reported(size: int) -> None:
    with pytest.raises(LiarsDiceError, match=r"cannot write /dev/full: .*; free some space or write elsewhere"):
        write(Path("/dev/full"), b"x" * size)


@POSIX
@pytest.mark.usefixtures("nothing_moves")
def test_a_device_is_written_directly() -> None:
    write(Path("/dev/null"), b"game")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


@POSIX
@pytest.mark.skipif(is_root(), reason="root may read and write everything")
def test_missing_permissions_are_reported(tmp_path: Path) -> None:
    secret = tmp_path / "secret.efg"
    secret.write_bytes(b"game")
    secret.chmod(0)
    with pytest.raises(LiarsDiceError, match=r"cannot read .*choose a place where you may read and write"):
        files.read(str(secret))
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(LiarsDiceError, match=r"cannot write .*choose a place where you may read and write"):
            write(tmp_path / "game.efg", b"game")
    finally:
        tmp_path.chmod(0o700)


@POSIX
def test_a_link_stays_and_its_target_is_written(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    target, link = tmp_path / "folder" / "game.efg", tmp_path / "link.efg"
    link.symlink_to(target)
    for data in (b"new", b"newer"):  # the first time the link points nowhere
        write(link, data)
        assert link.is_symlink()
        assert target.read_bytes() == data
    assert [path.name for path in (tmp_path / "folder").iterdir()] == ["game.efg"]
    with pytest.raises(ValueError, match="stop"), files.output(str(link)):
        raise ValueError("stop")
    assert target.read_bytes() == b"newer"


@POSIX
def test_the_mode_of_a_file_is_kept_and_a_new_one_has_the_usual_mode(tmp_path: Path) -> None:
    path, usual = tmp_path / "game.efg", tmp_path / "usual"
    write(path, b"one")
    usual.write_bytes(b"")
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(usual.stat().st_mode)
    for mode in (0o600, 0o640, 0o755):
        path.chmod(mode)
        write(path, b"two")
        assert stat.S_IMODE(path.stat().st_mode) == mode


@POSIX
@pytest.mark.usefixtures("nothing_moves")
@pytest.mark.parametrize("packed", [False, True])
def test_a_named_pipe_is_written_directly(tmp_path: Path, packed: bool) -> None:
    path = tmp_path / ("pipe.gz" if packed else "pipe")
    os.mkfifo(path)
    received: list[bytes] = []
    reader = threading.Thread(target=lambda: received.append(path.read_bytes()), daemon=True)
    reader.start()
    write(path, b"game")
    reader.join(timeout=10)
    assert [gzip.decompress(data) if packed else data for data in received] == [b"game"]
    assert stat.S_ISFIFO(path.stat().st_mode)


@POSIX
@pytest.mark.usefixtures("nothing_moves")
@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="needs /dev/fd")
def test_an_open_pipe_is_written_by_its_descriptor() -> None:
    """A shell passes such a name for `-o >(gzip)`, and /dev/stdout is one if the output goes to a pipe."""
    source, sink = os.pipe()
    try:
        write(Path(f"/dev/fd/{sink}"), b"game")
        assert os.read(source, 99) == b"game"
    finally:
        os.close(source)
        os.close(sink)


def test_a_broken_pipe_is_not_reported_as_a_user_error(tmp_path: Path) -> None:
    with pytest.raises(BrokenPipeError), files.output(str(tmp_path / "game.efg")):
        raise BrokenPipeError
    assert not any(tmp_path.iterdir())


class Standard:
    """A replacement for sys.stdin or sys.stdout."""

    def __init__(self, data: bytes = b"") -> None:
        self.buffer = io.BytesIO(data)


@pytest.mark.parametrize("data", [b"game", gzip.compress(b"game")], ids=["plain", "packed"])
def test_a_dash_is_standard_input(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", Standard(data))
    assert files.read("-") == b"game"


def test_damaged_gzip_in_standard_input_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Standard(PACKED[:-9]))
    with pytest.raises(LiarsDiceError, match="standard input"):
        files.read("-")


def test_a_dash_is_standard_output_and_stays_open(monkeypatch: pytest.MonkeyPatch) -> None:
    out = Standard()
    monkeypatch.setattr(sys, "stdout", out)
    with files.output("-") as sink:
        sink.write(b"game")
    with files.output("-") as sink:
        sink.write(b"s")
    assert out.buffer.getvalue() == b"games"


def test_messages_name_standard_input_or_the_file() -> None:
    assert files.shown("-") == "standard input"
    assert files.shown("game.efg") == "game.efg"
