"""Check the published facts about the program: its version, its requirements and its file formats."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from typing import Any

import pytest
import yaml

import liarsdice_cli
from liarsdice_cli.formats import certificate, ldz
from liarsdice_cli.formats.documents import schema
from liarsdice_cli.solvers.public_tree import checkpoint
from tests.support.command_line import ROOT, environment

PYPROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT: dict[str, Any] = PYPROJECT["project"]
RECIPE: dict[str, Any] = yaml.safe_load((ROOT / "packaging" / "conda" / "recipe.yaml").read_text("utf-8"))
CITATION: dict[str, Any] = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
STABILITY = (ROOT / "docs" / "stability.md").read_text("utf-8")
WORKFLOW: dict[str, Any] = yaml.safe_load((ROOT / ".github" / "workflows" / "tests.yml").read_text("utf-8"))
PYTHONS = [name.rpartition(" ")[2] for name in PROJECT["classifiers"] if re.fullmatch(r"Programming .* 3\.\d+", name)]


def spaced(requirement: str) -> str:
    """Return a Python requirement in the notation of conda."""
    name, conditions = re.fullmatch(r"([\w-]+)(.*)", requirement).groups()  # type: ignore[union-attr]
    return f"{name} {conditions}"


def test_the_version_is_the_same_in_all_files() -> None:
    first = re.search(r"^## (\d\S*)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert first is not None
    assert {first[1], CITATION["version"], RECIPE["context"]["version"]} == {liarsdice_cli.__version__}


def test_the_conda_recipe_matches_the_project() -> None:
    python, *others = RECIPE["requirements"]["run"]
    assert others == [spaced(requirement) for requirement in PROJECT["dependencies"]]
    assert python == "python >=${{ python_min }}"
    assert RECIPE["requirements"]["host"][2:] == [spaced(requirement) for requirement in PYPROJECT["build-system"]["requires"]]
    assert f">={RECIPE['context']['python_min']}" == PROJECT["requires-python"]
    (script,) = PROJECT["scripts"].items()
    assert RECIPE["build"]["python"]["entry_points"] == [" = ".join(script)]
    assert (RECIPE["package"]["name"], RECIPE["about"]["license"]) == (PROJECT["name"], PROJECT["license"])
    assert RECIPE["about"]["summary"] == PROJECT["description"]


def test_the_python_versions_are_the_same_in_all_files() -> None:
    assert WORKFLOW["jobs"]["tests"]["strategy"]["matrix"]["python"] == PYTHONS
    assert f">={PYTHONS[0]}" == PROJECT["requires-python"]


def test_the_citation_is_complete() -> None:
    assert {"cff-version", "message", "title", "authors", "version", "license"} <= set(CITATION)
    assert (CITATION["title"], CITATION["license"]) == (PROJECT["name"], PROJECT["license"])
    assert CITATION["authors"] == PROJECT["authors"]


@pytest.mark.skipif(shutil.which("cffconvert") is None, reason="cffconvert is not installed")
def test_the_citation_is_valid() -> None:
    subprocess.run(["cffconvert", "--validate"], cwd=ROOT, check=True, capture_output=True)


def test_the_promised_file_formats_are_the_written_ones() -> None:
    named = set(re.findall(r"`(liarsdice[/ ]\w+[/ ]\d+)`", STABILITY))
    written = {schema("profile"), ldz.FORMAT, certificate.FIRST_LINE, checkpoint._MAGIC.decode().strip()}
    assert named == written


@pytest.mark.slow
def test_the_code_in_the_openspiel_note_agrees_with_openspiel() -> None:
    pytest.importorskip("pyspiel")
    text = (ROOT / "packaging" / "outreach" / "openspiel-note.md").read_text("utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    theirs = "from open_spiel.python.algorithms import exploitability\n"
    theirs += "print(exploitability.exploitability(game, policy.UniformRandomPolicy(game)))\n"
    command = [sys.executable, "-c", code + theirs]
    ended = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    ours, expected = map(float, ended.stdout.split())
    assert ours == pytest.approx(expected, abs=1e-12)


def test_pictures_in_the_announcement_exist() -> None:
    text = (ROOT / "packaging" / "outreach" / "announcement.md").read_text("utf-8")
    pictures = re.findall(r"Picture: `(\S+)`", text)
    assert len(pictures) == 3
    assert all((ROOT / picture).is_file() for picture in pictures)
