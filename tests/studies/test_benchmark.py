"""Test Liar's Dice Ten: its games are fixed, scores match the judge, and a failure in one game does not stop the others."""

from __future__ import annotations

import time
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import liarsdice_cli as ld
from liarsdice_cli.report.benchmark import benchmark_json
from liarsdice_cli.studies.benchmark import GAMES, BenchmarkGame, benchmark
from tests.support.command_line import ROOT, assert_refused, document, run_here

VERSION_1 = (
    "top-wild rules, 3 sides, dice 1,1; 1/9; 10 s",
    "top-wild rules, 4 sides, dice 1,1; 1/16; 10 s",
    "joker rules, 6 sides, dice 1,1; -7/327; 20 s",
    "top-wild rules, 6 sides, dice 1,1; -7/258; 20 s",
    "top-wild rules, 3 sides, dice 2,2; 5/81; 20 s",
    "joker rules, 6 sides, dice 2,1; 7/27; 60 s",
    "face-first rules, 4 sides, dice 2,2; 1/32; 60 s",
    "ones-low rules, 6 sides, dice 1,2; -5/54; 120 s",
    "joker rules, 6 sides, dice 2,2; 40799673137/3637674366480; 300 s",
    "common rules, 6 sides, dice 2,2; -97993266983069/5815959611262048; 600 s",
)


def test_version_1_is_fixed() -> None:
    said = [f"{str(one.rules).removesuffix(', payoffs zero-sum')}; {one.value}; {one.seconds} s" for one in GAMES]
    assert tuple(said) == VERSION_1
    assert all(one.rules.payoffs == "zero-sum" for one in GAMES)


def test_the_values_match_the_table_of_values() -> None:
    rows = [line.split(",") for line in (ROOT / "docs" / "values.csv").read_text().splitlines()]
    known = {(row[0], row[1], row[2]): row[7] for row in rows if row[3:5] == ["zero-sum", "yes"]}
    for game in GAMES:
        place = (game.rules.name, str(game.rules.sides), " ".join(map(str, game.rules.dice)))
        assert known[place] == str(game.value)


@pytest.mark.slow
def test_solving_gives_the_values_of_the_first_games() -> None:
    for game in GAMES[:5]:
        assert ld.solve(game.rules).value == game.value


def test_the_scores_of_a_policy_match_the_judge() -> None:
    found = benchmark("honest")
    for one in (found.scores[0], found.scores[-1]):
        assert one.worst_case is not None
        assert one.worst_case.payoffs == ld.exploitability(one.game.rules, "honest").payoffs
    assert found.solved == 0
    assert found.mean == pytest.approx(
        sum(float(one.worst_case.exploitability) for one in found.scores if one.worst_case) / len(GAMES)
    )
    assert benchmark("equilibrium", games=GAMES[:2]).solved == 2


def test_a_game_without_a_score_does_not_stop_the_others() -> None:
    def only_two_dice(history: tuple[int, ...], rolls: list[tuple[int, ...]]) -> object:
        if len(rolls[0]) > 1:
            raise ValueError("more than one die")
        time.sleep(0.02)
        count = 7 if not history else 0
        return np.full((len(rolls), count), 1 / 7)

    slow = BenchmarkGame(ld.rules("top-wild", 3, payoffs="zero-sum"), Fraction(1, 9), 0)
    found = benchmark(only_two_dice, games=(slow, GAMES[4]))
    assert [one.refused.split(" (")[0] for one in found.scores] == [
        "took longer than 0 s, the time limit",
        "only_two_dice raised ValueError: more than one die",
    ]
    assert (found.mean, found.solved) == (None, 0)
    assert benchmark_json(found)["games"][0]["exploitability"] is None


def test_the_result_is_printed() -> None:
    assert "mean exploitability 0.58" in run_here("benchmark", "honest").out
    printed: Any = document(run_here("benchmark", "honest", "--json"), "benchmark")
    assert (len(printed["games"]), round(printed["mean_exploitability"], 2)) == (10, 0.58)
    assert_refused(run_here("benchmark", "nonsense"), "nonsense", code=2)
    assert_refused(run_here("benchmark", "command:x"), "no probabilities", code=2)
