"""The tokens of an .efg file, and errors that name the line, the column and the expected content."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple, NoReturn

from liarsdice_cli.errors import LiarsDiceError

STRING = rb'"[^"\\]*+(?:\\"?[^"\\]*+)*+"'
"""A label in quotes; a quote after a backslash belongs to it, any other backslash stands for itself."""
NUMBER = rb"[+-]?(?:\d++\.?\d*+|\.\d++)(?:[eE][+-]?\d++|/\d++)?+"

_TOKEN = re.compile(
    rb"\s*+(?:(?P<text>" + STRING + rb")|(?P<number>" + NUMBER + rb")(?![^\s{},\"])|(?P<mark>[{},])|(?P<word>[^\s{},\"]++))"
)
_SPACE = re.compile(rb"\s*+")
_MOST_DIGITS = 4_000
"""The most digits of a number, including those that its exponent adds: Python writes integers up to 4,300 digits."""


class Token(NamedTuple):
    """A piece of the file: `kind` is 'text', 'number', 'mark' or 'word' ('end' past the last), `start` its first byte."""

    kind: str
    bytes: bytes
    start: int


class Lexer:
    """Reads tokens one after the other from `position` on."""

    def __init__(self, data: bytes, name: str, position: int = 0) -> None:
        self.data, self.name, self.position = data, name, position

    def peek(self) -> Token:
        """Return the next token without moving past it."""
        match = _TOKEN.match(self.data, self.position)
        if match:
            return Token(str(match.lastgroup), match[match.lastgroup or 0], match.start(match.lastgroup or 0))
        start = _SPACE.match(self.data, self.position).end()  # type: ignore[union-attr]  # it matches anywhere
        if start < len(self.data):
            self.fail(start, "a closing quote before the end of the file")
        return Token("end", b"", start)

    def next(self, kind: str, expected: str, *allowed: bytes) -> Token:
        """Move past the next token, which must be of this kind (and one of those allowed); `expected` names it in the error."""
        token = self.peek()
        if token.kind != kind or (allowed and token.bytes not in allowed):
            self.fail(token.start, expected)
        self.position = self.end_of(token)
        return token

    def accept(self, mark: bytes) -> bool:
        """Move past this mark if it comes next."""
        token = self.peek()
        if token.kind == "mark" and token.bytes == mark:
            self.position = self.end_of(token)
            return True
        return False

    def text(self, expected: str) -> str:
        """Move past the label that must come next, and return it."""
        return unquoted(self.next("text", f"{expected} in quotes").bytes)

    def number(self, expected: str) -> Fraction:
        """Move past the number that must come next, and return it exactly."""
        token = self.next("number", expected)
        try:
            return exact(token.bytes)
        except ValueError as error:
            self.fail(token.start, f"{expected}: {error}")

    def integer(self, expected: str) -> int:
        """Move past the whole number that must come next, and return it."""
        token = self.next("number", expected)
        try:
            return int(token.bytes)
        except ValueError:
            self.fail(token.start, f"{expected}, a whole number")

    def fail(self, position: int, expected: str) -> NoReturn:
        """Raise LiarsDiceError because the expected content does not begin at this byte."""
        found = bytes(self.data[position : position + 60]).split(b"\n")[0].rstrip().decode("utf-8", "replace")
        instead = f"found {shortened(found)!r}" if found else "the line ends" if position < len(self.data) else "the file ends"
        raise LiarsDiceError(f"{place(self.data, self.name, position)}: expected {expected}, but {instead}")

    @staticmethod
    def end_of(token: Token) -> int:
        """Return the position after a token."""
        return token.start + len(token.bytes)


def place(data: bytes, name: str, position: int) -> str:
    """Return the `file:line:column` of a byte, with line and column counted from 1."""
    start = data.rfind(b"\n", 0, position)
    line = data.count(b"\n", 0, position) + 1
    return f"{name}:{line}:{position - start}"


def shortened(text: str) -> str:
    """Return a text short enough for a message, with ? for unprintable letters."""
    printable = "".join(letter if letter.isprintable() else "?" for letter in text)
    return printable if len(printable) <= 24 else printable[:21] + "..."


def unquoted(token: bytes) -> str:
    """Return the label in a string token; if its bytes are not UTF-8, they are read as Latin-1."""
    inside = token[1:-1].replace(b'\\"', b'"')
    try:
        return inside.decode()
    except UnicodeDecodeError:
        return inside.decode("latin-1")


def exact(number: bytes) -> Fraction:
    """Return a number token as a fraction; ValueError, with the reason, if that is impossible.

    >>> [str(exact(text)) for text in (b"3", b"-1/3", b".5", b"1.5E2", b"1e-3", b"2.")]
    ['3', '-1/3', '1/2', '150', '1/1000', '2']
    """
    mantissa, _, exponent = number.lower().partition(b"e")
    if len(number) > _MOST_DIGITS or len(mantissa) + abs(int(exponent or 0)) > _MOST_DIGITS:
        raise ValueError(f"at most {_MOST_DIGITS:,} digits")
    if mantissa.endswith(b"/0") or (b"/" in mantissa and not int(mantissa.partition(b"/")[2])):
        raise ValueError("a denominator that is not 0")
    return Fraction(mantissa.decode().rstrip(".")) * Fraction(10) ** int(exponent or 0)
