"""Test writing by the type of the object; options of another type are refused."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from liarsdice_cli.errors import UsageError
from liarsdice_cli.extensive.profile import from_sets
from liarsdice_cli.extensive.subtree_view import SubtreeView
from liarsdice_cli.extensive.trembles import RefinedProfile
from liarsdice_cli.formats import writing
from liarsdice_cli.formats.registry import read_game, read_profile
from liarsdice_cli.formats.writing import write
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.tree import build
from tests.support.command_line import environment


def test_rules_and_their_tree_give_the_same_file(tmp_path: Path) -> None:
    one, other = tmp_path / "rules.efg", tmp_path / "tree.efg"
    write(rules("common", 2), str(one), dealing="multiset")
    write(build(rules("common", 2), "multiset"), str(other))
    assert one.read_bytes() == other.read_bytes()
    assert read_game(str(one)).nodes == build(rules("common", 2), "multiset").nodes


def test_a_profile_and_its_subtree_view_give_the_same_workbook(tmp_path: Path) -> None:
    tree = build(rules("common", 2))
    profile = from_sets(tree, {})
    write(profile, str(tmp_path / "profile.gbt"), method="by hand", history="1x2", depth=1)
    write(SubtreeView.whole(tree, profile).after(["1x2"]), str(tmp_path / "part.gbt"), method="by hand", depth=1)
    assert (tmp_path / "profile.gbt").read_bytes() == (tmp_path / "part.gbt").read_bytes()
    write(profile, str(tmp_path / "profile.json"))
    assert (read_profile(str(tmp_path / "profile.json"), tree).probabilities == profile.probabilities).all()


def test_a_profile_with_long_fractions_is_read_as_it_was_written(tmp_path: Path) -> None:
    tree, name = build(rules("common", 1)), str(tmp_path / "profile.json")
    small = Fraction(1, 10**5000 + 7)
    given = from_sets(tree, {1: [small, 1 - small]})
    profile = RefinedProfile(tree, given.probabilities, given.source, np.array([*given.probabilities, Fraction(1)])[:, None])
    write(profile, name)
    found = read_profile(name, tree)
    assert isinstance(found, RefinedProfile)
    assert (found.probabilities == profile.probabilities).all()
    assert found.weights[tree.first_action[1], 0] == small


@pytest.mark.parametrize(
    ("options", "words"),
    [({"depth": 1}, "depth is for a workbook"), ({"labels": "full"}, "labels is not for a file of a Profile")],
)
def test_options_of_another_type_are_refused(options: dict[str, object], words: str, tmp_path: Path) -> None:
    profile = from_sets(build(rules("common", 2)), {})
    with pytest.raises(UsageError, match=words):
        write(profile, str(tmp_path / "profile.json"), **options)
    assert not any(tmp_path.iterdir())


def test_options_without_a_sense_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"^labels='ful': choose from auto, full, none$"):
        write(rules("common", 2), tmp_path / "game.efg", labels="ful")
    with pytest.raises(UsageError, match=r"^depth is of the type bool"):
        write(from_sets(build(rules("common", 2)), {}), tmp_path / "game.gbt", depth=True)
    assert not any(tmp_path.iterdir())


def test_an_object_without_a_writer_is_refused_until_its_type_is_registered(tmp_path: Path) -> None:
    class Note:
        def dumps(self, name: str, *, loud: bool = False) -> bytes:
            return b"NOTE" if loud else b"note"

    with pytest.raises(UsageError, match="what is of the type Note: give rules, a tree"):
        write(Note(), str(tmp_path / "note"))
    writing.writable(Note)
    write(Note(), str(tmp_path / "note"), loud=True)
    assert (tmp_path / "note").read_bytes() == b"NOTE"
    with pytest.raises(UsageError, match="labels is not for a file of a Note"):
        write(Note(), str(tmp_path / "note"), labels="full")


def test_a_strategy_is_written_even_if_no_higher_package_is_loaded(tmp_path: Path) -> None:
    code = (
        "from liarsdice_cli.formats.writing import write\n"
        "from liarsdice_cli.games.liarsdice.rules import rules\n"
        "from liarsdice_cli.games.liarsdice.strategy import Uniform\n"
        f"write(Uniform(rules('common', 2)), {str(tmp_path / 'kept.ldz')!r})"
    )
    ended = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, text=True, check=False)
    assert ended.stderr == ""
    assert (tmp_path / "kept.ldz").stat().st_size > 0
