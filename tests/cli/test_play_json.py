"""`play --json`: one document at the end of the game, and the dialogue on standard error."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from liarsdice_cli.games.liarsdice.rules import rules
from tests.support.command_line import checked_document, run_here


def played(*args: object, moves: str) -> tuple[dict[str, Any], str]:
    """Play a game; return its document and the dialogue."""
    ended = run_here("play", *args, "--json", input=moves)
    assert ended.code == 0, ended
    return checked_document(json.loads(ended.out), "play"), ended.err


def test_the_dialogue_is_on_standard_error_and_the_game_is_one_document() -> None:
    game, talk = played("honest", "--rules", "common", "--seed", 3, "--rounds", 2, moves="1x2\ncall\n1x3\n")
    assert "Your bid: 1x2" in talk
    assert "rounds played" not in talk
    assert (game["players"], game["seed"], game["finished"], game["won"], game["lost"]) == (["you", "honest"], 3, True, 1, 1)
    first, second = game["rounds"]
    assert first == {
        "round": 1, "seats": [1, 2], "dice": [[4], [4]], "bids": ["1x2", "1x4"], "ended_by": "call", "true": True, "loser": 1,
        "claimer": None, "gainer": None, "failure": "",
    }  # fmt: skip
    assert (second["seats"], second["loser"]) == ([2, 1], 2)
    opening, call, _ = game["decisions"]
    assert (opening["action"], opening["history"], opening["dice"]) == ("1x2", [], [4])
    assert (call["action"], call["history"], call["ev_loss"]) == ("call", ["1x2", "1x4"], "1")
    for decision in game["decisions"]:
        values = {one["action"]: Fraction(one["not_lost"]) for one in decision["actions"]}
        assert values[decision["best"]] == max(values.values())
        assert Fraction(decision["ev_loss"]) == max(values.values()) - values[decision["action"]]


@pytest.mark.slow
def test_leaving_the_game_gives_a_document_of_the_rounds_played() -> None:
    game, _ = played("honest", "--rules", "common", "--seed", 3, moves="1x2\ncall\n")
    assert (game["finished"], len(game["rounds"]), game["lost"]) == (False, 1, 1)
    nothing, _ = played("honest", moves="")
    assert (nothing["finished"], nothing["rounds"], nothing["decisions"]) == (False, [], [])


@pytest.mark.slow
def test_a_quiet_match_has_no_dialogue_and_records_whether_bids_are_true() -> None:
    asked = ("random", "random", "--sides", 3, "--dice", "1,1,1", "--match", "--quiet", "--seed", 1)
    game, talk = played(*asked, moves="1x2\ncall\n" * 40)
    assert talk == ""
    assert game["match"]
    for one in game["rounds"]:
        dealt = rules("classic", 3, [len(own) for own in one["dice"]])
        bid = next(bid for bid in dealt.bids if str(bid) == one["bids"][-1])
        assert dealt.holds(bid, one["dice"]) == one["true"]
