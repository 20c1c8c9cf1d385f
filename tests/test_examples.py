"""Run the examples and check their results."""

from __future__ import annotations

import re
import subprocess
import sys

import numpy as np
import pytest

import liarsdice_cli as ld
from benchmarks import forgetting, forgetting_bounds, ten
from examples.forgetting import Graph, Remembering, remembering, train
from examples.pettingzoo_training import train as train_in_pettingzoo
from liarsdice_cli.bots.protocol import View
from liarsdice_cli.bots.text_protocol import prompt, read_answer
from liarsdice_cli.extensive.stream import Floats
from liarsdice_cli.games.bidding import CALL
from liarsdice_cli.games.liarsdice.histories import Histories
from tests.support.command_line import ROOT, environment

EXAMPLES = ROOT / "examples"


def ran(name: str, *words: str, given: str = "") -> str:
    """Run an example and return its output."""
    command = [sys.executable, str(EXAMPLES / name), *words]
    ended = subprocess.run(command, input=given, env=environment(), capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    return ended.stdout


@pytest.mark.slow
def test_perfect_recall_finds_an_equilibrium() -> None:
    game = ld.rules("top-wild", 2, (2, 1), payoffs="zero-sum")
    whole = remembering(game, game.bid_count, 500)
    assert len(whole.graph.nodes) == 2**game.bid_count
    assert float(ld.exploitability(game, whole).exploitability) < 1e-4
    plain = remembering(game, game.bid_count, 500, plus=False)
    assert float(ld.exploitability(game, plain).exploitability) < 2e-2


@pytest.mark.slow
@pytest.mark.parametrize("memory", [1, 2, 3])
def test_a_strategy_with_limited_memory_depends_only_on_the_last_bids(memory: int) -> None:
    game = ld.rules("joker", 5, payoffs="zero-sum")
    graph = Graph.of(game, memory)
    policy = remembering(game, memory, 20)
    assert all(len(bids) <= memory for _, bids in graph.nodes)
    judged = ld.exploitability(game, policy)
    again = ld.exploitability(game, {bids: at(policy, game, bids) for bids in game.bidding.histories()})
    assert float(judged.exploitability) == pytest.approx(float(again.exploitability))
    assert at(policy, game, (0, 1, 3, 4, 5)) == pytest.approx(at(policy, game, (0, 2, 3, 4, 5)))


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "dice", "memory"), [("snyd", (1, 1), 2), ("joker", (2, 1), 1), ("common", (1, 2), 2)])
def test_approximate_bounds_contain_the_exact_exploitability_and_converge_to_it(
    monkeypatch: pytest.MonkeyPatch, rules: str, dice: tuple[int, int], memory: int
) -> None:
    game = ld.rules(rules, 4, dice, payoffs="zero-sum").without_impossible_bids()
    graph = Graph.of(game, memory)
    strategy = train(graph, 30)
    assert np.array_equal(strategy, train(graph, 30, threads=3))
    exact = float(ld.exploitability(game, Remembering(graph, strategy, "it")).exploitability)
    coarse, fine = (forgetting_bounds.bounds(graph, strategy, 60, least=least) for least in (1e-3, 0.0))
    assert coarse.lower - 1e-9 <= exact <= coarse.upper + 1e-9
    assert exact == pytest.approx(fine.lower, abs=2e-6)
    assert exact == pytest.approx(fine.upper, abs=2e-6)
    assert coarse.upper - coarse.lower > fine.upper - fine.lower
    monkeypatch.setattr(forgetting_bounds, "ROOM", 1)  # one roll of the opponent at a time
    assert exact == pytest.approx(forgetting_bounds.bounds(graph, strategy, 60).lower, abs=2e-6)


@pytest.mark.slow
def test_training_with_sampled_rolls_finds_an_approximate_equilibrium() -> None:
    game = ld.rules("joker", 3, (2, 1), payoffs="zero-sum")
    graph = Graph.of(game, game.bid_count)
    strategy = train(graph, 3000, drawn=2)
    assert np.array_equal(strategy, train(graph, 3000, threads=3, drawn=2))
    assert float(ld.exploitability(game, Remembering(graph, strategy, "it")).exploitability) < 2e-2


def at(policy: Remembering, game: ld.Rules, bids: tuple[int, ...]) -> Floats:
    """Return the action probabilities after one history."""
    found: Floats = policy.distributions(Histories.of(game, [bids]))[0]
    return found


@pytest.mark.slow
def test_plain_cfr_matches_openspiel_on_its_game_with_imperfect_recall() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    theirs = pyspiel.load_game("liars_dice_ir", {"dice_sides": 4})  # four bids
    game, solver = ld.interop.from_openspiel(theirs), pyspiel.CFRSolver(theirs)
    for _ in range(10):
        solver.evaluate_and_update_policy()
    found = ld.exploitability(game, ld.interop.from_openspiel(solver, theirs))
    ours = ld.exploitability(game, remembering(game, 4, 10, plus=False))
    assert float(ours.exploitability) == pytest.approx(float(found.exploitability), abs=1e-9)


def test_the_picture_and_a_line_match_computed_ones() -> None:
    assert forgetting.PICTURE.read_text("utf-8") == forgetting.picture()
    honest = ten.RESULTS.read()["honest", "1"]["exploitability"]
    game = ten.GAMES[0].rules
    assert float(honest) == pytest.approx(float(ld.exploitability(game, "honest").exploitability), abs=1e-9)


@pytest.mark.slow
def test_training_in_pettingzoo_lowers_the_exploitability() -> None:
    pytest.importorskip("pettingzoo")
    found = train_in_pettingzoo(ld.rules("top-wild", 3, payoffs="zero-sum"), 1000, 500)
    assert found[0] == pytest.approx(5 / 9)
    assert found[-1] < found[0] / 2


@pytest.mark.slow
def test_the_openspiel_example_agrees_with_openspiel() -> None:
    pytest.importorskip("pyspiel")
    said = ran("open_spiel_liars_dice.py", "--dice_sides=3", "--iterations=200", "--print_freq=100", "--compare")
    numbers = re.findall(r"exploitability (\S+) OpenSpiel (\S+)", said)
    assert len(numbers) == 2
    assert all(ours == theirs for ours, theirs in numbers)


@pytest.mark.slow
def test_ask_each_time_runs_a_program_for_every_prompt() -> None:
    view = View(ld.rules("common", 3), (3,), (1,))
    answering = (sys.executable, "-c", "import sys; print('Thinking of', sys.stdin.read()); print('call')")
    said = ran("ask_each_time.py", *answering, given=f"{prompt(view)}\n\n" * 2).splitlines()
    assert [read_answer(view, line) for line in said] == [CALL, CALL]
