"""Test the payoffs and regrets of a bot in all seats against the judge on the explicit tree in fractions."""

from __future__ import annotations

import pytest

from liarsdice_cli.bots.protocol import OfStrategy
from liarsdice_cli.bots.specs import policy
from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.evaluate import judge
from liarsdice_cli.extensive.profile import from_sets
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.strategy import ProfileStrategy, Uniform
from liarsdice_cli.games.liarsdice.tree import build
from liarsdice_cli.studies import self_play as study
from liarsdice_cli.studies.self_play import self_play
from tests.support.command_line import document, run_here

THREE = ("--dice", "1,1,1", "--sides", 2, "--rules", "common")


class Plays(OfStrategy):
    def __init__(self, strategy):
        self._strategy = strategy

    def strategy(self, rules):
        return self._strategy


@pytest.mark.parametrize("payoffs", ["win", "zero-sum"])
@pytest.mark.parametrize(
    ("preset", "sides", "dice"), [("common", 2, (1, 1, 1)), ("joker", 3, (1, 2, 1)), ("common", 2, (1,) * 4)]
)
def test_payoffs_and_regrets_match_the_judge_on_the_tree(preset, sides, dice, payoffs):
    game = rules(preset, sides, dice, payoffs=payoffs)
    tree = build(game)
    expected = judge(from_sets(tree, {}))
    for strategy in (Uniform(game), ProfileStrategy.of(game, tree, from_sets(tree, {}).probabilities)):
        found = self_play(Plays(strategy), game)
        assert found.payoffs == pytest.approx([float(one) for one in expected.payoffs], abs=1e-12)
        assert found.regrets == pytest.approx([float(one) for one in expected.regrets], abs=1e-12)


def test_impossible_bids_do_not_change_the_regrets_of_an_equilibrium():
    bot = policy("equilibrium")
    found = [self_play(bot, rules(preset, 4, (1, 1, 1))) for preset in ("classic", "common")]
    assert found[0].regrets == found[1].regrets
    assert max(found[0].regrets) < 5e-3


def test_a_bot_that_reaches_too_many_histories_is_refused(monkeypatch):
    monkeypatch.setattr(study, "MOST", 100)
    with pytest.raises(LiarsDiceError, match="more than 100 of 262,144 betting histories"):
        self_play(policy("random"), rules("common", 6, (1, 1, 1)))


def test_the_command_reports_the_regret_of_each_seat(tmp_path):
    said = document(run_here("exploit", "honest", *THREE, "--json"), "verify")
    assert said["strategy"] == "honest"
    assert len(said["payoffs"]) == 3
    file = tmp_path / "seats.csv"
    assert run_here("exploit", "honest", *THREE, "-o", file).code == 0
    rows = [line.split(",") for line in file.read_text().splitlines()]
    assert [row[4:6] for row in rows] == [["bot", "player"], ["honest", "1"], ["honest", "2"], ["honest", "3"]]
    assert [float(row[8]) for row in rows[1:]] == pytest.approx(said["regrets"])


def test_a_file_of_three_players_is_evaluated_as_by_verify(tmp_path):
    file = str(tmp_path / "three.ldz")
    assert run_here("solve", *THREE, "-o", file, "-q").code == 0
    said = document(run_here("exploit", f"equilibrium:{file}", *THREE, "--json"), "verify")
    verified = document(run_here("verify", file, "--json"), "verify")
    assert said["regrets"] == pytest.approx(verified["regrets"], abs=1e-9)
