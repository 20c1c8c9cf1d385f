"""A compiled loop that assembles lines, for games large enough to pay for compiling or loading it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from liarsdice_cli.extensive.stream import Ints
from liarsdice_cli.formats.efg.buffer import Buffer, Bytes
from liarsdice_cli.system.compiling import compiled_in_place, inlined_in_place

_WORD = 8
"""The bytes of a word, in which texts are copied. Most texts fit in one; bytes after the end are overwritten."""
_LONGEST = 11
"""The most characters of a 32-bit number."""
_FOURS: Ints = np.frombuffer(b"".join(b"%04d" % number for number in range(10_000)), "<u4").astype(np.uint32)
"""The digits of 0000 to 9999, the first one in the lowest byte."""


class _Texts(NamedTuple):
    """The texts as the compiled loop reads them.

    words  : all texts, each starting at a new word, with the first byte in the lowest place
    first  : for every text its first word
    length : for every text its length in bytes
    """

    words: Ints
    first: Ints
    length: Ints


class Filling:
    """Texts to join with numbers. The constructor compiles the loop, or loads it from the cache.

    >>> buffer = Buffer()
    >>> Filling(["one ", ".", "two "]).fill(np.array([0, 2]), np.array([17, -3]), np.array([1, 1]), buffer)
    >>> buffer.taken()
    b'one 17.two -3.'
    """

    def __init__(self, texts: Sequence[str]) -> None:
        data = [text.encode() for text in texts]
        length: Ints = np.array([len(text) for text in data], np.int64)
        words = -(-length // _WORD)
        padded = (text.ljust(_WORD * size, b"\0") for text, size in zip(data, words.tolist(), strict=True))
        self._texts = _Texts(np.frombuffer(b"".join(padded), "<u8").astype(np.uint64), np.cumsum(words) - words, length)
        nothing = np.zeros(0, np.int32)
        self.fill(nothing, nothing, nothing, Buffer())

    def fill(self, before: Ints, number: Ints, after: Ints, out: Buffer) -> None:
        """Append a text, a number of 32 bits and another text for every row of the three columns."""
        before, number, after = (column.astype(np.int32, copy=False) for column in (before, number, after))
        out.make_room(_room(self._texts.length, before, after))
        out.size = _fill(self._texts, before, number, after, _FOURS, out.memory, out.size)


@compiled_in_place()
def _room(length: Ints, before: Ints, after: Ints) -> int:
    """Return a number of bytes that is enough for `_fill`."""
    room = _WORD
    for row in range(len(before)):
        room += length[before[row]] + _LONGEST + length[after[row]]
    return room


@compiled_in_place()
def _fill(texts: _Texts, before: Ints, number: Ints, after: Ints, fours: Ints, out: Bytes, place: int) -> int:
    """Write the text, number and text of every row, starting at `place`; return the place after them.

    fours : the digits of 0000 to 9999
    """
    end = np.uint64(place)  # unsigned: an index that may be negative costs a comparison
    for row in range(len(before)):
        end = _text(texts, before[row], out, end)
        if number[row] < 0:
            out[end] = 45  # a minus
            end += np.uint64(1)
        end = _digits(np.uint64(abs(np.int64(number[row]))), fours, out, end)
        end = _text(texts, after[row], out, end)
    return int(end)


@inlined_in_place
def _text(texts: _Texts, text: int, out: Bytes, place: np.uint64) -> np.uint64:
    """Write a text word by word; return the place after it."""
    words, word, left, to = texts.words, texts.first[text], texts.length[text], place
    while left > 0:
        value, target = words[word], out[to : to + np.uint64(_WORD)]
        for byte in range(_WORD):  # one instruction for all
            target[byte] = np.uint8(value >> np.uint64(8 * byte) & np.uint64(255))
        to += np.uint64(_WORD)
        left -= _WORD
        word += 1
    return place + np.uint64(texts.length[text])


@inlined_in_place
def _digits(number: np.uint64, fours: Ints, out: Bytes, place: np.uint64) -> np.uint64:
    """Write a number four digits at a time, without leading zeros; return the place after it."""
    four, eight = np.uint64(10_000), np.uint64(100_000_000)
    upper = number // four
    if number < four:
        leading = number
    elif number < eight:
        leading = upper
    else:
        leading = number // eight
    count = np.uint64(1) + np.uint64(leading > 9) + np.uint64(leading > 99) + np.uint64(leading > 999)
    _four(fours, leading, np.uint64(4) - count, out, place)
    place += count
    if number >= eight:
        _four(fours, upper - four * leading, np.uint64(0), out, place)
        place += np.uint64(4)
    if number >= four:
        _four(fours, number - four * upper, np.uint64(0), out, place)
        place += np.uint64(4)
    return place


@inlined_in_place
def _four(fours: Ints, number: np.uint64, skipped: np.uint64, out: Bytes, place: np.uint64) -> None:
    """Write the four digits of a number without the first `skipped`; bytes after them are overwritten."""
    value, target = fours[number] >> np.uint32(8) * np.uint32(skipped), out[place : place + np.uint64(4)]
    for digit in range(4):  # one instruction for all
        target[digit] = np.uint8(value >> np.uint32(8 * digit) & np.uint32(255))
