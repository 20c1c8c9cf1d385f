"""Test safe exploitation of bots: the approximate frontier against the exact one, and the exact one against worst cases."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from benchmarks import safe as page
from liarsdice_cli.bots.specs import policy
from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.games.liarsdice.rules import Rules, rules
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.games.liarsdice.strategy import Strategy
from liarsdice_cli.solvers.frontier import Frontier, neighbours
from liarsdice_cli.studies import safe
from liarsdice_cli.studies.safe import frontier_against
from liarsdice_cli.studies.worst_case import worst_case
from tests.support.properties import mostly_slow

FOUR = rules("ones-low", 4)
PLAYED = {"honest": FOUR, "zero-intelligence:0.4": FOUR, "random": rules("ones-low", 3)}
"""A game for each bot; with four sides the exact curve of random takes seconds, because it has many corners."""
SEATS = mostly_slow(
    [("random", 1), ("honest", 1), ("zero-intelligence:0.4", 0), ("random", 0), ("honest", 0), ("zero-intelligence:0.4", 1)], 3
)


@cache
def exactly(bot: str, player: int) -> Frontier[Strategy]:
    return frontier_against(policy(bot), PLAYED[bot], player)


def sampled(
    bot: str, game: Rules, player: int, monkeypatch: pytest.MonkeyPatch, most: Fraction | None = None
) -> Frontier[Strategy]:
    monkeypatch.setattr(safe, "EXACT", 0)
    return frontier_against(policy(bot), game, player, most, target=1e-4)


@pytest.mark.parametrize(("bot", "player"), SEATS)
def test_the_riskiest_point_gains_what_the_bot_loses_in_the_worst_case(bot: str, player: int) -> None:
    curve = exactly(bot, player)
    worst = worst_case(policy(bot), PLAYED[bot])
    assert curve.exact
    assert not curve.rounded
    assert float(curve.points[-1].gain) == pytest.approx(float(worst.total - worst.payoffs[1 - player]), abs=1e-12)
    assert curve.points[0].risk == 0
    assert curve.value[0] == curve.points[0].worst_case


@pytest.mark.parametrize(("bot", "player"), SEATS)
def test_the_exact_curve_lies_between_sampled_points_and_their_limits(
    bot: str, player: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    exact = exactly(bot, player)
    rough = sampled(bot, PLAYED[bot], player, monkeypatch)
    assert not rough.exact
    assert rough.value[0] - 1e-12 <= exact.value[0] <= rough.value[1] + 1e-12
    assert len(rough.points) > 1 or len(exact.points) == 1
    for point in rough.points:
        one, other, share = neighbours(exact.points, Fraction(point.worst_case))
        edge = float((1 - share) * one.gain + share * other.gain)
        assert point.gain <= edge + 1e-9
        assert edge <= point.limit + 1e-9
    assert rough.points[-1].gain == pytest.approx(float(exact.points[-1].gain), abs=0.01)
    assert rough.points[-1].limit - rough.points[-1].gain < 0.01


@pytest.mark.slow
def test_the_chosen_strategy_keeps_to_the_maximum_risk(monkeypatch: pytest.MonkeyPatch) -> None:
    most = Fraction(1, 20)
    exact = frontier_against(policy("honest"), FOUR, 0, most)
    assert exact.chosen is not None
    assert exact.chosen.risk == most
    rough = sampled("honest", FOUR, 0, monkeypatch, most)
    assert rough.chosen is not None
    assert rough.chosen.risk <= float(most) + 1e-12
    assert rough.chosen.gain <= exact.chosen.gain <= rough.chosen.limit + 1e-9
    assert rough.chosen.gain == pytest.approx(float(exact.chosen.gain), abs=0.005)
    with pytest.raises(LiarsDiceError, match=r"the safest strategy that was found risks .* give a smaller target than 0.0001"):
        sampled("honest", FOUR, 0, monkeypatch, Fraction(0))


@pytest.mark.slow
@pytest.mark.parametrize("player", [0, 1])
def test_the_safest_and_the_boldest_strategy_do_not_depend_on_the_maximum_risk(player: int) -> None:
    whole, part = (frontier_against(policy("random"), rules("joker", 4), player, most) for most in (None, Fraction(1, 10)))
    for one, other in ((whole.points[0], part.points[0]), (whole.points[-1], part.points[-1])):
        assert (one.risk, one.gain) == (other.risk, other.gain)


def test_nothing_is_gained_against_an_equilibrium() -> None:
    curve = frontier_against(policy("equilibrium"), rules("common", 3), 1)
    assert [point.risk for point in curve.points] == [0]
    assert curve.points[0].gain == curve.value[0]


@pytest.mark.parametrize(("share", "rounded"), [(1 / 3, False), (16 / 327, False), (0.1234567891, True)])
def test_probabilities_that_are_no_simple_fractions_are_rounded(share: float, rounded: bool) -> None:
    class Odd:
        name, looks_back, rules = "odd", True, rules("common", 2)

        def check(self, rules: Rules) -> None:
            """Accept any rules."""

        def strategy(self, rules: Rules) -> Odd:
            return self

        def at(self, history: Sequence[int]) -> np.ndarray:  # type: ignore[type-arg]
            said = np.zeros((len(BettingState(self.rules, history).actions), 2))
            said[0] = 1
            if len(said) > 1:
                said[:2, 0] = share, 1 - share
            return said

    assert frontier_against(Odd(), Odd.rules, 0).rounded == rounded  # type: ignore[arg-type]


def test_gains_rise_with_the_risk_ever_more_slowly() -> None:
    for seats in page.curves().values():
        for points in seats:
            rises = np.diff([won for _, won in points]) / np.diff([risked for risked, _ in points])
            assert np.all(np.diff(rises) < 0)
            assert rises[-1] > 0


@pytest.mark.slow
def test_the_kept_numbers_match_computed_ones() -> None:
    curve = frontier_against(policy("honest"), rules("ones-low"), 1)
    expected = [(float(f"{float(one.risk):.9g}"), float(f"{float(one.gain):.9g}")) for one in curve.points]
    assert page.curves()["honest", "1,1"][1] == expected


def test_more_than_two_players_are_refused() -> None:
    with pytest.raises(LiarsDiceError, match=r"^safe exploitation is for two players, not 3: give dice=\(1, 1\)$"):
        frontier_against(policy("honest"), rules("common", 3, (1, 1, 1)), 0)
