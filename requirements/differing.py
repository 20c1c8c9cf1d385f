"""Print the releases that pip would install instead of the locked ones, from pip's report, for `make test-newest`."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

from packaging.markers import Marker
from packaging.utils import canonicalize_name

LOCK = Path(__file__).parent / "dev.txt"
_PIN = re.compile(r"^([\w.-]+)==([^\s;\\]+)(?: *; *([^\\]+?))? *\\?$", re.MULTILINE)


def pins(text: str) -> list[tuple[str, str, Marker | None]]:
    """Return the name, the version and the marker of every package in a file with exact versions."""
    return [(name, version, Marker(marker) if marker else None) for name, version, marker in _PIN.findall(text)]


def differing(text: str, report: dict[str, Any]) -> list[str]:
    """Return a line for each package in a report of `pip install --dry-run` whose version the text does not have.

    >>> report = {"install": [{"metadata": {"name": "Click", "version": "8.5.1"}}]}
    >>> differing("click==8.4.0\\nnumpy==2.4.6\\n", report)
    ['click 8.5.1 (the lock has 8.4.0)']
    """
    locked = {canonicalize_name(name): version for name, version, marker in pins(text) if marker is None or marker.evaluate()}
    wanted = {canonicalize_name(one["metadata"]["name"]): one["metadata"]["version"] for one in report["install"]}
    return [
        f"{name} {version} ({f'the lock has {locked[name]}' if name in locked else 'not in the lock'})"
        for name, version in sorted(wanted.items())
        if name != "liarsdice-cli" and locked.get(name) != version
    ]


if __name__ == "__main__":
    for line in differing(LOCK.read_text("utf-8"), json.loads(Path(sys.argv[1]).read_text("utf-8"))):
        print(line)
