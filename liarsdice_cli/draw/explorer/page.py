"""The explorer of Liar's Dice: what its page holds, and how much of a game fits in a file."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import numpy as np

from liarsdice_cli.draw.colours import ENDINGS, Colour
from liarsdice_cli.draw.explorer.bids import bid_colours
from liarsdice_cli.draw.explorer.columns import InFractions, Readings, numbers, packed, tables
from liarsdice_cli.draw.explorer.shell import Page, css
from liarsdice_cli.draw.scene import ink_on
from liarsdice_cli.errors import Argument, LiarsDiceError
from liarsdice_cli.extensive.trembles import MISTAKE
from liarsdice_cli.games.liarsdice import beliefs
from liarsdice_cli.games.liarsdice.continuations import Continuations
from liarsdice_cli.games.liarsdice.locks import infoset_key
from liarsdice_cli.games.liarsdice.matching import matching_table
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.sentences import brief
from liarsdice_cli.games.liarsdice.state import history_text

Alternatives = Mapping[str, Mapping[str, Fraction]]
"""The largest probability in any equilibrium, by the names of an information set and of an action that is never taken there."""
NO_OTHERS: Alternatives = MappingProxyType({})
MOST = 4_000_000
"""The most numbers that a page holds, four or eight bytes each before they are compressed."""


def is_small(rules: Rules) -> bool:
    """Return whether everything that can happen in the game can be read before a page is shown."""
    return beliefs.table_size(rules, ()) <= beliefs.MAX_TABLE_SIZE


def deepest(rules: Rules, depth: int | None = None) -> int:
    """Return the most bids before a decision that a page shows: `depth`, or by default the greatest depth that fits.

    Raises LiarsDiceError that names the greatest depth if the page would hold more than `MOST` numbers.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> deepest(rules("common", 3)), deepest(rules("common", 6, (2, 2)))
    (6, 4)
    """
    shown = rules.bid_count if depth is None else min(depth, rules.bid_count)
    if numbers(rules, shown) <= MOST:
        return shown
    fits = max((less for less in range(shown) if numbers(rules, less) <= MOST), default=0)
    if depth is None:
        return fits
    raise LiarsDiceError(
        f"the page would hold {numbers(rules, shown):,} numbers, more than the limit of {MOST:,}: give ",
        *(Argument("depth", fits), ", or ", Argument("serve", True)),
    )


def of_file(
    readings: Readings, title: str, source: str, exact: bool, depth: int | None = None, others: Alternatives = NO_OTHERS
) -> Page:
    """Return a page that contains all its readings and can reach no network.

    title  : of the game
    source : where the strategy comes from, in words for the reader
    exact  : whether its probabilities are fractions; the page shows fractions if the readings are in fractions
    depth  : the most bids before a decision that the page shows; as many as fit where it is left out
    others : what other equilibria do, as far as it is proved

    Raises as `deepest`.
    """
    shown = deepest(readings.rules, depth)
    facts = _facts(readings.rules, title, source, exact, shown, others)
    if isinstance(readings, Continuations) and readings.exact:
        return _page(_in_fractions(readings.rules, facts) | InFractions.of(readings, shown)._asdict(), "'none'")
    return _page(facts | {"columns": packed(tables(readings, shown))}, "'none'")


def of_server(
    rules: Rules, title: str, source: str, exact: bool, fractions: bool = False, others: Alternatives = NO_OTHERS
) -> Page:
    """Return a page that requests every reading from its server and can connect to no other.

    fractions : whether the readings are in fractions
    others    : what other equilibria do, as far as it is proved
    """
    facts = _facts(rules, title, source, exact, rules.bid_count, others) | {"columns": None}
    return _page(_in_fractions(rules, facts) if fractions else facts, "'self'")


def _page(data: dict[str, Any], connect: str) -> Page:
    return Page("Liar's Dice", data["title"], data, "explorer/dice_page.js", "dice_guide.html", connect, ("play.css",))


def _in_fractions(rules: Rules, facts: dict[str, Any]) -> dict[str, Any]:
    """Return the facts of a page whose numbers are fractions."""
    chances = [[str(chance) for _, chance in rules.rolls(player)] for player in range(rules.players)]
    payoffs = [str(number) for number in rules.payoffs_when_losing(0)[:2]]
    return facts | {"fractions": True, "chances": chances, "payoffs": payoffs}


def _facts(rules: Rules, title: str, source: str, exact: bool, depth: int, others: Alternatives) -> dict[str, Any]:
    """Return the data of the scripts without the numbers; every rule of the game is applied here."""
    players = range(rules.players)
    rolls = [rules.rolls(player) for player in players]
    return {
        "title": title,
        "about": title.removeprefix("Liar's Dice: "),
        "rules": brief(rules),
        "source": source,
        "exact": exact,
        "fractions": False,
        "depth": depth,
        "mistake": MISTAKE,
        "wild": rules.wild,
        "isChance": rules.payoffs_when_losing(0)[:2] == (Fraction(0), Fraction(1)),
        "players": [f"Player {player + 1}" for player in players],
        "actions": _actions(rules),
        "openings": list(rules.bidding.openings),
        "stops": _stops(rules),
        "stands": _stands(rules),
        "rolls": [[roll for roll, _ in own] for own in rolls],
        "chances": [[float(chance) for _, chance in own] for own in rolls],
        "matching": [matching_table(rules, player).T.tolist() for player in players],
        "alternatives": {_key(rules, name): _texts(shares) for name, shares in others.items()},
        "payoffs": [float(number) for number in rules.payoffs_when_losing(0)[:2]],
    }


def _actions(rules: Rules) -> dict[str, Any]:
    """Return the names and colours of all actions in the order of their numbers: the final actions are negative."""
    count = rules.bidding.final_action_count
    colours = [*reversed(ENDINGS[:count]), *(Colour(colour, colour) for colour in bid_colours(rules))]
    return {
        "first": -count,
        "names": [*reversed(rules.final_action_names), *map(str, rules.bids)],
        "colours": [(css(colour), css(ink_on(colour))) for colour in colours],
    }


def _stops(rules: Rules) -> list[int]:
    """Return for every bid the first bid that is too high to follow it."""
    return [rules.bidding.stop(bid) for bid in range(rules.bid_count)]


def _stands(rules: Rules) -> list[list[str]]:
    """Return for every final action and bid a text with "1" for each number of matching dice with which the bid stands.

    A stair counts more than its dice, so the largest number may exceed that of the dice in play.
    """
    counts = np.arange(1 + sum(int(matching_table(rules, player).max()) for player in range(rules.players)))
    return [
        ["".join("01"[int(stands)] for stands in rules.stands(counts - bid.quantity, action)) for bid in rules.bids]
        for action in rules.bidding.final_actions
    ]


def _key(rules: Rules, name: str) -> str:
    """Return the scripts' name of an information set: the bids so far and the number of the roll."""
    history, roll = infoset_key(rules, name)
    return f"{history_text(rules, history)}|{roll}"


def _texts(shares: Mapping[str, Fraction]) -> dict[str, str]:
    return {action: str(share) for action, share in shares.items()}
