"""`make fuzz`: run every reader in turn on mutated inputs for hours; count failures and keep their inputs in the corpus."""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
import zlib
from collections import Counter
from pathlib import Path

from tests.fuzz.reader import Reader
from tests.fuzz.readers import READERS
from tests.fuzz.trial import fault

CORPUS = Path(__file__).parent / "corpus"
_ROUND = 100
"""Inputs of one reader before the next reader's turn."""


def main() -> int:
    """Run for the given time; return 1 if anything failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--hours", type=float, default=1.0, help="how long (default: 1)")
    parser.add_argument("--seed", type=int, default=None, help="from which everything follows (default: the time)")
    parser.add_argument("--reader", choices=[reader.name for reader in READERS], help="only this one")
    asked = parser.parse_args()
    seed = time.time_ns() if asked.seed is None else asked.seed
    draw, end = random.Random(seed), time.monotonic() + 3600 * asked.hours
    readers = [reader for reader in READERS if asked.reader in (None, reader.name)]
    tried: Counter[str] = Counter()
    failed: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        seeds = {reader.name: _seeds(reader, folder) for reader in readers}
        while time.monotonic() < end:
            for reader in readers:
                for _ in range(_ROUND):
                    if time.monotonic() > end:
                        break
                    data = reader.change(draw.choice(seeds[reader.name]), draw)
                    tried[reader.name] += 1
                    found = fault(reader, data, folder)
                    if found:
                        failed[reader.name] += 1
                        _keep(reader, data, found)
    for reader in readers:
        print(f"{reader.name:20} {tried[reader.name]:10,} inputs {failed[reader.name]:6,} failed")
    print(f"{tried.total():,} inputs, {failed.total():,} failed; seed {seed}")
    return 1 if failed else 0


def _seeds(reader: Reader, folder: Path) -> list[bytes]:
    found = reader.seeds(folder)
    for path in folder.iterdir():
        path.unlink()
    return found


def _keep(reader: Reader, data: bytes, found: str) -> None:
    """Keep an input that failed, once for each kind of failure."""
    path = CORPUS / f"{reader.name}--{zlib.crc32(found[:60].encode()):08x}"
    if not path.exists():
        path.write_bytes(data)
        print(f"{path}: {found}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
