"""Check that a command prints every number in the paper, and that the citations match the bibliography."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.support.command_line import ROOT, environment, posix, run_here
from tests.support.properties import mostly_slow

FOLDER = ROOT / "paper"
HEAD, BODY = (FOLDER / "paper.md").read_text("utf-8").removeprefix("---\n").split("\n---\n", 1)
TEXT = " ".join(BODY.split())
NUMBERS: list[dict[str, Any]] = tomllib.loads((FOLDER / "numbers.toml").read_text("utf-8"))["number"]
CITATION = re.compile(r"\[(?:@\w+(?:; )?)+\]")


@pytest.fixture(params=NUMBERS, ids=[number["says"] for number in NUMBERS])
def number(request: pytest.FixtureRequest) -> dict[str, Any]:
    found: dict[str, Any] = request.param
    return found


@posix
@pytest.mark.parametrize(
    "number",
    mostly_slow(NUMBERS),
    ids=[number["says"] for number in NUMBERS],
)
def test_the_command_prints_the_number(number: dict[str, Any]) -> None:
    if re.fullmatch(r"liarsdice [^|<>$'\"]*", number["command"]):
        here = run_here(*number["command"].split()[1:], cwd=ROOT)
        assert (here.code, here.err) == (0, "")
        assert number.get("prints", number["says"]) in here.out
        return
    programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    ended = subprocess.run(
        ["sh", "-c", number["command"]],
        cwd=ROOT,
        env=environment(PATH=programs),
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert ended.returncode == 0, ended.stderr
    assert number.get("prints", number["says"]) in ended.stdout


def test_the_paper_contains_the_number(number: dict[str, Any]) -> None:
    assert re.search(rf"(?<![\d/.,]){re.escape(number['says'])}(?!\d|[/.,]\d)", TEXT)


def test_the_paper_contains_no_other_number() -> None:
    left = re.sub(r"`[^`]*`", "", CITATION.sub("", TEXT))
    for number in sorted(NUMBERS, key=lambda number: -len(number["says"])):
        left = left.replace(number["says"], "")
    assert re.findall(r"\S*\d\S*", left) == []


def test_every_source_is_cited_and_every_citation_has_a_source() -> None:
    cited = {key for citation in CITATION.findall(TEXT) for key in re.findall(r"@(\w+)", citation)}
    assert cited == set(re.findall(r"^@\w+\{(\w+),", (FOLDER / "paper.bib").read_text("utf-8"), re.MULTILINE))


def test_the_paper_has_the_length_and_the_sections_that_the_journal_requires() -> None:
    assert 750 <= len(TEXT.split()) <= 1750
    assert {"# Summary", "# Statement of need", "# State of the field", "# References"} <= set(BODY.splitlines())
    assert {"title", "tags", "authors", "affiliations", "date", "bibliography"} <= set(
        re.findall(r"^(\w+):", HEAD, re.MULTILINE)
    )
