"""From the distinct records of a file to the tables of a game: information sets, action_lists and outcomes.

There are few distinct heads and ends of records, so these are taken apart one by one; all else is done on columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.tree import CHANCE, NONE, Actions, Bools, GameTree, InfoSets, Ints, Outcome, Texts
from liarsdice_cli.extensive.tree import TERMINAL as NOBODY
from liarsdice_cli.formats.efg.lexer import Lexer, unquoted
from liarsdice_cli.formats.efg.records import HEAD, TAIL, TERMINAL, Records, payoffs, read_actions

_MOST_NUMBER = 2**31
MOST_PLAYERS = 100
"""The most players of a game: their numbers fit into a byte."""


class _Head(NamedTuple):
    """Who moves, and the label of the node."""

    player: int
    label: str


class _End(NamedTuple):
    """What follows the number of the set: rows of `Given` tables or NONE, the outcome's number, a terminal node's label."""

    set: int
    outcome_number: int
    outcome: int
    label: str


class GameTables:
    """The tables of a game, and for every distinct record the rows that it stands for.

    infoset, outcome : for every distinct record a row, or NONE
    action_counts        : for every information set the number of its actions, 0 where they are given nowhere
    node_labels      : for every distinct record the label of its nodes
    problems         : (distinct record, what is wrong with it, or "" where reading it token by token says so)
    missing          : likewise, for records whose actions or payoffs never come
    """

    def __init__(self, records: Records, players: int) -> None:
        self.players = players
        self.problems: list[tuple[int, str]] = []
        self.missing: list[tuple[int, str]] = []
        self._action_lists: dict[Actions, int] = {}
        self._read: dict[bytes, int] = {}
        self._sets: dict[tuple[int, str], int] = {}
        self._outcomes: dict[Outcome, int] = {}
        self._outcome_texts: dict[tuple[bytes, bytes], int] = {}

        heads, numbers, tails, terminals = zip(*records.distinct, strict=True) if records.distinct else ((),) * 4
        head_of, head_texts = _distinct(heads)
        end_of, end_texts = _distinct([tail or terminal for tail, terminal in zip(tails, terminals, strict=True)])
        head = [_head(text) for text in head_texts]
        end = [self._end(text, record) for text, record in zip(end_texts, _first_places(end_of), strict=True)]
        self.node_labels = _texts(one.label for one in head)[head_of] + _texts(one.label for one in end)[end_of]
        player = _ints(one.player for one in head)[head_of]
        self._note((player >= players), f"the moving player is none of the game's {players}")

        number = np.zeros(len(heads), np.int64)
        moving = player != NOBODY
        number[moving] = _whole_numbers([text for text in numbers if text])
        self._note(np.abs(number) >= _MOST_NUMBER, f"the number of an information set is not below {_MOST_NUMBER:,}")
        self.infoset, keys = _rows((player + 2) * 2 * _MOST_NUMBER + number, moving)
        self._set_player, self._set_number = (player[keys], number[keys])
        given = _ints(one.set for one in end)[end_of]
        self._given_set = self._resolve(self.infoset, given, len(keys), "information set", "actions")
        wrong_kind = (given != NONE) & ((player == CHANCE) != self._has_probabilities()[given])
        self._note(wrong_kind, "")
        self.action_counts = np.append(self._sizes(), 0)[self._given_set]

        ends = _ints(one.outcome_number for one in end)[end_of]
        self.outcome, keys = _rows(ends, ends != 0)
        given = _ints(one.outcome for one in end)[end_of]
        self._note(np.abs(ends) >= _MOST_NUMBER, f"the number of an outcome is not below {_MOST_NUMBER:,}")
        self._note((ends == 0) & (given != NONE), "outcome 0 is no outcome and has no payoffs; number outcomes from 1")
        self._given_outcome = self._resolve(self.outcome, given, len(keys), "outcome", "payoffs")

    def tree(
        self, title: str, comment: str, players: tuple[str, ...], infoset: Ints, outcome: Ints, labels: dict[int, str]
    ) -> GameTree:
        """The game of these node columns. Rows that only text after the last node mentions, the last ones, are left out."""
        sets, ends = (int(np.max(column, initial=NONE)) + 1 for column in (infoset, outcome))
        action_lists, names = zip(*self._sets, strict=True) if self._sets else ((), ())
        given = self._given_set[:sets]
        table = InfoSets(
            self._set_player[:sets].astype(np.int8),
            self._set_number[:sets],
            np.array(action_lists, np.int32)[given],
            _texts(names)[given].tolist(),
        )
        outcomes = list(self._outcomes)
        kept = tuple(outcomes[row] for row in self._given_outcome[:ends].tolist())
        return GameTree(
            title,
            comment,
            players,
            tuple(self._action_lists),
            kept,
            table,
            infoset.astype(np.int32),
            outcome.astype(np.int32),
            labels,
        )

    def _end(self, text: bytes, record: int) -> _End:
        """Take apart what follows the number of the set, or a terminal node."""
        label = ""
        if match := TERMINAL.fullmatch(text):
            label, text = unquoted(match[1]), match[2]
        match = TAIL.fullmatch(text)
        try:
            if match is None:
                raise ValueError
            given_set = (
                self._sets.setdefault((self._actions(match[2]), unquoted(match[1])), len(self._sets)) if match[1] else NONE
            )
            outcome = self._outcome(match[4], match[5], record) if match[4] else NONE
            return _End(given_set, _whole(match[3]), outcome, label)
        except (LiarsDiceError, ValueError):
            self.problems.append((record, ""))
            return _End(NONE, 0, NONE, label)

    def _actions(self, text: bytes) -> int:
        """The row of the actions in braces."""
        row = self._read.get(text)
        if row is None:
            row = self._read[text] = self._action_lists.setdefault(read_actions(Lexer(text, "")), len(self._action_lists))
        return row

    def _outcome(self, name: bytes, amounts: bytes, record: int) -> int:
        """The row of the payoffs in braces under their label."""
        row = self._outcome_texts.get((name, amounts))
        if row is None:
            numbers = payoffs(Lexer(amounts, ""))
            if len(numbers) != self.players:
                self.problems.append((record, f"the outcome has {len(numbers)} payoff(s) for {self.players} player(s)"))
            row = self._outcomes.setdefault(Outcome(unquoted(name), numbers), len(self._outcomes))
            self._outcome_texts[name, amounts] = row
        return row

    def _resolve(self, rows: Ints, given: Ints, count: int, what: str, content: str) -> Ints:
        """What was given first for every row; notes what is given otherwise later, or nowhere."""
        places = np.flatnonzero((given != NONE) & (rows != NONE))[::-1]
        first = np.full(count + 1, NONE)
        first[rows[places]] = given[places]  # of equal rows the last one written stays: the first in the file
        first[NONE] = NONE
        self._note((given != NONE) & (rows != NONE) & (first[rows] != given), f"this {what} was given otherwise before")
        never = np.flatnonzero((rows != NONE) & (first[rows] == NONE))[:1]
        self.missing.extend((record, f"the {content} of this {what} are given nowhere") for record in never.tolist())
        return first[:-1]

    def _sizes(self) -> Ints:
        action_lists = list(self._action_lists)
        return _ints(len(action_lists[choices].labels) for choices, _ in self._sets)

    def _has_probabilities(self) -> Bools:
        action_lists = list(self._action_lists)
        return np.array([*(action_lists[choices].probabilities is not None for choices, _ in self._sets), False])

    def _note(self, wrong: Bools, text: str) -> None:
        """Note the first record for which something is wrong."""
        self.problems.extend((record, text) for record in np.flatnonzero(wrong)[:1].tolist())


def _head(text: bytes) -> _Head:
    """Take apart the part of a record before the number of the set."""
    match = HEAD.fullmatch(text)
    if match is None:
        return _Head(NOBODY, "")
    player = _whole(match[2]) - 1 if match[2] else CHANCE
    return _Head(player if 0 <= player < MOST_PLAYERS or not match[2] else MOST_PLAYERS, unquoted(match[1]))


def _whole(text: bytes) -> int:
    """A whole number; `_MOST_NUMBER`, which nothing may reach, stands for all that are too long."""
    return int(text) if len(text) <= 18 else _MOST_NUMBER


def _whole_numbers(texts: list[bytes]) -> list[int]:
    """All of them as `_whole` has it, the usual case without a look at each."""
    short = max(map(len, texts), default=0) <= 18
    return list(map(int if short else _whole, texts))


def _distinct(values: Sequence[bytes]) -> tuple[Ints, list[bytes]]:
    """For every value its index among the distinct ones, and these in order of first occurrence."""
    index = {value: number for number, value in enumerate(dict.fromkeys(values))}
    return np.fromiter(map(index.__getitem__, values), np.int64, len(values)), list(index)


def _first_places(numbers: Ints) -> list[int]:
    """Where each of the numbers 0, 1, ... occurs first; all of them do."""
    places = np.zeros(int(np.max(numbers, initial=NONE)) + 1, np.int64)
    places[numbers[::-1]] = np.arange(len(numbers))[::-1]
    return places.tolist()


def _rows(keys: Ints, used: Bools) -> tuple[Ints, Ints]:
    """Number the distinct keys in order of first use: a row for every key (NONE where not used), and each row's first place."""
    places = np.flatnonzero(used)
    _, first, inverse = np.unique(keys[places], return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    rows = np.full(len(keys), NONE)
    rows[places] = rank[inverse]
    return rows, places[first[order]]


def _ints(values: Iterable[int]) -> Ints:
    return np.array(list(values), np.int64)


def _texts(values: Iterable[str]) -> Texts:
    texts = list(values)
    column = np.empty(len(texts), object)
    column[:] = texts
    return column
