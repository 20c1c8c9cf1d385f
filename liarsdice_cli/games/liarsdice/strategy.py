"""What a player of Liar's Dice does with every roll after every betting history, whatever it is kept in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from liarsdice_cli.errors import UsageError, quoted
from liarsdice_cli.extensive.profile import GIVEN, Profile
from liarsdice_cli.extensive.stream import CHANCE, Floats, Ints, Numbers
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.games.bidding import CALL, ENDING_NAMES, OPENING
from liarsdice_cli.games.liarsdice.betting import Betting
from liarsdice_cli.games.liarsdice.bids import Bid
from liarsdice_cli.games.liarsdice.rules import Rules


@runtime_checkable
class Strategy(Protocol):
    """Behaviour for both players (or for one: then what is said of the other means nothing)."""

    @property
    def rules(self) -> Rules:
        """The rules of the game that it plays."""

    def at(self, history: Sequence[int]) -> Floats:
        """The probabilities after the bids with these rising numbers (places in `Rules.bids`), of who moves there.

        Shape (actions, rolls): actions as `actions` lists them, rolls as `Rules.rolls` does; every column adds up to 1.
        """


def actions(rules: Rules, history: Sequence[int]) -> list[int]:
    """What may be done after the bids with these numbers: CALL first (not in the opening), SPOT_ON, then the higher bids.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> actions(rules("classic", 2), []), actions(rules("classic", 2), [0, 2])
    ([0, 1, 2, 3], [-1, 3])
    >>> actions(rules("classic", 2, spot_on=True), [0, 2])
    [-1, -2, 3]
    """
    if not history:
        return list(rules.bidding.openings)
    return [*rules.bidding.ends, *rules.bidding.following(history[-1])]


def action_name(rules: Rules, action: int) -> str:
    """How an action is written: "call", "spot-on", or the bid with this number, such as "1x2".

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> from liarsdice_cli.games.bidding import SPOT_ON
    >>> [action_name(rules("classic", 2), action) for action in (CALL, SPOT_ON, 0, 3)]
    ['call', 'spot-on', '1x1', '2x2']
    """
    return ENDING_NAMES[CALL - action] if action <= CALL else str(rules.bids[action])


def taking(rules: Rules, history: Sequence[int], chosen: Ints) -> Floats:
    """The probabilities of who takes for certain the action chosen with each roll: a 1 in every column, (actions, rolls).

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> taking(rules("classic", 2), [1], np.array([CALL, 3])).tolist()
    [[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]]
    """
    taken: Floats = (np.array(actions(rules, history))[:, None] == chosen).astype(np.float64)
    return taken


def mover(rules: Rules, history: Sequence[int]) -> int:
    """The player, from 0, who moves after the bids of a history."""
    return len(history) % rules.players


def history_of(rules: Rules, bids: Sequence[str]) -> list[int]:
    """The numbers of the bids that a person writes, such as "1x2"; UsageError for anything but rising bids of the rules.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> history_of(rules("classic", 2), ["1x1", "2x1"])
    [0, 2]
    """
    number = {str(bid): place for place, bid in enumerate(rules.bids)}
    numbers: list[int] = []
    for bid in bids:
        if bid not in number:
            raise UsageError(f"{quoted(bid)} is no bid of these rules: write quantity x face, such as {Bid(1, rules.faces[0])}")
        broken = broken_rule(rules, numbers, number[bid])
        if broken is not None:
            where = f"follow {rules.bids[numbers[-1]]}" if numbers else "open"
            lowest = rules.bids[0 if numbers else rules.bidding.openings[0]]
            raise UsageError(f"{bid} does not {where}: {broken}; the lowest is {lowest}")
        numbers.append(number[bid])
    return numbers


def broken_rule(rules: Rules, history: Sequence[int], bid: int) -> str | None:
    """Why the bid with this number may not be made after a history; None where it may.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> game = rules("dudo", 6, wild_opening=False)
    >>> broken_rule(game, [3], 2), broken_rule(game, [], 5), broken_rule(game, [3], 5)
    ('bids rise', 'nobody opens on 1', None)
    """
    if bid in rules.bidding.following(history[-1] if history else OPENING):
        return None
    if not history:
        return f"nobody opens on {rules.wild}"
    if rules.fixed_face and rules.bids[bid].face != rules.bids[history[-1]].face:
        return "bids keep the face of the opening"
    return "bids rise"


@dataclass(frozen=True)
class Equal:
    """Every action with the same probability."""

    rules: Rules

    def at(self, history: Sequence[int]) -> Floats:
        """See `Strategy`."""
        count = len(actions(self.rules, history))
        return np.full((count, self.rules.roll_count(mover(self.rules, history))), 1 / count)


class Deaf:
    """A strategy that minds nothing but the roll and the last bid, asked once for each last bid and player."""

    def __init__(self, strategy: Strategy) -> None:
        self.rules, self.strategy = strategy.rules, strategy
        self._said: dict[tuple[int, int], Floats] = {}

    def at(self, history: Sequence[int]) -> Floats:
        """See `Strategy`."""
        key = mover(self.rules, history), history[-1] if history else CALL
        if key not in self._said:
            self._said[key] = self.strategy.at(history)
        return self._said[key]


@dataclass(frozen=True, eq=False)
class Lifted:
    """A strategy of `rules.without_impossible_bids()` in the whole game: nobody makes such a bid, and who faces one calls.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> whole = rules("classic", 3)
    >>> lifted = Lifted(whole, Equal(whole.without_impossible_bids()))
    >>> lifted.at([4])[:, 0].tolist(), lifted.at([7])[:, 0].tolist()
    ([0.5, 0.5, 0.0, 0.0, 0.0], [1.0, 0.0])
    """

    rules: Rules
    of: Strategy

    def at(self, history: Sequence[int]) -> Floats:
        """See `Strategy`."""
        most = self.of.rules.max_quantity
        answer = np.zeros((len(actions(self.rules, history)), self.rules.roll_count(mover(self.rules, history))))
        if history and self.rules.bids[history[-1]].quantity > most:
            answer[0] = 1
            return answer
        kept = [place for place, bid in enumerate(self.rules.bids) if bid.quantity <= most]
        known = [kept.index(bid) for bid in history if bid in kept]
        if len(known) < len(history):  # somebody made a bid that is left out, and was not called
            return Equal(self.rules).at(history)
        places = [place for place, action in enumerate(actions(self.rules, history)) if action <= CALL or action in kept]
        answer[places] = self.of.at(known)
        return answer


@dataclass(frozen=True, eq=False)
class BySeat:
    """In every seat what the strategy for that seat does."""

    rules: Rules
    seats: tuple[Strategy, ...]

    def at(self, history: Sequence[int]) -> Floats:
        """See `Strategy`."""
        return self.seats[mover(self.rules, history)].at(history)


@dataclass(frozen=True, eq=False)
class Spliced:
    """What one strategy does, but from a history on what another does, for some players (from 0).

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> two = rules("common", 2)
    >>> spliced = Spliced(two, Equal(two), Lifted(two, Equal(two)), (1,), (0, 1))
    >>> spliced.at([0]).shape, spliced.at([1, 2]).tolist()
    ((4, 2), [[0.5, 0.5], [0.5, 0.5]])
    """

    rules: Rules
    of: Strategy
    later: Strategy
    history: tuple[int, ...]
    players: tuple[int, ...]

    def at(self, history: Sequence[int]) -> Floats:
        """See `Strategy`."""
        begun = tuple(history[: len(self.history)]) == self.history
        return (self.later if begun and mover(self.rules, history) in self.players else self.of).at(history)


@dataclass(frozen=True, eq=False)
class OfProfile:
    """What a profile does in the tree that `tree.build` makes of the rules.

    rules         : of the game
    first_action  : `GameTree.first_action`
    sets          : the row of the first information set of each player
    probabilities : `Profile.probabilities`, fractions or floats
    """

    rules: Rules
    first_action: Ints
    sets: tuple[int, ...]
    probabilities: Numbers

    @classmethod
    def of(cls, rules: Rules, tree: GameTree, probabilities: Numbers, reduced: bool = False) -> Strategy:
        """The strategy of a profile of the tree, which is that of the rules, or of them `without_impossible_bids()`.

        >>> from liarsdice_cli.games.liarsdice import rules, tree
        >>> from liarsdice_cli.extensive.profile import from_sets
        >>> two = rules.rules("classic", 2)
        >>> game = tree.build(two)
        >>> OfProfile.of(two, game, from_sets(game, {}).probabilities).at([2]).tolist()
        [[0.5, 0.5], [0.5, 0.5]]
        """
        if reduced:
            return Lifted(rules, cls.of(rules.without_impossible_bids(), tree, probabilities))
        return cls.exactly(rules, tree, probabilities)

    @classmethod
    def exactly(cls, rules: Rules, tree: GameTree, probabilities: Numbers) -> OfProfile:
        """Return the strategy of a profile of the tree of these rules."""
        return cls(rules, tree.first_action, first_sets(tree), probabilities)

    def at(self, history: Sequence[int]) -> Floats:
        """See `Strategy`."""
        return self.probabilities[self.places(history)].astype(np.float64)

    def places(self, history: Sequence[int]) -> Ints:
        """Return the places in the profile of the probabilities of the actions (rows) with every roll (columns)."""
        player, betting = mover(self.rules, history), Betting(self.rules.bidding, self.rules.players)
        rolls = np.arange(self.rules.roll_count(player))
        rows = self.sets[player] + rolls * betting.histories[player] + betting.rank(history)
        found: Ints = self.first_action[rows] + np.arange(len(actions(self.rules, history)))[:, None]
        return found


def profile_of(strategy: Strategy, tree: GameTree) -> Profile:
    """Return a strategy as a profile of the tree that `tree.build` makes of its rules, in floats.

    The inverse of `OfProfile`. Cost: `strategy.at` once a history.

    >>> from liarsdice_cli.games.liarsdice import rules, tree
    >>> two = rules.rules("classic", 2)
    >>> [float(number) for number in profile_of(Equal(two), tree.build(two))["P1 roll 1 after 1x1 2x1"].values()]
    [0.5, 0.5]
    """
    rules = strategy.rules
    betting, first = Betting(rules.bidding, rules.players), first_sets(tree)
    probabilities = np.zeros(tree.actions)
    of_chance = tree.action_player == CHANCE
    probabilities[of_chance] = tree.chance_probabilities[:-1][of_chance]
    for history in rules.bidding.histories():
        player, columns = mover(rules, history), strategy.at(history).T
        rows = first[player] + np.arange(len(columns)) * betting.histories[player] + betting.rank(history)
        probabilities[tree.first_action[rows][:, None] + np.arange(columns.shape[1])] = columns
    return Profile(tree, probabilities, np.full(len(tree.infosets), GIVEN))


def first_sets(tree: GameTree) -> tuple[int, ...]:
    """Return the row of each player's first information set in a tree of rules."""
    return tuple(int(np.argmax(tree.infosets.player == player)) for player in range(len(tree.players)))
