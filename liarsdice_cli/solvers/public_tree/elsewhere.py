"""Shards held by workers in other processes, on this machine or on several: what the process that leads them does.

A walk is one message down to every worker, with what comes to the subtrees in its shards, and one up, with what those are
worth; a walk that takes longer than a moment is asked for moment by moment, so that it can be stopped. Shards stay where they
are, but for those that are dealt anew when workers have come to wait for one another. What a shard computes does not depend
on where that is, so neither does any result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.stream import Floats, Ints
from liarsdice_cli.games.liarsdice.grown import OWNER, ROOT, GrownTree, Shard
from liarsdice_cli.games.public_game import PublicGame
from liarsdice_cli.solvers.public_tree import arrays, sections
from liarsdice_cli.solvers.public_tree import walk as w
from liarsdice_cli.solvers.public_tree.dealing import dealt, loads
from liarsdice_cli.solvers.public_tree.shard_worker import Report, ShardWorker, Turn
from liarsdice_cli.solvers.public_tree.walks import Numbers, ShardWalk
from liarsdice_cli.solvers.regret.convergence import WorkerFacts
from liarsdice_cli.system.cluster import Cluster, Place, Worker, WorkerLostError, no_room
from liarsdice_cli.system.memory import SHARE

_MOMENT = 0.5
"""Seconds after which a worker says how far it is."""
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


class _Asked:
    """What a worker was asked to walk, and the subtrees of which it has not yet reported, in the order in which it will."""

    def __init__(self, message: Turn, subtrees: Ints) -> None:
        self.message, self._left = message, subtrees

    def reported(self, count: int) -> Ints:
        """The next subtrees, of which a report came."""
        now, self._left = self._left[:count], self._left[count:]
        return now


class Elsewhere:
    """The workers that hold the shards of a tree (see `Holder`), of which the top shard stays here.

    memory  : the bytes that the shards of every worker may fill; None for most of what is free where it runs
    recover : set by whoever can bring everything back to where it was
    sizes   : `Shard.size` of every shard
    """

    def __init__(self, game: PublicGame, tree: GrownTree, place: Cluster, memory: float | None) -> None:
        self.game, self.tree, self.cluster, self.memory = game, tree, place, memory
        self.recover: Callable[[], None] = lambda: None
        self.sizes = np.array(tree.shards.sizes)
        self.work = np.ones(len(self.sizes))
        self.seconds = np.zeros(0)
        self._compiled: tuple[tuple[Any, Numbers], ...] = ()
        self._fresh = self._short = self._by_memory = False
        self._waited, self._walked = 0.0, np.zeros(0)
        self._busy: list[Worker] = []
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
        given = self.game, self.tree.cut, tuple(self.tree.top.kept), self._kind
        started = self.cluster.start(missing, ShardWorker, *given)
        self.members += [
            _Member(worker, place) for worker, place in self._call_each("place", dict.fromkeys(started, ())).items()
        ]
        if not self.members:
            raise no_room()
        self._call_each("limit", {one.worker: (memory,) for one, memory in zip(self.members, self._memories(), strict=True)})
        self._call_each("compile", dict.fromkeys(started, (self._compiled,)))
        self.seconds = self._walked = np.zeros(len(self.members))

    @property
    def _kind(self) -> Any:
        return next(iter(self.tree.top.kept.values())).dtype.type

    def _call_each(self, method: str, arguments: Mapping[Worker, tuple[Any, ...]]) -> dict[Worker, Any]:
        """Call workers side by side; what every call came to."""
        for worker, given in arguments.items():
            self._send(worker, method, *given)
        return {worker: self._receive(worker) for worker in arguments}

    def _send(self, worker: Worker, method: str, *arguments: Any) -> None:
        try:
            worker.send(method, *arguments)
        except WorkerLostError:
            self._lost.add(worker)
            raise
        self._busy.append(worker)

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
        return roots[np.isin(roots[:, OWNER], numbers)]

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
            try:
                self._receive(worker)
            except (WorkerLostError, LiarsDiceError, ValueError):
                continue
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
        return self.tree.make_room(memory, [self.tree.top]) and not self._short

    def walk(self, asked: ShardWalk, done: set[int], stop: Callable[[], bool]) -> int:
        """See `Holder`."""
        plan, below = asked.plan, asked.below
        learns, fresh = plan.mode == w.LEARN, self._fresh and plan.mode == w.LEARN
        if fresh and plan.learner == 0:
            self.seconds, self._walked = self._walked, np.zeros(len(self.members))
            self._deal_anew(self._bytes_held() if self._by_memory else self.work)
        if learns:
            self._fresh, self._fetched = False, None
        turns = self._turns(asked, fresh)
        for member, turn in turns.items():
            self._send(self.members[member].worker, "walk", turn.message, _MOMENT)
        visited, took = 0, np.zeros(len(self.members))
        while turns:
            for member, turn in list(turns.items()):
                report: Report = self._receive(self.members[member].worker)
                self._note(report, below, turn, learns)
                done.update(report.done)
                visited += report.visited
                took[member] += sum(report.seconds)
                if not report.left:
                    del turns[member]
            if turns and stop():
                break
            for member in turns:
                self._send(self.members[member].worker, "walk_on", _MOMENT)
        if learns:
            self._walked += took
            self._waited += float(took.max() - took.mean())
        return visited

    def _turns(self, asked: ShardWalk, fresh: bool) -> dict[int, _Asked]:
        """What every worker is asked to walk; those that have nothing to do are left out."""
        plan, below, due = asked.plan.sent(), asked.below, asked.due
        others = np.array([player for player in range(self.game.players) if player != plan.learner])
        members = np.array(self.deal)[due.shard_of_each]
        turns = {}
        for member in range(len(self.members)):
            subtrees = due.subtrees[members == member]
            if len(subtrees) or fresh:
                reach = below.reach[subtrees[:, None], others]
                turns[member] = _Asked(Turn(plan, fresh, below.roots[subtrees], reach), subtrees)
        return turns

    def _note(self, report: Report, below: arrays.Subtrees, turn: _Asked, learns: bool) -> None:
        """Take down what a worker reports."""
        subtrees = turn.reported(len(report.roots))
        below.value[subtrees, : report.values.shape[1]] = report.values
        below.roots[subtrees, ROOT] = report.roots
        self.sizes[report.numbers] = report.sizes
        self._short = self._short or report.short
        if learns:
            self.work[report.done] += (1 - _FORGETS) * (report.seconds - self.work[report.done])

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
        """How every worker does: what it holds, and its processor's seconds in the last whole iteration."""
        found = []
        for member, (_, place) in enumerate(self.members):
            sizes = self.sizes[self._held(member)]
            histories, places, numbers = sizes[:, 3:6].sum(axis=0).tolist()
            held = self.tree.top.bytes_of((histories, places, numbers))
            found.append(WorkerFacts(place.machine, place.process, len(sizes), histories, held, float(self.seconds[member])))
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
