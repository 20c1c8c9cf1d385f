"""Legal bids against their definition, bid by bid and history by history."""

from __future__ import annotations

from itertools import combinations

import pytest

from liarsdice_cli.games.bidding import CALL, FINAL_ACTIONS, OPENING, SPOT_ON, Bidding

BIDDINGS = [
    made
    for endings in (1, 2)
    for made in (
        Bidding.free(1, endings),
        Bidding.free(4, endings),
        Bidding(4, (1, 3), 4, endings),
        Bidding(4, (1, 3), 2, endings),
        Bidding(6, range(6), 3, endings),
        Bidding(6, (0, 1, 3), 3, endings),
        Bidding(4, (0, 2, 3), 1, endings),
    )
]
each = pytest.mark.parametrize("bidding", BIDDINGS, ids=str)


def may_follow(bidding: Bidding, last: int, bid: int) -> bool:
    if last == OPENING:
        return bid in bidding.openings
    return bid > last and bid // bidding.group_size == last // bidding.group_size


def histories(bidding: Bidding) -> list[tuple[int, ...]]:
    """Return all histories in prefix order."""
    rising = (bids for length in range(bidding.bids + 1) for bids in combinations(range(bidding.bids), length))
    return sorted(
        bids for bids in rising if all(may_follow(bidding, *pair) for pair in zip((OPENING, *bids), bids, strict=False))
    )


@each
def test_actions_after_a_last_bid_match_the_definition(bidding: Bidding) -> None:
    every = range(bidding.bids)
    assert bidding.final_actions == (CALL, SPOT_ON)[: bidding.final_action_count] == FINAL_ACTIONS[: bidding.final_action_count]
    assert [bidding.action_index(action) for action in (*bidding.final_actions, *every)] == [
        *range(bidding.final_action_count + bidding.bids)
    ]
    for last in (OPENING, *every):
        following = [bid for bid in every if may_follow(bidding, last, bid)]
        assert [*bidding.following(last)] == following
        assert bidding.can_follow[last].tolist() == [bid in following for bid in every]
        actions = len(following) + (0 if last == OPENING else bidding.final_action_count)
        assert (bidding.actions(last), bidding.has_choice(last)) == (actions, actions > 1)
        assert bidding.stops[last] == bidding.stop(last)
    assert bidding.can_open.tolist() == [may_follow(bidding, OPENING, bid) for bid in every]


@each
def test_without_faces_every_bid_has_a_face_of_its_own(bidding: Bidding) -> None:
    assert bidding.next_on_face.tolist() == [-1] * bidding.bids
    assert all(bidding.lowest(last) == list(bidding.following(last)) for last in range(OPENING, bidding.bids))


def test_the_lowest_and_the_next_bids_on_each_face() -> None:
    bidding = Bidding(6, (0, 2, 4), 6, faces=(2, 3, 1, 2, 3, 1))
    assert (bidding.lowest(OPENING), bidding.lowest(0), bidding.lowest(4)) == ([0, 2, 4], [1, 2, 3], [5])
    assert bidding.next_on_face.tolist() == [3, 4, 5, -1, -1, -1]


@each
def test_histories_are_all_sequences_of_bids_that_may_follow_each_other(bidding: Bidding) -> None:
    found = histories(bidding)
    assert [*bidding.histories()] == found
    assert bidding.history_count == len(found)
    assert bidding.is_free == (len(found) == 1 << bidding.bids)
    for length in range(bidding.bids + 1):
        assert [*bidding.histories(length)] == [history for history in found if len(history) <= length]
        for bids in combinations(range(bidding.bids), length):
            assert bidding.allows(bids) == (bids in found)
    for history in found:
        begun = [other for other in found if other[: len(history)] == history]
        assert [*bidding.histories(history=history)] == begun
        assert not history or len(history) > 1 or bidding.subtree_histories(*history) == len(begun)


def test_a_call_is_the_only_final_action_by_default() -> None:
    assert Bidding.free(2).final_actions == Bidding(2, (0,), 2).final_actions == (CALL,)
