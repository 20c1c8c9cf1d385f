"""Test stored strategies: their probabilities at every history, their layout, and invalid stores."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from liarsdice_cli.games.bidding import Bidding
from liarsdice_cli.games.liarsdice.public import public_game
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.games.liarsdice.strategy import Uniform
from liarsdice_cli.solvers.public_tree.solver import PublicTree
from liarsdice_cli.solvers.regret.minimisers import minimiser
from liarsdice_cli.strategies import store
from liarsdice_cli.strategies.expansion import expand, expanded
from liarsdice_cli.strategies.shard import (
    BID,
    BLOCKS,
    CHILD,
    COLUMNS,
    LANES,
    LAST_BID,
    MOVER,
    NONE,
    REFUSED,
    ROWS,
    Shard,
)
from liarsdice_cli.strategies.store import ROOT, SHARD, StrategyStore, default_cut, shard_count
from tests.support.entries import draw
from tests.support.progress import Recorded
from tests.support.properties import mostly_slow

SMALL_GAMES = [
    ("common", 1, (1, 1)),
    ("joker", 3, (2, 1)),
    ("ones-low", 3, (1, 2)),
    ("common", 2, (1, 1, 1)),
    ("joker", 2, (1, 2, 1)),
    ("joker", 2, (1, 1, 1, 1)),
]
each_game = pytest.mark.parametrize(("preset", "sides", "dice"), mostly_slow(SMALL_GAMES, 3))


class Drawn:
    """A reproducible random strategy; `never` is the share of actions that have probability 0."""

    def __init__(self, game, never=0.0):
        self.rules, self.never, self.asked = game, never, []

    def at(self, history):
        self.asked.append(tuple(history))
        shape = BettingState(self.rules, history).shape
        generator = np.random.default_rng([len(history), *history])
        shares = generator.dirichlet(np.ones(shape[0]), shape[1]).T * (generator.random(shape) >= self.never)
        shares[0, shares.sum(axis=0) == 0] = 1
        return shares / shares.sum(axis=0)


def histories_of(game):
    """Yield all histories in the order of their lengths."""
    for length in range(game.bid_count + 1):
        yield from combinations(range(game.bid_count), length)


def left(strategy, history):
    """Return the number of players whose own reach probability of a history is 0."""
    game, gone = strategy.rules, set()
    comes = [np.ones(game.roll_count(player), bool) for player in range(game.players)]
    for length, bid in enumerate(history):
        player = length % game.players
        comes[player] &= strategy.at(history[:length])[BettingState(game, history[:length]).index(bid)] > 0
        if not comes[player].any():
            gone.add(player)
    return len(gone)


# Expansion of a strategy


@each_game
def test_a_fully_mixed_strategy_is_stored_at_every_history(preset, sides, dice):
    game = rules(preset, sides, dice)
    kept = expanded(Drawn(game))
    assert kept.store.histories == 2 ** (game.bid_count - 1)  # after the highest bid there is nothing to keep
    for history in histories_of(game):
        assert kept.at(history) == pytest.approx(Drawn(game).at(history), abs=1e-15)


@each_game
def test_a_sparse_strategy_is_stored_unless_two_players_never_reach_a_history(preset, sides, dice):
    game, said, ungrown = rules(preset, sides, dice), Drawn(rules(preset, sides, dice), 0.6), 0
    kept = expanded(said)
    for history in histories_of(game):
        if left(said, history) < 2:
            assert kept.at(history) == pytest.approx(said.at(history), abs=1e-15)
        else:
            calls = kept.at(history)
            assert calls.shape == said.at(history).shape
            assert calls[0].tolist() == [1] * calls.shape[1]
            assert not calls[1:].any()
            ungrown += 1
    assert ungrown or game.bid_count < 4


def test_a_strategy_is_queried_once_at_each_history_in_prefix_order():
    said = Drawn(rules("joker", 3, (2, 1)), 0.3)
    kept = expanded(said)
    assert said.asked == sorted(said.asked)
    assert len(said.asked) == len(set(said.asked)) == kept.store.histories


def test_progress_counts_the_expanded_histories():
    few, many = Recorded(), Recorded()
    kept = expanded(Uniform(rules("ones-low", 3, (2, 1))), few)  # 9 bids, no bid is left out
    assert kept.store.histories == 2**8
    kept = expanded(Uniform(rules("ones-low", 5, (2, 1))), many)  # 15 bids
    assert (kept.store.histories, few.counts, many.counts) == (2**14, [], [1 << 12] * 4)


def test_without_weights_the_strategy_calls_or_opens_with_the_lowest_bid():
    game = rules("joker", 3, (1, 2))
    kept = expanded(Drawn(game))
    kept.store.top.arrays["averages"][:] = 0
    for history in histories_of(game):
        assert kept.at(history).tolist() == [[1.0] * BettingState(game, history).roll_count] + [
            [0.0] * BettingState(game, history).roll_count
        ] * (len(BettingState(game, history).actions) - 1)


# Layout


def learned(preset="joker", sides=4, dice=(2, 1), iterations=8):
    game = rules(preset, sides, dice)
    solver = PublicTree(public_game(game), minimiser("dcfr+"))
    for _ in range(iterations):
        solver.iterate()
    return game, solver.store


@pytest.fixture(params=[(4, (2, 1), None), (4, (2, 1), 4), (3, (1, 1, 1), 4)], ids=["whole", "cut", "cut, three players"])
def tree_and_rules(request, cut_from):
    sides, dice, bids = request.param
    if bids:
        cut_from(bids)
    game, tree = learned(sides=sides, dice=dice, iterations=3)
    assert bool(tree.shards) == bool(bids)
    return game, tree


def test_every_history_is_found_once_with_its_last_bid_and_mover(tree_and_rules):
    game, tree = tree_and_rules
    found = set()
    for history in histories_of(game):
        where = tree.find(history)
        if where is None:
            continue
        shard, number = where
        assert shard.states[number].tolist() == [history[-1] if history else -1, BettingState(game, history).mover]
        found.add((id(shard), number))
    assert len(found) == tree.histories > 15
    assert tree.find([game.bid_count - 1]) is None


def test_a_shard_can_be_laid_out_again_from_its_columns(tree_and_rules):
    _, tree = tree_and_rules
    for number, shard in tree.all_shards:
        histories, columns, blocks, _, _ = shard.used.tolist()
        owner = shard.owners()
        widths = tree.widths[shard.states[owner, MOVER]]
        assert widths.sum() == LANES * blocks
        again = Shard(tuple(shard.arrays), np.float64)
        of_each = np.column_stack([owner, shard.columns[:columns][:, [BID, CHILD]]]).astype(np.int64)
        tree.lay_out(again, shard.states[:histories].astype(np.int64), of_each, LANES * blocks)
        assert again.states.tolist() == shard.states[:histories].tolist()
        assert again.first_column.tolist() == shard.first_column[:histories].tolist()
        assert again.columns.tolist() == shard.columns[:columns].tolist()
        assert again.used[:3].tolist() == shard.used[:3].tolist()
        tree.check(shard, number)
    tree.check_subtrees(len(tree.shards))


def test_only_bids_that_are_not_needed_lack_a_column(tree_and_rules):
    """A bid is not needed if a lower bid on its face has a column and its history is unexpanded."""
    game, tree = tree_and_rules
    lacking = 0
    for history in histories_of(game):
        found = tree.find(history)
        if found is None or not history:
            continue
        shard, number = found
        last = history[-1]
        own = {int(shard.columns[one, BID]): int(shard.columns[one, CHILD]) for one in shard.columns_of(number)[1:]}
        for bid in game.bidding.following(last):
            face = game.bids[bid].face
            lower = [one for one in range(last + 1, bid) if game.bids[one].face == face]
            needless = any(own.get(one) == NONE for one in lower)
            assert (bid in own) != needless
            lacking += needless
    assert lacking > 0


def test_entries_are_read_and_set_without_padding(tree_and_rules):
    game, tree = tree_and_rules
    assert tree.find(()) == (tree.top, 0)
    own = tree.entries(tree.top, 0, "averages")
    assert own.shape == (game.bid_count, game.roll_count(0))
    tree.set_entries(tree.top, 0, "averages", slice(None), np.full(own.shape, 7))
    assert (tree.top.arrays["averages"] == 7).sum() == own.size
    assert (tree.entries(tree.top, 0, "averages") == 7).all()


def _shard_with_children(tree):
    return next((number, shard) for number, shard in tree.all_shards if _led(shard)[1:].any())


def _led(shard):
    return np.flatnonzero(shard.columns[: shard.used[COLUMNS], CHILD] != NONE)


SPOILT = {
    "too large a child": lambda shard, where: shard.columns.__setitem__((where[-1], CHILD), 1 << 20),
    "one of below -1": lambda shard, where: shard.columns.__setitem__((where[-1], CHILD), -2),
    "a child twice": lambda shard, where: shard.columns.__setitem__((where[-1], CHILD), shard.columns[where[0], CHILD]),
    "itself": lambda shard, where: shard.columns.__setitem__((where[0], CHILD), 0),
    "a child of a call": lambda shard, where: shard.columns.__setitem__((shard.columns_of(1)[0], CHILD), 0),
}


@pytest.mark.parametrize("spoil", SPOILT.values(), ids=list(SPOILT))
def test_children_that_make_no_tree_are_refused(tree_and_rules, spoil):
    _, tree = tree_and_rules
    number, shard = _shard_with_children(tree)
    spoil(shard, _led(shard))
    with pytest.raises(ValueError, match=r"child|range|final"):
        tree.check(shard, number)


@pytest.mark.parametrize(("field", "change"), [(0, 1), (0, -1), (1, 1)])
def test_states_that_contradict_the_children_are_refused(tree_and_rules, field, change):
    _, tree = tree_and_rules
    for number, shard in tree.all_shards:
        for history in range(0, int(shard.used[0]), 5):
            before = int(shard.states[history, field])
            shard.states[history, field] = (before + change) % tree.players if field == MOVER else before + change
            with pytest.raises(ValueError, match=r"child|range|final|action|bid|opening|subtree"):
                tree.check(shard, number)
            shard.states[history, field] = before
        tree.check(shard, number)


def laid_out(bids, times, first=0):
    """Return a store with only an opening, in which each bid has a column `times` times."""
    tree = StrategyStore((3, 3), Bidding.free(4), ("averages",), np.float64)
    columns = np.array([[0, bid, NONE] for bid in bids for _ in range(times)], np.int64).reshape(-1, 3)
    tree.top = tree.new_shard()
    tree.lay_out(tree.top, np.array([[-1, first]]), columns, 8 * len(columns))
    return tree


@pytest.mark.parametrize("times", [2, 127, 128, 200, 256, 257, pytest.param(65536, marks=pytest.mark.slow)])
def test_a_bid_with_several_columns_is_refused(times):
    """Compiled code has room for each bid once."""
    laid_out([0, 1, 2, 3], 1).check(laid_out([0, 1, 2, 3], 1).top, NONE)
    tree = laid_out([0, 1, 2, 3], times)
    with pytest.raises(ValueError, match="twice"):
        tree.check(tree.top, NONE)


def test_an_opening_must_begin_with_the_lowest_bid():
    tree = laid_out([1, 0, 2, 3], 1)  # without weights, the strategy takes the first action
    with pytest.raises(ValueError, match="first action"):
        tree.check(tree.top, NONE)


def test_histories_without_columns_and_wrong_numbers_of_entries_are_refused():
    with pytest.raises(ValueError, match="without an action"):
        laid_out([], 1)
    tree = StrategyStore((3, 3), Bidding.free(4), ("averages",), np.float64)
    for entries in (0, 7, 16, 1 << 62):
        with pytest.raises(ValueError, match="entries"):
            tree.lay_out(tree.new_shard(), np.array([[-1, 0]]), np.array([[0, 0, NONE]]), entries)


def test_if_players_tremble_every_bid_needs_a_column():
    _, tree = learned(iterations=2)
    tree.check(tree.top, NONE)
    tree.all_bids = True
    with pytest.raises(ValueError, match="missing"):
        tree.check(tree.top, NONE)


def test_a_top_shard_needs_an_opening():
    tree = StrategyStore((3, 3), Bidding.free(6), ("averages",), np.float64)
    with pytest.raises(ValueError, match="no opening"):
        tree.check(Shard(("averages",), np.float64), NONE)
    tree.top.states[0, MOVER] = 1
    with pytest.raises(ValueError, match="no opening"):
        tree.check(tree.top, NONE)


@pytest.fixture
def cut_tree(cut_from):
    cut_from(4)
    return learned()[1]


@pytest.mark.parametrize(
    ("column", "value"),
    [(LAST_BID, 0), (LAST_BID, 99), (MOVER, -1), (MOVER, 2), (ROOT, -2), (SHARD, -1), (SHARD, 16)],
)
def test_invalid_subtrees_are_refused(cut_tree, column, value):
    cut_tree.check_subtrees(16)
    cut_tree.roots[1, column] = value
    with pytest.raises(ValueError, match="range"):
        cut_tree.check_subtrees(16)


def test_a_subtree_with_a_wrong_root_is_refused(cut_tree):
    subtree = next(one for one in range(int(cut_tree.subtrees[0])) if cut_tree.roots[one, ROOT] != NONE)
    owner = int(cut_tree.roots[subtree, SHARD])
    shard = cut_tree.shards[owner]
    moves = shard.states[: shard.used[0]]
    for other, move in enumerate(moves.tolist()):
        if move != moves[cut_tree.roots[subtree, ROOT]].tolist():
            cut_tree.roots[subtree, ROOT] = other
            with pytest.raises(ValueError, match="elsewhere"):
                cut_tree.check(shard, owner)
            break
    cut_tree.roots[subtree, ROOT] = len(moves)
    with pytest.raises(ValueError, match="range"):
        cut_tree.check(shard, owner)


def test_overlapping_subtrees_are_refused(cut_tree):
    """Otherwise the store would not be a tree, and a file could make a traversal take arbitrarily long."""
    own = np.flatnonzero((cut_tree.roots[:, ROOT] != NONE) & (cut_tree.roots[:, SHARD] != NONE))[: cut_tree.subtrees[0]]
    owner = next(int(cut_tree.roots[one, SHARD]) for one in own if len(_led(cut_tree.shards[cut_tree.roots[one, SHARD]])))
    shard = cut_tree.shards[owner]
    moves = shard.states
    inner = int(shard.columns[_led(shard)[0], CHILD])
    inside = next(one for one in own if cut_tree.roots[one, SHARD] == owner)
    roots = cut_tree.roots.copy()
    unused = int(cut_tree.subtrees[0])
    for history in (inner, int(roots[inside, ROOT])):
        cut_tree.roots = np.vstack([roots[:unused], [[*moves[history], history, owner]]])
        cut_tree.subtrees[0] = unused + 1
        with pytest.raises(ValueError, match="subtree"):
            cut_tree.check(shard, owner)


# Growth


def test_room_grows_and_its_content_stays(monkeypatch):
    tree = StrategyStore((3, 3), Bidding.free(30), ("averages", "regrets"), np.float32)
    shard = tree.shards[0]
    shard.reserve(1, 3, 3, 3)
    tree.add_history(shard, 27, 0)  # a call and two bids
    shard.set_blocks("regrets", np.array([0, 2]), np.arange(16, dtype=np.float32).reshape(2, 8))
    shard.used[REFUSED] = 1
    before, columns = shard.capacity, shard.columns.tolist()
    assert before == (1, 3, 3, 3)
    assert not tree.reserve(0, tree.shards)
    assert (shard.capacity, shard.used[REFUSED]) == (before, 1)
    with monkeypatch.context() as crowded:
        crowded.setattr(store, "available", lambda: 0)
        assert not tree.reserve(1e9, tree.shards)
    assert (shard.capacity, shard.used[REFUSED]) == (before, 1)
    assert tree.reserve(1e9, tree.shards)
    assert shard.used.tolist() == [1, 3, 3, 3, 0]
    assert all(room > old for room, old in zip(shard.capacity, before, strict=True))
    assert shard.entries("regrets", [0, 2], 8).reshape(-1).tolist() == [*range(16)]
    assert not shard.entries("regrets", [1], 8).any()
    assert not shard.arrays["regrets"][3:].any()
    assert shard.columns[:3].tolist() == columns
    assert shard.bytes_of((1, 3, 3, 2)) == 8 + 16 * 3 + 4 * 3 + 2 * 4 * 16


def test_room_grows_only_if_it_was_refused():
    tree = StrategyStore((3, 3), Bidding.free(30), ("averages",), np.float32)
    before = [shard.capacity for _, shard in tree.all_shards]
    assert tree.reserve(1e9, tree.shards)
    assert [shard.capacity for _, shard in tree.all_shards] == before
    tree.subtrees[1] = 3
    roots = len(tree.roots)
    assert tree.reserve(1e9, tree.shards)
    assert (len(tree.roots), tree.subtrees[1]) == (2 * roots, 0)
    assert (tree.roots[roots:] == NONE).all()


def test_a_shard_without_room_does_not_keep_others_from_growing():
    tree = StrategyStore([6, 6], Bidding.free(16), ("averages",), np.float64)
    large, small = tree.new_shard(), tree.new_shard()
    large.reserve(10, 10, 100_000, 100_000)
    large.used[ROWS] = 100_000
    for shard in (large, small):
        shard.used[REFUSED] = 1
    limit = large.bytes_of(large.capacity) + 1_000_000
    assert not tree.reserve(limit, [large, small])
    assert (large.used[REFUSED], small.used[REFUSED]) == (1, 0)
    assert small.capacity[3] > 1


def test_new_subtrees_go_to_the_shards_with_the_fewest_entries():
    tree = StrategyStore((3, 3), Bidding.free(30), ("averages",), np.float32)
    tree.subtrees[0] = 100
    tree.assign_shards()
    assert np.bincount(tree.roots[:100, SHARD], minlength=64).min() == 100 // 64
    assert np.bincount(tree.roots[:100, SHARD], minlength=64).max() == 100 // 64 + 1
    assert (tree.roots[100:, SHARD] == NONE).all()
    owners = tree.roots[:100, SHARD].copy()
    tree.shards[5].used[BLOCKS] = 1  # this shard has the most blocks, and the others have none
    tree.subtrees[0] = 100 + 63
    tree.assign_shards()
    assert (tree.roots[:100, SHARD] == owners).all()
    assert sorted(tree.roots[100:163, SHARD].tolist()) == [one for one in range(64) if one != 5]


@pytest.mark.parametrize(("bids", "shards"), [(1, 0), (13, 0), (14, 16), (29, 16), (30, 64), (1000, 64)])
def test_large_trees_are_cut(bids, shards):
    assert not shards or shard_count(bids) == shards
    assert (default_cut(bids) < bids) == bool(shards)
    assert len(StrategyStore((1, 1), Bidding.free(bids), ("averages",), np.float32).shards) == shards


@pytest.mark.parametrize("root", [(-1, 0), (1, 1), (2, 0), (4, 2)])
@pytest.mark.parametrize("cut", [16, 7])
def test_histories_are_expanded_from_the_root_of_a_subgame(root: tuple[int, int], cut: int) -> None:
    rolls = (3, 9, 20)  # padded to other widths, so that another mover's numbers would not fit
    tree = StrategyStore(rolls, Bidding.free(16), ("averages",), np.float64, cut=cut, root=root)
    later = range(root[0] + 1, 15)
    histories = [history for length in range(4) for history in combinations(later, length)]
    places = {history: expand(tree, history) for history in histories}
    assert tree.histories == len(histories)
    for history, (shard, number) in places.items():
        last, mover = tree.state_after(history)
        assert tree.find(history) == (shard, number)
        assert expand(tree, history) == (shard, number)
        assert shard.states[number].tolist() == [last, mover]
        tree.set_entries(shard, number, "averages", slice(None), tree.entries(shard, number, "averages") + mover + 1)
    for number, shard in tree.all_shards:
        tree.check(shard, number)
        for history, (_, mover) in enumerate(shard.states[: shard.used[0]].tolist()):
            assert np.all(tree.entries(shard, history, "averages") == mover + 1)


def test_a_shard_grows_by_less_if_memory_is_short():
    tree = StrategyStore((3, 3), Bidding.free(30), ("averages",), np.float32)
    shard = tree.shards[0]
    for _ in range(200):
        tree.add_history(shard, 14, 0)
    shard.set_blocks("averages", np.arange(shard.used[BLOCKS]), np.ones((shard.used[BLOCKS], LANES), np.float32))
    histories, columns, blocks, rows = used = tuple(shard.used[:REFUSED].tolist())
    shard.states, shard.first_column = shard.states[:histories].copy(), shard.first_column[:histories].copy()
    shard.values, shard.columns, shard.blocks = shard.values[:histories], shard.columns[:columns].copy(), shard.blocks[:blocks]
    shard.arrays["averages"], shard.used[REFUSED] = shard.arrays["averages"][:rows].copy(), 1
    taken = shard.bytes_of(shard.capacity)
    assert shard.capacity == used
    assert not tree.reserve(2.01 * taken, [shard])  # no room for a copy
    assert tree.reserve(2.2 * taken, [shard])
    assert all(room > before for room, before in zip(shard.capacity, used, strict=True))
    assert shard.bytes_of(shard.capacity) <= 1.2 * taken


def test_sorted_columns_lie_in_the_order_of_a_traversal_and_keep_their_entries_but_no_rows_of_zeros():
    bidding, generator = Bidding.free(6), np.random.default_rng(3)
    store = StrategyStore([3, 9], bidding, ("regrets", "averages"), np.float32, cut=6, root=(0, 1))
    expand(store, [2, 4])
    expand(store, [1, 2, 3])
    expand(store, [1, 3])
    shard = store.top
    for name in shard.arrays:
        draw(shard, name, generator, 0.4)
    for array in shard.arrays.values():
        array[[2, 5]] = 0
    rows = int(shard.used[ROWS])
    histories = [(), (1,), (1, 2), (1, 2, 3), (1, 3), (2,)]
    before = {history: contents(store, history) for history in histories}
    assert visited_columns(shard, 0) != sorted(visited_columns(shard, 0))
    shard.sort_columns()
    assert visited_columns(shard, 0) == list(range(int(shard.used[COLUMNS])))
    assert shard.used[ROWS] == rows - 2
    assert not any(array[rows - 2 :].any() for array in shard.arrays.values())
    assert {history: contents(store, history) for history in histories} == before
    store.check(shard, NONE)


def contents(store, history):
    """Return the bids and the entries of a history's columns."""
    shard, number = store.find(history)
    bids = shard.columns[shard.columns_of(number), BID].tolist()
    return bids, *(store.entries(shard, number, name).tolist() for name in shard.arrays)


def visited_columns(shard, history):
    """Return the columns of a history and of those below it, depth first."""
    own = shard.columns_of(history)
    below = (visited_columns(shard, child) for child in shard.columns[own, CHILD].tolist() if child != NONE)
    return [*own, *(column for columns in below for column in columns)]
