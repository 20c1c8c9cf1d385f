"""The table of file formats: the ending of a file's name selects its content and the functions that read and write it.

The table names functions instead of importing them, so a format is loaded when a file of it is read or written. Higher
packages register the formats that they write (`formats.register`), such as pictures and workbooks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, ParamSpec, TypeVar

from liarsdice_cli.errors import LiarsDiceError, UsageError, check_type
from liarsdice_cli.formats import REGISTERED, files

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import IO

    from liarsdice_cli.extensive.profile import Profile
    from liarsdice_cli.extensive.stream import TreeStream
    from liarsdice_cli.extensive.subtree_view import SubtreeView
    from liarsdice_cli.extensive.tree import GameTree
    from liarsdice_cli.formats.certificate import Certificate
    from liarsdice_cli.formats.ldz import Origin, StrategyFile
    from liarsdice_cli.progress import Progress
    from liarsdice_cli.system.tasks import InOrder

    GameWriter = Callable[[TreeStream, IO[bytes], str, Progress, InOrder], None]
    WorkbookWriter = Callable[[SubtreeView, str, int | None], bytes]
    ProfileWriter = Callable[[Profile, str], bytes]
    StrategyWriter = Callable[[str, Any, Origin], None]
    KeptStrategy = StrategyFile | Certificate

Writer = TypeVar("Writer")
More = ParamSpec("More")
Content = TypeVar("Content")


@dataclass(frozen=True)
class ContentType(Generic[Writer, More, Content]):
    """A type of content that a file can hold.

    The type parameters are those of the writer, of the arguments that a reader needs after the name, and of the result.
    """

    name: str


GAME: ContentType[GameWriter, [], GameTree] = ContentType("game")
"""A game. Written by `(stream, out, labels, progress, in_order)`, read by `(name)`."""
LABELS = ("auto", "full", "none")
"""The information sets of a game that are written with labels: all in small games, all, or none."""
WORKBOOK: ContentType[WorkbookWriter, [], Any] = ContentType("workbook")
"""A game or a part of it, with or without a profile. Written by `(part, method, depth)`, which returns the bytes."""
PROFILE: ContentType[ProfileWriter, [GameTree], Profile] = ContentType("profile")
"""A profile. Written by `(profile, method)`, which returns the bytes; read by `(name, tree)`."""
STRATEGY: ContentType[StrategyWriter, [], KeptStrategy] = ContentType("strategy")
"""The strategies of all players of a game of rules. Written by `(name, strategy, origin)`, read by `(name)`."""


class Format(NamedTuple):
    """One format for one content type.

    suffix : the end of the names of its files, in lower case, without the .gz that may follow
    holds  : the type of its content
    writer : the function that writes it, `module:name` within this package
    reader : the function that reads it, "" if there is none
    gz     : whether .gz may follow in a name; false for formats that are already compressed or that other programs open
    """

    suffix: str
    holds: ContentType[Any, ..., Any]
    writer: str
    reader: str = ""
    gz: bool = True


FORMATS = (
    Format(".efg", GAME, "formats.efg:write", "formats.efg:read"),
    Format(".nfg", GAME, "formats.nfg:write"),
    Format(".json", PROFILE, "formats.profile_json:dumps", "formats.profile_json:read"),
    Format(".ldz", STRATEGY, "formats.ldz:write", "formats.ldz:StrategyFile", gz=False),
    Format(".cert", STRATEGY, "formats.certificate:write", "formats.certificate:read"),
)
"""The formats of this package."""


def table() -> Iterator[Format]:
    """Yield all formats, those of this package first, so that higher packages load theirs only when they are needed.

    A name without an ending is written in the first format of its content type that has a writer. A name with an unknown
    ending is read in the first format that has a reader.
    """
    yield from FORMATS
    for formats in REGISTERED:
        yield from formats()


def holds(name: str, content: ContentType[Any, ..., Any]) -> bool:
    """Return whether the name of a file is that of a format for this content.

    >>> holds("kept.LDZ", STRATEGY), holds("game.gbt.gz", WORKBOOK), holds("profile.json", STRATEGY)
    (True, True, False)
    """
    return next(named(name, _of(content)), None) is not None


def writer(name: str, content: ContentType[Writer, ..., Any]) -> Writer:
    """Return the function that writes this content to a file of this name; raises as `check`.

    >>> writer("game.nfg.gz", GAME).__module__, writer("game", GAME).__module__
    ('liarsdice_cli.formats.nfg', 'liarsdice_cli.formats.efg.writer')
    """
    function: Writer = load(_written_as(name, content).writer)
    return function


def check(name: str, *contents: ContentType[Any, ..., Any]) -> None:
    """Raise UsageError if a name has an ending that belongs to no format of these content types.

    >>> check("game.nfg", GAME), check("game", GAME), check("-", GAME)
    (None, None, None)
    """
    if Path(files.uncompressed(name)).suffix and next(named(name, _written(*contents)), None) is None:
        raise UsageError(f"{name}: the name must end in {listed(_written(*contents))}, which selects the format")


def _written(*contents: ContentType[Any, ..., Any]) -> Iterator[Format]:
    return (row for row in table() if row.holds in contents and row.writer)


def _written_as(name: str, content: ContentType[Any, ..., Any]) -> Format:
    """Return the row for a file of this name; raises as `check`."""
    check(name, content)
    return next(named(name, _written(content)), None) or next(_written(content))


def format_name(name: str, content: ContentType[Any, ..., Any]) -> str:
    """Return the name of the format in which a file of this name is written.

    >>> format_name("game.NFG.gz", GAME), format_name("game", GAME)
    ('nfg', 'efg')
    """
    return _written_as(name, content).suffix.removeprefix(".")


def read(
    file: files.FileName, content: ContentType[Any, More, Content], *more: More.args, **named_more: More.kwargs
) -> Content:
    """Return the content of the file; a profile also needs its game. Raises LiarsDiceError if it holds anything else."""
    name = files.name_of(file)
    if content is GAME and holds(name, STRATEGY):
        files.check_exists(name)
        raise LiarsDiceError(f"{name} has strategies, not a game: give the rules instead, or see `liarsdice show {name}`")
    if content is PROFILE:
        _check_profile(name)
    row = next(named(name, _readable(content)), None) or next(_readable(content))
    found: Content = load(row.reader)(name, *more, **named_more)
    return found


def _check_profile(name: str) -> None:
    """Raise LiarsDiceError if there is no such file, or if the name is that of a strategy file or of a game."""
    files.check_exists(name)
    if holds(name, STRATEGY):
        raise LiarsDiceError(f"{name} is a strategy file, not a profile: `liarsdice show {name}` shows it by itself")
    if next(named(name, _readable(GAME)), None) is not None:
        cure = f"`liarsdice solve {name} -o profile.json` writes one"
        raise LiarsDiceError(f"{name} is a game, not a profile: {cure}")


def _readable(content: ContentType[Any, ..., Any]) -> Iterator[Format]:
    return (row for row in _of(content) if row.reader)


def read_game(name: files.FileName) -> GameTree:
    """Return the game in an .efg file, compressed by gzip or not; - reads standard input.

    Raises LiarsDiceError, naming the file and the place in it, for anything but a game and for a file too large for memory.
    Cost: about 0.7 s and 200 MB a million nodes.

    >>> read_game("sample_games/kuhn-poker.efg").nodes
    55
    """
    return read(name, GAME)


def read_profile(name: files.FileName, game: GameTree) -> Profile:
    """Return the profile of a game in a .json file that `write` made; LiarsDiceError if it belongs to another game.

    >>> from tempfile import TemporaryDirectory
    >>> from liarsdice_cli import build, read_profile, rules, solve, write
    >>> game = build(rules("common", 1))
    >>> with TemporaryDirectory() as folder:
    ...     write(solve(game), f"{folder}/profile.json")
    ...     read_profile(f"{folder}/profile.json", game).exact
    True
    """
    from liarsdice_cli.extensive.tree import GameTree

    check_type("game", game, GameTree, "give the tree of the profile, such as read('game.efg')")
    return read(name, PROFILE, game)


def is_certificate(name: str) -> bool:
    """Return whether the name of a file is that of a certificate, which holds exact plans.

    >>> is_certificate("proof.cert.gz"), is_certificate("strategy.ldz")
    (True, False)
    """
    return files.uncompressed(name).lower().endswith(".cert")


def read_strategy(name: files.FileName) -> KeptStrategy:
    """Return the strategies in a file, with their rules: an .ldz file, read on demand, or a certificate (.cert).

    Raises LiarsDiceError for other files.

    >>> from tempfile import TemporaryDirectory
    >>> from liarsdice_cli import read_strategy, rules, solve, write
    >>> with TemporaryDirectory() as folder:
    ...     write(solve(rules("common", 2)), f"{folder}/strategy.ldz")
    ...     print(read_strategy(f"{folder}/strategy.ldz").rules)
    common rules, 2 sides, dice 1,1, payoffs win
    """
    return read(name, STRATEGY)


def suffixes(*contents: ContentType[Any, ..., Any]) -> str:
    """Return the endings of the names of files that hold one of these, as a message lists them.

    >>> suffixes(GAME), suffixes(WORKBOOK)
    ('.efg, .nfg or .gbt', '.gbt')
    """
    return enumerated(endings(*contents))


def endings(*contents: ContentType[Any, ..., Any]) -> list[str]:
    """Return the endings of the names of files that hold one of these."""
    return [row.suffix for content in contents for row in _of(content)]


def listed(rows: Iterable[Format]) -> str:
    """Return the suffixes of these formats as a message lists them."""
    return enumerated([row.suffix for row in rows])


def enumerated(texts: Sequence[str]) -> str:
    """Return texts with commas between them, and "or" before the last.

    >>> enumerated([".svg", ".png", ".pdf"]), enumerated([".csv"])
    ('.svg, .png or .pdf', '.csv')
    """
    *others, last = texts
    return f"{', '.join(others)} or {last}" if others else last


def named(name: str, rows: Iterable[Format]) -> Iterator[Format]:
    """Yield the formats that fit the name of a file."""
    plain = files.uncompressed(name)
    return (row for row in rows if (plain if row.gz else name).lower().endswith(row.suffix))


def load(function: str) -> Any:
    """Return the function with this `module:name` within this package."""
    module, _, name = function.partition(":")
    return getattr(import_module(f"liarsdice_cli.{module}"), name)


def _of(content: ContentType[Any, ..., Any]) -> Iterator[Format]:
    return (row for row in table() if row.holds == content)
