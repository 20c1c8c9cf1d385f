"""The coach in the library."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import liarsdice_cli as ld
from liarsdice_cli.bots.recommending import NEAR
from liarsdice_cli.errors import LiarsDiceError, UsageError
from liarsdice_cli.library import coaching
from liarsdice_cli.library.coaching import Coach
from liarsdice_cli.library.coaching_page import Desk
from liarsdice_cli.report.coach import reason
from liarsdice_cli.report.play import percent


def coach(**how: object) -> Coach:
    return ld.coach(["Ann", "me"], ld.rules("common", 4, (2, 2)), iterations=20, **how)  # type: ignore[arg-type]


def test_bids_in_every_form_are_accepted_and_the_coached_players_cost_is_returned() -> None:
    one = coach()
    one.dice([4, 3])
    assert one.hear(ld.Bid(1, 2)) is None
    found = one.recommendation()
    cost = one.hear("2x4")
    assert cost == found.cost(one.table.history[-1])
    assert [decision.action for _, decision in one.decided] == [one.table.history[-1]]
    one.hear("call")
    one.shown([4, 1])
    assert one.table.who(one.table.loser) == "Ann"


def test_the_cost_of_an_action_does_not_depend_on_the_payoffs() -> None:
    costs = []
    for payoffs in ("win", "zero-sum"):
        one = ld.coach(["Ann", "me"], ld.rules("common", 3, payoffs=payoffs))
        one.dice([3])
        one.hear("1x3")
        costs.append(one.hear("call"))
    assert costs == [1, 1]


def test_undo_takes_back_every_entry() -> None:
    one = coach()
    tables = [one.table]
    for step in (
        lambda: one.dice([1, 2]),
        lambda: one.hear("1x2"),
        lambda: one.hear("3x2"),
        lambda: one.hear("call"),
        lambda: one.lost("me"),
        lambda: one.new(),
        lambda: one.dice([4]),
    ):
        step()
        tables.append(one.table)
    assert len(one.decided) == 1
    for before in reversed(tables[:-1]):
        one.undo()
        assert one.table == before
    assert one.decided == ()
    with pytest.raises(UsageError, match="nothing to take back"):
        one.undo()


def test_a_recommendation_requires_the_players_turn_and_dice() -> None:
    one = coach()
    with pytest.raises(LiarsDiceError, match="not your turn: Ann is to move"):
        one.recommendation()
    one.hear("1x2")
    with pytest.raises(LiarsDiceError, match="enter your dice first"):
        one.recommendation()
    assert one.hear("2x2") is None  # the cost is unknown without the dice
    assert one.decided == ()


def test_preparing_does_not_change_the_recommendation() -> None:
    found = []
    for prepared in (True, False):
        one = coach(opener="me")
        one.dice([4, 4])
        if prepared:
            one.prepare()
        found.append(one.recommendation())
    assert found[0].advice == found[1].advice


def test_the_default_table_has_ones_low_rules_and_five_dice_each() -> None:
    table = ld.coach(["Ann", "Bob", "me"]).table
    assert str(table.rules) == "ones-low rules, 6 sides, dice 5,5,5, payoffs win"


@pytest.mark.parametrize(
    ("names", "word"), [(["me"], "1 name"), ([*"abcdefghij", "me"], "11 name"), (["Ann", ""], "different")]
)
def test_an_invalid_table_is_refused(names: list[str], word: str) -> None:
    with pytest.raises(UsageError, match=word):
        ld.coach(names)


@pytest.mark.parametrize("dice", [float("inf"), float("nan"), "many", None, [2]])
def test_dice_that_no_page_would_send_are_refused_with_a_message(dice: object) -> None:
    said = {"names": ["Ann", "me"], "rules": "dudo", "dice": [1, dice], "opens": "me"}
    answer = Desk(None).reply({"begin": said})
    assert (answer["error"], answer["table"], answer["version"]) == ("this is not a request of the page", None, 0)


def _fails(*_: object) -> None:
    raise LiarsDiceError("the solver fails")


def test_a_move_can_be_entered_again_after_the_solver_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    one = coach()
    one.dice([4, 3])
    one.hear("1x2")
    with monkeypatch.context() as broken:
        broken.setattr(coaching, "recommend", _fails)
        with pytest.raises(LiarsDiceError, match="the solver fails"):
            one.hear("2x2")
    assert one.table.mine
    assert one.hear("2x2") == one.decided[0][0].cost(one.table.history[-1])


def test_the_page_keeps_its_entries_if_the_solver_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    one = coach(opener="me")
    desk = Desk(one)
    monkeypatch.setattr(coaching, "recommend", _fails)
    answer = desk.reply({"dice": [4, 3]})
    assert answer["error"] == "the solver fails"
    assert answer["table"] is not None
    assert answer["table"]["recommendation"] is None
    assert one.table.own == (3, 4)
    monkeypatch.undo()
    assert desk.reply({})["table"]["recommendation"] is not None  # type: ignore[index]


@pytest.mark.parametrize("seed", range(4))
def test_a_recommendation_below_the_best_value_says_why(seed: int) -> None:
    """Use values as from a short computation: some are nearly as good as the best, and each action has some probability."""
    one = coach(opener="me")
    one.dice([4, 3])
    found = one.recommendation()
    generator = np.random.default_rng(seed)
    count = len(found.view.actions)
    values, shares = 0.86 + generator.random(count) * 0.02, generator.dirichlet(np.ones(count))
    advice = replace(found.advice, actions=found.view.actions, values=values.tolist(), probabilities=shares.tolist())
    made = replace(found, advice=advice)
    why = reason(made, one.table)
    best, shown = made.advice.best, percent(max(values))
    assert made.value(made.action) >= max(values) - NEAR
    below = percent(made.value(made.action)) != shown
    assert below == (f"{one.table.rules.bids[best]} keeps you in {shown} of the time, but" in why)


@pytest.mark.parametrize(
    ("enter", "words"),
    [
        (lambda one: one.hear(3), "said is of the type int: give a bid"),
        (lambda one: one.hear((1, 2, 3)), r"said=\(1, 2, 3\): give a bid"),
        (lambda one: one.dice(3), "faces is of the type int: give the face of each die"),
        (lambda one: one.dice("3"), "faces is of the type str: give the face of each die"),
        (lambda one: one.shown({"Ann": [3]}), "faces holds an item of the type str: give the face of each die"),
        (lambda one: one.lost(3), "name is of the type int: give the name of a player"),
        (lambda one: one.claim(3), "name is of the type int: give the name of a player"),
        (lambda one: one.new(3), "opens is of the type int: give the name of a player"),
    ],
)
def test_an_entry_of_a_wrong_type_is_refused_and_changes_nothing(enter: Callable[[Any], object], words: str) -> None:
    one = coach()
    one.hear("1x2")
    before = one.table
    with pytest.raises(UsageError, match=f"^{words}"):
        enter(one)
    assert one.table == before
    one.hear((2, 3))  # type: ignore[arg-type]
    assert str(one.table.view.last) == "2x3"


def test_after_a_call_there_is_no_advice_and_the_loser_is_asked_for() -> None:
    one = coach()
    one.hear("1x2")
    one.hear("call")
    with pytest.raises(LiarsDiceError, match=r"^the bidding of this round is over: enter the loser"):
        one.recommendation()


def test_a_table_without_the_coached_player_is_refused_with_a_cure() -> None:
    with pytest.raises(UsageError, match=r"^none of 'Ann, Bob' is me: give the name in your seat, such as me='Ann'$"):
        ld.coach(["Ann", "Bob"])


def test_spaces_in_names_do_not_matter() -> None:
    coach = ld.coach(["Bob  S", "Ann"], ld.rules("common", 6, (1, 1)), me=" Bob S", iterations=1)
    assert coach.table.names == ("Bob S", "Ann")
