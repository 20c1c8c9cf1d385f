"""The output of `liarsdice exploit` for three or more players: the payoff and the regret of each seat."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from liarsdice_cli.extensive.evaluate import Judgement
from liarsdice_cli.formats.documents.solutions import Verify
from liarsdice_cli.formats.numbers import outward
from liarsdice_cli.formats.rule_fields import csv_of_games
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.report.tables import table
from liarsdice_cli.report.verification import Verification
from liarsdice_cli.solvers.problem import Problem

if TYPE_CHECKING:
    from rich.console import RenderableType


def self_play_tables(name: str, rules: Rules, found: Judgement) -> Iterator[RenderableType]:
    """Yield a row for each seat, and the meaning of the numbers."""
    yield str(rules)
    yield f"{name} in all {rules.players} seats; the regret is the gain of one player who changes to a best response"
    rows = ((f"as player {seat}", *(_number(number) for number in numbers)) for seat, *numbers in _seats(found))
    yield table(("", "payoff", "best response", "regret"), rows, right=True)
    yield ""
    most = outward(found.max_regret or 0, 1, 6)
    yield f"No player gains more than {most} alone: an epsilon-equilibrium with this epsilon."
    yield "This is not a worst case: several players can deviate at once, and a game of three or more players has no value."


def _seats(found: Judgement) -> Iterator[tuple[Any, ...]]:
    """Yield the payoff, the best-response value and the regret of each seat, from 1."""
    for seat, numbers in enumerate(zip(found.payoffs, found.best_responses, found.regrets, strict=True), 1):
        yield seat, *numbers


def _number(number: Any) -> str:
    return f"{float(number):.6g}"


def self_play_json(name: str, rules: Rules, found: Judgement) -> Verify:
    """Return the document of `exploit` for three or more players: the evaluation of the bot in all seats."""
    return Verification(Problem.of(rules), None, name, found, whole=True).json()


def self_play_csv(name: str, rules: Rules, found: Judgement) -> bytes:
    """Return a row for each seat."""
    rows = ((name, seat, *(f"{float(number):.9g}" for number in numbers)) for seat, *numbers in _seats(found))
    columns = ("bot", "player", "payoff", "best_response_value", "regret")
    return csv_of_games(columns, ((rules, row) for row in rows))
