"""`make torture`: kill and interrupt commands that write files, at random moments and on bad disks, for any length of time."""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from itertools import cycle
from pathlib import Path

from tests.torture.trial import Trial, disks, faults
from tests.torture.works import WORKS


def main() -> int:
    """Run for the given time; return 1 if anything was wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.torture", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0, help="how long (default: 10)")
    parser.add_argument("--seed", type=int, default=None, help="from which everything follows (default: the time)")
    asked = parser.parse_args()
    seed = time.time_ns() if asked.seed is None else asked.seed
    draw, end = random.Random(seed), time.monotonic() + 60 * asked.minutes
    counts: Counter[str] = Counter()
    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        possible = disks(folder)
        for work in cycle(WORKS):
            if time.monotonic() > end:
                break
            trial = Trial.drawn(work, possible, draw)
            found = faults(trial, folder)
            counts.update([work.name, trial.signal, f"disk {trial.disk}", "trials"])
            wrong += bool(found)
            for one in found:
                print(f"{trial}: {one}", file=sys.stderr, flush=True)
    for what, count in counts.items():
        print(f"{what:24} {count:6,}")
    print(f"{counts['trials']:,} trials, {wrong:,} wrong; disks {', '.join(possible)}; seed {seed}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
