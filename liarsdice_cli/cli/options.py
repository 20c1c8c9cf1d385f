"""Options that several commands share, each defined once."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import click

from liarsdice_cli.errors import UsageError
from liarsdice_cli.games.liarsdice.rules import CHANCES, ORDERS, PAYOFFS, PRESETS, Rules, rules

_Function = TypeVar("_Function", bound=Callable[..., Any])

FILE = click.Path(readable=False, allow_dash=True)
"""The name of a file, which a shell can complete; whether it can be used is found out where it is."""

_DEFAULTS = {"rules": "classic", "sides": 6, "dice": (1, 1), "payoffs": "win", "chance": "ordered"}


class _Dice(click.ParamType[tuple[int, ...]]):
    name = "N,N"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, ...]:
        if isinstance(value, tuple):
            return value
        try:
            return tuple(int(part) for part in str(value).split(","))
        except ValueError:
            self.fail(f"{value!r}: give one number of dice per player, such as 1,1 or 2,1,1", param, ctx)


DICE = _Dice()
"""Numbers of dice, one a player."""

_RULE_OPTIONS = {
    "rules": click.option("--rules", "rules", type=click.Choice(tuple(PRESETS)), help="Rule preset.  [default: classic]"),
    "sides": click.option("--sides", type=int, metavar="N", help="Faces 1..N of every die.  [default: 6]"),
    "dice": click.option("--dice", type=DICE, help="Dice of each player, 2 to 6 players.  [default: 1,1]"),
    "max_quantity": click.option(
        "--max-quantity", type=int, metavar="N", help="Highest quantity in a bid.  [default: the preset's]"
    ),
    "wild": click.option("--wild", metavar="FACE", help="Wild face, or none.  [default: the preset's]"),
    "order": click.option("--order", type=click.Choice(ORDERS), help="Bids rise by this first.  [default: the preset's]"),
    "payoffs": click.option("--payoffs", type=click.Choice(PAYOFFS), help="1/0, or +1/-1.  [default: win]"),
    "chance": click.option(
        "--chance",
        type=click.Choice(CHANCES),
        help="One branch per ordered roll, per combination of rolls, or player after player.  [default: ordered]",
    ),
}


def rule_options(function: _Function) -> _Function:
    """All options that describe a game of Liar's Dice; the function gets them together as `asked`."""
    return _gathering(function, list(_RULE_OPTIONS))


def table_options(function: _Function) -> _Function:
    """Those that matter to who plays it at a table: all but the payoffs and how a tree deals the dice."""
    return _gathering(function, [name for name in _RULE_OPTIONS if name not in ("payoffs", "chance")])


def round_options(function: _Function) -> _Function:
    """Those that matter to what a strategy is worth: all but how a tree deals the dice."""
    return _gathering(function, [name for name in _RULE_OPTIONS if name != "chance"])


def _gathering(function: _Function, names: list[str]) -> _Function:
    @wraps(function)
    def gathered(**values: Any) -> Any:
        asked = {name: values.pop(name) for name in names}
        return function(asked={name: value for name, value in asked.items() if value is not None}, **values)

    wrapped: Any = gathered
    for name in reversed(names):
        wrapped = _RULE_OPTIONS[name](wrapped)
    result: _Function = wrapped
    return result


def part_options(function: _Function) -> _Function:
    """The options that cut a part out of a game; the function gets `depth` and `history`."""
    depth = click.option("--depth", type=int, metavar="N", help="Only the first N moves; what comes after is cut off.")
    history = click.option(
        "--from", "history", metavar="HISTORY", default="", help='Only what follows moves such as "1x2 2x3".'
    )
    return depth(history(function))


def moves_of(text: str) -> list[str]:
    """The moves of a history as a person writes it: "1x2 2x3", or "opening" for none."""
    return [] if text == "opening" else text.split()


def _list_bots(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from liarsdice_cli.bots.specs import SUMMARIES

        for name, summary in SUMMARIES.items():
            click.echo(f"{name:{max(map(len, SUMMARIES))}}  {summary}")
        ctx.exit()


bots_option = click.option(
    "--bots", is_flag=True, is_eager=True, expose_value=False, callback=_list_bots, help="List the bots."
)
seconds_option = click.option(
    "--move-seconds",
    type=click.FloatRange(0, min_open=True),
    default=5.0,
    show_default=True,
    metavar="X",
    help="How long a bot of your own may take for a move.",
)
quiet_option = click.option("-q", "--quiet", is_flag=True, help="Nothing on standard error but errors.")
json_option = click.option("--json", "as_json", is_flag=True, help="JSON for programs (docs/json.md) on standard output.")
labels_option = click.option(
    "--labels",
    type=click.Choice(("auto", "full", "none")),
    default="auto",
    show_default=True,
    help="Label information sets: in small games, always, never.",
)


def rules_of(asked: dict[str, Any]) -> tuple[Rules, str]:
    """The rules that the options describe, and how the dice are dealt."""
    chosen = {**_DEFAULTS, **asked}
    name, chance = chosen.pop("rules"), chosen.pop("chance")
    return rules(name, **chosen), chance


def one_game(game: str | None, asked: dict[str, Any]) -> None:
    """Refuse a command line that names no game, or two."""
    if game is None and not asked:
        raise UsageError("no game: name a file, - for standard input, or rule options such as --sides 3")
    if game is not None and asked:
        option = f"--{next(iter(asked)).replace('_', '-')}"
        raise UsageError(f"both {game} and {option} describe a game: give a file or rule options, not both")
