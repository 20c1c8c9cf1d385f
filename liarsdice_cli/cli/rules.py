"""`liarsdice rules`: explain the presets in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.option_table import option as option_of
from liarsdice_cli.cli.options import RuleOptions, gains_option, json_option, palifico_option, shape_options
from liarsdice_cli.cli.printing import print_json, print_tables
from liarsdice_cli.cli.types import PRESET
from liarsdice_cli.cli.wording import option
from liarsdice_cli.errors import Argument, LiarsDiceError, UsageError
from liarsdice_cli.games.liarsdice.match_rules import MatchRules
from liarsdice_cli.games.liarsdice.presets import PRESETS
from liarsdice_cli.games.liarsdice.rules import Rules, rules
from liarsdice_cli.games.liarsdice.sentences import match_sentences


@click.command(cls=CommandWithExample, example="liarsdice rules\nliarsdice rules dudo --dice 5,5")
@click.argument("preset", type=PRESET, required=False, metavar="[PRESET]")
@shape_options
@palifico_option
@gains_option
@option_of("spot-on-by", default="next")
@json_option
def command(
    preset: str | None, asked: RuleOptions, palifico: bool | None, spot_on_gains: bool, spot_on_by: str, as_json: bool
) -> None:
    """Explain the rules of PRESET with an example, their origin, and the differences from other presets.

    Without PRESET it prints one line for each preset. Options other than --sides and --dice change the named preset.
    """
    from liarsdice_cli.report.rules import presets_json, presets_tables, rules_tables

    given = asked.arguments
    shape = {name: value for name, value in given.items() if name in ("sides", "dice")}
    if preset is None and given != shape:
        changes = " and ".join(option(Argument(name)) for name in given if name not in shape)
        raise UsageError(f"{changes}: name the preset to change, as in liarsdice rules common")
    every = list(_compared(preset, given, shape))
    if preset is None and (palifico is not None or spot_on_gains or spot_on_by != "next"):
        raise UsageError("match rules change one preset: name it, as in liarsdice rules perudo")
    chosen = [one for one in every if preset in (None, one.name)]
    of_match = [MatchRules.of(one.name, one.spot_on, palifico, spot_on_gains, spot_on_by) for one in chosen]
    match = [list(match_sentences(one)) for one in of_match]
    if as_json:
        print_json("rules", presets_json(chosen, match))
    elif preset is None:
        print_tables(presets_tables(every))
    else:
        print_tables(rules_tables(chosen[0], match[0], [one for one in every if one.name != preset]))


def _compared(preset: str | None, given: Mapping[str, Any], shape: Mapping[str, Any]) -> Iterator[Rules]:
    """Yield the named preset and, in the order of the table, all other presets that have a game of this shape.

    Raises UsageError if the named preset has none, or without a name if no preset has one.
    """
    refused: list[LiarsDiceError] = []
    for name in PRESETS:
        try:
            yield rules(name, **(given if name == preset else shape))
        except LiarsDiceError as error:
            refused.append(error)
            if name == preset or len(refused) == len(PRESETS):
                raise
