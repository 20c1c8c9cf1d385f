"""The coach as a web page on this machine: its messages, and the server."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Any, TypeVar

from liarsdice_cli.bots.recommending import Recommendation
from liarsdice_cli.draw.coach import page
from liarsdice_cli.draw.coach.server import Server
from liarsdice_cli.errors import LiarsDiceError, UsageError
from liarsdice_cli.formats.documents.playing import Coach as CoachDocument
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.library.coaching import DICE, ME, PRESET, Coach, coach
from liarsdice_cli.report.coach import coach_json

_T = TypeVar("_T")
_NONSENSE = "nothing that is said at a table"


class Desk:
    """The coach behind a page: it answers the page's requests, one at a time.

    now  : the coach, or None before the page has named the players
    made : makes a coach from the arguments of `coach`
    """

    def __init__(self, now: Coach | None, made: Callable[..., Coach] = coach) -> None:
        self._coach, self._made, self._lock = now, made, Lock()

    def reply(self, request: Any) -> dict[str, Any]:
        """Return the `table` in the form of `coach --json`, or None, and as `error` why the request was refused.

        request : one of `{"begin": {...}}`, `{"hear": bid}`, `{"dice": faces}`, `{"lost": name}`, `{"new": name or null}`,
                  `{"undo": true}` and `{"leave": true}`; or `{}`, to look
        """
        with self._lock:
            error, before = None, [] if self._coach is None else list(self._coach.decided)
            try:
                self._hear(request)
            except LiarsDiceError as problem:
                error = str(problem)
            found = None
            try:
                found = self._thought()
            except LiarsDiceError as problem:  # the entry stands: entering it again would enter it twice
                error = error or str(problem)
            return {"error": error, "table": self._told(before, found)}

    def _hear(self, request: Any) -> None:
        if not isinstance(request, dict) or len(request) > 1:
            raise UsageError("say one thing at a time")
        for word, content in request.items():
            if word == "begin":
                self._coach = self._begun(content)
            elif word == "leave":
                self._coach = None
            elif self._coach is None:
                raise UsageError("nobody sits there yet")
            else:
                self._at_table(self._coach, word, content)

    def _begun(self, content: Any) -> Coach:
        seats = _checked(content, dict)
        names, dice = _list_of(seats.get("names"), str), _list_of(seats.get("dice"), int)
        game = rules(_checked(seats.get("rules"), str), 6, dice, spot_on=seats.get("spot_on") is True)
        return self._made(names, game, opener=_checked(seats.get("opens"), str))

    def _at_table(self, here: Coach, word: str, content: Any) -> None:
        if word == "hear":
            here.hear(_checked(content, str))
        elif word == "dice":
            here.dice(_list_of(content, int))
        elif word == "lost":
            here.lost(_checked(content, str))
        elif word == "new":
            here.new(None if content is None else _checked(content, str))
        elif word == "undo":
            here.undo()
        else:
            raise UsageError(_NONSENSE)

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


def _checked(content: Any, kind: type[_T]) -> _T:
    """Return JSON content if it has this type; raise UsageError if not. A truth value is no number."""
    if not isinstance(content, kind) or isinstance(content, bool):
        raise UsageError(_NONSENSE)
    return content


def _list_of(content: Any, kind: type[_T]) -> list[_T]:
    return [_checked(one, kind) for one in _checked(content, list)]


def serve(now: Coach | None = None, port: int = 0, *, made: Callable[..., Coach] = coach) -> Server:
    """Return a server of the coach's page at 127.0.0.1 and this port (0: a free one); it has an `address`.

    now  : the table to begin with; None where the page asks who sits there
    made : makes a coach for what the page answers

    It answers while `serve_forever` runs and is closed as a context manager. Raises LiarsDiceError for a port in use.
    """
    return Server(port, page.html(ME, PRESET, DICE), Desk(now, made).reply)
