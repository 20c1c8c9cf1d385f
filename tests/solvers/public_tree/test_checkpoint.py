"""Checkpoints: a resumed run matches an uninterrupted one bit for bit; invalid files are refused with the reason."""

from __future__ import annotations

import json
from itertools import product

import numpy as np
import pytest

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.games.liarsdice.public import public_game
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.solvers.public_tree import checkpoint
from liarsdice_cli.solvers.public_tree.solver import PublicTree
from liarsdice_cli.solvers.regret.convergence import Bounds, Limits, Regrets, run
from liarsdice_cli.solvers.regret.minimisers import MINIMISERS, minimiser
from liarsdice_cli.strategies import store
from liarsdice_cli.strategies.shard import BID, CHILD, COLUMNS, NONE, REFUSED
from liarsdice_cli.strategies.store import ROOT, SHARD
from tests.support.checkpoints import arrays_of, parted, sealed
from tests.support.command_line import assert_refused, run_here
from tests.support.properties import mostly_slow

GAME = public_game(rules("joker", 4, (2, 1)))
OF_THREE = public_game(rules("joker", 3, (1, 1, 1), payoffs="zero-sum"))
GAMES = {"two": GAME, "three": OF_THREE}


@pytest.fixture(params=[*GAMES])
def game(request):
    return GAMES[request.param]


@pytest.fixture(params=[False, True], ids=["whole", "cut"])
def cut(request, cut_from):
    """Whether the tree is cut into shards."""
    if request.param:
        cut_from(4)
    return request.param


def _solver(name="dcfr+", iterations=0, game=GAME, expansion_threshold=0.001, **options):
    solver = PublicTree(game, minimiser(name), **options)
    solver.expansion_threshold = expansion_threshold
    for _ in range(iterations):
        solver.iterate()
    return solver


def _assert_the_same(one, other):
    assert (one.iteration, one.update_player) == (other.iteration, other.update_player)
    for mine, theirs in zip(arrays_of(one.store), arrays_of(other.store), strict=True):
        assert mine.tobytes() == theirs.tobytes()
    assert one.bounds() == other.bounds()


@pytest.mark.parametrize("name", mostly_slow(MINIMISERS, 4))
def test_a_resumed_run_matches_an_uninterrupted_one_bit_for_bit(name, game, cut, tmp_path):
    file, proved = str(tmp_path / "state"), Bounds(0.25, 0.5) if game is GAME else None
    checkpoint.write(file, _solver(name, 7, game), proved)
    resumed = _solver(name, game=game)
    assert bool(resumed.store.shards) == cut
    assert checkpoint.read(file, resumed) == proved
    assert resumed.iteration == 7
    _assert_the_same(resumed, _solver(name, 7, game))
    for _ in range(6):
        resumed.iterate()
    _assert_the_same(resumed, _solver(name, 13, game))


@pytest.mark.parametrize(("name", "asked"), mostly_slow(product(["dcfr+", "pdcfr+", "cfr"], [1, 2, 3, 4, 6]), 4))
def test_a_run_interrupted_within_an_iteration_matches_bit_for_bit(name, asked, game, tmp_path, cut_from):
    cut_from(4)
    stopped, file = _solver(name, 4, game, threads=1), str(tmp_path / "state")
    before = stopped.iteration
    left = asked

    def stop():
        nonlocal left
        left -= 1
        return left < 0

    stopped.iterate(stop)
    assert stopped.iteration == before
    assert stopped.done or stopped.update_player
    checkpoint.write(file, stopped, None)
    resumed = _solver(name, game=game)
    checkpoint.read(file, resumed)
    assert (resumed.iteration, resumed.update_player, resumed.done) == (stopped.iteration, stopped.update_player, stopped.done)
    for _ in range(6):
        resumed.iterate()
    _assert_the_same(resumed, _solver(name, 10, game))


def test_a_run_interrupted_at_the_start_of_every_turn_matches_bit_for_bit(tmp_path, monkeypatch):
    """The downward traversal expands, and finds no room for, the same histories as without the stop."""
    monkeypatch.setattr(store, "default_cut", lambda bids: bids // 3)  # a top shard that is too small at first
    game, file, turns, refused = public_game(rules("common", 4, (2, 2))), str(tmp_path / "state"), set(), 0
    stopped = _solver(game=game, threads=1)
    while stopped.iteration < 3:
        turn = stopped.iteration, stopped.update_player
        at_once = turn not in turns
        turns.add(turn)
        stopped.iterate(lambda on=stopped, turn=turn, now=at_once: now or (on.iteration, on.update_player) != turn)
        refused += int(stopped.store.top.used[REFUSED])
        checkpoint.write(file, stopped, None)
        stopped = _solver(game=game, threads=1)
        checkpoint.read(file, stopped)
    assert refused > 0
    assert len(turns) == 6
    straight = _solver(iterations=3, game=game)
    for solver in (straight, stopped):
        solver.backend.reserve(1e9)  # resets the count of refused histories
    _assert_the_same(stopped, straight)


def test_a_run_saved_and_resumed_at_every_stop_matches_bit_for_bit(game, tmp_path, cut_from):
    cut_from(4)
    file, asked, kept = str(tmp_path / "state"), 0, 0

    def stop():
        nonlocal asked
        asked += 1
        return asked % 7 == 0

    solver = _solver(game=game, threads=1)
    while solver.iteration < 6:
        solver.iterate(stop)
        checkpoint.write(file, solver, None)
        solver = _solver(game=game, threads=1)
        checkpoint.read(file, solver)
        kept += 1
    assert kept > 9
    _assert_the_same(solver, _solver(iterations=6, game=game))


def test_a_state_that_is_larger_than_the_memory_limit_is_refused(tmp_path):
    first = ("solve", "--rules", "joker", "--sides", 4, "--dice", "2,1", "--checkpoint", tmp_path / "state", "--iterations")
    assert run_here(*first, 20).code == 0
    assert_refused(run_here(*first, 30, "--memory", "1kB"), "more than the limit: raise --memory")
    assert run_here(*first, 30).code == 0


def test_regrets_of_three_players_are_not_stored(tmp_path):
    """Regrets prove nothing about the game, so a resumed run computes them again."""
    file = str(tmp_path / "state")
    checkpoint.write(file, _solver(iterations=2, game=OF_THREE), Regrets((0.0, 0.0, 0.0), (0.1, 0.2, 0.3)))
    assert checkpoint.read(file, _solver(game=OF_THREE)) is None


@pytest.fixture(scope="module")
def kept_once(tmp_path_factory):
    file = tmp_path_factory.mktemp("kept") / "state"
    checkpoint.write(str(file), _solver(iterations=3), None)
    return file.read_bytes()


@pytest.fixture
def kept(kept_once, tmp_path):
    file = tmp_path / "state"
    file.write_bytes(kept_once)
    return file


def _assert_refused(file, match, solver=None):
    with pytest.raises(LiarsDiceError, match=match):
        checkpoint.read(str(file), solver or _solver())


@pytest.mark.parametrize(
    ("solver", "what"),
    [
        (_solver("cfr+"), "another method: dcfr\\+, not cfr\\+"),
        (_solver(game=public_game(rules("joker", 4, (1, 2)))), "another game: joker rules, 4 sides, dice 2,1"),
        (_solver(game=public_game(rules("joker", 4, (2, 1), payoffs="zero-sum"))), "another game"),
        (_solver(game=public_game(rules("joker", 4, (2, 1, 1)))), "another game"),
    ],
)
def test_a_checkpoint_of_another_method_or_game_is_refused(solver, what, kept):
    _assert_refused(kept, what, solver)


@pytest.mark.parametrize("before", [False, True])
def test_a_checkpoint_of_a_differently_cut_tree_is_refused(before, tmp_path, cut_from):
    file = tmp_path / "state"
    with pytest.MonkeyPatch.context() as patch:
        if before:
            patch.setattr(store, "CUT_FROM", 4)
        checkpoint.write(str(file), _solver(iterations=3), None)
    if not before:
        cut_from(4)
    _assert_refused(file, "damaged")


def test_damaged_and_truncated_files_are_refused(kept):
    whole = kept.read_bytes()
    generator = np.random.default_rng(1)
    for place in [30, len(whole) - 1, *generator.integers(400, len(whole), 5)]:
        changed = bytearray(whole)
        changed[place] ^= 1
        kept.write_bytes(changed)
        _assert_refused(kept, r"damaged or cut short|another game")
    for size in (0, 5, 23, 100, len(whole) // 2, len(whole) - 1):
        kept.write_bytes(whole[:size])
        _assert_refused(kept, r"damaged or cut short|not a checkpoint")
    kept.write_bytes(whole + b"x")
    _assert_refused(kept, "damaged")


def test_other_files_are_refused(kept):
    kept.write_bytes(b"EFG 2 R\n" * 10)
    _assert_refused(kept, "not a checkpoint")
    _assert_refused(f"{kept}.not", "cannot read")


def _rewrite(kept, line=None, change=(), content=lambda rest: rest):
    """Write other contents with valid checksums."""
    begin, *shards = parted(kept.read_bytes(), _solver(game=OF_THREE if b"dice 1,1,1" in kept.read_bytes() else GAME).store)
    magic, before, rest = begin.split(b"\n", 2)
    line = json.dumps(json.loads(before) | dict(change)).encode() if line is None else line
    kept.write_bytes(sealed([magic + b"\n" + line + b"\n" + content(rest), *shards]))


@pytest.mark.parametrize(
    "change",
    [
        {"iteration": "many"},
        {"iteration": -1},
        {"iteration": float("inf")},
        {"iteration": 2.5},
        {"update_player": 2},
        {"update_player": -1},
        {"update_player": None},
        {"proved": 3},
        {"proved": ["low", 1]},
        {"proved": [float("nan"), 1]},
        {"proved": [0.25]},
        {"proved": [0.75, 0.25]},
        {"proved": [-3, 0.25]},
        {"proved": [0.25, 3]},
    ],
)
def test_invalid_header_values_are_refused_despite_a_valid_checksum(change, kept):
    _rewrite(kept, change=change)
    _assert_refused(kept, "damaged")


def test_bounds_of_a_three_player_game_are_refused_despite_a_valid_checksum(tmp_path):
    file = tmp_path / "state"
    checkpoint.write(str(file), _solver(iterations=2, game=OF_THREE), None)
    _rewrite(file, change={"proved": [0.0, 0.5]})
    _assert_refused(file, "damaged", _solver(game=OF_THREE))


@pytest.mark.parametrize("line", [b"[" * 60_000, b"[]", b"", b"\xff", b'{"game": ' * 5_000])
def test_malformed_headers_are_refused_despite_a_valid_checksum(line, kept):
    _rewrite(kept, line)
    _assert_refused(kept, "damaged")


@pytest.mark.parametrize(("name", "number"), [(None, np.nan), ("regrets", np.nan), ("averages", np.inf), ("averages", -1.0)])
def test_impossible_numbers_are_refused_despite_a_valid_checksum(name, number, tmp_path):
    file, solver = tmp_path / "state", _solver(iterations=3)
    for kept, array in solver.store.top.arrays.items():
        if kept == name:
            array[5] = number
    checkpoint.write(str(file), solver, None)
    if name is None:
        checkpoint.read(str(file), _solver())
    else:
        _assert_refused(file, "damaged")


# Invalid trees with a valid checksum


def _cut_solver(iterations=3, game=GAME):
    """Return a solver, and the number of a shard below the cut in which a history has a child."""
    solver = _solver(iterations=iterations, game=game)
    return solver, next(number for number, shard in enumerate(solver.store.shards) if len(_led(shard)))


def _led(shard):
    return np.flatnonzero(shard.columns[: shard.used[COLUMNS], CHILD] != NONE)


def _a_child_of_none(solver, number):
    shard = solver.store.shards[number]
    shard.columns[_led(shard)[0], CHILD] = shard.used[0]


def _a_negative_child(solver, number):
    shard = solver.store.shards[number]
    shard.columns[_led(shard)[0], CHILD] = -2


def _a_child_of_two(solver, number):
    top = solver.store.top
    where = _led(top)
    top.columns[where[1], CHILD] = top.columns[where[0], CHILD]


def _a_circle(solver, number):
    shard = solver.store.shards[number]
    column = _led(shard)[0]
    shard.columns[column, CHILD] = shard.owners()[column]


def _a_subtree_elsewhere(solver, number):
    roots = solver.store.roots
    own = np.flatnonzero(roots[:, SHARD] == number)[0]
    roots[own, ROOT] = solver.store.shards[number].used[0]


def _a_subtree_of_nobody(solver, number):
    solver.store.roots[0, SHARD] = NONE


def _a_subtree_of_a_shard_that_is_not(solver, number):
    solver.store.roots[0, SHARD] = 99


def _a_subtree_after_another_bid(solver, number):
    solver.store.roots[0, 0] += 1


def _a_subtree_of_another_player(solver, number):
    solver.store.roots[0, 1] ^= 1


def _more_subtrees_than_there_are(solver, number):
    solver.store.subtrees[0] = len(solver.store.roots) + 1


def _a_bid_twice(solver, number):
    shard = solver.store.shards[number]
    last = shard.columns_of(0)[-2:]
    shard.columns[last[1], BID] = shard.columns[last[0], BID]


def _a_call_of_another_bid(solver, number):
    shard = solver.store.shards[number]
    shard.columns[shard.columns_of(0)[0], BID] += 1


def _a_bid_that_its_bidder_may_need(solver, number):
    """Leave out the next bid on the face of a bid with an expanded history: a best response could miss it."""
    shard, bidding = solver.store.shards[number], solver.store.bidding
    for column in _led(shard):
        above = bidding.next_on_face[shard.columns[column, BID]]
        own = shard.columns_of(int(shard.owners()[column]))
        found = [one for one in own[1:] if shard.columns[one, BID] == above and shard.columns[one, CHILD] == NONE]
        higher = bidding.next_on_face[above] if above != NONE else NONE
        if found and higher != NONE:
            shard.columns[found[0], BID] = higher
            return
    pytest.skip("no such column")


LAID_ELSEWHERE = [
    _a_bid_twice,
    _a_call_of_another_bid,
    _a_bid_that_its_bidder_may_need,
    _a_child_of_none,
    _a_negative_child,
    _a_child_of_two,
    _a_circle,
    _a_subtree_elsewhere,
    _a_subtree_of_nobody,
    _a_subtree_of_a_shard_that_is_not,
    _a_subtree_after_another_bid,
    _a_subtree_of_another_player,
    _more_subtrees_than_there_are,
]


@pytest.mark.parametrize("spoil", mostly_slow(LAID_ELSEWHERE, 3))
def test_invalid_trees_are_refused_despite_a_valid_checksum(spoil, game, tmp_path, cut_from):
    cut_from(4)
    (solver, number), file = _cut_solver(game=game), tmp_path / "state"
    spoil(solver, number)
    checkpoint.write(str(file), solver, None)
    _assert_refused(file, "damaged", _solver(game=game))


@pytest.mark.parametrize(("column", "value"), [(0, -2), (0, 99), (1, -1), (1, 3), (0, 4), (1, 1)])
def test_impossible_histories_are_refused_despite_a_valid_checksum(column, value, game, tmp_path, cut_from):
    cut_from(4)
    (solver, number), file = _cut_solver(game=game), tmp_path / "state"
    shard = solver.store.shards[number]
    own = shard.states[: shard.used[0]]
    own[int(np.flatnonzero(own[:, column] != value)[0]), column] = value
    checkpoint.write(str(file), solver, None)
    _assert_refused(file, "damaged", _solver(game=game))


@pytest.mark.parametrize("room", [-1, 0, 1 << 62])
@pytest.mark.parametrize("which", [0, 1, 2, 3])
def test_impossible_capacities_are_refused_despite_a_valid_checksum(room, which, kept):
    """The first arrays hold the number of subtrees, their positions, and the capacity and usage of the top shard."""

    def changed(rest):
        place, rest = 0, bytearray(rest)
        for _ in range(2):
            place += 8 + int.from_bytes(rest[place : place + 8], "little")
        assert int.from_bytes(rest[place : place + 8], "little") == 9 * 8
        assert np.frombuffer(rest, np.int64, 4, place + 8).tolist() == list(_solver(iterations=3).store.top.capacity)
        place += 8 + 8 * which
        rest[place : place + 8] = room.to_bytes(8, "little", signed=True)
        return bytes(rest)

    _rewrite(kept, content=changed)
    _assert_refused(kept, "damaged")


def test_the_stored_usage_must_match_the_histories(tmp_path):
    for place in range(4):
        file, solver = tmp_path / "state", _solver(iterations=3)
        solver.store.top.used[place] += 1 if place == COLUMNS else -1
        checkpoint.write(str(file), solver, None)
        _assert_refused(file, "damaged")


@pytest.mark.parametrize("times", mostly_slow([40, 400]))
def test_random_bytes_with_a_valid_checksum_load_or_are_refused(times, tmp_path, cut_from):
    """If a changed file loads, the solver runs or raises an error: no traversal leaves its arrays or loops forever."""
    cut_from(4)
    file, generator, read = tmp_path / "state", np.random.default_rng(2), 0
    checkpoint.write(str(file), _solver(iterations=2), None)
    whole = file.read_bytes()
    parts = parted(whole, _solver().store)
    first = whole.index(b"\n", whole.index(b"\n") + 1) + 1
    for _ in range(times):
        place = int(generator.integers(first, sum(map(len, parts))))
        changed = [*map(bytearray, parts)]
        part = next(part for part in changed if (place := place - len(part)) < 0)
        part[place] = int(generator.choice([0, 1, 2, 127, 128, 255]))
        file.write_bytes(sealed(changed))
        solver = _solver(threads=1)
        try:
            checkpoint.read(str(file), solver)
            solver.iterate()
            read += 1
        except LiarsDiceError:
            continue
        if generator.random() < 0.1:
            solver.bounds()
    assert 0 < read < times


def test_the_checksum_is_checked_first(kept):
    """The error does not repeat the content of a damaged header."""
    whole = kept.read_bytes()
    kept.write_bytes(whole.replace(b"joker rules, 4", b"jokes rules, 4", 1))
    _assert_refused(kept, "damaged")


def test_stored_bounds_that_contradict_computed_bounds_are_refused(kept):
    """In joker with dice 2,1, player 1's value is between 0.5 and 0.9."""
    _rewrite(kept, change={"proved": [0.9999, 1.0]})
    solver = _solver()
    earlier = checkpoint.read(str(kept), solver)
    with pytest.raises(LiarsDiceError, match=r"the checkpoint's bounds, 0\.9999 to 1, contradict"):
        run(solver, Limits(iterations=5), earlier=earlier)


def test_a_pipe_is_not_a_checkpoint():
    assert_refused(run_here("solve", "--sides", 2, "--iterations", 3, "--checkpoint", "-"), "--checkpoint needs a file", code=2)
