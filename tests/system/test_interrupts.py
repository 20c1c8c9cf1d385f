"""Test Ctrl-C during work that must not stop halfway."""

from __future__ import annotations

import signal
import threading

import pytest

from liarsdice_cli.system import interrupts


def test_an_interrupt_is_deferred_to_the_end() -> None:
    done: list[str] = []
    with pytest.raises(KeyboardInterrupt), interrupts.deferred():  # noqa: PT012 (the block is what is tested)
        signal.raise_signal(signal.SIGINT)
        done.append("the rest")
    assert done == ["the rest"]
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_a_second_interrupt_takes_effect_at_once() -> None:
    done: list[str] = []
    with pytest.raises(KeyboardInterrupt), interrupts.deferred():  # noqa: PT012
        signal.raise_signal(signal.SIGINT)
        done.append("the rest")
        signal.raise_signal(signal.SIGINT)
        done.append("more")
    assert done == ["the rest"]


def test_without_an_interrupt_the_handler_is_restored() -> None:
    before = signal.getsignal(signal.SIGINT)
    with interrupts.deferred():
        assert signal.getsignal(signal.SIGINT) is not before
    assert signal.getsignal(signal.SIGINT) is before


def test_deferral_works_in_other_threads() -> None:
    done: list[str] = []

    def work() -> None:
        with interrupts.deferred():
            done.append("work")

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == ["work"]
