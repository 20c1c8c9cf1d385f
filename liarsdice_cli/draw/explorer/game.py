"""The explorer of any game: a page for every public state, a line for every information set in it."""

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
from liarsdice_cli.extensive.public_states import PublicStates
from liarsdice_cli.extensive.stream import CHANCE, NONE, TERMINAL, Numbers
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.formats.numbers import exact_text
from liarsdice_cli.text import numbered

MOST_NODES = 100_000
"""The largest game, in nodes, that a page can show; its page has about ten million characters."""
_SHOWN = 24
"""The number of nodes listed at an information set, the likeliest first."""
_OPTIONS = 3
"""The number of moves that a name lists if only the mover saw which one was played."""

Sent = float | str
"""A number in the data of a page."""


def check(tree: GameTree) -> None:
    """Raise LiarsDiceError if a game has too many nodes for a page, or if no player moves."""
    if tree.nodes > MOST_NODES:
        raise LiarsDiceError(
            f"{tree.nodes:,} nodes are more than the {MOST_NODES:,} that fit on a page; for Liar's Dice, give the rules"
        )
    if not np.any(tree.player >= 0):
        raise LiarsDiceError("no player moves in this game, so a page has nothing to show: draw it (liarsdice draw GAME)")


def of_game(profile: Profile, source: str, depth: int | None, alternatives: Mapping[int, Mapping[str, Fraction]]) -> Page:
    """Return the page of a game and a profile; raises as `check`, and LiarsDiceError for payoffs that no float can hold.

    source : the origin of the profile, in words for the reader
    depth  : the most moves before a decision that the page shows; None for all
    alternatives : the actions of other equilibria, as far as they are proved, by the row of an information set
    """
    check(profile.tree)
    values = ProfileValues.within_seconds(profile)
    data = _Data(values, depth, alternatives).facts()
    data |= {"source": source, "exact": profile.exact, "fractions": values.profile.exact}
    return Page(clean(profile.tree.title) or "A game", data["title"], data, "explorer/game_page.js", "game_guide.html")


class _Step(NamedTuple):
    """A move at a state, its probability there and every player's expected payoff after it; None if they are unknown."""

    move: str
    share: Sent | None
    expected: list[Sent] | None


class _Data:
    """The data of a page, state by state."""

    def __init__(self, values: ProfileValues, depth: int | None, alternatives: Mapping[int, Mapping[str, Fraction]]) -> None:
        self.values, self.tree, self.alternatives = values, values.profile.tree, alternatives
        self.states = PublicStates.of(self.tree)
        self.depth = depth
        self.labels: dict[str, int] = {}
        self.after = self.states.after
        self.names = _names(self.states)
        self.lengths = self.states.lengths
        self.ends = self._ends()

    def facts(self) -> dict[str, Any]:
        """Return all data as JSON values."""
        tree = self.tree
        states = [self._state(state) if self._is_shown(state) else None for state in range(len(self.states))]  # numbers labels
        payoffs = self.values.payoffs_at(tree.player == TERMINAL)
        _check_floats(payoffs)
        infosets = int(np.sum(tree.infosets.player != CHANCE))
        return {
            "title": clean(tree.title) or "A game",
            "about": f"{numbered(tree.nodes, 'nodes')}, {numbered(infosets, 'information sets')}",
            "rules": clean(tree.comment)[:400],
            "players": [clean(name) or f"Player {number}" for number, name in enumerate(tree.players, 1)],
            "payoffs": [_sent(payoffs.min()), _sent(payoffs.max())],
            "isChance": False,
            "actions": {"first": -1, "names": ["", *self.labels], "colours": _colours(len(self.labels))},
            "first": [self._step(state) for state in self.after[NONE]],
            "places": states,
        }

    def _is_shown(self, state: int) -> bool:
        return self.depth is None or self.lengths[state] <= self.depth

    def _state(self, state: int) -> dict[str, Any]:
        before = int(self.states.parent[state])
        sets = self.states.sets(state)
        alike = groupby(sorted(sets, key=self._kind), self._kind)
        return {
            "before": None if before == NONE else before,
            "name": self.names[state],
            "reach": _sent(self._reach(state)),
            "expected": self._expected(self._entries(state)),
            "groups": [self._group(list(rows)) for _, rows in alike],
            "next": [self._step(later) for later in self.after[state]],
            "ends": [
                {"label": self._label(step.move), "share": step.share, "expected": step.expected} for step in self.ends[state]
            ],
        }

    def _kind(self, row: int) -> tuple[int, tuple[str, ...]]:
        return int(self.tree.infosets.player[row]), self._moves(row)

    def _moves(self, row: int) -> tuple[str, ...]:
        return tuple(map(clean, self.tree.actions_at(row).names))

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
        """Return texts for the nodes of a set: their labels, or the moves before them that differ between them."""
        if all(self.tree.node_labels.get(node) for node in nodes):
            return [clean(self.tree.node_labels[node]) for node in nodes]
        paths = [labels_to(self.tree, node) for node in nodes]
        if len({len(path) for path in paths}) == 1:
            differ = [index for index, labels in enumerate(zip(*paths, strict=True)) if len(set(labels)) > 1]
            paths = [tuple(path[index] for index in differ) for path in paths]
        return [_written(path) or "the start" for path in paths]

    def _step(self, state: int) -> dict[str, Any]:
        """Return a link to a state from its parent."""
        before = int(self.states.parent[state])
        move = self.states.steps(state)[0]
        is_move = before != NONE and bool(move)
        return {
            "to": state if self._is_shown(state) else None,
            "name": self.names[state],
            "label": self._label(clean(move[0])) if is_move else None,
            "share": _sent(self._reach(state)) if before == NONE else self._share(before, self._entries(state)),
        }

    def _entries(self, state: int) -> list[int]:
        """Return the first nodes of a state on their paths."""
        states = self.states
        return [
            node
            for node in states.nodes(state)
            if states.before[node] == node or states.of_node[states.before[node]] != state or node == 0
        ]

    def _reach(self, state: int) -> Number:
        reach: Number = self.values.reach[self._entries(state)].sum()
        return reach

    def _share(self, state: int, nodes: Sequence[int]) -> Sent | None:
        """Return the probability of reaching one of these nodes from the state; None if the posterior there is unknown."""
        whole = self._reach(state)
        if whole:
            return _sent(self.values.reach[list(nodes)].sum() / whole)
        entries = self._entries(state)
        return _sent(sum(self.values.reach_between(entries[0], node) for node in nodes)) if len(entries) == 1 else None

    def _expected(self, nodes: Sequence[int]) -> list[Sent] | None:
        """Return every player's expected payoff given that play is at one of these nodes; None if it is unknown."""
        if len(nodes) == 1:
            return _short(self.values.payoffs_at(nodes[0]).tolist())
        reach = self.values.reach[list(nodes)]
        total = reach.sum()
        return _short((reach @ self.values.payoffs_at(nodes) / total).tolist()) if total else None

    def _ends(self) -> list[list[_Step]]:
        """Return the moves that end the game at each state."""
        found: list[dict[str, list[int]]] = [{} for _ in range(len(self.states))]
        for end in np.flatnonzero(self.tree.player == TERMINAL).tolist():
            before = int(self.states.before[end])
            if self.tree.player[before] >= 0:
                move = clean(labels_to(self.tree, end, before)[0])
                found[self.states.of_node[before]].setdefault(move, []).append(end)
        return [[self._ending(state, move, ends) for move, ends in moves.items()] for state, moves in enumerate(found)]

    def _ending(self, state: int, move: str, ends: Sequence[int]) -> _Step:
        pays = self.values.payoffs_at(ends)
        alike = np.all(pays == pays[0])
        return _Step(move, self._share(state, ends), self._expected(ends) or (_short(pays[0].tolist()) if alike else None))

    def _label(self, move: str) -> int:
        return self.labels.setdefault(move, len(self.labels))


def _check_floats(payoffs: Numbers) -> None:
    """Raise LiarsDiceError for fractions that the scripts of a page cannot hold as floats."""
    try:
        payoffs.astype(np.float64)
    except OverflowError as error:
        raise LiarsDiceError("a payoff is too large for floats: show another game") from error


def _names(states: PublicStates) -> list[str]:
    """Return a name for each state that differs from those of its siblings, from the moves that all players saw.

    If a move that only its player saw is revealed later, the name repeats it.
    """
    names = [""] * len(states)
    for siblings in states.after.values():
        if len(siblings) == 1 and states.parent[siblings[0]] == NONE:
            names[siblings[0]] = "Start"
            continue
        for back in range(1, 20):
            found = [_alternatives(_steps(states, state, back)) for state in siblings]
            if len(set(found)) == len(found):
                break
        for number, (state, name) in enumerate(zip(siblings, found, strict=True), 1):
            names[state] = name if found.count(name) == 1 else f"{name} ({number})"
    return names


def _steps(states: PublicStates, state: int, back: int) -> list[tuple[str, ...]]:
    """Return the labels of the moves to a state from `back` decisions before it."""
    found: dict[tuple[str, ...], None] = {}
    for node in states.nodes(state):
        start = node
        for _ in range(back):
            start = int(states.before[start])
        found[labels_to(states.tree, node, start)] = None
    return list(found)


def _alternatives(steps: Sequence[tuple[str, ...]]) -> str:
    if len(steps) > _OPTIONS:
        return f"one of {len(steps)} moves"
    return " or ".join(_written(step) for step in steps)


def _written(step: Sequence[str]) -> str:
    return " ".join(clean(label) for label in step)


def _colours(count: int) -> list[tuple[str, str]]:
    """Return a colour and a text colour for every move: up to six hues, then lighter and darker ones."""
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
    return float(number) if isinstance(number, float) else exact_text(number)
