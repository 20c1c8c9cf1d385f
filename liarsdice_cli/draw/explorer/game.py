"""The explorer of any game: a page for every public place, a line for every information set in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np

from liarsdice_cli.draw.colours import CALL
from liarsdice_cli.draw.diagram import clean
from liarsdice_cli.draw.explorer.bids import hues, shade
from liarsdice_cli.draw.explorer.shell import Page
from liarsdice_cli.draw.scene import is_bright
from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.number import Number
from liarsdice_cli.extensive.paths import labels_to
from liarsdice_cli.extensive.profile import Profile
from liarsdice_cli.extensive.profile_values import ProfileValues
from liarsdice_cli.extensive.public_places import PublicPlaces
from liarsdice_cli.extensive.stream import CHANCE, NONE, TERMINAL, Numbers
from liarsdice_cli.extensive.tree import GameTree

MOST_NODES = 100_000
"""The largest game, in nodes, of which a page is made; a page of it has some ten million letters."""
_SHOWN = 24
"""The most nodes of an information set that are listed, the likeliest first."""
_OPTIONS = 3
"""The most moves that are named where nobody but the mover saw which it was."""
_SCRIPTS = (("places.js",), ("game_views.js", "game_page.js"))

Sent = float | str
"""A number in the data of a page."""


def check(tree: GameTree) -> None:
    """Raise LiarsDiceError if a game has too many nodes for a page, or if no player moves."""
    if tree.nodes > MOST_NODES:
        raise LiarsDiceError(
            f"{tree.nodes:,} nodes are more than the {MOST_NODES:,} that fit on a page; for Liar's Dice, give the rules"
        )
    if not np.any(tree.player >= 0):
        raise LiarsDiceError("nobody moves in this game, so a page has nothing to show: draw it (liarsdice draw GAME)")


def of_game(profile: Profile, source: str, depth: int | None, alternatives: Mapping[int, Mapping[str, Fraction]]) -> Page:
    """Return the page of a game and a profile; raises as `check`, and LiarsDiceError for payoffs that no float can hold.

    source : where the profile comes from, in words for the reader
    depth  : the most moves before a decision that the page shows; None for all
    alternatives : what other equilibria do, by the row of an information set, as far as it is proved
    """
    check(profile.tree)
    values = ProfileValues.within_seconds(profile)
    data = _Data(values, depth, alternatives).facts()
    data |= {"source": source, "exact": profile.exact, "fractions": values.profile.exact}
    return Page(clean(profile.tree.title) or "A game", data["title"], data, _SCRIPTS, "game_guide.html")


class _Step(NamedTuple):
    """How play goes on from a place: the move, its probability there, and what everybody expects then, where that is known."""

    move: str
    share: Sent | None
    expected: list[Sent] | None


class _Data:
    """What the scripts need to know, place by place."""

    def __init__(self, values: ProfileValues, depth: int | None, alternatives: Mapping[int, Mapping[str, Fraction]]) -> None:
        self.values, self.tree, self.alternatives = values, values.profile.tree, alternatives
        self.places = PublicPlaces.of(self.tree)
        self.depth = depth
        self.labels: dict[str, int] = {}
        self.after = self.places.after
        self.names = _names(self.places)
        self.lengths = self.places.lengths
        self.ends = self._ends()

    def facts(self) -> dict[str, Any]:
        """All of it."""
        tree = self.tree
        places = [self._place(place) if self._is_shown(place) else None for place in range(len(self.places))]  # numbers labels
        payoffs = self.values.payoffs_at(tree.player == TERMINAL)
        _check_floats(payoffs)
        return {
            "title": clean(tree.title) or "A game",
            "about": f"{tree.nodes:,} nodes, {int(np.sum(tree.infosets.player != CHANCE)):,} information sets",
            "rules": clean(tree.comment)[:400],
            "players": [clean(name) or f"Player {number}" for number, name in enumerate(tree.players, 1)],
            "payoffs": [_sent(payoffs.min()), _sent(payoffs.max())],
            "labels": list(self.labels),
            "colours": _colours(len(self.labels)),
            "first": [self._step(place) for place in self.after[NONE]],
            "places": places,
        }

    def _is_shown(self, place: int) -> bool:
        return self.depth is None or self.lengths[place] <= self.depth

    def _place(self, place: int) -> dict[str, Any]:
        before = int(self.places.parent[place])
        sets = self.places.sets(place)
        alike = groupby(sorted(sets, key=self._kind), self._kind)
        return {
            "before": None if before == NONE else before,
            "name": self.names[place],
            "reach": _sent(self._reach(place)),
            "expected": self._expected(self._entries(place)),
            "groups": [self._group(list(rows)) for _, rows in alike],
            "next": [self._step(later) for later in self.after[place]],
            "ends": [
                {"label": self._label(step.move), "share": step.share, "expected": step.expected} for step in self.ends[place]
            ],
        }

    def _kind(self, row: int) -> tuple[int, tuple[str, ...]]:
        return int(self.tree.infosets.player[row]), self._moves(row)

    def _moves(self, row: int) -> tuple[str, ...]:
        return tuple(clean(label) or str(branch) for branch, label in enumerate(self.tree.actions_at(row).labels, 1))

    def _group(self, rows: Sequence[int]) -> dict[str, Any]:
        mover, moves = self._kind(rows[0])
        return {"mover": mover, "actions": [self._label(move) for move in moves], "rows": [self._row(row) for row in rows]}

    def _row(self, row: int) -> dict[str, Any]:
        values, beliefs, nodes = self.values.action_values(row), self.values.beliefs(row), self.tree.members(row)
        weights = np.zeros(len(nodes)) if beliefs is None else beliefs
        order = np.argsort(-weights, kind="stable")[:_SHOWN]
        words = self._told_apart(nodes.tolist())
        return {
            "name": clean(self.tree.label_of(row)),
            "reach": _sent(self.values.infoset_reach[row]),
            "probabilities": _short(self.values.profile.at(row)),
            "values": None if values is None else _short(values.tolist()),
            "alternatives": {clean(move): str(share) for move, share in self.alternatives.get(row, {}).items()},
            "nodes": [[words[at], None if beliefs is None else _sent(weights[at])] for at in order.tolist()],
            "more": max(0, len(nodes) - _SHOWN),
        }

    def _told_apart(self, nodes: Sequence[int]) -> list[str]:
        """Words for the nodes of a set: their labels, or the moves before them that are not the same for all."""
        if all(self.tree.node_labels.get(node) for node in nodes):
            return [clean(self.tree.node_labels[node]) for node in nodes]
        paths = [labels_to(self.tree, node) for node in nodes]
        if len({len(path) for path in paths}) == 1:
            differ = [place for place, labels in enumerate(zip(*paths, strict=True)) if len(set(labels)) > 1]
            paths = [tuple(path[place] for place in differ) for path in paths]
        return [_written(path) or "the start" for path in paths]

    def _step(self, place: int) -> dict[str, Any]:
        """A link to a place from the one before it."""
        before = int(self.places.parent[place])
        move = self.places.steps(place)[0]
        is_move = before != NONE and bool(move)
        return {
            "to": place if self._is_shown(place) else None,
            "name": self.names[place],
            "label": self._label(clean(move[0])) if is_move else None,
            "share": _sent(self._reach(place)) if before == NONE else self._share(before, self._entries(place)),
        }

    def _entries(self, place: int) -> list[int]:
        """The nodes at which play comes to a place: those that no other of its nodes precedes."""
        places = self.places
        return [
            node
            for node in places.nodes(place)
            if places.before[node] == node or places.of_node[places.before[node]] != place or node == 0
        ]

    def _reach(self, place: int) -> Number:
        reach: Number = self.values.reach[self._entries(place)].sum()
        return reach

    def _share(self, place: int, nodes: Sequence[int]) -> Sent | None:
        """How likely play comes to one of these nodes once it is at the place; None where it never is, and at which is open."""
        whole = self._reach(place)
        if whole:
            return _sent(self.values.reach[list(nodes)].sum() / whole)
        entries = self._entries(place)
        return _sent(sum(self.values.reach_between(entries[0], node) for node in nodes)) if len(entries) == 1 else None

    def _expected(self, nodes: Sequence[int]) -> list[Sent] | None:
        """What everybody gets on average once play is at one of these nodes; None where it never is, and at which is open."""
        if len(nodes) == 1:
            return _short(self.values.payoffs_at(nodes[0]).tolist())
        reach = self.values.reach[list(nodes)]
        total = reach.sum()
        return _short((reach @ self.values.payoffs_at(nodes) / total).tolist()) if total else None

    def _ends(self) -> list[list[_Step]]:
        """For every place the moves that end the game there."""
        found: list[dict[str, list[int]]] = [{} for _ in range(len(self.places))]
        for end in np.flatnonzero(self.tree.player == TERMINAL).tolist():
            before = int(self.places.before[end])
            if self.tree.player[before] >= 0:
                move = clean(labels_to(self.tree, end, before)[0])
                found[self.places.of_node[before]].setdefault(move, []).append(end)
        return [[self._ending(place, move, ends) for move, ends in moves.items()] for place, moves in enumerate(found)]

    def _ending(self, place: int, move: str, ends: Sequence[int]) -> _Step:
        pays = self.values.payoffs_at(ends)
        alike = np.all(pays == pays[0])
        return _Step(move, self._share(place, ends), self._expected(ends) or (_short(pays[0].tolist()) if alike else None))

    def _label(self, move: str) -> int:
        return self.labels.setdefault(move, len(self.labels))


def _check_floats(payoffs: Numbers) -> None:
    """Raise LiarsDiceError for fractions that the scripts of a page cannot hold as floats."""
    try:
        payoffs.astype(np.float64)
    except OverflowError as error:
        raise LiarsDiceError("a payoff is too large for floats: show another game") from error


def _names(places: PublicPlaces) -> list[str]:
    """What everybody saw of the way to each place, in words by which it can be told from those beside it.

    Where moves come to light that nobody but their mover saw at first, they are named once more.
    """
    names = [""] * len(places)
    for siblings in places.after.values():
        if len(siblings) == 1 and places.parent[siblings[0]] == NONE:
            names[siblings[0]] = "Start"
            continue
        for back in range(1, 20):
            found = [_alternatives(_steps(places, place, back)) for place in siblings]
            if len(set(found)) == len(found):
                break
        for number, (place, name) in enumerate(zip(siblings, found, strict=True), 1):
            names[place] = name if found.count(name) == 1 else f"{name} ({number})"
    return names


def _steps(places: PublicPlaces, place: int, back: int) -> list[tuple[str, ...]]:
    """How play comes to a place from so many decisions before it."""
    found: dict[tuple[str, ...], None] = {}
    for node in places.nodes(place):
        start = node
        for _ in range(back):
            start = int(places.before[start])
        found[labels_to(places.tree, node, start)] = None
    return list(found)


def _alternatives(steps: Sequence[tuple[str, ...]]) -> str:
    if len(steps) > _OPTIONS:
        return f"one of {len(steps)} moves"
    return " or ".join(_written(step) for step in steps)


def _written(step: Sequence[str]) -> str:
    return " ".join(clean(label) for label in step)


def _colours(count: int) -> list[tuple[str, str]]:
    """A colour and the ink on it for every move; as many hues as can be told apart, then lighter and darker ones."""
    return [(colour, "#000000" if is_bright(colour) else "#ffffff") for colour in (CALL.light, *_hues(count))]


def _hues(count: int) -> Iterator[str]:
    whole = hues(min(count, 6))
    rounds = max(1, -(-count // 6) - 1)
    for number in range(count):
        colour = whole[number % 6]
        yield colour if count <= 6 else shade(colour, (number // 6) / rounds)


def _short(numbers: Sequence[Number]) -> list[Sent]:
    """Return numbers in the form of the page; floats lose their last digits to keep it short."""
    return [_sent(round(number, 14) if isinstance(number, float) else number) for number in numbers]


def _sent(number: Number) -> Sent:
    """Return a number in the form of the page: a float, or the text of an exact number."""
    return float(number) if isinstance(number, float) else str(number)
