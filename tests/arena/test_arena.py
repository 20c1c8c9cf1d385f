"""The arena: rounds against single play and exact values, matches, pairings, ratings, processes, and failing bots."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from itertools import permutations
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from scipy.optimize import minimize
from scipy.stats import binomtest

from liarsdice_cli.arena import one_by_one, vectorised
from liarsdice_cli.arena.games import play
from liarsdice_cli.arena.standings import SCALE, elo, interval, wilson
from liarsdice_cli.arena.tournament import Result, Tournament, run
from liarsdice_cli.bots.equilibrium import solved
from liarsdice_cli.bots.protocol import Policy, View
from liarsdice_cli.bots.specs import bot, policy
from liarsdice_cli.errors import LiarsDiceError, UsageError
from liarsdice_cli.extensive.evaluate import judge
from liarsdice_cli.extensive.profile import from_sets
from liarsdice_cli.extensive.stream import Floats
from liarsdice_cli.games.bidding import CALL
from liarsdice_cli.games.liarsdice.match_rules import MatchRules
from liarsdice_cli.games.liarsdice.rules import Rules, rules
from liarsdice_cli.games.liarsdice.table import Table
from liarsdice_cli.games.liarsdice.tree import build
from liarsdice_cli.solvers.best_response import best_response
from liarsdice_cli.system.local_cluster import LocalCluster
from tests.support.command_line import ROOT, alive, assert_refused, children, document, end_by, posix, run_here, start, wait_for
from tests.support.house_rules import DICE_BY_DICE
from tests.support.progress import Recorded
from tests.support.properties import examples, mostly_slow

PURE = ("honest", "zero-intelligence", "zero-intelligence:1/10")


def seed(number: int) -> np.random.SeedSequence:
    return np.random.SeedSequence(number)


# Rounds


@given(
    st.sampled_from(DICE_BY_DICE),
    st.integers(2, 5),
    st.lists(st.integers(1, 3), min_size=2, max_size=4),
    st.lists(st.sampled_from(PURE), min_size=4, max_size=4),
    st.integers(0, 2**32),
)
@examples(60)
def test_vectorised_rounds_end_like_rounds_played_one_by_one(name, sides, dice, bots, number):
    game = rules(name, sides, dice)
    players = [policy(one) for one in bots[: len(dice)]]
    generator = np.random.default_rng(number)
    faces = [generator.integers(1, sides + 1, (20, count)) for count in dice]
    lost = vectorised.losers(game, [vectorised.CumulativeTables(player, game) for player in players], faces, generator)
    for round_, loser in enumerate(lost.tolist()):
        rolls = [tuple(sorted(one[round_].tolist())) for one in faces]
        assert one_by_one.play(Table.start(game), players, rolls, generator).loser == loser


@pytest.mark.parametrize(("sides", "dice"), [(1, 99), (2, 99), (3, 40), (6, 4), (9, 3), (50, 2), (100, 1)])
def test_roll_rows_finds_unsorted_dice_for_any_number_of_dice(sides, dice):
    game = rules("common", sides, (dice, 1))
    rolls = [roll for roll, _ in game.rolls(0)]
    thrown = np.random.default_rng(1).permuted(np.array(rolls), axis=1)
    assert [rolls[row] for row in vectorised.roll_rows(game, 0, thrown).tolist()] == rolls


def test_vectorised_rounds_of_many_dice_end_like_rounds_played_one_by_one():
    game, players = rules("common", 3, (40, 40)), [policy("honest"), policy("honest")]
    generator = np.random.default_rng(1)
    faces = [generator.integers(1, 4, (50, 40)) for _ in players]
    lost = vectorised.losers(game, [vectorised.CumulativeTables(player, game) for player in players], faces, generator)
    rolls = [[tuple(sorted(roll)) for roll in one.tolist()] for one in faces]
    assert lost.tolist() == [
        one_by_one.play(Table.start(game), players, both, generator).loser for both in zip(*rolls, strict=True)
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "sides", "dice"), [("dudo", 3, (2, 1)), ("common", 6, (1, 1)), ("joker", 4, (1, 1))])
def test_random_bots_win_as_often_as_the_evaluation_of_the_uniform_profile_predicts(name, sides, dice):
    game = rules(name, sides, dice)
    tree = build(game, "multiset")
    exact = float(judge(from_sets(tree, {})).payoffs[0])
    deals = 50_000
    tally = play(game, [bot("random", 1), bot("random", 1)], deals, False, seed(1))
    for player in range(2):
        assert tally.won[player].sum() > 0
        share = tally.won[player, 0] / deals
        assert abs(share - exact) < 4.5 * sqrt(exact * (1 - exact) / deals)
        assert abs(tally.won[player, 1] / deals - (1 - exact)) < 4.5 * sqrt(exact * (1 - exact) / deals)


@pytest.mark.slow
@pytest.mark.parametrize("deals", [25_000, 100_000])
def test_win_rates_match_the_exact_values_of_mixed_strategies_that_look_back(deals: int) -> None:
    game = rules("common", 4)
    equilibrium = bot("equilibrium", 1)
    answer = bot("best-response:random", 1)
    tally = play(game, [equilibrium, answer], deals, False, seed(2))
    both = equilibrium.strategy(game), answer.strategy(game)
    for place in range(2):
        exact = _exact(game, (both[0], both[1]) if place == 0 else (both[1], both[0]))
        assert abs(tally.won[0, place] / deals - (exact if place == 0 else 1 - exact)) < 4.5 * 0.5 / sqrt(deals)


def _exact(game, strategies):
    """Return the first player's probability of winning, by traversing every deal and history."""
    rolls = [game.rolls(player) for player in range(2)]

    def walk(history, weight, one, two):
        if weight == 0:
            return 0.0
        player = len(history) % 2
        said = strategies[player].at(history)[:, (one, two)[player]]
        actions = ([CALL] if history else []) + list(range(history[-1] + 1 if history else 0, game.bid_count))
        total = 0.0
        for action, share in zip(actions, said.tolist(), strict=True):
            if action == CALL:
                true = game.holds(game.bids[history[-1]], (rolls[0][one][0], rolls[1][two][0]))
                total += weight * share * ((player == 0) != true)
            else:
                total += walk((*history, action), weight * share, one, two)
        return total

    return sum(
        walk((), float(rolls[0][one][1] * rolls[1][two][1]), one, two)
        for one in range(len(rolls[0]))
        for two in range(len(rolls[1]))
    )


@pytest.mark.slow
@pytest.mark.parametrize(("name", "sides", "dice"), [("common", 6, (1, 1)), ("joker", 4, (2, 1))])
@pytest.mark.parametrize("other", ["honest", "random", "zero-intelligence", "best-response:zero-intelligence", "itself"])
def test_an_equilibrium_wins_at_least_its_certified_value_in_a_million_rounds(name, sides, dice, other):
    game = rules(name, sides, dice)
    equilibrium = bot("equilibrium", 1)
    against = bot("best-response:equilibrium" if other == "itself" else other, 1)
    verdict = solved(game).best.judgement
    assert verdict.is_equilibrium
    deals = 500_000
    tally = play(game, [equilibrium, against], deals, False, seed(3))
    assert tally.rounds == 2 * deals == 1_000_000
    for place in range(2):
        secured = float(verdict.payoffs[place])  # exact: its guaranteed probability of winning from this seat
        margin = 4 * sqrt(secured * (1 - secured) / deals)
        share = tally.won[0, place] / deals
        assert share > secured - margin
        if other == "itself":
            assert share < secured + margin


# Deals, seats and matches


@pytest.mark.parametrize(("dice", "match"), [((1, 1), False), ((3, 2), True), ((2, 1, 2), True), ((2, 2, 2, 1), False)])
@pytest.mark.parametrize("name", mostly_slow(PURE))
def test_every_deal_is_played_from_every_seat(dice, match, name):
    """Identical deterministic bots therefore have exactly equal results."""
    tally = play(rules("common", 6, dice), [bot(name, 1) for _ in dice], 60, match, seed(4))
    assert tally.games == 60 * len(dice)
    assert np.all(tally.won == tally.won[0])
    assert np.all(tally.dice == tally.dice[0])
    assert np.array_equal(tally.ahead.sum(axis=1), tally.ahead.sum(axis=0))


@pytest.mark.slow
@given(st.lists(st.integers(1, 3), min_size=2, max_size=5), st.booleans(), st.integers(0, 1000))
@examples(40)
def test_the_counts_of_a_tally_are_consistent(dice, match, number):
    names = ["random", "honest", "random", "zero-intelligence", "random"]
    deals, players = 7, len(dice)
    tally = play(rules("dudo", 3, dice), [bot(name, 1) for name in names[:players]], deals, match, seed(number))
    games = deals * players
    assert tally.games == games
    pairs = np.triu(tally.ahead + tally.ahead.T, 1).sum()
    if match:
        assert tally.won.sum() == games
        assert pairs == games * players * (players - 1) // 2
        assert games * (sum(dice) - max(dice)) <= tally.rounds <= games * (sum(dice) - 1)
        assert tally.rounds + tally.dice.sum() == games * sum(dice)
    else:
        assert tally.won.sum() == games * (players - 1)
        assert pairs == games * (players - 1)
        assert tally.rounds == games


@pytest.mark.slow
def test_a_match_follows_its_rules() -> None:
    """Compare with a match of deterministic bots that is played round by round.

    The loser of a round gives up a die and opens the next round. A player without dice is out.
    """
    game, names, deals = rules("ones-low", 6, (2, 1, 2)), ("honest", "zero-intelligence", "zero-intelligence:0.1"), 40
    dealing, _, _ = seed(5).spawn(3)
    dealer = np.random.default_rng(dealing)
    rounds = [dealer.integers(1, 7, (deals, 3, 2)).tolist() for _ in range(5)]
    won: Counter[tuple[int, int]] = Counter()
    left: Counter[int] = Counter()
    for turn in range(3):
        bots = [policy(names[(seat - turn) % 3]) for seat in range(3)]
        for deal in range(deals):
            dice, opener = [2, 1, 2], 0
            for faces in rounds:
                seats = [(opener + place) % 3 for place in range(3) if dice[(opener + place) % 3]]
                if len(seats) == 1:
                    break
                rolls = [tuple(sorted(faces[deal][seat][: dice[seat]])) for seat in seats]
                now = rules("ones-low", 6, [dice[seat] for seat in seats])
                end = one_by_one.play(Table.start(now), [bots[seat] for seat in seats], rolls, np.random.default_rng(0))
                opener = seats[end.loser]
                dice[opener] -= 1
                while not dice[opener]:
                    opener = (opener + 1) % 3
            (winner,) = [seat for seat in range(3) if dice[seat]]
            won[(winner - turn) % 3, winner] += 1
            left[(winner - turn) % 3] += dice[winner]
    tally = play(game, [bot(name, 1) for name in names], deals, True, seed(5))
    assert {(b, s): n for (b, s), n in np.ndenumerate(tally.won) if n} == dict(won)
    assert tally.dice.tolist() == [left[b] for b in range(3)]


def test_cached_tables_and_single_rolls_give_the_same_rounds() -> None:
    """Play the same rounds with all tables built at once, with none, and with a cache that is cleared when it is full."""
    game = rules("dudo", 4, (2, 2))
    faces = [np.random.default_rng(11).integers(1, 5, (400, 2)) for _ in game.dice]
    results, made = [], []
    for least, most in ((0, 10**9), (10**9, 10**9), (6, 1000)):
        cache = vectorised.TableCache(least, most)
        players = [policy(name) for name in ("zero-intelligence:0.1@1,0.4@1", "random")]
        tables = [vectorised.CumulativeTables(player, game, cache) for player in players]
        results.append(vectorised.losers(game, tables, faces, np.random.default_rng(12)).tolist())
        made.append((bool(cache.kept), cache.bytes > 2 * most))
    assert results[0] == results[1] == results[2]
    assert made == [(True, False), (False, False), (True, False)]


# Ratings


@given(st.integers(0, 500), st.integers(0, 500))
def test_the_wilson_interval_agrees_with_scipy(won, lost):
    if won + lost == 0:
        assert wilson(0, 0) == (0.0, 1.0)
        return
    theirs = binomtest(won, won + lost).proportion_ci(0.95, method="wilson")
    assert wilson(won, won + lost) == pytest.approx((theirs.low, theirs.high), abs=1e-9)


@pytest.mark.parametrize("chances", [(0.1, 0.8, 0.1), (0.45, 0.1, 0.45), (0.25, 0.5, 0.25), (0.02, 0.16, 0.82)])
@pytest.mark.parametrize("deals", [40, 400])
def test_the_interval_has_nominal_coverage_for_any_correlation_within_deals(chances, deals) -> None:
    """Each deal is played from both seats; `chances` are the probabilities that the bot wins 0, 1 or 2 of its games."""
    truth, runs = (chances[1] + 2 * chances[2]) / 2, 2000
    won = np.random.default_rng(3).choice(3, size=(runs, deals), p=chances)
    held = 0
    for total, spread in zip(won.sum(axis=1).tolist(), won.var(axis=1) * deals, strict=True):
        low, high = interval(total, 2 * deals, deals, spread)
        held += low <= truth <= high
    assert 0.935 < held / runs < 0.98
    assert interval(0, 2 * deals, deals, 0.0) == wilson(0, deals)
    assert interval(3, 3, deals, 0.0) == wilson(3, 3), "all other games were ties"


def test_intervals_use_the_spread_over_deals() -> None:
    """Compare the tallies of single deals with the tally of all deals."""
    names, deals = ["honest", "random", "zero-intelligence"], 30
    bots, game = tuple(policy(name) for name in names), rules("common", 3, (1, 1, 1))
    ones = [play(game, bots, 1, False, np.random.SeedSequence(one)) for one in range(deals)]
    whole = sum(ones[1:], ones[0])
    result = Result(Tournament(game, bots, deals, False, 0), [whole])
    for row, column in permutations(range(3), 2):
        ahead, behind = (np.array([one.ahead[pair] for one in ones]) for pair in ((row, column), (column, row)))
        share = ahead.sum() / (ahead + behind).sum()
        spread = ((ahead - share * (ahead + behind)) ** 2).sum()
        expected = interval(int(ahead.sum()), int((ahead + behind).sum()), deals, float(spread))
        assert result.interval(row, column) == pytest.approx(expected)
    for place, standing in enumerate(result.standings()):
        won = np.array([one.won[place].sum() for one in ones])
        assert (standing.low, standing.high) == pytest.approx(interval(int(won.sum()), 3 * deals, deals, won.var() * deals))


def test_elo_agrees_with_a_numerical_maximum_likelihood_fit() -> None:
    ahead = np.array([[0, 30, 5, 0], [10, 0, 8, 100], [1, 2, 0, 3], [0, 0, 4, 0]])
    counts = ahead + 0.5 * ((ahead + ahead.T > 0) & ~np.eye(4, dtype=bool))

    def unlikely(rating):
        return np.sum(counts * np.logaddexp(0, rating[None, :] - rating[:, None])) + rating.mean() ** 2

    theirs = minimize(unlikely, np.zeros(4), tol=1e-12).x
    assert elo(ahead) == pytest.approx(SCALE * (theirs - theirs.mean()), abs=0.02)


def test_elo_recovers_the_true_ratings() -> None:
    true = np.array([-150.0, 0.0, 50.0, 100.0])
    chance = 1 / (1 + 10 ** ((true[None, :] - true[:, None]) / 400))
    found = elo(np.rint(1e7 * (chance - np.diag(np.diag(chance)))).astype(np.int64))
    assert found == pytest.approx(true, abs=0.01)
    assert np.all(np.isfinite(elo(np.array([[0, 10**6], [0, 0]]))))


# Tournaments and processes

OWN = """
import os

class Lucky:
    def act(self, view, generator):
        if view.may_call and generator.random() < 0.4:
            return "call"
        return view.legal[0] if view.legal else "call"

class Fails(Lucky):
    def act(self, view, generator):
        if generator.random() < 0.2:
            raise ValueError("of all things")
        return "9x9" if generator.random() < 0.2 else super().act(view, generator)

class Hangs(Lucky):
    def act(self, view, generator):
        while len(view.history) == 1:
            pass
        return super().act(view, generator)

class Kills(Lucky):
    # once in all games it kills the process that plays them
    def act(self, view, generator):
        if not os.path.exists("killed"):
            open("killed", "w").close()
            os.kill(os.getppid(), 9)
        return super().act(view, generator)
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "own_bots.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def counts(result):
    return [(t.games, t.rounds, t.won.tolist(), t.ahead.tolist(), t.dice.tolist(), t.failures) for t in result.tallies]


@pytest.mark.slow
def test_a_result_does_not_depend_on_the_number_of_processes(own: Path) -> None:
    names = ("equilibrium", "zero-intelligence:0.1@1,0.5@1", "own_bots:Lucky")
    bots = tuple(bot(name, 5) for name in names)
    tournament = Tournament(rules("common", 3), bots, 60, False, 6)
    progress = Recorded()
    alone = run(tournament, None, progress)
    assert progress.begun == [("preparing the bots", None, ""), ("playing", 3 * 120, "games")]
    assert progress.done == 3 * 120
    assert counts(run(tournament, LocalCluster(2))) == counts(alone)


def test_a_different_seed_gives_a_different_result() -> None:
    bots = (bot("random", 5), bot("honest", 5))
    one, again, other = (counts(run(Tournament(rules("common", 3), bots, 60, False, seed))) for seed in (6, 6, 7))
    assert one == again
    assert one != other


@pytest.mark.slow
@posix
def test_killing_a_worker_during_a_task_does_not_change_the_result(own: Path) -> None:
    tournament = Tournament(rules("common", 3), (bot("own_bots:Kills", 5), bot("honest", 5)), 251, False, 6)
    disturbed = counts(run(tournament, LocalCluster(2)))
    assert (own / "killed").exists()
    assert disturbed == counts(run(tournament))


@pytest.mark.slow
@pytest.mark.parametrize("many", [2, 3])
def test_pieces_of_many_deals_add_up_to_the_same_result_on_worker_processes(many: int) -> None:
    bots = tuple(bot(name, 5) for name in ("honest", "random", "zero-intelligence")[:many])
    tournament = Tournament(rules("dudo", 6, (2, many - 1)), bots, 25_000, True, 8)
    assert [piece.deals for piece in tournament.pieces()] == [10_000, 10_000, 5_000] * (many * (many - 1) // 2)
    assert counts(run(tournament, LocalCluster(2))) == counts(run(tournament))


@pytest.mark.slow
@pytest.mark.parametrize("many", [2, 3])
def test_a_failing_bot_forfeits_and_the_arena_continues(many: int, own: Path) -> None:
    names = ("own_bots:Hangs", "own_bots:Fails", "honest")[:many]
    tournament = Tournament(rules("common", 6, (2, 2)), tuple(bot(name, 0.1) for name in names), 20, True, 9)
    hangs, fails, *honest = run(tournament).standings()
    assert [one.games for one in (hangs, fails, *honest)] == [(many - 1) * 40] * many
    raised = "raised ValueError: of all things (own_bots.py, line "
    assert {text.partition(raised)[1] or text for text in fails.failures} == {
        raised,
        "answered '9x9', which is neither a bid of these rules nor a call",
    }
    assert hangs.failures["took longer than 0.1 s for a move"] == 3 * (many - 1)  # in each piece
    assert all(one.failures == {} and fails.won < one.won for one in honest)
    assert hangs.won < fails.won
    assert (
        sum(hangs.failures.values())
        == hangs.failures["took longer than 0.1 s for a move"]
        + (hangs.failures["no longer asked: its process had to be ended 3 times"])
    )


class Repeats(Policy):
    """Makes the lowest bid, legal or not."""

    name = "repeats"

    def act(self, view: View, generator: np.random.Generator) -> int:
        return 0

    def distribution(self, view: View) -> Floats:
        raise NotImplementedError


def test_a_policy_that_answers_with_an_illegal_action_forfeits() -> None:
    end = one_by_one.play(Table.start(rules("common", 3)), [Repeats(), Repeats()], [(1,), (1,)], np.random.default_rng(1))
    assert end.failure is not None
    assert "answered '0', which is neither a bid" in str(end.failure)


def test_unplayable_tournaments_are_refused() -> None:
    game = rules("common", 3)
    for names, asked, match, words in (
        (("honest",), game, False, "2 seats, but 1 bot"),
        (("honest", "random"), rules("common", 3, (1, 1, 1)), False, "3 seats, but 2 bot"),
        (("honest", "equilibrium:missing.json"), game, False, "cannot read missing.json"),
        (("honest", "equilibrium:missing.json"), rules("common", 3, (2, 1)), True, "leave match out"),
        (("honest", "random", "equilibrium:missing.json"), rules("common", 3, (1, 1, 1)), True, "leave match out"),
        (("honest", "random", "equilibrium"), rules("common", 6, (3, 2, 1)), False, "36 bids, more than the 24"),
        (("honest", "no_bots:Nobody"), game, False, "no_bots:Nobody cannot be found"),
    ):
        with pytest.raises((LiarsDiceError, UsageError), match=words):
            run(Tournament(asked, tuple(bot(name, 1) for name in names), 10, match, 1))


# The command line


def test_the_arena_command_prints_text_and_json_and_writes_csv(tmp_path: Path) -> None:
    asked = ("arena", "honest", "random", "honest", "--rules", "common", "--sides", 4, "--rounds", 501, "--seed", 1)
    file = tmp_path / "results.csv"
    content = document(run_here(*asked, "--json", "-o", file, "--cluster", "local:2"), "arena")
    assert content == document(run_here(*asked, "--json"), "arena")
    assert content["games"] == 502
    assert [one["name"] for one in content["bots"]] == ["honest (1)", "random", "honest (2)"]
    rows = list(csv.DictReader(io.StringIO(file.read_text())))
    assert len(rows) == 6
    assert int(rows[0]["ahead"]) == content["tables"][0]["ahead"][0][1]
    assert float(rows[0]["rate"]) == pytest.approx(content["cross"][0][1], abs=1e-6)
    on_pipe = run_here(*asked, "-o", "-")
    assert (on_pipe.code, on_pipe.out) == (0, file.read_text())
    text = run_here(*asked).out
    assert "each played from every seat; seed 1" in text
    assert "honest (2)" in text


@pytest.mark.slow
def test_the_schema_admits_matches_and_forfeits(own: Path) -> None:
    names = ("arena", "own_bots:Fails", "honest", "--dice", "2,1", "--match", "--rounds", 20, "--sides", 3)
    content = document(run_here(*names, "--json"), "arena")
    assert content["bots"][0]["forfeits"]
    assert content["bots"][1]["dice_left"] > 0
    assert "own_bots:Fails: " in run_here(*names).out
    schema = json.loads((ROOT / "docs" / "schemas" / "arena.json").read_text())
    assert not Draft202012Validator(schema).is_valid(content | {"more": 1})


def test_bots_are_listed() -> None:
    ended = run_here("bots")
    assert (ended.code, ended.err) == (0, "")
    assert [line.split()[0] for line in ended.out.splitlines()][:3] == ["random", "honest", "equilibrium"]
    names = document(run_here("bots", "--json"), "names")["names"]
    assert names[0] == {"name": "random", "summary": "every action with the same probability"}
    assert document(run_here("methods", "--json"), "names")["names"][0]["name"] == "auto"


@pytest.mark.parametrize("columns", ["10", "40"])
def test_the_arena_command_works_in_a_narrow_terminal(columns: str) -> None:
    ended = run_here("arena", "honest", "random", "--rounds", 10, "--seed", 1, COLUMNS=columns)
    assert (ended.code, ended.err) == (0, "")


@posix
@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc").exists(), reason="looks for children in /proc")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_an_interrupted_arena_ends_its_child_processes(name: str, own: Path) -> None:
    process = start("arena", "honest", "own_bots:Hangs", "--time-limit", 600, "--cluster", "local:2", "-o", own / "out.csv")

    def family() -> list[int]:
        return [*children(process.pid), *(below for child in children(process.pid) for below in children(child))]

    wait_for(lambda: len(family()) >= 3)
    mine = family()
    assert end_by(process, name) == (130, "", "liarsdice: interrupted\n")
    wait_for(lambda: not any(map(alive, mine)), 5)
    assert [file.name for file in own.iterdir() if not file.name.startswith("__")] == ["own_bots.py"]


@pytest.mark.parametrize("deals", mostly_slow([25_000, 100_000]))
def test_a_best_response_wins_its_computed_value_in_the_arena(deals: int) -> None:
    game = rules("common", 6)
    tally = play(game, [bot("best-response:honest", 1), bot("honest", 1)], deals, False, seed(10))
    for player in range(2):
        value = best_response(policy("honest").strategy(game), player).value
        assert abs(tally.won[0, player] / deals - value) < 4.5 * sqrt(value * (1 - value) / deals)


class _Watches(Policy):
    """An honest bot that records the rules of every view."""

    name = "watches"

    def __init__(self) -> None:
        self.seen: set[Rules] = set()

    def distribution(self, view: View) -> Floats:
        self.seen.add(view.rules)
        return policy("honest").distribution(view)


@pytest.mark.parametrize("palifico", mostly_slow([True, False]))
def test_matches_have_palifico_rounds_only_if_the_rule_is_on(palifico):
    bots = (_Watches(), _Watches())
    run(Tournament(rules("perudo", 6, (2, 3)), bots, 60, True, 1, MatchRules(palifico)))
    seen = bots[0].seen | bots[1].seen
    assert any(game.is_palifico for game in seen) == palifico
    assert all(game.dice[0] == 1 for game in seen if game.is_palifico)
    assert all(game.dice[0] > 1 for game in seen if palifico and not game.is_palifico)


def test_palifico_requires_a_match():
    assert_refused(run_here("arena", "honest", "random", "--palifico"), code=2)
    asked = "arena", "honest", "random", "--rules", "perudo", "--dice", "2,2", "--match", "--rounds", 20, "--seed", 1, "--json"
    assert document(run_here(*asked), "arena")["palifico"] is True
    assert document(run_here(*asked, "--no-palifico"), "arena")["palifico"] is False
