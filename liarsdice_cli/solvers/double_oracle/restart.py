"""The first basis for the linear program of a larger restricted game: the last basis, completed for the new rows and columns.

A new information set adds an equation and the variables of its actions. For player 1, the action that has been allowed longest
becomes basic: until now it was the only one. For player 2, the set's value and the rows of all other actions become basic. So
the basis has one variable a row, as before, and both players' last plans still belong to its vertex.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from liarsdice_cli.extensive.stream import Bools, Ints
from liarsdice_cli.solvers.double_oracle.sequences import Sequences

_NONBASIC, _BASIC = 0, 1
"""HiGHS's numbers for a variable at its lower bound, and for a basic one."""


def basis(new: Sequences, old: Sequences, last: Any) -> Any:
    """Return a basis for the program of `new`, from the last basis of `old`, an earlier state of the same game."""
    import highspy

    columns, rows = (np.array(list(map(int, one))) for one in (last.col_status, last.row_status))
    own, others = new.form.sides
    before = old.form.sides
    first, second = before[0].sequences, before[1].sequences
    fresh = [~np.isin(side.rows, was.rows) for side, was in zip(new.form.sides, before, strict=True)]
    oldest = [_oldest(new, player, fresh[player]) for player in (0, 1)]
    found = highspy.HighsBasis()
    found.col_status = _named(
        _carried(own.action, before[0].action, columns[1:first], np.where(oldest[0], _BASIC, _NONBASIC), columns[:1]),
        _carried(
            others.rows, before[1].rows, columns[first + 1 :], np.full(len(others.rows), _BASIC), columns[first : first + 1]
        ),
    )
    found.row_status = _named(
        _carried(others.action, before[1].action, rows[1:second], np.where(oldest[1], _NONBASIC, _BASIC), rows[:1]),
        _carried(own.rows, before[0].rows, rows[second + 1 :], np.full(len(own.rows), _NONBASIC), rows[second : second + 1]),
    )
    found.valid = True
    return found


def _carried(keys: Ints, old: Ints, status: Ints, otherwise: Ints, begin: Ints) -> Ints:
    """Return the old status of every key that was there before, and `otherwise` for the rest; `begin` is put in front."""
    found = otherwise.copy()
    if len(old):
        order = np.argsort(old)
        place = order[np.minimum(np.searchsorted(old, keys, sorter=order), len(old) - 1)]
        known = old[place] == keys
        found[known] = status[place[known]]
    return np.concatenate([begin, found])


def _oldest(sequences: Sequences, player: int, fresh: Bools) -> Bools:
    """Return, for every sequence, whether its set is new and it is the action that has been allowed longest there."""
    side, game = sequences.form.sides[player], sequences.game
    rest, roll = np.divmod(side.action, game.width)
    history, action = np.divmod(rest, game.actions)
    order = np.lexsort((action, game.since[history, action, roll], side.set))
    first = order[np.flatnonzero(np.diff(side.set[order], prepend=-1))]
    found = np.zeros(len(side.action), bool)
    found[first] = True
    return found & fresh[side.set]


def _named(*parts: Ints) -> list[Any]:
    import highspy

    kinds = highspy.HighsBasisStatus
    names = {int(kind): kind for kind in (kinds.kLower, kinds.kBasic, kinds.kUpper, kinds.kZero, kinds.kNonbasic)}
    return [names[number] for part in parts for number in part.tolist()]
