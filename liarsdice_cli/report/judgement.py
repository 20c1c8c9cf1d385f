"""The evaluation of a profile: payoffs, regrets, the bounds on the value that they prove, and the same without a lock."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from liarsdice_cli.extensive.evaluate import Judgement, LargestRegret, SequentialJudgement
from liarsdice_cli.extensive.locks import LockedSet
from liarsdice_cli.extensive.number import Number
from liarsdice_cli.extensive.trembles import RefinedJudgement
from liarsdice_cli.formats.documents.solutions import Evaluation, Lock, LockedEvaluation, Sequential
from liarsdice_cli.formats.documents.solutions import LargestRegret as LargestRegretFields
from liarsdice_cli.formats.lock_lines import line
from liarsdice_cli.formats.numbers import encoded, outward, shown
from liarsdice_cli.solvers.solution import EvaluatedProfile
from liarsdice_cli.text import counted


def judgement_json(judgement: Judgement) -> Evaluation:
    """Return the evaluation of a profile."""
    bounds = judgement.bounds
    return {
        "payoffs": [encoded(number) for number in judgement.payoffs],
        "best_response_values": [encoded(number) for number in judgement.best_responses],
        "regrets": [encoded(number) for number in judgement.regrets],
        "judge": judgement.judge,
        "equilibrium": judgement.is_equilibrium,
        "quasi_perfect": judgement.quasi_perfect if isinstance(judgement, RefinedJudgement) else None,
        "sequential": _sequential_json(judgement) if isinstance(judgement, SequentialJudgement) else None,
        "exploitability": encoded(judgement.exploitability),
        "bounds": None if bounds is None else [encoded(number) for number in bounds],
    }


def _sequential_json(judgement: SequentialJudgement) -> Sequential:
    """Return the largest regrets at any history."""
    largest: list[LargestRegretFields] = [
        {"player": player, "regret": one.regret, "history": list(one.history), "roll": list(one.roll)}
        for player, one in enumerate(judgement.sequential, 1)
    ]
    return {"regret": judgement.sequential_regret, "histories": judgement.histories, "largest": largest}


def judgement_lines(players: Sequence[str], judgement: Judgement) -> Iterator[str]:
    """Yield payoffs and regrets, then the verdict, and the value last; bounds in floats are rounded so that they still hold."""
    width = max(map(len, (*players, "player")))
    payoffs, regrets = ([shown(number) for number in numbers] for numbers in (judgement.payoffs, judgement.regrets))
    column = max(map(len, (*payoffs, "payoff")))
    yield f"  {'player':{width}}  {'payoff':{column}}  regret"
    for name, payoff, regret in zip(players, payoffs, regrets, strict=True):
        yield f"  {name:{width}}  {payoff:{column}}  {regret}"
    bounds = judgement.bounds
    if bounds is not None:
        yield f"  exploitability, the mean of the two regrets: {shown(judgement.exploitability)}"
    yield verdict(judgement)
    if isinstance(judgement, SequentialJudgement):
        yield from _sequential_lines(players, judgement)
    if bounds is not None:
        low, high = bounds
        value = (
            f"is {shown(low, _LONGEST)}" if judgement.is_equilibrium else f"lies from {_bound(low, -1)} to {_bound(high, 1)}"
        )
        yield f"the value for {players[0]} {value}"


def _sequential_lines(players: Sequence[str], judgement: SequentialJudgement) -> Iterator[str]:
    """Yield the largest regret at any history, and the history and roll at which each player has it."""
    most = outward(judgement.sequential_regret, 1)
    yield f"after each of {judgement.histories:,} histories, reached or not, no player can gain more than {most}, in floats:"
    for name, one in zip(players, judgement.sequential, strict=True):
        yield f"  {name}: {shown(one.regret)}, {_place(one)}"


def _place(one: LargestRegret) -> str:
    dice = " ".join(map(str, one.roll))
    return f"with {dice} {'after ' + ' '.join(one.history) if one.history else 'in the opening'}"


_LONGEST = 80
"""The most characters of a fraction in the line of the value, which is otherwise short."""


def _bound(number: Number, direction: int) -> str:
    if isinstance(number, float):
        return outward(number, direction)
    whole = shown(number, 10**9)
    return whole if len(whole) <= _LONGEST else f"{outward(number, direction)} (exact in --json)"


def verdict_on(solved: EvaluatedProfile) -> str:
    """Return the verdict on a profile, and whether it is one of many equilibria."""
    return verdict(solved.judgement) + ("; one of many equilibria" if solved.one_of_many else "")


def verdict(judgement: Judgement) -> str:
    """Return one line that states what is proved about a profile."""
    if not isinstance(judgement, RefinedJudgement):
        return _plain_verdict(judgement)
    if judgement.is_equilibrium and judgement.quasi_perfect:
        return "a quasi-perfect equilibrium: no player can gain, even after mistakes, in exact fractions"
    unproved = "" if judgement.quasi_perfect else "; not proved to be quasi-perfect"
    return _plain_verdict(judgement) + unproved


def _plain_verdict(judgement: Judgement) -> str:
    if judgement.is_equilibrium:
        return "an equilibrium: no player can gain, in exact fractions"
    if judgement.max_regret is None:
        return "not evaluated: without perfect recall no best response is known"
    if judgement.exact:
        return f"not an equilibrium: a player can gain {shown(judgement.max_regret)}"
    return f"no player can gain more than {outward(judgement.max_regret, 1, 6)}, in floats"


_MANY = 5
"""The most locks that are printed."""


def lock_json(lock: Sequence[LockedSet]) -> list[Lock]:
    """Return the locked sets, each with its actions of positive probability."""
    return [
        {"infoset": one.name, "actions": {action: encoded(number) for action, number in one.probabilities if number}}
        for one in lock
    ]


def lock_lines(lock: Sequence[LockedSet]) -> Iterator[str]:
    """Yield lines for a person; none without a lock."""
    if not lock:
        return
    many = "information set" if len(lock) == 1 else "information sets"
    yield f"{counted(len(lock))} {many} locked; the other information sets are solved:"
    printed = lock if len(lock) <= _MANY else lock[: _MANY - 1]
    yield from (f"  {line(one)}" for one in printed)
    if len(printed) < len(lock):
        yield f"  ... and {counted(len(lock) - len(printed))} more"


def both_json(judgement: Judgement, free: Judgement | None) -> LockedEvaluation:
    """Return the evaluation in the locked game, and that in the game without the lock as `unlocked`, None without a lock."""
    return {**judgement_json(judgement), "unlocked": None if free is None else judgement_json(free)}


def both_lines(players: Sequence[str], judgement: Judgement, free: Judgement | None) -> Iterator[str]:
    """Yield lines for a person."""
    if free is None:
        yield from judgement_lines(players, judgement)
        return
    yield "in the unlocked game, in which players may deviate everywhere:"
    yield from judgement_lines(players, free)
    yield "in the locked game, in which no player deviates at a locked information set:"
    yield from judgement_lines(players, judgement)
