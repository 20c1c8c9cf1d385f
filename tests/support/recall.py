"""Absent-mindedness, for tests; the judge only needs to know whether a player has perfect recall."""

from __future__ import annotations

import numpy as np

from liarsdice_cli.extensive.tree import GameTree


def is_absent_minded(tree: GameTree, player: int) -> bool:
    """Return whether a path meets an information set of the player twice (Piccione and Rubinstein 1997)."""
    return any(_occurs_twice(tree, row) for row in np.flatnonzero(tree.infosets.player == player).tolist())


def _occurs_twice(tree: GameTree, row: int) -> bool:
    count = tree.along_path((tree.infoset == row).astype(np.int64))
    return bool(np.max(count, initial=0) > 1)
