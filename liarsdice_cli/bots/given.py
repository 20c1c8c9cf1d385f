"""A user's policies: functions, tables, networks and policies of OpenSpiel, as bots.

Each form is reduced to one function, `Answer`. Its result is checked here before it is used, so that a mistake in a policy is
reported and does not distort its evaluation.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from traceback import extract_tb
from typing import Any

import numpy as np

from liarsdice_cli.bots.protocol import TOLERANCE, OfStrategy
from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.number import real
from liarsdice_cli.extensive.stream import Bools, Floats
from liarsdice_cli.games.bidding import CALL
from liarsdice_cli.games.liarsdice.histories import Histories
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.strategy import Strategy
from liarsdice_cli.text import printable

Answer = Callable[[Histories], object]
"""A function that returns a policy's probabilities at a batch of histories, shape (histories, rolls, actions).

The actions are either the legal ones, as `Histories.actions` lists them: the call (not in the opening), spot-on if the rules
have it, then the higher bids. Or they are all actions: the call, spot-on, then every bid, with 0 for illegal ones.
"""
_NOT_OWN = (Path(__file__).parents[1], Path(os.__file__).parent)
"""The folders of this package and of Python."""


class Given(OfStrategy):
    """A user's policy as a bot.

    name     : the name in tables and messages
    answer   : the function that returns the probabilities
    in_bulk  : whether a batch of histories is faster than one history after the other
    playable : raises LiarsDiceError for rules that the policy cannot play; None if it plays all

    If the policy raises an exception or returns no probabilities, a LiarsDiceError with its name is raised.
    """

    def __init__(
        self, name: str, answer: Answer, in_bulk: bool = False, playable: Callable[[Rules], None] | None = None
    ) -> None:
        self.name, self.answer, self.in_bulk, self.playable = name, answer, in_bulk, playable

    def check(self, rules: Rules) -> None:
        """Raise LiarsDiceError for rules that the policy cannot play."""
        if self.playable is not None:
            self.playable(rules)

    def strategy(self, rules: Rules) -> Strategy:
        """Return the policy as a strategy."""
        return (_AnsweringMany if self.in_bulk else _Answering)(rules, self)


@dataclass(frozen=True)
class _Answering:
    """The strategy of a user's policy."""

    rules: Rules
    policy: Given

    def at(self, history: Any) -> Floats:
        """Return the checked probabilities at a history."""
        found: Floats = self._said(Histories.of(self.rules, [history]))[0]
        return found

    def _said(self, histories: Histories) -> Floats:
        return checked(self.policy.name, histories, said_by(self.policy.name, lambda: self.policy.answer(histories)))


class _AnsweringMany(_Answering):
    """The strategy of a user's policy that takes many histories at once."""

    def at_batch(self, histories: Histories) -> Floats:
        """Return the checked probabilities at a batch of histories."""
        return self._said(histories)


def checked(name: str, histories: Histories, answer: object) -> Floats:
    """Return the probabilities of a policy, shape (histories, actions, rolls), as `histories.Batched.at_batch` does.

    Every column is divided by its sum, or is 0 if play never reaches the history.

    Raises LiarsDiceError with the policy, the roll and the history if a number is negative, if the sum differs from 1 by more
    than `TOLERANCE`, or if an illegal action has a positive probability.
    """
    said = _numbers(name, histories, answer)
    shares = said[:, :, _among_all(histories)] if said.shape[2] == _every(histories) else said
    totals = shares.sum(axis=2)
    with np.errstate(invalid="ignore"):
        right = (abs(totals - 1) <= TOLERANCE) & (said.min(axis=2) >= 0)
        right &= abs(said.sum(axis=2) - totals) <= TOLERANCE if shares is not said else True
    if not right.all():
        _refuse(name, histories, said, right)
        shares = np.where(right[:, :, None], shares, 0)
    found: Floats = shares * np.where(right & histories.reached, 1 / np.where(right, totals, 1), 0)[:, :, None]
    return found.transpose(0, 2, 1)


def _every(histories: Histories) -> int:
    """Return the number of all actions."""
    return histories.rules.bidding.final_action_count + histories.rules.bid_count


def _among_all(histories: Histories) -> list[int]:
    """Return the positions of the legal actions among all actions."""
    return [histories.rules.bidding.action_index(action) for action in histories.actions]


def _numbers(name: str, histories: Histories, answer: object) -> Floats:
    """Return an answer as an array; LiarsDiceError for a wrong shape."""
    where = next(histories.descriptions)
    try:
        said = real(answer)
    except (TypeError, ValueError) as error:
        wrong = "the return value is not an array of real numbers"
        raise LiarsDiceError(f"{name} gives no probabilities {where}: {wrong}") from error
    few, rolls = len(histories.actions), len(histories.rolls)
    if said.ndim != 3 or said.shape[:2] != (len(histories), rolls) or said.shape[2] not in (few, _every(histories)):
        raise LiarsDiceError(
            f"{name} gives no probabilities {where}: for {len(histories)} histories an array of shape {said.shape}, where "
            f"{(len(histories), rolls, few)} is needed, or {(len(histories), rolls, _every(histories))} with every action"
        )
    return said


def _refuse(name: str, histories: Histories, said: Floats, right: Bools) -> None:
    """Raise LiarsDiceError for the first wrong column that play reaches."""
    wrong = np.argwhere(~right & histories.reached)
    if not len(wrong):
        return
    history, roll = wrong[0].tolist()
    numbers = said[history, roll]
    may = _among_all(histories) if len(numbers) == _every(histories) else slice(None)
    if not np.all(np.isfinite(numbers)):
        reason = "one is not finite"
    elif numbers.min() < 0:
        reason = f"one is {numbers.min():g}"
    elif (elsewhere := numbers.sum() - numbers[may].sum()) > TOLERANCE:
        reason = f"illegal actions have {elsewhere:g} in total"
    else:
        reason = f"they add up to {numbers.sum():g}"
    text, place = histories.rules.roll_label(histories.faces[roll]), list(histories.descriptions)[history]
    raise LiarsDiceError(
        f"{name} gives no probabilities {place} with {text}: {reason}; give numbers of 0 or more that add up to 1, "
        f"{'the call' if histories.actions[0] == CALL else 'the lowest bid'} first"
    )


def said_by(name: str, ask: Callable[[], Any]) -> Any:
    """Return the result of a user's code; an exception there becomes a LiarsDiceError of one line with its name."""
    try:
        return ask()
    except LiarsDiceError as error:
        raise LiarsDiceError(f"{name} ", *error.parts) from error
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # SystemExit too: a script may end itself when it is imported
        raise LiarsDiceError(f"{name} {in_words(error)}") from error


def in_words(error: BaseException) -> str:
    """Return an exception in one line, with the file and the line in the user's code."""
    text = f"raised {' '.join(f'{type(error).__name__}: {error}'.split())[:200]}".rstrip(": ")
    own = [frame for frame in extract_tb(error.__traceback__) if _is_own(frame.filename)]
    return f"{text} ({_shown(own[-1].filename)}, line {own[-1].lineno})" if own else text


def _is_own(file: str) -> bool:
    """Return whether a file is the user's code, not part of this package, of Python or of an installed package."""
    if file.startswith("<frozen"):
        return False
    return "site-packages" not in Path(file).parts and not any(Path(file).is_relative_to(folder) for folder in _NOT_OWN)


def _shown(file: str) -> str:
    """Return the name of a file, relative to the working folder if it is inside."""
    return printable(str(Path(file).relative_to(Path.cwd())) if Path(file).is_relative_to(Path.cwd()) else file)
