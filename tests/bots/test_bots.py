"""Bots: probabilities against plain definitions, best responses against the evaluation and OpenSpiel, misbehaving bots."""

from __future__ import annotations

import os
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from liarsdice_cli.arena.tournament import Tournament
from liarsdice_cli.bots.advice import EQUILIBRIUM, SHOWDOWN, Adviser
from liarsdice_cli.bots.equilibrium import Equilibrium, solved
from liarsdice_cli.bots.protocol import IllegalActionError, Policy, View, action_of
from liarsdice_cli.bots.simple import Honest
from liarsdice_cli.bots.specs import bot, policy
from liarsdice_cli.bots.user import BotFailedError, UserBot, user_policy
from liarsdice_cli.bots.zero_intelligence.policy import LevelMixture, ZeroIntelligence, robust_level, robust_levels
from liarsdice_cli.errors import LiarsDiceError, UsageError
from liarsdice_cli.extensive.evaluate import judge
from liarsdice_cli.extensive.profile import from_sets
from liarsdice_cli.formats import profile_json
from liarsdice_cli.games.bidding import CALL
from liarsdice_cli.games.liarsdice.bids import Bid
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.games.liarsdice.strategy import Uniform
from liarsdice_cli.games.liarsdice.tree import build
from liarsdice_cli.library.exploitation import exploitability
from liarsdice_cli.solvers import best_response as solver
from liarsdice_cli.solvers.best_response import best_response
from tests.support.best_responses import HistoryByHistory
from tests.support.house_rules import DICE_BY_DICE
from tests.support.open_spiel import best_response_values
from tests.support.policies import profile_by_labels
from tests.support.properties import examples, mostly_slow

POLICIES = ("random", "honest", "zero-intelligence", "zero-intelligence:0.1@1,1/2@3", "zero-intelligence:robust")


@st.composite
def views(draw: st.DrawFn) -> View:
    """Draw a view of a small game: any preset, 2 to 4 players, a roll and rising bids."""
    name = draw(st.sampled_from(DICE_BY_DICE))
    dice = tuple(draw(st.lists(st.integers(1, 2), min_size=2, max_size=4)))
    game = rules(name, draw(st.integers(2, 4)), dice)
    history = tuple(sorted(draw(st.sets(st.integers(0, game.bid_count - 1), max_size=5))))
    assume(game.bidding.allows(history))
    roll = draw(st.sampled_from([roll for roll, _ in game.rolls(BettingState(game, history).mover)]))
    return View(game, roll, history)


@given(views(), st.sampled_from(POLICIES))
@examples(150)
def test_a_policy_gives_the_same_distribution_for_one_roll_as_for_all(view: View, name: str) -> None:
    player = policy(name)
    said = player.strategy(view.rules).at(view.history)
    rolls = [roll for roll, _ in view.rules.rolls(view.player)]
    assert said.shape == (len(view.actions), len(rolls))
    assert np.all(said >= 0)
    assert np.allclose(said.sum(axis=0), 1)
    assert np.allclose(player.distribution(view), said[:, rolls.index(view.roll)])


@given(views())
@examples(300)
def test_honest_follows_its_definition(view: View) -> None:
    game = view.rules
    own = {face: sum(die in (face, game.wild) for die in view.roll) for face in game.faces}
    chance = {face: 1 if game.wild in (None, face) else 2 for face in game.faces}  # out of `sides` faces
    held = [bid for bid in view.legal if bid.quantity <= own[bid.face]]
    taken = Honest().choice(view)
    last = view.last
    if held:
        assert game.bids[taken] == held[-1]
    elif not view.legal or (last and last.quantity - own[last.face] > view.unknown * chance[last.face] // game.sides):
        assert taken == CALL
    else:
        short = [(bid.quantity - own[bid.face]) * game.sides - view.unknown * chance[bid.face] for bid in view.legal]
        assert game.bids[taken] == view.legal[short.index(min(short))]


def test_honest_plays_where_expected_numbers_have_a_long_common_denominator() -> None:
    game = rules("snyd", 10, (1, 7, 8, 9))
    view = View(game, (3,), (game.bidding.openings[0],))
    assert Honest().choice(view) in view.actions


@given(views(), st.integers(0, 2**32))
@examples(60)
def test_actions_are_legal_and_policies_that_do_not_look_back_ignore_earlier_bids(view: View, seed: int) -> None:
    for name in POLICIES:
        player = policy(name)
        assert player.act(view, np.random.default_rng(seed)) in view.actions
        if not player.looks_back and len(view.history) > view.rules.players:
            shorter = View(view.rules, view.roll, view.history[view.rules.players :])
            assert np.array_equal(player.distribution(view), player.distribution(shorter))


def test_answers_are_read_as_actions_or_refused() -> None:
    view = View(rules("common", 6), (3,), (2,))
    assert [action_of(view, answer) for answer in (CALL, "call", (1, 4), Bid(2, 1), "2x6", np.int64(-1), 5)] == [
        CALL, CALL, 3, 6, 11, CALL, 5,
    ]  # fmt: skip
    for answer, word in (
        (2, "neither"), ("1x3", "rise"), ("1x1", "rise"), ("3x1", "neither"), (None, "neither"), ("CALL ME", "neither"),
        ((1, 2, 3), "neither"), ([1, 4], "neither"), (True, "neither"),
    ):  # fmt: skip
        with pytest.raises(IllegalActionError, match=word):
            action_of(view, answer)
    with pytest.raises(IllegalActionError, match="opening"):
        action_of(View(view.rules, (3,)), "call")


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("nobody", "there is no bot 'nobody'"),
        ("", "there is no bot ''"),
        ("random:1", "write random"),
        ("equilibrium:", "names no file"),
        ("equilibrium:-", "name a file"),
        ("equilibrium:missing.json", "cannot read missing.json"),
        ("best-response", "best-response:honest"),
        ("best-response:nobody", "there is no bot 'nobody'"),
        ("eq2.ldz", "there is no bot 'eq2.ldz': for the strategy in a file, write equilibrium:eq2.ldz$"),
        ("profile.json", "write equilibrium:profile.json$"),
        ("best-response:proof.cert.gz", "write equilibrium:proof.cert.gz$"),
        ("best-response:my_bots:Mine", "gives no probabilities"),
        ("zero-intelligence:", "write zero-intelligence:0.3"),
        ("zero-intelligence:2", "above 0 and at most 1"),
        ("zero-intelligence:0.1@0,0.2@1", "weight above 0"),
        ("zero-intelligence:0.1,1/10", "different levels"),
    ],
)
def test_an_invalid_bot_specification_is_refused(spec: str, words: str) -> None:
    with pytest.raises(LiarsDiceError, match=words.replace("(", r"\(")):
        policy(spec).check(rules("common", 3))


# Best responses


class Weighted:
    """A fixed random strategy that depends on the roll, the history and the player."""

    def __init__(self, game):
        self.rules = game

    def at(self, history):
        shape = BettingState(self.rules, history).shape
        return np.random.default_rng([len(history), *history]).dirichlet(np.ones(shape[0]) / 2, shape[1]).T


@pytest.mark.parametrize(
    ("name", "sides", "dice"),
    mostly_slow(
        [("dudo", 2, (1, 2)), ("common", 3, (1, 1)), ("classic", 3, (1, 1)), ("joker", 3, (2, 1)), ("face-first", 3, (1, 1))]
    ),
)
@pytest.mark.parametrize("against", [*POLICIES, "weighted"])
def test_a_best_response_has_the_evaluated_value_and_its_strategy_attains_it(name, sides, dice, against):
    game = rules(name, sides, dice)
    tree = build(game, "multiset")
    strategy = Weighted(game) if against == "weighted" else policy(against).strategy(game)
    verdict = judge(profile_by_labels(tree, game, strategy))
    for player in range(2):
        response = best_response(strategy, player, against == "weighted" or policy(against).looks_back)
        assert response.value == pytest.approx(float(verdict.best_responses[player]), abs=1e-12)
        seats = (response, strategy) if player == 0 else (strategy, response)
        assert float(judge(profile_by_labels(tree, game, *seats)).payoffs[player]) == pytest.approx(response.value, abs=1e-12)


@pytest.mark.parametrize("against", ["random", "honest", "zero-intelligence", "zero-intelligence:0.1@1,0.5@2"])
@pytest.mark.parametrize(
    ("name", "sides", "dice"), mostly_slow([("dudo", 2, (1, 2)), ("common", 3, (1, 1)), ("joker", 3, (2, 1))])
)
def test_the_first_of_several_best_responses_is_taken_despite_rounding(name, sides, dice, against):
    def rational(share):
        return Fraction(share).limit_denominator(10**6)

    strategy = policy(against).strategy(rules(name, sides, dice))
    for player in range(2):
        found, exact = best_response(strategy, player), HistoryByHistory(strategy, 1 - player, number=rational)
        assert found.value == pytest.approx(float(exact.value), abs=1e-12)
        assert {history: rows.tolist() for history, rows in found.choices.items()} == exact.choices


class Uneven:
    """A strategy that depends only on the player and the legal actions, so that another program can reproduce it."""

    def __init__(self, game):
        self.rules = game

    def at(self, history):
        legal = BettingState(self.rules, history).actions
        order = sorted(self.rules.bid_count if action == CALL else action for action in legal)
        player = BettingState(self.rules, history).mover
        weight = {a: (i + 1) * (1 + (a * 7 + player * 3 + len(legal)) % 5) for i, a in enumerate(order)}
        total = sum(weight.values())
        column = [weight[self.rules.bid_count if action == CALL else action] / total for action in legal]
        return np.repeat(np.array(column)[:, None], self.rules.roll_count(player), axis=1)


OPEN_SPIEL = {
    ("top-wild", 3): ([0.5925925925925926, 0.5185185185185184], [0.7691244239631334, 0.3793171583494164]),
    ("top-wild", 4): ([0.6837053571428571, 0.6264136904761906], [0.8030914588057445, 0.6266360075854328]),
    ("face-first", 3): ([0.6851851851851849, 0.5864197530864197], [0.8223356009070294, 0.4799558864074993]),
    ("face-first", 4): ([0.7291666666666666, 0.6712239583333334], [0.7796626984126984, 0.7347363636363636]),
}
"""OpenSpiel 2.0.2's `best_response.BestResponsePolicy(game, player, policy).value(root)` on its `liars_dice` (`reset-face` and
`reset-quantity`), in payoffs +1/-1 for players 0 and 1, against its uniform policy and against `Uneven`."""


@pytest.mark.parametrize(("name", "sides"), OPEN_SPIEL)
def test_best_responses_agree_with_openspiel(name, sides):
    game = rules(name, sides)
    for strategy, theirs in zip((Uniform(game), Uneven(game)), OPEN_SPIEL[name, sides], strict=True):
        assert [2 * best_response(strategy, player).value - 1 for player in range(2)] == pytest.approx(theirs, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "sides"), OPEN_SPIEL)
def test_openspiels_best_response_gains_nothing_against_our_equilibrium(name, sides):
    ours = solved(rules(name, sides))
    value = 2 * float(ours.best.judgement.payoffs[0]) - 1
    assert best_response_values(ours.strategy()) == pytest.approx([value, -value], abs=1e-9)


@pytest.mark.parametrize(("sides", "value"), mostly_slow([(4, 7 / 16), (6, 4 / 9)]))
def test_the_best_response_to_an_equilibrium_gets_the_value_of_the_game(sides: int, value: float) -> None:
    game = rules("classic", sides)
    strategy = Equilibrium().strategy(game)
    assert [best_response(strategy, player).value for player in range(2)] == pytest.approx([value, 1 - value], abs=1e-12)


@pytest.mark.parametrize(
    ("spec", "asked", "words"),
    [
        ("best-response:random", ("classic", 6, (1, 1)), "68,719,476,736 betting histories"),
        ("best-response:honest", ("common", 3, (1, 1, 1)), "two players, not for 3"),
        ("best-response:random", ("common", 100, (4, 4)), "cannot be computed"),
        ("equilibrium", ("common", 6, (4, 4)), "too many to solve before play"),
        ("equilibrium", ("joker", 30, (1, 1)), "too many to solve before play"),
        ("equilibrium", ("common", 6, (3, 2, 1)), "36 bids, more than the 24"),
    ],
)
def test_games_beyond_the_reach_of_a_bot_are_refused(spec, asked, words, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "MAX_POSITIONS", 5_000)
    with pytest.raises(LiarsDiceError, match=words):
        policy(spec).check(rules(*asked))


@pytest.mark.parametrize("chance", ["ordered", "multiset", "staged"])
def test_an_equilibrium_is_read_from_a_file_with_any_dealing(chance: str, tmp_path: Path) -> None:
    game = rules("joker", 3, (1, 2))
    tree = build(game, chance)
    file = tmp_path / "profile.json"
    file.write_bytes(profile_json.dumps(from_sets(tree, {}), "by hand"))
    player = policy(f"equilibrium:{file}")
    player.check(game)
    assert np.array_equal(player.strategy(game).at([1]), Uniform(game).at([1]))
    with pytest.raises(LiarsDiceError, match="belongs to another game"):
        player.check(rules("joker", 3, (1, 1)))


# Advice


def test_advice_is_from_the_equilibrium_in_small_games_and_from_showdown_odds_otherwise() -> None:
    game = rules("common", 4)
    adviser = Adviser()
    opening = adviser.advice(View(game, (3,)))
    values = [adviser.advice(View(game, roll)).values for roll, _ in game.rolls(0)]
    assert opening.basis == EQUILIBRIUM
    assert sum(max(worth) for worth in values) / 4 == solved(game).best.judgement.payoffs[0]
    assert opening.cost(opening.best) == 0
    assert min(opening.cost(action) for action in opening.actions) == 0
    among_three = View(rules("common", 6, (2, 2, 2)), (3, 3), (8,))
    many = adviser.advice(among_three)
    assert (many.basis, many.values[0]) == (SHOWDOWN, 1 - among_three.probability(Bid(2, 3)))


def test_advice_is_to_call_an_impossible_bid() -> None:
    game = rules("classic", 6)
    advice = Adviser().advice(View(game, (3,), (2, 20)))
    assert (advice.basis, advice.best, advice.cost(CALL), advice.cost(25)) == (EQUILIBRIUM, CALL, 0, 1)


# User bots

OWN = """
import os, time

class Steady:
    def __init__(self):
        self.seen = 0
    def act(self, view, generator):
        self.seen += 1
        return view.legal[int(generator.integers(len(view.legal)))] if self.seen < 3 else "call"

class Raises:
    def act(self, view, generator):
        raise ValueError("of all\\nthings")

class Lies:
    def act(self, view, generator):
        return "9x9"

class Hangs:
    def act(self, view, generator):
        while True:
            try:
                time.sleep(60)
            except BaseException:
                pass

class Ends:
    def act(self, view, generator):
        os._exit(0)

class Prints:
    def act(self, view, generator):
        print("a word on standard output")
        return view.legal[0]

class Actless:
    pass

class Teller:
    def distribution(self, view):
        return [0.0] * (len(view.actions) - 2) + [0.25, 0.75]

class Unmade:
    def __init__(self):
        raise RuntimeError("no")
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "own_bots.py").write_text(OWN)
    (tmp_path / "broken_bots.py").write_text("import nothing_of_the_kind\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


VIEW = View(rules("common", 6), (3,), (2,))


@pytest.mark.parametrize(
    ("name", "words", "ended"),
    mostly_slow(
        [
            ("Hangs", r"took longer than 0.2 s for a move", True),
            ("Ends", "ended its own process", True),
            ("Raises", r"raised ValueError: of all things \(.*own_bots\.py, line \d+\)$", False),
            ("Lies", "answered '9x9', which is neither a bid", False),
        ],
        4,
    ),
)
def test_a_failing_bot_raises_an_error_with_the_reason(own: Path, name: str, words: str, ended: bool) -> None:
    player = UserBot(f"own_bots:{name}", 0.2)
    try:
        player.begin([1])
        for _ in range(2):  # the second time, a bot whose process ended is restarted
            with pytest.raises(BotFailedError, match=words) as caught:
                player.act(VIEW)
            assert caught.value.ended == ended
    finally:
        player.close()


@pytest.mark.slow
def test_a_bot_restarts_and_repeats_its_moves_for_the_same_seed(own: Path) -> None:
    player = UserBot("own_bots:Steady", 5)
    try:
        player.begin([7])
        first = [player.act(VIEW) for _ in range(3)]
        player.begin([7])
        assert [player.act(VIEW) for _ in range(3)] == first
        assert first[2] == CALL
    finally:
        player.close()


@pytest.mark.slow
def test_output_printed_by_a_bot_does_not_reach_standard_output(own: Path, capfd: pytest.CaptureFixture[str]) -> None:
    player = UserBot("own_bots:Prints", 5)
    try:
        player.begin([1])
        assert player.act(VIEW) == 3
    finally:
        player.close()
    assert capfd.readouterr().out == ""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("own_bots:Nobody", "there is no Nobody in own_bots"),
        ("broken_bots:Any", "raised ModuleNotFoundError"),
        ("own_bots:Unmade", "raised RuntimeError: no"),
        ("no_bots:Nobody", "cannot be found: run in the folder"),
        ("own_bots:Actless", "has no method act"),
    ],
)
def test_a_bot_that_cannot_be_created_is_refused_by_name(own: Path, name: str, words: str) -> None:
    player = bot(name, 1)
    assert isinstance(player, UserBot)
    with pytest.raises(LiarsDiceError, match=f"{name} .*{words}"):
        player.begin([1])


@pytest.mark.slow
def test_a_bot_that_returns_a_distribution_plays_by_it(own: Path) -> None:
    player = UserBot("own_bots:Teller", 5)
    try:
        player.begin([1])
        answers = [player.act(VIEW) for _ in range(200)]
    finally:
        player.close()
    assert set(answers) == {VIEW.actions[-2], VIEW.actions[-1]}
    assert 120 < answers.count(VIEW.actions[-1]) < 180


@pytest.mark.slow
def test_the_process_of_a_bot_is_gone_after_a_timeout(own: Path) -> None:
    player = UserBot("own_bots:Hangs", 0.1)
    player.begin([1])
    process = player._child._process
    with pytest.raises(BotFailedError):
        player.act(VIEW)
    assert not process.is_alive()
    if os.name == "posix":
        with pytest.raises(ProcessLookupError):
            os.kill(process.pid, 0)


def test_specifications_that_are_no_import_path_are_refused() -> None:
    for spec in ("own bots:Mine", "own_bots:Mine()", "../own:Mine", "os.system('x'):Y", "own_bots"):
        with pytest.raises(UsageError, match="there is no bot"):
            bot(spec, 1)


HISTORIES = ((), (0,), (1, 4), (5,), (0, 2, 3), (0, 2, 3, 7))


def test_robust_bots_play_the_robust_level_of_each_seat() -> None:
    game = rules("ones-low", 3, (1, 2))
    fixed = policy("zero-intelligence:robust").strategy(game)
    one = [ZeroIntelligence(game, robust_level(game, seat)) for seat in (0, 1)]
    assert one[0].level != one[1].level
    for history in HISTORIES:
        assert np.array_equal(fixed.at(history), one[BettingState(game, history).mover].at(history))


@pytest.mark.slow
def test_robust_mixture_bots_play_the_robust_mixture_of_each_seat() -> None:
    game = rules("ones-low", 4, (1, 2))
    drawn = policy("zero-intelligence:robust-mixture").strategy(game)
    many = [LevelMixture.of_levels(game, robust_levels(game, seat)) for seat in (0, 1)]
    assert all(len(mixture.strategies) > 1 for mixture in many)
    for history in HISTORIES:
        assert drawn.at(history) == pytest.approx(many[BettingState(game, history).mover].at(history), abs=1e-9)


@pytest.mark.parametrize("spec", mostly_slow(["zero-intelligence:robust", "zero-intelligence:normal:robust-mixture"]))
def test_robust_bots_play_a_match_of_three_players(spec: str) -> None:
    entered = Tournament(rules("dudo", 3, (2, 1, 1)), (policy(spec), policy("honest"), policy("random")), 40, True, seed=1)
    assert entered.play(next(iter(entered.pieces()))).games == 120


@pytest.mark.parametrize(("name", "dice"), mostly_slow([("dudo", (3, 3)), ("common", (2, 4, 3)), ("face-first", (4, 3))]))
@pytest.mark.parametrize(
    "spec",
    [
        "zero-intelligence",
        "zero-intelligence:1/20",
        "zero-intelligence:1",
        "zero-intelligence:robust",
        "zero-intelligence:normal:1/2",
        "zero-intelligence:normal:1/5",
    ],
)
def test_zero_intelligence_acts_the_same_for_one_roll_as_in_its_strategy(name, dice, spec) -> None:
    game = rules(name, 6, dice)
    player, plan = policy(spec), policy(spec).strategy(game)
    generator = np.random.default_rng(1)
    for _ in range(100):
        history = tuple(sorted(generator.choice(game.bid_count, generator.integers(0, 4), replace=False).tolist()))
        rolls = [roll for roll, _ in game.rolls(BettingState(game, history).mover)]
        row = int(generator.integers(len(rolls)))
        said = player._of_level(
            View(game, rolls[row], history), next(iter(player.levels(game, BettingState(game, history).mover)))
        )
        assert np.array_equal(said, plan.at(history)[:, row])


def test_the_working_folder_is_added_to_the_search_path_once(tmp_path, monkeypatch):
    (tmp_path / "often_named.py").write_text("from liarsdice_cli.bots.simple import Random\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    before = len(sys.path)
    try:
        for _ in range(3):
            assert isinstance(user_policy("often_named:Random"), Policy)
    finally:
        sys.modules.pop("often_named", None)
    assert len(sys.path) == before + 1


class _Wrong(Policy):
    """A policy that returns a given distribution, valid or not."""

    name = "wrong"

    def __init__(self, said: Any) -> None:
        self.said = said

    def distribution(self, view: View) -> Any:
        return self.said


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ([0.5, 0, 0, 0], "they add up to 0.5"),
        ([1.0], r"the result has the shape \(1,\), not \(4,\)"),
        ([1.5, -0.5, 0, 0], "one is negative"),
        ([float("nan"), 1, 0, 0], "one is negative or not a number"),
    ],
)
def test_an_invalid_distribution_is_refused_in_evaluation_and_in_play(said: Any, reason: str) -> None:
    game, bot = rules("common", 2), _Wrong(said)
    message = f"wrong gives no probabilities in the opening with 1: {reason}"
    with pytest.raises(LiarsDiceError, match=message):
        exploitability(game, bot)
    with pytest.raises(LiarsDiceError, match=message):
        bot.act(View(game, (1,)), np.random.default_rng(0))
