"""A game at the terminal as one document at its end, the talk beside it."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from liarsdice_cli.games.liarsdice.rules import rules
from tests.support.command_line import checked_document, run_here


def played(*args: object, moves: str) -> tuple[dict[str, Any], str]:
    """The document of a game, and what was said."""
    ended = run_here("play", *args, "--json", input=moves)
    assert ended.code == 0, ended
    return checked_document(json.loads(ended.out), "play"), ended.err


def test_a_game_is_told_aside_and_is_one_document_at_its_end() -> None:
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
def test_who_leaves_has_a_document_of_what_was_played() -> None:
    game, _ = played("honest", "--rules", "common", "--seed", 3, moves="1x2\ncall\n")
    assert (game["finished"], len(game["rounds"]), game["lost"]) == (False, 1, 1)
    nothing, _ = played("honest", moves="")
    assert (nothing["finished"], nothing["rounds"], nothing["decisions"]) == (False, [], [])


@pytest.mark.slow
def test_a_match_says_who_is_left_and_quiet_says_nothing() -> None:
    asked = ("random", "random", "--sides", 3, "--dice", "1,1,1", "--match", "--quiet", "--seed", 1)
    game, talk = played(*asked, moves="1x2\ncall\n" * 40)
    assert talk == ""
    assert game["match"]
    for one in game["rounds"]:
        dealt = rules("classic", 3, [len(own) for own in one["dice"]])
        bid = next(bid for bid in dealt.bids if str(bid) == one["bids"][-1])
        assert dealt.holds(bid, one["dice"]) == one["true"]
