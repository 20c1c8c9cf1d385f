"""Test rules as fields: every game can be restored from its document, its head and its row, so all of these differ."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest

from liarsdice_cli.formats.heads import Head
from liarsdice_cli.formats.rule_fields import (
    COLUMNS,
    changed_columns,
    csv_of_games,
    head_of,
    rules_in,
    rules_json,
    rules_of_row,
)
from liarsdice_cli.games.liarsdice.presets import CHANGES, PRESETS
from liarsdice_cli.games.liarsdice.rules import Rules, rules
from tests.support.house_rules import HOUSE, HOUSE_OF_MORE

CHANGED = (
    {"wild": 2},
    {"wild": "none"},
    {"max_quantity": 2},
    {"order": "face"},
    {"wild_opening": True},
    {"stairs": True},
    {"fixed_face": True},
    {"spot_on": True},
)
GAMES = list(
    dict.fromkeys(
        [
            *(rules(name, 3, (2, 1), payoffs=payoffs) for name in PRESETS for payoffs in ("win", "zero-sum")),
            *(rules(name, 3, (2, 1), **changes) for name in ("perudo", "snyd") for changes in CHANGED),  # type: ignore[arg-type]
            *HOUSE,
            *HOUSE_OF_MORE,
        ]
    )
)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_rules_are_restored_from_their_fields(game: Rules) -> None:
    assert rules(**json.loads(json.dumps(rules_json(game)))) == game
    assert rules_in(Head.parsed(json.dumps(head_of(game)).encode())) == game


def test_rules_are_restored_from_their_rows_which_all_differ() -> None:
    content = csv_of_games(["n"], ((game, [place]) for place, game in enumerate(GAMES))).decode()
    rows = list(csv.DictReader(io.StringIO(content)))
    assert [rules_of_row(row) for row in rows] == GAMES
    assert list(rows[0]) == [*COLUMNS, "n", *CHANGES]
    assert len({tuple(cell for name, cell in row.items() if name != "n") for row in rows}) == len(GAMES)


def test_only_changes_that_a_game_has_are_columns() -> None:
    assert changed_columns([rules("joker"), rules("snyd")]) == []
    assert changed_columns([rules("joker", spot_on=True), rules("snyd"), rules("joker", wild=2)]) == ["wild", "spot_on"]


@pytest.mark.parametrize("wrong", [{"stairs": "yes"}, {"wild": [1]}, {"order": None, "fixed_face": 1}, {"max_quantity": True}])
def test_invalid_values_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"."):
        rules_in(Head(head_of(rules("common", 3)) | wrong))
