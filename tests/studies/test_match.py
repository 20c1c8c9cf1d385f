"""Test matches: against the whole match solved exactly as one tree, by simulation, and with intervals."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarsdice_cli.errors import UsageError
from liarsdice_cli.games.bidding import CALL
from liarsdice_cli.games.liarsdice.match_rules import MatchRules
from liarsdice_cli.games.liarsdice.rules import Rules, rules
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.games.liarsdice.strategy import ProfileStrategy
from liarsdice_cli.games.liarsdice.table import Table
from liarsdice_cli.games.liarsdice.tree import build
from liarsdice_cli.library.tables import match
from liarsdice_cli.solvers.exact import solve as exact
from liarsdice_cli.solvers.request import Request
from liarsdice_cli.studies import value_table
from liarsdice_cli.studies.intervals import LOST, SURE, Interval
from liarsdice_cli.studies.match import (
    OPEN,
    OPENERS,
    PROVED,
    REVERSED,
    Stage,
    _combined,
    chance,
    play,
    stages,
)
from liarsdice_cli.studies.valuation import REFUSED, Valuation, value
from tests.support.command_line import assert_refused, document, run_here
from tests.support.match_tree import End, MatchTree, Round
from tests.support.properties import examples


def rounds(name: str, sides: int, dice: tuple[int, int], palifico: bool = False) -> list[Rules]:
    return stages(Table.start(rules(name, sides, dice), MatchRules(palifico=palifico)))


def solved(name: str, sides: int, dice: tuple[int, int], opener: str, work: Request | None = None, palifico: bool = False):
    return play({game: chance(value(game, work)) for game in rounds(name, sides, dice, palifico)}, opener)


# The whole match as one tree


class WholeMatch(MatchTree):
    """A whole match as one tree."""

    def __init__(self, name: str, sides: int, dice: tuple[int, int], opener: str, palifico: bool = False) -> None:
        super().__init__()
        self.name, self.sides, self.opener, self.palifico = name, sides, opener, palifico
        self._start(dice, 0, ())

    def _start(self, dice: tuple[int, ...], first: int, past: tuple[object, ...]) -> None:
        """Add a round that player `first` opens; `dice` are those of players 1 and 2."""
        seated = rules(self.name, self.sides, (dice[first], dice[1 - first]))
        if self.palifico and past and dice[first] == 1:  # the opener has just lost a round
            seated = seated.palifico()
        self._round(Round(seated, dice, first), past)

    def _after(self, played: Round, end: End, past: tuple[object, ...]) -> None:
        loser = end.player if played.rules.holds(end.bid, end.rolls) else 1 - end.player
        left = tuple(count - (seat == loser) for seat, count in enumerate(played.dice))
        if 0 in left:
            self._win(left.index(max(left)))
        else:
            self._start(left, {"loser": loser, "winner": 1 - loser, "alternate": 1 - played.opener}[self.opener], past)


WHOLE = [
    ("joker", 2, (1, 2)),
    ("joker", 2, (2, 1)),
    ("joker", 3, (1, 2)),
    ("common", 2, (1, 2)),
    ("top-wild", 2, (2, 1)),
    ("joker", 2, (2, 2)),
]


QUICK = ("top-wild", 2, (2, 1), "alternate")


@pytest.mark.parametrize(
    ("name", "sides", "dice", "opener"),
    [
        pytest.param(*one, opener, marks=pytest.mark.slow if one not in WHOLE[:2] and (*one, opener) != QUICK else ())
        for one in WHOLE
        for opener in OPENERS
        if opener != "winner" or one != ("joker", 2, (2, 2))
    ],
)
def test_the_rounds_add_up_to_the_whole_match_solved_as_one_game(name, sides, dice, opener):
    found = solved(name, sides, dice, opener)[dice].match
    assert found.exact
    assert found.lower == WholeMatch(name, sides, dice, opener).value()


@pytest.mark.slow
@pytest.mark.parametrize(("name", "dice"), [("perudo", (2, 1)), ("joker", (1, 2)), ("perudo", (1, 1)), ("common", (1, 2))])
def test_the_rounds_add_up_to_the_whole_match_with_palifico(name, dice):
    value = WholeMatch(name, 2, dice, "loser", palifico=True).value()
    assert solved(name, 2, dice, "loser", palifico=True)[dice].match == (value, value)


def test_which_rounds_are_palifico() -> None:
    played = {game.dice: game.is_palifico for game in rounds("perudo", 3, (1, 3), palifico=True)}
    assert {dice for dice, last in played.items() if last} == {(1, 1), (1, 2)}
    assert not any(game.is_palifico for game in rounds("perudo", 3, (3, 2)))


def test_a_table_of_values_distinguishes_palifico_rounds(tmp_path) -> None:
    games = [rules("perudo", 2), rules("perudo", 2).palifico(), rules("perudo", 2, wild="none")]
    known = [Valuation(game, "exact", Fraction(0), Fraction(place), 0.1, None) for place, game in enumerate(games[:2])]
    (tmp_path / "kept.csv").write_bytes(value_table.dumps(known))
    assert value_table.read(str(tmp_path / "kept.csv")) == known
    assert [game.is_palifico for game in games] == [False, True, False]


@pytest.mark.slow
def test_rounds_with_one_die_are_palifico() -> None:
    asked = ("match", "--rules", "perudo", "--sides", 2, "--dice", "2,1")
    said = document(run_here(*asked, "--json"), "values")
    assert said["match"]["palifico"] is True
    assert [one["rules"]["dice"] for one in said["games"] if one["rules"].get("fixed_face")] == [[1, 1]]
    assert_refused(run_here(*asked, "--opener", "winner"), code=2)
    assert run_here(*asked, "--opener", "winner", "--no-palifico").code == 0


# By simulation


def _sampler(game: Rules):
    """Return a function that plays a round with equilibrium strategies and returns whether the opener wins."""
    tree = build(game, "multiset")
    answer, _ = exact.solve(tree)
    strategy = ProfileStrategy.of(game, tree, answer.profile.probabilities)
    weights = [[float(probability) for _, probability in game.rolls(player)] for player in (0, 1)]
    after: dict[tuple[int, ...], list[list[float]]] = {}

    def opener_wins(chance: random.Random) -> bool:
        rolls = [chance.choices(range(len(one)), one)[0] for one in weights]
        bids: tuple[int, ...] = ()
        while True:
            player = len(bids) % 2
            if bids not in after:
                after[bids] = strategy.at(bids).T.tolist()
            action = chance.choices(BettingState(game, bids).actions, after[bids][rolls[player]])[0]
            if action == CALL:
                dice = [die for seat in (0, 1) for die in game.rolls(seat)[rolls[seat]][0]]
                return (player == 1) == game.holds(game.bids[bids[-1]], [dice])
            bids = (*bids, action)

    return opener_wins


@pytest.mark.slow
@pytest.mark.parametrize("opener", OPENERS)
def test_equilibrium_play_wins_as_many_matches_as_computed(opener):
    name, sides, dice, matches = "top-wild", 2, (2, 2), 4000
    samplers = {game.dice: _sampler(game) for game in rounds(name, sides, dice)}
    chances, wins = random.Random(20), 0
    for _ in range(matches):
        left, opens = list(dice), 0
        while all(left):
            won = samplers[left[opens], left[1 - opens]](chances)
            loser = 1 - opens if won else opens
            left[loser] -= 1
            opens = {"loser": loser, "winner": 1 - loser, "alternate": 1 - opens}[opener]
        wins += left[0] > 0
    expected = float(solved(name, sides, dice, opener)[dice].match.lower)
    assert wins / matches == pytest.approx(expected, abs=4 * (expected * (1 - expected) / matches) ** 0.5)


# Intervals

FRACTIONS = st.fractions(0, 1, max_denominator=50)
INTERVALS = st.tuples(FRACTIONS, FRACTIONS).map(lambda pair: Interval(min(pair), max(pair)))


@given(INTERVALS, INTERVALS, INTERVALS, FRACTIONS, FRACTIONS, FRACTIONS, FRACTIONS)
@examples(100)
def test_combined_intervals_contain_the_true_value(wins, won, lost, at_p, at_won, at_lost, between):
    p, w, loss = (one.lower + (one.upper - one.lower) * at for one, at in ((wins, at_p), (won, at_won), (lost, at_lost)))
    said = _combined(wins, won, lost)
    truth = p * w + (1 - p) * loss if w >= loss else w + (loss - w) * between
    assert said.lower <= truth <= said.upper
    assert said.exact or not (wins.exact and won.exact and lost.exact and won.lower >= lost.lower)


@given(INTERVALS, INTERVALS, FRACTIONS, FRACTIONS, FRACTIONS)
@examples(100)
def test_combined_intervals_are_narrower_if_the_players_exchange_places(wins, lost, at_p, at_lost, between):
    p, loss = (one.lower + (one.upper - one.lower) * at for one, at in ((wins, at_p), (lost, at_lost)))
    said, apart = (_combined(wins, lost.of_other(), lost, exchanged) for exchanged in (True, False))
    truth = p * (1 - loss) + (1 - p) * loss if loss <= Fraction(1, 2) else 1 - loss + (2 * loss - 1) * between
    assert apart.lower <= said.lower <= truth <= said.upper <= apart.upper


@pytest.mark.parametrize("opener", OPENERS)
def test_bounds_of_equal_dice_are_those_of_some_values_of_the_rounds(opener):
    """A match is linear in the value of each round, so its extremes are at the ends of all intervals."""
    games = rounds("joker", 2, (2, 2))
    wide = Interval(Fraction(2, 5), Fraction(1, 2))
    found = play(dict.fromkeys(games, wide), opener)
    assert all(one.order == PROVED for one in found.values())
    corners = [
        play({game: Interval(end, end) for game, end in zip(games, ends, strict=True)}, opener)[2, 2].match
        for ends in product(wide, repeat=len(games))
    ]
    assert found[2, 2].match == (min(one.lower for one in corners), max(one.upper for one in corners))


@pytest.mark.parametrize(
    ("won", "lost", "order"),
    [
        (SURE, LOST, PROVED),
        (SURE, SURE, PROVED),
        (LOST, SURE, REVERSED),
        (Interval(Fraction(1, 3), Fraction(2, 3)), Interval(Fraction(1, 4), Fraction(1, 2)), OPEN),
    ],
)
def test_the_order_of_winning_and_losing_is_reported_if_it_is_known(won, lost, order):
    assert Stage(SURE, won, lost, SURE).order == order


@pytest.mark.slow
@pytest.mark.parametrize("opener", OPENERS)
def test_bounds_enclose_the_exact_match(opener):
    exactly, within = (solved("joker", 3, (2, 2), opener, Request(target=1e-3, exact_max_nodes=nodes)) for nodes in (10**6, 0))
    for dice, one in within.items():
        assert one.match.lower <= exactly[dice].match.lower <= one.match.upper
        assert one.match.upper - one.match.lower < Fraction(1, 50)
        assert not one.match.exact or dice == (1, 1)


def test_payoffs_of_a_round_change_no_probability():
    won, zero = (chance(value(rules("joker", 3, payoffs=payoffs))) for payoffs in ("win", "zero-sum"))
    assert won == zero == (Fraction(2, 3), Fraction(2, 3))


def test_a_round_without_a_known_value_leaves_sound_bounds():
    game = rules("common", 9, (4, 4))
    assert chance(Valuation(game, REFUSED, None, None, 0.0)) == (0, 1)
    known = {game: chance(value(game)) for game in rounds("common", 2, (1, 2))}
    whole = play(known | {rules("common", 2, (2, 2)): Interval(Fraction(0), Fraction(1))})[2, 2]
    assert whole.match == (whole.after_loss.lower, whole.after_win.upper)
    assert whole.order == PROVED


def test_the_rules_of_a_round_follow_its_dice():
    assert [(game.dice, game.max_quantity) for game in rounds("common", 3, (1, 3))] == [
        ((1, 1), 2), ((1, 2), 3), ((2, 1), 3), ((1, 3), 4), ((3, 1), 4),
    ]  # fmt: skip


def test_an_unknown_opener_is_refused():
    with pytest.raises(UsageError, match="choose from loser"):
        play({rules("common", 2): SURE}, "youngest")


def test_a_method_for_two_players_is_refused_for_three() -> None:
    with pytest.raises(
        UsageError, match=r"method='exact': with three or more players a regret minimiser .* choose from auto, cfr"
    ):
        match("common", 2, (1, 1, 1), method="exact")


# The command


def test_the_printed_table():
    ended = run_here("match", "--dice", "2,1", "--sides", "3", "--rules", "joker")
    assert (ended.code, ended.err) == (0, "")
    opens, other = ended.out.split("Player 2 opens")
    assert opens.splitlines()[-3:-1] == ["1                  2/3", "2                  8/9"]
    assert other.splitlines()[3:5] == ["1                  1/3", "2                  68/81"]


@pytest.mark.slow
def test_without_options_a_small_match_is_solved_exactly():
    found = document(run_here("match", "--json"), "values")
    assert (found["match"]["title"], found["match"]["opener"]) == ("classic rules, 3 sides, dice 2,2, payoffs win", "loser")
    assert all(one["exact"] for one in found["match"]["states"])


@pytest.mark.parametrize("extra", [(), ("--method", "dcfr+", "--target", "1e-2")])
def test_json_document(extra):
    found = document(run_here("match", "--dice", "2,1", "--sides", 3, "--rules", "joker", "--json", *extra), "values")
    assert (found["match"]["title"], found["match"]["opener"]) == ("joker rules, 3 sides, dice 2,1, payoffs win", "loser")
    states = {(*one["dice"], one["opener"]): one for one in found["match"]["states"]}
    assert set(states) == {(own, 1, opener) for own in (1, 2) for opener in (1, 2)}
    assert {one["order"] for one in states.values()} == {PROVED}
    last = states[2, 1, 2]
    if extra:
        assert not last["exact"]
        assert last["lower"] <= 68 / 81 <= last["upper"]
    else:
        assert (last["exact"], last["lower"], last["upper"]) == (True, "68/81", "68/81")
    assert [one["rules"]["dice"] for one in found["games"]] == [[1, 1], [1, 2], [2, 1]]


@pytest.mark.slow
def test_workers_find_the_same():
    asked = ("match", "--dice", "2,1", "--sides", 2, "--rules", "joker", "--json")
    alone, together = (document(run_here(*asked, *more), "values") for more in ((), ("--cluster", "local:2")))
    for found in (alone, together):
        for one in found["games"]:
            one["seconds"] = 0
    assert alone == together


def test_solved_rounds_are_kept_and_reused(tmp_path):
    file = tmp_path / "rounds.csv"
    args = ("match", "--dice", "2,1", "--sides", "3", "--rules", "joker", "--json")
    zero = run_here("values", "--sides", "3", "--dice", "1,1", "--rules", "joker", "--payoffs", "zero-sum", "-o", file)
    assert zero.code == 0
    first = document(run_here(*args, "-o", file), "values")
    assert [one["rules"]["payoffs"] for one in first["games"]] == ["zero-sum", "win", "win"]
    kept = file.read_text()
    assert len(kept.splitlines()) == 4
    assert document(run_here(*args, "-o", file), "values")["match"] == first["match"]
    assert file.read_text() == kept
