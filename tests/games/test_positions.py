"""Games as graphs: retrograde analysis against the definition, on random graphs with and without cycles; reading; size."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.formats import positions
from liarsdice_cli.games.impartial.subtraction import Subtraction
from liarsdice_cli.games.perfect_information import unfold
from liarsdice_cli.games.positions import BOTH, PositionGraph
from liarsdice_cli.solvers import backward
from tests.support.properties import examples, mostly_slow
from tests.support.work import lines_run

Move = tuple[int, int, int]
"""Source, target, player."""


def graph_of(size: int, moves: Sequence[Move]) -> PositionGraph:
    columns = np.array(moves, np.int64).reshape(-1, 3).T
    return PositionGraph([f"p{place}" for place in range(size)], *columns)


class Known(NamedTuple):
    """The result for a position and the player to move, and the number of moves if the winner hurries and the loser delays."""

    result: str
    length: int | None


def by_definition(size: int, moves: Sequence[Move], misere: bool) -> dict[tuple[int, int], Known]:
    """Return the results by definition: the states won or lost in at most n moves, for n = 0, 1, 2, ..."""
    states = [(position, player) for position in range(size) for player in (0, 1)]
    after = {
        (position, player): [
            (target, 1 - player) for source, target, mover in moves if source == position and mover in (player, BOTH)
        ]
        for position, player in states
    }
    found = {state: Known("W" if misere else "L", 0) for state in states if not after[state]}
    for length in range(1, len(states) + 1):
        lost = {state for state in found if found[state].result == "L"}
        won = {state for state in found if found[state].result == "W"}
        for state in states:
            if state not in found and any(option in lost for option in after[state]):
                found[state] = Known("W", length)
            elif state not in found and all(option in won for option in after[state]):
                found[state] = Known("L", length)
    return {state: found.get(state, Known("D", None)) for state in states}


@st.composite
def games(draw: st.DrawFn, cycles: bool = True) -> tuple[int, list[Move]]:
    size = draw(st.integers(1, 7))
    places = st.integers(0, size - 1)
    players = st.just(BOTH) if draw(st.booleans()) else st.sampled_from((0, 1, BOTH))
    moves = draw(st.lists(st.tuples(places, places, players), max_size=16))
    return size, moves if cycles else [move for move in moves if move[0] > move[1]]


@examples(1000)
@given(games(), st.booleans())
def test_results_lengths_and_moves_match_the_definition(game: tuple[int, list[Move]], misere: bool) -> None:
    size, moves = game
    graph = graph_of(size, moves)
    analysis = graph.analyse(misere)
    known = by_definition(size, moves, misere)
    for (position, player), expected in known.items():
        state = analysis.state(position, player)
        assert (analysis.results[state], analysis.length(state)) == expected
        target = analysis.move(state)
        options = list(graph.moves(position, player))
        assert (target is None) == (not options)
        if target is not None:
            assert target in options
            after = known[target, 1 - player]
            assert after.result == {"W": "L", "L": "W", "D": "D"}[expected.result]
            assert expected.length is None or after.length == expected.length - 1


@examples(200)
@given(games())
def test_the_classification_of_graphs_matches_the_definition(game: tuple[int, list[Move]]) -> None:
    size, moves = game
    graph = graph_of(size, moves)
    sets = [{(source, target) for source, target, mover in moves if mover in (player, BOTH)} for player in (0, 1)]
    assert graph.impartial == (sets[0] == sets[1])
    reach = {(position, player) for position in range(size) for player in (0, 1)}
    for _ in range(2 * size):  # after n passes: states from which n moves can be made
        reach = {(s, p) for s, p in reach if any((t, 1 - p) in reach for a, t, m in moves if a == s and m in (p, BOTH))}
    assert graph.endless == bool(reach)
    assert (graph.grundy is None) == (graph.endless or not graph.impartial)


@examples(150)
@given(games(cycles=False), st.booleans())
def test_the_tree_has_the_same_winner(game: tuple[int, list[Move]], misere: bool) -> None:
    graph = graph_of(*game)
    start = len(graph.names) - 1
    won = graph.analyse(misere).results[graph.analyse(misere).state(start, 0)] == "W"
    tree = unfold("", start, lambda position, player: [(f"{to}", to) for to in graph.moves(position, player)], misere)
    assert backward.solve(tree)[1].payoffs == ((int(won), int(not won)),)


@examples(50)
@given(st.sets(st.integers(1, 6), min_size=1, max_size=3))
def test_grundy_values_of_a_take_away_graph(take: set[int]) -> None:
    graph = graph_of(30, [(heap, heap - number, BOTH) for heap in range(30) for number in take if number <= heap])
    assert graph.grundy == list(Subtraction(take).values(30)[:30])


# Reading


def test_csv_and_json_describe_the_same_graph(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("from,to,player\na,b,1\na, c,2\nb,a,\nc,,\n")
    (tmp_path / "a.json").write_text('{"positions": {"a": {"1": ["b"], "2": ["c"]}, "b": ["a"], "c": []}}')
    one, other = (positions.read(str(tmp_path / name)) for name in ("a.csv", "a.json"))
    for column in ("names", "source", "target", "player"):
        assert list(getattr(one, column)) == list(getattr(other, column))
    assert list(one.player) == [0, 1, BOTH]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("from,to\na,b\n", "line 2: the position 'b' has no line of its own: add 'b' if it has no moves"),
        ("from,to\na,b\nb,\nc,x\n", "line 4: the position 'x' has no line"),
        ("from,to\na\n", "line 2: give 2 cells"),
        ("from,to\n,a\n", "line 2: give 2 cells"),
        ("from,to,player\na,a,3\n", "line 2: '3' is not a player"),
        ("a,b\n", "line 1: begin with a line from,to"),
        ("", "line 1: begin with a line from,to"),
        ("from,to\n", "names no position"),
        ('{"positions": {"a": ["b"]}}', "position 'a': the position 'b' is unknown"),
        ('{"positions": {"a": "b"}}', "position 'a': give a list"),
        ('{"positions": {"a": {"3": []}}}', "position 'a': give a list"),
        ('{"positions": {}}', 'give {"positions"'),
        ('{"positions": {"a": []}, "x": 1}', 'give {"positions"'),
        ("{", "is not JSON"),
    ],
)
def test_bad_graphs_are_refused(text: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "bad").write_text(text)
    with pytest.raises(LiarsDiceError) as refused:
        positions.read(str(tmp_path / "bad"))
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


# Size


@pytest.mark.parametrize("shape", mostly_slow(["random", "path"]))
def test_the_number_of_steps_is_proportional_to_the_number_of_moves(shape: str) -> None:
    def lines(size: int) -> int:
        random = np.random.default_rng(2)
        source = np.arange(1, size) if shape == "path" else random.integers(0, size // 5, size)
        target = np.arange(size - 1) if shape == "path" else random.integers(0, size // 5, size)
        graph = PositionGraph(range(size), source, target, np.full(len(source), BOTH))  # type: ignore[arg-type]
        return lines_run(graph.analyse, PositionGraph.__module__)

    assert 3 * lines(5_000) < lines(20_000) < 5 * lines(5_000)


@pytest.mark.parametrize("size", mostly_slow([20_001, 100_001]))
def test_a_long_path_needs_no_recursion(size: int) -> None:
    graph = PositionGraph(range(size), np.arange(1, size), np.arange(size - 1), np.full(size - 1, BOTH))  # type: ignore[arg-type]
    analysis = graph.analyse()
    assert (analysis.results[-1], analysis.lengths[-1]) == ("L", size - 1)
    assert graph.grundy is not None
    assert graph.grundy[-1] == 0


class Compared(int):
    """A position that counts the comparisons of itself and of numbers computed from it."""

    comparisons = 0

    def __mul__(self, other: int) -> Compared:
        return Compared(int(self) * other)

    def __add__(self, other: int) -> Compared:
        return Compared(int(self) + other)

    def __eq__(self, other: object) -> bool:
        Compared.comparisons += 1
        return int(self) == other

    def __hash__(self) -> int:
        return hash(int(self))


@pytest.mark.parametrize("loops", [False, True])
def test_whether_play_ends_is_looked_up_without_a_search(loops: bool) -> None:
    size = 300
    graph = graph_of(size + 1, [*((place, place + 1, BOTH) for place in range(size)), *[(size, size, BOTH)] * loops])
    Compared.comparisons = 0
    assert [graph.ends(Compared(place), 0) for place in range(size)] == [not loops] * size
    assert Compared.comparisons <= 3 * size
