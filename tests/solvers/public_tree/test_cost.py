"""The model of what solving takes: it is the fit of what was measured, and near it."""

from __future__ import annotations

from math import log10

import numpy as np
import pytest

from benchmarks import costs, kept
from liarsdice_cli.games.liarsdice.presets import PRESETS
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.solvers.public_tree import cost

MEASURED = [*kept.read(costs.NUMBERS, costs.KEY).values(), *costs.from_large_games()]


def test_the_page_has_the_table_that_is_made_of_what_was_kept() -> None:
    text = costs.PAGE.read_text(encoding="utf-8")
    assert costs.page(text) == text


def test_the_coefficients_are_those_of_the_fit() -> None:
    features = np.array([cost.features(costs.rules_of(one), float(one["target"])) for one in MEASURED])
    for ours, fitted in zip((cost.SECONDS, cost.BYTES), costs.fitted(), strict=True):
        assert features @ np.array(ours) == pytest.approx(features @ np.array(fitted), abs=0.02)


def test_the_model_is_within_a_factor_of_two_as_often_as_the_page_says() -> None:
    fitted = [one for one in MEASURED if float(one["seconds"]) >= costs.LEAST and float(one["target"]) <= costs.LOOSEST]
    expected = [cost.expected(costs.rules_of(one), float(one["target"])) for one in fitted]
    pairs = list(zip(expected, fitted, strict=True))
    times = [abs(log10(ours.processor_seconds / float(one["seconds"]))) for ours, one in pairs]
    memories = [abs(log10(ours.bytes / float(one["megabytes"]) / 1e6)) for ours, one in pairs]
    assert np.mean(np.array(times) < log10(2)) > 0.87
    assert np.mean(np.array(memories) < log10(2)) > 0.98
    assert max(times[-len(costs.PRESENT) :]) < log10(2)


@pytest.mark.parametrize("preset", PRESETS)
def test_more_dice_and_a_nearer_target_take_more_and_more_cores_less_time(preset: str) -> None:
    less, more = (cost.expected(rules(preset, 6, dice), 0.01) for dice in ((2, 2), (4, 4)))
    nearer = cost.expected(rules(preset, 6, (2, 2)), 0.001)
    for larger in (more, nearer):
        assert larger.processor_seconds > less.processor_seconds
        assert larger.bytes > less.bytes
    assert less.seconds(16) < less.seconds(2) < less.seconds(1) == less.processor_seconds
