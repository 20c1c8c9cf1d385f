"""Exact equilibria of Liar's Dice for two without a tree: solve a restricted game, ask both oracles, allow more, repeat.

A restricted game allows a few actions at a few histories; its equilibrium is a linear program of moderate size. Each player's
best response in the whole game names the actions that are missing. As soon as neither finds any in floats, the plans of the
program's last basis are made exact, and the oracles asked again, in integers. Where both best responses win the same, the
plans are an equilibrium of the whole game: nothing else is called one.

Source: Bosansky, Kiekintveld, Lisy and Pechoucek (2014), "An exact double-oracle algorithm for zero-sum extensive-form games
with imperfect information", Journal of Artificial Intelligence Research 51. Here actions are missed at every information
set, not only along one best response, so that fewer programs are solved.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import inf, lcm
from typing import Any

import numpy as np

from liarsdice_cli.errors import Argument, LiarsDiceError, TimeLimitError
from liarsdice_cli.extensive.evaluate import Judgement
from liarsdice_cli.extensive.stream import NONE, Floats, Numbers
from liarsdice_cli.games.liarsdice.grown_strategy import GrownStrategy
from liarsdice_cli.games.liarsdice.planting import grown_of
from liarsdice_cli.games.liarsdice.public import public_game
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.strategy import actions, mover
from liarsdice_cli.solvers.double_oracle import restart
from liarsdice_cli.solvers.double_oracle.anchor import Anchor
from liarsdice_cli.solvers.double_oracle.deals import Deals
from liarsdice_cli.solvers.double_oracle.oracle import Oracle, Play
from liarsdice_cli.solvers.double_oracle.restricted import CALL, Actions, RestrictedGame
from liarsdice_cli.solvers.double_oracle.sequences import Sequences
from liarsdice_cli.solvers.exact.linear_program import LinearProgram, Plans
from liarsdice_cli.solvers.regret.convergence import Bounds, Limits, Proof, Sample, run
from liarsdice_cli.solvers.regret.minimisers import DEFAULT, minimiser
from liarsdice_cli.solvers.solution import Watch

JUDGE = "public tree, in fractions"
"""The judge of this file, as `Judgement.judge` names it."""
_LEAST = 1e-9
"""What an action must gain in floats, as a probability to win, to be missed."""
_PATIENCE = 250_000_000
"""Simplex iterations times rows of their programs after which the search starts again with an anchor: 10 to 20 seconds."""
_NEAR, _NEAR_ITERATIONS, _NEAR_EVERY = 2e-6, 50_000, 20
"""The exploitability of an anchor as a share of the range of payoffs, the most iterations for it, and those between bounds.

All three count work. A clock would let the speed of the machine choose the equilibrium.
"""

_Pair = tuple[Fraction, Fraction]


@dataclass(frozen=True)
class Equilibrium:
    """An exact equilibrium.

    judgement : in fractions: what both best responses prove
    strategy  : the same with its probabilities rounded to floats
    rounds    : linear programs solved
    histories, sequences : of the last restricted game, sequences of each player
    digits    : the most digits of a denominator in the plans
    """

    judgement: Judgement
    strategy: GrownStrategy
    rounds: int
    histories: int
    sequences: tuple[int, int]
    digits: int

    @property
    def facts(self) -> dict[str, Any]:
        """How it was found, for a program."""
        return {name: getattr(self, name) for name in ("rounds", "histories", "sequences", "digits")}

    @property
    def note(self) -> str:
        """The same for a person."""
        one, two = self.sequences
        return (
            f"{self.rounds} rounds, a restricted game of {self.histories:,} histories with {one:,} and {two:,} sequences; "
            f"the fractions of its plans have up to {self.digits} digits"
        )


def solve(rules: Rules, watch: Watch | None = None, time_limit: float | None = None) -> Equilibrium:
    """Return an exact equilibrium of rules for two, the same one on slow machines and on fast ones.

    Raises TimeLimitError after so many seconds, LiarsDiceError where no basis of the program can be made exact,
    KeyboardInterrupt on Ctrl-C. Cost: some tens of linear programs with a few thousand rows and columns (docs/solving.md).

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> str(solve(rules("joker", 3, payoffs="zero-sum")).judgement.payoffs[0])
    '1/3'
    """
    told = _Told(watch or Watch(), time.monotonic())
    deadline = inf if time_limit is None else told.begun + time_limit
    found = _Search(rules, told, deadline).run(_PATIENCE)
    if found is None:
        search = _Search(rules, told, deadline)
        search.anchor = Anchor(search.game, _near(rules, told, deadline), deadline)
        found = search.run()
    assert found is not None, "without a limit to its work, a search ends with an equilibrium or an error"
    return found


def _near(rules: Rules, told: _Told, deadline: float) -> GrownStrategy:
    """Return strategies near an equilibrium, by a minimiser. Raises TimeLimitError at the deadline."""
    from liarsdice_cli.solvers.public_tree.solver import PublicTree  # imports numba

    solver = PublicTree(public_game(rules), minimiser(DEFAULT), threads=1)
    solver.compile()
    limits = Limits(_NEAR * solver.game.range, _NEAR_ITERATIONS, deadline - time.monotonic(), _NEAR_EVERY)
    ended = run(solver, limits, lambda sample: told.bounds(sample.iteration, sample.bounds)).ended
    if ended == "interrupt":
        raise KeyboardInterrupt
    if ended == "time":
        raise TimeLimitError(f"stopped at the time limit, after {solver.iteration:,} iterations towards an anchor")
    return GrownStrategy(rules, solver.tree)


class _Told:
    """What a person is told on the way: the bounds of every round and iteration, and the best that are proved by them all."""

    def __init__(self, watch: Watch, begun: float) -> None:
        self.watch, self.begun = watch, begun
        self.proved: Proof | None = None

    def bounds(self, number: int, bounds: Proof) -> None:
        """Tell the bounds that are known after so many rounds or iterations."""
        self.proved = bounds if self.proved is None else self.proved.tightened(bounds)
        self.watch.sample(Sample(number, time.monotonic() - self.begun, bounds, self.proved), None)


class _Search:
    """A restricted game that grows until its equilibrium is one of the whole game."""

    def __init__(self, rules: Rules, told: _Told, deadline: float) -> None:
        self.rules, self.deals, self.told, self.deadline = rules, Deals(rules), told, deadline
        self.anchor: Anchor | None = None
        self.game = RestrictedGame(self.deals)
        self.oracles = Oracle(self.game, 0), Oracle(self.game, 1)

    def run(self, most_work: float = inf) -> Equilibrium | None:
        """Solve restricted games until an equilibrium is proved; raises TimeLimitError at the deadline.

        most_work : simplex iterations times rows after which no further program is solved, and None returned
        """
        last: tuple[Sequences, Any] | None = None
        work = 0
        while work <= most_work:
            sequences = Sequences(self.game)
            program = LinearProgram(sequences.form)
            basis = None if last is None else restart.basis(sequences, *last)
            highs = self._optimum(program, basis)
            work += highs.getInfo().simplex_iteration_count * program.rows
            last = sequences, highs.getBasis()
            bounds, missing = self._look(sequences, program.float_plans(highs))
            self._tell(Bounds(*map(float, bounds)))
            if not len(missing.action):
                found, missing = self._prove(sequences, program, highs)
                if found is not None:
                    return found
            self.game.allow(missing)
        return None

    def _look(self, sequences: Sequences, plans: Plans) -> tuple[_Pair, Actions]:
        """What is missed between the anchor and the plans, or else at the plans; and what the plays there prove."""
        plays = [sequences.play(player, plan) for player, plan in enumerate(plans)]
        if self.anchor is not None:
            between = self.anchor.towards(plays)
            bounds, missing = self._ask(sequences, between)
            self.anchor.learn(between, (float(bounds[0]), -float(bounds[1])))
            if len(missing.action):
                return bounds, missing
        return self._ask(sequences, plays)

    def _optimum(self, program: LinearProgram, basis: Any) -> Any:
        """HiGHS at an optimum, begun again without a basis where it finds none from it."""
        for start in (basis, None):
            highs = program.optimum(self.deadline, basis=start)
            if highs is not None:
                return highs
        raise LiarsDiceError("HiGHS finds no optimum of the linear program, in floats; try ", Argument("method", "dcfr+"))

    def _ask(self, sequences: Sequences, plays: list[Play], denominators: tuple[int, int] = (1, 1)) -> tuple[_Pair, Actions]:
        """What plays secure player 1, at least and at most, and the actions that either player misses against them.

        denominators : of both plays, where their weights are integers
        """
        wins, missing = [], []
        for player, oracle in enumerate(self.oracles):
            play, exact = plays[1 - player], plays[1 - player].comes.dtype == object
            whole = denominators[1 - player] * self.deals.total * (sequences.whole if exact else 1)
            response = oracle.respond(play)
            missing.append(oracle.missing(play, response, sequences.comes[player], 0 if exact else _LEAST * self.deals.total))
            wins.append(Fraction(int(response.wins), whole) if exact else Fraction(float(response.wins) / whole))
        best = [self.deals.payoff(player, won) for player, won in enumerate(wins)]
        return (self._constant - best[1], best[0]), Actions(*map(np.concatenate, zip(*missing, strict=True)))

    @property
    def _constant(self) -> Fraction:
        return sum(self.rules.payoffs_when_losing(0), start=Fraction(0))

    def _prove(self, sequences: Sequences, program: LinearProgram, highs: Any) -> tuple[Equilibrium | None, Actions]:
        """The equilibrium, if the exact plans of a basis are one; else what they miss.

        Raises LiarsDiceError where nothing is missing, but no basis is sound in exact arithmetic.
        """
        for plans in self._exact_plans(program, highs):
            (one, below), (two, under) = map(_integers, plans)
            (lower, upper), missing = self._ask(sequences, [sequences.play(0, one), sequences.play(1, two)], (below, under))
            if lower == upper:
                return self._equilibrium(sequences, plans, upper), missing
            if len(missing.action):
                return None, missing
        raise LiarsDiceError("no basis of the linear program is sound in exact arithmetic; try ", Argument("method", "dcfr+"))

    def _exact_plans(self, program: LinearProgram, highs: Any) -> Iterator[Plans]:
        """The exact plans of the last basis, and of those at which HiGHS ends on other ways."""
        for again in (None, True, False):
            ended = highs if again is None else program.optimum(self.deadline, presolve=again)
            plans = None if ended is None else program.exact_plans(ended)
            if plans is not None:
                yield plans

    def _tell(self, bounds: Bounds) -> None:
        if time.monotonic() > self.deadline:
            raise TimeLimitError(f"stopped at the time limit, after {self.game.round} rounds")
        self.told.bounds(self.game.round, bounds)

    def _equilibrium(self, sequences: Sequences, plans: Plans, value: Fraction) -> Equilibrium:
        payoffs, none = (value, self._constant - value), Fraction(0)
        judgement = Judgement(payoffs, payoffs, (none, none), self._constant, exact=True, judge=JUDGE)
        plays = sequences.play(0, plans[0]), sequences.play(1, plans[1])
        strategy = grown_of(OfPlays(self.rules, self.game, plays))
        longest = max(number.denominator for plan in plans for number in map(Fraction, plan.tolist()))
        one, two = (side.sequences for side in sequences.form.sides)
        return Equilibrium(judgement, strategy, self.game.round, self.game.size, (one, two), len(f"{Decimal(longest):f}"))


@dataclass(frozen=True, eq=False)
class OfPlays:
    """The strategy of two plays with weights in fractions, in floats; where a player's own play does not come, calls."""

    rules: Rules
    game: RestrictedGame
    plays: tuple[Play, Play]

    def at(self, history: Sequence[int]) -> Floats:
        """See `strategy.Strategy`."""
        player, here = mover(self.rules, history), 0
        allowed = actions(self.rules, history)
        said = np.zeros((len(allowed), self.game.deals.rolls[player]))
        for bid in history:
            here = int(self.game.child[here, bid]) if here != NONE else NONE
        if here == NONE:
            said[CALL] = 1
            return said
        play = self.plays[player]
        comes = np.array([weight or Fraction(1) for weight in play.comes[here].tolist()], object)
        for place, action in enumerate(allowed):
            if action < 0:
                said[place] = play.ends[place, here] / comes
            elif self.game.child[here, action] != NONE:
                said[place] = play.comes[self.game.child[here, action]] / comes
        said[CALL] += said.sum(axis=0) == 0
        return said


def _integers(plan: Numbers) -> tuple[Numbers, int]:
    """The plan's fractions as integers over their common denominator."""
    numbers = [Fraction(number) for number in plan.tolist()]
    denominator = lcm(*{number.denominator for number in numbers})
    return np.array([number.numerator * (denominator // number.denominator) for number in numbers], object), denominator
