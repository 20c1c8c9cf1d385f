"""Child processes that end with this one and ignore the terminal's Ctrl-C."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from multiprocessing.util import Finalize
from types import ModuleType
from typing import Any

from liarsdice_cli.system import interrupts

_LAST_WORDS = 1.0
"""Seconds to wait for the last output of a process that has ended: its own children may keep its standard error open."""


def cores() -> int:
    """Return the number of processors that this process may use, or of all if the system does not say."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def end_with(parent: int) -> None:
    """Make Linux end this process with its parent, even if no Python thread can run; do nothing on other systems.

    parent : process id. The kernel ends this process with the thread of the parent that started it
    """
    if sys.platform == "linux":
        import ctypes

        pr_set_pdeathsig = 1
        ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)
        if os.getppid() != parent:  # it ended before the call
            os._exit(1)


class Complaints:
    """Passes the standard error of processes on to ours, up to a limit; then one line says that the rest is dropped.

    name : name of the processes in that line
    most : total of bytes, for all processes that share the object
    """

    def __init__(self, name: str, most: int = 1 << 16) -> None:
        self.name, self.left = name, most

    def pass_on(self, said: bytes) -> None:
        """Pass on the part within the limit."""
        if self.left < 0:
            return
        told, self.left = said[: self.left], self.left - len(said)
        if self.left < 0:
            told += f"\nliarsdice: {self.name} writes too much to standard error; the rest is dropped\n".encode()
        with suppress(OSError):
            os.write(2, told)


class LastWords(Complaints):
    """The end of what a process writes to standard error, kept instead of passed on.

    most : bytes that are kept
    """

    def __init__(self, most: int = 1 << 12) -> None:
        super().__init__("", most)
        self._kept = b""

    def pass_on(self, said: bytes) -> None:
        """Keep the last bytes."""
        self._kept = (self._kept + said)[-self.left :]

    @property
    def text(self) -> str:
        """The bytes that were kept, as text."""
        return self._kept.decode(errors="replace")


class Child:
    """A child process that runs `work(connection, *arguments)`, and our end of the connection.

    work, arguments : a function that can be imported, and arguments that can be pickled
    daemon          : False for a process that starts others
    complaints      : receives its standard error, which otherwise is ours (as it always is on Windows)
    main            : False if no argument is defined in the main module. The child then does not import that module, so that a
                      script needs no `if __name__ == "__main__"`
    """

    def __init__(
        self,
        work: Callable[..., None],
        *arguments: Any,
        daemon: bool = True,
        complaints: Complaints | None = None,
        main: bool = True,
    ) -> None:
        context = multiprocessing.get_context("spawn")  # the same everywhere, and safe beside threads
        self.connection, theirs = context.Pipe()
        heard, spoken = (None, None) if complaints is None or sys.platform == "win32" else context.Pipe(duplex=False)
        self._process = context.Process(target=_run, args=(work, theirs, spoken, *arguments), daemon=daemon)
        # Before the start: if an interrupt follows it at once, multiprocessing would wait for the process at the exit.
        Finalize(self, _kill_if_running, (self._process,), exitpriority=1)
        with _deaf(), _not_daemonic(), nullcontext() if main else _without_main():
            self._process.start()
        theirs.close()
        self._listener = threading.Thread(target=_listen, args=(heard, complaints), daemon=True)
        if spoken is not None:
            spoken.close()
            self._listener.start()

    def kill(self) -> None:
        """End the process, and its group if it has called `lead_group`; messages that it has sent can still be received."""
        _kill(self._process)

    def wait(self) -> int:
        """Wait for the end of the process; return its exit code, or minus the number of the signal that ended it."""
        self._process.join()
        if self._listener.ident is not None:
            self._listener.join(_LAST_WORDS)
        return self._process.exitcode or 0

    def close(self) -> None:
        """End the process at once."""
        self.kill()
        self.wait()
        self.connection.close()


def _kill(process: BaseProcess) -> None:
    """End a process and the group that it leads."""
    if sys.platform != "win32":
        with suppress(OSError):  # it has ended, or leads no group
            if process.pid is not None and os.getpgid(process.pid) == process.pid:
                os.killpg(process.pid, signal.SIGKILL)
    process.kill()


def _kill_if_running(process: BaseProcess) -> None:
    """End a process if it is running; the number of one that has ended may belong to another by now."""
    if process.pid is not None and process.exitcode is None:
        _kill(process)


def lead_group() -> None:
    """Make this process the leader of a group, with which `Child.kill` ends the processes that it starts from now on.

    On Windows it does nothing: there they end when they read the end of their standard input.
    """
    if sys.platform != "win32":
        os.setpgid(0, 0)


def _listen(heard: Connection, complaints: Complaints) -> None:
    """Read the standard error of a process until it and its own children have ended."""
    with heard:
        while said := os.read(heard.fileno(), 1 << 16):
            complaints.pass_on(said)


def _run(work: Callable[..., None], connection: Connection, spoken: Connection | None, *arguments: Any) -> None:
    """Run the work in the child, which ends with its parent and prints nothing to standard output."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _block_interrupts(False)
    threading.Thread(target=_watch, daemon=True).start()
    if spoken is not None:
        os.dup2(spoken.fileno(), 2)
        spoken.close()
    with suppress(OSError):
        os.dup2(2, 1)
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    with suppress(EOFError, BrokenPipeError, ConnectionResetError, KeyboardInterrupt):  # closed, or terminated by a signal
        work(connection, *arguments)


def _watch() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
    if sys.platform != "win32" and os.getpgid(0) == os.getpid():
        os.killpg(0, signal.SIGKILL)  # what this process has started, and itself
    os._exit(1)


@contextmanager
def _not_daemonic() -> Iterator[None]:
    """Let a daemonic process, such as a worker of a pool, start a child: ours cannot be orphaned, the reason for the ban."""
    current = multiprocessing.current_process()
    daemonic = current.daemon
    if daemonic:
        current.daemon = False
    try:
        yield
    finally:
        if daemonic:
            current.daemon = True


@contextmanager
def _without_main() -> Iterator[None]:
    """Hide the main module: a process that is started meanwhile does not import it."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


@contextmanager
def _deaf() -> Iterator[None]:
    """Make a child that starts meanwhile ignore Ctrl-C from its first moment; only the main thread can do that.

    A Ctrl-C during the block takes effect at its end; ignoring it would lose it.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    with interrupts.recorded() as came:
        _block_interrupts(True)
        try:
            yield
        finally:
            _block_interrupts(False)
    if came:
        signal.raise_signal(came[0])  # handled as outside the block


def _block_interrupts(blocked: bool) -> None:
    """Block or unblock SIGINT for this thread and the children that it starts; do nothing on Windows."""
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_BLOCK if blocked else signal.SIG_UNBLOCK, [signal.SIGINT])
