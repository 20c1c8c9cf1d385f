"""Check the games for Gambit's catalogue: generate them again, read them with pygambit and its catalogue, and solve them."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pygambit
import pytest
import yaml

import liarsdice_cli as ld
from liarsdice_cli.formats import efg
from tests.support.command_line import ROOT
from tests.support.scripts import imported

FOLDER = ROOT / "docs" / "gambit-catalog"
CATALOG = FOLDER / "catalog"
COUNTED = 30_000
"""Number of a player's pure strategies that are still counted quickly; every listing of the catalogue counts them."""


MAKE = imported(FOLDER / "make.py")
SLUGS = [entry.slug for entry in MAKE.ENTRIES]


def file_of(slug: str) -> Path:
    return CATALOG / f"{slug}.efg"


@pytest.fixture(params=MAKE.ENTRIES, ids=SLUGS)
def entry(request: pytest.FixtureRequest) -> Any:
    return request.param


def test_the_files_match_the_generated_games(entry: Any) -> None:
    assert file_of(entry.slug).read_bytes() == efg.dumps(MAKE.tree(entry).stream())


def test_the_catalogue_has_no_other_files() -> None:
    assert sorted(path for path in CATALOG.rglob("*") if path.is_file()) == sorted(file_of(slug) for slug in SLUGS)


def test_stated_values_and_numbers_of_nodes_are_correct(entry: Any) -> None:
    game = ld.read(str(file_of(entry.slug)))
    if entry.value:
        assert ld.solve(game).best.judgement.bounds == (Fraction(entry.value),) * 2
        assert re.search(rf"\bvalue\b.* is {re.escape(entry.value)}\b", " ".join(game.comment.split()))
    else:
        assert len(game.players) > 2
    told = re.search(r"\b(\d+) nodes", game.comment)
    assert told is None or int(told[1]) == game.nodes
    (row,) = (line for line in (FOLDER / "README.md").read_text("utf-8").splitlines() if f"`{entry.slug}`" in line)
    assert row == f"| `{entry.slug}` | {game.nodes} | {entry.value or 'none'} |"


def test_gambit_reads_title_and_description_unchanged(entry: Any) -> None:
    ours, gambits = MAKE.tree(entry), pygambit.read_efg(str(file_of(entry.slug)))
    assert (gambits.title, gambits.description) == (ours.title, ours.comment)
    assert gambits.is_const_sum
    assert gambits.is_perfect_recall


def test_gambits_catalogue_lists_and_loads_the_games(monkeypatch: pytest.MonkeyPatch) -> None:
    # replaces the catalogue inside pygambit
    monkeypatch.setattr(pygambit.catalog, "_CATALOG_RESOURCE", CATALOG)
    listed = pygambit.catalog.games(include_descriptions=True)
    assert list(listed["Game"]) == sorted(SLUGS)
    assert all(listed["Description"].str.strip())
    assert set(listed["Format"]) == {"efg"}
    for slug in SLUGS:
        assert pygambit.catalog.load(slug).title


def test_every_game_has_few_enough_strategies_to_be_listed(entry: Any) -> None:
    game = pygambit.read_efg(str(file_of(entry.slug)))
    assert max(len(game.get_strategies(player)) for player in game.players) <= COUNTED


def test_every_source_is_in_the_bibliography_and_every_branch_has_a_label() -> None:
    cited = {key for slug in SLUGS for key in re.findall(r":cite:p:`(\w+)`", file_of(slug).read_text("utf-8"))}
    assert cited == set(re.findall(r"^@\w+\{(\w+),", (FOLDER / "references.bib").read_text("utf-8"), re.MULTILINE))
    labels = yaml.safe_load((FOLDER / "catalog_hierarchy.yaml").read_text("utf-8"))["labels"]
    theirs = {"books", "conf"}
    branches = {str(parent) for slug in SLUGS for parent in Path(slug).parents} - {"."}
    assert {name.replace("\\", "/") for name in branches} == set(labels) | theirs
