"""Strategy files (.ldz): what both players do with every roll after every history, in little space, read piece by piece.

A ZIP archive, so that any tool can look in:

head.json           : format and version, the rules, how it was found and what was proved then
player1/0, 1, 2 ... : the rows of player 1 (see `games.liarsdice.layout`), `rows_a_piece` in each but the last: for every row
player2/0, 1, 2 ...   and roll an unsigned 16-bit integer, little-endian. A player takes each action in proportion to
                      these, and all actions alike where every one is 0.

Where a player's own play comes with a probability below `UNREACHED` nothing is kept: what stands there cannot cost the
player more than that. Zeros take no space, so a file is as large as what play can reach.
"""

from __future__ import annotations

import json
import struct
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
from liarsdice_cli.formats.heads import LONGEST, Head
from liarsdice_cli.games.liarsdice.layout import Layout
from liarsdice_cli.games.liarsdice.public import public_game
from liarsdice_cli.games.liarsdice.rules import MOST, Rules, rules
from liarsdice_cli.games.liarsdice.strategy import mover
from liarsdice_cli.games.liarsdice.weights import proportions

FORMAT = "liarsdice/strategy/1"
UNREACHED = 1e-8
"""Probability of a player's own play, roll included, below which nothing is kept."""
_WHOLE = 65535
_ROWS = 1 << 14
_MOST_ROWS, _MOST_CELLS = 1 << 36, 1 << 40
"""The most rows of a player, and rows times rolls, of a game that anybody can have solved."""
_PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""How members may be packed: as `write` does it, or not at all."""
_DAMAGES = (
    OSError,
    ValueError,
    LookupError,
    RuntimeError,
    EOFError,
    OverflowError,
    struct.error,
    zlib.error,
    zipfile.BadZipFile,
)
"""What the standard library raises where an archive is damaged, depending on where."""
_EPOCH = (1980, 1, 1, 0, 0, 0)


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
    """The sum of a player's weights, roll by roll, over what is done first: all the weight there ever was."""
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
        self._archive = self._opened()
        try:
            head = Head.parsed(self._content("head.json", LONGEST))
            if head.text("format") != FORMAT:
                raise LiarsDiceError(f"{name} has the format {head.text('format')[:40]!r}, and this version reads {FORMAT}")
            self.rules, self.origin = _rules(head.under("rules")), _origin(head.under("origin"))
            self._rows = head.whole("rows_a_piece", 1, _MOST_ROWS)
        except ValueError as error:
            raise self._damaged from error
        self._layout = Layout(self.rules.bid_count)
        if any(
            rows > _MOST_ROWS or rows * self.rules.roll_count(player) > _MOST_CELLS
            for player, rows in enumerate(self._layout.rows)
        ):
            raise self._damaged

    def _opened(self) -> zipfile.ZipFile:
        try:
            return zipfile.ZipFile(self.name)
        except zipfile.BadZipFile:
            raise LiarsDiceError(f"{self.name} is no strategy file, or is cut short: copy it again, or solve again") from None
        except OSError as error:
            raise LiarsDiceError(f"cannot read {self.name}: {error.strerror or error}") from error
        except _DAMAGES as error:
            raise self._damaged from error

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
            info = self._archive.getinfo(member)
            if info.file_size > most or info.compress_type not in _PACKED:
                raise self._damaged
            return self._archive.read(info)
        except _DAMAGES as error:
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


def _origin(head: Head) -> Origin:
    iterations = head.whole("iterations", 0, 1 << 60) if head.has("iterations") else None
    return Origin(head.text("method"), iterations, head.number("lower"), head.number("upper"))


def _rules(head: Head) -> Rules:
    """The rules in a head, for two players; ValueError for what are none."""
    try:
        game = rules(
            head.text("rules"),
            head.whole("sides", 1, MOST),
            head.wholes("dice", 1, MOST),
            wild=head.whole("wild", 1, MOST) if head.has("wild") else "none",
            max_quantity=head.whole("max_quantity", 1, MOST),
            order=head.text("order"),
            payoffs=head.text("payoffs"),
        )
    except LiarsDiceError as error:
        raise ValueError(str(error)) from error
    if game.players != 2:
        raise ValueError(f"{game.players} players")
    return game
