"""Write games, profiles, strategies, solutions and pictures: one function, and a writer for each type of object.

This module has the writers of games and profiles. Other modules register writers for the types that they define.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import signature
from typing import TYPE_CHECKING, Any, TypeVar

from liarsdice_cli.errors import Argument, UsageError, check_number, check_one_of
from liarsdice_cli.extensive.paths import moves
from liarsdice_cli.extensive.profile import Profile
from liarsdice_cli.extensive.subtree_view import SubtreeView
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.formats import WRITERS, files, registry
from liarsdice_cli.formats.registry import GAME, LABELS, PROFILE, WORKBOOK
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.tree import stream
from liarsdice_cli.progress import SILENT, Progress

if TYPE_CHECKING:
    from liarsdice_cli.extensive.stream import TreeStream
    from liarsdice_cli.system.tasks import InOrder

_Writer = TypeVar("_Writer", bound=Callable[..., None])
_Product = TypeVar("_Product", bound=type)
_WRITERS: dict[type, Callable[..., None]] = {}


def writes(product: type) -> Callable[[_Writer], _Writer]:
    """Register the decorated function, which is called as `(product, name, **options)`, as the writer of a type."""

    def register(writer: _Writer) -> _Writer:
        _WRITERS[product] = writer
        return writer

    return register


def writable(product: _Product) -> _Product:
    """Register a class whose method `dumps(name, **options)` returns the bytes of a file of this name."""
    _WRITERS[product] = _write_bytes
    return product


def write(what: Any, name: files.FileName, **options: Any) -> None:
    """Write an object to a file in the format that the name gives; - is standard output. The file appears whole or not at all.

    what | formats                     | options
    Rules, GameTree | .efg, .nfg, .gbt | labels="auto", "full" or "none"; for rules also `dealing`; `progress`,
                                         which counts nodes; `in_order`, which maps over sections in other processes
    Profile         | .json, .gbt      | method; for a .gbt file depth and history, which cut a part out
    Solution        | .json, .gbt, .ldz, | depth and history for its first profile; an .ldz or .cert file needs no profile
                      .cert
    Strategy        | .ldz, .cert      | method, the name of its origin in the file; the strategy is evaluated first
    Picture         | .svg, .png, .pdf, .tex, .html, .txt |
    Figure          | the same but .txt; for a chart .svg, .png, .pdf |
    Explorer        | .html            | progress, which counts histories; its `sheet()`, to print: .html, .pdf
    GameExplorer    | .html            |

    Raises LiarsDiceError if the file cannot be written or there is nothing to write, UsageError for a name of another format
    and for an option that does not fit. Rules are written as they are unfolded, in memory that does not grow with the tree.

    >>> from tempfile import TemporaryDirectory
    >>> from liarsdice_cli import rules, write
    >>> with TemporaryDirectory() as folder:
    ...     write(rules("classic", 2), f"{folder}/game.efg")
    ...     registry.read_game(f"{folder}/game.efg").nodes
    125
    """
    writer = _writer_of(what) or _writer_of(what, load=True)
    if writer is None:
        cure = "give rules, a tree, a profile, a solution, a strategy or a picture"
        raise UsageError(Argument("what"), f" is of the type {type(what).__name__}: {cure}")
    known = signature(what.dumps if writer is _write_bytes else writer).parameters
    for option in options:
        if option not in known:
            raise UsageError(Argument(option), f" is not for a file of a {type(what).__name__}: leave it out")
    writer(what, files.name_of(name), **options)


def _writer_of(what: Any, load: bool = False) -> Callable[..., None] | None:
    """Return the writer of an object's type; with `load`, first load the modules of higher packages that register writers."""
    if load:
        for loader in WRITERS:
            loader()
    return next((writer for product, writer in _WRITERS.items() if isinstance(what, product)), None)


def _write_bytes(what: Any, name: str, **options: Any) -> None:
    content = what.dumps(name, **options)
    with files.output(name) as out:
        out.write(content)


def write_game(
    source: TreeStream,
    name: str,
    labels: str = "auto",
    progress: Progress = SILENT,
    in_order: InOrder = map,
) -> None:
    """Write a game in the format that the name selects; the memory does not grow with the tree.

    labels   : "auto", "full" or "none"; see `efg.writer.write`
    progress : counts the nodes that are written
    in_order : maps a function over the sections, possibly in other processes

    Raises UsageError for a name of another format or other labels, LiarsDiceError if the file cannot be written.
    """
    check_labels(name, labels)
    writer = registry.writer(name, GAME)
    progress.begin("writing", source.nodes, "nodes")
    with files.output(name) as out:
        writer(source, out, labels, progress, in_order)


@writes(GameTree)
def write_tree(
    tree: GameTree,
    name: str,
    *,
    labels: str = "auto",
    progress: Progress = SILENT,
    in_order: InOrder = map,
) -> None:
    """Write a tree; arguments and errors as for `write_game`."""
    write_game(tree.stream(), name, labels, progress, in_order)


@writes(Rules)
def write_rules(
    rules: Rules,
    name: str,
    *,
    labels: str = "auto",
    dealing: str = "ordered",
    progress: Progress = SILENT,
    in_order: InOrder = map,
) -> None:
    """Write the tree of rules; arguments and errors as for `write_game`.

    dealing : how the tree deals the dice, as `build` takes it
    """
    write_game(stream(rules, dealing), name, labels, progress, in_order)


@writes(Profile)
def write_profile(
    profile: Profile, name: str, *, method: str = "", depth: int | None = None, history: str | Sequence[str] = ()
) -> None:
    """Write a profile as JSON, or as a workbook with its game.

    method         : the name of the profile in the file
    depth, history : cut the part after this history, with this many moves, out of the game; for workbooks only

    Raises UsageError for a name of another format and for a part of anything but a workbook, LiarsDiceError if the file
    cannot be written.
    """
    registry.check(name, PROFILE, WORKBOOK)
    check_part(name, depth, moves(history))
    if registry.holds(name, WORKBOOK):
        write_workbook(SubtreeView.whole(profile.tree, profile).after(moves(history)), name, method=method, depth=depth)
        return
    content = registry.writer(name, PROFILE)(profile, method)
    with files.output(name) as out:
        out.write(content)


@writes(SubtreeView)
def write_workbook(part: SubtreeView, name: str, *, method: str = "", depth: int | None = None) -> None:
    """Write a part of a game, with its profile if it has one, as a workbook.

    method : the name of the profile in the file
    depth  : the most moves of the part

    Raises LiarsDiceError if Gambit's interface can open no part of it.
    """
    check_number("depth", depth, 0)
    content = registry.writer(name, WORKBOOK)(part, method, depth)
    with files.output(name) as out:
        out.write(content)


def check_labels(name: str, labels: str) -> None:
    """Raise UsageError for labels that `write_game` does not know, and for any choice but "auto" with a file that has all."""
    check_one_of("labels", labels, LABELS)
    if labels != LABELS[0] and (registry.holds(name, WORKBOOK) or registry.format_name(name, GAME) != "efg"):
        raise UsageError(Argument("labels"), " is for an .efg file: leave it out")


def check_part(name: str | None, depth: int | None, history: Sequence[str]) -> None:
    """Raise UsageError if a part is to be written to anything but a workbook."""
    if (depth is not None or history) and (name is None or not registry.holds(name, WORKBOOK)):
        raise UsageError(
            Argument("history" if depth is None else "depth"),
            " is for a workbook of Gambit's interface: ",
            f"name a file that ends in {registry.suffixes(WORKBOOK)}",
        )
