"""Print the packages of this environment whose versions differ from those in dev.txt, for `make test-newest`."""

from __future__ import annotations

import re
from importlib.metadata import distributions
from pathlib import Path

from packaging.markers import Marker
from packaging.utils import canonicalize_name

LOCK = Path(__file__).parent / "dev.txt"
_PIN = re.compile(r"^([\w.-]+)==([^\s;\\]+)(?: *; *([^\\]+?))? *\\?$", re.MULTILINE)


def pins(text: str) -> list[tuple[str, str, Marker | None]]:
    """Return the name, the version and the marker of every package in a file with exact versions."""
    return [(name, version, Marker(marker) if marker else None) for name, version, marker in _PIN.findall(text)]


def differing(text: str, installed: dict[str, str]) -> list[str]:
    """Return a line for each installed package that has another version in the text, or none.

    >>> differing("click==8.4.0\\nnumpy==2.4.6 ; python_version >= '3'\\n", {"click": "8.5.1", "numpy": "2.4.6", "new": "1"})
    ['click 8.5.1 (the lock has 8.4.0)', 'new 1 (not in the lock)']
    """
    locked = {canonicalize_name(name): version for name, version, marker in pins(text) if marker is None or marker.evaluate()}
    return [
        f"{name} {version} ({f'the lock has {locked[name]}' if name in locked else 'not in the lock'})"
        for name, version in sorted((canonicalize_name(name), version) for name, version in installed.items())
        if locked.get(name) != version
    ]


if __name__ == "__main__":
    found = {distribution.name: distribution.version for distribution in distributions()}
    for name in ("pip", "setuptools", "liarsdice-cli"):
        found.pop(name, None)
    for line in differing(LOCK.read_text("utf-8"), found):
        print(line)
