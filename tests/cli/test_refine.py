"""`--refine` on the command line: profiles, files, verification, and values after mistakes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from liarsdice_cli.solvers.exact import quasi_perfect
from tests.support.command_line import KUHN, assert_refused, document, run_here

THREE = ("--rules", "common", "--sides", 3)


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("refined") / "profile.json"
    ended = run_here("solve", *THREE, "--refine", "quasi-perfect", "-o", file)
    assert (ended.code, ended.err) == (0, "")
    return file


def test_the_kept_profile_is_proved_quasi_perfect_again(profile: Path) -> None:
    content = document(run_here("verify", *THREE, profile, "--json"), "verify")
    assert (content["equilibrium"], content["quasi_perfect"], content["completed"]) == (True, True, 0)


def changed(profile: Path, tmp_path: Path, **entries: object) -> Path:
    """Return a copy of the file with changes at one information set of player 1."""
    content = json.loads(profile.read_text())
    (one,) = (entry for entry in content["sets"] if entry["label"] == "P1 roll 2 after 1x1 2x1")
    one.update(entries)
    (tmp_path / "changed.json").write_text(json.dumps(content))
    return tmp_path / "changed.json"


def test_weights_that_prove_nothing_are_reported(profile: Path, tmp_path: Path) -> None:
    file = changed(profile, tmp_path, weights=["0 0 1", "0 0 1", "0 1 -2"])
    content = document(run_here("verify", *THREE, file, "--json"), "verify")
    assert (content["equilibrium"], content["quasi_perfect"]) == (True, False)


@pytest.mark.parametrize("weights", [["1"], "0 1", ["1", "2", "x"], ["1", "2", 3], ["1", "2", "0 " * 300]])
def test_invalid_weights_are_refused(weights: object, profile: Path, tmp_path: Path) -> None:
    assert_refused(run_here("verify", *THREE, changed(profile, tmp_path, weights=weights)))


def test_json_of_solve_has_the_weights() -> None:
    content = document(run_here("solve", KUHN, "--refine", "quasi-perfect", "--json"), "solve")
    assert (content["method"], content["profiles"][0]["equilibrium"]) == ("quasi-perfect", True)
    (one,) = content["profiles"]  # type: ignore[misc]
    assert one["quasi_perfect"] is True
    assert all(len(entry["weights"]) == len(entry["actions"]) for entry in one["probabilities"])


def test_the_time_limit_ends_a_refinement() -> None:
    ended = run_here("solve", *THREE, "--refine", "quasi-perfect", "--time-limit", "1e-6", "--json")
    assert ended.code == 3
    assert not document(ended, "solve")["finished"]


def test_show_has_values_after_mistakes() -> None:
    """This equilibrium never reaches 2x2 after 1x1, nor an opening of 2x1."""
    for history in ("1x1 2x2", "2x1"):
        (page,) = document(run_here("show", *THREE, history, "--json"), "show")["shown"]
        assert all(row["values"] is not None for row in page["infosets"])


def test_large_games_are_shown_without_a_refinement(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quasi_perfect, "QUICK", 100)
    assert "method exact, an equilibrium" in run_here("show", *THREE, "2x1").out


def test_a_page_of_a_small_game_shows_a_quasi_perfect_equilibrium(tmp_path: Path) -> None:
    assert run_here("explore", *THREE, "-o", tmp_path / "page.html").code == 0
    assert "a quasi-perfect equilibrium" in (tmp_path / "page.html").read_text()


def test_regrets_at_every_history_are_computed_and_verified_again(tmp_path: Path) -> None:
    name = str(tmp_path / "refined.ldz")
    asked = ("--rules", "common", "--sides", "3", "--refine", "sequential", "--target", "0.05")
    solved = document(run_here("solve", *asked, "-o", name, "--json"), "solve")
    found = solved["profiles"][0]["sequential"]
    assert found["histories"] == 64
    assert [one["player"] for one in found["largest"]] == [1, 2]
    assert 0 < found["regret"] == max(one["regret"] for one in found["largest"]) <= 0.05

    again = document(run_here("verify", name, "--refine", "sequential", "--json"), "verify")["sequential"]
    assert again["regret"] == pytest.approx(found["regret"], abs=2e-3)
    assert document(run_here("verify", name, "--json"), "verify")["sequential"] is None
    ended = run_here("verify", name, "--refine", "sequential")
    assert "after each of 64 histories, reached or not, no player can gain more than 0.0" in ended.out
    assert f"Player 2: {again['largest'][1]['regret']:.6g}, with " in ended.out


def test_regrets_at_every_history_require_a_strategy_file(tmp_path: Path) -> None:
    name, proof = str(tmp_path / "profile.json"), str(tmp_path / "proof.cert")
    for file in (name, proof):
        assert run_here("solve", "--rules", "common", "--sides", "2", "-o", file).code == 0
    for ended in (
        run_here("verify", *("--rules", "common", "--sides", "2"), name, "--refine", "sequential"),
        run_here("verify", proof, "--refine", "sequential"),
    ):
        assert ended.code != 0
        assert "--refine is for" in ended.err
        assert len(ended.err.splitlines()) == 1


def test_a_sequential_refinement_is_written_only_to_a_strategy_file(tmp_path: Path) -> None:
    ended = run_here("solve", "--rules", "common", "--sides", "2", "--refine", "sequential", "-o", tmp_path / "profile.json")
    assert ended.code == 2
    assert "needs a file whose name ends in .ldz" in ended.err


@pytest.mark.parametrize(
    ("options", "cure"),
    [
        (("--refine", "sequential"), "leave --refine out"),
        (("--method", "mirror-descent"), "try --method pdcfr+"),
        (("--method", "exact"), "try --method auto"),
    ],
)
def test_a_method_for_two_players_is_refused_for_more_with_a_cure(options: tuple[str, str], cure: str) -> None:
    ended = run_here("solve", "--sides", 2, "--dice", "1,1,1", *options)
    assert_refused(ended, cure)


@pytest.mark.parametrize(
    ("refinement", "option"),
    [
        ("quasi-perfect", ("--iterations", 10)),
        ("quasi-perfect", ("--tremble", 0.1)),
        ("quasi-perfect", ("--method", "lp")),
        ("quasi-perfect", ("--arithmetic", "float")),
        ("quasi-perfect", ("--form", "strategic")),
        ("quasi-perfect", ("--threads", 1)),
        ("sequential", ("--max-profiles", 1)),
        ("sequential", ("--arithmetic", "rational")),
        ("sequential", ("--form", "extensive")),
        ("sequential", ("--checkpoint", "state")),
    ],
)
def test_an_option_that_does_not_fit_a_refinement_is_refused_with_no_other_cure(
    refinement: str, option: tuple[str, object]
) -> None:
    ended = run_here("solve", "--rules", "common", "--sides", 2, "--refine", refinement, *option)
    assert_refused(ended, option[0], code=2)
    assert ended.err.rstrip().endswith((f"leave {option[0]} out", f"{option[0]}: leave it out"))


def test_a_game_file_has_no_sequential_refinement() -> None:
    assert_refused(run_here("solve", KUHN, "--refine", "sequential"), "leave --refine out", code=2)


def test_the_help_names_the_default_target_of_a_refinement() -> None:
    assert "1/50 with --refine sequential" in " ".join(run_here("solve", "--help").out.split())
