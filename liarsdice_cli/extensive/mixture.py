"""Mixtures of strategies, drawn unseen before the game, as behaviour strategies.

Source: Kuhn (1953), "Extensive games and the problem of information", theorem 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from liarsdice_cli.extensive.evaluate import realization
from liarsdice_cli.extensive.number import Number
from liarsdice_cli.extensive.profile import Profile
from liarsdice_cli.extensive.recall import sets_before
from liarsdice_cli.extensive.stream import Numbers


def posterior(weights: Sequence[Number], reach: Numbers) -> Numbers:
    """Return the probability of each strategy of a mixture at information sets, given that play reaches them.

    weights : the probability of each strategy before the game
    reach   : the player's own reach probabilities under each strategy, shape (strategies, sets), fractions or floats

    The realization-equivalent behaviour at a set is the mean of the strategies' behaviour, weighted by this. At a set that no
    strategy reaches it returns the weights. The shape is that of `reach`.

    >>> posterior([Fraction(1, 4), Fraction(3, 4)], np.array([[Fraction(1)], [Fraction(1, 3)]])).ravel().tolist()
    [Fraction(1, 2), Fraction(1, 2)]
    """
    prior = np.array(weights, reach.dtype)[:, None]
    joint = prior * reach
    total = joint.sum(axis=0)
    found: Numbers = np.where(total > 0, joint / np.where(total > 0, total, 1), prior)
    return found


def mixture(player: int, one: Profile, other: Profile, share: Fraction) -> Profile:
    """Return the first profile with a player's strategy replaced by a mixture with that of the second one.

    share : the probability of the second one's strategy

    Against any opponents its payoffs are the means of those of the two strategies. At sets that neither reaches, the first
    one's behaviour stays. Raises LiarsDiceError without perfect recall.

    >>> from liarsdice_cli.games.liarsdice import rules, tree
    >>> from liarsdice_cli.extensive.profile import from_sets
    >>> game = tree.build(rules.rules("common", 1))
    >>> one, other = (from_sets(game, {1: [Fraction(number), 1 - Fraction(number)]}) for number in (0, 1))
    >>> [str(number) for number in mixture(0, one, other, Fraction(1, 3)).at(1)]
    ['1/3', '2/3']
    """
    tree = one.tree
    before, rows = sets_before(tree, player), np.flatnonzero(tree.infosets.player == player)
    reach = np.stack([realization(tree, of.probabilities, before, player)[before[rows]] for of in (one, other)])
    reached = (1 - share) * reach[0] + share * reach[1] > 0
    weights = posterior((1 - share, share), reach[:, reached])
    probabilities, source = one.probabilities.copy(), one.source.copy()
    for row, (first, second) in zip(rows[reached].tolist(), weights.T.tolist(), strict=True):
        own = slice(tree.first_action[row], tree.first_action[row + 1])
        probabilities[own] = first * one.probabilities[own] + second * other.probabilities[own]
        source[row] = source[row] if first else other.source[row]
    return Profile(tree, probabilities, source)
