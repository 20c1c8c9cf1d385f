"""The model of what solving takes: it is the fit of what was measured, and near it."""

from __future__ import annotations

from math import log10

import numpy as np
import pytest

from benchmarks import costs
from liarsdice_cli.games.liarsdice.presets import PRESETS
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.solvers.public_tree import cost


def test_the_page_has_the_table_that_is_made_of_what_was_kept() -> None:
    text = costs.PAGE.read_text(encoding="utf-8")
    assert costs.page(text) == text


def test_the_coefficients_are_those_of_the_fit() -> None:
    features = np.array([cost.features(costs.rules_of(one), float(one["target"])) for one in costs.to_fit()])
    for ours, fitted in zip((cost.SECONDS, cost.BYTES), costs.fitted(), strict=True):
        assert features @ np.array(ours) == pytest.approx(features @ np.array(fitted), abs=0.02)


def test_the_model_is_within_a_factor_of_two_as_often_as_the_page_says() -> None:
    fitted = costs.to_fit()
    expected = [cost.expected(costs.rules_of(one), float(one["target"])) for one in fitted]
    pairs = list(zip(expected, fitted, strict=True))
    times = [abs(log10(ours.processor_seconds / float(one["seconds"]))) for ours, one in pairs]
    memories = [abs(log10(ours.bytes / float(one["megabytes"]) / 1e6)) for ours, one in pairs]
    assert np.mean(np.array(times) < log10(2)) > 0.9
    assert np.mean(np.array(memories) < log10(2)) > 0.97
    assert max(time for time, one in zip(times, fitted, strict=True) if float(one["seconds"]) > 100) < log10(3.3)


@pytest.mark.parametrize("preset", PRESETS)
def test_more_dice_and_a_nearer_target_take_more_and_more_cores_less_time(preset: str) -> None:
    grid = [[cost.expected(rules(preset, 6, (dice, dice)), 10.0**-digits) for digits in (1, 2, 3, 4)] for dice in (2, 3, 4, 5)]
    numbers = np.array([[one[1:] for one in row] for row in grid])
    assert (np.diff(numbers, axis=0) > 0).all()
    assert (np.diff(numbers, axis=1) > 0).all()
    one = grid[0][0]
    assert one.seconds(16) < one.seconds(2) < one.seconds(1) == one.processor_seconds
