"""Writing a game to where the person wants it, in the format that the name says."""

from __future__ import annotations

from liarsdice_cli.cli.progress import progress
from liarsdice_cli.formats import efg, files, nfg
from liarsdice_cli.tree import TreeStream, collect


def write_game(stream: TreeStream, name: str, labels: str, quiet: bool) -> None:
    """Write a game as .nfg where the name says so, else as .efg; with a progress bar."""
    if name.removesuffix(".gz").endswith(".nfg"):
        text = nfg.dumps(collect(stream))
        with files.output(name) as out:
            out.write(text)
        return
    with files.output(name) as out, progress("writing", stream.nodes, quiet) as advance:
        efg.write(stream, out, labels, advance)
