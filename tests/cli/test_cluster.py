"""`solve --cluster`: the result of one process, the report on workers, and runs that resume after a kill."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from liarsdice_cli.cli.progress import Nearing
from liarsdice_cli.solvers.regret.convergence import Bounds, Sample, WorkerFacts
from tests.support.command_line import assert_refused, children, posix, run_here, start, wait_for

SOLVE = ("solve", "--rules", "common", "--sides", 4, "--dice", "2,2", "--json")


def answered(document: str) -> dict[str, object]:
    """Return the parts that depend neither on the workers nor on when bounds are computed."""
    found = json.loads(document)
    for key in ("workers", "samples", "proved"):
        found["run_history"].pop(key, None)
    found["parameters"].pop("threads", None)
    found["parameters"].pop("workers", None)
    return {key: value for key, value in found.items() if key not in ("seconds", "note")}


def test_workers_give_the_result_of_one_process_and_are_reported_in_json(tmp_path: Path) -> None:
    limits = ("--iterations", 30)
    alone = run_here(*SOLVE, *limits, "-o", tmp_path / "alone.ldz")
    ended = run_here(*SOLVE, *limits, "-o", tmp_path / "workers.ldz", "--cluster", "local:2")
    assert (ended.code, ended.err) == (0, "")
    assert answered(ended.out) == answered(alone.out)
    assert (tmp_path / "workers.ldz").read_bytes() == (tmp_path / "alone.ldz").read_bytes()
    found = json.loads(ended.out)
    assert found["parameters"]["workers"] == 2
    assert "2 workers" in found["note"]
    last = found["run_history"]["workers"][-1]
    assert len(found["run_history"]["workers"]) == len(found["run_history"]["samples"])
    assert sum(worker["shards"] for worker in last) == 16
    assert 0 < sum(worker["bytes"] for worker in last) < found["parameters"]["bytes"]


def test_without_ray_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.delitem(sys.modules, "liarsdice_cli.system.ray_cluster", raising=False)
    ended = run_here(*SOLVE, "--iterations", 5, "--cluster", "auto")
    assert_refused(ended, "pip install ray")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["game.efg", "game.efg.gz"])
def test_a_file_built_on_workers_has_the_same_bytes(name: str, tmp_path: Path) -> None:
    """The game has several sections."""
    options = ("build", "--rules", "common", "--sides", 6, "--labels", "none", "-o")
    assert run_here(*options, tmp_path / name) == (0, "", "")
    assert run_here(*options, tmp_path / f"workers-{name}", "--cluster", "local:2") == (0, "", "")
    assert (tmp_path / f"workers-{name}").read_bytes() == (tmp_path / name).read_bytes()


def test_progress_lists_a_few_workers_and_summarises_many() -> None:
    def after(workers: int) -> str:
        facts = tuple(
            WorkerFacts("home", 1, 4, 1000 + number, 10**6 * number, 0.25 * number) for number in range(1, workers + 1)
        )
        return Nearing()(Sample(7, 1.0, Bounds(0.25, 0.75), Bounds(0.25, 0.75), facts), None)

    said = "iteration 7, value 0.250000 to 0.750000, exploitability 2.50e-01"
    assert after(0) == said
    assert after(2) == (
        f"{said}; worker 1 on home: 1,001 histories, 1 MB, 0.25 s; worker 2 on home: 1,002 histories, 2 MB, 0.5 s"
    )
    assert after(20) == f"{said}; 20 workers with 1 MB to 20 MB, 0.25 to 5 s each"


def driver(*options: object, folder: Path) -> subprocess.Popen[bytes]:
    """Start a driver of two workers with a checkpoint."""
    kept = ("--checkpoint", "state", "--cluster", "local:2")
    return start("solve", "--rules", "common", "--dice", "2,2", *kept, *options, "--json", stdout=subprocess.PIPE, cwd=folder)


@posix
@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="there is no /proc to find workers in")
def test_a_driver_that_is_killed_repeatedly_resumes_to_the_uninterrupted_result(tmp_path: Path) -> None:
    """Kill the driver five times, at random moments. Its workers end with it each time."""
    pauses, reached, state = random.Random(1), [0], tmp_path / "state"
    while len(reached) <= 5:
        before = state.stat().st_ino if state.exists() else None
        process = driver("--iterations", 100_000, folder=tmp_path)
        wait_for(lambda before=before: state.exists() and state.stat().st_ino != before)
        time.sleep(pauses.random())
        workers = children(process.pid)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        wait_for(lambda workers=workers: not any(map(running, workers)))
        reached.append(json.loads(state.read_bytes().split(b"\n", 2)[1])["iteration"])
    assert reached == sorted(reached)
    assert reached[0] < reached[-1]
    least = reached[-1]
    ended = driver("--iterations", least + 10, folder=tmp_path)
    out, _ = ended.communicate()
    alone = run_here("solve", "--rules", "common", "--dice", "2,2", "--iterations", least + 10, "--json")
    assert answered(out.decode()) == answered(alone.out)


def running(process: int) -> bool:
    """Return whether a process exists and has not ended."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
