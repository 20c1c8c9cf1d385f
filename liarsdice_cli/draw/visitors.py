"""Access to a served page, for this machine alone or for the local network, and reports of the devices that open it."""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Lock

from liarsdice_cli.errors import Argument, ArgumentError, LiarsDiceError

MACHINE = "127.0.0.1"
"""The address at which only this machine can connect."""
_ELSEWHERE = ("198.51.100.1", 9)
"""An address for documentation (RFC 5737). A datagram socket "connected" to it sends nothing, but has chosen a route."""
_MOST = 100
"""The most reports; later devices are not reported."""
_DEVICE = re.compile(r"\(([^()]{1,60})")


@dataclass(frozen=True)
class Access:
    """The address at which a server answers, and what to do when a device connects.

    host     : an address of this machine; only this machine can reach 127.0.0.1
    secret   : part of the page's address; None for a new one
    on_visit : called once for each device, with a line about it, which may contain any text that the device sent
    """

    host: str = MACHINE
    secret: str | None = field(default=None, repr=False)
    on_visit: Callable[[str], None] = lambda line: None

    @property
    def family(self) -> socket.AddressFamily:
        """The address family: IPv6 or IPv4."""
        return socket.AF_INET6 if ":" in self.host else socket.AF_INET

    @property
    def in_address(self) -> str:
        """The host as it is written in an address."""
        return f"[{self.host}]" if ":" in self.host else self.host

    @property
    def names(self) -> tuple[str, ...]:
        """The names that a request may use for this host. A name that the network gives out is not among them."""
        return (MACHINE, "localhost") if self.host == MACHINE else (self.in_address,)

    @property
    def where(self) -> str:
        """The host, in words for an error; "" for this machine."""
        return "" if self.host == MACHINE else f" at {self.host}"


HERE = Access()
"""This machine alone."""


def on_network(host: str | None = None) -> str:
    """Return the address of this machine in its network, or a given one if a server can answer there.

    host : None for the address that this machine uses towards other networks; finding it sends nothing

    Raises ArgumentError if the host is not a single address, and LiarsDiceError without a network.

    >>> on_network("192.168.0.7")
    '192.168.0.7'
    """
    if host is not None:
        return _checked(host)
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(_ELSEWHERE)
            found = str(probe.getsockname()[0])
    except OSError as error:
        raise LiarsDiceError(f"this machine is on no network ({error}); join one, or give ", Argument("host")) from error
    if ipaddress.ip_address(found).is_loopback:
        raise LiarsDiceError("this machine is on no network; join one, or give ", Argument("host"))
    return found


def _checked(host: str) -> str:
    cure = "give one address of this machine in its network, such as 192.168.0.7"
    try:
        address = ipaddress.ip_address(host)
    except ValueError as error:
        raise ArgumentError("host", host, cure) from error
    if address.is_unspecified or address.is_multicast:
        raise ArgumentError("host", host, cure)
    return str(address)


class Visitors:
    """Reports each device once: one that opened the page, and one that was refused."""

    def __init__(self, on_visit: Callable[[str], None]) -> None:
        self._on_visit, self._lock = on_visit, Lock()
        self._known: set[tuple[str, str]] = set()

    def opened(self, address: str, browser: str) -> None:
        """Report a device that opened the page.

        browser : the device's description of itself, which may be any text

        >>> visitors = Visitors(print)
        >>> visitors.opened("192.168.0.9", "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit")
        192.168.0.9 opened the page (iPhone; CPU iPhone OS 17_5 like Mac OS X)
        >>> visitors.refused("192.168.0.66")
        192.168.0.66 was refused: it does not have the address of the page
        """
        device = _DEVICE.search(browser)
        self._once(address, f"opened the page ({device[1] if device else 'unknown device'})")

    def refused(self, address: str) -> None:
        """Report a device whose request was refused."""
        self._once(address, "was refused: it does not have the address of the page")

    def _once(self, address: str, what: str) -> None:
        with self._lock:
            if (address, what) in self._known or len(self._known) >= _MOST:
                return
            self._known.add((address, what))
            with suppress(OSError):  # answer even if the terminal was closed
                self._on_visit(f"{address} {what}")
