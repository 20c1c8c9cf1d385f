"""`--json` of the commands that write files: the report on the written file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from liarsdice_cli.draw.formats import DIAGRAM, SCENE
from liarsdice_cli.formats import registry
from tests.support.command_line import ROOT, document, run_here

NODES = 125
"""Number of nodes of the game with two sides."""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "game.efg"
    assert run_here("build", "--sides", 2, "-o", path) == (0, "", "")
    return path


@pytest.mark.parametrize("name", ["a.efg", "a.EFG.gz", pytest.param("a.nfg", marks=pytest.mark.slow), "a.gbt", "a"])
def test_build_and_convert_report_the_file_that_they_wrote(name: str, game: Path, tmp_path: Path) -> None:
    for asked in (["build", "--sides", 2, "-o", tmp_path / name], ["convert", game, tmp_path / name]):
        said = document(run_here(*asked, "--json"), "written")
        written = tmp_path / name
        kind = "efg" if name == "a" else name.lower().removesuffix(".gz").partition(".")[2]
        assert (said["file"], said["format"], said["nodes"]) == (str(written), kind, NODES)
        assert said["bytes"] == len(written.read_bytes()) > 0
        written.unlink()


@pytest.mark.parametrize("name", ["a.svg", "a.svg.gz", "a.txt"])
def test_draw_reports_the_file_that_it_wrote(name: str, game: Path, tmp_path: Path) -> None:
    ended = run_here("draw", game, "--profile", "none", "--depth", 2, "-o", tmp_path / name, "--json")
    said = document(ended, "written")
    assert (said["format"], said["nodes"]) == (name.split(".")[1], NODES)
    assert said["bytes"] == len((tmp_path / name).read_bytes())


def test_the_schema_names_every_format_of_games_and_pictures() -> None:
    schema = json.loads((ROOT / "docs" / "schemas" / "written.json").read_text())
    rows = [row for row in registry.table() if row.holds in (registry.GAME, SCENE, DIAGRAM)]
    assert {row.suffix.removeprefix(".") for row in rows} == set(schema["properties"]["format"]["enum"])
