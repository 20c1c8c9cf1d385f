"""Lines put together by a compiled loop, for games so large that compiling it, or loading what was compiled, pays."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from liarsdice_cli.extensive.tree import Ints
from liarsdice_cli.system.compiling import compiled_in_place

Bytes = npt.NDArray[np.uint8]
_WORD = 8
"""Texts are copied in words of so many bytes: most are no longer, and what is behind the end is written over."""
_DIGITS = 20
"""The most characters of a number."""
_PAIRS: Bytes = np.frombuffer(b"".join(b"%02d" % number for number in range(100)), np.uint8)
"""The digits of 00 to 99."""


class Filling:
    """Texts that are put together with numbers, many at once.

    >>> Filling(["one ", ".", "two "]).joined(np.array([0, 2]), np.array([17, -3]), np.array([1, 1]))
    b'one 17.two -3.'
    """

    def __init__(self, texts: Sequence[str]) -> None:
        data = [text.encode() for text in texts]
        self.length: Ints = np.array([len(text) for text in data], np.int64)
        words = -(-self.length // _WORD)
        self.first: Ints = np.cumsum(words) - words
        padded = (text.ljust(_WORD * size, b"\0") for text, size in zip(data, words.tolist(), strict=True))
        self.words: Bytes = np.frombuffer(b"".join(padded), np.uint8).reshape(-1, _WORD)
        self._out: Bytes = np.empty(0, np.uint8)

    def joined(self, before: Ints, number: Ints, after: Ints) -> bytes:
        """For every row of three columns a text, a number and another text, all of them one after the other."""
        before, number, after = (column.astype(np.int64, copy=False) for column in (before, number, after))
        room = _room(self.length, before, after)
        if room > len(self._out):
            self._out = np.empty(room, np.uint8)
        size = _fill(self.words, self.first, self.length, before, number, after, _PAIRS, self._out)
        return self._out[:size].tobytes()


@compiled_in_place()
def _room(length: Ints, before: Ints, after: Ints) -> int:
    """Enough bytes for what `_fill` writes."""
    room = _WORD
    for row in range(len(before)):
        room += length[before[row]] + _DIGITS + length[after[row]]
    return room


@compiled_in_place()
def _fill(words: Bytes, first: Ints, length: Ints, before: Ints, number: Ints, after: Ints, pairs: Bytes, out: Bytes) -> int:
    """Write every row's text, number and text; returns the number of bytes.

    words  : all texts, each from a word of its own on
    first  : for every text its first word
    length : for every text its length in bytes
    pairs  : the digits of 00 to 99
    """
    place = np.uint64(0)  # unsigned: an index that may be negative costs a comparison
    for row in range(len(before)):
        for side in range(2):
            text = before[row] if side == 0 else after[row]
            word, left, copied = first[text], length[text], place
            while left > 0:
                source, target = words[word], out[copied : copied + np.uint64(_WORD)]
                for byte in range(_WORD):  # of a fixed number, which becomes one instruction
                    target[byte] = source[byte]
                copied += np.uint64(_WORD)
                left -= _WORD
                word += 1
            place += np.uint64(length[text])
            if side == 0:
                if number[row] < 0:
                    out[place] = 45  # a minus
                    place += np.uint64(1)
                value = np.uint64(abs(number[row]))
                power = np.uint64(10)
                place += np.uint64(1)
                while value >= power:
                    place += np.uint64(1)
                    power *= np.uint64(10)
                end = place
                while value >= np.uint64(10):
                    rest = value // np.uint64(100)
                    pair = np.uint64(2) * (value - np.uint64(100) * rest)
                    end -= np.uint64(2)
                    out[end] = pairs[pair]
                    out[end + np.uint64(1)] = pairs[pair + np.uint64(1)]
                    value = rest
                if value > np.uint64(0) or end == place:
                    out[end - np.uint64(1)] = 48 + value  # a digit alone
    return int(place)
