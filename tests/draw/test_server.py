"""Who the server of the explorer answers."""

from __future__ import annotations

from liarsdice_cli.draw.explorer.server import Server


class _At(Server):
    """A server that believes to listen on some port, without listening."""

    def __init__(self, port: int) -> None:
        self.server_port = port


def test_a_host_has_its_port_unless_that_is_the_port_of_http() -> None:
    assert _At(8000).names == {"127.0.0.1:8000", "localhost:8000"}
    assert _At(80).names == {"127.0.0.1:80", "localhost:80", "127.0.0.1", "localhost"}
