"""What `liarsdice impartial takeaway`, `bachet` and `nim` say of heaps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from liarsdice_cli.games.convention import convention
from liarsdice_cli.games.impartial import nim
from liarsdice_cli.games.impartial.heaps import Period
from liarsdice_cli.games.impartial.subtraction import TakeAway

_TABLE = 24
"""Heaps of a take-away game that a person sees without --full."""
_JSON = 10_000
"""Heaps whose results are in the JSON document at most."""


def takeaway_lines(question: TakeAway, full: bool = False) -> Iterator[str]:
    """Who wins a heap, by which move, the proved period, and a table of all smaller heaps."""
    yield f"{question.chips} chips, {question.game.name}; {convention(question.misere)}"
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
    yield from _results(question, question.chips + 1 if full else _TABLE)


def _results(question: TakeAway, count: int) -> Iterator[str]:
    """The document's list: f(n) is W or L."""
    results = question.results(count)
    for chips, result in enumerate(results):
        yield f"f({chips}) = {result}" + ("" if question.misere else f"  Grundy value {question.game.grundy(chips)}")
    if len(results) <= question.chips:
        yield f"... up to f({question.chips}); --full shows all"


def takeaway_json(question: TakeAway) -> dict[str, Any]:
    """The content of `impartial takeaway --json`; see docs/json.md."""
    heaps = range(min(question.chips + 1, _JSON))
    return {
        "chips": question.chips,
        "take": list(question.game.take),
        "misere": question.misere,
        "result": "W" if question.wins(question.chips) else "L",
        "winning_moves": question.winning,
        "period": period_json(question.period),
        "results": question.results(_JSON),
        "grundy_values": None if question.misere else [question.game.grundy(heap) for heap in heaps],
    }


def period_json(period: Period | None) -> dict[str, Any] | None:
    """A proved period for a program."""
    if period is None:
        return None
    return {"start": period.start, "length": period.length, "argument": period.argument}


def bachet_json(games: Sequence[tuple[int, tuple[int, ...], str]]) -> dict[str, Any]:
    """The content of `impartial bachet --json`: the stones, what may be taken and the winner of every line."""
    return {"games": [{"stones": stones, "take": list(take), "winner": winner} for stones, take, winner in games]}


def nim_lines(position: Sequence[int], misere: bool) -> Iterator[str]:
    """The nim-sum in binary, who wins and why, and every winning move."""
    yield f"heaps {', '.join(map(str, position))}; {convention(misere)}"
    yield ""
    yield from _nim_sum(position, nim.nim_sum(position))
    yield ""
    lost, moves = nim.is_lost(position, misere), nim.winning_moves(position, misere)
    yield f"{'L: the player to move loses' if lost else 'W: the player to move wins'}, as {_why(position, misere, lost)}"
    for place, left in moves:
        size = position[place]
        yield f"  heap {place + 1}: take {size - left} of {size}, leave {left}"


def _nim_sum(position: Sequence[int], total: int) -> Iterator[str]:
    """The heaps in binary below each other, and what is left of pairs of ones in the same column."""
    width = max(map(int.bit_length, position)) or 1
    names = [*map(str, position), "nim-sum"]
    left = max(map(len, names))
    for name, size in zip(names, [*position, total], strict=True):
        if name == "nim-sum":
            yield f"{'':{left}}  {'-' * width}"
        yield f"{name:>{left}}  {size:0{width}b}" + (f" = {total}" if name == "nim-sum" else "")


def _why(position: Sequence[int], misere: bool, lost: bool) -> str:
    if not any(position):
        return "nobody can move"
    if misere and max(position) == 1:
        return f"the number of heaps of 1 is {'odd' if lost else 'even'}"
    return "the nim-sum is 0" if lost else "the nim-sum is not 0"


def nim_json(position: Sequence[int], misere: bool) -> dict[str, Any]:
    """The content of `impartial nim --json`; see docs/json.md."""
    moves = nim.winning_moves(position, misere)
    return {
        "heaps": list(position),
        "misere": misere,
        "result": "L" if nim.is_lost(position, misere) else "W",
        "nim_sum": nim.nim_sum(position),
        "winning_moves": [{"heap": place + 1, "from": position[place], "to": left} for place, left in moves],
    }
