"""The files with which a phone can put a served page on its home screen: a manifest and icons.

Their addresses are relative to the page, like all others, and so keep its secret.
"""

from __future__ import annotations

import json
from importlib.resources import files

MANIFEST = "app.webmanifest"
_KINDS = {MANIFEST: "application/manifest+json", "icon.svg": "image/svg+xml", "icon.png": "image/png"}
FILES = frozenset(_KINDS)
"""The names of the files, below the address of the page."""
_BACKGROUND = "#0d1117"


HEAD = f"""\
<link rel="manifest" href="{MANIFEST}">
<link rel="icon" href="icon.svg" type="image/svg+xml">
<link rel="apple-touch-icon" href="icon.png">
<meta name="mobile-web-app-capable" content="yes">
<meta name="apple-mobile-web-app-capable" content="yes">
<meta name="apple-mobile-web-app-title" content="Liar&rsquo;s Dice">
<meta name="referrer" content="no-referrer">
"""
"""The elements that the head of a page needs for the files."""
POLICY = "manifest-src 'self'; img-src 'self'; "
"""The part of a content security policy that allows them."""


def file(name: str, scope: str) -> tuple[str, bytes]:
    """Return the media type and the content of a file.

    scope : the path below which all pages of the app lie

    >>> json.loads(file(MANIFEST, "/secret/")[1])["scope"], file("icon.svg", "/secret/")[0]
    ('/secret/', 'image/svg+xml')
    """
    content = _manifest(scope) if name == MANIFEST else (files(__package__) / name).read_bytes()
    return _KINDS[name], content


def _manifest(scope: str) -> bytes:
    icons = [
        {"src": "icon.svg", "sizes": "any", "type": "image/svg+xml", "purpose": "any maskable"},
        {"src": "icon.png", "sizes": "512x512", "type": "image/png", "purpose": "any maskable"},
    ]
    fields = {
        "name": "Liar's Dice",
        "short_name": "Liar's Dice",
        "start_url": "./",
        "scope": scope,
        "display": "standalone",
        "background_color": _BACKGROUND,
        "theme_color": _BACKGROUND,
        "icons": icons,
    }
    return json.dumps(fields).encode()
