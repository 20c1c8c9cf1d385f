"""Fixtures and hooks for all tests."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from liarsdice_cli.formats import kept
from liarsdice_cli.solvers import gambit
from liarsdice_cli.strategies import store
from tests.support import gambit_here, processes, properties
from tests.support.browser import NoBrowserError, browser

properties.register()

collect_ignore = ["support/windows"]
"""Not a test module: importing it makes Python behave as on Windows, which is meant for child processes only."""


def pytest_configure() -> None:
    """Make SIGTERM end the tests like Ctrl-C, so that every test still ends its child processes.

    A shell without job control ignores Ctrl-C for background processes; tests that interrupt themselves need it.
    """

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, interrupt)
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the tests of the site first: they take longest, and at the end they would leave the other workers idle."""
    items.sort(key=lambda item: item.path.name != "test_site.py")


@pytest.fixture(autouse=True, scope="session")
def _gambit_here() -> Iterator[None]:
    """Run Gambit's methods in the test process: a child process would take most of a second to import pygambit."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gambit, "GambitProcess", gambit_here.process)
        yield


@pytest.fixture(autouse=True, scope="session")
def _nothing_kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Use an empty folder for kept solutions; those of this machine's user would change how the bots play."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(kept.FOLDER, str(tmp_path_factory.mktemp("kept")))
        yield


@pytest.fixture(autouse=True)
def _every_process_ends_with_its_test() -> Iterator[None]:
    yield
    processes.end_all()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """Yield a browser that all tests share, because it takes more than a second to start; skip the test if there is none."""
    try:
        with browser() as running:
            yield running
    except NoBrowserError as error:
        pytest.skip(str(error))


@pytest.fixture
def cut_from(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Return a function that sets from how many bids on public trees are cut into shards; by default only large ones are."""
    return lambda bids: monkeypatch.setattr(store, "CUT_FROM", bids)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(config: pytest.Config) -> None:
    """Compile the loops once before the workers start; otherwise each worker would compile the same ones."""
    from tests.support import kernels  # imports numba

    kernels.compile_all(large=config.getoption("markexpr") != "not slow")
