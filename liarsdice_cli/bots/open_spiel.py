"""Policies of OpenSpiel's `liars_dice`: from their tables where they have one, otherwise evaluated at OpenSpiel's states."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Any, Protocol, runtime_checkable

import numpy as np

from liarsdice_cli.bots.given import Given
from liarsdice_cli.bots.open_spiel_tables import Table, entries, is_pickled, is_readable
from liarsdice_cli.errors import Argument, LiarsDiceError
from liarsdice_cli.extensive.number import real
from liarsdice_cli.extensive.stream import Floats
from liarsdice_cli.games.liarsdice.histories import Histories
from liarsdice_cli.games.liarsdice.rules import Roll, Rules, rules
from liarsdice_cli.games.liarsdice.strategy import roll_index

BIDDING_RULES = {"top-wild": "reset-face", "face-first": "reset-quantity"}
"""The presets that OpenSpiel has, with its name for their bidding order."""
GAMES = ("liars_dice", "liars_dice_ir")
"""OpenSpiel's names of the game, the second with players who remember the last bids only."""


def of(policy: Any, name: str, game: Any = None) -> Given:
    """Return a policy of OpenSpiel as a bot: any object with `action_probabilities(state)`, in Python or in C++, or a solver.

    game : OpenSpiel's game in whose states the policy is asked; by default `liars_dice` with the parameters of the rules

    A solver, an object with `average_policy`, stands for its average policy. A policy with a table (see
    `open_spiel_tables.entries`) is read once, which makes 2,2 dice with six sides a matter of seconds. Any other is asked
    state by state, 10 microseconds each.

    It plays the presets of `BIDDING_RULES` with the same number of dice for every player. Raises LiarsDiceError for other
    rules, and if OpenSpiel is not installed.
    """
    its_own = game is None or short_name(game) == GAMES[0]  # the keys of a table of liars_dice_ir are others
    average = getattr(policy, "average_policy", None)
    asked = average() if callable(average) else policy
    found = entries(policy if is_pickled(policy) else asked) if its_own else None
    if found is None:
        return Given(name, partial(_answer, asked, game), playable=_check)
    table = Table(found)

    def answer(histories: Histories) -> Floats:
        return table(histories) if is_readable(histories.rules) else _answer(asked, game, histories)

    return Given(name, answer, in_bulk=True, playable=_check)


@runtime_checkable
class OpenSpielGame(Protocol):
    """A game of OpenSpiel."""

    def get_parameters(self) -> dict[str, Any]:
        """Return its parameters."""

    def new_initial_state(self) -> Any:
        """Return its root."""


def short_name(game: Any) -> str:
    """Return OpenSpiel's name of the type of one of its games, such as "liars_dice"."""
    return str(game.get_type().short_name)


def is_policy(what: object) -> bool:
    """Return whether an object is a policy of OpenSpiel, or a solver that has an average policy."""
    return hasattr(what, "action_probabilities") or callable(getattr(what, "average_policy", None))


def rules_of(game: OpenSpielGame) -> Rules:
    """Return the rules of a game of OpenSpiel, zero-sum as there; LiarsDiceError if it is not its Liar's Dice."""
    if short_name(game) not in GAMES:
        raise LiarsDiceError(f"{short_name(game)} is another game: load {GAMES[0]}")
    given = game.get_parameters()
    preset = next(preset for preset, order in BIDDING_RULES.items() if order == given["bidding_rule"])
    return rules(preset, given["dice_sides"], (given["numdice"],) * given["players"], payoffs="zero-sum")


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
    return tuple(moves[dealt:]), roll_index(asked, player, roll)


@lru_cache(8)
def _game(asked: Rules) -> Any:
    try:
        import pyspiel
    except ImportError as error:
        raise LiarsDiceError("OpenSpiel is not installed: pip install open_spiel") from error
    return pyspiel.load_game(
        GAMES[0],
        {
            "players": asked.players,
            "numdice": asked.dice[0],
            "dice_sides": asked.sides,
            "bidding_rule": BIDDING_RULES[asked.name],
        },
    )


def _state(game: Any, histories: Histories, roll: Roll, history: tuple[int, ...]) -> Any:
    """Return the OpenSpiel state with this roll and these bids; the mover does not see the other dice, which are all 1s."""
    state = game.new_initial_state()
    for player, dice in enumerate(histories.rules.dice):
        for face in roll if player == histories.player else (1,) * dice:
            state.apply_action(face - 1)
    for bid in history:
        state.apply_action(bid)
    return state


def _answer(policy: Any, game: Any, histories: Histories) -> Floats:
    """Return the probabilities of a batch of histories. OpenSpiel numbers the bids alike, and the call after them."""
    game = _game(histories.rules) if game is None else game
    bids = histories.rules.bid_count
    said = np.zeros((len(histories), len(histories.rolls), bids + 1))
    rolls = histories.faces
    for row, reached, history in zip(said, histories.reached, histories, strict=True):
        for place in np.flatnonzero(reached).tolist():
            state = _state(game, histories, rolls[place], history)
            for action, share in dict(policy.action_probabilities(state)).items():
                row[place, 0 if action == bids else action + 1] = real(share)
    return said
