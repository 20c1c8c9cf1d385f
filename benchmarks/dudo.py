"""The networks of dudo.ai as a policy: an adapter to the files that their author publishes; this repository has no copy.

    git clone https://github.com/thomasahle/liars-dice
    pip install onnx onnxruntime
    liarsdice exploit benchmarks.dudo:Dudo:liars-dice/models --rules ones-low --dice 1,1

There is one network for each pair of numbers of dice: `model_12_joker.onnx` is for one and two dice. A network estimates the
value of a public state for one player, given that player's dice. The player evaluates the current state and the state after
each action. It plays each action in proportion to the gain of that state over the current one. If no action gains, it plays
uniformly at random.

The preset "joker" in its code is `ones-low` here: six sides, 1s are wild, a bid on 1 counts 1s only and is the lowest of its
quantity, and the highest quantity is the number of dice. Its game has one more action, a call in the opening, which loses. The
adapter removes that action and normalises the other probabilities; `Dudo.opening_calls` has the removed probability.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from liarsdice_cli.bots.network import Network
from liarsdice_cli.errors import Argument, LiarsDiceError
from liarsdice_cli.games.bidding import OPENING
from liarsdice_cli.games.liarsdice.histories import Histories
from liarsdice_cli.games.liarsdice.rules import Rules, rules

SIDES = 6
TOGETHER = 1 << 12
"""Positions in one batch of encoded states."""


class Dudo:
    """The player of dudo.ai.

    folder        : of its networks
    opening_calls : by the numbers of dice and the roll, the removed probability of a call in the opening
    """

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.opening_calls: dict[tuple[int, ...], dict[tuple[int, ...], float]] = {}
        self._networks: dict[tuple[int, ...], Network] = {}

    def check(self, asked: Rules) -> None:
        """Raise LiarsDiceError for rules that it does not play."""
        if asked != rules("ones-low", SIDES, asked.dice, payoffs=asked.payoffs):
            raise LiarsDiceError(f"dudo.ai plays ones-low with six sides, not {asked}: give ", Argument("preset", "ones-low"))

    def distributions(self, histories: Histories) -> Any:
        """Return the probabilities of all actions for a batch of histories: (histories, rolls, actions), the call first."""
        self.check(histories.rules)
        history, roll = np.nonzero(histories.reached)
        public, private = _public(histories), _private(histories)
        said = np.zeros((*histories.reached.shape, 1 + histories.rules.bid_count))
        places = [*range(histories.last + 2, said.shape[2]), 0]  # the call is its last action
        for first in range(0, len(history), TOGETHER):
            which = slice(first, first + TOGETHER)
            shares = self._shares(histories.rules, public[history[which]], private[roll[which]])
            said[history[which, None], roll[which, None], places] = shares
        if histories.last == OPENING:
            calls = said[0, :, 0].copy()
            self.opening_calls[histories.rules.dice] = dict(zip(histories.faces, calls.tolist(), strict=True))
            said[:, :, 0] = 0
            said /= (1 - calls)[:, None]
        return said

    def _shares(self, asked: Rules, states: Any, private: Any) -> Any:
        """Return action probabilities (rows, actions) from states (rows, 1 + actions, numbers), the current one first."""
        rows, count, numbers = states.shape
        values = self._network(asked)(priv=np.repeat(private, count, axis=0), pub=states.reshape(-1, numbers))
        values = values.reshape(rows, count).astype(np.float64)
        better = np.maximum(values[:, 1:] - values[:, :1], 0)
        total = better.sum(axis=1, keepdims=True)
        return np.where(total > 0, better / np.where(total > 0, total, 1), 1 / (count - 1))

    def _network(self, asked: Rules) -> Network:
        if asked.dice not in self._networks:
            name = "".join(map(str, asked.dice))
            self._networks[asked.dice] = Network(f"{self.folder}/model_{name}_joker.onnx")
        return self._networks[asked.dice]


def _private(histories: Histories) -> Any:
    """Return the encoded dice of the player to move, (rolls, numbers).

    Each face has one number for each die of the player with more dice; as many of them are 1 as the roll has dice with that
    face. The last two numbers mark the player to move.
    """
    most, rolls = max(histories.rules.dice), histories.rolls
    showing = (rolls[:, :, None] == np.arange(1, SIDES + 1)).sum(axis=1)
    dice = (np.arange(most) < showing[:, :, None]).reshape(len(rolls), -1)
    who = np.tile(np.arange(2) == histories.player, (len(rolls), 1))
    return np.concatenate([dice, who], axis=1).astype(np.float32)


def _public(histories: Histories) -> Any:
    """Return the encoded current state, and the states after each action: (histories, 1 + actions, numbers).

    The numbers for each player mark its bids, then a call, then its turn to move.
    """
    bids, mover = histories.rules.bid_count, histories.player
    turn = np.cumsum(histories.bids_made, axis=1) - 1
    now = np.zeros((len(histories), 2, bids + 2), np.float32)
    for player in range(2):
        now[:, player, :bids] = histories.bids_made & (turn % 2 == player)
    actions = [*range(histories.last + 1, bids), bids]
    states = np.repeat(now[:, None], 1 + len(actions), axis=1)
    states[:, 0, mover, bids + 1] = 1
    states[:, 1:, 1 - mover, bids + 1] = 1
    states[:, 1 + np.arange(len(actions)), mover, actions] = 1
    return states.reshape(len(histories), 1 + len(actions), -1)
