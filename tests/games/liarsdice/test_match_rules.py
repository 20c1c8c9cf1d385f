"""The rules of a match beyond those of its rounds: given values, defaults of presets, and refusals."""

from __future__ import annotations

from typing import Any

import pytest

from liarsdice_cli.errors import UsageError
from liarsdice_cli.games.liarsdice.match_rules import PLAIN, MatchRules
from liarsdice_cli.games.liarsdice.presets import PRESETS


@pytest.mark.parametrize("preset", PRESETS)
def test_palifico_is_taken_from_the_preset_unless_it_is_given(preset: str) -> None:
    assert MatchRules.of(preset, spot_on=False) == MatchRules(palifico=PRESETS[preset].palifico)
    assert [MatchRules.of(preset, False, palifico=asked).palifico for asked in (False, True)] == [False, True]


def test_single_rounds_keep_only_the_rule_on_who_may_claim() -> None:
    asked: dict[str, Any] = {"palifico": True, "spot_on_gains": True, "spot_on_by": "any"}
    assert MatchRules.of("perudo", True, **asked) == MatchRules(True, True, True)
    assert MatchRules.of("perudo", True, **asked, match=False) == PLAIN._replace(by_any=True)
    assert [MatchRules(by_any=any_player).spot_on_by for any_player in (False, True)] == ["next", "any"]


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"spot_on_gains": True}, "give spot_on=True too"),
        ({"spot_on_by": "any"}, "give spot_on=True too"),
        ({"spot_on_by": "all"}, "next, any"),
        ({"spot_on_gains": 1}, "spot_on_gains"),
        ({"palifico": "yes"}, "palifico"),
    ],
)
def test_rules_of_claims_without_spot_on_and_invalid_values_are_refused(asked: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        MatchRules.of("common", False, **asked)
