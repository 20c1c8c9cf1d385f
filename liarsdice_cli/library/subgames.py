"""What a person believes of everybody's rolls, as they write it or as a strategy implies it."""

from __future__ import annotations

from collections.abc import Mapping

from liarsdice_cli.bots.equilibrium import strategy_in
from liarsdice_cli.formats import belief_lines, registry
from liarsdice_cli.games.liarsdice.rules import Roll, Rules
from liarsdice_cli.games.liarsdice.strategy import Strategy


def beliefs(name: str, rules: Rules) -> Strategy | Mapping[int, Mapping[Roll, float]]:
    """The beliefs in a file, for `subgame`: those of a strategy (.ldz or .json), or lines such as "P2 roll 3 4: 1/2".

    Raises LiarsDiceError, naming the file, for one that cannot be read or belongs to another game.
    """
    if registry.holds(name, registry.STRATEGY) or registry.holds(name, registry.PROFILE):
        return strategy_in(name, rules)
    return belief_lines.read(name, rules)
