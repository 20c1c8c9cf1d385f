"""Players with habits that no model of another bot describes: to test bots against strangers, and for classes."""

from __future__ import annotations

import numpy as np

from liarsdice_cli.bots.protocol import Policy, View
from liarsdice_cli.bots.simple import Honest
from liarsdice_cli.extensive.stream import Floats
from liarsdice_cli.games.bidding import CALL
from liarsdice_cli.games.liarsdice.bids import Bid
from liarsdice_cli.games.liarsdice.player_view import expected_of_others

_BLUFFS = 1 / 3
"""The probability that the bluffer bluffs."""
_HOPELESS = 0.05
"""A bluff less likely to be true than this is not made."""
_PATIENCE = 6
"""The number of bids after which `Moody` calls as often as not."""
_MEMORY = 3
"""The number of bids that `Trusting` remembers."""


class Bluffer(Policy):
    """Plays as `honest`, but in a third of its turns makes the lowest bid on the face of which it has fewest dice.

    It does not bluff with a bid that is true with less than 5 % by its own dice.
    """

    name = "bluffer"
    looks_back = False

    def distribution(self, view: View) -> Floats:
        """Return the probabilities of the honest action and of the bluff."""
        fewest = min(view.rules.faces, key=lambda face: view.rules.matching(view.roll, face))
        bluff = next((bid for bid in view.legal if bid.face == fewest), None)
        honest = Honest().distribution(view)
        if bluff is None or view.probability(bluff) < _HOPELESS:
            return honest
        return (1 - _BLUFFS) * honest + _BLUFFS * _only(view, bluff)


class Copier(Policy):
    """Stays on the last face: raises its quantity by as little as it can, up to its own and the expected dice, then calls.

    It opens with the most dice that it has of a face.
    """

    name = "copier"
    looks_back = False

    def distribution(self, view: View) -> Floats:
        """Return 1 for the action and 0 for the others."""
        if view.last is None:
            return _only(view, _own_best(view))
        higher = next((bid for bid in view.legal if bid.face == view.last.face), None)
        return _only(view, higher if higher is not None and higher.quantity <= _expected(view, higher.face) else None)


class Moody(Policy):
    """Calls by temper, whatever its dice: after n bids with probability n / (n + 6). Otherwise bids low on its best face."""

    name = "moody"

    def distribution(self, view: View) -> Floats:
        """Return the probabilities of a call and of the bid."""
        calls = len(view.history) / (len(view.history) + _PATIENCE)
        most = max(view.rules.faces, key=lambda face: view.rules.matching(view.roll, face))
        bid = next((bid for bid in view.legal if bid.face == most), None)
        return calls * _only(view, None) + (1 - calls) * _only(view, bid) if view.may_call else _only(view, _own_best(view))


class Trusting(Policy):
    """Believes what was said lately: for each of the last three bids of others it expects a die more of the face.

    It calls a bid above its own and those expected dice, and otherwise makes the bid that exceeds their number least.
    """

    name = "trusting"

    def distribution(self, view: View) -> Floats:
        """Return 1 for the action and 0 for the others."""
        turns = range(max(0, len(view.history) - _MEMORY), len(view.history))
        heard = [view.bids[turn].face for turn in turns if turn % view.rules.players != view.player]
        expected = {face: _expected(view, face) + heard.count(face) for face in view.rules.faces}
        if view.last is not None and view.last.quantity > expected[view.last.face]:
            return _only(view, None)
        return _only(view, min(view.legal, key=lambda bid: bid.quantity - expected[bid.face], default=None))


class Learner:
    """Learns how high bids go at this table: calls a bid that is further above its expectation than most rounds got.

    Below that it makes the bid that exceeds its own and the expected dice least. It keeps what it has learned from one round to
    the next, so it is named by its class: `liarsdice_cli.bots.characters:Learner`.
    """

    def __init__(self) -> None:
        self._highest = 0.0
        self._rounds = 4  # as if it had seen four rounds that ended at its expectation
        self._before: tuple[tuple[int, ...], float] = (), 0.0

    def act(self, view: View, generator: np.random.Generator) -> Bid | str:
        """Return its action; the generator is not used."""
        height = 0.0 if view.last is None else view.last.quantity - _expected(view, view.last.face)
        history, seen = self._before
        if view.history[: len(history)] != history or len(view.history) <= len(history):  # another round
            self._rounds += 1
            self._highest += (seen - self._highest) / self._rounds
        self._before = view.history, height
        bid = min(view.legal, key=lambda bid: bid.quantity - _expected(view, bid.face), default=None)
        if bid is None or (view.last is not None and height > self._highest + 0.5):
            return "call"
        return bid


def _expected(view: View, face: int) -> float:
    """Return the player's own matching dice and the expected number among the others."""
    return view.rules.matching(view.roll, face) + float(expected_of_others(view.rules, view.player, face))


def _own_best(view: View) -> Bid:
    """Return the opening on the face of which the player has most, with that number of dice or the lowest one after it."""
    most = max({bid.face for bid in view.legal}, key=lambda face: (view.rules.matching(view.roll, face), face))
    bids = [bid for bid in view.legal if bid.face == most]
    return next((bid for bid in bids if bid.quantity >= view.rules.matching(view.roll, most)), bids[-1])


def _only(view: View, bid: Bid | None) -> Floats:
    """Return probability 1 for a bid, or for a call if it is None."""
    return view.pure(CALL if bid is None else view.rules.bids.index(bid))
