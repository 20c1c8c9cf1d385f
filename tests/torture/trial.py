"""Disturb one command at a random moment: its files must be whole or absent, and no process may survive."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tests.support.command_line import command_line, environment
from tests.torture.works import BOT, Work

SIGNALS = ("none", "SIGTERM", "SIGINT", "SIGKILL")
DISKS = ("usual", "limited", "full", "read-only")
_LIMIT = 60
"""Seconds within which a command must end after its signal, even on a busy machine."""
_MARK = "LIARSDICE_TORTURED"


@dataclass(frozen=True)
class Trial:
    """A command, and how it is disturbed."""

    work: Work
    signal: str
    disk: str
    moment: float
    size: int

    @classmethod
    def drawn(cls, work: Work, disks: tuple[str, ...], draw: random.Random) -> Trial:
        """Return a trial with a random signal or none, disk, moment and size; the disk is most often a usual one."""
        name = draw.choice(SIGNALS)
        disk = draw.choice(disks) if name == "none" or draw.random() < 0.2 else "usual"
        return cls(work, name, disk, draw.uniform(0, work.seconds), int(10 ** draw.uniform(1, 7)))

    def __str__(self) -> str:
        return f"{self.work.name}, {self.signal} after {self.moment:.2f} s, disk {self.disk} (limit {self.size:,})"


@contextmanager
def disk(kind: str, folder: Path) -> Iterator[None]:
    """Put the folder on a disk of this kind: small or read-only. Needs the right to mount."""
    if kind not in ("full", "read-only"):
        yield
        return
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)], check=True)
    try:
        (folder / "own.py").write_text(BOT)
        if kind == "read-only":
            subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def disks(folder: Path) -> tuple[str, ...]:
    """Return the kinds of disks that can be made here."""
    try:
        with disk("read-only", folder):
            return DISKS
    except (OSError, subprocess.CalledProcessError):
        return DISKS[:2]


def faults(trial: Trial, folder: Path) -> list[str]:
    """Run a trial and return what is wrong; an empty list if nothing is."""
    with disk(trial.disk, folder):
        if trial.disk != "read-only":
            (folder / "own.py").write_text(BOT)
        code, err = _disturbed(trial, folder)
        found = [*_of_end(trial, code, err), *_of_files(trial, folder, killed=code == -signal.SIGKILL), *_orphans()]
        if trial.disk == "usual" and not found:
            found = _of_going_on(trial, folder)
    for path in folder.iterdir():
        if path.is_file():
            path.unlink()
    return found


def _disturbed(trial: Trial, folder: Path) -> tuple[int, str]:
    """Run the command and disturb it."""
    process = subprocess.Popen(
        command_line(*trial.work.arguments),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        cwd=folder,
        env=environment(**{_MARK: str(os.getpid())}),
        preexec_fn=_prepared(trial),
    )
    with suppress(subprocess.TimeoutExpired):
        process.wait(trial.moment)
        return process.returncode, process.communicate()[1].decode(errors="replace")
    if trial.signal != "none":
        process.send_signal(getattr(signal, trial.signal))
    try:
        err = process.communicate(timeout=_LIMIT)[1]
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return 1000, "does not end"
    return process.returncode, err.decode(errors="replace")


def _prepared(trial: Trial) -> Callable[[], None]:
    def prepare() -> None:
        import resource

        signal.signal(signal.SIGINT, signal.default_int_handler)
        if trial.disk == "limited":
            resource.setrlimit(resource.RLIMIT_FSIZE, (trial.size, trial.size))

    return prepare


def _of_end(trial: Trial, code: int, err: str) -> list[str]:
    """Check the exit code: one of docs/command-line.md, or that of the signal if the program had not started yet."""
    allowed = {0, 1} if trial.disk != "usual" else {0}
    allowed |= {3} if "--time-limit" in trial.work.arguments else set()
    allowed |= {
        "none": set(),
        "SIGTERM": {130, -signal.SIGTERM, -signal.SIGINT},  # the last: an interrupt in an import
        "SIGINT": {130, -signal.SIGINT, 1},  # 1: Python itself was still starting
        "SIGKILL": {-signal.SIGKILL},
    }[trial.signal]
    wrong = [] if code in allowed else [f"exit code {code}: {err[-300:]!r}"]
    starting = trial.signal == "SIGINT" and code in (1, -signal.SIGINT)
    worker_starting = code == -signal.SIGKILL and "pickle.load(from_parent)" in err  # Python itself finds its pipe closed
    if ("internal error" in err or "Traceback" in err) and not starting and not worker_starting:
        wrong.append(f"a traceback: {err[-300:]!r}")
    return wrong


def _of_files(trial: Trial, folder: Path, killed: bool) -> list[str]:
    """Check that every file is whole or absent; only a killed command may leave part files."""
    wrong = []
    for name, check in trial.work.writes.items():
        if (folder / name).exists():
            try:
                check(folder / name)
            except Exception as error:
                wrong.append(f"{name} is not whole: {type(error).__name__}: {error}"[:300])
    known = {*trial.work.writes, "own.py", "profile.json"}
    others = [path.name for path in folder.iterdir() if path.is_file() and path.name not in known]
    strays = [name for name in others if not (killed and name.endswith(".part"))]
    return wrong + ([f"leaves {strays}"] if strays else [])


def _of_going_on(trial: Trial, folder: Path) -> list[str]:
    """Check that the command can be resumed from its files, and that no part files are left afterwards."""
    name, arguments = trial.work.goes_on or ("", ())
    if not name or not (folder / name).exists():
        return []
    ended = subprocess.run(
        command_line(*arguments), stdin=subprocess.DEVNULL, capture_output=True, cwd=folder, env=environment(), timeout=300
    )
    wrong = [] if ended.returncode == 0 else [f"does not go on: {ended.returncode} {ended.stderr[-300:]!r}"]
    return wrong + _of_files(trial, folder, killed=False)


def _orphans() -> list[str]:
    """Check that the processes of tortured commands end within ten seconds; kill those that do not."""
    mark = f"{_MARK}={os.getpid()}".encode()
    end = time.monotonic() + 10
    while alive := [number for number in _processes() if mark in _environment(number)]:
        if time.monotonic() > end:
            for number in alive:
                os.kill(number, signal.SIGKILL)
            return [f"{len(alive)} process(es) live on"]
        time.sleep(0.05)
    return []


def _processes() -> list[int]:
    return [int(path.name) for path in Path("/proc").glob("[0-9]*")] if Path("/proc").exists() else []


def _environment(process: int) -> list[bytes]:
    try:
        return Path(f"/proc/{process}/environ").read_bytes().split(b"\0")
    except OSError:
        return []
