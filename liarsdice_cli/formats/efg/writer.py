"""Write .efg files in sections, each of which can be made alone, so that the memory does not grow with the tree.

All sections but the last have the same number of nodes. A bracket that is written once, at the first node of its information
set or outcome, follows from the game and not from earlier sections.

The line of a node is a text, a number and another text, such as `p "" 1 `, 17 and ` 0`. There are few distinct texts: those of
a node follow from its player, its information set and its outcome. So a block of nodes becomes three columns: a row of the
text table, a number, and another row. Python formats small games, a compiled loop large ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import IO, TYPE_CHECKING, NamedTuple

import numpy as np

from liarsdice_cli.extensive.stream import CHANCE, NONE, TERMINAL, Actions, Block, Ints, Outcome, Texts, TreeStream
from liarsdice_cli.formats import files
from liarsdice_cli.formats.efg.buffer import Buffer
from liarsdice_cli.formats.numbers import exact_text
from liarsdice_cli.progress import SILENT, Progress
from liarsdice_cli.system.interrupts import deferred

if TYPE_CHECKING:
    from liarsdice_cli.formats.efg.filling import Filling
    from liarsdice_cli.system.tasks import InOrder

COMPILED = 6_000_000
"""The smallest game, in nodes, for the compiled loop: loading it takes as long as formatting about this many in Python."""

LABELLED_NODES = 20_000
"""The largest game, in nodes, that `auto` writes with labels and brackets everywhere; see docs/efg.md for the measurement."""

SECTION = 1 << 18
"""Nodes in a section: a few megabytes of text, which takes hundredths of a second to make and tenths to pack."""


def write(
    stream: TreeStream,
    out: IO[bytes],
    labels: str = "auto",
    progress: Progress = SILENT,
    in_order: InOrder = map,
) -> None:
    """Write the game in Gambit's format, in memory that does not grow with it.

    labels   : 'full' labels every information set and repeats its bracket at each of its nodes, for people to read;
               'none' leaves out the labels and gives every bracket once, which is a quarter of the size; 'auto' chooses
    progress : counts the nodes of every section that is written
    in_order : maps a function over the sections, possibly in other processes; the bytes do not change

    Numbers are written as exact fractions. Speed: 30 to 40 million nodes a second and core, in Python (see `COMPILED`) 6 to 8
    million, with labels 1 million.
    """
    pack, take = files.packing(out)
    left = stream.nodes
    for data in in_order(partial(_packed, pack, stream, labels), range(sections(stream))):
        take(data)
        progress.advance(min(left, SECTION))
        left -= SECTION


def dumps(stream: TreeStream, labels: str = "auto") -> bytes:
    """Return the file as bytes, for games that fit in memory.

    >>> from liarsdice_cli.games.liarsdice import tree, rules
    >>> print(dumps(tree.stream(rules.rules("common", 1))).decode().splitlines()[-1])
    t "" 1 "P1 wins" { 1, 0 }
    """
    return b"".join(section(stream, labels, index) for index in range(sections(stream)))


def sections(stream: TreeStream) -> int:
    """Return the number of sections of a game's file, which depends only on its number of nodes."""
    return -(-stream.nodes // SECTION)


def section(stream: TreeStream, labels: str, index: int) -> bytes:
    """Return a section of the file; the first one includes the header, and all of them in order are the file.

    The arguments can be pickled. Each process computes the lines that sections share once.

    >>> from liarsdice_cli.games.liarsdice import tree, rules
    >>> section(tree.stream(rules.rules("common", 1)), "none", 0).decode().splitlines()[-1]
    't "" 1'
    """
    lines = _lines(stream, labels == "full" or (labels == "auto" and stream.nodes <= LABELLED_NODES))
    start = index * SECTION
    nodes = lines.of(stream.between(start, min(start + SECTION, stream.nodes)), start)
    return _header(stream) + nodes if index == 0 else nodes


def _packed(pack: Callable[[bytes], bytes], stream: TreeStream, labels: str, index: int) -> bytes:
    return pack(section(stream, labels, index))


def _header(stream: TreeStream) -> bytes:
    players = " ".join(map(quoted, stream.players))
    return f"EFG 2 R {quoted(stream.title)} {{ {players} }}\n{quoted(stream.comment)}\n\n".encode()


def _lines(stream: TreeStream, full: bool) -> Lines:
    """Return the lines object that the sections of a game share; the stream caches it."""
    key = f"lines of .efg, {'full' if full else 'brief'}"
    if key not in stream.memo:
        stream.memo[key] = Lines(stream, full)
    lines: Lines = stream.memo[key]
    return lines


def quoted(label: str) -> str:
    """Return a label in quotes. Quotes inside are escaped, and a backslash before the closing quote gets an underscore."""
    text = label.replace('"', '\\"')
    return f'"{text}_"' if text.endswith("\\") else f'"{text}"'


class _Rows(NamedTuple):
    """The lines of a block: rows of the texts before the numbers, the numbers, and rows of the texts after them.

    longer : the indices of the lines with a bracket after the number
    """

    before: Ints
    number: Ints
    after: Ints
    longer: Ints


class Lines:
    """The lines of a game.

    full : whether every line has its labels and brackets; otherwise each bracket is written once
    """

    def __init__(self, stream: TreeStream, full: bool) -> None:
        self.full = full
        self.node_labels = stream.node_labels
        self.labelled = np.array(sorted(stream.node_labels), np.int64)
        self.outcome_nodes = stream.outcome_nodes
        label = "" if full else ' ""'
        texts = ['t "" ', 'c "" ', *(f'p "" {player + 1} ' for player in range(len(stream.players)))]
        self.actions = len(texts)
        texts += [f"{label}{_actions_text(choices)} 0\n" for choices in stream.action_lists]
        self.outcomes = len(texts)
        texts += [f"{_outcome_text(outcome)}\n" for outcome in stream.outcomes]
        self.known_set, self.known_outcome = len(texts), len(texts) + 1
        texts += [" 0\n", "\n"]
        self.templates: Texts = np.array([*map(_template, texts)], object)
        self.templates[: self.actions] += "%s"  # the place of the number
        brief = [self.known_outcome, *[self.known_set] * (self.actions - 1)]
        self.brief_lines = self.templates[: self.actions] + self.templates[brief]
        self.buffer = Buffer()
        self.filling = _filling(texts) if stream.nodes >= COMPILED and not full else None

    def of(self, blocks: Iterable[Block], start: int) -> bytes:
        """Return the lines of consecutive blocks, the first of which begins at node `start`."""
        self.buffer.clear()
        for block in blocks:
            rows = self._rows(block, start)
            own_words = self._labelled(block, start), np.flatnonzero((block.outcome != NONE) & (block.player != TERMINAL))
            if self.filling is None or any(map(len, own_words)):
                self.buffer.add(self._formatted(rows, block, start, *own_words))
            else:
                self.filling.fill(rows.before, rows.number, rows.after, self.buffer)
            start += len(block.player)
        return self.buffer.taken()

    def _rows(self, block: Block, start: int) -> _Rows:
        moving = block.player != TERMINAL
        given = self._outcomes_given(block, start)
        ends = given[~moving[given]]
        sets = np.flatnonzero(moving if self.full else block.first)
        after = np.where(moving, np.int32(self.known_set), np.int32(self.known_outcome))
        after[sets] = self.actions + block.actions[sets]
        after[ends] = self.outcomes + block.outcome[ends]
        number = np.where(moving, block.number, block.outcome + 1)
        return _Rows(block.player - TERMINAL, number, after, np.concatenate([sets, ends]))

    def _labelled(self, block: Block, start: int) -> Ints:
        """Return the indices in the block of nodes that have labels."""
        return self.labelled[slice(*np.searchsorted(self.labelled, [start, start + len(block.player)]))] - start

    def _outcomes_given(self, block: Block, start: int) -> Ints:
        """Return the indices in the block at which an outcome has its bracket: its first node in the game, or every node."""
        if self.full:
            return np.flatnonzero(block.outcome != NONE)
        stop = start + len(block.outcome)
        return self.outcome_nodes[(self.outcome_nodes >= start) & (self.outcome_nodes < stop)] - start

    def _formatted(self, rows: _Rows, block: Block, start: int, labelled: Ints, inner: Ints) -> bytes:
        """Return the lines of a block, formatted in Python; some nodes are labelled, some have an outcome and a decision."""
        lines = self.brief_lines[rows.before]
        lines[rows.longer] = self.templates[rows.before[rows.longer]] + self.templates[rows.after[rows.longer]]
        for place in labelled.tolist():
            lines[place] = lines[place].replace('""', _template(quoted(self.node_labels[start + place])), 1)
        for place in inner.tolist():
            lines[place] = lines[place].removesuffix("0\n") + self._inner_outcome(int(block.outcome[place]), start + place)
        return ("".join(lines.tolist()) % self._numbers(rows, block)).encode()

    def _inner_outcome(self, outcome: int, node: int) -> str:
        """Return the end of the template of a decision node with an outcome."""
        given = self.full or self.outcome_nodes[outcome] == node
        return f"{outcome + 1}{self.templates[self.outcomes + outcome if given else self.known_outcome]}"

    def _numbers(self, rows: _Rows, block: Block) -> tuple[object, ...]:
        """Return the numbers, with the labels of information sets if these are written."""
        if not self.full:
            return tuple(rows.number.tolist())
        numbers, moving = rows.number.astype(object), np.flatnonzero(block.player != TERMINAL)
        labels = zip(rows.number[moving].tolist(), block.labels(moving), strict=True)
        numbers[moving] = [f"{number} {quoted(label)}" for number, label in labels]
        return tuple(numbers)


def _template(text: str) -> str:
    """Return the text with % escaped for % formatting."""
    return text.replace("%", "%%")


def _filling(texts: Sequence[str]) -> Filling:
    with deferred():
        from liarsdice_cli.formats.efg.filling import Filling

        return Filling(texts)


def _actions_text(choices: Actions) -> str:
    if choices.probabilities is None:
        actions = " ".join(map(quoted, choices.labels))
    else:
        pairs = zip(choices.labels, choices.probabilities, strict=True)
        actions = " ".join(f"{quoted(action)} {exact_text(probability)}" for action, probability in pairs)
    return f" {{ {actions} }}"


def _outcome_text(outcome: Outcome) -> str:
    return f" {quoted(outcome.label)} {{ {', '.join(map(exact_text, outcome.payoffs))} }}"


assert (CHANCE, TERMINAL) == (-1, -2), "a player is the row of the text before the number, counted from these"
