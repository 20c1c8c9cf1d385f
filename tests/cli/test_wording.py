"""The exact output of every command: the transcripts in tests/golden/wording, one file for each command.

A transcript contains command lines that begin with `$ `, each followed by its output. Lines on standard error begin with
`2> `. The exit code follows if it is not 0 or if nothing is printed. The command lines of a file run in order in one folder.
Some write a file (`printf TEXT > FILE`), redirect the output to a file (`liarsdice ... > FILE`) or provide input
(`printf TEXT | liarsdice ...`).

`python -m tests.cli.test_wording` runs the command lines again and rewrites their output. It never changes a recorded exit
code: delete or change that by hand. To pin another output, add its command line and regenerate.

Only wording is pinned here. Digits of decimals and of durations are masked, since values have tests of their own. The games
have one equilibrium or print none.
"""

from __future__ import annotations

import re
import shlex
import shutil
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import pytest

from liarsdice_cli.cli.main import COMMANDS
from tests.support.command_line import ROOT, Ended, run_here

TRANSCRIPTS = ROOT / "tests" / "golden" / "wording"
NUMBER = re.compile(r"\d+\.\d+(?:e[-+]\d+)?|\d+e[-+]\d+|\d+(?= (?:ms|s|seconds|minutes)\b)")
ENDED = re.compile(r"exit code (\d+)")


class Step(NamedTuple):
    """A command line, its recorded output, and its recorded exit code."""

    command: str
    printed: str

    @property
    def code(self) -> int | None:
        """The recorded exit code; None if nothing is recorded yet."""
        if not self.printed.strip():
            return None
        found = ENDED.fullmatch(self.printed.rstrip().rpartition("\n")[2])
        return int(found[1]) if found else 0


def steps(text: str) -> list[Step]:
    """Return the steps of a transcript."""
    return [Step(*found) for found in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", text, re.MULTILINE)]


def ran(command: str, folder: Path) -> Ended:
    """Run a command line of a transcript in this process."""
    head, _, tail = command.rpartition(" | ")
    words = shlex.split(tail)
    name = words.pop() if words[-2:-1] == [">"] else ""
    program, *words = words[:-1] if name else words
    if program == "printf":
        ended = Ended(0, unescaped(words[0]), "")
    else:
        assert program == "liarsdice", command
        ended = run_here(*words, input=unescaped(shlex.split(head)[1]) if head else "", cwd=folder, COLUMNS="100")
    if name:
        (folder / name).write_text(ended.out, "utf-8")
    return ended._replace(out="") if name else ended


def unescaped(text: str) -> str:
    """Return a text with line ends where `printf` puts them."""
    return text.replace("\\n", "\n")


def written(command: str, ended: Ended) -> str:
    """Return the part of a transcript for a command line and its result."""
    out = NUMBER.sub(lambda number: re.sub(r"\d", "#", number[0]), ended.out)
    lines = [f"$ {command}", *(line.rstrip() for line in out.splitlines())]
    lines += [f"2> {line}".rstrip() for line in ended.err.splitlines()]
    lines += [f"exit code {ended.code}"] * (ended.code != 0 or len(lines) == 1)
    return "\n".join(lines) + "\n"


def again(text: str, folder: Path) -> tuple[str, list[str]]:
    """Run a transcript again; return its new text, and a line for each wrong exit code and for files left after a refusal."""
    shutil.copytree(ROOT / "sample_games", folder / "sample_games")
    parts, wrong = [], []
    for step in steps(text):
        before = set(folder.iterdir())
        ended = ran(step.command, folder)
        if ended.code in (1, 2) and set(folder.iterdir()) != before:
            wrong.append(f"{step.command}: files are left behind")
        parts.append(written(step.command, ended))
        if step.code not in (None, ended.code):
            wrong.append(f"{step.command}: exit code {ended.code} instead of {step.code}")
    return "\n".join(parts), wrong


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_prints_its_transcript(name: str, tmp_path: Path) -> None:
    text = (TRANSCRIPTS / f"{name}.txt").read_text("utf-8")
    now, wrong = again(text, tmp_path)
    assert not wrong
    assert now == text, "to accept the new wording: python -m tests.cli.test_wording"


@pytest.mark.parametrize("name", COMMANDS)
def test_a_refusal_is_one_line_on_standard_error(name: str) -> None:
    recorded = steps((TRANSCRIPTS / f"{name}.txt").read_text("utf-8"))
    refused = [step for step in recorded if step.code in (1, 2) and "bachet" not in step.command]  # it answers good lines
    for step in refused:
        *printed, _ = step.printed.strip().splitlines()
        assert [line[:14] for line in printed] == ["2> liarsdice: "], step
        assert "internal error" not in step.printed


def test_every_command_has_one_transcript() -> None:
    assert sorted(path.stem for path in TRANSCRIPTS.iterdir()) == sorted(COMMANDS)


def test_a_transcript_is_read_and_written_consistently(tmp_path: Path) -> None:
    text = "$ liarsdice info\n2> liarsdice: no game\nexit code 1\n\n$ printf 'a\\nb' > file\nexit code 0\n"
    refused, file = steps(text)
    assert (refused.command, refused.code, file.code) == ("liarsdice info", 1, 0)
    assert steps("$ liarsdice info\n")[0].code is None
    _, wrong = again(text, tmp_path)
    assert wrong == ["liarsdice info: exit code 2 instead of 1"]
    assert (tmp_path / "file").read_text() == "a\nb"
    assert written("x", Ended(3, "0.25, 12 s, 1..6, 1e-9 \n", "0.5\n")) == "$ x\n#.##, ## s, 1..6, #e-#\n2> 0.5\nexit code 3\n"


def regenerate() -> int:
    """Rewrite every transcript whose exit codes hold; return 1 if one does not."""
    found = []
    for path in sorted(TRANSCRIPTS.iterdir()):
        with tempfile.TemporaryDirectory() as folder:
            now, wrong = again(path.read_text("utf-8"), Path(folder))
        found += [f"{path.name}: {line}" for line in wrong]
        if not wrong:
            path.write_text(now, "utf-8")
    print(*found, sep="\n", end="\n" * bool(found), file=sys.stderr)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(regenerate())
