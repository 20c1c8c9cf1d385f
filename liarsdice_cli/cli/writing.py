"""Writing a game or a profile to where the person wants it, in the format that the name says."""

from __future__ import annotations

from collections.abc import Sequence

from liarsdice_cli.cli.progress import progress
from liarsdice_cli.errors import UsageError
from liarsdice_cli.extensive.profile import Profile
from liarsdice_cli.extensive.tree import GameTree, TreeStream, collect
from liarsdice_cli.formats import efg, files, nfg
from liarsdice_cli.formats.ldz import is_strategy
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.solvers.solution import Solved


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


def check_strategy(name: str | None, rules: Rules | None) -> None:
    """Refuse to keep a strategy file of what is no game of rules for two players."""
    if name is not None and is_strategy(name) and (rules is None or rules.players != 2):
        raise UsageError(f"-o {name}: strategy files are for rules of two players (--sides, --dice ...); name a .json file")


def write_strategy(rules: Rules, tree: GameTree, solved: Solved, method: str, name: str) -> None:
    """Write what a judged profile of the rules' tree does as a strategy file, in which probabilities have 16 bits."""
    from liarsdice_cli.formats import ldz
    from liarsdice_cli.games.liarsdice.strategy import OfProfile
    from liarsdice_cli.games.liarsdice.weights import weights_of

    bounds = solved.judgement.bounds
    assert bounds is not None, "two players with constant sum and perfect recall"
    strategy = OfProfile.of(rules, tree, solved.profile.probabilities)
    ldz.write(name, rules, weights_of(strategy), ldz.Origin(method, None, float(bounds[0]), float(bounds[1])))


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
    from liarsdice_cli.draw import gbt
    from liarsdice_cli.extensive.excerpt import Part

    text = gbt.dumps(gbt.openable(Part.whole(tree, profile).after(history), depth), method)
    with files.output(name) as out:
        out.write(text)
