"""Values and odds after a history, against enumeration by the rules of the game and over all plays of random trees."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import product
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarsdice_cli.errors import LiarsDiceError, UsageError
from liarsdice_cli.extensive.after_history import SetsAfter, after, nodes_after
from liarsdice_cli.extensive.evaluate import judge
from liarsdice_cli.extensive.paths import moves
from liarsdice_cli.extensive.profile import Profile, from_sets
from liarsdice_cli.extensive.stream import CHANCE, NONE
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.formats import efg
from liarsdice_cli.games.liarsdice.bids import Bid
from liarsdice_cli.games.liarsdice.rules import Roll, Rules, rules
from liarsdice_cli.games.liarsdice.tree import build
from liarsdice_cli.report.history import last_bid_true
from tests.support.properties import examples, mostly_slow
from tests.support.random_games import Game, games, random_profile, small_fractions, tree_of
from tests.support.solving import solve

GAMES = {
    "classic, 2 sides": rules("classic", 2),
    "joker, 3 sides, signs": rules("joker", 3, payoffs="zero-sum"),
    "face-first, 2 sides": rules("face-first", 2),
    "common, dice 2,1": rules("common", 2, (2, 1), max_quantity=2),
    "three players": rules("common", 2, (1, 1, 1), max_quantity=1, payoffs="zero-sum"),
}
WEIGHTS = (0, 0, 1, 2, 5)
"""Random weights of actions; with many zeros, some histories are never reached."""


class Table:
    """Liar's Dice played by a profile, from the rules alone; sets are found by their labels."""

    def __init__(self, game: Rules, tree: GameTree, profile: Profile) -> None:
        self.game = game
        self.play = {tree.infosets.labels[row]: profile.at(row) for row in range(len(tree.infosets))}
        self.deals = [
            (tuple(roll for roll, _ in deal), prod((p for _, p in deal), start=Fraction(1)))
            for deal in product(*(game.rolls(player) for player in range(game.players)))
        ]

    def histories(self) -> Iterator[tuple[Bid, ...]]:
        bids = self.game.bids
        for chosen in product((False, True), repeat=len(bids)):
            yield tuple(bid for bid, made in zip(bids, chosen, strict=True) if made)

    def mover(self, history: Sequence[Bid]) -> int:
        return len(history) % self.game.players

    def label(self, history: Sequence[Bid], roll: Roll) -> str:
        past = " ".join(map(str, ("after", *history))) if history else "opening"
        return f"P{self.mover(history) + 1} roll {self.game.roll_label(roll)} {past}"

    def actions(self, history: Sequence[Bid]) -> list[Bid | None]:
        """Return the legal actions; None is the call."""
        higher = self.game.bids[self.game.bids.index(history[-1]) + 1 :] if history else self.game.bids
        return [*([None] if history else []), *higher]

    def probability(self, history: Sequence[Bid], roll: Roll, action: Bid | None) -> Fraction | float:
        return self.play[self.label(history, roll)][self.actions(history).index(action)]

    def holds(self, history: Sequence[Bid], deal: Sequence[Roll]) -> bool:
        return self.game.holds(history[-1], deal)

    def value(self, history: tuple[Bid, ...], deal: tuple[Roll, ...], action: Bid | None, player: int) -> Fraction | float:
        """Return a player's expected payoff, given the deal and the next action."""
        mover = self.mover(history)
        if action is None:
            loser = mover if self.holds(history, deal) else (mover - 1) % self.game.players
            return self.game.payoffs_when_losing(loser)[player]
        later = (*history, action)
        return sum(
            self.probability(later, deal[self.mover(later)], then) * self.value(later, deal, then, player)
            for then in self.actions(later)
        )

    def weights(self, history: tuple[Bid, ...], roll: Roll) -> list[tuple[tuple[Roll, ...], Fraction | float]]:
        """Return the deals with the mover's roll, each with the reach probability of chance and the others."""
        mover = self.mover(history)
        found = []
        for deal, weight in self.deals:
            if deal[mover] == roll:
                done = [
                    self.probability(history[:move], deal[self.mover(history[:move])], bid)
                    for move, bid in enumerate(history)
                    if self.mover(history[:move]) != mover
                ]
                found.append((deal, weight * prod(done, start=Fraction(1))))
        return found


@pytest.mark.parametrize(("name", "seed", "exact"), mostly_slow(product(GAMES, range(3), [True, False])))
def test_values_and_odds_match_an_enumeration_by_the_rules(name: str, seed: int, exact: bool) -> None:
    game = GAMES[name]
    tree = build(game)
    profile = random_profile(tree, seed, WEIGHTS, exact)
    table, never = Table(game, tree, profile), 0
    for history in table.histories():
        mover = table.mover(history)
        page = after(profile, list(map(str, history)))
        assert (page.player, len(page.rows)) == (mover, game.roll_count(mover))
        assert page.actions == tuple("call" if action is None else str(action) for action in table.actions(history))
        last = len(page.rows) - 1
        assert after(profile, list(map(str, history)), last).rows == (page.rows[last],)
        for row, (roll, _) in zip(page.rows, game.rolls(mover), strict=True):
            assert tree.infosets.labels[row.row] == table.label(history, roll)
            assert row.probabilities == table.play[table.label(history, roll)]
            weights = table.weights(history, roll)
            total = sum(weight for _, weight in weights)
            if not total:
                never += 1
                assert (row.values, last_bid_true(page, row)) == (None, None)
                continue
            expected = [
                sum(weight * table.value(history, deal, action, mover) for deal, weight in weights) / total
                for action in table.actions(history)
            ]
            odds = sum(weight for deal, weight in weights if table.holds(history, deal)) / total if history else None
            assert row.values is not None
            if exact:
                assert (row.values, last_bid_true(page, row)) == (expected, odds)
                assert all(isinstance(number, Fraction) for number in row.values)
            else:
                assert row.values == pytest.approx([float(number) for number in expected], abs=1e-12)
                assert last_bid_true(page, row) == (None if odds is None else pytest.approx(float(odds), abs=1e-12))
    assert never > 0 or seed > 0 or game.players == 3


@pytest.mark.parametrize(
    "game",
    [
        rules("classic", 2),
        rules("common", 3),
        rules("top-wild", 3, payoffs="zero-sum"),
        rules("joker", 2, (2, 1)),
        rules("dudo", 2, (1, 2)),
    ],
    ids=str,
)
def test_an_equilibrium_plays_only_best_actions_at_sets_that_it_reaches(game: Rules) -> None:
    tree = build(game)
    profile = solve(tree).solved[0].profile
    table, compared = Table(game, tree, profile), 0
    for history in table.histories():
        for row, (roll, _) in zip(after(profile, list(map(str, history))).rows, game.rolls(table.mover(history)), strict=True):
            own = prod(
                table.probability(history[:move], roll, bid)
                for move, bid in enumerate(history)
                if table.mover(history[:move]) == table.mover(history)
            )
            if row.values is not None and own:
                played = {value for value, p in zip(row.values, row.probabilities, strict=True) if p}
                assert played == {max(row.values)}
                compared += 1
    assert compared > 3


@pytest.mark.parametrize("name", GAMES)
def test_values_at_the_opening_add_up_to_the_payoff(name: str) -> None:
    game = GAMES[name]
    tree = build(game)
    profile = random_profile(tree, 7, WEIGHTS)
    page = after(profile, [])
    assert page.player == 0
    payoff = Fraction(0)
    for row, (_, chance) in zip(page.rows, game.rolls(0), strict=True):
        assert last_bid_true(page, row) is None
        payoff += chance * sum(p * value for p, value in zip(row.probabilities, row.values or (), strict=True))
    assert payoff == judge(profile).payoffs[0]


def plays(tree: GameTree) -> list[tuple[list[int], list[Fraction]]]:
    """Return every terminal node's path from the root, and every player's payoff on it."""
    inner = set(tree.parent.tolist())
    found = []
    for end in range(tree.nodes):
        if end not in inner:
            path = [end]
            while path[-1]:
                path.append(int(tree.parent[path[-1]]))
            path = path[::-1]
            outcomes = [tree.outcomes[row].payoffs for row in tree.outcome[path].tolist() if row != NONE]
            found.append(
                (
                    path,
                    [sum((vector[player] for vector in outcomes), Fraction(0)) for player in range(len(tree.players))],
                )
            )
    return found


def enumerated(tree: GameTree, profile: Profile, row: int, branch: int) -> Fraction | None:
    """Return the player's payoff with an action, averaged over all plays through it, with the player's earlier moves certain.

    At a set with one node only later moves count, so that there is a payoff even if the others never reach the set.
    """
    alone = np.count_nonzero(tree.infoset == row) == 1
    player, wanted = int(tree.infosets.player[row]), int(tree.first_action[row]) + branch
    total, weight = Fraction(0), Fraction(0)
    for path, payoffs in plays(tree):
        actions = tree.action[path[1:]].tolist()
        if wanted in actions:
            here = actions.index(wanted)
            others = prod(
                (
                    profile.probabilities[action]
                    for place, action in enumerate(actions)
                    if place > here or (place < here and not alone and tree.action_player[action] != player)
                ),
                start=Fraction(1),
            )
            total, weight = total + others * payoffs[player], weight + others
    return total / weight if weight else None


def told(tree: GameTree, profile: Profile, history: list[str]) -> SetsAfter | str:
    try:
        return after(profile, history)
    except LiarsDiceError as error:
        return str(error)


@examples(150)
@given(
    game=games(names=st.sampled_from("abc"), payoffs=small_fractions, most_nodes=25, perfect_recall=True),
    seed=st.integers(0, 99),
)
def test_values_on_random_trees_match_all_plays(game: Game, seed: int) -> None:
    """Follow histories from the root by their labels, and work out whether their sets have the same player and actions."""
    tree = tree_of(game)
    profile = random_profile(tree, seed, WEIGHTS)
    below: list[list[int]] = [[] for _ in range(tree.nodes)]
    for node in range(1, tree.nodes):
        below[tree.parent[node]].append(node)

    def deciding(nodes: list[int]) -> list[int]:
        found = []
        while nodes:
            found += [node for node in nodes if tree.player[node] >= 0]
            nodes = [child for node in nodes if tree.player[node] == CHANCE for child in below[node]]
        return found

    def actions(row: int) -> tuple[str, ...]:
        return tree.actions_at(row).labels

    waiting: list[tuple[list[str], list[int]]] = [([], deciding([0]))]
    while waiting:
        history, nodes = waiting.pop()
        page = told(tree, profile, history)
        if not nodes:
            assert isinstance(page, str)
            assert ("no player moves" in page) != bool(history)
            continue
        rows = sorted({int(tree.infoset[node]) for node in nodes})
        if len({(tree.infosets.player[row], actions(row)) for row in rows}) > 1:
            assert isinstance(page, str)
            assert "different players or actions" in page
        else:
            assert isinstance(page, SetsAfter)
            assert [row.row for row in page.rows] == rows
            for row in page.rows:
                assert row.probabilities == profile.at(row.row)
                inside = sorted(node for node in nodes if tree.infoset[node] == row.row)
                if inside == np.flatnonzero(tree.infoset == row.row).tolist():  # otherwise the history says more than the set
                    expected = [enumerated(tree, profile, row.row, branch) for branch in range(len(page.actions))]
                    assert expected == (row.values or [None] * len(expected))
        for label in {label for row in rows for label in actions(row)}:
            children = [
                child
                for node in nodes
                for child, name in zip(below[node], actions(int(tree.infoset[node])), strict=True)
                if name == label
            ]
            waiting.append(([*history, label], deciding(children)))


@pytest.mark.parametrize(
    ("history", "message"),
    [
        (["call"], "'call' cannot follow the opening; choose from 1x1, 1x2, 2x1, 2x2"),
        (["3x1"], "'3x1' cannot follow the opening; choose from 1x1, 1x2, 2x1, 2x2"),
        (["2x1", "1x1"], "'1x1' cannot follow 2x1; choose from 2x2, call"),
        (["2x1", "call"], "'call' after 2x1 ends the game: give a shorter history"),
        (["1x2", "2x1", "2x1"], "'2x1' cannot follow 1x2 2x1; choose from 2x2, call"),
        (["2x2", "call", "call"], "'call' after 2x2 ends the game: give a shorter history"),
        (["1x1", ""], "'' cannot follow 1x1; choose from 1x2, 2x1, 2x2, call"),
    ],
)
def test_impossible_histories_are_refused_with_a_remedy(history: list[str], message: str) -> None:
    tree = build(rules("classic", 2))
    profile = from_sets(tree, {})
    for asked in (history, [*history, "2x2"]):
        for refused in (partial(after, profile), partial(nodes_after, tree)):
            with pytest.raises(LiarsDiceError) as caught:
                refused(asked)
            assert str(caught.value) == message


def test_a_history_consists_of_bids_without_the_rolls() -> None:
    game = rules("common", 3)
    tree = build(game)
    nodes = nodes_after(tree, ["1x1", "2x1"])
    assert len(nodes) == 9
    assert {tree.label_of(row) for row in tree.infoset[nodes].tolist()} == {f"P1 roll {face} after 1x1 2x1" for face in "123"}
    staged = build(game, "staged")
    assert len(nodes_after(staged, ["1x1", "2x1"])) == 9


HEAD = 'EFG 2 R "" { "A" "B" } '
MOVES = 'p "" %d %d "" { %s } 0 t "" 1 "" { 1 0 } t "" 2 "" { 0 2 } '


@pytest.mark.parametrize("text", ['t "" 1 "" { 1 2 }', 't "" 0', 'c "" 1 "" { "x" 1/2 "y" 1/2 } 0 t "" 1 "" { 1 2 } t "" 1'])
def test_games_without_decisions_are_refused(text: str) -> None:
    tree = efg.parse((HEAD + text).encode())
    for history in ([], ["x"]):
        with pytest.raises(LiarsDiceError, match="no player moves"):
            after(from_sets(tree, {}), history)


@pytest.mark.parametrize("second", [MOVES % (2, 1, '"a" "b"'), MOVES % (1, 2, '"a" "c"'), MOVES % (1, 2, '"b" "a"')])
def test_sets_of_different_players_or_actions_are_refused(second: str) -> None:
    first = MOVES % (1, 1, '"a" "b"')
    tree = efg.parse(f'{HEAD}c "" 1 "" {{ "x" 1/2 "y" 1/2 }} 0 {first}{second}'.encode())
    with pytest.raises(LiarsDiceError, match="the opening leads to sets of different players or actions"):
        after(from_sets(tree, {}), [])


def test_actions_with_blanks_are_quoted_and_those_without_labels_have_numbers() -> None:
    ends = 't "" 1 "" { 1 0 } t "" 2 "" { 0 2 } '
    text = f'{HEAD}p "" 1 1 "" {{ "raise it" "don\'t" }} 0 p "" 2 1 "r" {{ "" "" }} 0 {ends}p "" 2 2 "s" {{ "" "x" }} 0 {ends}'
    profile = from_sets(efg.parse(text.encode()), {})
    for history in ('"raise it"', "'raise it'"):
        assert after(profile, moves(history)).actions == ("1", "2")
    assert after(profile, moves("don't")).actions == ("1", "x")
    with pytest.raises(UsageError, match="'2' after raise it ends the game"):
        after(profile, moves("'raise it' 2"))
    with pytest.raises(UsageError, match='choose from don\'t, "raise it"'):
        after(profile, moves("raise it"))


def test_odds_are_given_only_if_a_call_ends_the_game() -> None:
    ends = 't "" 1 "" { 1 0 } t "" 2 "" { 0 2 } '
    texts = {
        "a call that ends": f'p "" 1 1 "" {{ "call" "b" }} 0 {ends}',
        "no call": f'p "" 1 1 "" {{ "a" "b" }} 0 {ends}',
        "a call that is not first": f'p "" 1 1 "" {{ "b" "call" }} 0 {ends}',
        "a call that goes on": f'p "" 1 1 "" {{ "call" "b" }} 0 p "" 2 1 "" {{ "x" "y" }} 0 {ends}t "" 2',
        "a call without an outcome": 'p "" 1 1 "" { "call" "b" } 0 t "" 0 t "" 2 "" { 0 2 }',
    }
    odds = {}
    for name, text in texts.items():
        tree = efg.parse((HEAD + text).encode())
        page = after(from_sets(tree, {}), [])
        odds[name] = last_bid_true(page, page.rows[0])
    assert odds == dict.fromkeys(texts, None) | {"a call that ends": 0}
