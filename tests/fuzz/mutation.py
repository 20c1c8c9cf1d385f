"""Mutate bytes a little, or with tokens that have broken readers before."""

from __future__ import annotations

import random
import re

TOKENS = (
    *(b"Infinity", b"-Infinity", b"NaN", b"1e400", b"-1", b"0", b"1_0", b"1/0", b"0x1", b"1e", b"2.5", b"null", b"true"),
    *(b"9" * 400, b"9" * 5_000, b"[" * 60_000, b'{"a":' * 5_000, b"x" * 5_000, b'"' * 99),
    *(b"\xff\xfe", b"\x00", b"\x80", b"\xef\xbb\xbf", b"\x1b]0;x\x07", b"\x9b2J", b"\xe2\x80\xae", b"\xd9\xa3"),
    *(
        b'"',
        b"'",
        b"\\",
        b"\n",
        b"\r",
        b"\r\n",
        b"\t",
        b" ",
        b",",
        b";",
        b"{",
        b"}",
        b"[",
        b"]",
        b"(",
        b"--",
        b"@",
        b":",
        b"..",
        b"%s",
    ),
    *(
        b"\\ud800",
        b"1x2",
        b"99x99",
        b"opening",
        b"none",
        b"move",
        b"player",
        b"from,to",
        b'p "" 1 1 "" { "a" } 0',
        b't "" 1 "" { 1 }',
    ),
)
_NUMBER = re.compile(rb"-?[0-9]+(?:\.[0-9]+)?")


def mutated(data: bytes, draw: random.Random) -> bytes:
    """Return the bytes after one to five changes."""
    for _ in range(draw.choice((1, 1, 1, 2, 3, 5))):
        data = draw.choice(_CHANGES)(data, draw)
    return data


def _span(data: bytes, draw: random.Random) -> tuple[int, int]:
    start = draw.randint(0, len(data))
    return start, min(len(data), start + int(draw.expovariate(1 / 12)) + 1)


def _flip(data: bytes, draw: random.Random) -> bytes:
    """Flip one bit of one byte."""
    place = draw.randrange(len(data) or 1)
    return data[:place] + bytes(byte ^ 1 << draw.randrange(8) for byte in data[place : place + 1]) + data[place + 1 :]


def _overwrite(data: bytes, draw: random.Random) -> bytes:
    start, end = _span(data, draw)
    return data[:start] + draw.randbytes(end - start) + data[end:]


def _insert(data: bytes, draw: random.Random) -> bytes:
    start, _ = _span(data, draw)
    return data[:start] + draw.choice(TOKENS) + data[start:]


def _replace(data: bytes, draw: random.Random) -> bytes:
    start, end = _span(data, draw)
    return data[:start] + draw.choice(TOKENS) + data[end:]


def _delete(data: bytes, draw: random.Random) -> bytes:
    start, end = _span(data, draw)
    return data[:start] + data[end:]


def _repeat(data: bytes, draw: random.Random) -> bytes:
    start, end = _span(data, draw)
    return data[:end] + data[start:end] * draw.choice((1, 2, 50)) + data[end:]


def _swap(data: bytes, draw: random.Random) -> bytes:
    (a, b), (c, d) = sorted((_span(data, draw), _span(data, draw)))
    return data[:a] + data[c:d] + data[b:c] + data[a:b] + data[d:] if b <= c else data


def _number(data: bytes, draw: random.Random) -> bytes:
    """Replace a number by another."""
    found = list(_NUMBER.finditer(data))
    if not found:
        return _insert(data, draw)
    place = draw.choice(found)
    other = draw.choice((*TOKENS[:20], str(draw.randint(-3, 12)).encode(), str(draw.getrandbits(70)).encode()))
    return data[: place.start()] + other + data[place.end() :]


def _cut(data: bytes, draw: random.Random) -> bytes:
    return data[: draw.randint(0, len(data))]


_CHANGES = (_flip, _overwrite, _insert, _replace, _delete, _repeat, _swap, _number, _number, _cut)
