"""Certificates (.cert): the exact plans of both players as text, from which the value of a game can be checked.

docs/certificates.md describes the format. It states the rules in full, without the names of presets, so that a checker needs
nothing from this package; docs/certificates/check.py is one. The line `package` repeats the rules for this package.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from math import ceil, floor
from typing import Any, ClassVar

from liarsdice_cli.errors import LiarsDiceError, UsageError
from liarsdice_cli.formats import files, json_text
from liarsdice_cli.formats.heads import LONGEST, Head
from liarsdice_cli.formats.ldz import Origin
from liarsdice_cli.formats.numbers import decoded, encoded, shown_between
from liarsdice_cli.formats.rule_fields import head_of, rules_in, yes_or_no
from liarsdice_cli.games.bidding import OPENING
from liarsdice_cli.games.liarsdice.public import MOST_ROLLS
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.strategy import Strategy
from liarsdice_cli.strategies.expansion import expanded
from liarsdice_cli.strategies.listed import History, ListedStrategy, Weights
from liarsdice_cli.strategies.store import StrategyStore
from liarsdice_cli.text import numbered, whole

FIRST_LINE = "liarsdice certificate 1"
PLACES = 12
"""Decimal places of bounds."""
_OPENING, _AFTER = "opening", "after"


@dataclass(frozen=True, eq=False)
class Certificate(ListedStrategy):
    """Plans with a claim that they prove. It is a `Stored` strategy too, in floats.

    method       : the method that found the plans
    lower, upper : the bounds on the value for player 1 that it states; equal if it states the value
    file         : the name of the file, "" if there is none yet
    """

    method: str
    lower: Fraction
    upper: Fraction
    file: str = ""
    values: ClassVar = None
    start: ClassVar = None

    def __repr__(self) -> str:
        claimed = shown_between(self.lower, self.upper)
        return f"Certificate({self.rules}; value {claimed} by {self.method}; {numbered(len(self.listed), 'histories')})"

    @property
    def origin(self) -> Origin:
        """The method and the claim, in the form of a strategy file's origin."""
        return Origin(self.method, None, float(self.lower), float(self.upper))

    @cached_property
    def store(self) -> StrategyStore:
        """The store of the strategy in floats."""
        return expanded(self).store

    def check(self, bounds: tuple[Fraction, Fraction]) -> None:
        """Raise LiarsDiceError unless the bounds that the plans prove are at least as good as those that it states."""
        if not self.lower <= bounds[0] <= bounds[1] <= self.upper:
            proved = shown_between(*bounds)
            raise LiarsDiceError(
                f"{files.shown(self.file)} states {_claim(self.lower, self.upper)}, but its plans prove {proved}: it was "
                "changed or is damaged; copy it again, or solve again"
            )


def write(name: str, strategy: Strategy, origin: Origin) -> None:
    """Write a certificate. It has its own origin, so `origin` is ignored.

    Raises UsageError for any other strategy, LiarsDiceError if the file cannot be written.
    """
    if not isinstance(strategy, Certificate):
        raise UsageError(f"{name}: a certificate has exact plans, and this strategy is in floats: name an .ldz file")
    with files.output(name) as out:
        out.write("".join(f"{line}\n" for line in _lines(strategy)).encode())


def _claim(lower: Fraction, upper: Fraction) -> str:
    if lower == upper:
        return f"value {encoded(lower)}"
    whole = floor(lower * 10**PLACES), ceil(upper * 10**PLACES)
    return " ".join(["bounds", *(f"{Decimal(number).scaleb(-PLACES):f}" for number in whole)])


def _lines(strategy: Certificate) -> Iterator[str]:
    game = strategy.rules
    yield FIRST_LINE
    yield f"# {game}"
    yield from rule_lines(game)
    yield f"package {json.dumps(head_of(game))}"
    yield f"method {strategy.method}"
    yield _claim(strategy.lower, strategy.upper)
    for player in (0, 1):
        yield f"# player {player + 1}"
        labels = [game.roll_label(roll) for roll, _ in game.rolls(player)]
        for history in sorted(history for history in strategy.listed if len(history) % 2 == player):
            yield " ".join([_AFTER, *map(game.action_name, history)]) if history else _OPENING
            for roll, weights in sorted(strategy.listed[history].items()):
                actions = sorted(weights.items())
                yield " ".join([labels[roll], *(f"{game.action_name(action)} {weight}" for action, weight in actions)])


def rule_lines(game: Rules) -> Iterator[str]:
    """Yield the rules line by line, without names of presets, which is all that a checker needs.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> print(*rule_lines(rules("joker", 3)), sep="; ")
    sides 3; dice 1 1; wild 1; stairs no; spot-on no; payoffs 1 0; bids 1x2 1x3 2x2 2x3; openings all; run 4
    """
    yield f"sides {game.sides}"
    yield f"dice {' '.join(map(str, game.dice))}"
    yield f"wild {game.wild or 'none'}"
    yield f"stairs {yes_or_no(game.stairs)}"
    yield f"spot-on {yes_or_no(game.spot_on)}"
    yield f"payoffs {' '.join(str(game.payoffs_when_losing(loser)[0]) for loser in (1, 0))}"
    yield f"bids {' '.join(map(str, game.bids))}"
    openings = game.bidding.following(OPENING)
    yield f"openings {'all' if len(openings) == game.bid_count else ' '.join(str(game.bids[bid]) for bid in openings)}"
    yield f"run {game.bidding.group_size}"


def read(name: str) -> Certificate:
    """Return the certificate in a file. Raises LiarsDiceError, naming the file and the line, for anything else."""
    text = files.read(name)
    where = files.shown(name)
    try:
        lines = re.split("\r\n?|\n", text.decode("ascii"))  # the only line ends of a text file in Python
    except UnicodeDecodeError:
        lines = []
    if not lines or lines[0] != FIRST_LINE:
        raise LiarsDiceError(f"{where} is not a certificate: its first line must be {FIRST_LINE!r}")
    reading = _Reading(name)
    for number, line in enumerate(lines[1:], 2):
        words = line.split()
        if words and not line.startswith("#"):
            try:
                reading.take(words, line)
            except (ValueError, LookupError, LiarsDiceError) as error:
                raise LiarsDiceError(f"{where}, line {number}: {_reason(error)}; copy it again, or solve again") from error
    return reading.done(where)


def _reason(error: Exception) -> str:
    return str(error) if type(error) in (ValueError, LiarsDiceError) else "this is not a line of a certificate"


class _Reading:
    """The lines of a file so far: first the head, then the plans."""

    def __init__(self, name: str) -> None:
        self.name, self.head = name, dict[str, str]()
        self.listed: dict[History, dict[int, Weights]] = {}
        self.rules: Rules | None = None
        self.rolls: dict[int, Weights] | None = None

    def take(self, words: Sequence[str], line: str) -> None:
        """Read one line; ValueError or LookupError if a certificate cannot have it."""
        if words[0] in (_OPENING, _AFTER):
            self._begin(self._game(), words)
        elif self.rolls is not None:
            self._roll(self._game(), words)
        elif words[0] in self.head:
            raise ValueError(f"a second line {words[0]}")
        else:
            self.head[words[0]] = line.partition(" ")[2].strip()

    def _game(self) -> Rules:
        """Return the rules, once the head has them."""
        if self.rules is None:
            if len(self.head.get("package", "")) > LONGEST:
                raise ValueError("the line package is too long")
            self.rules = rules_in(Head(_object(self.head["package"])))
            if self.rules.players != 2:
                raise ValueError("a certificate is for two players")
            if max(self.rules.roll_count(player) for player in (0, 1)) > MOST_ROLLS:
                raise ValueError("these are too many rolls")
            for line in rule_lines(self.rules):
                key, _, value = line.partition(" ")
                if self.head.get(key) != value:
                    raise ValueError(f"the line {key} contradicts the line package")
            self.numbers = {str(bid): place for place, bid in enumerate(self.rules.bids)}
            self.labels = [
                {self.rules.roll_label(roll): place for place, (roll, _) in enumerate(self.rules.rolls(player))}
                for player in (0, 1)
            ]
            endings = zip(self.rules.final_action_names, self.rules.bidding.final_actions, strict=True)
            self.actions = self.numbers | dict(endings)
        return self.rules

    def _begin(self, game: Rules, words: Sequence[str]) -> None:
        history = tuple(self.numbers[word] for word in words[1:])
        if (words[0] == _AFTER) != bool(history) or not game.bidding.allows(history):
            raise ValueError(f"{' '.join(words)} is not a history of these rules")
        if history in self.listed:
            raise ValueError(f"{' '.join(words)} is listed twice")
        self.history, self.rolls = history, {}
        self.listed[history] = self.rolls

    def _roll(self, game: Rules, words: Sequence[str]) -> None:
        assert self.rolls is not None, "a history comes first"
        roll = self.labels[len(self.history) % 2][words[0]]
        weights = {self.actions[action]: _weight(number) for action, number in zip(words[1::2], words[2::2], strict=False)}
        last = self.history[-1] if self.history else OPENING
        legal = [*(game.bidding.final_actions if self.history else ()), *game.bidding.following(last)]
        if not weights or 2 * len(weights) != len(words) - 1 or roll in self.rolls:
            raise ValueError(f"an action or the roll {words[0]} is listed twice, or without weights")
        if not set(weights) <= set(legal):
            raise ValueError(f"the roll {words[0]} has an action that is not legal here")
        self.rolls[roll] = weights

    def done(self, where: str) -> Certificate:
        """Return the certificate."""
        try:
            game, stated = self._game(), "value" if self.head.get("value") else "bounds"
            numbers = [Fraction(decoded(number)) for number in self.head[stated].split()]
            if len(numbers) != (1 if stated == "value" else 2):
                raise ValueError(f"the line {stated} has {numbered(len(numbers), 'numbers')}")
            lower, upper = numbers[0], numbers[-1]
            lose, win = (game.payoffs_when_losing(loser)[0] for loser in (0, 1))
            if not lose <= lower <= upper <= win:
                raise ValueError(f"the line {stated} is not within the payoffs")
            method = Head(dict[str, Any](self.head)).text("method")
            if len(self.listed.get((), {})) != game.roll_count(0):
                raise ValueError("the opening must list every roll, since no player can call there")
        except KeyError as error:
            raise LiarsDiceError(f"{where}: the line {error.args[0]} is missing; copy it again, or solve again") from error
        except (ValueError, LiarsDiceError) as error:
            raise LiarsDiceError(f"{where}: {error}; copy it again, or solve again") from error
        return Certificate(game, self.listed, method, lower, upper, self.name)


def _weight(text: str) -> int:
    try:
        number = whole(text)
    except ValueError:
        number = 0
    if number < 1:
        raise ValueError(f"the weight {text[:40]} is not a whole number of 1 or more")
    return number


def _object(text: str) -> dict[str, Any]:
    try:
        found = json_text.loads(text.encode())
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise ValueError("the line package is not a JSON object")
    return found
