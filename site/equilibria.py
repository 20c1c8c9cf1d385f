"""The gallery: explorer pages for games of the table of values, solved while the site is built."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import NamedTuple

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

from liarsdice_cli.cli.main import run
from liarsdice_cli.formats.numbers import shown_between
from liarsdice_cli.games.liarsdice.presets import PRESETS
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.studies.value_table import read

ROOT = Path(__file__).parents[1]
VALUES = ROOT / "docs" / "values.csv"
MADE = tempfile.TemporaryDirectory()
"""A temporary folder for the pages until they are copied into the site."""

PAGE = """# Equilibria to click through

Each link opens a page with an equilibrium of the game. For every history and every roll, it shows the player's strategy, its
expected value, and the cost of each mistake. Values are for player 1, with payoffs 1 and -1. Every equilibrium on a page was
evaluated in exact fractions when this site was built. A value has no link if the game is too large for a page. If only bounds
are proved, both are shown.

See also [how to read the pages](../docs/explorer.md), [all values](../docs/results.md) and
[the rules](../docs/command-line.md#rules).

## One die each

{one}

## More dice, three sides

{more}

The same page for any other game: `liarsdice explore --rules dudo --sides 4 --open`.

## An example

Six sides, ones are wild, after the bid 1x4. [Open this page on its own]({framed}).

<iframe class="explorer" src="{framed}" title="The explorer: joker rules, six sides, after the bid 1x4" loading="lazy"></iframe>
"""


class Game(NamedTuple):
    """A game: its preset, sides and dice, as written in the table of values ("2 1")."""

    preset: str
    sides: str
    dice: str

    @classmethod
    def of(cls, rules: Rules) -> Game:
        """Return the game with these rules."""
        return cls(rules.name, str(rules.sides), " ".join(map(str, rules.dice)))

    @property
    def page(self) -> str:
        """The file name of its page."""
        return f"{self.preset}-{self.sides}-{self.dice.replace(' ', '-')}.html"


SIDES = os.environ.get("GALLERY_SIDES", "23456")
"""The numbers of sides for which games get a page; with fewer, a preview of the site is built in less time."""
ONE = [Game(preset, sides, "1 1") for sides in SIDES for preset in PRESETS if (preset, sides) != ("snyd", "6")]
"""All games with one die each, except `snyd` with six sides: it has too many histories to solve for a page."""
MORE = [Game(preset, "3", dice) for dice in ("2 1", "1 2", "2 2") for preset in ("common", "joker", "face-first")]
FRAMED = Game("joker", "6", "1 1")
"""The game that the page of the gallery shows."""
PAGES = dict.fromkeys([*ONE, *(MORE if "3" in SIDES else []), FRAMED])


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Solve every game of the gallery, and add its page and the page with the links."""
    for game in PAGES:
        page = Path(MADE.name) / game.page
        words = f"explore -q --rules {game.preset} --sides {game.sides} --dice {game.dice.replace(' ', ',')} --payoffs zero-sum"
        if run([*words.split(), "-o", str(page)]):
            raise PluginError(f"the page of {game} could not be made")
        files.append(File.generated(config, f"equilibria/{game.page}", abs_src_path=str(page)))
    files.append(File.generated(config, "equilibria/index.md", content=gallery()))
    return files


def gallery() -> str:
    """Return the page with the tables of links."""
    values = {Game.of(one.rules): shown_between(one.lower, one.upper) for one in read(str(VALUES))}
    linked = {game: f"[{values[game]}]({game.page})" if game in PAGES else values[game] for game in (*ONE, *MORE)}
    one = [
        ["sides", *PRESETS],
        *([sides, *(linked.get(g, values[g]) for g in (Game(one, sides, "1 1") for one in PRESETS))] for sides in "23456"),
    ]
    presets = list(dict.fromkeys(game.preset for game in MORE))
    dice = dict.fromkeys(game.dice for game in MORE)
    more = [["dice", *presets], *([of.replace(" ", ","), *(linked[g] for g in MORE if g.dice == of)] for of in dice)]
    return PAGE.format(one=markdown(one), more=markdown(more), framed=f"{FRAMED.page}#1x4")


def markdown(rows: list[list[str]]) -> str:
    """Return rows as a Markdown table; the first row is the head."""
    head, *body = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([head, "|---" * len(rows[0]) + "|", *body])
