"""The size and the kind of a game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from liarsdice_cli.extensive.recall import has_perfect_recall
from liarsdice_cli.extensive.renderable import Renderable
from liarsdice_cli.extensive.stream import CHANCE, TERMINAL
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.formats.documents.games import Cost as CostFields
from liarsdice_cli.formats.documents.games import Game, Info
from liarsdice_cli.formats.documents.games import Subgame as SubgameFields
from liarsdice_cli.formats.rule_fields import rules_json
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.subgame import Subgame
from liarsdice_cli.games.liarsdice.tree import Counts
from liarsdice_cli.solvers.problem import Problem, PublicTreeProblem, SubgameProblem
from liarsdice_cli.solvers.public_tree.cost import Cost, expected, is_modelled
from liarsdice_cli.solvers.request import EXACT_NODES
from liarsdice_cli.system.memory import size
from liarsdice_cli.system.processes import cores
from liarsdice_cli.text import counted, duration, numbered

_TARGETS = 1e-2, 1e-3
"""The targets for which a large game's costs are given."""
_MANY = 16
_LONGEST = 1e10
"""Seconds, about three hundred years; longer times are not shown."""


@dataclass(frozen=True)
class Facts(Counts, Renderable):
    """The size and the kind of a game; numbers of any size.

    constant_sum   : whether the payoffs have the same sum at all terminal nodes
    perfect_recall : whether players remember their own moves and all that they observed
    costs          : the costs of solving it to some targets, if they are from a second to 300 years; only for rules for two
                     players with up to 8 sides and too many nodes for exact methods
    """

    title: str
    players: tuple[str, ...]
    constant_sum: bool = True
    perfect_recall: bool = True
    costs: tuple[Cost, ...] = ()

    def lines(self) -> Iterator[str]:
        """Yield lines for a person."""
        yield self.title or "(a game without a title)"
        numbers = (self.decision_nodes, self.chance_nodes, self.terminal_nodes)
        kinds = ", ".join(
            f"{counted(number)} {kind}" for number, kind in zip(numbers, ("decision", "chance", "terminal"), strict=True)
        )
        yield f"{numbered(self.nodes, 'nodes')}: {kinds}"
        sets = ", ".join(f"{counted(sets)} of {name}" for name, sets in zip(self.players, self.infosets, strict=True))
        yield f"information sets: {sets or 'none'}"
        recall = "perfect recall" if self.perfect_recall else "imperfect recall"
        yield f"{'constant sum' if self.constant_sum else 'general sum'}, {recall}"
        here = cores()
        for one in self.costs:
            counts = {here: f"{here} (here)", _MANY: f"{_MANY} of one machine or several", 1: "1 core"}
            times = ", ".join(f"{duration(one.seconds(count))} on {counts[count]}" for count in sorted(counts))
            yield f"to an exploitability of {one.target:g} (payoffs 1 and -1): about {size(round(one.bytes))}; {times}"


def game_info(game: GameTree | Rules | Subgame | Problem) -> Facts:
    """Return the size and the kind of a game; for rules in closed form, at any size.

    >>> from liarsdice_cli import game_info, rules
    >>> game_info(rules("classic", 6)).nodes
    4947802324957
    """
    problem = game if isinstance(game, Problem) else Problem.of(game)
    if not isinstance(problem, PublicTreeProblem):
        return _of_tree(problem.free_tree)
    names = tuple(f"Player {player}" for player in range(1, problem.players + 1))
    if isinstance(problem, SubgameProblem):
        return Facts(**vars(problem.counts), title=problem.title, players=names)
    rules = problem.with_rules().rules
    counts = Counts.of(rules, problem.dealing)
    costs = _costs(rules) if counts.nodes > EXACT_NODES else ()
    return Facts(**vars(counts), title=problem.title, players=names, costs=costs)


def _of_tree(tree: GameTree) -> Facts:
    chance, terminal = (int(np.count_nonzero(tree.player == mover)) for mover in (CHANCE, TERMINAL))
    sets = np.bincount(tree.infosets.player + 1, minlength=len(tree.players) + 1)[1:]
    return Facts(
        tree.nodes - chance - terminal,
        chance,
        terminal,
        tuple(sets.tolist()),
        tree.title,
        tree.players,
        tree.constant_sum is not None,
        has_perfect_recall(tree),
    )


def _costs(rules: Rules) -> tuple[Cost, ...]:
    """Return the costs of solving a game to some targets, without those that are too small or too large to show."""
    found = [expected(rules, target) for target in _TARGETS] if is_modelled(rules) else []
    return tuple(one for one in found if 1 <= one.processor_seconds <= _LONGEST)


def info_json(problem: Problem, source: str | None) -> Info:
    """Return the document of `info`; `source` is the file of the game, or None for rules."""
    costs: list[CostFields] = [
        {
            "target": one.target,
            "processor_seconds": one.processor_seconds,
            "seconds_on_16_cores": one.seconds(_MANY),
            "bytes": round(one.bytes),
        }
        for one in game_info(problem).costs
    ]
    return {**game_json(problem, source), "costs": costs}


def game_json(problem: Problem, source: str | None) -> Game:
    """Return a game for a program.

    source : the file of the game; None for rules
    """
    facts = game_info(problem)
    rules = problem.rules if isinstance(problem, PublicTreeProblem) else None
    return {
        "source": None if rules else source,
        "rules": None if rules is None else rules_json(rules),
        "subgame": _subgame(problem.start) if isinstance(problem, SubgameProblem) else None,
        "title": facts.title,
        "players": list(facts.players),
        "nodes": facts.nodes,
        "decision_nodes": facts.decision_nodes,
        "chance_nodes": facts.chance_nodes,
        "terminal_nodes": facts.terminal_nodes,
        "infosets": list(facts.infosets),
        "constant_sum": facts.constant_sum,
        "perfect_recall": facts.perfect_recall,
    }


def _subgame(start: Subgame) -> SubgameFields:
    beliefs = [one.tolist() for one in start.beliefs]
    return {"history": start.history_text.split(), "source": start.source, "beliefs": beliefs}
