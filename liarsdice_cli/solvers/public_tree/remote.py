"""The driver's side of shards that are held by workers, on this machine or on several.

For a traversal the driver sends one message to each worker, with the reach probabilities at the subtrees in its shards. The
worker sends back the values of these subtrees. If a traversal takes longer than a moment, the worker reports once a moment what
it has finished, so that the driver can stop it. Load balancing moves shards only when workers have had to wait for one another.
The computation in a shard does not depend on the worker that holds it, so neither does any result.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.stream import Floats, Ints
from liarsdice_cli.games.public_game import PublicGame
from liarsdice_cli.solvers.public_tree import shard_io
from liarsdice_cli.solvers.public_tree.load_balancing import balance, loads
from liarsdice_cli.solvers.public_tree.shard_worker import Report, ShardWorker, Turn
from liarsdice_cli.solvers.public_tree.traversers import LEARN, ShardRequest, Traversal
from liarsdice_cli.solvers.regret.convergence import WorkerFacts
from liarsdice_cli.strategies.shard import USED, Shard
from liarsdice_cli.strategies.store import SHARD, StrategyStore
from liarsdice_cli.system.cluster import Cluster, Message, Worker, WorkerLocation, WorkerLostError, no_room
from liarsdice_cli.system.memory import SHARE

_REPORT_EVERY = 0.5
"""Seconds of work after which a worker reports."""
_BALANCE_EVERY = 0.3
"""Least seconds between two checks of the load."""
_UNEVEN = 1.1
"""Shards may move if the largest load is above this multiple of the mean."""
_BYTES_A_SECOND = 2e7
"""A tenth of the measured speed of moving shards. Workers must have waited as long as a move takes at this speed."""
_OLD_WEIGHT = 0.7
"""The weight of earlier measurements in the estimate of a shard's work."""


class RemoteShards:
    """The shards of a tree on workers; reading one fetches a copy (see `shard.Shards`)."""

    def __init__(self, backend: RemoteBackend) -> None:
        self.backend = backend

    @property
    def sizes(self) -> Ints:
        """See `Shards`."""
        return self.backend.sizes

    def __len__(self) -> int:
        return len(self.backend.sizes)

    def __iter__(self) -> Iterator[Shard]:
        return map(self.backend.fetch, range(len(self)))

    def __getitem__(self, number: int) -> Shard:
        return self.backend.fetch(number)


class _Member(NamedTuple):
    """A worker and its location."""

    worker: Worker
    location: WorkerLocation


class RemoteBackend:
    """The workers that hold the shards of a tree (see `Backend`); the top shard stays in this process.

    memory  : the bytes that the shards of every worker may fill; None for most of the free memory of its machine
    recover : restores the state before a worker was lost; set by the solver
    sizes   : `Shard.size` of every shard
    work    : the estimated work of every shard
    owners  : for every shard the member that holds it
    """

    def __init__(self, game: PublicGame, store: StrategyStore, cluster: Cluster, memory: float | None) -> None:
        self.game, self.store, self.cluster, self.memory = game, store, cluster, memory
        self.recover: Callable[[], None] = lambda: None
        self.sizes = np.array(store.shards.sizes)
        self.work = np.ones(len(self.sizes))
        self._compiled: tuple[tuple[Any, Traversal], ...] = ()
        self._fresh = self._short = self._by_memory = False
        self._waited, self._took = 0.0, np.zeros(len(self.sizes))
        self._busy: set[Worker] = set()
        self._lost: set[Worker] = set()
        self._fetched: tuple[int, Shard] | None = None
        self.members: list[_Member] = []
        store.shards = RemoteShards(self)
        try:
            self._fill_up()
        except WorkerLostError:
            raise LiarsDiceError("a worker ended as soon as it started, perhaps for lack of memory: use fewer") from None
        self.owners = [number % len(self.members) for number in range(len(self.sizes))]
        self.begin()

    # Workers

    def _fill_up(self) -> None:
        """Start the missing workers, or as many as there is room for."""
        missing = min(self.cluster.count, len(self.sizes)) - len(self.members)
        given = self.game, self.store.cut, tuple(self.store.top.arrays), self._kind, self.store.keeps_values
        started = self.cluster.start(missing, ShardWorker, *given)
        self.members += [
            _Member(worker, location) for worker, location in self._call_each("location", dict.fromkeys(started, ())).items()
        ]
        if not self.members:
            raise no_room()
        self._call_each("limit", {one.worker: (memory,) for one, memory in zip(self.members, self._memories(), strict=True)})
        self._call_each("compile", dict.fromkeys(started, (self._compiled,)))
        self._took = np.zeros(len(self.sizes))
        self._last_check, self._iterations = time.monotonic(), 0

    @property
    def _kind(self) -> Any:
        return next(iter(self.store.top.arrays.values())).dtype.type

    def _call_each(self, method: str, arguments: Mapping[Worker, tuple[Any, ...]]) -> dict[Worker, Any]:
        """Call workers in parallel; return the outcome of every call."""
        for worker, given in arguments.items():
            self._send(worker, Message(method, *given))
        return self._receive_each(list(arguments))

    def _receive_each(self, workers: Sequence[Worker]) -> dict[Worker, Any]:
        """Return the reply of each worker. Read all replies before raising an error; a lost worker's error is raised first.

        An unread reply would be taken for the answer to the next message.
        """
        found, errors = {}, []
        for worker in workers:
            try:
                found[worker] = self._receive(worker)
            except Exception as error:
                errors.append(error)
        if errors:
            raise next((error for error in errors if isinstance(error, WorkerLostError)), errors[0])
        return found

    def _send(self, worker: Worker, message: Message) -> None:
        try:
            worker.send(message)
        except WorkerLostError:
            self._lost.add(worker)
            raise
        self._busy.add(worker)

    def _receive(self, worker: Worker) -> Any:
        self._busy.remove(worker)
        try:
            return worker.receive()
        except WorkerLostError:
            self._lost.add(worker)
            raise

    def _held(self, member: int) -> list[int]:
        """Return the shards of a member."""
        return [number for number, owner in enumerate(self.owners) if owner == member]

    def _roots(self, numbers: Sequence[int]) -> Ints:
        """Return the subtrees of some shards."""
        roots = self.store.roots[: self.store.subtrees[0]]
        return roots[np.isin(roots[:, SHARD], numbers)]

    def compile(self, passes: Sequence[tuple[Any, Traversal]]) -> None:
        """See `Backend`. Workers that are started later compile the same."""
        self._compiled = tuple(passes)
        self._call_each("compile", {worker: (self._compiled,) for worker, _ in self.members})

    def begin(self) -> None:
        """See `Backend`."""
        self._call_each("begin", {worker: (self._held(member),) for member, (worker, _) in enumerate(self.members)})
        self.sizes[:] = self.store.new_shard().size
        self._fetched, self._short = None, False

    def _memories(self) -> list[float]:
        """Return the memory of every worker: the given one, or its share of the free memory of its machine."""
        if self.memory is not None:
            return [self.memory] * len(self.members)
        machines = [location.machine for _, location in self.members]
        return [SHARE * location.free / machines.count(location.machine) for _, location in self.members]

    def replace_workers(self) -> str:
        """See `Backend`. Without room for new workers, the others take over the shards."""
        for worker in list(self._busy):
            with suppress(Exception):
                self._receive(worker)
        for worker in self._lost:
            worker.close()
        before, gone = len(self.members), [location.machine for worker, location in self.members if worker in self._lost]
        self.members = [member for member in self.members if member.worker not in self._lost]
        self._lost.clear()
        self._fill_up()
        self.owners = [number % len(self.members) for number in range(len(self.sizes))]
        self.owners = balance(self.work.tolist(), self.owners, len(self.members))
        where = ", ".join(dict.fromkeys(gone)) or "a machine"
        return f"{len(gone)} of {before} workers ended, on {where}, perhaps for lack of memory; {len(self.members)} continue"

    def close(self) -> None:
        """End all workers."""
        for worker, _ in self.members:
            worker.close()

    # Traversals

    def reserve(self, memory: float) -> bool:
        """See `Backend`. Shards make room in the next traversal, and this returns the outcome of the last one."""
        self._fresh = True
        if self._short:
            self._by_memory = True  # from now on balance memory, not work
            self._short = not self._rebalance(self._bytes_held(), at_once=True)
        return self.store.reserve(memory, [self.store.top]) and not self._short

    def traverse(self, request: ShardRequest, done: set[int], stop: Callable[[], bool]) -> int:
        """See `Backend`."""
        learns = request.traversal.mode == LEARN
        fresh = self._fresh and learns
        if fresh and request.traversal.update_player == 0:
            self._begin_iteration()
        if learns:
            self._fresh, self._fetched = False, None
        sent = self._send_turns(request, fresh)
        busy, visited, resume = list(sent), 0, Message("resume", _REPORT_EVERY)
        while busy:
            reports = self._receive_each([self.members[member].worker for member in busy])
            for member, report in zip(busy, reports.values(), strict=True):
                self._store_report(request, report, sent[member])
                done.update(report.done)
                visited += report.visited
            busy = self._owners_of(number for number in request.shards.tolist() if number not in done)
            if busy and stop():
                break
            for member in busy:
                self._send(self.members[member].worker, resume)
        return visited

    def _send_turns(self, request: ShardRequest, fresh: bool) -> dict[int, Ints]:
        """Ask workers to traverse the subtrees that are due; return each worker's subtrees.

        If shards are to make room first, all workers are asked, otherwise those with subtrees that are due.
        """
        traversal, below = request.traversal, request.below
        asked = range(len(self.members)) if fresh else self._owners_of(request.shards.tolist())
        due = np.flatnonzero(below.due)
        owners = np.array(self.owners)[below.roots[due, SHARD]]
        sent = {member: due[owners == member] for member in asked}
        for member, rows in sent.items():
            turn = Turn(traversal, fresh, below.roots[rows], below.reach[rows])
            self._send(self.members[member].worker, Message("traverse", turn, _REPORT_EVERY))
        return sent

    def _store_report(self, request: ShardRequest, report: Report, sent: Ints) -> None:
        """Store a worker's report on the subtrees that it was sent."""
        request.below.roots[sent] = report.roots
        request.below.value[sent, : report.value.shape[1]] = report.value
        self.sizes[report.held] = report.sizes
        self._short = self._short or report.short
        if request.traversal.mode == LEARN:
            self._took[report.done] += report.seconds

    def _owners_of(self, shards: Iterable[int]) -> list[int]:
        """Return the members that hold some shards, rising."""
        return sorted({self.owners[shard] for shard in shards})

    def _begin_iteration(self) -> None:
        """From time to time, update the estimated work of the shards and balance the load."""
        if self._iterations and time.monotonic() - self._last_check > _BALANCE_EVERY:
            took = self._seconds
            self.work += (1 - _OLD_WEIGHT) * (self._took / self._iterations - self.work)
            self._waited += float(took.max() - took.mean()) * self._iterations
            self._took, self._iterations = np.zeros(len(self.sizes)), 0
            self._rebalance(self._bytes_held() if self._by_memory else self.work)
            self._last_check = time.monotonic()
        self._iterations += 1

    @property
    def _seconds(self) -> Floats:
        """The mean time of an iteration for every worker, since the last check of the load."""
        return np.array(loads(self._took.tolist(), self.owners, len(self.members))) / max(1, self._iterations)

    def _bytes_held(self) -> Floats:
        return np.array([self.store.top.bytes_of(tuple(used)) for used in self.sizes[:, USED].tolist()], float)

    def _rebalance(self, work: Floats, at_once: bool = False) -> bool:
        """Move shards if the load is uneven and the move saves more time than it takes; return whether shards have moved.

        at_once : move them whether it saves time or not
        """
        members = len(self.members)
        if max(loads(work.tolist(), self.owners, members)) <= _UNEVEN * work.sum() / members:
            return False
        owners = balance(work.tolist(), self.owners, members)
        moved = [number for number, owner in enumerate(owners) if owner != self.owners[number]]
        saves = self._waited > self._bytes_held()[moved].sum() / _BYTES_A_SECOND
        if not moved or not (saves or at_once):
            return False
        for number in moved:
            self._move(number, owners[number])
        self._waited = 0.0
        return True

    def _move(self, number: int, member: int) -> None:
        before, after = self.members[self.owners[number]].worker, self.members[member].worker
        roots = self._roots([number])
        content = self._call_each("hand_over", {before: (number, roots)})[before]
        self._call_each("accept", {after: (number, roots, self.sizes[number], content)})
        self.owners[number] = member

    @property
    def facts(self) -> tuple[WorkerFacts, ...]:
        """See `Backend`; seconds of an iteration are the mean of the last few."""
        found, seconds = [], self._seconds.tolist()
        for member, (_, location) in enumerate(self.members):
            sizes = self.sizes[self._held(member)]
            used = tuple(sizes[:, USED].sum(axis=0).tolist())
            held = self.store.top.bytes_of(used)
            found.append(WorkerFacts(location.machine, location.process, len(sizes), used[0], held, seconds[member]))
        return tuple(found)

    # Reading and writing shards

    def fetch(self, number: int) -> Shard:
        """Return a copy of a shard; the last one is cached until it changes."""
        while self._fetched is None or self._fetched[0] != number:
            roots, worker = self._roots([number]), self.members[self.owners[number]].worker
            try:
                content = self._call_each("content", {worker: (number, roots)})[worker]
                self._fetched = number, shard_io.shard_of(self.store, number, self.sizes[number], content)
            except WorkerLostError:
                self.recover()
        return self._fetched[1]

    def save(self, out: BinaryIO, starts: Sequence[int]) -> list[int]:
        """See `Backend`. The workers write their shards into the file in parallel."""
        out.flush()
        given = {}
        for member, (worker, _) in enumerate(self.members):
            held = self._held(member)
            given[worker] = str(out.name), self._roots(held), {number: starts[number] for number in held}
        found: dict[int, int] = {}
        for checksums in self._call_each("save", given).values():
            found |= checksums
        out.seek(starts[-1])
        return [found[number] for number in range(len(self.sizes))]

    def load(self, file: BinaryIO, starts: Sequence[int], sizes: Ints, checksums: Sequence[int]) -> None:
        """See `Backend`. The workers read their shards from the file in parallel."""
        given = {}
        for member, (worker, _) in enumerate(self.members):
            held = self._held(member)
            facts = ({number: known[number] for number in held} for known in (starts, sizes, checksums))
            given[worker] = (str(file.name), self._roots(held), *facts)
        self._call_each("load", given)
        self.sizes[:] = sizes
        self._fetched, self._short = None, False
