"""Serve a page until Ctrl-C: its options, and the address, the QR code and the visitors that are printed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from liarsdice_cli.cli.option_table import gathered, option
from liarsdice_cli.cli.printing import open_page, print_message
from liarsdice_cli.errors import UsageError

if TYPE_CHECKING:
    from liarsdice_cli.draw.serving import Local
    from liarsdice_cli.draw.visitors import Access

_BORDER = 2
"""Modules of white around a QR code; the standard requires four, and two are enough on a screen."""
_HALVES = {(False, False): "\u2588", (False, True): "\u2580", (True, False): "\u2584", (True, True): " "}
"""A character for two modules, the upper and the lower one, in white on black; a dark module is true."""


@dataclass(frozen=True)
class Serving:
    """The values of the options of a command that can serve its page; their help explains them."""

    serve: bool
    lan: bool
    host: str | None
    secret: str | None
    port: int
    opened: bool

    def check(self) -> None:
        """Refuse options that have no effect without --serve or --lan; --open can also be for a file."""
        for name, given in (("--lan", self.lan), ("--host", self.host), ("--secret", self.secret), ("--port", self.port)):
            if given and not self.serve:
                raise UsageError(f"{name} is for --serve")
        if self.host is not None and not self.lan:
            raise UsageError("--host is for --lan")
        if self.secret == "-":
            raise UsageError("--secret needs a file, which a pipe is not: name one")
        if self.secret is not None and not self.port:
            raise UsageError("--secret keeps an address, which includes the port: give --port, such as --port 8123")

    def access(self, quiet: bool) -> Access:
        """Return the access to the page; raise LiarsDiceError if there is no network or the secret cannot be kept."""
        from liarsdice_cli.draw.visitors import MACHINE, Access, on_network
        from liarsdice_cli.system.secret_files import kept_secret

        host = on_network(self.host) if self.lan else MACHINE
        secret = None if self.secret is None else kept_secret(self.secret)
        return Access(host, secret, print_message if self.lan and not quiet else lambda line: None)

    def run(self, server: Local, quiet: bool) -> None:
        """Print the address, with --lan also as a QR code; with --open open it; and answer until Ctrl-C."""
        click.echo(server.address)
        sys.stdout.flush()
        if self.lan and not quiet:
            _invite(server.address)
        if self.opened:
            open_page(server.address)
        server.serve_forever(poll_interval=0.1)


serving_options = gathered(
    "serving",
    Serving,
    {
        "serve": option("serve"),
        "lan": option("lan"),
        "host": option("host"),
        "secret": option("secret"),
        "port": option("port", "  [default: any free port]"),
        "opened": option("open"),
    },
)
"""The options of a command that can serve its page."""


def _invite(address: str) -> None:
    """Print the address as a QR code on standard error, and explain how far the page is protected."""
    try:
        lines = list(qr_lines(address))
        "".join(lines).encode(sys.stderr.encoding or "ascii")
    except UnicodeEncodeError:
        print_message("this terminal cannot show a QR code: type the address into the phone")
    else:
        for line in lines:
            click.secho(line, err=True, fg="bright_white", bg="black")
    print_message("phones on the same network can open this address; anyone who has it can use the page")
    print_message("the page is not encrypted: use a network that you trust. Ctrl-C ends it")


def qr_lines(text: str) -> Iterator[str]:
    """Yield the lines of a QR code, two rows of modules in each; the light modules are drawn.

    >>> lines = list(qr_lines("http://192.168.0.7:8000/secret/"))
    >>> len(lines), {len(line) for line in lines}
    (15, {29})
    """
    import segno

    rows = [list(map(bool, row)) for row in segno.make(text, error="l", micro=False).matrix_iter(border=_BORDER)]
    rows += [[True] * len(rows[0])] * (len(rows) % 2)
    for upper, lower in zip(rows[::2], rows[1::2], strict=True):
        yield "".join(map(_HALVES.__getitem__, zip(upper, lower, strict=True)))
