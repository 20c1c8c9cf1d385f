"""`make values`: solve the games of the grid that docs/values.csv lacks, and write the tables of values in docs/results.md.

Two hours for all. The tables also show values of benchmarks/double_oracle.py, `make large` and `make matches` if those
are better. `python benchmarks/values.py --tables` writes the tables only.
"""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Iterator
from math import inf

from benchmarks import double_oracle, large
from benchmarks.measure import LIARSDICE
from benchmarks.results import DOCS, Page, between, markdown, parser_with_tables
from liarsdice_cli.games.liarsdice.presets import PRESETS
from liarsdice_cli.studies.valuation import Valuation
from liarsdice_cli.studies.value_table import read

VALUES = DOCS / "values.csv"
GRIDS = (
    "--threads 1 --rules snyd --sides 6 --dice 1,1 --method double-oracle",
    "--threads 1 --rules all --sides 2..6 --dice 1,1",
    "--threads 1 --rules all --sides 2..4 --dice 2,1 1,2",
    "--threads 1 --rules all --sides 2..3 --dice 2,2",
    "--threads 1 --rules joker --sides 4 --dice 2,2",
    "--threads 1 --rules joker --sides 5..6 --dice 2,1 1,2",
    "--threads 1 --rules common top-wild face-first ones-low --sides 5 --dice 2,1 1,2",
    "--threads 1 --rules classic common face-first --sides 6 --dice 2,1 1,2 --method double-oracle",
    "--threads 1 --rules top-wild --sides 6 --dice 2,1 1,2 --method double-oracle",
    "--threads 1 --rules ones-low --sides 6 --dice 2,1 1,2 --method double-oracle",
    "--threads 1 --rules common joker face-first --sides 5 --dice 2,2 --method double-oracle",
    "--threads 1 --rules classic common --sides 6 --dice 2,2 --method double-oracle",
    "--threads 1 --rules common --sides 6 --dice 3,1 1,3 --method double-oracle",
    "--threads 1 --rules common top-wild face-first ones-low --sides 4 --dice 2,2",
    "--threads 1 --rules joker --sides 6 --dice 2,2 --method double-oracle",
    "--threads 1 --rules top-wild --sides 5 --dice 2,2 --method double-oracle",
    "--threads 1 --rules face-first --sides 6 --dice 2,2 --method double-oracle",
    "--threads 1 --rules ones-low --sides 5 --dice 2,2 --target 1e-4 --time-limit 150",
    "--threads 1 --rules common joker --sides 2..5 --dice 3,1 1,3 --method double-oracle",
    "--threads 1 --rules common joker --sides 2..3 --dice 3,2 2,3 3,3 --method double-oracle",
    "--threads 1 --rules common --sides 4 --dice 3,3 --method double-oracle",
    "--threads 1 --rules joker --sides 4 --dice 3,2 --method double-oracle",
    "--threads 1 --rules common --sides 6 --dice 3,2 2,3 --method double-oracle",
    "--rules common --sides 6 --dice 3,3 --target 5e-4 --time-limit 400",
)
"""The options of each run of `liarsdice values` that solves a part of the grid, in order."""


MOST_DICE = 3
"""The most dice of a player; games with more dice are in the tables of `make large`."""
EQUAL = {"classic": "common", "ones-low": "joker", "dudo": "top-wild"}
"""Presets whose games have the same values as another preset: docs/values.md, "Equal values"."""


def commands() -> list[str]:
    """Return the command lines that solve the grid, in order."""
    return [f"liarsdice values -o values.csv --payoffs zero-sum {options}" for options in GRIDS]


def known() -> list[Valuation]:
    """Return the values for the tables."""
    of_matches = (one for table in DOCS.glob("match-*.csv") for one in read(str(table)))
    found = *read(str(VALUES)), *double_oracle.proved(), *large.proved(), *of_matches
    return [one for one in found if max(one.rules.dice) <= MOST_DICE]


def tables() -> list[str]:
    """Return the lines of a table for each preset: exact fractions, or bounds with their exploitability, by sides and dice.

    Presets with equal values share one table, which has the best of their values.
    """
    sharing: dict[str, list[str]] = {}
    for name in PRESETS:
        sharing.setdefault(EQUAL.get(name, name), []).append(name)
    rows, lines = known(), list[str]()
    for names in sharing.values():
        if found := [one for one in rows if one.rules.name in names]:
            lines += ["", *_table(names, found)]
    return lines[1:]


def _table(names: list[str], known: list[Valuation]) -> Iterator[str]:
    dice = sorted({one.rules.dice for one in known}, key=lambda pair: (sum(pair), -pair[0]))
    worst_first = sorted(known, key=lambda one: inf if one.exploitability is None else float(one.exploitability), reverse=True)
    at = {(one.rules.sides, one.rules.dice): one for one in worst_first}
    yield f"**{', '.join(names)}**"
    yield ""
    rows = (
        (str(sides), *(_cell(at.get((sides, pair))) for pair in dice)) for sides in sorted({one.rules.sides for one in known})
    )
    yield from markdown(["sides", *(f"dice {','.join(map(str, pair))}" for pair in dice)], rows)


def _cell(one: Valuation | None) -> str:
    if one is None or one.lower is None or one.upper is None or one.exploitability is None:
        return ""
    found = between(one.lower, one.upper)
    return found if one.exact else f"{found} ({float(one.exploitability):.1e})"


PAGE = Page("results.md", {"make values": tables})

if __name__ == "__main__":
    if not parser_with_tables(__doc__).parse_args().tables:
        for command in commands():
            print("$", command, flush=True)
            subprocess.run([*LIARSDICE, *shlex.split(command)[1:]], cwd=DOCS, check=True)
    PAGE.write()
