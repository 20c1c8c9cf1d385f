"""Options that several commands share, each defined once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from difflib import get_close_matches
from functools import wraps
from math import isnan
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.types import FloatParamType, IntParamType

from liarsdice_cli.cli.wording import option
from liarsdice_cli.errors import Argument, UsageError
from liarsdice_cli.games.liarsdice.presets import OTHER_NAMES, PRESETS
from liarsdice_cli.games.liarsdice.rules import DEALINGS, ORDERS, PAYOFFS, Rules, rules
from liarsdice_cli.text import decimal, whole

if TYPE_CHECKING:
    from liarsdice_cli.system.cluster import Cluster
    from liarsdice_cli.system.tasks import InOrder

_Function = TypeVar("_Function", bound=Callable[..., Any])

FILE = click.Path(readable=False, allow_dash=True)
"""The name of a file, which a shell can complete; whether it can be used is found out where it is."""


@dataclass(frozen=True)
class RuleOptions:
    """The options that describe a game of Liar's Dice, each None where it is not given; true if one is.

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
        """The names of those that are given."""
        return tuple(name for name, value in asdict(self).items() if value is not None)

    def __bool__(self) -> bool:
        return bool(self.given)

    @property
    def arguments(self) -> dict[str, Any]:
        """Those that are given, as arguments of `rules`."""
        return {name: getattr(self, name) for name in self.given if name != "dealing"}

    def rules(self) -> Rules:
        """The rules that they describe, with the defaults of `rules`; raises as it does."""
        return rules(**self.arguments)


class WholeRange(click.IntRange):
    """A whole number in a range, in digits as `text.whole` takes them."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """See click."""
        return super().convert(_typed(self, value, param, ctx), param, ctx)


class _Whole(IntParamType):
    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return super().convert(_typed(self, value, param, ctx), param, ctx)


def _typed(kind: click.ParamType[int], value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
    try:
        return whole(value) if isinstance(value, str) else value
    except ValueError:
        kind.fail(f"{value!r} is not a valid integer.", param, ctx)


WHOLE = _Whole()
"""Any whole number."""


class _Size(click.ParamType[int]):
    name = "SIZE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        from liarsdice_cli.system.memory import bytes_of

        try:
            return bytes_of(value) if isinstance(value, str) else int(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


SIZE = _Size()
"""Bytes, with a unit if a person likes."""


class _Above(click.FloatRange):
    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = super().convert(_typed_decimal(self, value, param, ctx), param, ctx)
        return self.fail(f"{value!r} is not in the range {self._describe_range()}.", param, ctx) if isnan(number) else number


class _Decimal(FloatParamType):
    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return super().convert(_typed_decimal(self, value, param, ctx), param, ctx)


def _typed_decimal(kind: click.ParamType[float], value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
    try:
        return decimal(value) if isinstance(value, str) else value
    except ValueError:
        kind.fail(f"{value!r} is not a valid float.", param, ctx)


DECIMAL = _Decimal()
"""Any number, as `text.decimal` takes it."""
ABOVE_0 = _Above(0, min_open=True)
"""Any number above 0."""
BETWEEN_0_AND_1 = _Above(0, 1, min_open=True, max_open=True)
"""Any number above 0 and below 1."""


class _Dice(click.ParamType[tuple[int, ...]]):
    name = "N,N"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, ...]:
        if isinstance(value, tuple):
            return value
        try:
            return tuple(whole(part) for part in str(value).split(","))
        except ValueError:
            self.fail(f"{value!r}: give one number of dice per player, such as 1,1 or 2,1,1", param, ctx)


DICE = _Dice()
"""Numbers of dice, one a player."""


class PresetChoice(click.Choice[str]):
    """One of the names of presets, perhaps beside others; a slip or a name from elsewhere is answered with what to take."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """See click."""
        if (here := OTHER_NAMES.get(str(value).lower())) is not None:
            raise UsageError(f"{value} rules: take {' or '.join(here)} here; `liarsdice rules {here[0]}` says what they mean")
        if value not in self.choices and (near := get_close_matches(str(value), self.choices, 1)):
            raise UsageError(f"there are no {value} rules: did you mean {near[0]}?")
        return super().convert(value, param, ctx)


PRESET = PresetChoice(tuple(PRESETS))
"""The name of a preset."""


def _preset_option(default: str = "classic") -> Callable[[_Function], _Function]:
    words = f"Rule preset; `liarsdice rules` explains all.  [default: {default}]"
    return click.option("--rules", "preset", type=PRESET, help=words)


def _dice_option(default: str = "1,1") -> Callable[[_Function], _Function]:
    return click.option("--dice", type=DICE, help=f"Dice of each player, 2 to 6 players.  [default: {default}]")


_RULE_OPTIONS: dict[str, Callable[[Any], Any]] = {
    "preset": _preset_option(),
    "sides": click.option("--sides", type=WHOLE, metavar="N", help="Faces 1..N of every die.  [default: 6]"),
    "dice": _dice_option(),
    "max_quantity": click.option(
        "--max-quantity", type=WHOLE, metavar="N", help="Highest quantity in a bid.  [default: the preset's]"
    ),
    "wild": click.option("--wild", metavar="FACE", help="Wild face, or none.  [default: the preset's]"),
    "order": click.option("--order", type=click.Choice(ORDERS), help="How bids rise.  [default: the preset's]"),
    "wild_opening": click.option(
        "--wild-opening/--no-wild-opening", default=None, help="Whether one may open on the wild face.  [default: the preset's]"
    ),
    "stairs": click.option(
        "--stairs/--no-stairs", default=None, help="Whether a roll 1,2,3,... counts one more.  [default: the preset's]"
    ),
    "fixed_face": click.option(
        "--fixed-face/--any-face", default=None, help="Whether bids keep the opening's face.  [default: any-face]"
    ),
    "spot_on": click.option(
        "--spot-on/--no-spot-on", default=None, help="Whether one may say a bid is exact.  [default: no-spot-on]"
    ),
    "payoffs": click.option("--payoffs", type=click.Choice(PAYOFFS), help="1/0, or +1/-1.  [default: win]"),
    "dealing": click.option(
        "--dealing",
        type=click.Choice(DEALINGS),
        help="One branch per ordered roll, per combination of rolls, or player after player.  [default: ordered]",
    ),
}


def rule_options(function: _Function) -> _Function:
    """All options that describe a game of Liar's Dice; the function gets them together as `asked`, a `RuleOptions`."""
    return _gathering(function, list(_RULE_OPTIONS))


def shape_options(function: _Function) -> _Function:
    """All but the preset, the payoffs and how a tree deals the dice, for what names presets in another way."""
    return _gathering(function, [name for name in _RULE_OPTIONS if name not in ("preset", "payoffs", "dealing")])


def change_options(function: _Function) -> _Function:
    """What a preset may be changed in, for what values rounds of presets, sides and dice that it goes over itself."""
    shape = ("preset", "sides", "dice", "payoffs", "dealing")
    return _gathering(function, [name for name in _RULE_OPTIONS if name not in shape])


def table_options(preset: str = "classic", dice: str = "1,1") -> Callable[[_Function], _Function]:
    """Return a decorator that adds the rule options of play at a table: all but the payoffs and the dealing of the dice.

    preset, dice : the command's defaults, as shown in its help
    """
    names = [name for name in _RULE_OPTIONS if name not in ("payoffs", "dealing")]
    return lambda function: _gathering(function, names, preset=_preset_option(preset), dice=_dice_option(dice))


def round_options(function: _Function) -> _Function:
    """Those that matter to the value of a strategy: all but how a tree deals the dice."""
    return _gathering(function, [name for name in _RULE_OPTIONS if name != "dealing"])


def _gathering(function: _Function, names: list[str], **instead: Callable[[Any], Any]) -> _Function:
    @wraps(function)
    def gathered(**values: Any) -> Any:
        return function(asked=RuleOptions(**{name: values.pop(name) for name in names}), **values)

    wrapped: Any = gathered
    for name in reversed(names):
        wrapped = (_RULE_OPTIONS | instead)[name](wrapped)
    result: _Function = wrapped
    return result


def part_options(function: _Function) -> _Function:
    """The options that cut a part out of a game; the function gets `depth` and `history`."""
    depth = click.option("--depth", type=WHOLE, metavar="N", help="Only the first N moves; what comes after is cut off.")
    history = click.option(
        "--from", "history", metavar="HISTORY", default="", help='Only what follows moves such as "1x2 2x3".'
    )
    return depth(history(function))


def _list_bots(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from liarsdice_cli.bots.specs import SUMMARIES
        from liarsdice_cli.cli.printing import print_lines

        width = max(map(len, SUMMARIES))
        print_lines(f"{name:{width}}  {summary}" for name, summary in SUMMARIES.items())
        ctx.exit()


bots_option = click.option(
    "--bots", is_flag=True, is_eager=True, expose_value=False, callback=_list_bots, help="List the bots."
)
palifico_option = click.option(
    "--palifico/--no-palifico",
    default=None,
    help="In a match, who comes down to one die opens with nothing wild and the face fixed.  [default: the preset's]",
)
seconds_option = click.option(
    "--time-limit",
    type=ABOVE_0,
    default=5.0,
    show_default=True,
    metavar="X",
    help="How long a bot of your own may take for a move.",
)
quiet_option = click.option("-q", "--quiet", is_flag=True, help="Nothing on standard error but errors.")
json_option = click.option("--json", "as_json", is_flag=True, help="JSON for programs (docs/json.md) on standard output.")
written_option = click.option("--json", "as_json", is_flag=True, help="JSON on the file that was written (docs/json.md).")
labels_option = click.option(
    "--labels",
    type=click.Choice(("auto", "full", "none")),
    default="auto",
    show_default=True,
    help="Label information sets: in small games, always, never.",
)


class _Cluster(click.ParamType[str]):
    name = "WHERE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from liarsdice_cli.system.cluster_names import check

        check(str(value))
        return str(value)


def cluster_option(does: str) -> Callable[[_Function], _Function]:
    """Where there are workers, and what is done on them."""
    words = f"{does}: local:N for N processes here, or auto or HOST:PORT for a cluster of Ray's (docs/cluster.md)."
    return click.option("--cluster", type=_Cluster(), metavar="WHERE", help=words)


def workers_of(cluster: str | None) -> Cluster | None:
    """Return the cluster that starts the workers, or None for this process; raises as `cluster_names.cluster`."""
    from liarsdice_cli.system.cluster_names import cluster as named

    return None if cluster is None else named(cluster)


def in_order_on(cluster: str | None) -> InOrder:
    """What does tasks and gives their results in order: here, or on the workers that the option says."""
    if cluster is None:
        return map
    from functools import partial

    from liarsdice_cli.system.tasks import in_order

    return partial(in_order, workers_of(cluster))


def not_both(cluster: str | None, threads: int | None) -> None:
    """Refuse a command line with workers and threads."""
    if cluster is not None and threads is not None:
        raise UsageError("--threads are those of one process, and the workers of --cluster have one each: give one of the two")


def not_with(option: str, others: Mapping[str, object]) -> None:
    """Refuse options for which another leaves no room; None where they are not given."""
    for other, given in others.items():
        if given is not None:
            raise UsageError(f"{other} is not for {option}: leave it out")


def only_in_matches(palifico: bool | None, match: bool) -> None:
    """Refuse a rule of matches where there is none."""
    if palifico and not match:
        raise UsageError("--palifico is for --match; a single round like it has --wild none --fixed-face")


def one_game(game: str | None, asked: RuleOptions) -> None:
    """Refuse a command line that names no game, or two."""
    if game is None and not asked:
        raise UsageError("no game: name a file, - for standard input, or rule options such as --sides 3")
    if game is not None and asked:
        first = option(Argument(asked.given[0]))
        raise UsageError(f"both {game} and {first} describe a game: give a file or rule options, not both")
