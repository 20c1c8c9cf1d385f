"""Test solutions that are kept for the bots and the coach."""

from __future__ import annotations

from pathlib import Path

import pytest

import liarsdice_cli as ld
from liarsdice_cli.bots.advice import FILE
from liarsdice_cli.bots.equilibrium import is_solvable
from liarsdice_cli.bots.resolving import Resolver
from liarsdice_cli.bots.specs import policy
from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.formats import kept
from tests.support.command_line import run_here

GAME = ld.rules("common", 6, (3, 2))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(kept.FOLDER, str(tmp_path / "solutions"))
    return tmp_path / "solutions"


@pytest.mark.slow
def test_the_bots_and_the_coach_use_a_kept_solution(folder: Path) -> None:
    game = ld.rules("common", 6, (3, 3))
    assert not is_solvable(game)
    ended = run_here("solve", "--rules", "common", "--dice", "3,3", "--target", 0.3, "-o", "bots")
    assert ended.code == 0
    assert f"saved in {kept.file_of(game)}" in ended.err
    assert Path(kept.file_of(game)).parent == folder
    for name in ("equilibrium", "resolving"):
        bot = policy(name)
        bot.check(game)
        assert not isinstance(bot.strategy(game), Resolver)
    coach = ld.coach(["me", "Ann"], game)
    coach.dice([1, 2, 3])
    found = coach.recommendation()
    assert (found.advice.basis, found.iterations) == (FILE, 0)


def test_payoffs_and_impossible_bids_do_not_change_the_name_of_the_file(folder: Path) -> None:
    same = [ld.rules("classic", 6, (1, 1), payoffs=payoffs) for payoffs in ("win", "zero-sum")]
    same.append(ld.rules("classic", 6, (1, 1), max_quantity=2))
    assert len({kept.file_of(game) for game in same}) == 1
    others = [ld.rules("common", 6), ld.rules("classic", 6, (2, 1)), ld.rules("classic", 6, spot_on=True)]
    assert len({kept.file_of(game) for game in (same[0], *others)}) == 4


def test_a_damaged_file_is_named(folder: Path) -> None:
    Path(kept.place_for(GAME)).write_bytes(b"nothing")
    with pytest.raises(LiarsDiceError, match="solutions"):
        policy("equilibrium").check(GAME)


def _solved(iterations: int, *more: object) -> str:
    """Keep a solution of a small game after this many iterations, and return the last message."""
    ended = run_here("solve", "--rules", "common", "--dice", "2,2", "--iterations", iterations, *more, "-o", "bots")
    assert ended.code == 0
    return ended.err.splitlines()[-1]


def test_the_less_exploitable_solution_is_kept(folder: Path) -> None:
    game = ld.rules("common", 6, (2, 2))
    assert kept.exploitability(game) is None
    assert "saved in" in _solved(4)
    file, before = Path(kept.file_of(game)), kept.exploitability(game)
    content = file.read_bytes()
    assert before is not None
    assert "stays" in _solved(2)
    assert "stays" in _solved(2, "--payoffs", "zero-sum")
    assert file.read_bytes() == content
    quiet = run_here("solve", "--rules", "common", "--dice", "2,2", "--iterations", 2, "-o", "bots", "-q")
    assert (quiet.code, quiet.err) == (0, "")
    zero_sum = kept.exploitability(ld.rules("common", 6, (2, 2), payoffs="zero-sum"))
    assert zero_sum == pytest.approx(2 * before)
    assert "saved in" in _solved(16, "--payoffs", "zero-sum")
    better = kept.exploitability(game)
    assert better is not None
    assert better < before
    file.write_bytes(b"nothing")
    assert "saved in" in _solved(2)


LOCK = "P2 roll 3 after 1x5: call 1"


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        (["--sides", 2], "no file is needed"),
        (["--dice", "2,2", "--lock", LOCK], "only rules"),
        (["--dice", "2,2", "--from", "1x5"], "only rules"),
    ],
)
def test_subgames_locks_and_exactly_solvable_games_are_not_kept(folder: Path, asked: list[object], reason: str) -> None:
    ended = run_here("solve", *asked, "-o", "bots")
    assert ended.code == 2
    assert reason in ended.err
    assert not folder.exists()


@pytest.mark.slow
def test_the_solution_at_the_time_limit_is_kept(folder: Path) -> None:
    ended = run_here("solve", "--rules", "common", "--dice", "3,3", "--time-limit", 3, "-o", "bots")
    assert ended.code == 3
    assert kept.is_kept(ld.rules("common", 6, (3, 3)))
