"""Memory for text in the making."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Bytes = npt.NDArray[np.uint8]


class Buffer:
    """Bytes one after the other, in memory that grows as needed and is kept: to ask for it anew takes as long as to fill it.

    >>> buffer = Buffer()
    >>> buffer.add(b"one ")
    >>> buffer.add(b"two")
    >>> buffer.taken()
    b'one two'
    """

    def __init__(self) -> None:
        self.memory: Bytes = np.empty(0, np.uint8)
        self.size = 0

    def add(self, data: bytes) -> None:
        """Put these bytes at the end."""
        self.make_room(len(data))
        self.memory[self.size : self.size + len(data)] = np.frombuffer(data, np.uint8)
        self.size += len(data)

    def make_room(self, more: int) -> None:
        """Have memory for so many bytes more."""
        if self.size + more > len(self.memory):
            larger = np.empty(self.size + more + len(self.memory), np.uint8)
            larger[: self.size] = self.memory[: self.size]
            self.memory = larger

    def clear(self) -> None:
        """Forget all bytes."""
        self.size = 0

    def taken(self) -> bytes:
        """All bytes, which are then forgotten."""
        data = self.memory[: self.size].tobytes()
        self.clear()
        return data
