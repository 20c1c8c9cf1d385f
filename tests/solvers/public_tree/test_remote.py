"""Workers compute bit for bit the same numbers as one process, even if workers are lost or a disk is full."""

from __future__ import annotations

import errno
import math
import os
import sys

import numpy as np
import pytest

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.formats import ldz
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.solvers import ladder
from liarsdice_cli.solvers.public_tree import checkpoint, remote, run, shard_worker
from liarsdice_cli.solvers.public_tree.load_balancing import balance, loads
from liarsdice_cli.solvers.public_tree.values import Values, subtree_values
from liarsdice_cli.solvers.request import Request
from liarsdice_cli.strategies.stored import StoredStrategy
from liarsdice_cli.system.cluster import MAX_LOSSES
from tests.support.clusters import GAMES, PretendCluster, kept, kill, on_workers, solver, state, the_same_with_losses
from tests.support.command_line import posix
from tests.support.progress import Recorded
from tests.support.properties import mostly_slow


def run_of(one, iterations):
    for _ in range(iterations):
        one.iterate()
    return one


# The same numbers


def assert_the_same(game, where, tmp_path, method="dcfr+", iterations=12):
    with on_workers(game, where, method) as (one, _):
        alone = solver(game, method=method)
        for _ in range(2):
            run_of(one, iterations // 2)
            run_of(alone, iterations // 2)
            assert one.bounds() == alone.bounds()
            assert state(one, tmp_path) == state(alone, tmp_path)
        assert sum(worker.histories for worker in one.workers) == alone.store.histories - alone.store.top.used[0]


@pytest.mark.parametrize(
    ("game", "method", "where"),
    mostly_slow(
        [
            ("two", "pdcfr+", "pretend:3"),
            ("two", "pdcfr+", "local:2"),
            ("three", "dcfr+", "pretend:2"),
        ],
        2,
    ),
)
def test_workers_match_a_single_process(game, method, where, tmp_path):
    assert_the_same(game, where, tmp_path, method)


@pytest.mark.slow
@pytest.mark.parametrize(("method", "workers"), [("dcfr+", 1), ("cfr", 2), ("dcfr+", 3), ("pdcfr+", 3)])
@pytest.mark.parametrize("game", GAMES)
def test_any_number_of_workers_matches_a_single_process(game, method, workers, tmp_path):
    assert_the_same(game, f"local:{workers}", tmp_path, method, iterations=60)


def test_moving_shards_changes_no_number(tmp_path, monkeypatch):
    monkeypatch.setattr(remote, "_BALANCE_EVERY", -1)  # seconds: balance in every iteration, whatever the clock says
    with on_workers("two", "pretend:2") as (one, backend):
        alone, before = run_of(solver("two"), 9), [worker.shards for worker in one.workers]
        for uneven in range(3):
            run_of(one, 3)
            backend.work[:] = 1 + 10 * (np.arange(len(backend.work)) % 3 == uneven)
            backend._waited = 1e9
        assert [worker.shards for worker in one.workers] != before
        assert state(one, tmp_path) == state(alone, tmp_path)


def test_workers_give_the_same_strategy_file_and_values_as_one_process(tmp_path):
    preset, sides, dice = GAMES["two"]
    game, files, found = rules(preset, sides, dice, payoffs="zero-sum"), [], []
    with on_workers("two", "pretend:2") as (one, _):
        for number, ours in enumerate((one, solver("two"))):
            run_of(ours, 9)
            strategy = StoredStrategy(game, ours.store)
            found.append(Values(strategy).after([0, 14]).values)
            values = subtree_values(strategy)
            name = str(tmp_path / f"{number}.ldz")
            ldz.write(name, StoredStrategy(game, ours.store, values), ldz.Origin("dcfr+", 9, 0.0, 1.0))
            files.append((tmp_path / f"{number}.ldz").read_bytes())
    assert files[0] == files[1]
    assert np.array_equal(found[0], found[1])


# Stopping and resuming


@pytest.mark.parametrize("order", ["workers, then here", "here, then workers"])
def test_checkpoints_move_between_workers_and_one_process(order, tmp_path):
    straight = run_of(solver("two"), 12)
    with on_workers("two", "pretend:2") as (one, _):
        first, second = (one, solver("two")) if order.startswith("workers") else (solver("two"), one)
        checkpoint.write(str(tmp_path / "kept"), run_of(first, 7), None)
        checkpoint.read(str(tmp_path / "kept"), second)
        assert second.iteration == 7
        run_of(second, 5)
        assert second.bounds() == straight.bounds()
        assert state(second, tmp_path) == state(straight, tmp_path)


def test_a_run_stopped_within_an_iteration_resumes(tmp_path, monkeypatch):
    monkeypatch.setattr(remote, "_REPORT_EVERY", 1e-9)  # seconds: a report for every shard, whatever the clock says
    straight, asked, stopped = run_of(solver("two"), 6), 0, 0

    def stop():
        nonlocal asked
        asked += 1
        return asked % 5 == 0

    with on_workers("two", "pretend:2") as (one, _):
        while one.iteration < 6:
            one.iterate(stop)
            if one.done:
                stopped += 1
                kept(one, tmp_path / "kept")
                checkpoint.read(str(tmp_path / "kept"), one)
        assert stopped > 3
        assert state(one, tmp_path) == state(straight, tmp_path)


# Full disks


@pytest.mark.parametrize("shard", [0, 1])
def test_a_checkpoint_that_cannot_be_written_changes_no_number(shard, tmp_path, monkeypatch):
    """The disk is full for the worker that holds the shard."""
    save = shard_worker.ShardWorker.save

    def full(self, file, roots, starts):
        if shard in starts:
            raise OSError(errno.ENOSPC, "No space left on device")
        return save(self, file, roots, starts)

    with on_workers("two", "pretend:2") as (one, _):
        run_of(one, 2)
        kept(one, tmp_path / "kept")
        whole = (tmp_path / "kept").read_bytes()
        with monkeypatch.context() as patch:
            patch.setattr(shard_worker.ShardWorker, "save", full)
            for _ in range(2):
                run_of(one, 1)
                with pytest.raises(LiarsDiceError, match=r"cannot write .*kept: No space left on device; free some space"):
                    kept(one, tmp_path / "kept")
        assert [file.name for file in tmp_path.iterdir()] == ["kept"]
        assert (tmp_path / "kept").read_bytes() == whole
        kill(one, 0)
        run_of(one, 1)
        alone = run_of(solver("two"), 5)
        assert one.bounds() == alone.bounds()
        assert state(one, tmp_path) == state(alone, tmp_path)


@pytest.mark.parametrize("missing", ["room", "folder"])
def test_no_disk_space_for_the_recovery_state_changes_no_result(missing, monkeypatch):
    def full(*of, **options):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(run, "cluster", lambda name: PretendCluster(2))
    # the state must be saved within four iterations, whatever the clock says
    monkeypatch.setattr(run, "_SAVING_SHARE", math.inf)
    monkeypatch.setattr(run, "_RECOVERY", 0)
    game, progress = rules("common", 4, (2, 2)), Recorded()
    alone = ladder.solve(game, Request("dcfr+", iterations=4, threads=1)).best.judgement
    if missing == "room":
        monkeypatch.setattr(shard_worker.ShardWorker, "save", full)
    else:
        monkeypatch.setattr(run.scratch, "folder", full)
    found = ladder.solve(game, Request("dcfr+", iterations=4, cluster="local:2"), progress)
    assert found.best.judgement == alone
    (told,) = progress.messages
    assert "No space left on device" in told
    assert told.endswith("; solving continues" if missing == "room" else "; if a worker is lost, solving starts again")


def test_a_traversal_that_fails_on_several_workers_leaves_no_reply_unread(tmp_path, monkeypatch):
    def overflow(*of):
        raise LiarsDiceError("a number is no longer finite")

    with on_workers("two", "pretend:2") as (one, backend):
        run_of(one, 2)
        with monkeypatch.context() as patch:
            patch.setattr(shard_worker.ShardWorker, "traverse", overflow)
            with pytest.raises(LiarsDiceError, match="no longer finite"):
                one.iterate()
        assert not any(worker.unread for worker, _ in backend.members)


@pytest.mark.skipif(sys.platform != "linux", reason="another process is limited by prlimit")
@pytest.mark.slow
def test_a_disk_that_fills_up_changes_no_bounds(tmp_path):
    """Limit the file size of the workers and of this process so that the last shards do not fit."""
    resource = pytest.importorskip("resource")
    with on_workers("two", "local:2") as (one, backend):
        run_of(one, 30)
        kept(one, tmp_path / "kept")
        room = int((tmp_path / "kept").stat().st_size * 0.9)
        for process in [os.getpid(), *(location.process for _, location in backend.members)]:
            resource.prlimit(process, resource.RLIMIT_FSIZE, (room, resource.RLIM_INFINITY))
        try:
            with pytest.raises(LiarsDiceError, match="File too large"):
                kept(one, tmp_path / "kept")
            run_of(one, 1)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        assert one.bounds() == run_of(solver("two"), 31).bounds()


# Memory


def test_a_worker_with_full_memory_reports_it_and_the_bounds_stay_valid():
    free = run_of(solver("two"), 40)
    largest = max(shard.bytes_of(shard.capacity) for shard in free.store.shards)
    with on_workers("two", "pretend:2", memory=1.5 * largest) as (one, _):
        run_of(one, 40)
        assert one.short
        assert not free.short
        assert one.store.histories < free.store.histories
        assert all(worker.bytes <= 1.5 * largest for worker in one.workers)
        bounds = free.bounds(), one.bounds()
    assert max(one.lower for one in bounds) <= min(one.upper for one in bounds)


# Losing workers


@posix
@pytest.mark.parametrize("where", ["pretend:2", pytest.param("local:2", marks=pytest.mark.slow)])
def test_a_killed_worker_is_replaced_without_changing_a_number(where, tmp_path):
    progress = Recorded()
    with on_workers("two", where, progress=progress) as (one, backend):
        run_of(one, 3)
        kill(one, 0)  # restarts from the beginning, because no state is saved
        run_of(one, 3)
        kept(one, tmp_path / "kept")
        run_of(one, 2)
        kill(one, 1)
        proved = one.bounds()  # lost outside an iteration
        kill(one, 0)
        found = state(one, tmp_path)  # lost while the state is written
        alone = run_of(solver("two"), 8)
        assert proved == alone.bounds()
        assert found == state(alone, tmp_path)
        kill(one, backend.owners[15])
        assert one.store.shards[15].used.tolist() == alone.store.shards[15].used.tolist()
    assert [line.rpartition(", ")[2] for line in progress.messages] == [f"from iteration {number}" for number in (1, 7, 7, 9)]
    assert all(line.startswith("1 of 2 workers ended, on ") for line in progress.messages)


@pytest.mark.slow
@pytest.mark.parametrize("after", [(), (0,), (2,), (5, 9)])
def test_losing_a_worker_at_any_message_changes_no_number(after, tmp_path):
    """Lose a worker at every message in turn, and others soon after: in traversals, bounds, checkpoints and recovery."""
    alone, progress, at = run_of(solver("two"), 3), None, 0
    expected = alone.bounds(), state(alone, tmp_path)
    while progress is None or progress.messages:
        progress, at = Recorded(), at + 1
        with on_workers("two", "pretend:2", progress=progress) as (one, backend):
            backend.cluster.losses += [backend.cluster.calls + at + later for later in (0, *after)]
            one.compile()
            run_of(one, 1)
            kept(one, tmp_path / "kept")
            one.retry(one.restore)  # as `--checkpoint` does
            run_of(one, 2)
            assert (one.bounds(), state(one, tmp_path)) == expected
    assert at > 15


def test_repeated_losses_end_the_run_with_the_reason():
    with on_workers("two", "pretend:1") as (one, backend):
        run_of(one, 1)
        replace = backend.replace_workers

        def replace_and_kill():
            report = replace()
            kill(one, 0)
            return report

        backend.replace_workers = replace_and_kill
        kill(one, 0)
        with pytest.raises(
            LiarsDiceError, match=f"workers ended {MAX_LOSSES + 1} times in iteration 2, perhaps for lack of memory"
        ):
            one.iterate()


@posix
@pytest.mark.slow
def test_twelve_workers_killed_at_random_moments_change_no_number():
    killed, told = the_same_with_losses("local:3", 12)
    assert killed >= 12
    assert killed / 3 <= len(told) <= killed  # all three may be lost at once


# Load balancing


def test_balancing_evens_out_loads_and_moves_few_shards():
    generator = np.random.default_rng(1)
    for workers in (1, 2, 3, 7):
        work = generator.random(64).tolist()
        owners = balance(work, [number % workers for number in range(64)], workers)
        assert max(loads(work, owners, workers)) <= 1.1 * sum(work) / workers
        work[0] += 0.2
        again = balance(work, owners, workers)
        assert sum(one != other for one, other in zip(owners, again, strict=True)) <= 4
    assert balance([0, 0, 0], [0, 0, 0], 2) == [0, 0, 0]
