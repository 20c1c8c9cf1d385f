"""Policies from and to OpenSpiel: its own judge finds in ours what ours does."""

from __future__ import annotations

import pytest

import liarsdice_cli as ld

pyspiel = pytest.importorskip("pyspiel", reason="compares with OpenSpiel, an extra")
exploitability = pytest.importorskip("open_spiel.python.algorithms.exploitability")


@pytest.mark.parametrize(
    ("preset", "sides", "dice"), [("top-wild", 3, (1, 1)), ("face-first", 3, (1, 1)), ("top-wild", 2, (2, 2))]
)
def test_a_solution_is_as_good_there(preset: str, sides: int, dice: tuple[int, ...]) -> None:
    rules = ld.rules(preset, sides, dice, payoffs="zero-sum")
    solution = ld.solve(rules)
    assert solution.exact
    table = ld.interop.to_openspiel(solution)
    assert exploitability.exploitability(table.game, table) == pytest.approx(0, abs=1e-9)


def test_what_is_neither_best_nor_even_goes_there_and_back() -> None:
    rules = ld.rules("top-wild", 3, payoffs="zero-sum")
    honest = ld.policy("honest").strategy(rules)
    table = ld.interop.to_openspiel(honest)
    back = ld.interop.from_openspiel(table, rules)
    for history in ((), (0,), (0, 3), (2, 3, 4)):
        assert back.at(history) == pytest.approx(honest.at(history))
    theirs = exploitability.exploitability(table.game, table)
    assert float(ld.exploitability(rules, table).exploitability) == pytest.approx(theirs, abs=1e-9)


def test_other_rules_are_refused() -> None:
    with pytest.raises(ld.LiarsDiceError, match="liars_dice has no"):
        ld.interop.to_openspiel(ld.solve(ld.rules("common", 2)))
