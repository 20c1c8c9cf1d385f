"""The game that a command line means: a file, or rules; for rules too large for a tree, a smaller game that decides them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from liarsdice_cli.cli.options import one_game, rules_of
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.formats import efg
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.tree import Counts, build, reduced_game
from liarsdice_cli.report.facts import Facts


@dataclass(frozen=True)
class Game:
    """A game to solve.

    facts  : of the game that was asked for
    source : where it comes from, as the JSON says it: `source` (a file) or `rules`
    tree   : what is solved
    lifted : how the answer to the tree answers the whole game, or None where it is the whole game
    rules  : those that the tree unfolds, or None where it comes from a file
    """

    facts: Facts
    source: dict[str, str]
    tree: GameTree
    lifted: str | None
    rules: Rules | None = None


def game_of(game: str | None, asked: dict[str, Any]) -> Game:
    """The game in the file, or of the rule options.

    Raises UsageError where there is none or two, LiarsDiceError where the file or the size is the problem.
    """
    one_game(game, asked)
    if game is not None:
        tree = efg.read(game)
        return Game(Facts.of(tree), {"source": game}, tree, None)
    rules, chance = rules_of(asked)
    facts = facts_of(rules, chance)
    solved, lifted = decided_by(rules, chance)
    return Game(facts, {"rules": str(rules)}, build(solved, chance), lifted, solved)


def decided_by(rules: Rules, chance: str) -> tuple[Rules, str | None]:
    """The rules to solve: without bids that are never true where the game is large, and how that answers the whole game."""
    solved = reduced_game(rules, chance)
    return solved, None if solved == rules else _lifted(rules, chance)


def facts_of(rules: Rules, chance: str) -> Facts:
    """The facts of the rules, in closed form at any size."""
    counts = Counts.of(rules, chance)
    return Facts(
        title=f"Liar's Dice: {rules}",
        players=tuple(f"Player {player + 1}" for player in range(rules.players)),
        decision_nodes=counts.decision_nodes,
        chance_nodes=counts.chance_nodes,
        terminal_nodes=counts.terminal_nodes,
        infosets=counts.infosets,
        constant_sum=True,
        perfect_recall=True,
    )


def _lifted(rules: Rules, chance: str) -> str:
    most = rules.without_impossible_bids().max_quantity
    nodes = Counts.of(rules.without_impossible_bids(), chance).nodes
    return (
        f"solved without the bids of {most + 1} or more dice, which are never true ({nodes:,} nodes are left): "
        "nobody makes such a bid, and whoever faces one, after any history, calls and wins; so this solves the whole game"
    )
