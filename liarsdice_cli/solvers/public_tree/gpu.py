"""Regret minimisation on the public tree by a GPU, for two players.

The GPU holds the regrets, the averages and the reach of all expanded histories; this process holds which histories there are.
An iteration differs from one of `traversal` only in when histories are expanded: between iterations, ever more rarely, a few
levels at a time. The bounds are those of best responses in float64, on the GPU too. The strategies are then copied into a
strategy store, and judged by the traversal of this process.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import Any

import numpy as np

from liarsdice_cli.errors import Argument, ArgumentError, LiarsDiceError, UsageError
from liarsdice_cli.extensive.evaluate import Judgement
from liarsdice_cli.extensive.stream import Floats, Ints
from liarsdice_cli.games.public_game import PublicGame
from liarsdice_cli.solvers.public_tree import arrays
from liarsdice_cli.solvers.public_tree.backends import LocalBackend
from liarsdice_cli.solvers.public_tree.leveled import LeveledTree, Levels, played_before
from liarsdice_cli.solvers.public_tree.responses import Responses
from liarsdice_cli.solvers.public_tree.solver import REACH_THRESHOLD, PublicTree
from liarsdice_cli.solvers.public_tree.traversers import EVALUATE, RESPOND
from liarsdice_cli.solvers.regret.convergence import Proof
from liarsdice_cli.solvers.regret.minimisers import Minimiser
from liarsdice_cli.strategies.shard import LANES, MOST_BLOCKS
from liarsdice_cli.strategies.stored import AVERAGE_STRATEGY

_SHARE = 0.9
"""The share of the GPU's free memory that is used by default."""
_GROWTH = 1.08
"""Histories are expanded whenever the number of the iteration has grown by this factor."""
_ROUNDS, _LITTLE = 4, 1 / 64
"""The most levels by which the tree then grows, and the share of new histories below which it waits for the next time."""
MOST_ROLLS, MOST_BIDS, MOST_MATCHING = 1024, 126, 7
"""A block of threads has one a roll, and room in its shared memory for this many bids and matching dice of a player."""
_COPYING = 1024
"""The blocks of a copy."""
_ROW_BYTES, _COLUMN_BYTES = 4 + 4 + 8 + 3, 25
"""For each roll of a column: regrets, averages, the reach, which is in float64 where bounds are computed, and the share of a
column in its history's value. And for each column, whatever the rolls."""


class _Memory:
    """The tables, histories and entries in the memory of the GPU, and the passes over them.

    levels            : the histories and columns
    regrets, averages : of every column
    """

    def __init__(self, game: PublicGame, width: int) -> None:
        from liarsdice_cli.solvers.public_tree import gpu_passes
        from liarsdice_cli.system import gpu

        if not gpu.is_available():
            raise LiarsDiceError(
                "no NVIDIA GPU with its driver and numba-cuda was found: pip install 'numba-cuda[cu13]', or leave ",
                Argument("cluster"),
                " out",
            )
        self._gpu: Any = gpu
        self._passes: Any = gpu_passes
        self.game = game
        self.regrets: Any = None
        self.averages: Any = None
        self.reach: Any = None
        self.mass: Any = None
        self.value: Any = None
        self.wanted: Any = None
        lanes = max(gpu.WARP, LANES)
        self.width = -(-width // lanes) * lanes
        self._tables = {kind: self._game_tables(kind) for kind in (np.float32, np.float64)}

    @property
    def free_memory(self) -> float:
        """The free bytes of the GPU's memory."""
        found: float = self._gpu.free_memory()
        return found

    @property
    def row_bytes(self) -> int:
        """The memory of a column."""
        return _ROW_BYTES * self.width + _COLUMN_BYTES

    def _game_tables(self, kind: Any) -> Any:
        """Return the tables of the game, with probabilities in a kind of float."""
        game, bids, showdowns = self.game, arrays.bid_tables(self.game), arrays.showdown_tables(self.game, np.float32)
        chance, matching = np.zeros((2, self.width), kind), np.zeros((2, showdowns.matches.shape[1], self.width), np.uint8)
        missing = np.zeros((2, game.bids, self.width), np.uint8)
        for player, rolls in enumerate(game.rolls):
            chance[player, : len(rolls)] = rolls
            matching[player, :, : len(rolls)] = showdowns.matches[player, :, : len(rolls)]
            needed = showdowns.quantity.astype(np.int64)[:, None] - matching[player, showdowns.group]
            missing[player] = np.clip(needed + 1, 0, int(showdowns.most[1 - player]) + 2)
        whole = (one.astype(np.uint32) for one in (showdowns.group, showdowns.most, bids.faces, bids.lowest))
        on_gpu = map(self._gpu.copied, (chance, matching, missing, *whole))
        return self._passes.GameTables(*on_gpu, bids.endings, game.first)

    def load(self, levels: Levels, before: Ints, weight: float) -> None:
        """Replace the histories by the same ones and more; the average of a new one begins with the calls until now.

        before : as `LeveledTree.sort` returns it
        weight : the sum of the weights in the average
        """
        columns, histories = len(before), len(levels.last_bid)
        self.reach = self.mass = self.value = None  # leave room for copies
        self.regrets = self._rows(self.regrets, self._gpu.copied(before))
        sources, first_calls = played_before(levels, before)
        self.averages = self._rows(self.averages, self._gpu.copied(sources))
        rolls = self.game.rolls[1 - self.game.first]
        for call in first_calls:
            self.averages[call].copy_to_device(np.pad(weight * rolls, (0, self.width - len(rolls))).astype(np.float32))
        self.reach, self.mass = self._gpu.empty((columns, self.width)), self._gpu.empty(columns)
        self.value, self.wanted = self._gpu.empty((histories, self.width)), self._gpu.copied(np.zeros(columns, np.int8))
        self.levels = Levels(*(self._gpu.copied(one.view(np.uint32)) for one in levels))
        self._widest = int(np.diff(levels.level).max())

    def _rows(self, array: Any, chosen: Any) -> Any:
        """Return the chosen rows of an array, zeros where none is chosen."""
        found = self._gpu.empty((len(chosen), self.width), np.float32)
        self._passes.gather[_COPYING, self.width](found if array is None else array, chosen, found)
        return found

    def run(self, kernel: str, weights: Any, kind: Any, rates: Sequence[float], *others: int) -> None:
        """Run a kernel of `gpu_passes` in a kind of float."""
        passes, scratch = self._passes, (one.view(kind) for one in (self.reach, self.mass, self.value))
        entries = passes.Entries(weights, self.averages, *scratch, self.wanted)
        function, tiny = getattr(passes, kernel), np.finfo(kind).tiny
        arguments = self._tables[kind], self.levels, entries, passes.GpuRates(*map(kind, (*rates, tiny))), *others
        blocks = self._gpu.most_blocks(function, self.width)  # all must run at once, since they wait for each other
        function[min(blocks, self._widest), self.width](*arguments)
        self._gpu.wait()

    def release(self) -> None:
        """Free the GPU's memory."""
        self.regrets = self.averages = self.reach = self.mass = self.value = self.wanted = None
        self._gpu.release()

    def rows(self, array: Any, chosen: Ints) -> Floats:
        """Return the chosen rows of an array."""
        found: Floats = self._rows(array, self._gpu.copied(chosen)).copy_to_host()
        return found


class GpuTree(PublicTree):
    """A regret minimiser on a GPU. `collect` copies its average strategies into a strategy store.

    threads : for the judgement of the strategies, after `collect`
    memory  : the bytes of the GPU's memory that the tree may fill; None for most of what is free
    """

    def __init__(self, game: PublicGame, minimiser: Minimiser, threads: int | None = None, memory: float | None = None) -> None:
        _check(game, minimiser)
        super().__init__(game, minimiser, threads)
        self.rare_threshold, self.expansion_threshold = 0.0, REACH_THRESHOLD
        self._device = _Memory(game, max(map(len, game.rolls)))
        self.memory = self._device.free_memory * _SHARE if memory is None else memory
        self._leveled, self._next_growth, self.kind = LeveledTree(game), 0.0, np.float32
        self.responses = _GpuResponses(self)
        self._load()

    @property
    def _most_rows(self) -> int:
        return int(min(self.memory / self._device.row_bytes, LANES * MOST_BLOCKS / self._device.width))

    def _load(self) -> None:
        self._device.load(*self._leveled.sort(), self.minimiser.total_weight(self.iteration))

    def compile(self) -> None:
        """Compile the passes by running each with rates that change nothing; this takes some seconds."""
        self._device.run("learn", self._device.regrets, np.float32, _nothing(expand_above=inf), 0)
        self._mark(0, inf)
        self.wins(0, RESPOND)

    def iterate(self, stop: Callable[[], bool] = lambda: False) -> None:
        """Update both players in turn, after the tree has grown if it is time."""
        step = self.minimiser.step(self.iteration + 1)
        if self.iteration >= self._next_growth and not self.short:
            self._grow()
            self._next_growth = self.iteration * _GROWTH
        rates = (
            step.discount,
            step.discount_negative,
            step.regret_weight,
            step.floor,
            step.average_weight,
            -1.0 if step.decays else arrays.NEGLIGIBLE,
            inf,
        )
        for player in range(2):
            self._device.run("learn", self._device.regrets, np.float32, rates, player)
        self.iteration += 1

    def _grow(self) -> None:
        """Expand the histories that the opponents reach with more than the threshold, a few levels of them."""
        for _ in range(_ROUNDS):
            wanted = np.union1d(self._mark(0, self._expand_above), self._mark(1, self._expand_above))
            self.short = self._leveled.most_columns(len(wanted)) > self._most_rows
            if self.short or not len(wanted):
                return
            self._leveled.expand(wanted)
            self._load()
            if len(wanted) < _LITTLE * self._leveled.histories:
                return

    def _mark(self, player: int, threshold: float) -> Ints:
        """Return the columns behind which the player's histories are to be expanded."""
        self._device.run("mark", self._device.regrets, np.float32, _nothing(expand_above=threshold), player)
        marks: Ints = np.sort(self._leveled.column_at[np.flatnonzero(self._device.wanted.copy_to_host())])
        return marks

    def wins(self, player: int, mode: int) -> float:
        """Return the probability that a player does not lose, with its average strategy or a best response, in float64."""
        self._device.run("judge", self._device.averages, np.float64, _nothing(expand_above=inf), player, mode)
        rolls = self.game.rolls[player]
        return float(self._device.value[0, : len(rolls)].copy_to_host() @ rolls)

    @property
    def at_work(self) -> tuple[str, int]:
        """See `PublicTree.at_work`."""
        return "gpus", 1

    def collect(self) -> None:
        """Copy the average strategies into a strategy store, for this process to judge and write; the GPU is free then."""
        device, place = self._device, self._leveled.place

        def rows(columns: Ints) -> Floats:
            return device.rows(device.averages, place[columns])

        self.store = self._leveled.store(AVERAGE_STRATEGY, self.kind, rows)
        device.release()
        self.backend = LocalBackend(self.store, self.threads)
        self.responses = Responses(self.game, self.store, backend=self.backend)
        self.progress.note(f"{self.store.histories:,} histories were copied from the GPU")

    def judge(self, proof: Proof) -> Judgement:
        """Return the judgement by the traversal of this process; LiarsDiceError if the GPU's differs."""
        again = self.responses.proof()
        if abs(again.exploitability - proof.exploitability) > 10 * self.game.rounding_error:
            raise LiarsDiceError(
                f"the GPU computed an exploitability of {proof.exploitability:.9g}, this process one of "
                f"{again.exploitability:.9g}: leave ",
                Argument("cluster"),
                " out",
            )
        return self.responses.judge(again)


class _GpuResponses(Responses):
    """Best responses on the GPU."""

    def __init__(self, solver: GpuTree) -> None:
        super().__init__(solver.game, solver.store, backend=solver.backend)
        self._solver = solver

    def wins(self, player: int, best: bool = True) -> float:
        """See `Responses.wins`."""
        return self._solver.wins(player, RESPOND if best else EVALUATE)


def _nothing(expand_above: float) -> tuple[float, ...]:
    """Return the rates of a pass that changes no regret and no average."""
    return 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, expand_above


def _check(game: PublicGame, minimiser: Minimiser) -> None:
    """Raise an error for a game or a minimiser that is not for a GPU."""
    if game.players != 2:
        raise UsageError(f"a GPU solves games of two players; for {game.players} leave ", Argument("cluster"), " out")
    if minimiser.predicts:
        raise ArgumentError("method", minimiser.name, "it needs the last regrets, which are not kept on a GPU: use dcfr+")
    found = max(map(len, game.rolls)), game.bids, max(int(one.max()) for one in game.matching)
    if any(number > most for number, most in zip(found, (MOST_ROLLS, MOST_BIDS, MOST_MATCHING), strict=True)):
        most = f"{MOST_ROLLS:,} rolls of a player, {MOST_BIDS} bids or {MOST_MATCHING} dice of a player"
        raise UsageError(f"more than {most} are too many for a GPU: leave ", Argument("cluster"), " out")
