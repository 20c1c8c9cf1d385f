"""The public tree on the command line: solving, strategy files, checkpoints, and failures."""

from __future__ import annotations

import errno
import json
import math
import signal
import zipfile

import pytest

from liarsdice_cli import solve, strategy_at
from liarsdice_cli.cli.progress import Messages
from liarsdice_cli.formats import ldz
from liarsdice_cli.games.liarsdice.public import public_game
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.strategy import Uniform
from liarsdice_cli.solvers.public_tree import run
from liarsdice_cli.solvers.public_tree.responses import Responses
from liarsdice_cli.strategies.expansion import expanded
from tests.support.command_line import assert_refused, document, end_by, full_device, run_here, start, wait_for

SMALL = ("solve", "--rules", "joker", "--sides", 4, "--dice", "2,1", "--method", "dcfr+")
LONG = ("solve", "--rules", "joker", "--sides", 5, "--dice", "2,2", "--method", "dcfr+", "--target", "1e-12")


def _kept(name, command, target):
    """Write a strategy file; return its name and the JSON that `solve` printed."""
    return name, document(run_here(*command, "--target", target, "-o", name, "--json"), "solve")


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    return _kept(tmp_path_factory.mktemp("large") / "strategy.ldz", SMALL, "1e-4")


def test_the_solution_has_bounds_that_the_file_keeps(kept):
    name, answer = kept
    profile = answer["profiles"][0]
    assert (answer["method"], answer["form"], profile["equilibrium"]) == ("dcfr+", "public tree", False)
    assert answer["run_history"]["ended"] == "target"
    assert profile["exploitability"] <= 1e-4
    assert sum(profile["payoffs"]) == pytest.approx(1)
    assert sum(profile["regrets"]) / 2 == pytest.approx(profile["exploitability"])
    verdict = document(run_here("verify", name, "--json"), "verify")
    assert verdict["rules"] == answer["rules"]
    assert verdict["bounds"] == pytest.approx(profile["bounds"], abs=1e-4)


@pytest.mark.slow
def test_bounds_contain_the_exact_value(kept):
    exact = document(run_here("solve", "--rules", "joker", "--sides", 4, "--dice", "2,1", "--json"), "solve")
    top, bottom = map(int, exact["profiles"][0]["payoffs"][0].split("/"))
    low, high = kept[1]["run_history"]["proved"]
    assert exact["profiles"][0]["equilibrium"]
    assert low <= top / bottom <= high


def test_show_of_the_file_agrees_with_strategy_at_of_the_solution(tmp_path):
    name = tmp_path / "strategy.ldz"
    answer = document(run_here(*SMALL, "--iterations", 50, "-o", name, "--json"), "solve")
    solution = solve(rules("joker", 4, (2, 1)), method="dcfr+", iterations=50)
    for history in ("1x2", "opening"):
        (page,) = document(run_here("show", name, history, "--json"), "show")["shown"]
        expected = strategy_at(solution, history)
        assert (" ".join(page["history"]), tuple(page["actions"])) == (" ".join(expected.history), expected.actions)
        assert page["reach"] == pytest.approx(expected.reach, abs=1e-3)
        for row, one in enumerate(page["infosets"]):
            assert one["probabilities"] == pytest.approx(expected.probabilities[row], abs=1e-4)
    worth = sum(
        roll["probability"] * sum(p * v for p, v in zip(roll["probabilities"], roll["values"], strict=True))
        for roll in page["infosets"]
    )
    assert worth == pytest.approx(answer["profiles"][0]["payoffs"][0], abs=1e-3)


def test_an_exact_solution_can_be_kept_as_a_strategy_file(tmp_path):
    name = tmp_path / "exact.ldz"
    assert run_here("solve", "--sides", 4, "-o", name).code == 0
    verdict = document(run_here("verify", name, "--json"), "verify")
    assert verdict["rules"]["max_quantity"] == 2
    assert verdict["bounds"] == pytest.approx([7 / 16, 7 / 16], abs=1e-3)


class Seated:
    """A profile: one strategy per player."""

    def __init__(self, game, strategies):
        self.rules, self.strategies = game, strategies

    def at(self, history):
        return self.strategies[len(history) % len(self.strategies)].at(history)


def test_a_bot_plays_the_strategy_of_a_file(kept):
    """The bot wins as often as the strategy in the file does against uniform play, averaged over both seats."""
    bots = ("arena", "random", f"equilibrium:{kept[0]}", "--rules", "joker", "--sides", 4)
    asked = (*bots, "--dice", "2,1", "--rounds", 40_000, "--seed", 1, "--json")
    (table,) = document(run_here(*asked), "arena")["tables"]
    game = rules("joker", 4, (2, 1))
    said, equal = ldz.StrategyFile(str(kept[0])), Uniform(game)
    wins = []
    for seat in range(2):
        both = expanded(Seated(game, [said, equal] if seat == 0 else [equal, said]))
        wins.append(Responses(public_game(game), both.store).wins(seat, best=False))
    rate = table["ahead"][1][0] / table["rounds"]
    assert rate == pytest.approx(sum(wins) / 2, abs=4 * 0.5 / 40_000**0.5)
    assert min(wins) > 0.55  # uniform play would win half of all rounds
    assert_refused(run_here(*bots, "--dice", "1,1", "--rounds", 10), code=1)


def test_spot_on_is_solved_kept_and_shown_by_its_name(tmp_path):
    name = tmp_path / "strategy.ldz"
    asked = ("solve", "--rules", "common", "--sides", 2, "--spot-on", "--method", "pdcfr+", "--iterations", 30)
    assert run_here(*asked, "-o", name).code == 0
    for bid, actions in (("2x1", ["call", "spot-on", "2x2"]), ("2x2", ["call", "spot-on"])):
        (page,) = document(run_here("show", name, bid, "--json"), "show")["shown"]
        assert page["actions"] == actions
        assert [sum(roll["probabilities"]) for roll in page["infosets"]] == pytest.approx([1, 1])
    assert_refused(run_here("show", name, "2x1 spot-on"), code=2)
    assert run_here("explore", name, "-o", tmp_path / "page.html").code == 0
    assert run_here("draw", name, "-o", tmp_path / "sheet.html").code == 0


def test_auto_takes_the_public_tree_if_iterations_are_given_or_the_game_is_large():
    small = document(run_here("solve", "--sides", 3, "--iterations", 50, "--json"), "solve")
    assert (small["method"], small["form"], small["run_history"]["iterations"]) == ("dcfr+", "public tree", 50)
    low, high = small["run_history"]["proved"]
    assert low <= 4 / 9 <= high
    ended = run_here("solve", "--rules", "joker", "--sides", 5, "--dice", "2,2", "--time-limit", 0.1, "--json")
    large = document(ended, "solve")
    assert (ended.code, large["method"], large["form"], large["run_history"]["ended"]) == (3, "dcfr+", "public tree", "time")


def test_a_profile_of_a_small_game_is_kept_as_json(tmp_path):
    name = tmp_path / "profile.json"
    small = ("--sides", 3, "--rules", "common")
    answer = document(run_here("solve", *small, "--method", "cfr+", "--iterations", 20, "-o", name, "--json"), "solve")
    assert answer["form"] == "extensive"
    verdict = document(run_here("verify", *small, name, "--json"), "verify")
    assert verdict["bounds"] == pytest.approx(answer["profiles"][0]["bounds"])


def test_a_page_can_be_made_from_a_strategy_file(kept, tmp_path):
    page = tmp_path / "page.html"
    assert run_here("explore", kept[0], "-o", page, "--depth", 1).code == 0
    assert "joker rules, 4 sides, dice 2,1" in page.read_text()


def test_an_interrupt_ends_with_the_solution_so_far(tmp_path, monkeypatch):
    """Like the test of Ctrl-C below, but at a known moment and in this process."""
    name = tmp_path / "strategy.ldz"
    monkeypatch.setattr(Messages, "sample", lambda *_: signal.raise_signal(signal.SIGINT))
    ended = run_here(*SMALL, "--target", "1e-12", "-o", name, "--json")
    assert (ended.code, ended.err) == (130, "")
    answer = json.loads(ended.out)
    assert (answer["finished"], answer["run_history"]["ended"]) == (False, "interrupt")
    assert run_here("verify", name).code == 0


@pytest.mark.slow
def test_ctrl_c_ends_with_the_best_bounds_so_far(tmp_path):
    name = tmp_path / "strategy.ldz"
    state = tmp_path / "state"
    process = start(*LONG, "-o", name, "--json", "--checkpoint", state)
    wait_for(state.exists)
    ended = end_by(process, "SIGINT")
    assert (ended.code, ended.err) == (130, "")
    answer = json.loads(ended.out)
    assert answer["run_history"]["ended"] == "interrupt"
    assert not answer["finished"]
    low, high = answer["run_history"]["proved"]
    assert low <= 0.5144055  # the upper bound in docs/values.csv
    assert high >= 0.5143981  # the lower one
    assert run_here("verify", name).code == 0


@pytest.mark.slow
def test_a_run_resumed_after_kill_9_ends_with_the_same_result(tmp_path):
    state = tmp_path / "state"
    process = start(*LONG, "--checkpoint", state)
    wait_for(state.exists)
    first = state.stat().st_mtime_ns
    wait_for(lambda: state.stat().st_mtime_ns != first)  # the second checkpoint: the kill falls within the run
    process.kill()
    process.wait()
    whole = json.loads(state.read_bytes().splitlines()[1])
    iterations = whole["iteration"] + 3
    resumed = run_here(*LONG[:-2], "--iterations", iterations, "--checkpoint", state, "--json")
    straight = run_here(*LONG[:-2], "--iterations", iterations, "--json", "--threads", 1)
    ends = [json.loads(ended.out)["profiles"][0] for ended in (resumed, straight)]
    assert ends[0] == ends[1]


@full_device
def test_a_full_disk_does_not_stop_the_solver(monkeypatch):
    monkeypatch.setattr(run, "_EVERY", 0)
    monkeypatch.setattr(run, "_SAVING_SHARE", math.inf)
    ended = run_here(*SMALL, "--iterations", 30, "--checkpoint", "/dev/full", "--json")
    assert ended.code == 1
    assert json.loads(ended.out)["run_history"]["iterations"] == 30
    assert len(ended.err.splitlines()) == 1
    assert "/dev/full" in ended.err


def test_a_strategy_that_does_not_fit_on_the_disk_leaves_no_file(tmp_path, monkeypatch):
    def full(*member, **packing):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(zipfile.ZipFile, "writestr", full)
    name = tmp_path / "strategy.ldz"
    assert_refused(run_here(*SMALL, "--iterations", 3, "-o", name), str(name))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_game_whose_histories_do_not_fit_in_memory_ends_at_the_time_limit():
    large = ("solve", "--rules", "common", "--sides", 6, "--dice", "4,4", "--method", "dcfr+")
    ended = run_here(*large, "--time-limit", 0.1, "--json")
    assert (ended.code, ended.err) == (3, "")
    answer = json.loads(ended.out)
    assert answer["run_history"]["ended"] == "time"
    low, high = answer["run_history"]["proved"]
    assert -1e-9 <= low < high <= 1 + 1e-9


def test_broken_strategy_files_are_named(kept, tmp_path):
    short = tmp_path / "short.ldz"
    short.write_bytes(kept[0].read_bytes()[:-100])
    for command in (("show", short), ("verify", short), ("explore", short, "-o", tmp_path / "x.html")):
        assert_refused(run_here(*command), str(short), code=1)


# Three or more players

THREE = ("solve", "--rules", "joker", "--sides", 3, "--dice", "1,1,1")


@pytest.fixture(scope="module")
def of_three(tmp_path_factory):
    return _kept(tmp_path_factory.mktemp("three") / "strategy.ldz", THREE, "2e-3")


def test_regrets_of_three_players_are_those_of_the_file(of_three):
    name, answer = of_three
    profile = answer["profiles"][0]
    assert (answer["method"], answer["form"], profile["equilibrium"]) == ("pdcfr+", "public tree", False)
    assert (answer["run_history"]["ended"], answer["run_history"]["proved"]) == ("target", None)
    assert max(profile["regrets"]) <= 2e-3
    assert len(profile["payoffs"]) == len(profile["regrets"]) == 3
    assert answer["run_history"]["samples"][-1][2:] == pytest.approx(profile["regrets"], abs=1e-12)
    verdict = document(run_here("verify", name, "--json"), "verify")
    assert verdict["rules"] == answer["rules"]
    assert verdict["payoffs"] == pytest.approx(profile["payoffs"], abs=1e-3)
    assert verdict["regrets"] == pytest.approx(profile["regrets"], abs=1e-3)


@pytest.mark.parametrize("asked", [("--target", "1e-3"), ()])
def test_the_strategy_of_three_players_is_kept_as_a_profile_too(asked, tmp_path):
    """The name of the output changes neither the method nor its result."""
    name = tmp_path / "profile.json"
    answer = document(run_here(*THREE, *asked, "-o", name, "--json"), "solve")
    assert (answer["method"], answer["form"]) == ("pdcfr+", "public tree")
    (profile,) = answer["profiles"]
    verdict = document(run_here("verify", *THREE[1:], name, "--json"), "verify")
    assert verdict["payoffs"] == pytest.approx(profile["payoffs"], abs=1e-9)
    assert verdict["regrets"] == pytest.approx(profile["regrets"], abs=1e-9)
    workbook = tmp_path / "part.gbt"
    assert run_here(*THREE, *asked, "-o", workbook, "--from", "2x2").code == 0
    assert workbook.stat().st_size > 0


def test_show_lists_the_other_players_in_turn_order(of_three):
    name, _ = of_three
    for history, others in (("1x2", [3, 1]), ("opening", [2, 3])):
        (page,) = document(run_here("show", name, history, "--json"), "show")["shown"]
        assert [one["player"] for one in page["others"]] == others
    assert all(sum(roll["probability"] for roll in one["rolls"]) == pytest.approx(1) for one in page["others"])


def test_the_result_is_not_written_over_the_checkpoint(tmp_path):
    (tmp_path / "link.ldz").symlink_to("state.ldz")
    for output in ("state.ldz", "./state.ldz", "link.ldz"):
        ended = run_here(*SMALL, "--iterations", 5, "--checkpoint", "state.ldz", "-o", output, cwd=tmp_path)
        assert_refused(ended, f"-o and --checkpoint both name {output}: give each its own file", code=2)
    assert not (tmp_path / "state.ldz").exists()


def test_a_run_of_three_players_resumed_from_its_checkpoint_ends_with_the_same_result(tmp_path):
    state, by = tmp_path / "state", ("--method", "dcfr+", "--json")
    assert run_here(*THREE, *by, "--iterations", 20, "--checkpoint", state).code == 0
    resumed = run_here(*THREE, *by, "--iterations", 30, "--checkpoint", state)
    straight = run_here(*THREE, *by, "--iterations", 30)
    assert json.loads(resumed.out)["profiles"] == json.loads(straight.out)["profiles"]
