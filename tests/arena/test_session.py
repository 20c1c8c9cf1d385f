"""A session at one table: the opener, the dice that are lost, and the end."""

from __future__ import annotations

import numpy as np
import pytest

from liarsdice_cli.arena.session import Session
from liarsdice_cli.bots.protocol import View
from liarsdice_cli.bots.simple import Honest, Random
from liarsdice_cli.bots.user import BotFailedError
from liarsdice_cli.games.liarsdice.match_rules import MatchRules
from liarsdice_cli.games.liarsdice.rules import rules


class Fails:
    """Fails at every move."""

    name = "fails"

    def act(self, view: View, generator: np.random.Generator) -> int:
        raise BotFailedError("fell asleep")


def session(bots: list[object], dice: tuple[int, ...], rounds: int | None, seed: int = 1, palifico: bool = False) -> Session:
    first, second = np.random.SeedSequence(seed).spawn(2)
    generators = np.random.default_rng(first), np.random.default_rng(second)
    return Session(rules("common", 3, dice), bots, rounds, *generators, MatchRules(palifico))  # type: ignore[arg-type]


def test_every_seat_opens_in_turn_and_keeps_all_its_dice() -> None:
    game, openers = session([Honest(), Random(), Honest()], (2, 1, 1), 7), []
    while (dealt := game.deal()) is not None:
        openers.append(dealt.table.seats[0])
        assert sorted(zip(dealt.table.seats, dealt.table.rules.dice, strict=True)) == [(0, 2), (1, 1), (2, 1)]
        assert [len(roll) for roll in dealt.rolls] == list(dealt.table.rules.dice)
        game.play(dealt)
    assert openers == [0, 1, 2, 0, 1, 2, 0]
    assert (len(game.losers), game.dice) == (7, [2, 1, 1])


@pytest.mark.parametrize("seed", range(5))
def test_in_a_match_the_loser_gives_up_a_die_and_opens_unless_out(seed: int) -> None:
    game = session([Honest(), Random(), Honest()], (2, 2, 1), None, seed)
    before = game.dice
    while (dealt := game.deal()) is not None:
        assert dealt.table.seats == [seat for seat in dealt.table.seats if before[seat]]
        end = game.play(dealt)
        loser = end.loser
        assert game.dice == [dice - (seat == loser) for seat, dice in enumerate(before)]
        before = game.dice
        following = game.deal()
        if following is not None:
            after = [(loser + step) % 3 for step in range(3)]
            assert following.table.opener == next(seat for seat in after if before[seat])
    assert before[0] == 0 or sum(map(bool, before)) == 1


def test_a_failing_bot_loses_all_its_dice_in_a_match_but_none_in_a_single_round() -> None:
    match, single = (session([Honest(), Fails()], (2, 3), rounds) for rounds in (None, 1))
    for game in (match, single):
        dealt = game.deal()
        assert dealt is not None
        assert game.play(dealt).failure is not None
        assert game.is_over
        assert game.losers == [1]
    assert (match.dice, single.dice) == ([2, 0], [2, 3])


@pytest.mark.parametrize("palifico", [False, True])
def test_a_player_down_to_one_die_opens_a_palifico_round_if_the_rule_is_on(palifico: bool) -> None:
    game, seen = session([Honest(), Random(), Honest()], (3, 2, 1), None, 4, palifico), 0
    before = [0, 0, 0]
    while (dealt := game.deal()) is not None:
        last = palifico and before[dealt.table.seats[0]] == 2 and dealt.table.rules.dice[0] == 1
        assert dealt.table.rules.is_palifico == last
        seen += last
        before = game.dice
        game.play(dealt)
    assert (seen > 0) == palifico
