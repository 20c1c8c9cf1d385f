"""Matches of two players in which a right spot-on claim wins a die back, so that they may never end.

A round of such a match has four ends: either player loses a die, or either player has claimed spot-on rightly, after which
no player loses one. Let v(s) be the value of the match to player 1 from its state s: the dice, the opener, and whether the
round is palifico. A sweep replaces v(s) by the value of the round as a zero-sum game whose ends pay the values of the states
that follow. Call this operator T. It is monotone, because the value of a game rises with its payoffs, and a rise of all of
them by c raises no value by more than c.

Bounds. T^n(0) is the value of the match in which player 1 loses if it has not ended after n rounds, and T^n(1) the value if
player 1 then wins. A player who follows the first n rounds of such a solution does at least as well in the match without
end. So T^n(0) <= v <= T^n(1) for every n, however endless play is counted.

Contraction. Let g = T^n(1) - T^n(0) be the gap, let player 1 play optimally for T^n(1), and player 2 for T^n(0). With these
strategies the gap of the next sweep at s is at most the expected gap at the state that follows, where an end of the match has
none. So a sweep multiplies the largest gap by the chance, at most, that the match goes on, and several sweeps by the chance
that it goes on for as many rounds. If players call with a probability of e or more whenever they may, each round ends with a
call with that probability, whatever else they do; a match of N dice in all then ends within N rounds with probability e^N at
least, and T contracts in N sweeps by the factor 1 - e^N. Without such an assumption no factor holds for all strategies:
players with one die each, who bid their own dice and claim spot-on rightly, never end their match. That is why the program
proves the bounds in every sweep and reports the gap that is left, instead of trusting a factor.

All numbers are fractions. Those that are kept are rounded outwards to multiples of 2^-40.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

import numpy as np

from liarsdice_cli.errors import Argument, LiarsDiceError
from liarsdice_cli.extensive.stream import NONE, TERMINAL, Ints, Outcome
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.games.liarsdice.rules import FEWEST_NODES, Rules
from liarsdice_cli.games.liarsdice.table import Table
from liarsdice_cli.games.liarsdice.tree import Counts, build
from liarsdice_cli.progress import SILENT, Progress
from liarsdice_cli.solvers.exact import solve as exact
from liarsdice_cli.studies.intervals import LOST, SURE, Interval

MOST_NODES = 300_000
"""The largest tree of a round: a sweep solves each round twice, and a match takes about ten sweeps."""
TARGET = Fraction(1, 10**4)
"""The gap between the bounds at which sweeps end."""
MOST_SWEEPS = 100
_GRID = 1 << 40
_ENDS = ("P1 loses", "P2 loses", "P1 spot-on", "P2 spot-on")
"""The ends of a round, in which P1 opens."""
Payoffs = tuple[Fraction, Fraction, Fraction, Fraction]
"""The payoffs of the opener for each of the four ends."""


@dataclass(frozen=True)
class Endless:
    """The bounds of a match from each of its states.

    values : by state, the probability that seat 0 wins
    gaps   : the widest bounds after each sweep
    """

    values: Mapping[Table, Interval]
    gaps: tuple[Fraction, ...]


def play(starts: Sequence[Table], opener: str, target: Fraction = TARGET, progress: Progress = SILENT) -> Endless:
    """Return bounds on the values of rounds of a match and of all states that can follow, at most `target` apart.

    starts : rounds of two players, with `MatchRules.spot_on_gains`
    opener : "loser", "winner" or "alternate", as in `studies.match`; a right claim counts as won by the claimer

    They are farther apart after `MOST_SWEEPS`, or if a sweep has not brought them nearer. Raises UsageError without spot-on and
    LiarsDiceError for a round above `MOST_NODES`.

    >>> from liarsdice_cli.games.liarsdice.match_rules import MatchRules
    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> game = rules("common", 2, (1, 1), spot_on=True)
    >>> found = play([Table.start(game, MatchRules(spot_on_gains=True))], "loser", Fraction(1, 1000))
    >>> found.gaps[-1] <= Fraction(1, 1000), len(found.values)
    (True, 2)
    """
    ends = _states(starts, opener)
    values = dict.fromkeys(ends, Interval(Fraction(0), Fraction(1)))
    gaps: list[Fraction] = []
    while not _ends_after(gaps, target):
        progress.begin(f"sweep {len(gaps) + 1}, bounds {float(gaps[-1] if gaps else 1):.2g} apart", len(ends), "rounds")
        for state, following in ends.items():  # the fewest dice first: each state uses the newest bounds of the others
            values[state] = swept(state, following, values)
            progress.advance()
        gaps.append(max(one.upper - one.lower for one in values.values()))
    return Endless(values, tuple(gaps))


def _ends_after(gaps: Sequence[Fraction], target: Fraction) -> bool:
    """Return whether sweeps with these gaps have reached the target, the most sweeps, or a standstill."""
    stand = len(gaps) > 1 and gaps[-1] == gaps[-2]
    return stand or len(gaps) == MOST_SWEEPS or (bool(gaps) and gaps[-1] <= target)


def _states(starts: Sequence[Table], opener: str) -> dict[Table, tuple[Table, ...]]:
    """Return the ends of all states that can follow, those with the fewest dice first; see `_ENDS`."""
    found: dict[Table, tuple[Table, ...]] = {}
    waiting = list(starts)
    while waiting:
        state = waiting.pop()
        if state in found:
            continue
        if (nodes := Counts.of(state.rules, FEWEST_NODES).nodes) > MOST_NODES:
            raise LiarsDiceError(f"{state.rules}: {nodes:,} nodes, but sweeps solve at most {MOST_NODES:,}; lower ", *_SMALLER)
        found[state] = tuple(_following(state, opener))
        waiting += [one for one in found[state] if not one.is_settled]
    return dict(sorted(found.items(), key=lambda item: (sum(item[0].dice), item[0].dice, item[0].opener)))


_SMALLER = (Argument("dice"), ", ", Argument("sides"), " or ", Argument("max_quantity"))


def _following(state: Table, opener: str) -> Iterator[Table]:
    """Yield the state after each end of a round; if the match is over, the table of that round."""
    first, second = state.seats
    for ended, winner in (
        (state.lose(first), second),
        (state.lose(second), first),
        (state.gain(first), first),
        (state.gain(second), second),
    ):
        loser = first if winner == second else second
        opens = {"loser": loser if ended.gainer is None else winner, "winner": winner, "alternate": second}[opener]
        yield ended if ended.is_over else ended.next_round(opens)


def swept(state: Table, ends: tuple[Table, ...], values: Mapping[Table, Interval]) -> Interval:
    """Return the bounds of a state from those of the states that follow, for seat 0."""
    bounds = [_known(one, values) for one in ends]
    if state.opener != 0:
        bounds = [one.of_other() for one in bounds]
    game = _round(state.rules)
    lower = game([one.lower for one in bounds])[0]
    upper = game([one.upper for one in bounds])[1]
    found = Interval(Fraction(lower * _GRID // 1, _GRID), Fraction(-(-upper * _GRID // 1), _GRID))
    return found if state.opener == 0 else found.of_other()


def _known(state: Table, values: Mapping[Table, Interval]) -> Interval:
    if state.is_settled:
        return SURE if state.dice_left[0] else LOST
    return values[state]


@cache
def _round(rules: Rules) -> Callable[[list[Fraction]], tuple[Fraction, Fraction]]:
    """Return a function from the payoffs of the opener, for the four ends of a round, to bounds on its value."""
    tree = _with_four_ends(build(rules, FEWEST_NODES))

    @cache
    def solved(payoffs: Payoffs) -> tuple[Fraction, Fraction]:
        if len(set(payoffs)) == 1:
            return payoffs[0], payoffs[0]
        paid = [Outcome(name, (payoff, 1 - payoff)) for name, payoff in zip(_ENDS, payoffs, strict=True)]
        found, _ = exact.solve(replace(tree, outcomes=paid), selects=False)
        assert found.judgement.bounds is not None, "two players with constant sum and perfect recall"
        lower, upper = found.judgement.bounds
        return Fraction(lower), Fraction(upper)

    return lambda payoffs: solved((payoffs[0], payoffs[1], payoffs[2], payoffs[3]))


def _with_four_ends(tree: GameTree) -> GameTree:
    """Return the tree of a round with an outcome for each of its ends."""
    claims = np.zeros(tree.actions, np.bool_)
    for row in range(len(tree.infosets)):
        labels = tree.actions_at(row).labels
        if "spot-on" in labels:
            claims[tree.first_action[row] + labels.index("spot-on")] = True
    ends = np.flatnonzero(tree.player == TERMINAL)
    claimed, loser = claims[tree.action[ends]], 1 - tree.outcome[ends]
    claimer: Ints = tree.player[tree.parent[ends]]
    outcome = np.full(tree.nodes, NONE, np.int32)
    outcome[ends] = np.where(claimed & (claimer != loser), 2 + claimer, loser)
    return replace(tree, outcome=outcome)
