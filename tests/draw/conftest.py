"""Fixtures for the tests of web pages."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from liarsdice_cli.cli.main import run
from tests.support.browser import watched
from tests.support.command_line import start


@pytest.fixture(scope="session")
def six(tmp_path_factory) -> Path:
    """Write the explorer page of one six-sided die each with the command line, and return its path."""
    path = tmp_path_factory.mktemp("page") / "explorer.html"
    assert run(["explore", "--sides", "6", "-o", str(path)]) == 0
    return path


@pytest.fixture(scope="session")
def four(tmp_path_factory) -> Path:
    """Write the same page for four sides, which is a quarter of the work."""
    path = tmp_path_factory.mktemp("page") / "explorer.html"
    assert run(["explore", "--sides", "4", "-o", str(path)]) == 0
    return path


@pytest.fixture(scope="session")
def only_tab(chromium) -> Any:
    """Return one tab for all tests; opening a tab takes a third of a second of processor time."""
    tab = chromium.new_page()
    tab.set_default_timeout(20_000)
    return tab


@pytest.fixture
def served() -> tuple[str, subprocess.Popen[bytes]]:
    """Start `explore --serve`, and return the address of its page and its process."""
    process = start("explore", "--sides", 3, "--rules", "common", "--serve")
    assert process.stdout is not None
    return process.stdout.readline().decode().strip(), process


@pytest.fixture
def opened(only_tab) -> Iterator[Any]:
    """Yield a function that opens an address in the tab. Page errors and requests to other addresses fail the test."""
    allowed_so_far: list[str] = []

    def open_address(address, allowed="file:", width=1280, scheme="light", motion="no-preference"):
        if allowed_so_far:  # a new fragment alone would not load the page again
            only_tab.goto("about:blank")
        allowed_so_far.append(allowed)
        only_tab.set_viewport_size({"width": width, "height": 800})
        only_tab.emulate_media(media="screen", color_scheme=scheme, reduced_motion=motion)
        only_tab.goto(address)
        only_tab.wait_for_selector("html[data-ready]")
        return only_tab

    with watched(only_tab, allowed_so_far):
        yield open_address
