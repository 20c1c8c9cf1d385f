"""The command `coach`: in pipes and terminals, with any input, and every way to end it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarsdice_cli.library.coaching import DICE, PRESET
from tests.support.command_line import (
    Terminal,
    checked_document,
    end_by,
    posix,
    run_here,
    shell,
    start,
    wait_for,
)
from tests.support.properties import examples, mostly_slow

SMALL = ("Ann", "me", "--dice", "2,2", "--sides", 4, "--rules", "common", "--iterations", 5)


def documents(*args: object, typed: str) -> list[dict[str, Any]]:
    """Run the coach with `--json`; return its documents, each checked against its schema."""
    ended = run_here("coach", *args, "--json", input=typed)
    assert (ended.code, ended.err) == (0, "")
    return [checked_document(json.loads(line), "coach") for line in ended.out.splitlines()]


@pytest.mark.parametrize(
    ("command", "defaults"),
    [
        ("coach", (f"[default: {PRESET}]", f"[default: {DICE} for each player]")),
        ("play", ("[default: classic]", "[default: 1 for each player]")),
        ("arena", ("[default: classic]", "[default: 1,1]")),
    ],
)
def test_help_shows_the_defaults(command: str, defaults: tuple[str, ...]) -> None:
    shown = " ".join(run_here(command, "-h").out.split())
    rules, dice = shown[shown.index("--rules") : shown.index("--sides")], shown[shown.index("--dice") : shown.index("--max-q")]
    assert [default in part for default, part in zip(defaults, (rules, dice), strict=True)] == [True, True]


def test_a_round_from_its_first_bid_to_the_next_round() -> None:
    found = documents(*SMALL, typed="13\n2x2\nundo\n2x2\n2x3\ncall\n4 4\n\n")
    assert [one["error"] for one in found] == [None] * 8
    assert [one["history"] for one in found[:5]] == [[], ["2x2"], [], ["2x2"], ["2x2", "2x3"]]
    assert found[1]["recommendation"] == found[3]["recommendation"] is not None
    assert (found[5]["between"], found[6]["loser"]) == (["me", "Ann"], "me")
    assert (found[7]["round"], found[7]["opener"]) == (2, "me")
    assert found[7]["players"] == [{"name": "Ann", "dice": 2}, {"name": "me", "dice": 1}]


def test_a_palifico_round_is_named() -> None:
    asked = ("Ann", "me", "--dice", "2,2", "--sides", 3, "--rules", "perudo", "--iterations", 5)
    typed = "13\n1x3\nlost me\n\n"
    found = documents(*asked, typed=typed)
    assert [(one["round"], one["palifico"]) for one in (found[0], found[-1])] == [(1, False), (2, True)]
    headings = [line for line in run_here("coach", *asked, input=typed).out.splitlines() if "Round " in line]
    assert ["Palifico: no wild face, and a fixed face." in line for line in headings] == [False, True]
    assert not any(one["palifico"] for one in documents(*asked, "--no-palifico", typed=typed))


def test_a_match_is_coached_to_its_end() -> None:
    lost = "c\nme\n\n"
    found = documents(*SMALL, typed=f"13\n1x4\n{lost}4\n1x3\n{lost}new\n")
    assert [one["over"] for one in found] == [False] * 8 + [True] * 3
    assert found[-1]["error"]
    assert documents("Ann", "me", "--dice", "1,1", "--iterations", 5, typed="1\nlost Ann\n")[-1]["over"]


def test_a_bid_that_is_certainly_false_has_value_0() -> None:
    """The coached player has 1 and 3, so only the other player can have a 4, and 4x4 is certainly false."""
    move = documents(*SMALL, typed="13\n1x1\n4x4\n")[-1]["move"]
    assert move["value"] == 0
    assert move["ev_loss"] > 0.4
    assert move["best"] != "4x4"


def test_the_loser_is_named_or_follows_from_the_dice() -> None:
    begun = "22\n1x3\n2x2\ncall\n"
    by_name, by_dice, by_all = (documents(*SMALL, typed=f"{begun}{last}\n")[-1] for last in ("an", "34", "2 2 3 4"))
    assert by_name["loser"] == by_dice["loser"] == by_all["loser"] == "Ann"
    assert by_dice["players"] == [{"name": "Ann", "dice": 1}, {"name": "me", "dice": 2}]
    wrong = documents(*SMALL, typed=f"{begun}3 4 4\n")[-1]
    assert wrong["loser"] is None
    assert wrong["error"]


def test_dice_may_be_entered_later_and_corrected() -> None:
    found = documents(*SMALL, typed="1x2\n1 3\ndice 3 3\nd 7 7\n")
    assert [one["my_dice"] for one in found] == [None, [1, 3], [3, 3], [3, 3]]
    assert found[0]["recommendation"] is None
    assert found[1]["recommendation"] != found[2]["recommendation"]
    assert [bool(one["error"]) for one in found] == [False, False, False, True]


def test_a_call_is_recommended_if_it_is_the_only_action() -> None:
    (answer,) = documents("Ann", "me", "--dice", "1,1", "--rules", "common", "--iterations", 5, typed="2\n2x6\n")[1:]
    assert answer["recommendation"]["action"] == "call"
    assert [one["action"] for one in answer["recommendation"]["actions"]] == ["call"]


@pytest.mark.parametrize("dice", mostly_slow(["1,1,1,1,1,1", "2,1,3"]))
def test_the_coach_handles_more_players_and_any_dice(dice: str) -> None:
    names = ["Ann", "Bob", "me", "Cy", "Di", "Eve"][: dice.count(",") + 1]
    own = "3" * int(dice.split(",")[2])
    answer = documents(*names, "--dice", dice, "--sides", 4, "--iterations", 5, typed=f"{own}\n1x2\n1x4\n")[-1]
    hands = answer["recommendation"]["hands"]
    assert [hand["name"] for hand in hands] == [*names[3:], "Ann", "Bob"]
    for hand in hands:
        for face in hand["faces"]:
            assert len(face["counts"]) == hand["dice"] + 1
            assert sum(face["counts"]) == pytest.approx(1)


def test_a_fixed_number_of_iterations_is_reproducible() -> None:
    assert documents(*SMALL, typed="13\n1x2\n") == documents(*SMALL, typed="13\n1x2\n")


@pytest.mark.parametrize(
    "typed",
    [
        "13\nfoo\n",
        "foo\n",
        "134\n",
        "13\ncall\n",
        "13\n2x2\n1x1\n",
        "13\n9x9\n",
        "undo\n",
        "new Eve\n",
        "13\n1x1\nc\nEve\n",
        "13\n1x1\nc\n\n",
        "13\n1x1\nc\nAnn\n1x2\n",
        "dice\n",
        "13\n\n",
        "13\n٣x٣\n",
    ],
)
def test_invalid_input_is_reported_and_changes_nothing(typed: str) -> None:
    *before, after = documents(*SMALL, typed=typed)
    assert after["error"]
    changing = {"input": "", "error": "", "move": None}
    assert all(one | changing == after | changing for one in before[-1:])


@given(st.lists(st.text(max_size=8) | st.sampled_from(["c", "1x1", "2x3", "3 3", "13", "2", "Ann", "me", "u", "new", "", "?"])))
@examples(15)
def test_any_input_ends_with_a_summary(words: list[str]) -> None:
    args = ("Ann", "me", "--dice", "2,1", "--sides", 3, "--iterations", 2)
    ended = run_here("coach", *args, input="\n".join(words).encode("utf-8", "replace"))
    assert (ended.code, ended.err) == (0, "")
    assert re.search(r"^\d+ rounds? played", ended.out, re.MULTILINE)


def test_bytes_that_are_not_text_are_refused() -> None:
    ended = run_here("coach", *SMALL, "--json", input=b"13\n\xff\xfe\n")
    assert json.loads(ended.out.splitlines()[-1])["error"]


@posix
@pytest.mark.slow
def test_an_interrupt_ends_with_the_summary() -> None:
    process = start("coach", *SMALL, stdin=subprocess.PIPE)
    assert process.stdout is not None
    shown = b""
    while b"What did you roll? " not in shown:
        shown += os.read(process.stdout.fileno(), 1 << 16)
    ended = end_by(process, "SIGINT")
    assert (ended.code, ended.err) == (130, "")
    assert "0 rounds played." in ended.out


@posix
@pytest.mark.slow
@pytest.mark.parametrize("names", [(), ("Ann", "me")])
def test_the_page_is_served_until_an_interrupt(names: tuple[str, ...]) -> None:
    process = start("coach", *names, "--serve", "--iterations", 5)
    assert process.stdout is not None
    address = process.stdout.readline().decode().strip()
    with urllib.request.urlopen(address, timeout=60) as answer:
        assert b"<h1>Liar" in answer.read()
    asked = urllib.request.Request(address + "say", b"{}", {"Content-Type": "application/json"})
    with urllib.request.urlopen(asked, timeout=60) as answer:
        assert (json.loads(answer.read())["table"] is None) == (not names)
    ended = end_by(process, "SIGINT")
    assert (ended.code, ended.out, ended.err) == (130, "", "liarsdice: interrupted\n")


@posix
@pytest.mark.slow
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_compilation_precedes_the_page_and_can_be_interrupted(name: str, tmp_path: Path) -> None:
    """With an empty cache the message on compiling appears long before compilation ends."""
    terminal = Terminal()
    try:
        process = start("coach", "--serve", stderr=terminal.slave, NUMBA_CACHE_DIR=str(tmp_path))

        def compiles() -> bool:
            terminal.read()
            return b"compiling" in terminal.text

        wait_for(compiles, 60)
        ended = end_by(process, name)
    finally:
        shown = terminal.close()
    assert (ended.code, ended.out) == (130, "")
    assert "liarsdice: interrupted" in shown
    assert "Traceback" not in shown


@posix
@pytest.mark.slow
def test_a_closed_output_pipe_ends_the_coach_quietly() -> None:
    ended = shell("printf '13\\n1x1\\n' | python -m liarsdice_cli coach Ann me --dice 2,2 --iterations 5 | true")
    assert (ended.code, ended.err) == (0, "")


@posix
@pytest.mark.slow
def test_input_typed_during_a_computation_answers_the_next_questions() -> None:
    terminal = Terminal()
    try:
        streams = {"stdin": terminal.slave, "stdout": terminal.slave, "stderr": terminal.slave}
        process = start("coach", *SMALL, **streams, TERM="xterm", COLUMNS="80")  # type: ignore[arg-type]
        os.write(terminal.master, b"13\n2 2\nqu")

        def asked() -> bool:
            terminal.read()
            return b"or call: qu" in terminal.text

        wait_for(asked, 120)
        os.write(terminal.master, b"it\n")
        assert process.wait(60) == 0
    finally:
        shown = terminal.close()
    assert "What did you roll? 13" in shown
    assert "Ann's bid: 2 2" in shown
    assert "Recommended: " in shown


@posix
@pytest.mark.slow
def test_output_fits_the_width_of_a_terminal_and_ctrl_d_ends_the_coach() -> None:
    terminal = Terminal()
    try:
        args = ("coach", *SMALL)
        streams = {"stdin": terminal.slave, "stdout": terminal.slave, "stderr": terminal.slave}
        process = start(*args, **streams, TERM="xterm", COLUMNS="80")  # type: ignore[arg-type]
        for question, answer in ((b"What did you roll? ", b"13\n"), (b"Ann's bid: ", b"2 2\n"), (b"or call: ", b"\x04")):

            def asked(question: bytes = question) -> bool:
                terminal.read()
                return question in terminal.text

            wait_for(asked, 120)
            os.write(terminal.master, answer)
        assert process.wait(60) == 0
    finally:
        shown = terminal.close()
    assert "Recommended: " in shown
    assert "0 rounds played." in shown
    assert max(map(len, re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown).replace("\r", "\n").split("\n"))) <= 80


def test_spot_on_may_be_two_words() -> None:
    lines = "dice 3\n2x3\nspot on\n"
    ended = run_here("coach", "Ann", "me", "--dice", "1,1", "--spot-on", "--json", "--iterations", 20, input=lines)
    last = json.loads(ended.out.splitlines()[-1])
    assert (last["error"], last["ended_by"]) == (None, "spot-on")
