"""The sequence form of a restricted game, without nodes: sequences are actions of rolls after histories.

A history with only one allowed action is no choice and hence no information set: what follows belongs to the sequence before.
If no allowed action of the other player leads to a history, its mover calls. The payoff of a pair of sequences is the weight of
all deals in which player 1 wins the showdowns to which both lead.
"""

from __future__ import annotations

from math import gcd

import numpy as np

from liarsdice_cli.extensive.stream import NONE, Bools, Ints, Numbers
from liarsdice_cli.solvers.double_oracle.oracle import ReachPlan
from liarsdice_cli.solvers.double_oracle.restricted import RestrictedGame
from liarsdice_cli.solvers.double_oracle.showdowns import BITS
from liarsdice_cli.solvers.exact.sequence_form import SequenceForm, Side

_FINEST = 20
"""Most binary digits of the shares in which plans follow the default strategy."""


class Sequences:
    """The sequences of a restricted game as it is now.

    form     : its sequence form; `Side.action` and `Side.rows` hold numbers that stay the same as the game grows
    whole    : integer that stands for a share of 1
    arriving : for each player, integers (histories, rolls): the sequence with which a roll reaches a history, NONE if none does
    shares   : for each player, integers (histories, rolls): share of that sequence that does, by the default strategy, from 0
               to `whole`
    ended    : integers (actions that end the round, histories, rolls): the sequence that ends the round there, or NONE
    parts    : share of that sequence that does, as in `shares`

    Cost: a few vector steps over the histories, and over all pairs of rolls that reach them.
    """

    def __init__(self, game: RestrictedGame) -> None:
        self.game, self.size = game, game.size
        spare = BITS - game.showdowns.total.bit_length()
        self.whole = 1 << (min(_FINEST, spare // 2) if spare >= 0 else _FINEST)
        self.arriving = [np.full((game.size, rolls), NONE) for rolls in game.showdowns.rolls]
        self.shares = [np.zeros((game.size, rolls), np.int64) for rolls in game.showdowns.rolls]
        self.parts = np.zeros((game.first, game.size, game.width), np.int64)
        self.ended = np.full(self.parts.shape, NONE)
        self._sides = [_Numbering(), _Numbering()]
        self._pairs: list[tuple[Ints, Ints, Ints]] = []
        for player in (0, 1):
            self.arriving[player][0], self.shares[player][0] = 0, self.whole
        for depth, histories in enumerate(game.levels):
            self._follow(histories, depth % 2)
        self.form = self._form()

    def _follow(self, histories: Ints, mover: int) -> None:
        """Number the mover's sequences after histories of one depth, divide the rest by the default strategy, and settle."""
        game, other, own, shares = self.game, 1 - mover, self.arriving[mover], self.shares[mover]
        if histories[0] != 0:
            own[histories], shares[histories] = own[game.parent[histories]], shares[game.parent[histories]]
        met = (self.arriving[other][histories] != NONE).any(axis=1, keepdims=True)
        allowed = game.allowed(histories, mover)
        free = allowed.any(axis=1) & met & (shares[histories] == self.whole)
        self._choose(histories, mover, allowed & free[:, None])
        self._share(histories, mover, (own[histories] != NONE) & ~free)
        if histories[0] != 0:
            self._settle(histories, mover, other)

    def _choose(self, histories: Ints, mover: int, allowed: Bools) -> None:
        """Number the sequences of information sets with a choice."""
        game, own = self.game, self.arriving[mover]
        before, size = own[histories], np.count_nonzero(allowed, axis=1)
        choice = size > 1
        place, roll, action = np.nonzero(allowed.transpose(0, 2, 1))
        history = histories[place]
        sequence, chosen = before[place, roll], choice[place, roll]
        sets = histories[np.nonzero(choice)[0]] * game.width + np.nonzero(choice)[1]
        keys = (history * game.actions + action) * game.width + roll
        sequence[chosen] = self._sides[mover].number(sets, before[choice], size[choice], keys[chosen])
        self._lead(mover, history, action, roll, sequence, np.full(len(history), self.whole))

    def _share(self, histories: Ints, mover: int, default: Bools) -> None:
        """Divide sequences among the default actions; the most probable one gets the remainder of the rounding."""
        game, whole = self.game, self.shares[mover][histories]
        shares = np.where(default[:, None], game.defaults(histories, mover), 0)
        parts = np.floor(shares * whole[:, None]).astype(np.int64)
        place, roll = np.nonzero(default)
        parts[place, np.argmax(shares, axis=1)[place, roll], roll] += (whole - parts.sum(axis=1))[place, roll]
        place, action, roll = np.nonzero(parts)
        history = histories[place]
        self._lead(mover, history, action, roll, self.arriving[mover][history, roll], parts[place, action, roll])

    def _lead(self, mover: int, history: Ints, action: Ints, roll: Ints, sequence: Ints, share: Ints) -> None:
        """Record which histories and endings sequences lead to, and with which shares."""
        ends = action < self.game.first
        self.ended[action[ends], history[ends], roll[ends]] = sequence[ends]
        self.parts[action[ends], history[ends], roll[ends]] = share[ends]
        child = self.game.child[history[~ends], action[~ends] - self.game.first]
        expanded = child != NONE
        where = child[expanded], roll[~ends][expanded]
        self.arriving[mover][where], self.shares[mover][where] = sequence[~ends][expanded], share[~ends][expanded]

    def _settle(self, histories: Ints, mover: int, other: int) -> None:
        """Record the deals that player 1 wins if the round ends after these histories."""
        game, rolls = self.game, self.game.showdowns.rolls[mover]
        for ended, part, stands in zip(self.ended, self.parts, game.showdowns.stands, strict=True):
            sequences = ended[histories][:, :rolls], self.arriving[other][histories]
            parts = part[histories][:, :rolls], self.shares[other][histories]
            (first, second), shares = (sequences, parts) if mover == 0 else (sequences[::-1], parts[::-1])
            wins: Bools = stands[game.last[histories]] == (other == 0)  # the bidder wins if the bid stands
            wins = wins & (first != NONE)[:, :, None] & (second != NONE)[:, None]
            place, one, two = np.nonzero(wins)
            weights = [weight * share for weight, share in zip(game.showdowns.weights, shares, strict=True)]
            self._pairs.append((first[place, one], second[place, two], weights[0][place, one] * weights[1][place, two]))

    def _form(self) -> SequenceForm:
        sides = [one.side() for one in self._sides]
        first, second, weight = (np.concatenate([pair[column] for pair in self._pairs]) for column in range(3))
        pairs, place = np.unique(first * sides[1].sequences + second, return_inverse=True)
        payoff = np.zeros(len(pairs), weight.dtype)
        np.add.at(payoff, place, weight)
        scale = self.game.showdowns.total * self.whole**2
        common = gcd(scale, int(np.gcd.reduce(payoff)))
        first, second = np.divmod(pairs, sides[1].sequences)
        return SequenceForm((sides[0], sides[1]), first, second, (payoff // common).astype(object), scale // common)

    def reach_plan(self, player: int, plan: Numbers) -> ReachPlan:
        """Return the reach probabilities of a realization plan, of every history and every end of the round.

        A plan in integers has integer reach probabilities, multiplied by `whole`.
        """
        weights = np.append(plan, np.zeros(1, plan.dtype))  # at the end, for NONE
        rolls = self.game.showdowns.rolls[player]
        movers = (self.game.depth[: self.size] % 2 == player)[:, None]
        parts = self.shares[player], np.where(movers, self.parts[:, :, :rolls], 0)
        if plan.dtype != object:
            weights = weights / self.whole
        return ReachPlan(weights[self.arriving[player]] * parts[0], weights[self.ended[:, :, :rolls] * movers] * parts[1])


class _Numbering:
    """Numbers the sequences and information sets of a player."""

    def __init__(self) -> None:
        self.sequences, self.sets = 1, 0
        self.parts: list[tuple[Ints, Ints, Ints, Ints]] = []

    def number(self, sets: Ints, before: Ints, size: Ints, keys: Ints) -> Ints:
        """Number the sequences of new sets, each with a `size`, by their keys; return the numbers."""
        found = self.sequences + np.arange(len(keys))
        self.parts.append((keys, self.sets + np.repeat(np.arange(len(sets)), size), sets, before))
        self.sequences, self.sets = self.sequences + len(keys), self.sets + len(sets)
        return found

    def side(self) -> Side:
        return Side(*(np.concatenate([part[column] for part in self.parts]) for column in range(4)))
