"""Write strategies of Liar's Dice as strategy files."""

from __future__ import annotations

from dataclasses import dataclass

from liarsdice_cli.formats import registry
from liarsdice_cli.formats.ldz import Origin
from liarsdice_cli.formats.writing import writes
from liarsdice_cli.strategies.stored import StoredStrategy


@dataclass(frozen=True)
class EvaluatedStrategy:
    """An expanded strategy with its method and its proved bounds, which is what a strategy file holds."""

    strategy: StoredStrategy
    origin: Origin


@writes(EvaluatedStrategy)
def write_strategy(evaluated: EvaluatedStrategy, name: str) -> None:
    """Write a strategy file. Raises UsageError for a name of another format, LiarsDiceError if it cannot be written."""
    registry.writer(name, registry.STRATEGY)(name, evaluated.strategy, evaluated.origin)
