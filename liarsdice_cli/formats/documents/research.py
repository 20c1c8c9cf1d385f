"""JSON documents for research: the benchmark, curves of regret minimisers, and what decisions cost."""

from __future__ import annotations

from typing import TypedDict

from liarsdice_cli.formats.documents.games import Number, Titled


class BenchmarkGame(Titled):
    """The result of a policy in one game of the benchmark.

    value           : value of the game for player 1
    time_limit      : seconds for the policy and the judge together
    payoffs_as_each : payoffs of the policy as player 1 and as player 2, against a best response; null if it was not judged
    exploitability  : mean of the regrets in both seats; null likewise
    rounding_error  : largest error of the floats; null likewise
    seconds         : seconds that the policy and the judge took together
    refused         : reason why it was not judged; empty if it was
    """

    value: Number
    time_limit: int
    payoffs_as_each: list[Number] | None
    exploitability: Number | None
    rounding_error: float | None
    seconds: float
    refused: str


class Benchmark(TypedDict):
    """The result of a policy in Liar's Dice Ten.

    benchmark           : name of the benchmark
    benchmark_version   : version of its games
    policy              : name of the policy
    games               : the games, in their order
    solved              : number of games with an exploitability of at most 0.001
    mean_exploitability : mean of all games; null if one was not judged
    """

    benchmark: str
    benchmark_version: int
    policy: str
    games: list[BenchmarkGame]
    solved: int
    mean_exploitability: float | None


class ConvergenceCurve(Titled):
    """The course of a regret minimiser in a game.

    method  : its name
    ended   : why the run ended: `iterations`, `time`, `target`, `memory` or `interrupt`
    samples : iteration, seconds so far and exploitability of each sample
    """

    method: str
    ended: str
    samples: list[list[float]]


class Curves(TypedDict):
    """The convergence of regret minimisers.

    curves : one for each game and minimiser
    """

    curves: list[ConvergenceCurve]


class ArenaDecisions(TypedDict):
    """The cost of the decisions of a bot without action probabilities.

    bot       : name of the bot
    decisions : number of its decisions
    valued    : those at which the equilibrium has values
    worse     : those of them that cost anything
    mean_loss : mean of the value of the best action minus that of the action taken, in the probability of not losing the round;
                null if none has a value
    """

    bot: str
    decisions: int
    valued: int
    worse: int
    mean_loss: float | None
