"""The coach's page: the style and the elements of the explorer, and a script of its own that asks the server for everything."""

from __future__ import annotations

from importlib.resources import files

from liarsdice_cli.draw import explorer
from liarsdice_cli.draw.explorer import shell
from liarsdice_cli.games.liarsdice.presets import PRESETS
from liarsdice_cli.games.liarsdice.rules import MOST_PLAYERS, rules
from liarsdice_cli.games.liarsdice.sentences import brief


def html(me: str, preset: str, dice: int) -> bytes:
    """The page.

    me     : what the one who is coached is called
    preset : the rules that are chosen at first, `dice` the number of everybody's
    """
    shared, own = files(explorer), files(__package__)
    style = shell.palette() + (shared / "explorer.css").read_text("utf-8") + (own / "coach.css").read_text("utf-8")
    scripts = [shared / name for name in ("exact.js", "data.js", "elements.js", "theme.js")]
    scripts += [own / name for name in ("setup.js", "table.js", "coach.js")]
    script = "\n".join(part.read_text("utf-8") for part in scripts)
    data = {
        "payoffs": [0, 1],
        "exact": False,
        "me": me,
        "preset": preset,
        "dice": dice,
        "seats": MOST_PLAYERS,
        "presets": {name: brief(rules(name)).partition(" Bids rise")[0] for name in PRESETS},
    }
    words = {"title": "Liar&rsquo;s Dice coach"}
    return shell.joined((own / "coach.html").read_text("utf-8"), style, script, data, "'self'", words)
