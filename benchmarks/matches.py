"""`make matches`: solve the rounds of whole matches, and write the tables in docs/results.md and docs/match-PRESET.svg.

docs/match-PRESET.csv stores the proved values of all rounds. Better values from `make values` and `make large` replace them.
Rounds with a value within their target are not solved again; half a day for all. `--tables` solves nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from benchmarks import large
from benchmarks.results import DOCS, Page, between, markdown, parser_with_tables
from benchmarks.values import VALUES
from liarsdice_cli.draw import svg
from liarsdice_cli.draw.colours import GREY, INK, PAPER, Colour, mixed, of_mover
from liarsdice_cli.draw.scene import LARGE, SMALL, Box, Mark, Scene, Text, ink_on
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.table import Table
from liarsdice_cli.library.tables import values
from liarsdice_cli.studies.match import Match, stages
from liarsdice_cli.studies.value_table import ValueTable, read

SIDES = 6
_CELL, _LEFT, _TOP = 64.0, 150.0, 96.0


class Whole(NamedTuple):
    """Matches of a preset, with up to `dice` dice each."""

    preset: str
    dice: int
    targets: dict[int, float]
    """The target exploitability of rounds, for payoffs 1 and -1, by their largest total number of dice."""

    def target(self, dice: int) -> float:
        """Return the target of rounds with this total number of dice."""
        return next(target for most, target in self.targets.items() if dice <= most)

    @property
    def values(self) -> Path:
        """The file with the values of rounds."""
        return DOCS / f"match-{self.preset}.csv"

    @property
    def picture(self) -> Path:
        """The file of the heat map."""
        return DOCS / f"match-{self.preset}.svg"


MATCHES = (
    Whole("common", 5, {6: 1e-3, 7: 2e-3, 8: 4e-3, 10: 1.1e-2}),
    Whole("joker", 4, {5: 1e-3, 6: 3e-3, 7: 8e-3, 8: 3e-2}),
)


def solved(whole: Whole, solve: bool = False) -> Match:
    """Return the match; with `solve`, solve rounds whose values miss their target, and write the file of values."""
    table = ValueTable(read(str(whole.values)) if whole.values.exists() else (), str(whole.values) if solve else None)
    start = Table.start(rules(whole.preset, SIDES, (whole.dice, whole.dice)))
    games = [replace(game, payoffs="zero-sum") for game in stages(start)]
    table.expect(games)
    for one in (*read(str(VALUES)), *large.proved()):
        if one.rules in games:
            table.add(one)
    if solve:
        for game in games:
            values([game], table=table, target=whole.target(sum(game.dice)), threads=1)
    return Match(start, "loser", [one for one in map(table.get, games) if one is not None])


def table(whole: Whole) -> Iterator[str]:
    """Yield the table of the opener's chances: a row for each number of its dice, a column for each number of the other's."""
    found, counts = solved(whole), range(1, whole.dice + 1)
    rows = ((str(own), *(between(*found.won_by_first(own, other, 1)) for other in counts)) for own in counts)
    return markdown(["the opener's dice", *(f"against {other}" for other in counts)], rows)


def heat_map(found: Match) -> Scene:
    """Return a heat map of player 1's chances: red above one half, blue below; it opens on the left, player 2 on the right."""
    count = found.start.dice[0]
    gap = _LEFT + count * _CELL + 40
    title = f"Who wins a match of {found.start.game.name} rules"
    words = "The chance of player 1 by the dice that both have left; the loser of a round gives up a die and opens the next."
    marks: list[Mark] = [Text(16, 26, ((title, INK),), size=LARGE), Text(16, 46, ((words, GREY),), size=SMALL)]
    for opener, left in ((1, _LEFT), (2, gap)):
        marks += _map(found, opener, left)
    marks += [
        Text(_LEFT - 12, _TOP + (own - 0.5) * _CELL + 5, ((f"player 1: {own}", INK),), anchor="end")
        for own in range(1, count + 1)
    ]
    return Scene(title, f"{title}. {words}", gap + count * _CELL + 16, _TOP + count * _CELL + 16, tuple(marks))


def _map(found: Match, opener: int, left: float) -> Iterator[Mark]:
    red, blue = of_mover(0), of_mover(1)
    yield Text(left, _TOP - 26, ((f"player {opener} opens", INK),))
    for other in range(1, found.start.dice[1] + 1):
        yield Text(left + (other - 0.5) * _CELL, _TOP - 8, ((f"player 2: {other}", GREY),), anchor="middle", size=SMALL)
        for own in range(1, found.start.dice[0] + 1):
            lower, upper = map(float, found.won_by_first(own, other, opener))
            chance = (lower + upper) / 2
            strong, share = (red, 2 * chance - 1) if chance > 0.5 else (blue, 1 - 2 * chance)
            shade = Colour(*(mixed(paper, colour, share) for paper, colour in zip(PAPER, strong, strict=True)))
            x, y = left + (other - 1) * _CELL, _TOP + (own - 1) * _CELL
            said = f"dice {own},{other}, player {opener} opens: {lower:.4f} to {upper:.4f}"
            digits = f"{chance:.3f}" if upper - lower < 0.001 else f"{chance:.2f}"
            yield Box(x, y, _CELL - 2, _CELL - 2, shade, "", False, said)
            yield Text(x + _CELL / 2 - 1, y + _CELL / 2 + 4, ((digits, ink_on(shade)),), anchor="middle")


PAGE = Page("results.md", {f"make matches, match {whole.preset}": partial(table, whole) for whole in MATCHES})

if __name__ == "__main__":
    solve = not parser_with_tables(__doc__).parse_args().tables
    for whole in MATCHES:
        whole.picture.write_bytes(svg.dumps(heat_map(solved(whole, solve))))
    PAGE.write()
