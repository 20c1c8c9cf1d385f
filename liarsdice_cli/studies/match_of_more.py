"""Matches of three or more players, from rounds that are solved separately, as if staying in were all that counts.

For two players a round's equilibria do not depend on the rest of the match (`studies.match`). With more they do. A player who
stays in prefers that a strong opponent loses the round, not a weak one. An equilibrium of the match may give up a little of a
round for that. Here every round is solved separately, with the payoffs 1 for staying in and 0 for losing. If q_i is the
probability that player i loses the round under the profile that was found, the probabilities of winning the match are

    V(dice) = sum over i of q_i V(dice after i has lost one).

So V is the probability that each player wins if all play every round in that way. It is not the value of an equilibrium of the
match: the gain of a player who plays for the whole match is not bounded, and a round has other equilibria too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from liarsdice_cli.errors import ArgumentError
from liarsdice_cli.extensive.renderable import Renderable
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.table import Table, rounds_of
from liarsdice_cli.progress import SILENT, Progress
from liarsdice_cli.solvers import ladder
from liarsdice_cli.solvers.registry import iterates
from liarsdice_cli.solvers.regret.minimisers import MINIMISERS
from liarsdice_cli.solvers.request import AUTO, Request

TARGET, SECONDS = 5e-3, 60.0
"""The regret at which a round is good enough, and the time limit of a round that does not reach it."""
_USED = "method", "target", "time_limit", "threads", "cluster"
"""The options of a request that each round uses."""
_ONLY_LOSER = "with three or more players the loser opens the next round; give loser"
_ONLY_MINIMISERS = "with three or more players a regret minimiser solves each round; choose from"


@dataclass(frozen=True)
class SolvedRound:
    """A round under the profile that was found for it.

    loses  : the probability that each player loses it, in the order of play
    regret : the most that a player could gain in this round, as a probability of staying in
    """

    loses: tuple[float, ...]
    regret: float


@dataclass(frozen=True)
class MatchOfMore(Renderable):
    """The probabilities of winning a match of three or more players.

    start  : the first round
    solved : all rounds that can follow, by their rules
    """

    start: Table
    solved: Mapping[Rules, SolvedRound]

    @property
    def opener(self) -> str:
        """The loser of a round opens the next one."""
        return "loser"

    @property
    def regret(self) -> float:
        """The largest regret of all rounds."""
        return max(one.regret for one in self.solved.values())

    @cached_property
    def _known(self) -> dict[Table, tuple[float, ...]]:
        return {}

    def wins(self, table: Table) -> tuple[float, ...]:
        """Return the probability that each seat wins the match from a round on."""
        if table not in self._known:
            found = [0.0] * len(table.dice)
            for seat, loses in zip(table.seats, self.solved[table.rules].loses, strict=True):
                ended = table.lose(seat)
                over = [float(left > 0) for left in ended.dice_left]
                after = over if ended.is_over else self.wins(ended.next_round())
                found = [one + loses * other for one, other in zip(found, after, strict=True)]
            self._known[table] = tuple(found)
        return self._known[table]

    def rounds(self) -> list[Table]:
        """Return the rounds with all players in, the fewest dice first; palifico if the loser has just come down to one."""
        return rounds_of(self.start, whole=True)

    def __repr__(self) -> str:
        wins = ", ".join(f"{one:.3f}" for one in self.wins(self.start))
        return f"MatchOfMore({self.start.rules}: the players win with {wins})"


def match_of_more(
    start: Table, opener: str = "loser", request: Request | None = None, progress: Progress = SILENT
) -> MatchOfMore:
    """Return the probabilities of winning a match of three or more players.

    Raises ArgumentError for another opener, and for a method that is not a regret minimiser.

    start   : the first round
    request : `target`, `time_limit`, `threads` and `cluster` for each round; `TARGET` and `SECONDS` if they are not given

    Cost: that of all rounds.
    """
    if opener != "loser":
        raise ArgumentError("opener", opener, _ONLY_LOSER)
    games = _games(start)
    request = request or Request()
    request.check_uses(_USED, "a match of three or more players")
    if request.method != AUTO and not iterates(request.method):
        raise ArgumentError("method", request.method, f"{_ONLY_MINIMISERS} {', '.join((AUTO, *MINIMISERS))}")
    target = TARGET if request.target is None else request.target
    request = request.updated(target=target, time_limit=request.time_limit or SECONDS)
    solved = {}
    for number, game in enumerate(games, 1):
        progress.begin(f"round {number} of {len(games)}, {game}")
        solved[game] = _solved(game, request, progress)
    return MatchOfMore(start, solved)


def _games(start: Table) -> list[Rules]:
    """Return the rules of all rounds that can follow, the smallest first."""
    seen: set[Table] = set()
    waiting = rounds_of(start)
    while waiting:
        table = waiting.pop()
        if table not in seen:
            seen.add(table)
            ended = [table.lose(seat) for seat in table.seats]
            waiting += [one.next_round() for one in ended if not one.is_over]
    return sorted({one.rules for one in seen}, key=lambda game: (sum(game.dice), game.dice, game.is_palifico))


def _solved(game: Rules, request: Request, progress: Progress) -> SolvedRound:
    solution = ladder.solve(game.without_impossible_bids(), request, progress)
    if solution.interrupted:
        raise KeyboardInterrupt
    judgement = solution.best.judgement
    loses = [max(0.0, 1.0 - float(payoff)) for payoff in judgement.payoffs]
    total = sum(loses)
    return SolvedRound(tuple(one / total for one in loses), float(judgement.max_regret or 0))
