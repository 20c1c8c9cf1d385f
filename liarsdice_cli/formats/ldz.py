"""Strategy files (.ldz): what both players do with every roll after every history, in little space, read piece by piece.

A ZIP archive, so that any tool can look in:

head.json           : format and version, the rules, how it was found and what was proved then
player1/0, 1, 2 ... : the rows of player 1 (see `public_tree.layout`), `rows_a_piece` in each but the last: for every row
player2/0, 1, 2 ...   and roll an unsigned 16-bit integer, little-endian. A player takes each action in proportion to
                      these, and all actions alike where every one is 0.

Where a player's own play comes with a probability below `UNREACHED` nothing is kept: what stands there cannot cost him
more than that. Zeros take no space, so a file is as large as what play can reach.
"""

from __future__ import annotations

import json
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.tree import Floats, Ints
from liarsdice_cli.formats import files
from liarsdice_cli.games.liarsdice.layout import Layout
from liarsdice_cli.games.liarsdice.public import public_game
from liarsdice_cli.games.liarsdice.rules import Rules, rules
from liarsdice_cli.games.liarsdice.strategy import mover
from liarsdice_cli.games.liarsdice.weights import proportions

FORMAT = "liarsdice/strategy/1"
UNREACHED = 1e-8
"""Probability of a player's own play, roll included, below which nothing is kept."""
_WHOLE = 65535
_LONGEST_HEAD = 1 << 16
_ROWS = 1 << 14
_EPOCH = (1980, 1, 1, 0, 0, 0)


def is_strategy(name: str) -> bool:
    """Whether the name of a file is that of a strategy.

    >>> is_strategy("kept.ldz"), is_strategy("profile.json")
    (True, False)
    """
    return name.lower().endswith(".ldz")


@dataclass(frozen=True)
class Origin:
    """Where a strategy comes from: a method, its iterations, and the bounds on player 1's payoff that were proved then.

    The bounds were those of the strategies before they were rounded for the file; `liarsdice verify` judges the file.
    """

    method: str
    iterations: int | None
    lower: float
    upper: float


def write(name: str, game: Rules, weights: tuple[Floats, Floats], origin: Origin) -> None:
    """Keep the strategies that act in proportion to weights, laid out as `PublicTree.averages`.

    Raises LiarsDiceError where the file cannot be written. Cost: a pass over the weights, piece by piece.
    """
    head = {"format": FORMAT, "rules": _described(game), "rows_a_piece": _ROWS, "origin": asdict(origin)}
    with files.output(name) as out, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        _member(archive, "head.json", json.dumps(head, indent=1).encode())
        for player, array in enumerate(weights):
            played = _Rounded.of(game, player, array)
            for piece, start in enumerate(range(0, len(array), _ROWS)):
                _member(archive, f"player{player + 1}/{piece}", played.rows(start, min(start + _ROWS, len(array))).tobytes())


def _member(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    info = zipfile.ZipInfo(name, _EPOCH)
    info.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(info, content)


@dataclass(frozen=True, eq=False)
class _Rounded:
    """Weights as integers up to `_WHOLE` a set; rows are grouped into histories by `first`, 1 at the first row of each."""

    weights: Floats
    least: Floats
    starts: Ints

    @classmethod
    def of(cls, game: Rules, player: int, weights: Floats) -> _Rounded:
        chances = public_game(game).rolls[player]
        starts = Layout(game.bid_count).history_rows(player)
        return cls(weights, _opening_weight(game, player, weights, chances) * UNREACHED, starts)

    def rows(self, start: int, stop: int) -> Ints:
        """The rows from start up to stop; histories that are cut by the ends are rounded whole."""
        first, last = np.searchsorted(self.starts, start, "right") - 1, np.searchsorted(self.starts, stop)
        begin = int(self.starts[first])
        end = int(self.starts[last]) if last < len(self.starts) else len(self.weights)
        own = self.weights[begin:end].astype(np.float64)
        edges = self.starts[first:last] - begin
        total = np.add.reduceat(own, edges, axis=0)
        counts = np.diff(np.append(edges, end - begin))
        scale = np.where(total > self.least, _WHOLE / np.where(total > 0, total, 1), 0)
        whole: Ints = np.rint(own * np.repeat(scale, counts, axis=0)).astype("<u2")
        return whole[start - begin : stop - begin]


def _opening_weight(game: Rules, player: int, weights: Floats, chances: Floats) -> Floats:
    """The sum of a player's weights, roll by roll, over what he does first: all that he was ever weighted with."""
    layout = Layout(game.bid_count)
    starts = (
        [(0, layout.actions(-1))]
        if player == 0
        else [(layout.first_row([bid]), layout.actions(bid)) for bid in range(game.bid_count)]
    )
    sums = [weights[row : row + count].sum(axis=0, dtype=np.float64) for row, count in starts]
    most: Floats = np.max(sums, axis=0)
    return most / np.maximum(chances, 1e-300)


class StrategyFile:
    """A strategy in a file: knows its head, reads the rest when it is asked for, and keeps the last pieces.

    Raises LiarsDiceError, when it is opened or read, where the file is none, of another version, or damaged.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        try:
            self._archive = zipfile.ZipFile(name)
        except OSError as error:
            raise LiarsDiceError(f"cannot read {name}: {error.strerror or error}") from error
        except zipfile.BadZipFile:
            raise LiarsDiceError(f"{name} is no strategy file, or is cut short: copy it again, or solve again") from None
        try:
            head = json.loads(self._content("head.json", _LONGEST_HEAD))
            if head["format"] != FORMAT:
                raise LiarsDiceError(f"{name} has the format {head['format']!r}, and this version reads {FORMAT}")
            self.rules = _rules(head["rules"])
            self._rows = int(head["rows_a_piece"])
            self.origin = _origin(head["origin"])
            if self._rows < 1 or self.rules.players != 2:
                raise ValueError
        except (ValueError, KeyError, TypeError) as error:
            raise self._damaged from error
        self._layout = Layout(self.rules.bid_count)

    def __reduce__(self) -> tuple[type[StrategyFile], tuple[str]]:
        """Another process opens the file itself."""
        return StrategyFile, (self.name,)

    def at(self, history: Sequence[int]) -> Floats:
        """See `strategy.Strategy`. Reads the one or two pieces that hold the history."""
        count, player = self._layout.actions(history[-1] if history else -1), mover(self.rules, history)
        if count == 0:
            return np.ones((1, self.rules.roll_count(player)))
        first = self._layout.first_row(history)
        return proportions(self.weights(player, first, first + count))

    def weights(self, player: int, start: int = 0, stop: int | None = None) -> Ints:
        """The integers of a player's rows from start up to stop, (rows, rolls); all of them if nothing is said."""
        stop = self._layout.rows[player] if stop is None else stop
        rows = np.empty((stop - start, self.rules.roll_count(player)), np.uint16)
        for piece in range(start // self._rows, -(-stop // self._rows)):
            content, begin = self._piece(player, piece), piece * self._rows
            here = content[max(start - begin, 0) : stop - begin]
            rows[max(begin - start, 0) :][: len(here)] = here
        return rows

    @cached_property
    def _piece(self) -> Any:
        return lru_cache(maxsize=64)(self._read_piece)

    def _read_piece(self, player: int, piece: int) -> Ints:
        rows = min(self._rows, self._layout.rows[player] - piece * self._rows)
        rolls = self.rules.roll_count(player)
        content = self._content(f"player{player + 1}/{piece}", 2 * rows * rolls)
        if len(content) != 2 * rows * rolls:
            raise self._damaged
        return np.frombuffer(content, "<u2").reshape(rows, rolls)

    def _content(self, member: str, most: int) -> bytes:
        """A member of the archive that holds at most so many bytes."""
        try:
            if self._archive.getinfo(member).file_size > most:
                raise self._damaged
            return self._archive.read(member)
        except (KeyError, OSError, zipfile.BadZipFile, zlib.error, EOFError, RuntimeError) as error:
            raise self._damaged from error

    @property
    def _damaged(self) -> LiarsDiceError:
        return LiarsDiceError(f"the strategy file {self.name} is damaged or cut short: copy it again, or solve again")


def _described(game: Rules) -> dict[str, Any]:
    return {
        "rules": game.name,
        "sides": game.sides,
        "dice": list(game.dice),
        "wild": game.wild,
        "max_quantity": game.max_quantity,
        "order": game.order,
        "payoffs": game.payoffs,
    }


def _origin(head: dict[str, Any]) -> Origin:
    """What a head says, which may be anything: numbers that are numbers, and a name that a terminal can show."""
    method, iterations = str(head["method"]), head["iterations"]
    if not method.isprintable():
        raise ValueError
    return Origin(method, None if iterations is None else int(iterations), float(head["lower"]), float(head["upper"]))


def _rules(head: dict[str, Any]) -> Rules:
    wild = "none" if head["wild"] is None else int(head["wild"])
    return rules(
        str(head["rules"]),
        int(head["sides"]),
        [int(count) for count in head["dice"]],
        wild=wild,
        max_quantity=int(head["max_quantity"]),
        order=str(head["order"]),
        payoffs=str(head["payoffs"]),
    )
