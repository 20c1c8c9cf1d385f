"""Games given as combinations of moves with outcomes, solved by backward induction."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

from liarsdice_cli.errors import check_type
from liarsdice_cli.extensive.path_of_play import PathOfPlay
from liarsdice_cli.extensive.renderable import Renderable
from liarsdice_cli.formats import files, outcome_table
from liarsdice_cli.games import outcomes as combinations
from liarsdice_cli.solvers.ladder import solve
from liarsdice_cli.solvers.registry import BACKWARD
from liarsdice_cli.solvers.request import Request
from liarsdice_cli.solvers.solution import Solution

if TYPE_CHECKING:
    from liarsdice_cli.games.outcomes import OutcomeTable


_SHOWN = 10
"""The most moves of the path of play that `repr` shows."""


@dataclass(frozen=True)
class Outcomes(Renderable):
    """A game of perfect information solved by backward induction: the path of play from every node, and the solution."""

    play: PathOfPlay
    solution: Solution

    def __repr__(self) -> str:
        moves = self.play.moves()
        path = ", ".join([*moves[:_SHOWN], *["..."] * (len(moves) > _SHOWN)])
        *others, last = map(str, self.play.payoffs(0))
        return f"Outcomes({path}: payoffs {', '.join(others)}{' and ' * bool(others)}{last})"


def outcomes(table: files.FileName | OutcomeTable, turns: str = "") -> Outcomes:
    """Solve a game given as combinations of moves with their payoffs.

    table : a CSV or JSON file as docs/sequential.md describes it, - for standard input, or an `OutcomeTable`
    turns : the player to move at each depth, by name or number with commas between; "" if the players take turns

    Raises LiarsDiceError if the file is not a table of outcomes. Cost: linear in the combinations.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from liarsdice_cli import outcomes
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "game.csv")
    ...     _ = file.write_text("move,move,A,B\\nleft,up,1,3\\nleft,down,3,2\\nright,up,4,2\\nright,down,3,1\\n")
    ...     outcomes(str(file))
    Outcomes(right, up: payoffs 4 and 2)
    """
    table = os.fspath(table) if isinstance(table, os.PathLike) else table
    check_type("table", table, str | combinations.OutcomeTable, "give the name of a file, or a table of outcomes")
    check_type("turns", turns, str, "give names or numbers of players, separated by commas, as text")
    rows = outcome_table.read(table) if isinstance(table, str) else table
    order = combinations.turns(turns, rows.players, rows.moves.shape[1])
    source = "a table" if not isinstance(table, str) else "standard input" if table == files.PIPE else PurePath(table).name
    tree = combinations.build(rows, order, f"The outcomes in {source}")
    solution = solve(tree, Request(BACKWARD))
    return Outcomes(PathOfPlay(solution.profile), solution)
