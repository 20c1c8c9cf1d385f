"""Test workers: names of clusters, replies, and that no work is lost if a worker dies."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from itertools import count, islice
from multiprocessing import resource_tracker
from pathlib import Path
from typing import Any

import pytest

from liarsdice_cli.errors import LiarsDiceError, UsageError
from liarsdice_cli.system import local_cluster, memory
from liarsdice_cli.system import tasks as work
from liarsdice_cli.system.cluster import Message, Worker, WorkerLostError
from liarsdice_cli.system.cluster_names import check, cluster
from liarsdice_cli.system.local_cluster import LocalCluster
from liarsdice_cli.system.tasks import as_done, in_order
from tests.support import tasks
from tests.support.command_line import alive, children, posix
from tests.support.properties import mostly_slow


class Counting(LocalCluster):
    """A cluster with limited room that counts requests for workers and started workers."""

    def __init__(self, count: int, room: int = 1000) -> None:
        super().__init__(count)
        self.asked, self.started, self.room = 0, 0, room

    def start(self, count: int, make: Callable[..., Any], *arguments: Any) -> list[Worker]:
        found = super().start(min(count, self.room - self.started), make, *arguments)
        self.asked, self.started = self.asked + 1, self.started + len(found)
        return found


@pytest.fixture(autouse=True)
def _no_process_is_left_over() -> Iterator[None]:
    if not Path("/proc").exists():
        yield
        return
    resource_tracker.ensure_running()  # this process stays
    before = set(children(os.getpid()))
    yield
    assert set(children(os.getpid())) <= before


# Names of clusters


@pytest.mark.parametrize("text", ["local:1", "local:1024", "auto", "10.0.0.1:6379", "head.example:1", "[::1]:6379"])
def test_valid_names_of_clusters_are_accepted(text: str) -> None:
    check(text)


NUMBERS = ["", "0", "-1", "x", "²", "65536", "9" * 5000]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2",
        "local",
        "Auto",
        ":6379",
        "local:1025",
        *(f"{kind}:{number}" for kind in ("local", "host") for number in NUMBERS),
    ],
)
def test_invalid_names_of_clusters_are_refused(text: str) -> None:
    for ask in (check, cluster):
        with pytest.raises(UsageError, match="give local:N for N processes on this machine, or auto or HOST:PORT") as refused:
            ask(text)
        assert len(str(refused.value)) < 250


# Workers


def test_a_worker_keeps_its_own_object() -> None:
    place = cluster("local:2")
    assert place.count == 2
    one, other = place.start(2, tasks.Notes, "first")
    for worker, word in ((one, "a"), (other, "b"), (one, "c")):
        worker.send(Message("add", word))
        assert [*place.ready([worker])] == [worker]
        worker.receive()
    assert place.ready([one, other], 0) == []
    for worker, words in ((one, ["first", "a", "c", "!"]), (other, ["first", "b", "!"])):
        worker.send(Message("add", "!"))
        assert worker.receive() == words
        worker.send(Message("missing"))
        with pytest.raises(AttributeError, match="missing"):
            worker.receive()
        worker.close()
        worker.close()
        with pytest.raises(WorkerLostError):
            worker.send(Message("add", "?"))


def test_an_object_that_cannot_be_created_raises_its_error_at_each_call(capfd: pytest.CaptureFixture[str]) -> None:
    (worker,) = LocalCluster(1).start(1, tasks.NeverMade)
    for _ in range(2):
        worker.send(Message("add"))
        with pytest.raises(UsageError, match="there is none"):
            worker.receive()
    worker.close()
    assert capfd.readouterr() == ("", "")


@posix
def test_a_worker_that_is_killed_is_lost() -> None:
    place = LocalCluster(2)
    one, other = place.start(2, tasks.Notes, "first")
    one.send(Message("process"))
    os.kill(one.receive(), signal.SIGKILL)
    assert [*place.ready([one, other])] == [one]
    with pytest.raises(WorkerLostError):
        one.receive()
    other.send(Message("add", "on"))
    assert other.receive() == ["first", "on"]
    one.close()
    other.close()


def test_only_workers_that_there_is_room_for_are_started(monkeypatch: pytest.MonkeyPatch) -> None:
    class Refused(local_cluster.LocalWorker):
        def __init__(self, *arguments: Any) -> None:
            if started:
                raise OSError(11, "Resource temporarily unavailable")
            super().__init__(*arguments)
            started.append(self)

    started: list[Worker] = []
    monkeypatch.setattr(local_cluster, "LocalWorker", Refused)
    assert LocalCluster(3).start(3, tasks.Notes, "first") == started
    started[0].close()


# Tasks


@pytest.mark.parametrize("workers", mostly_slow([3, 1, None]))
def test_results_come_in_the_order_of_their_tasks(workers: int | None) -> None:
    place = None if workers is None else LocalCluster(workers)
    assert list(in_order(place, tasks.squared, iter(range(20)))) == [number * number for number in range(20)]
    assert list(in_order(place, tasks.squared, [])) == []
    processes = set(in_order(place, tasks.process, range(20)))
    assert len(processes) <= (workers or 1)
    assert (os.getpid() in processes) == (workers is None)


@pytest.mark.slow
@pytest.mark.parametrize("run", [as_done, in_order])
def test_a_long_task_does_not_delay_other_tasks(run: Callable[..., Iterator[int]], tmp_path: Path) -> None:
    numbers = list(range(6))
    found = list(run(LocalCluster(2), tasks.OnlyAfter(0, 5, tmp_path), numbers))
    assert sorted(found) == numbers
    assert found[:4] == ([1, 2, 3, 4] if run is as_done else [0, 1, 2, 3])


@pytest.mark.slow
def test_tasks_are_taken_no_further_ahead_than_requested() -> None:
    taken = count()
    with closing(in_order(LocalCluster(2), tasks.squared, taken, ahead=3)) as results:
        assert list(islice(results, 10)) == [number * number for number in range(10)]
    assert next(taken) <= 10 + 2 * 3 + 1


@pytest.mark.slow
def test_no_more_workers_are_started_than_there_are_tasks() -> None:
    place = Counting(8)
    assert list(in_order(place, tasks.squared, [3, 4])) == [9, 16]
    assert place.started == 2


@pytest.mark.slow
def test_the_workers_that_there_is_room_for_do_all_tasks() -> None:
    place = Counting(5, room=2)
    assert list(in_order(place, tasks.squared, range(9))) == [number * number for number in range(9)]
    assert (place.asked, place.started) == (3, 2)
    with pytest.raises(LiarsDiceError, match="no room for a worker"):
        list(in_order(Counting(2, room=0), tasks.squared, range(9)))


@pytest.mark.parametrize("number", mostly_slow(range(len(tasks.ERRORS)), every=3))
def test_errors_are_raised_unchanged(number: int) -> None:
    wrong = tasks.ERRORS[number]
    with pytest.raises(type(wrong)) as raised:
        list(in_order(LocalCluster(1), tasks.fails, [number]))
    assert (type(raised.value), raised.value.args, str(raised.value)) == (type(wrong), wrong.args, str(wrong))
    if isinstance(wrong, LiarsDiceError):
        assert isinstance(raised.value, LiarsDiceError)
        assert raised.value.parts == wrong.parts


@pytest.mark.slow
def test_only_results_before_an_error_are_received() -> None:
    found: list[int] = []
    with pytest.raises(UsageError, match="two"):
        found.extend(in_order(LocalCluster(2), tasks.fails_at_two, range(9)))
    assert found in ([], [0], [0, 1])


@pytest.mark.parametrize(
    ("number", "words"), [(0, "Hidden: nobody can import it"), (1, "Stubborn: 1 and 2"), (2, "Changed: it says no")]
)
def test_an_error_that_cannot_be_sent_is_reported_as_text(number: int, words: str, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(RuntimeError) as raised:
        list(in_order(LocalCluster(1), tasks.fails_in_its_own_way, [number]))
    assert str(raised.value) == words
    assert capfd.readouterr() == ("", "")


def test_a_result_or_a_task_that_cannot_be_sent_is_reported() -> None:
    results = in_order(LocalCluster(1), tasks.answers_with_what_cannot_be_sent, range(2), ahead=1)
    assert next(results) is tasks.squared
    with pytest.raises(RuntimeError, match="function cannot be sent"):
        next(results)
    with pytest.raises((AttributeError, TypeError), match="pickle"):
        list(in_order(LocalCluster(1), tasks.process, [lambda: 1]))
    with pytest.raises((AttributeError, TypeError), match="pickle"):
        list(in_order(LocalCluster(1), lambda task: task, [1]))


# Workers that die


@posix
def test_workers_share_the_memory_of_their_machine() -> None:
    """Each of eight workers has an eighth of the free memory; the test allows a quarter, because the free memory changes."""
    (each,) = in_order(LocalCluster(8), tasks.available, [0])
    assert 0 < each < memory.available() / 4


@pytest.mark.parametrize("run", mostly_slow([in_order, as_done]))
def test_a_worker_that_dies_at_its_task_is_replaced(
    run: Callable[..., Iterator[int]], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    place = Counting(2)
    found = list(run(place, tasks.Dies(4, 2, tmp_path), range(9)))
    assert (found if run is in_order else sorted(found)) == [number * number for number in range(9)]
    assert len(list(tmp_path.iterdir())) == 2
    assert place.started > 2
    assert capfd.readouterr() == ("", "")


@posix
@pytest.mark.slow
@pytest.mark.parametrize("run", [as_done, in_order])
def test_a_task_that_kills_every_worker_ends_the_run(
    run: Callable[..., Iterator[int]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work, "MAX_LOSSES", 2)
    place, found = LocalCluster(2), list[int]()
    with pytest.raises(LiarsDiceError, match=r"keep ending, perhaps for lack of memory: .* cluster='local:1'"):
        found.extend(run(place, tasks.Dies(2, 1000, tmp_path), count()))  # the other tasks have no end
    assert len(list(tmp_path.iterdir())) == 3
    assert 4 not in found


@posix
@pytest.mark.slow
def test_a_worker_that_dies_while_idle_is_replaced() -> None:
    def given() -> Iterator[int]:
        yield 1
        os.kill(said[0], signal.SIGKILL)
        yield 2

    said: list[int] = []
    for process in in_order(LocalCluster(1), tasks.process, given(), ahead=1):
        said.append(process)
    assert len(set(said)) == 2


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc").exists(), reason="looks for processes in /proc")
@pytest.mark.parametrize("close", [True, False])
def test_workers_end_when_their_results_are_no_longer_read(close: bool) -> None:
    results = in_order(LocalCluster(2), tasks.process, count())
    workers = set(islice(results, 20))
    assert all(map(alive, workers))
    if close:
        results.close()
    else:
        with pytest.raises(ZeroDivisionError):
            _fails_at(results)
        del results
    assert not any(map(alive, workers))


def _fails_at(results: Iterator[int]) -> Sequence[float]:
    return [1 / (process - process) for process in results]
