"""Plans that tremble: realization plans whose weights are polynomials in a tremble ε, compared near 0.

Everybody plays every sequence of k own actions with weight at least ε^k. An equilibrium under this condition for every small
ε > 0 tends, as ε does to 0, to a quasi-perfect equilibrium: one whose choices are best at every information set, also at those
that nobody reaches, against others who may have erred before and may err again.

A polynomial is the list of its coefficients, that of ε^0 first; near 0 its sign is that of the first which is not 0. Here it
is one integer: its value at ε = 1 / 2^d, times 2^(d degree), with so large a d that the sign is the same (Kronecker's
substitution). So the judge's arithmetic serves polynomials too, and a comparison of two integers is a proof.

Source: van Damme (1984), "A relation between perfect equilibria in extensive form games and proper equilibria in normal form
games"; Miltersen and Sorensen (2010), "Computing a quasi-perfect equilibrium of a two-player game", Economic Theory 42.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from liarsdice_cli.extensive.evaluate import Judgement, Path, action_values, judge, payoff_nodes, payoffs_of, scaled
from liarsdice_cli.extensive.profile import EQUAL, GIVEN, LOCKED, Profile
from liarsdice_cli.extensive.recall import has_perfect_recall, last_action, remembered
from liarsdice_cli.extensive.stream import CHANCE, NONE, Bools, Ints, Numbers
from liarsdice_cli.extensive.tree import GameTree

MISTAKE = 1e-12
"""A probability below this is that of a mistake, where `with_mistakes` has put some in."""


@dataclass(frozen=True, eq=False)
class RefinedProfile(Profile):
    """A profile that is claimed to be the limit of perturbed plans, and these plans.

    weights : as `is_equilibrium` takes them
    """

    weights: Numbers


@dataclass(frozen=True)
class RefinedJudgement(Judgement):
    """The judgement of a refined profile.

    quasi_perfect : whether its plans prove that the profile is a quasi-perfect equilibrium
    """

    quasi_perfect: bool = False

    @classmethod
    def of(cls, judgement: Judgement, quasi_perfect: bool) -> RefinedJudgement:
        """Add the answer to a judgement."""
        return cls(**vars(judgement), quasi_perfect=quasi_perfect)


def lengths(tree: GameTree) -> Ints:
    """For every action how many actions of its player lead up to and through it; 0 at the end, for NONE. Needs perfect recall.

    >>> from liarsdice_cli.games.liarsdice import rules, tree
    >>> lengths(tree.build(rules.rules("common", 1))).tolist()
    [1, 1, 1, 2, 1, 1, 1, 0]
    """
    length = np.zeros(tree.actions + 1, np.int64)
    before = _before(tree)
    for row, start in enumerate(tree.first_action[:-1].tolist()):
        length[start : tree.first_action[row + 1]] = length[before[row]] + 1
    return length


def possible_sets(tree: GameTree) -> Bools:
    """For every information set of a player whether chance lets play come there."""
    comes = tree.along_path((tree.chance_probabilities != 0).astype(bool)[tree.action], np.logical_and)
    possible = np.zeros(len(tree.infosets) + 1, bool)
    possible[tree.infoset[comes]] = True
    players: Bools = possible[:-1] & (tree.infosets.player != CHANCE)
    return players


def is_equilibrium(tree: GameTree, weights: Numbers) -> bool:
    """Whether plans that tremble are an equilibrium under the trembles, for every small ε > 0: a proof, in integers.

    weights : Fractions (actions + 1, degree + 1): for every action of a player the coefficients of its weight in that
              player's realization plan, anything for chance; at the end, for NONE, those of 1

    For two players with constant sum and perfect recall. What is shown: weights add up at every set that chance lets play
    come to; none is below its tremble; and where one is above it, its action is best against the other's plan. Cost: that of
    `evaluate.judge` in integers of (degree + 1) times some hundred binary digits.
    """
    missing = max(int(np.max(lengths(tree))) + 1 - weights.shape[1], 0)
    none = np.full((len(weights), missing), Fraction(0), object)  # numpy's own zeros would not be Python's
    judge = _Judge.of(tree, np.concatenate([weights, none], axis=1))
    return judge.are_plans() and all(judge.is_best(player) for player in (0, 1))


def judge_refined(profile: Profile) -> Judgement:
    """Return the judgement of a profile; for a refined one, a `RefinedJudgement`.

    A profile is proved to be quasi-perfect if its perturbed plans are an equilibrium of the perturbed game and the profile is
    their limit. A locked profile in the game without the lock gets a plain judgement: its plans belong to the locked game.
    """
    tree, judgement = profile.tree, judge(profile)
    locked = (profile.source == LOCKED) & (tree.infosets.player != CHANCE)
    if not isinstance(profile, RefinedProfile) or locked.any():
        return judgement
    two = len(tree.players) == 2 and tree.constant_sum is not None and has_perfect_recall(tree)
    proved = two and is_equilibrium(tree, profile.weights)
    same = proved and np.array_equal(limit(tree, profile.weights).probabilities, profile.probabilities)
    return RefinedJudgement.of(judgement, same)


def limit(tree: GameTree, weights: Numbers) -> RefinedProfile:
    """The behaviour to which plans that tremble tend: at every set that chance lets play come to, the ratio of the weights.

    Elsewhere, and only there, equal probabilities stand, marked EQUAL.
    """
    before, possible = _before(tree), possible_sets(tree)
    probabilities = np.array(tree.chance_probabilities[:-1], object)
    source = np.full(len(tree.infosets), GIVEN)
    for row in np.flatnonzero(tree.infosets.player != CHANCE).tolist():
        actions = slice(tree.first_action[row], tree.first_action[row + 1])
        size = int(tree.action_counts[row])
        if possible[row]:
            reached = weights[before[row]].tolist()
            order = next(power for power, weight in enumerate(reached) if weight)
            probabilities[actions] = weights[actions, order] / reached[order]
        else:
            probabilities[actions] = [Fraction(1, size)] * size
            source[row] = EQUAL
    return RefinedProfile(tree, probabilities, source, weights)


def likeliest_mistakes(profile: RefinedProfile, player: int, nodes: Ints, chance: Numbers) -> Numbers:
    """Return how likely play is to reach each node by all but one player's plans that tremble, up to a common factor.

    player : whose own actions do not count; the plans of all others do, however many they are
    chance : for each node the product of chance's probabilities on the path to it

    These are the coefficients of the lowest power of ε that reaches any of the nodes; 0 everywhere if none does.
    """
    found = chance[:, None]
    for other in set(range(len(profile.tree.players))) - {player}:
        found = _products(found, profile.weights[last_action(profile.tree, other)[nodes]])
    likeliest: Numbers = next((power for power in found.T if np.any(power != 0)), found[:, 0])
    return likeliest


def _products(one: Numbers, other: Numbers) -> Numbers:
    """Return the products of polynomials, row by row; a column is a power."""
    found = np.zeros((len(one), one.shape[1] + other.shape[1] - 1), object)
    for power in range(other.shape[1]):
        found[:, power : power + one.shape[1]] += one * other[:, power, None]
    return found


def with_mistakes(profile: Profile) -> Numbers:
    """The probabilities in floats, with mistakes: what is only taken by mistake has a probability too small to matter.

    So beliefs after mistakes can be computed as all others are, up to `MISTAKE`. A profile without plans that tremble stays
    as it is. Needs perfect recall.
    """
    if not isinstance(profile, RefinedProfile):
        return profile.probabilities
    tree = profile.tree
    before, probabilities = _before(tree), profile.probabilities.astype(np.float64)
    tremble = 0.5 ** min(64, 900 // profile.weights.shape[1])  # so that no product of mistakes is lost
    weights = profile.weights.astype(np.float64) @ tremble ** np.arange(profile.weights.shape[1])
    reached = np.append(weights[before], 0.0)[tree.action_infoset]
    mistakes = np.divide(weights[:-1], reached, out=np.zeros(tree.actions), where=reached > 0)
    return np.where((probabilities == 0) & (tree.action_player != CHANCE), mistakes, probabilities)


class _Judge:
    """Plans in integers: every polynomial is one number, and its sign that of the polynomial near 0.

    weighed : for each player the payoff at every payoff node times chance's share in the way there
    """

    def __init__(self, tree: GameTree, plan: Numbers, tremble: Numbers, weighed: list[Numbers]) -> None:
        self.tree, self.plan, self.tremble, self.weighed = tree, plan, tremble, weighed
        self.before, self.possible = _before(tree), possible_sets(tree)

    @classmethod
    def of(cls, tree: GameTree, weights: Numbers) -> _Judge:
        """Polynomials as integers, with room for the sums that are compared."""
        degree = weights.shape[1] - 1
        numerators, denominator = scaled(weights.ravel())
        numerators = numerators.reshape(weights.shape)
        largest = int(np.max(np.abs(numerators))) if len(numerators) else denominator
        chance = Path.of(tree, tree.chance_probabilities[:-1], CHANCE).reach.values
        weighed = [payoffs_of(tree, player, exact=True).values * chance for player in (0, 1)]
        terms = max(int(np.abs(one).sum()) for one in weighed), int(np.max(tree.action_counts, initial=0)) + 1
        room = 2 * max(terms) * (largest + denominator)
        digits = room.bit_length() + 1
        plan = np.zeros(len(weights), object)
        for power in range(degree + 1):
            plan = plan * (1 << digits) + numerators[:, power]
        tremble = [denominator << digits * (degree - length) for length in lengths(tree).tolist()]
        return cls(tree, plan, np.array(tremble, object), weighed)

    def are_plans(self) -> bool:
        """Whether the weights add up, and none is below its tremble."""
        if self.plan[NONE] != self.tremble[NONE]:
            return False
        for row in np.flatnonzero(self.possible).tolist():
            actions = slice(self.tree.first_action[row], self.tree.first_action[row + 1])
            if self.plan[actions].sum() != self.plan[self.before[row]] or np.any(self.plan[actions] < self.tremble[actions]):
                return False
        return True

    def is_best(self, player: int) -> bool:
        """Whether every action that the player takes more often than its tremble is best against the other's plan."""
        tree, nodes = self.tree, payoff_nodes(self.tree)
        weighed = self.weighed[player] * self.plan[last_action(tree, 1 - player)[nodes]]
        own = last_action(tree, player)
        values = action_values(tree, weighed, player, own[nodes], self.before)
        for row in np.flatnonzero(self.possible & (tree.infosets.player == player)).tolist():
            actions = range(tree.first_action[row], tree.first_action[row + 1])
            best = max(values[actions.start : actions.stop])
            if any(values[action] != best and self.plan[action] != self.tremble[action] for action in actions):
                return False
        return True


def _before(tree: GameTree) -> Ints:
    """For every information set of a player the player's last action before it; both must have perfect recall."""
    before = np.full(len(tree.infosets), NONE, np.int64)
    for player in range(len(tree.players)):
        own = remembered(tree, last_action(tree, player), player)
        assert own is not None, "asked only with perfect recall"
        before = np.where(tree.infosets.player == player, own, before)
    return before
