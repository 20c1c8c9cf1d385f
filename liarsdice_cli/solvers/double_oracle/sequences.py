"""The sequence form of a restricted game, without nodes: sequences are actions of rolls after histories.

Where only one action is allowed there is no choice, hence no information set, and what follows belongs to the sequence
before. Where nothing that is allowed to the other leads, the mover calls. The payoff of a pair of sequences is the weight of
all deals in which player 1 wins the ends of a round that both lead to.
"""

from __future__ import annotations

from math import gcd

import numpy as np

from liarsdice_cli.extensive.stream import NONE, Bools, Ints, Numbers
from liarsdice_cli.solvers.double_oracle.deals import BITS
from liarsdice_cli.solvers.double_oracle.oracle import Play
from liarsdice_cli.solvers.double_oracle.restricted import RestrictedGame
from liarsdice_cli.solvers.exact.sequence_form import SequenceForm, Side

_FINEST = 20
"""Binary digits of the shares in which plans follow what is usual, at most."""


class Sequences:
    """The sequences of a restricted game as it is now.

    form   : its sequence form; `Side.action` and `Side.rows` hold numbers that stay the same as the game grows
    whole  : what a share of 1 is counted as
    comes  : for each player, integers (histories, rolls): the sequence that leads a roll to a history, NONE where none does
    shares : for each player, integers (histories, rolls): which share of the sequence does, by what is usual; 0 to `whole`
    ended  : integers (ways to end the round, histories, rolls): the sequence by which the mover does, NONE likewise
    parts  : the same of the share of it that does

    Cost: a few vector steps over the histories, and over all pairs of rolls that come to them.
    """

    def __init__(self, game: RestrictedGame) -> None:
        self.game, self.size = game, game.size
        spare = BITS - game.deals.total.bit_length()
        self.whole = 1 << (min(_FINEST, spare // 2) if spare >= 0 else _FINEST)
        self.comes = [np.full((game.size, rolls), NONE) for rolls in game.deals.rolls]
        self.shares = [np.zeros((game.size, rolls), np.int64) for rolls in game.deals.rolls]
        self.parts = np.zeros((game.first, game.size, game.width), np.int64)
        self.ended = np.full(self.parts.shape, NONE)
        self._sides = [_Numbering(), _Numbering()]
        self._pairs: list[tuple[Ints, Ints, Ints]] = []
        for player in (0, 1):
            self.comes[player][0], self.shares[player][0] = 0, self.whole
        for depth, histories in enumerate(game.levels):
            self._follow(histories, depth % 2)
        self.form = self._form()

    def _follow(self, histories: Ints, mover: int) -> None:
        """Number what the mover may do after histories of one depth, share out the rest, and settle the ends."""
        game, other, own, shares = self.game, 1 - mover, self.comes[mover], self.shares[mover]
        if histories[0] != 0:
            own[histories], shares[histories] = own[game.parent[histories]], shares[game.parent[histories]]
        met = (self.comes[other][histories] != NONE).any(axis=1, keepdims=True)
        allowed = game.allowed(histories, mover)
        free = allowed.any(axis=1) & met & (shares[histories] == self.whole)
        self._choose(histories, mover, allowed & free[:, None])
        self._share(histories, mover, (own[histories] != NONE) & ~free)
        if histories[0] != 0:
            self._settle(histories, mover, other)

    def _choose(self, histories: Ints, mover: int, allowed: Bools) -> None:
        """Number the sequences of information sets at which there is a choice."""
        game, own = self.game, self.comes[mover]
        before, size = own[histories], np.count_nonzero(allowed, axis=1)
        choice = size > 1
        place, roll, action = np.nonzero(allowed.transpose(0, 2, 1))
        history = histories[place]
        sequence, chosen = before[place, roll], choice[place, roll]
        sets = histories[np.nonzero(choice)[0]] * game.width + np.nonzero(choice)[1]
        keys = (history * game.actions + action) * game.width + roll
        sequence[chosen] = self._sides[mover].number(sets, before[choice], size[choice], keys[chosen])
        self._lead(mover, history, action, roll, sequence, np.full(len(history), self.whole))

    def _share(self, histories: Ints, mover: int, usual: Bools) -> None:
        """Share out among what is usual where nothing is allowed; the most usual action gets what rounding leaves."""
        game, whole = self.game, self.shares[mover][histories]
        shares = np.where(usual[:, None], game.as_usual(histories, mover), 0)
        parts = np.floor(shares * whole[:, None]).astype(np.int64)
        place, roll = np.nonzero(usual)
        parts[place, np.argmax(shares, axis=1)[place, roll], roll] += (whole - parts.sum(axis=1))[place, roll]
        place, action, roll = np.nonzero(parts)
        history = histories[place]
        self._lead(mover, history, action, roll, self.comes[mover][history, roll], parts[place, action, roll])

    def _lead(self, mover: int, history: Ints, action: Ints, roll: Ints, sequence: Ints, share: Ints) -> None:
        """Note where sequences lead, and what part of them."""
        ends = action < self.game.first
        self.ended[action[ends], history[ends], roll[ends]] = sequence[ends]
        self.parts[action[ends], history[ends], roll[ends]] = share[ends]
        child = self.game.child[history[~ends], action[~ends] - self.game.first]
        grown = child != NONE
        where = child[grown], roll[~ends][grown]
        self.comes[mover][where], self.shares[mover][where] = sequence[~ends][grown], share[~ends][grown]

    def _settle(self, histories: Ints, mover: int, other: int) -> None:
        """Note the deals in which player 1 wins where the round ends after these histories."""
        game, rolls = self.game, self.game.deals.rolls[mover]
        for ended, part, stands in zip(self.ended, self.parts, game.deals.stands, strict=True):
            sequences = ended[histories][:, :rolls], self.comes[other][histories]
            parts = part[histories][:, :rolls], self.shares[other][histories]
            (first, second), shares = (sequences, parts) if mover == 0 else (sequences[::-1], parts[::-1])
            wins: Bools = stands[game.last[histories]] == (other == 0)  # the bidder wins if the bid stands
            wins = wins & (first != NONE)[:, :, None] & (second != NONE)[:, None]
            place, one, two = np.nonzero(wins)
            weights = [weight * share for weight, share in zip(game.deals.weights, shares, strict=True)]
            self._pairs.append((first[place, one], second[place, two], weights[0][place, one] * weights[1][place, two]))

    def _form(self) -> SequenceForm:
        sides = [one.side() for one in self._sides]
        first, second, weight = (np.concatenate([pair[column] for pair in self._pairs]) for column in range(3))
        pairs, place = np.unique(first * sides[1].sequences + second, return_inverse=True)
        payoff = np.zeros(len(pairs), weight.dtype)
        np.add.at(payoff, place, weight)
        scale = self.game.deals.total * self.whole**2
        common = gcd(scale, int(np.gcd.reduce(payoff)))
        first, second = np.divmod(pairs, sides[1].sequences)
        return SequenceForm((sides[0], sides[1]), first, second, (payoff // common).astype(object), scale // common)

    def play(self, player: int, plan: Numbers) -> Play:
        """What a realization plan does: the weights with which each roll comes to every history, and ends the round there.

        Of a plan in integers these are integers too, `whole` times as large.
        """
        weights = np.append(plan, np.zeros(1, plan.dtype))  # at the end, for NONE
        rolls = self.game.deals.rolls[player]
        movers = (self.game.depth[: self.size] % 2 == player)[:, None]
        parts = self.shares[player], np.where(movers, self.parts[:, :, :rolls], 0)
        if plan.dtype != object:
            weights = weights / self.whole
        return Play(weights[self.comes[player]] * parts[0], weights[self.ended[:, :, :rolls] * movers] * parts[1])


class _Numbering:
    """The sequences and information sets of a player, as they are numbered."""

    def __init__(self) -> None:
        self.sequences, self.sets = 1, 0
        self.parts: list[tuple[Ints, Ints, Ints, Ints]] = []

    def number(self, sets: Ints, before: Ints, size: Ints, keys: Ints) -> Ints:
        """Number the sequences of new sets, each with so many, by their keys; returns the numbers."""
        found = self.sequences + np.arange(len(keys))
        self.parts.append((keys, self.sets + np.repeat(np.arange(len(sets)), size), sets, before))
        self.sequences, self.sets = self.sequences + len(keys), self.sets + len(sets)
        return found

    def side(self) -> Side:
        return Side(*(np.concatenate([part[column] for part in self.parts]) for column in range(4)))
