"""What commands that write share: the progress of a game that is written, and refusals at once of what cannot be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from liarsdice_cli.cli.printing import check_file
from liarsdice_cli.cli.progress import progress

if TYPE_CHECKING:
    from liarsdice_cli.extensive.tree import GameTree
    from liarsdice_cli.games.impartial.subtraction import TakeAway
    from liarsdice_cli.games.liarsdice.rules import Rules
    from liarsdice_cli.games.positions import Analysis
    from liarsdice_cli.library.impartial import Nim
    from liarsdice_cli.system.tasks import InOrder


def write_game(
    game: GameTree | Rules, name: str, labels: str, quiet: bool, in_order: InOrder = map, chance: str = "ordered"
) -> int:
    """Write a game in the format that the name says, with a progress bar; gives the number of nodes."""
    from liarsdice_cli.games.liarsdice.rules import Rules
    from liarsdice_cli.games.liarsdice.tree import Counts
    from liarsdice_cli.library.files import write

    nodes = Counts.of(game, chance).nodes if isinstance(game, Rules) else game.nodes
    dealt = {"chance": chance} if isinstance(game, Rules) else {}
    with progress("writing", nodes, quiet) as advance:
        write(game, name, labels=labels, advance=advance, in_order=in_order, **dealt)
    return nodes


def write_figures(what: TakeAway | Analysis, picture: str | None, tree: str | None, start: int = 0) -> None:
    """Write who wins from where, and the tree of all plays, each where there is a name for it."""
    for name, unfolded in ((picture, False), (tree, True)):
        if name is not None:
            write_figure(what, name, start, unfolded)


def write_figure(what: TakeAway | Nim | Analysis, name: str, start: int = 0, unfolded: bool = False) -> None:
    """Write the picture of who wins from where, or of the tree of all plays, in the format that the name says."""
    from liarsdice_cli.library.figures import figure
    from liarsdice_cli.library.files import write

    write(figure(what, start, unfolded=unfolded), name)


def check_output(output: str | None, depth: int | None, history: str, as_json: bool) -> None:
    """Refuse at once an output that cannot be written in the end."""
    from liarsdice_cli.extensive.action_labels import moves
    from liarsdice_cli.library.files import check_part, check_solution

    if output is not None:
        check_solution(output)
    check_part(output, depth, moves(history))
    check_file("-o", output, as_json)
