"""Test certificates: the checker in docs/, independent of the package, agrees with it and with a tree, and finds damage."""

from __future__ import annotations

import ast
import csv
import gzip
import json
import random
import re
import subprocess
import sys
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive import evaluate
from liarsdice_cli.extensive.profile import GIVEN, Profile
from liarsdice_cli.extensive.stream import CHANCE
from liarsdice_cli.formats import certificate
from liarsdice_cli.formats.registry import read_game, read_profile, read_strategy
from liarsdice_cli.formats.writing import write
from liarsdice_cli.games.liarsdice.rules import Rules, rules
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.games.liarsdice.strategy import ProfileStrategy
from liarsdice_cli.games.liarsdice.tree import build
from liarsdice_cli.library.judging import judge
from liarsdice_cli.library.solving import solve
from liarsdice_cli.solvers.double_oracle import certifying
from liarsdice_cli.strategies.listed import ListedStrategy
from tests.support.command_line import ROOT, assert_refused, document, run_here
from tests.support.house_rules import each_house
from tests.support.properties import mostly_slow
from tests.support.scripts import imported

FOLDER = ROOT / "docs" / "certificates"
CHECKER = FOLDER / "check.py"


check, check_quasi_perfect = imported(CHECKER), imported(FOLDER / "check_quasi_perfect.py")


def _bounds(text: str) -> tuple[Fraction, Fraction]:
    """Return the bounds that the checker computes."""
    found = check.Certificate(text.splitlines(keepends=True))
    stake = found.win - found.lose
    return found.win - stake * found.wins(0), found.lose + stake * found.wins(1)


def _random(game: Rules, seed: int, most: int) -> ListedStrategy:
    """Return strategies that act at random after some histories, and call after all others."""
    draw = random.Random(seed)
    listed = {}
    for history in islice(game.bidding.histories(), most):
        state = BettingState(game, history)
        if not history or draw.random() < 0.7:
            rolls = [roll for roll in range(state.roll_count) if not history or draw.random() < 0.8]
            listed[history] = {
                roll: {action: draw.randint(1, 9) for action in draw.sample(state.actions, draw.randint(1, len(state.actions)))}
                for roll in rolls
            }
    return ListedStrategy(game, listed)


def _on_tree(strategy: ListedStrategy) -> evaluate.Judgement:
    """Return the evaluation in fractions by the judge of trees, which shares no code with the others."""
    tree = build(strategy.rules)
    found = tree.chance_probabilities[:-1].copy()
    rows = ProfileStrategy.of(strategy.rules, tree, found)
    for history in strategy.rules.bidding.histories():
        found[rows.action_rows(history)] = strategy.fractions_at(history)
    assert all(probability is not None for probability in found[tree.action_player != CHANCE])
    return evaluate.judge(Profile(tree, found, [GIVEN] * len(tree.infosets)))


@each_house
def test_checker_package_and_tree_agree_on_random_plans(game: Rules, tmp_path: Path) -> None:
    name = str(tmp_path / "any.cert")
    for seed in range(3):
        strategy = _random(game, seed, 60)
        on_tree, listed = _on_tree(strategy), judge(strategy)
        assert (listed.payoffs, listed.regrets, listed.bounds) == (on_tree.payoffs, on_tree.regrets, on_tree.bounds)
        write(strategy, name)
        kept = read_strategy(name)
        assert isinstance(kept, certificate.Certificate)
        lower, upper = _bounds(Path(name).read_text())
        assert (lower, upper) == judge(kept).bounds
        assert lower - Fraction(1, 10**12) < kept.lower <= lower <= upper <= kept.upper < upper + Fraction(1, 10**12)
        assert on_tree.bounds is not None
        assert on_tree.bounds[0] <= lower <= upper <= on_tree.bounds[1], "what is left out only proves more"


SOLVED = [
    *((game, "double-oracle") for game in [("common", 3, (2, 1)), ("top-wild", 3, (1, 2)), ("joker", 4, (2, 1))]),
    *((game, "exact") for game in [("classic", 3, (1, 1)), ("perudo", 3, (2, 1)), ("joker", 6, (1, 1))]),
    *((game, "quasi-perfect") for game in [("snyd", 3, (1, 1)), ("dudo", 3, (1, 2))]),
    *((game, "rounded") for game in [("common", 3, (1, 1))]),
]


@pytest.mark.parametrize(("of", "method"), mostly_slow(SOLVED, 3))
def test_an_exact_method_writes_a_certificate_of_the_value(of, method, tmp_path, capsys):
    found, name = solve(rules(*of, payoffs="zero-sum"), method=method), str(tmp_path / "value.cert")
    write(found, name)
    assert check.main([name]) == 0
    assert f" {found.value} = " in capsys.readouterr().out
    kept = read_strategy(name)
    assert (kept.lower, kept.upper, kept.method) == (found.value, found.value, method)
    assert judge(kept).is_equilibrium
    assert kept.rules == rules(*of, payoffs="zero-sum"), "impossible bids included"


@each_house
def test_the_rules_are_read_back_unchanged(game: Rules, tmp_path: Path) -> None:
    strategy, name = _random(game, 7, 30), str(tmp_path / "any.cert.gz")
    write(strategy, name)
    kept = read_strategy(name)
    assert kept.rules == game
    again = str(tmp_path / "again.cert")
    write(kept, again)
    assert gzip.decompress(Path(name).read_bytes()) == Path(again).read_bytes()


def test_histories_that_the_proof_does_not_need_are_left_out() -> None:
    game = rules("joker", 4, (2, 1), payoffs="zero-sum")
    whole = solve(game, method="double-oracle").best.plans
    assert whole is not None
    short = certifying.certificate(whole, "double-oracle")
    assert short.listed.keys() < whole.listed.keys()
    assert judge(short).bounds == judge(whole).bounds == (short.lower, short.upper)


@pytest.mark.slow
def test_a_certificate_written_as_a_strategy_file_keeps_its_strategy(tmp_path: Path) -> None:
    name = str(tmp_path / "value.cert")
    write(solve(rules("joker", 3), method="double-oracle"), name)
    kept, copied = read_strategy(name), str(tmp_path / "copy.ldz")
    write(kept, copied)
    for history in [(), (0,), (1, 2)]:
        assert read_strategy(copied).at(history) == pytest.approx(kept.at(history), abs=1e-4)


def _kept() -> str:
    """Return a certificate in which every line matters."""
    strategy = solve(rules("common", 3, (2, 1), payoffs="zero-sum"), method="double-oracle").best.plans
    assert strategy is not None
    return "\n".join(certificate._lines(certifying.certificate(strategy, "double-oracle"))) + "\n"


@pytest.fixture(scope="module")
def text() -> str:
    return _kept()


def _refused(text: str, folder: Path) -> str:
    """Assert that the checker and `verify` refuse a certificate; return the message of `verify`."""
    name = folder / "changed.cert"
    name.write_text(text)
    assert check.main([str(name)]) == 1
    ended = run_here("verify", name)
    assert_refused(ended)
    return ended.err


def test_a_changed_certificate_proves_nothing(text, tmp_path, capsys):
    lines = text.splitlines()
    opening = lines.index("opening")
    changed = [
        text.replace("value 1/9", "value 1/8"),
        text.replace("value 1/9", "value 0"),
        "\n".join([*lines[: opening + 1], f"{lines[opening + 1].split()[0]} 3x3 1", *lines[opening + 2 :]]),
        "\n".join(lines[: lines.index("# player 2")]),
        text.replace("payoffs 1 -1", "payoffs 1 0").replace('"zero-sum"', '"win"'),
    ]
    for one in changed:
        assert one != text
        assert "but its plans prove" in _refused(one, tmp_path)
        assert "NOT PROVED" in capsys.readouterr().out


def test_the_proof_needs_most_of_the_listed_histories(text, tmp_path):
    """If a history is removed, the bounds still contain the value, and for most histories they become wider."""
    lines = text.splitlines()
    starts = [place for place, line in enumerate(lines) if line.startswith("after")]
    needed = 0
    for start in starts:
        stop = next((place for place in range(start + 1, len(lines)) if not lines[place][0].isdigit()), len(lines))
        lower, upper = _bounds("\n".join(lines[:start] + lines[stop:]))
        assert lower <= Fraction(1, 9) <= upper
        needed += (lower, upper) != (Fraction(1, 9), Fraction(1, 9))
    assert needed > len(starts) / 2


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("liarsdice certificate 1", "liarsdice certificate 2", "its first line must be"),
        ("opening\n", "opening\nopening\n", "opening is listed twice"),
        ("opening\n", "opening\n11 1x1 0\n", "the weight 0 is not a whole number of 1 or more"),
        ("opening\n", "opening\n11 1x1 x\n", "the weight x is not a whole number of 1 or more"),
        ("opening\n", "opening\n11 call 1\n", "not legal here"),
        ("opening\n", "opening\n11 1x1\n", "is listed twice, or without weights"),
        ("opening\n", "opening\n11 1x1 1 2x1\n", "is listed twice, or without weights"),
        ("opening\n", "opening\n11 1x1 1 1x1 2\n", "listed twice"),
        ("opening\n", "opening\n19 1x1 1\n", "not a line of a certificate"),
        ("opening\n", "opening\n11 4x1 1\n", "not a line of a certificate"),
        ("sides 3\n", "sides 4\n", "the line sides contradicts the line package"),
        ("payoffs 1 -1", "payoffs -1 1", "the line payoffs contradicts the line package"),
        ("stairs no", "stairs maybe", "the line stairs contradicts the line package"),
        ("wild none", "wild none \x1b[8m", "the line wild contradicts the line package"),
        ("value 1/9", "value 5", "the line value is not within the payoffs"),
        ("sides 3\n", "sides 3\nsides 3\n", "a second line sides"),
        ("opening\n", "opening\x1c", "not a line of a certificate"),
        ("after ", "after 1x2 1x1 ", "not a history of these rules"),
        ("value ", "worth ", "the line bounds is missing"),
        ("value 1/9", "value 1/9 1/9", "the line value has 2 numbers"),
        ("value 1/9", "bounds 1/9", "the line bounds has 1 number;"),
        ("value 1/9", "value 1/0", "'1/0' is not a number"),
    ],
)
def test_damage_is_reported(old, new, message, text, tmp_path):
    assert old in text
    damaged = text.replace(old, new, 1)
    name = tmp_path / "damaged.cert"
    name.write_text(damaged)
    with pytest.raises(LiarsDiceError, match=message) as raised:
        read_strategy(str(name))
    assert str(name) in str(raised.value)
    if not old.startswith("sides 3"):  # the checker does not read the line package
        assert check.main([str(name)]) == 1


@pytest.mark.parametrize("place", range(10, 200, 7))
def test_damaged_compression_proves_nothing(place, text, tmp_path, capsys):
    name = tmp_path / "damaged.cert.gz"
    packed = bytearray(gzip.compress(text.encode(), mtime=0))
    packed[place] ^= 255
    name.write_bytes(packed)
    assert check.main([str(name)]) == 1
    assert "NOT PROVED: no certificate, or damaged (" in capsys.readouterr().out


def test_an_opening_without_a_roll_is_refused(text, tmp_path):
    lines = text.splitlines()
    del lines[lines.index("opening") + 1]
    assert "the opening must list every roll" in _refused("\n".join(lines), tmp_path)


def test_rounded_products_still_give_bounds(monkeypatch):
    text = "\n".join(certificate._lines(certifying.certificate(_random(rules("common", 3), 1, 60), "random")))
    lower, upper = _bounds(text)
    monkeypatch.setattr(check, "MOST", 1)
    monkeypatch.setattr(check, "WHOLE", 2**20)
    wider = _bounds(text)
    assert lower - Fraction(1, 1000) < wider[0] < lower < upper < wider[1] < upper + Fraction(1, 1000)


@pytest.mark.parametrize("form", ["public tree", pytest.param("extensive", marks=pytest.mark.slow)])
def test_a_strategy_in_floats_has_a_certificate_of_its_bounds(form, tmp_path, capsys):
    found = solve(rules("joker", 3, (2, 1)), method="cfr+", iterations=40, form=form)
    name = str(tmp_path / "floats.cert")
    write(found, name)
    assert check.main([name]) == 0
    kept = read_strategy(name)
    assert isinstance(kept, certificate.Certificate)
    bounds = found.judgement.bounds
    assert bounds is not None
    assert bounds[0] - 1e-3 < kept.lower <= Fraction(2, 3) <= kept.upper < bounds[1] + 1e-3
    assert "the value lies between them" in capsys.readouterr().out
    verified = run_here("verify", name)
    assert verified.code == 0
    assert "the value for Player 1 lies from" in verified.out


def test_a_certificate_may_state_bounds(text, tmp_path, capsys):
    name = tmp_path / "bounds.cert"
    name.write_text(text.replace("value 1/9", "bounds 1/10 0.125"))
    assert check.main([str(name)]) == 0
    content = document(run_here("verify", name, "--json"), "verify")
    assert (content["bounds"], content["equilibrium"]) == (["1/9", "1/9"], True)
    name.write_text(text.replace("value 1/9", "bounds 1/8 1/2"))
    assert check.main([str(name)]) == 1


@pytest.mark.parametrize(("name", "lines"), [("check.py", 150), ("check_quasi_perfect.py", 200)])
def test_the_checkers_are_short_and_need_only_the_standard_library(name: str, lines: int) -> None:
    source = (FOLDER / name).read_text()
    assert source.count("\n") <= lines
    nodes = list(ast.walk(ast.parse(source)))
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)]
    assert set(names) <= sys.stdlib_module_names


# The command line


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (("--rules", "joker", "--sides", 2, "--dice", "1,1,1"), "is for two players"),
        (("--sides", 2, "--lock", "P2 roll 1 after 1x1: call 1"), "without a lock"),
        (("sample_games/kuhn-poker.efg",), "are for rules"),
    ],
)
def test_a_certificate_of_an_unsupported_game_is_refused(asked, message, tmp_path):
    ended = run_here("solve", *asked, "-o", tmp_path / "no.cert")
    assert_refused(ended, message, code=2)
    assert not list(tmp_path.iterdir())


def test_commands_read_certificates(tmp_path):
    name = tmp_path / "value.cert"
    assert run_here("solve", "--rules", "common", "--sides", 3, "--method", "double-oracle", "-o", name).code == 0
    assert run_here("verify", name).out.endswith(
        "an equilibrium: no player can gain, in exact fractions\nthe value for Player 1 is 4/9\n"
    )
    assert run_here("show", name, "1x2").out.startswith("common rules, 3 sides, dice 1,1, payoffs win; double-oracle")
    assert_refused(run_here("info", name), "has strategies, not a game")
    assert_refused(run_here("resolve", name, "1x2", "-o", name), "the name of a re-solved strategy must end in .ldz", code=2)


# Quasi-perfect equilibria

REFINED = [
    ("guess-the-ace.efg", "0"),
    ("kuhn-poker.efg", "-1/18"),
    (("classic", 3), "4/9"),
    (("snyd", 3, (2, 1)), "14/27"),
    (("joker", 6), "160/327"),
]


def _refined(of: Any, folder: Path) -> tuple[str, str]:
    """Return the files of a game and of its quasi-perfect profile."""
    if isinstance(of, str):
        game, tree = str(ROOT / "sample_games" / of), read_game(str(ROOT / "sample_games" / of))
    else:
        game, tree = str(folder / "game.efg"), build(rules(*of))
        write(tree, game)
    profile = str(folder / "profile.json")
    write(solve(tree, method="quasi-perfect"), profile)
    return game, profile


@pytest.mark.parametrize(
    ("of", "value"), [pytest.param(*row, marks=() if isinstance(row[0], str) else pytest.mark.slow) for row in REFINED]
)
def test_the_second_checker_proves_quasi_perfect_equilibria(of, value, tmp_path, capsys):
    assert check_quasi_perfect.main(*_refined(of, tmp_path)) == 0
    assert capsys.readouterr().out == f"a quasi-perfect equilibrium; the value for player 1 is {value}\n"


def test_a_nash_equilibrium_that_is_not_quasi_perfect_is_refused(tmp_path, capsys):
    """In "Guess the ace" every guess is an equilibrium, since player 1 never makes the offer."""
    game, name = _refined("guess-the-ace.efg", tmp_path)
    content = json.loads(Path(name).read_text())
    second = next(entry for entry in content["sets"] if entry["player"] == 2)
    for key in ("weights", "probabilities"):
        second[key].reverse()
    Path(name).write_text(json.dumps(content))
    assert judge(read_profile(name, read_game(game))).is_equilibrium
    assert check_quasi_perfect.main(game, name) == 1
    assert "is used and not best" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"weights": [\n    "1 -1"', '"weights": [\n    "1 -2"', "do not add up"),
        ('"0 1"', '"0 0 1"', "below its least|do not add up"),
        ('"1"', '"1/2"', "are not the limit"),
    ],
)
def test_changed_plans_are_refused(old, new, message, tmp_path, capsys):
    game, name = _refined("guess-the-ace.efg", tmp_path)
    text = Path(name).read_text()
    assert old in text
    Path(name).write_text(text.replace(old, new, 1))
    assert check_quasi_perfect.main(game, name) == 1
    assert re.search(message, capsys.readouterr().out)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "No such file"),
        ("", "it ends early"),
        ("liarsdice certificate 1\n", "it ends early"),
        ("opening\n", "another format"),
    ],
)
def test_a_file_that_cannot_be_checked_is_named_with_a_remedy(content, words, tmp_path, capsys):
    name = tmp_path / "no.cert"
    if content is not None:
        name.write_text(content)
    assert check.main([str(name)]) == 1
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith("  NOT PROVED: no certificate, or damaged (")
    assert words in last
    assert last.endswith(f"): check {name}, or solve again")


@pytest.mark.parametrize(("program", "words"), [("check.py", "FILE.cert"), ("check_quasi_perfect.py", "GAME.efg PROFILE.json")])
def test_a_checker_without_files_prints_its_usage(program, words):
    ended = subprocess.run([sys.executable, FOLDER / program], capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert (ended.stdout + ended.stderr).endswith(f": write python {program} {words}\n")


def test_a_profile_without_weights_is_refused_with_the_command_that_writes_them(tmp_path, capsys):
    game, name = _refined("guess-the-ace.efg", tmp_path)
    content = json.loads(Path(name).read_text())
    for text, words in (
        (
            {**content, "sets": [{key: one[key] for key in one if key != "weights"} for one in content["sets"]]},
            "has no weights",
        ),
        ([], "is not a profile"),
    ):
        Path(name).write_text(json.dumps(text))
        assert check_quasi_perfect.main(game, name) == 1
        printed = capsys.readouterr().out
        assert printed.startswith("NOT PROVED: ")
        assert words in printed
        assert printed.endswith("--refine quasi-perfect -o PROFILE.json\n")
    assert check_quasi_perfect.main(game, str(tmp_path / "missing.json")) == 1
    assert "cannot read" in capsys.readouterr().out


# The certificates in docs/


def _published() -> dict[tuple[str, str, str], str]:
    with (ROOT / "docs" / "values.csv").open() as file:
        rows = csv.DictReader(file)
        return {(row["rules"], row["sides"], row["dice"]): row["value"] for row in rows if row["payoffs"] == "zero-sum"}


SHIPPED = [
    pytest.param(path, marks=pytest.mark.slow if path.stat().st_size > 80_000 else (), id=path.name)
    for path in sorted(FOLDER.glob("*.cert.gz"))
]


@pytest.mark.parametrize("path", SHIPPED)
def test_the_shipped_certificates_prove_the_published_values(path):
    assert check.main([str(path)]) == 0
    kept = read_strategy(str(path))
    assert isinstance(kept, certificate.Certificate)
    game = kept.rules
    assert path.name.startswith(game.name)
    value = _published()[game.name, str(game.sides), " ".join(map(str, game.dice))]
    assert kept.lower == kept.upper == Fraction(value)
