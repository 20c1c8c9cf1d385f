"""The GPU solver in numba's simulator; the program itself compares its evaluation with the traversal of this process."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.support.command_line import run, run_here


def _solved(*game: str, where: str = "gpu") -> Any:
    ended = run(
        "solve", *game, "--payoffs", "zero-sum", "--json", *(["--cluster", where] if where else []), NUMBA_ENABLE_CUDASIM="1"
    )
    assert ended.code == 0, ended.err
    return json.loads(ended.out)


def _check(*game: str) -> None:
    """Compare with the traversal of this process, which expands histories at other times."""
    on_gpu, here = _solved(*game), _solved(*game, where="")
    assert on_gpu["parameters"]["gpus"] == 1
    (low, high), (lower, upper) = (one["run_history"]["proved"] for one in (on_gpu, here))
    assert low <= upper
    assert lower <= high
    apart = (high - low) / (upper - lower)
    assert 1 / 10 < apart < 10


@pytest.mark.slow
@pytest.mark.parametrize(
    "game",
    [
        ("--rules", "joker", "--sides", "2"),
        ("--rules", "snyd", "--sides", "2"),
        ("--rules", "common", "--sides", "2", "--spot-on"),
        ("--rules", "common", "--sides", "2", "--dice", "2,1"),
        ("--rules", "common", "--sides", "2", "--method", "cfr"),
    ],
)
def test_bounds_agree_with_those_of_this_process(game: tuple[str, ...]) -> None:
    _check(*game, "--iterations", "4")


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (("--dice", "1,1,1"), "two players"),
        (("--method", "pcfr+"), "use dcfr+"),
        (("--tremble", "0.1"), "--tremble"),
        (("--checkpoint", "state"), "--checkpoint"),
        (("--lock", "P1 roll 1 opening: 1x1 1"), "--lock"),
    ],
)
def test_options_that_a_gpu_does_not_support_are_refused(more: tuple[str, ...], words: str) -> None:
    ended = run_here("solve", "--sides", "2", "--iterations", "3", *more, "--cluster", "gpu")
    assert ended.code == 2
    assert words in ended.err
