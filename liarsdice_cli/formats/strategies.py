"""Write strategies of Liar's Dice as strategy files."""

from __future__ import annotations

from dataclasses import dataclass

from liarsdice_cli.errors import Argument, UsageError
from liarsdice_cli.formats import registry
from liarsdice_cli.formats.ldz import Origin
from liarsdice_cli.formats.writing import writes
from liarsdice_cli.games.liarsdice.grown_strategy import GrownStrategy
from liarsdice_cli.games.liarsdice.rules import Rules


@dataclass(frozen=True)
class EvaluatedStrategy:
    """An expanded strategy with its method and its proved bounds, which is what a strategy file holds."""

    strategy: GrownStrategy
    origin: Origin


@writes(EvaluatedStrategy)
def write_strategy(evaluated: EvaluatedStrategy, name: str) -> None:
    """Write a strategy file. Raises UsageError for a name of another format, LiarsDiceError if it cannot be written."""
    registry.writer(name, registry.STRATEGY)(name, evaluated.strategy, evaluated.origin)


def check_strategy(name: str | None, rules: Rules | None) -> None:
    """Raise UsageError if a strategy file is to be written for a game that does not come from rules."""
    if name is not None and registry.holds(name, registry.STRATEGY) and rules is None:
        given = Argument("sides"), ", ", Argument("dice"), " ..."
        raise UsageError(Argument("output", name), ": strategy files are for rules (", *given, "); name a .json file")
