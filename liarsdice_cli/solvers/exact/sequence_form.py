"""The sequence form of a reduced two-player game: realization plans, constraints and payoffs as sparse columns.

Source: Koller, Megiddo and von Stengel (1996), "Efficient computation of equilibria for extensive two-person games".
A sequence is an action of the player. Its weight in a realization plan is the product of the player's probabilities up to it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from liarsdice_cli.errors import Argument, LiarsDiceError
from liarsdice_cli.extensive.evaluate import Path, payoff_nodes, payoffs_of
from liarsdice_cli.extensive.recall import has_perfect_recall, last_action, sets_before
from liarsdice_cli.extensive.stream import CHANCE, NONE, Ints, Numbers
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.solvers.exact.reduction import Reduction
from liarsdice_cli.solvers.request import AUTO


@dataclass(frozen=True)
class Side:
    """A player's sequences 1, 2, ... (0 is the empty one) and information sets 0, 1, ...

    action : for sequence k, at position k - 1, its action in the tree (or another number that the caller gives it)
    set    : for sequence k, at position k - 1, its information set
    rows   : for every set its row in the tree (or another number that the caller gives it)
    before : for every set the sequence that leads to it
    """

    action: Ints
    set: Ints
    rows: Ints
    before: Ints

    @property
    def sequences(self) -> int:
        """The number of sequences, the empty one included."""
        return len(self.action) + 1


@dataclass(frozen=True)
class SequenceForm:
    """A two-player constant-sum game in sequence form.

    sides  : the two players' sequences and sets
    first, second, payoff : the sparse payoff matrix of player 1: distinct pairs of sequences, and an integer for each
    scale  : the divisor of these integers
    """

    sides: tuple[Side, Side]
    first: Ints
    second: Ints
    payoff: Numbers
    scale: int


def require_sequence_form(tree: GameTree, method: str) -> None:
    """Raise LiarsDiceError, naming the method, unless the game has two players, constant sum and perfect recall."""
    if len(tree.players) != 2 or tree.constant_sum is None:
        raise LiarsDiceError(
            f"{method} needs a constant-sum game of two players; try ",
            Argument("method", "lcp" if len(tree.players) == 2 else AUTO),
        )
    if not has_perfect_recall(tree):
        raise LiarsDiceError(
            f"{method} needs perfect recall, and a player forgets here; try ", Argument("method", "enumpure-agent")
        )


def sequence_form(tree: GameTree, reduction: Reduction, chance: Numbers | None = None) -> SequenceForm:
    """Return the sequence form of a reduced game. Both players need perfect recall. Cost: a few vector steps over the nodes.

    chance : probabilities of all actions of chance that replace those of the tree
    """
    living = reduction.nodes[payoff_nodes(tree)]
    nodes = payoff_nodes(tree)[living]
    last = [last_action(tree, player) for player in (0, 1)]
    sides, number = zip(*(_side(tree, reduction, player) for player in (0, 1)), strict=True)
    first, second = (number[player][last[player][nodes]] for player in (0, 1))
    reach = Path.of(tree, tree.chance_probabilities[:-1] if chance is None else chance, CHANCE).reach
    weighed = payoffs_of(tree, 0, exact=True) * reach
    pairs, place = np.unique(first * (sides[1].sequences) + second, return_inverse=True)
    payoff = np.zeros(len(pairs), object)
    np.add.at(payoff, place, weighed.values[living])
    first, second = np.divmod(pairs, sides[1].sequences)
    return SequenceForm((sides[0], sides[1]), first, second, payoff, weighed.denominator)


def _side(tree: GameTree, reduction: Reduction, player: int) -> tuple[Side, Ints]:
    """Return a player's sequences in the reduced game, and the sequence of every action of the tree (at the end, of NONE)."""
    living = np.zeros(len(tree.infosets) + 1, bool)
    living[tree.infoset[reduction.nodes & (tree.player == player)]] = True
    action = np.flatnonzero(reduction.actions & living[tree.action_infoset] & (tree.action_player == player))
    sequence = np.zeros(tree.actions + 1, np.int64)
    sequence[action] = np.arange(1, len(action) + 1)
    rows = np.flatnonzero(living[:-1])
    number = np.full(len(tree.infosets), NONE, np.int64)
    number[rows] = np.arange(len(rows))
    return Side(action, number[tree.action_infoset[action]], rows, sequence[sets_before(tree, player)[rows]]), sequence
