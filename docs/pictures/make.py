"""`make pictures`: make the pictures of the README and the pages. Those of the explorer and the coach need a browser."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import redirect_stdout
from html import escape
from pathlib import Path
from textwrap import dedent, wrap
from threading import Thread

from liarsdice_cli.bots.zero_intelligence import continuous
from liarsdice_cli.cli.main import run
from liarsdice_cli.draw.model import regions
from liarsdice_cli.games.liarsdice.rules import rules as rules_of
from liarsdice_cli.library.coaching import coach, warm
from liarsdice_cli.library.coaching_page import serve

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
TREE, EXPLORER = HERE / "tree.svg", HERE / "explorer.png"
COACH = HERE / "coach.png"
KUHN = HERE / "explorer-kuhn.png"
TABLE = HERE / "explorer-play.png"
VALUES = "liarsdice values --rules common --sides 6 --dice 1,1 2,1 1,2 2,2 --payoffs zero-sum --method double-oracle"
PLAY = "liarsdice play equilibrium --rules joker --hints --rounds 1 --seed 8"
WIDTH = 850
"""The width of a README in pixels, so that pictures are readable without enlarging them."""
TABLES = {
    "graph": "from,to\n3,2\n3,1\n2,1\n2,0\n1,0\n0,\n",
    "circle": "from,to,player\na,b,\nb,a,\na,end,1\nend,,\n",
    "kayles": "from,to\n5,4\n5,3\n5,2+2\n5,1+3\n5,1+2\n4,3\n4,2\n4,1+2\n4,1+1\n2+2,1+2\n2+2,2\n1+3,3\n1+3,1+2\n"
    "1+3,1+1+1\n1+3,1+1\n1+3,1\n3,2\n3,1\n3,1+1\n1+2,2\n1+2,1+1\n1+2,1\n1+1+1,1+1\n2,1\n2,0\n1+1,1\n1,0\n0,\n",
    "game": "move,move,Player 1,Player 2\nLeft,Up,1,3\nLeft,Down,3,2\nRight,Up,4,2\nRight,Down,3,1\n",
}
"""The games of docs/impartial.md, docs/sprague-grundy.md and docs/sequential.md."""
MISTAKE = "3"
"""The keys of a round in which the first move is a mistake and the strategy does not end the round."""
SAME_DICE = "{ let state = 987654321; Math.random = () => (state = (16807 * state) % 2147483647) / 2147483647; }"
"""Replaces Math.random by Lehmer's generator, so that a picture is the same every time."""
COLUMNS, LINE, MARGIN = 97, 20, 16


def main() -> None:
    """Make all pictures."""
    liarsdice("draw", "--sides", "2", "--depth", "2", "-q", "-o", str(TREE))
    figures(HERE)
    (HERE / "values.svg").write_text(terminal(VALUES))
    (HERE / "play.svg").write_text(terminal(PLAY, "1x5\n"))
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "explorer.html"
        liarsdice("explore", "--sides", "6", "--rules", "joker", "-o", str(page))
        photograph(page.as_uri() + "#1x4", EXPLORER)
        photograph(page.as_uri() + "#play", TABLE, 740, MISTAKE, answered=".play .move")
        liarsdice("explore", str(ROOT / "sample_games" / "kuhn-poker.efg"), "-o", str(page), "-q")
        photograph(page.as_uri() + "#pass,bet", KUHN, height=640)
    coached()


def coached() -> None:
    """Photograph the coach's page with its recommendation, after typing the dice and two bids."""
    warm()
    names, rules = ["Ann", "Bob", "me"], rules_of("ones-low", 6, (5, 5, 5))
    with serve(coach(names, rules, iterations=100)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        ann, bob = ["4", "ArrowUp", "ArrowUp", "b"], ["3", "b"]
        photograph(server.address, COACH, 900, [*"13446", "b", *ann, *bob], answered="main[aria-busy=false]")
        server.shutdown()


def figures(folder: Path) -> None:
    """Draw the figures of the pages: other games, the reached part of a strategy, and the regions of the normal model."""
    with tempfile.TemporaryDirectory() as tables:
        for name, text in TABLES.items():
            (Path(tables) / f"{name}.csv").write_text(text)
        with redirect_stdout(io.StringIO()):
            drawn(folder, "takeaway", "impartial", "takeaway", "12", "1,2,3")
            drawn(folder, "takeaway-tree", "impartial", "takeaway", "5", "1,2", "--full")
            drawn(folder, "take-set", "impartial", "takeaway", "10", "1,3,4")
            drawn(folder, "nim", "impartial", "nim", "3", "4", "5")
            drawn(folder, "graph", "impartial", "positions", f"{tables}/graph.csv")
            drawn(folder, "kayles", "impartial", "positions", f"{tables}/kayles.csv")
            drawn(folder, "circle", "impartial", "positions", f"{tables}/circle.csv")
            drawn(folder, "outcomes", "outcomes", f"{tables}/game.csv")
        liarsdice("draw", "--sides", "3", "--reached-only", "-q", "-o", str(folder / "played.svg"))
    level = continuous.best_level(3)
    (folder / "regions.svg").write_text(regions(level, 3, continuous.worst_of_level(level, 3)).svg(), encoding="utf-8")


def drawn(folder: Path, name: str, *arguments: str) -> None:
    """Run a command that writes NAME.svg into a folder."""
    liarsdice(*arguments, "-o", str(folder / f"{name}.svg"))


def liarsdice(*arguments: str) -> None:
    """Run a command; exit with its code if it fails."""
    code = run(arguments)
    if code:
        sys.exit(code)


def terminal(line: str, typed: str = "") -> str:
    """Return a picture, as SVG, of a command line and its output, in the colours of the drawings."""
    done = subprocess.run(
        [sys.executable, "-m", "liarsdice_cli", *line.split()[1:]],
        input=typed,
        env=os.environ | {"COLUMNS": str(COLUMNS), "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"},
        stdout=subprocess.PIPE,
        check=True,
        encoding="utf-8",
    )
    typed_lines = wrap(f"$ {line}", COLUMNS - 2, break_long_words=False, break_on_hyphens=False)
    command = [*(f"{part} \\" for part in typed_lines[:-1]), typed_lines[-1]]
    lines = [*command, *done.stdout.splitlines()]
    height = LINE * len(lines) + 2 * MARGIN
    column = (WIDTH - 2 * MARGIN) / COLUMNS
    texts = "\n".join(
        f'<text class="{"c" if number < len(command) else "t"}" x="{MARGIN}" y="{MARGIN + LINE * number + 15}" '
        f'textLength="{len(text) * column:.1f}">{escape(text)}</text>'
        for number, text in enumerate(lines)
        if text
    )
    return (
        dedent(f"""\
        <svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" role="img" \
aria-labelledby="t">
        <title id="t">{escape(line)}</title>
        <style>
        text{{font:13.5px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;white-space:pre}}
        .c{{fill:#0b57d0;font-weight:600}}.t{{fill:#1f2328}}.b{{fill:#f6f8fa}}
        @media(prefers-color-scheme:dark){{.c{{fill:#79b8ff}}.t{{fill:#e6edf3}}.b{{fill:#161b22}}}}
        </style>
        <rect class="b" width="100%" height="100%" rx="6"/>
        """)
        + f"{texts}\n</svg>\n"
    )


def photograph(address: str, picture: Path, height: int = 672, keys: Sequence[str] = (), answered: str = "main") -> None:
    """Save a screenshot of a page after these keys; an element that matches `answered` means that it is ready for the next."""
    sys.path.insert(0, str(ROOT))
    from tests.support.browser import NoBrowserError, browser

    try:
        with browser() as running:
            size = {"width": WIDTH, "height": height}
            tab = running.new_page(viewport=size, device_scale_factor=1.5, color_scheme="light", reduced_motion="reduce")
            tab.add_init_script(SAME_DICE)
            tab.goto(address)
            tab.wait_for_selector("html[data-ready]")
            tab.wait_for_selector(answered)
            for key in keys:
                tab.keyboard.press(key)
                tab.wait_for_selector(answered)
            tab.evaluate("document.activeElement.blur()")
            tab.screenshot(path=str(picture))
    except NoBrowserError as error:
        sys.exit(f"{picture.name} is not made: {error}")


if __name__ == "__main__":
    main()
