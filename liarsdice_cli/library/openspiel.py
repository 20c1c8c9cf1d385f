"""Policies from and to OpenSpiel, for the rules that its `liars_dice` has."""

from __future__ import annotations

from typing import Any

from liarsdice_cli.bots import open_spiel
from liarsdice_cli.bots.forms import given
from liarsdice_cli.errors import check_type
from liarsdice_cli.games.bidding import CALL
from liarsdice_cli.games.liarsdice.rules import Rules, check_rules
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.games.liarsdice.strategy import Strategy
from liarsdice_cli.solvers.solution import Solution


def from_openspiel(policy: Any, rules: Rules) -> Strategy:
    """The strategy of a policy of OpenSpiel (in Python or C++, by table or not) for rules of ours.

    rules : `top-wild` ("reset-face") or `face-first` ("reset-quantity"), with as many dice for every player

    Raises LiarsDiceError for other rules, without OpenSpiel, and where what it says are no probabilities. It is asked when
    the strategy is.
    """
    check_rules(rules)
    bot = given(policy)
    bot.check(rules)
    return bot.strategy(rules)


def to_openspiel(what: Solution | Strategy) -> Any:
    """A tabular policy of OpenSpiel's `liars_dice`, by its information-state strings, of a solution or a strategy.

    Raises LiarsDiceError for rules that its game is not, and where OpenSpiel is not installed. Cost: OpenSpiel lists all
    information states, and the strategy is asked after every history: for games with one die each and a few sides.
    """
    check_type("what", what, Solution | Strategy, "give a solution or a strategy, such as solve(rules('top-wild', 2))")
    strategy = what.strategy() if isinstance(what, Solution) else what
    game = open_spiel.game(strategy.rules)
    from open_spiel.python.policy import TabularPolicy

    table = TabularPolicy(game)
    said: dict[tuple[int, ...], Any] = {}
    for state in table.states:
        history, roll = open_spiel.seen(strategy.rules, state)
        if history not in said:
            said[history] = strategy.at(history)
        row = table.policy_for_key(state.information_state_string())
        row[:] = 0
        for action, share in zip(BettingState(strategy.rules, history).actions, said[history][:, roll], strict=True):
            row[strategy.rules.bid_count if action == CALL else action] = share
    return table
