"""The public states of games whose states are known by other means."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import example, given

from liarsdice_cli.extensive.public_states import PublicStates
from liarsdice_cli.extensive.stream import CHANCE, NONE, TERMINAL, Actions
from liarsdice_cli.formats import efg
from liarsdice_cli.games.liarsdice import tree
from liarsdice_cli.games.liarsdice.rules import rules
from tests.support.random_games import Game, Node, games, patient, tree_of

GAMES = {
    # the parents of the states in order, and their numbers of information sets
    "kuhn-poker": ([NONE, 0, 0, 1], [3, 3, 3, 3]),
    "myerson-card-game": ([NONE, 0], [2, 1]),
    "matching-pennies": ([NONE, 0], [1, 1]),
    "outside-option": ([NONE, 0, 1], [1, 1, 1]),
    "beer-quiche": ([NONE, 0, 0], [2, 1, 1]),
    "seltens-horse": ([NONE, 0], [2, 1]),  # player 3 does not see which of the others went on
    "absent-minded-driver": ([NONE], [1]),
}


@pytest.mark.parametrize("name", GAMES)
def test_public_states_of_sample_games_match_the_known_ones(name: str) -> None:
    states = PublicStates.of(efg.read(f"sample_games/{name}.efg"))
    assert (states.parent.tolist(), [len(states.sets(state)) for state in range(len(states))]) == GAMES[name]


@pytest.mark.parametrize(("preset", "sides", "dice"), [("classic", 2, (1, 1)), ("joker", 3, (1, 1)), ("common", 2, (2, 1))])
def test_the_public_states_of_liars_dice_are_its_histories(preset: str, sides: int, dice: tuple[int, ...]) -> None:
    game = rules(preset, sides, dice)
    states = PublicStates.of(tree.build(game))
    assert len(states) == 2**game.bid_count
    for state in range(len(states)):
        player = states.lengths[state] % 2
        assert len(states.sets(state)) == len(game.rolls(player))
        assert {int(states.tree.infosets.player[row]) for row in states.sets(state)} == {player}


def test_open_cards_split_public_states_and_private_cards_do_not() -> None:
    """Player 2 sees a private card, then both see an open card; player 2 moves, then player 1."""
    text = b'EFG 2 R "open card" { "A" "B" } c "" 1 "" { "l" 1/2 "h" 1/2 } 0\n'
    number = 0
    for card in ("l", "h"):
        text += b'c "" %d "" { "x" 1/2 "y" 1/2 } 0\n' % (2 if card == "l" else 3)
        for shown in ("x", "y"):
            number += 1
            text += b'p "" 2 %d "" { "go" "end" } 0 p "" 1 %d "" { "u" "d" } 0\n' % (number, "xy".index(shown) + 1)
            text += b't "" 1 "" { 1, 0 } t "" 1 t "" 1\n'
    states = PublicStates.of(efg.parse(text))
    assert states.parent.tolist() == [NONE, NONE, 0, 1]
    assert [states.steps(state) for state in range(2)] == [[("l", "x"), ("h", "x")], [("l", "y"), ("h", "y")]]


def test_revealed_moves_split_public_states_again() -> None:
    states = PublicStates.of(efg.read("sample_games/twice-repeated-prisoners-dilemma.efg"))
    assert states.steps(1) == [("C",), ("D",)]
    assert states.after[1] == [2, 3, 4, 5]
    assert [len(states.nodes(state)) for state in states.after[1]] == [1, 1, 1, 1]


def _forgetful(*nodes: tuple[int, int]) -> Game:
    """Return a game from the player and the set of every node; a set has as many actions as its number."""
    chance = {number: (Fraction(0),) * (number - 1) + (Fraction(1),) for number in range(1, 4)}
    sets = {
        (player, number): ("", Actions(("",) * number, chance[number] if player == CHANCE else None))
        for player, number in nodes
        if player != TERMINAL
    }
    return Game("", "", ("", ""), tuple(Node(player, number, 0, "") for player, number in nodes), sets)


END = TERMINAL, 0
AFTER_CHANCE_OR_ANOTHER = [
    # player 1's only set follows chance and player 2; player 2 moves as deep in the tree, or deeper
    _forgetful((CHANCE, 2), (0, 1), END, (1, 1), (0, 1), END),
    _forgetful((CHANCE, 2), (0, 1), END, (CHANCE, 1), (1, 1), (0, 1), END),
]


@pytest.mark.parametrize("game", AFTER_CHANCE_OR_ANOTHER)
def test_a_state_has_the_state_before_it_as_parent_although_chance_alone_also_reaches_it(game: Game) -> None:
    states = PublicStates.of(tree_of(game))
    assert states.parent.tolist() == [NONE, 0]
    assert [states.tree.infosets.player[states.sets(state)].tolist() for state in range(2)] == [[1], [0]]


@patient(60)
@given(games())
@example(AFTER_CHANCE_OR_ANOTHER[0])
@example(AFTER_CHANCE_OR_ANOTHER[1])
def test_states_contain_whole_sets_and_each_has_one_parent(game: Game) -> None:
    states = PublicStates.of(tree_of(game))
    rows = [row for state in range(len(states)) for row in states.sets(state)]
    assert len(rows) == len(set(rows)) == int((states.tree.infosets.player >= 0).sum())
    for state in range(len(states)):
        assert states.parent[state] < state
        before = {int(states.of_node[states.before[node]]) for node in states.nodes(state) if states.before[node] != node}
        assert before - {state, NONE} == {int(states.parent[state])} - {NONE}
