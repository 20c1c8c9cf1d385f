"""The reduced strategic form and .nfg files against pygambit and against plain play of every pure strategy."""

from __future__ import annotations

import io
import random
import re
from fractions import Fraction
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

import pygambit
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.recall import has_perfect_recall
from liarsdice_cli.extensive.strategic_form import PureStrategy, count_strategies, payoff_vectors, strategies
from liarsdice_cli.extensive.stream import CHANCE, NONE, TERMINAL
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.formats import efg, nfg
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.tree import build, stream
from tests.support.gambit_walk import CATALOGUE, SAMPLES, catalogue_name, fraction, game_in, game_of, sets_of
from tests.support.properties import mostly_slow
from tests.support.random_games import Game, games, patient, plain_labels, small_fractions, text_of, tree_of

FILES = [path for path in [*CATALOGUE, *SAMPLES] if has_perfect_recall(efg.parse(path.read_bytes()))]
FORGETFUL = [path for path in [*CATALOGUE, *SAMPLES] if path not in FILES]


def combinations_of(tree: GameTree) -> int:
    return prod(count_strategies(tree, player) for player in range(len(tree.players)))


def places(tree: GameTree, player: int, strategy: PureStrategy) -> tuple[int | None, ...]:
    """Return the index of the action at each of the player's sets, by first node, or None if there is no action."""
    chosen = {
        int(tree.action_infoset[action]): action - int(tree.first_action[tree.action_infoset[action]]) for action in strategy
    }
    return tuple(chosen.get(row) for row in sets_of(tree, player))


def gambits_places(game: Any, player: str, strategy: str) -> tuple[int | None, ...]:
    behavior = game.get_behavior(player, strategy)
    found = []
    for infoset in game.get_infosets(player):
        at = pygambit.H.path(*infoset.actions)
        action = behavior.get(at)
        found.append(None if action is None else list(game.get_actions(at)).index(action))
    return tuple(found)


LARGE = ("take-away-7.efg", "liars-dice-2-sides.efg")


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, marks=pytest.mark.slow if path.name in LARGE else (), id=catalogue_name(path)) for path in FILES],
)
def test_strategies_and_payoffs_match_gambit(path: Path) -> None:
    game, tree = game_in(path), efg.parse(path.read_bytes())
    if combinations_of(tree) > 10**6:
        pytest.skip("too large for a strategic form")
    names = list(game.players)
    choices = [strategies(tree, player) for player in range(len(names))]
    labels = []
    for player, name in enumerate(names):
        by_places = {gambits_places(game, name, label): label for label in game.get_strategies(name)}
        ours = [places(tree, player, strategy) for strategy in choices[player]]
        assert len(set(ours)) == len(ours) == len(by_places) == count_strategies(tree, player)
        labels.append([by_places[place] for place in ours])
    if combinations_of(tree) > 100_000:
        return
    vectors = list(payoff_vectors(tree, choices))
    combinations = list(product(*(range(len(plans)) for plans in reversed(choices))))
    assert len(vectors) == combinations_of(tree)
    chosen = range(len(vectors)) if len(vectors) < 600 else sorted(random.Random(0).sample(range(len(vectors)), 150))
    for place in chosen:
        combination = combinations[place][::-1]  # the first player's strategy changes fastest
        asked = {name: labels[player][combination[player]] for player, name in enumerate(names)}
        expected = game.get_payoffs(asked)
        assert vectors[place] == tuple(fraction(expected[name]) for name in names)


@pytest.mark.parametrize("path", mostly_slow(FILES, 3), ids=catalogue_name)
def test_gambit_reads_the_written_strategic_form(path: Path) -> None:
    tree = efg.parse(path.read_bytes())
    if combinations_of(tree) > 2_000:
        pytest.skip("too large to compare everywhere")
    game = pygambit.read_nfg(io.BytesIO(nfg.dumps(tree)))
    names = list(game.players)
    assert names == list(tree.players)
    assert game.title == tree.title
    choices = [strategies(tree, player) for player in range(len(names))]
    assert [len(game.get_strategies(name)) for name in names] == [len(plans) for plans in choices]
    labels = [list(game.get_strategies(name)) for name in names]
    for vector, combination in zip(
        payoff_vectors(tree, choices), product(*map(range, map(len, reversed(choices)))), strict=True
    ):
        asked = {name: labels[player][place] for player, (name, place) in enumerate(zip(names, combination[::-1], strict=True))}
        found = game.get_payoffs(asked)
        assert tuple(fraction(found[name]) for name in names) == vector


def test_strategies_are_named_by_the_numbers_of_their_actions() -> None:
    tree = efg.parse(next(path for path in SAMPLES if "centipede" in path.name).read_bytes())
    text = nfg.dumps(tree).decode()
    assert text.splitlines()[0] == 'NFG 1 R "Centipede with four moves" { "Player 1" "Player 2" }'
    assert '{ "1*" "21" "22" }' in text


def test_names_of_strategies_stay_unique_with_more_than_nine_actions() -> None:
    actions = " ".join(f'"{number}"' for number in range(11))
    move = f'p "" 1 %d "" {{ {actions} }} 0 '
    ends = 't "" 1 "" { 1 } ' * 11
    few = 'p "" 1 3 "" { "a" "b" } 0 t "" 1 t "" 1'
    deal = 'c "" 1 "" { "a" 1/3 "b" 1/3 "c" 1/3 } 0'
    tree = efg.parse(f'EFG 2 R "" {{ "A" }} {deal} {move % 1} {ends} {move % 2} {ends} {few}'.encode())
    names = nfg._names(tree, 0, strategies(tree, 0))
    assert len(set(names)) == len(names) == 242
    assert "1-11-2" in names


def test_players_without_a_move_have_one_strategy() -> None:
    tree = efg.parse(b'EFG 2 R "" { "A" "B" "C" } p "" 2 1 "" { "a" "b" } 0 t "" 1 "" { 1 2 3 } t "" 2 "" { 4 5 6 }')
    assert [count_strategies(tree, player) for player in range(3)] == [1, 2, 1]
    assert strategies(tree, 0) == [()]
    game = pygambit.read_nfg(io.BytesIO(nfg.dumps(tree)))
    assert [len(game.get_strategies(name)) for name in game.players] == [1, 2, 1]


@pytest.mark.parametrize("ends", ['t "" 0', 't "" 1 "" { 1/3 -2 }'])
def test_a_game_without_moves_has_a_strategic_form(ends: str) -> None:
    tree = efg.parse(f'EFG 2 R "" {{ "A" "B" }} {ends}'.encode())
    expected = (Fraction(1, 3), Fraction(-2)) if "1/3" in ends else (0, 0)
    assert list(payoff_vectors(tree, [[()], [()]])) == [expected]
    game = pygambit.read_nfg(io.BytesIO(nfg.dumps(tree)))
    payoffs = game.get_payoffs({name: game.get_strategies(name)[0] for name in game.players})
    assert tuple(fraction(payoffs[name]) for name in game.players) == expected


@pytest.mark.parametrize("path", FORGETFUL, ids=catalogue_name)
def test_games_without_perfect_recall_have_no_reduced_form(path: Path) -> None:
    tree = efg.parse(path.read_bytes())
    with pytest.raises(LiarsDiceError, match="perfect recall"):
        nfg.dumps(tree)


def test_some_files_have_imperfect_recall() -> None:
    assert len(FORGETFUL) >= 3


def test_a_game_without_players_is_refused() -> None:
    with pytest.raises(LiarsDiceError, match=r"no player.*write it as \.efg"):
        nfg.dumps(efg.parse(b'EFG 2 R "" { } t "" 0'))


@pytest.mark.parametrize(("sides", "size"), [(3, r"10\^33 x 10\^53"), (2, "100 x 900")])
def test_a_form_that_is_too_large_is_refused_before_it_is_built(monkeypatch: pytest.MonkeyPatch, sides: int, size: str) -> None:
    tree = build(rules("classic", sides))
    monkeypatch.setattr(nfg, "MOST", 89_999)
    monkeypatch.setattr(nfg, "strategies", lambda *what: pytest.fail("strategies are made"))
    with pytest.raises(
        LiarsDiceError, match=rf"{size} combinations of reduced strategies, above 89,999: write the game as \.efg"
    ):
        nfg.dumps(tree)


@pytest.mark.slow
def test_a_large_form_is_written() -> None:
    tree = build(rules("common", 2))
    assert combinations_of(tree) == 90_000 < nfg.MOST
    text = nfg.dumps(tree).decode()
    assert len(text.splitlines()[-1].split()) == 2 * 90_000
    assert text.count('"') == 2 * (1 + 2 + 100 + 900 + 1)  # title, players, strategies, comment


@pytest.mark.parametrize(
    ("name", "sides", "dice"), [("classic", 2, (1, 1)), ("joker", 2, (2, 1)), ("common", 2, (2, 1)), ("common", 2, (1, 1, 1))]
)
def test_counts_of_liars_dice_match_gambit(name: str, sides: int, dice: tuple[int, ...]) -> None:
    game = rules(name, sides, dice, max_quantity=1 if len(dice) == 3 or sum(dice) == 3 else None)
    tree, other = build(game), game_of(efg.dumps(stream(game)))
    counts = [count_strategies(tree, player) for player in range(len(dice))]
    assert max(counts) < 20_000
    assert counts == [len(other.get_strategies(player)) for player in other.players]


def test_strategies_are_sorted_by_their_sets() -> None:
    """Set 3 follows an action of set 1 but stands after set 2 in the file."""
    ends = 't "" 0 t "" 0 '
    tree = efg.parse(
        (
            'EFG 2 R "" { "A" } c "" 1 "" { "x" 1/3 "y" 1/3 "z" 1/3 } 0 '
            f'p "" 1 1 "" {{ "a" "b" }} 0 {ends} p "" 1 2 "" {{ "a" "b" }} 0 {ends} '
            f'p "" 1 1 0 p "" 1 3 "" {{ "a" "b" }} 0 {ends} t "" 0'
        ).encode()
    )
    assert nfg._names(tree, 0, strategies(tree, 0)) == ["111", "112", "121", "122", "21*", "22*"]
    other = game_of(efg.dumps(tree.stream()))
    ours = [places(tree, 0, strategy) for strategy in strategies(tree, 0)]
    assert [gambits_places(other, "A", label) for label in other.get_strategies("A")] == ours


def played(tree: GameTree, chosen: set[int]) -> tuple[Fraction, ...]:
    """Return the expected payoffs if the players take these actions, move by move down the tree."""
    payoffs = [Fraction(0)] * len(tree.players)
    children: list[list[int]] = [[] for _ in range(tree.nodes)]
    for node in range(1, tree.nodes):
        children[tree.parent[node]].append(node)
    waiting = [(0, Fraction(1))]
    while waiting:
        node, weight = waiting.pop()
        if tree.outcome[node] != NONE:
            for player, payoff in enumerate(tree.outcomes[tree.outcome[node]].payoffs):
                payoffs[player] += weight * payoff
        lottery = tree.actions_at(tree.infoset[node]).probabilities if tree.player[node] == CHANCE else None
        for branch, child in enumerate(children[node]):
            if lottery is not None:
                waiting.append((child, weight * lottery[branch]))
            elif int(tree.action[child]) in chosen:
                waiting.append((child, weight))
    return tuple(payoffs)


@patient()
@given(game=games(names=st.just(""), payoffs=small_fractions, most_nodes=25, perfect_recall=True))
def test_payoffs_match_plain_play_of_the_strategies(game: Game) -> None:
    tree = tree_of(game)
    assert has_perfect_recall(tree)
    assume(combinations_of(tree) <= 200)
    choices = [strategies(tree, player) for player in range(len(tree.players))]
    vectors = list(payoff_vectors(tree, choices))
    expected = [
        played(tree, {action for strategy in combination for action in strategy})
        for combination in (reversed(backward) for backward in product(*reversed(choices)))
    ]
    assert vectors == expected


@patient()
@given(game=games(names=st.just(""), payoffs=small_fractions, perfect_recall=True))
def test_counts_match_gambit_and_the_list_of_strategies(game: Game) -> None:
    tree = tree_of(game)
    counts = [count_strategies(tree, player) for player in range(len(tree.players))]
    assume(max(counts) <= 500)
    other = game_of(efg.dumps(tree.stream()))
    assert [len(other.get_strategies(player)) for player in other.players] == counts
    for player, count in enumerate(counts):
        plans = strategies(tree, player)
        assert len(set(plans)) == len(plans) == count
        assert plans == sorted(plans)
        assert all(plan == tuple(sorted(plan)) for plan in plans)


def payoffs_of(game: Game, chosen: dict[tuple[int, int], str], place: int = 0) -> tuple[list[Fraction], int]:
    """Return the expected payoffs from a node on, and the index after its subtree; * stands for a set never reached."""
    node = game.nodes[place]
    total = list(game.outcomes[node.outcome].payoffs) if node.outcome else [Fraction(0)] * len(game.players)
    place += 1
    if node.player == TERMINAL:
        return total, place
    actions = game.sets[node.player, node.number][1]
    mark = chosen.get((node.player, node.number))
    for branch in range(len(actions.labels)):
        below, place = payoffs_of(game, chosen, place)
        weight = actions.probabilities[branch] if actions.probabilities else Fraction(mark == str(branch + 1))
        total = [one + weight * other for one, other in zip(total, below, strict=True)]
    return total, place


def reduced(game: Game, player: int, plan: dict[tuple[int, int], str]) -> str:
    """Return a pure strategy with * at every set that it never reaches, with the sets sorted by first node."""
    met = set()

    def walk(place: int, comes: bool) -> int:
        node = game.nodes[place]
        place += 1
        if node.player == TERMINAL:
            return place
        own = node.player == player
        if own and comes:
            met.add((node.player, node.number))
        for branch in range(len(game.sets[node.player, node.number][1].labels)):
            place = walk(place, comes and (not own or plan[node.player, node.number] == str(branch + 1)))
        return place

    walk(0, True)
    return "".join(mark if key in met else "*" for key, mark in plan.items()) or "none"


@patient()
@given(games(names=plain_labels, payoffs=small_fractions, most_nodes=16, perfect_recall=True), st.data())
def test_the_strategic_form_matches_plain_recursion_for_any_set_numbers(game: Game, data: st.DataObject) -> None:
    tree = efg.parse(text_of(game, data.draw))
    assume(combinations_of(tree) <= 200)
    out = io.BytesIO()
    nfg.write(tree.stream(), out)
    lines = out.getvalue().decode().splitlines()
    names = [re.findall('"([^"]*)"', line) for line in lines[1 : 1 + len(game.players)]]
    keys: list[list[tuple[int, int]]] = [[] for _ in game.players]
    for player, number in dict.fromkeys((node.player, node.number) for node in game.nodes if node.player >= 0):
        keys[player].append((player, number))
    for player, own in enumerate(keys):
        marks = [[str(branch + 1) for branch in range(len(game.sets[key][1].labels))] for key in own]
        plans = (dict(zip(own, plan, strict=True)) for plan in product(*marks))
        assert sorted(names[player]) == sorted({reduced(game, player, plan) for plan in plans})
    expected: list[str] = []
    for strategies_of_all in product(*reversed(names)):  # the first player's strategy changes fastest
        chosen = {
            key: mark
            for own, name in zip(keys, strategies_of_all[::-1], strict=True)
            for key, mark in zip(own, name.replace("none", ""), strict=True)
        }
        expected += map(str, payoffs_of(game, chosen)[0])
    assert lines[-1].split() == expected
