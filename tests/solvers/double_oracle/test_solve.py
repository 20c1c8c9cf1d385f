"""The double oracle against the exact method, an independent judge and plain play; refusals, limits and interrupts."""

from __future__ import annotations

import re
import time
from fractions import Fraction
from functools import cache
from itertools import combinations, count, product
from math import inf

import numpy as np
import pytest

from liarsdice_cli.errors import LiarsDiceError, TimeLimitError
from liarsdice_cli.games.bidding import CALL
from liarsdice_cli.games.liarsdice.presets import PRESETS
from liarsdice_cli.games.liarsdice.public import public_game
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.games.liarsdice.strategy import Uniform
from liarsdice_cli.progress import SILENT
from liarsdice_cli.solvers import ladder
from liarsdice_cli.solvers.double_oracle import solve as double_oracle
from liarsdice_cli.solvers.double_oracle.oracle import Oracle
from liarsdice_cli.solvers.double_oracle.restricted import RestrictedGame
from liarsdice_cli.solvers.double_oracle.sequences import Sequences
from liarsdice_cli.solvers.double_oracle.showdowns import ShowdownWeights
from liarsdice_cli.solvers.double_oracle.solve import solve
from liarsdice_cli.solvers.double_oracle.stabilisation import StabilityCentre
from liarsdice_cli.solvers.exact import linear_program, optimal_face
from liarsdice_cli.solvers.exact.linear_program import LinearProgram
from liarsdice_cli.solvers.public_tree.responses import Responses
from liarsdice_cli.solvers.registry import DOUBLE_ORACLE
from liarsdice_cli.solvers.request import PUBLIC_TREE, Request
from liarsdice_cli.strategies.expansion import expanded
from liarsdice_cli.studies.valuation import value
from tests.support.command_line import Terminal, document, end_by, posix, run_here, start, wait_for
from tests.support.known_values import SNYD_TABLE, TABLE
from tests.support.progress import Recorded
from tests.support.properties import mostly_slow

ZERO_SUM = "zero-sum"


@cache
def _near_equilibrium(game):
    """Return the average strategies of a minimiser, near an equilibrium."""
    return double_oracle._near_equilibrium(game, double_oracle._Reporter(SILENT, time.monotonic()), inf)


def _bounds(strategy):
    """Return the bounds that the public-tree evaluation proves for a strategy, in floats."""
    return Responses(public_game(strategy.rules), strategy.store).proof()


@pytest.mark.parametrize(("name", "sides", "expected"), mostly_slow(TABLE, 4))
def test_values_match_the_published_table(name, sides, expected):
    found = ladder.solve(rules(name, sides, payoffs=ZERO_SUM), Request(DOUBLE_ORACLE))
    assert (found.exact, found.finished, found.form) == (True, True, PUBLIC_TREE)
    judged = found.best.judgement
    assert judged.bounds == (expected, expected)
    assert (judged.payoffs, judged.regrets) == ((expected, -expected), (0, 0))


@pytest.mark.parametrize(
    ("name", "sides", "dice", "expected"),
    [pytest.param(*row, marks=pytest.mark.slow if row[1] > 3 else ()) for row in SNYD_TABLE],
)
def test_values_match_snyd(name, sides, dice, expected):
    found = value(rules(name, sides, dice, payoffs=ZERO_SUM), Request(DOUBLE_ORACLE, exact_max_nodes=3_000_000))
    assert (found.lower, found.upper) == (expected, expected)


SMALL = [(name, 3, dice) for dice in [(2, 1), (1, 2)] for name in PRESETS]
LESS_SMALL = [*product([name for name in PRESETS if name != "dudo"], [3], [(2, 2)]), ("dudo", 4, (2, 1)), ("common", 4, (1, 2))]
"""`dudo` is `top-wild` with the faces renamed; `SNYD_TABLE` has published values for more sides."""


@pytest.mark.parametrize(
    ("name", "sides", "dice"),
    [*mostly_slow(SMALL, 11), *(pytest.param(*game, marks=pytest.mark.slow) for game in LESS_SMALL)],
)
def test_values_match_the_exact_method(name, sides, dice):
    game = rules(name, sides, dice).without_impossible_bids()
    assert solve(game).judgement.bounds == ladder.solve(game, Request("exact", dealing="multiset")).best.judgement.bounds


@pytest.mark.parametrize(
    ("name", "dice", "quantity"),
    mostly_slow([("common", (31, 31), 2), ("common", (32, 32), 3), ("joker", (33, 33), 1), ("top-wild", (45, 45), 2)], 2),
)
def test_deal_counts_beyond_62_bits_are_exact(name, dice, quantity):
    game = rules(name, 2, dice, max_quantity=quantity)
    assert 2 ** sum(dice) >= 2**62
    assert solve(game).judgement.bounds == ladder.solve(game, Request("exact", dealing="multiset")).best.judgement.bounds


@pytest.mark.parametrize("patience", [inf, pytest.param(0, marks=pytest.mark.slow)])
def test_big_integer_counts_give_the_same_value_as_64_bit_counts(patience, monkeypatch):
    game = rules("common", 4, (2, 1))
    expected = solve(game).judgement.bounds
    monkeypatch.setattr(double_oracle, "STABILISE_AFTER", patience)
    for module in ("showdowns", "sequences"):
        monkeypatch.setattr(f"liarsdice_cli.solvers.double_oracle.{module}.BITS", 0)
    assert ShowdownWeights(game).weights[0].dtype == object
    assert solve(game).judgement.bounds == expected


LARGER = [
    ("common", 6, (1, 3), "-61/216"),
    ("common", 4, (2, 2), "7/384"),
    ("common", 5, (2, 2), "3/625"),
]
"""Games that `SNYD_TABLE` lacks, too large to compare with the exact method in a test."""


@pytest.mark.slow
@pytest.mark.parametrize(("name", "sides", "dice", "expected"), LARGER)
def test_larger_games_have_these_values(name, sides, dice, expected):
    found = solve(rules(name, sides, dice, payoffs=ZERO_SUM))
    assert found.judgement.bounds == (Fraction(expected), Fraction(expected))
    proved = _bounds(found.strategy)
    assert proved.lower <= Fraction(expected) <= proved.upper
    assert proved.exploitability < 1e-9


@pytest.mark.slow
def test_two_dice_each_with_stabilisation(monkeypatch):
    monkeypatch.setattr(double_oracle, "STABILISE_AFTER", 0)
    found = solve(rules("face-first", 5, (2, 2), payoffs=ZERO_SUM))
    assert found.judgement.bounds == (Fraction(37, 625), Fraction(37, 625))
    assert sum(found.sequences) < 10_000


@pytest.mark.slow
def test_two_dice_each_and_six_sides():
    value = solve(rules("common", 6, (2, 2), payoffs=ZERO_SUM)).judgement.payoffs[0]
    assert value == Fraction(-97993266983069, 5815959611262048)


@pytest.mark.parametrize(("name", "dice"), mostly_slow([("common", (1, 1)), ("joker", (2, 1)), ("top-wild", (1, 2))]))
def test_the_stored_strategy_is_an_equilibrium(name, dice):
    found = solve(rules(name, 3, dice))
    proved = _bounds(found.strategy)
    assert proved.lower <= found.judgement.payoffs[0] <= proved.upper
    assert proved.exploitability < 1e-12


@pytest.mark.parametrize(
    ("name", "sides", "dice"),
    mostly_slow([("top-wild", 3, (1, 1)), ("top-wild", 3, (1, 2)), ("joker", 4, (2, 1)), ("face-first", 3, (2, 2))]),
)
def test_stabilisation_changes_no_value(name, sides, dice, monkeypatch):
    game = rules(name, sides, dice)
    value = solve(game).judgement.bounds
    monkeypatch.setattr(double_oracle, "STABILISE_AFTER", 0)
    stabilised = solve(game)
    assert stabilised.judgement.bounds == value
    assert _bounds(stabilised.strategy).exploitability < 1e-9


@pytest.mark.parametrize("dice", mostly_slow([((1, 1),), ((2, 1),)]))
def test_the_first_stability_centre_matches_its_strategy(dice):
    game = RestrictedGame(ShowdownWeights(rules("top-wild", 3, dice)))
    strategy = _near_equilibrium(game.showdowns.rules)
    reach_plans = StabilityCentre(game, strategy).reach_plans
    wins = [Oracle(game, player).respond(reach_plans[1 - player]).wins / game.showdowns.total for player in (0, 1)]
    proved = _bounds(strategy)
    assert wins[0] == pytest.approx(proved.upper, abs=1e-4)
    assert 1 - wins[1] == pytest.approx(proved.lower, abs=1e-4)
    assert proved.exploitability < 1e-4


def test_the_time_limit_stops_the_construction_of_the_first_centre():
    game = RestrictedGame(ShowdownWeights(rules("joker", 3)))
    strategy = expanded(Uniform(game.showdowns.rules))
    with pytest.raises(TimeLimitError, match="stopped at the time limit, with a stability centre"):
        StabilityCentre(game, strategy, deadline=time.monotonic() - 1)


def test_plans_with_better_bounds_replace_the_centre():
    game = RestrictedGame(ShowdownWeights(rules("joker", 3)))
    centre = StabilityCentre(game, _near_equilibrium(game.showdowns.rules))
    sequences = Sequences(game)
    program = LinearProgram(sequences.form)
    reach_plans = [sequences.reach_plan(player, plan) for player, plan in enumerate(program.float_plans(program.optimum(inf)))]
    between = centre.towards(reach_plans)
    for own, point, there in zip(centre.reach_plans, between, reach_plans, strict=True):
        assert point.reach == pytest.approx(0.4 * own.reach + 0.6 * there.reach)
    centre.learn(between, (0.5, -0.75))
    assert centre.reach_plans == between
    centre.learn(reach_plans, (0.25, -0.5))
    assert centre.reach_plans == [between[0], reach_plans[1]]


class _Rounds:
    """The restricted games of a run, one per round, with their plans in floats."""

    def __init__(self, *of, stabilised=False):
        self.rules = rules(*of)
        self.game = RestrictedGame(ShowdownWeights(self.rules))
        if stabilised:
            StabilityCentre(self.game, _near_equilibrium(self.rules))

    def __iter__(self):
        while True:
            sequences = Sequences(self.game)
            program = LinearProgram(sequences.form)
            highs = program.optimum(inf)
            plans = program.float_plans(highs)
            yield sequences, program, highs, plans
            grew = False
            for player in (0, 1):
                oracle, reach_plan = Oracle(self.game, player), sequences.reach_plan(1 - player, plans[1 - player])
                # the reach plans of this round lack the histories that the first oracle adds
                if sequences.size == self.game.size:
                    improving = oracle.improving(reach_plan, oracle.respond(reach_plan), sequences.arriving[player], 1e-9)
                    grew |= len(improving.action) > 0
                    self.game.allow(improving)
            if not grew:
                return


@pytest.mark.parametrize(
    ("of", "stabilised"),
    mostly_slow(product([("common", 3), ("joker", 4), ("top-wild", 3, (2, 1)), ("face-first", 3, (1, 2))], [False, True]), 7),
)
def test_best_responses_match_an_independent_judge(of, stabilised):
    looked = 0
    for number, (sequences, _, _, plans) in zip(range(12), _Rounds(*of, stabilised=stabilised), strict=False):
        game, showdowns = sequences.game, sequences.game.showdowns
        reach_plans = [sequences.reach_plan(player, plans[player]) for player in (0, 1)]
        judge = _judge(sequences, reach_plans)
        for player in (0, 1):
            wins = Oracle(game, player).respond(reach_plans[1 - player]).wins / showdowns.total
            assert wins == pytest.approx(judge.wins(player), abs=1e-9), f"round {number}"
            looked += 1
    assert looked > (0 if stabilised else 6)


@pytest.mark.parametrize(
    "of", mostly_slow([(("top-wild", 3),), (("top-wild", 3, (2, 1)),), (("joker", 4),), (("top-wild", 4, (2, 1)),)])
)
def test_the_default_strategy_distributes_the_whole_weight_of_a_sequence(of):
    shared = 0
    for sequences, _, _, plans in _Rounds(*of, stabilised=True):
        game = sequences.game
        for player in (0, 1):
            reach_plan = sequences.reach_plan(player, plans[player])
            histories = np.flatnonzero(game.depth[: sequences.size] % 2 == player)
            leaves = np.where(histories == 0, 0, reach_plan.ends[0, histories].T).T
            child = game.child[histories]
            onwards = np.where((child != -1)[:, :, None], reach_plan.reach[child], 0).sum(axis=1)
            assert leaves + onwards == pytest.approx(reach_plan.reach[histories], abs=1e-9)
            shared += np.count_nonzero((sequences.shares[player] > 0) & (sequences.shares[player] < sequences.whole))
    assert shared > 0


@pytest.mark.parametrize("dice", mostly_slow([((1, 1),), ((2, 1),)]))
def test_sequence_form_payoffs_match_plain_play(dice):
    for sequences, _, _, plans in _Rounds("top-wild", 3, dice, stabilised=True):
        form, game = sequences.form, sequences.game
        wins = (form.payoff.astype(float) * plans[0][form.first] * plans[1][form.second]).sum() / form.scale
        first, second = (sequences.reach_plan(player, plans[player]) for player in (0, 1))
        weights, total = game.showdowns.weights, 0.0
        for here in range(1, sequences.size):
            (caller, bidder) = (second, first) if game.depth[here] % 2 else (first, second)
            true = game.showdowns.stands[0][game.last[here]]
            if game.depth[here] % 2:  # player 2 calls a bid of player 1
                total += ((bidder.reach[here] * weights[0])[:, None] * (caller.ends[0, here] * weights[1]) * true).sum()
            else:
                total += ((caller.ends[0, here] * weights[0])[:, None] * (bidder.reach[here] * weights[1]) * ~true).sum()
        assert wins == pytest.approx(total / game.showdowns.total, abs=1e-9)


@pytest.mark.parametrize("dice", mostly_slow([((1, 1),), ((2, 1),)]))
def test_the_first_restricted_game_has_few_choices(dice):
    sequences, *_ = next(iter(_Rounds("top-wild", 3, dice, stabilised=True)))
    game, answers, choices = sequences.game, 0, 0
    for player in (0, 1):
        histories = np.flatnonzero(game.depth[: sequences.size] % 2 == player)
        mixed = np.count_nonzero(game.defaults(histories, player), axis=1) > 1
        answers += np.count_nonzero(mixed & (sequences.shares[player][histories] > 0))
        choices += len(sequences.form.sides[player].rows)
    assert 0 < choices < 2 * answers / 3, f"{choices} of {answers}"


class _OfReachPlans:
    """The strategy of two plans in floats; it calls at histories that the player's own actions do not reach."""

    def __init__(self, rules, game, reach_plans):
        self.rules, self.game, self.reach_plans = rules, game, reach_plans

    def at(self, history):
        player, here = BettingState(self.rules, history).mover, 0
        allowed = BettingState(self.rules, history).actions
        said = np.zeros((len(allowed), self.game.showdowns.rolls[player]))
        for bid in history:
            here = int(self.game.child[here, bid]) if here != -1 else -1
        if here != -1:
            reach_plan = self.reach_plans[player]
            reach = np.where(reach_plan.reach[here] > 0, reach_plan.reach[here], 1)
            for place, action in enumerate(allowed):
                if action < 0:
                    said[place] = reach_plan.ends[place, here] / reach
                elif self.game.child[here, action] != -1:
                    said[place] = reach_plan.reach[self.game.child[here, action]] / reach
        said[0] += said.sum(axis=0) == 0
        return said


def _judge(sequences, reach_plans):
    grown = expanded(_OfReachPlans(sequences.game.showdowns.rules, sequences.game, reach_plans))
    return Responses(public_game(grown.rules), grown.store)


@pytest.mark.parametrize(
    ("of", "stabilised"), mostly_slow([(("joker", 4), False), (("joker", 4), True), (("face-first", 3, (1, 2)), True)], 2)
)
def test_integer_responses_match_float_responses(of, stabilised):
    for sequences, *_, plans in _Rounds(*of, stabilised=stabilised):
        for player in (0, 1):
            floats = np.rint(plans[1 - player] * 2**40)
            whole = np.array([int(number) for number in floats], object)
            oracle = Oracle(sequences.game, player)
            exactly = oracle.respond(sequences.reach_plan(1 - player, whole)).wins
            assert isinstance(exactly, int)
            roughly = oracle.respond(sequences.reach_plan(1 - player, floats)).wins
            assert exactly == pytest.approx(roughly * sequences.whole, rel=1e-9)


def test_the_strategy_calls_at_unreached_histories():
    game = rules("common", 3)
    found = solve(game)
    tree = found.strategy.store
    assert tree.histories > 1
    for history in ([], [0], [2, 3], [0, 4]):
        said = found.strategy.at(history)
        assert said.shape == (len(BettingState(game, history).actions), 3)
        assert said.sum(axis=0) == pytest.approx(1)
    assert found.strategy.at([4]).tolist()[CALL + 1] == [1.0, 1.0, 1.0]


@pytest.mark.parametrize("patience", [double_oracle.STABILISE_AFTER, 0])
def test_slow_and_fast_machines_find_the_same_equilibrium(patience, monkeypatch):
    game = rules("common", 3, (1, 2))
    monkeypatch.setattr(double_oracle, "STABILISE_AFTER", patience)
    found = []
    for step in (0.0, 7.0):  # seconds by which the clock advances at each reading
        clock = count(0.0, step)
        monkeypatch.setattr(time, "monotonic", lambda clock=clock: next(clock))
        found.append(solve(game))
    one, other = found
    assert one.facts == other.facts
    histories = [history for length in range(4) for history in combinations(range(game.bid_count), length)]
    assert all(np.array_equal(one.strategy.at(history), other.strategy.at(history)) for history in histories)


# Progress, limits and refusals


@pytest.mark.slow
def test_reported_bounds_tighten_from_round_to_round():
    progress = Recorded()
    found = solve(rules("joker", 5, payoffs=ZERO_SUM), progress)
    samples = progress.samples
    rounds = [sample.iteration for sample, _ in samples]
    assert rounds == sorted(set(rounds))
    assert {target for _, target in samples} == {None}
    proved = [sample.proved.exploitability for sample, _ in samples]
    assert proved == sorted(proved, reverse=True)
    assert proved[-1] == pytest.approx(0, abs=1e-8)
    assert found.rounds == rounds[-1]


def test_the_time_limit_ends_the_run_without_a_profile(monkeypatch):
    with pytest.raises(TimeLimitError, match="stopped at the time limit"):
        solve(rules("top-wild", 6), time_limit=1e-9)
    found = ladder.solve(rules("common", 6, (2, 2)), Request(DOUBLE_ORACLE, time_limit=0.01))
    assert (found.solved, found.finished, found.exact) == ((), False, False)
    assert "time limit" in found.note


def test_the_run_continues_after_one_unsound_basis(monkeypatch):
    asked = []

    def unsound_at_first(program, highs):
        asked.append(program)
        return None if len(asked) == 1 else whole(program, highs)

    whole = LinearProgram.exact_plans
    monkeypatch.setattr(optimal_face, "exact_plans", lambda program, highs: None)
    monkeypatch.setattr(LinearProgram, "exact_plans", unsound_at_first)
    assert solve(rules("joker", 3)).judgement.payoffs[0] == Fraction(2, 3)
    assert len(asked) > 1
    monkeypatch.setattr(LinearProgram, "exact_plans", lambda program, highs: None)
    with pytest.raises(LiarsDiceError, match="no plans of the linear program are sound"):
        solve(rules("joker", 3))


@pytest.mark.parametrize("name", mostly_slow(["joker", "top-wild"]))
def test_interior_point_plans_use_more_sequences_than_vertices(name):
    more = 0
    for _, program, highs, plans in _Rounds(name, 3):
        inside = program.interior_optimum(inf)
        value = highs.getInfo().objective_function_value
        assert inside.getInfo().objective_function_value == pytest.approx(value, abs=1e-7)
        for plan, vertex in zip(program.float_plans(inside), plans, strict=True):
            assert plan.min() > -1e-9
            more += np.count_nonzero(plan > 1e-6) - np.count_nonzero(vertex > 1e-6)
    assert more > 0, "a vertex gives more sequences the weight 0"


def test_the_simplex_method_replaces_a_failed_interior_point_method(monkeypatch):
    monkeypatch.setattr(LinearProgram, "interior_optimum", lambda self, deadline: None)
    assert solve(rules("joker", 3)).judgement.payoffs[0] == Fraction(2, 3)


def test_a_missing_optimum_raises_an_error(monkeypatch):
    for method in ("optimum", "interior_optimum"):
        monkeypatch.setattr(LinearProgram, method, lambda self, deadline, *how, **more: None)
    with pytest.raises(LiarsDiceError, match="HiGHS finds no optimum"):
        solve(rules("joker", 3))


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        (Request(DOUBLE_ORACLE, arithmetic="float"), "double-oracle computes in fractions on the public tree"),
        (Request(DOUBLE_ORACLE, form="extensive"), "double-oracle computes in fractions on the public tree"),
        (Request(DOUBLE_ORACLE, target=0.1), "takes no target"),
        (Request(DOUBLE_ORACLE, threads=2), "does not support"),
    ],
)
def test_unsupported_options_are_refused(request_, words):
    with pytest.raises(LiarsDiceError, match=words):
        ladder.solve(rules("common", 2), request_)


def test_games_without_rules_for_two_players_are_refused():
    with pytest.raises(LiarsDiceError, match="works on rules of Liar's Dice for two players"):
        ladder.solve(rules("common", 2, (1, 1, 1)), Request(DOUBLE_ORACLE))
    with pytest.raises(LiarsDiceError, match=r"try method='exact'"):
        ladder.solve(ladder.Problem.of(rules("common", 2)).tree, Request(DOUBLE_ORACLE))


def test_ctrl_c_in_highs_ends_the_run(monkeypatch):
    def interrupted(highs, deadline):
        raise KeyboardInterrupt

    monkeypatch.setattr(linear_program, "run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        solve(rules("joker", 3))


def test_too_many_rolls_are_refused():
    with pytest.raises(LiarsDiceError, match="too many pairs of rolls"):
        solve(rules("common", 6, (12, 12)))


@posix
@pytest.mark.slow
def test_ctrl_c_ends_the_command_during_a_linear_program():
    terminal = Terminal()
    process = start("solve", "--rules", "top-wild", "--dice", "2,2", "--method", DOUBLE_ORACLE, stderr=terminal.slave)
    wait_for(lambda: terminal.read() or re.search(rb"iteration (9|1\d)", terminal.text), 240)  # programs then take seconds
    ended = end_by(process, "SIGINT")
    assert terminal.close().endswith("liarsdice: interrupted\r\n")
    assert (ended.code, ended.out) == (130, "")


# The command


def test_verify_confirms_the_strategy_that_solve_writes(tmp_path):
    kept = tmp_path / "strategy.ldz"
    asked = ("solve", "--rules", "common", "--sides", 3, "--dice", "2,1", "--method", DOUBLE_ORACLE, "--payoffs", ZERO_SUM)
    content = document(run_here(*asked, "-o", kept, "--json"), "solve")
    assert (content["profiles"][0]["equilibrium"], content["method"], content["form"]) == (True, DOUBLE_ORACLE, "public tree")
    assert content["profiles"][0]["bounds"] == ["1/9", "1/9"]
    assert set(content["parameters"]) == {"rounds", "histories", "sequences", "digits"}
    again = document(run_here("verify", kept, "--json"), "verify")
    assert again["exploitability"] < 1e-4


@pytest.mark.slow
def test_values_are_exact_on_request():
    game = rules("joker", 3, (2, 1))
    within, exactly = (value(game, Request(method, exact_max_nodes=0)) for method in ("auto", DOUBLE_ORACLE))
    assert (within.exact, within.method) == (False, "dcfr+")
    assert (exactly.exact, exactly.method, exactly.value) == (True, DOUBLE_ORACLE, Fraction(2, 3))


@pytest.mark.slow
def test_values_fall_back_to_a_minimiser_at_the_time_limit():
    asked = (
        "values",
        "--rules",
        "joker",
        "--sides",
        5,
        "--dice",
        "2,2",
        "--method",
        "double-oracle",
        "--time-limit",
        0.2,
        "--json",
    )
    begun = time.monotonic()
    hurried = document(run_here(*asked), "values")
    assert time.monotonic() - begun < 60
    assert hurried["games"][0]["method"] == "dcfr+"


# Games whose values are equal for a known reason (docs/values.md)


class _HigherFace:
    """A joker strategy under ones-low rules: it never bids on face 1, and treats such a bid as the next higher one."""

    def __init__(self, under, of):
        self.rules, self.of = under, of

    def at(self, history):
        known = {bid: place for place, bid in enumerate(self.of.rules.bids)}
        bids = self.rules.bids
        renamed = [known[bids[bid]] if bids[bid].face > 1 else known[bids[bid + 1]] for bid in history]
        answer = np.zeros((len(BettingState(self.rules, history).actions), self.rules.roll_count(len(history) % 2)))
        if sorted(set(renamed)) != renamed:  # unreachable for a player that never bids on face 1
            answer[0] = 1
            return answer
        said = dict(zip(BettingState(self.of.rules, renamed).actions, self.of.at(renamed), strict=True))
        for place, action in enumerate(BettingState(self.rules, history).actions):
            if action == CALL or bids[action].face > 1:
                answer[place] = said.get(action if action == CALL else known[bids[action]], 0)
        return answer


@pytest.mark.parametrize(("sides", "dice"), mostly_slow([(3, (1, 1)), (2, (1, 1)), (4, (2, 1)), (3, (2, 2))]))
def test_a_joker_equilibrium_is_a_ones_low_equilibrium(sides, dice):
    joker = solve(rules("joker", sides, dice, payoffs=ZERO_SUM))
    lifted = expanded(_HigherFace(rules("ones-low", sides, dice, payoffs=ZERO_SUM), joker.strategy))
    proved = _bounds(lifted)
    assert proved.exploitability < 1e-12
    assert proved.lower <= joker.judgement.payoffs[0] <= proved.upper


@pytest.mark.parametrize(("sides", "dice"), [(3, (1, 1)), (4, (2, 1)), (6, (2, 2))])
def test_dudo_is_top_wild_with_the_faces_renamed(sides, dice):
    dudo, top = ShowdownWeights(rules("dudo", sides, dice)), ShowdownWeights(rules("top-wild", sides, dice))
    renamed = [sorted(_renamed(sides, roll) for roll, _ in dudo.rules.rolls(player)) for player in (0, 1)]
    assert renamed == [[roll for roll, _ in top.rules.rolls(player)] for player in (0, 1)]
    order = [
        np.argsort(
            [top.rules.rolls(player).index((_renamed(sides, roll), chance)) for roll, chance in dudo.rules.rolls(player)]
        )
        for player in (0, 1)
    ]
    assert np.array_equal(dudo.stands[0][:, order[0]][:, :, order[1]], top.stands[0])


def _renamed(sides, roll):
    return tuple(sorted(sides if face == 1 else face - 1 for face in roll))
