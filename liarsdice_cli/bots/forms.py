"""The forms of a user's policy: a bot, a table, a function, an object with a method, or a policy of OpenSpiel."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from liarsdice_cli.bots import open_spiel, table
from liarsdice_cli.bots.given import Answer, Given
from liarsdice_cli.bots.protocol import OfStrategy, Policy, View
from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.games.liarsdice.histories import Histories
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.strategy import Strategy
from liarsdice_cli.solvers.solution import Solution
from liarsdice_cli.strategies.stored import stored_in

_FORMS = (
    "a method distribution(view) that returns one for each of view.actions, or one of the other forms that "
    "help(liarsdice_cli.bots.forms.given) lists"
)


def given(policy: object, name: str | None = None) -> Policy:
    """Return a policy in any form as a bot; LiarsDiceError for an object that is no policy.

    policy : a `Policy`, a `Strategy`, a table (see `bots.table`), a policy or a solver of OpenSpiel, or an object with
             one of the methods that `Answer`, `of_histories` and `of_views` describe, or a function like that of
             `of_histories`
    name   : the name of the bot; by default the policy's own name or that of its class

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> evenly = given(lambda history, rolls: [[0.25] * 4] * len(rolls), "evenly")
    >>> evenly.strategy(rules("common", 2)).at([]).shape
    (4, 2)
    >>> evenly.strategy(rules("common", 2)).at([2])
    Traceback (most recent call last):
    ...
    liarsdice_cli.errors.LiarsDiceError: evenly gives no probabilities after 2x1: for 1 histories an array of shape (1, 2, 4), \
where (1, 2, 2) is needed, or (1, 2, 5) with every action
    """
    if isinstance(policy, Policy):
        return policy
    if isinstance(policy, type):
        raise LiarsDiceError(f"{policy.__name__} is a class: give an object of it, such as {policy.__name__}()")
    if isinstance(policy, Solution):
        raise LiarsDiceError("a solution gives no probabilities itself: give its strategy, solution.strategy()")
    name = name or str(getattr(policy, "name", None) or getattr(policy, "__name__", None) or type(policy).__name__)
    if isinstance(policy, Mapping):
        return table.of(policy, name)
    if hasattr(policy, "at") and isinstance(getattr(policy, "rules", None), Rules):
        return _Fixed(name, policy)
    if open_spiel.is_policy(policy):
        return open_spiel.of(policy, name)
    if callable(many := getattr(policy, "distributions", None)):
        return Given(name, many, in_bulk=True)
    if callable(one := getattr(policy, "probabilities", None)):
        return Given(name, of_histories(one))
    if callable(single := getattr(policy, "distribution", None)):
        return Given(name, of_views(single))
    if callable(policy):
        return Given(name, of_histories(policy))
    raise LiarsDiceError(f"{name} gives no probabilities, which its worst case needs: give it {_FORMS}")


def of_histories(function: Callable[[tuple[int, ...], list[tuple[int, ...]]], object]) -> Answer:
    """Return the `Answer` of a function of one history: `function(history, rolls)` is an array (rolls, actions).

    history : the numbers of the bids, positions in `Rules.bids`
    rolls   : the mover's rolls, tuples of faces
    """
    return partial(_history_by_history, function)


def _history_by_history(function: Callable[..., object], histories: Histories) -> object:
    faces = histories.faces
    return np.stack([np.asarray(function(history, faces)) for history in histories])


def of_views(function: Callable[[View], object]) -> Answer:
    """Return the `Answer` of a function of a view: `function(view)` has a probability for each of `view.actions`."""
    return partial(_view_by_view, function)


def _view_by_view(function: Callable[[View], object], histories: Histories) -> object:
    rules, faces = histories.rules, histories.faces
    return np.array([[function(View(rules, roll, history)) for roll in faces] for history in histories])


class _Fixed(OfStrategy):
    """A strategy as a bot, which plays one game."""

    one_game = True

    def __init__(self, name: str, of: Any) -> None:
        self.name, self.of = name, of

    def check(self, rules: Rules) -> None:
        """Raise LiarsDiceError for rules of another game, and for the strategy of a subgame."""
        if self.of.rules != rules:
            raise LiarsDiceError(f"{self.name} plays {self.of.rules}, not {rules}")
        known = stored_in(self.of)
        if known is not None and known.start is not None:
            raise LiarsDiceError(f"{self.name} plays only a subgame of {rules}: give a strategy of the whole game")

    def strategy(self, rules: Rules) -> Strategy:
        """Return the strategy; LiarsDiceError for rules of another game."""
        self.check(rules)
        found: Strategy = self.of
        return found
