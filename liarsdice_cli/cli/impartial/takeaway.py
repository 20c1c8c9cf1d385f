"""`liarsdice impartial takeaway`: one heap, and numbers of chips that may be taken."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.impartial.options import misere_option, numbers, output_option, period_json, play
from liarsdice_cli.cli.options import WHOLE, json_option, quiet_option
from liarsdice_cli.cli.printing import print_json, print_lines
from liarsdice_cli.errors import UsageError

if TYPE_CHECKING:
    from liarsdice_cli.games.impartial.heaps import Period
    from liarsdice_cli.games.impartial.subtraction import Subtraction

_EXAMPLE = """
liarsdice impartial takeaway --chips 21 --take 1,2,3
liarsdice impartial takeaway --chips 1000000000 --take 1,3,4 --misere
liarsdice impartial takeaway --chips 7 --take 1,2,3 -o take-away.efg
"""

_MOST = 10**9
"""The largest heap that is answered without a proved period."""
_TABLE = 24
"""Rows of the table for a person."""
_JSON = 10_000
"""Heaps whose results are in the JSON document at most."""


@dataclass(frozen=True)
class _TakeAway:
    """The question: a heap, and what may be taken."""

    game: Subtraction
    chips: int
    misere: bool

    @cached_property
    def period(self) -> Period | None:
        """The period of the results and, in normal play, of the Grundy values."""
        period, least = self.game.period(), self.game.take[0]
        if period is None or not self.misere:
            return period
        argument = f"{period.argument}; misere play from heap {least} on is normal play with {least} chips fewer"
        return replace(period, start=period.start + least, argument=argument)

    def wins(self, chips: int) -> bool:
        """Whether the player to move wins with so many chips."""
        from liarsdice_cli.games.impartial.subtraction import misere, wins

        heap = misere(self.game.take, chips) if self.misere else chips
        if heap is None:
            return True
        if self.game.period() is None and heap >= self.game.limit:
            return wins(self.game.take, heap)
        return self.game.grundy(heap) != 0

    @cached_property
    def winning(self) -> list[int]:
        """The numbers that win when they are taken."""
        return [number for number in self.game.take if number <= self.chips and not self.wins(self.chips - number)]

    def results(self, count: int) -> str:
        """W or L for the heaps 0, 1, ... up to the one in question, at most `count` of them."""
        return "".join("W" if self.wins(chips) else "L" for chips in range(min(self.chips + 1, count)))


@click.command(cls=CommandWithExample, example=_EXAMPLE, short_help="One heap and the numbers that may be taken.")
@click.option("--chips", type=WHOLE, required=True, metavar="N", help="Chips in the heap.")
@click.option("--take", required=True, metavar="N,N,...", help="How many may be taken in a move.")
@misere_option
@click.option("--full", is_flag=True, help="Show the whole table.")
@output_option
@json_option
@quiet_option
def command(chips: int, take: str, misere: bool, full: bool, output: str | None, as_json: bool, quiet: bool) -> None:
    """Take chips from a heap in turn: who wins, by taking how many, and the results of all smaller heaps.

    W is won and L is lost for the player to move.
    """
    from liarsdice_cli.games.impartial.subtraction import Subtraction

    if chips < 0:
        raise UsageError(f"--chips {chips} is below zero: give the number of chips, 0 or more")
    question = _TakeAway(Subtraction(numbers(take, "--take")), chips, misere)
    if chips > _MOST and question.period is None:
        raise UsageError(f"--chips {chips:,}: no period is proved for this take set, so give at most {_MOST:,}")
    if output is not None:
        _write(question, output, quiet)
    if as_json:
        print_json("takeaway", _json(question))
    else:
        print_lines(_lines(question, full))


def _json(question: _TakeAway) -> dict[str, Any]:
    return {
        "chips": question.chips,
        "take": list(question.game.take),
        "misere": question.misere,
        "result": "W" if question.wins(question.chips) else "L",
        "winning_moves": question.winning,
        "period": period_json(question.period),
        "results": question.results(_JSON),
        "grundy_values": None if question.misere else [*_grundy(question, _JSON)],
    }


def _grundy(question: _TakeAway, count: int) -> Iterator[int]:
    return map(question.game.grundy, range(min(question.chips + 1, count)))


def _lines(question: _TakeAway, full: bool) -> Iterator[str]:
    yield f"{question.chips} chips, {question.game.name}; {play(question.misere)}"
    if question.wins(question.chips):
        moves = "; ".join(f"take {number}, leave {question.chips - number}" for number in question.winning)
        yield f"W: the player to move wins{f': {moves}' if moves else ', as nobody can move'}"
    else:
        yield "L: the player to move loses"
    what = "results" if question.misere else "Grundy values, and with them the results,"
    period = question.period
    if period:
        yield f"{what} have the period {period.length} from heap {period.start} on"
        yield f"proved: {period.argument}"
    else:
        yield f"{what}: the first {question.game.limit:,} prove no period"
    yield ""
    yield from _table(question, question.chips + 1 if full else _TABLE)


def _table(question: _TakeAway, count: int) -> Iterator[str]:
    """The document's list: f(n) is W or L."""
    results = question.results(count)
    grundy: Callable[[int], str] = (
        (lambda heap: "") if question.misere else lambda heap: f"  Grundy value {question.game.grundy(heap)}"
    )
    for chips, result in enumerate(results):
        yield f"f({chips}) = {result}{grundy(chips)}"
    if len(results) <= question.chips:
        yield f"... up to f({question.chips}); --full shows all"


def _write(question: _TakeAway, output: str, quiet: bool) -> None:
    from liarsdice_cli.cli.writing import write_game
    from liarsdice_cli.games.perfect_information import unfold

    def moves(heap: int, player: int) -> list[tuple[str, int]]:
        return [(f"take {number}", heap - number) for number in question.game.take if number <= heap]

    title = f"{question.chips} chips, {question.game.name}"
    tree = unfold(title, play(question.misere), question.chips, moves, question.misere)
    write_game(tree.stream(), output, "auto", quiet)
