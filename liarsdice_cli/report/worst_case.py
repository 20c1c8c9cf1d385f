"""The output of `liarsdice exploit`: the worst case of a bot, or of each level in a sweep, and the value of the game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from liarsdice_cli.extensive.number import Number
from liarsdice_cli.formats.documents.tables import Exploit, GameValue
from liarsdice_cli.formats.documents.tables import WorstCase as WorstCaseFields
from liarsdice_cli.formats.numbers import encoded
from liarsdice_cli.formats.rule_fields import csv_of_games
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.report.rules import titled
from liarsdice_cli.report.tables import table
from liarsdice_cli.studies.sweep import Exploited, best
from liarsdice_cli.studies.valuation import Valuation
from liarsdice_cli.studies.worst_case import WorstCase
from liarsdice_cli.text import numbered

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table


def worst_case_tables(
    spec: str, rules: Rules, found: Sequence[Exploited], value: Valuation | None, swept: bool
) -> Iterator[RenderableType]:
    """Yield the levels of a sweep, and the worst case of the bot or of the best level in either seat."""
    chosen = best(found)
    opponent = _opponent(chosen.worst)
    yield str(rules)
    if swept:
        yield f"{spec} by its level, against {opponent}"
        yield _levels_table(found)
        yield ""
        yield f"The best level is {_level(chosen)}: {_number(chosen.worst.mean)} on average over both seats."
    else:
        yield f"{spec} against {opponent}"
    yield _seats_table(chosen.worst, value)
    yield ""
    yield "The mean loss is the exploitability: (regret of player 1 + regret of player 2) / 2, with the bot in both seats."
    if chosen.worst.opponent_max_bids is not None:
        yield "A best response may leave the bot less: the payoffs are upper bounds, and the losses are lower bounds."
    if value is None:
        yield "The value of a game of this size is not computed by default; --target 1e-3 computes it, if memory allows."
    elif not value.exact:
        yield f"The value lies between bounds proved by {value.method}; a smaller --target narrows them."
    positions = sum(one.worst.positions for one in found)
    rounding_error = max(one.worst.rounding_error for one in found)
    visited = numbered(positions, "positions")
    yield f"{visited} visited. Worst cases in fractions are exact; others are accurate to {rounding_error:.0e}."


def _opponent(worst: WorstCase) -> str:
    """Return the opponent of the bot in words."""
    if worst.opponent_max_bids is None:
        return "a best response"
    times = "once" if worst.opponent_max_bids == 1 else f"{worst.opponent_max_bids} times"
    return f"a limited opponent who knows it, bids at most {times}, and then calls"


def _levels_table(found: Sequence[Exploited]) -> Table:
    rows = ((_level(one), *map(_number, (*one.worst.payoffs, one.worst.mean))) for one in found)
    return table(("level", "as player 1", "as player 2", "mean"), rows, right=True)


def _level(one: Exploited) -> str:
    """Return the range of levels that play alike."""
    if one.levels is None:
        return one.bot.name.rpartition(":")[2]
    return f"above {_number(one.levels.above)} to {_number(one.levels.upto)}"


def _seats_table(worst: WorstCase, value: Valuation | None) -> Table:
    """Return the worst case of each seat beside its equilibrium value."""
    rows: list[tuple[str, ...]] = []
    for seat, payoff in enumerate(worst.payoffs):
        bounds = None if value is None else value.seen_by(seat, worst.total)
        lost = None if bounds is None else (bounds[0] - payoff, bounds[1] - payoff)
        rows.append((f"as player {seat + 1}", _number(payoff), _between(bounds), _between(lost)))
    rows.append(("mean", *map(_number, (worst.mean, worst.total / 2, worst.exploitability))))
    if worst.opponent_max_bids is not None:
        return table(("", "at most", "in equilibrium", "lost at least"), rows, right=True)
    return table(("", "worst case", "in equilibrium", "lost"), rows, right=True)


def _between(bounds: tuple[Number, Number] | None) -> str:
    if bounds is None:
        return "-"
    return _number(bounds[0]) if bounds[0] == bounds[1] else " to ".join(map(_number, bounds))


def _number(number: Number) -> str:
    """Return a fraction with its decimal value, or a float in six digits without rounding noise."""
    if isinstance(number, float):
        return f"{round(number, 12) + 0.0:.6g}"
    return str(number) if number.denominator == 1 else f"{number} = {float(number):z.4f}"


def worst_case_json(rules: Rules, found: Sequence[Exploited], value: Valuation | None) -> Exploit:
    """Return the document of `exploit` for one opponent."""
    return {
        **titled(rules),
        "opponent": "best response" if best(found).worst.opponent_max_bids is None else "limited",
        "value": _value_json(value),
        "fair": None,
        "bots": [_bot_json(one) for one in found],
        "best": found.index(best(found)),
    }


def _value_json(value: Valuation | None) -> GameValue | None:
    if value is None or value.lower is None or value.upper is None:
        return None
    return {"lower": encoded(value.lower), "upper": encoded(value.upper), "exact": value.exact, "method": value.method}


def _bot_json(one: Exploited) -> WorstCaseFields:
    return {
        "name": one.bot.name,
        "levels": None if one.levels is None else [encoded(one.levels.above), encoded(one.levels.upto)],
        "worst_case": [encoded(payoff) for payoff in one.worst.payoffs],
        "mean": encoded(one.worst.mean),
        "exploitability": encoded(one.worst.exploitability),
        "losing": None,
        "rounding_error": one.worst.rounding_error,
        "positions": one.worst.positions,
        "opponent_max_bids": one.worst.opponent_max_bids,
    }


def worst_case_csv(rules: Rules, found: Sequence[Exploited]) -> bytes:
    """Return the table as CSV, with a row for every bot."""
    columns = ("bot", "above", "upto", "player1", "player2", "mean", "exploitability", "opponent_max_bids")
    return csv_of_games(columns, ((rules, _row(one)) for one in found))


def _row(one: Exploited) -> Iterator[object]:
    numbers = (*one.worst.payoffs, one.worst.mean, one.worst.exploitability)
    yield one.bot.name
    yield from ("", "") if one.levels is None else (one.levels.above, one.levels.upto)
    yield from (f"{float(number):.9g}" for number in numbers)
    yield one.worst.opponent_max_bids
