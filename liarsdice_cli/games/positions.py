"""Finite games as graphs of positions and moves; cycles are allowed.

A player who cannot move has lost (in misere play: won). Endless play is a draw. Retrograde analysis finds the winner: it starts
from the positions without a move and goes backwards along the moves.

Source: Zermelo (1913); Thompson (1986), "Retrograde analysis of certain endgames"; for games with cycles Winning Ways,
chapter 12, and Fraenkel and Perl (1975), "Constructions in combinatorial games with cycles".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from liarsdice_cli.errors import ArgumentError
from liarsdice_cli.extensive.stream import NONE, Ints
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.games.convention import convention
from liarsdice_cli.games.perfect_information import unfold
from liarsdice_cli.text import numbered

BOTH = -1
"""The player of a move that both players have."""
LOST, WON, DRAW = "L", "W", "D"


@dataclass(frozen=True, eq=False)
class PositionGraph:
    """Positions and moves.

    names  : of the positions
    source, target : the positions between which each move leads, one entry per move
    player : the player who has each move: 0, 1 or BOTH
    """

    names: Sequence[str]
    source: Ints
    target: Ints
    player: Ints

    def __repr__(self) -> str:
        size = f"{numbered(len(self.names), 'positions')}, {numbered(len(self.source), 'moves')}"
        return f"PositionGraph({size}; analyse() finds the winners)"

    def check_position(self, name: str, position: int) -> None:
        """Raise ArgumentError unless an argument is the number of a position."""
        if not 0 <= position < len(self.names):
            raise ArgumentError(name, position, f"give the number of a position, from 0 to {len(self.names) - 1}")

    @cached_property
    def impartial(self) -> bool:
        """Whether both players have the same moves everywhere."""
        if np.all(self.player == BOTH):
            return True
        one, other = self._keys(0), self._keys(1)
        return np.array_equal(one, other)

    def _keys(self, player: int) -> Ints:
        """Return the moves of a player in order and without duplicates; source and target are one number."""
        own = (self.player == player) | (self.player == BOTH)
        keys: Ints = np.unique(self.source[own].astype(np.int64) * len(self.names) + self.target[own])
        return keys

    @property
    def movers(self) -> int:
        """The number of states per position: 1 in an impartial game, 2 if it matters which player moves."""
        return 1 if self.impartial else 2

    @cached_property
    def _states(self) -> tuple[Ints, Ints]:
        """The moves between states. A state is a position with a player to move: `position * movers + player`."""
        if self.impartial:
            keys = self._keys(0)
            return keys // len(self.names), keys % len(self.names)
        pairs = [(player, self._keys(player)) for player in (0, 1)]
        source = np.concatenate([keys // len(self.names) * 2 + player for player, keys in pairs])
        target = np.concatenate([keys % len(self.names) * 2 + 1 - player for player, keys in pairs])
        order = np.argsort(source, kind="stable")
        return source[order], target[order]

    def moves(self, position: int, player: int) -> Iterator[int]:
        """Return the positions to which a player can move."""
        state = position * self.movers + player % self.movers
        source, target = self._states
        first, last = np.searchsorted(source, [state, state + 1])
        return iter((target[first:last] // self.movers).tolist())

    def analyse(self, misere: bool = False) -> Analysis:
        """Return the winner of every state, the length of play and the best move.

        A state is lost if all its moves lead to states won for the opponent, and won if one leads to a lost state. States are
        found in the order of their length, so a winner takes the quickest way and a loser the longest. The states left over are
        draws. Cost: one step per move, about a microsecond.

        >>> graph = PositionGraph("abc", np.array([0, 1, 2]), np.array([1, 2, 1]), np.full(3, BOTH))
        >>> graph.analyse().results
        ['D', 'D', 'D']
        >>> chain = PositionGraph("abc", np.array([0, 1]), np.array([1, 2]), np.full(2, BOTH)).analyse()
        >>> chain.results, chain.lengths, chain.moves
        (['L', 'W', 'L'], [2, 1, 0], [1, 2, -1])
        """
        states = len(self.names) * self.movers
        into, first, open_moves = self._backwards(states)
        results, lengths, moves = [DRAW] * states, [NONE] * states, [NONE] * states
        queue = [state for state in range(states) if not open_moves[state]]
        for state in queue:
            results[state], lengths[state] = WON if misere else LOST, 0
        for state in queue:  # grows while it is walked
            lost, length = results[state] == LOST, lengths[state] + 1
            for before in into[first[state] : first[state + 1]]:
                if results[before] != DRAW:
                    continue
                open_moves[before] -= 1
                if lost or not open_moves[before]:
                    results[before], lengths[before], moves[before] = WON if lost else LOST, length, state
                    queue.append(before)
        self._hold(results, moves)
        return Analysis(self, misere, results, lengths, [NONE if move == NONE else move // self.movers for move in moves])

    def _hold(self, results: list[str], moves: list[int]) -> None:
        """Set the move of every drawn state: the first move to a drawn state keeps the draw."""
        source, target = self._states
        drawn = np.array([result == DRAW for result in results], bool)
        keep = np.flatnonzero(drawn[source] & drawn[target])[::-1]
        for state, move in zip(source[keep].tolist(), target[keep].tolist(), strict=True):
            moves[state] = move

    def _backwards(self, states: int) -> tuple[list[int], list[int], list[int]]:
        """Return the moves into each state, the index of the first for each state, and the number of moves out of each."""
        source, target = self._states
        into = source[np.argsort(target, kind="stable")].tolist()
        first = np.concatenate([[0], np.cumsum(np.bincount(target, minlength=states))]).tolist()
        return into, first, np.bincount(source, minlength=states).tolist()

    @cached_property
    def _ending(self) -> dict[int, None]:
        """The states from which play must end, each after all those to which it can move; a dictionary for its keys."""
        states = len(self.names) * self.movers
        into, first, open_moves = self._backwards(states)
        ending = [state for state in range(states) if not open_moves[state]]
        for state in ending:  # grows while it is walked
            for before in into[first[state] : first[state + 1]]:
                open_moves[before] -= 1
                if not open_moves[before]:
                    ending.append(before)
        return dict.fromkeys(ending)

    @property
    def endless(self) -> bool:
        """Whether play can go on forever from some position."""
        return len(self._ending) < len(self.names) * self.movers

    def ends(self, position: int, player: int) -> bool:
        """Return whether play from a position, with a player to move, must end. Cost: one lookup after the first call."""
        return position * self.movers + player % self.movers in self._ending

    def tree(self, first: int, misere: bool = False) -> GameTree:
        """Return the game tree from a position, player 1 to move.

        Raises ArgumentError for another number, LiarsDiceError if the tree is too large (see `unfold`).
        """
        self.check_position("first", first)

        def moves(position: int, player: int) -> list[tuple[str, int]]:
            return [(self.names[after], after) for after in self.moves(position, player)]

        return unfold(f"Positions from {self.names[first]}", first, moves, misere)

    @cached_property
    def grundy(self) -> list[int] | None:
        """The Grundy value of every position; None if the game is not impartial or can go on forever."""
        if not self.impartial or self.endless:
            return None
        source, target = self._states
        first = np.searchsorted(source, np.arange(len(self.names) + 1)).tolist()
        after = target.tolist()
        values = [0] * len(self.names)
        for position in self._ending:
            below = {values[option] for option in after[first[position] : first[position + 1]]}
            values[position] = next(value for value in range(len(below) + 1) if value not in below)
        return values


@dataclass(frozen=True)
class Analysis:
    """The result of retrograde analysis, in lists indexed by state, `position * movers + player`.

    results : LOST, WON or DRAW for the player to move
    lengths : the number of moves until the game ends if the winner hurries and the loser delays; NONE for a draw
    moves   : the position to move to, NONE if there is no move; the move wins, keeps the draw or loses as late as possible
    """

    graph: PositionGraph
    misere: bool
    results: list[str]
    lengths: list[int]
    moves: list[int]

    def __repr__(self) -> str:
        found = ", ".join(f"{self.results.count(result)} {result}" for result in (WON, LOST, DRAW))
        return f"Analysis({numbered(len(self.graph.names), 'positions')}, {convention(self.misere)}; {found})"

    def state(self, position: int, player: int) -> int:
        """Return the index in the lists of a position with a player, 0 or 1, to move."""
        return position * self.graph.movers + player % self.graph.movers

    def length(self, state: int) -> int | None:
        """Return the number of moves until the game ends; None for a draw."""
        return None if self.lengths[state] == NONE else self.lengths[state]

    def move(self, state: int) -> int | None:
        """Return the position to move to; None if there is no move."""
        return None if self.moves[state] == NONE else self.moves[state]
