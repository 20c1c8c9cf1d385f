"""`make forgetting`: compute the lines that docs/forgetting.csv lacks, the cost of remembering the last m bids only.

The games are all presets with six sides and from 1,1 to 2,2 dice. The methods are DCFR+ on the abstracted information sets
(examples/forgetting.py) and, with one die each, plain CFR as in FSICFR. Each strategy is judged exactly in the whole game.
After `--most SECONDS`, no new line is started.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import liarsdice_cli as ld
from benchmarks import kept as table_file
from benchmarks.kept import DOCS, Key, Line, replaced
from examples.forgetting import remembering
from liarsdice_cli.draw.curves import Series, curves

PAGE, TABLE, PICTURE = DOCS / "results.md", DOCS / "forgetting.csv", DOCS / "forgetting.svg"
KEY = ("rules", "dice", "memory", "method")
COLUMNS = (*KEY, "iterations", "nodes", "exploitability", "training_seconds", "judge_seconds")
PRESETS = ("common", "joker", "top-wild", "face-first", "ones-low", "dudo", "perudo", "snyd")
"""All presets except `classic`, which equals `common` without impossible bids."""
MEMORIES = (1, 2, 3, 4)
SMALL, LARGE = ((1, 1), (2, 1), (1, 2)), (2, 2)
ITERATIONS = {"DCFR+": 1000, "CFR": 1000}
ITERATIONS_LARGE = {1: 1000, 2: 1000, 3: 500, 4: 250}
MOST_BIDS = 25
"""The most bids of a game that is judged; `snyd` with 2,2 dice has 30."""


def places() -> Iterator[tuple[str, tuple[int, int], int, str]]:
    """Yield the arguments of `measured`: DCFR+ in all games, those with 1,2 dice last, and plain CFR with one die each."""
    for dice in ((1, 1), (2, 1), LARGE, (1, 2)):
        for preset in PRESETS:
            for memory in MEMORIES:
                yield preset, dice, memory, "DCFR+"
                if dice == (1, 1):
                    yield preset, dice, memory, "CFR"


def measured(preset: str, dice: tuple[int, int], memory: int, method: str) -> Line | None:
    """Return the line of a memory in a game; None if the game is too large for the judge."""
    rules = ld.rules(preset, 6, dice, payoffs="zero-sum").without_impossible_bids()
    if rules.bid_count > MOST_BIDS:
        return None
    iterations = ITERATIONS_LARGE[memory] if dice == LARGE else ITERATIONS[method]
    begun = time.process_time()
    policy = remembering(rules, memory, iterations, method == "DCFR+")
    trained = time.process_time()
    lost = float(ld.exploitability(rules, policy).exploitability)
    return {
        "rules": preset,
        "dice": _text(dice),
        "memory": str(memory),
        "method": method,
        "iterations": str(iterations),
        "nodes": str(len(policy.graph.nodes)),
        "exploitability": f"{lost:.9f}",
        "training_seconds": f"{trained - begun:.1f}",
        "judge_seconds": f"{time.process_time() - trained:.1f}",
    }


def _text(dice: tuple[int, ...]) -> str:
    return ",".join(map(str, dice))


def table(lines: dict[Key, Line]) -> Iterator[str]:
    """Yield the page's table: a row for each preset and dice; a column for each memory, then the same columns for plain CFR."""
    memories = [f"m = {memory}" for memory in MEMORIES]
    yield f"| rules | dice | {' | '.join(memories)} | {' | '.join(f'CFR, {one}' for one in memories)} |"
    yield "|" + "---|" * (2 + 2 * len(MEMORIES))
    for dice in (*SMALL, LARGE):
        for preset in PRESETS:
            cells = [_lost(lines, preset, dice, memory, method) for method in ("DCFR+", "CFR") for memory in MEMORIES]
            if any(cells):
                yield f"| {preset} | {_text(dice)} | {' | '.join(cell or '-' for cell in cells)} |"


def _lost(lines: dict[Key, Line], preset: str, dice: tuple[int, int], memory: int, method: str) -> str:
    line = lines.get((preset, _text(dice), str(memory), method))
    return "" if line is None else f"{float(line['exploitability']):.5f}"


def picture(lines: dict[Key, Line]) -> str:
    """Return an SVG chart of exploitability by memory, for games in which it is larger than the error of the training."""
    series = []
    for preset in PRESETS:
        for dice in ((2, 1), LARGE):
            found = [(memory, _lost(lines, preset, dice, memory, "DCFR+")) for memory in MEMORIES]
            points = [(float(memory), float(lost)) for memory, lost in found if lost]
            if len(points) == len(MEMORIES) and (dice == LARGE or preset in ("common", "joker")):
                series.append(Series(f"{preset} {_text(dice)}", points))
    return curves(
        "What it costs to remember the last m bids only",
        series,
        x_name="m: bids remembered",
        y_name="exploitability in the whole game, payoffs +1 and -1, six sides",
        log_x=False,
    ).svg()


def kept() -> dict[Key, Line]:
    """Return the lines of the file."""
    return table_file.read(TABLE, KEY)


def made(text: str) -> str:
    """Return the page with its table generated again."""
    return replaced(text, "make forgetting, table", table(kept()))


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("--most", type=float, default=float("inf"), metavar="SECONDS")
    most, begun = reader.parse_args().most, time.monotonic()
    lines = kept()
    for place in places():
        key = (place[0], _text(place[1]), str(place[2]), place[3])
        if key in lines or time.monotonic() - begun > most:
            continue
        line = measured(*place)
        if line is not None:
            lines[key] = line
            table_file.write(TABLE, COLUMNS, lines.values())
            print(*line.values(), flush=True)
    PICTURE.write_text(picture(lines), encoding="utf-8")
    PAGE.write_text(made(PAGE.read_text("utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
