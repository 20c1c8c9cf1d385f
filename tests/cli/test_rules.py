"""`liarsdice rules`, and names of rules and commands that are not quite right."""

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
def test_a_preset_is_explained_with_its_example_and_what_is_different_elsewhere(name: str) -> None:
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


def test_options_change_what_is_said_and_who_plays_it_is_said_to_play_it_otherwise() -> None:
    ended = run_here("rules", "dudo", "--order", "halving", "--dice", "2,2")
    game = rules("dudo", 6, (2, 2), order="halving")
    assert ended.out.startswith(str(game))
    assert all(sentence in ended.out for sentence in sentences(game))
    assert ", but for: ordered by halving" in ended.out


def test_only_what_differs_is_shown_of_others() -> None:
    lines = run_here("rules", "ones-low").out.splitlines()
    (dudo,) = (line for line in lines if line.startswith("dudo "))
    assert dudo.split() == ["dudo", "2..6,", "1"]


def test_json() -> None:
    presets = document(run_here("rules", "--json"), "rules")["presets"]
    assert [one["rules"]["preset"] for one in presets] == list(PRESETS)  # type: ignore[attr-defined]
    (one,) = document(run_here("rules", "joker", "--dice", "2,1", "--json"), "rules")["presets"]  # type: ignore[misc]
    game = rules("joker", 6, (2, 1))
    assert (one["wild"], one["faces"], one["max_quantity"], one["brief"]) == (1, [2, 3, 4, 5, 6], 3, brief(game))


@pytest.mark.parametrize(
    "command", [("rules",), ("build", "--rules"), ("probability", "--rules"), ("match", "--rules"), ("values", "--rules")]
)
@pytest.mark.parametrize("name", ["OpenSpiel", "rebel"])
def test_names_from_elsewhere_are_answered_with_the_presets_to_take(command: tuple[str, ...], name: str) -> None:
    assert_refused(run_here(*command, name), f"{name} rules: take {' or '.join(OTHER_NAMES[name.lower()])} here", code=2)


@pytest.mark.parametrize("command", [("build", "--sides", "2", "--rules"), ("rules",), ("values", "--rules")])
def test_a_slip_is_answered_with_the_name_that_was_meant(command: tuple[str, ...]) -> None:
    assert_refused(run_here(*command, "comon"), "there are no comon rules: did you mean common?", code=2)


def test_presets_to_take_are_presets() -> None:
    assert {preset for presets in OTHER_NAMES.values() for preset in presets} <= set(PRESETS)
    assert not set(OTHER_NAMES) & set(PRESETS)


@pytest.mark.parametrize(
    ("slip", "meant"), [("sovle", "solve"), ("rule", "rules"), ("exploit-", "exploit"), ("probabilty", "probability")]
)
def test_a_slip_in_a_command_is_answered_with_the_command(slip: str, meant: str) -> None:
    ended = run_here(slip, "--sides", 3)
    assert_refused(ended, code=2)
    assert ended.err == f"liarsdice: there is no command {slip}: did you mean {meant}?\n"


def test_what_is_like_no_command_is_not_guessed_at() -> None:
    assert "did you mean" not in run_here("shuffle").err


def test_a_preset_is_explained_as_it_is_changed() -> None:
    said = run_here("rules", "dudo", "--order", "face", "--max-quantity", 1).out
    assert said.startswith("dudo rules, 6 sides, dice 1,1, quantity up to 1, ordered by face")
    assert "Bids rise by face" in said
    assert "Played by: Neller and Lanctot 2013, but for: quantity up to 1, ordered by face" in said
    assert_refused(run_here("rules", "--order", "face"), "--order would change a preset: name it", code=2)
