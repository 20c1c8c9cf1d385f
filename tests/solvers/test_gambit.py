"""Gambit's methods: results and refusals, here and in child processes; no child outlives a run."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

import pytest

from liarsdice_cli.errors import LiarsDiceError, UsageError
from liarsdice_cli.progress import Progress
from liarsdice_cli.solvers import gambit
from liarsdice_cli.solvers.gambit import GambitRun, run
from liarsdice_cli.solvers.gambit_methods import METHODS
from liarsdice_cli.solvers.request import Request
from liarsdice_cli.system.processes import Child
from tests.support import gambit_here
from tests.support.command_line import alive, wait_for
from tests.support.gambit_here import RealProcess
from tests.support.processes import popen
from tests.support.progress import Recorded
from tests.support.properties import mostly_slow

PENNIES = b"""EFG 2 R "Matching pennies" { "A" "B" }
p "" 1 1 "1" { "h" "t" } 0
p "" 2 1 "2" { "h" "t" } 0
t "" 1 "won" { 1 -1 }
t "" 2 "lost" { -1 1 }
p "" 2 1 0
t "" 2
t "" 1
"""

SEXES = b"""EFG 2 R "Battle of the sexes" { "A" "B" }
p "" 1 1 "1" { "x" "y" } 0
p "" 2 1 "2" { "x" "y" } 0
t "" 1 "xx" { 3 2 }
t "" 2 "xy" { 1 1 }
p "" 2 1 0
t "" 3 "yx" { 0 0 }
t "" 4 "yy" { 2 3 }
"""

HORSE = b"""EFG 2 R "Selten's horse" { "A" "B" "C" }
p "" 1 1 "1" { "C" "D" } 0
p "" 2 1 "2" { "c" "d" } 0
t "" 1 "Cc" { 1 1 1 }
p "" 3 1 "3" { "L" "R" } 0
t "" 2 "CdL" { 4 4 0 }
t "" 3 "CdR" { 0 0 1 }
p "" 3 1 0
t "" 4 "DL" { 3 2 2 }
t "" 5 "DR" { 0 0 0 }
"""

THREE = b"""EFG 2 R "Three choose at once" { "A" "B" "C" }
p "" 1 1 "1" { "a" "b" } 0
p "" 2 1 "2" { "a" "b" } 0
p "" 3 1 "3" { "a" "b" } 0
t "" 1 "aaa" { 9 8 12 }
t "" 2 "none" { 0 0 0 }
p "" 3 1 0
t "" 2
t "" 3 "abb" { 3 4 6 }
p "" 2 1 0
p "" 3 1 0
t "" 2
t "" 4 "bab" { 9 8 2 }
p "" 3 1 0
t "" 5 "bba" { 3 4 4 }
t "" 2
"""

# Player 1 stays out, so player 1's action at set 30 does not matter.
OUTSIDE = b"""EFG 2 R "Outside option" { "A" "B" }
p "" 1 1 "10" { "out" "in" } 0
t "" 1 "out" { 5 0 }
p "" 2 1 "20" { "x" "y" } 0
p "" 1 2 "30" { "l" "r" } 0
t "" 2 "won" { 1 -1 }
t "" 3 "lost" { -1 1 }
p "" 1 2 0
t "" 3
t "" 2
"""

# Perfect information; numbers, labels and positions of the sets follow different orders.
# BEST: label -> (number of actions, index of the best one).
SCRAMBLED = b"""EFG 2 R "p \\"\\" 1 1 \\"99\\" {" { "A" "B" }
"
p \\"\\" 1 1 \\"98\\" {"
c "" 7 "dice" { "1" 1/3 "2" 1/3 "3" 1/3 } 0
p "" 2 31 "7" { "a" "b" "c" } 0
p "say \\"p\\"" 1 22 "400" { "a" "b" } 0
t "" 1 "A0" { 0 5 }
t "" 2 "A1" { 1 4 }
t "" 3 "B9" { 0 9 }
t "" 4 "B2" { 3 2 }
p "" 1 11 "55" { "a" "b" "c" "d" } 0
p "" 2 5 "3" { "a" "b" } 0
t "" 5 "m" { 8 1 }
t "" 6 "n" { 9 0 }
t "" 7 "o" { 7 7 }
t "" 8 "o2" { 6 7 }
t "" 9 "o3" { 5 7 }
p "" 2 40 "12" { "a" } 0
p "" 1 3 "8" { "e" "d" "c" "b" "a" } 0
t "" 7
t "" 7
t "" 7
t "" 5
t "" 7
"""
BEST = {7: (3, 1), 400: (2, 1), 55: (4, 0), 3: (2, 0), 12: (1, 0), 8: (5, 3)}

FORGETFUL = b"""EFG 2 R "A forgets her own move" { "A" "B" }
p "" 1 1 "1" { "l" "r" } 0
p "" 1 2 "2" { "x" "y" } 0
t "" 1 "won" { 1 -1 }
t "" 2 "lost" { -1 1 }
p "" 1 2 0
t "" 2
t "" 1
"""

INDIFFERENT = PENNIES.replace(b"-1 1", b"1 -1")
ONE_ACTION = b"""EFG 2 R "One action" { "A" "B" }
p "" 1 1 "1" { "a" } 0
p "" 2 1 "2" { "a" "b" } 0
t "" 1 "won" { 1 -1 }
t "" 2 "lost" { -1 1 }
"""
NO_MOVE = b'EFG 2 R "No move" { "A" "B" }\nt "" 1 "end" { 1 -1 }\n'

Job = tuple[bytes, str, dict[str, Any]]
Children = list[Child]


def bimatrix(size: int, payoffs: Callable[[int, int], tuple[int, int]]) -> bytes:
    """Return a game in which both players choose one of `size` actions simultaneously."""
    actions = " ".join(f'"{number}"' for number in range(size))
    lines = ['EFG 2 R "bimatrix" { "A" "B" }', f'p "" 1 1 "1" {{ {actions} }} 0']
    for row in range(size):
        lines.append(f'p "" 2 1 "2" {{ {actions} }} 0')
        for column in range(size):
            first, second = payoffs(row, column)
            number = row * size + column + 1
            lines.append(f't "" {number} "o{number}" {{ {first} {second} }}')
    return "\n".join(lines).encode()


def coordination(size: int) -> bytes:
    """Return a game with an equilibrium for every support: enumpoly finds the first ones at once and then runs for days."""
    return bimatrix(size, lambda row, column: (int(row == column), int(row == column)))


def endless() -> bytes:
    """Return a game for which enummixed runs for hours without output and without releasing the interpreter."""
    chosen = random.Random(1)
    return bimatrix(20, lambda row, column: (chosen.randrange(100), chosen.randrange(100)))


def answers(*jobs: Job) -> list[GambitRun | LiarsDiceError]:
    """Return Gambit's result for each job, or its error."""

    def one(job: Job) -> GambitRun | LiarsDiceError:
        try:
            return run(job[0], Request(job[1], **job[2]))
        except LiarsDiceError as error:
            return error

    return list(map(one, jobs))


@pytest.fixture
def children(monkeypatch: pytest.MonkeyPatch) -> Iterator[Children]:
    """Collect real child processes; at the end, each must have exited and been waited for."""
    started: Children = []

    class Recording(RealProcess):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            started.append(self.child)

    monkeypatch.setattr(gambit, "GambitProcess", Recording)
    yield started
    assert all(child._process.exitcode is not None for child in started)


def pretend(monkeypatch: pytest.MonkeyPatch, folder: Path, source: str) -> None:
    """Replace pygambit by a module: the child searches the same folders as its parent, in the same order."""
    (folder / "pygambit.py").write_text(source)
    monkeypatch.syspath_prepend(folder)


def test_every_method_finds_profiles() -> None:
    games = {"enumpure": HORSE, "enumpure-agent": THREE, "liap-agent": THREE, "gnm": HORSE, "simpdiv": HORSE}
    jobs: list[Job] = [
        (games.get(name, PENNIES), name, {"target": 1e-3} if known.regret_bound else {}) for name, known in METHODS.items()
    ]
    for (efg, name, _), answer in zip(jobs, answers(*jobs), strict=True):
        assert isinstance(answer, GambitRun), (name, answer)
        assert (answer.finished, len(answer.profiles) > 0, answer.note) == (True, True, ""), name
        assert answer.seconds > 0
        assert (answer.arithmetic, answer.form) == (METHODS[name].arithmetic[0], METHODS[name].forms[0])
        number = Fraction if answer.arithmetic == "rational" else float
        for profile in answer.profiles:
            assert set(profile) == set(range(1, 3 if efg is PENNIES else 4))
            for row in profile.values():
                assert len(row) == 2
                assert all(type(p) is number and p >= 0 for p in row)
                assert sum(row) == pytest.approx(1)
                assert efg is not PENNIES or row == pytest.approx((0.5, 0.5), abs=1e-3)


def test_methods_run_in_other_forms_and_arithmetics() -> None:
    table, floats = {"form": "strategic"}, {"arithmetic": "float"}
    first, second = {1: (1, 0), 2: (1, 0)}, {1: (0, 1), 2: (0, 1)}
    mixed = {1: (Fraction(3, 4), Fraction(1, 4)), 2: (Fraction(1, 4), Fraction(3, 4))}
    lcp, enumpoly, lp, *rest = answers(
        (SEXES, "lcp", table),
        (SEXES, "enumpoly", table),
        (PENNIES, "lp", {**table, **floats}),
        (SEXES, "logit", table),
        (SEXES, "lcp", floats),
        (SEXES, "enummixed", floats),
    )
    assert isinstance(lcp, GambitRun)
    assert isinstance(enumpoly, GambitRun)
    assert isinstance(lp, GambitRun)
    assert len(lcp.profiles) == 3
    assert all(profile in lcp.profiles for profile in (first, mixed, second))
    assert len(enumpoly.profiles) == 3
    assert lp.profiles == ({1: (0.5, 0.5), 2: (0.5, 0.5)},)
    for answer in rest:
        assert isinstance(answer, GambitRun)
        assert answer.profiles
        assert all(sum(row) == pytest.approx(1) for profile in answer.profiles for row in profile.values())


def test_labels_identify_their_sets_in_any_order() -> None:
    (profile,) = run(SCRAMBLED, Request("logit")).profiles
    assert {label: (len(row), max(range(len(row)), key=row.__getitem__)) for label, row in profile.items()} == BEST
    assert all(max(row) > 0.99 for row in profile.values())


def test_sets_that_gambit_omits_are_left_out(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)  # the child needs no particular directory
    answer = run(OUTSIDE, Request("enumpure"))
    assert [set(profile) for profile in answer.profiles] == [{10, 20}, {10, 20}]
    assert answer.profiles[0][10] == (1, 0)


def test_games_with_little_to_decide() -> None:
    single, forced = answers((NO_MOVE, "lp", {}), (ONE_ACTION, "lcp", {}))
    assert isinstance(single, GambitRun)
    assert single.profiles == ({},)
    assert isinstance(forced, GambitRun)
    assert forced.profiles == ({1: (1,), 2: (0, 1)},)


def test_refused_games_raise_one_line_errors_with_the_cause() -> None:
    jobs: dict[str, Job] = {
        "lp needs a constant-sum game of two players; try method='lcp'": (SEXES, "lp", {}),
        "lcp needs a game of exactly two players; try method='auto'": (HORSE, "lcp", {}),
        "a player of this game forgets; try method='enumpure-agent'": (FORGETFUL, "logit", {}),
        "liap needs perfect recall": (FORGETFUL, "liap", {}),
        "hp needs a start with a single best response": (INDIFFERENT, "hp", {}),
        "needs a game that Gambit can read, but: Parse error": (b"EFG 2\nR", "gnm", {}),
    }
    for message, answer in zip(jobs, answers(*jobs.values()), strict=True):
        assert isinstance(answer, LiarsDiceError)
        assert not isinstance(answer, UsageError)
        assert message in str(answer)
        assert "\n" not in str(answer)


@pytest.mark.parametrize(
    ("method", "options", "message"),
    [
        ("nash", {}, "no method 'nash'; choose one of lp, lcp"),
        ("gnm", {"arithmetic": "rational"}, "gnm cannot use arithmetic 'rational'; choose float"),
        ("lp", {"form": "agent"}, "form='agent'"),
        ("lp", {"target": 0.1}, "lp takes no target"),
        ("liap", {"target": float("nan")}, "target=nan"),
        ("lp", {"time_limit": 0}, "time_limit=0"),
        ("lp", {"max_profiles": -1}, "max_profiles=-1"),
    ],
)
def test_impossible_requests_are_refused_without_a_child(
    method: str, options: dict[str, Any], message: str, children: Children
) -> None:
    with pytest.raises(UsageError, match=message):
        run(PENNIES, Request(method, **options))
    assert not children


@pytest.mark.slow
@pytest.mark.parametrize(
    ("job", "profiles"),
    [((SEXES, "lcp", {"form": "strategic"}), 3), ((PENNIES, "lp", {"arithmetic": "float"}), 1), ((SEXES, "lp", {}), 0)],
)
def test_a_child_returns_the_same_results_as_this_process(job: Job, profiles: int, children: Children) -> None:
    (there,) = answers(job)
    assert len(children) == 1
    with mock.patch.object(gambit, "GambitProcess", gambit_here.process):
        (here,) = answers(job)
    if isinstance(there, GambitRun) and isinstance(here, GambitRun):
        assert there.profiles == here.profiles
        assert (there.finished, len(there.profiles)) == (True, profiles)
    else:
        assert str(there) == str(here)
        assert not profiles


def test_the_time_limit_ends_the_child_and_keeps_its_profiles(monkeypatch: pytest.MonkeyPatch, children: Children) -> None:
    progress = Recorded()
    monkeypatch.setattr(gambit, "work", gambit_here.endless)
    monkeypatch.setattr(gambit, "time", SimpleNamespace(monotonic=lambda: 100.0 * (progress.done == 2)))
    answer = run(PENNIES, Request("enumpoly", time_limit=60), progress)
    assert (answer.finished, answer.note, answer.seconds) == (False, "", 100)
    assert list(answer.profiles) == [{1: (0, 1), 2: (0, 1)}, {1: (0.5, 0.5), 2: (0.5, 0.5)}]
    assert len(children) == 1


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_an_error_in_the_callback_ends_an_endless_child(
    error: type[BaseException], monkeypatch: pytest.MonkeyPatch, children: Children
) -> None:
    class Failing(Progress):
        def advance(self, count: int = 1) -> None:
            raise error

    monkeypatch.setattr(gambit, "work", gambit_here.endless)
    with pytest.raises(error):
        run(PENNIES, Request("enumpoly"), Failing())
    assert len(children) == 1


def test_a_script_needs_no_main_guard(tmp_path: Path) -> None:
    """The child does not run the script again, which would start another child."""
    script = tmp_path / "script.py"
    script.write_text(
        f"from liarsdice_cli.solvers import gambit\nprint(gambit.run({PENNIES!r}, gambit.Request('lp')).profiles)\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, script], env=environment, capture_output=True, text=True, check=False)
    assert (done.stderr, done.stdout.count("Fraction(1, 2)")) == ("", 4)


@pytest.mark.slow
def test_profiles_found_before_the_time_limit_are_kept(children: Children) -> None:
    for limit in (1.5, 5, 20, 90):  # a busy machine finds nothing within a short limit
        started = time.monotonic()
        progress = Recorded()
        answer = run(coordination(12), Request("enumpoly", form="strategic", time_limit=limit), progress)
        assert time.monotonic() - started >= limit
        assert not answer.finished
        if answer.profiles:
            break
    assert len(answer.profiles) == progress.done > 0
    for profile in answer.profiles:  # in all equilibria of this game both players mix the same actions
        assert [number > 0 for number in profile[1]] == [number > 0 for number in profile[2]]


@pytest.mark.slow
def test_a_run_stops_after_max_profiles(children: Children) -> None:
    answer = run(coordination(12), Request("enumpoly", form="strategic", max_profiles=2))
    assert answer.finished
    assert len(answer.profiles) == 2
    assert len(children) == 1


@pytest.mark.parametrize("error", mostly_slow([KeyboardInterrupt, ValueError]))
@pytest.mark.slow
def test_an_error_in_the_callback_ends_the_child(error: type[BaseException], children: Children) -> None:
    class Failing(Progress):
        def advance(self, count: int = 1) -> None:
            raise error

    with pytest.raises(error):
        run(coordination(12), Request("enumpoly", form="strategic"), Failing())
    assert len(children) == 1


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks for the child in /proc")
@pytest.mark.parametrize("name", mostly_slow(["SIGKILL", "SIGINT"]))
def test_the_child_ends_with_its_parent(name: str, tmp_path: Path) -> None:
    script = """
import sys
from liarsdice_cli.solvers import gambit

class Telling(gambit.GambitProcess):
    def messages(self, deadline):
        for message in super().messages(deadline):
            print(self.child._process.pid, flush=True)
            yield message

gambit.GambitProcess = Telling
gambit.run(sys.stdin.buffer.read(), gambit.Request("enummixed"))
"""
    parent = popen(
        [sys.executable, "-c", script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        cwd=tmp_path,
    )
    assert parent.stdin is not None
    assert parent.stdout is not None
    assert parent.stderr is not None
    parent.stdin.write(endless())
    parent.stdin.close()
    child = int(parent.stdout.readline())  # Gambit is now computing
    assert alive(child)
    parent.send_signal(getattr(signal, name))
    assert parent.wait(5) != 0
    wait_for(lambda: not alive(child), 5)
    assert name == "SIGKILL" or b"KeyboardInterrupt" in parent.stderr.read()


def test_a_wrong_version_is_reported_despite_native_output(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, children: Children
) -> None:
    pretend(monkeypatch, tmp_path, 'import os\nos.write(1, b"{noise")\n__version__ = "16.7.0"\n')
    with pytest.raises(LiarsDiceError, match=r"16\.7\.0 is installed; run: pip install 'pygambit>=17\.0\.0b2,<18'"):
        run(b" " * 5_000_000, Request("lp"))


def test_a_missing_pygambit_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, children: Children) -> None:
    pretend(monkeypatch, tmp_path, "import no_such_module")
    with pytest.raises(LiarsDiceError, match=r"No module named 'no_such_module'; run: pip install 'pygambit"):
        run(PENNIES, Request("lp"))


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("name", mostly_slow(["SIGSEGV", "SIGKILL"]))
def test_a_crash_names_the_signal(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, children: Children) -> None:
    crash = f'import os, signal\nos.write(2, b"one\\nlast words\\n")\nos.kill(os.getpid(), signal.{name})\n'
    pretend(monkeypatch, tmp_path, crash)
    with pytest.raises(LiarsDiceError) as caught:
        run(b" " * 5_000_000, Request("gnm"))  # more than the child ever reads
    assert str(caught.value).startswith(f"Gambit's gnm was ended by {name}")
    assert "last words" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_import_loads_no_heavy_modules() -> None:
    heavy = "{'pygambit', 'numpy', 'scipy', 'subprocess'}"
    code = f"import sys, liarsdice_cli.solvers.gambit; sys.exit(bool({heavy} & set(sys.modules)))"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    assert subprocess.run([sys.executable, "-c", code], env=environment, check=False).returncode == 0
