"""`liarsdice rules`: the list of presets, the explanation of one, JSON, and other names."""

from __future__ import annotations

import pytest

from liarsdice_cli.games.liarsdice.presets import OTHER_NAMES, PRESETS
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.sentences import brief, sentences
from tests.support.command_line import assert_refused, document, run_here


def test_every_preset_has_a_line_that_fits_a_terminal() -> None:
    ended = run_here("rules")
    lines = ended.out.splitlines()
    assert (ended.code, ended.err) == (0, "")
    assert [line.split()[0] for line in lines[3:-1]] == list(PRESETS)
    assert all(line.endswith(PRESETS[line.split()[0]].played_by) for line in lines[3:-1])
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_explained_with_an_example_and_its_differences_from_others(name: str) -> None:
    ended = run_here("rules", name, "--sides", 4, "--dice", "2,1")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith(str(rules(name, 4, (2, 1))))
    assert all(sentence in ended.out for sentence in sentences(rules(name, 4, (2, 1))))
    assert ": true (" in ended.out
    assert ": false (" in ended.out
    assert f"Played by: {PRESETS[name].played_by}" in ended.out
    below = ended.out.splitlines()[-len(PRESETS) + 1 :]
    assert [line.split()[0] for line in below] == [other for other in PRESETS if other != name]
    assert all(len(line.split()) > 1 for line in below)


def test_presets_without_a_playable_game_are_left_out() -> None:
    for args in (("rules", "classic"), ("rules",)):
        ended = run_here(*args, "--sides", 1)
        assert (ended.code, ended.err) == (0, "")
        assert any(line.startswith("dudo ") for line in ended.out.splitlines())
        assert not any(line.startswith(("joker ", "snyd ")) for line in ended.out.splitlines())
    for name in ("joker", "snyd"):
        assert_refused(run_here("rules", name, "--sides", 1), f"no face can be bid under {name} rules", code=2)


def test_the_brief_rules_name_stairs() -> None:
    assert "Stairs (all dice of a player together show 1, 2, 3, ...) count as one die more" in brief(rules("snyd"))
    assert "Stairs" not in brief(rules("joker"))


def test_options_change_the_explanation() -> None:
    ended = run_here("rules", "dudo", "--order", "halving", "--dice", "2,2")
    game = rules("dudo", 6, (2, 2), order="halving")
    assert ended.out.startswith(str(game))
    assert all(sentence in ended.out for sentence in sentences(game))


def test_only_differences_of_other_presets_are_shown() -> None:
    lines = run_here("rules", "ones-low").out.splitlines()
    (dudo,) = (line for line in lines if line.startswith("dudo "))
    assert dudo.split() == ["dudo", "2..6,", "1"]


def test_the_rules_as_json() -> None:
    presets = document(run_here("rules", "--json"), "rules")["presets"]
    assert [one["rules"]["preset"] for one in presets] == list(PRESETS)  # type: ignore[attr-defined]
    (one,) = document(run_here("rules", "joker", "--dice", "2,1", "--json"), "rules")["presets"]  # type: ignore[misc]
    game = rules("joker", 6, (2, 1))
    assert (one["wild"], one["faces"], one["max_quantity"], one["brief"]) == (1, [2, 3, 4, 5, 6], 3, brief(game))


def test_other_names_refer_to_presets() -> None:
    assert {preset for presets in OTHER_NAMES.values() for preset in presets} <= set(PRESETS)
    assert not set(OTHER_NAMES) & set(PRESETS)
