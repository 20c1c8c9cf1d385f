"""Play many rounds at once between bots with known probabilities: one step for each history instead of one for each round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import count
from math import comb

import numpy as np

from liarsdice_cli.bots.protocol import Policy, View, shares
from liarsdice_cli.extensive.stream import Bools, Floats, Ints
from liarsdice_cli.games.bidding import SPOT_ON
from liarsdice_cli.games.liarsdice.matching import matching_by_face
from liarsdice_cli.games.liarsdice.rules import Rules, rolls_of
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.games.liarsdice.strategy import Strategy

MOST_ROLLS = 3_000
"""The largest number of rolls of a player for which tables are made."""
_OFTEN = 8
"""A table is made when it has been needed in 1 / _OFTEN as many rounds as it has rolls, and in `TableCache.min_rounds`."""


@dataclass(eq=False)
class TableCache:
    """A cache of tables of cumulative probabilities.

    min_rounds : a table is made when it has been needed in this many rounds
    max_bytes  : the memory above which all tables are dropped
    """

    min_rounds: int = 6
    max_bytes: int = 300_000_000
    kept: dict[Hashable, Floats] = field(default_factory=dict)
    bytes: int = 0
    numbers: Iterator[int] = field(default_factory=count)

    def put(self, key: Hashable, table: Floats) -> None:
        """Store a table."""
        if self.bytes > self.max_bytes:
            self.kept.clear()
            self.bytes = 0
        self.kept[key] = table
        self.bytes += table.nbytes


@dataclass(eq=False)
class CumulativeTables:
    """The cumulative probabilities of a bot in one game: computed for single rolls at first, and for all rolls if needed often.

    >>> from liarsdice_cli.bots.simple import Random
    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> CumulativeTables(Random(), rules("common", 2)).columns((0, 2), np.array([1, 0, 1])).tolist()
    [[0.5, 0.5, 0.5], [1.0, 1.0, 1.0]]
    """

    policy: Policy
    rules: Rules
    cache: TableCache = field(default_factory=TableCache)
    _number: int = field(init=False)
    _asked: Counter[tuple[int, ...]] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._number = next(self.cache.numbers)

    def columns(self, history: tuple[int, ...], rolls: Ints) -> Floats:
        """Return the cumulative probabilities of actions (rows) for rolls of the mover (columns), rows of `Rules.rolls`."""
        state = BettingState(self.rules, history)
        key = history if self.policy.looks_back else (state.mover, *history[-1:])
        table = self.cache.kept.get((self._number, key))
        if table is None:
            self._asked[key] += len(rolls)
            if self._asked[key] < max(self.cache.min_rounds, state.roll_count / _OFTEN):
                return self._by_roll(history, rolls)
            table = np.cumsum(self._strategy.at(history), axis=0)
            self.cache.put((self._number, key), table)
        return table[:, rolls]

    def _by_roll(self, history: tuple[int, ...], rolls: Ints) -> Floats:
        known = rolls_of(self.rules.sides, self.rules.dice[BettingState(self.rules, history).mover])
        different, place = np.unique(rolls, return_inverse=True)
        views = [View(self.rules, known[row], history) for row in different.tolist()]
        found: Floats = np.cumsum([shares(self.policy, view) for view in views], axis=1).T[:, place]
        return found

    @cached_property
    def _strategy(self) -> Strategy:
        return self.policy.strategy(self.rules)


def is_small_enough(rules: Rules) -> bool:
    """Return whether every player has few enough rolls for tables."""
    return max(map(rules.roll_count, range(rules.players))) <= MOST_ROLLS


def losers(
    rules: Rules,
    tables: Sequence[CumulativeTables],
    dice: Sequence[Ints],
    generator: np.random.Generator,
    claimed: Bools | None = None,
) -> Ints:
    """Play many rounds at once, and return the loser of each as a player; player 0 opens.

    tables  : the tables of every player's bot
    dice    : for every player the faces rolled, shape (rounds, dice)
    claimed : if given, is set to whether each round was ended by a right claim of spot-on, by the player after the loser

    Cost: a step for every history that occurs in the rounds, or for every last bid if no bot looks back.

    >>> from liarsdice_cli.bots.simple import Honest
    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> game = rules("common", 6)
    >>> honest = CumulativeTables(Honest(), game)
    >>> losers(game, [honest, honest], [np.array([[3], [5]]), np.array([[5], [3]])], np.random.default_rng(0)).tolist()
    [0, 1]
    """
    rolls = [roll_rows(rules, player, faces) for player, faces in enumerate(dice)]
    matching = np.sum([matching_by_face(rules, faces) for faces in dice], axis=0)
    going = _OpenRounds.start(matching.shape[1], any(table.policy.looks_back for table in tables))
    lost = np.zeros(matching.shape[1], np.int64)
    quantity, face = (np.array(column) for column in zip(*rules.bids, strict=True))
    for turn in range(rules.bid_count + 1):
        player = turn % rules.players
        action = _actions(going, tables[player], rolls[player][going.rounds], turn, generator.random(len(going.rounds)))
        for ending in rules.bidding.final_actions:
            ended, bid = going.rounds[action == ending], going.last[action == ending]
            stands = rules.stands(matching[face[bid] - 1, ended] - quantity[bid], ending)
            bidder = (player - 1) % rules.players
            lost[ended] = np.where(stands, rules.loser(bidder, player, True), rules.loser(bidder, player, False))
            if claimed is not None and ending == SPOT_ON:
                claimed[ended] = ~stands
        going = going.on(action >= 0, action, rules.bid_count)
        if not len(going.rounds):
            break
    return lost


def roll_rows(rules: Rules, player: int, faces: Ints) -> Ints:
    """Return the rows of a player's dice in `Rules.rolls`; the dice may be in any order.

    faces : shape (rounds, dice)

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> roll_rows(rules("common", 2, (2, 1)), 0, np.array([[1, 1], [2, 1], [2, 2]])).tolist()
    [0, 1, 2]
    """
    dice = np.arange(faces.shape[1])
    later = _later_rolls(rules.sides, faces.shape[1])[dice, np.sort(faces, axis=1) - 1]
    found: Ints = rules.roll_count(player) - 1 - later.sum(axis=1)
    return found


@cache
def _later_rolls(sides: int, dice: int) -> Ints:
    """Return the number of rolls that equal a sorted roll before a die, with a higher face at that die; shape (dice, sides).

    With m dice left and k higher faces these are the C(k + m - 1, m) rolls of m dice with k faces.
    """
    return np.array([[comb(sides - face + left - 1, left) for face in range(1, sides + 1)] for left in range(dice, 0, -1)])


@dataclass(frozen=True)
class _OpenRounds:
    """The rounds that have not ended, all after the same number of bids.

    rounds    : the numbers of these rounds
    last      : the last bid of each round, -1 in the opening
    node      : the position of each round's history in `histories`
    histories : the histories of these rounds; empty if no bot looks back
    """

    rounds: Ints
    last: Ints
    node: Ints
    histories: list[tuple[int, ...]]

    @classmethod
    def start(cls, rounds: int, looks_back: bool) -> _OpenRounds:
        return cls(np.arange(rounds), np.full(rounds, -1), np.zeros(rounds, np.int64), [()] if looks_back else [])

    def on(self, stay: np.ndarray, action: Ints, bids: int) -> _OpenRounds:
        """Return the rounds that stay open, each after its bid."""
        rounds, last = self.rounds[stay], action[stay]
        if not self.histories:
            return _OpenRounds(rounds, last, self.node[stay], [])
        code, node = np.unique(self.node[stay] * bids + last, return_inverse=True)
        histories = [(*self.histories[before], bid) for before, bid in (divmod(one, bids) for one in code.tolist())]
        return _OpenRounds(rounds, last, node, histories or [()])


def _actions(going: _OpenRounds, table: CumulativeTables, rolls: Ints, turn: int, chance: Floats) -> Ints:
    """Return the mover's action in every round, by comparing a uniform number with the cumulative probabilities."""
    key = going.node if table.policy.looks_back else going.last
    order = np.argsort(key, kind="stable")
    found, start = np.unique(key[order], return_index=True)
    action = np.empty(len(key), np.int64)
    for one, here in zip(found.tolist(), np.split(order, start[1:]), strict=True):
        # a bot that does not look back acts alike after any history of this length with this last bid
        history = going.histories[one] if table.policy.looks_back else (one,) * turn
        cumulative = table.columns(history, rolls[here])[:-1]
        place = np.count_nonzero(chance[here] >= cumulative, axis=0)
        action[here] = np.array(BettingState(table.rules, history).actions)[place]
    return action
