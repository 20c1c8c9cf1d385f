"""The file formats by the ends of their names: one table, which every command asks what a file holds and who writes it.

Functions are named, not imported: a format is loaded when a file of it is read or written. Rooms above register the formats
that they write (`formats.register`), such as workbooks, which are pictures.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, ParamSpec, TypeVar

from liarsdice_cli.errors import UsageError, check_type
from liarsdice_cli.formats import REGISTERED, files

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import IO

    from liarsdice_cli.extensive.profile import Profile
    from liarsdice_cli.extensive.stream import TreeStream
    from liarsdice_cli.extensive.subtree_view import SubtreeView
    from liarsdice_cli.extensive.tree import GameTree
    from liarsdice_cli.formats.ldz import Origin, StrategyFile
    from liarsdice_cli.games.liarsdice.grown_strategy import GrownStrategy
    from liarsdice_cli.system.tasks import InOrder

    GameWriter = Callable[[TreeStream, IO[bytes], str, Callable[[int], None], InOrder], None]
    WorkbookWriter = Callable[[SubtreeView, str, int | None], bytes]
    ProfileWriter = Callable[[Profile, str], bytes]
    StrategyWriter = Callable[[str, GrownStrategy, Origin], None]

Writer = TypeVar("Writer")
More = ParamSpec("More")
Content = TypeVar("Content")


@dataclass(frozen=True)
class Kind(Generic[Writer, More, Content]):
    """What a file can hold; carries the types of what writes it, of what reading it needs besides the name, and gives."""

    name: str


GAME: Kind[GameWriter, [], GameTree] = Kind("game")
"""A game. Written by `(stream, out, labels, progress, in_order)`, read by `(name)`."""
WORKBOOK: Kind[WorkbookWriter, [], Any] = Kind("workbook")
"""A game, or a part of it, with a profile on it. Written by `(part, method, depth)`, which gives the content."""
PROFILE: Kind[ProfileWriter, [GameTree], Profile] = Kind("profile")
"""A profile alone. Written by `(profile, method)`, which gives the content; read by `(name, tree)`."""
STRATEGY: Kind[StrategyWriter, [], StrategyFile] = Kind("strategy")
"""What all players of rules do. Written by `(name, strategy, origin)`, read by `(name)`."""


class Format(NamedTuple):
    """One format for one kind.

    suffix : the end of the names of its files, in small letters, without the .gz that may follow
    holds  : what is in such a file
    writer : the function that writes it, `module:name` within this package
    reader : the one that reads it, "" where there is none
    gz     : whether .gz may follow in a name; not where files are compressed already, or opened by other programs
    """

    suffix: str
    holds: Kind[Any, ..., Any]
    writer: str
    reader: str = ""
    gz: bool = True


FORMATS = (
    Format(".efg", GAME, "formats.efg:write", "formats.efg:read"),
    Format(".nfg", GAME, "formats.nfg:write"),
    Format(".json", PROFILE, "formats.profile_json:dumps", "formats.profile_json:read"),
    Format(".ldz", STRATEGY, "formats.ldz:write", "formats.ldz:StrategyFile", gz=False),
)
"""The formats of this room."""


def table() -> list[Format]:
    """Return all formats, those of this room first.

    Names without an ending, `-` among them, are written in the first format of the kind that can be written. Names with an
    unknown ending are read in the first one that can be read.
    """
    return [*FORMATS, *(row for formats in REGISTERED for row in formats())]


def holds(name: str, kind: Kind[Any, ..., Any]) -> bool:
    """Whether the name of a file says that it holds this.

    >>> holds("kept.LDZ", STRATEGY), holds("game.gbt.gz", WORKBOOK), holds("profile.json", STRATEGY)
    (True, True, False)
    """
    return next(named(name, _of(kind)), None) is not None


def writer(name: str, kind: Kind[Writer, ..., Any]) -> Writer:
    """The function that writes this to a file of this name; raises as `check`.

    >>> writer("game.nfg.gz", GAME).__module__, writer("game", GAME).__module__
    ('liarsdice_cli.formats.nfg', 'liarsdice_cli.formats.efg.writer')
    """
    function: Writer = load(_written_as(name, kind).writer)
    return function


def check(name: str, *kinds: Kind[Any, ..., Any]) -> None:
    """Raise UsageError if a name to write has an ending of no format of these kinds; names without an ending are allowed.

    >>> check("game.nfg", GAME), check("game", GAME), check("-", GAME)
    (None, None, None)
    """
    check_type("name", name, str, "give the name of a file as text")
    rows = [row for kind in kinds for row in _of(kind) if row.writer]
    if Path(files.uncompressed(name)).suffix and next(named(name, rows), None) is None:
        raise UsageError(f"{name}: the name must end in {listed(rows)}, which says what to write")


def _written_as(name: str, kind: Kind[Any, ..., Any]) -> Format:
    """Return the row for a file of this name; raises as `check`."""
    check(name, kind)
    rows = [row for row in _of(kind) if row.writer]
    return next(named(name, rows), rows[0])


def format_name(name: str, kind: Kind[Any, ..., Any]) -> str:
    """What the format in which this is written to a file of this name is called.

    >>> format_name("game.NFG.gz", GAME), format_name("game", GAME)
    ('nfg', 'efg')
    """
    return _written_as(name, kind).suffix.removeprefix(".")


def read(name: str, kind: Kind[Any, More, Content], *more: More.args, **named_more: More.kwargs) -> Content:
    """What is in the file; a profile needs its game besides. Raises LiarsDiceError where it holds nothing of the kind."""
    check_type("name", name, str, "give the name of a file as text")
    rows = [row for row in _of(kind) if row.reader]
    content: Content = load(next(named(name, rows), rows[0]).reader)(name, *more, **named_more)
    return content


def suffixes(kind: Kind[Any, ..., Any]) -> str:
    """The ends of the names of files that hold this, for a person.

    >>> suffixes(GAME), suffixes(WORKBOOK)
    ('.efg, .nfg or .gbt', '.gbt')
    """
    return listed(_of(kind))


def listed(rows: Iterable[Format]) -> str:
    """The suffixes of these formats in words."""
    *others, last = [row.suffix for row in rows]
    return f"{', '.join(others)} or {last}" if others else last


def named(name: str, rows: Iterable[Format]) -> Iterator[Format]:
    """Those of these formats that the name of a file says it has."""
    plain = files.uncompressed(name)
    return (row for row in rows if (plain if row.gz else name).lower().endswith(row.suffix))


def load(function: str) -> Any:
    """The function that `module:name` means within this package."""
    module, _, name = function.partition(":")
    return getattr(import_module(f"liarsdice_cli.{module}"), name)


def _of(kind: Kind[Any, ..., Any]) -> list[Format]:
    return [row for row in table() if row.holds == kind]
