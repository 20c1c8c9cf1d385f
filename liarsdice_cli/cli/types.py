"""The types of option values."""

from __future__ import annotations

from difflib import get_close_matches
from math import isnan
from typing import Any

import click
from click.types import FloatParamType, IntParamType

from liarsdice_cli.errors import UsageError
from liarsdice_cli.games.liarsdice.presets import OTHER_NAMES, PRESETS
from liarsdice_cli.text import decimal, whole


class _File(click.Path):
    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return value


FILE = _File()
"""The name of a file, which a shell can complete. Whether it can be read or written is checked when it is opened."""


class WholeRange(click.IntRange):
    """A whole number in a range, in digits as `text.whole` reads them."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the value as a number; see click."""
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
"""A number of bytes, with or without a unit."""


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
"""Any number, as `text.decimal` reads it."""
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
"""Numbers of dice, one for each player."""


class PresetChoice(click.Choice[str]):
    """The name of a preset. The error for a misspelt or foreign name suggests one that exists."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the preset's name; see click."""
        if (here := OTHER_NAMES.get(str(value).lower())) is not None:
            raise UsageError(f"{value} is not a preset: use {' or '.join(here)}; `liarsdice rules {here[0]}` explains it")
        if value not in self.choices and (near := get_close_matches(str(value), self.choices, 1)):
            raise UsageError(f"there is no preset {value}: did you mean {near[0]}?")
        return super().convert(value, param, ctx)


PRESET = PresetChoice(tuple(PRESETS))
"""The name of a preset."""


class _Cluster(click.ParamType[str]):
    name = "WHERE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from liarsdice_cli.system.cluster_names import check

        check(str(value))
        return str(value)


CLUSTER = _Cluster()
"""The place of the workers."""
