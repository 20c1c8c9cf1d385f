"""Writing a game or a profile to where the person wants it, in the format that the name says."""

from __future__ import annotations

from collections.abc import Sequence

from liarsdice_cli.cli.progress import progress
from liarsdice_cli.errors import UsageError
from liarsdice_cli.formats import efg, files, nfg
from liarsdice_cli.profile import Profile
from liarsdice_cli.tree import GameTree, TreeStream, collect


def write_game(stream: TreeStream, name: str, labels: str, quiet: bool) -> None:
    """Write a game as .nfg or .gbt where the name says so, else as .efg; with a progress bar."""
    if name.removesuffix(".gz").endswith(".nfg"):
        text = nfg.dumps(collect(stream))
        with files.output(name) as out:
            out.write(text)
        return
    if is_workbook(name):
        write_workbook(collect(stream), None, "", name)
        return
    with files.output(name) as out, progress("writing", stream.nodes, quiet) as advance:
        efg.write(stream, out, labels, advance)


def is_workbook(name: str) -> bool:
    """Whether the name asks for one of Gambit's workbooks."""
    return name.removesuffix(".gz").lower().endswith(".gbt")


def check_part(name: str | None, depth: int | None, history: str) -> None:
    """Refuse to cut a part out for a file that is no workbook."""
    if (depth is not None or history) and (name is None or not is_workbook(name)):
        raise UsageError("--depth and --from cut a part out for a workbook of Gambit's: name a file that ends in .gbt")


def write_workbook(
    tree: GameTree, profile: Profile | None, method: str, name: str, depth: int | None = None, history: Sequence[str] = ()
) -> None:
    """Write a workbook that Gambit's interface can open, of the game or of a part of it.

    Raises LiarsDiceError where no part is small enough, and for a history after which nobody moves.
    """
    from liarsdice_cli.formats import gbt
    from liarsdice_cli.part import Part

    text = gbt.dumps(gbt.openable(Part.whole(tree, profile).after(history), depth), method)
    with files.output(name) as out:
        out.write(text)
