"""Strategy files: what is read back is what was kept, judged as it was, and damage is named."""

from __future__ import annotations

import json
import zipfile
from itertools import combinations

import numpy as np
import pytest

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.formats import ldz
from liarsdice_cli.games.liarsdice.public import public_game
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.strategy import actions, mover
from liarsdice_cli.solvers.public_tree.responses import Responses
from liarsdice_cli.solvers.public_tree.solver import PublicTree
from liarsdice_cli.solvers.regret.minimisers import minimiser

pytestmark = pytest.mark.compiled

ORIGIN = ldz.Origin("dcfr+", 40, 0.25, 0.75)


@pytest.fixture(params=[("joker", 3, (2, 1)), ("common", 4, (1, 1)), ("classic", 2, (1, 2))])
def solved(request):
    name, sides, dice = request.param
    game = rules(name, sides, dice)
    solver = PublicTree(public_game(game), minimiser("dcfr+"))
    for _ in range(200):
        solver.iterate()
    return game, solver


def _written(tmp_path, game, solver):
    name = str(tmp_path / "strategy.ldz")
    ldz.write(name, game, solver.averages, ORIGIN)
    return name


@pytest.fixture
def kept(tmp_path):
    """A strategy file of a small game; its players take every action alike."""
    game = rules("common", 2)
    return _written(tmp_path, game, PublicTree(public_game(game), minimiser("dcfr+")))


def _members(name):
    with zipfile.ZipFile(name) as archive:
        return {member: archive.read(member) for member in archive.namelist()}


def _rewrite(name, head, packed=zipfile.ZIP_DEFLATED):
    """Give a file another head."""
    members = _members(name) | {"head.json": head}
    with zipfile.ZipFile(name, "w", packed) as archive:
        for member, content in members.items():
            archive.writestr(member, content)


@pytest.mark.parametrize("rows", [1, 3, 7, 1 << 14])
def test_every_history_reads_back_rounded_to_16_bits(solved, rows, tmp_path, monkeypatch):
    monkeypatch.setattr(ldz, "_ROWS", rows)
    monkeypatch.setattr(ldz, "UNREACHED", 0)
    game, solver = solved
    kept = ldz.StrategyFile(_written(tmp_path, game, solver))
    assert (kept.rules, kept.origin) == (game, ORIGIN)
    for length in range(game.bid_count + 1):
        for history in combinations(range(game.bid_count), length):
            said = kept.at(history)
            count, player = len(actions(game, history)), mover(game, history)
            assert said.shape == (count, game.roll_count(player))
            assert np.allclose(said.sum(axis=0), 1)
            if count > 1:
                first = solver.layout.first_row(history)
                own = solver.averages[player][first : first + count]
                total = own.sum(axis=0)
                expected = np.where(total > 0, own / np.where(total > 0, total, 1), 1 / count)
                assert np.allclose(said, expected, atol=4 / 65535)


def test_the_file_is_about_as_good_as_what_was_kept(solved, tmp_path):
    game, solver = solved
    kept = ldz.StrategyFile(_written(tmp_path, game, solver))
    bounds = Responses(solver.game).bounds((kept.weights(0), kept.weights(1)))
    assert bounds.exploitability == pytest.approx(solver.bounds().exploitability, abs=2e-4)


def test_what_own_play_does_not_reach_is_not_kept(tmp_path):
    game = rules("common", 3)
    solver = PublicTree(public_game(game), minimiser("dcfr+"))
    solver.iterate()
    solver.averages[0][:] = 1e-12
    solver.averages[0][0] = 1.0
    kept = ldz.StrategyFile(_written(tmp_path, game, solver))
    assert kept.weights(0)[0].tolist() == [65535] * 3
    assert not kept.weights(0)[1:].any()


def test_a_lookup_reads_one_piece(solved, tmp_path, monkeypatch):
    monkeypatch.setattr(ldz, "_ROWS", 8)
    game, solver = solved
    kept = ldz.StrategyFile(_written(tmp_path, game, solver))
    read = []
    content = kept._content
    monkeypatch.setattr(kept, "_content", lambda member, most: read.append(member) or content(member, most))
    kept.at([game.bid_count - 2])
    assert 1 <= len(read) <= 2


def test_a_file_cut_short_at_any_place_is_named(solved, tmp_path):
    game, solver = solved
    name = _written(tmp_path, game, solver)
    whole = (tmp_path / "strategy.ldz").read_bytes()
    for size in (0, 10, len(whole) // 2, len(whole) - 1):
        (tmp_path / "strategy.ldz").write_bytes(whole[:size])
        with pytest.raises(LiarsDiceError, match="cut short"):
            ldz.StrategyFile(name)


def test_a_changed_byte_is_found(solved, tmp_path):
    game, solver = solved
    name = _written(tmp_path, game, solver)
    with zipfile.ZipFile(name) as archive:
        where = archive.getinfo("player1/0").header_offset + 60
    data = bytearray((tmp_path / "strategy.ldz").read_bytes())
    data[where] ^= 0xFF
    (tmp_path / "strategy.ldz").write_bytes(data)
    with pytest.raises(LiarsDiceError, match="damaged"):
        ldz.StrategyFile(name).weights(0)


@pytest.mark.parametrize(
    "change",
    [
        {"format": "liarsdice/strategy/9"},
        {"rules": {}},
        {"rules": 3},
        {"rules": {"rules": "common", "sides": 10**9}},
        {"origin": {}},
        {"rows_a_piece": "many"},
        {"rows_a_piece": 0},
        {"origin": {"method": "dcfr+", "iterations": 1, "lower": "low", "upper": 1}},
        {"origin": {"method": "\x1b[2J", "iterations": 1, "lower": 0, "upper": 1}},
        {"origin": {"method": "dcfr+", "iterations": float("inf"), "lower": 0, "upper": 1}},
        {"origin": {"method": "dcfr+", "iterations": 1, "lower": 0, "upper": float("nan")}},
        {"format": [[[]]]},
        {"rows_a_piece": float("inf")},
        {
            "rules": {
                "rules": "common",
                "sides": 2,
                "dice": [1, 1, 1],
                "wild": None,
                "max_quantity": 3,
                "order": "quantity",
                "payoffs": "win",
            }
        },
    ],
)
def test_a_head_that_says_nonsense_is_refused(change, kept):
    _rewrite(kept, json.dumps(json.loads(_members(kept)["head.json"]) | change))
    with pytest.raises(LiarsDiceError, match=r"damaged|has the format"):
        ldz.StrategyFile(kept)


@pytest.mark.parametrize(
    "change",
    [
        {"sides": float("inf")},
        {"sides": 2.0},
        {"dice": [1, float("-inf")]},
        {"dice": [50, 50], "sides": 60},
        {"sides": 100, "max_quantity": 100},
        {"wild": 3},
    ],
)
def test_rules_that_nobody_has_solved_are_refused(change, kept):
    head = json.loads(_members(kept)["head.json"])
    _rewrite(kept, json.dumps(head | {"rules": head["rules"] | change}))
    with pytest.raises(LiarsDiceError, match="damaged"):
        ldz.StrategyFile(kept)


@pytest.mark.parametrize("head", ["[" * 60_000, "[]", "", '{"format": 1}', "\udcff", '{"format": "' + "x" * 70_000 + '"}'])
def test_a_head_that_is_none_is_refused(head, kept):
    _rewrite(kept, head.encode(errors="surrogateescape"))
    with pytest.raises(LiarsDiceError, match="damaged"):
        ldz.StrategyFile(kept)


@pytest.mark.parametrize("packed", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_members_that_are_packed_otherwise_are_refused(packed, kept):
    _rewrite(kept, _members(kept)["head.json"], packed)
    with pytest.raises(LiarsDiceError, match="damaged"):
        ldz.StrategyFile(kept)


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
