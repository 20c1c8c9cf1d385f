"""Check that only `system` depends on the operating system, and that the commands run without features of POSIX.

These tests do not run on Windows; `tests/support/windows` simulates it for the project's modules. `make types` has mypy check
every line of code for Windows and for macOS.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from liarsdice_cli import games
from tests.support.command_line import KUHN, PENNIES, ROOT, Ended, command_line, end_of, environment, run, run_here
from tests.support.processes import popen

WINDOWS = ROOT / "tests" / "support" / "windows"
PACKAGE = Path(games.__file__).parents[1]
POSIX_ONLY = re.compile(
    r"sys\.platform|os\.name\b|platform\.system|/dev/"
    r"|\bimport (fcntl|grp|pty|pwd|readline|resource|termios|tty)\b"
    r"|os\.(fork|killpg|setsid|getuid|geteuid|umask|sysconf|sched_\w+|mkfifo|getpgid|uname)\b"
    r"|signal\.(SIGHUP|SIGKILL|SIGALRM|SIGUSR\d|SIGPIPE|SIGCHLD|SIGQUIT|pthread_\w+|alarm|setitimer|pause)"
)
linux = pytest.mark.skipif(sys.platform != "linux", reason="what Windows would show is made from Linux")


def on_windows(*arguments: object, input: str = "", cwd: Path | None = None) -> Ended:
    """Run the command line as on Windows."""
    return python_on_windows(*command_line(*arguments)[1:], input=input, cwd=cwd)


def python_on_windows(*arguments: str, input: str = "", cwd: Path | None = None) -> Ended:
    """Run Python as on Windows: pipes use cp1252, and to open a text file without an encoding is an error."""
    shown = environment(
        PYTHONPATH=os.pathsep.join([str(WINDOWS), str(ROOT)]),
        PYTHONUTF8="0",
        PYTHONIOENCODING="cp1252",
        PYTHONWARNDEFAULTENCODING="1",
    )
    pipe = subprocess.PIPE
    process = popen([sys.executable, *arguments], stdin=pipe, stdout=pipe, stderr=pipe, cwd=cwd, env=shown)
    return end_of(process, input.encode())


def test_only_system_depends_on_the_operating_system() -> None:
    found = {
        str(file.relative_to(PACKAGE).as_posix()): match[0]
        for file in PACKAGE.rglob("*.py")
        if file.parent.name != "system"
        for match in [POSIX_ONLY.search(file.read_text("utf-8"))]
        if match is not None
    }
    assert found == {}


@pytest.mark.slow
@linux
def test_every_module_can_be_imported_on_windows() -> None:
    names = [
        ".".join(file.relative_to(ROOT).with_suffix("").parts) for file in PACKAGE.rglob("*.py") if "__main__" not in str(file)
    ]
    ended = python_on_windows("-c", f"for name in {sorted(names)!r}: __import__(name.removesuffix('.__init__'))")
    assert (ended.code, ended.err) == (0, "")


@linux
@pytest.mark.slow
def test_files_are_byte_for_byte_the_same_on_windows(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    for folder, command in ((here, run), (there, on_windows)):
        folder.mkdir()
        for line in (
            "build --sides 2 -o game.efg",
            "build --sides 2 -o game.efg",  # overwrites the file
            "solve game.efg -o profile.json",
            "draw game.efg --profile profile.json -o tree.svg",
            "explore --sides 2 -o page.html",
            "values --sides 2..3 --dice 1,1 --rules joker -o values.csv",
            "solve --sides 3 --method dcfr --iterations 50 -o strategy.ldz --checkpoint going.state",
            "solve --sides 3 --method dcfr --iterations 100 --checkpoint going.state -o strategy.ldz",
        ):
            ended = command(*line.split(), cwd=folder)
            assert ended.code == 0, (line, ended)
    names = sorted(path.name for path in here.iterdir())
    assert names == sorted(path.name for path in there.iterdir())
    for name in names:
        if name not in ("going.state", "values.csv"):  # these contain durations
            assert (here / name).read_bytes() == (there / name).read_bytes(), name
    assert b"\r" not in (there / "values.csv").read_bytes()


LINES = [
    f"draw {KUHN} --depth 2",
    "play honest --seed 1",
    "info --sides 6",
    "rules joker",
    f"solve {PENNIES} --method enummixed --time-limit 60",
    "probability 1,4 3 --rules dudo",
    "arena zero-intelligence honest --sides 3 --rounds 100 --seed 1",
    "exploit honest --sides 2",
    "values --sides 2..3 --cluster local:2",
    "match --sides 2 --dice 2,1",
]
ONE_BY_ONE = """
import sys
from liarsdice_cli.cli import main
main._prepare()
sys.exit(any([main.run(line.split()) for line in sys.argv[1:]]))
"""


@pytest.mark.slow
@linux
@pytest.mark.parametrize("lines", [LINES[:2], pytest.param(LINES, marks=pytest.mark.slow)], ids=["some", "all"])
def test_commands_run_on_windows(lines: list[str]) -> None:
    """All run in one process, because it takes longer to start a process than to run any of them."""
    ended = python_on_windows("-c", ONE_BY_ONE, *lines, input="1x2\ncall\nquit\n")
    assert (ended.code, "Traceback" in ended.err) == (0, False), ended
    assert "\r" not in ended.out
    assert "Your dice: [" in ended.out


@linux
@pytest.mark.slow
def test_dice_are_printed_as_numbers_if_the_encoding_lacks_die_faces() -> None:
    ended = on_windows("play", "honest", "--hints", "--seed", "1", input="1x2\ncall\nquit\n")
    assert ended.code == 0, ended
    assert "Your dice: [" in ended.out


@pytest.mark.slow
@linux
def test_json_is_the_same_on_windows(tmp_path: Path) -> None:
    told = [command("info", "--sides", "4", "--json").out for command in (run_here, on_windows)]
    assert told[0] == told[1]
    assert json.loads(told[0])["nodes"] == 2097137


@pytest.mark.slow
@linux
def test_the_path_of_a_strategy_file_may_name_a_drive() -> None:
    ended = on_windows("arena", "equilibrium:C:\\games\\none.ldz", "honest", "--sides", "3", "--rounds", "10")
    assert ended.code == 1
    assert ended.err.startswith("liarsdice: cannot read C:\\games\\none.ldz: "), ended.err


@linux
def test_free_memory_comes_from_windows() -> None:
    ended = python_on_windows("-c", "from liarsdice_cli.system import memory; print(memory.available())")
    assert 0 < int(ended.out) < 8 << 30


def test_the_tests_themselves_do_not_simulate_windows() -> None:
    assert str(WINDOWS) not in sys.path
