"""The rules of a match that go beyond those of its rounds."""

from __future__ import annotations

from typing import NamedTuple

from liarsdice_cli.errors import Argument, UsageError, check_flags, check_one_of
from liarsdice_cli.games.liarsdice.presets import PRESETS

SPOT_ON_BY = ("next", "any")
"""The players who may claim spot-on: the next one, or all but the bidder."""


class MatchRules(NamedTuple):
    """The rules of a match that go beyond those of its rounds.

    palifico      : whether a player with a new last die opens a palifico round
    spot_on_gains : whether a right spot-on claim wins back a die, and nobody loses one
    by_any        : whether all players but the bidder may claim spot-on, not only the next

    Single rounds have only the last of them.
    """

    palifico: bool = False
    spot_on_gains: bool = False
    by_any: bool = False

    @classmethod
    def of(
        cls,
        preset: str,
        spot_on: bool,
        palifico: bool | None = None,
        spot_on_gains: bool = False,
        spot_on_by: str = "next",
        match: bool = True,
    ) -> MatchRules:
        """Return the rules of a match under a preset, or those of single rounds.

        spot_on  : whether spot-on is played, which the rules of claims need
        palifico : None for the preset's own

        Raises UsageError for values of wrong types, and for rules of claims that are not played.

        >>> MatchRules.of("perudo", spot_on=True, spot_on_by="any")
        MatchRules(palifico=True, spot_on_gains=False, by_any=True)
        """
        check_one_of("preset", preset, PRESETS)
        check_flags(optional=True, palifico=palifico)
        check_flags(spot_on_gains=spot_on_gains, match=match)
        check_one_of("spot_on_by", spot_on_by, SPOT_ON_BY)
        needing = (Argument("spot_on_gains"), spot_on_gains), (Argument("spot_on_by", spot_on_by), spot_on_by == "any")
        for argument, asked in needing:
            if asked and not spot_on:
                raise UsageError(argument, " needs spot-on claims: give ", Argument("spot_on", True), " too")
        lasts = PRESETS[preset].palifico if palifico is None else palifico
        return cls(lasts and match, spot_on_gains and match, spot_on_by == "any")

    @property
    def spot_on_by(self) -> str:
        """One of `SPOT_ON_BY`."""
        return "any" if self.by_any else "next"


PLAIN = MatchRules()
"""No rules beyond those of the rounds."""
