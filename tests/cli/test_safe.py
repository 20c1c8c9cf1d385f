"""`liarsdice safe-exploit`: CSV, JSON, the picture, and the kept strategy."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from liarsdice_cli.bots.specs import policy
from liarsdice_cli.formats.ldz import StrategyFile
from liarsdice_cli.games.liarsdice.public import public_game
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.solvers.public_tree.responses import Responses
from liarsdice_cli.strategies.combined import BySeat
from liarsdice_cli.strategies.expansion import expanded
from tests.support.command_line import document, run_here

GAME = ("--rules", "ones-low", "--sides", 4)


def test_the_whole_curve_is_written_as_csv_and_as_a_picture(tmp_path: Path) -> None:
    csv, picture = tmp_path / "curve.csv", tmp_path / "curve.svg"
    ended = run_here("safe-exploit", "honest", *GAME, "-o", csv, "-o", picture)
    assert (ended.code, ended.err) == (0, "")
    head, *rows = csv.read_text().splitlines()
    assert head == "rules,sides,dice,payoffs,bot,player,risk,worst_case,gain,limit"
    assert rows[1] == "ones-low,4,1 1,win,honest,1,0.0625,0.4375,0.65625,0.65625"
    assert len(rows) == 6
    assert picture.read_text().count("<circle") == len(rows) + 2


@pytest.mark.slow
def test_the_chosen_strategy_takes_the_maximum_risk() -> None:
    content: Any = document(run_here("safe-exploit", "honest", *GAME, "--max-risk", "1/50", "--json"), "safe")
    assert content["max_risk"] == "1/50"
    assert [seat["chosen"]["risk"] for seat in content["seats"]] == ["1/50", "1/50"]
    assert [seat["chosen"]["gain"] for seat in content["seats"]] == ["237/400", "27/50"]


@pytest.mark.slow
def test_larger_games_have_an_approximate_frontier(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("liarsdice_cli.studies.safe.EXACT", 0)
    game = ("--rules", "common", "--sides", 4)
    content: Any = document(run_here("safe-exploit", "honest", *game, "--target", "1e-3", "--json"), "safe")
    for seat in content["seats"]:
        assert not seat["exact"]
        for point in seat["points"]:
            assert point["gain"] <= point["limit"] + 1e-12
            assert point["risk"] >= 0


@pytest.mark.slow
@pytest.mark.parametrize("nodes", [500_000, 0])
def test_a_kept_strategy_has_the_reported_worst_case_and_gain(
    nodes: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("liarsdice_cli.studies.safe.EXACT", nodes)
    kept = tmp_path / "safe.ldz"
    game = ("--rules", "ones-low", "--sides", 3)
    asked = run_here(
        "safe-exploit", "zero-intelligence:0.4", *game, "--max-risk", "1/20", "--target", "1e-4", "-o", kept, "--json"
    )
    seats: Any = document(asked, "safe")["seats"]
    worst: Any = document(run_here("exploit", f"equilibrium:{kept}", *game, "--json"), "exploit")["bots"]
    strategy, bot = StrategyFile(str(kept)), policy("zero-intelligence:0.4").strategy(rules("ones-low", 3))
    for seat, found in enumerate(seats):
        chosen = found["chosen"]
        assert float(worst[0]["worst_case"][seat]) >= float(Fraction(chosen["worst_case"])) - 1e-3
        pair = BySeat(bot.rules, (strategy, bot) if seat == 0 else (bot, strategy))
        grown = expanded(pair)
        won = Responses(public_game(bot.rules), grown.store).payoffs(best=False)[seat]
        assert won == pytest.approx(float(Fraction(chosen["gain"])), abs=1e-3)
