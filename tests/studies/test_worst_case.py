"""Test worst cases against the judge in fractions, OpenSpiel, certified equilibria and all levels; test the commands."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import exploit as page
from liarsdice_cli.bots.specs import policy, policy_of
from liarsdice_cli.bots.zero_intelligence.levels import steps
from liarsdice_cli.bots.zero_intelligence.policy import ZeroIntelligence
from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.tail_probabilities import binomial, normal
from liarsdice_cli.solvers.best_response import best_response, best_response_value
from liarsdice_cli.studies import worst_case
from liarsdice_cli.studies.sweep import exploited
from liarsdice_cli.studies.worst_case import value_of
from liarsdice_cli.studies.worst_case import worst_case as the_worst_case
from liarsdice_cli.system.local_cluster import LocalCluster
from tests.support.command_line import ROOT, assert_refused, document, end_by, run_here, seconds_used, start, wait_for
from tests.support.house_rules import DICE_BY_DICE
from tests.support.open_spiel import best_response_values
from tests.support.policies import judged
from tests.support.progress import Recorded
from tests.support.properties import examples, mostly_slow

BOTS = ("random", "honest", "zero-intelligence:1/4", "zero-intelligence:0.1@1,0.4@3")
GAMES = (("common", 3, (1, 1)), ("joker", 3, (2, 1)), ("dudo", 2, (1, 2)), ("ones-low", 3, (1, 1)))


@pytest.mark.parametrize("payoffs", mostly_slow(["zero-sum", "win"]))
@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize(("name", "sides", "dice"), mostly_slow(GAMES))
def test_worst_cases_match_the_judge_with_and_without_merging(name, sides, dice, bot, payoffs, monkeypatch):
    game = rules(name, sides, dice, payoffs=payoffs)
    verdict = judged(game, policy(bot).strategy(game))
    left = [verdict.constant - verdict.best_responses[1], verdict.constant - verdict.best_responses[0]]
    found = the_worst_case(policy(bot), game)
    if bot in ("honest", "zero-intelligence:1/4"):
        assert list(found.payoffs) == left
        assert found.exploitability == verdict.exploitability
    else:
        assert found.payoffs == pytest.approx([float(one) for one in left], abs=1e-8)
    assert float(found.exploitability) == pytest.approx(float(verdict.exploitability), abs=1e-8)
    progress = Recorded()
    monkeypatch.setattr(worst_case, "MAX_MERGED", 0)
    unmerged = the_worst_case(policy(bot), game, progress)
    assert progress.done == progress.begun[-1][1] == 2 * 2**game.bid_count
    if isinstance(found.payoffs[0], Fraction):
        assert unmerged.payoffs == found.payoffs
    assert [float(one) for one in unmerged.payoffs] == pytest.approx(
        [float(one) for one in found.payoffs], abs=2 * found.rounding_error
    )


@pytest.mark.parametrize("bot", mostly_slow(["honest", "zero-intelligence:0.3", "random"]))
def test_merged_positions_have_the_values_of_their_histories(bot):
    strategy = policy(bot).strategy(rules("ones-low", 3, (2, 2)))
    for player in range(2):
        response, found = best_response(strategy, player), best_response_value(strategy, player, looks_back=False)
        assert float(found.value) == pytest.approx(response.value, abs=1e-13)
        assert found.positions <= best_response_value(strategy, player).positions
        if bot == "random":
            assert isinstance(found.value, float)
        else:
            assert found.value == best_response_value(strategy, player, looks_back=True).value


OPEN_SPIEL = {
    (3, "random"): [0.5925925925925926, 0.5185185185185184],
    (3, "honest"): [0.5555555555555556, 0.7777777777777777],
    (3, "zero-intelligence:1/4"): [0.1111111111111111, 0.7777777777777777],
    (3, "zero-intelligence:0.1@1,0.4@3"): [0.4444444444444444, 0.8888888888888888],
    (4, "random"): [0.6837053571428571, 0.6264136904761906],
    (4, "honest"): [0.625, 0.625],
    (4, "zero-intelligence:1/4"): [0.5, 0.875],
    (4, "zero-intelligence:0.1@1,0.4@3"): [0.65625, 0.9375],
}
"""OpenSpiel 2.0.2's `best_response.BestResponsePolicy(game, player, policy).value(root)`, payoffs +1/-1, for players 0 and 1
against the bot in its `liars_dice(bidding_rule=reset-face)`."""


@pytest.mark.parametrize(("sides", "bot"), OPEN_SPIEL)
def test_worst_cases_match_openspiel(sides, bot):
    first, second = OPEN_SPIEL[sides, bot]
    found = the_worst_case(policy(bot), rules("top-wild", sides, payoffs="zero-sum"))
    assert [float(payoff) for payoff in found.payoffs] == pytest.approx([-second, -first], abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(("sides", "bot"), OPEN_SPIEL)
def test_openspiel_returns_the_recorded_values(sides, bot):
    strategy = policy(bot).strategy(rules("top-wild", sides))
    assert best_response_values(strategy) == pytest.approx(OPEN_SPIEL[sides, bot], abs=1e-9)


SOLVED = [("classic", 3), ("top-wild", 5), ("common", 6), ("classic", 4), ("joker", 6)]


@pytest.mark.parametrize(("name", "sides"), mostly_slow(SOLVED))
def test_an_equilibrium_loses_nothing(name, sides):
    game = rules(name, sides)
    found, value = the_worst_case(policy("equilibrium"), game), value_of(game)
    assert value.exact
    assert found.payoffs == pytest.approx([float(value.lower), float(1 - value.upper)], abs=found.rounding_error)
    assert abs(found.exploitability) <= found.rounding_error


def test_a_strategy_file_has_its_certified_exploitability_and_bounds_hold_the_value(tmp_path):
    file, asked_for = tmp_path / "kept.ldz", ("--rules", "joker", "--sides", 5, "--dice", "1,1")
    done = run_here("solve", *asked_for, "--method", "dcfr+", "--target", 1e-3, "-o", file, "--json")
    solved = json.loads(done.out)
    lower, upper = solved["run_history"]["proved"]
    game = rules("joker", 5)
    found, value = the_worst_case(policy(f"equilibrium:{file}"), game), value_of(game).lower
    assert lower <= value <= upper
    certified = solved["profiles"][0]["exploitability"]
    assert found.exploitability == pytest.approx(certified, abs=1e-4)  # the file stores 16 bits for each number
    assert found.payoffs[0] <= value + found.rounding_error
    assert found.payoffs[1] <= 1 - value + found.rounding_error
    with pytest.raises(LiarsDiceError, match=r"kept\.ldz is for joker rules.*: give preset='joker' sides=5 dice=\(1, 1\)"):
        the_worst_case(policy(f"equilibrium:{file}"), rules("joker", 6))


@pytest.mark.slow
def test_only_expanded_histories_of_a_strategy_file_are_visited(tmp_path):
    file = tmp_path / "kept.ldz"
    large = ("--rules", "common", "--sides", 6, "--dice", "2,2")  # 24 bids: 16.8 million histories
    assert run_here("solve", *large, "--method", "dcfr+", "--iterations", 2, "-o", file).code == 0
    found = the_worst_case(policy(f"equilibrium:{file}"), rules("common", 6, (2, 2)).without_impossible_bids())
    assert 0 < float(found.exploitability) < 1
    assert found.positions < 10**6


def test_the_value_of_a_large_game_lies_between_bounds(monkeypatch):
    from liarsdice_cli.bots import equilibrium

    game, exact = rules("common", 6), Fraction(4, 9)
    monkeypatch.setattr(equilibrium, "SOLVABLE", 10)
    value = value_of(game, 1e-3)
    assert not value.exact
    assert value.lower <= exact <= value.upper <= value.lower + 2e-3
    assert value.seen_by(1, Fraction(1)) == (1 - value.upper, 1 - value.lower)
    monkeypatch.setattr(worst_case, "QUICK", 1)
    assert value_of(game) is None


# The levels of zero intelligence


@given(
    st.sampled_from(DICE_BY_DICE), st.integers(2, 6), st.sampled_from([(1, 1), (2, 1), (1, 2), (3, 2), (1, 1, 2)]), st.data()
)
@examples(60)
def test_levels_of_a_step_play_alike(name, sides, dice, data):
    game = rules(name, sides, dice)
    tails = data.draw(st.sampled_from([binomial, normal]))
    found = steps(game, tails)
    assert found[0].above == 0
    assert found[-1].upto == 1
    assert all(one.upto == after.above for one, after in pairwise(found))
    step = data.draw(st.sampled_from(found))
    other = step.above + Fraction(data.draw(st.integers(1, 99)), 100) * (Fraction(step.upto) - Fraction(step.above))
    one, another = (ZeroIntelligence(game, level, tails=tails) for level in (step.level, other))
    for last in range(-1, game.bid_count):
        for turn in range(game.players):
            history = [] if last < 0 else [*range(last - min(turn, last), last), last]
            if not game.bidding.allows(history):
                continue
            assert np.array_equal(one.at(history), another.at(history))


@pytest.mark.slow
@pytest.mark.parametrize("fine", [20, 100])
def test_the_best_level_is_the_best_of_a_fine_grid(fine):
    game = rules("ones-low", 6)
    best = max(the_worst_case(policy(f"zero-intelligence:{step.level}"), game).mean for step in steps(game))
    grid = [the_worst_case(policy(f"zero-intelligence:{level / fine}"), game).mean for level in range(1, fine + 1)]
    assert best == max(grid) == Fraction(11, 72)


@pytest.mark.parametrize("games", mostly_slow([1, 3]))
def test_the_tables_of_the_page_match_the_code(games):
    text = page.PAGE.text()
    rows = re.findall(r"^\| (1,1|2,1|1,2) \| (exact|normal) \|.*$", text, re.MULTILINE)
    assert len(rows) == 6
    made = list(page.levels_table(page.GAMES[:games]))
    assert [line in text for line in made] == [True] * (2 + 2 * games)
    for game in page.GAMES[:games]:
        assert f"{float(page.worst('honest', game).mean):.4f}" in text


@pytest.mark.slow
def test_the_picture_and_all_but_the_last_rows_match_the_code():
    text = page.PAGE.text()
    assert page.picture() == page.PICTURE.read_text(encoding="utf-8")
    assert all(line in text for line in page.levels_table(page.GAMES[:5]))


# The command


@pytest.mark.slow
def test_sweep_reports_the_worst_cases_of_all_levels(tmp_path):
    """The printed text is in docs/exploit.md and is tested there."""
    file = tmp_path / "sweep.csv"
    asked_for = ("sweep", "zero-intelligence", "all", "--rules", "ones-low")
    content = document(run_here(*asked_for, "--json", "-o", file), "exploit")
    assert content["value"] == {"lower": "160/327", "upper": "160/327", "exact": True, "method": "exact"}
    assert [one["levels"] for one in content["bots"]] == [["0", "1/6"], ["1/6", "1/3"], ["1/3", "1"]]
    assert [one["worst_case"] for one in content["bots"]] == [["1/9", "5/36"], ["1/9", "1/9"], ["5/18", "1/36"]]
    assert content["best"] == 2
    rows = list(csv.DictReader(io.StringIO(file.read_text())))
    assert [float(row["exploitability"]) for row in rows] == pytest.approx(
        [float(Fraction(one["exploitability"])) for one in content["bots"]]
    )


def test_sweep_matches_the_functions_with_four_sides(tmp_path):
    file, game = tmp_path / "sweep.csv", rules("common", 4)
    asked_for = ("sweep", "zero-intelligence", "all", "--rules", "common", "--sides", 4)
    content = document(run_here(*asked_for, "--json", "-o", file), "exploit")
    assert content["value"]["lower"] == content["value"]["upper"] == str(value_of(game).lower)
    found = [the_worst_case(policy(f"zero-intelligence:{step.level}"), game) for step in steps(game)]
    assert [one["worst_case"] for one in content["bots"]] == [[str(payoff) for payoff in one.payoffs] for one in found]
    assert found[content["best"]].mean == max(one.mean for one in found)
    rows = list(csv.DictReader(io.StringIO(file.read_text())))
    assert [float(row["exploitability"]) for row in rows] == pytest.approx([float(one.exploitability) for one in found])


@pytest.mark.slow
def test_sweep_accepts_a_grid_of_levels_and_normal_tails():
    content = document(
        run_here("sweep", "zero-intelligence:normal", "0.1..0.9:0.2", "--sides", 4, "--rules", "dudo", "--json"),
        "exploit",
    )
    names = [f"zero-intelligence:normal:{level}" for level in ("0.1", "0.3", "0.5", "0.7", "0.9")]
    assert [one["name"] for one in content["bots"]] == names
    assert all(one["levels"] is None for one in content["bots"])
    game = rules("dudo", 4)
    for one in content["bots"]:
        assert one["worst_case"] == [str(payoff) for payoff in the_worst_case(policy(one["name"]), game).payoffs]


@pytest.mark.slow
@pytest.mark.parametrize("levels", ["0.1..0.9:0.2", "all"])
def test_workers_find_the_same(levels):
    asked_for = ("sweep", "zero-intelligence:normal", levels, "--rules", "dudo", "--sides", 4, "--json")
    alone = document(run_here(*asked_for), "exploit")
    assert document(run_here(*asked_for, "--cluster", "local:2"), "exploit") == alone
    assert len(alone["bots"]) > 2


@pytest.mark.slow
def test_workers_find_the_same_on_the_public_tree(tmp_path):
    file, asked_for = tmp_path / "kept.ldz", ("--rules", "joker", "--sides", 4, "--dice", "2,1")
    assert run_here("solve", *asked_for, "--method", "dcfr+", "--iterations", 2, "-o", file).code == 0
    game, bots = rules("joker", 4, (2, 1)), [policy(f"equilibrium:{file}"), policy("honest")]
    found = list(exploited([(bot, None) for bot in bots], game, LocalCluster(1)))
    assert [one.bot.name for one in found] == [bot.name for bot in bots]
    assert [one.worst for one in found] == [the_worst_case(bot, game) for bot in bots]


OWN = """
class Knows:
    def distribution(self, view):
        return [1 / len(view.actions)] * len(view.actions)

class Acts:
    def act(self, view, generator):
        return view.legal[0]

class Wrong:
    def distribution(self, view):
        return [0.7] * len(view.actions)

class Raises:
    def distribution(self, view):
        raise ValueError("of all\\nthings")

class Unmade:
    def __init__(self):
        raise RuntimeError("no")

class Exits:
    def __init__(self):
        raise SystemExit("\\x1b[31mno")
"""


@pytest.fixture
def own(tmp_path, monkeypatch):
    (tmp_path / "knowing_bots.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield
    sys.modules.pop("knowing_bots", None)


@pytest.mark.usefixtures("own")
def test_a_users_bot_that_gives_probabilities_has_a_worst_case():
    game = rules("common", 3)
    mine, ours = (the_worst_case(policy_of(name), game).payoffs for name in ("knowing_bots:Knows", "random"))
    assert mine == pytest.approx(ours, abs=1e-12)


@pytest.mark.usefixtures("own")
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Acts", "give it a method distribution(view) that returns one for each of view.actions"),
        ("Wrong", "gives no probabilities in the opening with 1: they add up to 2.8"),
        ("Raises", "raised ValueError: of all things"),
        ("Unmade", "raised RuntimeError: no"),
        ("Exits", r"raised SystemExit: \x1b[31mno"),
        ("Missing", "there is no Missing in knowing_bots"),
    ],
)
def test_the_error_for_a_users_bot_says_what_is_wrong(name, words):
    assert_refused(run_here("exploit", f"knowing_bots:{name}", "--sides", 2), f"knowing_bots:{name}", words)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc").exists(), reason="looks in /proc")
def test_an_interrupt_ends_the_command_and_leaves_no_file(tmp_path):
    process = start("exploit", "rollout", "--rules", "ones-low", "--dice", "1,2", "-o", tmp_path / "kept.csv")
    wait_for(lambda: seconds_used(process.pid) > 2)  # it is computing by now
    assert end_by(process, "SIGINT") == (130, "", "liarsdice: interrupted\n")
    assert list(tmp_path.iterdir()) == []


def test_the_readme_links_to_the_page():
    assert "exploit.md" in (ROOT / "README.md").read_text()
