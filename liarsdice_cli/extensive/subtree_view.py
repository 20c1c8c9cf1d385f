"""Views of a part of a game: after a history, up to a depth, or only the actions that a profile takes.

A view is a game with a profile of its own, so it can be drawn, written and judged like any other. Information sets keep their
numbers and labels. A node at which the view is cut becomes terminal and pays the profile's expected value there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from liarsdice_cli.errors import ArgumentError, LiarsDiceError
from liarsdice_cli.extensive.after_history import nodes_after
from liarsdice_cli.extensive.number import Number, nearest_fraction, nearest_fractions
from liarsdice_cli.extensive.paths import deal_of
from liarsdice_cli.extensive.profile import GIVEN, Profile
from liarsdice_cli.extensive.profile_values import ProfileValues
from liarsdice_cli.extensive.stream import CHANCE, NONE, Actions, Bools, Ints, Numbers, Outcome
from liarsdice_cli.extensive.tree import GameTree, InfoSets
from liarsdice_cli.text import quoted

_ROUNDED = 10**6
"""The largest denominator of a fraction that is rounded from a float."""


@dataclass(frozen=True, eq=False)
class SubtreeView:
    """A game, its profile, and how they were cut out of a larger one.

    profile : of the tree, or None
    open    : for every node whether it is terminal only because the view is cut there; without a profile it has no payoff
    notes   : the steps that made the view, for its title; empty for the whole game
    """

    tree: GameTree
    profile: Profile | None
    open: Bools
    notes: tuple[str, ...] = ()

    @classmethod
    def whole(cls, tree: GameTree, profile: Profile | None = None) -> SubtreeView:
        """Return the view of the whole game."""
        return cls(tree, profile, np.zeros(tree.nodes, bool))

    @property
    def title(self) -> str:
        """The game's title, with the notes."""
        notes = f" (a part: {'; '.join(self.notes)})" if self.notes else ""
        return self.tree.title + notes

    def after(self, history: Sequence[str]) -> SubtreeView:
        """Return the game after these actions of the players, with the posterior deal probabilities under the profile.

        Without a profile, or if it never takes these actions, the deals keep their prior probabilities. Payoffs at nodes on the
        path are left out. Raises LiarsDiceError if no player moves after the history, or chance never leads there.

        >>> from liarsdice_cli.games.liarsdice import rules, tree
        >>> view = SubtreeView.whole(tree.build(rules.rules("common", 2))).after(["1x2", "2x1"])
        >>> view.tree.nodes, view.tree.action_lists[0].labels
        (17, ('1|1', '1|2', '2|1', '2|2'))
        """
        if not history:
            return self
        tree = self.tree
        nodes = nodes_after(tree, history)
        weights = self._weights(nodes)
        if not weights.any():
            words = quoted(" ".join(history))
            raise LiarsDiceError(f"chance never leads to {words}: give another history, or leave it out")
        nodes, weights = nodes[weights != 0], weights[weights != 0]
        starts = np.zeros(tree.nodes, bool)
        starts[nodes] = True
        deals = tuple(deal_of(tree, node) for node in nodes.tolist())
        below = tree.along_path(starts, np.logical_or)
        view = _assembled(self, below, np.ones(tree.actions, bool), f"after {' '.join(history)}")
        return _dealt(view, Actions(deals, fractions_of((weights / weights.sum()).tolist()))) if len(deals) > 1 else view

    def cut(self, depth: int) -> SubtreeView:
        """Return the first `depth` moves of the players, chance's not counted; raise ArgumentError for less than 0.

        >>> from liarsdice_cli.games.liarsdice import rules, tree
        >>> from liarsdice_cli.extensive.profile import from_sets
        >>> game = tree.build(rules.rules("common", 2))
        >>> view = SubtreeView.whole(game, from_sets(game, {})).cut(1)
        >>> view.tree.nodes, int(view.open.sum()), [str(number) for number in view.tree.outcomes[-1].payoffs]
        (21, 16, ['1/2', '1/2'])
        """
        if depth < 0:
            raise ArgumentError("depth", depth, "give 0 or more")
        note = f"{depth} move{'s' if depth != 1 else ''} deep"
        return self._ended(moves(self.tree) == depth, note)

    def followed(self) -> SubtreeView:
        """Return the game that ends after each action that the profile never takes; without a profile, the same game."""
        if self.profile is None:
            return self
        tree = self.tree
        strays = np.append(self.profile.probabilities == 0, False)[tree.action]
        return self._ended(strays, "cut at actions that are never taken")

    def taken(self) -> SubtreeView:
        """Return the game without the actions that the profile never takes; without a profile, the same game."""
        if self.profile is None or np.all(self.profile.probabilities != 0):
            return self
        return _assembled(
            self, ProfileValues(self.profile).reached, self.profile.probabilities != 0, "only the actions that are taken"
        )

    def _ended(self, ends: Bools, note: str) -> SubtreeView:
        """Return the game that ends at these nodes; those below another of them are ignored."""
        tree = self.tree
        above = tree.along_path(np.append(ends, False)[tree.parent], np.logical_or)
        ends = ends & ~above & (tree.arity > 0)
        if not ends.any():
            return self
        outcomes, outcome = self._continued(ends)
        infoset = np.where(ends, NONE, tree.infoset)
        shorter = replace(tree, outcomes=(*tree.outcomes, *outcomes), infoset=infoset, outcome=outcome)
        view = SubtreeView(shorter, self.profile, self.open | ends, self.notes)
        return _assembled(view, ~above, np.ones(tree.actions, bool), note)

    def _weights(self, nodes: Ints) -> Numbers:
        """Return the reach probabilities of nodes; those by chance alone without a profile, or if it reaches none of them."""
        tree = self.tree
        weights = None if self.profile is None else ProfileValues(self.profile, nodes).reach[nodes]
        return tree.chance_reach(nodes) if weights is None or not weights.any() else weights

    def _continued(self, ends: Bools) -> tuple[list[Outcome], Ints]:
        """Return new outcomes with the values at these nodes, and the column of outcomes that has them there."""
        tree, outcome = self.tree, self.tree.outcome.copy()
        nodes = np.flatnonzero(ends)
        if self.profile is None:
            outcome[nodes] = NONE
            return [], outcome
        values = ProfileValues(self.profile, nodes)
        columns = [values.continuation(player)[nodes].tolist() for player in range(len(tree.players))]
        rows: dict[tuple[Fraction, ...], int] = {}
        for node, numbers in zip(nodes.tolist(), zip(*columns, strict=True), strict=True):
            outcome[node] = len(tree.outcomes) + rows.setdefault(
                tuple(nearest_fraction(number, _ROUNDED) for number in numbers), len(rows)
            )
        return [Outcome(f"play goes on {row}", payoffs) for row, payoffs in enumerate(rows, 1)], outcome


def moves(tree: GameTree) -> Ints:
    """Return the number of players' moves before every node."""
    own = np.append(tree.player >= 0, False)[tree.parent]
    return tree.along_path(own.astype(np.int64))


def _assembled(view: SubtreeView, kept: Bools, actions: Bools, note: str) -> SubtreeView:
    """Return the view of the kept nodes and actions: subtrees one after another if the root is not kept."""
    tree, profile = view.tree, view.profile
    rows = np.unique(tree.infoset[kept & (tree.infoset != NONE)])
    smaller = replace(
        tree,
        action_lists=[_narrowed(tree, row, actions) for row in rows.tolist()],
        infosets=_sets_in(tree.infosets, rows),
        infoset=_new_rows(rows, len(tree.infosets))[tree.infoset[kept]],
        outcome=tree.outcome[kept],
        node_labels=_labels_of(tree, kept),
    )
    if profile is not None:
        profile = Profile(smaller, profile.probabilities[actions & np.isin(tree.action_infoset, rows)], profile.source[rows])
    return SubtreeView(smaller, profile, view.open[kept], (*view.notes, note))


def _sets_in(infosets: InfoSets, rows: Ints) -> InfoSets:
    """Return the information sets in these rows, each with its own list of actions."""
    labels = [infosets.labels[row] for row in rows.tolist()]
    return InfoSets(infosets.player[rows], infosets.number[rows], np.arange(len(rows)), labels)


def _new_rows(rows: Ints, size: int) -> Ints:
    """Return for each row of a table of this size its index among the kept rows, or NONE; NONE at the end, for NONE."""
    found = np.full(size + 1, NONE, np.int32)
    found[rows] = np.arange(len(rows))
    return found


def _labels_of(tree: GameTree, kept: Bools) -> dict[int, str]:
    """Return the labels of the kept nodes, by their new numbers."""
    if not tree.node_labels:
        return {}
    number = np.cumsum(kept) - 1
    return {int(number[node]): label for node, label in tree.node_labels.items() if kept[node]}


def _dealt(view: SubtreeView, deal: Actions) -> SubtreeView:
    """Return the game that begins with this move of chance, one action for each subtree."""
    tree, profile = view.tree, view.profile
    larger = replace(
        tree,
        action_lists=[deal, *tree.action_lists],
        infosets=_with_deal(tree.infosets),
        infoset=np.append(0, np.where(tree.infoset == NONE, NONE, tree.infoset + 1)).astype(np.int32),
        outcome=np.append(NONE, tree.outcome),
        node_labels={node + 1: label for node, label in tree.node_labels.items()},
    )
    if profile is not None:
        weights = np.array(deal.probabilities, object).astype(profile.probabilities.dtype)
        profile = Profile(larger, np.append(weights, profile.probabilities), np.append(GIVEN, profile.source))
    return SubtreeView(larger, profile, np.append(False, view.open), view.notes)


def _with_deal(infosets: InfoSets) -> InfoSets:
    """Return the table with a new set of chance first, which has the first list of actions and an unused number."""
    return InfoSets(
        player=np.append(CHANCE, infosets.player),
        number=np.append(infosets.unused_numbers(1), infosets.number),
        actions=np.append(0, infosets.actions + 1),
        labels=["", *infosets.labels],
    )


def _narrowed(tree: GameTree, row: int, actions: Bools) -> Actions:
    """Return the kept actions of an information set."""
    choices: Actions = tree.actions_at(row)
    kept = actions[tree.first_action[row] : tree.first_action[row + 1]]
    if kept.all():
        return choices
    branches = np.flatnonzero(kept).tolist()
    numbers = choices.probabilities
    probabilities = None if numbers is None else tuple(numbers[branch] for branch in branches)
    return Actions(tuple(choices.labels[branch] for branch in branches), probabilities)


def fractions_of(numbers: Sequence[Number]) -> tuple[Fraction, ...]:
    """Return a distribution in fractions (`nearest_fractions`) with denominators that fit a file."""
    return tuple(nearest_fractions(numbers, _ROUNDED))
