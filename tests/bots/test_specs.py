"""Bot specifications: numbers of any length give a bot or a refusal."""

from __future__ import annotations

import pytest

from liarsdice_cli.bots.protocol import View
from liarsdice_cli.bots.specs import policy
from liarsdice_cli.errors import UsageError
from liarsdice_cli.games.liarsdice.rules import rules

LONG = "1" + "0" * 400


@pytest.mark.parametrize("levels", [LONG, f"0.1,{LONG}", f"{LONG}/3@2", f"-{LONG}"])
def test_a_level_too_large_for_a_float_is_refused(levels: str) -> None:
    with pytest.raises(UsageError, match=r"level -?[13]\.\d+e\+(400|399): give a probability above 0"):
        policy(f"zero-intelligence:{levels}")


@pytest.mark.parametrize("weights", [f"0.1@{LONG},0.5@1", f"0.1@1/{LONG},0.5@1", f"0.1@{LONG}"])
def test_a_weight_of_any_length_is_accepted(weights: str) -> None:
    bot = policy(f"zero-intelligence:{weights}")
    said = bot.distribution(View(rules("common", 6, (1, 1)), (2,), (8,)))
    assert said.sum() == pytest.approx(1)


@pytest.mark.parametrize("weights", ["0.1@0", "0.1@-1,0.5@2", "0.1@nan", "0.1@inf", "0.1@1,0.1@2", f"0.1@{'9' * 200_000}"])
def test_an_invalid_weight_is_refused(weights: str) -> None:
    with pytest.raises(UsageError):
        policy(f"zero-intelligence:{weights}")
