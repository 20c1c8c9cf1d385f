"""The data of large games match the output of the runs."""

from __future__ import annotations

import json

import pytest

from benchmarks import large
from benchmarks.results import Line
from liarsdice_cli.games.liarsdice.rules import rules

KNOWN = large.RESULTS.read()
GAMES = {one.key: one for one in (*large.FOR_TWO, *large.FOR_MORE)}


@pytest.mark.parametrize("line", KNOWN.values(), ids=lambda line: f"{line['rules']} {line['dice']} {line['gpu']}")
def test_the_data_match_the_output_of_the_run(line: Line) -> None:
    game = GAMES[line["rules"], line["dice"], line["gpu"]]
    said = json.loads((large.RUNS / f"{game.name}.json").read_text(encoding="utf-8"))
    (one, *_) = said["profiles"]
    played = said["rules"] if isinstance(said["rules"], str) else str(rules(**said["rules"]))  # older runs store a sentence
    assert played == f"{game.rules} rules, 6 sides, dice {game.dice}, payoffs zero-sum"
    assert [float(payoff) for payoff in line["payoffs"].split()] == pytest.approx(one["payoffs"], abs=1e-9)
    assert int(line["iterations"]) == said["run_history"]["iterations"]
    assert int(line["histories"]) == said["parameters"]["histories"]
    if len(said["players"]) == 2:
        assert [float(line["lower"]), float(line["upper"])] == (one["bounds"] if game.on_gpu else said["run_history"]["proved"])
        lower, upper = _bounds(line)
        assert lower <= float(line["lower"]) <= float(line["upper"]) <= upper


def _bounds(line: Line) -> tuple[float, float]:
    """Return the bounds as the page shows them, rounded outwards."""
    lower, _, upper = list(large._row(line, for_two=True))[3].partition(" .. ")
    return float(lower), float(upper)
