"""Join the data, the style and the scripts of an explorer into one page, which loads nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from liarsdice_cli.draw import app, scripts
from liarsdice_cli.draw.colours import GREY, INK, PAPER, PLAYERS, Colour, of_mover
from liarsdice_cli.draw.html import json_in_html, policy


@dataclass(frozen=True)
class Page:
    """A page that has not been joined yet.

    name    : the heading of the page
    title   : the title of the window
    data    : the data for the scripts
    entry   : the module that starts the page, as `scripts.joined` takes it
    guide   : the file with the guide to the page
    connect : the addresses to which its scripts may send requests, in the form of a content security policy
    styles  : the style files that only this kind of page has
    """

    name: str
    title: str
    data: dict[str, Any]
    entry: str
    guide: str
    connect: str = "'none'"
    styles: tuple[str, ...] = ()


def html(page: Page) -> bytes:
    """Return the page; its policy allows only the style and the script of this package, by their hashes."""
    folder = files(__package__)
    style = palette() + "".join((folder / name).read_text("utf-8") for name in ("explorer.css", *page.styles))
    script = scripts.joined(page.entry)
    words = {"name": escape(page.name), "title": escape(page.title), "guide": (folder / page.guide).read_text("utf-8")}
    template = (folder / "explorer.html").read_text("utf-8")
    return joined(template, style, script, page.data, page.connect, words)


def joined(template: str, style: str, script: str, data: dict[str, Any], connect: str, words: dict[str, str]) -> bytes:
    """Return a page made of its parts; its policy allows only this style and this script.

    template : HTML, after the head that all pages have, with placeholders for `$data`, `$script` and the words, which are
               HTML too; `title` is one of them
    data     : the content of the element `data`, for the script
    connect  : the addresses to which the script may send requests, in the form of a content security policy; a page that
               may send some comes from a server, which has the files of `app` too
    """
    is_served = connect != "'none'"
    allowed = policy(script, style, more=f"{app.POLICY * is_served}connect-src {connect}; ")
    return (
        Template((files(__package__) / "head.html").read_text("utf-8") + template)
        .substitute(
            policy=escape(allowed, quote=True),
            app=app.HEAD * is_served,
            style=style,
            data=json_in_html(data),
            script=script,
            **words,
        )
        .encode()
    )


def css(colour: Colour) -> str:
    """Return a colour in CSS, for light pages and for dark ones.

    >>> css(Colour("#000000", "#ffffff")), css(Colour("#6e7781", "#6e7781"))
    ('light-dark(#000000,#ffffff)', '#6e7781')
    """
    return colour.light if colour.light == colour.dark else f"light-dark({colour.light},{colour.dark})"


def palette() -> str:
    """Return the colours of all pictures as CSS variables."""
    named = {"ink": INK, "paper": PAPER, "grey": GREY} | {f"player{player + 1}": of_mover(player) for player in range(PLAYERS)}
    return ":root{" + "".join(f"--{name}:{css(one)};" for name, one in named.items()) + "}\n"
