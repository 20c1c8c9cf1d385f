"""Run a command in its own process, and measure its output, wall time and peak memory."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent


@dataclass(frozen=True)
class Measured:
    """What a process took: wall seconds, peak memory in MB, and processor seconds; its output and its exit code."""

    text: str
    seconds: float
    megabytes: float
    code: int
    processor_seconds: float = 0.0


def measure(*command: str, limit: float = 600) -> Measured:
    """Run a command from the root of the project; kill it, with code -9, if it runs longer than the limit (seconds)."""
    begun = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=ROOT)
    try:
        text = process.communicate(timeout=limit)[0]
    except subprocess.TimeoutExpired:
        process.kill()
        text = process.communicate()[0]
    seconds = time.perf_counter() - begun
    return Measured(text, seconds, *_used(process.returncode))


def _used(code: int) -> tuple[float, int, float]:
    """Return the peak memory in MB of the largest child so far, the code, and the processor seconds of all children.

    In a process that `alone` starts there is only one child.
    """
    import resource

    used, unit = resource.getrusage(resource.RUSAGE_CHILDREN), 1 if sys.platform == "darwin" else 1024
    return used.ru_maxrss * unit / 1e6, code, used.ru_utime + used.ru_stime


def alone(*command: str, limit: float = 600) -> Measured:
    """Measure a command from a fresh process, which has no other child, so that the peak memory is that of this command."""
    import json

    code = "import sys, json; from benchmarks.measure import measure; m = measure(*sys.argv[2:], limit=float(sys.argv[1])); "
    show = "print(json.dumps([m.text, m.seconds, m.megabytes, m.code, m.processor_seconds]))"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}
    result = subprocess.run(
        [sys.executable, "-c", code + show, str(limit), *command], capture_output=True, text=True, check=True, env=environment
    )
    return Measured(*json.loads(result.stdout))
