"""The documentation is run: every command line in it prints what stands below it, and every key and option is described.

A block marked `console` holds command lines that begin with `$ ` and what they print on standard output. A line `...` stands
for any lines, and durations such as `0.08 s` may differ. The blocks of a file run in one folder, in order, through a shell; a
command that is meant to fail shows its exit code itself (`; echo "exit code $?"`). A block marked `python` and a file name is
that file in the folder.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from jsonschema import Draft202012Validator

from liarsdice_cli.cli.main import COMMANDS, cli

ROOT = Path(__file__).parents[1]
PAGES = [path for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))) if path.exists()]
SCHEMAS = sorted((ROOT / "docs" / "schemas").glob("*.json"))

DURATION = re.compile(r"\b\d+(\.\d+)? (ms|s|seconds|minutes)\b")


class Step(NamedTuple):
    """A command line and what the page says that it prints."""

    line: int
    command: str
    output: str


def steps(text: str) -> Iterator[Step]:
    """The command lines in the console blocks of a page."""
    for block in re.finditer(r"^```console\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        assert block[1].startswith("$ "), f"a console block begins with {block[1][:30]!r}"
        for match in re.finditer(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block[1], re.MULTILINE):
            line = text.count("\n", 0, block.start(1) + match.start()) + 1
            yield Step(line, match[1], match[2])


def pattern(output: str) -> re.Pattern[str]:
    """What the output must match as a whole; spaces at the ends of lines do not count."""
    lines = masked(output).splitlines()
    return re.compile("".join("(?:.*\n)*?" if line.strip() == "..." else re.escape(line) + "\n" for line in lines))


def masked(output: str) -> str:
    """The output without durations and without spaces at the ends of lines."""
    return "".join(DURATION.sub("# s", line).rstrip() + "\n" for line in output.splitlines())


@pytest.fixture
def shell(tmp_path: Path) -> dict[str, str]:
    """The environment in which pages are run: `liarsdice` and `python` are this checkout's, the terminal is 80 wide."""
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "liarsdice"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m liarsdice_cli "$@"\n')
    program.chmod(0o755)
    path = os.pathsep.join([str(program.parent), str(Path(sys.executable).parent), os.environ["PATH"]])
    changing = ("PYTHON", "LIARSDICE", "_LIARSDICE", "NO_COLOR", "FORCE_COLOR", "LC_", "LANG")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(changing)}
    return kept | {"PATH": path, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", "COLUMNS": "80", "LC_ALL": "C.UTF-8"}


@pytest.mark.skipif(os.name != "posix", reason="the pages use a POSIX shell")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_print_what_the_page_says(page: Path, shell: dict[str, str], tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    shutil.copytree(ROOT / "sample_games", folder / "sample_games")
    for name, content in re.findall(r"^```python (\S+)\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL):
        (folder / name).write_text(content)
    for step in steps(page.read_text()):
        done = subprocess.run(["sh", "-c", step.command], cwd=folder, env=shell, capture_output=True, text=True, timeout=100)
        where = f"{page.name}:{step.line}: {step.command}"
        assert (done.returncode, done.stderr) == (0, ""), where
        if not pattern(step.output).fullmatch(masked(done.stdout)):
            assert masked(done.stdout) == masked(step.output), where


def test_a_page_that_lies_is_found_out() -> None:
    (step,) = steps("text\n```console\n$ echo one; echo two\none\n...\n```\n")
    assert step == (3, "echo one; echo two", "one\n...\n")
    assert pattern(step.output).fullmatch(masked("one \ntwo\n"))
    assert pattern("in 3 s\n").fullmatch(masked("in 0.25 s\n"))
    assert not pattern("one\n").fullmatch(masked("one\ntwo\n"))
    assert not pattern("one\n...\n").fullmatch(masked("two\n"))


def test_the_pages_are_there() -> None:
    assert {"command-line.md", "efg.md", "json.md"} <= {page.name for page in PAGES}
    assert {schema.stem for schema in SCHEMAS} >= {"info", "profile", "solve", "verify"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target, anchor in re.findall(r"\]\((?!https?:)([^)#]*)#?([^)]*)\)", page.read_text()):
        linked = page.parent / target if target else page
        assert linked.exists(), target
        if anchor:
            headings = re.findall(r"^#+ (.*)$", linked.read_text(), re.MULTILINE)
            assert anchor in {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_options_that_pages_name_exist(page: Path) -> None:
    commands = [cli, *(import_module(f"liarsdice_cli.cli.{name}").command for name in COMMANDS)]
    commands += [below for command in commands[1:] for below in getattr(command, "commands", {}).values()]
    known = {option for command in commands for parameter in command.params for option in parameter.opts}
    lines = "\n".join(line for line in page.read_text().splitlines() if "liarsdice" in line or "`--" in line)
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", lines))
    assert named <= known | {"--help", "--version"}


def test_every_command_and_exit_code_is_described() -> None:
    page = (ROOT / "docs" / "command-line.md").read_text()
    assert re.findall(r"^\| `liarsdice (\w+)`", page, re.MULTILINE) == list(COMMANDS)
    assert re.findall(r"^\| (\d+) \|", page, re.MULTILINE) == ["0", "1", "2", "3", "130"]


def objects(schema: Any) -> Iterator[dict[str, Any]]:
    """All schemas of objects within a schema."""
    if isinstance(schema, dict):
        if "properties" in schema and "type" in schema:
            yield schema
        for part in schema.values():
            yield from objects(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from objects(part)


@pytest.mark.parametrize("path", SCHEMAS, ids=lambda path: path.stem)
def test_schemas_are_sound_and_admit_no_key_that_is_not_described(path: Path) -> None:
    schema = json.loads(path.read_text())
    Draft202012Validator.check_schema(schema)
    page = (ROOT / "docs" / "json.md").read_text()
    assert f"(schemas/{path.name})" in page
    assert f"`liarsdice/{path.stem}/1`" in page
    assert schema["properties"]["schema"] == {"const": f"liarsdice/{path.stem}/1"}
    for part in objects(schema):
        assert part["additionalProperties"] is False
        assert set(part["required"]) <= set(part["properties"])
        for key in part["properties"]:
            assert f"`{key}`" in page, f"docs/json.md says nothing of {key}"
