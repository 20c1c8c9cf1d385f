"""Test the table of picture formats, and the command `draw`."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

from liarsdice_cli.draw import pictures
from liarsdice_cli.draw.formats import DIAGRAM, FORMATS, SCENE
from liarsdice_cli.errors import UsageError
from liarsdice_cli.extensive.profile import from_sets
from liarsdice_cli.extensive.subtree_view import SubtreeView
from liarsdice_cli.formats import efg, registry
from liarsdice_cli.formats.registry import Format
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.tree import build
from liarsdice_cli.library import pictures as library
from tests.support.command_line import KUHN, PENNIES, ROOT, assert_refused, run_here
from tests.support.properties import mostly_slow

SOLVED = (
    "liarsdice: solved by method quasi-perfect; "
    "a quasi-perfect equilibrium: no player can gain, even after mistakes, in exact fractions; one of many equilibria\n"
)


@pytest.mark.parametrize("kind", [row for row in FORMATS if row.holds in (SCENE, DIAGRAM)], ids=lambda kind: kind.suffix)
def test_every_format_writes_a_picture_with_and_without_a_profile(kind: Format) -> None:
    if kind.suffix in (".png", ".pdf"):
        try:
            import cairosvg  # noqa: F401
        except (ImportError, OSError) as error:
            pytest.skip(f"no CairoSVG: {error}")
    tree = efg.read(str(PENNIES))
    assert pictures.tree_format(f"Tree{kind.suffix.upper()}.gz") is kind
    assert kind.suffix in registry.suffixes(SCENE, DIAGRAM)
    bare, played = SubtreeView.whole(tree), SubtreeView.whole(tree, from_sets(tree, {}))
    assert b"" != pictures.dumps(bare, kind) != pictures.dumps(played, kind)


def test_fading_does_not_use_opacity() -> None:
    """With opacity, CairoSVG takes half a minute instead of 1.5 seconds for a PNG of 128 histories with a profile."""
    tree = build(rules("common", 3))
    rows = [row for row, player in enumerate(tree.infosets.player.tolist()) if player >= 0]
    first = {row: [Fraction(not action) for action in range(tree.action_counts[row])] for row in rows}
    picture = pictures.dumps(SubtreeView.whole(tree, from_sets(tree, first)), pictures.tree_format("tree.svg"))
    assert b"faded: never reached" in picture
    assert not re.search(rb"[{;\" ]opacity[:=]", picture)


def test_other_names_are_refused_with_a_list_of_endings() -> None:
    assert pictures.tree_format("-").suffix == ".txt"
    for name in ("tree.gif", "tree", "svg", "tree.svg.old"):
        with pytest.raises(UsageError, match=f"must end in {re.escape(registry.suffixes(SCENE, DIAGRAM))}"):
            pictures.tree_format(name)


def test_a_game_is_solved_if_no_profile_is_given(tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    assert run_here("solve", KUHN, "-o", kept).code == 0
    given = run_here("draw", KUHN, "--profile", kept)
    assert given.err == ""
    assert run_here("draw", KUHN) == (0, given.out, SOLVED)
    assert run_here("draw", KUHN, "--quiet") == (0, given.out, "")
    alone = pictures.dumps(SubtreeView.whole(efg.read(str(KUHN))), pictures.tree_format("-")).decode()
    assert run_here("draw", KUHN, "--profile", "none") == (0, alone, "")
    assert given.out != alone


def test_a_part_of_the_solved_game_is_drawn() -> None:
    part = run_here("draw", "--sides", 2, "--from", "1x2", "--depth", 1)
    assert (part.code, part.err) == (0, SOLVED)
    assert "(a part: after 1x2; 1 move deep)" in part.out
    assert "…" not in part.out  # a cut shows the expected value
    assert "…" in run_here("draw", "--sides", 2, "--from", "1x2", "--depth", 1, "--profile", "none").out


def test_games_of_three_players_and_with_imperfect_recall_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "SECONDS", 600.0)  # enough on a busy machine
    horse = run_here("draw", ROOT / "sample_games" / "seltens-horse.efg")
    assert (horse.code, "method enumpure; an equilibrium" in horse.err) == (0, True)
    driver = run_here("draw", ROOT / "sample_games" / "absent-minded-driver.efg")
    assert (driver.code, "method enumpure-agent; not evaluated" in driver.err) == (0, True)


@pytest.mark.parametrize(
    ("limit", "value", "words"),
    [("SOLVED", 54, "55 nodes are more than the 54 that can be solved here"), ("SECONDS", 1e-9, "found none within 1e-09 s")],
)
def test_a_game_that_cannot_be_solved_is_drawn_without_a_profile(
    limit: str, value: float, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = run_here("draw", KUHN, "--profile", "none").out
    monkeypatch.setattr(library, limit, value)
    ended = run_here("draw", KUHN)
    assert ended[:2] == (0, bare)
    assert "liarsdice: drawn without a profile: " in ended.err
    assert words in ended.err
    assert ended.err.count("\n") == 1
    assert run_here("draw", KUHN, "-q") == (0, bare, "")


def test_a_game_that_cannot_be_drawn_is_not_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "solve", lambda *_, **__: pytest.fail("solved"))
    assert_refused(run_here("draw", "--sides", 5, "--rules", "common"), "1,024 betting histories", "--depth 5")


# Only reached nodes


def test_reached_only_leaves_out_actions_that_are_never_taken_and_says_so(tmp_path: Path) -> None:
    whole, played = run_here("draw", "--sides", 2, "-q").out, run_here("draw", "--sides", 2, "-q", "--reached-only").out
    assert "··  never reached" in whole
    assert "··" not in played
    assert "(a part: only the actions that are taken)" in played
    ends = [line for line in whole.splitlines() if "── call" in line and "→" in line and "··" not in line]
    assert len(ends) >= played.count("→") == 4  # one end for each deal in a pure profile
    for form, words in ((".svg", "left out: moves that are never made"), (".tex", "left out: moves that are never made")):
        assert run_here("draw", "--sides", 2, "-q", "--reached-only", "-o", tmp_path / f"tree{form}").code == 0
        assert words in (tmp_path / f"tree{form}").read_text()


def test_bars_of_reached_histories_show_the_rolls_that_reach_them() -> None:
    played = run_here("draw", "--sides", 3, "-q", "--reached-only").out
    whole = run_here("draw", "--sides", 3, "-q").out
    bars = [line for line in played.splitlines() if any(die in line for die in "⚀⚁⚂")]
    assert bars
    assert not any("· " in bar for bar in bars)
    assert set(bars[:3]) <= set(whole.splitlines())
    assert len(played.splitlines()) * 10 < len(whole.splitlines())


@pytest.mark.slow
def test_reached_only_makes_a_large_game_small_enough_to_draw() -> None:
    assert_refused(run_here("draw", "--sides", 6, "--rules", "common"), "4,096 betting histories", "--depth 4")
    assert "2x6" in run_here("draw", "--sides", 6, "--rules", "common", "--reached-only", "-q").out
    refused = run_here("draw", KUHN, "--reached-only", "--profile", "none")
    assert_refused(refused, "--profile none", "--reached-only", code=2)


@pytest.mark.parametrize("infosets", mostly_slow(pictures.INFOSETS))
def test_reached_only_draws_any_game(infosets: str) -> None:
    for name in ("kuhn-poker", "seltens-horse", "nim-1-2"):
        tree = efg.read(str(ROOT / "sample_games" / f"{name}.efg"))
        mixed, only = from_sets(tree, {}), pictures.tree_format("tree.txt")
        first = library.picture(tree, reached_only=True, infosets=infosets).dumps("tree.txt")
        assert b"\xc2\xb7" not in first
        assert pictures.dumps(SubtreeView.whole(tree, mixed), only, infosets, True) == pictures.dumps(
            SubtreeView.whole(tree, mixed), only, infosets
        )


# The legend


def test_the_legend_explains_the_signs_of_the_picture_and_no_others() -> None:
    panels, bars = library.picture(build(rules("classic", 2))), library.picture(build(rules("common", 3)))
    bare = library.picture(efg.read(str(PENNIES)), no_profile=True)
    texts = [picture.dumps("tree.svg").decode() for picture in (panels, bars, bare)]
    for sign, shown in (
        ("a tree for each deal", (True, False, False)),
        ("a bar for every roll", (False, True, False)),
        ("thickness and number", (True, True, False)),
        ("faded: never reached", (True, True, False)),
        ("joined: the player cannot tell", (False, False, True)),
        ("left out", (False, False, False)),
    ):
        assert tuple(sign in text for text in texts) == shown, sign
