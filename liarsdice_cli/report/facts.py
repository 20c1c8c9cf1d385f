"""What a game is before anything is solved: its size and its kind."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from liarsdice_cli.extensive.recall import has_perfect_recall
from liarsdice_cli.extensive.renderable import Renderable
from liarsdice_cli.extensive.stream import CHANCE, TERMINAL
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.subgame import Subgame
from liarsdice_cli.games.liarsdice.tree import Counts
from liarsdice_cli.solvers.problem import Problem, RulesProblem, SubgameProblem
from liarsdice_cli.text import counted


@dataclass(frozen=True)
class Facts(Renderable):
    """What `info` and `solve` say of a game before anything is solved; numbers of any size.

    infosets : information sets of each player
    constant_sum, perfect_recall : whether the game has them
    """

    title: str
    players: tuple[str, ...]
    decision_nodes: int
    chance_nodes: int
    terminal_nodes: int
    infosets: tuple[int, ...]
    constant_sum: bool
    perfect_recall: bool

    @property
    def nodes(self) -> int:
        """All nodes."""
        return self.decision_nodes + self.chance_nodes + self.terminal_nodes

    @classmethod
    def of(cls, tree: GameTree) -> Facts:
        """The facts of a tree in memory."""
        chance = int(np.count_nonzero(tree.player == CHANCE))
        terminal = int(np.count_nonzero(tree.player == TERMINAL))
        sets = np.bincount(tree.infosets.player + 1, minlength=len(tree.players) + 1)[1:]
        return cls(
            tree.title,
            tree.players,
            tree.nodes - chance - terminal,
            chance,
            terminal,
            tuple(sets.tolist()),
            tree.constant_sum is not None,
            has_perfect_recall(tree),
        )

    @classmethod
    def of_rules(cls, rules: Rules, dealing: str = "ordered") -> Facts:
        """The facts of the tree of rules, in closed form at any size."""
        return cls._counted(f"Liar's Dice: {rules}", Counts.of(rules, dealing))

    @classmethod
    def of_rest(cls, start: Subgame) -> Facts:
        """The facts of the tree of the rest of a round, likewise."""
        begins = f"after {start.history_text}" if start.history_text else "from the opening"
        return cls._counted(f"Liar's Dice: {start.rules}; {begins}", Counts.of_subgame(start))

    @classmethod
    def _counted(cls, title: str, counts: Counts) -> Facts:
        return cls(
            title=title,
            players=tuple(f"Player {player}" for player in range(1, len(counts.infosets) + 1)),
            decision_nodes=counts.decision_nodes,
            chance_nodes=counts.chance_nodes,
            terminal_nodes=counts.terminal_nodes,
            infosets=counts.infosets,
            constant_sum=True,
            perfect_recall=True,
        )

    def json(self) -> dict[str, Any]:
        """The content of `info --json`, and of the head of `solve --json`."""
        return {
            "title": self.title,
            "players": list(self.players),
            "nodes": self.nodes,
            "decision_nodes": self.decision_nodes,
            "chance_nodes": self.chance_nodes,
            "terminal_nodes": self.terminal_nodes,
            "infosets": list(self.infosets),
            "constant_sum": self.constant_sum,
            "perfect_recall": self.perfect_recall,
        }

    def lines(self) -> Iterator[str]:
        """The same for a person."""
        yield self.title or "(a game without a title)"
        numbers = (self.decision_nodes, self.chance_nodes, self.terminal_nodes)
        kinds = ", ".join(
            f"{counted(number)} {kind}" for number, kind in zip(numbers, ("decision", "chance", "terminal"), strict=True)
        )
        yield f"{counted(self.nodes)} nodes: {kinds}"
        sets = ", ".join(f"{counted(sets)} of {name}" for name, sets in zip(self.players, self.infosets, strict=True))
        yield f"information sets: {sets or 'none'}"
        recall = "perfect recall" if self.perfect_recall else "imperfect recall"
        yield f"{'constant sum' if self.constant_sum else 'general sum'}, {recall}"


def game_info(game: GameTree | Rules | Subgame | Problem) -> Facts:
    """How large a game is, and of what kind: of rules in closed form, at any size and no cost.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> game_info(rules("classic", 6)).nodes
    4947802324957
    """
    problem = game if isinstance(game, Problem) else Problem.of(game)
    if isinstance(problem, SubgameProblem):
        return Facts.of_rest(problem.start)
    if isinstance(problem, RulesProblem):
        return Facts.of_rules(problem.rules, problem.dealing)
    return Facts.of(problem.free_tree)
