"""Test pictures: nothing overlaps or is cut off, labels are never interpreted, and large games are refused."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise, product
from pathlib import Path
from unittest import mock
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarsdice_cli.cli.main import run
from liarsdice_cli.draw import choice, drawing, layout, page, pictures, svg, text, tikz
from liarsdice_cli.draw.chart import Chart, Marker
from liarsdice_cli.draw.colours import INK
from liarsdice_cli.draw.diagram import DealPanels
from liarsdice_cli.draw.scene import LANE_TURN, NOBODY, Box, Branch, Chip, Die, Dot, Link, Mark, Scene, Text, text_width
from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.profile import Profile, from_sets
from liarsdice_cli.extensive.stream import CHANCE
from liarsdice_cli.extensive.subtree_view import SubtreeView
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.formats import efg
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.tree import build
from liarsdice_cli.library.pictures import picture as library_draw
from tests.support.command_line import assert_refused, run_here
from tests.support.command_line import run as run_apart
from tests.support.properties import examples, mostly_slow

ROOT = Path(__file__).parents[2]
SAMPLES = sorted((ROOT / "sample_games").glob("*.efg"))
DRAWN = [path for path in SAMPLES if "3-sides" not in path.name]
SVG = "{http://www.w3.org/2000/svg}"

EVIL = (
    "</title><script>alert(1)</script>",
    "]]><svg onload=alert(1)>",
    "& < > ' \" \\",
    "\\input{/etc/passwd} $x^2$ 50% #1 {_} ~",
    "^^5cend{document}",
    "שלום عالم \u202eevil\u202c \u2066x",
    "\x01\x0b\x1b[31m",
    "\ud800 \ufffe",
    "x" * 500,
    "",
)


@pytest.mark.parametrize("words", EVIL, ids=range(len(EVIL)))
def test_labels_in_pictures_and_charts_are_never_markup(words: str) -> None:
    scene = Scene(words, words, 100, 100, (Text(0, 0, ((words, INK),)),))
    chart = Chart(words, words, (0, 1), (0, 1), [], [], words, words, [], [Marker((0.5, 0.5), words, INK)])
    for picture in (svg.dumps(scene).decode(), chart.svg()):
        assert {element.tag.removeprefix(SVG) for element in ElementTree.fromstring(picture).iter()} <= {
            *("svg", "title", "desc", "style", "rect", "path", "text", "tspan", "circle", "g")
        }


def drawn(part: SubtreeView, infosets: str = "auto") -> Scene:
    return drawing.scene(choice.diagram_of(part, infosets), infosets)


def own(scene: Scene) -> list[Mark]:
    """Return the marks of the nodes, without title and legend."""
    return [mark for mark, owner in zip(scene.marks, scene.owners, strict=True) if owner != NOBODY]


def pure(tree: GameTree) -> Profile:
    """Return the profile that always takes the first action."""
    rows = [row for row, player in enumerate(tree.infosets.player.tolist()) if player != CHANCE]
    return from_sets(tree, {row: [Fraction(not branch) for branch in range(tree.action_counts[row])] for row in rows})


def boxes(scene: Scene) -> Iterator[tuple[float, float, float, float, object]]:
    """Yield left, top, right and bottom of every mark that must stay readable, and the mark."""
    for mark in scene.marks:
        if isinstance(mark, Text):
            width = sum(text_width(words, mark.size) for words, _ in mark.runs)
            left = mark.x - {"start": 0.0, "middle": width / 2, "end": width}[mark.anchor]
            yield left, mark.y - 0.75 * mark.size, left + width, mark.y + 0.2 * mark.size, mark
        elif isinstance(mark, Chip):
            yield mark.x - mark.width / 2, mark.y - 8, mark.x + mark.width / 2, mark.y + 8, mark
        elif isinstance(mark, Die):
            yield mark.x - mark.size / 2, mark.y - mark.size / 2, mark.x + mark.size / 2, mark.y + mark.size / 2, mark
        elif isinstance(mark, Box):
            yield mark.x, mark.y, mark.x + mark.width, mark.y + mark.height, mark
        elif isinstance(mark, Dot):
            yield mark.x - mark.radius, mark.y - mark.radius, mark.x + mark.radius, mark.y + mark.radius, mark


def assert_readable(scene: Scene) -> None:
    """Check that no two boxes overlap, and that all are inside the picture."""
    found = sorted(boxes(scene), key=lambda box: box[1])
    for left, top, right, bottom, mark in found:
        assert min(left, top, scene.width - right, scene.height - bottom) >= 0, mark
    for one, two in combinations(found, 2):
        if two[1] >= one[3] - 0.5:
            continue
        assert two[0] >= one[2] - 0.5 or one[0] >= two[2] - 0.5, (one, two)


# Readable


def name_of(argument: Path | str) -> str:
    return argument.stem if isinstance(argument, Path) else argument


@pytest.mark.parametrize(("path", "infosets"), mostly_slow(product(DRAWN, pictures.INFOSETS), 4), ids=name_of)
def test_nothing_overlaps_and_nothing_is_cut_off(path: Path, infosets: str) -> None:
    tree = efg.read(str(path))
    for profile in (None, from_sets(tree, {}), pure(tree)):
        assert_readable(drawn(SubtreeView.whole(tree, profile), infosets))


@pytest.mark.parametrize(
    ("preset", "sides", "dice"), mostly_slow([("common", 2, (2, 1)), ("common", 3, (1, 1)), ("joker", 3, (1, 1))])
)
def test_bars_and_panels_do_not_overlap(preset: str, sides: int, dice: tuple[int, ...]) -> None:
    tree = build(rules(preset, sides, dice))
    for profile in (None, from_sets(tree, {}), pure(tree)):
        assert_readable(drawn(SubtreeView.whole(tree, profile)))


def corners(link: Link) -> list[tuple[float, float]]:
    lane = [] if link.lane is None else [(link.lane, link.y + LANE_TURN), (link.lane, link.to_y - LANE_TURN)]
    return [(link.x, link.y), *lane, (link.to_x, link.to_y)]


@pytest.mark.parametrize("path", mostly_slow(DRAWN, 4), ids=lambda path: path.stem)
def test_no_dotted_line_runs_over_a_label(path: Path) -> None:
    tree = efg.read(str(path))
    scene = drawn(SubtreeView.whole(tree, pure(tree)), "dotted")
    words = [box for box in boxes(scene) if isinstance(box[-1], Text)]
    links = [mark for mark in scene.marks if isinstance(mark, Link) and mark.x == mark.to_x]  # otherwise imperfect recall
    upright: dict[float, list[tuple[float, float]]] = {}
    for link in links:
        for (x, y), (to_x, to_y) in pairwise(corners(link)):
            for share in (place / 200 for place in range(201)):
                at_x, at_y = x + share * (to_x - x), y + share * (to_y - y)
                assert not any(left < at_x < right and top < at_y < bottom for left, top, right, bottom, _ in words), link
        if link.lane is not None:
            upright.setdefault(link.lane, []).append((link.y, link.to_y))
    assert all(one[1] <= two[0] for spans in upright.values() for one, two in pairwise(sorted(spans)))


trees = st.recursive(
    st.just([]), lambda below: st.lists(st.tuples(st.text(max_size=30), below), min_size=1, max_size=4), max_leaves=25
)


def efg_of(branches: list, counter: list[int]) -> str:  # type: ignore[type-arg]
    """Return the nodes of a nested list in the notation of .efg."""
    counter[0] += 1
    number = counter[0]
    if not branches:
        return f't "" {number} "" {{ {number}, -{number}/7 }}\n'
    labels = " ".join('"' + label.replace("\\", "").replace('"', "") + '"' for label, _ in branches)
    below = "".join(efg_of(child, counter) for _, child in branches)
    return f'p "" {number % 2 + 1} {number} "" {{ {labels} }} 0\n{below}'


@given(trees)
@examples(60)
def test_any_tree_is_readable_in_every_format(branches: list) -> None:  # type: ignore[type-arg]
    nodes = efg_of(branches, [0])
    tree = efg.parse(f'EFG 2 R "t" {{ "A" "B" }}\n{nodes}'.encode("utf-8", "replace"))
    part = SubtreeView.whole(tree)
    scene = drawn(part)
    assert_readable(scene)
    ElementTree.fromstring(svg.dumps(scene))
    assert tikz.dumps(scene).isascii()
    assert len(text.dumps(choice.diagram_of(part)).decode().split("\n")) == tree.nodes + 2


def test_nodes_have_titles_for_screen_readers() -> None:
    tree = efg.read(str(ROOT / "sample_games" / "kuhn-poker.efg"))
    root = ElementTree.fromstring(svg.dumps(drawn(SubtreeView.whole(tree, pure(tree)))))
    titles = [title.text for title in root.iter(f"{SVG}title")]
    assert titles[0] == "Kuhn poker"
    assert "12: Player 1, set 1 (card 1)" in titles
    assert sum(title is not None and ": the end" in title for title in titles) == 30
    assert sum(title is not None and "never reached" in title for title in titles) > 10


def test_a_profile_determines_width_label_and_fading_of_branches() -> None:
    tree = efg.read(str(ROOT / "sample_games" / "matching-pennies.efg"))
    scene = drawn(SubtreeView.whole(tree, pure(tree)))
    branches = [mark for mark in own(scene) if isinstance(mark, Branch)]
    assert [mark.width for mark in branches] == [4.0, 4.0, 1.0, 1.0, 4.0, 1.0]
    assert [mark.faded for mark in branches] == [False, False, True, True, True, True]
    words = [mark.runs[0][0] for mark in scene.marks if isinstance(mark, Text)]
    assert words.count("1") >= 3
    assert words.count("0") == 3


def test_information_sets_are_dotted_lines_only_if_these_are_clear() -> None:
    horse = efg.read(str(ROOT / "sample_games" / "seltens-horse.efg"))
    kuhn = efg.read(str(ROOT / "sample_games" / "kuhn-poker.efg"))
    marks = [type(mark) for mark in own(drawn(SubtreeView.whole(horse)))]
    assert marks.count(Link) == 1
    assert Chip not in marks
    marks = [type(mark) for mark in own(drawn(SubtreeView.whole(kuhn)))]
    assert marks.count(Chip) == 24
    assert Link not in marks
    assert [type(mark) for mark in own(drawn(SubtreeView.whole(kuhn), "dotted"))].count(Link) == 12


def test_wide_numbers_have_room() -> None:
    tree = efg.parse(
        b'EFG 2 R "w" { "A" "B" } p "" 1 2147483647 "" { "l" "r" } 0 p "" 2 2147483646 "" { "L" "R" } 0 '
        b't "" 0 t "" 0 p "" 2 2147483646 0 t "" 0 t "" 0'
    )
    assert_readable(drawn(SubtreeView.whole(tree), "chips"))


def test_the_panels_of_liars_dice_have_the_same_layout() -> None:
    scene = drawn(SubtreeView.whole(build(rules("classic", 2))))
    dice = [mark for mark in own(scene) if isinstance(mark, Die)]
    assert [mark.face for mark in dice] == list("11122122")
    chips = [(mark.x, mark.y) for mark in own(scene) if isinstance(mark, Chip)]
    panels = [chips[start : start + 16] for start in range(0, 64, 16)]
    for panel in panels[1:]:
        offsets = {(round(x - a, 6), round(y - b, 6)) for (x, y), (a, b) in zip(panel, panels[0], strict=True)}
        assert len(offsets) == 1


def test_staged_and_multiset_dealing_have_the_same_panels() -> None:
    for chance in ("multiset", "staged"):
        deals = DealPanels.of(build(rules("common", 2), chance))
        assert deals is not None
        assert deals.dice == (("1", "1"), ("1", "2"), ("2", "1"), ("2", "2"))


def test_kuhn_poker_deals_no_dice() -> None:
    deals = DealPanels.of(efg.read(str(ROOT / "sample_games" / "kuhn-poker.efg")))
    assert deals is not None
    assert (len(deals.starts), deals.size, deals.dice) == (6, 9, ())


# Layout


@given(st.integers(1, 60), st.randoms(use_true_random=False))
def test_nodes_of_a_column_are_at_least_one_row_apart(size: int, random: object) -> None:
    parents = [-1]
    while len(parents) < size:  # prefix order: the parent is the last node or one of its ancestors
        chain = [len(parents) - 1]
        while parents[chain[-1]] != -1:
            chain.append(parents[chain[-1]])
        parents.append(random.choice(chain))  # type: ignore[attr-defined]
    rows, columns = layout.rows(parents), layout.columns(parents)
    for one, two in combinations(range(size), 2):
        if columns[one] == columns[two]:
            assert abs(rows[one] - rows[two]) >= 1
    leaves = [row for node, row in enumerate(rows) if node not in parents]
    assert leaves == [float(row) for row in range(len(leaves))]


def test_a_deep_tree_needs_no_recursion() -> None:
    parents = [-1, *range(100_000)]
    assert layout.rows(parents)[0] == 0.0
    assert layout.columns(parents)[-1] == 100_000


def test_sets_that_follow_themselves_are_not_aligned() -> None:
    assert layout.aligned([-1, 0, 1], ["a", "a", None]) == [0, 1, 2]


# Labels are never interpreted


def evil_game(label: str) -> GameTree:
    """Return a game with this label wherever a file can have one."""
    tree = efg.parse(
        b'EFG 2 R "T" { "P" "Q" } "C" c "N" 1 "S" { "A" 1/2 "B" 1/2 } 0 p "M" 1 1 "I" { "D" } 0 '
        b't "E" 1 "O" { 1 0 } t "F" 2 "U" { 0 1 }'
    )
    action_lists = [choices._replace(labels=tuple(label for _ in choices.labels)) for choices in tree.action_lists]
    outcomes = [outcome._replace(label=label) for outcome in tree.outcomes]
    sets = type(tree.infosets)(tree.infosets.player, tree.infosets.number, tree.infosets.actions, [label] * len(tree.infosets))
    return GameTree(
        label, label, (label, label), action_lists, outcomes, sets, tree.infoset, tree.outcome, dict.fromkeys(range(4), label)
    )


@pytest.mark.parametrize("profiled", mostly_slow([True, False]))
@pytest.mark.parametrize("label", EVIL, ids=range(len(EVIL)))
def test_labels_are_text_in_every_format(label: str, profiled: bool) -> None:
    tree = evil_game(label)
    part = SubtreeView.whole(tree, from_sets(tree, {}) if profiled else None)
    scene = drawn(part)
    picture = ElementTree.fromstring(svg.dumps(scene))
    assert {element.tag.removeprefix(SVG) for element in picture.iter()} <= {
        *("svg", "title", "desc", "style", "rect", "path", "text", "tspan", "circle", "g")
    }
    assert not any(name.startswith("on") or "href" in name for element in picture.iter() for name in element.attrib)
    shown = page.dumps(scene).decode()
    assert len(re.findall(r"<script|<svg onload", shown)) == 2  # the data of the tree, and the page's own script
    tex = tikz.dumps(scene).decode()
    assert "\\input{/" not in tex
    assert "^^" not in tex
    assert tex.count("{") == tex.count("}") + tex.count(r"\{") - tex.count(r"\}")
    assert "\x1b" not in text.dumps(choice.diagram_of(part)).decode()
    assert_readable(scene)


def test_text_for_tex_is_escaped_once() -> None:
    assert tikz.escaped("a_b & 1|2 -- x") == r"a\_b \& 1\textbar{}2 {-}{-} x"


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="there is no pdflatex")
def test_tikz_compiles_in_a_plain_article(tmp_path: Path) -> None:
    game = evil_game("\\input{x} $&#%_{}^~ <>|\"'`-- …é")
    bars = build(rules("common", 3))
    for name, part in (("a", SubtreeView.whole(game)), ("b", SubtreeView.whole(bars, pure(bars)).cut(2))):
        (tmp_path / f"{name}.tex").write_bytes(tikz.dumps(drawn(part)))
    article = r"\documentclass{article}\usepackage{tikz}\begin{document}\input{a}\resizebox{9cm}{!}{\input{b}}\end{document}"
    (tmp_path / "article.tex").write_text(article)
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "article"], cwd=tmp_path, capture_output=True, timeout=60
    )
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]


# Large games


@cache
def six() -> GameTree:
    return build(rules("common", 6))


def test_bars_show_what_each_roll_does() -> None:
    tree = build(rules("common", 3))
    diagram = choice.diagram_of(SubtreeView.whole(tree, pure(tree)))
    (panel,) = diagram.panels
    assert len(panel.nodes) == 64
    assert diagram.actions == ("call", "1x1")
    assert [bar.dice for bar in panel.nodes[0].bars] == ["1", "2", "3"]
    assert panel.nodes[0].bars[0].shares == (("1x1", 1.0),)
    assert [node.branch for node in panel.nodes if node.parent == 0] == ["1x1", "1x2", "1x3", "2x1", "2x2", "2x3"]
    assert [node.chances for node in panel.nodes if node.parent == 0] == ["1", "0", "0", "0", "0", "0"]


def test_bars_of_other_deals_have_the_labels_of_the_information_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "MOST_NODES", 20)
    tree = efg.read(str(ROOT / "sample_games" / "kuhn-poker.efg"))
    part = SubtreeView.whole(tree, from_sets(tree, {}))
    diagram = choice.diagram_of(part)
    assert [bar.name for bar in diagram.panels[0].nodes[0].bars] == ["card 1", "card 2", "card 3"]
    scene = drawn(part)
    assert not any(isinstance(mark, Die) for mark in scene.marks)
    assert len({mark.colour for mark in own(scene) if isinstance(mark, Box)}) == 2
    assert_readable(scene)
    assert "card 3  pass 1/2, bet 1/2" in text.dumps(diagram).decode()


def test_the_refusal_of_a_large_game_without_deals_suggests_a_depth() -> None:
    chain = "".join(f'p "" 1 {number} "" {{ "stop" "go" }} 0 t "" 0\n' for number in range(1, 301))
    part = SubtreeView.whole(efg.parse(f'EFG 2 R "chain" {{ "A" }}\n{chain}t "" 0\n'.encode()))
    with pytest.raises(LiarsDiceError, match=r"601 nodes are more than the 300 .* depth=149"):
        choice.diagram_of(part)
    assert_readable(drawn(part.cut(149)))


@pytest.mark.slow
def test_a_small_game_makes_a_small_picture_and_a_large_one_shows_its_public_tree() -> None:
    small, large = build(rules("classic", 2)), build(rules("classic", 3))
    diagram = choice.diagram_of(SubtreeView.whole(small, pure(small)))
    assert len(svg.dumps(drawing.scene(diagram))) < 80_000
    diagram = choice.diagram_of(SubtreeView.whole(large, pure(large)))
    assert len(diagram.panels[0].nodes) == 512
    assert b"</svg>" in svg.dumps(drawing.scene(diagram))


@pytest.mark.parametrize(("nearly", "written"), [("1/3", "1/3"), ("333333333333/1000000000000", "0.333")])
def test_the_public_tree_shows_no_fraction_that_is_only_near_the_probability(nearly: str, written: str) -> None:
    tree, probability = build(rules("classic", 3)), Fraction(nearly)
    rows = [tree.row_called(f"P1 roll {roll} opening") for roll in (1, 2, 3)]
    opening = [probability, 1 - probability] + [Fraction(0)] * (int(tree.action_counts[rows[0]]) - 2)
    diagram = choice.diagram_of(SubtreeView.whole(tree, from_sets(tree, dict.fromkeys(rows, opening))))
    assert next(node.chances for node in diagram.panels[0].nodes if node.parent == 0) == written


def test_the_refusal_of_a_large_game_suggests_the_largest_depth_that_works() -> None:
    tree = six()
    with pytest.raises(LiarsDiceError, match=r"4,096 betting histories .* depth=4") as refusal:
        choice.diagram_of(SubtreeView.whole(tree))
    depth = int(re.search(r"depth=(\d+)", str(refusal.value))[1])  # type: ignore[index]
    choice.diagram_of(SubtreeView.whole(tree).cut(depth))
    with pytest.raises(LiarsDiceError):
        choice.diagram_of(SubtreeView.whole(tree).cut(depth + 1))


def test_the_subtree_after_a_history_of_a_large_game_is_drawn() -> None:
    tree = six()
    part = SubtreeView.whole(tree, from_sets(tree, {})).after(["1x6", "2x3"])
    diagram = choice.diagram_of(part)
    assert b"</svg>" in svg.dumps(drawing.scene(diagram))
    assert diagram.title.endswith("(a part: after 1x6 2x3)")
    assert len(diagram.panels[0].nodes) == 8


# The command line


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("game")
    assert run(["build", "--sides", "2", "-o", str(place / "game.efg")]) == 0
    assert run(["solve", str(place / "game.efg"), "-o", str(place / "profile.json")]) == 0
    return place


@pytest.mark.parametrize(
    ("ending", "start"),
    [("svg", b"<svg"), ("tex", b"% Liar"), ("html", b"<!doctype html>"), ("txt", b"Liar"), ("svg.gz", b"\x1f\x8b")],
)
def test_the_name_of_the_file_selects_the_format(game: Path, tmp_path: Path, ending: str, start: bytes) -> None:
    output = tmp_path / f"tree.{ending}"
    assert run(["draw", str(game / "game.efg"), "--profile", str(game / "profile.json"), "-o", str(output)]) == 0
    assert output.read_bytes().startswith(start)


@pytest.mark.slow
@pytest.mark.parametrize(("ending", "start"), [("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_png_and_pdf_are_written(game: Path, tmp_path: Path, ending: str, start: bytes) -> None:
    try:
        import cairosvg  # noqa: F401
    except (ImportError, OSError) as error:
        pytest.skip(f"no CairoSVG: {error}")
    assert run(["draw", str(game / "game.efg"), "-o", str(tmp_path / f"tree.{ending}")]) == 0
    assert (tmp_path / f"tree.{ending}").read_bytes().startswith(start)


def test_a_game_cut_before_its_first_move_shows_its_value(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["draw", str(game / "game.efg"), "--depth", "0"]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == ["→ exp. 1/2, 1/2"]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("-o", "tree.gif"), ".svg, .png"),
        (("-o", "tree"), "must end in"),
        (("--profile", "none", "--reached-only"), "leave out this option or --reached-only"),
        (("--profile", "none", "--reached-only"), "liarsdice: --profile none shows no profile"),
        (("--from", "3x3"), "'3x3' cannot follow the opening"),
        (("--profile", "missing.json"), "missing.json"),
        (("-o", "missing/tree.svg"), "no such folder"),
    ],
)
def test_refusals(game: Path, capsys: pytest.CaptureFixture[str], args: tuple[str, ...], words: str) -> None:
    assert run(["draw", str(game / "game.efg"), *args]) in (1, 2)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert len(captured.err.splitlines()) == 1
    assert words in captured.err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_full_disk_is_reported(game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "tree.svg").symlink_to("/dev/full")
    assert run(["draw", str(game / "game.efg"), "-o", str(tmp_path / "tree.svg")]) == 1
    assert "free some space" in capsys.readouterr().err


def test_a_missing_library_is_named(game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with mock.patch.dict(sys.modules, {"cairosvg": None}):
        assert run(["draw", str(game / "game.efg"), "-o", str(tmp_path / "tree.png")]) == 1
    assert "pip install cairosvg" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_the_ink_is_the_first_colour() -> None:
    picture = svg.dumps(Scene("t", "d", 10, 10, (Text(0, 0, (("x", INK),)),))).decode()
    assert f".c0{{color:{INK.light}}}" in picture
    assert "prefers-color-scheme:dark" in picture


def test_payoffs_at_a_cut_are_marked_as_expected_values() -> None:
    """The game pays 1 or 0, but a cut shows the expected value."""
    half = from_sets(build(rules("common", 2)), {})
    whole, part = (library_draw(half, depth=depth) for depth in (None, 1))
    assert "exp." not in whole.dumps("a.txt").decode()
    lines = part.dumps("a.txt").decode().splitlines()
    assert any(line.endswith("→ exp. 1/2, 1/2") for line in lines)
    assert all("→ exp. " in line for line in lines if "→" in line)
    assert "on average: the picture is cut here" in part.dumps("a.svg").decode()
    assert "exp. " in part.dumps("a.svg").decode()
    bare = library_draw(build(rules("common", 2)), no_profile=True, depth=1).dumps("a.txt").decode()
    assert "…" in bare
    assert "exp." not in bare


def test_rules_of_three_players_are_solved_by_regret_minimisation() -> None:
    ended = run_here("draw", "--sides", 2, "--dice", "1,1,1", "--depth", 1)
    assert ended.code == 0
    assert ended.err.startswith("liarsdice: solved by method pdcfr+; ")
    assert re.search(r"2x2 \(0\.\d+\) → exp\. 1, 1, \S+", ended.out)


def test_characters_that_the_encoding_of_a_pipe_lacks_are_escaped() -> None:
    ended = run_apart("draw", "--sides", 2, "--profile", "none", "--depth", 1, PYTHONIOENCODING="ascii")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.isascii()
    assert "\\u2514" in ended.out


def test_a_sheet_refuses_the_options_of_trees(tmp_path: Path) -> None:
    file = tmp_path / "strategy.ldz"
    assert run_here("solve", "--sides", 2, "--method", "dcfr+", "--iterations", 2, "-o", file).code == 0
    assert_refused(run_here("draw", file, "--infosets", "chips"), "leave out all options but -o", code=2)
    assert run_here("draw", file).out.startswith("<")
    assert ".html for a STRATEGY" in " ".join(run_here("draw", "--help").out.split())
