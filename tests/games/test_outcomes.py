"""Games given by their outcomes: the document's example, ties, Gambit's catalogue, invalid tables and large ones."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.path_of_play import PathOfPlay
from liarsdice_cli.formats import efg, outcome_table
from liarsdice_cli.games.outcomes import build, turns
from liarsdice_cli.library.outcomes import outcomes
from liarsdice_cli.solvers import backward
from tests.support.command_line import ROOT, assert_refused, checked_document, run_here
from tests.support.properties import examples, mostly_slow
from tests.support.solving import solve

EXAMPLE = "move,move,Player 1,Player 2\nLeft,Up,1,3\nLeft,Down,3,2\nRight,Up,4,2\nRight,Down,3,1\n"
"""The game of "Computing sequential games: solution" (2022)."""

LISTING = """
------------------------------
Moves so far: []
Outcome: (4, 2)
Move: Right
------------------------------
Moves so far: ['Left']
Outcome: (1, 3)
Move: Up
------------------------------
Moves so far: ['Left', 'Down']
Outcome: (3, 2)
Move: None
------------------------------
Moves so far: ['Left', 'Up']
Outcome: (1, 3)
Move: None
------------------------------
Moves so far: ['Right']
Outcome: (4, 2)
Move: Up
------------------------------
Moves so far: ['Right', 'Down']
Outcome: (3, 1)
Move: None
------------------------------
Moves so far: ['Right', 'Up']
Outcome: (4, 2)
Move: None
"""
"""The listing that the document prints for the example."""


# The document


def test_the_example_of_the_document() -> None:
    done = run_here("outcomes", "-", "--full", input=EXAMPLE)
    assert done.out.startswith("Moves: Right, Up\nOutcome: (4, 2)\n")
    assert done.out.endswith(LISTING)
    assert "ties" not in done.out
    assert (done.code, done.err) == (0, "")


def test_json_of_outcomes_matches_the_schema(tmp_path: Path) -> None:
    table = {"players": ["Ann", "Bob"], "outcomes": [{"moves": ["L", "U"], "payoffs": [0.1, "1/3"]}]}
    table["outcomes"].append({"moves": ["R"], "payoffs": {"Bob": 2, "Ann": 0}})  # type: ignore[attr-defined]
    for options in ([], ["--full"]):
        content = json.loads(run_here("outcomes", "-", "--json", *options, input=json.dumps(table)).out)
        path, (profile,) = checked_document(content, "solve")["path_of_play"], content["profiles"]
        assert (path["moves"], path["outcome"], profile["equilibrium"]) == (["L", "U"], ["1/10", "1/3"], True)
        assert profile["probabilities"] is None
    assert [entry["moves"] for entry in path["trace"]] == [[], ["L"], ["L", "U"], ["R"]]


def test_the_game_for_gambit_is_the_sample_game(tmp_path: Path) -> None:
    done = run_here("outcomes", "-", "-o", tmp_path / "game.efg", input=EXAMPLE)
    assert done.code == 0
    written = efg.read(str(tmp_path / "game.efg"))
    assert written.fingerprint == efg.read(str(ROOT / "sample_games" / "investopedia.efg")).fingerprint


def test_unusual_names_are_exported_to_gambit(tmp_path: Path) -> None:
    table = 'move,move,Ann "A",Bob  B\nÜber  x,say \\"yes\\",1,2\n Über x ,"q""q",0,1\n'
    assert run_here("outcomes", "-", "-o", tmp_path / "game.efg", input=table).code == 0
    solution = solve(efg.read(str(tmp_path / "game.efg")), "enumpure")
    assert solution.solved[0].judgement.payoffs == (1, 2)
    tree = efg.read(str(tmp_path / "game.efg"))
    assert [choices.labels for choices in tree.action_lists] == [("Über x",), ('say \\"yes\\"', 'q"q')]
    pygambit = pytest.importorskip("pygambit")
    assert pygambit.read_efg(str(tmp_path / "game.efg")).title == "The outcomes in standard input"


def test_the_drawing_marks_the_path_of_play_and_ties() -> None:
    lines = run_here("outcomes", "-", input=EXAMPLE.replace("Right,Down,3,1", "Right,Down,3,2")).out.splitlines()
    assert "ties at 1 node; they matter: the profile shown is one choice of several" in lines
    assert "subgame-perfect payoffs: (3, 2), (4, 2)" in lines
    assert lines[-4:] == [
        "│   └── Down: (3, 2)",
        "└── > Right: Player 2 (4, 2)",
        "    ├── > Up: (4, 2)",
        "    └── = Down: (3, 2)",
    ]


def test_ties_that_do_not_matter_are_reported_as_such() -> None:
    same = run_here("outcomes", "-", input="move,Ann\nL,1\nR,1\n").out
    assert "ties at 1 node; they do not matter to the payoffs" in same


@pytest.mark.parametrize(("asked", "moves"), [("1,1", "Right, Up"), ("Player 2,1", "Left, Down"), ("2,2", "Left, Up")])
def test_turns_by_name_and_number(asked: str, moves: str) -> None:
    assert run_here("outcomes", "-", "--turns", asked, input=EXAMPLE).out.startswith(f"Moves: {moves}\n")


# Brute force: all pure strategy profiles of every subgame


Game = tuple[int, ...] | list["Game"]  # payoffs, or the games after each move


def games() -> st.SearchStrategy[Game]:
    ends = st.tuples(st.integers(0, 2), st.integers(0, 2))
    return st.recursive(ends, lambda below: st.lists(below, min_size=1, max_size=3), max_leaves=7)


def rows_of(game: Game, moves: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], tuple[int, ...]]]:
    if isinstance(game, tuple):
        return [(moves, game)]
    return [row for place, below in enumerate(game) for row in rows_of(below, (*moves, f"m{place}"))]


def perfect(game: Game, player: int) -> set[tuple[int, ...]]:
    """Return the payoffs of all subgame-perfect equilibria, by trying every combination of equilibria of the subgames."""
    if isinstance(game, tuple):
        return {game}
    found = set()
    for vectors in product(*(perfect(below, 1 - player) for below in game)):
        best = max(vector[player] for vector in vectors)
        found |= {vector for vector in vectors if vector[player] == best}
    return found


def csv_of(rows: Sequence[tuple[tuple[str, ...], tuple[int, ...]]]) -> str:
    width = max(len(moves) for moves, _ in rows)
    lines = [["move"] * width + ["Ann", "Bob"]]
    lines += [[*moves, *[""] * (width - len(moves)), *map(str, payoffs)] for moves, payoffs in rows]
    return "\n".join(map(",".join, lines)) + "\n"


@examples(500)
@given(games().filter(lambda game: isinstance(game, list)), st.randoms())
def test_all_subgame_perfect_outcomes_are_found_if_there_are_ties(game: Game, random: object) -> None:
    rows = rows_of(game)
    random.shuffle(rows)  # type: ignore[attr-defined]
    table = outcome_table._csv(csv_of(rows), "table")
    tree = build(table, turns("", table.players, table.moves.shape[1]))
    profile, found = backward.solve(tree)
    assert {tuple(map(int, vector)) for vector in found.payoffs} == perfect(game, 0)
    assert found.complete
    play = PathOfPlay(profile)
    assert dict(rows)[tuple(play.moves())] == play.payoffs(0)
    ties = sum(len(play.best(node)) > 1 for node in range(tree.nodes))
    assert found.ties == ties
    assert {moves for moves, _ in rows} == {tuple(path) for node, path in play.preorder() if not play.children(node)}


def catalogue() -> list[Path]:
    spec = importlib.util.find_spec("pygambit")
    assert spec is not None
    assert spec.origin is not None
    return sorted((Path(spec.origin).parent / "catalog_data").rglob("*.efg"))


def test_backward_induction_agrees_with_gambit_on_its_catalogue() -> None:
    """All our subgame-perfect payoffs are among those that Gambit's enumeration of pure equilibria finds."""
    checked = 0
    for path in catalogue():
        tree = efg.read(str(path))
        if not backward.has_perfect_information(tree):
            continue
        ours = solve(tree, "backward")
        theirs = {one.judgement.payoffs for one in solve(tree, "enumpure").solved}
        assert ours.exact, path
        assert ours.subgame_perfect is not None
        assert set(ours.subgame_perfect.payoffs) <= theirs, path
        checked += 1
    assert checked >= 2


# Bad tables


@pytest.mark.parametrize(
    "content",
    [
        '{"players": ["Ann", null], "outcomes": [{"moves": ["L"], "payoffs": [1, 2]}]}',
        '{"players": [], "outcomes": []}',
        '{"players": ["Ann", "Bob"], "outcomes": [{"moves": [null], "payoffs": [1, 2]}]}',
        '{"players": ["Ann", "Bob"], "outcomes": [{"moves": [{"x": 1}], "payoffs": [1, 2]}]}',
    ],
)
def test_names_in_json_must_be_text(content: str, tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text(content)
    with pytest.raises(LiarsDiceError, match=r'give ["{]'):
        outcome_table.read(str(tmp_path / "bad.json"))


def test_a_column_of_moves_after_payoffs_is_refused() -> None:
    assert_refused(run_here("outcomes", "-", input="move,Ann,move,Bob\nL,1,U,2\n"), "column 3 has moves")


def test_one_long_combination_among_many_is_refused_before_all_get_its_length(tmp_path: Path) -> None:
    entries = [{"moves": [str(place)], "payoffs": [1, 0]} for place in range(3_000)]
    entries.append({"moves": ["a"] * 4_000, "payoffs": [0, 0]})
    (tmp_path / "long.json").write_text(json.dumps({"players": ["P", "Q"], "outcomes": entries}))
    with pytest.raises(LiarsDiceError, match="3,001 entries, one with 4,000 moves"):
        outcome_table.read(str(tmp_path / "long.json"))


def test_a_combination_without_moves_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text('{"players": ["A"], "outcomes": [{"moves": [], "payoffs": [1]}]}')
    with pytest.raises(LiarsDiceError, match="entry 1 has no moves"):
        outcome_table.read(str(tmp_path / "bad.json"))


def test_a_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bad.csv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(LiarsDiceError, match="not text in UTF-8"):
        outcome_table.read(str(tmp_path / "bad.csv"))


# Size


def table_text(moves: int) -> str:
    """Return a table with a row for every number of as many digits as there are moves."""
    random = np.random.default_rng(1)
    payoffs = random.integers(0, 1000, (10**moves, 2)).tolist()
    digits = (f"{row:0{moves}}" for row in range(10**moves))
    lines = (",".join(number) + f",{one},{two}" for number, (one, two) in zip(digits, payoffs, strict=True))
    return ",".join(["move"] * moves) + ",Ann,Bob\n" + "\n".join(lines) + "\n"


@pytest.mark.parametrize("moves", mostly_slow([3, 4, 5]))
def test_a_table_of_many_rows_is_solved(moves: int) -> None:
    text = table_text(moves)
    table = outcome_table._csv(text, "table")
    tree = build(table, turns("", table.players, moves))
    assert tree.nodes == int("1" * (moves + 1))
    _, found = backward.solve(tree)
    values = [[int(number) for number in line.split(",")[moves:]] for line in text.splitlines()[1:]]
    array = np.array(values).reshape(*[10] * moves, 2)
    for player in reversed([move % 2 for move in range(moves)]):
        best = np.argmax(array[..., player], axis=-1)
        array = np.take_along_axis(array, best[..., None, None], axis=-2)[..., 0, :]
    assert tuple(array.tolist()) in found.payoffs


def test_a_deep_game_needs_no_recursion() -> None:
    deep = 1100
    lines = [",".join([*["go"] * move, "stop", *[""] * (deep - move - 1), str(move), "1/2"]) for move in range(deep)]
    table = outcome_table._csv(",".join(["move"] * deep) + ",Ann,Bob\n" + "\n".join(lines), "table")
    tree = build(table, turns("", table.players, deep))
    profile, _ = backward.solve(tree)
    assert tree.nodes == 2 * deep
    assert PathOfPlay(profile).payoffs(0)[1] == Fraction(1, 2)


@pytest.mark.parametrize(
    "content",
    [
        '{"players": ["A", "B\\ud800"], "outcomes": [{"moves": ["L"], "payoffs": [1, 2]}]}',
        '{"players": ["A", "B"], "outcomes": [{"moves": ["L\\uDFFF"], "payoffs": {"A": 1, "B": 2}}]}',
        '{"players": ["A", "B"], "outcomes": [{"moves": ["L"], "payoffs": {"A\\ud83d": 1, "B": 2}}]}',
    ],
)
def test_half_of_a_surrogate_pair_is_refused(content, tmp_path):
    (tmp_path / "game.json").write_text(content)
    ended = run_here("outcomes", tmp_path / "game.json", "-o", tmp_path / "game.efg")
    assert_refused(ended)


def test_both_halves_of_a_surrogate_pair_are_a_character(tmp_path):
    (tmp_path / "game.json").write_text('{"players": ["\\ud83c\\udfb2"], "outcomes": [{"moves": ["L"], "payoffs": [1]}]}')
    assert run_here("outcomes", tmp_path / "game.json", "-o", tmp_path / "game.efg").code == 0
    assert "\N{GAME DIE}" in (tmp_path / "game.efg").read_text(encoding="utf-8")


def test_outcomes_print_the_path_of_play_and_its_payoffs(tmp_path):
    (tmp_path / "game.csv").write_text("move,move,Ann,Bob\nL,Up,4,2\nL,Down,5,1\nR,Up,3,3\n")
    assert repr(outcomes(str(tmp_path / "game.csv"))) == "Outcomes(L, Up: payoffs 4 and 2)"
    (tmp_path / "long.csv").write_text(",".join(["move"] * 12) + ",Ann\n" + ",".join(["go"] * 12) + ",1\n")
    assert repr(outcomes(str(tmp_path / "long.csv"))) == f"Outcomes({'go, ' * 10}...: payoffs 1)"
