"""The command line as users and scripts see it: exit codes, standard output and standard error."""

from __future__ import annotations

import errno
import gzip
import importlib
import json
import os
import re
import shlex
import subprocess
import sys
from contextlib import contextmanager
from importlib.abc import MetaPathFinder
from pathlib import Path
from typing import Any
from unittest import mock

import click
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from liarsdice_cli import __main__ as entry
from liarsdice_cli import __version__
from liarsdice_cli.cli import main
from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.main import cli
from tests.support.command_line import (
    FORGETFUL,
    KUHN,
    PENNIES,
    ROOT,
    Ended,
    Terminal,
    alive,
    assert_refused,
    children,
    command_line,
    document,
    end_by,
    end_of,
    environment,
    full_device,
    posix,
    run,
    run_here,
    seconds_used,
    shell,
    start,
    wait_for,
)
from tests.support.processes import popen
from tests.support.properties import examples, mostly_slow

COMMANDS = tuple(main.COMMANDS)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the 2-sided game, its profile, and files that are neither. Tests only read it."""
    place = tmp_path_factory.mktemp("files")
    assert run_here("build", "--sides", 2, "-o", place / "game.efg") == (0, "", "")
    assert run_here("solve", place / "game.efg", "-o", place / "profile.json").code == 0
    (place / "rubbish").write_text("nothing of the kind\n")
    (place / "empty").write_bytes(b"")
    (place / "binary").write_bytes(bytes(range(256)) * 20)
    return place


# Help


@pytest.mark.parametrize("option", ["-h", "--help"])
@pytest.mark.parametrize("command", [(), *((name,) for name in COMMANDS)])
def test_help_begins_with_an_example(command: tuple[str, ...], option: str) -> None:
    ended = run_here(*command, option)
    assert (ended.code, ended.err) == (0, "")
    first, second = ended.out.splitlines()[:2]
    assert first == "Example:"
    assert second.startswith(f"  liarsdice {' '.join(command)}")
    assert "Usage: liarsdice" in ended.out


@pytest.mark.parametrize("name", COMMANDS)
def test_the_examples_in_the_help_are_valid_command_lines(name: str) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert isinstance(command, CommandWithExample)
    for line in command.example.strip().splitlines():
        for part in line.split(" | "):
            program, called, *args = shlex.split(part)
            assert program == "liarsdice"
            called_command = cli.get_command(click.Context(cli), called)
            assert called_command is not None
            called_command.make_context(called, args)


@pytest.mark.parametrize("args", [("--help",), ("build", "-h")], ids=" ".join)
def test_help_of_a_real_process_is_the_same(args: tuple[str, ...]) -> None:
    assert run(*args) == run_here(*args)


def test_running_without_a_command_shows_the_help_as_a_usage_error() -> None:
    ended = run()
    assert (ended.code, ended.out) == (2, "")
    assert "Usage: liarsdice" in ended.err


def test_version() -> None:
    assert run("--version") == run("-V") == (0, f"liarsdice {__version__}\n", "")


def test_methods_are_listed_with_auto_first() -> None:
    ended = run_here("methods")
    assert (ended.code, ended.err) == (0, "")
    names = [line.split()[0] for line in ended.out.splitlines()]
    assert names[0] == "auto"
    assert {"lp", "lcp", "enumpure"} <= set(names)


def test_help_imports_nothing_heavy() -> None:
    heavy = ("numpy", "scipy", "pygambit", "rich", "numba", "highspy")
    asked = [["--help"], ["--version"], *([name, "--help"] for name in COMMANDS)]
    code = f"""
import sys
from liarsdice_cli.cli.main import run
for args in {asked}:
    run(args)
    print("heavy:", *args, [name for name in {heavy} if name in sys.modules])
"""
    process = popen([sys.executable, "-c", code], stdout=subprocess.PIPE, env=environment(), text=True)
    said = [line for line in process.communicate(timeout=60)[0].splitlines() if line.startswith("heavy:")]
    assert said == [f"heavy: {' '.join(args)} []" for args in asked]


@pytest.mark.parametrize("name", ["bash", "zsh", "fish"])
def test_shell_completion_script(name: str) -> None:
    if name == "bash" and not Path("/bin/bash").exists():
        pytest.skip("click asks bash for its version")
    ended = (run if name == "bash" else run_here)(_LIARSDICE_COMPLETE=f"{name}_source")
    assert (ended.code, ended.err) == (0, "")
    assert "_liarsdice_completion" in ended.out


@pytest.mark.parametrize(
    ("words", "completions"),
    [
        ("liarsdice ", [f"plain,{name}" for name in COMMANDS]),
        ("liarsdice info --dealing ", ["plain,ordered", "plain,multiset", "plain,staged"]),
        ("liarsdice info ", ["file,"]),
        ("liarsdice verify game.efg ", ["file,"]),
        ("liarsdice build -o ", ["file,"]),
        ("liarsdice solve game.efg -o ", ["file,"]),
    ],
)
def test_shell_completion(words: str, completions: list[str]) -> None:
    ended = run_here(_LIARSDICE_COMPLETE="bash_complete", COMP_WORDS=words, COMP_CWORD=str(words.count(" ")))
    assert (ended.code, ended.out.splitlines(), ended.err) == (0, completions, "")


# From rules to an evaluated profile


@posix
def test_a_game_is_built_into_a_pipe_and_solved_from_it() -> None:
    build, solve = (shlex.join(command_line(*args)) for args in (("build", "--sides", 2), ("solve", "-", "--json")))
    (profile,) = document(shell(f"{build} | {solve}"), "solve")["profiles"]
    assert (profile["quasi_perfect"], profile["payoffs"]) == (True, ["1/2", "1/2"])


def test_build_solve_and_verify_through_files(tmp_path: Path) -> None:
    assert run_here("build", "--sides", 2, "-o", "game.efg", cwd=tmp_path) == (0, "", "")
    solved = run_here("solve", "game.efg", "-o", "profile.json", cwd=tmp_path)
    assert (solved.code, solved.err) == (0, "")
    by_file = run_here("verify", "game.efg", "profile.json", cwd=tmp_path)
    assert (by_file.code, by_file.err) == (0, "")
    assert run_here("verify", "--sides", 2, "profile.json", cwd=tmp_path) == by_file
    assert document(run_here("verify", "game.efg", "profile.json", "--json", cwd=tmp_path), "verify")["quasi_perfect"]
    assert sorted(file.name for file in tmp_path.iterdir()) == ["game.efg", "profile.json"]


def test_info_of_rules_and_of_a_file_agree(folder: Path) -> None:
    by_rules = run_here("info", "--sides", 2)
    assert (by_rules.code, by_rules.err) == (0, "")
    game = folder / "game.efg"
    assert run_here("info", game) == run_here("info", "-", input=game.read_bytes()) == by_rules
    of_file, of_rules = (document(run_here("info", *asked, "--json"), "info") for asked in ((game,), ("--sides", 2)))
    assert of_file | {"source": None, "rules": of_rules["rules"]} == of_rules


def test_info_counts_a_game_of_any_size() -> None:
    content = document(run_here("info", "--sides", 6, "--json"), "info")
    assert content == {
        "schema": "liarsdice/info/1",
        "source": None,
        "rules": {"preset": "classic", "sides": 6, "dice": [1, 1], "payoffs": "win"},
        "subgame": None,
        "title": "Liar's Dice: classic rules, 6 sides, dice 1,1, payoffs win",
        "players": ["Player 1", "Player 2"],
        "nodes": 4_947_802_324_957,
        "decision_nodes": 2_473_901_162_496,
        "chance_nodes": 1,
        "terminal_nodes": 2_473_901_162_460,
        "infosets": [206_158_430_208, 206_158_430_208],
        "constant_sum": True,
        "perfect_recall": True,
        "costs": [],
    }


def test_info_estimates_the_cost_of_solving_a_large_game() -> None:
    larger, smaller = (
        document(run_here("info", "--rules", "common", "--dice", dice, "--json"), "info")["costs"] for dice in ("4,4", "3,3")
    )
    assert [one["target"] for one in larger] == [one["target"] for one in smaller] == [1e-2, 1e-3]
    for more, less in zip(larger, smaller, strict=True):
        assert more["bytes"] > less["bytes"]
        assert more["processor_seconds"] > less["processor_seconds"] > less["seconds_on_16_cores"]
    assert larger[1]["processor_seconds"] > larger[0]["processor_seconds"]
    assert "payoffs 1 and -1): about" in run_here("info", "--rules", "common", "--dice", "4,4").out
    for unknown in ("--dice", "2,2,2"), ("--sides", 3), ("--sides", 30, "--dice", "3,3"), ("--dice", "4,4", "--stairs"):
        assert document(run_here("info", "--rules", "common", *unknown, "--json"), "info")["costs"] == []


@pytest.mark.parametrize(("mode", "chance_nodes"), [("ordered", 1), ("multiset", 1), ("staged", 4)])
def test_a_built_file_has_the_number_of_nodes_that_info_counts(mode: str, chance_nodes: int) -> None:
    asked = ("--rules", "common", "--sides", 2, "--dice", "2,1", "--dealing", mode)
    counted, built = document(run_here("info", *asked, "--json"), "info"), run_here("build", *asked)
    read = document(run_here("info", "-", "--json", input=built.out.encode()), "info")
    assert read | {"source": None, "rules": counted["rules"]} == counted
    assert counted["chance_nodes"] == chance_nodes
    assert len(re.findall(r"^[cpt] ", built.out, re.MULTILINE)) == counted["nodes"]


def test_info_of_a_game_with_imperfect_recall() -> None:
    content = document(run_here("info", FORGETFUL, "--json"), "info")
    assert (content["players"], content["perfect_recall"], content["constant_sum"]) == (["Driver"], False, False)


@pytest.mark.parametrize("game", [KUHN, FORGETFUL, ROOT / "sample_games" / "seltens-horse.efg"], ids=lambda path: path.stem)
def test_json_of_solve_verify_and_profiles_matches_the_schemas(game: Path, tmp_path: Path) -> None:
    solved = document(run_here("solve", game, "--json", "-o", tmp_path / "profile.json"), "solve")
    verified = document(run_here("verify", game, tmp_path / "profile.json", "--json"), "verify")
    kept = document(Ended(0, (tmp_path / "profile.json").read_text(), ""), "profile")
    first = solved["profiles"][0]
    assert kept["sets"] == first["probabilities"]
    assert all(verified[key] == first[key] for key in ("payoffs", "regrets", "equilibrium", "exploitability", "bounds"))
    assert solved["source"] == str(game)


def test_json_of_solve_names_the_rules_and_floats_are_numbers(tmp_path: Path) -> None:
    kept = tmp_path / "profile.json"
    asked = ("--method", "logit", "--target", "0.1", "--json", "-o", kept)
    content = document(run_here("solve", "--rules", "common", "--sides", 2, *asked), "solve")
    assert content["rules"] == {"preset": "common", "sides": 2, "dice": [1, 1], "payoffs": "win"}
    assert content["arithmetic"] == "float"
    payoffs = content["profiles"][0]["payoffs"]
    assert [type(payoff) for payoff in payoffs] == [float, float]
    document(Ended(0, kept.read_text(), ""), "profile")


def test_a_profile_is_written_to_standard_output_and_read_from_standard_input() -> None:
    profile = run_here("solve", PENNIES, "-o", "-").out
    assert document(run_here("verify", PENNIES, "-", "--json", input=profile), "verify")["payoffs"] == ["0", "0"]


@pytest.mark.parametrize(
    "asked",
    [
        ["outcomes", "-"],
        ["impartial", "takeaway", 5, "1,2"],
        ["impartial", "nim", 2, 1],
        ["impartial", "positions", "-"],
        ["impartial", "grundy", "kayles 3"],
    ],
)
def test_a_game_on_standard_output_is_the_only_output(asked: list[object]) -> None:
    table = "move,move,Ann,Bob\nL,l,1,0\nL,r,0,1\nR,,1,1\n" if "outcomes" in asked else "from,to\na,b\nb,\n"
    ended = run_here(*asked, "-o", "-", input=table)
    assert (ended.code, ended.err) == (0, "")
    assert run_here("convert", "-", "-", input=ended.out) == ended
    assert run_here(*asked, "-o", "-", "--json", input=table).code == 2


def test_labels_are_printed_unchanged() -> None:
    game = 'EFG 2 R "t" { "A :cat:" } p "" 1 1 "x:a:y [red]" { ":b: [bold]" "no" } 0 t "" 1 "" { 1 } t "" 2 "" { 0 }'
    ended = run_here("solve", "-", "--method", "enumpure", input=game)
    assert ended.code == 0
    assert "A :cat:\n" in ended.out
    assert re.search(r"^x:a:y \[red\] +:b: \[bold\] 1$", ended.out, re.MULTILINE)


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_labels_print_in_any_encoding(encoding: str) -> None:
    game = 'EFG 2 R "日本" { "Änn" } p "" 1 1 "日" { "ü" } 0 t "" 1 "" { 1 }'
    ended = run("solve", "-", input=game, PYTHONUTF8="0", PYTHONIOENCODING=encoding)
    assert (ended.code, ended.err) == (0, "")


# Formats and locations of files


def test_gzip_in_and_out(folder: Path, tmp_path: Path) -> None:
    plain = (folder / "game.efg").read_bytes()
    for name in ("1.efg.gz", "2.efg.gz"):
        assert run_here("build", "--sides", 2, "-o", tmp_path / name) == (0, "", "")
    packed = (tmp_path / "1.efg.gz").read_bytes()
    assert gzip.decompress(packed) == plain
    assert packed == (tmp_path / "2.efg.gz").read_bytes()
    assert (
        run_here("info", tmp_path / "1.efg.gz") == run_here("info", "-", input=packed) == run_here("info", folder / "game.efg")
    )
    assert run_here("convert", tmp_path / "1.efg.gz", "-") == (0, plain.decode(), "")
    assert run_here("solve", PENNIES, "-o", tmp_path / "profile.json.gz").code == 0
    assert run_here("verify", PENNIES, tmp_path / "profile.json.gz").code == 0


@pytest.mark.parametrize(
    "game", mostly_slow([PENNIES, KUHN, ROOT / "sample_games" / "seltens-horse.efg"]), ids=lambda path: path.stem
)
def test_a_converted_nfg_file_has_the_strategic_form_of_gambit(game: Path, tmp_path: Path) -> None:
    gambit = importlib.import_module("pygambit")
    assert run_here("convert", game, tmp_path / "game.nfg") == (0, "", "")
    ours, theirs = gambit.read_nfg(str(tmp_path / "game.nfg")), gambit.read_efg(str(game))
    assert ours.title == theirs.title
    assert [str(player) for player in ours.players] == [str(player) for player in theirs.players]
    for mine, its in zip(ours.to_arrays(), theirs.to_arrays(), strict=True):
        assert mine.shape == its.shape
        assert sorted(map(str, mine.flatten())) == sorted(map(str, its.flatten()))


def test_build_writes_nfg_if_the_file_name_ends_in_nfg(tmp_path: Path) -> None:
    assert run_here("build", "--rules", "common", "--sides", 1, "-o", tmp_path / "game.nfg") == (0, "", "")
    assert (tmp_path / "game.nfg").read_text().startswith("NFG 1 R \"Liar's Dice: common rules, 1 side, ")


@pytest.mark.parametrize("asked", [("--sides", 3), ("--rules", "common", "--sides", 4)])
def test_the_strategic_form_of_a_large_game_is_refused(asked: tuple[object, ...], tmp_path: Path) -> None:
    assert_refused(run_here("build", *asked, "-o", tmp_path / "game.nfg"))
    assert list(tmp_path.iterdir()) == []


def test_output_that_cannot_be_written_is_named(folder: Path, tmp_path: Path) -> None:
    for args in (("build", "--sides", 2), ("solve", PENNIES), ("convert", PENNIES)):
        option = () if args[0] == "convert" else ("-o",)
        missing = tmp_path / "missing" / "file"
        assert_refused(run_here(*args, *option, missing), str(missing))
        assert_refused(run_here(*args, *option, tmp_path), str(tmp_path))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@full_device
@pytest.mark.parametrize("line", ["build --sides 2", "convert {game} -", "info --sides 2", "--help"])
def test_writing_standard_output_to_a_full_disk_is_an_error(line: str) -> None:
    with open("/dev/full", "wb") as full:
        ended = end_of(start(*line.format(game=PENNIES).split(), stdout=full.fileno()))
    assert_refused(ended, os.strerror(errno.ENOSPC))


@full_device
def test_writing_a_file_to_a_full_disk_is_an_error() -> None:
    assert_refused(run("build", "--sides", 2, "-o", "/dev/full"), "/dev/full", os.strerror(errno.ENOSPC))


@pytest.mark.slow
@full_device
def test_writing_standard_error_to_a_full_disk_does_not_change_the_exit_code() -> None:
    with open("/dev/full", "wb") as full:
        assert end_of(start("info", stderr=full.fileno())).code == 2


@posix
@pytest.mark.parametrize("args", mostly_slow(["build --sides 4", "info --sides 2", "solve {game}", "--help"]))
def test_a_closed_output_pipe_ends_the_command_quietly(args: str) -> None:
    line = shlex.join(command_line(*args.format(game=shlex.quote(str(PENNIES))).split()))
    done = shell(f"{{ {line}; echo $? >&2; }} | head -c 1 >&2")
    assert done.err[1:] == "0\n" or done.err[:-1] == "0\n", done.err


@posix
@pytest.mark.slow
def test_a_pipe_closed_before_the_first_byte_ends_the_command_quietly() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as pipe:
        ended = end_of(start("solve", PENNIES, stdout=pipe.fileno()))
    assert ended == (0, "", "")


@posix
@pytest.mark.slow
@pytest.mark.parametrize("closed", [">&-", "<&-", "2>&-"])
def test_closed_standard_streams_do_no_harm(closed: str, tmp_path: Path) -> None:
    line = shlex.join(command_line("build", "--sides", "2", "-o", str(tmp_path / "game.efg")))
    assert shell(f"{line} {closed}") == (0, "", "")
    assert run_here("info", tmp_path / "game.efg").code == 0


# Unusable input

RUBBISH = {
    "rubbish": b"nothing of the kind\n",
    "nothing": b"",
    "binary": bytes(range(256)),
    "a strategic game": b'NFG 1 R "t" { "A" } { 1 } 1',
    "gzip cut short": gzip.compress(b'EFG 2 R "t" { "A" } t "" 0' * 100)[:-20],
    "gzip of rubbish": gzip.compress(b"rubbish"),
    "gzip header alone": b"\x1f\x8b",
}


@pytest.mark.parametrize("content", RUBBISH.values(), ids=list(RUBBISH))
def test_rubbish_is_refused_in_one_line_that_names_its_source(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(content)
    assert_refused(run_here("info", "-", input=content), "standard input")
    for command in ("info", "solve"):
        assert_refused(run_here(command, tmp_path / "file"), str(tmp_path / "file"))
    assert_refused(run_here("convert", tmp_path / "file", tmp_path / "out.efg"), str(tmp_path / "file"))
    assert_refused(run_here("verify", PENNIES, tmp_path / "file"), str(tmp_path / "file"))
    assert [file.name for file in tmp_path.iterdir()] == ["file"]


def test_input_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    for command in ("info", "solve"):
        assert_refused(run_here(command, tmp_path / "none.efg"), str(tmp_path / "none.efg"))
        assert_refused(run_here(command, tmp_path), str(tmp_path))
    assert_refused(run_here("verify", PENNIES, tmp_path / "none.json"), str(tmp_path / "none.json"))


@posix
@pytest.mark.skipif(os.name == "posix" and os.geteuid() == 0, reason="root may read everything")
def test_input_without_read_permission_is_named(tmp_path: Path) -> None:
    locked = tmp_path / "locked.efg"
    locked.write_bytes(PENNIES.read_bytes())
    locked.chmod(0)
    assert_refused(run_here("info", locked), str(locked), os.strerror(errno.EACCES))


@pytest.mark.parametrize("name", ["rubbish", "empty", "binary", "game.efg"])
def test_a_file_that_is_not_a_profile_is_refused(name: str, folder: Path) -> None:
    assert_refused(run_here("verify", folder / "game.efg", folder / name), str(folder / name))


@pytest.mark.parametrize("numbers", [["1", "1", "0", "0"], ["2", "-1", "0", "0"], [0.5, 0.6, 0, 0]])
def test_invalid_probabilities_are_never_evaluated_silently(numbers: list[object], folder: Path, tmp_path: Path) -> None:
    profile = json.loads((folder / "profile.json").read_text())
    profile["sets"][0]["probabilities"] = numbers
    (tmp_path / "bad.json").write_text(json.dumps(profile))
    ended = run_here("verify", folder / "game.efg", tmp_path / "bad.json")
    if ended.code:
        assert_refused(ended, "bad.json")
    else:
        assert json.loads(run_here("verify", folder / "game.efg", tmp_path / "bad.json", "--json").out)["completed"] == 1


def test_an_incomplete_profile_is_completed_and_reported_as_such(folder: Path, tmp_path: Path) -> None:
    profile = json.loads((folder / "profile.json").read_text())
    (tmp_path / "part.json").write_text(json.dumps(profile | {"sets": profile["sets"][:30]}))
    content = document(run_here("verify", "--sides", 2, tmp_path / "part.json", "--json"), "verify")
    assert content["completed"] == 2


# Invalid command lines


@pytest.mark.slow
def test_usage_errors_of_a_real_process_are_the_same() -> None:
    for args in (("info",), ("build", "--sides", "six")):
        assert run(*args) == run_here(*args)


def test_a_game_too_large_for_a_tree_is_solved_without_its_impossible_bids(tmp_path: Path) -> None:
    ended = run_here("solve", "--sides", 4, "-o", tmp_path / "profile.json", "--json")
    content = document(ended, "solve")
    assert content["nodes"] == 2_097_137
    assert str(content["solved_on"]).startswith("solved without the bids of 3 or more dice")
    assert content["profiles"][0]["payoffs"] == ["7/16", "9/16"]
    verified = document(run_here("verify", "--sides", 4, tmp_path / "profile.json", "--json"), "verify")
    assert (verified["equilibrium"], verified["solved_on"]) == (True, content["solved_on"])


@pytest.mark.parametrize("history", ["opening", "1x1", "1x1 1x2"])
def test_show_prints_the_strategy_of_each_roll_after_a_history(history: str, folder: Path) -> None:
    content = document(run_here("show", folder / "game.efg", history, "--json"), "show")
    (page,) = content["shown"]
    assert " ".join(page["history"]) == history.removeprefix("opening")
    assert len(page["infosets"]) == 2
    text = run_here("show", folder / "game.efg", history)
    assert (text.code, text.err) == (0, "")
    after = history if history == "opening" else f"after {history}"
    assert f"\nplayer {page['player']}, {after}; reached with probability {page['reach']}\n" in text.out


def test_an_unexpected_error_is_one_line_unless_debugging(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("liarsdice_cli.report.facts.game_json", mock.Mock(side_effect=ZeroDivisionError("of all things")))
    monkeypatch.delenv("LIARSDICE_DEBUG", raising=False)
    ended = run_here("info", PENNIES, "--json")
    assert ended.code == 1
    assert ended.err == (
        "liarsdice: internal error (ZeroDivisionError: of all things); please report it, with LIARSDICE_DEBUG=1 set\n"
    )
    monkeypatch.setenv("LIARSDICE_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        run_here("info", PENNIES, "--json")


class InterruptedImport(MetaPathFinder):
    """Raises KeyboardInterrupt when a module is imported."""

    def __init__(self, name: str) -> None:
        self.name = name

    def find_spec(self, fullname: str, *others: object) -> None:
        if fullname == self.name:
            raise KeyboardInterrupt


def test_an_interrupt_while_the_program_is_imported_counts_as_an_interrupt(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delitem(sys.modules, main.__name__)
    monkeypatch.setattr(sys, "meta_path", [InterruptedImport(main.__name__), *sys.meta_path])
    with pytest.raises(SystemExit) as ended:
        entry.main()
    assert (ended.value.code, capsys.readouterr().err) == (130, "liarsdice: interrupted\n")


def test_an_import_error_caused_by_an_interrupt_counts_as_an_interrupt(monkeypatch: pytest.MonkeyPatch) -> None:
    error = ImportError("initialization failed")
    error.__cause__ = KeyboardInterrupt()
    monkeypatch.setattr("liarsdice_cli.report.facts.game_json", mock.Mock(side_effect=error))
    ended = run_here("info", PENNIES, "--json")
    assert (ended.code, ended.err) == (130, "liarsdice: interrupted\n")


_TEXTS = st.text(max_size=6).filter(lambda text: "\0" not in text)
_NUMBERS = st.integers(-2, 8).map(str) | st.sampled_from(["", "x", "1.5", "100", "101", "9" * 30, "1_0", "٣", "nan"])
_RULES = {
    "--rules": st.sampled_from(["classic", "common", "joker", "top-wild", "face-first", "ones-low", "dudo", "perudo", "snyd"])
    | _TEXTS,
    "--sides": _NUMBERS,
    "--dice": st.lists(st.integers(0, 3), max_size=7).map(lambda dice: ",".join(map(str, dice))) | _NUMBERS | _TEXTS,
    "--max-quantity": _NUMBERS,
    "--wild": _NUMBERS | st.just("none") | _TEXTS,
    "--order": st.sampled_from(["quantity", "face"]) | _TEXTS,
    "--payoffs": st.sampled_from(["win", "zero-sum"]) | _TEXTS,
    "--dealing": st.sampled_from(["ordered", "multiset", "staged"]) | _TEXTS,
}
_OTHERS = {
    "--method": st.sampled_from(["auto", "lp", "lcp", "logit", "dcfr+"]) | _TEXTS,
    "--arithmetic": st.sampled_from(["rational", "float"]) | _TEXTS,
    "--form": st.sampled_from(["extensive", "strategic"]) | _TEXTS,
    "--time-limit": _NUMBERS,
    "--max-profiles": _NUMBERS,
    "--target": _NUMBERS,
    "--iterations": _NUMBERS,
    "--labels": st.sampled_from(["auto", "full", "none"]) | _TEXTS,
}


def _options(known: dict[str, st.SearchStrategy[str]], most: int = 3) -> st.SearchStrategy[list[str]]:
    """Draw some of the options with values, valid or not."""
    pairs = st.sampled_from(list(known)).flatmap(lambda name: known[name].map(lambda value: [name, value]))
    return st.lists(pairs, max_size=most).map(lambda lists: [word for pair in lists for word in pair])


def _assert_one_line_or_data(ended: Ended) -> None:
    assert ended.code in (0, 1, 2)
    if ended.code:
        assert_refused(ended, code=ended.code)
    else:
        assert ended.err == ""
        assert ended.out


@given(_options(_RULES, most=5), st.booleans())
@examples(250)
def test_random_rules_are_counted_or_refused(asked: list[str], as_json: bool) -> None:
    ended = run_here("info", *asked, *["--json"] * as_json)
    _assert_one_line_or_data(ended)
    assert ended.code in (0, 2)


@given(_options(_RULES, most=5), st.sampled_from(["auto", "full", "none"]))
@examples(120)
def test_random_rules_are_built_as_counted_or_refused(asked: list[str], labels: str) -> None:
    counted = run_here("info", *asked, "--json")
    facts: dict[str, Any] = json.loads(counted.out) if counted.code == 0 else {"nodes": 0}
    if facts["nodes"] > 20_000 and max(facts["infosets"]) < 2**31:
        return  # it could be built, but not quickly
    built = run_here("build", *asked, "--labels", labels)
    _assert_one_line_or_data(built)
    if built.code == 0 and counted.code == 0:
        read = json.loads(run_here("info", "-", "--json", input=built.out.encode()).out)
        assert read == facts | {"source": "-", "rules": None}


_SPECIAL = ["game.efg", "profile.json", "rubbish", "empty", "binary", "missing", ".", "-", ""]


@given(
    st.tuples(st.just("info"), _options(_RULES | _OTHERS, most=3))
    | st.tuples(st.just("verify"), _options(_OTHERS, most=1))
    | st.tuples(st.just("solve"), _options(_OTHERS)),
    st.lists(st.sampled_from(_SPECIAL), max_size=3),
)
@examples(200, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_random_files_and_options_never_break_the_program(
    folder: Path, command: tuple[str, list[str]], names: list[str]
) -> None:
    if command[0] == "solve":
        names = [name for name in names if name != "game.efg"]  # methods have tests of their own
    with _inside(folder):
        ended = run_here(command[0], *names, *command[1])
    _assert_one_line_or_data(ended)


@contextmanager
def _inside(folder: Path):  # type: ignore[no-untyped-def]
    """Work in a folder temporarily, as with contextlib.chdir; Hypothesis enters it for every example."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


# Time limits and signals


def test_the_time_limit_ends_a_long_computation_with_exit_code_3(tmp_path: Path) -> None:
    long = ("solve", "--sides", 2, "--method", "enumpure", "--time-limit")
    ended = run_here(*long, 0.1, "--json")
    content = document(ended, "solve")
    assert ended.code == 3
    assert (content["finished"], content["profiles"]) == (False, [])
    refused = run_here(*long, 0.1, "-o", tmp_path / "profile.json")
    assert_refused(refused, code=3)
    assert list(tmp_path.iterdir()) == []


@posix
@pytest.mark.slow
@pytest.mark.parametrize("name", ["SIGHUP", "SIGINT", "SIGTERM"])
def test_an_interrupted_build_leaves_the_folder_as_it_was(name: str, tmp_path: Path) -> None:
    target = tmp_path / "game.efg"
    target.write_text("what was there before\n")
    process = start("build", "--sides", 5, "-o", target)
    wait_for(lambda: written(tmp_path))
    assert end_by(process, name) == (130, "", "liarsdice: interrupted\n")
    assert [file.name for file in tmp_path.iterdir()] == ["game.efg"]
    assert target.read_text() == "what was there before\n"


@posix
@pytest.mark.slow
def test_an_interrupted_build_leaves_no_new_file(tmp_path: Path) -> None:
    process = start("build", "--sides", 5, "-o", tmp_path / "game.efg.gz")
    wait_for(lambda: list(tmp_path.iterdir()))
    assert end_by(process, "SIGINT") == (130, "", "liarsdice: interrupted\n")
    assert list(tmp_path.iterdir()) == []


@posix
def test_an_interrupt_within_exec_ends_with_the_same_exit_code(tmp_path: Path) -> None:
    interrupted = "main.cli.main = lambda *_, **__: exec('raise KeyboardInterrupt')"
    text = f"from liarsdice_cli.cli import main\n{interrupted}\nmain.main([])\n"
    (tmp_path / "interrupted.py").write_text(text)
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = popen([sys.executable, "-m", "interrupted"], cwd=tmp_path, env=environment(), **pipes)
    assert end_of(process) == (130, "", "liarsdice: interrupted\n")


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks for children in /proc")
@pytest.mark.parametrize("name", mostly_slow(["SIGTERM", "SIGINT"]))
def test_an_interrupted_solver_ends_its_child_process(name: str, tmp_path: Path) -> None:
    process = start("solve", "--sides", 2, "--method", "enumpure", "-o", tmp_path / "profile.json")
    wait_for(lambda: any(seconds_used(child) > 0.2 for child in children(process.pid)))  # the method has started
    mine = children(process.pid)
    assert end_by(process, name) == (130, "", "liarsdice: interrupted\n")
    wait_for(lambda: not any(map(alive, mine)), 5)
    assert list(tmp_path.iterdir()) == []


# Terminals


def shown_while_building(tmp_path: Path, *args: object, **env: str) -> str:
    """Interrupt a build once it has shown progress or, if quiet, written something; return the text of the terminal."""
    terminal = Terminal()
    process = start("build", "--sides", 5, "-o", tmp_path / "game.efg", *args, stderr=terminal.slave, **env)
    wait_for(lambda: terminal.read() or b"%" in terminal.text or ("--quiet" in args and written(tmp_path)))
    ended = end_by(process, "SIGINT")
    text = terminal.close()
    assert (ended.code, ended.out) == (130, "")
    assert text.endswith("\r\nliarsdice: interrupted\r\n")
    return text


def written(folder: Path) -> int:
    """Return the number of bytes of a file that a build has written so far."""
    return sum(file.stat().st_size for file in folder.glob(".*.part"))


COLOUR = re.compile(r"\x1b\[(?:\d+;)*(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])[;m]")


@posix
@pytest.mark.slow
@pytest.mark.parametrize("plain", [False, True])
def test_a_long_build_shows_its_progress_on_a_terminal_and_respects_no_color(plain: bool, tmp_path: Path) -> None:
    text = shown_while_building(tmp_path, **{"NO_COLOR": "1"} if plain else {})
    assert "writing" in text
    assert bool(COLOUR.search(text)) != plain


@posix
@pytest.mark.slow
def test_a_quiet_build_shows_nothing_on_a_terminal(tmp_path: Path) -> None:
    assert shown_while_building(tmp_path, "--quiet") == "\r\nliarsdice: interrupted\r\n"


@posix
@pytest.mark.slow
@pytest.mark.parametrize("quiet", [(), ("--quiet",)])
def test_progress_is_erased_from_the_terminal_before_the_result(quiet: tuple[str, ...]) -> None:
    terminal = Terminal()
    done = end_of(start("solve", "--sides", 2, "--method", "enumpure", "--time-limit", 1.2, *quiet, stderr=terminal.slave))
    text = terminal.close()
    assert done.code == 3
    assert done.out.startswith("Liar's Dice")
    if quiet:
        assert text == ""
    else:
        assert "solving by enumpure" in text
        assert text.endswith("\r\x1b[1A\x1b[2K")  # the cursor goes up to the spinner's line and erases it
