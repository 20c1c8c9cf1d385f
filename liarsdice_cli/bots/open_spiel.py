"""Policies of OpenSpiel's `liars_dice`, evaluated at OpenSpiel's states."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Any

import numpy as np

from liarsdice_cli.bots.given import Given
from liarsdice_cli.errors import Argument, LiarsDiceError
from liarsdice_cli.extensive.number import real
from liarsdice_cli.extensive.stream import Floats
from liarsdice_cli.games.liarsdice.histories import Histories
from liarsdice_cli.games.liarsdice.rules import Roll, Rules, rules

BIDDING_RULES = {"top-wild": "reset-face", "face-first": "reset-quantity"}
"""The presets that OpenSpiel has, with its name for their bidding order."""


def of(policy: Any, name: str) -> Given:
    """Return a policy of OpenSpiel as a bot: any object with `action_probabilities(state)`, in Python or in C++.

    It plays the presets of `BIDDING_RULES` with the same number of dice for every player. Raises LiarsDiceError for other
    rules, and if OpenSpiel is not installed.
    """
    return Given(name, partial(_answer, policy), playable=_check)


def _check(asked: Rules) -> None:
    """Raise LiarsDiceError for rules that OpenSpiel does not have."""
    own = asked.name in BIDDING_RULES and asked == rules(asked.name, asked.sides, asked.dice, payoffs=asked.payoffs)
    if not own or len(set(asked.dice)) > 1:
        raise LiarsDiceError(
            f"OpenSpiel's liars_dice has no {asked}: give every player the same number of dice, and ",
            Argument("preset", "top-wild"),
        )
    _game(asked)


def game(asked: Rules) -> Any:
    """Return OpenSpiel's game of these rules; LiarsDiceError for rules that it does not have, and if it is not installed."""
    _check(asked)
    return _game(asked)


def seen(asked: Rules, state: Any) -> tuple[tuple[int, ...], int]:
    """Return the mover's information at an OpenSpiel state: the bids, and the position of its roll in `Rules.rolls`."""
    moves, dealt = state.history(), sum(asked.dice)
    player = (len(moves) - dealt) % asked.players
    first = sum(asked.dice[:player])
    roll = tuple(sorted(face + 1 for face in moves[first : first + asked.dice[player]]))
    return tuple(moves[dealt:]), [own for own, _ in asked.rolls(player)].index(roll)


@lru_cache(8)
def _game(asked: Rules) -> Any:
    try:
        import pyspiel
    except ImportError as error:
        raise LiarsDiceError("OpenSpiel is not installed: pip install open_spiel") from error
    return pyspiel.load_game(
        "liars_dice",
        {
            "players": asked.players,
            "numdice": asked.dice[0],
            "dice_sides": asked.sides,
            "bidding_rule": BIDDING_RULES[asked.name],
        },
    )


def _state(histories: Histories, roll: Roll, history: tuple[int, ...]) -> Any:
    """Return the OpenSpiel state with this roll and these bids; the mover does not see the other dice, which are all 1s."""
    state = _game(histories.rules).new_initial_state()
    for player, dice in enumerate(histories.rules.dice):
        for face in roll if player == histories.player else (1,) * dice:
            state.apply_action(face - 1)
    for bid in history:
        state.apply_action(bid)
    return state


def _answer(policy: Any, histories: Histories) -> Floats:
    """Return the probabilities of a batch of histories. OpenSpiel numbers the bids alike, and the call after them."""
    bids = histories.rules.bid_count
    said = np.zeros((len(histories), len(histories.rolls), bids + 1))
    rolls = histories.faces
    for row, reached, history in zip(said, histories.reached, histories, strict=True):
        for place in np.flatnonzero(reached).tolist():
            for action, share in dict(policy.action_probabilities(_state(histories, rolls[place], history))).items():
                row[place, 0 if action == bids else action + 1] = real(share)
    return said
