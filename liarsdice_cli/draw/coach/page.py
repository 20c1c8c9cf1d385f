"""The coach's page: the style and the elements of the explorer, and its own script that requests data from the server."""

from __future__ import annotations

import re
from importlib.resources import files

from liarsdice_cli.draw import explorer, scripts
from liarsdice_cli.draw.coach.sentences import SENTENCES
from liarsdice_cli.draw.explorer import shell
from liarsdice_cli.games.liarsdice.dice import MOST_PLAYERS
from liarsdice_cli.games.liarsdice.presets import PRESETS
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.sentences import brief


def html(me: str, preset: str, dice: int, several: bool = False) -> bytes:
    """Return the page.

    me      : the name of the coached player
    preset  : the rules that are selected at first; `dice` : the number of dice of every player
    several : whether several devices can open the page and have private tables
    """
    shared, own = files(explorer), files(__package__)
    style = shell.palette() + (shared / "explorer.css").read_text("utf-8") + (own / "coach.css").read_text("utf-8")
    data = {
        "payoffs": [0, 1],
        "exact": False,
        "fractions": False,
        "isChance": True,
        "me": me,
        "preset": preset,
        "dice": dice,
        "seats": MOST_PLAYERS,
        "several": several,
        "presets": {name: _in_full(name) for name in PRESETS},
        "sentences": SENTENCES,
    }
    words = {"title": "Liar&rsquo;s Dice coach"}
    return shell.joined((own / "coach.html").read_text("utf-8"), style, scripts.joined("coach/coach.js"), data, "'self'", words)


def _in_full(preset: str) -> str:
    """Return the rules of a preset in words that hold for any number of dice.

    >>> _in_full("common")
    'No dice are wild. Bids rise by quantity, then face.'
    """
    text = re.sub(r": from \w+ to \w+", "", brief(rules(preset)))
    lasts = " A player who drops to one die opens a palifico round: no wild face, a fixed face." * PRESETS[preset].palifico
    return text + lasts
