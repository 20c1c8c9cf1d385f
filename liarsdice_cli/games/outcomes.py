"""Sequential games given by their outcomes: every playable combination of moves, with its payoffs.

The combinations form a trie: two combinations share the nodes of their common prefix. In sorted order, a combination shares a
prefix with the one before it; the rest of its nodes are new.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from liarsdice_cli.errors import Argument, LiarsDiceError, UsageError
from liarsdice_cli.extensive.stream import NONE, TERMINAL, Ints, Outcome
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.games.perfect_information import NodeColumns, game_tree
from liarsdice_cli.text import printable, quoted

Payoffs = tuple[Fraction, ...]


@dataclass(frozen=True, eq=False)
class OutcomeTable:
    """The rows of a table.

    players     : their names; player 1 first
    names       : the names of all moves, in order of first appearance
    moves       : one row per combination: indices in `names`, then NONE to the end; int array (rows, depth)
    payoffs     : for each combination, an index in `vectors`
    vectors     : the different payoff vectors
    row_numbers : the number of each row's line or entry, for messages
    unit        : 'line' or 'entry'
    source      : the name of the table in messages
    """

    players: tuple[str, ...]
    names: Sequence[str]
    moves: Ints
    payoffs: Ints
    vectors: Sequence[Payoffs]
    row_numbers: Ints
    unit: str = "line"
    source: str = "the table"


def turns(asked: str, players: Sequence[str], depth: int) -> tuple[int, ...]:
    """Return the player to move at each depth, from names or numbers with commas as `--turns` gives them.

    If `asked` is empty, the players move in turn. Raises UsageError for a player that the table does not have, and for fewer
    turns than moves.

    >>> turns("", ("Ann", "Bob"), 3), turns("Bob,1,Bob", ("Ann", "Bob"), 3)
    ((0, 1, 0), (1, 0, 1))
    """
    if not asked:
        return tuple(move % len(players) for move in range(depth))
    numbers = {str(number): player for player, number in enumerate(range(1, len(players) + 1))}
    known = numbers | {name: player for player, name in enumerate(players)}
    order = [name.strip() for name in asked.split(",")]
    for name in order:
        if name not in known:
            raise UsageError(
                Argument("turns"), f" names {quoted(name)}: the players are {', '.join(players)}, or 1 to {len(players)}"
            )
    if len(order) < depth:
        raise UsageError(
            Argument("turns"),
            f" names {len(order)} player(s), but a combination has {depth} moves: name a player for each move",
        )
    return tuple(known[name] for name in order[:depth])


def build(table: OutcomeTable, order: Sequence[int], title: str = "", comment: str = "") -> GameTree:
    """Return the game of the table; player `order[d]` makes the move at depth d.

    The moves at a node are in the order in which their names first appear in the table. Cost: a sort by as many keys as the
    longest combination has moves, and a few vector steps over the nodes. Raises LiarsDiceError, naming both rows, if a
    combination appears twice or is a prefix of another.

    >>> moves = np.array([[0, 1], [0, 2], [3, NONE]])
    >>> table = OutcomeTable(("Ann", "Bob"), "LxyR", moves, np.array([0, 1, 0]), [(1, 2), (3, 4)], np.arange(3))
    >>> tree = build(table, (0, 1))
    >>> tree.nodes, tree.player.tolist(), [choices.labels for choices in tree.action_lists]
    (5, [0, 1, -2, -2, -2], [('L', 'R'), ('x', 'y')])
    """
    rows = np.lexsort(table.moves.T[::-1])
    moves = table.moves[rows]
    length = np.count_nonzero(moves != NONE, axis=1)
    common = _common(moves)
    _refuse_overlaps(table, rows, length, common)
    added = length - np.concatenate([[0], common])
    added[0] += 1  # the root
    row = np.repeat(np.arange(len(rows)), added)
    depth = length[row] - (np.cumsum(added)[row] - 1 - np.arange(len(row)))
    end = depth == length[row]
    return game_tree(
        title,
        comment,
        table.players,
        table.names,
        [Outcome(", ".join(map(str, vector)), vector) for vector in table.vectors],
        NodeColumns(
            depth=depth,
            move=moves[row, depth - 1],
            mover=np.where(end, TERMINAL, np.append(order, TERMINAL)[np.minimum(depth, len(order))]),
            outcome=np.where(end, table.payoffs[rows][row], NONE),
        ),
    )


def _common(moves: Ints) -> Ints:
    """Return, for every row but the first, the length of the prefix that it shares with the row before it."""
    same = (moves[1:] == moves[:-1]) & (moves[1:] != NONE)
    common: Ints = np.where(same.all(axis=1), moves.shape[1], np.argmin(same, axis=1))
    return common


def _refuse_overlaps(table: OutcomeTable, rows: Ints, length: Ints, common: Ints) -> None:
    """Raise LiarsDiceError for a combination that is a prefix of another; in sorted order some longer one follows directly."""
    inside = np.flatnonzero(common == length[:-1])
    if not len(inside):
        return
    pairs = np.sort(np.stack([rows[inside], rows[inside + 1]]), axis=0)
    first = inside[np.argmin(pairs[1])]
    one, other = sorted((table.row_numbers[rows[first]], table.row_numbers[rows[first + 1]]))
    text = printable(", ".join(table.names[move] for move in table.moves[rows[first]] if move != NONE), 80)
    where = f"{table.source}, {'entries' if table.unit == 'entry' else 'lines'}"
    if length[first] == length[first + 1]:
        raise LiarsDiceError(f"{where} {one} and {other} give the same combination, {text}: leave one of them out")
    place, longer = table.row_numbers[rows[first]], table.row_numbers[rows[first + 1]]
    raise LiarsDiceError(
        f"{where} {one} and {other}: the combination {text} of {table.unit} {place} ends the game, but that of "
        f"{table.unit} {longer} goes on after it: correct one of them"
    )
