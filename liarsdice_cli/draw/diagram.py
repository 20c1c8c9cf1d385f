"""The content of a picture without coordinates: nodes with their branches, in panels.

Every label of a game passes through `clean` here. Each format escapes what its own language would read as commands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from liarsdice_cli.extensive.number import Number
from liarsdice_cli.extensive.paths import deal_of
from liarsdice_cli.extensive.profile_values import ProfileValues
from liarsdice_cli.extensive.stream import CHANCE, NONE, TERMINAL, Bools, Ints, Numbers
from liarsdice_cli.extensive.subtree_view import SubtreeView
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.text import without_controls

LONGEST = 24
"""The most letters of a label; the whole of it is in the node's title."""
LONGEST_TITLE = 120

OPEN = "…"
"""Stands for the payoffs where the part was cut and nobody said how play goes on."""

EXPECTED = "exp. "
"""The mark before payoffs that are expected values, because the part was cut there."""

_DICE = re.compile(r"[1-9]+(\|[1-9]+)+")


class Bar(NamedTuple):
    """The actions of a roll at a history.

    dice    : the roll, "" where chance deals something else
    name    : what stands for the roll then: the label of the information set
    shares  : the probability of every action that is taken, in order; `words` : the same as text
    reached : whether play comes here with this roll
    title   : everything in words
    """

    dice: str
    name: str
    shares: tuple[tuple[str, float], ...]
    words: str
    reached: bool
    title: str


class Node(NamedTuple):
    """A node of a diagram.

    parent  : its place among the nodes of the panel, NONE for the first
    mover   : a player, CHANCE or TERMINAL
    number  : the number of the information set, "" where there is none
    branch, chances : the label of the branch into the node, and its probability
    weight  : how probable the branch is, None where nobody said so
    payoffs : one a player at an end, (OPEN,) where the part was cut
    reached : whether play under the profile comes here
    title   : everything about the node in words
    cut     : whether the part was cut here, so that payoffs are expected values
    bars    : what each roll does here, where one node stands for many
    """

    parent: int
    mover: int
    number: str
    branch: str
    chances: str
    weight: float | None
    payoffs: tuple[str, ...]
    reached: bool
    title: str
    cut: bool = False
    bars: tuple[Bar, ...] = ()

    @property
    def before_payoffs(self) -> str:
        """The mark before the payoffs: `EXPECTED` if they are expected values, otherwise ""."""
        return EXPECTED if self.cut and self.payoffs != (OPEN,) else ""


class Panel(NamedTuple):
    """Nodes in prefix order; `dice` has the rolls of all players if the panel shows one deal; otherwise it is empty."""

    nodes: tuple[Node, ...]
    dice: tuple[str, ...] = ()


@dataclass(frozen=True)
class Diagram:
    """Panels of the same form, in rows of `across`, with the players' names.

    actions      : those that bars show, in order
    reached_only : whether what play never comes to is left out: a panel then shows only those of its nodes that are reached
    """

    title: str
    players: tuple[str, ...]
    panels: tuple[Panel, ...]
    across: int = 1
    actions: tuple[str, ...] = ()
    reached_only: bool = False

    def shows(self, node: Node) -> bool:
        """Whether a node is drawn."""
        return node.reached or not self.reached_only


def without_unreached(diagram: Diagram) -> Diagram:
    """Return the diagram without the places that no panel reaches; each panel shows only the nodes that it reaches."""
    nodes = [panel.nodes for panel in diagram.panels]
    kept = [place for place in range(len(nodes[0])) if any(panel[place].reached for panel in nodes)]
    now = {NONE: NONE} | {place: number for number, place in enumerate(kept)}
    panels = tuple(
        panel._replace(nodes=tuple(panel.nodes[place]._replace(parent=now[panel.nodes[place].parent]) for place in kept))
        for panel in diagram.panels
    )
    return replace(diagram, panels=panels, reached_only=True)


def clean(label: str) -> str:
    """A label as a picture can show it: one line, without controls.

    >>> clean("a\\nb\\u202ec ")
    'a b c'
    """
    return " ".join(without_controls(label).split())


def short(label: str, longest: int = LONGEST) -> str:
    """A clean label, cut where it is long."""
    text = clean(label)
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"


def is_bid(action: str) -> bool:
    """Whether an action has a place in a rising order, as a bid has and a call has not."""
    return action[:1].isdigit()


def number_text(number: Number) -> str:
    """Return a probability or payoff as text: a fraction if it is short, otherwise a decimal.

    >>> number_text(Fraction(2, 3)), number_text(0.25), number_text(Fraction(1001, 3001))
    ('2/3', '0.25', '0.334')
    """
    if isinstance(number, Fraction | int) and max(abs(number.numerator), number.denominator) < 1000:
        return str(number)
    try:
        return f"{float(number):.3g}"
    except OverflowError:
        return "huge" if number > 0 else "-huge"


def of_tree(part: SubtreeView) -> Diagram:
    """Every node of the game, in one panel."""
    nodes = _Nodes(part)
    return Diagram(title_of(part), players_of(part.tree), (Panel(tuple(nodes.below(0, part.tree.nodes))),))


def of_deals(part: SubtreeView, deals: DealPanels) -> Diagram:
    """The same betting tree once for every deal, the deals of a roll of the first player in a row."""
    nodes = _Nodes(part)
    panels = [
        Panel(tuple(nodes.below(start, start + deals.size)), dice)
        for start, dice in zip(deals.starts.tolist(), deals.dice, strict=True)
    ]
    across = sum(dice[0] == deals.dice[0][0] for dice in deals.dice)
    return Diagram(title_of(part), players_of(part.tree), tuple(panels), across)


class DealPanels(NamedTuple):
    """A game in which chance deals first, one of several hands, and the same moves follow all of them.

    starts : the node after each deal; `size` : how many nodes come from there on
    dice   : for every deal the rolls of all players; empty where the deals are not dice
    """

    starts: Ints
    size: int
    dice: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, tree: GameTree) -> DealPanels | None:
        """The deals of a game, or None where it is no such game. Cost: a few vector steps over the nodes.

        >>> from liarsdice_cli.games.liarsdice import rules, tree
        >>> deals = DealPanels.of(tree.build(rules.rules("classic", 2)))
        >>> deals.starts.tolist(), deals.size, deals.dice[1]
        ([1, 32, 63, 94], 31, ('1', '2'))
        """
        chance = tree.player == CHANCE
        above = tree.along_path(chance, np.logical_and)
        starts = np.flatnonzero(~above & np.append(above, True)[tree.parent])
        rest = np.flatnonzero(~above)
        if len(starts) == 1 or len(rest) % len(starts) or len(rest) == len(starts):
            return None
        size = len(rest) // len(starts)
        columns = (tree.player, _same_actions(tree))
        if any(np.any(column[rest].reshape(-1, size) != column[rest[:size]]) for column in columns) or chance[rest].any():
            return None
        names = [deal_of(tree, start) for start in starts.tolist()]
        rolls = [tuple(name.split("|")) for name in names]
        dice = all(_DICE.fullmatch(name) and len(roll) == len(tree.players) for name, roll in zip(names, rolls, strict=True))
        return cls(starts, size, tuple(rolls) if dice else ())


def _same_actions(tree: GameTree) -> Ints:
    """For every node a number that is the same where the actions are the same."""
    index: dict[tuple[str, ...], int] = {}
    numbers = [index.setdefault(choices.labels, len(index)) for choices in tree.action_lists]
    return np.append(np.array(numbers, np.int64)[tree.infosets.actions], NONE)[tree.infoset]


def reached_nodes(part: SubtreeView) -> Bools:
    """Return for every node whether the profile reaches it; without a profile, True everywhere."""
    return np.ones(part.tree.nodes, bool) if part.profile is None else ProfileValues(part.profile).reached


class _Nodes:
    """Makes the nodes of a diagram from those of a tree."""

    def __init__(self, part: SubtreeView) -> None:
        self.part, self.tree = part, part.tree
        self.reached = reached_nodes(part)
        self.names = players_of(part.tree)
        self.probabilities: Numbers = (
            self.tree.chance_probabilities[:-1] if part.profile is None else part.profile.probabilities
        )

    def below(self, start: int, stop: int) -> Iterator[Node]:
        """The nodes from `start` on, whose parents are counted from there."""
        for node in range(start, stop):
            yield self._node(node, start)

    def _node(self, node: int, start: int) -> Node:
        tree = self.tree
        row, mover = int(tree.infoset[node]), int(tree.player[node])
        branch, chances, weight = self._branch(node)
        payoffs = self._payoffs(node)
        told = [f"{branch}: " if branch else "", self._who(mover, row), *(f", {label}" for label in self._node_label(node))]
        if payoffs:
            told.append(f", pays {', '.join(payoffs)}")
        if payoffs and self.part.open[node] and payoffs != (OPEN,):
            told.append(" on average: the picture is cut here")
        if self.part.profile is not None and not self.reached[node]:
            told.append(", never reached")
        return Node(
            parent=int(tree.parent[node]) - start if node > start else NONE,
            mover=mover,
            number="" if row == NONE else str(tree.infosets.number[row]),
            branch=short(branch),
            chances=chances,
            weight=weight,
            payoffs=payoffs,
            reached=bool(self.reached[node]),
            title="".join(told),
            cut=bool(self.part.open[node]),
        )

    def _branch(self, node: int) -> tuple[str, str, float | None]:
        """The label of the branch into a node, its probability in words and as a number; both are missing if unknown."""
        action = int(self.tree.action[node])
        if action == NONE:
            return "", "", None
        row = int(self.tree.action_infoset[action])
        choices = self.tree.actions_at(row)
        label = clean(choices.labels[action - self.tree.first_action[row]])
        if self.part.profile is None and self.tree.action_player[action] != CHANCE:
            return label, "", None
        probability = self.probabilities[action]
        return label, number_text(probability), float(probability)

    def _payoffs(self, node: int) -> tuple[str, ...]:
        row = int(self.tree.outcome[node])
        if row != NONE:
            return tuple(map(number_text, self.tree.outcomes[row].payoffs))
        if self.part.open[node]:
            return (OPEN,)
        return ("0",) * len(self.names) if self.tree.player[node] == TERMINAL else ()

    def _who(self, mover: int, row: int) -> str:
        if mover == TERMINAL:
            return "the end"
        who = "chance" if mover == CHANCE else self.names[mover]
        label = clean(self.tree.infosets.labels[row])
        return f"{who}, set {self.tree.infosets.number[row]}" + (f" ({label})" if label else "")

    def _node_label(self, node: int) -> list[str]:
        return [clean(self.tree.node_labels[node])] if node in self.tree.node_labels else []


def players_of(tree: GameTree) -> tuple[str, ...]:
    """The players' names, or their numbers where they have none."""
    return tuple(short(name) or f"Player {number}" for number, name in enumerate(tree.players, 1))


def title_of(part: SubtreeView) -> str:
    """The title of the game; what was cut out of it stays readable at the end."""
    notes = part.title.removeprefix(part.tree.title)
    return short(part.tree.title, LONGEST_TITLE) + clean(f".{notes}")[1:]
