"""Compare the program with an earlier commit, in one run on one machine: a part of `make bench`.

The files of the commit come from the git history and run with the same interpreter and libraries. Both versions run whole
commands in turn, start-up included, after everything is compiled. The best of a few runs counts.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.measure import ROOT

COMMIT = "e4c50ea"
"""The last commit before the core was redesigned."""
RUNS = 3
PUBLIC = "--payoffs zero-sum --method dcfr+ --threads 2"
ONE_THREAD = PUBLIC.replace("2", "1")
WARM_UP = (
    f"solve --rules common --sides 6 {PUBLIC} --iterations 3",
    f"solve --rules common --sides 3 --dice 2,2 {PUBLIC} --iterations 3",
    f"solve --rules common --sides 6 --dice 3,3 {PUBLIC} --iterations 2",
    "exploit honest --rules common --sides 3 --dice 2,2",
    "build --sides 4 -o FOLDER/warm.efg",
)
"""Commands that compile all code for the measured commands."""
COMMANDS = (
    "info --sides 3",
    "build --sides 3 -o FOLDER/three.efg",
    "build --sides 4 -o FOLDER/four.efg",
    "solve FOLDER/three.efg --method exact",
    "solve --rules common --sides 6 --method exact",
    "solve --rules joker --sides 6 --method exact",
    "solve --rules common --sides 3 --refine quasi-perfect",
    "draw --sides 3 -o FOLDER/three.svg",
    "exploit honest --rules common --dice 2,2",
    f"solve --rules common --sides 4 --dice 2,2 {PUBLIC} --target 1e-3",
    f"solve --rules common --dice 2,2 {PUBLIC} --target 1e-3",
    f"solve --rules joker --dice 2,2 {PUBLIC} --target 1e-3",
    f"solve --rules common --dice 3,3 {PUBLIC} --iterations 60",
)
ONCE = (
    f"solve --rules common --dice 3,3 {ONE_THREAD} --target 1e-3",
    f"solve --rules joker --dice 2,2 {ONE_THREAD} --target 1e-4",
    f"solve --rules common --dice 5,5 {ONE_THREAD} --iterations 200",
)
"""Long commands, measured once."""
_MEASURE = """
import resource, subprocess, sys
child = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=3600)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
unit = 1 if sys.platform == "darwin" else 1024
print(used.ru_utime + used.ru_stime, used.ru_maxrss * unit / 1e6, child.returncode)
"""


class Used(NamedTuple):
    """Processor seconds and peak MB of a process."""

    seconds: float
    megabytes: float


def table(runs: int = RUNS) -> None:
    """Print a row for each command."""
    print(f"\n## Beside commit {COMMIT}: whole commands, best of {runs}, long ones once\n")
    with tempfile.TemporaryDirectory() as folder:
        then = Path(folder) / "then"
        if not _extract(then):
            print(f"The history of the repository, which has {COMMIT}, is not here (a shallow clone, or no clone).")
            return
        for command in WARM_UP:
            for place in (then, ROOT):
                _run(place, command, folder)
        print("| command | then: processor s | peak MB | now: processor s | peak MB | now / then: time | memory |")
        print("|---|---|---|---|---|---|---|")
        for command in (*COMMANDS, *ONCE):
            print(_row(command, then, folder, 1 if command in ONCE else runs), flush=True)


def _row(command: str, then: Path, folder: str, runs: int) -> str:
    pairs = [[_run(place, command, folder) for place in (then, ROOT)] for _ in range(runs)]
    name = command.replace("FOLDER/", "").replace(f" {PUBLIC}", "").replace(f" {ONE_THREAD}", "")
    best = [_best(side) for side in zip(*pairs, strict=True)]
    shown = " | ".join("failed | " if used is None else f"{used.seconds:.2f} | {used.megabytes:.0f}" for used in best)
    old, new = best
    ratios = " | " if old is None or new is None else f"{new.seconds / old.seconds:.2f} | {new.megabytes / old.megabytes:.2f}"
    return f"| `{name}` | {shown} | {ratios} |"


def _best(runs: tuple[Used | None, ...]) -> Used | None:
    done = [used for used in runs if used is not None]
    return Used(min(used.seconds for used in done), min(used.megabytes for used in done)) if done else None


def _extract(folder: Path) -> bool:
    """Write the files of the commit to a folder; return whether the repository has the commit."""
    packed = subprocess.run(["git", "archive", COMMIT], cwd=ROOT, capture_output=True, check=False)
    if packed.returncode == 0:
        folder.mkdir()
        subprocess.run(["tar", "-x", "-C", str(folder)], input=packed.stdout, check=True)
    return packed.returncode == 0


def _run(place: Path, command: str, folder: str) -> Used | None:
    """Run a command with the program in a folder; return its time and memory, or None if it fails or takes over an hour."""
    arguments = [sys.executable, "-m", "liarsdice_cli", *command.replace("FOLDER", folder).split()]
    environment = os.environ | {"PYTHONPATH": str(place)}
    measured = subprocess.run(
        [sys.executable, "-c", _MEASURE, *arguments], cwd=place, env=environment, capture_output=True, text=True, check=False
    )
    if measured.returncode != 0:  # it took too long
        return None
    seconds, megabytes, code = measured.stdout.split()
    return Used(float(seconds), float(megabytes)) if int(code) == 0 else None


if __name__ == "__main__":
    table()
