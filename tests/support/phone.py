"""A simulated phone: a network namespace with a browser, joined to this machine by a virtual cable.

Needs Linux, root and `ip`; `NoPhoneError` says what is missing.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

HOST, PHONE = "10.213.77.1", "10.213.77.2"
"""The addresses of this machine and of the phone on the cable."""


class NoPhoneError(Exception):
    """A network namespace cannot be created here."""


class Phone(NamedTuple):
    """The namespace, and a program that starts the browser in it."""

    name: str
    browser: Path

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run a command in the namespace."""
        return subprocess.run(_within(self.name, *command), capture_output=True, text=True, check=False, timeout=120)

    def unplug(self, is_out: bool) -> None:
        """Cut the network, or bring it back."""
        _ip("-n", self.name, "link", "set", "phone", "down" if is_out else "up")


@contextmanager
def phone(folder: Path, browser: str) -> Iterator[Phone]:
    """Create the namespace and the cable, and remove them at the end.

    folder  : for the program that starts the browser in the namespace
    browser : the program of this machine
    """
    if not hasattr(os, "geteuid") or os.geteuid() != 0 or not shutil.which("ip"):
        raise NoPhoneError("a network namespace needs Linux, root and the command ip")
    name, here = f"phone{os.getpid()}", f"cable{os.getpid()}"[:15]
    try:
        _ip("netns", "add", name)
    except subprocess.CalledProcessError as error:
        raise NoPhoneError(f"no network namespace can be made here: {error.stderr.strip()}") from error
    try:
        _ip("link", "add", here, "type", "veth", "peer", "name", "phone", "netns", name)
        _ip("address", "add", f"{HOST}/30", "dev", here)
        _ip("link", "set", here, "up")
        _ip("-n", name, "address", "add", f"{PHONE}/30", "dev", "phone")
        for link in ("lo", "phone"):
            _ip("-n", name, "link", "set", link, "up")
        within = folder / "browser"
        within.write_text(f'#!/bin/sh\nexec ip netns exec {name} {browser} "$@"\n', "utf-8")
        within.chmod(0o755)
        yield Phone(name, within)
    finally:
        subprocess.run(["ip", "link", "delete", here], capture_output=True, check=False)
        subprocess.run(["ip", "netns", "delete", name], capture_output=True, check=False)


def _ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], capture_output=True, text=True, check=True, timeout=60)


def _within(name: str, *command: str) -> list[Any]:
    return ["ip", "netns", "exec", name, *command]
