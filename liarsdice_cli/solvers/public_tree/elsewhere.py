"""The driver's side of shards that workers hold, on this machine or on several.

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
from liarsdice_cli.solvers.public_tree import sections
from liarsdice_cli.solvers.public_tree import walk as w
from liarsdice_cli.solvers.public_tree.dealing import dealt, loads
from liarsdice_cli.solvers.public_tree.shard_worker import Report, ShardWorker, Turn
from liarsdice_cli.solvers.public_tree.walks import Numbers, ShardWalk
from liarsdice_cli.solvers.regret.convergence import WorkerFacts
from liarsdice_cli.strategies.shard import Shard
from liarsdice_cli.strategies.store import SHARD, StrategyStore
from liarsdice_cli.system.cluster import Cluster, Message, Place, Worker, WorkerLostError, no_room
from liarsdice_cli.system.memory import SHARE

_MOMENT = 0.5
"""Seconds after which a worker says how far it is."""
_REST = 0.3
"""Seconds between looks at whether shards should be dealt anew."""
_UNEVEN = 1.1
"""The largest load over the mean from which on shards may be dealt anew."""
_BYTES_A_SECOND = 2e7
"""A tenth of how fast shards move: so long workers wait for one another before it is worth it."""
_FORGETS = 0.7
"""The weight of what was known of a shard's work before, when it is measured again."""


class DistantShards:
    """The shards of a tree, which workers hold; one that is asked for is fetched (see `grown.Shards`)."""

    def __init__(self, holder: Elsewhere) -> None:
        self.holder = holder

    @property
    def sizes(self) -> Ints:
        """See `Shards`."""
        return self.holder.sizes

    def __len__(self) -> int:
        return len(self.holder.sizes)

    def __iter__(self) -> Iterator[Shard]:
        return map(self.holder.fetched, range(len(self)))

    def __getitem__(self, number: int) -> Shard:
        return self.holder.fetched(number)


class _Member(NamedTuple):
    """A worker, and where it runs."""

    worker: Worker
    place: Place


class Elsewhere:
    """The workers that hold the shards of a tree (see `Holder`), of which the top shard stays here.

    memory  : the bytes that the shards of every worker may fill; None for most of what is free where it runs
    recover : set by whoever can bring everything back to where it was
    sizes   : `Shard.size` of every shard
    """

    def __init__(self, game: PublicGame, tree: StrategyStore, place: Cluster, memory: float | None) -> None:
        self.game, self.tree, self.cluster, self.memory = game, tree, place, memory
        self.recover: Callable[[], None] = lambda: None
        self.sizes = np.array(tree.shards.sizes)
        self.work = np.ones(len(self.sizes))
        self._compiled: tuple[tuple[Any, Numbers], ...] = ()
        self._fresh = self._short = self._by_memory = False
        self._waited, self._took = 0.0, np.zeros(len(self.sizes))
        self._busy: set[Worker] = set()
        self._lost: set[Worker] = set()
        self._fetched: tuple[int, Shard] | None = None
        self.members: list[_Member] = []
        tree.shards = DistantShards(self)
        try:
            self._fill_up()
        except WorkerLostError:
            raise LiarsDiceError("a worker ended as soon as it was started, perhaps for want of memory: take fewer") from None
        self.deal = [number % len(self.members) for number in range(len(self.sizes))]
        self.begin()

    # Workers

    def _fill_up(self) -> None:
        """Start as many workers as are missing, or as there is room for."""
        missing = min(self.cluster.count, len(self.sizes)) - len(self.members)
        given = self.game, self.tree.cut, tuple(self.tree.top.arrays), self._kind
        started = self.cluster.start(missing, ShardWorker, *given)
        self.members += [
            _Member(worker, place) for worker, place in self._call_each("place", dict.fromkeys(started, ())).items()
        ]
        if not self.members:
            raise no_room()
        self._call_each("limit", {one.worker: (memory,) for one, memory in zip(self.members, self._memories(), strict=True)})
        self._call_each("compile", dict.fromkeys(started, (self._compiled,)))
        self._took = np.zeros(len(self.sizes))
        self._looked, self._iterations = time.monotonic(), 0

    @property
    def _kind(self) -> Any:
        return next(iter(self.tree.top.arrays.values())).dtype.type

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

    def _send_all(self, members: Sequence[int], message: Message) -> None:
        for member in members:
            self._send(self.members[member].worker, message)

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
        """The shards of a worker."""
        return [number for number, owner in enumerate(self.deal) if owner == member]

    def _roots(self, numbers: Sequence[int]) -> Ints:
        """The subtrees of some shards."""
        roots = self.tree.roots[: self.tree.subtrees[0]]
        return roots[np.isin(roots[:, SHARD], numbers)]

    def compile(self, numbers: Sequence[tuple[Any, Numbers]]) -> None:
        """Let every worker compile walks in some kinds of float on some arrays, now and whenever one is started."""
        self._compiled = tuple(numbers)
        self._call_each("compile", {worker: (self._compiled,) for worker, _ in self.members})

    def begin(self) -> None:
        """All shards as they are before anything has grown."""
        self._call_each("begin", {worker: (self._held(member),) for member, (worker, _) in enumerate(self.members)})
        self.sizes[:] = self.tree.new_shard().size
        self._fetched, self._short = None, False

    def _memories(self) -> list[float]:
        """What every worker's shards may fill: what was said, or its part of most of what is free on its machine."""
        if self.memory is not None:
            return [self.memory] * len(self.members)
        machines = [place.machine for _, place in self.members]
        return [SHARE * place.free / machines.count(place.machine) for _, place in self.members]

    def mend(self) -> str:
        """See `Holder`: puts new workers in the place of those that were lost, or goes on without them."""
        for worker in list(self._busy):
            with suppress(Exception):
                self._receive(worker)
        for worker in self._lost:
            worker.close()
        before, gone = len(self.members), [place.machine for worker, place in self.members if worker in self._lost]
        self.members = [member for member in self.members if member.worker not in self._lost]
        self._lost.clear()
        self._fill_up()
        self.deal = [number % len(self.members) for number in range(len(self.sizes))]
        self.deal = dealt(self.work.tolist(), self.deal, len(self.members))
        where = ", ".join(dict.fromkeys(gone)) or "a machine"
        return f"{len(gone)} of {before} workers ended, on {where}, perhaps for want of memory; {len(self.members)} go on"

    def close(self) -> None:
        """End all workers."""
        for worker, _ in self.members:
            worker.close()

    # Walks

    def make_room(self, memory: float) -> bool:
        """Let every shard make room before the next walk; False if one found none the last time, wherever it might be."""
        self._fresh = True
        if self._short:
            self._by_memory = True  # from now on shards are dealt so that they fit
            self._short = not self._deal_anew(self._bytes_held(), at_once=True)
        return self.tree.reserve(memory, [self.tree.top]) and not self._short

    def walk(self, asked: ShardWalk, done: set[int], stop: Callable[[], bool]) -> int:
        """See `Holder`."""
        learns = asked.plan.mode == w.LEARN
        fresh = self._fresh and learns
        if fresh and asked.plan.learner == 0:
            self._begin_iteration()
        if learns:
            self._fresh, self._fetched = False, None
        sent = self._ask(asked, fresh)
        walking, visited = list(sent), 0
        while walking:
            reports = self._receive_each([self.members[member].worker for member in walking])
            for member, report in zip(walking, reports.values(), strict=True):
                self._take(asked, report, sent[member])
                done.update(report.walked)
                visited += report.visited
            walking = self._holders(number for number in asked.shards.tolist() if number not in done)
            if walking and stop():
                break
            self._send_all(walking, Message("walk_on", _MOMENT))
        return visited

    def _ask(self, asked: ShardWalk, fresh: bool) -> dict[int, Ints]:
        """Ask workers to traverse the subtrees that are due; return each worker's subtrees.

        If shards are to make room first, all workers are asked, otherwise those with subtrees that are due.
        """
        plan, below = asked.plan.sent(), asked.below
        walking = range(len(self.members)) if fresh else self._holders(asked.shards.tolist())
        due, others = np.flatnonzero(below.due), np.arange(self.game.players) != plan.learner
        holders = np.array(self.deal)[below.roots[due, SHARD]]
        sent = {member: due[holders == member] for member in walking}
        for member, rows in sent.items():
            turn = Turn(plan, fresh, below.roots[rows], below.reach[rows][:, others])
            self._send(self.members[member].worker, Message("walk", turn, _MOMENT))
        return sent

    def _take(self, asked: ShardWalk, report: Report, sent: Ints) -> None:
        """Store a worker's report on the subtrees that it was sent."""
        asked.below.roots[sent] = report.roots
        asked.below.value[sent, : report.value.shape[1]] = report.value
        self.sizes[report.held] = report.sizes
        self._short = self._short or report.short
        if asked.plan.mode == w.LEARN:
            self._took[report.walked] += report.seconds

    def _holders(self, shards: Iterable[int]) -> list[int]:
        """Return the workers that hold some shards, rising."""
        return sorted({self.deal[shard] for shard in shards})

    def _begin_iteration(self) -> None:
        """Look now and then at what the shards took in the last iterations, and whether they should be dealt anew."""
        if self._iterations and time.monotonic() - self._looked > _REST:
            took = self._seconds
            self.work += (1 - _FORGETS) * (self._took / self._iterations - self.work)
            self._waited += float(took.max() - took.mean()) * self._iterations
            self._took, self._iterations = np.zeros(len(self.sizes)), 0
            self._deal_anew(self._bytes_held() if self._by_memory else self.work)
            self._looked = time.monotonic()
        self._iterations += 1

    @property
    def _seconds(self) -> Floats:
        """What every worker took in an iteration, on average since they were looked at."""
        return np.array(loads(self._took.tolist(), self.deal, len(self.members))) / max(1, self._iterations)

    def _bytes_held(self) -> Floats:
        each = self.tree.top.bytes_of((1, 0, 0)), self.tree.top.bytes_of((0, 1, 0)), self.tree.top.bytes_of((0, 0, 1))
        held: Floats = self.sizes[:, 3:6] @ np.array(each, float)
        return held

    def _deal_anew(self, work: Floats, at_once: bool = False) -> bool:
        """Move shards to other workers if their work is uneven and that saves more time than it takes, or at once."""
        members = len(self.members)
        if max(loads(work.tolist(), self.deal, members)) <= _UNEVEN * work.sum() / members:
            return False
        deal = dealt(work.tolist(), self.deal, members)
        moved = [number for number, owner in enumerate(deal) if owner != self.deal[number]]
        saves = self._waited > self._bytes_held()[moved].sum() / _BYTES_A_SECOND
        if not moved or not (saves or at_once):
            return False
        for number in moved:
            self._move(number, deal[number])
        self._waited = 0.0
        return True

    def _move(self, number: int, member: int) -> None:
        before, after = self.members[self.deal[number]].worker, self.members[member].worker
        roots = self._roots([number])
        content = self._call_each("give", {before: (number, roots)})[before]
        self._call_each("accept", {after: (number, roots, self.sizes[number], content)})
        self.deal[number] = member

    @property
    def facts(self) -> tuple[WorkerFacts, ...]:
        """How every worker does: what it holds, and its processor's seconds of an iteration, the mean of the last few."""
        found, seconds = [], self._seconds.tolist()
        for member, (_, place) in enumerate(self.members):
            sizes = self.sizes[self._held(member)]
            histories, places, numbers = sizes[:, 3:6].sum(axis=0).tolist()
            held = self.tree.top.bytes_of((histories, places, numbers))
            found.append(WorkerFacts(place.machine, place.process, len(sizes), histories, held, seconds[member]))
        return tuple(found)

    # What is kept

    def fetched(self, number: int) -> Shard:
        """A copy of a shard; the last one is kept until it changes."""
        while self._fetched is None or self._fetched[0] != number:
            roots, worker = self._roots([number]), self.members[self.deal[number]].worker
            try:
                content = self._call_each("section", {worker: (number, roots)})[worker]
                self._fetched = number, sections.shard_of(self.tree, number, self.sizes[number], content)
            except WorkerLostError:
                self.recover()
        return self._fetched[1]

    def keep(self, out: BinaryIO, starts: Sequence[int]) -> list[int]:
        """See `Holder`: every worker writes its shards into the file, side by side."""
        out.flush()
        given = {}
        for member, (worker, _) in enumerate(self.members):
            held = self._held(member)
            given[worker] = str(out.name), self._roots(held), {number: starts[number] for number in held}
        found: dict[int, int] = {}
        for checks in self._call_each("keep", given).values():
            found |= checks
        out.seek(starts[-1])
        return [found[number] for number in range(len(self.sizes))]

    def take(self, file: BinaryIO, starts: Sequence[int], sizes: Ints, checks: Sequence[int]) -> None:
        """See `Holder`: every worker reads its shards from the file, side by side."""
        given = {}
        for member, (worker, _) in enumerate(self.members):
            held = self._held(member)
            facts = ({number: known[number] for number in held} for known in (starts, sizes, checks))
            given[worker] = (str(file.name), self._roots(held), *facts)
        self._call_each("take", given)
        self.sizes[:] = sizes
        self._fetched, self._short = None, False
