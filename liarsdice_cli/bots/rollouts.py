"""A bot that plays a best reply to what it believes of the others, by playing out the rest of the round many times.

Bayes' rule gives the probabilities of every other player's model and roll (`opponents`). The bot draws deals from them. In
each deal it tries its bids and plays on to the end. The others follow their models. At its later turns the bot follows a plan,
which has an action for every last bid. The same deals serve all bids, so luck with the dice cancels in comparisons.

Sources: Tesauro and Galperin (1996), "On-line policy improvement using Monte-Carlo search", for rollouts with a fixed policy;
Southey et al. (2005), "Bayes' bluff", for a best response to beliefs about the opponent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from liarsdice_cli.bots.opponents import Beliefs, Model, Pure, honest, models
from liarsdice_cli.bots.protocol import Policy, View
from liarsdice_cli.errors import UsageError
from liarsdice_cli.extensive.stream import Floats, Ints
from liarsdice_cli.games.bidding import CALL
from liarsdice_cli.games.liarsdice.beliefs import standing_probabilities
from liarsdice_cli.games.liarsdice.matching import matching_table
from liarsdice_cli.games.liarsdice.rules import Rules

DEALS = 2_000
"""The deals in which the best bids are compared."""
FIRST, KEPT = 200, 10
"""The deals in which all bids are compared first, and the number of bids that are compared further."""
_REACH = 8
"""The number of bids above the last one that the bot tries at its later turns."""
_SEEN = 20
"""How often an action must have been tried before the plan takes it."""


@dataclass(frozen=True, eq=False)
class Values:
    """The values of the actions in a view: probabilities of not losing the round.

    beliefs : about all players; about the player to move they are ignored
    values  : by action; exact for a call and spot-on given the beliefs, and estimates for bids
    close   : the actions that were compared in all deals; the best action is one of them
    deals   : their number
    """

    beliefs: Beliefs
    values: dict[int, float]
    close: tuple[int, ...]
    deals: int

    @property
    def best(self) -> int:
        """The action of the highest value."""
        return max(self.close, key=lambda action: self.values[action])


class Rollouts(Policy):
    """Play the action that keeps it in the round most often, if the others follow its models.

    name    : the specification, `rollout` or `rollout:BOT`
    against : the bot that all others are taken for; None for all of `opponents.models`
    deals   : as `DEALS`

    In the same view it always does the same: the deals are drawn with a seed made of the roll and the bids.
    Cost: 0.04 s for a decision among six players with five dice each, and half a second for the models of new rules.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> game = rules("common", 6, (1, 1, 1))
    >>> bot = Rollouts("rollout", deals=200)
    >>> [game.action_name(bot.values(View(game, (4,), history)).best) for history in ((2,), (8,))]
    ['1x4', 'call']
    """

    def __init__(self, name: str = "rollout", against: Policy | None = None, deals: int = DEALS) -> None:
        self.name, self.against, self.deals = name, against, deals
        if against is not None and against.looks_back:
            raise UsageError(
                f"{name}: {against.name} looks at earlier bids, but a rollout replies only to bots that look at the last bid: "
                "name honest or zero-intelligence:LEVEL"
            )
        self._models: dict[Rules, tuple[Model, ...]] = {}

    def check(self, rules: Rules) -> None:
        """Compute the models before play; LiarsDiceError for rules that `against` cannot play."""
        if self.against is not None:
            self.against.check(rules)
        for model in self._of(rules):
            for player in range(rules.players):
                model.row(player, 0, CALL)

    def distribution(self, view: View) -> Floats:
        """Return 1 for the best action and 0 for the others."""
        return view.pure(self.values(view).best)

    def values(self, view: View) -> Values:
        """Return the values of all legal actions."""
        rest = _Rest(view, self.beliefs(view), np.random.default_rng([*view.roll, *view.history]))
        found = rest.at_showdown()
        bids = [action for action in view.actions if action >= 0]
        close = bids
        if len(bids) > KEPT:
            first = rest.play(bids, FIRST)
            found |= dict(zip(bids, first.tolist(), strict=True))
            close = sorted(bids[place] for place in np.argsort(-first, kind="stable")[:KEPT])
        if close:
            rest.improve(close, self.deals)
            found |= dict(zip(close, rest.play(close, self.deals).tolist(), strict=True))
        compared = tuple(action for action in view.actions if action < 0 or action in close)
        most = max(found[action] for action in compared)
        return Values(rest.beliefs, {action: min(found[action], most) for action in view.actions}, compared, self.deals)

    def beliefs(self, view: View) -> Beliefs:
        """Return the beliefs about all players in a view."""
        return Beliefs.after(view.rules, view.history, self._of(view.rules))

    def _of(self, rules: Rules) -> tuple[Model, ...]:
        """Return the models of all other players."""
        if self.against is None:
            return models(rules)
        if rules not in self._models:
            self._models[rules] = (Pure(self.against.strategy(rules)),)
        return self._models[rules]


class _Rest:
    """The rest of a round, to be played out from the view of the player to move.

    plan : the player's action at its later turns, for every last bid
    """

    def __init__(self, view: View, beliefs: Beliefs, generator: np.random.Generator) -> None:
        self.view, self.rules, self.beliefs, self.generator = view, view.rules, beliefs, generator
        self.me, self.players = view.player, view.rules.players
        self.roll = view.roll_index
        self.matching = [_by_face(self.rules, player) for player in range(self.players)]
        self.quantity = np.array([bid.quantity for bid in self.rules.bids])
        self.face = np.array([bid.face for bid in self.rules.bids])
        last = np.arange(self.rules.bid_count)
        self.plan = honest(self.rules).act(self.me, last, np.full(len(last), self.roll), generator)

    def at_showdown(self) -> dict[int, float]:
        """Return the exact values of the actions that end the round."""
        found = {}
        for ending in self.rules.bidding.final_actions if self.view.history else ():
            stands = standing_probabilities(self.rules, self.view.history[-1], self.me, self.beliefs.rolls, ending)
            found[ending] = 1 - float(stands[self.roll])
        return found

    def play(self, bids: Sequence[int], deals: int) -> Floats:
        """Return the share of deals in which the player does not lose the round, for each bid."""
        kept_in = self._played(bids, deals, None)
        return np.array([kept_in[start : start + deals].mean() for start in range(0, len(kept_in), deals)])

    def improve(self, bids: Sequence[int], deals: int) -> None:
        """Try other actions in half of the player's later turns, and put the best of each last bid into the plan."""
        tried: list[tuple[Ints, Ints, Ints]] = []
        kept_in = self._played(bids, deals, tried)
        if not tried:
            return
        games, last, action = map(np.concatenate, zip(*tried, strict=True))
        size = self.rules.bid_count + 1
        key = last * size + action + 1
        won = np.bincount(key, kept_in[games], size * size).reshape(size, size)
        count = np.bincount(key, minlength=size * size).reshape(size, size)
        score = np.where(count >= _SEEN, (won - 0.5 * np.sqrt(count)) / np.maximum(count, 1), -1.0)  # half a standard error off
        best = score.argmax(axis=1)
        known = np.flatnonzero(score.max(axis=1)[:-1] > -1)
        self.plan[known] = best[known] - 1

    def _played(self, bids: Sequence[int], deals: int, tried: list[tuple[Ints, Ints, Ints]] | None) -> Floats:
        """Return 1 for every game in which the player does not lose, otherwise 0: game b x deals + d is bid b in deal d.

        tried : gets, for each later turn of the player, the games, their last bids and the actions; None to try nothing
        """
        models, rolls = self.beliefs.deal(deals, self.generator)
        rolls[self.me] = self.roll
        counting = np.sum([table[:, own] for table, own in zip(self.matching, rolls, strict=True)], axis=0)
        kept_in, games = np.zeros(len(bids) * deals), np.arange(len(bids) * deals)
        deal, last = np.tile(np.arange(deals), len(bids)), np.repeat(np.array(bids), deals)
        turn = len(self.view.history)
        while len(games):
            turn += 1
            player = turn % self.players
            if player == self.me:
                action = self._mine(last, tried is not None)
                if tried is not None:
                    tried.append((games, last, action))
            else:
                action = self._theirs(player, last, models[player, deal], rolls[player, deal])
            called = action == CALL
            true = counting[self.face[last[called]] - 1, deal[called]] >= self.quantity[last[called]]
            bidder = (player - 1) % self.players
            kept_in[games[called]] = np.where(true, player, bidder) != self.me
            games, deal, last = games[~called], deal[~called], action[~called]
        return kept_in

    def _mine(self, last: Ints, tries: bool) -> Ints:
        """Return the player's actions at a later turn: the plan's, or in half of the games any of the next few."""
        if not tries:
            return self.plan[last]
        step = self.generator.integers(0, _REACH + 1, len(last))
        other = np.where((step == 0) | (last + step >= self.rules.bidding.stops[last]), CALL, last + step)
        return np.where(self.generator.random(len(last)) < 0.5, other, self.plan[last])

    def _theirs(self, player: int, last: Ints, models: Ints, rolls: Ints) -> Ints:
        """Return the actions of another player, by model."""
        action = np.empty(len(last), np.int64)
        for number, model in enumerate(self.beliefs.models):
            here = np.flatnonzero(models == number)
            action[here] = model.act(player, last[here], rolls[here], self.generator)
        return action


def _by_face(rules: Rules, player: int) -> Ints:
    """Return the number of dice that match each face (rows, from 1) with each roll of a player (columns)."""
    found = np.zeros((rules.sides, rules.roll_count(player)), np.int64)
    table = matching_table(rules, player)
    for number, bid in enumerate(rules.bids):
        found[bid.face - 1] = table[number]
    return found
