"""The continuous theory, against seeded simulations that use none of its formulas, and against scipy."""

from __future__ import annotations

import math
import re
from itertools import pairwise, product

import numpy as np
import pytest
from scipy import integrate, optimize, special, stats

from benchmarks import zero_intelligence as simulated
from benchmarks.results import marks
from liarsdice_cli.bots.zero_intelligence import continuous, randomised
from liarsdice_cli.bots.zero_intelligence.randomised import Levels
from tests.support.properties import mostly_slow

SIGMA2 = simulated.SIGMA2
ORDER = (3, 1, 2, 5)
"""The values of `SIGMA2`, the quickest first."""
BATCH = 100_000


def agree(found, value, errors=4.5):
    """Assert that an estimate is within a number of standard errors of the value."""
    assert abs(found[0] - value) < errors * found[1], (found, value)


def fixed(level):
    return Levels(np.array([level]), np.ones(1))


def best(sigma2):
    return simulated.best_levels(sigma2, 50)


def test_the_normal_distribution_of_arrays_agrees_with_scipy():
    places = np.concatenate([np.random.default_rng(1).normal(0, 3, 10_000), [-50.0, -9.0, 0.0, 9.0, 50.0]])
    assert np.abs(continuous.cdf(places) - special.ndtr(places)).max() < 1e-15
    assert continuous.z_level(continuous.probability_level(1.3)) == pytest.approx(1.3)


# Indifference between calling and raising


def test_the_numbers_on_the_page():
    y0 = continuous.indifference(3)
    assert round(y0, 4) == 0.5775
    assert round(continuous.indifference_level(3, y0), 4) == 0.3864, "the page's lambda is the tail of Y, whose variance is 4"
    assert round(continuous.probability_level(y0), 4) == 0.2818, "with variance 1 the tail is what the page prints"


def test_the_level_for_three_players_is_the_square_root_of_two_minus_one():
    assert continuous.indifference_level(1, continuous.indifference(1)) == pytest.approx(math.sqrt(2) - 1, abs=1e-12)
    assert continuous.indifference(0) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("sigma2", [*SIGMA2, 0.05, 100])
@pytest.mark.parametrize("s", [0.0, -1.2, 0.8, -8.0, 8.0])
def test_y0_solves_the_pages_equation(sigma2, s):
    y0, deviation = continuous.indifference(sigma2, s), math.sqrt(sigma2)
    middle = min(max(y0, -14), s)
    parts = [min(-14, s), middle - min(deviation, middle + 14), middle, s]
    sizes = [
        integrate.quad(lambda x: stats.norm.cdf((y0 - x) / deviation) * stats.norm.pdf(x), low, high, epsabs=0, epsrel=1e-10)[0]
        for low, high in pairwise(parts)
        if low < high
    ]
    assert sum(sizes) == pytest.approx(stats.norm.sf(y0 / math.sqrt(sigma2 + 1)), rel=1e-8)


@pytest.mark.parametrize("sigma2", mostly_slow(ORDER))
def test_a_call_costs_the_same_as_a_raise_at_y0_in_simulation(sigma2):
    found = simulated.estimate(lambda draws: simulated.indifference(draws, sigma2, BATCH), 16)
    agree(found, continuous.indifference(sigma2))


# The worst case of a fixed level


@pytest.mark.parametrize(("level", "sigma2"), mostly_slow(product([-0.4, 0.6, 1.5], SIGMA2)))
def test_the_worst_case_agrees_with_the_simulated_game(sigma2, level):
    found = simulated.estimate(simulated.against_all(sigma2, fixed(level), BATCH), 16)
    agree(found, continuous.worst_of_level(level, sigma2))


@pytest.mark.parametrize("sigma2", mostly_slow(ORDER))
def test_the_best_level_maximises_the_worst_case(sigma2):
    level = continuous.best_level(sigma2)
    found = optimize.minimize_scalar(lambda one: -continuous.worst_of_level(one, sigma2), bounds=(-3, 4), method="bounded")
    assert level == pytest.approx(found.x, abs=1e-4)
    assert continuous.worst_of_level(level, sigma2) == pytest.approx(-found.fun, abs=1e-9)
    agree(simulated.estimate(lambda draws: simulated.best_level(draws, sigma2, BATCH), 16), level)


def test_the_pages_closed_form_names_a_level_that_is_no_maximum():
    sigma2 = 3
    page = optimize.brentq(
        lambda one: 1 + math.erf(-2 * one / (sigma2 + 4)) - math.sqrt(1 + 4 / sigma2) * math.exp(-2 * one**2 / (sigma2 + 4)),
        0,
        9,
    )
    assert round(page, 4) == 2.2353
    assert round(continuous.worst_of_level(page, sigma2), 4) == 0.1278
    assert continuous.worst_of_level(page, sigma2) < continuous.worst_of_level(continuous.best_level(sigma2), sigma2) / 2


def test_the_pages_slip_lands_beside_the_most_robust_level_for_five_players():
    y0 = continuous.indifference(3)
    right, page = continuous.z_level(continuous.indifference_level(3, y0)), y0
    values = [round(continuous.worst_of_level(level, 4), 5) for level in (continuous.best_level(4), page, right)]
    assert values == [0.28462, 0.28459, 0.27618]
    assert round(continuous.probability_level(continuous.best_level(4)), 4) == 0.2879


# Randomised levels


@pytest.mark.slow
def test_a_mixture_of_one_level_has_the_worst_case_of_that_level():
    for sigma2 in SIGMA2:
        assert randomised.worst_of_mixture(fixed(0.62), sigma2) == pytest.approx(
            continuous.worst_of_level(0.62, sigma2), abs=5e-6
        )


@pytest.mark.parametrize("y", [-1.0, 0.5, 1.4])
def test_wins_against_a_mixture_agree_with_the_simulated_game(y):
    levels, sigma2 = Levels(np.array([0.1, 0.5, 1.2]), np.array([0.3, 0.5, 0.2])), 2.0
    draws = np.random.default_rng(5)
    x = draws.standard_normal(400_000)
    a_calls = x + draws.choice(levels.level, len(x), p=levels.weight) * math.sqrt(sigma2)
    calls = np.array([-1.0, 0.2, 0.9, 2.0, randomised.NEVER])
    theory = randomised.wins(levels, sigma2, np.array([y]), calls)[:, 0]
    for call, value in zip(calls, theory, strict=True):
        rate = 1 - simulated.won(x, np.full_like(x, y), a_calls, np.full_like(x, call)).mean()
        assert rate == pytest.approx(value, abs=0.004)
    best_call, won = randomised.response(levels, sigma2, np.array([y]))
    assert won[0] >= theory.max() - 1e-9
    assert randomised.wins(levels, sigma2, np.array([y]), best_call)[0, 0] == pytest.approx(won[0])


@pytest.mark.slow
def test_the_best_mixture_on_a_coarse_grid_has_close_bounds_above_every_fixed_level():
    found = randomised.best_levels(3, 12)
    assert found.levels.weight.sum() == pytest.approx(1)
    assert continuous.worst_of_level(continuous.best_level(3), 3) < found.value < found.ceiling < found.value + 0.01


@pytest.mark.slow
@pytest.mark.parametrize("sigma2", ORDER)
def test_the_best_randomised_level_has_close_bounds_above_every_fixed_level(sigma2):
    found = best(sigma2)
    assert found.levels.weight.sum() == pytest.approx(1)
    assert np.all(found.levels.weight > 0)
    assert continuous.worst_of_level(continuous.best_level(sigma2), sigma2) + 0.002 < found.value < found.ceiling
    assert found.ceiling - found.value < 5e-4
    agree(simulated.estimate(simulated.against_all(sigma2, found.levels, BATCH), 16), found.value, 6)


@pytest.mark.slow
def test_finer_grids_tighten_the_bounds():
    coarse, fine = randomised.best_levels(3, 20), best(3)
    assert coarse.value < fine.value < fine.ceiling < coarse.ceiling


@pytest.mark.slow
def test_the_best_randomised_level_is_a_density_plus_one_high_level():
    levels = best(3).levels
    assert 0.15 < levels.level[0] < 0.3
    assert 1.0 < levels.level[-1] < 1.1
    low = levels.weight[levels.level < 0.95]
    assert len(low) > 5
    assert 0.68 < low.sum() < 0.76


# The page of the documentation


def _rows():
    begin, end = marks(simulated.COMMAND)
    made = simulated.PAGE.text().split(begin)[1].split(end)[0]
    rows = {}
    for line in made.strip().splitlines()[2:]:
        name, *cells = (cell.strip() for cell in line.strip("|").split("|"))
        rows[name] = [tuple(float(number) for number in re.findall(r"-?\d+\.\d+", cell)) for cell in cells]
    return rows


@pytest.mark.parametrize("sigma2", ORDER)
def test_the_documented_table_agrees_with_the_formulas(sigma2):
    rows, column = _rows(), SIGMA2.index(sigma2)
    y0, level = continuous.indifference(sigma2), continuous.best_level(sigma2)
    value = continuous.worst_of_level(level, sigma2)
    expected = {
        "y0, where calling and raising cost the same": y0,
        "its level, P(Y ≥ y0)": continuous.indifference_level(sigma2, y0),
        "the page's level for it, P(X ≥ y0)": continuous.probability_level(y0),
        "best fixed level, a z-score": level,
        "best fixed level, a probability": continuous.probability_level(level),
        "best ω_A of a fixed level": value,
    }
    assert {name: rows[name][column] for name in expected} == {name: (round(one, 4),) for name, one in expected.items()}


@pytest.mark.slow
@pytest.mark.parametrize("sigma2", ORDER)
def test_the_documented_table_has_the_gain_from_randomising(sigma2):
    rows, column = _rows(), SIGMA2.index(sigma2)
    value = continuous.worst_of_level(continuous.best_level(sigma2), sigma2)
    (mixed,), (ceiling,), (gain,) = (
        rows[name][column]
        for name in ("best randomised level, ω_A", "no randomised level has more than", "gain by randomising")
    )
    assert best(sigma2).value - 5e-5 < mixed < ceiling + 5e-5 < best(sigma2).ceiling + 1e-4
    assert gain == pytest.approx(mixed - value, abs=1e-4)


def test_the_simulations_in_the_table_agree_with_the_formulas_beside_them():
    rows = _rows()
    pairs = {
        "y0, simulated": "y0, where calling and raising cost the same",
        "its level, simulated": "its level, P(Y ≥ y0)",
        "best fixed level, simulated": "best fixed level, a z-score",
        "best ω_A, simulated": "best ω_A of a fixed level",
        "best randomised level, simulated": "best randomised level, ω_A",
    }
    for column in range(len(SIGMA2)):
        for estimate, formula in pairs.items():
            found, error = rows[estimate][column]
            assert abs(found - rows[formula][column][0]) < 4 * error + 1e-4, estimate


@pytest.mark.slow
def test_the_documented_picture_is_up_to_date():
    assert simulated.PICTURE.read_text(encoding="utf-8") == simulated.picture()


@pytest.mark.slow
def test_a_column_of_the_documented_table_is_up_to_date():
    made, column = simulated.column(3), SIGMA2.index(3)
    text = simulated.PAGE.text()
    for name, cell in made.items():
        (line,) = (line for line in text.splitlines() if line.startswith(f"| {name} |"))
        assert line.split("|")[2 + column].strip() == cell, name
