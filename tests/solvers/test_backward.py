"""Backward induction against brute force over all pure profiles, against Gambit, and on trees too deep to recurse into."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import prod
from pathlib import Path

import numpy as np
import pygambit
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.profile import GIVEN, Profile
from liarsdice_cli.extensive.strategic_form import count_strategies
from liarsdice_cli.extensive.stream import CHANCE, NONE, TERMINAL
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.formats import efg
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.tree import build
from liarsdice_cli.solvers import backward
from liarsdice_cli.solvers.request import Request
from liarsdice_cli.solvers.solution import Solution, SubgamePerfect
from tests.support.gambit_walk import CATALOGUE, SAMPLES, catalogue_name, fraction, game_in
from tests.support.properties import examples, mostly_slow
from tests.support.random_games import Game, Node, constant_sum_games, games, tree_of
from tests.support.solving import solve

Vector = tuple[Fraction, ...]

FILES = [path for path in [*SAMPLES, *CATALOGUE] if backward.has_perfect_information(efg.parse(path.read_bytes()))]
few = st.sampled_from([Fraction(0), Fraction(1), Fraction(1), Fraction(2), Fraction(-1, 2)])


def seen(game: Game) -> Game:
    """Return the game with perfect information: a separate set for every node."""
    nodes, sets = [], {}
    for place, node in enumerate(game.nodes, 1):
        if node.player == TERMINAL:
            nodes.append(node)
        else:
            nodes.append(replace(node, number=place))
            sets[node.player, place] = game.sets[node.player, node.number]
    return replace(game, nodes=tuple(nodes), sets=sets)


def open_games(most_nodes: int, chance: bool = True) -> st.SearchStrategy[Game]:
    """Draw games of perfect information with few different payoffs, so that there are ties."""
    return games(names=st.just(""), payoffs=few, most_nodes=most_nodes, chance=chance).map(seen)


class Walk:
    """A tree as lists, with the values of a choice of one branch at every decision node."""

    def __init__(self, tree: GameTree) -> None:
        self.tree = tree
        self.mover = tree.player.tolist()
        self.below: list[list[int]] = [[] for _ in range(tree.nodes)]
        for node in range(1, tree.nodes):
            self.below[tree.parent[node]].append(node)
        nothing = (Fraction(0),) * len(tree.players)
        self.paid = [tree.outcomes[row].payoffs if row != NONE else nothing for row in tree.outcome.tolist()]
        self.deciding = [node for node in range(tree.nodes) if self.mover[node] >= 0]

    def chances(self, node: int) -> tuple[Fraction, ...]:
        return self.tree.actions_at(self.tree.infoset[node]).probabilities or ()

    def expected(self, node: int, of_children: list[Vector]) -> Vector:
        chances = self.chances(node)
        return tuple(
            sum((p * number for p, number in zip(chances, column, strict=True)), Fraction(0))
            for column in zip(*of_children, strict=True)
        )

    def values(self, choice: dict[int, int]) -> list[Vector]:
        """Return the payoffs from every node on, without the payoffs before it."""
        values: list[Vector] = list(self.paid)
        for node in reversed(range(self.tree.nodes)):
            children = [values[child] for child in self.below[node]]
            if self.mover[node] == CHANCE:
                values[node] = plus(self.paid[node], self.expected(node, children))
            elif children:
                values[node] = plus(self.paid[node], children[choice[node]])
        return values

    def best_responses(self, choice: dict[int, int], player: int) -> list[Fraction]:
        """Return a player's best-response value from every node on, given the choices of the others."""
        best = [vector[player] for vector in self.paid]
        for node in reversed(range(self.tree.nodes)):
            children = [best[child] for child in self.below[node]]
            if self.mover[node] == CHANCE:
                best[node] += sum(p * number for p, number in zip(self.chances(node), children, strict=True))
            elif children:
                best[node] += max(children) if self.mover[node] == player else children[choice[node]]
        return best

    def is_subgame_perfect(self, choice: dict[int, int]) -> bool:
        """Return whether no player can gain by deviating in any subgame."""
        values = self.values(choice)
        return all(
            [vector[player] for vector in values] == self.best_responses(choice, player)
            for player in range(len(self.tree.players))
        )

    def choices(self) -> Iterator[dict[int, int]]:
        for branches in product(*(range(len(self.below[node])) for node in self.deciding)):
            yield dict(zip(self.deciding, branches, strict=True))

    def count(self) -> int:
        return prod(len(self.below[node]) for node in self.deciding)

    def chosen(self, profile: Profile) -> dict[int, int]:
        """Return the branches of a pure profile."""
        found = {}
        for node in self.deciding:
            numbers = profile.at(int(self.tree.infoset[node]))
            assert sorted(numbers) == [0] * (len(numbers) - 1) + [1]
            found[node] = numbers.index(1)
        return found

    def ties(self, choice: dict[int, int]) -> int:
        """Count the nodes at which more than one branch is best, if later play follows the choice."""
        values = self.values(choice)
        tied = 0
        for node in self.deciding:
            numbers = [values[child][self.mover[node]] for child in self.below[node]]
            tied += numbers.count(max(numbers)) > 1
        return tied


def plus(one: Vector, other: Vector) -> Vector:
    return tuple(first + second for first, second in zip(one, other, strict=True))


def answer(tree: GameTree, request: Request | None = None) -> tuple[Solution, SubgamePerfect]:
    """Solve by `auto`; check that backward induction returns a complete profile that is proved to be an equilibrium."""
    solution = solve(tree, "auto", request)
    assert solution.method == "backward"
    assert solution.reason == "perfect information"
    assert (solution.exact, solution.finished, len(solution.solved)) == (True, True, 1)
    assert np.all(solution.solved[0].profile.source == GIVEN)
    found = solution.subgame_perfect
    assert found is not None
    assert solution.solved[0].judgement.payoffs in found.payoffs
    assert list(found.payoffs) == sorted(set(found.payoffs))
    return solution, found


@examples(250)
@given(game=open_games(18))
def test_payoffs_match_all_subgame_perfect_profiles(game: Game) -> None:
    tree = tree_of(game)
    walk = Walk(tree)
    assume(walk.count() <= 600)
    solution, found = answer(tree)
    perfect = [choice for choice in walk.choices() if walk.is_subgame_perfect(choice)]
    assert set(found.payoffs) == {walk.values(choice)[0] for choice in perfect}
    assert found.complete
    chosen = walk.chosen(solution.solved[0].profile)
    assert chosen in perfect
    assert found.ties == walk.ties(chosen)
    assert found.ties > 0 or len(perfect) == 1


@pytest.mark.slow
@examples(100)
@given(game=open_games(60))
def test_the_profile_is_subgame_perfect_and_takes_the_first_best_action(game: Game) -> None:
    tree = tree_of(game)
    walk = Walk(tree)
    solution, found = answer(tree)
    choice = walk.chosen(solution.solved[0].profile)
    assert walk.is_subgame_perfect(choice)
    assert walk.values(choice)[0] == solution.solved[0].judgement.payoffs
    assert found.ties == walk.ties(choice)
    values = walk.values(choice)
    for node in walk.deciding:
        numbers = [values[child][walk.mover[node]] for child in walk.below[node]]
        assert choice[node] == numbers.index(max(numbers))


@examples(100)
@given(game=open_games(18), most=st.integers(1, 3))
def test_a_truncated_list_of_payoffs_is_correct_and_marked_incomplete(game: Game, most: int) -> None:
    tree = tree_of(game)
    walk = Walk(tree)
    assume(walk.count() <= 300)
    perfect = {walk.values(choice)[0] for choice in walk.choices() if walk.is_subgame_perfect(choice)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(backward, "MOST", most)
        _, found = answer(tree)
    assert set(found.payoffs) <= perfect
    assert len(found.payoffs) <= most
    assert not found.complete or set(found.payoffs) == perfect


@examples(60)
@given(game=constant_sum_games(40).map(seen))
def test_constant_sum_games_have_one_payoff_vector_equal_to_their_value(game: Game) -> None:
    tree = tree_of(game)
    _, found = answer(tree)
    assert found.payoffs == (solve(tree, "exact").solved[0].judgement.payoffs,)


@pytest.mark.parametrize("path", FILES, ids=catalogue_name)
def test_payoffs_of_files_are_among_those_of_gambits_equilibria(path: Path) -> None:
    tree = efg.parse(path.read_bytes())
    walk = Walk(tree)
    solution, found = answer(tree)
    assert found.complete
    assert walk.is_subgame_perfect(walk.chosen(solution.solved[0].profile))
    if prod(count_strategies(tree, player) for player in range(len(tree.players))) > 10_000:
        pytest.skip("too many pure profiles for Gambit")
    game = game_in(path)
    equilibria = pygambit.nash.enumpure_solve(game).equilibria
    theirs = {tuple(fraction(profile.payoffs[player]) for player in game.players) for profile in equilibria}
    assert set(found.payoffs) <= theirs
    perfect = {walk.values(choice)[0] for choice in walk.choices() if walk.is_subgame_perfect(choice)}
    assert set(found.payoffs) == perfect


def test_several_files_have_perfect_information() -> None:
    assert len(FILES) >= 9


def test_empty_threats_are_not_subgame_perfect() -> None:
    """Entry deterrence has two pure equilibria; the incumbent's strategy is credible in only one of them."""
    (path,) = (path for path in SAMPLES if path.name == "entry-deterrence.efg")
    tree = efg.parse(path.read_bytes())
    _, found = answer(tree)
    assert found == SubgamePerfect(((Fraction(2), Fraction(2)),), True, 0)
    assert len(solve(tree, "enumpure").solved) == 2


HEAD = 'EFG 2 R "" { "A" "B" } '
SPITE = 'p "" 2 %d "" { "l" "r" } 0 t "" %d "" { %d 1 } t "" %d "" { %d 1 } '


def test_ties_of_one_player_matter_to_another() -> None:
    """After `in`, player 2 is indifferent between payoffs of 0 and 2 for player 1, so `out` for 1 may or may not be best."""
    tree = efg.parse(f'{HEAD}p "" 1 1 "" {{ "in" "out" }} 0 {SPITE % (1, 1, 0, 2, 2)}t "" 3 "" {{ 1 0 }}'.encode())
    solution, found = answer(tree)
    assert found == SubgamePerfect(((Fraction(1), Fraction(0)), (Fraction(2), Fraction(1))), True, 1)
    assert solution.solved[0].judgement.payoffs == (1, 0)  # player 2's first action deters player 1


def test_ties_under_chance_combine() -> None:
    spite = SPITE % (1, 1, 0, 2, 2) + SPITE % (2, 3, 0, 4, 4)
    tree = efg.parse(f'{HEAD}c "" 1 "" {{ "x" 1/4 "y" 3/4 }} 0 {spite}'.encode())
    _, found = answer(tree)
    assert [vector[0] for vector in found.payoffs] == [Fraction(number, 2) for number in (0, 1, 6, 7)]
    assert found.ties == 2


def test_nodes_of_zero_chance_probability_are_decided_too() -> None:
    impossible = 'p "" 1 1 "" { "l" "r" } 0 t "" 1 "" { 1 0 } t "" 2 "" { 2 0 } '
    tree = efg.parse(f'{HEAD}c "" 1 "" {{ "x" 0 "y" 1 }} 0 {impossible}t "" 3 "" {{ 5 5 }}'.encode())
    solution, found = answer(tree)
    assert found.payoffs == ((Fraction(5), Fraction(5)),)
    assert solution.solved[0].profile.at(1) == [0, 1]


@pytest.mark.parametrize(
    ("text", "payoffs"),
    [('t "" 1 "" { 3 4 }', (3, 4)), ('t "" 0', (0, 0)), ('p "" 2 1 "" { "a" } 1 "" { 1 0 } t "" 1', (2, 0))],
)
def test_games_with_little_to_decide(text: str, payoffs: tuple[int, int]) -> None:
    _, found = answer(efg.parse((HEAD + text).encode()))
    assert found == SubgamePerfect((tuple(map(Fraction, payoffs)),), True, 0)


def test_games_for_one_and_four_players() -> None:
    alone = efg.parse(b'EFG 2 R "" { "A" } p "" 1 1 "" { "a" "b" "c" } 0 t "" 1 "" { 1 } t "" 2 "" { 3 } t "" 3 "" { 2 }')
    assert answer(alone)[1].payoffs == ((Fraction(3),),)
    many = 'EFG 2 R "" { "A" "B" "C" "D" } ' + "".join(
        f'p "" {player} 1 "" {{ "stop" "go" }} 0 t "" {player} "" {{ {" ".join(str(int(player == i)) for i in range(1, 5))} }} '
        for player in range(1, 5)
    )
    four = efg.parse(f'{many} t "" 5 "" {{ 0 0 0 2 }}'.encode())
    assert answer(four)[1].payoffs == (tuple(map(Fraction, (1, 0, 0, 0))),)


def test_imperfect_information_is_refused() -> None:
    with pytest.raises(LiarsDiceError, match=r"perfect information.*try method='auto'$"):
        solve(build(rules("classic", 2)), "backward")


def chain(length: int, stops: list[str], end: str) -> GameTree:
    """Return a game in which players 1 and 2 in turn stop, for the given payoffs, or continue to the end."""
    lines = [HEAD]
    for move in range(length):
        lines.append(f'p "" {move % 2 + 1} {move + 1} "" {{ "stop" "go" }} 0')
        lines.append(f't "" {move + 1} "" {{ {stops[move]} }}')
    return efg.parse("\n".join([*lines, f't "" {length + 1} "" {{ {end} }}']).encode())


@pytest.mark.parametrize("length", mostly_slow([3_000, 10_000, 100_000]))
def test_a_long_chain_is_played_to_its_end(length: int) -> None:
    tree = chain(length, ["1 1"] * length, "2 3")
    assert int(tree.depth.max()) == length
    solution, found = answer(tree)
    assert found == SubgamePerfect(((Fraction(2), Fraction(3)),), True, 0)
    assert solution.solved[0].judgement.regrets == (0, 0)


@pytest.mark.parametrize("length", mostly_slow([2_000, 5_000]))
def test_a_long_centipede_unravels_to_its_beginning(length: int) -> None:
    stops = [f"{move + 2} {move}" if move % 2 == 0 else f"{move} {move + 2}" for move in range(length)]
    solution, found = answer(chain(length, stops, f"{length + 1} {length}"))
    assert found.payoffs == ((Fraction(2), Fraction(0)),)
    profile = solution.solved[0].profile
    assert profile.probabilities[0::2].tolist() == [1] * length


@pytest.mark.parametrize("length", mostly_slow([1_500, 5_000]))
def test_inner_payoffs_add_up_along_a_deep_chain_of_chance_nodes(length: int) -> None:
    inner = 'c "" 1 "" { "only" 1 } 1 "" { 1 -1/2 } ' + 'c "" 1 1 ' * (length - 1)
    _, found = answer(efg.parse(f'{HEAD}{inner}t "" 0'.encode()))
    assert found.payoffs == ((Fraction(length), Fraction(-length, 2)),)


def tied(length: int, first: int) -> str:
    """Return a chain in which player 1 is indifferent and player 2 has a different payoff at every end."""
    return (
        "".join(
            f'p "" 1 {first + move} "" {{ "stop" "go" }} 0 t "" {first + move} "" {{ 0 {(first + move) ** 2} }} '
            for move in range(length)
        )
        + f't "" {first + length} "" {{ 0 -1 }} '
    )


@pytest.mark.parametrize("most", mostly_slow([100, backward.MOST]))
def test_only_the_allowed_number_of_payoff_vectors_is_kept(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backward, "MOST", most)
    solution, found = answer(efg.parse((HEAD + tied(3 * most, 1)).encode()))
    assert (found.complete, len(found.payoffs), found.ties) == (False, most, 3 * most)
    assert solution.solved[0].judgement.payoffs == (0, 1)


@pytest.mark.slow
def test_the_time_limit_ends_the_run_among_many_ties() -> None:
    branches = " ".join(f'"{branch}" 1/8' for branch in range(8))
    text = f'{HEAD}c "" 1 "" {{ {branches} }} 0 ' + "".join(tied(900, 1 + 1000 * branch) for branch in range(8))
    tree = efg.parse(text.encode())
    solution = solve(tree, "backward", Request(time_limit=0.05))
    assert (solution.finished, solution.exact, solution.solved, solution.subgame_perfect) == (False, False, (), None)
    assert "stopped at the time limit with" in solution.note


@example(game=Game("", "", ("",), (Node(TERMINAL, 0, 0, ""),)))
@examples(50)
@given(game=games(names=st.just(""), payoffs=few))
def test_perfect_information_means_one_node_per_set(game: Game) -> None:
    tree = tree_of(game)
    sizes = np.bincount(tree.infoset[tree.player >= 0], minlength=1)
    assert backward.has_perfect_information(tree) == (sizes.max() <= 1)
    assert backward.has_perfect_information(tree_of(seen(game)))
