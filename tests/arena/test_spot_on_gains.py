"""Spot-on claims that win back a die, and claims by any player."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import liarsdice_cli as ld
from liarsdice_cli.arena import games
from liarsdice_cli.arena.games import play
from liarsdice_cli.arena.real_table import RealTable
from liarsdice_cli.arena.session import Session
from liarsdice_cli.bots.protocol import OfStrategy, View
from liarsdice_cli.errors import LiarsDiceError, UsageError
from liarsdice_cli.games.bidding import CALL, SPOT_ON
from liarsdice_cli.games.liarsdice.match_rules import MatchRules
from liarsdice_cli.games.liarsdice.rules import Rules, rules
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.library.coaching_page import Desk
from tests.support.command_line import run_here

GAME = rules("common", 3, (2, 2), spot_on=True)
GAINS = MatchRules(spot_on_gains=True)


class Claims(OfStrategy):
    """Opens with a bid that depends on its roll. Then it calls with the probability `calls`, and otherwise claims spot-on."""

    def __init__(self, name: str, calls: float) -> None:
        self.name, self.calls = name, calls

    def strategy(self, rules: Rules) -> Any:
        return _Claiming(rules, self.calls)


class _Claiming:
    def __init__(self, rules: Rules, calls: float) -> None:
        self.rules, self.calls = rules, calls

    def at(self, history: Sequence[int]) -> np.ndarray:
        state = BettingState(self.rules, tuple(history))
        found = np.zeros(state.shape)
        if not history:
            found[np.arange(state.shape[1]) % state.shape[0], np.arange(state.shape[1])] = 1
        else:
            found[state.index(CALL)], found[state.index(SPOT_ON)] = self.calls, 1 - self.calls
        return found


class OneByOne:
    """A bot that draws each action from the distribution of a policy."""

    def __init__(self, policy: OfStrategy) -> None:
        self.policy, self.name = policy, policy.name

    def act(self, view: View, generator: np.random.Generator) -> int:
        return int(generator.choice(view.actions, p=self.policy.distribution(view)))


def test_dice_are_won_back_only_if_the_rule_is_on() -> None:
    bots = [Claims("one", 0.5), Claims("other", 0.5)]
    rounds = [
        play(GAME, bots, 400, True, np.random.SeedSequence(1), MatchRules(False, gains)).rounds for gains in (False, True)
    ]
    assert rounds[1] > rounds[0] * 1.2


def test_vectorised_and_single_play_agree() -> None:
    """The actions are deterministic, so only the dice are random, and these are the same."""
    bots = [Claims("calls", 1.0), Claims("claims", 0.0)]
    at_once = play(GAME, bots, 200, True, np.random.SeedSequence(2), GAINS)
    singly = play(GAME, [OneByOne(bot) for bot in bots], 200, True, np.random.SeedSequence(2), GAINS)  # type: ignore[list-item]
    assert (at_once.rounds, at_once.won.tolist(), at_once.dice.tolist()) == (
        singly.rounds,
        singly.won.tolist(),
        singly.dice.tolist(),
    )


def test_an_endless_match_is_aborted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Under joker rules with two sides every die counts, so every claim on all dice is right."""
    game = rules("joker", 2, (1, 1), spot_on=True)
    monkeypatch.setattr(games, "_MOST_ROUNDS", 50)

    class All(Claims):
        def strategy(self, rules: Rules) -> Any:
            class Always(_Claiming):
                def at(self, history: Sequence[int]) -> np.ndarray:
                    state = BettingState(self.rules, tuple(history))
                    found = np.zeros(state.shape)
                    found[-1 if not history else state.index(SPOT_ON)] = 1
                    return found

            return Always(rules, 0)

    with pytest.raises(LiarsDiceError, match="has not ended"):
        play(game, [All("one", 0), All("other", 0)], 1, True, np.random.SeedSequence(1), GAINS)


def test_a_session_has_rounds_without_a_loser() -> None:
    dealer, generator = np.random.default_rng(1), np.random.default_rng(2)
    session = Session(GAME, [Claims("one", 0.3), Claims("other", 0.3)], None, dealer, generator, GAINS)
    while (dealt := session.deal()) is not None:
        before = session.dice
        end = session.play(dealt)
        if end.loser is None:
            gainer = end.table.gainer
            assert gainer is not None
            assert end.table.dice_left[gainer] == min(before[gainer] + 1, 2)
            assert session.table.opener == gainer
    assert None in session.losers
    assert min(session.dice) == 0


def table(**options: bool) -> RealTable:
    game = rules("common", 6, (2, 2, 2), spot_on=True)
    return RealTable.start(game, MatchRules(**options), names=("Ann", "Bob", "me"), me=2)


def test_any_player_may_claim_out_of_turn_if_the_rule_is_on() -> None:
    bid = table(by_any=True).act(8)
    claimed = bid.claim(2)
    assert (claimed.who(claimed.caller), claimed.who(claimed.bidder), claimed.ending) == ("me", "Ann", SPOT_ON)
    assert claimed.shown([3, 3, 1, 1, 4, 5]).loser == 0
    assert claimed.shown([3, 4, 1, 1, 4, 5]).loser == 2
    assert bid.claim(1) == bid.act(SPOT_ON)
    with pytest.raises(UsageError, match="made the bid"):
        bid.claim(0)
    with pytest.raises(UsageError, match="only the next player, Bob"):
        table().act(8).claim(2)
    with pytest.raises(UsageError, match="no bid yet"):
        table(by_any=True).claim(2)
    with pytest.raises(UsageError, match="not played"):
        RealTable.start(rules("common", 6, (2, 2)), names=("Ann", "me"), me=1).act(8).claim(1)


def test_a_correct_claim_out_of_turn_wins_back_a_die_and_opens() -> None:
    one = table(by_any=True, spot_on_gains=True)
    short = one.act(8).act(CALL).lose(1).next_round(0)
    assert short.dice == (2, 1, 2)
    right = short.act(8).claim(1).lose(0)
    assert (right.loser, right.gainer, right.dice_left) == (None, 1, (2, 2, 2))
    following = right.next_round()
    assert (following.opener, following.number, following.losers) == (1, 3, (1, None))


def test_the_page_accepts_claims_and_the_rules_of_the_match() -> None:
    seats = {"names": ["Ann", "Bob", "me"], "dice": [1, 1, 1], "rules": "common", "opens": "Ann", "spot_on": True}
    desk = Desk(None, lambda *given, **rest: ld.coach(*given, iterations=5, **rest))
    begun = desk.reply({"begin": seats | {"by_any": True, "gains": True}})["table"]
    assert (begun["spot_on_by"], begun["spot_on_gains"]) == ("any", True)
    desk.reply({"hear": "1x2"})
    claimed = desk.reply({"claim": "me"})["table"]
    assert (claimed["between"], claimed["ended_by"]) == (["Ann", "me"], "spot-on")
    assert desk.reply({"lost": "Ann"})["table"]["gainer"] == "me"
    assert desk.reply({"new": None})["table"]["opener"] == "me"


@pytest.mark.parametrize(
    ("words", "needed"),
    [
        (["arena", "honest", "random", "--match", "--spot-on-gains"], "--spot-on"),
        (["arena", "honest", "random", "--spot-on", "--spot-on-gains"], "--match"),
        (["play", "--spot-on", "--spot-on-gains"], "--match"),
        (["coach", "Ann", "me", "--spot-on-gains"], "--spot-on"),
        (["coach", "Ann", "me", "--spot-on-by", "any"], "--spot-on"),
        (["rules", "common", "--spot-on-gains"], "--spot-on"),
        (["rules", "--spot-on", "--spot-on-gains"], "--spot-on"),
    ],
)
def test_rules_about_claims_require_spot_on_and_a_match(words: list[str], needed: str) -> None:
    ended = run_here(*words)
    assert (ended.code, ended.out) == (2, "")
    assert needed in re.findall(r"--[\w-]+", ended.err)


def test_the_rules_command_has_a_sentence_for_each_rule_about_claims() -> None:
    said = run_here("rules", "common", "--spot-on", "--spot-on-gains", "--spot-on-by", "any").out
    assert "wins back a die, up to the starting number" in said
    assert "Any player except the bidder may say spot-on" in said
    assert "wins back" not in run_here("rules", "common", "--spot-on").out


def test_arena_and_play_print_the_rules_of_the_match() -> None:
    whole = ("--rules", "perudo", "--sides", 2, "--match", "--spot-on", "--spot-on-gains")
    for ended in (
        run_here("arena", "honest", "random", *whole, "--rounds", 2, "--seed", 1),
        run_here("play", "honest", *whole, input="quit\n"),
    ):
        assert "palifico round" in ended.out
        assert "wins back a die" in " ".join(ended.out.split())
