"""The public tree beside the commit from before histories grew, 9bfe0f4: a part of `make bench`, in one run on one machine.

That commit kept a number for every history, action and roll. Its files are taken from the history of the repository and run
with the same interpreter and libraries; what both do is the whole command, starting included, the code compiled before.
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

COMMIT = "9bfe0f4"
GAMES = (
    (("common", "4", "2,2"), "1e-3"),
    (("common", "6", "2,2"), "1e-3"),
    (("joker", "6", "2,2"), "1e-3"),
)
"""What both can solve in some minutes; the commit takes up to 5 GB for it."""
MORE = (
    (("common", "6", "2,2"), "1e-5"),
    (("top-wild", "6", "2,2"), "1e-3"),
)
"""What takes it a quarter of an hour each."""
_MEASURE = """
import os, resource, subprocess, sys
child = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
unit = 1 if sys.platform == "darwin" else 1024
print(used.ru_utime + used.ru_stime, used.ru_maxrss * unit / 1e6, child.returncode)
"""


class Used(NamedTuple):
    """Processor seconds and peak MB of a process that came to its target."""

    seconds: float
    megabytes: float


def table(more: bool = False) -> None:
    """A row for each game."""
    print(f"\n## Public tree: beside commit {COMMIT}, payoffs 1 and -1, two threads, whole commands\n")
    with tempfile.TemporaryDirectory() as folder:
        if not _files_of_then(Path(folder)):
            print(f"The history of the repository, which has {COMMIT}, is not here (a shallow clone, or no clone).")
            return
        places = {"now": ROOT, "then": Path(folder)}
        for place in places.values():
            _solve(place, ("common", "6", "1,1"), "1e-2")  # compiles
            _solve(place, ("joker", "4", "2,1"), "1e-2")
        print("| game | target | then: processor s | peak MB | now: processor s | peak MB | times | of the memory |")
        print("|---|---|---|---|---|---|---|---|")
        for game, target in (*GAMES, *(MORE if more else ())):
            then, now = (_solve(places[when], game, target) for when in ("then", "now"))
            name = f"{game[0]}, {game[1]} sides, dice {game[2]}"
            if then is None or now is None:
                print(f"| {name} | {target} | {_shown(then)} | {_shown(now)} | | |")
                continue
            ratios = f"{then.seconds / now.seconds:.1f} | 1/{then.megabytes / now.megabytes:.0f}"
            print(f"| {name} | {target} | {_shown(then)} | {_shown(now)} | {ratios} |", flush=True)


def _files_of_then(folder: Path) -> bool:
    packed = subprocess.run(["git", "archive", COMMIT], cwd=ROOT, capture_output=True, check=False)
    if packed.returncode == 0:
        subprocess.run(["tar", "-x", "-C", str(folder)], input=packed.stdout, check=True)
    return packed.returncode == 0


def _solve(place: Path, game: tuple[str, str, str], target: str) -> Used | None:
    """What solving takes the program in a place; None if it came to no end."""
    rules, sides, dice = game
    asked = ["--rules", rules, "--sides", sides, "--dice", dice, "--payoffs", "zero-sum", "--target", target]
    command = [sys.executable, "-m", "liarsdice_cli", "solve", *asked, "--method", "dcfr+", "--threads", "2"]
    environment = os.environ | {"PYTHONPATH": str(place)}
    try:
        ended = subprocess.run(
            [sys.executable, "-c", _MEASURE, *command], cwd=place, env=environment, capture_output=True, text=True, timeout=3600
        )
        seconds, megabytes, code = ended.stdout.split()
        return Used(float(seconds), float(megabytes)) if code == "0" else None
    except (subprocess.TimeoutExpired, ValueError):
        return None


def _shown(used: Used | None) -> str:
    return "no end | " if used is None else f"{used.seconds:.1f} | {used.megabytes:.0f}"


if __name__ == "__main__":
    table(more="--more" in sys.argv)
