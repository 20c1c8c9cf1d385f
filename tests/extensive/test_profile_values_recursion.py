"""Every number of `ProfileValues` on random trees, against a recursion over the nodes by definition."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.evaluate import judge
from liarsdice_cli.extensive.profile import Profile, from_sets
from liarsdice_cli.extensive.profile_values import ProfileValues
from liarsdice_cli.extensive.stream import CHANCE, NONE, Outcome
from liarsdice_cli.formats import efg
from tests.support.properties import examples
from tests.support.random_games import Game, games, random_profile, small_fractions, tree_of

FORGETFUL = games(names=st.sampled_from("abc"), payoffs=small_fractions, most_nodes=25)
WITH_RECALL = games(names=st.sampled_from("abc"), payoffs=small_fractions, most_nodes=25, perfect_recall=True)


class Recursion:
    """The numbers of one profile, computed node by node from the columns of infosets and outcomes alone."""

    def __init__(self, profile: Profile) -> None:
        self.profile, self.tree = profile, profile.tree
        self.players = range(len(self.tree.players))
        self.paths: list[list[tuple[int, int, Fraction]]] = []  # per node: player, row and probability of each action
        self.children: list[list[int]] = [[] for _ in range(self.tree.nodes)]
        self.paid: list[list[Fraction]] = []  # per node: each player's payoff up to it
        self._enter([], [Fraction(0)] * len(self.players))
        assert len(self.paths) == self.tree.nodes

    def _enter(self, path: list[tuple[int, int, Fraction]], paid: list[Fraction]) -> int:
        node = len(self.paths)
        row, outcome = int(self.tree.infoset[node]), int(self.tree.outcome[node])
        here = [Fraction(0)] * len(self.players) if outcome == NONE else self.tree.outcomes[outcome].payoffs
        paid = [before + now for before, now in zip(paid, here, strict=True)]
        self.paths.append(path)
        self.paid.append(paid)
        if row != NONE:
            player = int(self.tree.infosets.player[row])
            for number in self.profile.at(row):
                self.children[node].append(self._enter([*path, (player, row, Fraction(number))], paid))
        return node

    def reach(self, node: int, players: set[int]) -> Fraction:
        product = Fraction(1)
        for player, _, probability in self.paths[node]:
            product *= probability if player in players else 1
        return product

    def expected(self, node: int, player: int) -> Fraction:
        if not self.children[node]:
            return self.paid[node][player]
        numbers = self.profile.at(int(self.tree.infoset[node]))
        return sum(
            (
                Fraction(number) * self.expected(child, player)
                for number, child in zip(numbers, self.children[node], strict=True)
            ),
            Fraction(0),
        )

    def members(self, row: int) -> list[int]:
        return [node for node in range(self.tree.nodes) if self.tree.infoset[node] == row]

    def first_visits(self, row: int) -> list[int]:
        return [node for node in self.members(row) if all(row != before for _, before, _ in self.paths[node])]

    def remembers(self, player: int) -> bool:
        """Return whether all nodes of each of the player's sets have the same own sets and actions on their paths."""
        for row in np.flatnonzero(self.tree.infosets.player == player).tolist():
            own = [self._own_past(node, player) for node in self.members(row)]
            if any(past != own[0] for past in own):
                return False
        return True

    def _own_past(self, node: int, player: int) -> list[tuple[int, int]]:
        """Return the player's own information sets and branches on the path to a node."""
        past: list[tuple[int, int]] = []
        above = 0
        while above != node:
            branch = max(place for place, child in enumerate(self.children[above]) if child <= node)
            if self.tree.player[above] == player:
                past.append((int(self.tree.infoset[above]), branch))
            above = self.children[above][branch]
        return past

    def beliefs(self, row: int) -> list[Fraction] | None:
        player, nodes = int(self.tree.infosets.player[row]), self.members(row)
        if len(nodes) == 1:
            return [Fraction(1)]
        counted = {CHANCE, *self.players} - ({player} if self.remembers(player) else set())
        weights = [self.reach(node, counted) for node in nodes]
        return [weight / sum(weights) for weight in weights] if any(weights) else None


@examples(150)
@given(game=FORGETFUL | WITH_RECALL, seed=st.integers(0, 99))
def test_every_number_matches_the_recursion(game: Game, seed: int) -> None:
    tree = tree_of(game)
    profile = random_profile(tree, seed)
    values, slow = ProfileValues(profile), Recursion(profile)
    everyone = {CHANCE, *slow.players}
    nodes = range(tree.nodes)
    assert values.reach.tolist() == [slow.reach(node, everyone) for node in nodes]
    assert values.reach_by(CHANCE).tolist() == tree.chance_reach().tolist() == [slow.reach(node, {CHANCE}) for node in nodes]
    assert values.reached.tolist() == [slow.reach(node, everyone) != 0 for node in nodes]
    for player in slow.players:
        assert values.reach_by(player).tolist() == [slow.reach(node, {player}) for node in nodes]
        assert values.counterfactual_reach(player).tolist() == [slow.reach(node, everyone - {player}) for node in nodes]
        assert values.expected(player).tolist() == [slow.expected(node, player) for node in nodes]
        paid = [slow.paid[above][player] if above != NONE else 0 for above in tree.parent.tolist()]
        assert (values.continuation(player) + paid).tolist() == values.expected(player).tolist()
        assert values.has_perfect_recall(player) == slow.remembers(player)
    assert values.payoffs_at(0).tolist() == list(judge(profile).payoffs)
    for node in nodes:
        assert tree.children(node).tolist() == slow.children[node]
    for row in range(len(tree.infosets)):
        members = slow.members(row)
        assert tree.members(row).tolist() == members
        assert tree.children(tree.members(row)).tolist() == [slow.children[node] for node in members]
        assert values.infoset_reach[row] == sum(slow.reach(node, everyone) for node in slow.first_visits(row))
        assert values.reached_sets[row] == (values.infoset_reach[row] > 0)
        player = int(tree.infosets.player[row])
        if player != CHANCE:
            beliefs, own = values.beliefs(row), values.action_values(row)
            expected = slow.beliefs(row)
            assert (None if beliefs is None else beliefs.tolist()) == expected
            if expected is None or not slow.remembers(player):
                assert own is None
            else:
                assert own is not None
                columns = zip(*(slow.children[node] for node in members), strict=True)
                assert own.tolist() == [
                    sum(belief * slow.expected(node, player) for belief, node in zip(expected, column, strict=True))
                    for column in columns
                ]


@examples(100)
@given(game=FORGETFUL | WITH_RECALL, seed=st.integers(0, 99))
def test_numbers_at_some_nodes_match_the_whole_tree(game: Game, seed: int) -> None:
    tree = tree_of(game)
    profile = random_profile(tree, seed)
    nodes = np.array(random.Random(seed).sample(range(tree.nodes), min(3, tree.nodes)))
    some, whole = ProfileValues(profile, nodes), ProfileValues(profile)
    assert some.reach[nodes].tolist() == whole.reach[nodes].tolist()
    assert some.payoffs_at(nodes).tolist() == whole.payoffs_at(nodes).tolist()
    assert tree.chance_reach(nodes).tolist() == tree.chance_reach()[nodes].tolist()
    for player in range(len(tree.players)):
        assert some.counterfactual_reach(player)[nodes].tolist() == whole.counterfactual_reach(player)[nodes].tolist()
        assert some.continuation(player)[nodes].tolist() == whole.continuation(player)[nodes].tolist()


@examples(50)
@given(game=WITH_RECALL, seed=st.integers(0, 99))
def test_floats_are_close_to_the_fractions(game: Game, seed: int) -> None:
    tree = tree_of(game)
    profile = random_profile(tree, seed)
    exact, floats = ProfileValues(profile), ProfileValues(profile.in_floats())
    assert floats.reach.dtype == floats.payoffs_at(0).dtype == floats.infoset_reach.dtype == np.float64
    assert np.allclose(floats.reach, exact.reach.astype(float))
    assert np.allclose(floats.payoffs_at(np.arange(tree.nodes)), exact.payoffs_at(np.arange(tree.nodes)).astype(float))
    for row in np.flatnonzero(tree.infosets.player >= 0).tolist():
        for one, other in [(floats.beliefs(row), exact.beliefs(row)), (floats.action_values(row), exact.action_values(row))]:
            assert (one is None) == (other is None)
            assert one is None or other is None or (one.dtype == float and np.allclose(one, other.astype(float)))


def test_the_reach_between_two_nodes_is_the_product_of_the_actions_between_them() -> None:
    tree = efg.read("sample_games/kuhn-poker.efg")
    profile = random_profile(tree, 3)
    values, slow = ProfileValues(profile), Recursion(profile)
    for node in range(1, tree.nodes):
        start = int(tree.parent[tree.parent[node]]) if tree.parent[node] else 0
        between = slow.paths[node][len(slow.paths[start]) :]
        assert values.reach_between(start, node) == np.prod([probability for _, _, probability in between])


def test_payoffs_too_large_for_floats_are_refused() -> None:
    tree = efg.parse(b'EFG 2 R "" { "A" } p "" 1 1 "" { "l" "r" } 3 "" { 1e308 } t "" 1 "" { 1e308 } t "" 2 "" { 1 }')
    huge = replace(tree, outcomes=[Outcome(label, (Fraction(10) ** 400,)) for label, _ in tree.outcomes])
    profile = from_sets(tree, {0: [Fraction(1), Fraction(0)]})
    assert ProfileValues(profile).expected(0)[0] == 2 * Fraction(10) ** 308
    for refused in (profile.in_floats(), profile.on(huge).in_floats()):
        with pytest.raises(LiarsDiceError, match="too large for floats"):
            ProfileValues(refused).expected(0)
