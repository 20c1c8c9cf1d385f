"""The levels that play differently with dice: they are finitely many, so the best level can be found."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from liarsdice_cli.bots.zero_intelligence.payoff import as_level
from liarsdice_cli.extensive.number import Number
from liarsdice_cli.games.liarsdice.player_view import match_probability
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.tail_probabilities import TailProbabilities, binomial


class LevelRange(NamedTuple):
    """The levels above `above`, up to and including `upto`, all of which play alike; `level` is one of them."""

    above: Number
    upto: Number
    level: Fraction


def steps(rules: Rules, tails: TailProbabilities = binomial) -> list[LevelRange]:
    """Return all levels from 0 to 1 in ranges within which `ZeroIntelligence` plays alike.

    A level is only compared with probabilities P(Y >= y): the player's own for the dice of the others, and B's for the dice
    of A and the others. The player plays alike between two neighbouring probabilities. Ranges narrower than the precision of
    a level, a millionth, are left out.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> [(str(step.above), str(step.upto), str(step.level)) for step in steps(rules("ones-low", 6, (1, 1)))]
    [('0', '1/6', '1/12'), ('1/6', '1/3', '1/4'), ('1/3', '1', '2/3')]
    """
    whole, found = sum(rules.dice), set[Number]()
    for player, own in enumerate(rules.dice):
        hidden_from_next = whole - rules.dice[(player + 1) % rules.players]
        for face in rules.faces:
            for dice in (whole - own, hidden_from_next):
                found.update(tails(dice, match_probability(rules, face)))
    pieces = ((above, upto, as_level((above + upto) / 2)) for above, upto in pairwise(sorted(found)))
    return [LevelRange(above, upto, level) for above, upto, level in pieces if above < level < upto]


def merged(rules: Rules, weights: Mapping[Number, float], tails: TailProbabilities = binomial) -> dict[Number, float]:
    """Return the weights of levels, with all levels that play alike merged into one.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> {str(level): weight for level, weight in merged(rules("ones-low"), {0.2: 0.25, 0.3: 0.5, 0.4: 0.25}).items()}
    {'1/4': 0.75, '2/3': 0.25}
    """
    ranges, found = steps(rules, tails), dict[Number, float]()
    for one, weight in weights.items():
        level = next((step.level for step in ranges if step.above < as_level(one) <= step.upto), as_level(one))
        found[level] = found.get(level, 0.0) + weight
    return found
