"""`liarsdice impartial`: combinatorial games, with one file for each command."""

from __future__ import annotations

from liarsdice_cli.cli.help import GroupWithExample
from liarsdice_cli.cli.impartial import bachet, grundy, nim, positions, takeaway

_EXAMPLE = """
liarsdice impartial takeaway 21 1,2,3
liarsdice impartial nim 3 4 5
liarsdice impartial grundy kayles
"""

_COMMANDS = {
    "takeaway": takeaway.command,
    "bachet": bachet.command,
    "nim": nim.command,
    "grundy": grundy.command,
    "positions": positions.command,
}

command = GroupWithExample(
    name="impartial",
    commands=_COMMANDS,
    example=_EXAMPLE,
    help="Solve combinatorial games: who wins, by which move, and why.",
)
