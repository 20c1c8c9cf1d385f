"""House rules in bots, solvers, evaluations, files and pages, each against the explicit tree."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest

from liarsdice_cli.arena import one_by_one, vectorised
from liarsdice_cli.bots.protocol import View
from liarsdice_cli.bots.specs import policy
from liarsdice_cli.draw.explorer import columns
from liarsdice_cli.errors import LiarsDiceError, UsageError
from liarsdice_cli.extensive import after_history
from liarsdice_cli.extensive.evaluate import judge
from liarsdice_cli.extensive.profile import from_sets
from liarsdice_cli.formats import ldz
from liarsdice_cli.games.bidding import OPENING
from liarsdice_cli.games.liarsdice import continuations
from liarsdice_cli.games.liarsdice.betting import Betting
from liarsdice_cli.games.liarsdice.locks import strategy_lock
from liarsdice_cli.games.liarsdice.player_view import PlayerView, expected_of_others
from liarsdice_cli.games.liarsdice.public import public_game
from liarsdice_cli.games.liarsdice.rules import Rules, rules
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.games.liarsdice.strategy import ProfileStrategy, Strategy, Uniform
from liarsdice_cli.games.liarsdice.table import Table
from liarsdice_cli.games.liarsdice.tree import build
from liarsdice_cli.solvers import betting_search, ladder
from liarsdice_cli.solvers.best_response import best_response_value, coalition_value
from liarsdice_cli.solvers.double_oracle.restricted import RestrictedGame
from liarsdice_cli.solvers.double_oracle.showdowns import ShowdownWeights
from liarsdice_cli.solvers.double_oracle.solve import solve as double_oracle
from liarsdice_cli.solvers.double_oracle.stabilisation import StabilityCentre
from liarsdice_cli.solvers.public_tree.responses import Responses
from liarsdice_cli.solvers.public_tree.restricted_nash import ApproximateResponses
from liarsdice_cli.solvers.public_tree.solver import PublicTree
from liarsdice_cli.solvers.public_tree.values import Values
from liarsdice_cli.solvers.regret.convergence import Limits, run
from liarsdice_cli.solvers.regret.minimisers import MINIMISERS, minimiser
from liarsdice_cli.solvers.request import EXTENSIVE, PUBLIC_TREE, Request
from liarsdice_cli.strategies.expansion import expanded
from liarsdice_cli.strategies.mixture import Mixture
from liarsdice_cli.strategies.stored import StoredStrategy
from tests.support.entries import draw
from tests.support.house_rules import each_house, each_house_of_any, is_reached
from tests.support.policies import Whatever
from tests.support.progress import Recorded
from tests.support.properties import mostly_slow


def histories(game: Rules) -> list[tuple[int, ...]]:
    every = (bids for length in range(game.bid_count + 1) for bids in combinations(range(game.bid_count), length))
    return [history for history in every if is_reached(game, history)]


def judged(game: Rules, strategy: Strategy):
    """Return the evaluation of a strategy on the explicit tree."""
    tree = build(game, "multiset")
    first = [int(np.argmax(tree.infosets.player == player)) for player in range(game.players)]
    betting, given = Betting(game.bidding, game.players), {}
    for history in histories(game):
        player = BettingState(game, history).mover
        for roll, column in enumerate(strategy.at(history).T.tolist()):
            given[first[player] + roll * betting.histories[player] + betting.rank(history)] = column
    return judge(from_sets(tree, given))


def value(game: Rules):
    return ladder.solve(game, Request("exact", dealing="multiset")).best.judgement


@each_house_of_any
def test_histories_match_a_plain_enumeration(game):
    assert sorted(game.bidding.histories()) == sorted(histories(game))
    assert game.bidding.history_count == len(histories(game))
    for history in combinations(range(game.bid_count), 3):
        assert game.bidding.allows(history) == is_reached(game, history)


@each_house
def test_double_oracle_and_public_tree_values_match_the_exact_method(game):
    exact = value(game)
    assert exact.exact
    assert double_oracle(game).judgement.bounds == exact.bounds
    for name in MINIMISERS:
        solver = PublicTree(public_game(game), minimiser(name))
        proved = run(solver, Limits(0.02, iterations=20_000)).last.proved
        assert proved.upper - proved.lower <= 0.08
        assert proved.lower <= exact.payoffs[0] <= proved.upper


@each_house_of_any
@pytest.mark.parametrize("iterations", mostly_slow([5, 0, 1, 30]))
def test_evaluation_on_the_public_tree_matches_the_explicit_tree(game, iterations):
    solver = PublicTree(public_game(game), minimiser("dcfr+"))
    solver.expansion_threshold = 0.03
    for _ in range(iterations):
        solver.iterate()
    generator = np.random.default_rng(5)
    for again in range(2):
        verdict, ours = judged(game, StoredStrategy(game, solver.store)), solver.responses.judge()
        assert ours.payoffs == pytest.approx([float(number) for number in verdict.payoffs], abs=1e-12)
        assert ours.regrets == pytest.approx([float(number) for number in verdict.regrets], abs=1e-12)
        for _, shard in [] if again else solver.store.all_shards:  # evaluate again with random averages
            draw(shard, "averages", generator, 0.6)


@each_house_of_any
def test_a_cut_tree_gives_the_same_strategies(game, monkeypatch):
    whole = PublicTree(public_game(game), minimiser("dcfr"))
    monkeypatch.setattr("liarsdice_cli.strategies.store.default_cut", lambda bids: 2)
    cut = PublicTree(public_game(game), minimiser("dcfr"), threads=1)
    assert len(cut.store.shards)
    for solver in (whole, cut):
        for _, shard in solver.store.all_shards:  # without room, histories are expanded later
            shard.reserve(1 << 10, 1 << 14, 1 << 15, 1 << 15)
        for _ in range(12):
            solver.iterate()
    for history in histories(game):
        one, other = (StoredStrategy(game, solver.store).at(history) for solver in (cut, whole))
        assert one == pytest.approx(other, abs=1e-9)


@each_house_of_any
def test_a_strategy_survives_a_round_trip_through_a_file(game, tmp_path):
    said = Mixture((Uniform(game), Whatever(game, 3)), (0.1, 0.9))  # so that all histories are reached
    grown, name = expanded(said), str(tmp_path / "kept.ldz")
    ldz.write(name, grown, ldz.Origin("none", 0, 0.0, 1.0) if game.players == 2 else ldz.Origin("none", 0, regrets=(1.0,) * 3))
    kept = ldz.StrategyFile(name)
    assert kept.rules == game
    for history in histories(game):
        assert grown.at(history) == pytest.approx(said.at(history), abs=1e-12)
        assert kept.at(history) == pytest.approx(grown.at(history), abs=1e-4)


@each_house
@pytest.mark.parametrize("player", [0, 1])
def test_every_search_finds_the_best_response_value(game, player, monkeypatch):
    strategy = Whatever(game, 7)
    lost, won = (float(game.payoffs_when_losing(loser)[player]) for loser in (player, 1 - player))
    expected = (float(judged(game, strategy).best_responses[player]) - lost) / (won - lost)
    for room in (1, 1 << 17):
        monkeypatch.setattr(betting_search, "ROOM", room)
        progress = Recorded()
        assert best_response_value(strategy, player, progress=progress).value == pytest.approx(expected, abs=1e-12)
        assert progress.done == len(histories(game))
    assert Responses(public_game(game), expanded(strategy).store).wins(player) == pytest.approx(expected, abs=1e-12)


@each_house_of_any
def test_values_after_a_history_match_a_traversal_of_the_tree(game):
    tree = build(game)
    generator = np.random.default_rng(4)
    profile = from_sets(
        tree,
        {
            row: generator.dirichlet(np.ones(tree.action_counts[row])).tolist()
            for row, player in enumerate(tree.infosets.player.tolist())
            if player >= 0
        },
    )
    strategy = ProfileStrategy.of(game, tree, profile.probabilities)
    everything, grown = continuations.all_continuations(strategy), Values(expanded(strategy))
    for number, history in enumerate(histories(game)):
        said = everything.after(history)
        for other in [grown.after(history), *([continuations.after(strategy, history)] if number % 3 == 0 else [])]:
            assert np.allclose(other.probabilities, said.probabilities, rtol=0, atol=1e-12)
            assert np.allclose(other.values, said.values, rtol=0, atol=1e-12)
        if game.players == 2:
            walked = after_history.after(profile, [str(game.bids[bid]) for bid in history])
            assert walked.actions == tuple(game.action_name(act) for act in BettingState(game, history).actions)
            for place, row in enumerate(walked.rows):
                assert np.allclose(said.values[:, place], np.array(row.values, float), rtol=1e-6)


@each_house_of_any
def test_a_page_is_the_same_read_at_once_or_history_by_history(game):
    everything = continuations.all_continuations(Whatever(game, 9))
    for depth in (0, 2, game.bid_count):
        at_once = columns.tables(everything, depth)
        one_by_one_read = columns.tables(columns.OneByOne(game, everything.after), depth)
        legal = [game.bidding.allows(history) for history in columns._in_order(game, depth)]
        for mine, other in zip(at_once[:2], one_by_one_read[:2], strict=True):
            assert np.nan_to_num(mine[:, legal]) == pytest.approx(np.nan_to_num(other[:, legal]))


@each_house_of_any
@pytest.mark.parametrize(
    "name", mostly_slow(["honest", "random", "zero-intelligence:1/3", "zero-intelligence:robust-mixture"], 2)
)
def test_bots_play_legal_actions_alike_for_one_roll_and_for_all(game, name):
    bot = policy(name)
    if game.stairs and name.startswith("zero"):
        with pytest.raises(LiarsDiceError, match="does not play with stairs"):
            bot.check(game)
        return
    strategy = bot.strategy(game)
    for history in histories(game):
        said = strategy.at(history)
        assert said.shape == BettingState(game, history).shape
        assert said.sum(axis=0) == pytest.approx(1)
        for column, (roll, _) in zip(said.T, game.rolls(BettingState(game, history).mover), strict=True):
            view = View(game, roll, history)
            assert bot.distribution(view) == pytest.approx(column)
            assert [str(bid) for bid in view.legal] == [str(game.bids[act]) for act in view.actions if act >= 0]


@each_house_of_any
def test_batched_rounds_end_like_single_rounds(game):
    third = policy("honest" if game.stairs else "zero-intelligence:1/3")
    bots = [policy("honest"), third, policy("honest")][: game.players]
    generator = np.random.default_rng(2)
    dice = [generator.integers(1, game.sides + 1, (60, count)) for count in game.dice]
    lost = vectorised.losers(game, [vectorised.CumulativeTables(bot, game) for bot in bots], dice, generator)
    for number, loser in enumerate(lost.tolist()):
        rolls = [tuple(sorted(own[number].tolist())) for own in dice]
        assert one_by_one.play(Table.start(game), bots, rolls, generator).loser == loser


@each_house
def test_a_stability_centre_allows_only_legal_openings(game):
    solver = PublicTree(public_game(game), minimiser("dcfr+"))
    for _ in range(50):
        solver.iterate()
    restricted = RestrictedGame(ShowdownWeights(game))
    StabilityCentre(restricted, StoredStrategy(game, solver.store))
    made = [restricted.last[restricted.child[0, bid]] for bid in range(game.bid_count) if restricted.child[0, bid] >= 0]
    assert made
    assert set(made) <= set(game.bidding.following(OPENING))


@each_house
def test_restricted_nash_responses_respect_the_value_and_reach_the_best_response(game):
    backend = ApproximateResponses(Uniform(game), 0, minimiser("dcfr+"), Limits(0.02, iterations=3_000))
    found = [backend.respond(weight) for weight in (0.0, 1.0)]
    assert found[0].worst_case <= float(value(game).payoffs[0]) + 1e-9
    best = float(judged(game, Uniform(game)).best_responses[0])
    assert found[1].gain == pytest.approx(best, abs=0.1)


@each_house_of_any
def test_a_lock_of_the_uniform_strategy_covers_all_histories_of_its_player(game):
    assert set(strategy_lock(Uniform(game), 1, 10_000)) == {
        history for history in histories(game) if BettingState(game, history).mover == 1
    }


def test_probabilities_with_stairs_match_an_enumeration_of_the_other_rolls():
    game = rules("joker", 3, (1, 2, 1), stairs=True)
    others = [*product(product((1, 2, 3), repeat=2), product((1, 2, 3), repeat=1))]
    for roll, _ in game.rolls(0):
        for bid in game.bids:
            true = Fraction(sum(game.holds(bid, (roll, *dealt)) for dealt in others), len(others))
            assert View(game, roll).probability(bid) == true
    for face in game.faces:
        mean = Fraction(sum(sum(game.matching(roll, face) for roll in dealt) for dealt in others), len(others))
        assert expected_of_others(game, 0, face) == mean


def test_methods_that_count_single_dice_are_refused_with_stairs():
    game = rules("snyd", 3, (1, 1, 1))
    with pytest.raises(UsageError, match="give rules without"):
        PlayerView(game, (1,), 2, 1)
    with pytest.raises(LiarsDiceError, match="the other players cannot be treated as one"):
        coalition_value(Uniform(game), 0)


SNYD = {2: "0", 3: "1/9", 4: "0"}
"""The column "Stairs" of the 1v1 table in the README of https://github.com/thomasahle/snyd."""


@pytest.mark.parametrize("sides", mostly_slow([3, 2, 4]))
def test_values_with_stairs_match_the_published_table(sides):
    found = ladder.solve(rules("snyd", sides, payoffs="zero-sum"), Request("exact", dealing="multiset"))
    assert found.best.judgement.payoffs[0] == Fraction(SNYD[sides])


SPOT_ON = [
    rules("common", 3, (1, 1), spot_on=True, payoffs="zero-sum"),
    rules("perudo", 3, (1, 1), spot_on=True),
    rules("joker", 2, (2, 1), spot_on=True, stairs=True),
    rules("common", 3, (1, 2), fixed_face=True, spot_on=True),
]


@pytest.mark.parametrize("game", SPOT_ON, ids=str)
def test_solvers_agree_on_games_with_spot_on(game):
    found = ladder.solve(game, Request("exact", dealing="multiset"))
    assert (found.exact, found.form) == (True, EXTENSIVE)
    lower, upper = ladder.solve(game, Request("dcfr+", dealing="multiset", target=1e-3)).best.judgement.bounds
    assert lower <= found.best.judgement.payoffs[0] <= upper
    lower, upper = ladder.solve(game, Request("dcfr+", form=PUBLIC_TREE, target=1e-3)).best.judgement.bounds
    assert lower <= found.best.judgement.payoffs[0] <= upper


def test_removing_impossible_bids_keeps_the_value_with_spot_on(monkeypatch):
    whole = rules("classic", 3, spot_on=True)
    every = ladder.solve(whole, Request("exact")).best.judgement
    monkeypatch.setattr("liarsdice_cli.games.liarsdice.tree.MAX_NODES_WITH_IMPOSSIBLE_BIDS", 1)
    assert ladder.solve(whole, Request("exact")).best.judgement.payoffs == every.payoffs


def test_spot_on_values_match_a_hand_calculation():
    """With one side and two dice, bids on one or two dice are true, and a bid on two is exact."""
    alike = from_sets(build(rules("common", 1, (1, 1), spot_on=True, payoffs="zero-sum")), {})
    for history, worth in ((["1x1"], [-1, -1, 0]), (["2x1"], [-1, 1]), (["1x1", "2x1"], [-1, 1])):
        page = after_history.after(alike, history)
        assert page.actions[:2] == ("call", "spot-on")
        assert page.rows[0].values == worth
