"""Test strategy files: strategies and their evaluations survive a round trip, and damage is reported."""

from __future__ import annotations

import json
import tracemalloc
import zipfile
from contextlib import suppress
from functools import cache
from itertools import combinations, product
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.formats import ldz
from liarsdice_cli.games.liarsdice.public import public_game
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.games.liarsdice.strategy import Uniform
from liarsdice_cli.solvers.public_tree.backends import backend_of
from liarsdice_cli.solvers.public_tree.responses import Responses
from liarsdice_cli.solvers.public_tree.solver import PublicTree
from liarsdice_cli.solvers.public_tree.values import Values, subtree_values
from liarsdice_cli.solvers.regret.minimisers import minimiser
from liarsdice_cli.strategies import store
from liarsdice_cli.strategies.expansion import expanded
from liarsdice_cli.strategies.shard import NONE
from liarsdice_cli.strategies.store import ROOT, SHARD
from liarsdice_cli.strategies.stored import StoredStrategy
from tests.support.properties import mostly_slow

ORIGIN = ldz.Origin("dcfr+", 40, 0.25, 0.75)
OF_THREE = ldz.Origin("pdcfr+", 40, regrets=(0.125, 0.25, 0.5))
GAMES = [("joker", 3, (2, 1)), ("common", 4, (1, 1)), ("classic", 2, (1, 2)), ("joker", 3, (1, 1, 1)), ("common", 2, (1, 2, 1))]


def _learned(name, sides, dice, iterations=200):
    return _learned_by(rules(name, sides, dice), iterations)


def _learned_by(game, iterations):
    solver = PublicTree(public_game(game), minimiser("dcfr+"))
    for _ in range(iterations):
        solver.iterate()
    return StoredStrategy(game, solver.store)


def _written(tmp_path, strategy):
    name = str(tmp_path / "strategy.ldz")
    ldz.write(name, strategy, ORIGIN if strategy.rules.players == 2 else OF_THREE)
    return name


@pytest.fixture(params=mostly_slow([(game,) for game in GAMES], 3), ids=lambda game: "-".join(map(str, game)))
def solved(request):
    return _learned(*request.param)


in_two_games = pytest.fixture(params=GAMES[::3], ids=lambda game: "-".join(map(str, game)))
"""One game of two players and one of three."""


@in_two_games
def solved_in_shards(request):
    return _learned_in_shards(request.param)


def _learned_in_shards(game):
    """Return a strategy whose tree is cut into shards."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "CUT_FROM", 4)
        strategy = _learned(*game, iterations=30)
    assert strategy.store.shards
    return strategy


@pytest.fixture
def kept(tmp_path):
    """Write a strategy file of a small game in which every player acts uniformly at random."""
    return _written(tmp_path, expanded(Uniform(rules("common", 2))))


def _members(name):
    with zipfile.ZipFile(name) as archive:
        return {member: archive.read(member) for member in archive.namelist()}


def _rewrite(name, changed, packed=zipfile.ZIP_DEFLATED):
    """Replace members of a file; None removes one."""
    members = _members(name) | changed
    with zipfile.ZipFile(name, "w", packed) as archive:
        for member, content in members.items():
            if content is not None:
                archive.writestr(member, content)


def _use(name):
    """Use a file in every way: evaluate it, look up histories and read values."""
    file = ldz.StrategyFile(name)
    for shard in range(len(file.store.shards)):
        file.store.shards[shard]
    Responses(public_game(file.rules), file.store, backend_of(file.store, 1)).judge()
    reader, bids = Values(file), file.rules.bid_count
    for length in (0, 1, 2, 3):
        for history in combinations(range(bids), length):
            file.at(history)
    for history in ((), (0,), (bids - 2,)):
        reader.after(history)


def _assert_damaged(name):
    with pytest.raises(LiarsDiceError, match="damaged or cut short"):
        _use(name)


def test_a_member_that_unpacks_to_more_than_it_claims_takes_no_memory(kept):
    _rewrite(kept, {"head.json": bytes(1 << 26)})
    content = bytearray(Path(kept).read_bytes())
    entry = content.rindex(b"PK\x01\x02", 0, content.rindex(b"head.json"))  # of the central directory
    content[entry + 24 : entry + 28] = (100).to_bytes(4, "little")
    Path(kept).write_bytes(content)
    tracemalloc.start()
    _assert_damaged(kept)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1 << 24


# Round trips


def _assert_reads_back(strategy, kept):
    game = strategy.rules
    for length in range(game.bid_count + 1):
        for history in combinations(range(game.bid_count), length):
            said = kept.at(history)
            assert said.shape == BettingState(game, history).shape
            assert np.allclose(said.sum(axis=0), 1)
            assert np.allclose(said, strategy.at(history), rtol=0, atol=4 / 65535)


def test_every_history_reads_back_rounded_to_16_bits(solved, tmp_path, monkeypatch):
    monkeypatch.setattr(ldz, "UNREACHED", 0)
    kept = ldz.StrategyFile(_written(tmp_path, solved))
    assert (kept.rules, kept.origin) == (solved.rules, OF_THREE if solved.rules.players == 3 else ORIGIN)
    assert kept.store.histories == solved.store.histories
    _assert_reads_back(solved, kept)


@pytest.mark.parametrize("with_values", [False, True])
def test_every_history_of_a_tree_in_shards_reads_back(solved_in_shards, with_values, tmp_path, monkeypatch):
    monkeypatch.setattr(ldz, "UNREACHED", 0)
    values = subtree_values(solved_in_shards) if with_values else None
    strategy = StoredStrategy(solved_in_shards.rules, solved_in_shards.store, values=values)
    kept = ldz.StrategyFile(_written(tmp_path, strategy))
    assert len(kept.store.shards) == len(strategy.store.shards)
    _assert_reads_back(strategy, kept)
    assert (kept.values is None) == (not with_values)
    for one, other in zip(kept.values or (), values or (), strict=True):
        assert one.tolist() == other.tolist()


def test_a_strategy_that_was_read_can_be_written_again(solved_in_shards, tmp_path):
    first = _written(tmp_path, solved_in_shards)
    kept = ldz.StrategyFile(first)
    again = str(tmp_path / "again.ldz")
    ldz.write(again, kept, kept.origin)
    for (_, one), (_, other) in zip(kept.store.all_shards, ldz.StrategyFile(again).store.all_shards, strict=True):
        assert one.columns.tolist() == other.columns.tolist()
        assert np.allclose(one.arrays["averages"], other.arrays["averages"], atol=2)


@pytest.mark.parametrize(
    "of", [lambda game: expanded(Uniform(game)), lambda game: _learned_by(game, 40)], ids=["all", "learned"]
)
def test_the_play_of_rare_rolls_is_kept(of, tmp_path):
    strategy = of(rules("common", 2, (27, 1), max_quantity=2))  # all dice are alike with probability 7e-9
    kept = ldz.StrategyFile(_written(tmp_path, strategy))
    again = str(tmp_path / "again.ldz")
    ldz.write(again, kept, kept.origin)
    for history in ([], [0], [1], [2]):
        for one in (kept, ldz.StrategyFile(again)):
            assert np.allclose(one.at(history), strategy.at(history), rtol=0, atol=4 / 65535)


def test_the_file_has_nearly_the_payoffs_and_regrets_of_the_strategy(solved, tmp_path):
    game = public_game(solved.rules)
    kept = ldz.StrategyFile(_written(tmp_path, solved))
    before, after = Responses(game, solved.store).judge(), Responses(game, kept.store).judge()
    assert after.regrets == pytest.approx(before.regrets, abs=4e-4)
    assert after.payoffs == pytest.approx(before.payoffs, abs=4e-4)


def test_files_in_shards_keep_the_regrets_for_any_number_of_threads(solved_in_shards, tmp_path):
    game = public_game(solved_in_shards.rules)
    kept = ldz.StrategyFile(_written(tmp_path, solved_in_shards))
    before, *after = (
        Responses(game, store, backend_of(store, threads)).judge()
        for store, threads in ((solved_in_shards.store, 1), (kept.store, 1), (kept.store, 3))
    )
    assert after[0] == after[1]
    assert after[0].regrets == pytest.approx(before.regrets, abs=4e-4)


def test_files_of_small_games_are_read_as_float64(solved, tmp_path):
    """To solve and verify a small game, only one kind of traversal must be compiled."""
    _, shard = next(ldz.StrategyFile(_written(tmp_path, solved)).store.all_shards)
    assert shard.arrays["averages"].dtype == next(iter(solved.store.top.arrays.values())).dtype == np.float64


@pytest.mark.slow
def test_a_file_read_as_float32_has_the_same_regrets(kept, monkeypatch):
    judged = []
    for small in (store.SMALL, 0):
        monkeypatch.setattr(store, "SMALL", small)
        file = ldz.StrategyFile(kept)
        judged.append(Responses(public_game(file.rules), file.store).judge().regrets)
    assert file.store.top.arrays["averages"].dtype == np.float32
    assert judged[0] == pytest.approx(judged[1], abs=1e-12)


def test_weights_below_the_least_own_reach_are_not_stored(tmp_path):
    strategy = _learned("common", 3, (1, 1), 1)
    numbers = strategy.store.top.arrays["averages"]
    numbers[:] = 1e-12
    opening = np.eye(6, 1) * np.ones(3)
    strategy.store.set_entries(strategy.store.top, 0, "averages", slice(None), opening)
    kept = ldz.StrategyFile(_written(tmp_path, strategy)).store
    assert kept.entries(kept.top, 0, "averages").tolist() == [[65535] * 3] + [[0] * 3] * 5
    kept.set_entries(kept.top, 0, "averages", slice(None), 0 * opening)
    assert not kept.top.arrays["averages"].any()


def test_a_lookup_reads_only_the_shard_it_needs_and_only_once(solved_in_shards, tmp_path, monkeypatch):
    name, tree = _written(tmp_path, solved_in_shards), solved_in_shards.store
    read, content = [], ldz.StrategyFile._content
    monkeypatch.setattr(
        ldz.StrategyFile, "_content", lambda self, member, most: read.append(member) or content(self, member, most)
    )
    kept = ldz.StrategyFile(name)
    assert read == ["head.json", "subtrees", "shards/0/histories", "shards/0/columns", "shards/0/weights"]
    read.clear()
    kept.at(())
    kept.at([tree.cut - 1])
    assert read == []
    bid = next(
        bid for bid in range(tree.cut, tree.bids - 1) if (found := tree.find([bid])) is not None and found[0] is not tree.top
    )
    owner = next(number for number, shard in enumerate(tree.shards, 1) if shard is tree.find([bid])[0])
    for _ in range(2):
        kept.at([bid])
        assert read == [f"shards/{owner}/{part}" for part in ("histories", "columns", "weights")]


def test_the_number_of_shards_in_memory_is_limited(solved_in_shards, tmp_path, monkeypatch):
    monkeypatch.setattr(ldz, "KEPT_SHARDS", 2)
    kept = ldz.StrategyFile(_written(tmp_path, solved_in_shards))
    first = kept.store.shards[0]
    assert kept.store.shards[0] is first
    assert len([*kept.store.shards]) == len(kept.store.shards)
    assert kept.store.shards[0] is not first
    with pytest.raises(IndexError):
        kept.store.shards[-1]


# Invalid files


def test_a_file_cut_short_is_refused(solved, tmp_path):
    name = _written(tmp_path, solved)
    whole = (tmp_path / "strategy.ldz").read_bytes()
    for size in (0, 10, len(whole) // 2, len(whole) - 1):
        (tmp_path / "strategy.ldz").write_bytes(whole[:size])
        with pytest.raises(LiarsDiceError, match="cut short"):
            ldz.StrategyFile(name)


@pytest.mark.parametrize("content", [b"{}", b'EFG 2 R "" { }', b"P"])
def test_a_file_that_is_no_archive_is_refused_with_the_command_that_writes_one(content, tmp_path):
    name = tmp_path / "equilibrium.json"
    name.write_bytes(content)
    cure = (
        "copy or solve it again"
        if content == b"P"
        else r"equilibrium\.json is not a strategy file: `liarsdice solve \.\.\. -o strategy\.ldz`"
    )
    with pytest.raises(LiarsDiceError, match=cure):
        ldz.StrategyFile(str(name))


@pytest.mark.parametrize("member", ["head.json", "subtrees", "shards/0/columns", "shards/0/weights", "shards/3/weights"])
def test_a_changed_byte_is_found(in_shards, member, tmp_path):
    name, _ = in_shards
    with zipfile.ZipFile(name) as archive:
        info = archive.getinfo(member)
        where = info.header_offset + 30 + len(member) + info.compress_size // 2
    data = bytearray((tmp_path / "strategy.ldz").read_bytes())
    data[where] ^= 0xFF
    (tmp_path / "strategy.ldz").write_bytes(data)
    _assert_damaged(name)


@pytest.mark.parametrize(
    "change",
    [
        {"format": "liarsdice/strategy/9"},
        {"rules": {}},
        {"rules": 3},
        {"rules": {"rules": "common", "sides": 10**9}},
        {"origin": {}},
        {"cut": "many"},
        {"cut": 0},
        {"cut": -1},
        {"cut": 5},
        {"cut": 2.0},
        {"shards": -1},
        {"shards": 1 << 40},
        {"shards": None},
        {"values": True},
        {"origin": {"method": "dcfr+", "iterations": 1, "lower": "low", "upper": 1}},
        {"origin": {"method": "\x1b[2J", "iterations": 1, "lower": 0, "upper": 1}},
        {"origin": {"method": "dcfr+", "iterations": float("inf"), "lower": 0, "upper": 1}},
        {"origin": {"method": "dcfr+", "iterations": 1, "lower": 0, "upper": float("nan")}},
        {"origin": {"method": "dcfr+", "iterations": 1, "lower": None, "upper": 1}},
        {"origin": {"method": "dcfr+", "iterations": 1}},
        {"origin": {"method": "dcfr+", "iterations": 1, "regrets": [0.1, 0.2]}},
        {"origin": {"method": "dcfr+", "iterations": 1, "regrets": []}},
        {"format": [[[]]]},
        {"cut": float("inf")},
    ],
    ids=str,
)
def test_a_head_with_invalid_fields_is_refused(change, kept):
    _rewrite(kept, {"head.json": json.dumps(json.loads(_members(kept)["head.json"]) | change)})
    with pytest.raises(LiarsDiceError, match=r"damaged|has the format"):
        _use(kept)


@pytest.mark.parametrize(
    "origin",
    [
        {"lower": 0, "upper": 1},
        {"regrets": None},
        {"regrets": [0.1, 0.2]},
        {"regrets": [0.1, 0.2, "low"]},
        {"regrets": [0.1, 0.2, float("nan")]},
        {"regrets": [0.1, 0.2, [0.3]]},
    ],
    ids=str,
)
def test_a_head_of_three_players_with_invalid_regrets_is_refused(origin, tmp_path):
    name = _written(tmp_path, expanded(Uniform(rules("common", 2, (1, 1, 1)))))
    _use(name)
    origin = {"method": "dcfr+", "iterations": 1} | origin
    _rewrite(name, {"head.json": json.dumps(json.loads(_members(name)["head.json"]) | {"origin": origin})})
    _assert_damaged(name)


@pytest.mark.parametrize(
    "change",
    [
        {"sides": float("inf")},
        {"sides": 2.0},
        {"dice": [1, float("-inf")]},
        {"dice": [50, 50], "sides": 60},
        {"dice": [50, 50], "sides": 60, "max_quantity": 2},
        {"dice": [12, 12], "sides": 20, "max_quantity": 2},
        {"sides": 100, "max_quantity": 100},
        {"wild": 3},
        {"dice": [30, 1]},
        {"dice": [1, 1, 1]},
        {"dice": [1]},
        {"dice": []},
    ],
    ids=str,
)
def test_rules_of_another_game_are_refused(change, kept):
    head = json.loads(_members(kept)["head.json"])
    _rewrite(kept, {"head.json": json.dumps(head | {"rules": head["rules"] | change})})
    _assert_damaged(kept)


@pytest.mark.parametrize("head", ["[" * 60_000, "[]", "", '{"format": 1}', "\udcff", '{"format": "' + "x" * 70_000 + '"}'])
def test_an_invalid_head_is_refused(head, kept):
    _rewrite(kept, {"head.json": head.encode(errors="surrogateescape")})
    _assert_damaged(kept)


@pytest.mark.parametrize("packed", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_members_with_another_compression_are_refused(packed, kept):
    _rewrite(kept, {}, packed)
    _assert_damaged(kept)


CENTRAL = b"PK\x01\x02"


@pytest.mark.parametrize(
    ("place", "value"),
    [(6, b"\xff"), (10, b"\x63"), (9, b"\x08"), (8, b"\x01")],
    ids=["a newer version", "an unknown method", "a name in UTF-8 that is none", "encrypted"],
)
def test_a_damaged_directory_is_refused(place, value, kept, tmp_path):
    data = bytearray((tmp_path / "strategy.ldz").read_bytes())
    entry = data.index(CENTRAL)
    data[entry + place : entry + place + 1] = value
    if place == 9:
        data[entry + 46] = 0xFF
    (tmp_path / "strategy.ldz").write_bytes(data)
    with pytest.raises(LiarsDiceError, match=r"damaged|cut short"):
        ldz.StrategyFile(kept)


# Intact archives whose members make no tree


@in_two_games
def in_shards(request, tmp_path):
    """Return a file in shards, and the number of a shard in which a history has a child (the top shard is 0)."""
    name, (content, shard) = tmp_path / "strategy.ldz", _content_in_shards(request.param)
    name.write_bytes(content)
    return str(name), shard


@cache
def _content_in_shards(game):
    solved = _learned_in_shards(game)
    with TemporaryDirectory() as folder:
        name = _written(Path(folder), StoredStrategy(solved.rules, solved.store, values=subtree_values(solved)))
        _use(name)
        led = [len(_led(np.frombuffer(_members(name)[f"shards/{shard}/columns"], "<i4"))) for shard in range(1, 17)]
        return Path(name).read_bytes(), 1 + next(place for place, children in enumerate(led) if children)


KINDS = {"histories": "<i2", "columns": "<i4", "weights": "<u2", "subtrees": "<i4", "values": "<f4"}


def _spoil(name, member, change):
    """Change the numbers of a member."""
    kind = KINDS[next(part for part in member.split("/") if part in KINDS)]
    numbers = np.frombuffer(_members(name)[member], kind).copy()
    changed = change(numbers)
    _rewrite(name, {member: (numbers if changed is None else changed).tobytes()})


def _led(numbers):
    """Return the positions of the children."""
    return 2 + 3 * np.flatnonzero(numbers[2::3] != NONE)


def _put(place, value):
    return lambda numbers: numbers.__setitem__(place, value)


def _a_child(value):
    return lambda numbers: numbers.__setitem__(_led(numbers)[-1], value)


def _twice(numbers):
    numbers[_led(numbers)[-1]] = numbers[_led(numbers)[0]]


def _everywhere(value):
    return lambda numbers: numbers.__setitem__(slice(None), value)


SPOILT = {
    "a child out of range": ("columns", _a_child(1 << 20)),
    "a child below -1": ("columns", _a_child(-2)),
    "a child of itself": ("columns", _a_child(0)),
    "everything is of the first history": ("columns", _everywhere(0)),
    "a column of no history": ("columns", _put(0, -1)),
    "a bid that there is not": ("columns", _put(-2, 99)),
    "a column is missing": ("columns", lambda numbers: numbers[:-3]),
    "half a column": ("columns", lambda numbers: numbers[:-1]),
    "a column twice": ("columns", lambda numbers: np.append(numbers, numbers[-3:])),
    "another last bid": ("histories", lambda numbers: numbers.__setitem__(2, numbers[2] - 1)),
    "a last bid that is none": ("histories", _put(0, 99)),
    "a last bid below -1": ("histories", _put(0, -2)),
    "another mover": ("histories", lambda numbers: numbers.__setitem__(1, (numbers[1] + 1) % 2)),
    "a mover that is none": ("histories", _put(1, -1)),
    "no histories": ("histories", lambda numbers: numbers[:0]),
    "half a history": ("histories", lambda numbers: numbers[:-1]),
    "all histories are openings": ("histories", _everywhere(-1)),
    "weights cut short": ("weights", lambda numbers: numbers[:-8]),
    "weights too long": ("weights", lambda numbers: np.append(numbers, numbers[:8])),
}


@pytest.mark.parametrize(("spoilt", "below"), mostly_slow(product(SPOILT, [False, True]), 3))
def test_shards_that_make_no_tree_are_refused(spoilt, below, in_shards):
    name, shard = in_shards
    part, change = SPOILT[spoilt]
    _spoil(name, f"shards/{shard if below else 0}/{part}", change)
    _assert_damaged(name)


@pytest.mark.parametrize("below", [False, True], ids=["top", "below"])
def test_a_child_with_two_parents_is_refused(below, in_shards):
    name, shard = in_shards
    member = f"shards/{shard if below else 0}/columns"
    if len(_led(np.frombuffer(_members(name)[member], "<i4"))) < 2:
        pytest.skip("one child only")
    _spoil(name, member, _twice)
    _assert_damaged(name)


SUBTREES = {
    "an owner that is none": _put(SHARD, 16),
    "an owner below -1": _put(SHARD, -2),
    "no owner": _put(SHARD, -1),
    "no owner at all": lambda numbers: numbers.__setitem__(slice(SHARD, None, 4), -1),
    "a root out of range": _put(ROOT, 1 << 20),
    "a root below -1": _put(ROOT, -2),
    "a mover that is none": _put(1, 3),
    "another mover": lambda numbers: numbers.__setitem__(1, 1 - min(numbers[1], 1)),
    "a bid above the cut": _put(0, 0),
    "the highest bid": _put(0, 99),
    "one is missing": lambda numbers: numbers[:-4],
    "half of one": lambda numbers: numbers[:-2],
    "none": lambda numbers: numbers[:0],
    "one twice": lambda numbers: np.append(numbers, numbers[:4]),
}


@pytest.mark.parametrize("spoilt", mostly_slow(SUBTREES, 3))
def test_invalid_subtrees_are_refused(spoilt, in_shards):
    name, _ = in_shards
    _spoil(name, "subtrees", SUBTREES[spoilt])
    _assert_damaged(name)


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
def test_values_that_are_not_finite_are_refused(number, in_shards):
    name, _ = in_shards
    _spoil(name, "values/2", _put(1, number))
    _assert_damaged(name)


def test_values_of_another_size_are_refused(in_shards):
    name, _ = in_shards
    _spoil(name, "values/1", lambda numbers: numbers[:-1])
    _assert_damaged(name)


@pytest.mark.parametrize(
    "part", ["head.json", "subtrees", "values/2", "shards/0/weights", "shards/1/columns", "shards/2/histories"]
)
def test_a_missing_member_is_refused(part, in_shards):
    name, _ = in_shards
    _rewrite(name, {part: None})
    _assert_damaged(name)


@pytest.mark.parametrize("times", mostly_slow([15, 60]))
def test_random_bytes_make_a_strategy_or_are_refused(times, in_shards):
    """No traversal of such a file leaves its arrays or runs in a circle."""
    name, shard = in_shards
    members, generator, fine = _members(name), np.random.default_rng(4), 0
    parts = ["subtrees", *(f"shards/{one}/{part}" for one in (0, shard) for part in ("histories", "columns", "weights"))]
    for _ in range(times):
        part = parts[int(generator.integers(len(parts)))]
        content = bytearray(members[part])
        for _ in range(int(generator.integers(1, 4))):
            content[int(generator.integers(len(content)))] = int(generator.choice([0, 1, 2, 127, 255]))
        _rewrite(name, members | {part: bytes(content)})
        with suppress(LiarsDiceError):
            _use(name)
            fine += 1
    assert 0 < fine < times
