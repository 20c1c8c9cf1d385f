"""Place the nodes of a tree from left to right: columns by depth, rows by leaves.

Every leaf has its own row, and every other node lies midway between its outer children. So two nodes of a column are at
least one row apart, a label on a horizontal branch meets nothing, and time is linear in the nodes. Reingold and Tilford
(1981, "Tidier Drawings of Trees") would let short branches share rows with long ones; their labels would then collide.
"""

from __future__ import annotations

from collections.abc import Sequence

from liarsdice_cli.extensive.stream import NONE


def rows(parents: Sequence[int]) -> list[float]:
    """Return the row of every node, counted from 0; `parents` are in prefix order, NONE for the first.

    >>> rows([-1, 0, 1, 1, 0])
    [1.25, 0.5, 0.0, 1.0, 2.0]
    """
    first: list[float | None] = [None] * len(parents)
    last = [0.0] * len(parents)
    inner = [False] * len(parents)
    for parent in parents:
        if parent != NONE:
            inner[parent] = True
    leaf = sum(not one for one in inner)
    found = [0.0] * len(parents)
    for node in range(len(parents) - 1, -1, -1):
        low = first[node]
        if low is None:
            leaf -= 1
            found[node] = float(leaf)
        else:
            found[node] = (low + last[node]) / 2
        parent = parents[node]
        if parent != NONE:
            last[parent] = found[node] if first[parent] is None else last[parent]
            first[parent] = found[node]
    return found


def columns(parents: Sequence[int]) -> list[int]:
    """Return the number of branches before every node.

    >>> columns([-1, 0, 1, 1, 0])
    [0, 1, 2, 2, 1]
    """
    found: list[int] = []
    for parent in parents:
        found.append(0 if parent == NONE else found[parent] + 1)
    return found


def aligned(parents: Sequence[int], groups: Sequence[object]) -> list[int]:
    """Return columns in which the nodes of a group (an information set; None for no group) lie below each other.

    Nodes move to the right until all agree. If one node of a group follows another, they cannot agree, and the
    result is `columns`. Cost: a few passes over the nodes.

    >>> aligned([-1, 0, 0, 2, 2], ["a", "b", None, "b", None])
    [0, 2, 1, 2, 2]
    """
    found = columns(parents)
    for _ in range(len(set(groups)) + 1):
        furthest: dict[object, int] = {}
        for group, column in zip(groups, found, strict=True):
            furthest[group] = max(furthest.get(group, 0), column)
        before = found.copy()
        for node, (parent, group) in enumerate(zip(parents, groups, strict=True)):
            least = 0 if parent == NONE else found[parent] + 1
            found[node] = max(least, 0 if group is None else furthest[group])
        if found == before:
            return found
    return columns(parents)


def lanes(spans: Sequence[tuple[float, float]]) -> list[int]:
    """Return a lane for every span from top to bottom, from 0, so that no two in a lane meet; uses as few lanes as possible.

    >>> lanes([(0, 4), (5, 6), (1, 2), (2, 3)])
    [0, 0, 1, 2]
    """
    ends: list[float] = []
    found = [0] * len(spans)
    for place in sorted(range(len(spans)), key=spans.__getitem__):
        top, bottom = spans[place]
        lane = next((lane for lane, end in enumerate(ends) if end < top), len(ends))
        ends[lane : lane + 1] = [bottom]
        found[place] = lane
    return found
