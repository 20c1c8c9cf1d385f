"""Writes Kuhn poker and Leduc poker, with any number of ranks, as Gambit .efg files: `python sample_games/poker.py leduc`.

Both are limit poker for two with one card each. Everybody pays an ante of 1; player 1 begins every round; a round ends when
a bet is called or both have checked; whoever folds loses what is paid in. Cards of one rank are alike, so chance deals ranks.

- Kuhn poker (Kuhn, 1950, "A Simplified Two-Person Poker"): one card of each rank, one round with one bet of 1; the higher card
  wins. Three ranks in the paper; -1/18 for player 1.
- Leduc poker (Southey et al., 2005, "Bayes' Bluff: Opponent Modelling in Poker"): two cards of each rank, two rounds with at
  most two bets each, of 2 and 4; before the second a public card. A pair with it wins, else the higher card, else nobody.
  Three ranks in the paper; -0.0856 for player 1.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple


class Poker(NamedTuple):
    """The rules: cards of each rank, and for every round the size of its bets and how many there may be."""

    name: str
    ranks: int
    copies: int
    bets: tuple[int, ...]
    most: int


def kuhn(ranks: int = 3) -> Poker:
    """Kuhn poker."""
    return Poker("Kuhn poker", ranks, 1, (1,), 1)


def leduc(ranks: int = 3) -> Poker:
    """Leduc poker."""
    return Poker("Leduc poker", ranks, 2, (2, 4), 2)


def lines(game: Poker) -> Iterator[str]:
    """The lines of the .efg file."""
    yield f'EFG 2 R "{game.name}, {game.ranks} ranks" {{ "Player 1" "Player 2" }}'
    yield '"Written by sample_games/poker.py, which names the source of the rules"'
    yield from _Writer(game).deal((), (), (1, 1))


class _Writer:
    """Walks the tree in prefix order; sets and outcomes get their numbers where they first come."""

    def __init__(self, game: Poker) -> None:
        self.game = game
        self.sets: dict[tuple[int, str], int] = {}
        self.counts = [0, 0, 0]
        self.outcomes: dict[Fraction, int] = {}

    def deal(self, cards: tuple[int, ...], history: tuple[str, ...], paid: tuple[int, int]) -> Iterator[str]:
        """Chance deals a card: to player 1, to player 2, or for all to see."""
        game = self.game
        left = game.ranks * game.copies - len(cards)
        chances = {rank: Fraction(game.copies - cards.count(rank), left) for rank in range(1, game.ranks + 1)}
        chances = {rank: chance for rank, chance in chances.items() if chance}
        self.counts[0] += 1
        labels = " ".join(f'"{rank}" {chance}' for rank, chance in chances.items())
        yield f'c "" {self.counts[0]} "" {{ {labels} }} 0'
        for rank in chances:
            dealt = (*cards, rank)
            yield from self.deal(dealt, history, paid) if len(dealt) == 1 else self.bet(dealt, history, "", paid)

    def bet(self, cards: tuple[int, ...], history: tuple[str, ...], now: str, paid: tuple[int, int]) -> Iterator[str]:
        """The player to move checks or bets, or folds, calls or raises.

        history : the rounds before, a letter an action; now : this round's actions; paid : by each player so far
        """
        player, facing = len(now) % 2, now.endswith(("b", "r"))
        bets = now.count("b") + now.count("r")
        actions = {"f": "fold", "c": "call"} if facing else {"k": "check"}
        if bets < self.game.most:
            actions |= {"r": "raise"} if facing else {"b": "bet"}
        seen = f"{cards[player]}" + "".join(f" | {card}" for card in cards[2:])
        yield self._set_line(player, f"P{player + 1} {seen}: {'/'.join((*history, now))}", tuple(actions.values()))
        for action in actions:
            yield from self._after(cards, history, now + action, paid, player)

    def _after(
        self, cards: tuple[int, ...], history: tuple[str, ...], now: str, paid: tuple[int, int], player: int
    ) -> Iterator[str]:
        """What follows an action: the end, the next round, or the other player's move."""
        action, size = now[-1], self.game.bets[len(history)]
        due = max(paid) + (size if action in "br" else 0)
        if action in "cbr":
            paid = (due, paid[1]) if player == 0 else (paid[0], due)
        if action == "f":
            yield self._end(Fraction(paid[1] if player else -paid[0]))
        elif action == "c" or now == "kk":
            if len(history) + 1 < len(self.game.bets):
                yield from self.deal(cards, (*history, now), paid)
            else:
                yield self._end(Fraction(_winner(cards) * paid[0]))
        else:
            yield from self.bet(cards, history, now, paid)

    def _set_line(self, player: int, label: str, actions: tuple[str, ...]) -> str:
        key = (player, label)
        if key not in self.sets:
            self.counts[player + 1] += 1
            self.sets[key] = self.counts[player + 1]
        listed = " ".join(f'"{action}"' for action in actions)
        return f'p "" {player + 1} {self.sets[key]} "{label}" {{ {listed} }} 0'

    def _end(self, payoff: Fraction) -> str:
        number = self.outcomes.setdefault(payoff, len(self.outcomes) + 1)
        return f't "" {number} "" {{ {payoff} {-payoff} }}'


def _winner(cards: tuple[int, ...]) -> int:
    """1 if player 1 wins the showdown, -1 if player 2 does, 0 if nobody."""
    strength = [(card in cards[2:], card) for card in cards[:2]]
    return (strength[0] > strength[1]) - (strength[0] < strength[1])


def main() -> None:
    """Write the game that the arguments name."""
    parser = argparse.ArgumentParser(description="Write Kuhn or Leduc poker as a Gambit .efg file to standard output.")
    parser.add_argument("game", choices=["kuhn", "leduc"])
    parser.add_argument("--ranks", type=int, default=3)
    asked = parser.parse_args()
    if asked.ranks < 2:
        parser.error("--ranks: at least 2")
    game = {"kuhn": kuhn, "leduc": leduc}[asked.game](asked.ranks)
    sys.stdout.writelines(line + "\n" for line in lines(game))


if __name__ == "__main__":
    main()
