"""The table: every match follows the rules of a match, and no transition changes the table that it starts from."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarsdice_cli.games.bidding import CALL, SPOT_ON
from liarsdice_cli.games.liarsdice.match_rules import MatchRules
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.table import Table
from tests.support.properties import examples

DICE = st.lists(st.integers(1, 3), min_size=2, max_size=4).map(tuple)
PRESETS = st.sampled_from(["common", "perudo", "joker"])


def played_round(data: st.DataObject, table: Table) -> list[Table]:
    """Play a round; return its tables, one for each action and one for the loser."""
    moments = [table]
    while (turn := moments[-1].turn) is not None:
        now = moments[-1]
        assert turn == table.seats[len(now.bids) % len(table.seats)]
        following = now.act(data.draw(st.sampled_from(now.state.actions)))
        if not following.called:
            assert following.bidder == turn
            assert following.caller == following.turn
        moments.append(following)
    ended = moments[-1]
    assert (ended.bidder, ended.caller) == (moments[-3].turn, moments[-2].turn)
    rolls = [tuple(data.draw(st.lists(st.integers(1, 6), min_size=dice, max_size=dice))) for dice in ended.rules.dice]
    shown = ended.showdown(rolls)
    stands = ended.rules.holds(ended.rules.bids[ended.bids[-1]], rolls, ended.ending)
    assert shown.loser == (ended.caller if stands else ended.bidder)
    return [*moments, shown]


@given(st.data(), PRESETS, DICE, st.booleans(), st.booleans())
@examples(60)
def test_a_match_removes_one_die_per_round_and_ends_with_one_player(data, preset, dice, palifico, spot_on):
    table = Table.start(rules(preset, 6, dice, spot_on=spot_on), MatchRules(palifico))
    rounds = 0
    while True:
        *bidding, ended = played_round(data, table)
        rounds += 1
        same = (table.dice, table.dice, table.seats, table.rules, None)
        assert all((one.dice, one.dice_left, one.seats, one.rules, one.loser) == same for one in bidding)
        loser = ended.loser
        assert ended.turn is None
        assert ended.dice == table.dice
        assert ended.dice_left == tuple(held - (seat == loser) for seat, held in enumerate(table.dice))
        if ended.is_over:
            break
        following = ended.next_round()
        after = [(loser + step) % len(dice) for step in range(len(dice))]
        assert following.opener == next(seat for seat in after if ended.dice_left[seat])
        assert following.is_palifico == (palifico and ended.dice_left[loser] == 1)
        assert following.rules.dice == tuple(ended.dice_left[seat] for seat in following.seats)
        assert (following.history, following.loser, following.game) == ((), None, table.game)
        table = following
    assert sum(map(bool, ended.dice_left)) == 1
    assert rounds == sum(dice) - sum(ended.dice_left)
    assert sum(dice) - max(dice) <= rounds < sum(dice)


@given(st.data(), DICE)
@examples(30)
def test_seats_play_in_turn_from_the_opener_without_those_that_have_no_dice(data, held):
    dice = tuple(count * data.draw(st.booleans()) for count in held)
    out = [seat for seat, count in enumerate(dice) if not count]
    if len(out) == len(dice):
        return
    opener = data.draw(st.sampled_from([seat for seat in range(len(dice)) if seat not in out]))
    seats = Table(rules("common", 6, held), dice, opener).seats
    assert seats[0] == opener
    assert sorted([*seats, *out]) == list(range(len(dice)))
    steps = [(seat - opener) % len(dice) for seat in seats]
    assert steps == sorted(steps)


@given(st.data(), DICE)
@examples(20)
def test_undoing_the_last_action_gives_the_previous_table(data, dice):
    table = Table.start(rules("common", 6, dice))
    moments = played_round(data, table)
    for before, after in pairwise(moments):
        assert before != after
        if after.loser is None:
            assert replace(after, history=after.history[:-1]) == before
    assert table == moments[-1].redeal()


def test_a_forfeit_takes_all_dice_and_no_palifico_round_follows() -> None:
    table = Table.start(rules("perudo", 6, (3, 3, 2)), MatchRules(palifico=True))
    ended = table.lose(1, forfeit=True)
    assert ended.dice_left == (3, 0, 2)
    assert (ended.next_round().opener, ended.next_round().is_palifico) == (2, False)
    with pytest.raises(ValueError, match="seat 1 has no dice"):
        ended.next_round().lose(1)


def test_another_opener_changes_no_dice_and_keeps_the_palifico_round() -> None:
    following = Table.start(rules("perudo", 6, (2, 3)), MatchRules(palifico=True)).lose(0).next_round(1)
    assert (following.dice, following.seats, following.is_palifico) == ((1, 3), [1, 0], True)
    again = following.act(0).redeal(0)
    assert (again.dice, again.seats, again.history, again.is_palifico) == ((1, 3), [0, 1], (), True)


def test_the_bidder_loses_against_a_spot_on_claim_if_the_count_is_exact() -> None:
    table = Table.start(rules("common", 6, (1, 1), spot_on=True)).act(0).act(SPOT_ON)
    assert (table.called, table.ending, table.bids) == (True, SPOT_ON, (0,))
    assert [table.showdown(rolls).loser for rolls in ([(1,), (2,)], [(1,), (1,)], [(2,), (2,)])] == [0, 1, 1]
    assert Table.start(rules("common", 6)).act(0).act(CALL).showdown([(1,), (2,)]).loser == 1
