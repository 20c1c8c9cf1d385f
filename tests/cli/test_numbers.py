"""Numbers as users type them: only digits from 0 to 9, on every command line and in every file."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest
from click.types import FloatParamType, IntParamType

from liarsdice_cli.cli import main
from liarsdice_cli.cli.types import ABOVE_0, BETWEEN_0_AND_1, DECIMAL, WHOLE, WholeRange
from liarsdice_cli.text import decimal, whole
from tests.support.command_line import assert_refused, run_here
from tests.support.properties import mostly_slow

SLIPS = ["1_0", "٣", "1.0", "0x3", "", "--3", "½"]


def commands(group: click.Group) -> Iterator[click.Command]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield from commands(command) if isinstance(command, click.Group) else [command]


@pytest.mark.parametrize("command", list(commands(main.cli)), ids=lambda command: command.name)
def test_every_option_for_a_number_is_strict(command: click.Command) -> None:
    for param in command.params:
        if isinstance(param.type, FloatParamType):
            assert param.type in (ABOVE_0, BETWEEN_0_AND_1, DECIMAL), param.name
        if isinstance(param.type, IntParamType | click.IntRange):
            assert isinstance(param.type, type(WHOLE) | WholeRange), param.name


@pytest.mark.parametrize("text", mostly_slow(SLIPS, 3))
@pytest.mark.parametrize(
    "before",
    [
        ("info", "--sides"),
        ("info", "--sides", "2", "--max-quantity"),
        ("info", "--dice"),
        ("values", "--sides"),
        ("values", "--dice"),
        ("arena", "random", "random", "--rounds"),
        ("probability", "1,2"),
        ("impartial", "takeaway"),
        ("impartial", "takeaway", "3"),
    ],
    ids=" ".join,
)
def test_an_invalid_whole_number_is_refused(before: tuple[str, ...], text: str) -> None:
    if before == ("impartial", "takeaway", "3") and not text:
        pytest.skip("takes nothing")
    ended = run_here(*before, f"1,{text}" if before[-1] in ("--dice", "3") else text)
    assert_refused(ended, code=2)


@pytest.mark.parametrize("text", ["0.٣", "1,٣", "1_0,2"])
def test_invalid_numbers_in_games_of_heaps_are_refused(text: str) -> None:
    assert_refused(run_here("impartial", "grundy", text), code=2)
    assert_refused(run_here("impartial", "grundy", "nim ٣"), code=2)


@pytest.mark.parametrize("text", ["1_0", "٣", "1/1_0"])
def test_invalid_payoffs_and_levels_are_refused(text: str) -> None:
    assert_refused(run_here("outcomes", "-", input=f"move,A\nx,{text}\n".encode()), "line 2")
    assert_refused(run_here("probability", "1", "1", "--level", text), code=2)


@pytest.mark.parametrize("text", ["7", " 7 ", "+7", "007"])
def test_whole_numbers_are_read(text: str) -> None:
    assert whole(text) == 7


@pytest.mark.parametrize("text", mostly_slow(["1_0", "٣", "1e-1_0", "", "1,5", "0x3"], 3))
@pytest.mark.parametrize(
    "before",
    [
        ("solve", "--sides", "2", "--time-limit"),
        ("solve", "--sides", "2", "--method", "cfr", "--target"),
        ("values", "--sides", "2", "--target"),
        ("exploit", "honest", "--sides", "2", "--target"),
        ("play", "--sides", "2", "--time-limit"),
    ],
    ids=" ".join,
)
def test_an_invalid_decimal_number_is_refused(before: tuple[str, ...], text: str) -> None:
    assert_refused(run_here(*before, text), before[-1], code=2)


@pytest.mark.parametrize("text", ["nan", "0", "-1"])
def test_a_time_limit_must_be_above_0(text: str) -> None:
    assert_refused(run_here("solve", "--sides", "2", "--time-limit", text), "--time-limit", code=2)


@pytest.mark.parametrize("text", ["nan", "0", "-1", "inf"])
@pytest.mark.parametrize(
    "asked", [("safe-exploit", "honest"), ("exploit", "honest"), ("solve",), ("solve", "--method", "logit")], ids=" ".join
)
def test_a_target_must_be_above_0_and_finite(asked: tuple[str, ...], text: str) -> None:
    assert_refused(run_here(*asked, "--sides", "2", "--target", text), "--target", code=2)


@pytest.mark.parametrize(("text", "number"), [("0.5", 0.5), (" .5", 0.5), ("1e-6", 1e-6), ("+7", 7), ("inf", float("inf"))])
def test_numbers_with_a_point_or_a_power_of_ten_are_read(text: str, number: float) -> None:
    assert decimal(text) == number


def test_numbers_that_are_too_long_for_python_are_refused() -> None:
    assert_refused(run_here("info", "--sides", "9" * 5_000), code=2)
