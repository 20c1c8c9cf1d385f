"""A tab of the browser for the tests of pages."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from liarsdice_cli.cli.main import run
from tests.support.command_line import start


@pytest.fixture(scope="session")
def six(tmp_path_factory) -> Path:
    """The page of one die each with six sides, through the command line."""
    path = tmp_path_factory.mktemp("page") / "explorer.html"
    assert run(["explore", "--sides", "6", "-o", str(path)]) == 0
    return path


@pytest.fixture(scope="session")
def four(tmp_path_factory) -> Path:
    """The same with four sides, a quarter of the work."""
    path = tmp_path_factory.mktemp("page") / "explorer.html"
    assert run(["explore", "--sides", "4", "-o", str(path)]) == 0
    return path


@pytest.fixture(scope="session")
def only_tab(chromium) -> Any:
    """A tab for all tests: each that is opened takes a third of a second of processor time."""
    tab = chromium.new_page()
    tab.set_default_timeout(20_000)
    return tab


@pytest.fixture
def served() -> tuple[str, subprocess.Popen[bytes]]:
    """The address of a page that `explore --serve` answers for, and its process."""
    process = start("explore", "--sides", 3, "--rules", "common", "--serve")
    assert process.stdout is not None
    return process.stdout.readline().decode().strip(), process


@pytest.fixture
def opened(only_tab) -> Iterator[Any]:
    """Opens addresses in the tab, one after the other, which must stay free of errors and of requests to anywhere."""
    wrong, fine = [], ["about:blank"]
    heard = {
        "console": lambda message: wrong.append(message.text),
        "pageerror": lambda error: wrong.append(str(error)),
        "request": lambda asked: asked.url.startswith(tuple(fine)) or wrong.append(asked.url),
    }
    for event, listener in heard.items():
        only_tab.on(event, listener)

    def open_address(address, allowed="file:", width=1280, scheme="light", motion="no-preference"):
        if fine[1:]:  # else a new place in the page that is shown would not open it again
            only_tab.goto("about:blank")
        fine.append(allowed)
        only_tab.set_viewport_size({"width": width, "height": 800})
        only_tab.emulate_media(media="screen", color_scheme=scheme, reduced_motion=motion)
        only_tab.goto(address)
        only_tab.wait_for_selector("html[data-ready]")
        return only_tab

    yield open_address
    only_tab.goto("about:blank")
    for event, listener in heard.items():
        only_tab.remove_listener(event, listener)
    assert wrong == []
