"""Equilibrium selection: choose the same optimal plans, whichever vertex a linear program ends at.

Most games of Liar's Dice have many equilibria, and the solver and its release determine which one a linear program finds. The
plans are therefore replaced by those that maximise a fixed weighted sum over all optimal plans: the preferred equilibrium. The
optimal plans of two players in a constant-sum game are exchangeable, so each player's plan can be chosen separately.

The sum prefers earlier actions of a set: calls and low bids. The first action of a set has weight 0, and the weights of the
next ones decrease. A small part of each weight is a checksum of the labels of the set and the action. So two plans have the
same sum only by coincidence, and the choice does not depend on the layout of chance in the tree.
"""

from __future__ import annotations

from itertools import product
from zlib import crc32

import numpy as np

from liarsdice_cli.extensive.stream import Numbers
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.solvers.exact.linear_program import Plans
from liarsdice_cli.solvers.exact.perturbed import ANY_BITS, PerturbedProgram, Slack
from liarsdice_cli.solvers.exact.sequence_form import Side

_CHECKSUM_BITS = 20
"""Binary digits of the checksum in a weight."""


def preferences(tree: GameTree, side: Side) -> Numbers:
    """Return the weight of every sequence of a player in the sum to maximise: an integer, 0 or negative.

    >>> from liarsdice_cli.games.liarsdice import rules
    >>> from liarsdice_cli.games.liarsdice.tree import build
    >>> from liarsdice_cli.solvers.exact.reduction import unreduced
    >>> from liarsdice_cli.solvers.exact.sequence_form import sequence_form
    >>> game = build(rules.rules("common", 1))
    >>> preferences(game, sequence_form(game, unreduced(game)).sides[0]).tolist()
    [0, 0, -1772768, 0]
    """
    weights = np.zeros(side.sequences, object)
    for sequence, action in enumerate(side.action.tolist(), 1):
        row = int(tree.action_infoset[action])
        place = action - int(tree.first_action[row])
        if place:
            name = f"{tree.label_of(row)}: {tree.actions_at(row).labels[place]}"
            weights[sequence] = -(place << _CHECKSUM_BITS) - crc32(name.encode()) % (1 << _CHECKSUM_BITS)
    return weights


def preferred(program: PerturbedProgram, tree: GameTree, plans: Plans, deadline: float, bits: int = ANY_BITS) -> Plans | None:
    """Return the preferred plans among the optimal ones of a program; None if floats are too inexact to find them.

    plans : any optimal plans
    bits, deadline : as `PerturbedProgram.plans` takes them

    Cost: two linear programs, and sparse systems in fractions.
    """
    slack = program.slack(plans)
    first, second = (_chosen(program, tree, player, slack, deadline, bits) for player in (0, 1))
    return None if first is None or second is None else (first, second)


def another(program: PerturbedProgram, tree: GameTree, plans: Plans, deadline: float) -> Plans | None:
    """Return optimal plans that differ from the given ones for at least one player; None if none are found.

    It computes the optimal plans with the smallest and the largest sum. Two plans have the same sum only by coincidence, so
    other plans exist if and only if one of these differs. Cost: one to four linear programs.
    """
    slack = program.slack(plans)
    for player, sign in product((0, 1), (-1, 1)):
        other = _chosen(program, tree, player, slack, deadline, sign=sign)
        if other is not None and np.any(other != plans[player]):
            return (other, plans[1]) if player == 0 else (plans[0], other)
    return None


def _chosen(
    program: PerturbedProgram, tree: GameTree, player: int, slack: Slack, deadline: float, bits: int = ANY_BITS, sign: int = 1
) -> Numbers | None:
    weights = sign * preferences(tree, program.form.sides[player])
    return program.preferred_plan(player, weights, slack, bits, deadline)
