"""What everybody knows of where play has come: the public places of games whose places are known by other means."""

from __future__ import annotations

import pytest
from hypothesis import given

from liarsdice_cli.extensive.public_places import PublicPlaces
from liarsdice_cli.extensive.stream import NONE
from liarsdice_cli.formats import efg
from liarsdice_cli.games.liarsdice import tree
from liarsdice_cli.games.liarsdice.rules import rules
from tests.support.random_games import Game, games, patient, tree_of

GAMES = {
    # the places in order, each with the places before it and the information sets in it
    "kuhn-poker": ([NONE, 0, 0, 1], [3, 3, 3, 3]),
    "myerson-card-game": ([NONE, 0], [2, 1]),
    "matching-pennies": ([NONE, 0], [1, 1]),
    "outside-option": ([NONE, 0, 1], [1, 1, 1]),
    "beer-quiche": ([NONE, 0, 0], [2, 1, 1]),
    "seltens-horse": ([NONE, 0], [2, 1]),  # player 3 does not see which of the others went on
    "absent-minded-driver": ([NONE], [1]),
}


@pytest.mark.parametrize("name", GAMES)
def test_places_of_games_that_can_be_looked_through(name: str) -> None:
    places = PublicPlaces.of(efg.read(f"sample_games/{name}.efg"))
    assert (places.parent.tolist(), [len(places.sets(place)) for place in range(len(places))]) == GAMES[name]


@pytest.mark.parametrize(("preset", "sides", "dice"), [("classic", 2, (1, 1)), ("joker", 3, (1, 1)), ("common", 2, (2, 1))])
def test_the_places_of_liars_dice_are_its_betting_histories(preset: str, sides: int, dice: tuple[int, ...]) -> None:
    game = rules(preset, sides, dice)
    places = PublicPlaces.of(tree.build(game))
    assert len(places) == 2**game.bid_count
    for place in range(len(places)):
        player = places.lengths[place] % 2
        assert len(places.sets(place)) == len(game.rolls(player))
        assert {int(places.tree.infosets.player[row]) for row in places.sets(place)} == {player}


def test_a_card_that_all_see_parts_places_and_private_ones_do_not() -> None:
    """Two cards, of which player 2 sees one; then an open card, then player 2 moves, then player 1."""
    text = b'EFG 2 R "open card" { "A" "B" } c "" 1 "" { "l" 1/2 "h" 1/2 } 0\n'
    number = 0
    for card in ("l", "h"):
        text += b'c "" %d "" { "x" 1/2 "y" 1/2 } 0\n' % (2 if card == "l" else 3)
        for shown in ("x", "y"):
            number += 1
            text += b'p "" 2 %d "" { "go" "end" } 0 p "" 1 %d "" { "u" "d" } 0\n' % (number, "xy".index(shown) + 1)
            text += b't "" 1 "" { 1, 0 } t "" 1 t "" 1\n'
    places = PublicPlaces.of(efg.parse(text))
    assert places.parent.tolist() == [NONE, NONE, 0, 1]
    assert [places.steps(place) for place in range(2)] == [[("l", "x"), ("h", "x")], [("l", "y"), ("h", "y")]]


def test_moves_that_come_to_light_part_places_again() -> None:
    places = PublicPlaces.of(efg.read("sample_games/twice-repeated-prisoners-dilemma.efg"))
    assert places.steps(1) == [("C",), ("D",)]
    assert places.after[1] == [2, 3, 4, 5]
    assert [len(places.nodes(place)) for place in places.after[1]] == [1, 1, 1, 1]


@patient(60)
@given(games())
def test_places_hold_whole_sets_and_each_follows_one_other(game: Game) -> None:
    places = PublicPlaces.of(tree_of(game))
    rows = [row for place in range(len(places)) for row in places.sets(place)]
    assert len(rows) == len(set(rows)) == int((places.tree.infosets.player >= 0).sum())
    for place in range(len(places)):
        assert places.parent[place] < place
        before = {int(places.of_node[places.before[node]]) for node in places.nodes(place) if places.before[node] != node}
        assert before <= {int(places.parent[place]), place, NONE}
