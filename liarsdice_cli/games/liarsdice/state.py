"""The public state of a round: the rules and the actions so far, which every player sees."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from liarsdice_cli.errors import UsageError
from liarsdice_cli.extensive.stream import NONE, Floats, Ints
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.games.bidding import CALL, OPENING, Bidding
from liarsdice_cli.games.liarsdice.betting import Betting
from liarsdice_cli.games.liarsdice.bids import Bid
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.text import quoted


@dataclass(frozen=True, init=False)
class BettingState:
    """A state of the betting; it does not change, and `child` returns the state after one more action.

    rules   : of the round
    history : the actions so far: the numbers of rising bids (positions in `Rules.bids`), and CALL or SPOT_ON if one ended it

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> state = BettingState.parse(rules("classic", 2, spot_on=True), ["1x1", "2x1"])
    >>> state.history, state.mover, state.last_bid, state.actions, state.action_names
    ((0, 2), 0, 2, [-1, -2, 3], ['call', 'spot-on', '2x2'])
    >>> state.child(3).mover, state.child(CALL).is_terminal
    (1, True)
    """

    rules: Rules
    history: tuple[int, ...]

    def __init__(self, rules: Rules, history: Sequence[int] = ()) -> None:
        self.__dict__.update(rules=rules, history=tuple(history))  # quicker than object.__setattr__ for each

    @classmethod
    def parse(cls, rules: Rules, bids: Sequence[str]) -> BettingState:
        """Return the state after bids that a person writes, such as "1x2"; UsageError unless they are rising bids of the rules.

        >>> from liarsdice_cli.games.liarsdice.rules import rules
        >>> BettingState.parse(rules("classic", 2), ["2x1", "1x2"])
        Traceback (most recent call last):
        ...
        liarsdice_cli.errors.UsageError: 1x2 cannot follow 2x1: bids must rise, and the lowest bid now is 2x2
        """
        number = {str(bid): place for place, bid in enumerate(rules.bids)}
        state = cls(rules)
        for bid in bids:
            if bid not in number:
                raise UsageError(
                    f"{quoted(bid)} is not a bid of these rules: write quantity x face, such as {Bid(1, rules.faces[0])}"
                )
            refusal = state.refusal(number[bid])
            if refusal is not None:
                raise UsageError(refusal)
            state = state.child(number[bid])
        return state

    @property
    def is_terminal(self) -> bool:
        """Whether a call or a spot-on claim has ended the round."""
        return bool(self.history) and self.history[-1] <= CALL

    @property
    def mover(self) -> int:
        """The player to move, from 0; NONE once the round has ended."""
        return NONE if self.is_terminal else len(self.history) % self.rules.players

    @property
    def last_bid(self) -> int:
        """The number of the last bid; OPENING if there is none."""
        bids = self.history[:-1] if self.is_terminal else self.history
        return bids[-1] if bids else OPENING

    @property
    def actions(self) -> list[int]:
        """The legal actions: CALL first (not in the opening), SPOT_ON if it is played, then the bids from the lowest up.

        >>> from liarsdice_cli.games.liarsdice.rules import rules
        >>> BettingState(rules("classic", 2)).actions, BettingState(rules("classic", 2), [0, 2]).actions
        ([0, 1, 2, 3], [-1, 3])
        """
        if self.is_terminal:
            return []
        ends = self.rules.bidding.final_actions if self.history else ()
        return [*ends, *self.rules.bidding.following(self.last_bid)]

    @property
    def action_names(self) -> list[str]:
        """The names of the legal actions, as `Rules.action_name` writes them."""
        return [self.rules.action_name(action) for action in self.actions]

    @property
    def roll_count(self) -> int:
        """The number of rolls that the mover can have."""
        return self.rules.roll_count(self.mover)

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of legal actions and of the mover's rolls: the shape of what `Strategy.at` returns."""
        return self.rules.bidding.actions(self.last_bid), self.roll_count

    def index(self, action: int) -> int:
        """Return the position of a legal action among `actions`; ValueError for any other."""
        return self.actions.index(action)

    def child(self, action: int) -> BettingState:
        """Return the state after a legal action."""
        return BettingState(self.rules, (*self.history, action))

    def pure(self, chosen: Ints | int) -> Floats:
        """Return the probabilities of a mover that takes one action for certain: a 1 in every column, `shape`.

        chosen : the action for every roll, or one action for all rolls

        >>> from liarsdice_cli.games.liarsdice.rules import rules
        >>> BettingState(rules("classic", 2), [1]).pure(np.array([CALL, 3])).tolist()
        [[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]]
        """
        taken: Floats = (np.array(self.actions)[:, None] == np.broadcast_to(chosen, self.roll_count)).astype(np.float64)
        return taken

    def broken_rule(self, bid: int) -> str | None:
        """Return the rule that the bid with this number would break; None if it is legal.

        >>> from liarsdice_cli.games.liarsdice.rules import rules
        >>> game = rules("dudo", 6, wild_opening=False)
        >>> opening, later = BettingState(game), BettingState(game, [3])
        >>> opening.broken_rule(5), later.broken_rule(2), later.broken_rule(5)
        ('the opening bid cannot be on 1', 'bids must rise', None)
        """
        bids = self.rules.bids
        if bid in self.rules.bidding.following(self.last_bid):
            return None
        if not self.history:
            return f"the opening bid cannot be on {self.rules.wild}"
        if self.rules.fixed_face and bids[bid].face != bids[self.last_bid].face:
            return "bids must keep the face of the opening"
        return "bids must rise"

    def refusal(self, bid: int) -> str | None:
        """Return why the bid with this number is not legal, in a sentence that names the lowest legal bid; None if it is."""
        broken, bids = self.broken_rule(bid), self.rules.bids
        if broken is None:
            return None
        legal = self.rules.bidding.following(self.last_bid)
        place = f"follow {bids[self.last_bid]}" if self.history else "open"
        lowest = f"the lowest bid now is {bids[legal[0]]}" if legal else "there is no higher bid"
        return f"{bids[bid]} cannot {place}: {broken}, and {lowest}"

    @property
    def infosets(self) -> Ints:
        """The information sets of this state in the tree that `tree.build` makes, one for each roll of the mover.

        They are counted from the first set that is not chance's: add `first_infoset(tree)` for rows of the tree.

        >>> from liarsdice_cli.games.liarsdice import rules, tree
        >>> game = rules.rules("classic", 2)
        >>> built = tree.build(game)
        >>> [built.infosets.labels[row] for row in first_infoset(built) + BettingState(game, [2]).infosets]
        ['P2 roll 1 after 2x1', 'P2 roll 2 after 2x1']
        """
        betting, rules = _betting(self.rules.bidding, self.rules.players), self.rules
        before = sum(rules.roll_count(player) * betting.histories[player] for player in range(self.mover))
        rolls: Ints = np.arange(self.roll_count)
        return before + rolls * betting.histories[self.mover] + betting.rank(self.history)


def history_text(rules: Rules, history: Iterable[int]) -> str:
    """Return a history of bids as a person types it.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> history_text(rules("classic", 2), (0, 3))
    '1x1 2x2'
    """
    return " ".join(str(rules.bids[bid]) for bid in history)


def first_infoset(tree: GameTree) -> int:
    """Return the row of the first information set that is not chance's in a tree of rules."""
    return int(np.searchsorted(tree.infosets.player, 0))


@lru_cache(64)
def _betting(bidding: Bidding, players: int) -> Betting:
    return Betting(bidding, players)
