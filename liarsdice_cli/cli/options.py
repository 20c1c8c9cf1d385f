"""Options that several commands share, each defined once."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from functools import partial
from typing import Any, TypeVar

import click

from liarsdice_cli.cli.option_table import gathered, option, stacked
from liarsdice_cli.cli.wording import option as option_of
from liarsdice_cli.errors import Argument, UsageError
from liarsdice_cli.formats import files
from liarsdice_cli.games.liarsdice.rules import Rules, rules

COMPILING = (
    "compiling functions for this computer, once; later runs load them. --time-limit includes this time. "
    "`liarsdice prepare` compiles everything beforehand"
)


def announce_compilation(ctx: click.Context, param: click.Parameter, quiet: bool) -> bool:
    """Announce on a terminal that functions are compiled, unless --quiet is given."""
    if sys.stderr.isatty() and not quiet:
        from liarsdice_cli.cli.printing import print_message
        from liarsdice_cli.system import compilation

        compilation.announce_by(partial(print_message, COMPILING))
    return quiet


_Function = TypeVar("_Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class RuleOptions:
    """The options that describe a game of Liar's Dice, each None if it is not given; true if any is given.

    They are the arguments of `rules`, and `dealing`, how a tree deals the dice.

    >>> options = RuleOptions(sides=3, dealing="multiset")
    >>> options.given, str(options.rules()), options.dealing
    (('sides', 'dealing'), 'classic rules, 3 sides, dice 1,1, payoffs win', 'multiset')
    """

    preset: str | None = None
    sides: int | None = None
    dice: tuple[int, ...] | None = None
    max_quantity: int | None = None
    wild: str | None = None
    order: str | None = None
    wild_opening: bool | None = None
    stairs: bool | None = None
    fixed_face: bool | None = None
    spot_on: bool | None = None
    payoffs: str | None = None
    dealing: str | None = None

    @property
    def given(self) -> tuple[str, ...]:
        """The names of the options that are given."""
        return tuple(name for name, value in asdict(self).items() if value is not None)

    def __bool__(self) -> bool:
        return bool(self.given)

    @property
    def arguments(self) -> dict[str, Any]:
        """The options that are given, as arguments of `rules`."""
        return {name: getattr(self, name) for name in self.given if name != "dealing"}

    def rules(self) -> Rules:
        """Return the rules that the options describe, with the defaults of `rules`; raises as it does."""
        return rules(**self.arguments)


_NOTES = {
    "preset": "  [default: classic]",
    "sides": "  [default: 6]",
    "dice": "  [default: 1,1]",
    "fixed_face": "  [default: any-face]",
    "spot_on": "  [default: no-spot-on]",
    "payoffs": "  [default: win]",
    "dealing": "  [default: ordered]",
}
"""The defaults of rule options. The others have the preset's."""
_RULE_NAMES = tuple(field.name for field in fields(RuleOptions))


def _rule_options(*without: str, **notes: str) -> Callable[[_Function], _Function]:
    """Return a decorator that adds the options of `RuleOptions`; the function gets them as `asked`.

    without : the options that are left out
    notes   : defaults that differ from those of `rules`, as the help shows them
    """
    names = [name for name in _RULE_NAMES if name not in without]
    shown = {name: (_NOTES | notes).get(name, "  [default: the preset's]") for name in names}
    options = {name: option("rules" if name == "preset" else name.replace("_", "-"), note) for name, note in shown.items()}
    return gathered("asked", RuleOptions, options)


rule_options = _rule_options()
"""All options that describe a game of Liar's Dice."""
shape_options = _rule_options("preset", "payoffs", "dealing")
"""The rule options except the preset, the payoffs and the dealing."""
change_options = _rule_options("preset", "sides", "dice", "payoffs", "dealing")
"""The options that change a preset."""
round_options = _rule_options("dealing")
"""The rule options that matter to the value of a strategy."""


def table_options(preset: str = "classic", dice: str = "1,1") -> Callable[[_Function], _Function]:
    """Return a decorator that adds the rule options of play at a table: all except the payoffs and the dealing.

    preset, dice : the command's defaults, as shown in its help
    """
    return _rule_options("payoffs", "dealing", preset=f"  [default: {preset}]", dice=f"  [default: {dice}]")


part_options = stacked(option("depth"), option("from"))
"""Options that cut a part out of a game; the function gets `depth` and `history`."""
palifico_option = option("palifico", "  [default: the preset's]")
gains_option = option("spot-on-gains")
bot_time_option = option("time-limit", "for each move of your own bot", default=5.0)
quiet_option = option("quiet", callback=announce_compilation)
json_option = option("json")
labels_option = option("labels", " auto labels those of small games.")


def not_both(cluster: str | None, threads: int | None) -> None:
    """Refuse a command line with workers and threads."""
    if cluster is not None and threads is not None:
        raise UsageError("--threads is for one process, and each worker of --cluster has one thread: give only one of them")


def not_with(option: str, others: Mapping[str, object]) -> None:
    """Refuse options that another one excludes; None if they are not given."""
    for other, given in others.items():
        if given is not None:
            raise UsageError(f"{other} is not for {option}: leave it out")


def only_in_matches(palifico: bool | None, match: bool, gains: bool = False) -> None:
    """Refuse a rule of matches without a match."""
    if gains and not match:
        raise UsageError("--spot-on-gains is for --match: a single round has no dice to win back")
    if palifico and not match:
        raise UsageError("--palifico is for --match: for a single round like it, give --wild none --fixed-face")


def one_game(game: str | None, asked: RuleOptions) -> None:
    """Refuse a command line that names no game, or two."""
    if game is None and not asked:
        raise UsageError("no game: name a file, - for standard input, or rule options such as --sides 3")
    if game is not None and asked:
        first = option_of(Argument(asked.given[0]))
        raise UsageError(f"both {game} and {first} describe a game: give a file or rule options, not both")


def one_pipe(*names: str | None) -> None:
    """Refuse two inputs that would both be read from standard input."""
    if names.count(files.PIPE) > 1:
        raise UsageError("two inputs cannot both come from standard input: name a file for one of them")


def two_files(output: str | None, checkpoint: str | os.PathLike[str] | None) -> None:
    """Refuse an output and a checkpoint in one file, of which the later writer would overwrite the earlier."""
    if output is not None and checkpoint is not None and os.path.realpath(output) == os.path.realpath(checkpoint):
        raise UsageError(f"-o and --checkpoint both name {output}: give each its own file")


def for_two_players(what: str, players: int) -> None:
    """Refuse games of another number of players."""
    if players != 2:
        raise UsageError(f"{what} is for two players: give --dice with two numbers, such as 1,1")
