"""Writing .efg: a block of nodes becomes a block of lines, so that a tree of any size streams through.

The line of a node follows from its information set, its outcome and its label alone. Lines are made where an information
set or outcome is new to the block's columns, and joined in one step.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import IO

import numpy as np

from liarsdice_cli.extensive.tree import CHANCE, NONE, TERMINAL, Actions, Block, Ints, Outcome, Texts, TreeStream

LABELS = ("auto", "full", "none")
"""Which information sets carry labels: those of small games (`LABELLED_NODES`), all, or none."""

LABELLED_NODES = 20_000
"""The largest game, in nodes, that `auto` writes with labels and brackets everywhere; see docs/efg.md for the measurement."""


def write(
    stream: TreeStream, out: IO[bytes], labels: str = "auto", progress: Callable[[int], None] = lambda nodes: None
) -> None:
    """Write the game in Gambit's format, in memory that does not grow with it.

    labels   : 'full' labels every information set and repeats its bracket at each of its nodes, for people to read;
               'none' leaves the labels away and gives every bracket once, which is a quarter of the size; 'auto' chooses
    progress : called with the number of nodes of every block written

    Numbers are written as exact fractions. Speed: several million nodes a second and core.
    """
    full = labels == "full" or (labels == "auto" and stream.nodes <= LABELLED_NODES)
    lines = _Lines(stream, full)
    players = " ".join(map(quoted, stream.players))
    header = f"EFG 2 R {quoted(stream.title)} {{ {players} }}\n{quoted(stream.comment)}\n\n"
    out.write(header.encode())
    start = 0
    for block in stream.blocks():
        out.write(lines.of(block, start).encode())
        start += len(block.player)
        progress(len(block.player))


def dumps(stream: TreeStream, labels: str = "auto") -> bytes:
    """The file as bytes; for games that fit in memory.

    >>> from liarsdice_cli.games.liarsdice import tree, rules
    >>> print(dumps(tree.stream(rules.rules("common", 1))).decode().splitlines()[-1])
    t "" 1 "P1 wins" { 1, 0 }
    """
    out = io.BytesIO()
    write(stream, out, labels)
    return out.getvalue()


def quoted(label: str) -> str:
    """A label in quotes. A quote inside is escaped; a backslash that would swallow the closing quote gets an underscore."""
    text = label.replace('"', '\\"')
    return f'"{text}_"' if text.endswith("\\") else f'"{text}"'


class _Lines:
    """The lines of a game as templates with a place (%s) for the number of the information set and its label.

    There are few templates, so a block is a gather, a join and one formatting. Knows which outcomes have been given.
    """

    def __init__(self, stream: TreeStream, full: bool) -> None:
        self.full = full
        self.node_labels = stream.node_labels
        self.labelled = np.array(sorted(stream.node_labels), np.int64)
        of_players = [f'p "" {player + 1} %s' for player in range(len(stream.players))]
        self.heads = _column([*of_players, "", 'c "" %s'])  # TERMINAL and CHANCE index from the end
        self.action_lists = _column([_template(_actions_text(choices)) for choices in stream.action_lists])
        self.briefly = _column([*map(str, range(1, len(stream.outcomes) + 1)), "0"])
        self.at_length = _column([*(_template(_outcome_text(*pair)) for pair in enumerate(stream.outcomes, 1)), "0"])
        if full:
            self.briefly = self.at_length
        self.ends = 't "" ' + self.briefly + "\n"
        self.repeats = self.heads + " 0\n"
        self.given = np.zeros(len(stream.outcomes) + 1, bool)
        self.given[NONE] = True

    def of(self, block: Block, start: int) -> str:
        """The lines of a block that begins at node `start`, as one text."""
        lines = self.ends[block.outcome]
        moving = np.flatnonzero(block.player != TERMINAL)
        lines[moving] = self.repeats[block.player[moving]]
        bracketed = moving if self.full else moving[block.first[moving]]
        label = "" if self.full else ' ""'
        lines[bracketed] = self.heads[block.player[bracketed]] + label + self.action_lists[block.actions[bracketed]] + " 0\n"
        self._mend_outcomes(block, lines, moving)
        for node in self.labelled[slice(*np.searchsorted(self.labelled, [start, start + len(lines)]))].tolist():
            lines[node - start] = lines[node - start].replace('""', _template(quoted(self.node_labels[node])), 1)
        return str("".join(lines.tolist()) % self._numbers(block, moving))

    def _mend_outcomes(self, block: Block, lines: Texts, moving: Ints) -> None:
        """Give the lines their outcomes where these are new to the game, or stand at a node where somebody moves."""
        inner = moving[block.outcome[moving] != NONE]
        new = self._new_outcomes(block)
        texts = dict(zip(inner.tolist(), self.briefly[block.outcome[inner]], strict=True))
        texts.update(zip(new.tolist(), self.at_length[block.outcome[new]], strict=True))
        for place, text in texts.items():
            if block.player[place] == TERMINAL:
                lines[place] = f't "" {text}\n'
            else:
                lines[place] = str(lines[place]).removesuffix("0\n") + text + "\n"

    def _numbers(self, block: Block, moving: Ints) -> tuple[object, ...]:
        """What goes into the templates: the number of every information set, with its label where labels are written."""
        numbers = block.number[moving].tolist()
        if not self.full:
            return tuple(numbers)
        return tuple(f"{number} {quoted(label)}" for number, label in zip(numbers, block.labels(moving), strict=True))

    def _new_outcomes(self, block: Block) -> Ints:
        """The places in the block where an outcome occurs for the first time in the game."""
        places = np.flatnonzero(~self.given[block.outcome])
        rows, first = np.unique(block.outcome[places], return_index=True)
        self.given[rows] = True
        return places[first]


def _column(texts: list[str]) -> Texts:
    column = np.empty(len(texts), object)
    column[:] = texts
    return column


def _template(text: str) -> str:
    """A text that % formatting leaves as it is."""
    return text.replace("%", "%%")


def _actions_text(choices: Actions) -> str:
    if choices.probabilities is None:
        actions = " ".join(map(quoted, choices.labels))
    else:
        pairs = zip(choices.labels, choices.probabilities, strict=True)
        actions = " ".join(f"{quoted(action)} {probability}" for action, probability in pairs)
    return f" {{ {actions} }}"


def _outcome_text(number: int, outcome: Outcome) -> str:
    return f"{number} {quoted(outcome.label)} {{ {', '.join(map(str, outcome.payoffs))} }}"


assert (CHANCE, TERMINAL) == (-1, -2), "heads are indexed by player, and from the end by these"
