"""What `liarsdice exploit` says of games of three and more players: what each seat gets and could gain."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from liarsdice_cli.extensive.evaluate import Judgement
from liarsdice_cli.formats.numbers import encoded
from liarsdice_cli.formats.tables import csv_bytes
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.report.tables import table

if TYPE_CHECKING:
    from rich.console import RenderableType


def self_play_tables(name: str, rules: Rules, found: Judgement) -> Iterator[RenderableType]:
    """The answer for a person: a row for every seat, and what these numbers are and are not."""
    yield str(rules)
    yield f"{name} in all {rules.players} seats, and what one player gains by answering best while the others go on"
    rows = ((f"as player {seat}", *(_number(number) for number in numbers)) for seat, *numbers in _seats(found))
    yield table(("", "payoff", "best answer", "regret"), rows, right=True)
    yield ""
    most = _number(found.max_regret)
    yield f"Nobody gains more than {most} alone: an epsilon-equilibrium with this epsilon, no smaller one."
    yield "It is no worst case: of three and more players several can do otherwise at once, and such a game has no value."


def _seats(found: Judgement) -> Iterator[tuple[Any, ...]]:
    """For every seat, from 1, its payoff, that of the best answer, and the regret."""
    for seat, numbers in enumerate(zip(found.payoffs, found.best_responses, found.regrets, strict=True), 1):
        yield seat, *numbers


def _number(number: Any) -> str:
    return f"{float(number):.6g}"


def self_play_json(name: str, rules: Rules, found: Judgement) -> dict[str, Any]:
    """The content of `exploit --json` for three and more players; see docs/json.md."""
    return {
        "rules": str(rules),
        "bot": name,
        "payoffs": [encoded(payoff) for payoff in found.payoffs],
        "best_answers": [encoded(best) for best in found.best_responses],
        "regrets": [encoded(regret) for regret in found.regrets],
        "largest_regret": encoded(found.max_regret),
    }


def self_play_csv(name: str, found: Judgement) -> bytes:
    """A row for every seat."""
    rows = ((name, seat, *(f"{float(number):.9g}" for number in numbers)) for seat, *numbers in _seats(found))
    return csv_bytes(("bot", "player", "payoff", "best_answer", "regret"), rows)
