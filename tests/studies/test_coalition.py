"""Test coalitions against the judge of the explicit tree in which all other players are one."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import liarsdice_cli as ld
from liarsdice_cli.extensive.profile import from_sets
from liarsdice_cli.extensive.stream import CHANCE, NONE
from liarsdice_cli.extensive.tree import GameTree, InfoSets
from liarsdice_cli.games.liarsdice.state import BettingState
from tests.support.command_line import run_here


def together(tree: GameTree, seat: int) -> GameTree:
    """Return the tree of the player in a seat against all others as one player, who sees all their dice."""
    deal = {int(np.flatnonzero(tree.action == place)[0]): label for place, label in enumerate(tree.actions_at(0).labels)}
    rows: dict[tuple[int, str, str], int] = {}
    actions, infoset, of = [], tree.infoset.copy(), ""
    for node in range(tree.nodes):
        of = deal.get(node, of)
        row = int(tree.infoset[node])
        if row == NONE:
            continue
        player, label = int(tree.infosets.player[row]), tree.infosets.labels[row]
        rolls = of.split("|") if of else []
        own = rolls[seat] if player == seat else "|".join(roll for place, roll in enumerate(rolls) if place != seat)
        key = -1 if player == CHANCE else int(player != seat), own if player != CHANCE else "", label.partition(" roll ")[2][2:]
        if key not in rows:
            rows[key] = len(rows)
            actions.append(int(tree.infosets.actions[row]))
        infoset[node] = rows[key]
    table = InfoSets(
        np.array([key[0] for key in rows], np.int8),
        np.arange(len(rows)),
        np.array(actions),
        [" ".join(key[1:]) for key in rows],
    )
    outcomes = [one._replace(payoffs=(one.payoffs[seat], 1 - one.payoffs[seat])) for one in tree.outcomes]
    return replace(tree, players=("the bot", "the others"), infosets=table, infoset=infoset, outcomes=outcomes)


@pytest.mark.parametrize("bot", ["honest", "random", "zero-intelligence"])
@pytest.mark.parametrize(("preset", "sides", "dice"), [("common", 2, (1, 1, 1)), ("joker", 3, (1, 1)), ("joker", 2, (1, 1, 1))])
def test_the_coalition_matches_the_judge_of_the_tree(bot: str, preset: str, sides: int, dice: tuple[int, ...]) -> None:
    rules = ld.rules(preset, sides, dice)
    strategy, found = ld.policy(bot).strategy(rules), ld.coalition(rules, bot)
    for seat in range(rules.players):
        tree = together(ld.build(rules), seat)
        given: dict[int, list[Any]] = {}
        for row in np.flatnonzero(tree.infosets.player == 0).tolist():
            roll, _, history = tree.infosets.labels[row].partition(" ")
            bids = history.removeprefix("after ").split() if history.startswith("after") else []
            place = [rules.roll_label(one) for one, _ in rules.rolls(seat)].index(roll)
            given[row] = strategy.at(BettingState.parse(rules, bids).history)[:, place].tolist()
        best = ld.judge(from_sets(tree, given)).best_responses[1]
        assert best is not None
        assert float(found.losing[seat]) == pytest.approx(float(best), abs=1e-9)


def test_a_coalition_of_one_is_the_worst_case() -> None:
    rules = ld.rules("common", 4, payoffs="zero-sum")
    assert ld.coalition(rules, "honest").payoffs == ld.exploitability(rules, "honest").payoffs


def test_payoffs_follow_the_rules() -> None:
    win, share = (ld.coalition(ld.rules("common", 2, (1, 1, 1), payoffs=payoffs), "honest") for payoffs in ("win", "zero-sum"))
    assert win.losing == share.losing
    assert [payoff * Fraction(3, 2) - 1 for payoff in win.payoffs] == list(share.payoffs)
    assert (win.fair, share.fair) == ((Fraction(2, 3),) * 3, (Fraction(0),) * 3)


def test_a_larger_coalition_leaves_a_smaller_mean_payoff() -> None:
    left = [sum(ld.coalition(ld.rules("ones-low", 6, (1,) * players), "honest").payoffs) / players for players in (2, 3, 4)]
    assert left == sorted(left, reverse=True)


def test_the_command_reports_the_worst_case_and_writes_rows() -> None:
    said = json.loads(
        run_here("exploit", "honest", "--rules", "common", "--sides", 2, "--dice", "1,1,1", "--coalition", "--json").out
    )
    found = ld.coalition(ld.rules("common", 2, (1, 1, 1)), "honest")
    assert said["bots"][0]["worst_case"] == [str(payoff) for payoff in found.payoffs]
    row = run_here("exploit", "honest", "--rules", "common", "--dice", "1,1,1", "--coalition", "-o", "-").out.splitlines()
    assert row[0] == "rules,sides,dice,payoffs,bot,player,loses,payoff"
