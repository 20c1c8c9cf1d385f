"""The records of an .efg file: one for each node, found by one pattern, and each distinct one parsed once.

If the pattern finds no record, `check_record` reads the text token by token to find the error.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import count

import numpy as np

from liarsdice_cli.extensive.stream import Actions, Ints
from liarsdice_cli.formats.efg.lexer import STRING, Lexer, shortened

_SPACE = rb"[^\S\n]*+"
_BLANK = re.compile(rb"\s*+")
_LABEL = rb"\s*+(" + STRING + rb")\s*+"
_MENU = rb"\{[^{}\"]*+(?:" + STRING + rb"[^{}\"]*+)*+\}"
_INT = rb"[+-]?\d++"
_OUTCOME = rb"\s*+" + _INT + rb"(?:\s*+" + STRING + rb"\s*+\{[^{}\"]*+\}|(?!\S)(?!\s*+\"))"
_NODE = rb"\s*+" + STRING
_RECORD = (
    rb"(?:(p" + _NODE + rb"\s*+" + _INT + rb"|c" + _NODE + rb")\s*+(?<=[\s\"])(" + _INT + rb")"
    rb"((?:\s*+" + STRING + rb"\s*+" + _MENU + rb"|(?=\s))" + _OUTCOME + rb")|(t" + _NODE + _OUTCOME + rb"))"
)
_ANYWHERE = re.compile(_RECORD + rb"\s*+")
_LINES = re.compile(rb"^" + _SPACE + _RECORD + _SPACE + rb"$|^(?s:.++)", re.MULTILINE)
"""A line with a record; at the first line without one, all that is left, so that the search does not try every line."""

HEAD = re.compile(rb"[pc]\s*+(" + STRING + rb")\s*+(" + _INT + rb")?")
"""Groups: the node's label, the player (none for chance)."""
TAIL = re.compile(rb"(?:" + _LABEL + rb"(" + _MENU + rb"))?\s*+(" + _INT + rb")(?:" + _LABEL + rb"(\{[^{}\"]*+\}))?")
"""Groups: the set's label and actions, the outcome's number, label and payoffs; all but the number may be missing."""
TERMINAL = re.compile(rb"t\s*+(" + STRING + rb")(.*+)", re.DOTALL)
"""Groups: the node's label, a tail without a set."""

CHUNK = 1 << 20


@dataclass(frozen=True)
class Records:
    """The records of a file, as far as they could be found.

    distinct : each distinct record, in order of first occurrence: head, number and tail if a player or chance moves (`HEAD`,
               `TAIL`), or those three empty and the text of a terminal node (`TERMINAL`)
    ids      : for every record in the file its index in `distinct`
    start_of : returns the first byte of a record in the file, or that of the white space before it
    end      : the byte after the last record
    """

    distinct: list[tuple[bytes, ...]]
    ids: Ints
    start_of: Callable[[int], int]
    end: int


def split(data: bytes, start: int) -> Records:
    """Return all records from byte `start` on, up to the first place without one.

    Cost: for a file with one node a line, about 0.2 microseconds a node and one more for every distinct line; for other
    files, a few microseconds a node.
    """
    return _by_line(data, start) or _anywhere(data, start)


def _by_line(data: bytes, start: int) -> Records | None:
    """Return the records of a file with one node a line, or None if the file has another form."""
    index: defaultdict[bytes, int] = defaultdict(count().__next__, {b"": -2, b"\r": -1})
    lines = np.concatenate([_numbered(chunk, index) for chunk in _chunks(data, start)])
    texts = list(index)[2:]
    distinct = _LINES.findall(b"\n".join(texts))
    if len(distinct) != len(texts) or (distinct and not any(distinct[-1])):
        return None
    full = np.flatnonzero(lines >= 0)

    def start_of(number: int) -> int:
        ends = np.flatnonzero(np.frombuffer(data, np.uint8, offset=start) == ord("\n"))
        line = int(full[number])
        return start + (int(ends[line - 1]) + 1 if line else 0)

    return Records(distinct, lines[full], start_of, len(data))


def _chunks(data: bytes, start: int) -> Iterator[bytes]:
    """Yield whole lines, about a megabyte at a time, so that they are still in the cache when they are looked up."""
    while start < len(data):
        end = data.find(b"\n", start + CHUNK) + 1 or len(data)
        yield data[start:end]
        start = end
    yield b""


def _numbered(chunk: bytes, index: defaultdict[bytes, int]) -> Ints:
    """Return the number of every line; a new line gets the next number."""
    lines = chunk.removesuffix(b"\n").split(b"\n")
    return np.fromiter(map(index.__getitem__, lines), np.int64, len(lines))


def _anywhere(data: bytes, start: int) -> Records:
    """Return the records of a file with white space and line ends anywhere."""
    numbers: dict[bytes, int] = {}
    distinct: list[tuple[bytes, ...]] = []
    ids, starts = [], []
    start = after_space(data, start)
    while match := _ANYWHERE.match(data, start):
        number = numbers.setdefault(match[0], len(distinct))
        if number == len(distinct):
            distinct.append(match.groups(b""))
        ids.append(number)
        starts.append(start)
        start = match.end()
    return Records(distinct, np.array(ids, np.int64), starts.__getitem__, start)


def after_space(data: bytes, start: int) -> int:
    """Return the position of the first byte from `start` on that is not white space."""
    return _BLANK.match(data, start).end()  # type: ignore[union-attr]  # it matches anywhere


def check_record(lexer: Lexer) -> None:
    """Read one record token by token; raises LiarsDiceError, naming the expected token, at the first that does not fit."""
    kind = lexer.next("word", "a node, which begins with c, p or t", b"c", b"p", b"t").bytes
    lexer.text("the label of the node")
    if kind == b"p":
        lexer.integer("the number of a player")
    if kind != b"t":
        lexer.integer("the number of an information set")
        if lexer.peek().kind == "text":
            lexer.text("the label of the information set")
            read_actions(lexer, chance=kind == b"c")
    lexer.integer("the number of an outcome")
    if lexer.peek().kind == "text":
        lexer.text("the label of the outcome")
        payoffs(lexer)


def read_actions(lexer: Lexer, chance: bool | None = None) -> Actions:
    """Return the actions in braces, each with its probability if chance moves (None: if the first one has a probability).

    Raises LiarsDiceError at the first token that does not fit, or if the probabilities do not add up to 1.
    """
    start = lexer.next("mark", "{ before the actions", b"{").start
    actions = [lexer.text("the label of an action")]
    probabilities: list[Fraction] = []
    chance = lexer.peek().kind == "number" if chance is None else chance
    while True:
        if chance:
            probabilities.append(lexer.number(f"the probability of the action {shortened(actions[-1])!r}"))
        if lexer.accept(b"}"):
            break
        actions.append(lexer.text("} or the label of an action"))
    if chance and (min(probabilities) < 0 or sum(probabilities) != 1):
        total = sum(probabilities, Fraction(0))
        found = f" (they add up to {total})" if max(abs(total.numerator), total.denominator) < 10**30 else ""
        lexer.fail(start, f"probabilities of 0 or more that add up to 1, in fractions such as 1/3{found}")
    return Actions(tuple(actions), tuple(probabilities) if chance else None)


def payoffs(lexer: Lexer) -> tuple[Fraction, ...]:
    """Return the payoffs in braces; commas between them may be left out."""
    lexer.next("mark", "{ before the payoffs", b"{")
    numbers: list[Fraction] = []
    while not lexer.accept(b"}"):
        numbers.append(lexer.number("a payoff or }"))
        lexer.accept(b",")
    return tuple(numbers)
