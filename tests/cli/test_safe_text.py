"""Text from files, names and arguments cannot control the terminal or break a line in two."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from liarsdice_cli.cli.person import say
from liarsdice_cli.cli.progress import _Stage
from liarsdice_cli.text import printable
from tests.support.command_line import Ended, Terminal, assert_refused, end_of, posix, run_here, start

EVIL = "\x1b]0;owned\x07\x1b[31mred\x9b2J\u202egpj.exe\x01"
SHOWN = r"\x1b]0;owned\x07\x1b[31mred\x9b2J\u202egpj.exe\x01"
GAME = f"""EFG 2 R "title {EVIL}" {{ "Ann {EVIL}" "Bob" }} "comment {EVIL}"
p "{EVIL}" 1 1 "set {EVIL}" {{ "left {EVIL}" "right" }} 0
t "" 1 "end {EVIL}" {{ 1, -1 }}
p "" 2 1 "" {{ "up" "down {EVIL}" }} 0
t "" 2 "" {{ -1, 1 }}
t "" 3 "" {{ 0, 0 }}
"""


def assert_harmless(ended: Ended, code: int = 0) -> None:
    """Assert that every line is printable and shows the control characters as escapes."""
    assert ended.code == code, ended
    for line in (ended.out + ended.err).split("\n"):
        assert printable(line) == line
    assert SHOWN in ended.out + ended.err


@pytest.fixture
def game(tmp_path: Path) -> Path:
    (tmp_path / "game.efg").write_text(GAME)
    return tmp_path / "game.efg"


@pytest.mark.parametrize(
    "args",
    [("info",), ("solve",), ("solve", "--full"), ("show",), ("solve", "--method", "lcp")],
    ids=" ".join,
)
def test_labels_of_a_game_file_are_escaped(game: Path, args: tuple[str, ...]) -> None:
    assert_harmless(run_here(args[0], game, *args[1:]))


def test_text_in_a_profile_is_escaped(game: Path) -> None:
    kept = game.with_suffix(".json")
    assert run_here("solve", game, "-o", kept, "-q").code == 0
    assert_harmless(run_here("verify", game, kept))
    content = json.loads(kept.read_text())
    content["game"] |= {"title": EVIL, "fingerprint": "0"}
    kept.write_text(json.dumps(content))
    refused = run_here("verify", game, kept)
    assert_harmless(refused, 1)
    assert_refused(refused, "another game")


def test_json_keeps_the_text_unchanged(game: Path) -> None:
    ended = run_here("solve", game, "--json")
    assert ended.out.isascii()
    assert json.loads(ended.out)["title"] == f"title {EVIL}"


def test_names_of_moves_and_players_are_escaped(tmp_path: Path) -> None:
    table = tmp_path / "outcomes.json"
    outcomes = [{"moves": [f"left {EVIL}", "up"], "payoffs": [2, 1]}, {"moves": ["right"], "payoffs": [1, 2]}]
    table.write_text(json.dumps({"players": ["Ann", f"Bob {EVIL}"], "outcomes": outcomes}))
    for args in ((), ("--full",)):
        assert_harmless(run_here("outcomes", table, *args))
    assert_harmless(run_here("outcomes", table, "--turns", EVIL), 2)


def test_names_of_positions_are_escaped(tmp_path: Path) -> None:
    graph = tmp_path / "graph.json"
    graph.write_text(json.dumps({"positions": {f"a {EVIL}": [f"b {EVIL}"], f"b {EVIL}": []}}))
    assert_harmless(run_here("impartial", "positions", graph))
    assert_harmless(run_here("impartial", "positions", graph, EVIL), 2)
    graph.write_text(json.dumps({"positions": {"a": [f"b {EVIL}"]}}))
    assert_harmless(run_here("impartial", "positions", graph), 1)


@pytest.mark.parametrize(
    "args",
    [
        ("info", "no\x1b]0;x\x07\n\u202esuch.efg"),
        ("solve", "no\x1b]0;x\x07\n\u202esuch.efg"),
        ("convert", "no\x1b]0;x\x07\n\u202esuch.efg", "x.efg"),
        ("show", "no\x1b]0;x\x07\n\u202esuch.ldz"),
        ("values", "-o", "no\x1b]0;x\x07\n\u202esuch/values.csv"),
        ("arena", "no\x1b]0;x\x07\n\u202esuch", "honest"),
        ("exploit", "no\x1b]0;x\x07\n\u202esuch"),
        ("sweep", "zero-intelligence", "no\x1b]0;x\x07\n\u202esuch"),
        ("probability", "no\x1b]0;x\x07\n\u202esuch", "1"),
        ("impartial", "nim", "no\x1b]0;x\x07\n\u202esuch"),
        ("impartial", "grundy", "no\x1b]0;x\x07\n\u202esuch"),
        ("impartial", "takeaway", "3", "no\x1b]0;x\x07\n\u202esuch"),
        ("no\x1b]0;x\x07\n\u202esuch",),
        ("info", "--no\x1b]0;x\x07\n\u202esuch"),
    ],
    ids=lambda args: " ".join(printable(word, 12) for word in args),
)
def test_names_in_messages_are_escaped(args: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ended = run_here(*args)
    assert ended.code in (1, 2)
    assert_refused(ended, r"no\x1b]0;x\x07", r"\u202esuch", code=ended.code)
    line = ended.err.removesuffix("\n")
    assert printable(line) == line


def test_the_name_of_an_existing_file_is_escaped(tmp_path: Path) -> None:
    name = tmp_path / "evil\x1b]0;x\x07\n\u202e.csv"
    name.write_text("from,to\na,b\n")
    ended = run_here("impartial", "positions", name)
    assert_refused(ended, r"evil\x1b]0;x\x07\n\u202e.csv, line 2")


@pytest.mark.parametrize("command", [("impartial", "positions"), ("outcomes",)], ids=" ".join)
@pytest.mark.parametrize(
    "content",
    [
        "from,to,player\na,,{}\n",
        "from,to\na,{}\n",
        "move,Ann,Bob\nx,1,{}\n",
        "move,Ann\n{0},1\n{0},2\n",
        "move,{0},{0}\nx,1,2\n",
        '{{"positions": {{"{}": 1}}}}',
        '{{"{}": 1}}',
    ],
)
def test_long_cells_are_shortened_in_messages(command: tuple[str, ...], content: str, tmp_path: Path) -> None:
    table = tmp_path / "table"
    table.write_text(content.format("long" * 1250))
    ended = run_here(*command, table)
    assert_refused(ended)
    assert ended.err.count("long") < 40


def test_the_progress_text_is_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    stage = _Stage(f"asking {EVIL}", None, "")
    stage.end()
    stage.words = "[bold]\n"
    assert stage._text() == rf"asking {SHOWN}, [bold]\n; Ctrl-C ends it"


def test_text_for_a_player_is_escaped(capsys: pytest.CaptureFixture[str]) -> None:
    say(f"{EVIL}\nof a bot")
    assert capsys.readouterr().out == rf"{SHOWN}\nof a bot" + "\n"


@posix
@pytest.mark.slow
def test_output_on_a_terminal_is_escaped(game: Path) -> None:
    """Only the program's own colours are sent as escape sequences."""
    terminal = Terminal()
    ended = end_of(start("solve", game, stdout=terminal.slave, COLUMNS="200"))
    text = terminal.close()
    assert (ended.code, ended.err) == (0, "")
    assert SHOWN in text
    assert not set("\x07\x9b\u202e\u2028\x01") & set(text)
    assert "\x1b]" not in text
    assert "\x1b[31m" not in text
