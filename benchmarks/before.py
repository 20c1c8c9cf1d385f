"""Compare the program with an earlier commit, in one run on one machine: the part `before` of `make bench`; half an hour.

The files of the commit come from the git history and run with the same interpreter and libraries. Both versions run whole
commands in turn, start-up included, after everything is compiled. The best of a few runs counts. The memory of the expanded
histories is given apart from that of the process, which Python and its libraries need in every game.
"""

from __future__ import annotations

import math
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

from benchmarks.measure import LIARSDICE, ROOT, Measured, run_alone

COMMIT = "e4c50ea"
"""The last commit before the core was redesigned."""
RUNS = 3
PUBLIC = "--payoffs zero-sum --method dcfr+ --threads 2 --json"
ONE_THREAD = PUBLIC.replace("2", "1")
WARM_UP = (
    f"solve --rules common --sides 6 {PUBLIC} --iterations 3",
    f"solve --rules common --sides 3 --dice 2,2 {PUBLIC} --iterations 3",
    f"solve --rules common --sides 6 --dice 3,3 {PUBLIC} --iterations 2",
    "exploit honest --rules common --sides 3 --dice 2,2",
    "build --sides 4 -o warm.efg",
)
"""Commands that compile all code for the measured commands."""
COMMANDS = (
    "info --sides 3",
    "build --sides 3 -o three.efg",
    "build --sides 4 -o four.efg",
    "solve three.efg --method exact",
    "solve --rules common --sides 6 --method exact",
    "solve --rules joker --sides 6 --method exact",
    "solve --rules common --sides 3 --refine quasi-perfect",
    "draw --sides 3 -o three.svg",
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
MEASURED = ("processor s", "MB of the process", "MB of expanded histories")


def table(runs: int = RUNS) -> None:
    """Print a row for each command."""
    print(f"\n## Beside commit {COMMIT}: whole commands, best of {runs}, long ones once; no time if a command failed\n")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        then = folder / "then"
        if not _extract(then):
            print(f"The history of the repository, which has {COMMIT}, is not here (a shallow clone, or no clone).")
            return
        for command in WARM_UP:
            _pair(command, folder)
        print(f"| command | {' | '.join(f'{name}: then | now | ratio' for name in MEASURED)} |")
        print("|---" * (1 + 3 * len(MEASURED)) + "|")
        for command in (*COMMANDS, *ONCE):
            print(_row(command, folder, 1 if command in ONCE else runs), flush=True)


def _extract(then: Path) -> bool:
    """Write the files of the commit to a folder; return whether the repository has the commit."""
    packed = subprocess.run(["git", "archive", COMMIT], cwd=ROOT, capture_output=True, check=False)
    if packed.returncode == 0:
        then.mkdir()
        subprocess.run(["tar", "-x", "-C", str(then)], input=packed.stdout, check=True)
    return packed.returncode == 0


def _pair(command: str, folder: Path) -> list[Measured]:
    """Run a command in a folder, first with the earlier version, which is in its folder `then`, and then with this one."""
    return [run_alone(*LIARSDICE, *command.split(), folder=folder, source=source) for source in (folder / "then", ROOT)]


def _row(command: str, folder: Path, runs: int) -> str:
    """Return the row of a command."""
    old, new = (_least(side) for side in zip(*(_pair(command, folder) for _ in range(runs)), strict=True))
    numbers = ((then, now, now / then) for then, now in zip(old, new, strict=True))
    shown = (" | ".join("" if math.isnan(one) else f"{one:.4g}" for one in three) for three in numbers)
    return f"| `{command.replace(f' {PUBLIC}', '').replace(f' {ONE_THREAD}', '')}` | {' | '.join(shown)} |"


def _least(runs: Iterable[Measured]) -> list[float]:
    """Return the least of each number in `MEASURED` in the runs that succeed; NaN if all fail or have no such number."""
    done = [(run.processor_seconds, run.megabytes, _of_histories(run)) for run in runs if run.code == 0]
    return [min(numbers) for numbers in zip(*done, strict=True)] if done else [math.nan] * len(MEASURED)


def _of_histories(run: Measured) -> float:
    """Return the MB of the expanded histories, NaN where the output has none."""
    return run.json["parameters"]["bytes"] / 1e6 if run.text.startswith("{") else math.nan
