"""Stairs in two readings: dice in any order, as in the presets here, and dice in the order thrown, as in the program snyd.

Plain recursion writes the games as trees with every order of the dice. It shares no code with the package's rules.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from liarsdice_cli.formats import efg
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.library.solving import solve
from tests.support.known_values import AS_THEY_FELL
from tests.support.properties import mostly_slow


def _tree(sides: int, dice: tuple[int, int], *, in_any_order: bool) -> bytes:
    """Return the game "Stairs" of snyd as an .efg file: nothing else is wild, and 1 cannot be bid."""
    faces = range(1, sides + 1)
    most = sum(count + 1 for count in dice)  # the most dice that can count; any higher bid is called
    bids = [(quantity, face) for quantity in range(1, most + 1) for face in faces if face > 1]
    rolls = [list(product(faces, repeat=count)) for count in dice]
    deals = list(product(*rolls))
    lines = ['EFG 2 R "stairs" { "1" "2" }']
    chances = " ".join(f'"{number}" 1/{len(deals)}' for number in range(len(deals)))
    lines.append(f'c "" 1 "" {{ {chances} }} 0')
    infosets: dict[tuple[object, ...], int] = {}

    def counts(roll: tuple[int, ...], face: int) -> int:
        thrown = tuple(sorted(roll)) if in_any_order else roll
        return len(roll) + 1 if thrown == tuple(faces)[: len(roll)] else roll.count(face)

    def visit(deal: tuple[tuple[int, ...], ...], history: tuple[int, ...]) -> None:
        mover = len(history) % 2
        later = range(history[-1] + 1 if history else 0, len(bids))
        actions = [*(["call"] if history else []), *(f"{bids[bid][0]}x{bids[bid][1]}" for bid in later)]
        own = [number for key, number in infosets.items() if key[0] == mover]
        number = infosets.setdefault((mover, deal[mover], history), len(own) + 1)
        lines.append(f'p "" {mover + 1} {number} "" {{ {" ".join(f"{chr(34)}{action}{chr(34)}" for action in actions)} }} 0')
        if history:
            quantity, face = bids[history[-1]]
            true = sum(counts(roll, face) for roll in deal) >= quantity
            won = 1 if (mover == 0) != true else -1  # the caller loses if the bid is true
            lines.append(f't "" {len(lines)} "" {{ {won} {-won} }}')
        for bid in later:
            visit(deal, (*history, bid))

    for deal in deals:
        visit(deal, ())
    return "\n".join(lines).encode()


@pytest.mark.parametrize("dice", [(2, 1), (1, 2)])
@pytest.mark.parametrize("sides", [2])
def test_values_of_snyd_are_those_of_dice_in_the_order_thrown(sides, dice):
    fell = solve(efg.parse(_tree(sides, dice, in_any_order=False)), method="exact")
    assert fell.value == Fraction(AS_THEY_FELL[sides, dice])


@pytest.mark.parametrize("dice", mostly_slow([((2, 1),), ((1, 2),)]))
def test_values_here_are_those_of_dice_in_any_order(dice):
    any_order = solve(efg.parse(_tree(2, dice, in_any_order=True)), method="exact")
    assert any_order.value == solve(rules("snyd", 2, dice, payoffs="zero-sum")).value
    assert any_order.value != Fraction(AS_THEY_FELL[2, dice])
