"""Check CONTRIBUTING.md: every package, module, function and file that it names exists."""

from __future__ import annotations

import re
import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from liarsdice_cli.games.liarsdice.presets import PRESETS
from tests.support.command_line import run_here

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "CONTRIBUTING.md").read_text()
HOUSE = ROOT / "liarsdice_cli"
ROOMS = {path.name for path in HOUSE.iterdir() if (path / "__init__.py").exists()} | {"errors", "progress", "text"}
FILES = {"errors.py", "progress.py", "text.py"}
NAMES = sorted({name for name in re.findall(r"`(\w+(?:\.\w+)+)`", PAGE) if name.partition(".")[0] in ROOMS} - FILES)
PATHS = sorted(set(re.findall(r"`((?:[\w-]+/)+(?:[\w.-]+)?)`", PAGE)))


def named(name: str) -> Any:
    """Return the module, or the object in a module, with this dotted name within the package."""
    found: Any = import_module("liarsdice_cli")
    path = "liarsdice_cli"
    for part in name.split("."):
        path = f"{path}.{part}"
        found = getattr(found, part, None) or import_module(path)
    return found


@pytest.mark.parametrize("name", NAMES)
def test_dotted_names_exist(name: str) -> None:
    assert named(name) is not None


@pytest.mark.parametrize("path", PATHS)
def test_paths_exist(path: str) -> None:
    assert (ROOT / path).exists() or (HOUSE / path).exists()


def test_the_page_names_many_modules_and_paths() -> None:
    assert len(NAMES) > 30
    assert len(PATHS) > 15


def test_the_table_lists_every_package() -> None:
    table = re.findall(r"^\| `(\w+)(?:/|\.py)` \|", PAGE, re.MULTILINE)
    assert sorted(table) == sorted(ROOMS)


def test_the_order_of_packages_is_the_one_that_the_linter_checks() -> None:
    (contract,) = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    law = [layer.replace("liarsdice_cli.", "") for layer in contract["layers"]]
    assert "\n".join(law) in PAGE
    assert {room for layer in law for room in layer.split(" | ")} == ROOMS


def test_every_make_target_is_described() -> None:
    (targets,) = re.findall(r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert {target for target in targets.split() if f"`make {target}`" not in PAGE} <= {"run", "clean"}


def test_the_line_of_the_example_is_written_by_build() -> None:
    lines = run_here("build", "--sides", 3).out.splitlines()
    (shown,) = re.findall(r'^p "" .*$', PAGE, re.MULTILINE)
    assert shown in lines


def test_links_resolve() -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", PAGE)
    assert links
    assert all((ROOT / link).exists() for link in links)


def test_the_readme_lists_every_preset() -> None:
    rows = re.findall(r"^\| `([\w-]+)`(?: \(default\))? \|", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert rows == list(PRESETS)
