"""Strategy files (.ldz): what every player does with every roll after every history, in little space, read shard by shard.

A ZIP archive, so that any tool can look in. All numbers are little-endian.

head.json         : format and version, the rules, where it is cut into shards, how it was found and what was proved then
subtrees          : 32-bit integers, (subtrees, 4): last bid, who moves, the history in its shard (-1: none) and the shard
values/1, 2, ...  : for each player 32-bit floats, (subtrees, rolls): what the subtree is worth with each roll, weighed by the
                    others' reach; may be missing
shards/0/...      : the histories that have grown in the top shard, then 1/..., 2/... those of the shards below:
    histories     : 16-bit integers, (histories, 2): the last bid (-1 in the opening), and who moves
    children      : 32-bit integers: for each history, after each higher bid but the highest, the number of the history in
                    the shard (from the cut on: of the subtree), or -1: there whoever moves calls
    weights       : for each history and action (a call, unless it is the opening, and each higher bid) a 16-bit unsigned
                    integer for each roll, the rolls filled up with zeros to a multiple of 8. A player takes each action in
                    proportion to these, and the first action where every one is 0.

Where a player's own play comes with a probability below `UNREACHED` nothing is kept: what stands there cannot cost the
player more than that. Zeros take no space, so a file is as large as what play can reach.
"""

from __future__ import annotations

import json
import struct
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.evaluate import Judgement
from liarsdice_cli.extensive.stream import Floats, Ints
from liarsdice_cli.formats import files
from liarsdice_cli.formats.heads import LONGEST, Head
from liarsdice_cli.games.liarsdice.public import MOST_ROLLS
from liarsdice_cli.games.liarsdice.rules import MOST, Rules, rules
from liarsdice_cli.strategies.shard import CHILDREN, ENTRIES, Shard
from liarsdice_cli.strategies.store import StrategyStore, float_type
from liarsdice_cli.strategies.stored import StoredStrategy, at

FORMAT = "liarsdice/strategy/2"
UNREACHED = 1e-8
"""Probability of a player's own play, roll included, below which nothing is kept."""
WEIGHTS = "weights"
"""The name of the numbers of a strategy that has been read."""
_WHOLE = 65535
_MOST_BYTES = 1 << 36
"""The most bytes of a member."""
_MOST_SHARDS, _MOST_BIDS = 1 << 16, 1 << 12
_KEPT = 16
"""Shards of a file that are kept once they are read."""
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
    """Where a strategy comes from: a method, its iterations, and what was proved then.

    lower, upper : bounds on player 1's payoff in equilibrium, for two players; else None
    regrets      : what each player could gain, for three or more; else None

    They are those of the strategies before they were rounded for the file; `liarsdice verify` judges the file.
    """

    method: str
    iterations: int | None
    lower: float | None = None
    upper: float | None = None
    regrets: tuple[float, ...] | None = None

    @classmethod
    def of(cls, method: str, iterations: int | None, judgement: Judgement) -> Origin:
        """What a judge has proved of a strategy."""
        if judgement.bounds is not None:
            lower, upper = map(float, judgement.bounds)
            return cls(method, iterations, lower, upper)
        regrets = tuple(float(regret) for regret in judgement.regrets if regret is not None)
        return cls(method, iterations, regrets=regrets)


def write(name: str, strategy: StoredStrategy, origin: Origin) -> None:
    """Keep a strategy.

    Raises LiarsDiceError where the file cannot be written. Cost: a pass over the numbers, shard by shard.
    """
    tree, game = strategy.tree, strategy.rules
    head = {
        "format": FORMAT,
        "rules": _described(game),
        "cut": tree.cut,
        "shards": len(tree.shards),
        "values": strategy.values is not None,
        "origin": asdict(origin),
    }
    with files.output(name) as out, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        _member(archive, "head.json", json.dumps(head, indent=1).encode())
        _member(archive, "subtrees", tree.roots[: tree.subtrees[0]].astype("<i4").tobytes())
        for player, values in enumerate(strategy.values or (), 1):
            _member(archive, f"values/{player}", values.astype("<f4").tobytes())
        least = _opening_weight(strategy) * UNREACHED
        for number, shard in tree.all_shards:
            _write_shard(archive, tree, number, shard, strategy.name, least)


def _member(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    info = zipfile.ZipInfo(name, _EPOCH)
    info.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(info, content, compresslevel=1)


def _write_shard(archive: zipfile.ZipFile, tree: StrategyStore, number: int, shard: Shard, kept: str, least: float) -> None:
    name, moves = f"shards/{number + 1}", tree.states(shard, number)
    _member(archive, f"{name}/histories", moves.astype("<i2").tobytes())
    _member(archive, f"{name}/children", shard.children[: shard.used[CHILDREN]].astype("<i4").tobytes())
    whole = np.zeros(int(shard.used[ENTRIES]), "<u2")
    for own, actions, width in _alike(tree, *moves.T):
        for some in np.array_split(own, -(-len(own) * actions * width // (1 << 22))):
            where = shard.first_entry[some][:, None] + np.arange(actions * width)
            weights = shard.arrays[kept][where].reshape(-1, actions, width).astype(np.float64)
            total = weights.sum(axis=1, keepdims=True)
            scale = np.where(total > least, _WHOLE / np.where(total > 0, total, 1), 0)
            whole[where] = np.rint(weights * scale).reshape(len(some), -1)
    _member(archive, f"{name}/weights", whole.tobytes())


def _alike(tree: StrategyStore, last: Ints, mover: Ints) -> Iterator[tuple[Ints, int, int]]:
    """The histories of a shard in groups of the same shape, with their actions and padded rolls."""
    for key in np.unique(last * tree.players + mover).tolist():
        bid, player = divmod(key, tree.players)
        width = int(tree.widths[player])
        yield np.flatnonzero((last == bid) & (mover == player)), tree.bidding.actions(bid), width


def _opening_weight(strategy: StoredStrategy) -> float:
    """All the weight there ever was: what the opening has over the probability of the roll."""
    tree = strategy.tree
    weights = tree.entries(tree.top, 0, -1, 0, strategy.name).sum(axis=0, dtype=np.float64)
    chances = np.array([float(chance) for _, chance in strategy.rules.rolls(0)])
    return float(np.max(weights / chances))


class StrategyFile:
    """A strategy in a file: knows its head, reads shards when they are asked for, and keeps the last of them.

    tree, name : the grown tree and the name of its numbers, as of a `StoredStrategy`
    values     : what subtrees are worth, if the file says so
    start      : None, as it is of a whole game

    Raises LiarsDiceError, when it is opened or read, where the file is none, of another version, or damaged.
    """

    name = WEIGHTS
    start = None

    def __init__(self, file: str) -> None:
        self.file = file
        self._archive = self._opened()
        try:
            head = Head.parsed(self._content("head.json", LONGEST))
            if head.text("format") != FORMAT:
                raise LiarsDiceError(
                    f"{file} has the format {head.text('format')[:40]!r}, and this version reads {FORMAT}: solve again, or use "
                    "the version that wrote it"
                )
            self.rules = _rules(head.under("rules"))
            self.origin = _origin(head.under("origin"), self.rules.players)
            self.tree = self._tree(head)
            self.values = self._values() if head.fields.get("values") is True else None
        except _DAMAGES as error:
            raise self._damaged from error

    def _opened(self) -> zipfile.ZipFile:
        try:
            return zipfile.ZipFile(self.file)
        except zipfile.BadZipFile:
            raise LiarsDiceError(f"{self.file} is no strategy file, or is cut short: copy it again, or solve again") from None
        except OSError as error:
            raise LiarsDiceError(f"cannot read {self.file}: {error.strerror or error}") from error
        except _DAMAGES as error:
            raise self._damaged from error

    def __reduce__(self) -> tuple[type[StrategyFile], tuple[str]]:
        """Another process opens the file itself."""
        return StrategyFile, (self.file,)

    def at(self, history: Sequence[int]) -> Floats:
        """See `strategy.Strategy`. Reads the one or two shards that hold the history."""
        return at(self.tree, WEIGHTS, history)

    def _tree(self, head: Head) -> StrategyStore:
        """The grown tree, of which only the top shard is read."""
        game = self.rules
        if game.bid_count > _MOST_BIDS:
            raise ValueError(f"{game.bid_count} bids")
        cut, shards = head.whole("cut", 1, game.bid_count), head.whole("shards", 0, _MOST_SHARDS)
        rolls = [game.roll_count(player) for player in range(game.players)]
        if max(rolls) > MOST_ROLLS:
            raise ValueError(f"{max(rolls)} rolls")
        tree = StrategyStore(rolls, game.bidding, (WEIGHTS,), float_type(game.bidding, rolls), cut=game.bid_count)
        roots = np.frombuffer(self._content("subtrees", _MOST_BYTES), "<i4").reshape(-1, 4).astype(np.int64)
        tree.cut, tree.roots, tree.subtrees[0] = cut, roots, len(roots)
        tree.check_subtrees(shards)
        tree.top = self._shard(tree, 0)
        tree.shards = _Shards(self, tree, shards)
        return tree

    def _values(self) -> tuple[Floats, ...]:
        found = []
        for player, rolls in enumerate(self.tree.rolls, 1):
            data = np.frombuffer(self._content(f"values/{player}", _MOST_BYTES), "<f4").reshape(len(self.tree.roots), rolls)
            if not np.isfinite(data).all():
                raise ValueError("a value is not finite")
            found.append(data)
        return tuple(found)

    def _moves_in(self, number: int) -> Ints:
        return np.frombuffer(self._content(f"shards/{number}/histories", _MOST_BYTES), "<i2").reshape(-1, 2).astype(np.int64)

    def shard(self, tree: StrategyStore, number: int) -> Shard:
        """Read a shard, 0 being the top one."""
        try:
            return self._shard(tree, number)
        except _DAMAGES as error:
            raise self._damaged from error

    def _shard(self, tree: StrategyStore, number: int) -> Shard:
        """A shard in which everything lies where it has to; ValueError for others."""
        moves = self._moves_in(number)
        shard = tree.new_shard()
        tree.lay_out(shard, moves)
        children = self._exactly(f"shards/{number}/children", 4 * int(shard.used[CHILDREN]))
        weights = self._exactly(f"shards/{number}/weights", 2 * int(shard.used[ENTRIES]))
        shard.children = np.frombuffer(children, "<i4").astype(np.int32)
        shard.arrays[WEIGHTS] = np.frombuffer(weights, "<u2").astype(shard.arrays[WEIGHTS].dtype)
        tree.check(shard, moves, number - 1)
        return shard

    def _exactly(self, member: str, size: int) -> bytes:
        content = self._content(member, size)
        if len(content) != size:
            raise ValueError(f"{member} is of another size")
        return content

    def _content(self, member: str, most: int) -> bytes:
        """A member of the archive that holds at most so many bytes."""
        info = self._archive.getinfo(member)
        if info.file_size > most or info.compress_type not in _PACKED:
            raise ValueError(f"{member} is too large, or packed in another way")
        return self._archive.read(info)

    @property
    def _damaged(self) -> LiarsDiceError:
        return LiarsDiceError(f"the strategy file {self.file} is damaged or cut short: copy it again, or solve again")


class _Shards:
    """The shards of a file, each read when it is asked for; the last ones are kept (see `grown.Shards`)."""

    def __init__(self, file: StrategyFile, tree: StrategyStore, count: int) -> None:
        self._count = count
        self._read = lru_cache(maxsize=_KEPT)(lambda number: file.shard(tree, number + 1))

    @property
    def sizes(self) -> Ints:
        """See `Shards`; reads them all."""
        return np.array([shard.size for shard in self], np.int64).reshape(-1, 7)

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Shard]:
        return map(self.__getitem__, range(self._count))

    def __getitem__(self, number: int) -> Shard:
        if not 0 <= number < self._count:
            raise IndexError(number)
        found: Shard = self._read(number)
        return found


def _described(game: Rules) -> dict[str, Any]:
    return {
        "rules": game.name,
        "sides": game.sides,
        "dice": list(game.dice),
        "wild": game.wild,
        "max_quantity": game.max_quantity,
        "order": game.order,
        "payoffs": game.payoffs,
        "wild_opening": game.wild_opening,
        "stairs": game.stairs,
        "fixed_face": game.fixed_face,
        "spot_on": game.spot_on,
    }


def _origin(head: Head, players: int) -> Origin:
    """Where a strategy comes from; ValueError unless it says what is proved for so many players."""
    method, iterations = head.text("method"), head.whole("iterations", 0, 1 << 60) if head.has("iterations") else None
    if players == 2:
        return Origin(method, iterations, head.number("lower"), head.number("upper"))
    regrets = tuple(head.numbers("regrets"))
    if len(regrets) != players:
        raise ValueError(f"{len(regrets)} regrets")
    return Origin(method, iterations, regrets=regrets)


def _rules(head: Head) -> Rules:
    """The rules in a head; ValueError for what are none."""
    try:
        return rules(
            head.text("rules"),
            head.whole("sides", 1, MOST),
            head.wholes("dice", 1, MOST),
            wild=head.whole("wild", 1, MOST) if head.has("wild") else "none",
            max_quantity=head.whole("max_quantity", 1, MOST),
            order=head.text("order"),
            payoffs=head.text("payoffs"),
            wild_opening=head.fields.get("wild_opening") is not False,
            stairs=head.fields.get("stairs") is True,
            fixed_face=head.fields.get("fixed_face") is True,
            spot_on=head.fields.get("spot_on") is True,
        )
    except LiarsDiceError as error:
        raise ValueError(str(error)) from error
