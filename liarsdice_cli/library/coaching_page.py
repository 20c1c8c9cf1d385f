"""The coach as a web page on this machine: its messages, and the server."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Any

from liarsdice_cli.bots.recommending import Recommendation
from liarsdice_cli.draw.coach import page
from liarsdice_cli.draw.coach.server import Server
from liarsdice_cli.errors import LiarsDiceError, UsageError
from liarsdice_cli.formats.documents.playing import Coach as CoachDocument
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.library.coaching import DICE, ME, PRESET, Coach, coach
from liarsdice_cli.report.coach import coach_json


class Desk:
    """Answer the messages of the page with a coach, or without one before the players are known.

    made : makes a coach from the arguments of `coach`
    """

    def __init__(self, now: Coach | None, made: Callable[..., Coach] = coach) -> None:
        self._coach, self._made, self._lock = now, made, Lock()

    def said(self, what: Any) -> dict[str, Any]:
        """What the page is told: the `table` as `coach --json` has it, or None, and why something was refused as `error`.

        what : one of `{"begin": {...}}`, `{"hear": bid}`, `{"dice": faces}`, `{"lost": name}`, `{"new": null}`, `{"undo": 1}`
               and `{"leave": true}`; or `{}`, to look
        """
        with self._lock:
            error, before = None, [] if self._coach is None else list(self._coach.decided)
            try:
                self._hear(what)
            except LiarsDiceError as problem:
                error = str(problem)
            except (TypeError, ValueError, KeyError, AttributeError, OverflowError):  # no page of ours says so
                error = "nothing that is said at a table"
            found = None
            try:
                found = self._thought()
            except LiarsDiceError as problem:  # the entry stands: entering it again would enter it twice
                error = error or str(problem)
            return {"error": error, "table": self._told(before, found)}

    def _hear(self, what: Any) -> None:
        if not isinstance(what, dict) or len(what) > 1:
            raise UsageError("say one thing at a time")
        for word, content in what.items():
            if word == "begin":
                dice, spot_on = [int(dice) for dice in content["dice"]], content.get("spot_on") is True
                game = rules(str(content["rules"]), 6, dice, spot_on=spot_on)
                self._coach = self._made([str(name) for name in content["names"]], game, opener=content["opens"])
            elif word == "leave":
                self._coach = None
            elif self._coach is None:
                raise UsageError("nobody sits there yet")
            else:
                self._at_table(self._coach, word, content)

    def _at_table(self, here: Coach, word: str, content: Any) -> None:
        if word == "hear":
            here.hear(str(content))
        elif word == "dice":
            here.dice([int(face) for face in content])
        elif word == "lost":
            here.lost(str(content))
        elif word == "new":
            here.new(None if content is None else str(content))
        elif word == "undo":
            here.undo()
        else:
            raise UsageError("nothing that is said at a table")

    def _thought(self) -> Recommendation | None:
        """Prepare the opening, and return what is recommended if it is the turn of the one who is coached."""
        if self._coach is None:
            return None
        table = self._coach.table
        if not table.history:
            self._coach.prepare()
        return self._coach.recommendation() if table.mine and table.own is not None else None

    def _told(self, before: list[Any], found: Recommendation | None) -> CoachDocument | None:
        if self._coach is None:
            return None
        table, decided = self._coach.table, self._coach.decided
        last = decided[-1] if len(decided) > len(before) else None
        return coach_json(table, "", None, found, None if last is None else (last[0], last[1].action))


def serve(now: Coach | None = None, port: int = 0, *, made: Callable[..., Coach] = coach) -> Server:
    """Return a server of the coach's page at 127.0.0.1 and this port (0: a free one); it has an `address`.

    now  : the table to begin with; None where the page asks who sits there
    made : makes a coach for what the page answers

    It answers while `serve_forever` runs and is closed as a context manager. Raises LiarsDiceError for a port in use.
    """
    return Server(port, page.html(ME, PRESET, DICE), Desk(now, made).said)
