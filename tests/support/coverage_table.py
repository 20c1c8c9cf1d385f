"""Print a report of `coverage json` as a table with a row for every package; see `make coverage`."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

COUNTS = ("num_statements", "covered_lines", "num_branches", "covered_branches")


def package(file: str) -> str:
    """Return the package of a file, such as `games/liarsdice` or `solvers/exact`; modules outside packages are in `.`."""
    parts = Path(file).parts
    inside = parts[parts.index("liarsdice_cli") + 1 : -1]
    return "/".join(inside[:2]) or "."


def share(covered: int, whole: int) -> str:
    return f"{covered:,} of {whole:,}" + (f" ({covered / whole:.1%})" if whole else "")


def table(report: str) -> str:
    packages: dict[str, Counter[str]] = {}
    for file, content in json.loads(report)["files"].items():
        packages.setdefault(package(file), Counter()).update({name: content["summary"][name] for name in COUNTS})
    packages = dict(sorted(packages.items()))
    packages["all"] = sum(packages.values(), Counter())
    pairs = [("covered_lines", "num_statements"), ("covered_branches", "num_branches")]
    cells = {name: [share(one[covered], one[whole]) for covered, whole in pairs] for name, one in packages.items()}
    rows = [f"| {name} | {lines} | {branches} |" for name, (lines, branches) in cells.items()]
    return "\n".join(["| package | lines | branches |", "|---|---|---|", *rows])


if __name__ == "__main__":
    print(table(Path(sys.argv[1]).read_text()))
