"""The text protocol: the prompt, the meaning of answers, the errors that are counted, and the EV loss of decisions."""

from __future__ import annotations

import shlex
import sys
import time
from pathlib import Path

import pytest

import liarsdice_cli as ld
from liarsdice_cli.bots.protocol import IllegalActionError, View
from liarsdice_cli.bots.specs import bot
from liarsdice_cli.bots.text_protocol import COMMAND, ILLEGAL, UNREADABLE, prompt, read_answer
from liarsdice_cli.bots.user import BotFailedError, UserBot
from liarsdice_cli.games.bidding import CALL, SPOT_ON
from liarsdice_cli.games.liarsdice.rules import rules
from tests.support.command_line import document, run_here

VIEW = View(rules("dudo", 6, (2, 2), spot_on=True), (1, 5), (2, 7))

PLAYER = """
import sys, time
said, lines = 0, []
for line in sys.stdin:
    lines.append(line.strip())
    if lines[-1]:
        continue
    legal = next(line for line in lines if line.startswith("Legal answers: ")).removeprefix("Legal answers: ").split(", ")
    said, lines = said + 1, []
    answer = sys.argv[1]
    if answer == "ends":
        break
    if answer == "hangs":
        open(sys.argv[2], "a").write("started ")
        time.sleep(4)
        open(sys.argv[2], "a").write("and went on")
    mixed = [legal[0], "9x9", "I pass"][said % 3]
    print({"first": legal[0], "last": legal[-1], "mixed": mixed}.get(answer, answer), flush=True)
"""


@pytest.fixture
def command(tmp_path: Path) -> str:
    """Return the specification of a command whose argument sets its answers."""
    file = tmp_path / "player.py"
    file.write_text(PLAYER)
    return f"command:{shlex.quote(sys.executable)} {shlex.quote(str(file))} "


def test_a_prompt_contains_everything_that_the_player_sees() -> None:
    text = prompt(VIEW)
    assert "" not in text.splitlines()
    for words in (
        "player 1 of 2",
        "Dice of each player: 2, 2",
        "Your own dice: 1 5",
        f"player 1 bids {VIEW.bids[0]}, player 2 bids {VIEW.bids[1]}",
        "Legal answers: call, spot-on, 2x4",
        "1s are wild",
    ):
        assert words in text
    assert "Bids so far: none" in prompt(View(VIEW.rules, (1, 5)))


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("call", CALL),
        (' "CALL!"\n', CALL),
        ("Spot on.", SPOT_ON),
        ("spot-on", SPOT_ON),
        ("**3x6**", 16),
        ("3 x 6", 16),
        ("3,6", 16),
    ],
)
def test_an_answer_is_read_in_common_spellings(line: str, action: int) -> None:
    assert read_answer(VIEW, line) == action


@pytest.mark.parametrize(
    ("line", "words"),
    [("", UNREADABLE), ("I call", UNREADABLE), ("3x6 or call", UNREADABLE), ("1x2", ILLEGAL), ("9x9", ILLEGAL)],
)
def test_an_invalid_answer_is_either_unreadable_or_illegal(line: str, words: str) -> None:
    with pytest.raises(IllegalActionError, match=f"^{words}$"):
        read_answer(VIEW, line)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("answer", "words"),
    [("ends", "ended its own process"), ("hangs", "took longer than 1 s"), ("9x9", ILLEGAL), ("?", UNREADABLE)],
)
def test_a_failing_command_is_reported_and_ended(answer: str, words: str, command: str, tmp_path: Path) -> None:
    told = tmp_path / "told"
    player = UserBot(f"{command}{answer} {told}", 1)
    try:
        player.begin([1])
        for _ in range(2):
            with pytest.raises(BotFailedError, match=words):
                player.act(VIEW)
    finally:
        player.close()
    if answer == "hangs" and sys.platform != "win32":
        time.sleep(4)
        assert told.read_text() == "started started "


def test_a_line_without_an_end_ends_the_bot(tmp_path: Path) -> None:
    (tmp_path / "endless.py").write_text("import sys\nwhile True:\n    sys.stdout.write('x' * 100_000)\n")
    player = UserBot(f"{COMMAND}{shlex.quote(sys.executable)} {shlex.quote(str(tmp_path / 'endless.py'))}", 60)
    try:
        player.begin([1])
        with pytest.raises(BotFailedError, match="ended its own process"):
            player.act(VIEW)
    finally:
        player.close()


def test_a_refused_answer_is_printed_with_the_name_of_the_bot(
    command: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    player = UserBot(f"{command}9x9 {tmp_path / 'told'}", 60)
    try:
        player.begin([1])
        with pytest.raises(BotFailedError, match=ILLEGAL):
            player.act(VIEW)
    finally:
        player.close()
    told = ""
    for _ in range(600):
        told += capfd.readouterr().err
        if told.endswith("\n"):
            break
        time.sleep(0.1)
    assert told.startswith("liarsdice: command:")
    assert told.endswith(f" {ILLEGAL}: '9x9'\n")


def test_a_missing_command_is_refused() -> None:
    for spec in ("command:no-such-program", "command:", "command:'"):
        player = bot(spec, 1)
        assert isinstance(player, UserBot)
        with pytest.raises(ld.LiarsDiceError, match=f"^{spec} cannot be started: "):
            player.begin([1])
    with pytest.raises(ld.LiarsDiceError, match=r"^command:x gives no probabilities, which a best response needs"):
        ld.exploitability(rules("common", 2), "command:x")


@pytest.mark.slow
def test_the_arena_counts_errors_and_prices_decisions(command: str) -> None:
    names = (f"{command}mixed", "equilibrium", f"{command}first")
    content = document(
        run_here("arena", *names, "--rules", "common", "--sides", 3, "--rounds", 60, "--seed", 1, "--json"), "arena"
    )
    forfeits = {one["reason"]: one["games"] for one in content["bots"][0]["forfeits"]}
    assert forfeits.keys() == {ILLEGAL, UNREADABLE}
    assert content["bots"][2]["forfeits"] == []
    mixed, first = content["decisions"]
    assert [mixed["bot"], first["bot"]] == [names[0], names[2]]
    assert first["decisions"] >= first["valued"] > 0
    assert 0 < first["mean_loss"] < 1
    without = document(
        run_here("arena", names[2], "honest", "--rules", "common", "--rounds", 6, "--seed", 1, "--json"), "arena"
    )
    assert without["decisions"] == []


@pytest.mark.slow
def test_decisions_as_good_as_the_equilibrium_cost_nothing(command: str) -> None:
    """With one side all dice are known: the highest bid is true, and a player who calls it loses."""
    asked = ("arena", f"{command}last", "equilibrium", "--rules", "common", "--sides", 1, "--rounds", 20, "--seed", 1)
    (own,) = document(run_here(*asked, "--json"), "arena")["decisions"]
    assert (own["worse"], own["mean_loss"]) == (0, 0)
    assert own["valued"] > 0
    assert "mean cost" in run_here(*asked).out
