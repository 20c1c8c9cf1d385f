"""Subgames: the rest of a round after some bids, with beliefs about every player's roll.

A player's dice carry no information about another's. The past therefore matters only through a probability for every roll of
each player. Together with the last bid and the player to move, this is a game of its own: a *public belief state* (Brown et al.
2020, "Combining deep reinforcement learning and search for imperfect-information games"). The whole game is the subgame that
begins in the opening, with fair dice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from numbers import Integral

import numpy as np

from liarsdice_cli.errors import Argument, ArgumentError, LiarsDiceError, UsageError, check_type, checked_items
from liarsdice_cli.extensive.number import real
from liarsdice_cli.extensive.renderable import Renderable
from liarsdice_cli.extensive.stream import Floats
from liarsdice_cli.games.bidding import CALL, Bidding
from liarsdice_cli.games.liarsdice.beliefs import priors, reaches_after
from liarsdice_cli.games.liarsdice.rules import Roll, Rules, check_rules
from liarsdice_cli.games.liarsdice.state import BettingState, history_text
from liarsdice_cli.games.liarsdice.strategy import Strategy
from liarsdice_cli.text import quoted

Weights = Mapping[Roll, float] | Sequence[float] | Floats
"""The weights of a player's rolls, in any unit: by roll (0 for those left out), or in the order of `Rules.rolls`."""
PRIOR, GIVEN, BAYES = "prior", "given", "bayes"
"""The source of beliefs: fair dice, independent of the bids; a person; or a strategy, by Bayes' rule."""


@dataclass(frozen=True, eq=False)
class Subgame(Renderable):
    """The rest of a round after some bids.

    rules   : of the round
    history : the numbers of the bids made, rising
    beliefs : for each player a float64 for every roll, in the order of `Rules.rolls`; they add up to 1
    bids    : the numbers of the bids that may still be made, rising
    source  : PRIOR, GIVEN or BAYES
    """

    rules: Rules
    history: tuple[int, ...]
    beliefs: tuple[Floats, ...]
    bids: tuple[int, ...]
    source: str = PRIOR

    def __repr__(self) -> str:
        return (
            f"Subgame({self.rules}, {f'after {self.history_text}' if self.history_text else 'opening'}, beliefs: {self.source})"
        )

    @property
    def history_text(self) -> str:
        """The bids made, as a person writes them."""
        return history_text(self.rules, self.history)

    @property
    def mover(self) -> int:
        """The first player to move, from 0."""
        return BettingState(self.rules, self.history).mover

    @property
    def numbered_bids(self) -> tuple[int, ...]:
        """The bids of this game: the last one made, if there is one, and those that may still be made."""
        return (*self.history[-1:], *self.bids)

    @property
    def bidding(self) -> Bidding:
        """The legal bids after each of `numbered_bids`, by their positions there."""
        if self.history:
            return Bidding.free(len(self.numbered_bids), self.rules.bidding.final_action_count, self._faces)
        whole, left = self.rules.bidding, len(self.bids)
        if left == whole.bids:
            return whole
        openings = tuple(place for place, bid in enumerate(self.bids) if whole.can_open[bid])
        return Bidding(left, openings, left, whole.final_action_count, self._faces)

    @property
    def _faces(self) -> tuple[int, ...]:
        return tuple(self.rules.bids[bid].face for bid in self.numbered_bids)

    @property
    def digest(self) -> str:
        """A hash that differs from those of other subgames of the same rules."""
        content = repr((self.history, self.bids, [one.tolist() for one in self.beliefs]))
        return sha256(content.encode()).hexdigest()[:16]

    @cached_property
    def _numbers(self) -> dict[int, int]:
        return {bid: place for place, bid in enumerate(self.numbered_bids)}

    def local_history(self, history: Sequence[int]) -> tuple[int, ...]:
        """Return the bids of a history that are made in this game, by their positions in `numbered_bids`.

        Raises LiarsDiceError if the history does not begin with this game's, or has bids that this game leaves out.
        """
        before = len(self.history)
        if tuple(history[:before]) != self.history:
            raise LiarsDiceError(
                f"{_written(self.rules, history)} is not in the subgame after {self.history_text}: "
                "give a history that begins with these bids"
            )
        left_out = [bid for bid in history[before:] if bid not in self._numbers]
        if left_out:
            raise LiarsDiceError(f"the subgame leaves out the bid {self.rules.bids[left_out[0]]}: give a history without it")
        return tuple(self._numbers[bid] for bid in history[before:])

    def with_all_actions(self, history: Sequence[int], rows: Floats, fill: float = 0.0) -> Floats:
        """Return the rows of this game's actions after a history as rows of all legal actions of the rules; `fill` for the
        others.
        """
        allowed = BettingState(self.rules, history).actions
        taken = [place for place, action in enumerate(allowed) if action <= CALL or action in self._numbers]
        if len(taken) == len(allowed):
            return rows
        spread = np.full((len(allowed), rows.shape[1]), fill)
        spread[taken] = rows
        return spread


def subgame(
    rules: Rules,
    history: str | Sequence[str] | Sequence[int] = (),
    beliefs: Strategy | Mapping[int, Weights] | None = None,
    bids: Sequence[int] | None = None,
) -> Subgame:
    """Return the rest of a round after some bids, for `solve`.

    history : the bids, such as "1x2 2x3"; also their numbers, rising
    beliefs : the probabilities of every player's rolls. A strategy gives them by Bayes' rule. A mapping gives weights by player
              (from 1); players left out have fair dice. None means fair dice for all
    bids    : the numbers of those that may still be made; by default every possible one above the last

    Raises UsageError for invalid bids and beliefs, and LiarsDiceError if a call is the only action or a player of the strategy
    never reaches the history. Cost: one call of `Strategy.at` for every bid of the history.

    >>> from liarsdice_cli import rules, subgame
    >>> rest = subgame(rules("common", 2), "1x2", {1: {(2,): 3, (1,): 1}})
    >>> rest.mover, rest.beliefs[0].tolist(), [str(rest.rules.bids[bid]) for bid in rest.bids]
    (1, [0.25, 0.75], ['2x1', '2x2'])
    """
    check_rules(rules)
    check_type("beliefs", beliefs, Strategy | Mapping | None, "give a strategy, weights by player, or None")
    made = _parsed(rules, history)
    believed, source = _believed(rules, made, beliefs)
    left = tuple(possible_bids(rules, made)) if bids is None else _checked_bids(rules, made, bids)
    if not made and rules.bidding.group_size < rules.bid_count != len(left):
        raise UsageError("if bids keep the face of the opening, no opening bid can be left out: give a history, or no bids")
    if not made and not any(rules.bidding.can_open[bid] for bid in left):
        first = rules.bidding.openings[0]
        raise ArgumentError(
            "bids", list(left), f"none of these can open: include one that can, such as {first} ({rules.bids[first]})"
        )
    if not left and not (made and rules.spot_on):
        raise LiarsDiceError(f"after {_written(rules, made)} a call is the only action: give a shorter history")
    return Subgame(rules, made, believed, left, source)


def _checked_bids(rules: Rules, made: tuple[int, ...], bids: Sequence[int]) -> tuple[int, ...]:
    legal = rules.bidding.following(made[-1]) if made else range(rules.bid_count)
    cure = "give numbers of bids that may still be made, rising, or leave them out"
    numbers = checked_items("bids", bids, Integral, cure)
    if list(numbers) != sorted({*numbers} & {*legal}):
        raise ArgumentError("bids", list(numbers), cure)
    return numbers


def _parsed(rules: Rules, history: str | Sequence[str] | Sequence[int]) -> tuple[int, ...]:
    cure = "give bids, such as \"1x2 2x3\" or ['1x2', '2x3'], or their numbers"
    bids = history.split() if isinstance(history, str) else checked_items("history", history, str | Integral, cure)
    if not {bid for bid in bids if not isinstance(bid, str)} <= {*range(rules.bid_count)}:
        raise ArgumentError("history", list(bids), f"give numbers of bids from 0 to {rules.bid_count - 1}")
    return BettingState.parse(rules, [bid if isinstance(bid, str) else str(rules.bids[bid]) for bid in bids]).history


def possible_bids(rules: Rules, history: Sequence[int]) -> list[int]:
    """Return the legal bids after a history that can be true; the maker of any other loses to a call.

    In the opening of a bidding with groups (see `Bidding`), none can be left out, so all are returned.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> possible_bids(rules("classic", 3), [3]), len(possible_bids(rules("classic", 3), []))
    ([4, 5], 6)
    """
    if not history and rules.bidding.group_size < rules.bid_count:
        return list(range(rules.bid_count))
    later = rules.bidding.following(BettingState(rules, history).last_bid) if history else range(rules.bid_count)
    return [bid for bid in later if rules.bids[bid].quantity <= rules.most_matching]


def _believed(
    rules: Rules, history: tuple[int, ...], beliefs: Strategy | Mapping[int, Weights] | None
) -> tuple[tuple[Floats, ...], str]:
    fair = priors(rules)
    if beliefs is None:
        return tuple(fair), PRIOR
    if isinstance(beliefs, Mapping):
        for player in beliefs:
            if player not in range(1, rules.players + 1):
                raise UsageError(f"beliefs about P{player}: the players are P1 to P{rules.players}")
        given = [_in_order(rules, player, beliefs.get(player + 1, prior)) for player, prior in enumerate(fair)]
        return tuple(_scaled(player, one) for player, one in enumerate(given)), GIVEN
    if beliefs.rules != rules:
        cure = "give one for the same rules, or weights by player"
        raise UsageError(Argument("beliefs"), f" come from a strategy for {beliefs.rules}, not for {rules}: {cure}")
    reaches = reaches_after(beliefs, history)
    for player, reach in enumerate(reaches):
        if not reach.sum() > 0:
            raise LiarsDiceError(
                f"P{player + 1} never makes these bids in this strategy, so it gives no beliefs about the rolls after "
                f"{_written(rules, history)}: give bids that it makes, or another strategy"
            )
    return tuple(_scaled(player, one) for player, one in enumerate(reaches)), BAYES


def _in_order(rules: Rules, player: int, weights: Weights) -> Floats:
    rolls = [roll for roll, _ in rules.rolls(player)]
    if isinstance(weights, Mapping):
        by_roll = {}
        for roll, weight in weights.items():
            sorted_roll = tuple(sorted(roll)) if isinstance(roll, Sequence) else roll
            if sorted_roll not in rolls:
                raise UsageError(
                    f"P{player + 1} has no roll {quoted(str(roll))}: give one such as {rules.roll_label(rolls[-1])}"
                )
            if sorted_roll in by_roll:
                raise UsageError(f"beliefs about P{player + 1}: the roll {quoted(str(roll))} has two weights, give one")
            by_roll[sorted_roll] = weight
        weights = [by_roll.get(roll, 0) for roll in rolls]
    try:
        found = real(weights)
    except (TypeError, ValueError) as error:
        raise UsageError(f"beliefs about P{player + 1}: give real numbers, one for each roll") from error
    if found.shape != (len(rolls),):
        raise UsageError(f"beliefs about P{player + 1}: give {len(rolls)} numbers, one for each roll")
    return found


def _scaled(player: int, weights: Floats) -> Floats:
    if not (np.isfinite(weights).all() and (weights >= 0).all() and weights.max() > 0):
        raise UsageError(f"beliefs about P{player + 1}: give weights of 0 or more, and not all 0")
    scaled: Floats = weights / weights.max()  # whose sum cannot be too large for a float
    scaled /= scaled.sum()
    return scaled


def _written(rules: Rules, history: Sequence[int]) -> str:
    return history_text(rules, history) or "the opening"
