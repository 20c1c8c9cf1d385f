"""Work in tasks that do not depend on each other, and who does them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeVar

_Task = TypeVar("_Task")
_Result = TypeVar("_Result")


class InOrder(Protocol):
    """Does tasks, here or in other processes, and gives the results in the order of the tasks; `map` is one.

    For other processes the function must be one that can be imported, or a `partial` of one, and tasks what can be pickled.
    """

    def __call__(self, function: Callable[[_Task], _Result], tasks: Iterable[_Task], /) -> Iterator[_Result]:
        """The result of the function for every task in turn."""
        ...
