"""The command `explore` without a browser: what it refuses, what it writes, and what is packed with it."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from liarsdice_cli.cli.main import run
from liarsdice_cli.draw.explorer import page
from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.formats import kinds
from liarsdice_cli.games.liarsdice import beliefs
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.strategy import Equal
from liarsdice_cli.library.explorer import explore

ROOT = Path(__file__).parents[2]


def test_too_large_a_page_is_refused_with_the_depth_that_fits(monkeypatch):
    everything = beliefs.whole(Equal(rules("common", 3)))
    monkeypatch.setattr(page, "MOST", 400)
    with pytest.raises(LiarsDiceError, match=r"768 numbers, and at most 400 are written: give depth=2, or serve=True"):
        page.of_file(everything, "", "", False)
    assert page.numbers(everything.rules, 2) <= 400 < page.numbers(everything.rules, 3)
    assert b"columns" in page.of_file(everything, "", "", False, 2)


def test_too_large_a_game_is_served_and_not_written(monkeypatch):
    strategy = Equal(rules("common", 2))
    assert page.all_readings(strategy).after([]).mover == 0
    monkeypatch.setattr(beliefs, "MOST", 31)
    with pytest.raises(LiarsDiceError, match="16 betting histories are too many for a page: give --serve instead of -o"):
        page.all_readings(strategy)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "nowhere to show the page: give -o explorer.html, or --serve"),
        (["-o", "x.html"], "no game: give rule options such as --sides 3"),
        (["--sides", "3", "-o", "x.svg"], "must end in .html or .htm"),
        (["--sides", "3", "-o", "x.html.gz"], "must end in .html or .htm"),
        (["--sides", "3", "-o", "-", "--open"], "--open needs a file"),
        (["--sides", "3", "-o", "x.html", "--serve"], "leave one of -o and --serve out"),
        (["--sides", "3", "-o", "x.html", "--port", "80"], "--port is for --serve"),
        (["--sides", "3", "--serve", "--depth", "2"], "--depth cuts a page"),
        (["sample_games/kuhn-poker.efg", "-o", "x.html"], "does not say which rules it comes from: give rule options"),
        (["--sides", "2", "-o", "missing/x.html"], "there is no such folder"),
    ],
)
def test_what_cannot_be_explored_is_refused_in_one_line(arguments, said, capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    assert run(["explore", *arguments]) in (1, 2)
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert said in error
    assert not Path("x.html").exists()


def test_a_kept_profile_is_shown_with_its_verdict(tmp_path, capsys):
    kept, written_page = tmp_path / "profile.json", tmp_path / "page.html"
    assert run(["solve", "--sides", "2", "-o", str(kept), "-q"]) == 0
    assert run(["explore", "--sides", "2", "--profile", str(kept), "-o", str(written_page)]) == 0
    assert f"profile {kept}; an equilibrium" in written_page.read_text("utf-8")
    capsys.readouterr()
    assert run(["explore", "--sides", "3", "--profile", str(kept), "-o", str(tmp_path / "no.html")]) == 1
    assert "belongs to another game" in capsys.readouterr().err
    assert not (tmp_path / "no.html").exists()


def test_a_file_of_three_players_is_shown_and_read_with_values(tmp_path):
    file, written_page = str(tmp_path / "three.ldz"), tmp_path / "page.html"
    assert run(["solve", "--dice", "1,1,1", "--sides", "2", "-o", file, "-q"]) == 0
    assert run(["explore", file, "-o", str(written_page), "-q"]) == 0
    assert "nobody could gain more than" in written_page.read_text("utf-8")
    kept = kinds.read(file, kinds.STRATEGY)
    served, everything = explore(kept)._reader(), beliefs.whole(kept)
    for history in map(everything.bids_of, range(1 << kept.rules.bid_count)):
        found, expected = served(history).values, everything.after(history).values
        assert (found is None) == (expected is None)
        assert found is None or np.allclose(found, expected, atol=1e-6)


def test_the_wheel_holds_the_page(tmp_path):
    pytest.importorskip("hatchling")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, timeout=120)
    names = zipfile.ZipFile(next(tmp_path.glob("*.whl"))).namelist()
    folder = ROOT / "liarsdice_cli" / "draw" / "explorer"
    for path in folder.iterdir():
        if path.is_file():
            assert str(path.relative_to(ROOT)) in names


def test_the_tree_of_the_readme_is_what_draw_makes(tmp_path, capsys):
    pictures = ROOT / "docs" / "pictures"
    kept = str(pictures / "two-sides.json")
    assert run(["verify", "--sides", "2", kept]) == 0
    assert "an equilibrium: no player can gain, in exact fractions" in capsys.readouterr().out
    assert run(["draw", "--sides", "2", "--profile", kept, "--depth", "2", "-o", str(tmp_path / "tree.svg")]) == 0
    assert (tmp_path / "tree.svg").read_bytes() == (pictures / "tree.svg").read_bytes(), "stale: run `make pictures`"
