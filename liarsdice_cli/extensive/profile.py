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
"""Where probabilities come from: the method; none were given and equal ones stand there; none were given and a best
response to the others does (`evaluate.complete`); they were fixed before (`locks`)."""

ROUNDING = 1e-6
"""How far floats may miss 0 or add up to something else than 1 before they are no distribution."""

MOST_NUMBERS, MOST_BITS = 100_000, 20_000_000
"""The most numbers that are computed in fractions, and the most bits of all of them together; see `allows_fractions`."""


@dataclass(frozen=True, eq=False)
class Profile(Renderable):
    """What every player does at each of their information sets, and chance's own probabilities.

    tree          : the game
    probabilities : one entry an action, in the order of `GameTree.first_action`; Fractions (dtype object) or float64
    source        : for every information set where its probabilities come from: GIVEN, EQUAL, BEST or LOCKED
    weights       : the plans that tremble to whose limit the profile is, which prove a refinement (`extensive.trembles`);
                    mostly None

    >>> from liarsdice_cli.games.liarsdice import rules, tree
    >>> profile = from_sets(tree.build(rules.rules("common", 1)), {})
    >>> profile["P2 roll 1 after 1x1"]
    {'call': Fraction(1, 2), '2x1': Fraction(1, 2)}
    """

    tree: GameTree
    probabilities: Numbers
    source: Ints
    weights: Numbers | None = None

    @property
    def exact(self) -> bool:
        """Whether the probabilities are fractions."""
        return self.probabilities.dtype == object

    def at(self, row: int) -> list[Fraction | float]:
        """The probabilities at the information set in a row, in the order of its actions."""
        return list(self.probabilities[self.tree.first_action[row] : self.tree.first_action[row + 1]])

    def __getitem__(self, name: str) -> dict[str, Fraction | float]:
        """The probability of every action at an information set, named as `GameTree.row_called` finds it; raises as that."""
        row = self.tree.row_called(name)
        return dict(zip(self.tree.actions_at(row).labels, self.at(row), strict=True))

    def __iter__(self) -> Iterator[str]:
        """The names of the players' information sets."""
        return (self.tree.label_of(row) for row in np.flatnonzero(self.tree.infosets.player != CHANCE).tolist())

    def __repr__(self) -> str:
        return f"Profile({'in fractions' if self.exact else 'in floats'}, of {self.tree!r})"

    def count(self, source: int) -> int:
        """The number of information sets whose probabilities come from there."""
        return int(np.count_nonzero(self.source == source))

    def in_floats(self) -> Profile:
        """Return the same profile with probabilities in float64."""
        return replace(self, probabilities=self.probabilities.astype(np.float64))

    def on(self, tree: GameTree) -> Profile:
        """The same behaviour in a game with the same actions, in which others may move or be paid."""
        return replace(self, tree=tree)


def from_sets(tree: GameTree, given: Mapping[int, Probabilities]) -> Profile:
    """The profile with the given probabilities, by the row of the information set.

    The profile is exact if all numbers are fractions or integers. Sets that are missing, or where the numbers are no
    distribution, get equal probabilities and are marked EQUAL; floats that miss one by rounding are mended. TypeError for
    complex numbers.

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
    """Whether the numbers are from 0 and add up to 1, floats up to rounding.

    >>> is_distribution([0.5, 0.5]), is_distribution([Fraction(2), Fraction(-1)])
    (True, False)
    """
    return _distribution(numbers, len(numbers)) is not None


def _distribution(numbers: Probabilities, size: int) -> Probabilities | None:
    """The numbers if they are a distribution over so many actions, floats cleared of rounding; else None."""
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
