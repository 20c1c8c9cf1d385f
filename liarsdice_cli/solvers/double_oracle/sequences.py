"""The sequence form of a restricted game, without nodes: sequences are actions of rolls after histories.

Where only one action is allowed there is no choice, hence no information set, and what follows belongs to the sequence
before. Where nothing that is allowed to the other leads, the mover calls. The payoff of a pair of sequences is the weight of
all deals in which player 1 wins the calls that both lead to.
"""

from __future__ import annotations

import numpy as np

from liarsdice_cli.extensive.stream import NONE, Bools, Ints, Numbers
from liarsdice_cli.solvers.double_oracle.oracle import Play
from liarsdice_cli.solvers.double_oracle.restricted import CALL, RestrictedGame
from liarsdice_cli.solvers.exact.sequence_form import SequenceForm, Side


class Sequences:
    """The sequences of a restricted game as it is now.

    form  : its sequence form; `Side.action` and `Side.rows` hold numbers that stay the same as the game grows
    comes : for each player, integers (histories, rolls): the sequence that leads a roll to a history, NONE where none does
    calls : integers (histories, rolls): the sequence with which the mover calls, NONE where the roll does not

    Cost: a few vector steps over the histories, and over all pairs of rolls that come to them.
    """

    def __init__(self, game: RestrictedGame) -> None:
        self.game, self.size = game, game.size
        self.comes = [np.full((game.size, rolls), NONE) for rolls in game.deals.rolls]
        self.calls = np.full((game.size, game.width), NONE)
        self._sides = [_Numbering(), _Numbering()]
        self._pairs: list[tuple[Ints, Ints, Ints]] = []
        for player in (0, 1):
            self.comes[player][0] = 0
        for depth, histories in enumerate(game.levels):
            self._follow(histories, depth % 2)
        self.form = self._form()

    def _follow(self, histories: Ints, mover: int) -> None:
        """Number what the mover may do after histories of one depth, and settle the calls."""
        game, other, own = self.game, 1 - mover, self.comes[mover]
        if histories[0] != 0:
            own[histories] = own[game.parent[histories]]
        met = (self.comes[other][histories] != NONE).any(axis=1, keepdims=True)
        self.calls[histories, : game.deals.rolls[mover]] = np.where(met, NONE, own[histories])
        before = np.where(met, own[histories], NONE)
        allowed = game.allowed(histories, mover) & (before != NONE)[:, None]
        choice = np.count_nonzero(allowed, axis=1) > 1
        place, roll, action = np.nonzero(allowed.transpose(0, 2, 1))
        history = histories[place]
        sequence = before[place, roll]
        chosen = choice[place, roll]
        sets = histories[np.nonzero(choice)[0]] * game.width + np.nonzero(choice)[1]
        keys = (history * (game.bids + 1) + action) * game.width + roll
        size = np.count_nonzero(allowed, axis=1)[choice]
        sequence[chosen] = self._sides[mover].number(sets, before[choice], size, keys[chosen])
        called = action == CALL
        self.calls[history[called], roll[called]] = sequence[called]
        own[game.child[history[~called], action[~called] - 1], roll[~called]] = sequence[~called]
        if histories[0] != 0:
            self._settle(histories, mover, other)

    def _settle(self, histories: Ints, mover: int, other: int) -> None:
        """Note the deals in which player 1 wins a call after these histories."""
        game = self.game
        calls, comes = self.calls[histories][:, : game.deals.rolls[mover]], self.comes[other][histories]
        first, second = (calls, comes) if mover == 0 else (comes, calls)
        wins: Bools = game.deals.true[game.last[histories]] == (other == 0)  # the bidder wins by a true bid
        wins = wins & (first != NONE)[:, :, None] & (second != NONE)[:, None]
        place, one, two = np.nonzero(wins)
        weights = game.deals.weights
        self._pairs.append((first[place, one], second[place, two], weights[0][one] * weights[1][two]))

    def _form(self) -> SequenceForm:
        sides = [one.side() for one in self._sides]
        first, second, weight = (np.concatenate([pair[column] for pair in self._pairs]) for column in range(3))
        pairs, place = np.unique(first * sides[1].sequences + second, return_inverse=True)
        payoff = np.zeros(len(pairs), np.int64)
        np.add.at(payoff, place, weight)
        first, second = np.divmod(pairs, sides[1].sequences)
        return SequenceForm((sides[0], sides[1]), first, second, payoff.astype(object), self.game.deals.total)

    def play(self, player: int, plan: Numbers) -> Play:
        """What a realization plan does: the weights with which each roll comes to every history, and calls there."""
        weights = np.append(plan, np.zeros(1, plan.dtype))  # at the end, for NONE
        movers = (self.game.depth[: self.size] % 2 == player)[:, None]
        calls = np.where(movers, self.calls[:, : self.game.deals.rolls[player]], NONE)
        return Play(weights[self.comes[player]], weights[calls])


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
