"""Leveled trees: expansion, sorting, and conversion to strategy stores."""

from __future__ import annotations

import numpy as np
import pytest

from liarsdice_cli.extensive.stream import Floats, Ints
from liarsdice_cli.games.liarsdice.public import public_game
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.solvers.public_tree.leveled import LeveledTree, Levels, played_before
from liarsdice_cli.strategies.shard import NONE
from liarsdice_cli.strategies.store import StrategyStore


def _grown(tree: LeveledTree, rounds: int, seed: int = 1) -> Levels:
    """Expand some histories at random, and sort each time."""
    random, bidding = np.random.default_rng(seed), tree.game.bidding
    for _ in range(rounds):
        levels, _ = tree.sort()
        last = np.repeat(levels.last_bid, np.diff(levels.begin))
        open_ = (
            (levels.child == NONE)
            & (levels.bid > last)
            & np.array([*map(bidding.has_choice, range(tree.game.bids))])[levels.bid]
        )
        tree.expand(np.sort(tree.column_at[random.permutation(np.flatnonzero(open_))[: 1 + tree.histories]]))
    return tree.sort()[0]


@pytest.fixture
def tree() -> LeveledTree:
    return LeveledTree(public_game(rules("common", 3, (2, 1), spot_on=True)))


def test_levels_follow_one_another(tree: LeveledTree) -> None:
    levels = _grown(tree, 5)
    owner = np.repeat(np.arange(tree.histories), np.diff(levels.begin))
    assert levels.level[0] == 0
    assert levels.level[-1] == tree.histories
    level = np.searchsorted(levels.level, np.arange(tree.histories), "right") - 1
    led = levels.led[1:]
    assert np.array_equal(levels.child[led], np.arange(1, tree.histories))
    assert np.array_equal(level[owner[led]] + 1, level[1:])
    assert np.array_equal(levels.last_bid[1:], levels.bid[led])
    assert np.array_equal(levels.own[1:], levels.led[owner[led]])


def test_sorting_returns_the_previous_positions_of_columns(tree: LeveledTree) -> None:
    _grown(tree, 3)
    at_before = tree.column_at.copy()
    levels = tree.sort()[0]
    last = np.repeat(levels.last_bid, np.diff(levels.begin))
    tree.expand(np.sort(tree.column_at[np.flatnonzero((levels.child == NONE) & (levels.bid > last))[:5]]))
    _, before = tree.sort()
    known = before != NONE
    assert np.array_equal(tree.column_at[known], at_before[before[known]])
    assert sorted(before[known]) == list(range(len(at_before)))


def test_a_call_at_a_new_history_has_the_average_of_the_last_own_column(tree: LeveledTree) -> None:
    _grown(tree, 3)
    known = len(tree.column_at)
    levels = tree.sort()[0]
    last = np.repeat(levels.last_bid, np.diff(levels.begin))
    tree.expand(np.sort(tree.column_at[np.flatnonzero((levels.child == NONE) & (levels.bid > last))]))
    levels, before = tree.sort()
    sources, first = played_before(levels, before)
    calls, own = levels.begin[1:-1], levels.own[1:]
    new = tree.column_at[calls] >= known
    assert new.any()
    assert not new.all()
    assert set(first) == set(calls[new & (own == NONE)])
    for call, column in zip(calls[new], own[new], strict=True):
        assert sources[call] == (NONE if column == NONE else before[column])
    others = np.setdiff1d(np.arange(len(before)), calls[new])
    assert np.array_equal(sources[others], before[others])


@pytest.mark.parametrize("dice", [(2, 1), (2, 2)])  # one shard, and several
def test_a_store_has_the_same_histories(dice: tuple[int, int]) -> None:
    tree = LeveledTree(public_game(rules("common", 4, dice)))
    levels = _grown(tree, 6)

    def rows(columns: Ints) -> Floats:
        return np.repeat(1.0 + columns[:, None], 16, axis=1)

    store = tree.store("averages", np.float64, rows)
    assert store.histories == tree.histories
    for number, shard in store.all_shards:
        store.check(shard, number)
    _compare(tree, levels, store, 0, ())


def _compare(tree: LeveledTree, levels: Levels, store: StrategyStore, place: int, history: tuple[int, ...]) -> None:
    """Compare the entries after a history and after those that follow it."""
    found = store.find(history)
    assert found is not None
    entries = store.entries(*found, "averages")[store.rows(*found), 0]
    columns = np.arange(levels.begin[place], levels.begin[place + 1])
    assert np.array_equal(entries, 1.0 + tree.column_at[columns])
    for column in columns:
        if levels.child[column] == NONE:
            assert levels.bid[column] == levels.last_bid[place] or store.find((*history, levels.bid[column])) is None
        else:
            _compare(tree, levels, store, int(levels.child[column]), (*history, int(levels.bid[column])))
