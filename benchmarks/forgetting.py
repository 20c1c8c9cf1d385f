"""`make forgetting`: compute the lines that docs/forgetting.csv lacks, the cost of remembering the last m bids only.

It also writes a table in docs/results.md and docs/forgetting.svg. Minutes a line, half an hour for all. `--again common`
computes the lines of one preset again.

The games are all presets with six sides and from 1,1 to 2,2 dice. The methods are DCFR+ on the abstracted information sets
(examples/forgetting.py) and, with one die each, plain CFR as in FSICFR. Each strategy is judged exactly in the whole game.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial

import liarsdice_cli as ld
from benchmarks.results import DOCS, Key, Line, Page, Results, Wanted, markdown
from examples.forgetting import remembering
from liarsdice_cli.draw.curves import Series, curves

PICTURE = DOCS / "forgetting.svg"
KEY = ("rules", "dice", "memory", "method")
RESULTS = Results("forgetting.csv", KEY, (*KEY, "iterations", "nodes", "exploitability", "training_seconds", "judge_seconds"))
PRESETS = ("common", "joker", "top-wild", "face-first", "ones-low", "dudo", "perudo", "snyd")
"""All presets except `classic`, which equals `common` without impossible bids."""
MEMORIES = (1, 2, 3, 4)
SMALL, LARGE = ((1, 1), (2, 1), (1, 2)), (2, 2)
ITERATIONS = {"DCFR+": 1000, "CFR": 1000}
ITERATIONS_LARGE = {1: 1000, 2: 1000, 3: 500, 4: 250}
MOST_BIDS = 25
"""The most bids of a game that is judged; `snyd` with 2,2 dice has 30."""


def wanted() -> list[Wanted]:
    """Return the lines of DCFR+ in all games, those with 1,2 dice last, and of plain CFR with one die each."""
    found = []
    for dice in ((1, 1), (2, 1), LARGE, (1, 2)):
        for preset in PRESETS:
            for memory in MEMORIES:
                for method in ("DCFR+", "CFR")[: 2 if dice == (1, 1) else 1]:
                    key = preset, _text(dice), str(memory), method
                    found.append(Wanted(key, preset, partial(measured, preset, dice, memory, method)))
    return found


def measured(preset: str, dice: tuple[int, int], memory: int, method: str) -> Iterator[Line]:
    """Yield the line of a memory in a game, unless the game is too large for the judge."""
    rules = ld.rules(preset, 6, dice, payoffs="zero-sum").without_impossible_bids()
    if rules.bid_count > MOST_BIDS:
        return
    iterations = ITERATIONS_LARGE[memory] if dice == LARGE else ITERATIONS[method]
    begun = time.process_time()
    policy = remembering(rules, memory, iterations, method == "DCFR+")
    trained = time.process_time()
    lost = float(ld.exploitability(rules, policy).exploitability)
    seconds = f"{trained - begun:.1f}", f"{time.process_time() - trained:.1f}"
    yield RESULTS.line(preset, _text(dice), memory, method, iterations, len(policy.graph.nodes), f"{lost:.9f}", *seconds)


def _text(dice: tuple[int, ...]) -> str:
    return ",".join(map(str, dice))


def table() -> Iterator[str]:
    """Yield the page's table: a row for each preset and dice; a column for each memory, then the same columns for plain CFR."""
    memories, lines, rows = [f"m = {memory}" for memory in MEMORIES], RESULTS.read(), []
    for dice in (*SMALL, LARGE):
        for preset in PRESETS:
            cells = [_lost(lines, preset, dice, memory, method) for method in ("DCFR+", "CFR") for memory in MEMORIES]
            if any(cells):
                rows.append([preset, _text(dice), *(cell or "-" for cell in cells)])
    return markdown(["rules", "dice", *memories, *(f"CFR, {one}" for one in memories)], rows)


def _lost(lines: dict[Key, Line], preset: str, dice: tuple[int, int], memory: int, method: str) -> str:
    line = lines.get((preset, _text(dice), str(memory), method))
    return "" if line is None else f"{float(line['exploitability']):.5f}"


def picture() -> str:
    """Return an SVG chart of exploitability by memory, for games in which it is larger than the error of the training."""
    lines, series = RESULTS.read(), []
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


PAGE = Page("results.md", {"make forgetting, table": table})

if __name__ == "__main__":
    RESULTS.complete(wanted(), __doc__)
    PICTURE.write_text(picture(), encoding="utf-8")
    PAGE.write()
