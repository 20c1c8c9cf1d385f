"""The cost model: its coefficients are those of the fit, and its predictions are close to the measurements."""

from __future__ import annotations

from math import log10

import numpy as np
import pytest

from benchmarks import costs
from liarsdice_cli.games.liarsdice.presets import PRESETS
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.solvers.public_tree import cost


def test_the_coefficients_match_the_fit() -> None:
    features = np.array([cost.features(costs.rules_of(one), float(one["target"])) for one in costs.to_fit()])
    for ours, fitted in zip((cost.SECONDS, cost.BYTES), costs.fitted(), strict=True):
        assert features @ np.array(ours) == pytest.approx(features @ np.array(fitted), abs=0.02)


def test_the_model_is_mostly_within_a_factor_of_two() -> None:
    fitted = costs.to_fit()
    expected = [cost.expected(costs.rules_of(one), float(one["target"])) for one in fitted]
    pairs = list(zip(expected, fitted, strict=True))
    times = [abs(log10(ours.processor_seconds / float(one["seconds"]))) for ours, one in pairs]
    memories = [abs(log10(ours.bytes / float(one["megabytes"]) / 1e6)) for ours, one in pairs]
    assert np.mean(np.array(times) < log10(2)) > 0.85
    assert np.mean(np.array(memories) < log10(2)) > 0.97
    assert max(time for time, one in zip(times, fitted, strict=True) if float(one["seconds"]) > 100) < log10(3.3)


@pytest.mark.parametrize("preset", PRESETS)
def test_costs_rise_with_dice_and_precision_and_time_falls_with_cores(preset: str) -> None:
    grid = [[cost.expected(rules(preset, 6, (dice, dice)), 10.0**-digits) for digits in (1, 2, 3, 4)] for dice in (2, 3, 4, 5)]
    numbers = np.array([[one[1:] for one in row] for row in grid])
    assert (np.diff(numbers, axis=0) > 0).all()
    assert (np.diff(numbers, axis=1) > 0).all()
    one = grid[0][0]
    assert one.seconds(16) < one.seconds(2) < one.seconds(1) == one.processor_seconds
