"""Run a command or a function in its own process; measure its wall time, processor time and peak memory."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parent.parent
LIARSDICE = (sys.executable, "-m", "liarsdice_cli")
"""The beginning of a command of the program."""
_CALL = """
import importlib, json, pickle, sys
module, name, arguments = sys.argv[1:]
print(json.dumps(getattr(importlib.import_module(module), name)(*pickle.loads(bytes.fromhex(arguments)))))
"""


class Measured(NamedTuple):
    """The output of a process, its exit code, wall and processor seconds, and peak memory in MB."""

    text: str
    code: int
    seconds: float
    processor_seconds: float
    megabytes: float

    @property
    def json(self) -> Any:
        """The output, parsed as JSON."""
        return json.loads(self.text)


def run_alone(*command: str, limit: float = 3600, folder: Path = ROOT, source: Path = ROOT) -> Measured:
    """Run a command in a folder, with the Python modules of another folder; kill it, with code -9, after `limit` seconds.

    A small process starts the command: the peak memory of a process includes that of the process that started it.
    """
    measuring = [sys.executable, __file__, str(limit), *command]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(source), os.environ.get("PYTHONPATH", "")])}
    result = subprocess.run(measuring, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return Measured(*json.loads(result.stdout))


def call_alone(function: Callable[..., object], *arguments: object, limit: float = 3600) -> Measured:
    """Call a function of a benchmark in its own process, which prints the result as JSON."""
    module = f"benchmarks.{Path(function.__code__.co_filename).stem}"  # its __module__ may be __main__
    return run_alone(sys.executable, "-c", _CALL, module, function.__name__, pickle.dumps(arguments).hex(), limit=limit)


def _measured(command: list[str], limit: float) -> Measured:
    """Run a command, which must be the only child of this process."""
    import resource  # not on Windows

    begun = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        text = process.communicate(timeout=limit)[0]
    except subprocess.TimeoutExpired:
        process.kill()
        text = process.communicate()[0]
    seconds = time.perf_counter() - begun
    used, unit = resource.getrusage(resource.RUSAGE_CHILDREN), 1 if sys.platform == "darwin" else 1024
    return Measured(text, process.returncode, seconds, used.ru_utime + used.ru_stime, used.ru_maxrss * unit / 1e6)


if __name__ == "__main__":
    print(json.dumps(_measured(sys.argv[2:], float(sys.argv[1]))))
