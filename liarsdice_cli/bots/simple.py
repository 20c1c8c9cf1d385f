"""Bots that a sentence describes: random and honest."""

from __future__ import annotations

import numpy as np

from liarsdice_cli.bots.odds import matching_faces
from liarsdice_cli.bots.protocol import Policy, View
from liarsdice_cli.games.liarsdice.rules import Bid, Rules
from liarsdice_cli.games.liarsdice.strategy import CALL, Equal, Strategy
from liarsdice_cli.tree import Floats


class Random(Policy):
    """Takes every action with the same probability."""

    name = "random"
    looks_back = False

    def distribution(self, view: View) -> Floats:
        """See `Policy`."""
        count = len(view.actions)
        return np.full(count, 1 / count)

    def strategy(self, rules: Rules) -> Strategy:
        """See `Policy`."""
        return Equal(rules)


class Honest(Policy):
    """Bids what it holds, and calls what is more than it can support.

    It makes the highest bid that its own dice alone make true. Where there is none, it calls a bid of more dice than its
    own matching ones and the whole part of those expected among the others'; otherwise it makes the bid that exceeds own
    and expected dice least, the lowest of several.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> game = rules("common", 6, (2, 2))
    >>> [str(game.bids[Honest().choice(View(game, (3, 3), history))]) for history in ((), (2,), (8,))]
    ['2x3', '2x3', '3x3']
    """

    name = "honest"
    looks_back = False

    def distribution(self, view: View) -> Floats:
        """See `Policy`."""
        taken: Floats = (np.array(view.actions) == self.choice(view)).astype(np.float64)
        return taken

    def choice(self, view: View) -> int:
        """The action that it takes."""
        rules, legal = view.rules, view.legal
        first = rules.bid_count - len(legal)
        own = {face: rules.matching(view.roll, face) for face in rules.faces}
        held = [place for place, bid in enumerate(legal) if bid.quantity <= own[bid.face]]
        if held:
            return first + held[-1]
        expected = {face: view.unknown * matching_faces(rules, face) for face in rules.faces}  # in units of 1 / sides

        def short(bid: Bid) -> int:
            return (bid.quantity - own[bid.face]) * rules.sides - expected[bid.face]

        last = view.last
        if last and (not legal or last.quantity > own[last.face] + expected[last.face] // rules.sides):
            return CALL
        return first + min(range(len(legal)), key=lambda place: short(legal[place]))
