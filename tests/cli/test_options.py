"""One name, one meaning, one unit: what the options of all commands have in common."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from inspect import signature

import click
import pytest

from liarsdice_cli.cli.main import COMMANDS, GROUPS, cli
from liarsdice_cli.cli.option_table import ADVANCED, RULES, TABLE
from liarsdice_cli.cli.options import RuleOptions
from liarsdice_cli.formats.documents.games import GameRules
from liarsdice_cli.games.liarsdice.presets import CHANGES
from liarsdice_cli.games.liarsdice.rules import rules
from tests.cli.test_wording import TRANSCRIPTS
from tests.support.command_line import run_here

LISTS = {name: ["values", "curves"] for name in ("sides", "dice", "rules")}
"""Options that some commands take several times, each with a range or a list. The unit is the same."""
OWN_CHOICES = {"opener", "infosets"}
"""Options whose choices are defined elsewhere, so the table does not have their type."""
MOST_IN_A_COMMAND, MOST_IN_ALL = 24, 66


def commands() -> Iterator[tuple[str, click.Command]]:
    """Yield every command with its path."""
    context = click.Context(cli)
    for name in COMMANDS:
        command = cli.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from ((f"{name} {below}", one) for below, one in command.commands.items())
        else:
            yield name, command


def options(command: click.Command) -> dict[str, click.Option]:
    """Return the options of a command by their long names."""
    found = [one for one in command.params if isinstance(one, click.Option)]
    return {next(name for name in one.opts if name.startswith("--"))[2:]: one for one in found}


EVERY = dict(commands())


@pytest.mark.parametrize("path", EVERY)
def test_an_option_means_the_same_in_every_command(path: str) -> None:
    for name, one in options(EVERY[path]).items():
        row = TABLE[name]
        assert one.help is not None
        assert one.help.startswith(row.help)
        assert one.metavar == row.settings.get("metavar")
        if "type" in row.settings and path not in LISTS.get(name, []):
            whole = row.settings["type"]
            some = isinstance(whole, click.Choice) and isinstance(one.type, click.Choice)
            assert set(one.type.choices) <= set(whole.choices) if some else one.type is whole
        elif name not in OWN_CHOICES and not one.is_flag and path not in LISTS.get(name, []):
            assert isinstance(one.type, click.types.StringParamType | click.types.BoolParamType)


def test_the_rule_fields_are_the_same_in_options_library_and_documents() -> None:
    fields = {"preset", "sides", "dice", "payoffs", *CHANGES}
    assert set(signature(rules).parameters) == fields
    assert set(GameRules.__annotations__) == fields
    assert {field.name for field in dataclasses.fields(RuleOptions)} == fields | {"dealing"}
    of_matches = {"palifico", "spot_on_gains", "spot_on_by"}
    named = {name.replace("-", "_") for name, row in TABLE.items() if row.heading == RULES}
    assert named - {"rules"} == (fields - {"preset"}) | {"dealing"} | of_matches


def test_the_number_of_options_is_limited() -> None:
    own = {path: [name for name in options(one) if TABLE[name].heading != RULES] for path, one in EVERY.items()}
    assert max(map(len, own.values())) <= MOST_IN_A_COMMAND
    every = {name for one in EVERY.values() for name in options(one)}
    assert every == set(TABLE)  # no row without a command
    assert len(every) <= MOST_IN_ALL


def test_the_help_groups_commands_and_options() -> None:
    listed = run_here("-h").out.splitlines()
    headings = [listed.index(f"{heading}:") for heading in GROUPS]
    assert headings == sorted(headings)
    of_solve = run_here("solve", "-h").out.splitlines()
    advanced = of_solve.index(f"{ADVANCED}:")
    assert all(any(f"--{name} " in line for line in of_solve[advanced:]) for name in ("threads", "memory", "cluster"))
    assert not any("--target" in line for line in of_solve[advanced:])


def test_no_output_refers_to_a_page_that_the_wheel_lacks() -> None:
    for path in EVERY:
        assert "docs/" not in run_here(*path.split(), "-h").out, path
    for transcript in TRANSCRIPTS.glob("*.txt"):
        assert "docs/" not in transcript.read_text(), transcript
