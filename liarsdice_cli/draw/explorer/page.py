"""The explorer as one file: the data, the style and the scripts of this folder joined into a page that needs nothing else."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from liarsdice_cli.draw.colours import GREY, INK, PAPER, PLAYERS, of_mover
from liarsdice_cli.draw.explorer.bids import CALL, bid_colours
from liarsdice_cli.draw.explorer.columns import Readings, numbers, packed, tables
from liarsdice_cli.draw.scene import is_bright
from liarsdice_cli.errors import Argument, LiarsDiceError
from liarsdice_cli.extensive.trembles import MISTAKE
from liarsdice_cli.games.liarsdice import beliefs
from liarsdice_cli.games.liarsdice.beliefs import Continuations
from liarsdice_cli.games.liarsdice.matching import matching_table
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.sentences import brief
from liarsdice_cli.games.liarsdice.strategy import Strategy

MOST = 4_000_000
"""The most numbers that a page holds, four or eight bytes each before they are compressed."""

_SCRIPTS = ("readings.js", "elements.js", "rolls.js", "summary.js", "views.js", "compare.js", "quiz.js", "page.js")


def is_small(rules: Rules) -> bool:
    """Whether everything that can happen in the game can be read before a page is shown."""
    return beliefs.cells(rules, ()) <= beliefs.MOST


def all_readings(strategy: Strategy, advance: Callable[[int], object] = int) -> Continuations:
    """Everything that a page can show of a strategy of a small game; calls `advance` with each number of histories read."""
    return beliefs.whole(strategy, advance=advance)


def deepest(rules: Rules, depth: int | None = None) -> int:
    """How many bids before a decision a page shows: so many as are asked for, or as many as fit where nothing is asked.

    Raises LiarsDiceError that names the greatest depth which fits where the page would hold more than `MOST` numbers.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> deepest(rules("common", 3)), deepest(rules("common", 6, (2, 2)))
    (6, 4)
    """
    shown = rules.bid_count if depth is None else min(depth, rules.bid_count)
    if numbers(rules, shown) <= MOST:
        return shown
    fits = max((less for less in range(shown) if numbers(rules, less) <= MOST), default=0)
    if depth is None:
        return fits
    raise LiarsDiceError(
        f"the page would hold {numbers(rules, shown):,} numbers, and at most {MOST:,} are written: give ",
        *(Argument("depth", fits), ", or ", Argument("serve", True)),
    )


def of_file(readings: Readings, title: str, source: str, exact: bool, depth: int | None = None) -> bytes:
    """A page that holds all its readings itself and can reach no network.

    title  : of the game
    source : where the strategy comes from, in words for the reader
    exact  : whether its probabilities are fractions, which the page then finds again in its numbers
    depth  : the most bids before a decision that the page shows; as many as fit where it is left out

    Raises as `deepest`.
    """
    shown = deepest(readings.rules, depth)
    columns = packed(tables(readings, shown), exact)
    return _joined(_facts(readings.rules, title, source, exact, shown) | {"columns": columns}, "'none'")


def of_server(rules: Rules, title: str, source: str, exact: bool) -> bytes:
    """A page that asks the server it comes from for every reading, and can reach nothing else."""
    return _joined(_facts(rules, title, source, exact, rules.bid_count) | {"columns": None}, "'self'")


def _facts(rules: Rules, title: str, source: str, exact: bool, depth: int) -> dict[str, Any]:
    """What the scripts need to know besides the numbers; every rule of the game is applied here."""
    colours = [CALL, *bid_colours(rules)]
    players = range(rules.players)
    rolls = [rules.rolls(player) for player in players]
    return {
        "title": title,
        "rules": brief(rules),
        "source": source,
        "exact": exact,
        "depth": depth,
        "mistake": MISTAKE,
        "wild": rules.wild,
        "bids": [str(bid) for bid in rules.bids],
        "openings": list(rules.bidding.openings),
        "run": rules.bidding.run,
        "quantities": [bid.quantity for bid in rules.bids],
        "colours": [(colour, "#000000" if is_bright(colour) else "#ffffff") for colour in colours],
        "rolls": [[roll for roll, _ in own] for own in rolls],
        "chances": [[float(chance) for _, chance in own] for own in rolls],
        "matching": [matching_table(rules, player).T.tolist() for player in players],
        "payoffs": [float(number) for number in rules.payoffs_when_losing(0)[:2]],
    }


def _joined(data: dict[str, Any], connect: str) -> bytes:
    """The page; only the style and the script of this package may act in it, by their hashes."""
    folder = files(__package__)
    style = _palette() + (folder / "explorer.css").read_text("utf-8")
    script = "\n".join((folder / name).read_text("utf-8") for name in _SCRIPTS)
    assert "</s" not in style + script.lower(), "nothing in the package ends its element early"
    policy = (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; "
        f"connect-src {connect}; base-uri 'none'; form-action 'none'"
    )
    template = Template((folder / "explorer.html").read_text("utf-8"))
    return template.substitute(
        policy=escape(policy, quote=True),
        title=escape(data["title"]),
        style=style,
        data=_within_html(json.dumps(data, separators=(",", ":"))),
        script=script,
    ).encode()


def _within_html(text: str) -> str:
    """JSON that no HTML parser can leave early, whatever its strings say.

    >>> _within_html('{"title":"</script><b>"}')
    '{"title":"\\\\u003c/script\\\\u003e\\\\u003cb\\\\u003e"}'
    """
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _palette() -> str:
    """The colours of all pictures as variables of the style."""
    named = {"ink": INK, "paper": PAPER, "grey": GREY} | {f"player{player + 1}": of_mover(player) for player in range(PLAYERS)}
    return ":root{" + "".join(f"--{name}:light-dark({one.light},{one.dark});" for name, one in named.items()) + "}\n"
