"""Writing Gambit's .nfg files: the reduced strategic form of a game, for games small enough to have one."""

from __future__ import annotations

from math import log10, prod
from typing import IO

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.collect import collect
from liarsdice_cli.extensive.strategic_form import PureStrategy, count_strategies, payoff_vectors, strategies
from liarsdice_cli.extensive.stream import TreeStream
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.formats.efg.writer import quoted
from liarsdice_cli.formats.numbers import exact_text

MOST = 1_000_000
"""The most combinations of strategies that are written."""


def write(stream: TreeStream, out: IO[bytes], *options: object) -> None:
    """Write the game, which must fit in memory. Raises as `dumps` and `collect` do.

    options : those of other formats (`registry.GAME`), ignored: a strategic form has no labels and no sections
    """
    out.write(dumps(collect(stream)))


def dumps(tree: GameTree) -> bytes:
    """Return the file's content; strategies are named by the place of their action at each set, * at sets they never reach.

    Raises LiarsDiceError for more than `MOST` combinations of strategies, without perfect recall and without players.

    >>> from liarsdice_cli.games.liarsdice import rules, tree
    >>> print(dumps(tree.build(rules.rules("common", 1))).decode().splitlines()[-1])
    1 0 1 0 0 1 1 0
    """
    players = range(len(tree.players))
    if not players:
        raise LiarsDiceError("the game has no player, and so no strategic form: write it as .efg")
    counts = [count_strategies(tree, player) for player in players]
    if prod(counts) > MOST:
        sizes = " x ".join(f"{count:,}" if count < 10**15 else f"10^{log10(count):.0f}" for count in counts)
        raise LiarsDiceError(
            f"the strategic form has {sizes} combinations of reduced strategies, above {MOST:,}: write the game as .efg"
        )
    choices = [strategies(tree, player) for player in players]
    names = " ".join(map(quoted, tree.players))
    rows = "\n".join(
        f"{{ {' '.join(quoted(name) for name in _names(tree, player, plans))} }}" for player, plans in enumerate(choices)
    )
    payoffs = " ".join(exact_text(number) for vector in payoff_vectors(tree, choices) for number in vector)
    return f"NFG 1 R {quoted(tree.title)} {{ {names} }}\n{{ {rows} }}\n{quoted(tree.comment)}\n\n{payoffs}\n".encode()


def _names(tree: GameTree, player: int, plans: list[PureStrategy]) -> list[str]:
    """Return the name of every strategy: the places of its actions, from 1, in the order of the player's information sets."""
    rows = [row for row in range(len(tree.infosets)) if tree.infosets.player[row] == player]
    place = {row: index for index, row in enumerate(rows)}
    separator = "" if all(tree.action_counts[row] < 10 for row in rows) else "-"
    names = []
    for plan in plans:
        marks = ["*"] * len(rows)
        for action in plan:
            row = int(tree.action_infoset[action])
            marks[place[row]] = str(action - int(tree.first_action[row]) + 1)
        names.append(separator.join(marks) or "none")
    return names
