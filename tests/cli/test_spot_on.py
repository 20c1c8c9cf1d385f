"""Spot-on in the commands, under the same rules in each."""

from __future__ import annotations

import json

import pytest

from tests.support.command_line import Ended, assert_refused, run_here
from tests.support.properties import mostly_slow

GAME = ("--rules", "common", "--sides", 3, "--spot-on")


def done(*args: object, typed: str = "") -> Ended:
    ended = run_here(*args, input=typed) if typed else run_here(*args)
    assert ended.code == 0, ended
    return ended


@pytest.mark.parametrize("dice", mostly_slow(["1,1", "2,1"]))
def test_all_methods_agree_on_the_value(dice):
    """Compare the table of values, the double oracle, and bounds on the public tree."""
    game = (*GAME, "--dice", dice, "--payoffs", "zero-sum")
    exact = json.loads(done("values", *game[:4], *game[4:], "--json").out)["games"][0]
    assert exact["exact"]
    assert exact["rules"]["spot_on"]
    told = json.loads(done("solve", *game, "--method", "double-oracle", "--json").out)
    assert told["profiles"][0]["payoffs"][0] == exact["value"]
    kept = json.loads(done("solve", *game, "--method", "dcfr+", "--target", "1e-3", "--json").out)
    lower, upper = kept["profiles"][0]["bounds"]
    assert lower <= eval_fraction(exact["value"]) <= upper
    assert upper - lower <= 4e-3


def eval_fraction(text: str | int) -> float:
    above, _, below = str(text).partition("/")
    return int(above) / int(below or 1)


def test_a_strategy_file_keeps_spot_on(tmp_path):
    name = tmp_path / "kept.ldz"
    done("solve", *GAME, "--method", "dcfr+", "--iterations", 200, "-o", name)
    assert json.loads(done("verify", name, "--json").out)["rules"]["spot_on"]
    said = json.loads(done("show", name, "1x2 2x3", "--json").out)
    assert said["shown"][0]["actions"] == ["call", "spot-on"]


def test_play_reports_that_spot_on_ended_a_round():
    said = json.loads(done("play", "honest", *GAME, "--seed", 3, "--json", typed="1x1\ns\nq\n").out)
    (one,) = said["rounds"]
    assert (one["ended_by"], one["true"], one["loser"]) == ("spot-on", True, 1)
    assert said["decisions"][1]["action"] == "spot-on"
    assert {one["action"] for one in said["decisions"][1]["actions"]} >= {"call", "spot-on", "1x3"}


@pytest.mark.parametrize("more", mostly_slow([((),), (("--match", "--dice", "2,2"),)]))
def test_the_arena_plays_rounds_and_matches_with_spot_on(more):
    said = json.loads(done("arena", "honest", "random", "equilibrium", *GAME, *more, "--rounds", 30, "--json").out)
    assert len(said["bots"]) == 3


def test_exploit_computes_a_best_response_with_spot_on():
    assert json.loads(done("exploit", "honest", *GAME, "--json").out)["rules"]["spot_on"]


def test_a_match_with_one_die_each_has_the_value_of_its_only_round():
    """The loser of the first round gives up the only die, so the match has the value of the round."""
    out = json.loads(done("match", *GAME, "--dice", "1,1", "--json").out)
    (one,), first = out["games"], out["match"]["states"][0]
    assert one["rules"]["spot_on"]
    assert first["lower"] == first["upper"] == one["value"]


def test_the_coach_accepts_spot_on_and_gives_its_probability():
    game = ("Ann", "me", *GAME, "--dice", "2,2", "--iterations", 10)
    typed = "dice 3 1\n2x3\nspot-on\n2 2\n"
    said = [json.loads(line) for line in done("coach", *game, "--json", typed=typed).out.splitlines()]
    assert said[1]["recommendation"]["last_bid"]["spot_on"] > 0
    assert (said[2]["called"], said[2]["ended_by"], said[2]["move"]["action"]) == (True, "spot-on", "spot-on")
    assert said[3]["loser"] == "me"
    refused = done("coach", *game[:-5], "--dice", "2,2", "--json", typed="dice 3 1\n2x3\nspot-on\n").out.splitlines()[-1]
    assert json.loads(refused)["error"]


def test_a_subgame_after_the_highest_bid_is_solved_with_spot_on():
    """Both dice show a 1, so 2x1 is exact, and the next player wins by claiming spot-on."""
    game = ("solve", "--rules", "common", "--sides", 1, "--from", "2x1", "--method", "dcfr+", "--iterations", 50)
    said = json.loads(done(*game, "--spot-on", "--json").out)
    assert said["profiles"][0]["bounds"] == pytest.approx([0, 0], abs=0.05)
    assert_refused(run_here(*game))
