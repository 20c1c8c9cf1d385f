"""Policies of OpenSpiel's `liars_dice`, asked in its own states."""

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
"""The presets that are its games, and what it calls their order of bids."""


def of(policy: Any, name: str) -> Given:
    """A policy of OpenSpiel: an object with `action_probabilities(state)`, in Python or in C++, by table or not.

    It plays the presets of `BIDDING_RULES`, with as many dice for every player. Its tables are asked by information-state
    strings, by themselves. Raises LiarsDiceError for other rules, and where OpenSpiel is not installed.
    """
    return Given(name, partial(_answer, policy), playable=_check)


def _check(asked: Rules) -> None:
    """Refuse rules that are not those of its game."""
    own = asked.name in BIDDING_RULES and asked == rules(asked.name, asked.sides, asked.dice, payoffs=asked.payoffs)
    if not own or len(set(asked.dice)) > 1:
        raise LiarsDiceError(
            f"OpenSpiel's liars_dice has no {asked}: give as many dice to every player, and ", Argument("preset", "top-wild")
        )
    _game(asked)


def game(asked: Rules) -> Any:
    """Its game of these rules; LiarsDiceError for others than those of its game, and where OpenSpiel is not installed."""
    _check(asked)
    return _game(asked)


def seen(asked: Rules, state: Any) -> tuple[tuple[int, ...], int]:
    """What the mover sees in one of its states: the bids made, and the place of the own roll among `Rules.rolls`."""
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
    """Its state with this roll and these bids; what the others have rolled, which their mover does not see, is 1s."""
    state = _game(histories.rules).new_initial_state()
    for player, dice in enumerate(histories.rules.dice):
        for face in roll if player == histories.player else (1,) * dice:
            state.apply_action(face - 1)
    for bid in history:
        state.apply_action(bid)
    return state


def _answer(policy: Any, histories: Histories) -> Floats:
    """See `given.Answer`; its bids have the same numbers, and the call comes after them."""
    bids = histories.rules.bid_count
    said = np.zeros((len(histories), len(histories.rolls), bids + 1))
    rolls = histories.faces
    for row, comes, history in zip(said, histories.reached, histories, strict=True):
        for place in np.flatnonzero(comes).tolist():
            for action, share in dict(policy.action_probabilities(_state(histories, rolls[place], history))).items():
                row[place, 0 if action == bids else action + 1] = real(share)
    return said
