"""The published files of the repository, each under its own path, so that relative links work as in the repository."""

from __future__ import annotations

import json
import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]
PUBLISHED = (
    "*.md",
    "LICENSE",
    "benchmarks/*.py",
    "examples/*.py",
    "docs/**/*.md",
    "docs/**/*.csv",
    "docs/**/*.json",
    "docs/**/*.png",
    "docs/**/*.svg",
    "docs/certificates/*",
    "sample_games/*",
)
LISTED = {"docs/runs": "Runs of large games", "docs/schemas": "JSON schemas", "notebooks": "Notebooks"}
"""Folders that pages link to, and the titles of the pages that list their files."""
UNUSED = re.compile(r"assets/.*\.map|assets/javascripts/lunr/.*")
"""Files of the theme that no page loads: source maps, and search in other languages."""


def on_config(config: MkDocsConfig) -> None:
    """Remove the theme's page for missing addresses: it would look for its style sheet at the root of the host."""
    config.theme.static_templates.discard("404.html")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the published files and a list of each linked folder; remove files that no page loads."""
    for unused in [file for file in files if UNUSED.fullmatch(file.src_uri)]:
        files.remove(unused)
    for path in sorted({path for pattern in PUBLISHED for path in ROOT.glob(pattern) if path.is_file()}):
        files.append(File.generated(config, path.relative_to(ROOT).as_posix(), abs_src_path=str(path)))
    for folder, title in LISTED.items():
        if (ROOT / folder).is_dir():
            files.append(File.generated(config, f"{folder}/index.md", content=listing(ROOT / folder, title)))
    return files


def listing(folder: Path, title: str) -> str:
    """Return a page with a link to every JSON document and notebook of a folder, and the description of each schema."""
    lines = [f"# {title}", ""]
    lines += [f"- [{path.stem}]({path.name}){_said(path)}" for path in sorted(folder.glob("*.json"))]
    lines += [f"- [{_headed(path)}]({path.stem}.md)" for path in sorted(folder.glob("*.ipynb"))]
    return "\n".join([*lines, ""])


def _headed(notebook: Path) -> str:
    first = "".join(json.loads(notebook.read_text())["cells"][0]["source"])
    return first.partition("\n")[0].removeprefix("# ")


def _said(path: Path) -> str:
    said = json.loads(path.read_text()).get("description", "")
    return f": {said}" if said else ""


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Convert a page as git hosts show it: link folders to the lists of their files, and give named code blocks a title."""

    def to_list(link: re.Match[str]) -> str:
        folder = posixpath.normpath(posixpath.join(posixpath.dirname(page.file.src_uri), link[1]))
        return f"]({link[1].rstrip('/')}/index.md)" if folder in LISTED else link[0]

    markdown = re.sub(r"\]\(([^)#:]+)\)", to_list, markdown)
    return re.sub(r"^```(\w+) (\S+)$", r'```\1 title="\2"', markdown, flags=re.MULTILINE)
