"""Behaviour profiles: a probability for every action of a game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from math import lcm

import numpy as np

from liarsdice_cli.extensive.number import real
from liarsdice_cli.extensive.renderable import Renderable
from liarsdice_cli.extensive.stream import CHANCE, Ints, Numbers
from liarsdice_cli.extensive.tree import GameTree

Probabilities = Sequence[Fraction | float]

GIVEN, EQUAL, BEST, LOCKED = 0, 1, 2, 3
"""The origin of probabilities at an information set: given by a method or a file; equal ones because none were given; a best
response because none were given (`evaluate.complete`); fixed by a lock (`locks`)."""

ROUNDING = 1e-6
"""How far floats of a distribution may be below 0, or their sum away from 1."""

MOST_NUMBERS, MOST_BITS = 100_000, 20_000_000
"""The limits of `allows_fractions`: how many numbers are computed in fractions, and their bits together."""


@dataclass(frozen=True, eq=False)
class Profile(Renderable):
    """Every player's behaviour strategy, and chance's probabilities.

    tree          : the game
    probabilities : one entry an action, in the order of `GameTree.first_action`; Fractions (dtype object) or float64
    source        : for every information set the origin of its probabilities: GIVEN, EQUAL, BEST or LOCKED

    >>> from liarsdice_cli.games.liarsdice import rules, tree
    >>> profile = from_sets(tree.build(rules.rules("common", 1)), {})
    >>> profile["P2 roll 1 after 1x1"]
    {'call': Fraction(1, 2), '2x1': Fraction(1, 2)}
    """

    tree: GameTree
    probabilities: Numbers
    source: Ints

    @property
    def exact(self) -> bool:
        """Whether the probabilities are fractions."""
        return self.probabilities.dtype == object

    def at(self, row: int) -> list[Fraction | float]:
        """Return the probabilities at the information set in a row, in the order of its actions."""
        return list(self.probabilities[self.tree.first_action[row] : self.tree.first_action[row + 1]])

    def __getitem__(self, name: str) -> dict[str, Fraction | float]:
        """Return the probability of every action at an information set, by a name for `GameTree.row_called`; raises as that."""
        row = self.tree.row_called(name)
        return dict(zip(self.tree.actions_at(row).names, self.at(row), strict=True))

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of the players' information sets."""
        return (self.tree.label_of(row) for row in np.flatnonzero(self.tree.infosets.player != CHANCE).tolist())

    def __repr__(self) -> str:
        return f"Profile({'in fractions' if self.exact else 'in floats'}, of {self.tree!r})"

    def count(self, source: int) -> int:
        """Return the number of information sets whose probabilities have this origin."""
        return int(np.count_nonzero(self.source == source))

    def in_floats(self) -> Profile:
        """Return the same profile with probabilities in float64."""
        return replace(self, probabilities=self.probabilities.astype(np.float64))

    def on(self, tree: GameTree) -> Profile:
        """Return the same probabilities in a game with the same actions, whose movers and payoffs may differ."""
        return replace(self, tree=tree)


def from_sets(tree: GameTree, given: Mapping[int, Probabilities]) -> Profile:
    """Return the profile with the given probabilities, by the row of the information set.

    The profile is exact if all numbers are fractions or integers. Sets that are missing, or whose numbers are no distribution,
    get equal probabilities and are marked EQUAL. Rounding errors in floats are corrected. Raises TypeError for complex numbers.

    >>> from liarsdice_cli.games.liarsdice import rules, tree
    >>> game = tree.build(rules.rules("common", 1))
    >>> profile = from_sets(game, {1: [Fraction(1), Fraction(0)]})
    >>> [[str(number) for number in profile.at(row)] for row in (1, 2, 3)], profile.source.tolist()
    ([['1', '0'], ['1'], ['1/2', '1/2']], [0, 0, 1, 1, 1])
    """
    exact = all(isinstance(number, Fraction | int) for numbers in given.values() for number in numbers)
    probabilities = np.empty(tree.actions, object if exact else np.float64)
    source = np.full(len(tree.infosets), GIVEN)
    bounds = tree.first_action.tolist()
    for row, (start, stop) in enumerate(pairwise(bounds)):
        if tree.infosets.player[row] == CHANCE:
            probabilities[start:stop] = tree.chance_probabilities[start:stop]
            continue
        numbers = _distribution(given.get(row, ()), stop - start)
        source[row] = EQUAL if numbers is None else GIVEN
        probabilities[start:stop] = [Fraction(1, stop - start)] * (stop - start) if numbers is None else numbers
    return Profile(tree, probabilities, source)


def allows_fractions(profile: Profile, numbers: int) -> bool:
    """Return whether this many numbers can be computed in fractions from a profile within seconds.

    The profile must be exact, and the numbers times the bits of its common denominator at most `MOST_BITS`.

    >>> from liarsdice_cli.games.liarsdice import rules, tree
    >>> profile = from_sets(tree.build(rules.rules("common", 1)), {})
    >>> allows_fractions(profile, MOST_NUMBERS), allows_fractions(profile, MOST_NUMBERS + 1)
    (True, False)
    """
    if not profile.exact or numbers > MOST_NUMBERS:
        return False
    common = 1
    for denominator in {number.denominator for number in profile.probabilities}:
        common = lcm(common, denominator)
        if common.bit_length() * numbers > MOST_BITS:
            return False
    return True


def is_distribution(numbers: Probabilities) -> bool:
    """Return whether the numbers are at least 0 and add up to 1, floats up to rounding.

    >>> is_distribution([0.5, 0.5]), is_distribution([Fraction(2), Fraction(-1)])
    (True, False)
    """
    return _distribution(numbers, len(numbers)) is not None


def _distribution(numbers: Probabilities, size: int) -> Probabilities | None:
    """Return the numbers, without rounding errors, if they are a distribution over `size` actions; otherwise None."""
    if len(numbers) != size:
        return None
    if all(isinstance(number, Fraction | int) for number in numbers):
        return [Fraction(number) for number in numbers] if min(numbers) >= 0 and sum(numbers) == 1 else None
    try:
        floats = real(numbers).tolist()
    except OverflowError:
        return None
    total = sum(floats)
    if not (min(floats) >= -ROUNDING and abs(total - 1) <= ROUNDING):  # written so that nan fails
        return None
    floats = [max(number, 0.0) for number in floats]
    return [number / sum(floats) for number in floats]
