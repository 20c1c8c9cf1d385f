"""The protocol of bots: a `View` of the state of play in, an action out. A `Policy` is a bot with known probabilities."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from liarsdice_cli.errors import LiarsDiceError, is_whole
from liarsdice_cli.extensive.number import Number
from liarsdice_cli.extensive.stream import Floats
from liarsdice_cli.games.bidding import FINAL_ACTION_NAMES, FINAL_ACTIONS
from liarsdice_cli.games.liarsdice.bids import Bid
from liarsdice_cli.games.liarsdice.player_view import probability_in_round
from liarsdice_cli.games.liarsdice.rules import Roll, Rules
from liarsdice_cli.games.liarsdice.state import BettingState, history_text
from liarsdice_cli.games.liarsdice.strategy import Strategy, roll_index

TOLERANCE = 1e-5
"""The sum of probabilities may differ from 1 by this much, as with a float32 network."""


class IllegalActionError(Exception):
    """A bot returned an illegal action; the message names the bot's answer."""


@dataclass(frozen=True)
class View:
    """The state of play as the player who is asked sees it: the player to move, or one who may claim spot-on out of turn.

    rules   : the rules of this round, with the dice of every player (`rules.dice`), the opener first
    roll    : the player's own dice, sorted
    history : the bids so far, as positions in `rules.bids`
    claimer : the player who may claim spot-on out of turn, from 0 for the opener; None in a view of the player to move

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> view = View(rules("common", 6, (1, 2)), (3, 5), (2,))
    >>> view.player, str(view.last), view.unknown, [str(bid) for bid in view.legal][:3], view.may_call
    (1, '1x3', 1, ['1x4', '1x5', '1x6'], True)
    >>> str(view.probability(Bid(2, 5)))
    '1/6'
    """

    rules: Rules
    roll: Roll
    history: tuple[int, ...] = ()
    claimer: int | None = None

    @property
    def state(self) -> BettingState:
        """The public state."""
        return BettingState(self.rules, self.history)

    @property
    def player(self) -> int:
        """The player who is asked, from 0 for the opener."""
        return self.state.mover if self.claimer is None else self.claimer

    @property
    def roll_index(self) -> int:
        """The position of the roll among all rolls of the player."""
        return roll_index(self.rules, self.player, self.roll)

    @property
    def bids(self) -> tuple[Bid, ...]:
        """The bids so far."""
        return tuple(self.rules.bids[bid] for bid in self.history)

    @property
    def last(self) -> Bid | None:
        """The last bid; None in the opening."""
        return self.rules.bids[self.history[-1]] if self.history else None

    @property
    def may_call(self) -> bool:
        """Whether there is a bid to call."""
        return bool(self.history)

    @property
    def may_say_spot_on(self) -> bool:
        """Whether a spot-on claim is legal."""
        return self.rules.spot_on and self.may_call

    @property
    def legal(self) -> tuple[Bid, ...]:
        """The legal bids, from lowest to highest."""
        following = self.rules.bidding.following(self.state.last_bid)
        return tuple(self.rules.bids[bid] for bid in following)

    @property
    def actions(self) -> list[int]:
        """The legal actions, as `BettingState.actions` numbers them."""
        return self.state.actions

    @property
    def unknown(self) -> int:
        """The number of dice of all other players."""
        return sum(self.rules.dice) - len(self.roll)

    def pure(self, action: int) -> Floats:
        """Return the probabilities of `actions` if the player takes this one for certain: 1 for it, and 0 for the others."""
        taken: Floats = (np.array(self.actions) == action).astype(np.float64)
        return taken

    def probability(self, bid: Bid) -> Number:
        """Return the exact probability that a bid is true given the player's own dice, if the other dice are fair."""
        return probability_in_round(self.rules, self.player, self.roll, bid)

    def probability_exact(self, bid: Bid) -> Number:
        """Return the exact probability that a bid is spot-on, likewise."""
        return self.probability(bid) - self.probability(bid._replace(quantity=bid.quantity + 1))


class Bot(Protocol):
    """A player that returns an action whenever it is its turn.

    It may also have a method `claims(view) -> bool`: whether it claims spot-on out of turn. Without it, it never does.
    """

    @property
    def name(self) -> str:
        """The name in tables; on the command line, the specification."""

    def act(self, view: View, generator: np.random.Generator) -> int:
        """Return CALL, SPOT_ON or the number of a bid, one of `view.actions`; random choices use the generator."""


def claims(bot: Bot, view: View) -> bool:
    """Return whether a bot claims spot-on out of turn."""
    method = getattr(bot, "claims", None)
    return method is not None and bool(method(view))


class Policy(ABC):
    """A bot with fixed action probabilities in every view: `act` draws from `distribution`.

    name       : as in `Bot`
    looks_back : False if the probabilities depend on the roll and the last bid only, not on earlier bids
    one_game   : True if the bot plays with one number of dice only, so that it cannot play matches

    >>> from liarsdice_cli import Policy, exploitability, rules
    >>> class Hasty(Policy):
    ...     name = "hasty"
    ...     def distribution(self, view):  # opens with the lowest bid and calls any other
    ...         return [float(action == view.actions[0]) for action in view.actions]
    >>> str(exploitability(rules("common", 2), Hasty()).exploitability)
    '3/8'
    """

    name = ""
    looks_back = True
    one_game = False

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"

    def check(self, rules: Rules) -> None:  # noqa: B027 (most bots play all rules)
        """Raise LiarsDiceError for rules that the bot cannot play; called before play, so that no game fails halfway."""

    @abstractmethod
    def distribution(self, view: View) -> Floats:
        """Return the probability of each of `view.actions`, in their order: numbers from 0 that add up to 1."""

    def act(self, view: View, generator: np.random.Generator) -> int:
        """Draw an action from `distribution`."""
        cumulative = np.cumsum(shares(self, view))
        place = int(np.count_nonzero(generator.random() >= cumulative[:-1]))
        return view.actions[place]

    def strategy(self, rules: Rules) -> Strategy:
        """Return the bot's strategy in a game."""
        return _RollByRoll(rules, self)


def shares(policy: Policy, view: View) -> Floats:
    """Return the distribution of a policy in a view; LiarsDiceError unless these are probabilities, up to `TOLERANCE`."""
    found: Floats = np.asarray(policy.distribution(view))
    if found.shape != (len(view.actions),):
        reason = f"the result has the shape {found.shape}, not ({len(view.actions)},)"
    elif not np.all(found >= 0):
        reason = "one is negative or not a number"
    elif not abs(found.sum() - 1) <= TOLERANCE:
        reason = f"they add up to {found.sum():g}"
    else:
        return found
    where = f"after {history_text(view.rules, view.history)}" if view.history else "in the opening"
    name, roll = policy.name or type(policy).__name__, view.rules.roll_label(view.roll)
    raise LiarsDiceError(
        f"{name} gives no probabilities {where} with {roll}: {reason}; give numbers of 0 or more that add up to 1, one for "
        "each of view.actions"
    )


@dataclass(frozen=True)
class _RollByRoll:
    """The strategy of a policy, computed roll by roll."""

    rules: Rules
    policy: Policy

    def at(self, history: Sequence[int]) -> Floats:
        """Return the probabilities of the actions (rows) for each roll (columns)."""
        rolls = self.rules.rolls(BettingState(self.rules, history).mover)
        return np.array([shares(self.policy, View(self.rules, roll, tuple(history))) for roll, _ in rolls]).T


class OfStrategy(Policy):
    """A bot that plays a strategy, which `strategy` returns for the rules of every round."""

    def distribution(self, view: View) -> Floats:
        """Return the column of the view's roll."""
        found: Floats = self.strategy(view.rules).at(view.history)[:, view.roll_index]
        return found

    @abstractmethod
    def strategy(self, rules: Rules) -> Strategy:
        """Return the bot's strategy in a game."""


def action_of(view: View, answer: object) -> int:
    """Return the action of an answer: one of `view.actions`, "call", "spot-on", a Bid, a pair of quantity and face, or "2x3".

    Raises IllegalActionError for any other answer.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> view = View(rules("common", 6), (3,), (2,))
    >>> action_of(view, "call"), action_of(view, (1, 4)), action_of(view, "2x1")
    (-1, 3, 6)
    """
    if is_whole(answer) and answer in view.actions:
        return view.actions[view.actions.index(answer)]
    said = view.rules.action_name(answer) if isinstance(answer, int) and answer in FINAL_ACTIONS else answer
    if said in FINAL_ACTION_NAMES:
        return _ending(view, FINAL_ACTION_NAMES.index(said))
    text = f"{said[0]}x{said[1]}" if isinstance(said, tuple) and len(said) == 2 else said
    names = [str(bid) for bid in view.rules.bids]
    if not isinstance(text, str) or text not in names:
        raise IllegalActionError(f"answered {str(answer)[:40]!r}, which is neither a bid of these rules nor a call")
    broken = view.state.broken_rule(names.index(text))
    if broken is not None:
        raise IllegalActionError(f"bid {text} {f'after {view.last}' if view.last else 'in the opening'}, but {broken}")
    return names.index(text)


def _ending(view: View, place: int) -> int:
    """Return the action that ends the round in this way; IllegalActionError if that is not possible."""
    if not view.may_call:
        raise IllegalActionError(("called", "said spot-on")[place] + " in the opening, where there is no bid to call")
    if place >= view.rules.bidding.final_action_count:
        raise IllegalActionError("said spot-on, which these rules do not have")
    return FINAL_ACTIONS[place]
