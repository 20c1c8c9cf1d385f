"""Beliefs as text: a player, a roll and its probability on each line."""

from __future__ import annotations

import re
import sys

from liarsdice_cli.errors import LiarsDiceError, UsageError
from liarsdice_cli.formats import files
from liarsdice_cli.formats.numbers import decoded
from liarsdice_cli.formats.tables import parsed_lines
from liarsdice_cli.games.liarsdice.locks import PLAYER, roll_of
from liarsdice_cli.games.liarsdice.rules import Roll, Rules
from liarsdice_cli.text import quoted

EXAMPLE = "P2 roll 3 4: 1/2"
_LINE = re.compile(rf"\s*+{PLAYER}\s++roll\s++([0-9](?:[0-9 ,-]*[0-9,-])?)\s*+:\s*+(\S+)\s*+", re.IGNORECASE)


def read(name: str, rules: Rules) -> dict[int, dict[Roll, float]]:
    """Return the weights of the rolls, in any unit, for each player (from 1) that a file names; unlisted rolls are missing.

    Empty lines and those that begin with # are ignored. Raises LiarsDiceError, naming the line, for any other text.
    """
    found: dict[int, dict[Roll, float]] = {}

    def add(line: str) -> None:
        player, roll, weight = _parsed(line, rules)
        if roll in found.setdefault(player, {}):
            raise UsageError(f"P{player} has roll {rules.roll_label(roll)} twice: leave one out")
        found[player][roll] = weight

    parsed_lines(name, add)
    if not found:
        raise LiarsDiceError(f"{files.shown(name)} has no beliefs: write one roll on each line, as in {EXAMPLE!r}")
    return found


def parsed(line: str, rules: Rules) -> dict[int, dict[Roll, float]]:
    """Return the content of one line, as `read` does; UsageError for any other text."""
    player, roll, weight = _parsed(line, rules)
    return {player: {roll: weight}}


def _parsed(line: str, rules: Rules) -> tuple[int, Roll, float]:
    found = _LINE.fullmatch(line)
    if found is None:
        raise UsageError(f"{quoted(line.strip())}: write a player, a roll, a colon and a weight, as in {EXAMPLE!r}")
    player = int(found[1])
    if player > rules.players:
        raise UsageError(f"there is no P{player}: the players are P1 to P{rules.players}")
    weight = decoded(found[3])
    if not 0 <= weight <= sys.float_info.max:
        raise UsageError(f"{quoted(found[3])} is not a weight: give a number from 0 to {sys.float_info.max:g}")
    return player, roll_of(rules, player - 1, found[2]), float(weight)
