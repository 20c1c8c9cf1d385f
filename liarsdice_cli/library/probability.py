"""The probability of a bid, and the values of raises, from the dice alone."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from numbers import Integral, Real

from liarsdice_cli.bots.zero_intelligence.payoff import LEVEL, as_level
from liarsdice_cli.bots.zero_intelligence.situation import Situation
from liarsdice_cli.errors import Argument, UsageError, check_number, check_type, checked_items
from liarsdice_cli.games.liarsdice.bids import Bid
from liarsdice_cli.games.liarsdice.player_view import PlayerView
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.rules import rules as rules_of

_FACES = "give faces of dice, such as [2, 3, 3]"


def probability(
    own: Sequence[int],
    unknown: int,
    bid: Bid | None = None,
    *,
    rules: Rules | None = None,
    known: Sequence[int] = (),
    next_dice: int | None = None,
    level: Fraction | float = LEVEL,
) -> Situation:
    """Return the probability that the last bid is true, the payoff of every raise, and the recommended action.

    own       : the faces of the player's dice
    unknown   : the number of unseen dice of the other players
    bid       : the last bid; None in the opening
    rules     : the rules of counting and bidding, without stairs; None for `ones-low` with six sides
    known     : dice that every player sees
    next_dice : the number of dice of the next player; None for as many as the player's own, but at most `unknown`
    level     : the probability of a bid below which a player calls it

    The payoff of a raise is the mean number of dice won (docs/zero-intelligence.md). Raises UsageError for impossible dice.

    >>> from liarsdice_cli import Bid, probability
    >>> str(probability((2, 3, 3), 3, Bid(3, 3)).true)  # a 1 or a 3 among three unseen dice
    '19/27'
    """
    own, known = (checked_items(name, faces, Integral, _FACES) for name, faces in (("own", own), ("known", known)))
    check_number("unknown", unknown, 0, optional=False)
    check_type("bid", bid, Bid | None, "give a bid, such as Bid(2, 3), or None in the opening")
    check_type("rules", rules, Rules | None, "give rules, such as rules('classic', 3), or leave them out")
    check_number("next_dice", next_dice, 0)
    check_type("level", level, Real, "give a number")
    rules = rules_of("ones-low", 6, (1, 1)) if rules is None else rules
    if not own:
        raise UsageError(Argument("own"), " names no dice: give the faces of your dice, such as 2,3,3")
    following = max(0, min(len(own), unknown)) if next_dice is None else next_dice
    player_view = PlayerView(rules, tuple(sorted(own)), unknown, following, tuple(sorted(known)))
    return Situation(player_view, bid, as_level(level))
