"""Rules as fields: of JSON documents, of the heads of files, and of the rows of CSV files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.formats.documents.games import GameRules
from liarsdice_cli.formats.heads import Head
from liarsdice_cli.formats.tables import csv_bytes
from liarsdice_cli.games.liarsdice.dice import MOST
from liarsdice_cli.games.liarsdice.presets import CHANGES
from liarsdice_cli.games.liarsdice.rules import Rules, rules
from liarsdice_cli.text import whole

COLUMNS = ("rules", "sides", "dice", "payoffs")
"""The first columns of CSV files about games; those of `changed_columns` are the last."""


def rules_json(game: Rules) -> GameRules:
    """Return the arguments of the function `rules` that make these rules."""
    return cast(GameRules, {**game.arguments, "dice": list(game.dice), "payoffs": game.payoffs})


def head_of(game: Rules) -> dict[str, Any]:
    """Return all fields of rules in the form of the head of a file."""
    shape = {"rules": game.name, "sides": game.sides, "dice": list(game.dice), "payoffs": game.payoffs}
    return shape | {name: getattr(game, name) for name in CHANGES}


def rules_in(head: Head) -> Rules:
    """Return the rules in the head of a file; ValueError if they are invalid."""
    changes = {name: head.fields[name] for name in CHANGES if name in head.fields}
    if changes.get("wild", "") is None:
        changes["wild"] = "none"
    try:
        dice = head.wholes("dice", 1, MOST)
        return rules(head.text("rules"), head.whole("sides", 1, MOST), dice, payoffs=head.text("payoffs"), **changes)
    except LiarsDiceError as error:
        raise ValueError(str(error)) from error


def changed_columns(games: Iterable[Rules]) -> list[str]:
    """Return the names of the changes to a preset that any of these games has, in the order of `CHANGES`."""
    found = {name for game in games for name in game.changes}
    return [name for name in CHANGES if name in found]


def csv_of_games(columns: Sequence[str], rows: Iterable[tuple[Rules, Iterable[object]]]) -> bytes:
    """Return a CSV file whose rows name their games: `COLUMNS`, the given columns, and the changes that any game has.

    The cell of a change is empty if a game does not have it, so different games never have equal cells.

    >>> print(csv_of_games(["n"], [(rules("joker", 3), [1]), (rules("joker", 3, stairs=True), [2])]).decode(), end="")
    rules,sides,dice,payoffs,n,stairs
    joker,3,1 1,win,1,
    joker,3,1 1,win,2,yes
    """
    listed = [(game, tuple(cells)) for game, cells in rows]
    changed = changed_columns(game for game, _ in listed)
    return csv_bytes((*COLUMNS, *columns, *changed), (_row(game, cells, changed) for game, cells in listed))


def _row(game: Rules, cells: Iterable[object], changed: Sequence[str]) -> Iterable[object]:
    changes = game.changes
    yield from (game.name, game.sides, " ".join(map(str, game.dice)), game.payoffs, *cells)
    yield from (yes_or_no(changes.get(name, "")) for name in changed)


def yes_or_no(value: int | str) -> int | str:
    """Return the cell of a value: yes or no for a flag."""
    return ("yes" if value else "no") if isinstance(value, bool) else value


def rules_of_row(cell: Mapping[str, str]) -> Rules:
    """Return the rules that a row of `csv_of_games` names; ValueError or LiarsDiceError if it names none."""
    dice = tuple(whole(count) for count in cell["dice"].split())
    changes: dict[str, Any] = {name: _value(name, cell[name]) for name in CHANGES if cell.get(name)}
    return rules(cell["rules"], whole(cell["sides"]), dice, payoffs=cell["payoffs"], **changes)


def _value(name: str, cell: str) -> int | str:
    """Return the value of a cell for an argument of `rules`; ValueError for any other text."""
    if name in ("wild", "order"):
        return cell
    if name == "max_quantity":
        return whole(cell)
    if cell not in ("yes", "no"):
        raise ValueError(f"{cell[:40]!r} is neither yes nor no")
    return cell == "yes"
