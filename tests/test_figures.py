"""Check that every figure in the documentation is in tested output on its page or has a row in docs/numbers.toml."""

from __future__ import annotations

import re
import tomllib
from fractions import Fraction
from importlib import import_module
from typing import Any

import pytest

from liarsdice_cli.cli.main import COMMANDS
from tests.support.command_line import ROOT, run_here
from tests.support.figures import figures, numbers, outputs, shows

ROWS: list[dict[str, Any]] = tomllib.loads((ROOT / "docs" / "numbers.toml").read_text("utf-8"))["numbers"]
PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/*.md")), *sorted(ROOT.glob("packaging/outreach/*.md"))]
PUBLISHED = numbers((ROOT / "tests" / "support" / "known_values.py").read_text("utf-8"))
SOURCES = ("command", "measured", "constant", "data", "paper", "test", "source")
CHECKED = [row for row in ROWS if row.get("checked")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_figure_has_an_output_or_a_row(page):
    text, name = page.read_text("utf-8"), page.relative_to(ROOT).as_posix()
    shown, listed = outputs(text), {figure for row in ROWS if row["page"] == name for figure in row["says"]}
    missing = [
        figure
        for figure in dict.fromkeys(figures(text))
        if figure not in listed and not shows(shown, figure) and not ("/" in figure and shows(PUBLISHED, figure))
    ]
    assert missing == [], f"add a row for {name} to docs/numbers.toml"


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['page']}: {row['says'][0]}")
def test_every_row_names_figures_of_its_page_and_existing_sources(row):
    assert set(row["says"]) <= set(figures((ROOT / row["page"]).read_text("utf-8")))
    assert set(row) & set(SOURCES)
    for constant in row.get("constant", []):
        module, _, name = constant.partition(":")
        found: Any = import_module(f"liarsdice_cli.{module}")
        for part in name.split("."):
            found = getattr(found, part)
        assert isinstance(found, int | float | Fraction)
        assert shows([float(found)], row["says"][row["constant"].index(constant)])
    for file in row.get("data", []):
        found = numbers((ROOT / file).read_text("utf-8").replace(",", " "))
        assert [figure for figure in row["says"] if not shows(found, figure)] == []
    if "test" in row:
        file, _, test = row["test"].partition("::")
        assert f"def {test}(" in (ROOT / file).read_text("utf-8")
    if "paper" in row:
        said = (ROOT / "paper" / "numbers.toml").read_text("utf-8")
        assert [figure for figure in row["says"] if figure not in said] == []


@pytest.mark.parametrize("command", sorted({row[key] for row in ROWS for key in ("command", "measured") if key in row}))
def test_commands_exist(command):
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for name in re.findall(r"liarsdice (\w[\w-]*)", command):
        assert name in COMMANDS
    for target in re.findall(r"make ([a-z-]+)", command):
        assert f"\n{target}:" in makefile
    for module in re.findall(r"python -m (\S+)", command):
        assert (ROOT / f"{module.replace('.', '/')}.py").exists()
    for file in re.findall(r"\w+(?:/\w+)+\.(?:py|md|csv)\b|\w+\.toml", command):
        assert (ROOT / file).exists()


@pytest.mark.slow
@pytest.mark.parametrize("row", CHECKED, ids=lambda row: f"{row['page']}: {row['says'][0]}")
def test_the_command_prints_the_figures(row):
    printed = run_here(*row["command"].split()[1:], cwd=ROOT)
    assert (printed.code, printed.err) == (0, "")
    assert [figure for figure in row["says"] if not shows(numbers(printed.out), figure)] == []
