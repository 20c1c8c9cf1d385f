"""Strategy files (.ldz): compact strategies of all players, read shard by shard.

A strategy file is a ZIP archive, so any tool can list it. All numbers are little-endian.

head.json         : format and version, rules, the cut into shards, method and proved bounds
subtrees          : 32-bit integers, (subtrees, 4): last bid, player to move, history in its shard (-1: none), shard
values/1, 2, ...  : for each player 32-bit floats, (subtrees, rolls): counterfactual values of the subtree; may be missing
shards/0/...      : the expanded histories of the top shard; 1/..., 2/... those of the shards below:
    histories     : 16-bit integers, (histories, 2): the last bid (-1 in the opening) and the player to move
    columns       : 32-bit integers, (columns, 3), for each action with a column (see `strategies.store`): the number of its
                    history; the bid that it makes, or the last bid for an action that ends the round; and the number of the
                    history after it in the shard (in shard 0, for bids from the cut on, of the subtree), or -1 if that is not
                    expanded, so that the player calls there
    weights       : for each column a 16-bit unsigned integer for each roll, the rolls filled up with zeros to a multiple of 8.
                    A player takes each action in proportion to these, and the first action if every one is 0.

If a player's own reach probability is below `UNREACHED`, and below `UNLIKELY` given the roll, the weights are 0. This costs the
player at most `UNREACHED`. Zeros compress well, so the size of a file follows from the histories that play can reach.

If players tremble, play after mistakes matters too, and beliefs there depend on small probabilities. So such a file has the
format `WITH_MISTAKES`: its weights are 16-bit floats, and those of all expanded histories are stored.
"""

from __future__ import annotations

import json
import struct
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from math import inf

import numpy as np

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.evaluate import Judgement
from liarsdice_cli.extensive.stream import Floats, Ints
from liarsdice_cli.formats import files
from liarsdice_cli.formats.heads import LONGEST, Head
from liarsdice_cli.formats.numbers import shown_between
from liarsdice_cli.formats.rule_fields import head_of, rules_in
from liarsdice_cli.games.liarsdice.beliefs import priors
from liarsdice_cli.games.liarsdice.public import MOST_ROLLS
from liarsdice_cli.strategies.shard import BID, BLOCK, BLOCKS, CHILD, COLUMNS, HISTORIES, LANES, MOVER, Shard, sizes_of
from liarsdice_cli.strategies.store import StrategyStore, float_type
from liarsdice_cli.strategies.stored import AVERAGE_STRATEGY, Stored, at
from liarsdice_cli.text import numbered

FORMAT, WITH_MISTAKES = "liarsdice/strategy/3", "liarsdice/strategy/4"
UNREACHED = 1e-8
"""A player's own reach probability, roll included, below which its weights need not be stored."""
UNLIKELY = 1e-4
"""A player's own reach probability given its roll, below which its weights need not be stored. It matters for rarer rolls."""
_WHOLES, _FLOATS = ("<u2", 65535.0), ("<f2", 32768.0)
"""The kinds of weights, and the weight of a certain action. Floats keep three digits down to a probability of 2e-9."""
_ARCHIVE = b"PK"
"""The first bytes of a ZIP archive."""
_MOST_BYTES = 1 << 36
"""The most bytes of a member."""
_MOST_SHARDS, _MOST_BIDS = 1 << 16, 1 << 12
KEPT_SHARDS = 16
"""The number of shards of a file that stay cached after they are read."""
_PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""The allowed compressions of members: none, or that of `write`."""
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
"""The errors that the standard library raises for a damaged archive."""
_TOGETHER = 1 << 20
"""Entries that are rounded at a time, unless one history has more."""
_EPOCH = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True)
class Origin:
    """The origin of a strategy: its method, its iterations, and the bounds that were proved for it.

    lower, upper : bounds on the value of the game for player 1, for two players; otherwise None
    regrets      : the regret of each player, for three or more; otherwise None

    They hold for the strategies before rounding; `liarsdice verify` evaluates the file itself.
    """

    method: str
    iterations: int | None
    lower: float | None = None
    upper: float | None = None
    regrets: tuple[float, ...] | None = None

    @classmethod
    def of(cls, method: str, iterations: int | None, judgement: Judgement) -> Origin:
        """Return an origin with the bounds of an evaluation."""
        if judgement.bounds is not None:
            lower, upper = map(float, judgement.bounds)
            return cls(method, iterations, lower, upper)
        regrets = tuple(float(regret) for regret in judgement.regrets if regret is not None)
        return cls(method, iterations, regrets=regrets)

    @property
    def exploitability(self) -> float:
        """The mean of both regrets for two players, the largest regret for more; infinity if the origin has neither.

        It is in the payoffs of the file's rules.
        """
        if self.lower is not None and self.upper is not None:
            return (self.upper - self.lower) / 2
        return max(self.regrets or (inf,))


def write(name: str, strategy: Stored, origin: Origin) -> None:
    """Write a strategy file.

    Raises LiarsDiceError if it cannot be written. Cost: a pass over the weights, shard by shard.
    """
    store, game = strategy.store, strategy.rules
    mistakes = store.all_bids or (isinstance(strategy, StrategyFile) and strategy.with_mistakes)
    head = {
        "format": WITH_MISTAKES if mistakes else FORMAT,
        "rules": head_of(game),
        "cut": store.cut,
        "shards": len(store.shards),
        "values": strategy.values is not None,
        "origin": asdict(origin),
    }
    with files.output(name) as out, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        _member(archive, "head.json", json.dumps(head, indent=1).encode())
        _member(archive, "subtrees", store.roots[: store.subtrees[0]].astype("<i4").tobytes())
        for player, values in enumerate(strategy.values or (), 1):
            _member(archive, f"values/{player}", values.astype("<f4").tobytes())
        least = [0.0 * one if mistakes else one for one in _negligible(strategy)]
        for number, shard in store.all_shards:
            _write_shard(archive, f"shards/{number + 1}", strategy, shard, least, _FLOATS if mistakes else _WHOLES)


def _member(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    info = zipfile.ZipInfo(name, _EPOCH)
    info.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(info, content, compresslevel=1)


def _write_shard(
    archive: zipfile.ZipFile, name: str, strategy: Stored, shard: Shard, least: Sequence[Floats], weights_as: tuple[str, float]
) -> None:
    histories, count, blocks = (int(shard.used[field]) for field in (HISTORIES, COLUMNS, BLOCKS))
    states, columns, owner = shard.states[:histories], shard.columns[:count], shard.owners()
    _member(archive, f"{name}/histories", states.astype("<i2").tobytes())
    _member(archive, f"{name}/columns", np.column_stack([owner, columns[:, [BID, CHILD]]]).astype("<i4").tobytes())
    kind, certain = weights_as
    found = np.zeros(LANES * blocks, kind)
    for own, player in _by_history(strategy.store, owner, states[owner, MOVER]):
        where = columns[own, BLOCK].astype(np.int64)[:, None] * LANES + np.arange(len(least[player]))
        weights = shard.entries(AVERAGE_STRATEGY, own, len(least[player])).astype(np.float64)
        starts = np.flatnonzero(np.diff(owner[own], prepend=-1))
        total = np.repeat(np.add.reduceat(weights, starts), np.diff(starts, append=len(own)), axis=0)
        shares = weights * np.where(total > least[player], certain / np.where(total > 0, total, 1), 0)
        found[where] = np.rint(shares) if weights_as == _WHOLES else shares
    _member(archive, f"{name}/weights", found.tobytes())


def _by_history(store: StrategyStore, owner: Ints, mover: Ints) -> Iterator[tuple[Ints, int]]:
    """Yield the columns of some histories of one mover at a time, history by history, with the mover."""
    order = np.argsort(owner, kind="stable")
    for player, width in enumerate(store.widths.tolist()):
        own = order[mover[order] == player]
        starts = np.append(np.flatnonzero(np.diff(owner[own], prepend=-1)), len(own))
        first = 0
        while first < len(starts) - 1:
            last = max(first + 1, int(np.searchsorted(starts, starts[first] + _TOGETHER // width, "right")) - 1)
            yield own[starts[first] : starts[last]], player
            first = last


def _negligible(strategy: Stored) -> list[Floats]:
    """Return for each player and padded roll the weight up to which a history counts as unreached.

    The weights of the opening add up to the weight of a certain history.
    """
    store = strategy.store
    whole = float(store.entries(store.top, 0, AVERAGE_STRATEGY).sum(dtype=np.float64))
    found = [np.full(width, whole * UNREACHED) for width in store.widths.tolist()]
    for least, prior in zip(found, priors(strategy.rules), strict=True):
        least[: len(prior)] = np.minimum(least[: len(prior)], whole * UNLIKELY * prior)
    return found


class StrategyFile:
    """A strategy in a file. It reads shards on demand and caches the last ones.

    store         : the expanded histories, as for a `Stored` strategy
    values        : counterfactual values of the subtrees, or None
    with_mistakes : whether the file has the format `WITH_MISTAKES`
    start         : None, because a file holds a whole game

    Raises LiarsDiceError, when it is opened or read, for another file, another version or a damaged one.
    """

    start = None

    def __init__(self, file: str) -> None:
        self.file = file
        self._archive = self._opened()
        try:
            head = Head.parsed(self._content("head.json", LONGEST))
            if head.text("format") not in (FORMAT, WITH_MISTAKES):
                raise LiarsDiceError(
                    f"{file} has the format {head.text('format')[:40]!r}, and this version reads {FORMAT} and {WITH_MISTAKES}: "
                    "solve again, or use the version that wrote it"
                )
            self.with_mistakes = head.text("format") == WITH_MISTAKES
            self._kind, self._certain = _FLOATS if self.with_mistakes else _WHOLES
            self.rules = rules_in(head.under("rules"))
            self.origin = _origin(head.under("origin"), self.rules.players)
            self.store = self._store(head)
            self.values = self._values() if head.fields.get("values") is True else None
        except _DAMAGES as error:
            raise self._damaged from error

    def __repr__(self) -> str:
        origin = self.origin
        if origin.regrets is None and origin.lower is not None and origin.upper is not None:
            proved = f"value {shown_between(origin.lower, origin.upper)}"
        else:
            proved = f"regrets up to {max(origin.regrets or (0.0,)):.3g}"
        histories = numbered(self.store.histories, "histories")
        return f"StrategyFile({self.file!r}: {self.rules}; {proved} by {origin.method}; {histories})"

    def _opened(self) -> zipfile.ZipFile:
        try:
            return zipfile.ZipFile(self.file)
        except zipfile.BadZipFile:
            with open(self.file, "rb") as file:
                first = file.read(len(_ARCHIVE))
            if not _ARCHIVE.startswith(first):
                cure = "`liarsdice solve ... -o strategy.ldz` writes one"
                raise LiarsDiceError(f"{self.file} is not a strategy file: {cure}") from None
            raise LiarsDiceError(f"{self.file} is not a strategy file, or is cut short: copy or solve it again") from None
        except OSError as error:
            raise LiarsDiceError(f"cannot read {self.file}: {files.reason(error)}") from error
        except _DAMAGES as error:
            raise self._damaged from error

    def __reduce__(self) -> tuple[type[StrategyFile], tuple[str]]:
        """Pickle the name, so that another process opens the file itself."""
        return StrategyFile, (self.file,)

    def at(self, history: Sequence[int]) -> Floats:
        """Return the probabilities after a history, as `Strategy.at` does. Reads the one or two shards that hold it."""
        return at(self.store, history)

    def _store(self, head: Head) -> StrategyStore:
        """Return the store of the expanded histories; only the top shard is read."""
        game = self.rules
        if game.bid_count > _MOST_BIDS:
            raise ValueError(f"{game.bid_count} bids")
        cut, shards = head.whole("cut", 1, game.bid_count), head.whole("shards", 0, _MOST_SHARDS)
        rolls = [game.roll_count(player) for player in range(game.players)]
        if max(rolls) > MOST_ROLLS:
            raise ValueError(f"{max(rolls)} rolls")
        store = StrategyStore(rolls, game.bidding, (AVERAGE_STRATEGY,), float_type(game.bidding, rolls), cut=game.bid_count)
        roots = np.frombuffer(self._content("subtrees", _MOST_BYTES), "<i4").reshape(-1, 4).astype(np.int64)
        store.cut, store.roots, store.subtrees[0] = cut, roots, len(roots)
        store.check_subtrees(shards)
        store.top = self._shard(store, 0)
        store.shards = _Shards(self, store, shards)
        return store

    def _values(self) -> tuple[Floats, ...]:
        found = []
        for player, rolls in enumerate(self.store.rolls, 1):
            data = np.frombuffer(self._content(f"values/{player}", _MOST_BYTES), "<f4").reshape(len(self.store.roots), rolls)
            if not np.isfinite(data).all():
                raise ValueError("a value is not finite")
            found.append(data)
        return tuple(found)

    def _integers(self, member: str, kind: str, fields: int) -> Ints:
        return np.frombuffer(self._content(member, _MOST_BYTES), kind).reshape(-1, fields).astype(np.int64)

    def shard(self, store: StrategyStore, number: int) -> Shard:
        """Read a shard, 0 being the top one."""
        try:
            return self._shard(store, number)
        except _DAMAGES as error:
            raise self._damaged from error

    def _shard(self, store: StrategyStore, number: int) -> Shard:
        """Return a shard with a checked layout; ValueError for an invalid one."""
        states = self._integers(f"shards/{number}/histories", "<i2", 2)
        shard = store.new_shard()
        entries = self._archive.getinfo(f"shards/{number}/weights").file_size // 2
        store.lay_out(shard, states, self._integers(f"shards/{number}/columns", "<i4", 3), entries)
        weights = np.frombuffer(self._exactly(f"shards/{number}/weights", 2 * entries), self._kind)
        if not np.all((weights >= 0) & (weights <= self._certain)):
            raise ValueError("a weight is out of its range")
        kind = shard.arrays[AVERAGE_STRATEGY].dtype
        shard.set_blocks(AVERAGE_STRATEGY, np.arange(entries // LANES), weights.astype(kind).reshape(-1, LANES))
        store.check(shard, number - 1)
        return shard

    def _exactly(self, member: str, size: int) -> bytes:
        content = self._content(member, size)
        if len(content) != size:
            raise ValueError(f"{member} is of another size")
        return content

    def _content(self, member: str, most: int) -> bytes:
        """Return a member of the archive; ValueError if it has more bytes than `most`."""
        info = self._archive.getinfo(member)
        files.check_size(self.file, info.file_size)
        if info.file_size > most or info.compress_type not in _PACKED:
            raise ValueError(f"{member} is too large, or packed in another way")
        with self._archive.open(info) as packed:  # `ZipFile.read` would unpack more than the size that the archive claims
            return packed.read(info.file_size)

    @property
    def _damaged(self) -> LiarsDiceError:
        return LiarsDiceError(f"the strategy file {self.file} is damaged or cut short: copy it again, or solve again")


class _Shards:
    """The shards of a file, read on demand; the last ones are cached (see `strategies.shard.Shards`)."""

    def __init__(self, file: StrategyFile, store: StrategyStore, count: int) -> None:
        self._count = count
        self._read = lru_cache(maxsize=KEPT_SHARDS)(lambda number: file.shard(store, number + 1))

    @property
    def sizes(self) -> Ints:
        """The `Shard.size` of every shard: (shards, 9). Reads all shards."""
        return sizes_of(self)

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Shard]:
        return map(self.__getitem__, range(self._count))

    def __getitem__(self, number: int) -> Shard:
        if not 0 <= number < self._count:
            raise IndexError(number)
        found: Shard = self._read(number)
        return found


def _origin(head: Head, players: int) -> Origin:
    """Return the origin in a head; ValueError unless its bounds fit the number of players."""
    method, iterations = head.text("method"), head.whole("iterations", 0, 1 << 60) if head.has("iterations") else None
    if players == 2:
        return Origin(method, iterations, head.number("lower"), head.number("upper"))
    regrets = tuple(head.numbers("regrets"))
    if len(regrets) != players:
        raise ValueError(f"{len(regrets)} regrets")
    return Origin(method, iterations, regrets=regrets)
