"""Makes the pictures of the README: `make pictures`. The explorer's needs a browser, as its tests do."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from liarsdice_cli.cli.main import run

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PROFILE, TREE, EXPLORER = HERE / "two-sides.json", HERE / "tree.svg", HERE / "explorer.png"
DRAW = ("draw", "--sides", "2", "--profile", str(PROFILE), "-o")


def main() -> None:
    """Solve, draw, and photograph."""
    liarsdice("solve", "--sides", "2", "-q", "-o", str(PROFILE))
    liarsdice(*DRAW, str(TREE))
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "explorer.html"
        liarsdice("explore", "--sides", "6", "--rules", "joker", "-o", str(page))
        photograph(page.as_uri() + "#1x4")


def liarsdice(*arguments: str) -> None:
    """Run a command line, or end as it does."""
    code = run(arguments)
    if code:
        sys.exit(code)


def photograph(address: str) -> None:
    """What a reader of the page sees."""
    sys.path.insert(0, str(ROOT))
    from tests.support.browser import NoBrowserError, browser

    try:
        with browser() as running:
            tab = running.new_page(viewport={"width": 1200, "height": 960}, color_scheme="light")
            tab.goto(address)
            tab.wait_for_selector("html[data-ready]")
            tab.evaluate("document.activeElement.blur()")
            tab.screenshot(path=str(EXPLORER))
    except NoBrowserError as error:
        sys.exit(f"{EXPLORER.name} is not made: {error}")


if __name__ == "__main__":
    main()
