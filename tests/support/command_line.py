"""Run the command line in tests: in a process of its own, in this process, or at a terminal."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import pytest
from jsonschema import Draft202012Validator

from liarsdice_cli.cli import main
from liarsdice_cli.formats.documents import schema
from liarsdice_cli.formats.kept import FOLDER
from liarsdice_cli.games.liarsdice.rules import rules
from tests.support.processes import popen

ROOT = Path(__file__).parents[2]


KUHN = ROOT / "sample_games" / "kuhn-poker.efg"


PENNIES = ROOT / "sample_games" / "matching-pennies.efg"


FORGETFUL = ROOT / "sample_games" / "absent-minded-driver.efg"


posix = pytest.mark.skipif(os.name != "posix", reason="signals, devices and terminals of POSIX systems")


full_device = pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")


class Ended(NamedTuple):
    """How a process ended."""

    code: int
    out: str
    err: str


def command_line(*args: object) -> list[str]:
    return [sys.executable, "-m", "liarsdice_cli", *map(str, args)]


def environment(**extra: str) -> dict[str, str]:
    """Return this process's environment without variables that change output, buffering or colours."""
    changing = ("PYTHON", "LIARSDICE", "_LIARSDICE", "NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "TTY_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(changing) or name == FOLDER}
    return kept | {"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", "TERM": "xterm-256color"} | extra


def run(*args: object, input: bytes | str = b"", cwd: Path | None = None, **env: str) -> Ended:
    """Run the command line in a process of its own."""
    process = start(*args, stdin=subprocess.PIPE, cwd=cwd, **env)
    return end_of(process, input.encode() if isinstance(input, str) else input)


def shell(line: str) -> Ended:
    """Run a line in a shell, in a process of its own."""
    return end_of(popen(["sh", "-c", line], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()))


def run_here(*args: object, input: bytes | str = b"", cwd: Path | None = None, together: bool = False, **env: str) -> Ended:
    """Run the command line in this process, which is a hundred times as fast; `together` merges errors into the output."""
    given = input.encode() if isinstance(input, str) else input
    streams = [io.TextIOWrapper(io.BytesIO(start), encoding="utf-8") for start in (given, b"", b"")]
    with (
        chdir(cwd or os.curdir),
        mock.patch.dict(os.environ, env),
        mock.patch("sys.stdin", streams[0]),
        redirect_stdout(streams[1]),
        redirect_stderr(streams[1 if together else 2]),
    ):
        try:
            code = main.run([str(arg) for arg in args])
        except SystemExit as end:  # shell completion ends this way
            code = int(end.code or 0)
    texts = []
    for stream in streams[1:]:
        stream.flush()
        texts.append(stream.buffer.getvalue().decode())
    return Ended(code, *texts)


def assert_refused(ended: Ended, *words: str, code: int = 1) -> None:
    """Check that the error is one line on standard error with these words, and that standard output is empty."""
    assert ended.code == code, ended
    assert ended.out == ""
    assert len(ended.err.splitlines()) == 1, ended.err
    assert ended.err.startswith("liarsdice: ")
    assert "internal error" not in ended.err
    for word in words:
        assert word in ended.err


def document(ended: Ended, kind: str) -> dict[str, Any]:
    """Return the JSON document on standard output."""
    assert ended.err == ""
    return checked_document(json.loads(ended.out), kind)


def checked_document(content: dict[str, Any], kind: str) -> dict[str, Any]:
    """Check that a document fits its schema and that its rules reproduce its game; return the document."""
    assert content["schema"] == schema(kind)
    description = json.loads((ROOT / "docs" / "schemas" / f"{kind}.json").read_text())
    Draft202012Validator(description).validate(content)
    for part in _objects(content):
        if isinstance(part.get("rules"), dict):
            assert str(rules(**part["rules"])) in part["title"]
    return content


def _objects(content: Any) -> Iterator[dict[str, Any]]:
    """Yield all objects of a document."""
    if isinstance(content, dict):
        yield content
    parts = content.values() if isinstance(content, dict) else content if isinstance(content, list) else ()
    for part in parts:
        yield from _objects(part)


def start(
    *args: object,
    stdin: int | None = None,
    stdout: int = subprocess.PIPE,
    stderr: int = subprocess.PIPE,
    cwd: Path | None = None,
    **env: str,
) -> subprocess.Popen[bytes]:
    """Start the command line in a process of its own, which receives interrupts and ends with the test."""
    return popen(command_line(*args), stdin=stdin, stdout=stdout, stderr=stderr, cwd=cwd, env=environment(**env))


def wait_for(what: object, seconds: float = 30) -> None:
    """Wait until a function returns a true value."""
    end = time.monotonic() + seconds
    while not what():  # type: ignore[operator]
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)


def children(process: int) -> list[int]:
    """Return the child processes of a process (Linux)."""
    found: list[int] = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == process and fields[0] != "Z":
            found.append(int(stat.parent.name))
    return found


def alive(process: int) -> bool:
    """Return whether a process still runs (Linux); a zombie does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def seconds_used(process: int) -> float:
    """Return the processor time in seconds that a process has used (Linux)."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def end_of(process: subprocess.Popen[bytes], input: bytes | None = None) -> Ended:
    """Wait until a process ends, and return how it ended."""
    out, err = process.communicate(input, timeout=180)
    return Ended(process.returncode, (out or b"").decode(errors="replace"), (err or b"").decode(errors="replace"))


def end_by(process: subprocess.Popen[bytes], name: str) -> Ended:
    """Send a signal to a process, and return how it ended."""
    process.send_signal(getattr(signal, name))
    return end_of(process)


class Terminal:
    """A pseudo-terminal for the standard error or standard output of a process."""

    def __init__(self) -> None:
        import pty

        self.master, self.slave = pty.openpty()
        self.text = b""

    def read(self) -> None:
        """Read the output that is available."""
        import select

        while select.select([self.master], [], [], 0.05)[0]:
            try:
                piece = os.read(self.master, 65536)
            except OSError:  # Linux raises this when the last process has closed it
                return
            if not piece:
                return
            self.text += piece

    def close(self) -> str:
        os.close(self.slave)
        self.read()
        os.close(self.master)
        return self.text.decode()
