"""OpenSpiel's answers about strategies of Liar's Dice with one die each, for tests that have OpenSpiel."""

from __future__ import annotations

from typing import Any

import pytest

from liarsdice_cli.games.bidding import CALL
from liarsdice_cli.games.liarsdice.state import BettingState
from tests.support.known_values import BIDDING_RULES


def best_response_values(strategy: Any) -> list[float]:
    """Return the values of OpenSpiel's best responses of players 0 and 1 to a strategy, in payoffs +1/-1.

    Skips the test without OpenSpiel. The rules are the preset `top-wild` or `face-first` with one die each.
    """
    pyspiel = pytest.importorskip("pyspiel")
    from open_spiel.python import policy
    from open_spiel.python.algorithms.best_response import BestResponsePolicy

    game = strategy.rules

    class Ours(policy.Policy):  # type: ignore[misc]
        def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:
            die = int(state.information_state_string(state.current_player()).split()[0])
            history = list(state.history()[2:])
            legal = [game.bid_count if action == CALL else action for action in BettingState(game, history).actions]
            return dict(zip(legal, strategy.at(history)[:, die - 1].tolist(), strict=True))

    rule = {preset: rule for rule, preset in BIDDING_RULES.items()}[game.name]
    theirs = pyspiel.load_game("liars_dice", {"dice_sides": game.sides, "bidding_rule": rule})
    ours = Ours(theirs, [0, 1])
    return [BestResponsePolicy(theirs, player, ours).value(theirs.new_initial_state()) for player in range(2)]
