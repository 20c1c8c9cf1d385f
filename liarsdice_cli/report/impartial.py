"""The output of `liarsdice impartial takeaway`, `bachet` and `nim`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from liarsdice_cli.formats.documents.tables import HeapMove, HeapPosition, HeapTable, Impartial
from liarsdice_cli.formats.documents.tables import Period as PeriodFields
from liarsdice_cli.games.convention import convention
from liarsdice_cli.games.impartial import nim
from liarsdice_cli.games.impartial.heaps import Period
from liarsdice_cli.games.impartial.subtraction import TakeAway
from liarsdice_cli.report.tables import Hinted

_TABLE = 24
"""The most heaps of a take-away game that are printed without --full."""
_JSON = 10_000
"""The most heaps in the table of a document."""


def takeaway_lines(question: TakeAway, full: bool = False) -> Iterator[str]:
    """Yield the result of a heap, the winning moves, the proved period, and a table of all smaller heaps."""
    yield f"{question.chips} chips, {question.game.name}; {convention(question.misere)}"
    if question.wins(question.chips):
        moves = "; ".join(f"take {number}, leave {question.chips - number}" for number in question.winning)
        yield f"W: the player to move wins{f': {moves}' if moves else ', because there is no move'}"
    else:
        yield "L: the player to move loses"
    what = "results" if question.misere else "Grundy values and results"
    period = question.period
    if period:
        yield f"{what} have the period {period.length} from heap {period.start} on"
        yield f"proved: {period.argument}"
    else:
        yield f"no period of the {what} is proved by the first {question.game.limit:,}"
    yield ""
    yield from _results(question, question.chips + 1 if full else _TABLE)


def _results(question: TakeAway, count: int) -> Iterator[str]:
    """Yield a line for each heap: f(n) is W or L."""
    for chips in range(min(question.chips + 1, count)):
        result = "W" if question.wins(chips) else "L"
        yield f"f({chips}) = {result}" + ("" if question.misere else f"  Grundy value {question.game.grundy(chips)}")
    if count <= question.chips:
        yield Hinted(f"... up to f({question.chips})", "; --full shows all")


def takeaway_json(question: TakeAway) -> Impartial:
    """Return the document of `impartial takeaway`."""
    game, chips = question.game, question.chips
    is_known = question.period is not None or chips < game.limit
    value = game.grundy(chips) if is_known and not question.misere else None
    grundy_values = None if question.misere else [game.grundy(heap) for heap in range(min(chips + 1, _JSON))]
    position: HeapPosition = {
        "components": [{"game": game.name, "heaps": [chips], "value": value}],
        "misere": question.misere,
        "value": value,
        "result": "W" if question.wins(chips) else "L",
        "winning_moves": [_move(0, chips, chips - number) for number in question.winning],
    }
    table: HeapTable = {
        "game": game.name,
        "results": question.results(_JSON),
        "grundy_values": grundy_values,
        "period": period_json(question.period),
        "limit": game.limit,
    }
    return {"positions": [position], "table": table}


def _move(place: int, size: int, left: int) -> HeapMove:
    """Return a move in the only component that leaves one heap."""
    return {"component": 1, "heap": place + 1, "size": size, "left": [left]}


def period_json(period: Period | None) -> PeriodFields | None:
    """Return a proved period for a program."""
    if period is None:
        return None
    return {"start": period.start, "length": period.length, "argument": period.argument}


def bachet_json(games: Sequence[tuple[int, tuple[int, ...], str]]) -> Impartial:
    """Return the document of `impartial bachet`; Stan moves first."""
    return {"positions": [_bachet_position(stones, take, winner == "Stan") for stones, take, winner in games], "table": None}


def _bachet_position(stones: int, take: tuple[int, ...], won: bool) -> HeapPosition:
    return {
        "components": [{"game": f"take {', '.join(map(str, take))}", "heaps": [stones], "value": None}],
        "misere": False,
        "value": None,
        "result": "W" if won else "L",
        "winning_moves": None,
    }


def nim_lines(position: Sequence[int], misere: bool) -> Iterator[str]:
    """Yield the nim-sum in binary, the result with its reason, and every winning move."""
    yield f"heaps {', '.join(map(str, position))}; {convention(misere)}"
    yield ""
    yield from _nim_sum(position, nim.nim_sum(position))
    yield ""
    lost, moves = nim.is_lost(position, misere), nim.winning_moves(position, misere)
    yield f"{'L: the player to move loses' if lost else 'W: the player to move wins'}, because {_why(position, misere, lost)}"
    for place, left in moves:
        size = position[place]
        yield f"  heap {place + 1}: take {size - left} of {size}, leave {left}"


def _nim_sum(position: Sequence[int], total: int) -> Iterator[str]:
    """Yield the heaps in binary below each other, and their sum without carry."""
    width = max(map(int.bit_length, position)) or 1
    names = [*map(str, position), "nim-sum"]
    left = max(map(len, names))
    for name, size in zip(names, [*position, total], strict=True):
        if name == "nim-sum":
            yield f"{'':{left}}  {'-' * width}"
        yield f"{name:>{left}}  {size:0{width}b}" + (f" = {total}" if name == "nim-sum" else "")


def _why(position: Sequence[int], misere: bool, lost: bool) -> str:
    if not any(position):
        return "there is no move"
    if misere and max(position) == 1:
        return f"the number of heaps of 1 is {'odd' if lost else 'even'}"
    return "the nim-sum is 0" if lost else "the nim-sum is not 0"


def nim_json(position: Sequence[int], misere: bool) -> Impartial:
    """Return the document of `impartial nim`."""
    value = nim.nim_sum(position)
    found: HeapPosition = {
        "components": [{"game": "Nim", "heaps": list(position), "value": value}],
        "misere": misere,
        "value": value,
        "result": "L" if nim.is_lost(position, misere) else "W",
        "winning_moves": [_move(place, position[place], left) for place, left in nim.winning_moves(position, misere)],
    }
    return {"positions": [found], "table": None}
