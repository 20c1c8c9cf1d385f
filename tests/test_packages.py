"""Check the order of packages: no string names a module of a higher package, and no package has a cycle of imports."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter

import pytest

from liarsdice_cli.formats import registry
from tests.support.command_line import ROOT, environment
from tests.support.properties import mostly_slow

PACKAGE = "liarsdice_cli"
LAYERS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"][0]["layers"]
LEVEL = {name.strip(): -level for level, layer in enumerate(LAYERS) for name in layer.split("|")}
"""The level of every package; `liarsdice_cli.cli` has the highest."""
FILES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted((ROOT / PACKAGE).rglob("*.py"))
}
"""The file of every module."""
TREES = {module: ast.parse(path.read_text("utf-8")) for module, path in FILES.items()}


def package(module: str) -> str:
    return ".".join(module.split(".")[:2])


def strings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield all strings except docstrings, with their line numbers."""
    prose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            yield node.lineno, node.value


def named(text: str) -> Iterator[str]:
    """Yield the modules that a string names, in full or as `package.module`."""
    for word in re.findall(r"[A-Za-z_][\w.]*", text):
        parts = word.removeprefix(f"{PACKAGE}.").split(".")
        if len(parts) > 1 or word.startswith(f"{PACKAGE}."):
            ends = (f"{PACKAGE}.{'.'.join(parts[:length])}" for length in range(len(parts), 0, -1))
            found = next((module for module in ends if module in FILES), None)
            if found is not None and (found.count(".") > 1 or word.startswith(f"{PACKAGE}.")):
                yield found


def upward(module: str, tree: ast.Module) -> list[str]:
    """Return the strings of a module that name a package of the same level or above, and its imports of `liarsdice_cli`."""
    if package(module) not in LEVEL:
        return []
    level = LEVEL[package(module)]
    found = [
        f"{module}:{line} names {other}"
        for line, text in strings(tree)
        for other in named(text)
        if package(other) != package(module) and LEVEL.get(package(other), level - 1) >= level
    ]
    if level < LEVEL[f"{PACKAGE}.cli"]:
        found += [f"{module} imports the whole package" for imported in imports(module, tree) if imported == PACKAGE]
    return found


def imports(module: str, tree: ast.Module) -> Iterator[str]:
    """Yield the modules of `liarsdice_cli` that a module imports, including imports inside functions and for types."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} has a relative import"
            for name in node.names:
                yield from [one for one in (f"{node.module}.{name.name}", node.module or "") if one in FILES][:1]
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names if name.name in FILES)


def uses(module: str, tree: ast.Module) -> set[str]:
    """Return the other modules that a module imports, or names in a string, which may load or run them."""
    return {*imports(module, tree), *(other for _, text in strings(tree) for other in named(text))} - {module}


def circle(graph: Mapping[str, set[str]]) -> list[str]:
    """Return a cycle of a graph, or an empty list if it has none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return [*error.args[1]]
    return []


def test_no_string_names_a_module_of_a_higher_package() -> None:
    assert [found for module, tree in TREES.items() for found in upward(module, tree)] == []


def test_the_layers_name_every_package() -> None:
    assert {package(module) for module in FILES} == LEVEL.keys() | {PACKAGE, f"{PACKAGE}.__main__"}


@pytest.mark.parametrize("one", LEVEL)
def test_no_package_has_a_cycle_of_imports(one: str) -> None:
    inside = {module: tree for module, tree in TREES.items() if package(module) == one}
    assert circle({module: uses(module, tree) & inside.keys() for module, tree in inside.items()}) == []


@pytest.mark.parametrize(
    "code",
    [
        'answers = "liarsdice_cli.library.displays"',
        'writer = "draw.gbt:write"',
        'load(f"liarsdice_cli.draw.{name}")',
        '["-m", "liarsdice_cli.cli.main"]',
        "import liarsdice_cli as ld",
        "def solve():\n    from liarsdice_cli import solve",
    ],
)
def test_a_reference_to_a_higher_package_is_found(code: str) -> None:
    assert upward("liarsdice_cli.formats.registry", ast.parse(code)) != []


@pytest.mark.parametrize(
    "code",
    [
        '"""As `draw.gbt.write` does."""',
        'names = "formats.efg:write", "draw", "library", "games.liarsdice.rules"',
        "from liarsdice_cli.games.liarsdice.rules import rules",
    ],
)
def test_allowed_references_are_not_reported(code: str) -> None:
    assert upward("liarsdice_cli.formats.registry", ast.parse(code)) == []


def test_a_string_that_names_a_package_of_the_same_level_is_found() -> None:
    assert upward("liarsdice_cli.draw.gbt", ast.parse('name = "solvers.ladder"')) != []


def test_a_cycle_through_a_string_is_found() -> None:
    parent, child = f"{PACKAGE}.solvers.gambit", f"{PACKAGE}.solvers.gambit_child"
    sources = {parent: f'run("-m", "{child}")', child: f"from {parent} import METHODS"}
    assert set(circle({module: uses(module, ast.parse(code)) for module, code in sources.items()})) == {parent, child}


def test_a_cycle_is_found() -> None:
    assert set(circle({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}})) == {"a", "b", "c"}


@pytest.mark.parametrize(
    "first", mostly_slow(["extensive.renderable", "formats.registry", "draw.formats", "library.explorer", "cli.build"])
)
def test_packages_are_registered_whichever_module_is_imported_first(first: str) -> None:
    code = (
        f"import liarsdice_cli.{first}\n"
        "from liarsdice_cli.formats import registry\n"
        "from liarsdice_cli.games.liarsdice.rules import rules\n"
        "from liarsdice_cli.games.liarsdice.tree import build\n"
        "tree = build(rules('common', 2))\n"
        "writer = registry.writer('game.gbt', registry.GAME)\n"
        "print(writer.__module__, '<svg' in tree._repr_svg_(), '<img' in tree._repr_html_())"
    )
    ended = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, text=True, check=False)
    assert (ended.stdout.split(), ended.stderr) == (["liarsdice_cli.draw.gbt", "True", "True"], "")


def test_the_table_lists_formats_of_higher_packages_once() -> None:
    rows = [*registry.table()]
    assert len(rows) == len(set(rows)) > len(registry.FORMATS)
    assert rows[: len(registry.FORMATS)] == [*registry.FORMATS]


def test_importing_draw_and_library_loads_no_heavy_modules() -> None:
    code = "import sys, liarsdice_cli.draw, liarsdice_cli.library; print([*map(str, sys.modules)])"
    ended = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, text=True, check=True)
    assert "liarsdice_cli.draw" in ended.stdout
    for heavy in (
        "numpy",
        "rich",
        "liarsdice_cli.library.displays",
        "liarsdice_cli.draw.gbt",
        "liarsdice_cli.formats.registry",
    ):
        assert repr(heavy) not in ended.stdout
