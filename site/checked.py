"""Check the built site: every link has a target, and no page fetches anything from another host."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError

NAVIGATED = ("a", "area")
"""Elements whose addresses are opened by a click. The addresses of all other elements are fetched with the page."""
SAYS_ONLY = ("canonical", "next", "prev")
"""The `rel` of links in the head that fetch nothing."""


class Page(HTMLParser):
    """The addresses in a page, and its anchors.

    places    : the anchors
    addresses : whether a click opens the address, and the address
    """

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.places: set[str] = set()
        self.addresses: list[tuple[bool, str]] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Store the anchors and addresses of an element."""
        given = {name: value or "" for name, value in attrs}
        self.places |= {given[name] for name in ("id", "name") if name in given}
        if given.get("rel") in SAYS_ONLY:
            return
        self.addresses += [(tag in NAVIGATED, given[name]) for name in ("href", "src") if name in given]


def problems(folder: Path) -> Iterator[str]:
    """Yield a line for every address in the pages of a folder that has no target, or is fetched from another host."""
    pages = {path: Page(path) for path in sorted(folder.rglob("*.html"))}
    for path, page in pages.items():
        for followed, address in page.addresses:
            parts = urlsplit(address)
            where = f"{path.relative_to(folder)}: {address}"
            if parts.scheme in ("http", "https") or parts.netloc:
                if not followed:
                    yield f"{where} is fetched from elsewhere"
                continue
            if parts.scheme:
                continue
            target = _target(folder, path, unquote(parts.path))
            if not target.exists():
                yield f"{where} leads nowhere"
            elif target in pages and _is_place(parts.fragment) and unquote(parts.fragment) not in pages[target].places:
                yield f"{where} leads to no place on that page"


def _target(folder: Path, page: Path, path: str) -> Path:
    if not path:
        return page
    target = folder / path.lstrip("/") if path.startswith("/") else page.parent / path
    target = target.resolve()
    return target / "index.html" if target.is_dir() else target


def _is_place(fragment: str) -> bool:
    """Return whether a fragment names an anchor; in the explorer it may be a history, such as 1x4."""
    return bool(fragment) and not fragment[0].isdigit()


def on_post_build(config: MkDocsConfig) -> None:
    """Fail the build if a link is broken."""
    found = list(problems(Path(config.site_dir).resolve()))
    if found:
        raise PluginError("\n".join([f"{len(found)} broken links", *found[:40]]))
