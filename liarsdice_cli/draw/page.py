"""Scenes as pages: a single file with its own script and styles, which loads nothing; without scripts it is the picture."""

from __future__ import annotations

from dataclasses import asdict
from html import escape
from importlib.resources import files

from liarsdice_cli.draw import scripts
from liarsdice_cli.draw.colours import INK, PAPER
from liarsdice_cli.draw.html import json_in_html, policy
from liarsdice_cli.draw.scene import LANE_TURN, Scene
from liarsdice_cli.draw.svg import grouped

_TOOLS = """<div id="tools" role="toolbar" aria-label="Zoom and fold">
<button type="button" data-zoom="out" aria-label="Smaller">-</button><output id="scale" aria-live="off"></output>
<button type="button" data-zoom="in" aria-label="Larger">+</button>
<button type="button" data-zoom="fit" aria-keyshortcuts="0">Fit</button>
<button type="button" data-zoom="full" aria-keyshortcuts="1" aria-label="1:1, full size">1:1</button>
<button type="button" id="all" hidden>Fold all</button>
</div>
"""
_HINT = "Choose a node to fold or unfold what follows; arrow keys walk the tree, + and - zoom."
_ZOOM = "+ and - zoom, 0 fits the window."


def dumps(scene: Scene) -> bytes:
    """Return a page to zoom and fold; the nodes of an information set are marked together under the pointer or the focus.

    >>> from liarsdice_cli.draw.scene import Text
    >>> page = dumps(Scene("t", "d", 10, 10, (Text(0, 0, (("<b>", INK),)),))).decode()
    >>> "default-src 'none'; script-src 'sha256-" in page, "<b>" in page
    (True, False)
    """
    folder = files(__package__)
    script = scripts.joined("page.js")
    style = f":root{{--ink:light-dark({INK.light},{INK.dark});--paper:light-dark({PAPER.light},{PAPER.dark})}}\n"
    style += (folder / "page.css").read_text("utf-8")
    picture, own_style = grouped(scene)
    return (
        f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy(script, style, own_style)}">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{escape(scene.title)}</title>\n<style>{style}</style>\n"
        f"<body>\n<header>\n<h1>{escape(scene.title)}</h1>\n{_TOOLS}</header>\n"
        f'<main id="paper" tabindex="-1">\n{picture}</main>\n'
        f'<footer><p id="read" role="status">{_HINT if scene.frame else _ZOOM}</p></footer>\n'
        f'<script id="frame" type="application/json">{_frame(scene)}</script>\n<script>{script}</script>\n</body>\n</html>\n'
    ).encode()


def _frame(scene: Scene) -> str:
    """Return the layout of the nodes as JSON; null if the picture is not a tree. No string in it can end its element."""
    told = None if scene.frame is None else asdict(scene.frame) | {"turn": LANE_TURN}
    return json_in_html(told)
