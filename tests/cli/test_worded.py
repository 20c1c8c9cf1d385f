"""One error in two forms: arguments for callers of the library, options for the command line."""

from __future__ import annotations

import pickle

import pytest

from liarsdice_cli.cli.wording import worded
from liarsdice_cli.errors import Argument, ArgumentError, LiarsDiceError, UsageError
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.tree import stream


@pytest.mark.parametrize(
    ("asked", "python", "shell"),
    [
        ({"preset": "pub"}, "preset='pub': choose from classic, ", "--rules pub: choose from classic, "),
        ({"sides": 0}, "sides=0: give a number from 1 to 100", "--sides is 0: give a number from 1 to 100"),
        ({"dice": (1,)}, "dice names 1 player(s): give ", "--dice names 1 player(s): give "),
        ({"dice": (0, 1)}, "dice=(0, 1): give each player", "--dice 0,1: give each player"),
        ({"max_quantity": 101}, "max_quantity=101: give", "--max-quantity is 101: give"),
        ({"wild": "9"}, "wild='9': there is no such face", "--wild 9: there is no such face"),
        ({"preset": "joker", "sides": 1}, "rules with sides=1: give sides=2 or", "rules with --sides 1: give --sides 2 or"),
    ],
)
def test_invalid_rules_are_refused_in_both_forms(asked: dict[str, object], python: str, shell: str) -> None:
    with pytest.raises(UsageError) as refused:
        rules(**asked)  # type: ignore[arg-type]
    assert python in str(refused.value)
    assert shell in worded(refused.value)


def test_a_cure_is_named_in_both_forms() -> None:
    with pytest.raises(LiarsDiceError) as refused:
        stream(rules("common", 6, (5, 5), max_quantity=1))
    assert str(refused.value).endswith("lower sides or dice, or use dealing='multiset'")
    assert worded(refused.value).endswith("lower --sides or --dice, or use --dealing multiset")


@pytest.mark.parametrize(
    "error",
    [
        ArgumentError("sides", 0, "give ", Argument("sides", 2)),
        UsageError("give ", Argument("dice", (1, 1))),
        LiarsDiceError("no"),
    ],
)
def test_errors_survive_pickling(error: LiarsDiceError) -> None:
    there = pickle.loads(pickle.dumps(error))
    assert (type(there), there.parts, str(there), worded(there)) == (type(error), error.parts, str(error), worded(error))


def test_an_error_keeps_its_arguments_when_wrapped() -> None:
    inner = ArgumentError("level", 2, "give at most 1")
    assert worded(UsageError("the bot: ", *inner.parts)) == "the bot: --level 2: give at most 1"


def test_arguments_are_worded_as_options_with_other_names() -> None:
    error = LiarsDiceError("give ", Argument("history"), ", ", Argument("max_quantity", 2), " or ", Argument("serve", True))
    assert worded(error) == "give --from, --max-quantity 2 or --serve"
