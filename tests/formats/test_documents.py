"""Test the classes of the JSON documents, and the page and the schemas generated from them."""

from __future__ import annotations

import json

import pytest
from jsonschema import Draft202012Validator

from liarsdice_cli.formats.documents import KINDS, schema
from liarsdice_cli.games.liarsdice.rules import rules
from tests.support.command_line import ROOT, checked_document, run_here
from tests.support.scripts import imported

REFERENCE = imported(ROOT / "site" / "json_reference.py")  # `import site` finds the module of Python
CHANGED = ("--rules", "perudo", "--sides", 2, "--wild-opening", "--spot-on")


def test_the_page_and_the_schemas_are_up_to_date() -> None:
    committed = {*(ROOT / "docs" / "schemas").glob("*.json"), ROOT / "docs" / "json.md"}
    generated = REFERENCE.files()
    assert set(generated) == committed
    stale = [path.name for path, text in generated.items() if path.read_text("utf-8") != text]
    assert not stale, "run `make json`"


@pytest.mark.parametrize("kind", KINDS)
def test_schemas_are_valid_and_describe_every_key(kind: str) -> None:
    content = REFERENCE.schema_of(kind)
    Draft202012Validator.check_schema(content)
    assert content["properties"]["schema"] == {"const": schema(kind)}
    for part in (content, *content["$defs"].values()):
        for key, value in part.get("properties", {}).items():
            assert key == "schema" or value["description"], key


@pytest.mark.parametrize(
    ("kind", "arguments"),
    [
        ("info", ("info", *CHANGED)),
        ("solve", ("solve", *CHANGED)),
        ("exploit", ("exploit", "honest", *CHANGED)),
        ("arena", ("arena", "honest", "random", *CHANGED, "--rounds", 10)),
        ("values", ("values", *CHANGED)),
        ("values", ("match", *CHANGED)),
        ("play", ("play", "honest", *CHANGED, "--rounds", 1)),
    ],
    ids=lambda given: given if isinstance(given, str) else given[0],
)
def test_documents_of_changed_rules_reproduce_the_game(kind: str, arguments: tuple[object, ...]) -> None:
    content = checked_document(json.loads(run_here(*arguments, "--json").out), kind)
    titled = [content, *(content["games"] if kind == "values" else [])]
    titled += [content["match"]] if isinstance(content.get("match"), dict) else []
    found = [rules(**one["rules"]) for one in titled if "rules" in one]
    assert found[-1].with_dice((1, 1)) == rules("perudo", 2, wild_opening=True, spot_on=True)
