"""Files that a command writes with `-o`: if it can write several kinds, the ending of the name selects one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from liarsdice_cli.cli.printing import check_file
from liarsdice_cli.errors import UsageError
from liarsdice_cli.formats import files, registry

CSV = "the results as CSV"
"""The help of `-o` in commands that write a table."""


def by_kind(names: Sequence[str], kinds: Mapping[str, Sequence[str]], as_json: bool) -> dict[str, str | None]:
    """Return the file of each kind, or None.

    kinds   : the suffixes of each kind, without a .gz that may follow; `-` and a name without a suffix are of the first kind
    as_json : whether JSON goes to standard output

    Raises UsageError for a name of no kind, for two files of a kind, and for files that cannot be written.

    >>> by_kind(["a.CSV"], {"csv": [".csv"], "picture": [".svg", ".png"]}, as_json=False)
    {'csv': 'a.CSV', 'picture': None}
    """
    found: dict[str, str | None] = dict.fromkeys(kinds)
    for name in names:
        kind = _kind(name, kinds)
        if found[kind] is not None:
            raise UsageError(f"-o {found[kind]} and -o {name} are files of the same kind: leave one out")
        found[kind] = name
        check_file("-o", name, as_json)
    return found


def check_kind(name: str | None, suffix: str, as_json: bool) -> None:
    """Refuse the file of a command that writes one kind only; None if there is none. Raises as `by_kind`.

    >>> check_kind("results.csv.gz", ".csv", as_json=True)
    """
    by_kind([] if name is None else [name], {"file": [suffix]}, as_json)


def game_and_picture(
    names: Sequence[str], as_json: bool, *pictures: registry.ContentType[Any, ..., Any]
) -> tuple[str | None, str | None]:
    """Return the file of a game and the file of a picture, each None if it is not given; raises as `by_kind`.

    pictures : the content types of files that can show the picture
    """
    kinds = {"game": registry.endings(registry.GAME), "picture": registry.endings(*pictures)}
    found = by_kind(names, kinds, as_json)
    return found["game"], found["picture"]


def _kind(name: str, kinds: Mapping[str, Sequence[str]]) -> str:
    plain = files.uncompressed(name).lower()
    if not Path(plain).suffix:
        return next(iter(kinds))
    for kind, suffixes in kinds.items():
        if plain.endswith(tuple(suffixes)):
            return kind
    known = [suffix for suffixes in kinds.values() for suffix in suffixes]
    why = ", which selects the output" if len(known) > 1 else ""
    raise UsageError(f"-o {name}: the name must end in {registry.enumerated(known)}{why}")
