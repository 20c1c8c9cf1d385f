"""Test pictures other than trees: position graphs, heaps of Nim, and the worst cases of Zero Intelligence's model."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from liarsdice_cli.bots.zero_intelligence.model import model as model_of
from liarsdice_cli.draw import model, nim, positions, tikz
from liarsdice_cli.draw.scene import Arrow, Branch, Chip, Dot, Scene, Text
from liarsdice_cli.errors import LiarsDiceError, UsageError
from liarsdice_cli.formats.writing import write
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.positions import BOTH, PositionGraph
from liarsdice_cli.library.figures import by_level, figure
from liarsdice_cli.library.impartial import nim as nim_of
from liarsdice_cli.library.impartial import takeaway
from liarsdice_cli.library.pictures import picture
from tests.draw.test_draw import EVIL, assert_readable
from tests.support.command_line import ROOT, assert_refused, run_here

CIRCLE = "from,to,player\na,b,\nb,a,\na,end,1\nend,,\n"


def graph(moves: list[tuple[int, int, int]], count: int, names: list[str] | None = None) -> PositionGraph:
    source, target, player = (np.array([move[part] for move in moves], np.int64) for part in range(3))
    return PositionGraph(names or [str(one) for one in range(count)], source, target, player)


def below(scene: Scene) -> dict[str, str]:
    """Return the text below every position."""
    chips = [mark for mark in scene.marks if isinstance(mark, Chip)]
    texts = [mark for mark in scene.marks if isinstance(mark, Text)][-len(chips) :]
    return {chip.text: "".join(words for words, _ in text.runs) for chip, text in zip(chips, texts, strict=True)}


def test_heaps_are_ordered_by_their_distance_to_the_end_and_show_results() -> None:
    scene = figure(takeaway(7, [1, 2, 3])).marks
    assert isinstance(scene, Scene)
    assert below(scene) == {
        **{"7": "W 3  g 3", "6": "W 3  g 2", "5": "W 3  g 1", "4": "L 2  g 0"},
        **{"3": "W 1  g 3", "2": "W 1  g 2", "1": "W 1  g 1", "0": "L 0  g 0"},
    }
    columns: dict[float, set[str]] = {}
    for mark in scene.marks:
        if isinstance(mark, Chip):
            columns.setdefault(mark.x, set()).add(mark.text)
    assert [columns[x] for x in sorted(columns)] == [{"5", "6", "7"}, {"4"}, {"1", "2", "3"}, {"0"}]
    arrows = [mark for mark in scene.marks if isinstance(mark, Arrow)]
    assert len(arrows) == 1 + 2 + 5 * 3
    assert sum(arrow.width > 2 for arrow in arrows) == 6  # from W to L


def test_misere_play_changes_the_results_and_has_no_grundy_values() -> None:
    scene = figure(takeaway(4, [1, 2, 3], misere=True)).marks
    assert isinstance(scene, Scene)
    assert below(scene) == {"4": "W 2", "3": "W 2", "2": "W 2", "1": "L 1", "0": "W 0"}


def test_partizan_positions_show_the_result_with_either_player_to_move(tmp_path: Path) -> None:
    (tmp_path / "circle.csv").write_text(CIRCLE)
    drawn = tmp_path / "circle.svg"
    plain = run_here("impartial", "positions", tmp_path / "circle.csv")
    assert run_here("impartial", "positions", tmp_path / "circle.csv", "-o", drawn) == plain
    text = "".join(ElementTree.parse(drawn).getroot().itertext())
    for said in ("1: W 1  2: D", "1: D  2: L 2", "1: L 0  2: L 0", "player 1's moves", "D a draw"):
        assert said in text


def random_graphs() -> Iterator[tuple[PositionGraph, bool]]:
    draws = random.Random(5)
    for number in range(40):
        count = draws.randrange(2, 9)
        owners = (BOTH,) if number % 2 else (BOTH, 0, 1)
        moves = [
            (one, other, draws.choice(owners))
            for one in range(count)
            for other in range(count)
            if one != other and draws.random() < 0.3 and (number % 3 or other < one)
        ]
        yield graph([*moves, (0, 1, BOTH)], count), bool(number % 5 == 0)


def test_positions_never_overlap_and_nothing_is_cut_off() -> None:
    for game, misere in random_graphs():
        scene = positions.scene(game.analyse(misere), 0, "a game")
        chips = [mark for mark in scene.marks if isinstance(mark, Chip)]
        assert len({(chip.x, chip.y) for chip in chips}) == len(chips) > 1
        for x, y in (mark.middle for mark in scene.marks if isinstance(mark, Arrow)):
            assert 0 < x < scene.width
            assert 0 < y < scene.height
        texts = tuple(mark for mark in scene.marks if isinstance(mark, Chip | Text))
        assert_readable(Scene("", "", scene.width, scene.height, texts))
        assert tikz.dumps(scene).decode().count("-stealth") == sum(isinstance(mark, Arrow) for mark in scene.marks)


@pytest.mark.parametrize("name", EVIL[:-1], ids=range(len(EVIL) - 1))
def test_names_of_positions_are_text(name: str) -> None:
    scene = positions.scene(graph([(0, 1, BOTH)], 2, [name, "end"]).analyse(), 0, name)
    for kind in ("svg", "html"):
        content = figure(graph([(0, 1, BOTH)], 2, [name, "end"]).analyse()).dumps(f"tree.{kind}")
        assert b"<script>alert" not in content
        assert b"<svg onload" not in content
    assert "\\input{/" not in tikz.dumps(scene).decode()


def test_pictures_that_are_too_large_are_refused_with_a_remedy() -> None:
    assert_refused(run_here("impartial", "takeaway", 500, "1,2", "-o", "x.svg"), "CHIPS 100")
    assert_refused(run_here("impartial", "nim", 3, 500, "-o", "x.svg"), "at most 20 heaps of up to 127")
    assert_refused(run_here("impartial", "nim", 3, 5, "-o", "x.gif"), "-o x.gif: the name must end in .efg", code=2)
    with pytest.raises(LiarsDiceError, match="more than the 100 and 400"):
        figure(graph([(one, one + 1, BOTH) for one in range(150)], 151).analyse())
    assert not Path("x.svg").exists()


def test_nim_shows_every_object_and_the_winning_move() -> None:
    scene = nim.scene((3, 4, 5), False)
    assert sum(isinstance(mark, Dot) for mark in scene.marks) == 12
    words = ["".join(said for said, _ in mark.runs) for mark in scene.marks if isinstance(mark, Text)]
    assert "wins: take 2 of 3, leave 1" in words
    assert "nim-sum 2" in words
    for heaps, misere in (((0,), False), ((1, 1, 2), True), ((127, 64, 1), False), ((1,) * 20, False)):
        assert_readable(nim.scene(heaps, misere))
    assert picture(nim_of([1, 1])).dumps("nim.svg") == figure(nim_of([1, 1])).dumps("nim.svg")


def test_outcomes_are_drawn_with_the_probability_of_each_move(tmp_path: Path) -> None:
    table = tmp_path / "game.csv"
    table.write_text("move,move,A,B\nLeft,Up,1,3\nLeft,Down,3,2\nRight,Up,4,2\nRight,Down,3,1\n")
    plain = run_here("outcomes", table)
    assert without_time(run_here("outcomes", table, "-o", tmp_path / "game.txt").out) == without_time(plain.out)
    assert (tmp_path / "game.txt").read_text().splitlines()[1:8] == [
        "A set 1",
        "├·· Left (0): B set 1",
        "│   ├·· Up (1) → 1, 3",
        "│   └·· Down (0) → 3, 2",
        "└── Right (1): B set 2",
        "    ├── Up (1) → 4, 2",
        "    └·· Down (0) → 3, 1",
    ]
    assert_refused(run_here("outcomes", table, "-o", "x.gif"), "the name must end in", code=2)


def without_time(text: str) -> str:
    return re.sub(r"[\d.]+ s$", "", text, flags=re.MULTILINE)


def test_a_chart_is_written_as_svg_and_refused_as_tex() -> None:
    chart = model.regions(0.6277, 3, 0.3191)
    from liarsdice_cli.library.figures import Figure

    assert Figure(chart).dumps("regions.svg").startswith(b"<svg")
    with pytest.raises(UsageError, match=r"must end in \.svg"):
        Figure(chart).dumps("regions.tex")


def test_the_picture_of_a_level_names_the_player_and_the_variance() -> None:
    chart = model.regions(0.6277, 3, 0.3191)
    assert chart.title == "The rolls with which A wins at level λ = 0.6277 against 3 other players"
    assert "σ²" not in chart.title
    assert "the variance σ² is their number, 3" in chart.y_name
    assert [words for _, words in chart.y_ticks] == [f"{place}{model.SIGMA}" if place else "0" for place in range(-3, 4)]
    assert model.regions(0.9226, 1, 0.465).title.endswith("against 1 other player")


@pytest.mark.parametrize(("level", "sigma2"), [(0.6277, 3.0), (0.1, 1.0), (2.9, 2.0), (-0.5, 3.0), (0.9, 0.5)])
def test_the_regions_contain_exactly_the_rolls_with_which_a_wins(level: float, sigma2: float) -> None:
    """Play random rolls by the rules of the worst case, and compare the winner with the two areas of the chart."""
    chart, reach = model.regions(level, sigma2, 0.5), level * sigma2**0.5
    draws = random.Random(1)
    for _ in range(400):
        x, y = draws.uniform(-3, 3), draws.uniform(*chart.y)
        b_calls = (y + reach) / 2 if y < reach else float("inf")
        first_is_a = x + reach < b_calls
        a_wins = first_is_a == (min(x + reach, b_calls) > x + y)
        inside = any(contains(area.corners, x, y) for area in chart.areas[1:])
        assert inside == a_wins, (x, y)


def contains(corners: object, x: float, y: float) -> bool:
    """Return whether a point is in a polygon, by counting the crossings of a ray."""
    points = list(corners)  # type: ignore[call-overload]
    crossings = 0
    for (x1, y1), (x2, y2) in zip(points, points[1:] + points[:1], strict=True):
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) / (y2 - y1) * (x2 - x1):
            crossings += 1
    return bool(crossings % 2)


def test_the_pictures_of_the_documentation_match_generated_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "pictures"))
    import make  # type: ignore[import-not-found]

    make.figures(tmp_path)
    made = sorted(tmp_path.iterdir())
    assert len(made) == 10
    for path in made:
        assert path.read_bytes() == (ROOT / "docs" / "pictures" / path.name).read_bytes(), path.name


def test_a_notebook_shows_the_picture() -> None:
    drawn = picture(takeaway(5, [1, 2]))
    assert "5 chips, take 1, 2" in (drawn._repr_svg_() or "")
    shown = drawn._repr_html_() or ""
    assert shown.count("<img ") == 1
    assert 'alt="5 chips, take 1, 2; normal play: a player who cannot move loses"' in shown


@pytest.mark.slow
def test_the_model_is_drawn_at_one_level_and_over_all_levels() -> None:
    drawn = picture(model_of(3)).dumps("regions.svg").decode()
    assert "level λ = 0.6277 against 3 other players" in drawn
    assert "ω_A = 0.3191" in drawn
    assert "level λ = 0.5 against 2 other players" in picture(model_of(2, z_score=0.5)).dumps("regions.svg").decode()
    curves = by_level([model_of(1), model_of(3)]).dumps("levels.svg").decode()
    assert "1 other player: 0.4650" in curves
    assert "3 other players: 0.3191" in curves


def test_the_unfolded_tree_has_a_node_for_each_path_in_the_colour_of_its_result() -> None:
    scene = figure(takeaway(5, [1, 2]), unfolded=True).marks
    assert isinstance(scene, Scene)
    chips = [mark for mark in scene.marks if isinstance(mark, Chip)]
    assert len(chips) == takeaway(5, [1, 2]).tree().nodes
    for chip in chips:
        heap, result = chip.text.split()
        assert result == ("W" if int(heap) % 3 else "L")
        assert chip.colour == positions.RESULTS[result]
    thick = [mark for mark in scene.marks if isinstance(mark, Branch) and mark.width > 2]
    assert len(thick) == sum(chip.text.endswith("W") for chip in chips)  # every winning position has one winning move
    assert_readable(figure(takeaway(7, [1, 2, 3]), unfolded=True).marks)


def test_players_alternate_in_the_tree_of_a_partizan_game() -> None:
    moves = [(0, 1, 0), (1, 2, 1)]  # player 1 from a to b, player 2 from b to c
    chips = [
        mark.text
        for mark in figure(graph(moves, 3, ["a", "b", "c"]).analyse(), unfolded=True).marks.marks
        if isinstance(mark, Chip)
    ]
    assert chips == ["a L", "b W", "c L"]


def test_infinite_and_too_large_trees_are_refused(tmp_path) -> None:
    words = "the tree has more than the 300 nodes"
    assert_refused(run_here("impartial", "takeaway", "12", "1,2,3", "--full", "-o", tmp_path / "x.svg"), words)
    assert_refused(run_here("impartial", "positions", "-", "--full", "-o", tmp_path / "x.svg", input=CIRCLE), words)
    assert not (tmp_path / "x.svg").exists()
    with pytest.raises(UsageError, match="unfolded=True is for take-away"):
        figure(nim_of([1, 2]), unfolded=True)


def test_the_option_dealing_is_refused_for_a_game_tree(tmp_path) -> None:
    with pytest.raises(UsageError, match="dealing is not for a file of a GameTree: leave it out"):
        write(takeaway(3, [1]).tree(), str(tmp_path / "x.efg"), dealing="multiset")
    assert not (tmp_path / "x.efg").exists()


@pytest.mark.parametrize(
    ("what", "options", "words"),
    [
        (nim_of([1, 2]), {"depth": 3}, "depth is for a picture of a game tree: leave it out"),
        (nim_of([1, 2]), {"history": "x"}, "history is for a picture of a game tree: leave it out"),
        (takeaway(5, [1, 2]), {"no_profile": True}, "no_profile is for a picture of a game tree: leave it out"),
        (takeaway(5, [1, 2]), {"infosets": "chips"}, "infosets is for a picture of a game tree: leave it out"),
        (nim_of([1, 2]), {"start": 1}, "start is for a picture of an analysed graph: leave it out"),
        (
            rules("classic", 2),
            {"unfolded": True},
            "unfolded is for a picture of take-away or of an analysed graph: leave it out",
        ),
        (rules("classic", 2), {"start": 7}, "start is for a picture of an analysed graph: leave it out"),
        (rules("classic", 2), {"infosets": "foo"}, "infosets='foo': choose from auto, dotted, chips"),
    ],
)
def test_an_option_of_another_kind_of_picture_is_refused(what: Any, options: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=f"^{words}$"):
        picture(what, **options)


def test_a_graph_must_be_analysed_before_it_is_drawn() -> None:
    unsolved: Any = graph([(0, 1, BOTH)], 2, ["a", "b"])
    assert repr(unsolved) == "PositionGraph(2 positions, 1 move; analyse() finds the winners)"
    with pytest.raises(UsageError, match=r"^what is a graph without winners: give its analysis, graph\.analyse\(\)$"):
        picture(unsolved)
    solved = unsolved.analyse()
    assert repr(solved) == "Analysis(2 positions, normal play: a player who cannot move loses; 1 W, 1 L, 0 D)"
    assert picture(solved, start=1).title.startswith("Positions from b")
    for start in (-1, 2):
        with pytest.raises(UsageError, match=rf"^start={start}: give the number of a position, from 0 to 1$"):
            picture(solved, start=start)
        with pytest.raises(UsageError, match=rf"^first={start}: give the number of a position, from 0 to 1$"):
            unsolved.tree(start)
