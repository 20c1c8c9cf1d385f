"""The content of a picture without coordinates: nodes with their branches, in panels.

Every label of a game passes through `clean` here. Each format escapes characters that its own language would read as commands.
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
"""The mark for unknown payoffs where the subtree was cut."""

EXPECTED = "exp. "
"""The mark before payoffs that are expected values because the subtree was cut there."""

_DICE = re.compile(r"[1-9]+(\|[1-9]+)+")


class Bar(NamedTuple):
    """The actions of a roll at a history.

    dice    : the roll, "" if chance deals something else
    name    : the label of the information set, which is shown if there is no roll
    shares  : the probability of every action that is taken, in order; `words` : the same as text
    reached : whether the profile reaches the history with this roll
    title   : all of this in words
    """

    dice: str
    name: str
    shares: tuple[tuple[str, float], ...]
    words: str
    reached: bool
    title: str


class Node(NamedTuple):
    """A node of a diagram.

    parent  : the index of its parent among the nodes of the panel, NONE for the first
    mover   : a player, CHANCE or TERMINAL
    number  : the number of the information set, "" if there is none
    branch, chances : the label of the branch into the node, and its probability as text
    weight  : the probability of the branch, None if unknown
    payoffs : one for each player if the node has an outcome or is terminal, (OPEN,) at a cut without an outcome, otherwise none
    reached : whether the profile reaches the node
    title   : everything about the node in words
    cut     : whether the subtree was cut here, so that payoffs are expected values
    bars    : the actions of every roll, if the node stands for all nodes of a history
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

    actions      : the actions that bars show, in order
    reached_only : whether each panel shows only its reached nodes
    """

    title: str
    players: tuple[str, ...]
    panels: tuple[Panel, ...]
    across: int = 1
    actions: tuple[str, ...] = ()
    reached_only: bool = False

    def shows(self, node: Node) -> bool:
        """Return whether a node is drawn."""
        return node.reached or not self.reached_only


def without_unreached(diagram: Diagram) -> Diagram:
    """Return the diagram without the nodes that no panel reaches; each panel shows only its own reached nodes."""
    nodes = [panel.nodes for panel in diagram.panels]
    kept = [place for place in range(len(nodes[0])) if any(panel[place].reached for panel in nodes)]
    now = {NONE: NONE} | {place: number for number, place in enumerate(kept)}
    panels = tuple(
        panel._replace(nodes=tuple(panel.nodes[place]._replace(parent=now[panel.nodes[place].parent]) for place in kept))
        for panel in diagram.panels
    )
    return replace(diagram, panels=panels, reached_only=True)


def clean(label: str) -> str:
    """Return a label as a picture can show it: on one line, without control characters.

    >>> clean("a\\nb\\u202ec ")
    'a b c'
    """
    return " ".join(without_controls(label).split())


def short(label: str, longest: int = LONGEST) -> str:
    """Return a clean label, cut if it is too long."""
    text = clean(label)
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"


def is_bid(action: str) -> bool:
    """Return whether an action has a place in a rising order, as a bid does and a call does not."""
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
    """Return a diagram of every node of the game, in one panel."""
    nodes = _Nodes(part)
    return Diagram(title_of(part), players_of(part.tree), (Panel(tuple(nodes.below(0, part.tree.nodes))),))


def of_deals(part: SubtreeView, deals: DealPanels) -> Diagram:
    """Return a diagram with one betting tree for each deal; the deals of each roll of the first player form a row."""
    nodes = _Nodes(part)
    panels = [
        Panel(tuple(nodes.below(start, start + deals.size)), dice)
        for start, dice in zip(deals.starts.tolist(), deals.dice, strict=True)
    ]
    across = sum(dice[0] == deals.dice[0][0] for dice in deals.dice)
    return Diagram(title_of(part), players_of(part.tree), tuple(panels), across)


class DealPanels(NamedTuple):
    """A game that begins with one of several deals, each followed by the same moves.

    starts : the node after each deal; `size` : the number of nodes in its subtree
    dice   : the rolls of all players for each deal; empty if the deals are not dice
    """

    starts: Ints
    size: int
    dice: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, tree: GameTree) -> DealPanels | None:
        """Return the deals of a game, or None if the game has another form. Cost: a few vector steps over the nodes.

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
    """Return a number for every node; nodes with the same actions have the same number."""
    index: dict[tuple[str, ...], int] = {}
    numbers = [index.setdefault(choices.labels, len(index)) for choices in tree.action_lists]
    return np.append(np.array(numbers, np.int64)[tree.infosets.actions], NONE)[tree.infoset]


def reached_nodes(part: SubtreeView) -> Bools:
    """Return for every node whether the profile reaches it; without a profile, True everywhere."""
    return np.ones(part.tree.nodes, bool) if part.profile is None else ProfileValues(part.profile).reached


class _Nodes:
    """Converts the nodes of a tree to those of a diagram."""

    def __init__(self, part: SubtreeView) -> None:
        self.part, self.tree = part, part.tree
        self.reached = reached_nodes(part)
        self.names = players_of(part.tree)
        self.probabilities: Numbers = (
            self.tree.chance_probabilities[:-1] if part.profile is None else part.profile.probabilities
        )

    def below(self, start: int, stop: int) -> Iterator[Node]:
        """Yield the nodes from `start` to before `stop`, with parents counted from `start`."""
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
        """Return the label of the branch into a node, and its probability as text and as a number: "" and None if unknown."""
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
    """Return the players' names, or their numbers if they have none."""
    return tuple(short(name) or f"Player {number}" for number, name in enumerate(tree.players, 1))


def title_of(part: SubtreeView) -> str:
    """Return the shortened title of the game, followed by the notes on its cuts in full."""
    notes = part.title.removeprefix(part.tree.title)
    return short(part.tree.title, LONGEST_TITLE) + clean(f".{notes}")[1:]
