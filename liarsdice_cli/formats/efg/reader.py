"""Reading .efg: everything that Gambit reads, and the well-formed files that it refuses.

Unlike Gambit's reader, this one accepts information sets and outcomes that are defined only after their first use,
labels of any kind, numbers such as +5 and 1e+2, and equal numbers written differently in repeated brackets.
"""

from __future__ import annotations

import numpy as np

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.stream import Ints
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.formats import files
from liarsdice_cli.formats.efg.lexer import Lexer, place
from liarsdice_cli.formats.efg.records import Records, after_space, check_record, split
from liarsdice_cli.formats.efg.tables import MOST_PLAYERS, GameTables
from liarsdice_cli.system import collector

_MARK = b"\xef\xbb\xbf"
_OTHERS = (
    (b"{", b'"liarsdice/profile/', "is a profile, not a game: name the .efg file of its game"),
    (b"NFG", b"NFG", "is a game in strategic form (.nfg), which can be written but not read: name its .efg file"),
    (b"PK", b"head.json", "has strategies, not a game: name it so that it ends in .ldz"),
    (b"<", b"<gambit:document", "is a workbook (.gbt), which can be written but not read: name the .efg file of its game"),
)
"""Other files of the program that are often taken for games: the beginning, a text near the beginning, and the error."""


def read(name: str) -> GameTree:
    """Return the game in a file (gzipped or not), or from standard input for `-`.

    Raises LiarsDiceError with file, line, column and the expected content, or with the format of the file if it is another.
    Speed: one to two million nodes a second.
    """
    data, where = files.read(name), files.shown(name)
    head = data[:1000].lstrip()
    for begin, mark, reason in _OTHERS:
        if head.startswith(begin) and mark in head:
            raise LiarsDiceError(f"{where} {reason}")
    return parse(data, where)


def parse(data: bytes, name: str = "text") -> GameTree:
    """Return the game in the bytes of an .efg file; errors call it `name`.

    Information sets come in the order of their first node, numbered as in the file. Text after the last node is ignored.

    >>> game = parse(b'EFG 2 R "pennies" { "A" "B" } p "" 1 1 "" { "H" "T" } 0'
    ...              b' p "" 2 1 "" { "h" "t" } 0 t "" 1 "" { 1 -1 } t "" 2 "" { -1 1 }'
    ...              b' p "" 2 1 0 t "" 2 t "" 1')
    >>> game.nodes, len(game.infosets), game.constant_sum
    (7, 2, Fraction(0, 1))
    """
    with collector.paused():
        return _parsed(data, name)


def _parsed(data: bytes, name: str) -> GameTree:
    lexer = Lexer(data, name, len(_MARK) if data.startswith(_MARK) else 0)
    title, players, comment = _header(lexer)
    records = split(data, lexer.position)
    tables = GameTables(records, len(players))
    infoset, outcome = tables.infoset[records.ids], tables.outcome[records.ids]
    arity = np.append(tables.action_counts, 0)[infoset]
    nodes = _nodes(arity)
    _complain(tables, records, nodes, lexer, missing=1 + int(np.sum(arity - 1)) if len(arity) else 1)
    labelled = np.flatnonzero((tables.node_labels != "")[records.ids[:nodes]])
    labels = tables.node_labels[records.ids[labelled]]
    return tables.tree(
        title,
        comment,
        players,
        infoset[:nodes],
        outcome[:nodes],
        dict(zip(labelled.tolist(), labels.tolist(), strict=True)),
    )


def _header(lexer: Lexer) -> tuple[str, tuple[str, ...], str]:
    lexer.next("word", "EFG, the first word of an extensive game", b"EFG")
    lexer.next("number", "2, the version of the format", b"2")
    lexer.next("word", "R or D, the kind of numbers", b"R", b"D")
    title = lexer.text("the title of the game")
    lexer.next("mark", "{ before the players", b"{")
    players: list[str] = []
    while not lexer.accept(b"}"):
        if len(players) == MOST_PLAYERS:
            lexer.fail(lexer.peek().start, f"}} after at most {MOST_PLAYERS} players")
        players.append(lexer.text("} or the name of a player"))
    comment = lexer.text("the comment") if lexer.peek().kind == "text" else ""
    return title, tuple(players), comment


def _nodes(arity: Ints) -> int:
    """Return the number of nodes of the tree at the start of these branch counts in prefix order, 0 if it is incomplete."""
    complete = np.cumsum(arity - 1) == -1
    return int(np.argmax(complete)) + 1 if len(arity) and complete.any() else 0


def _complain(tables: GameTables, records: Records, nodes: int, lexer: Lexer, missing: int) -> None:
    """Raise the first problem among the nodes of the tree, if there is one."""
    found = nodes or len(records.ids)
    _raise_first(tables.problems, records, found, lexer)
    if not nodes:
        rest = Lexer(lexer.data, lexer.name, records.end)
        if rest.peek().kind == "end":
            rest.fail(rest.peek().start, f"{missing:,} more node(s)")
        check_record(rest)
        rest.fail(records.end, "a node, which begins with c, p or t")
    _raise_first(tables.missing, records, found, lexer)


def _raise_first(problems: list[tuple[int, str]], records: Records, found: int, lexer: Lexer) -> None:
    """Raise the first of the problems that concern the first `found` records of the file."""
    if not problems:
        return
    firsts = dict(zip(*(column.tolist() for column in np.unique(records.ids, return_index=True)), strict=True))
    for record, text in sorted(problems):
        first = firsts[record]
        if first < found:
            start = after_space(lexer.data, records.start_of(first))
            check_record(Lexer(lexer.data, lexer.name, start))
            raise LiarsDiceError(f"{place(lexer.data, lexer.name, start)}: {text or 'this is not a node'}")
