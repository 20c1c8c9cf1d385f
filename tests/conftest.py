"""What holds for every test."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Generator, Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from liarsdice_cli.solvers import gambit
from tests.support import gambit_here, processes, properties
from tests.support.browser import NoBrowserError, browser

properties.register()

collect_ignore = ["support/windows"]
"""Not a module with examples: to import it is to be on Windows, and its folder is for the paths of children."""


def pytest_configure() -> None:
    """Asked to end (`timeout`, a job that is called off), tests end as by Ctrl-C: each after its processes.

    In the background of a shell without job control Ctrl-C is ignored; tests that interrupt themselves need it.
    """

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, interrupt)
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True, scope="session")
def _gambit_here() -> Iterator[None]:
    """Gambit's methods need no child process of their own, unless a test is about that."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gambit, "GambitProcess", gambit_here.process)
        yield


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """A browser, where there is one; to start it takes more than a second of processor time."""
    try:
        with browser() as running:
            yield running
    except NoBrowserError as error:
        pytest.skip(str(error))


@pytest.fixture(autouse=True)
def _every_process_ends_with_its_test() -> Iterator[None]:
    yield
    processes.end_all()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(config: pytest.Config) -> None:
    """Before the first worker starts."""
    from tests.support import kernels  # takes numba

    kernels.compile_all(large=config.getoption("markexpr") != "not slow")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, Any, Any]:
    """What collecting makes lasts to the end: the garbage collector need not look through it again and again.

    Every other worker begins at the end: of the modules, in which pytest rewrites assertions, it finds half as another has
    kept them, and the other way round.
    """
    gc.disable()
    if int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % 2:
        for path in sorted(Path(__file__).parent.rglob("test_*.py"), reverse=True):
            with suppress(Exception, pytest.skip.Exception):  # which is told when its turn comes
                import_module(".".join(path.relative_to(Path(__file__).parents[1]).with_suffix("").parts))
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()
