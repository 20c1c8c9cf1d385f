"""The probability of winning a match, in which the loser of each round gives up a die until one player has none left.

Every round starts with new rolls and ends with public dice, so no private information passes from one round to the next.
The match is therefore solved upwards from one die each. Let W and L be the opener's probabilities of winning the match
after winning and after losing a round. The round is then a zero-sum game that pays the opener W or L.

Its equilibria do not depend on W and L as long as W > L, because the payoff L + (W - L) [the opener wins the round] is an
increasing affine function of the probability of winning the round. If p is the value of the round with payoffs 1 and 0, the
opener wins the match with probability

    v = p W + (1 - p) L.

If W = L, the round decides nothing and the formula still holds. If W < L, both players would rather lose the round. The
value p does not apply to such a round, and v is only known to lie between W and L.

All values are intervals of exact fractions, and a float counts as the fraction that it represents, so nothing is rounded.
For W >= L the formula increases with W and with L and is monotone in p, so its extreme values over intervals are at their
ends. If the intervals of W and L overlap, the result is the union of both cases.

If both players have the same dice, and the loser or the winner opens, the round after a win is that after a loss with the
players exchanged. Then W = 1 - L, which excludes that both are high or both low.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING

from liarsdice_cli.errors import ArgumentError, check_one_of
from liarsdice_cli.extensive.renderable import Renderable
from liarsdice_cli.games.liarsdice.match_rules import PLAIN, MatchRules
from liarsdice_cli.games.liarsdice.payoffs import wins_at
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.progress import Progress
from liarsdice_cli.studies.intervals import LOST, SURE, Interval
from liarsdice_cli.text import numbered

if TYPE_CHECKING:
    from liarsdice_cli.games.liarsdice.table import Table
    from liarsdice_cli.studies.endless import Endless
    from liarsdice_cli.studies.valuation import Valuation

_ONE_BY_ONE = "single rounds have values only with two players; give two numbers, such as 2,2"
OPENERS = ("loser", "winner", "alternate")
"""The opener of the next round: the loser of this one, its winner, or the players in turn."""

PROVED, OPEN, REVERSED = "proved", "open", "reversed"
"""Whether winning a round is at least as good as losing it: it is; the bounds do not decide; it is worse."""

Dice = tuple[int, int]
"""The dice of the opener, and of the other player."""


@dataclass(frozen=True)
class Stage:
    """A round of a match, with the probabilities of its opener.

    wins                  : of winning this round
    after_win, after_loss : of winning the match after this round is won, or lost
    match                 : of winning the match
    """

    wins: Interval
    after_win: Interval
    after_loss: Interval
    match: Interval

    @property
    def order(self) -> str:
        """PROVED, OPEN or REVERSED."""
        if self.after_win.lower >= self.after_loss.upper:
            return PROVED
        return REVERSED if self.after_win.upper < self.after_loss.lower else OPEN


def stages(start: Table) -> list[Rules]:
    """Return the rules of every round that can occur in a match from this round on, the smallest first.

    Player 1 of a round is its opener, so both orders of the dice occur. With palifico, an opener with one die has just come
    down to it, unless the match starts there, because the loser of a round opens the next one.

    Raises UsageError for more than two players. The value of staying in then depends on which other player loses, so it is
    not an affine function of the payoffs of the round (see `studies.match_of_more`).

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> from liarsdice_cli.games.liarsdice.table import Table
    >>> [game.dice for game in stages(Table.start(rules("joker", 2, (2, 1))))]
    [(1, 1), (1, 2), (2, 1)]
    """
    from liarsdice_cli.games.liarsdice.table import rounds_of  # imports numpy

    if len(start.dice) != 2:
        raise ArgumentError("dice", start.dice, _ONE_BY_ONE)
    return sorted({one.rules for one in rounds_of(start, whole=True)}, key=lambda game: (sum(game.dice), game.dice))


def check(opener: str, match_rules: MatchRules = PLAIN) -> None:
    """Raise UsageError unless `opener` is one of `OPENERS`, and the loser with palifico."""
    check_one_of("opener", opener, OPENERS)
    if match_rules.palifico and opener != "loser":
        raise ArgumentError("opener", opener, "with palifico the loser opens the next round: give loser, or no palifico")


def as_known(games: Sequence[Rules], known: Container[Rules]) -> list[Rules]:
    """Return the games, each with payoffs +1 and -1 if that game is known: the probability of winning is the same.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> joker = rules("joker", 2)
    >>> as_known([joker], {joker}) == [joker], as_known([joker], {rules("joker", 2, payoffs="zero-sum")})[0].payoffs
    (True, 'zero-sum')
    """
    return [other if (other := replace(game, payoffs="zero-sum")) in known else game for game in games]


def chance(found: Valuation) -> Interval:
    """Return the probability that the opener wins a round, from the value of its game; between 0 and 1 if it is unknown."""
    if found.lower is None or found.upper is None:
        return Interval(Fraction(0), Fraction(1))
    lower, upper = (wins_at(found.rules, Fraction(bound)) for bound in (found.lower, found.upper))
    return Interval(max(lower, Fraction(0)), min(upper, Fraction(1)))


def play(rounds: Mapping[Rules, Interval], opener: str = "loser") -> dict[Dice, Stage]:
    """Return every round of a match, by the dice of its opener and of the other player.

    rounds : the probability that the opener wins each round, for all rounds that `stages` lists
    opener : one of `OPENERS`

    Cost: a few operations with fractions a round.

    >>> half = Interval(Fraction(1, 2), Fraction(1, 2))
    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> from liarsdice_cli.games.liarsdice.table import Table
    >>> str(play(dict.fromkeys(stages(Table.start(rules("joker", 2, (2, 1)))), half))[2, 1].match.lower)
    '3/4'
    """
    from liarsdice_cli.games.liarsdice.table import Table  # imports numpy

    check(opener)
    found: dict[Dice, Stage] = {}
    for game, wins in sorted(rounds.items(), key=lambda item: (sum(item[0].dice), item[0].dice)):
        table = Table.start(game)
        won, lost = (_opener_wins(found, table, loser, opener) for loser in (1, 0))
        exchanged = game.dice[0] == game.dice[1] and opener != "alternate"
        found[game.dice[0], game.dice[1]] = Stage(wins, won, lost, _combined(wins, won, lost, exchanged))
    return found


def _opener_wins(found: Mapping[Dice, Stage], table: Table, loser: int, opener: str) -> Interval:
    """Return the probability that the opener of a round, seat 0, wins the match if that seat loses the round."""
    ended = table.lose(loser)
    if ended.is_over:
        return LOST if loser == 0 else SURE
    first, second = ended.next_round({"loser": loser, "winner": 1 - loser, "alternate": 1}[opener]).seats
    match = found[ended.dice_left[first], ended.dice_left[second]].match
    return match if first == 0 else match.of_other()


def _combined(wins: Interval, won: Interval, lost: Interval, exchanged: bool = False) -> Interval:
    """Return the interval of p W + (1 - p) L if W >= L, united with the interval from W to L if W < L is possible.

    exchanged : whether W = 1 - L
    """
    if won.upper < lost.lower:
        return Interval(won.lower, lost.upper)
    pairs = zip(won, reversed(lost) if exchanged else lost, strict=True)
    values = [p * after_win + (1 - p) * after_loss for after_win, after_loss in pairs for p in wins]
    if won.lower < lost.upper:
        values += won.lower, lost.upper
    return Interval(min(values), max(values))


@dataclass(frozen=True)
class Match(Renderable):
    """The values of all rounds of a match.

    start      : the first round
    opener     : the opener of the next round, one of `OPENERS`
    valuations : the values of all rounds that can occur (see `stages`)
    """

    start: Table
    opener: str
    valuations: Sequence[Valuation]

    def __repr__(self) -> str:
        from liarsdice_cli.formats.numbers import shown_between  # imports numpy

        game, (first, second) = self.start.game, self.start.dice
        wins = shown_between(*self.won_by_first(first, second, 1))
        sides = numbered(game.sides, "sides")
        return f"Match({game.name} rules, {sides}, dice {first},{second}: player 1 wins with probability {wins})"

    @cached_property
    def rounds(self) -> dict[Dice, Stage]:
        """Every round, by the dice of its opener and of the other player."""
        return play({one.rules: chance(one) for one in self.valuations}, self.opener)

    def round_of(self, own: int, other: int, opener: int) -> Stage:
        """Return the round in which player 1 has `own` dice, player 2 has `other`, and player `opener`, 1 or 2, opens."""
        return self.rounds[(own, other) if opener == 1 else (other, own)]

    def won_by_first(self, own: int, other: int, opener: int) -> Interval:
        """Return the probability that player 1 wins the match from that round on."""
        wins = self.round_of(own, other, opener).match
        return wins if opener == 1 else wins.of_other()


@dataclass(frozen=True, repr=False)
class EndlessMatch(Match):
    """A match in which a right spot-on claim wins back a die; its rounds have no separate values.

    endless : the bounds of all states (see `studies.endless`)
    """

    endless: Endless = field(kw_only=True)

    def won_by_first(self, own: int, other: int, opener: int) -> Interval:
        """Return bounds on the probability that player 1 wins the match from that round on."""
        return self.endless.values[self._known[own, other, opener - 1]]

    @cached_property
    def rounds(self) -> dict[Dice, Stage]:
        """Empty, because the value of a round depends on all rounds that can follow."""
        return {}

    @cached_property
    def _known(self) -> dict[tuple[int, int, int], Table]:
        """The states of the tables that are shown: palifico if a player has come down to one die and opens."""
        shown: dict[tuple[int, int, int], Table] = {}
        for state in self.endless.values:
            place = (state.dice[0], state.dice[1], state.opener)
            if place not in shown or state.is_palifico:
                shown[place] = state
        return shown


def endless_match(start: Table, opener: str, target: Fraction, progress: Progress) -> EndlessMatch:
    """Return a match in which a right spot-on claim wins back a die; raises as `endless.play`.

    start  : the first round, of two players
    target : the distance of the bounds at which sweeps end
    """
    from liarsdice_cli.games.liarsdice.table import Table  # imports numpy
    from liarsdice_cli.studies import endless

    check(opener, start.match_rules)
    first, second = start.dice
    pairs = product(range(1, first + 1), range(1, second + 1), (0, 1))
    starts = [Table(start.game, (one, other), seat, start.match_rules) for one, other, seat in pairs]
    return EndlessMatch(start, opener, (), endless=endless.play(starts, opener, target, progress))
