"""Convert the distinct records of a file to the tables of a game: information sets, their actions, and outcomes.

There are few distinct heads and ends of records, so these are parsed one by one; everything else is computed on columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.stream import CHANCE, NONE, Actions, Bools, Ints, Outcome, Texts
from liarsdice_cli.extensive.stream import TERMINAL as NOBODY
from liarsdice_cli.extensive.tree import GameTree, InfoSets
from liarsdice_cli.formats.efg.lexer import Lexer, unquoted
from liarsdice_cli.formats.efg.records import HEAD, TAIL, TERMINAL, Records, payoffs, read_actions

_MOST_NUMBER = 2**31
MOST_PLAYERS = 100
"""The most players of a game: their numbers fit into a byte."""


class _Head(NamedTuple):
    """The player to move, and the label of the node."""

    player: int
    label: str


class _End(NamedTuple):
    """The fields after the number of the set: rows of `Given` tables or NONE, the outcome's number, a terminal node's label."""

    set: int
    outcome_number: int
    outcome: int
    label: str


class _Columns(NamedTuple):
    """The distinct records, with a column for each field.

    label          : the label of the node
    player         : the player to move, CHANCE or NOBODY
    set_number     : the number of the information set, 0 at terminal nodes
    given_set      : the data of that set in the record, a row of `GameTables._sets`, or NONE
    outcome_number : the number of the outcome, 0 for none
    given_outcome  : the data of that outcome in the record, a row of `GameTables._outcomes`, or NONE
    """

    label: Texts
    player: Ints
    set_number: Ints
    given_set: Ints
    outcome_number: Ints
    given_outcome: Ints


class GameTables:
    """The tables of a game, and the rows of every distinct record.

    infoset, outcome : for every distinct record a row, or NONE
    action_counts    : for every information set the number of its actions, 0 if they are given nowhere
    node_labels      : for every distinct record the label of its nodes
    problems         : (distinct record, its error, or "" if the error is found by reading it token by token)
    missing          : likewise, for records whose actions or payoffs are given nowhere
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

        columns = self._taken_apart(records)
        self.node_labels = columns.label
        self.infoset, first = _rows(_set_keys(columns), columns.player != NOBODY)
        self._set_player, self._set_number = columns.player[first], columns.set_number[first]
        self._given_set = self._first_given(self.infoset, columns.given_set, "information set", "actions")
        self.action_counts = np.append(self._sizes(), 0)[self._given_set]
        self.outcome, _ = _rows(columns.outcome_number, columns.outcome_number != 0)
        self._given_outcome = self._first_given(self.outcome, columns.given_outcome, "outcome", "payoffs")
        self._check(columns)

    def _taken_apart(self, records: Records) -> _Columns:
        """Return the columns of the records; each distinct head and each distinct end is parsed once."""
        heads, numbers, tails, terminals = zip(*records.distinct, strict=True) if records.distinct else ((),) * 4
        head_of, head_texts = _distinct(heads)
        end_of, end_texts = _distinct([tail or terminal for tail, terminal in zip(tails, terminals, strict=True)])
        head = [_head(text) for text in head_texts]
        end = [self._end(text, record) for text, record in zip(end_texts, _first_places(end_of), strict=True)]
        player = _ints(one.player for one in head)[head_of]
        set_number = np.zeros(len(heads), np.int64)
        set_number[player != NOBODY] = _whole_numbers([text for text in numbers if text])
        return _Columns(
            label=_texts(one.label for one in head)[head_of] + _texts(one.label for one in end)[end_of],
            player=player,
            set_number=set_number,
            given_set=_ints(one.set for one in end)[end_of],
            outcome_number=_ints(one.outcome_number for one in end)[end_of],
            given_outcome=_ints(one.outcome for one in end)[end_of],
        )

    def _check(self, columns: _Columns) -> None:
        """Note invalid players and numbers, and actions that do not fit chance or a player."""
        self._note(columns.player >= self.players, f"there is no such player: give a number from 1 to {self.players}")
        for numbers, what in ((columns.set_number, "an information set"), (columns.outcome_number, "an outcome")):
            self._note(np.abs(numbers) >= _MOST_NUMBER, f"the number of {what} is not below {_MOST_NUMBER:,}")
        given = columns.given_set
        self._note((given != NONE) & ((columns.player == CHANCE) != self._has_probabilities()[given]), "")
        nothing = (columns.outcome_number == 0) & (columns.given_outcome != NONE)
        self._note(nothing, "outcome 0 means no outcome and has no payoffs; number outcomes from 1")

    def tree(
        self, title: str, comment: str, players: tuple[str, ...], infoset: Ints, outcome: Ints, labels: dict[int, str]
    ) -> GameTree:
        """Return the game of these node columns, without the last rows, which are mentioned only after the last node."""
        sets, ends = _count(infoset), _count(outcome)
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
        """Parse the part of a record after the number of the set, or a terminal node."""
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
        """Return the row of the actions in braces."""
        row = self._read.get(text)
        if row is None:
            row = self._read[text] = self._action_lists.setdefault(read_actions(Lexer(text, "")), len(self._action_lists))
        return row

    def _outcome(self, name: bytes, amounts: bytes, record: int) -> int:
        """Return the row of the payoffs in braces with their label."""
        row = self._outcome_texts.get((name, amounts))
        if row is None:
            numbers = payoffs(Lexer(amounts, ""))
            if len(numbers) != self.players:
                self.problems.append((record, f"the outcome has {len(numbers)} payoff(s) for {self.players} player(s)"))
            row = self._outcomes.setdefault(Outcome(unquoted(name), numbers), len(self._outcomes))
            self._outcome_texts[name, amounts] = row
        return row

    def _first_given(self, rows: Ints, given: Ints, what: str, content: str) -> Ints:
        """Return the first data given for every row; note records with other data later, and rows without data."""
        places = np.flatnonzero((given != NONE) & (rows != NONE))[::-1]
        first = np.full(_count(rows) + 1, NONE)
        first[rows[places]] = given[places]  # with equal rows the last write wins: the first in the file
        first[NONE] = NONE
        self._note(
            (given != NONE) & (rows != NONE) & (first[rows] != given),
            f"this {what} has another label or other {content} than before: make them the same",
        )
        never = np.flatnonzero((rows != NONE) & (first[rows] == NONE))[:1]
        self.missing.extend((record, f"the {content} of this {what} are never given") for record in never.tolist())
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
    """Parse the part of a record before the number of the set."""
    match = HEAD.fullmatch(text)
    if match is None:
        return _Head(NOBODY, "")
    player = _whole(match[2]) - 1 if match[2] else CHANCE
    return _Head(player if 0 <= player < MOST_PLAYERS or not match[2] else MOST_PLAYERS, unquoted(match[1]))


def _whole(text: bytes) -> int:
    """Return a whole number; `_MOST_NUMBER`, which is refused later, stands for all that are too long."""
    return int(text) if len(text) <= 18 else _MOST_NUMBER


def _whole_numbers(texts: list[bytes]) -> list[int]:
    """Return the numbers as `_whole` does; the usual case does not check each one."""
    short = max(map(len, texts), default=0) <= 18
    return list(map(int if short else _whole, texts))


def _distinct(values: Sequence[bytes]) -> tuple[Ints, list[bytes]]:
    """Return the index of every value among the distinct ones, and these in order of first occurrence."""
    index = {value: number for number, value in enumerate(dict.fromkeys(values))}
    return np.fromiter(map(index.__getitem__, values), np.int64, len(values)), list(index)


def _first_places(numbers: Ints) -> list[int]:
    """Return the first place of each of the numbers 0, 1, ...; all of them occur."""
    places = np.zeros(_count(numbers), np.int64)
    places[numbers[::-1]] = np.arange(len(numbers))[::-1]
    return places.tolist()


def _count(rows: Ints) -> int:
    """Return the number of rows 0, 1, ...; all of them occur, and NONE is not one of them."""
    return int(np.max(rows, initial=NONE)) + 1


def _set_keys(columns: _Columns) -> Ints:
    """Return a key for every player and number of an information set; numbers from `_MOST_NUMBER` on are refused later."""
    keys: Ints = (columns.player + 2) * 2 * _MOST_NUMBER + columns.set_number
    return keys


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
