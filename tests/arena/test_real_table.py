"""A match at a real table: the turn, the loser, and the opener of the next round."""

from __future__ import annotations

import pytest

from liarsdice_cli.arena.real_table import RealTable
from liarsdice_cli.errors import UsageError
from liarsdice_cli.games.bidding import CALL, SPOT_ON
from liarsdice_cli.games.liarsdice.match_rules import MatchRules
from liarsdice_cli.games.liarsdice.rules import rules


def table(*dice: int, opener: int = 0) -> RealTable:
    names = (*("Ann", "Bob")[: len(dice) - 1], "me")
    return RealTable.start(rules("common", 6, dice), opener=opener, names=names, me=len(dice) - 1)


def test_turns_start_with_the_opener_and_skip_players_without_dice() -> None:
    whole = table(1, 1, 2)
    out = whole.act(0).act(CALL).lose(0).next_round()
    assert (out.dice, out.who(out.opener)) == ((0, 1, 2), "Bob")
    assert [out.who(one.turn) for one in (out, out.act(0), out.act(0).act(1))] == ["Bob", "me", "Bob"]
    assert str(out.rules) == "common rules, 6 sides, dice 1,2, payoffs win"


def test_the_loser_opens_the_next_round_with_one_die_fewer() -> None:
    after = table(2, 2, 2).act(0).act(1).act(CALL).lose(1).next_round()
    assert (after.dice, after.opener, after.number, after.own, after.history) == ((2, 1, 2), 1, 2, None, ())
    assert table(2, 2, 2).next_round(2).opener == 2
    assert table(2, 2, 2).next_round(2).number == 1


@pytest.mark.parametrize(("faces", "loser"), [([5, 6], "me"), ([1, 6], "Ann"), ([1, 2, 5, 6], "me")])
def test_shown_dice_determine_the_loser(faces: list[int], loser: str) -> None:
    """Ann bids 2x5, and `me` calls with 1 and 5. The table is shown two dice (Ann's) or four (all)."""
    called = table(2, 2).with_own([5, 1]).act(10).act(CALL)
    if len(faces) == 4:
        faces = [1, 5, *faces[2:]]
    assert called.who(called.shown(faces).loser) == loser


def test_stairs_count_one_die_more_within_one_hand() -> None:
    """A 1 and a 2 in Ann's hand count as three dice of every face; in two hands they do not."""
    called = RealTable.start(rules("snyd", 6, (2, 2)), names=("Ann", "me"), me=1).with_own([5, 5])
    called = called.act([str(bid) for bid in called.rules.bids].index("3x4")).act(CALL)
    assert called.who(called.shown([1, 2]).loser) == "me"
    assert called.who(called.shown([1, 5, 2, 5]).loser) == "Ann"
    three = RealTable.start(rules("snyd", 6, (2, 1, 2)), names=("Ann", "me", "Bob"), me=1).with_own([5])
    three = three.act([str(bid) for bid in three.rules.bids].index("4x4")).act(CALL)
    assert three.who(three.shown([1, 2, 3, 4]).loser) == "me"  # Ann's stairs, and Bob's 4
    assert three.who(three.shown([1, 3, 2, 4]).loser) == "Ann"


def test_a_player_down_to_one_die_opens_a_palifico_round_if_the_rule_is_on() -> None:
    for played in (True, False):
        whole = RealTable.start(rules("perudo", 6, (2, 2)), MatchRules(played), names=("Ann", "me"), me=1)
        assert not whole.rules.is_palifico
        assert whole.lose(0).next_round().rules.is_palifico == played


def test_only_the_bidder_or_the_caller_can_lose_a_call() -> None:
    called = table(1, 1, 1).act(3).act(CALL)
    with pytest.raises(UsageError, match="Bob called Ann, so Ann or Bob lost, not you"):
        called.lose(2)
    assert table(1, 1, 1).act(3).lose(2).loser == 2  # without a call, as some house rules have it


def test_a_match_ends_when_one_player_has_dice_or_the_coached_player_has_none() -> None:
    assert table(1, 1).lose(0).is_over
    assert table(2, 1, 1).lose(2).is_over
    assert not table(2, 1, 1).lose(1).is_over
    with pytest.raises(UsageError, match="the match is over"):
        table(1, 1).lose(0).next_round()


def test_names_may_be_abbreviated_if_unambiguous() -> None:
    assert table(1, 1, 1).seat("b") == 1
    with pytest.raises(UsageError, match="not one of the players: Ann, Bob, me"):
        table(1, 1, 1).seat("")
    alike = RealTable.start(rules("common", 6, (1, 1, 1)), names=("An", "Anna", "me"), me=2)
    assert (alike.seat("an"), alike.seat("ANNA")) == (0, 1)
    with pytest.raises(UsageError):
        RealTable.start(rules("common", 6, (1, 1, 1)), names=("Anne", "Anna", "me"), me=2).seat("ann")


@pytest.mark.parametrize(("faces", "loser"), [([5, 1], "Ann"), ([5, 5], "me"), ([1, 2], "me")])
def test_a_spot_on_claim_loses_unless_the_count_is_exact(faces, loser):
    said = RealTable.start(rules("common", 6, (2, 2), spot_on=True), names=("Ann", "me"), me=1).with_own([5, 1])
    said = said.act([str(bid) for bid in said.rules.bids].index("2x5")).act(SPOT_ON)
    assert said.called
    assert said.turn is None
    assert said.who(said.shown(faces).loser) == loser


def test_all_dice_must_be_shown_if_the_coached_players_own_are_unknown() -> None:
    called = table(2, 2).act(0).act(1).act(CALL)
    with pytest.raises(UsageError, match="your own are not known, so give all 4, or a name"):
        called.shown([2, 2])
    assert called.who(called.shown([1, 1, 2, 2]).loser) == "Ann"
