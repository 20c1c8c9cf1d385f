"""`make bench`: print tables of speed and memory, with ratios between measurements of this run; it writes no files.

All parts take about an hour. To run only some of them, name them: `python benchmarks/run.py files`. Machines differ and are
noisy: compare the ratios.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from fractions import Fraction
from pathlib import Path

from benchmarks import before, cases, cluster, public_tree
from benchmarks.measure import LIARSDICE, ROOT, Measured, call_alone, run_alone
from benchmarks.results import parser

NODES = 2_097_137
RUNS = 3


def _best(name: str, path: Path) -> tuple[int, float, float]:
    """Run a case a few times; return its nodes or rounds, its best time, and its peak memory."""
    runs = [call_alone(cases.timed, name, str(path)) for _ in range(RUNS)]
    count, seconds = min((run.json for run in runs), key=lambda one: one[1])
    return count, seconds, max(run.megabytes for run in runs)


def files(folder: Path) -> None:
    """Print the speed of writing and reading the classic game with 4 sides."""
    path = folder / "classic-4.efg"
    print(f"\n## Files: classic rules, 4 sides, {NODES:,} nodes (best of {RUNS}, imports left out)\n")
    print("| work | million nodes/s | peak MB | ratio |\n|---|---|---|---|")
    _, plain, memory = _best("plain-write", folder / "plain.efg")
    print(f"| write, plain recursion with a formatted write a node | {NODES / plain / 1e6:.2f} | {memory:.0f} | 1 |")
    _, ours, memory = _best("write", path)
    print(f"| write, `build` | {NODES / ours / 1e6:.2f} | {memory:.0f} | {plain / ours:.1f} times the plain one |")
    _, gambit, memory = _best("gambit-read", path)
    print(f"| read, `pygambit.read_efg` | {NODES / gambit / 1e6:.2f} | {memory:.0f} | 1 |")
    _, ours, memory = _best("read", path)
    print(f"| read, ours | {NODES / ours / 1e6:.2f} | {memory:.0f} | {gambit / ours:.1f} times pygambit |")


def stream(folder: Path) -> None:
    """Print the speed for a tree that does not fit in memory: sections on one core, and the first gigabytes through a pipe."""
    print("\n## `build --sides 5` (1,677,721,576 nodes)\n")
    print(f"| every 64th section, on one core (best of {RUNS}, imports left out) | million nodes/s | peak MB |\n|---|---|---|")
    for name, work in (("sections", "made, to nowhere"), ("packed-sections", "made and packed, to a file")):
        nodes, seconds, memory = _best(name, folder / "part")
        print(f"| {work} | {nodes / seconds / 1e6:.2f} | {memory:.0f} |")
    print("\nThe whole, `-o -`, into a pipe:\n")
    print("| gigabytes read | MB/s | resident MB of the writer |\n|---|---|---|")
    command = [*LIARSDICE, "build", "--sides", "5", "-o", "-"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT) as process:
        assert process.stdout is not None
        begun, total = time.perf_counter(), 0
        for gigabytes in (1, 2, 3, 4):
            while total < gigabytes * 1e9:
                total += len(process.stdout.read(1 << 22))
            print(f"| {gigabytes} | {total / 1e6 / (time.perf_counter() - begun):.0f} | {_resident(process.pid)} |")
        process.kill()


def _resident(pid: int) -> str:
    """Return the memory in MB of a running process, if the system has /proc."""
    status = Path(f"/proc/{pid}/status")
    if not status.exists():
        return "not known here"
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS"))
    return f"{int(line.split()[1]) / 1000:.0f}"


def solve(folder: Path) -> None:
    """Print the time and memory of exact solving: whole processes, from a file or from rules to an evaluated profile."""
    print("\n## Solving exactly: whole processes, start-up and reading included\n")
    print("| game | nodes | value to player 1 | exact | seconds | peak MB |\n|---|---|---|---|---|---|")
    for name, sides in (("classic", "3"), ("common", "6"), ("classic", "4")):
        path = folder / f"{name}-{sides}-solve.efg"
        subprocess.run([*LIARSDICE, "build", "--rules", name, "--sides", sides, "-q", "-o", str(path)], check=True, cwd=ROOT)
        _solved(f"{name}, {sides} sides, from the .efg file", run_alone(*LIARSDICE, "solve", str(path), "--json"))
    for name, sides, dice in (
        ("top-wild", "6", "1,1"),
        ("classic", "6", "1,1"),
        ("top-wild", "7", "1,1"),
        ("joker", "6", "2,1"),
        ("joker", "6", "1,2"),
    ):
        options = ("--rules", name, "--sides", sides, "--dice", dice, "--dealing", "multiset")
        _solved(f"{name}, {sides} sides, dice {dice}, from rules", run_alone(*LIARSDICE, "solve", *options, "--json"))


def _solved(name: str, run: Measured) -> None:
    if run.code != 0:
        print(f"| {name} | | | no answer | {run.seconds:.1f} | {run.megabytes:.0f} |")
        return
    answer = run.json
    one = answer["profiles"][0]
    cells = f"{answer['nodes']:,} | {one['payoffs'][0]} | {one['equilibrium']} | {run.seconds:.2f} | {run.megabytes:.0f}"
    print(f"| {name} | {cells} |")


def refine(folder: Path) -> None:
    """Print the time of whole processes to a proved quasi-perfect equilibrium, compared with any exact equilibrium."""
    print("\n## Quasi-perfect, proved: whole processes\n")
    print("| game | nodes | value to player 1 | seconds | peak MB | times `--method exact` |\n|---|---|---|---|---|---|")
    poker = folder / "leduc.efg"
    with poker.open("wb") as out:
        subprocess.run([sys.executable, "sample_games/poker.py", "leduc", "--ranks", "9"], stdout=out, check=True, cwd=ROOT)
    games: dict[str, tuple[str, ...]] = {"Leduc poker, 9 ranks": (str(poker),)}
    for name, sides, dice in (("classic", 3, "1,1"), ("joker", 6, "1,1"), ("common", 6, "1,1"), ("joker", 5, "2,1")):
        games[f"{name}, {sides} sides, dice {dice}"] = ("--rules", name, "--sides", str(sides), "--dice", dice)
    for name, game in games.items():
        exact = run_alone(*LIARSDICE, "solve", *game, "--method", "exact", "--json").seconds
        run = run_alone(*LIARSDICE, "solve", *game, "--refine", "quasi-perfect", "--json")
        answer = run.json
        value = float(Fraction(answer["profiles"][0]["payoffs"][0]))
        cells = f"{answer['nodes']:,} | {value:.6f} | {run.seconds:.2f} | {run.megabytes:.0f} | {run.seconds / exact:.1f}"
        print(f"| {name} | {cells} |")


def references(folder: Path) -> None:
    """Print the time of other programs for games that they can solve."""
    print("\n## Beside others, in this run\n")
    print("| work | seconds | ratio to ours |\n|---|---|---|")
    game = ("--rules", "common", "--sides", "3")
    ours = min(run_alone(*LIARSDICE, "solve", *game, "--json").seconds for _ in range(RUNS))
    print(f"| `solve --rules common --sides 3` (1,144 nodes), exact | {ours:.2f} | 1 |")
    limit = 120
    gambit = run_alone(*LIARSDICE, "solve", *game, "--method", "lp", "--time-limit", str(limit), "--json")
    answer = f"{gambit.seconds:.1f}" if gambit.code == 0 else f"no answer in {limit}"
    print(f"| the same by pygambit's exact `lp` | {answer} | {gambit.seconds / ours:.0f} |")
    _open_spiel()


def _open_spiel() -> None:
    """Print the time of OpenSpiel's C++ CFR+ for its own liars_dice, if it is installed."""
    code = (
        "import time, pyspiel\n"
        "game = pyspiel.load_game('liars_dice', {'dice_sides': 6, 'bidding_rule': 'reset-face'})\n"
        "solver = pyspiel.CFRPlusSolver(game)\n"
        "begun, steps = time.perf_counter(), 0\n"
        "while True:\n"
        "    for _ in range(25): solver.evaluate_and_update_policy(); steps += 1\n"
        "    gap = pyspiel.exploitability(game, solver.average_policy())\n"
        "    if gap < 1e-3 or time.perf_counter() - begun > 120: break\n"
        "print(time.perf_counter() - begun, steps, gap)\n"
    )
    run = run_alone(sys.executable, "-c", code)
    if run.code != 0:
        print("| OpenSpiel's CFR+ (`pip install open_spiel` to compare) | not installed | |")
        return
    seconds, steps, gap = run.text.split()
    ours = run_alone(*LIARSDICE, "solve", "--rules", "top-wild", "--sides", "6", "--json")
    print(f"| top-wild, 6 sides, from rules, exact | {ours.seconds:.2f} | 1 |")
    print(
        f"| the same by OpenSpiel's C++ CFR+, {steps} iterations to exploitability {float(gap):.1e} "
        f"| {float(seconds):.1f} | {float(seconds) / ours.seconds:.0f} |"
    )


def arena(folder: Path) -> None:
    """Print rounds a second on one core, each row in its own process."""
    print(f"\n## Arena: rounds a second on one core (best of {RUNS}, imports left out, solving and starting included)\n")
    print("| bots | rounds | rounds/s | peak MB |\n|---|---|---|---|")
    for name in cases.ARENA:
        rounds, seconds, memory = _best(name, folder)
        print(f"| {name} | {rounds:,} | {rounds / seconds:,.0f} | {memory:.0f} |")


def public(folder: Path) -> None:
    """Print the tables that compare the public-tree solver with OpenSpiel and plain C."""
    public_tree.tables()


def beside_then(folder: Path) -> None:
    """Print the table that compares whole commands with an earlier commit."""
    before.table()


def workers(folder: Path) -> None:
    """Print the table that compares workers with threads."""
    print("\n## Workers: an iteration on them beside two threads, and what goes over the wire\n")
    for line in cluster.beside_threads():
        print(line)


PARTS = {
    "files": files,
    "stream": stream,
    "solve": solve,
    "refine": refine,
    "references": references,
    "arena": arena,
    "public": public,
    "before": beside_then,
    "workers": workers,
}

if __name__ == "__main__":
    reader = parser(__doc__)
    reader.add_argument("parts", nargs="*", metavar="PART", help=f"any of {', '.join(PARTS)}")
    asked = reader.parse_args().parts or list(PARTS)
    if unknown := [name for name in asked if name not in PARTS]:
        reader.error(f"unknown part(s) {', '.join(unknown)}: choose from {', '.join(PARTS)}")
    with tempfile.TemporaryDirectory() as folder:
        for name in asked:
            PARTS[name](Path(folder))
