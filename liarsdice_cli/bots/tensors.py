"""Information-state tensors for every game, laid out as OpenSpiel lays out those of `liars_dice`, and policies on them.

A network that is trained on such tensors, by OpenSpiel or in the environment of PettingZoo, is judged in whole batches.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any

import numpy as np

from liarsdice_cli.bots.given import Given
from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.number import real
from liarsdice_cli.extensive.stream import Bools, Floats, Ints
from liarsdice_cli.games.bidding import FINAL_ACTIONS
from liarsdice_cli.games.liarsdice.histories import Histories
from liarsdice_cli.games.liarsdice.rules import Roll, Rules
from liarsdice_cli.games.liarsdice.strategy import roll_index

ROWS = 1 << 16
"""The most rows in a batch."""


def width(rules: Rules) -> int:
    """Return the length of a tensor: a number for each player, for each face of each die, for each bid, for each final action.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> width(rules("top-wild", 6, (2, 2)))
    39
    """
    return rules.players + max(rules.dice) * rules.sides + action_count(rules)


def action_count(rules: Rules) -> int:
    """Return the number of all actions: the bids, the call, and spot-on if the rules have it."""
    return rules.bid_count + rules.bidding.final_action_count


def number_of(rules: Rules, action: int) -> int:
    """Return the number of an action as OpenSpiel counts them: bids from 0, then the call, then spot-on.

    >>> from liarsdice_cli.games.bidding import CALL
    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> [number_of(rules("common", 2), action) for action in (0, 3, CALL)]
    [0, 3, 4]
    """
    return rules.bid_count + FINAL_ACTIONS.index(action) if action in FINAL_ACTIONS else action


def tensor(rules: Rules, player: int, roll: Roll, history: Sequence[int]) -> Floats:
    """Return the tensor of one player, who need not be to move: float32, shape (width,).

    history : the actions so far, as in `BettingState`, with the final action if the round is over

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> tensor(rules("top-wild", 2), 1, (2,), [0]).astype(int).tolist()
    [0, 1, 0, 1, 1, 0, 0, 0, 0]
    """
    found = np.zeros(width(rules), np.float32)
    found[player] = 1
    found[rules.players : -action_count(rules)] = _dice(rules, player)[roll_index(rules, player, roll)]
    found[[number_of(rules, action) - action_count(rules) for action in history]] = 1
    return found


def tensors(histories: Histories) -> Floats:
    """Return the tensors of a batch of histories with the rolls that reach them, in the order of `np.nonzero`: float32."""
    rules, player = histories.rules, histories.player
    history, roll = np.nonzero(histories.reached)
    found = np.zeros((len(history), width(rules)), np.float32)
    found[:, player] = 1
    first = width(rules) - action_count(rules)
    found[:, rules.players : first] = _dice(rules, player)[roll]
    found[:, first : first + rules.bid_count] = histories.bids_made[history]
    return found


def mask(histories: Histories) -> Bools:
    """Return which actions are legal after the histories of a batch, in OpenSpiel's order: shape (actions,)."""
    found = np.zeros(action_count(histories.rules), np.bool_)
    found[[number_of(histories.rules, action) for action in histories.actions]] = True
    return found


def of(function: Callable[[Any], Any], name: str) -> Given:
    """Return the policy of a function from tensors to probabilities as a bot, for any rules.

    function : takes an array (rows, width) in float32 and returns one (rows, actions): NumPy, JAX, or torch on any device,
               with actions in OpenSpiel's order. A torch module is called with a tensor on its own device. Probabilities of
               illegal actions are left out and the rest is divided by its sum, as players do with a network's output

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> evenly = of(lambda batch: np.ones((len(batch), 5)) / 5, "evenly")
    >>> evenly.strategy(rules("common", 2)).at([2]).tolist()
    [[0.5, 0.5], [0.5, 0.5]]
    """
    return Given(name, partial(_answer, function), in_bulk=True)


def _answer(function: Callable[[Any], Any], histories: Histories) -> Floats:
    """Return the probabilities of a batch of histories, as `given.Answer` does."""
    rows, legal = tensors(histories), mask(histories)
    parts = [_asked(function, histories, rows[first : first + ROWS]) for first in range(0, len(rows), ROWS)]
    shares = np.where(legal, np.concatenate(parts) if parts else np.zeros((0, len(legal))), 0)
    totals = np.where((shares < 0).any(axis=1), 1, shares.sum(axis=1))  # `given` refuses what is below 0
    with np.errstate(invalid="ignore", divide="ignore"):
        shares /= totals[:, None]
    said = np.zeros((*histories.reached.shape, len(legal)))
    said[histories.reached] = shares
    bids = histories.rules.bid_count
    return np.concatenate([said[:, :, bids:], said[:, :, :bids]], axis=2)


def _asked(function: Callable[[Any], Any], histories: Histories, rows: Floats) -> Floats:
    """Return the answer to some rows; LiarsDiceError for one of another shape."""
    found = real(_as_numpy(function(_for(function, rows))))
    if found.shape != (len(rows), action_count(histories.rules)):
        raise LiarsDiceError(
            f"gives no probabilities {next(histories.descriptions)}: for tensors of shape {rows.shape} an array of shape "
            f"{found.shape}, where {(len(rows), action_count(histories.rules))} is needed"
        )
    return found


def _for(function: Any, rows: Floats) -> Any:
    """Return the rows as the function takes them: a torch module takes a tensor of its own type and device."""
    if not callable(getattr(function, "parameters", None)):
        return rows
    first = next(iter(function.parameters()), None)
    return rows if first is None else first.new_tensor(rows)


def _as_numpy(answer: Any) -> Any:
    """Return a tensor of torch, with its gradient and on any device, as an array; other answers unchanged."""
    return answer.detach().cpu().double().numpy() if hasattr(answer, "detach") else answer


@lru_cache(64)
def _dice(rules: Rules, player: int) -> Floats:
    """Return each of a player's rolls as ones and zeros, die after die; players with fewer dice have zeros at the end."""
    rolls: Ints = np.array([roll for roll, _ in rules.rolls(player)])
    found = np.zeros((len(rolls), max(rules.dice), rules.sides), np.float32)
    np.put_along_axis(found[:, : rolls.shape[1]], rolls[:, :, None] - 1, 1, axis=2)
    return found.reshape(len(rolls), -1)
