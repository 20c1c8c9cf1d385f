"""Test workers on a Ray cluster: the results are the same, even if a machine is lost."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from importlib.util import find_spec

import pytest

from tests.support.command_line import ROOT, environment, posix, run, start
from tests.support.processes import popen

pytestmark = [
    posix,
    pytest.mark.slow,
    pytest.mark.xdist_group("ray"),
    pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed"),
]

OPEN = {"RAY_AUTH_MODE": "disabled", "RAY_USAGE_STATS_ENABLED": "0"}
"""Settings of a cluster that needs no token; it can be reached only from this machine."""
LIMIT = 300
"""Time limit of every step in seconds; Ray starts slowly if other tests keep the processors busy."""
SOLVE = ("solve", "--rules", "common", "--dice", "2,1", "--iterations", 30, "--json")


class Nodes:
    """A Ray cluster in another process."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "tests.support.ray_nodes"]
        streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        self.process = popen(command, cwd=ROOT, env=environment(**OPEN), **streams)
        late = threading.Timer(LIMIT, self.process.kill)
        late.start()
        self.address = self.said("address")
        late.cancel()

    def said(self, what: str) -> str:
        """Return the rest of the next line that begins with this text."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.decode().startswith(what):
                return line.decode().removeprefix(what).strip()
        return pytest.skip("Ray cannot hold a cluster here")

    def remove(self) -> None:
        """Remove a machine."""
        assert self.process.stdin is not None
        self.process.stdin.write(b"remove\n")
        self.process.stdin.flush()
        self.said("removed")


@pytest.fixture
def nodes() -> Iterator[Nodes]:
    found = Nodes()
    try:
        yield found
    finally:
        assert found.process.stdin is not None
        found.process.stdin.close()
        found.process.wait(LIMIT)


def losing(address: str, *numbers: object) -> subprocess.Popen[bytes]:
    """Start a process that solves on workers and loses some, see `clusters.the_same_with_losses`."""
    command = [sys.executable, "-m", "tests.support.clusters", address, *map(str, numbers)]
    return popen(command, cwd=ROOT, env=environment(**OPEN), stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def told_by(process: subprocess.Popen[bytes]) -> str:
    """Return the last line that a process prints."""
    out, err = process.communicate(timeout=LIMIT)
    assert process.returncode == 0, err.decode()
    return out.decode().splitlines()[-1]


def test_results_on_ray_match_one_process_even_if_workers_and_a_machine_are_lost(nodes: Nodes) -> None:
    """Five workers are killed, then a machine is removed with its worker, and the other workers go on."""
    alone, ended = run(*SOLVE), start(*SOLVE, "--cluster", nodes.address, **OPEN)
    out, err = ended.communicate(timeout=LIMIT)
    assert ended.returncode == 0, err.decode()
    ours, theirs = json.loads(out), json.loads(alone.out)
    assert 1 <= ours["parameters"]["workers"] <= 3
    assert ours["profiles"] == theirs["profiles"]

    assert told_by(losing(nodes.address, 5)).startswith(("(5, [", "(6, ["))

    process = losing(nodes.address, 0, 150)
    assert process.stdout is not None
    assert process.stdout.readline() == b"begun\n"
    nodes.remove()
    told = told_by(process)
    assert re.search(r"1 of \d workers ended, on .*; \d continue, from iteration", told)


def test_the_error_without_a_cluster_says_what_to_do() -> None:
    ended = run(*SOLVE, "--cluster", "127.0.0.1:1")
    assert ended.code == 1
    assert ended.err.startswith("liarsdice: cannot join a Ray cluster at 127.0.0.1:1: ")
    assert "ray start --head" in ended.err
    assert len(ended.err.splitlines()) == 1
