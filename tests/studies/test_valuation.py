"""Test values against published tables and other methods, and tables that are kept, resumed, interrupted or damaged."""

from __future__ import annotations

import csv
import importlib
import os
import re
import shlex
from fractions import Fraction
from io import StringIO
from itertools import count, product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import values as values_page
from liarsdice_cli.errors import LiarsDiceError, TimeLimitError, UsageError
from liarsdice_cli.formats.numbers import shown_between
from liarsdice_cli.games.liarsdice.presets import PRESETS
from liarsdice_cli.games.liarsdice.rules import PAYOFFS, rules
from liarsdice_cli.library.tables import grid
from liarsdice_cli.solvers import ladder, problem
from liarsdice_cli.solvers.exact import solve as exact
from liarsdice_cli.solvers.public_tree import solver
from liarsdice_cli.solvers.registry import EXACT
from liarsdice_cli.solvers.request import Request
from liarsdice_cli.studies.valuation import REFUSED, Valuation, value, values
from liarsdice_cli.studies.value_table import COLUMNS, ValueTable, dumps, read
from liarsdice_cli.system import memory
from liarsdice_cli.system.local_cluster import LocalCluster
from tests.support.command_line import (
    Terminal,
    alive,
    assert_refused,
    children,
    document,
    end_by,
    full_device,
    posix,
    run_here,
    start,
    wait_for,
)
from tests.support.known_values import OPENSPIEL, TABLE
from tests.support.properties import examples, mostly_slow

ROOT = Path(__file__).parents[2]
NEVER_EXACT = Request(target=1e-3, exact_max_nodes=0)

# One game


@pytest.mark.parametrize(("name", "sides", "expected"), mostly_slow([one for one in TABLE if one[1] < 6], 6))
def test_values_match_the_published_ones(name, sides, expected):
    found = value(rules(name, sides, payoffs="zero-sum"))
    assert (found.method, found.arithmetic, found.exact, found.iterations, found.note) == (EXACT, "rational", True, None, "")
    assert found.value == found.lower == found.upper == expected
    assert found.exploitability == 0


@pytest.mark.parametrize(("name", "dice"), mostly_slow(product(PRESETS, [(1, 1), (2, 1), (1, 2)]), 4))
def test_bounds_enclose_the_exact_value(name, dice):
    game = rules(name, 3, dice)
    exactly, within = value(game), value(game, NEVER_EXACT)
    assert exactly.exact
    assert (within.method, within.arithmetic, within.exact) == ("dcfr+", "float", False)
    assert within.lower <= exactly.value <= within.upper
    assert within.value == (within.lower + within.upper) / 2
    assert 0 < within.exploitability == (within.upper - within.lower) / 2 <= 1e-3
    assert within.iterations > 0


def test_two_dice_each_agree_with_openspiel():
    for name, bidding in (("top-wild", "reset-face"), ("face-first", "reset-quantity")):
        found = value(rules(name, 2, (2, 2), payoffs="zero-sum"))
        assert found.exact
        assert float(found.value) == pytest.approx(OPENSPIEL[bidding, 2, 2], abs=1e-8)


@pytest.mark.parametrize("sides", mostly_slow([2, 3]))
def test_renamed_faces_and_impossible_bids_do_not_change_the_value(sides):
    """dudo is top-wild with the faces renamed, and classic has the values of common."""
    for one, other in (("dudo", "top-wild"), ("classic", "common")):
        for dice in ((1, 1), (2, 1), (1, 2)):
            assert value(rules(one, sides, dice)).value == value(rules(other, sides, dice)).value


def test_an_exact_method_that_does_not_end_leaves_bounds(monkeypatch):
    def never(tree, time_limit, selects):
        assert not selects
        assert 0 < time_limit <= 10  # building the tree counts
        raise TimeLimitError("stopped")

    monkeypatch.setattr(exact, "solve", never)
    found = value(rules("joker", 3), Request(target=1e-2, time_limit=20))
    assert found.method == "dcfr+"
    assert found.lower <= Fraction(2, 3) <= found.upper
    assert found.note == "not solved exactly: stopped"


def test_the_error_of_the_exact_method_is_noted_in_every_output(tmp_path, monkeypatch):
    """The other game is solved exactly and has no note."""
    solve = exact.solve

    def of_some(tree, time_limit, selects):
        if "3 sides" in tree.title:
            raise LiarsDiceError("floats are too rough, or too few")
        return solve(tree, time_limit, selects)

    monkeypatch.setattr(exact, "solve", of_some)
    kept, why = tmp_path / "kept.csv", "not solved exactly: floats are too rough, or too few"
    asked = ("values", "--rules", "joker", "--sides", "2..3", "--target", "1e-2")
    text = run_here(*asked, "-o", kept)
    assert "note" in text.out
    assert why in " ".join(text.out.split())
    assert [(one.rules.sides, one.exact, one.note) for one in read(str(kept))] == [(2, True, ""), (3, False, why)]
    games = document(run_here(*asked, "-o", kept, "--json"), "values")["games"]
    assert [one["note"] for one in games] == ["", why]
    assert "note" not in run_here("values", "--rules", "joker", "--sides", 2, "-o", "-").out


def test_a_game_that_needs_more_memory_than_is_free_has_a_note(monkeypatch):
    monkeypatch.setattr(memory, "available", lambda: 1000)
    assert re.fullmatch(r"not solved exactly: it needs .* of free memory", value(rules("joker", 3), Request(target=1e-2)).note)


def test_a_tree_that_would_exceed_the_time_limit_is_not_built(monkeypatch):
    """The tree would have 8,388,545 nodes."""
    monkeypatch.setattr(problem, "build", None)
    found = value(rules("classic", 8), Request(time_limit=0.2))
    assert (found.method, found.exact) == ("dcfr+", False)
    assert found.note.startswith("not solved exactly: stopped at the time limit, too short for a tree of 8,388,545 nodes")


def test_a_time_limit_reached_while_the_tree_is_built_is_named(monkeypatch):
    clock = count()
    monkeypatch.setattr("liarsdice_cli.solvers.registry.time.perf_counter", lambda: float(next(clock)))
    found = ladder.solve(rules("joker", 2), Request("exact", time_limit=0.5))
    assert (found.finished, found.solved) == (False, ())
    assert found.note.startswith("stopped at the time limit")


@pytest.mark.slow
def test_a_time_limit_leaves_the_bounds_so_far():
    found = value(rules("joker", 4, (2, 1)), Request(target=1e-13, time_limit=0.3, exact_max_nodes=0))
    assert found.lower <= Fraction(5, 8) <= found.upper
    assert found.exploitability > 1e-15
    assert found.note == "stopped at the time limit"


@pytest.mark.slow
def test_a_game_with_too_many_histories_for_memory_has_bounds():
    """The strategies call at unexpanded histories, so they are complete however short the time is."""
    found = value(rules("common", 6, (3, 3)), Request(time_limit=0.3))
    assert (found.method, found.arithmetic, found.note) == ("dcfr+", "float", "stopped at the time limit")
    assert 0 <= found.lower < found.upper <= 1


@pytest.mark.parametrize(
    ("game", "figure"), [(rules("common", 6, (6, 6)), "2^72"), (rules("common", 100, (50, 50)), "2^10000")]
)
def test_games_with_too_many_bids_are_refused_with_the_number_of_histories(game, figure):
    found = value(game)
    assert (found.method, found.arithmetic, found.exact, found.exploitability) == (REFUSED, None, False, None)
    assert found.lower is found.upper is found.value is None
    assert figure in found.note


def test_if_memory_is_full_the_bounds_proved_so_far_are_returned(monkeypatch):
    monkeypatch.setattr(memory, "available", lambda: 1000)
    monkeypatch.setattr(solver, "available", lambda: 1000)
    found = value(rules("joker", 4, (2, 1)), Request(target=1e-9))
    assert found.note.endswith("; stopped when memory was full")
    assert 0 <= found.lower <= Fraction(5, 8) <= found.upper <= 1
    assert found.exploitability > 1e-9


@pytest.mark.parametrize("target", [0, -1, float("nan")])
def test_targets_that_cannot_be_met_are_refused(target):
    with pytest.raises(UsageError, match="target="):
        value(rules("joker", 2), Request(target=target))


def test_values_for_three_players_are_refused():
    with pytest.raises(UsageError, match="1,1,1"):
        value(rules("joker", 2, (1, 1, 1)))
    with pytest.raises(UsageError, match=r"dice=\(1, 1, 1\)"):
        grid(["joker"], [2], [(1, 1, 1)], "win")


@given(st.fractions(-2, 2), st.fractions(0, 1))
@examples(100)
def test_bounds_are_shown_rounded_outwards(lower, width):
    for pair in ((lower, lower + width + Fraction(1, 10**9)), (float(lower), float(lower) + float(width) + 1e-9)):
        one, other = (Fraction(text) for text in shown_between(*pair).split(" .. "))
        assert one <= pair[0] < pair[1] <= other
        assert other - one < pair[1] - pair[0] + 2.1e-6


# Tables in files

BOUNDS = st.one_of(
    st.fractions(-1, 1).map(lambda number: (number, number)),
    st.tuples(st.floats(-1, 1), st.floats(-1, 1)).map(lambda pair: (min(pair), max(pair))),
)


@st.composite
def valuations(draw):
    game = rules(draw(st.sampled_from([*PRESETS])), draw(st.integers(2, 9)), (1, 2), payoffs=draw(st.sampled_from(PAYOFFS)))
    lower, upper = draw(BOUNDS)
    exactly = isinstance(lower, Fraction)
    iterations = None if exactly else draw(st.integers(1, 10**6))
    seconds, note = draw(st.integers(0, 10**6)) / 100, "" if exactly else draw(st.sampled_from(["", "a, b; c"]))
    return Valuation(game, EXACT if exactly else "dcfr+", lower, upper, seconds, iterations, note)


@given(st.lists(valuations(), max_size=5))
@examples(50)
def test_written_tables_are_read_back(tmp_path_factory, known):
    file = tmp_path_factory.mktemp("values") / "values.csv"
    file.write_bytes(dumps(known))
    again = read(str(file))
    assert again == known
    assert dumps(again) == file.read_bytes()


def test_refused_games_are_written_but_not_read_back(tmp_path):
    file = tmp_path / "values.csv"
    table = ValueTable((), str(file))
    table.add(value(rules("common", 6, (9, 9))))
    row = r'common,6,9 9,win,no,,,,refused,,\d+\.\d\d,,"common rules, .* fewer sides or dice"'
    assert re.fullmatch(row, file.read_text().splitlines()[1])
    assert read(str(file)) == []


ROW = "joker,3,1 1,win,yes,2/3,2/3,2/3,exact,0,0.01,"
DAMAGE = {
    "empty": "",
    "not ours": "a,b,c\n1,2,3\n",
    "binary": "\udcff\udcfe",
    "cut short": ROW[:20],
    "of unknown rules": ROW.replace("joker", "poker"),
    "of no sides": ROW.replace(",3,", ",x,"),
    "upside down": ROW.replace("2/3,2/3", "2/3,1/3", 1),
    "without bounds": ROW.replace("2/3", ""),
    "not finite": ROW.replace("2/3", "nan"),
    "divided by zero": ROW.replace("2/3", "2/0"),
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_damaged_tables_are_refused_and_not_changed(tmp_path, kind):
    text = DAMAGE[kind]
    file = tmp_path / "values.csv"
    ours = text.startswith("joker") or text.startswith("poker")
    file.write_bytes(((",".join(COLUMNS) + "\n" if ours else "") + text).encode(errors="surrogateescape"))
    before = file.read_bytes()
    assert_refused(run_here("values", "--sides", "2", "-o", file), "values.csv")
    assert file.read_bytes() == before
    with pytest.raises(LiarsDiceError):
        read(str(file))


# The command


def cells(ended) -> list[list[str]]:
    """Return the rows of the printed table, in which the last cell is a duration."""
    return [line.split() for line in ended.out.splitlines() if line.endswith(" s")]


@pytest.mark.parametrize("most", mostly_slow([3, 4]))
def test_the_printed_table(most):
    ended = run_here(
        "values", "--sides", f"2..{most}", "--rules", "joker", "common", "--dice", "1,1", "2,1", "--payoffs", "zero-sum"
    )
    assert (ended.code, ended.err) == (0, "")
    rows = cells(ended)
    assert [row[:3] for row in rows] == [
        [name, str(sides), dice] for name in ("joker", "common") for dice in ("1,1", "2,1") for sides in range(2, most + 1)
    ]
    known = ["1", "1/3", "0", "1", "1/3", "1/4", "0", "-1/9", "-1/8", "1/4", "1/9", "345/1696"]
    assert [row[3] for row in rows] == [value for place, value in enumerate(known) if place % 3 <= most - 2]


@pytest.mark.parametrize(
    ("args", "games"),
    [
        (("--sides", "2..3"), [2, 3]),
        (("--sides=2..3",), [2, 3]),
        (("--sides", "4,2", "3"), [4, 2, 3]),
        (("--sides", "2", "2..3", "--sides", "3"), [2, 3]),
        (("--sides=2", "3"), [2, 3]),
    ],
)
def test_sides_accept_ranges_and_lists(args, games):
    found = document(run_here("values", *args, "--rules", "joker", "--json"), "values")
    assert [one["rules"]["sides"] for one in found["games"]] == games
    assert found["finished"]


def test_json_of_exact_bounded_and_refused_games():
    def found(*asked):
        return document(run_here("values", "--rules", "joker", *asked, "--json"), "values")["games"]

    exact, refused = found("--sides", 3, "--dice", "1,1", "20,20")
    assert [exact["method"], refused["method"], exact["exact"], refused["exact"]] == ["exact", "refused", True, False]
    assert (exact["lower"], exact["upper"], exact["value"], exact["exploitability"]) == ("2/3", "2/3", "2/3", "0")
    assert refused["lower"] is None
    assert "give fewer sides or dice" in refused["note"]
    (bracketed,) = found("--sides", 6, "--method", "dcfr+", "--target", "1e-2")
    assert (bracketed["method"], bracketed["exact"], bracketed["arithmetic"]) == ("dcfr+", False, "float")
    assert bracketed["lower"] <= 160 / 327 <= bracketed["upper"] <= bracketed["lower"] + 0.02


def test_rough_results_are_solved_again_and_the_better_result_is_kept(tmp_path):
    file = tmp_path / "values.csv"
    file.write_text(f"{','.join(COLUMNS)}\njoker,6,1 1,win,no,0.375,0.625,0.5,dcfr+,0.125,1.00,10\n")
    asked = ("values", "--rules", "joker", "--sides", 6, "--method", "dcfr+", "-o", file, "--json")

    def width(target):
        (one,) = document(run_here(*asked, "--target", target), "values")["games"]
        return one["exploitability"]

    assert width("2e-1") == 0.125
    close = width("1e-3")
    assert close <= 1e-3
    assert width("1e-2") == close


def test_results_are_kept_and_only_missing_games_are_solved(tmp_path, monkeypatch):
    file = tmp_path / "values.csv"
    args = ("values", "--rules", "joker", "--sides")
    first = run_here(*args, "2..3", "-o", file)
    assert first.code == 0
    rows = list(csv.DictReader(StringIO(file.read_text())))
    assert tuple(rows[0]) == COLUMNS
    assert [(row["sides"], row["exact"], row["value"]) for row in rows] == [("2", "yes", "1"), ("3", "yes", "2/3")]
    kept = file.read_text().replace(rows[0]["seconds"], "123.00", 1)
    file.write_text(kept)
    again = run_here(*args, "2..4", "-o", file)
    assert [row[1] for row in cells(again)] == ["2", "3", "4"]
    assert "123.00 s" in again.out
    assert file.read_text().startswith(kept)
    assert len(file.read_text().splitlines()) == 4


def test_rows_are_kept_in_the_order_of_the_games_whichever_is_solved_first(tmp_path):
    file = tmp_path / "values.csv"
    before, *games = grid(["joker"], [5, 4, 2, 3], [(1, 1)], "win")
    table = ValueTable([value(before)], str(file))
    table.expect(games)
    for game in (games[2], games[0], games[1]):
        table.add(value(game))
    assert [one.rules.sides for one in read(str(file))] == [5, 4, 2, 3]


def without_seconds(games):
    return [{key: found for key, found in one.items() if key != "seconds"} for one in games]


@pytest.mark.slow
def test_workers_find_the_same_results_and_keep_them_in_the_same_order(tmp_path):
    asked = ("values", "--rules", "joker", "common", "--sides", "4,2,3", "--json")
    known = "joker,2,1 1,win,yes,1,1,1,exact,0,123.00,\n"
    found = []
    for name, *workers in (("alone",), ("together", "--cluster", "local:2")):
        (tmp_path / name).write_text(",".join(COLUMNS) + "\n" + known)
        games = document(run_here(*asked, "-o", tmp_path / name, *workers), "values")["games"]
        assert games[1]["seconds"] == 123
        assert [one["exact"] for one in games] == [True] * 6
        rows = list(csv.DictReader(StringIO((tmp_path / name).read_text())))
        found.append((without_seconds(games), without_seconds(rows)))
    assert found[0] == found[1]


@pytest.mark.slow
def test_workers_find_bounds():
    games = grid(["joker", "common"], [3, 4], [(1, 1)], "win")
    found = {one.rules: one for one in values(games, NEVER_EXACT.updated(cluster="local:7"), LocalCluster(2))}
    assert set(found) == {*games}
    for game, one in found.items():
        assert one.method == "dcfr+"
        assert one.lower <= value(game).value <= one.upper <= one.lower + 2e-3


@pytest.mark.slow
def test_an_error_on_a_worker_is_one_line():
    assert_refused(run_here("values", "--sides", 3, "--target", "nan", "--cluster", "local:1"), "--target", code=2)


@posix
@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc").exists(), reason="looks for children in /proc")
def test_an_interrupt_keeps_results_of_workers_while_the_first_game_still_runs(tmp_path):
    """The bounds of the first game never reach the target; the other worker solves the other games."""
    file, terminal = tmp_path / "values.csv", Terminal()
    args = ("values", "--rules", "joker", "--sides", 6, 2, 3, "--dice", "2,2", "--target", "1e-11")
    process = start(*args, "-o", file, "--cluster", "local:2", stderr=terminal.slave)
    both = 3  # lines with the header; the workers may have to compile first
    wait_for(lambda: terminal.read() or (file.exists() and len(file.read_text().splitlines()) == both), 240)
    mine = children(process.pid)
    ended = end_by(process, "SIGINT")
    assert terminal.close().endswith("liarsdice: interrupted\r\n")
    assert ended.code == 130
    assert "1 of 3 games is not solved" in ended.out
    assert [one.rules.sides for one in read(str(file))] == [2, 3]
    assert os.listdir(tmp_path) == ["values.csv"]
    wait_for(lambda: not any(map(alive, mine)), 5)


@pytest.mark.slow
@posix
def test_an_interrupt_keeps_and_shows_finished_games(tmp_path):
    file = tmp_path / "values.csv"
    args = ("values", "--rules", "joker", "--sides", 2, 3, 4, "--dice", "2,1", "--method", "dcfr+", "--target", "1e-12")
    process = start(*args, "-o", file)
    wait_for(lambda: file.exists() and len(file.read_text().splitlines()) == 2)
    ended = end_by(process, "SIGINT")
    assert (ended.code, ended.err) == (130, "liarsdice: interrupted\n")
    assert "2 of 3 games are not solved" in ended.out
    assert [one.rules.sides for one in read(str(file))] == [2]
    assert os.listdir(tmp_path) == ["values.csv"]


@full_device
def test_a_full_disk_does_not_stop_the_table():
    ended = run_here("values", "--sides", "2..3", "--rules", "joker", "-o", "/dev/full")
    assert ended.code == 1
    assert [row[3] for row in cells(ended)] == ["1", "2/3"]
    assert "/dev/full" in ended.err


# The grid in the documentation


def test_the_kept_table_has_the_games_of_the_grid():
    known, made = read(str(values_page.VALUES)), set()
    for line in values_page.commands():
        program, *args = shlex.split(line)
        assert program == "liarsdice"
        context = importlib.import_module("liarsdice_cli.cli.values").command.make_context("values", args[1:])
        wish = context.params
        sides = [side for part in wish["sides"] for side in part]
        made |= set(grid(list(PRESETS) if "all" in wish["preset"] else wish["preset"], sides, wish["dice"], wish["payoffs"]))
    assert {one.rules for one in known} == made


@pytest.mark.slow
def test_the_kept_table_agrees_with_known_values():
    known = {one.rules: one for one in read(str(ROOT / "docs" / "values.csv"))}
    for name, sides, expected in TABLE:
        assert known[rules(name, sides, payoffs="zero-sum")].value == expected
    for game, one in known.items():
        twin = {"dudo": "top-wild", "classic": "common"}.get(game.name)
        if twin:
            assert one.exact
            assert one.value == known[rules(twin, game.sides, game.dice, payoffs="zero-sum")].value
        if game.name == "ones-low" and one.exact:
            assert one.value == known[rules("joker", game.sides, game.dice, payoffs="zero-sum")].value
        if game.without_impossible_bids().bid_count <= 6:
            assert value(game).value == one.value
        assert -1 <= one.lower <= one.upper <= 1
