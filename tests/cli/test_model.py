"""`liarsdice model`: the published numbers of the normal model, mixtures, best responses and pictures."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from liarsdice_cli.bots.zero_intelligence import randomised
from tests.support.command_line import run_here


def test_the_numbers_of_the_document_and_the_right_level() -> None:
    (three,) = json.loads(run_here("model", 3, "--json").out)["models"]
    assert three["y0"] == pytest.approx(0.5775, abs=5e-5)
    assert three["page_level"] == pytest.approx(0.2818, abs=5e-5)
    assert three["indifference_level"] == pytest.approx(0.3864, abs=5e-5)
    assert (three["mixture"], three["answer"]) == (None, None)


@pytest.mark.slow
def test_the_value_of_the_mixture_is_above_any_level_and_at_most_its_ceiling(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(randomised, "best_levels", cache(randomised.best_levels))
    (one,) = json.loads(run_here("model", 1, "--full", "--json").out)["models"]
    assert one["omega_a"] < one["mixture"]["omega_a"] <= one["mixture"]["ceiling"]
    assert sum(one["mixture"]["weights"]) == pytest.approx(1)


def test_a_zero_has_no_sign() -> None:
    assert "-0.0000" not in run_here("model", 3, "--own", 8).out


def test_the_best_response_beats_another_response() -> None:
    best, other = (
        json.loads(run_here("model", 3, "--holds", 0.2, *more, "--json").out)["models"][0]["answer"]
        for more in ((), ("--calls", 1.5))
    )
    assert best["omega_b"] > other["omega_b"] > 0


def test_the_model_is_drawn(tmp_path: Path) -> None:
    for others, name in (((3,), "regions.svg"), ((1, 2, 3), "levels.svg")):
        assert run_here("model", *others, "-o", tmp_path / name).code == 0
        assert b"<svg" in (tmp_path / name).read_bytes()
