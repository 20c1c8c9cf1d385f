"""Run Gambit's methods: pass the game with labels that name its rows, and judge every profile."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from liarsdice_cli.extensive.evaluate import complete, judge
from liarsdice_cli.extensive.profile import ROUNDING, Probabilities, from_sets
from liarsdice_cli.extensive.stream import CHANCE, NONE, Actions, Ints
from liarsdice_cli.extensive.tree import GameTree, InfoSets
from liarsdice_cli.formats import efg
from liarsdice_cli.progress import Progress
from liarsdice_cli.solvers import gambit
from liarsdice_cli.solvers.gambit_child import RawProfile
from liarsdice_cli.solvers.problem import Problem
from liarsdice_cli.solvers.request import Request
from liarsdice_cli.solvers.solution import EvaluatedProfile, MethodResult


def solve(method: str, problem: Problem, request: Request, progress: Progress) -> MethodResult:
    """Solve the game by one of `gambit_methods.METHODS` in a child process; raises as `gambit.run`."""
    tree = problem.tree
    run = gambit.run(efg.dumps(_numbered(tree).stream(), labels="full"), request.updated(method=method), progress)
    profiles = (complete(from_sets(tree, _filled_up(given))) for given in run.profiles)
    solved = tuple(EvaluatedProfile(judge(profile), profile) for profile in profiles)
    short = sum(_is_short(numbers) for given in run.profiles for numbers in given.values())
    scaled = [f"{short} distribution(s) that added up to less than 1 were scaled up"] if short else []
    note = "; ".join([run.note, *scaled] if run.note else scaled)
    return MethodResult(run.arithmetic, run.form, solved, run.seconds, run.finished, note)


def _filled_up(given: RawProfile) -> dict[int, Probabilities]:
    """Return the distributions, each scaled to a sum of 1.

    Gambit's lp may omit part of player 1's play if that part pays the lowest payoff of the game.
    """
    return {
        row: [number / sum(numbers) for number in numbers] if _is_short(numbers) else numbers for row, numbers in given.items()
    }


def _is_short(numbers: Probabilities) -> bool:
    """Return whether the sum is below 1; for floats, by more than the rounding that `from_sets` corrects."""
    total = sum(numbers)
    return 0 < total < (1 - ROUNDING if isinstance(total, float) else 1)


def _numbered(tree: GameTree) -> GameTree:
    """Return the same game with labels that no reader renames: row numbers for information sets, indices for actions."""
    action_lists = [
        Actions(tuple(map(str, range(1, len(choices.labels) + 1))), choices.probabilities) for choices in tree.action_lists
    ]
    outcomes = [outcome._replace(label=str(row)) for row, outcome in enumerate(tree.outcomes, 1)]
    rows, infoset = _chance_apart(tree)
    player, choices = tree.infosets.player[rows], tree.infosets.actions[rows]
    labels = [str(row) if mover != CHANCE else "" for row, mover in zip(rows.tolist(), player.tolist(), strict=True)]
    return replace(
        tree,
        title="game",
        comment="",
        players=tuple(f"P{player}" for player in range(1, len(tree.players) + 1)),
        action_lists=action_lists,
        outcomes=outcomes,
        infosets=InfoSets(player, np.arange(1, len(rows) + 1), choices, labels),
        infoset=infoset,
        node_labels={},
    )


def _chance_apart(tree: GameTree) -> tuple[Ints, Ints]:
    """Return sets that give every chance node its own: the old set of each new one, and the new set of each node.

    Gambit checks perfect recall for chance, too, so a chance set of several nodes would fail.
    """
    players, nodes = np.flatnonzero(tree.infosets.player != CHANCE), np.flatnonzero(tree.player == CHANCE)
    place = np.full(len(tree.infosets) + 1, NONE)
    place[players] = np.arange(len(players))
    infoset = place[tree.infoset]
    infoset[nodes] = len(players) + np.arange(len(nodes))
    return np.concatenate([players, tree.infoset[nodes]]), infoset
