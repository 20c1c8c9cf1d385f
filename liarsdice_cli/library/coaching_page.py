"""The coach as a web page: its messages, its tables, and the server."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Any, TypeVar

from liarsdice_cli.draw.coach import page
from liarsdice_cli.draw.coach.server import Server
from liarsdice_cli.draw.visitors import HERE, Access
from liarsdice_cli.errors import UsageError
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.library.coaching import DICE, ME, PRESET, Coach, coach, reply
from liarsdice_cli.report.coach import coach_json

_T = TypeVar("_T")
_NONSENSE = "this is not a request of the page"
_CHANGED = "another phone was quicker: look at the table again"
_LONGEST_ID = 100
_MOST_TABLES = 8
"""The most private tables that are kept; each may hold a few hundred megabytes of solved rounds."""


class Desk:
    """A table behind a page: it answers the page's requests, one at a time.

    now  : the coach, or None before the page has named the players
    made : makes a coach from the arguments of `coach`
    lock : held while a request is answered; tables that share one do not compute at the same time
    """

    def __init__(self, now: Coach | None, made: Callable[..., Coach] = coach, lock: Lock | None = None) -> None:
        self._coach, self._made, self._lock = now, made, lock or Lock()
        self._left: Coach | None = None
        self._is_begun = False
        self._heard: str | None = None
        self.version = 0

    @property
    def is_empty(self) -> bool:
        """Whether the table has no players, and there is no table to go back to."""
        return self._coach is None and self._left is None

    def reply(self, request: Any) -> dict[str, Any]:
        """Return the table, and as `error` the reason if the request was refused.

        request : one of `{"begin": {...}}`, `{"hear": bid}`, `{"claim": name}`, `{"dice": faces}`, `{"lost": name}`,
                  `{"new": name or null}`, `{"undo": true}`, `{"leave": true}` and `{"back": true}`; or `{}`, which changes
                  nothing. It may also have `at`, the `version` that the page showed: the request is refused if the table has
                  changed since. If it has an `id`, a text, that equals the last one, it was sent again and changes nothing.

        `table` has the form of `coach --json`, or is None. `version` changes with it. `left` names the table that was left
        and can be returned to, or is None.
        """
        with self._lock:
            error, found, decided = reply(lambda: self._hear_once(request), lambda: self._coach)
            table = None if self._coach is None else coach_json(self._coach.table, "", None, found, decided)
            return {"error": error, "table": table, "version": self.version, "left": self._left_words()}

    def _hear_once(self, request: Any) -> None:
        """Apply a request, unless it was applied already; UsageError if the table has changed since the page showed it."""
        if not isinstance(request, dict):
            raise UsageError(_NONSENSE)
        what = {word: content for word, content in request.items() if word not in ("at", "id")}
        known = request.get("id")
        if not what or (known is not None and known == self._heard):
            return
        if request.get("at", self.version) != self.version:
            raise UsageError(_CHANGED)
        self._hear(what)
        self._heard = known if isinstance(known, str) and len(known) < _LONGEST_ID else None
        self.version += 1

    def _hear(self, request: dict[str, Any]) -> None:
        if len(request) > 1:
            raise UsageError("send one request at a time")
        for word, content in request.items():
            if word == "begin":
                self._coach, self._is_begun = self._begun(content), True
            elif word == "back" and self._left is not None:
                self._coach, self._left = self._left, None
            elif self._coach is None:
                raise UsageError("there is no table yet")
            elif word == "leave":
                self._coach, self._left = None, self._coach
            elif word == "undo" and self._is_begun and not self._coach.has_entries:
                self._coach = None  # back to the question for the players, and from it to the table that was left
            else:
                self._at_table(self._coach, word, content)

    def _left_words(self) -> str | None:
        if self._left is None:
            return None
        table = self._left.table
        return f"{', '.join(table.names)}: round {table.number}"

    def _begun(self, content: Any) -> Coach:
        seats = _checked(content, dict)
        names, dice = _list_of(seats.get("names"), str), _list_of(seats.get("dice"), int)
        game = rules(_checked(seats.get("rules"), str), 6, dice, spot_on=seats.get("spot_on") is True)
        gains, by = (game.spot_on and seats.get(word) is True for word in ("gains", "by_any"))
        house: dict[str, Any] = {"spot_on_gains": gains, "spot_on_by": "any" if by else "next"} if gains or by else {}
        return self._made(names, game, opener=_checked(seats.get("opens"), str), **house)

    def _at_table(self, here: Coach, word: str, content: Any) -> None:
        if word == "hear":
            here.hear(_checked(content, str))
        elif word == "claim":
            here.claim(_checked(content, str))
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


def _checked(content: Any, kind: type[_T]) -> _T:
    """Return JSON content if it has this type; raise UsageError if not. True and false are not numbers."""
    if not isinstance(content, kind) or isinstance(content, bool):
        raise UsageError(_NONSENSE)
    return content


def _list_of(content: Any, kind: type[_T]) -> list[_T]:
    return [_checked(one, kind) for one in _checked(content, list)]


class Desks:
    """The tables behind a page: a shared one, and private ones, of which those used last are kept.

    They compute one after the other, because each uses the whole processor for its advice.
    """

    def __init__(self, now: Coach | None, made: Callable[..., Coach] = coach) -> None:
        self._made, self._computing, self._lock = made, Lock(), Lock()
        self._shared = Desk(now, made, self._computing)
        self._own: OrderedDict[str, Desk] = OrderedDict()

    def reply(self, table: str, content: Any) -> dict[str, Any]:
        """Return the answer of a table; "" is the shared one."""
        return self._desk(table).reply(content)

    def version(self, table: str) -> int:
        """Return the version of a table."""
        return self._desk(table).version

    def _desk(self, table: str) -> Desk:
        if not table:
            return self._shared
        with self._lock:
            desk = self._own.setdefault(table, Desk(None, self._made, self._computing))
            self._own.move_to_end(table)
            if len(self._own) > _MOST_TABLES:
                empty = (name for name, one in self._own.items() if one is not desk and one.is_empty)
                self._own.pop(next(empty, next(iter(self._own))))
        return desk


def serve(now: Coach | None = None, port: int = 0, *, made: Callable[..., Coach] = coach, access: Access = HERE) -> Server:
    """Return a server of the coach's page at this port (0: a free one); it has an `address`.

    now    : the coach of the first table; None if the page asks for the players
    made   : makes a coach from the page's answers
    access : the address to listen at; by default only this machine can connect

    It answers while `serve_forever` runs and is closed as a context manager. Raises LiarsDiceError for a port in use.
    """
    return Server(port, page.html(ME, PRESET, DICE, several=access.host != HERE.host), Desks(now, made), access)
