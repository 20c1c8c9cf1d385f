"""Games as pygambit reads them, node by node, to compare with the project's columns."""

from __future__ import annotations

import io
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pygambit
import pytest

from liarsdice_cli.extensive.stream import CHANCE, NONE, TERMINAL
from liarsdice_cli.extensive.tree import GameTree

CATALOGUE = sorted(Path(str(resources.files("pygambit"))).glob("catalog_data/**/*.efg"))
SAMPLES = sorted((Path(__file__).parents[2] / "sample_games").glob("*.efg"))


def catalogue_name(path: Path) -> str:
    return path.as_posix().partition("catalog_data/")[2] or path.name


def large_ones_slow(paths: Iterable[Path]) -> list[Any]:
    """Return the files as parameters; those of more than 100 kB are slow."""
    return [pytest.param(path, marks=pytest.mark.slow if path.stat().st_size > 100_000 else ()) for path in paths]


def game_of(data: bytes) -> Any:
    return pygambit.read_efg(io.BytesIO(data))


@cache
def game_in(path: Path) -> Any:
    return game_of(path.read_bytes())


def fraction(number: Any) -> Fraction:
    return Fraction(str(number))


def nodes_by_gambit(game: Any) -> list[tuple[Any, ...]]:
    """Return player, infoset (numbered by first use), number of actions, chances and payoffs of every node in prefix order."""
    players = list(game.players)
    payoffs = {label: game.get_outcome_payoffs(label) for label in game.get_outcomes()}
    vectors = {label: tuple(fraction(vector[player]) for player in players) for label, vector in payoffs.items()}
    owner, member = {}, {}
    sets = [(CHANCE, game.get_events())] + [(row, game.get_infosets(player)) for row, player in enumerate(players)]
    for player, found in sets:
        for infoset in found:
            for node in game.get_members(pygambit.H.path(*infoset.actions)):
                owner[node.actions] = player
                member[node.actions] = (player, infoset.actions)
    rows, numbers, waiting = [], {}, [()]
    while waiting:
        path = waiting.pop()
        at = pygambit.H.path(*path)
        actions = list(game.get_actions(at))
        number = numbers.setdefault(member[path], len(numbers)) if path in member else NONE
        chances = tuple(map(fraction, game.get_action_probs(at).values()))
        outcome = game.get_outcome(at)
        ends = None if outcome is None else vectors[outcome]
        rows.append((owner.get(path, TERMINAL), number, len(actions), chances, ends))
        waiting.extend((*path, action) for action in reversed(actions))
    return rows


def nodes_of(tree: GameTree) -> list[tuple[Any, ...]]:
    """Return the same of the project's columns."""
    rows, numbers = [], {}
    for player, infoset, arity, outcome in zip(tree.player, tree.infoset, tree.arity, tree.outcome, strict=True):
        number = numbers.setdefault(infoset, len(numbers)) if infoset != NONE else NONE
        chances = tree.actions_at(infoset).probabilities if infoset != NONE else None
        ends = None if outcome == NONE else tree.outcomes[outcome].payoffs
        rows.append((int(player), number, int(arity), chances or (), ends))
    return rows


def sets_of(tree: GameTree, player: int) -> list[int]:
    """Return the rows of a player's infosets in the order of their first nodes, which is the order of pygambit's profiles."""
    rows = np.flatnonzero(tree.infosets.player == player)
    return rows[np.argsort(tree.first_node[rows])].tolist()
