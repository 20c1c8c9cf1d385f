"""Check the documentation site: its navigation is complete, its links resolve, and it builds if MkDocs is installed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib import import_module, util
from pathlib import Path
from typing import Any

import pytest

from liarsdice_cli.cli.main import COMMANDS

ROOT = Path(__file__).parents[1]
SITE = ROOT / "site"
NAVIGATION = re.findall(r"([\w/.-]+\.md)$", (SITE / "mkdocs.yml").read_text(), re.MULTILINE)
MISSING = [name for name in ("mkdocs", "material", "mkdocstrings") if util.find_spec(name) is None]
needs_mkdocs = pytest.mark.skipif(bool(MISSING), reason=f"pip install '.[site]': no {', '.join(MISSING)}")


def test_the_navigation_lists_every_page_once() -> None:
    pages = [path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")]
    assert sorted(set(pages) - set(NAVIGATION)) == [], "give the page its place in the navigation of site/mkdocs.yml"
    assert len(set(NAVIGATION)) == len(NAVIGATION)


@pytest.mark.slow
@needs_mkdocs
def test_the_site_builds_without_network(site: None, tmp_path: Path) -> None:
    nowhere = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:9")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", SITE / "mkdocs.yml", "-d", tmp_path],
        env=os.environ | nowhere | {"PYTHONPATH": str(ROOT), "GALLERY_SIDES": "2"},  # few of its games, which take minutes
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    built = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.html")}
    assert {page.replace("README.md", "index.md").replace(".md", ".html") for page in NAVIGATION} <= built
    assert "equilibria/joker-6-1-1.html" in built
    library = (tmp_path / "reference" / "library.html").read_text()
    headings = re.findall(r'<h2 id="liarsdice_cli[^>]*>(.*?)</h2>', library, re.DOTALL)
    named = [re.sub(r"<[^>]*>", " ", heading).split()[0] for heading in headings]
    assert named == [name for name, _ in import_module("library").public_names()]
    commands = (tmp_path / "reference" / "commands.html").read_text()
    assert [name for name in COMMANDS if f'id="{name}"' not in commands] == []
    assert "exploitability" in (tmp_path / "search" / "search_index.js").read_text()


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(SITE)


@needs_mkdocs
@pytest.mark.usefixtures("site")
def test_the_gallery_shows_fractions_and_bounds_but_no_midpoints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gallery: Any = import_module("equilibria")
    cells = re.findall(r"^\| [^-].*", gallery.gallery(), re.MULTILINE)
    values = [cell for row in cells for cell in row.split("|")[2:-1] if re.search(r"\d", cell)]
    assert len(values) == 54
    assert [cell for cell in values if not re.fullmatch(r" (-?\d+(/\d+)?|\[-?\d+(/\d+)?\]\([\w.-]+\)) ", cell)] == []
    table = tmp_path / "values.csv"
    bounds = "snyd,6,1 1,zero-sum,no,-0.0006734,0.0011078,0.0002172,dcfr+,0.0008906,4.30,870"
    table.write_text(re.sub("(?m)^snyd,6,1 1,.*$", bounds, gallery.VALUES.read_text()))
    monkeypatch.setattr(gallery, "VALUES", table)
    assert "-0.000674 .. 0.001108" in gallery.gallery()
    assert "0.0002" not in gallery.gallery()


def checked(folder: Path) -> list[str]:
    found: Any = import_module("checked").problems(folder)
    return list(found)


@needs_mkdocs
@pytest.mark.usefixtures("site")
def test_valid_links_are_no_problem(tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "index.html").write_text('<a href="../a.html#here">up</a> <a href="https://example.org">out</a>')
    (tmp_path / "a.html").write_text('<h1 id="here"></h1> <a href="below/">down</a> <a href="#here"></a> <img src="data:,">')
    assert checked(tmp_path) == []


@needs_mkdocs
@pytest.mark.usefixtures("site")
@pytest.mark.parametrize(
    ("page", "problem"),
    [
        ('<a href="b.html">', "a.html: b.html leads nowhere"),
        ('<img src="b.png">', "a.html: b.png leads nowhere"),
        ('<a href="#there">', "a.html: #there leads to no place on that page"),
        (
            '<link rel="stylesheet" href="https://example.org/f">',
            "a.html: https://example.org/f is fetched from elsewhere",
        ),
        ('<script src="//example.org/s.js"></script>', "a.html: //example.org/s.js is fetched from elsewhere"),
    ],
)
def test_broken_links_and_external_resources_are_found(page: str, problem: str, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(page)
    assert checked(tmp_path) == [problem]


@needs_mkdocs
@pytest.mark.usefixtures("site")
def test_notebooks_become_pages() -> None:
    cells = [{"cell_type": "markdown", "source": ["# A\n", "text"]}, {"cell_type": "code", "source": ["1 + 1"]}]
    assert import_module("notebooks").as_markdown({"cells": cells}) == "# A\ntext\n\n```python\n1 + 1\n```"


@needs_mkdocs
@pytest.mark.usefixtures("site")
def test_docstrings_become_lists_and_examples() -> None:
    docstring = "One sentence.\n\nname  : meaning\n        that goes on\nother : more\n\nRaises: nothing.\n\n>>> 1 + 1\n2"
    assert import_module("docstrings").as_markdown(docstring) == (
        "One sentence.\n\n`name`\n:   meaning that goes on\n\n`other`\n:   more\n\n"
        "Raises: nothing.\n\n```pycon\n>>> 1 + 1\n2\n```"
    )
