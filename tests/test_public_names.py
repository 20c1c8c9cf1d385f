"""Check the public names of `liarsdice_cli`: they are few, load on first use, and are the functions that the commands use."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import liarsdice_cli as ld
from liarsdice_cli.cli.main import COMMANDS
from tests.support.command_line import environment

GOLDEN = Path(__file__).parent / "golden" / "public_names.txt"

CALLS = {
    "arena": {"rules", "tournament"},
    "benchmark": set(),
    "build": {"rules", "write"},
    "coach": {"coach", "rules"},
    "convert": {"read", "read_profile", "write"},
    "curves": {"grid"},
    "draw": {"picture", "read", "read_profile", "rules", "write"},
    "bots": set(),
    "exploit": {"coalition", "exploitability"},
    "methods": set(),
    "prepare": {"tournament", "exploitability", "rules", "solve"},
    "safe-exploit": {"safe_exploitation"},
    "sweep": {"exploitability"},
    "explore": {"explore", "read_profile", "read_strategy", "rules", "write"},
    "impartial": {"impartial.grundy", "impartial.nim", "impartial.positions", "impartial.takeaway", "write"},
    "info": {"game_info", "read", "rules"},
    "match": {"match"},
    "model": {"model"},
    "outcomes": {"outcomes", "write"},
    "play": {"play", "rules"},
    "probability": {"probability", "rules"},
    "resolve": {"read_strategy", "resolve", "write"},
    "rules": {"rules"},
    "show": {"read_strategy"},
    "solve": {"read", "rules", "subgame", "write"},
    "values": {"grid", "values"},
    "verify": {"judge", "read", "read_profile", "read_strategy", "rules"},
}
"""The public functions that each command calls."""


def test_every_public_name_exists_and_other_names_raise_an_error() -> None:
    assert sorted(ld.__all__) == sorted(dir(ld))
    for name in ld.__all__:
        assert getattr(ld, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        ld.nonsense  # noqa: B018


def test_the_import_loads_no_heavy_modules() -> None:
    code = "import sys, liarsdice_cli; print([m for m in ('numpy', 'rich', 'numba', 'highspy') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, env=environment(), check=True, text=True)
    assert done.stdout.strip() == "[]"


def test_no_package_or_module_has_a_public_name() -> None:
    """Importing such a module would overwrite the public name."""
    rooms = {path.stem for path in Path(ld.__file__).parent.iterdir()}
    assert not rooms & set(ld.__all__)


def test_the_public_names_are_few() -> None:
    assert len(ld.__all__) <= 40


def test_names_and_signatures_match_the_golden_file() -> None:
    """Exported names are stable (docs/stability.md); a deliberate change needs a new golden file and a note."""
    assert "\n".join(_promises()) + "\n" == GOLDEN.read_text()


def _promises() -> Iterator[str]:
    for name, thing in _public():
        if inspect.isfunction(thing):
            yield f"{name}({', '.join(map(_parameter, inspect.signature(thing).parameters.values()))})"
        elif inspect.isclass(thing):
            fields = set(getattr(thing, "__dataclass_fields__", ()))
            members = {member for member in dir(thing) if not member.startswith("_")} - set(dir(Exception))
            yield f"{name}: {' '.join(sorted(fields | members))}"


def _public() -> Iterator[tuple[str, Any]]:
    """Yield all public names with their objects, including those in public modules."""
    for name in sorted(ld.__all__):
        thing = getattr(ld, name)
        if isinstance(thing, ModuleType):
            yield from ((f"{name}.{one}", getattr(thing, one)) for one in thing.__all__)
        else:
            yield name, thing


def _parameter(one: inspect.Parameter) -> str:
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}.get(one.kind, "")
    if one.default is inspect.Parameter.empty:
        return f"{stars}{one.name}"
    return f"{one.name}={'...' if callable(one.default) else repr(one.default)}"


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_imports_the_public_functions_that_it_calls(command: str) -> None:
    public, imported = dict(_public()), list(_imported(f"liarsdice_cli.cli.{command.replace('-', '_')}", set()))
    for name in CALLS[command]:
        assert any(thing is public[name] for thing in imported), name


def _imported(module: str, seen: set[str]) -> Iterator[Any]:
    """Yield everything that a command's module imports by name, directly or through other modules of the command line."""
    seen.add(module)
    for node in ast.walk(ast.parse(inspect.getsource(import_module(module)))):
        if isinstance(node, ast.ImportFrom) and node.module is not None and node.module.startswith("liarsdice_cli"):
            home = import_module(node.module)
            things = [getattr(home, alias.name) for alias in node.names if hasattr(home, alias.name)]
            yield from things
            for place in (node.module, *(thing.__name__ for thing in things if isinstance(thing, ModuleType))):
                if place.startswith("liarsdice_cli.cli") and place not in seen:
                    yield from _imported(place, seen)


if __name__ == "__main__":
    GOLDEN.write_text("\n".join(_promises()) + "\n")
    print(f"{GOLDEN} is written anew", file=sys.stderr)
