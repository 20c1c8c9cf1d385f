"""`make values`: solves what docs/values.csv lacks of the grid, and writes its tables into docs/values.md.

`python benchmarks/values.py --tables` writes the tables alone.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

from liarsdice_cli.formats.numbers import shown_between
from liarsdice_cli.games.liarsdice.presets import PRESETS
from liarsdice_cli.studies.valuation import Valuation
from liarsdice_cli.studies.value_table import read

DOCS = Path(__file__).parents[1] / "docs"
PAGE, TABLE = DOCS / "values.md", DOCS / "values.csv"
BEGIN, END = "<!-- the tables of make values begin here -->\n", "<!-- and end here -->\n"


def commands(page: str) -> list[str]:
    """The command lines in the page that make its tables, in order."""
    block = page.split("```sh\n# make values\n")[1].split("```")[0]
    return block.strip().replace("\\\n", " ").splitlines()


def tables(known: Iterable[Valuation]) -> str:
    """A table a preset, sides down and dice across: exact fractions, else bounds and their exploitability."""
    order = list(PRESETS)
    by_preset = sorted(known, key=lambda one: order.index(one.rules.name))
    return "\n".join(
        "\n".join(_table(name, list(ones))) + "\n" for name, ones in groupby(by_preset, lambda one: one.rules.name)
    )


def _table(name: str, known: list[Valuation]) -> Iterator[str]:
    dice = sorted({one.rules.dice for one in known}, key=lambda pair: (sum(pair), -pair[0]))
    at = {(one.rules.sides, one.rules.dice): one for one in known}
    yield f"**{name}**\n"
    yield " | ".join(["| sides", *(f"dice {','.join(map(str, pair))}" for pair in dice)]) + " |"
    yield "|---" * (len(dice) + 1) + "|"
    for sides in sorted({one.rules.sides for one in known}):
        yield " | ".join([f"| {sides}", *(_cell(at.get((sides, pair))) for pair in dice)]) + " |"


def _cell(one: Valuation | None) -> str:
    if one is None or one.lower is None or one.upper is None or one.exploitability is None:
        return ""
    between = shown_between(one.lower, one.upper)
    return between if one.exact else f"{between} ({float(one.exploitability):.1e})"


def main() -> None:
    page = PAGE.read_text()
    if "--tables" not in sys.argv:
        for command in commands(page):
            print("$", command, flush=True)
            subprocess.run([sys.executable, "-m", "liarsdice_cli", *shlex.split(command)[1:]], cwd=DOCS, check=True)
    before, rest = page.split(BEGIN)
    after = rest.split(END)[1]
    PAGE.write_text(before + BEGIN + "\n" + tables(read(str(TABLE))) + "\n" + END + after)


if __name__ == "__main__":
    main()
