"""The command `play`: in pipes and terminals, with any input, and every way to end it."""

from __future__ import annotations

import json
import os
import re
import subprocess
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarsdice_cli.bots import advice, equilibrium
from liarsdice_cli.bots.protocol import View
from liarsdice_cli.formats.registry import read_strategy
from liarsdice_cli.games.liarsdice import continuations
from liarsdice_cli.games.liarsdice.rules import Rules, rules
from liarsdice_cli.system.terminals import hidden_keys, typed_ahead
from tests.support.command_line import (
    Ended,
    Terminal,
    end_by,
    posix,
    run,
    run_here,
    start,
    wait_for,
)
from tests.support.properties import examples


@cache
def solved_once(rules: Rules) -> Any:
    return equilibrium.solved(rules)


@pytest.fixture(autouse=True)
def _every_game_is_solved_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advice, "solved", solved_once)


def played(*args: object, moves: str = "", **env: str) -> Ended:
    """Play a game, and assert that it ends without an error."""
    ended = run_here("play", *args, input=moves, **env)
    assert (ended.code, ended.err) == (0, ""), ended
    return ended


@pytest.mark.slow
def test_the_same_seed_gives_the_same_game() -> None:
    games = [played("random", "--seed", number, "--sides", 3, moves="1x1\ncall\n" * 8).out for number in (1, 1, 2)]
    assert games[0] == games[1] != games[2]


@given(st.lists(st.text(max_size=8) | st.sampled_from(["call", "1x1", "2x3", "3 3", "q", "?"]), max_size=12))
@examples(25)
def test_any_input_ends_with_a_summary(words: list[str]) -> None:
    ended = run_here(
        "play",
        "random",
        "honest",
        "--match",
        "--dice",
        "2,1,1",
        "--sides",
        "2",
        input="\n".join(words).encode(errors="replace"),
    )
    assert (ended.code, ended.err) == (0, "")
    assert re.search(r"^\d+ rounds? played: \d+ won, \d+ lost\.$", ended.out, re.MULTILINE)


@pytest.mark.slow
def test_bytes_that_are_not_text_are_refused() -> None:
    ended = run("play", "random", input=b"\xff\xfe\n")
    assert (ended.code, ended.err) == (0, "")
    assert "is not a bid" in ended.out


@pytest.mark.parametrize("args", ["play random", "coach", pytest.param("coach Ann me --json", marks=pytest.mark.slow)])
def test_an_overlong_line_is_refused(args: str) -> None:
    ended = run_here(*args.split(), input=b"\0" * 20_000)
    assert (ended.code, ended.err.splitlines()[-1].count("10,000 characters")) == (1, 1)


@pytest.mark.slow
def test_a_match_continues_with_fewer_dice_until_it_is_decided() -> None:
    """A user who opens with the lowest bid and otherwise calls wins or loses in the end."""
    asked = ("--dice", "2,2", "--rules", "dudo", "--sides", 2, "--match", "--seed", 1)
    out = played("honest", *asked, moves="1x2\ncall\n" * 30).out
    totals = [int(you) + int(honest) for you, honest in re.findall(r"you (\d)(?:, honest (\d))", _in_order(out))]
    assert totals == list(range(4, 4 - len(totals), -1))
    left = re.search(r"Dice left: you (\d), honest (\d)\.", out)
    assert left is not None
    assert 0 in map(int, left.groups())
    assert sum(map(int, left.groups())) == totals[-1] - 1


def _in_order(out: str) -> str:
    """Return the heading of every round, with the user's dice first."""
    return re.sub(
        r"Dice: honest (\d), you (\d)", r"Dice: you \2, honest \1", "\n".join(re.findall(r"^Round .*", out, re.MULTILINE))
    )


@pytest.mark.slow
def test_hints_for_three_players_bound_the_gain_of_every_player() -> None:
    many = played("honest", "random", "--rules", "common", "--hints", "--seed", 1, moves="1x2\n").out
    near = r"hint: epsilon-equilibrium, in which no player gains more than [< ]*0\.\d %: [^(]+ \(does not lose [\d.]+ %\)"
    assert re.search(near, " ".join(many.split()))


@pytest.mark.parametrize("name", ["kept.ldz", "kept.json"])
def test_an_equilibrium_file_at_the_table_gives_the_hints_and_the_review(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file is used instead of solving, even under classic rules, whose impossible bids no strategy file contains."""
    assert run_here("solve", "--sides", 3, "-o", name, "--quiet", cwd=tmp_path).code == 0
    monkeypatch.setattr(advice, "solved", None)
    game = ["play", f"equilibrium:{name}", "--sides", 3, "--rounds", 1, "--hints", "--seed", 2]
    ended = run_here(*game, input="2x3\ncall\n", cwd=tmp_path)
    assert ended.err == ""
    assert f"hint: {name}: " in ended.out
    told = json.loads(run_here(*game, "--json", input="2x3\ncall\n", cwd=tmp_path).out)
    (decision,) = told["decisions"]
    assert decision["action"] == "2x3"
    assert decision["ev_loss"] > 0


def test_advice_from_a_file_with_zero_sum_payoffs_is_in_probabilities(tmp_path: Path) -> None:
    solving = ["solve", "--rules", "common", "--sides", 3, "--payoffs", "zero-sum", "-o", "kept.ldz", "--quiet"]
    assert run_here(*solving, cwd=tmp_path).code == 0
    kept = str(tmp_path / "kept.ldz")
    by_file = advice.Adviser(equilibrium.OfFile("", kept)).advice(View(rules("common", 3), (2,), (0,)))
    payoffs = continuations.after(read_strategy(kept), (0,)).values
    assert by_file.basis == advice.FILE
    assert by_file.values == pytest.approx((payoffs[:, 1] + 1) / 2, abs=1e-6)


def test_undo_takes_back_a_bid_and_the_game_continues_with_the_next_one() -> None:
    moves = "undo\n1x1\nundo\n1x4\nundo\nundo\n1x2\ncall\nundo\n"
    ended = run_here("play", "honest", "--rules", "common", "--seed", 3, "--rounds", 2, "--json", input=moves)
    told = json.loads(ended.out)
    assert [decision["action"] for decision in told["decisions"]] == ["1x2", "call"]
    assert len(told["rounds"]) == 1


@pytest.mark.slow
def test_a_failing_bot_loses_the_round_and_is_named(tmp_path: Path) -> None:
    (tmp_path / "own_bots.py").write_text("class Mine:\n    def act(self, view, generator):\n        return 1 / 0\n")
    ended = run("play", "own_bots:Mine", "--rounds", 2, "--seed", 1, "--sides", 3, input="1x1\n1x1\n", cwd=tmp_path)
    assert (ended.code, ended.err) == (0, "")
    said = "own_bots:Mine raised ZeroDivisionError: division by zero (own_bots.py, line 3), and forfeits the round."
    assert " ".join(ended.out.split()).count(said) == 2
    assert "2 rounds played: 2 won, 0 lost." in ended.out


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "utf-8"])
def test_dice_are_shown_in_any_encoding(encoding: str) -> None:
    ended = run("play", "--seed", 3, PYTHONUTF8="0", PYTHONIOENCODING=encoding)
    assert ended.code == 0
    assert ("⚃ 4" if encoding == "utf-8" else "Your dice: [4]") in ended.out
    assert re.search(r"Your dice: \[[1-7]\]$", played("--seed", 3, "--sides", 7).out, re.MULTILINE)


@posix
@pytest.mark.slow
def test_ctrl_c_ends_with_the_summary_so_far() -> None:
    process = start("play", "honest", "--rules", "common", "--seed", 3, stdin=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"1x2\ncall\n")
    process.stdin.flush()
    shown = b""
    while not shown.endswith(b"call: ") or b"Round 2" not in shown:
        shown += os.read(process.stdout.fileno(), 1000)
    ended = end_by(process, "SIGINT")
    assert (ended.code, ended.err) == (130, "")
    assert "1 round played: 0 won, 1 lost." in ended.out
    assert "with 4 after 1x4: call wins 0 %" in ended.out


def in_terminal(columns: int, moves: bytes, *args: object, **env: str) -> tuple[int, str]:
    """Play a game in a terminal of the given width; return its exit code and text."""
    import fcntl
    import struct
    import termios

    terminal = Terminal()
    fcntl.ioctl(terminal.slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = start("play", *args, stdin=terminal.slave, stdout=terminal.slave, stderr=terminal.slave, **env)
    for move in moves.splitlines(keepends=True):
        seen = len(terminal.text)
        wait_for(lambda seen=seen: terminal.read() or re.search(rb"(bid|call): ", terminal.text[seen:]))
        os.write(terminal.master, move)
    wait_for(lambda: terminal.read() or process.poll() is not None)
    return process.returncode, terminal.close()


@posix
@pytest.mark.slow
@pytest.mark.parametrize("columns", [30, 5, 200])
def test_a_terminal_of_any_width_shows_a_game_and_ctrl_d_ends_it(columns: int) -> None:
    code, text = in_terminal(columns, b"2x2\n\x04", "random", "--seed", 3, "--sides", 3, "--rounds", 9, "--quiet")
    assert code == 0
    assert "Traceback" not in text
    assert re.search(r"\d+\s+rounds?\s+played", text)
    if columns == 30:
        plain = re.sub(r"\x1b\[[0-9;]*m", "", text)
        lines = [line for line in plain.replace("\r", "").split("\n") if not line.startswith("Your bid")]
        assert max(map(len, lines)) <= 30


@posix
@pytest.mark.slow
@pytest.mark.parametrize(("env", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_a_terminal_shows_colours_unless_no_color_is_set(env: dict[str, str], coloured: bool) -> None:
    code, text = in_terminal(80, b"2x2\n\x04", "random", "--seed", 3, "--sides", 3, "--rounds", 9, "--quiet", **env)
    assert code == 0
    assert ("\x1b[3" in text) is coloured


@posix
def test_keys_pressed_during_a_computation_are_neither_shown_nor_taken_for_an_answer() -> None:
    import pty
    import select
    import termios

    master, slave = pty.openpty()
    with open(slave, closefd=False) as keyboard, mock.patch("sys.stdin", keyboard):
        with hidden_keys():
            os.write(master, b"typed ahead\n")
            assert not termios.tcgetattr(slave)[3] & termios.ECHO
            assert select.select([slave], [], [], 10)[0]
        assert termios.tcgetattr(slave)[3] & termios.ECHO
        os.write(master, b"now\n")
        assert keyboard.readline() == "now\n"
    os.close(slave)
    os.close(master)


@posix
def test_lines_typed_during_a_computation_can_be_kept() -> None:
    import pty
    import select
    import termios

    master, slave = pty.openpty()
    with open(slave, closefd=False) as keyboard, mock.patch("sys.stdin", keyboard):
        before = termios.tcgetattr(slave)
        with hidden_keys(keep=True):
            os.write(master, b"2x3\ncalm\x7fl\n1x")
            assert select.select([slave], [], [], 10)[0]
        assert termios.tcgetattr(slave) == before
        os.write(master, b"now\n")
        assert [typed_ahead() for _ in range(4)] == [("2x3", True), ("call", True), ("1x", False), ("", False)]
        assert keyboard.readline() == "now\n"
    os.close(slave)
    os.close(master)


@posix
@pytest.mark.slow
def test_a_closed_output_pipe_ends_the_game_quietly() -> None:
    process = start("play", "random", "--seed", 1)
    assert process.stdout is not None
    process.stdout.close()
    assert process.wait(timeout=20) in (0, 130)
    assert process.stderr is not None
    assert process.stderr.read() == b""
