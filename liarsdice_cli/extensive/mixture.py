"""One strategy or another by a coin that nobody sees, as behaviour."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from liarsdice_cli.extensive.evaluate import realization
from liarsdice_cli.extensive.profile import Profile
from liarsdice_cli.extensive.strategic_form import sets_before


def mixture(player: int, one: Profile, other: Profile, share: Fraction) -> Profile:
    """The first profile, in which a player plays the other's part with probability `share`, drawn before the game.

    What comes of it is the mean of what comes of both parts, against anybody, by the realization plans. Where neither part
    leads the first one's behaviour stays. Raises LiarsDiceError without perfect recall.
    Source: Kuhn (1953), "Extensive games and the problem of information", theorem 4.

    >>> from liarsdice_cli.games.liarsdice import rules, tree
    >>> from liarsdice_cli.extensive.profile import from_sets
    >>> game = tree.build(rules.rules("common", 1))
    >>> one, other = (from_sets(game, {1: [Fraction(number), 1 - Fraction(number)]}) for number in (0, 1))
    >>> [str(number) for number in mixture(0, one, other, Fraction(1, 3)).at(1)]
    ['1/3', '2/3']
    """
    tree = one.tree
    before = sets_before(tree, player)
    plans = [realization(tree, profile.probabilities, before, player) for profile in (one, other)]
    plan = plans[0] * (1 - share) + plans[1] * share
    probabilities, source = one.probabilities.copy(), one.source.copy()
    for row in np.flatnonzero(tree.infosets.player == player).tolist():
        if plan[before[row]]:
            own = slice(tree.first_action[row], tree.first_action[row + 1])
            probabilities[own] = plan[own] / plan[before[row]]
            source[row] = other.source[row] if not plans[0][before[row]] else source[row]
    return Profile(tree, probabilities, source)
