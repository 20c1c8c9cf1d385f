"""Policies in tables: arrays of probabilities by history, in memory or in a NumPy file (.npz)."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from liarsdice_cli.bots.given import Given
from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.formats import files
from liarsdice_cli.games.bidding import OPENING
from liarsdice_cli.games.liarsdice.histories import Histories
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.state import history_text

ANY = "*"
"""Stands for any earlier bids, in the name of an array with all histories that end in one bid."""


def of(table: Mapping[Any, Any], name: str) -> Given:
    """Return the policy in a table.

    table : an array of probabilities (rolls, actions) for each history, with actions as in `given.Answer`. A history is the
            text of its bids, "1x2 2x1", and "" in the opening; or a tuple of their numbers, () in the opening. The key "* 2x1"
            has all histories that end in that bid, shape (histories, rolls, actions): the history with earlier bids b is at
            index sum(2^b). If one player has fewer dice, the missing rolls are padding.

    Histories that play does not reach can be left out.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> two = rules("joker", 2)
    >>> table = {"": [[1, 0], [0, 1]], "* 1x2": [[[0.5, 0.5], [1, 0]]], "1x2 2x2": [[1], [1]], "2x2": [[1], [1]]}
    >>> of(table, "mine").strategy(two).at([0]).tolist()
    [[0.5, 1.0], [0.5, 0.0]]
    """
    return Given(name, partial(_answer, table), in_bulk=True)


def read(name: str, file: str) -> Given:
    """Return the policy in a NumPy file: a table with text keys, written by `numpy.savez` or `numpy.savez_compressed`.

    Raises LiarsDiceError with the name of a file that cannot be read. No code in it runs: pickled objects are refused.
    """
    try:
        with zipfile.ZipFile(file) as archive:
            size = sum(part.file_size for part in archive.infolist())
        files.check_size(file, size)
        with np.load(file, allow_pickle=False) as found:
            return of({key: found[key] for key in found.files}, name)
    except LiarsDiceError:
        raise
    except OSError as error:
        raise LiarsDiceError(f"cannot read {file}: {files.reason(error)}") from error
    except Exception as error:  # a damaged file makes numpy, Python's parser and the decompressors raise any exception
        raise LiarsDiceError(f"cannot read {file}: it is not a file of arrays; write it with numpy.savez") from error


def _answer(table: Mapping[Any, Any], histories: Histories) -> Any:
    """Return the probabilities of a batch of histories, as `given.Answer` does."""
    rules, last = histories.rules, histories.last
    block = None if last == OPENING else table.get(f"{ANY} {rules.bids[last]}")
    if block is None:
        return np.stack([_one(table, rules, history) for history in histories])
    if len(block) != 1 << last:
        raise LiarsDiceError(f"has {len(block):,} histories under {ANY} {rules.bids[last]}, where there are {1 << last:,}")
    number = histories.bids_made[:, :last] @ (1 << np.arange(last))
    return np.asarray(block)[number, : len(histories.rolls)]


def _one(table: Mapping[Any, Any], rules: Rules, history: tuple[int, ...]) -> Any:
    text = history_text(rules, history)
    for key in (text, history):
        if key in table:
            return np.asarray(table[key])
    raise LiarsDiceError(f"has no entry {f'for {text}' if text else 'for the opening'}, which its own probabilities reach")
