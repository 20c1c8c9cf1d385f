"""Trembling plans: realization plans whose weights are polynomials in a tremble ε, compared near 0.

Every player plays every sequence of k own actions with weight at least ε^k. If plans are an equilibrium under this condition
for every small ε > 0, their limit as ε tends to 0 is a quasi-perfect equilibrium. It is optimal at every information set, also
at those that are not reached, against opponents who may have made mistakes before and may make them again.

A polynomial is the list of its coefficients, that of ε^0 first. Near 0 its sign is that of the first coefficient that is not 0.
The judge here uses one integer for it: its value at ε = 1 / 2^d, times 2^(d degree), with d large enough to keep the sign
(Kronecker's substitution). So the judge's arithmetic works for polynomials, and comparing two integers is a proof.

Source: van Damme (1984), "A relation between perfect equilibria in extensive form games and proper equilibria in normal form
games"; Miltersen and Sorensen (2010), "Computing a quasi-perfect equilibrium of a two-player game", Economic Theory 42.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.evaluate import Judgement, Path, action_values, judge, payoff_nodes, payoffs_of, scaled
from liarsdice_cli.extensive.number import convolved
from liarsdice_cli.extensive.profile import EQUAL, GIVEN, LOCKED, Profile
from liarsdice_cli.extensive.recall import last_action, of_two_with_recall, sets_before
from liarsdice_cli.extensive.stream import CHANCE, NONE, Bools, Ints, Numbers
from liarsdice_cli.extensive.tree import GameTree

MISTAKE = 1e-12
"""In the result of `with_mistakes`, a probability below this is that of a mistake."""


@dataclass(frozen=True, eq=False, repr=False)
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
    """Return for every action the length of its sequence: its own and the player's actions before it. Needs perfect recall.

    The last entry is 0, for NONE.

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
    """Return for every information set of a player whether chance can lead there."""
    reached = tree.along_path((tree.chance_probabilities != 0).astype(bool)[tree.action], np.logical_and)
    possible = np.zeros(len(tree.infosets) + 1, bool)
    possible[tree.infoset[reached]] = True
    players: Bools = possible[:-1] & (tree.infosets.player != CHANCE)
    return players


def is_equilibrium(tree: GameTree, weights: Numbers) -> bool:
    """Return whether trembling plans are proved to be an equilibrium under the trembles, for every small ε > 0.

    weights : Fractions (actions + 1, degree + 1): for every action of a player the coefficients of its weight in that
              player's realization plan, anything for chance; at the end, for NONE, those of 1

    For two players with constant sum and perfect recall. The proof is in integers. It shows that weights add up at every set
    that chance can lead to, that none is below its tremble, and that an action with a larger weight is a best response to the
    other plan. Cost: that of `evaluate.judge` in integers of (degree + 1) times some hundred bits.
    """
    missing = max(int(np.max(lengths(tree))) + 1 - weights.shape[1], 0)
    none = np.full((len(weights), missing), Fraction(0), object)  # numpy's own zeros would not be Python's
    judge = _Judge.of(tree, np.concatenate([weights, none], axis=1))
    return judge.are_plans() and all(judge.is_best(player) for player in (0, 1))


def judge_refined(profile: Profile) -> Judgement:
    """Return the result of `evaluate.judge`; for a refined profile, a `RefinedJudgement`.

    A profile is proved to be quasi-perfect if its perturbed plans are an equilibrium of the perturbed game and the profile is
    their limit. A locked profile in the game without the lock gets a plain judgement: its plans belong to the locked game.
    """
    tree, judgement = profile.tree, judge(profile)
    locked = (profile.source == LOCKED) & (tree.infosets.player != CHANCE)
    if not isinstance(profile, RefinedProfile) or locked.any():
        return judgement
    proved = of_two_with_recall(tree) and is_equilibrium(tree, profile.weights)
    same = proved and np.array_equal(limit(tree, profile.weights).probabilities, profile.probabilities)
    return RefinedJudgement.of(judgement, same)


def limit(tree: GameTree, weights: Numbers) -> RefinedProfile:
    """Return the limit of trembling plans: at every set that chance can lead to, the ratio of the weights as ε tends to 0.

    Other sets get equal probabilities and are marked EQUAL.
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


def with_locked_actions(tree: GameTree, weights: Numbers, lock: Mapping[int, Sequence[Fraction]]) -> Numbers:
    """Return plans of the locked game as plans of the game: each weight times the player's locked probabilities before it.

    weights : of the locked game, as `is_equilibrium` takes them; all players have perfect recall in the game
    lock    : the probabilities of all actions at the locked sets, by their rows
    """
    before, found, share = _before(tree), weights.copy(), np.full(tree.actions + 1, Fraction(1), object)
    for player in range(len(tree.players)):
        for row in tree.sets_of(player):
            earlier, own = before[row], slice(tree.first_action[row], tree.first_action[row + 1])
            if row in lock:
                numbers = np.array(lock[row], object)
                share[own], found[own] = share[earlier] * numbers, numbers[:, None] * found[earlier]
            else:
                share[own] = share[earlier]
                found[own] = weights[own] * share[earlier]
    return found


def likeliest_mistakes(profile: RefinedProfile, player: int, nodes: Ints, chance: Numbers) -> Numbers:
    """Return the counterfactual reach probabilities of nodes by trembling plans as ε tends to 0, up to a common factor.

    player : the player whose own actions do not count; the plans of all opponents do
    chance : for each node the product of chance's probabilities on the path to it

    These are the coefficients of the lowest power of ε that is positive at any of the nodes; 0 everywhere if there is none.
    """
    found = chance[:, None]
    for other in set(range(len(profile.tree.players))) - {player}:
        found = convolved(found, profile.weights[last_action(profile.tree, other)[nodes]])
    likeliest: Numbers = next((power for power in found.T if np.any(power != 0)), found[:, 0])
    return likeliest


def with_mistakes(profile: Profile) -> Numbers:
    """Return the probabilities in floats, with a tiny probability for each action that is taken only by mistake.

    So beliefs after mistakes can be computed like all others, up to `MISTAKE`. The probabilities of a profile without trembling
    plans are returned unchanged. Needs perfect recall.
    """
    if not isinstance(profile, RefinedProfile):
        return profile.probabilities
    tree = profile.tree
    before, probabilities = _before(tree), profile.probabilities.astype(np.float64)
    tremble = 0.5 ** min(64, 900 // profile.weights.shape[1])  # so that no product of mistakes is lost
    try:
        weights = profile.weights.astype(np.float64)
    except OverflowError as error:
        raise LiarsDiceError("a weight of the profile is too large for a float: solve the game again") from error
    weights = weights @ tremble ** np.arange(profile.weights.shape[1])
    reached = np.append(weights[before], 0.0)[tree.action_infoset]
    mistakes = np.divide(weights[:-1], reached, out=np.zeros(tree.actions), where=reached > 0)
    return np.where((probabilities == 0) & (tree.action_player != CHANCE), mistakes, probabilities)


class _Judge:
    """Plans in integers: every polynomial is one number with the sign of the polynomial near 0.

    weighed : for each player the payoff at every payoff node times chance's reach probability
    """

    def __init__(self, tree: GameTree, plan: Numbers, tremble: Numbers, weighed: list[Numbers]) -> None:
        self.tree, self.plan, self.tremble, self.weighed = tree, plan, tremble, weighed
        self.before, self.possible = _before(tree), possible_sets(tree)

    @classmethod
    def of(cls, tree: GameTree, weights: Numbers) -> _Judge:
        """Return the judge of these polynomials, as integers large enough for the sums that are compared."""
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
        """Return whether the weights add up and none is below its tremble."""
        if self.plan[NONE] != self.tremble[NONE]:
            return False
        for row in np.flatnonzero(self.possible).tolist():
            actions = slice(self.tree.first_action[row], self.tree.first_action[row + 1])
            if self.plan[actions].sum() != self.plan[self.before[row]] or np.any(self.plan[actions] < self.tremble[actions]):
                return False
        return True

    def is_best(self, player: int) -> bool:
        """Return whether every action with more weight than its tremble is a best response to the other plan."""
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
    """Return for every information set the player's last action before it; all players must have perfect recall."""
    before = np.full(len(tree.infosets), NONE, np.int64)
    for player in range(len(tree.players)):
        before = np.where(tree.infosets.player == player, sets_before(tree, player), before)
    return before
