"""Games in memory: a collected stream is the same game, whatever the numbers of its information sets."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from liarsdice_cli.extensive.collect import collect
from liarsdice_cli.extensive.stream import CHANCE
from liarsdice_cli.extensive.tree import InfoSets
from liarsdice_cli.formats import efg
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.tree import build
from tests.support.random_games import Game, described, described_tree, games, patient, text_of, tree_of


@patient()
@given(games(), st.data())
def test_a_collected_stream_is_the_same_game_for_any_set_numbers(game: Game, data: st.DataObject) -> None:
    tree = efg.parse(text_of(game, data.draw))
    again = collect(tree.stream())
    assert described_tree(again) == described_tree(tree) == described(game)
    assert again.fingerprint == tree.fingerprint


@patient()
@given(games())
def test_collected_sets_are_sorted_by_player_and_first_node(game: Game) -> None:
    again = collect(tree_of(game).stream())
    places = list(zip(again.infosets.player.tolist(), again.first_node.tolist(), strict=True))
    assert places == sorted(places)


def test_collecting_a_collected_game_changes_nothing() -> None:
    tree = build(rules("joker", 2))
    again = collect(tree.stream())
    assert np.array_equal(again.infoset, tree.infoset)
    assert list(again.infosets.labels) == list(tree.infosets.labels)


def test_unused_numbers_fill_the_gaps_below_the_highest_number() -> None:
    sets = InfoSets(np.array([CHANCE, CHANCE, CHANCE, 0]), np.array([2**31 - 1, 2, -1, 1]), np.zeros(4, np.int64), [""] * 4)
    assert sets.unused_numbers(3).tolist() == [1, 3, 4]
