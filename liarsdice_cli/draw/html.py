"""Text inside the HTML of pages: a content security policy that allows only their own scripts and styles, and JSON."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Any


def policy(script: str, *styles: str, more: str = "") -> str:
    """Return a content security policy that allows this script and these styles only, by their hashes.

    more : further directives, each with a semicolon and a space after it

    >>> policy("", more="connect-src 'none'; ").split("; ")[-3:]
    ["connect-src 'none'", "base-uri 'none'", "form-action 'none'"]
    """
    assert not any("</s" in text.lower() for text in (script, *styles)), "nothing in the package ends its element early"
    own = " ".join(map(_hash, styles))
    return f"default-src 'none'; script-src {_hash(script)}; style-src {own}; {more}base-uri 'none'; form-action 'none'"


def json_in_html(content: Any) -> str:
    """Return JSON for a script element, which no string in it can end.

    >>> json_in_html({"title": "</script><b>"})
    '{"title":"\\\\u003c/script\\\\u003e\\\\u003cb\\\\u003e"}'
    """
    text = json.dumps(content, separators=(",", ":"))
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
