"""A growing byte buffer."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Bytes = npt.NDArray[np.uint8]


class Buffer:
    """A byte buffer that grows as needed and keeps its memory, because allocating it again takes as long as filling it.

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
        """Append these bytes."""
        self.make_room(len(data))
        self.memory[self.size : self.size + len(data)] = np.frombuffer(data, np.uint8)
        self.size += len(data)

    def make_room(self, more: int) -> None:
        """Make room for this many more bytes."""
        if self.size + more > len(self.memory):
            larger = np.empty(self.size + more + len(self.memory), np.uint8)
            larger[: self.size] = self.memory[: self.size]
            self.memory = larger

    def clear(self) -> None:
        """Remove all bytes."""
        self.size = 0

    def taken(self) -> bytes:
        """Return all bytes and clear the buffer."""
        data = self.memory[: self.size].tobytes()
        self.clear()
        return data
