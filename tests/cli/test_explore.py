"""The command `explore` without a browser: refusals, output, and the files in the wheel."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from liarsdice_cli.cli.main import run
from liarsdice_cli.draw.explorer import columns, page
from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive import profile
from liarsdice_cli.formats import registry
from liarsdice_cli.formats.writing import write
from liarsdice_cli.games.liarsdice import beliefs, continuations
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.strategy import Uniform
from liarsdice_cli.library.explorer import Explorer, explore
from liarsdice_cli.strategies.combined import WithImpossibleBids

ROOT = Path(__file__).parents[2]


def test_a_page_that_is_too_large_is_refused_or_cut_to_the_depth_that_fits(monkeypatch):
    everything = continuations.all_continuations(Uniform(rules("common", 3)))
    monkeypatch.setattr(page, "MOST", 400)
    with pytest.raises(LiarsDiceError, match="depth=2"):
        page.of_file(everything, "", "", False, 6)
    assert columns.numbers(everything.rules, 2) <= 400 < columns.numbers(everything.rules, 3)
    assert page.of_file(everything, "", "", False) == page.of_file(everything, "", "", False, 2)


@pytest.mark.parametrize("dice", [(1, 1), (2, 1), (1, 1, 1)])
def test_tables_gathered_history_by_history_equal_those_made_at_once(dice):
    game = rules("common", 2, dice)
    everything = continuations.all_continuations(WithImpossibleBids(game, Uniform(rules("common", 2, dice, max_quantity=2))))
    one_by_one = columns.OneByOne(game, lambda history: everything.after(history))
    for depth in range(game.bid_count + 1):
        for at_once, gathered in zip(columns.tables(everything, depth), columns.tables(one_by_one, depth), strict=True):
            unknown = np.isnan(gathered)  # a reading without values for some rolls has none for any roll
            assert np.array_equal(at_once[~unknown], gathered[~unknown])
            assert np.isnan(at_once[unknown]).any(axis=None) == unknown.any()


def test_a_large_strategy_file_makes_a_page_of_limited_depth(tmp_path, capsys, monkeypatch):
    """If the game is too large to traverse, values come from the file, and the command reports where the page ends."""
    file, written_page = str(tmp_path / "s.ldz"), tmp_path / "page.html"
    assert run(["solve", "--rules", "common", "--sides", "3", "-o", file, "-q"]) == 0
    monkeypatch.setattr(beliefs, "MAX_TABLE_SIZE", 31)
    monkeypatch.setattr(page, "MOST", 400)
    capsys.readouterr()
    assert run(["explore", file, "-o", str(written_page)]) == 0
    assert "2 bids" in capsys.readouterr().err
    assert run(["explore", file, "--depth", "1", "-o", str(written_page), "--json"]) == 0
    written = json.loads(capsys.readouterr().out)
    assert written["bytes"] == written_page.stat().st_size
    assert (written["format"], written["nodes"]) == ("html", 1144)
    assert run(["explore", file, "--depth", "3", "-o", str(written_page)]) == 1
    assert "--depth 2" in capsys.readouterr().err
    assert run(["explore", "--rules", "common", "--sides", "3", "-o", str(written_page)]) == 1


def test_a_profile_from_a_file_is_shown(tmp_path):
    kept, written_page = tmp_path / "profile.json", tmp_path / "page.html"
    assert run(["solve", "--sides", "2", "-o", str(kept), "-q"]) == 0
    assert run(["explore", "--sides", "2", "--profile", str(kept), "-o", str(written_page)]) == 0
    assert f"profile {kept}; " in written_page.read_text("utf-8")
    assert run(["explore", "--sides", "3", "--profile", str(kept), "-o", str(tmp_path / "no.html")]) == 1
    assert not (tmp_path / "no.html").exists()


def test_a_game_that_is_too_large_for_fractions_is_shown_in_decimals(monkeypatch):
    shown = explore(rules("common", 2))
    assert b'"fractions":true' in shown.dumps()
    monkeypatch.setattr(profile, "MOST_NUMBERS", 10)
    decimals = shown.dumps()
    assert b'"fractions":false' in decimals
    assert b'"exact":true' in decimals  # so the smallest EV losses are not taken for noise


def test_a_strategy_file_for_three_players_is_shown_and_read_with_values(tmp_path):
    file, written_page = str(tmp_path / "three.ldz"), tmp_path / "page.html"
    assert run(["solve", "--dice", "1,1,1", "--sides", "2", "-o", file, "-q"]) == 0
    assert run(["explore", file, "-o", str(written_page), "-q"]) == 0
    assert "no player could gain more than" in written_page.read_text("utf-8")
    kept = registry.read(file, registry.STRATEGY)
    served, everything = explore(kept)._reader(), continuations.all_continuations(kept)
    for history in map(everything.bids_of, range(1 << kept.rules.bid_count)):
        found, expected = served(history).values, everything.after(history).values
        assert (found is None) == (expected is None)
        assert found is None or np.allclose(found, expected, atol=1e-6)


class Fixed:
    """A strategy that opens 1x2 with a 1 and 1x3 otherwise. It answers with a call, except after 1x3 with a 3."""

    rules = rules("common", 3)

    def at(self, history):
        said = np.zeros((len(self.rules.bids) - max(0, history[-1] if history else 0), 3))
        if not history:
            said[[1, 2, 2], [0, 1, 2]] = 1
        else:
            said[0] = 1
            if tuple(history) == (2,):
                said[:, 2] = [0.25, 0, 0, 0.75]
        return said


def test_a_sheet_shows_the_openings_and_the_replies(tmp_path):
    name = str(tmp_path / "sheet.html")
    write(Explorer(Fixed(), "a <game>", "somewhere", False).sheet(), name)
    text = Path(name).read_text("utf-8")
    words = re.findall(r"<(?:text|tspan)[^>]*>([^<]+)(?=<)", text)
    assert words.count("1x2") == 1  # the opening of one roll
    assert words.count("1x3") == 2
    assert [word for word in words if word.startswith("to ")] == ["to 1x2", "to 1x3"]
    assert {"call 25", "2x3 75"} <= set(words)
    assert words.count("call") == 5
    assert {"  33 %", "  67 %"} <= set(words)
    assert "@page{size:A4 landscape" in text
    assert "<game>" not in text


@pytest.mark.slow
def test_players_with_different_dice_have_separate_tables_on_one_page(tmp_path, capsys):
    kept, name = str(tmp_path / "kept.ldz"), str(tmp_path / "sheet.html")
    assert run(["solve", "--rules", "joker", "--sides", "3", "--dice", "2,1", "-o", kept, "-q"]) == 0
    capsys.readouterr()
    assert run(["draw", kept, "-o", name, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["bytes"] == Path(name).stat().st_size
    text = Path(name).read_text("utf-8")
    assert text.count("<title>die ") == 6 * 2 + 3
    pytest.importorskip("cairosvg")
    assert run(["draw", kept, "-o", str(tmp_path / "sheet.pdf")]) == 0
    content = (tmp_path / "sheet.pdf").read_bytes()
    assert content.startswith(b"%PDF")
    assert len(re.findall(rb"/Type /Page\b", content)) == 1


@pytest.mark.slow
def test_the_wheel_contains_the_page(tmp_path):
    pytest.importorskip("hatchling")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, timeout=120)
    names = zipfile.ZipFile(next(tmp_path.glob("*.whl"))).namelist()
    folder = ROOT / "liarsdice_cli" / "draw" / "explorer"
    for path in folder.iterdir():
        if path.is_file():
            assert str(path.relative_to(ROOT)) in names


def test_the_tree_in_the_readme_is_up_to_date(tmp_path):
    pictures = ROOT / "docs" / "pictures"
    assert run(["draw", "--sides", "2", "--depth", "2", "-o", str(tmp_path / "tree.svg")]) == 0
    assert (tmp_path / "tree.svg").read_bytes() == (pictures / "tree.svg").read_bytes(), "stale: run `make pictures`"
