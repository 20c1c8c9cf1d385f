"""Read files of every supported version; tests/golden/stored holds one of each, with known content.

These files are never written again. If a new version replaces an old one, the reader refuses the old version, and its file is
deleted. If both versions are read, both files stay. Other versions are refused with a one-line error.
"""

from __future__ import annotations

import io
import zipfile
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.formats import efg, ldz, profile_json
from liarsdice_cli.games.liarsdice.public import public_game
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.solvers.public_tree import checkpoint
from liarsdice_cli.solvers.public_tree.solver import PublicTree
from liarsdice_cli.solvers.regret.convergence import Bounds
from liarsdice_cli.solvers.regret.minimisers import minimiser
from liarsdice_cli.studies import value_table
from liarsdice_cli.studies.valuation import Valuation
from tests.support.command_line import PENNIES

STORED = Path(__file__).parents[1] / "golden" / "stored"
COMMON = rules("common", 2)
PROVED = (0.4554321194558979, 0.502346955616584)
"""The bounds after the ten iterations of dcfr+ that the strategy and the checkpoint come from."""


def solver() -> PublicTree:
    return PublicTree(public_game(COMMON), minimiser("dcfr+"))


def replaced(name: str, old: bytes, new: bytes, folder: Path) -> str:
    """Return the name of a copy of a stored file with other bytes; those of every member if it is an archive."""
    content, copy = (STORED / name).read_bytes(), folder / name
    if zipfile.is_zipfile(STORED / name):
        buffer = io.BytesIO()
        with zipfile.ZipFile(STORED / name) as before, zipfile.ZipFile(buffer, "w") as after:
            for member in before.namelist():
                after.writestr(member, before.read(member).replace(old, new))
        copy.write_bytes(buffer.getvalue())
    else:
        assert old in content
        copy.write_bytes(content.replace(old, new))
    return str(copy)


def test_a_strategy_of_version_3_is_read() -> None:
    kept = ldz.StrategyFile(str(STORED / "strategy-3.ldz"))
    assert (kept.rules, kept.origin) == (COMMON, ldz.Origin("dcfr+", 10, *PROVED))
    opening = [[0.25443, 0.43270], [0.37279, 0.35024], [0.37279, 0], [0, 0.21706]]
    answer = [[0, 0.29314], [0.40433, 0.41372], [0.59567, 0], [0, 0.29314]]
    assert kept.at([]) == pytest.approx(np.array(opening), abs=1e-5)
    assert kept.at([0]) == pytest.approx(np.array(answer), abs=1e-5)


def test_a_strategy_of_version_4_is_read() -> None:
    kept = ldz.StrategyFile(str(STORED / "strategy-4.ldz"))
    assert (kept.rules, kept.origin.method, kept.origin.iterations) == (COMMON, "mirror-descent", 30)
    answer = [[0.00062527, 0.24813], [0.36385, 0.50311], [0.63490, 0.00062535], [0.00062527, 0.24813]]
    assert kept.at([0]) == pytest.approx(np.array(answer), rel=1e-4)


@pytest.mark.parametrize("weight", [np.nan, np.inf, -1.0])
def test_invalid_weights_are_refused(weight: float, tmp_path: Path) -> None:
    copy = tmp_path / "copy.ldz"
    with zipfile.ZipFile(STORED / "strategy-4.ldz") as before, zipfile.ZipFile(copy, "w") as after:
        for member in before.namelist():
            content = before.read(member)
            if member == "shards/0/weights":
                content = np.array([weight], "<f2").tobytes() + content[2:]
            after.writestr(member, content)
    with pytest.raises(LiarsDiceError, match="is damaged"):
        ldz.StrategyFile(str(copy))


def test_a_checkpoint_of_version_8_is_read() -> None:
    resumed = solver()
    assert checkpoint.read(str(STORED / "checkpoint-8"), resumed) == Bounds(*PROVED)
    assert resumed.iteration == 10
    bounds = resumed.bounds()
    assert isinstance(bounds, Bounds)
    assert (bounds.lower, bounds.upper) == pytest.approx(PROVED, abs=1e-9)


def test_a_profile_of_version_1_is_read() -> None:
    kept = profile_json.read(str(STORED / "profile-1.json"), efg.read(str(PENNIES)))
    assert [entry["probabilities"] for entry in profile_json.sets(kept)] == [["1/3", "2/3"], ["3/4", "1/4"]]


def test_tables_of_values_are_read_with_and_without_optional_columns() -> None:
    known = Valuation(COMMON, "exact", Fraction(1, 2), Fraction(1, 2), 0.01, None)
    bounded = Valuation(rules("joker", 3, (2, 1), payoffs="zero-sum"), "dcfr+", 0.25, 0.5, 1.5, 200)
    assert value_table.read(str(STORED / "values.csv")) == [known, bounded]
    house = rules("dudo", 3, wild="none", max_quantity=1, stairs=True, fixed_face=True, spot_on=True)
    third = Fraction(1, 3)
    assert value_table.read(str(STORED / "values-changed.csv")) == [
        Valuation(house, "exact", third, third, 0.02, None),
        Valuation(COMMON, "dcfr+", 0.25, 0.5, 0.1, 30, "stopped at the time limit"),
    ]


@pytest.mark.parametrize("version", [b"2", b"5", b"30"])
def test_a_strategy_of_another_version_is_refused(version: bytes, tmp_path: Path) -> None:
    name = replaced("strategy-3.ldz", b"liarsdice/strategy/3", b"liarsdice/strategy/" + version, tmp_path)
    with pytest.raises(LiarsDiceError) as refused:
        ldz.StrategyFile(name)
    assert_names_the_version(refused.value, "liarsdice/strategy/" + version.decode())


@pytest.mark.parametrize("version", [b"7", b"9", b"80"])
def test_a_checkpoint_of_another_version_is_refused(version: bytes, tmp_path: Path) -> None:
    name = replaced("checkpoint-8", b"liarsdice checkpoint 8\n", b"liarsdice checkpoint " + version + b"\n", tmp_path)
    with pytest.raises(LiarsDiceError) as refused:
        checkpoint.read(name, solver())
    assert_names_the_version(refused.value, "another version")


@pytest.mark.parametrize("version", [b"0", b"2", b"10"])
def test_a_profile_of_another_version_is_refused(version: bytes, tmp_path: Path) -> None:
    name = replaced("profile-1.json", b"liarsdice/profile/1", b"liarsdice/profile/" + version, tmp_path)
    with pytest.raises(LiarsDiceError) as refused:
        profile_json.read(name, efg.read(str(PENNIES)))
    assert_names_the_version(refused.value, "liarsdice/profile/" + version.decode())


@pytest.mark.parametrize("header", [b"rules,sides,dice,payoffs,exact,lower,upper,method", b"rules,dice,sides"])
def test_a_table_of_values_with_other_columns_is_refused(header: bytes, tmp_path: Path) -> None:
    old = b"rules,sides,dice,payoffs,exact,lower,upper,value,method"
    with pytest.raises(LiarsDiceError) as refused:
        value_table.read(replaced("values.csv", old, header, tmp_path))
    assert_names_the_version(refused.value, "values.csv")


def assert_names_the_version(error: LiarsDiceError, version: str) -> None:
    assert version in str(error)
    assert len(str(error).splitlines()) == 1
