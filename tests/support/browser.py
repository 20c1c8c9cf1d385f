"""A headless browser for the tests and the pictures: Playwright's own Chromium, or one installed on the machine.

`LIARSDICE_BROWSER` names another program of the Chromium family. Nothing is downloaded here: `.ci/run` installs one.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge", "chrome")


class NoBrowserError(Exception):
    """No browser can be started; the message says what to install."""


@contextmanager
def browser() -> Iterator[Any]:
    """Yield a running browser, as Playwright's `Browser`. Raises NoBrowserError if there is none."""
    try:
        from playwright.sync_api import Error, sync_playwright
    except ImportError as error:
        raise NoBrowserError("Playwright is not installed: pip install playwright") from error
    with sync_playwright() as playwright:
        program = program_here(playwright.chromium.executable_path)
        if program is None:
            raise NoBrowserError("there is no Chromium: apt-get install chromium, or playwright install --with-deps chromium")
        sandbox = os.name != "posix" or os.geteuid() != 0  # Chromium's sandbox does not run as root
        try:
            running = playwright.chromium.launch(executable_path=program, chromium_sandbox=sandbox)
        except Error as error:
            raise NoBrowserError(f"{program} does not start: {str(error).splitlines()[0]}") from error
        try:
            yield running
        finally:
            running.close()


@contextmanager
def watched(tab: Any, allowed: Collection[str]) -> Iterator[None]:
    """Check that no page in the tab reports an error or prints to the console, or requests an address not allowed.

    `allowed` lists the beginnings of addresses, and may grow meanwhile. The tab is blank afterwards.
    """
    wrong: list[str] = []

    def requested(request: Any) -> None:
        if not request.url.startswith(("about:blank", *allowed)):
            wrong.append(request.url)

    heard: dict[str, Callable[[Any], None]] = {
        "console": lambda message: wrong.append(message.text),
        "pageerror": lambda error: wrong.append(str(error)),
        "request": requested,
    }
    for event, listener in heard.items():
        tab.on(event, listener)
    yield
    tab.goto("about:blank")
    for event, listener in heard.items():
        tab.remove_listener(event, listener)
    assert not wrong, wrong


def program_here(own: str) -> str | None:
    """Return the browser program, or None if there is none; `own` is the path of Playwright's browser."""
    named = os.environ.get("LIARSDICE_BROWSER")
    if named:
        return named
    if Path(own).exists():
        return own
    return next(filter(None, map(shutil.which, PROGRAMS)), None)
