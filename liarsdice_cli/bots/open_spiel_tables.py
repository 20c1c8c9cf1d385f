"""The tables in which OpenSpiel's solvers keep their policies, read at once.

A key is an information-state string, such as "12 1-2 2-2" with dice 1 and 2 after two bids. OpenSpiel's solvers play evenly at
states that are not in the table, and so does `Table`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.stream import Floats, Ints
from liarsdice_cli.games.bidding import OPENING
from liarsdice_cli.games.liarsdice.histories import Histories
from liarsdice_cli.games.liarsdice.rules import Rules

Entry = tuple[Sequence[int], Sequence[float]]
"""Actions, as OpenSpiel numbers them, and a weight for each."""
_SECTION, _ENTRY_END = "[SolverValuesTable]\n", "<~>"
_MOST_SIDES, _MOST_BIDS = 9, 62
"""From ten sides on, OpenSpiel writes dice that cannot be told apart. A history is a number of 63 bits."""


def entries(policy: Any) -> Mapping[str, Entry] | None:
    """Return the table of a policy or a solver of OpenSpiel, by information-state strings; None if it has none to read.

    It reads `TabularPolicy` (Python and C++), `PartialTabularPolicy`, Python's average policy of MCCFR, and the C++
    solvers CFR, CFR+ and MCCFR. For a solver it returns the average policy, taken from the text that pickling writes.
    """
    if callable(getattr(policy, "policy_table", None)):  # in C++
        return {key: ([a for a, _ in pairs], [p for _, p in pairs]) for key, pairs in policy.policy_table().items()}
    if hasattr(policy, "state_lookup") and hasattr(policy, "action_probability_array"):
        actions = range(policy.action_probability_array.shape[1])
        return {key: (actions, policy.action_probability_array[row]) for key, row in policy.state_lookup.items()}
    kept = getattr(policy, "_infostates", None)
    if isinstance(kept, Mapping) and all(len(pair) == 2 for pair in kept.values()):
        return {key: ((), average) for key, (_, average) in kept.items()}
    return dict(_pickled(policy.__getstate__())) if is_pickled(policy) else None


def is_pickled(policy: Any) -> bool:
    """Return whether this is a C++ solver, whose table can only be read from the text that pickling writes."""
    return callable(getattr(policy, "average_policy", None)) and type(policy).__module__ == "pyspiel"


def _pickled(text: str) -> Iterator[tuple[str, Entry]]:
    """Yield the entries of a C++ solver. After each key come legal actions, regrets, summed policies and a policy."""
    parts = text.partition(_SECTION)[2].rstrip("\n").split(_ENTRY_END)
    for key, values in zip(parts[::2], parts[1::2], strict=False):
        actions, _, sums, _ = values.split(";")
        weights = [float.fromhex(one) for one in sums.split(",")]
        yield key, ([int(one) for one in actions.split(",")], weights if any(weights) else [1.0] * len(weights))


class _Block(NamedTuple):
    """The entries after all histories with one last bid.

    codes  : int64, rising: for each history the sum of 2^b over its bids b
    shares : (histories, rolls, actions), the legal actions as `Histories.actions` lists them
    """

    codes: Ints
    shares: Floats


def is_readable(rules: Rules) -> bool:
    """Return whether the keys of a table name one state each, and a history fits into a number."""
    return rules.sides <= _MOST_SIDES and rules.bid_count <= _MOST_BIDS


class Table:
    """The probabilities in a table, as a `given.Answer`, for readable rules; even ones at states that are not in it."""

    def __init__(self, entries: Mapping[str, Entry]) -> None:
        self._entries = entries
        self._blocks = lru_cache(2)(lambda rules: _blocks(rules, entries))

    def __call__(self, histories: Histories) -> Floats:
        """Return the probabilities after a batch of histories: (histories, rolls, actions)."""
        said = np.full((len(histories), len(histories.rolls), len(histories.actions)), 1 / len(histories.actions))
        block = self._blocks(histories.rules).get((histories.player, histories.last))
        if block is not None:
            codes = histories.bids_made @ (1 << np.arange(histories.rules.bid_count))
            row = np.minimum(np.searchsorted(block.codes, codes), len(block.codes) - 1)
            known = block.codes[row] == codes
            said[known] = block.shares[row[known]]
        return said


def _blocks(rules: Rules, entries: Mapping[str, Entry]) -> dict[tuple[int, int], _Block]:
    """Return the table by the player to move and the last bid; LiarsDiceError for a key that is no state of the game."""
    bids = {f"{bid.quantity}-{bid.face}": number for number, bid in enumerate(rules.bids)}
    rolls = {rules.roll_label(roll): place for place, (roll, _) in enumerate(rules.rolls(0))}
    found: defaultdict[tuple[int, int], list[_Row]] = defaultdict(list)
    for key, (actions, weights) in entries.items():
        dice, *said = key.split(" ")
        try:
            roll, history = rolls[dice], [bids[bid] for bid in said]
        except KeyError:
            raise LiarsDiceError(f"has the information state {key[:60]!r}, which does not belong to {rules}") from None
        last = history[-1] if history else OPENING
        if len(actions):
            by_action = dict(zip(actions, weights, strict=True))
            weights = [by_action.get(action, 0.0) for action in range(last + 1, rules.bid_count + (last != OPENING))]
        found[len(history) % rules.players, last].append(_Row(sum(1 << bid for bid in history), roll, weights))
    return {place: _block(rows, last=place[1], rolls=len(rolls)) for place, rows in found.items()}


class _Row(NamedTuple):
    """An entry: the code of its history, the place of its roll, and weights of the legal actions, the call last."""

    code: int
    roll: int
    weights: Sequence[float]


def _block(rows: Sequence[_Row], last: int, rolls: int) -> _Block:
    """Return the entries after all histories with one last bid and one player to move."""
    codes, place = np.unique([row.code for row in rows], return_inverse=True)
    weights = np.array([row.weights for row in rows], np.float64)
    weights = np.roll(weights, 1, axis=1) if last != OPENING else weights
    shares = np.full((len(codes), rolls, weights.shape[1]), 1 / weights.shape[1])
    with np.errstate(invalid="ignore"):
        shares[place, [row.roll for row in rows]] = weights / weights.sum(axis=1, keepdims=True)
    return _Block(codes, shares)
