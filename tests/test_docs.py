"""Run the command lines in the documentation and compare their output; check its links, commands and options.

A `console` block holds command lines, which begin with `$ `, and their standard output. A line `...` stands for any lines, and
durations such as `0.08 s` may differ. The blocks of a file run in one folder, in order. A command that is meant to fail prints
its exit code itself (`; echo "exit code $?"`). A block marked `python` and a file name is written to that file in the folder.

A plain `liarsdice` command line (see `PLAIN`) runs in this process, and a shell runs only the part before or after its pipe.
Every other command line runs in a shell, in a process of its own.

`make test-slow` runs every line, at least one of each page in a process of its own. `make test` leaves out lines that take more
than 0.3 s and lines that read their files. The comment `<!-- slow: WORDS; ... -->` above a block marks every line with one of
these words as slow.

If a game has many equilibria, the next release of a solver may find another one. A block that shows one of them has the comment
`<!-- one equilibrium of many; the same in all: WORDS; ... -->` above it, and only lines with one of these words are compared.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click
import pytest

from liarsdice_cli.cli.main import COMMANDS, cli
from tests.support.command_line import Ended, end_of, run_here
from tests.support.processes import popen

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "docs" / "tutorials").glob("*.md"))]

BLOCK = re.compile(
    r"^(?:<!-- slow: (?P<slow>[^\n]*) -->\n)?"
    r"(?:<!-- one equilibrium of many; the same in all: (?P<same>[^\n]*) -->\n)?```console\n(?P<lines>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
WITHOUT_DOCUMENT = {"prepare"}
"""Commands that print nothing."""
DURATION = re.compile(r"\b\d+(\.\d+)? (ms|s|seconds|minutes)\b")


class Step(NamedTuple):
    """A command line of a page, its documented output, and whether it is too slow for `make test`."""

    line: int
    command: str
    output: str
    slow: bool = False


def steps(text: str) -> Iterator[Step]:
    """Yield the command lines in the console blocks of a page."""
    for block in BLOCK.finditer(text):
        lines = block["lines"]
        assert lines.startswith("$ "), f"a console block begins with {lines[:30]!r}"
        slow = block["slow"].split("; ") if block["slow"] else []
        assert all(word in lines for word in slow), f"no line has one of {slow}"
        for match in re.finditer(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", lines, re.MULTILINE):
            line = text.count("\n", 0, block.start("lines") + match.start()) + 1
            output = settled(match[2], block["same"].split("; ")) if block["same"] else match[2]
            yield Step(line, match[1], output, any(word in match[1] for word in slow))


def settled(output: str, words: list[str]) -> str:
    """Return the lines of the output that contain one of the words, with `...` for every other line."""
    return "".join(line if any(word in line for word in words) else "...\n" for line in output.splitlines(keepends=True))


def pattern(output: str) -> re.Pattern[str]:
    """Return the pattern that the whole output must match; spaces at the ends of lines do not count."""
    lines = masked(output).splitlines()
    return re.compile("".join("(?:.*\n)*?" if line.strip() == "..." else re.escape(line) + "\n" for line in lines))


def masked(output: str) -> str:
    """Return the output with masked durations and without spaces at the ends of lines."""
    return "".join(DURATION.sub("# s", line).rstrip() + "\n" for line in output.splitlines())


PLAIN = re.compile(
    r"(?:(?P<given>(?:printf|head|sed|cat) (?:(?!liarsdice).)*) \| )?"
    r"liarsdice (?P<words>[^|<>;&$`]*?)(?P<both> 2>&1)?(?: > (?P<file>\S+))?"
    r"(?:(?P<code>; echo \"exit code \$\?\")| \| (?P<filter>(?:grep|tail|sed|head -n \d+$)(?:(?!liarsdice).)*))?"
)
"""A command line that this process can run. It may read from a pipe, show errors or its exit code, and write to a file or a
filter."""


def ran_here(plain: re.Match[str], folder: Path, shell: dict[str, str]) -> Ended:
    """Run a plain line in this process, and return the result that a shell would give."""
    given = ran_in_a_shell(plain["given"], folder, shell).out if plain["given"] else ""
    words = shlex.split(plain["words"])
    ended = run_here(*words, input=given, cwd=folder, together=bool(plain["both"]), COLUMNS=shell["COLUMNS"])
    _, out, err = ended
    if plain["file"]:
        (folder / plain["file"]).write_text(out)
        out = ""
    if plain["code"]:
        return Ended(0, f"{out}exit code {ended.code}\n", err)
    if plain["filter"]:
        filtered = ran_in_a_shell(plain["filter"], folder, shell, out)
        return filtered._replace(err=err + filtered.err)
    return Ended(ended.code, out, err)


def ran_in_a_shell(line: str, folder: Path, shell: dict[str, str], given: str = "") -> Ended:
    options = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    return end_of(popen(["sh", "-c", line], cwd=folder, env=shell, **options), given.encode())


@pytest.fixture
def shell(tmp_path: Path) -> dict[str, str]:
    """Return the environment for the pages: this checkout's `liarsdice` and `python`, and a terminal of 80 columns."""
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "liarsdice"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m liarsdice_cli "$@"\n')
    program.chmod(0o755)
    path = os.pathsep.join([str(program.parent), str(Path(sys.executable).parent), os.environ["PATH"]])
    changing = ("PYTHON", "LIARSDICE", "_LIARSDICE", "NO_COLOR", "FORCE_COLOR", "LC_", "LANG")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(changing)}
    return kept | {"PATH": path, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", "COLUMNS": "80", "LC_ALL": "C.UTF-8"}


@pytest.mark.skipif(os.name != "posix", reason="the pages use a POSIX shell")
@pytest.mark.parametrize("whole", [pytest.param(False, id="quick"), pytest.param(True, id="whole", marks=pytest.mark.slow)])
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_print_the_documented_output(page: Path, whole: bool, shell: dict[str, str], tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    for shipped in ("sample_games", "docs/certificates"):
        shutil.copytree(ROOT / shipped, folder / shipped)
    for name, content in re.findall(r"^```python (\S+)\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL):
        (folder / name).write_text(content)
    found = [(step, PLAIN.fullmatch(step.command)) for step in steps(page.read_text()) if whole or not step.slow]
    if whole and found and all(plain for _, plain in found):
        found[0] = (found[0][0], None)
    for step, plain in found:
        ended = ran_here(plain, folder, shell) if plain else ran_in_a_shell(step.command, folder, shell)
        where = f"{page.name}:{step.line}: {step.command}"
        assert (ended.code, ended.err) == (0, ""), where
        if not pattern(step.output).fullmatch(masked(ended.out)):
            assert masked(ended.out) == masked(step.output), where


def test_output_that_differs_from_the_page_is_found() -> None:
    (step,) = steps("text\n```console\n$ echo one; echo two\none\n...\n```\n")
    assert step[:3] == (3, "echo one; echo two", "one\n...\n")
    assert pattern(step.output).fullmatch(masked("one \ntwo\n"))
    assert pattern("in 3 s\n").fullmatch(masked("in 0.25 s\n"))
    assert not pattern("one\n").fullmatch(masked("one\ntwo\n"))
    assert not pattern("one\n...\n").fullmatch(masked("two\n"))


def test_the_comment_above_a_block_marks_slow_lines() -> None:
    block = "```console\n$ quick one\n$ long one\nthe answer\n```\n"
    assert [step.slow for step in steps(block)] == [False, False]
    assert [step.slow for step in steps(f"<!-- slow: long; lasting -->\n{block.replace('one', 'lasting')}")] == [True, True]
    same = "<!-- one equilibrium of many; the same in all: value -->"
    _, long = steps(f"<!-- slow: long -->\n{same}\n{block}")
    assert (long.slow, long.output) == (True, "...\n")
    with pytest.raises(AssertionError, match="no line has one of"):
        list(steps(f"<!-- slow: nothing -->\n{block}"))


def test_only_lines_common_to_all_equilibria_are_compared() -> None:
    comment = "<!-- one equilibrium of many; the same in all: value; head -->"
    (step,) = steps(f"{comment}\n```console\n$ solve\nhead\nplays 1 (1/3)\nthe value is 1/3\n```\n")
    assert step[:3] == (3, "solve", "head\n...\nthe value is 1/3\n")
    assert pattern(step.output).fullmatch("head\nplays 2 (1/3)\nwith another line\nthe value is 1/3\n")
    assert not pattern(step.output).fullmatch("head\nplays 1 (1/3)\nthe value is 1/2\n")


def test_the_reference_pages_exist() -> None:
    assert {"command-line.md", "efg.md", "json.md"} <= {page.name for page in PAGES}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_resolve(page: Path) -> None:
    for target, anchor in re.findall(r"\]\((?!https?:)([^)#]*)#?([^)]*)\)", page.read_text()):
        linked = page.parent / target if target else page
        assert linked.exists(), target
        if anchor:
            headings = re.findall(r"^#+ (.*)$", linked.read_text(), re.MULTILINE)
            assert anchor in {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}


def _options(parameter: click.Parameter) -> list[str]:
    """Return the names of an option and of its negation."""
    return [*parameter.opts, *parameter.secondary_opts]


def command_named(name: str) -> click.Command:
    """Return the command with this name."""
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    return command


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_documented_options_exist(page: Path) -> None:
    commands = [cli, *map(command_named, COMMANDS)]
    commands += [below for command in commands[1:] for below in getattr(command, "commands", {}).values()]
    known = {option for command in commands for parameter in command.params for option in _options(parameter)}
    lines = "\n".join(line for line in page.read_text().splitlines() if "liarsdice" in line or "`--" in line)
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", lines))
    assert named <= known | {"--help", "--version"}


def test_every_command_and_exit_code_is_described() -> None:
    page = (ROOT / "docs" / "command-line.md").read_text()
    assert re.findall(r"^\| `liarsdice ([\w-]+)`", page, re.MULTILINE) == list(COMMANDS)
    assert re.findall(r"^\| (\d+) \|", page, re.MULTILINE) == ["0", "1", "2", "3", "130"]


def test_every_command_with_output_has_a_json_option() -> None:
    for name in COMMANDS.keys() - WITHOUT_DOCUMENT:
        command = command_named(name)
        for one in getattr(command, "commands", {name: command}).values():
            assert "--json" in {option for parameter in one.params for option in parameter.opts}, one.name
