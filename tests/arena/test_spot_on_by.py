"""Spot-on claims out of turn in `play` and `arena`: every player but the bidder may claim."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import liarsdice_cli as ld
from liarsdice_cli.arena import one_by_one
from liarsdice_cli.arena.games import play
from liarsdice_cli.bots.protocol import View
from liarsdice_cli.bots.simple import Honest, Random
from liarsdice_cli.bots.user import UserBot
from liarsdice_cli.errors import UsageError
from liarsdice_cli.games.bidding import CALL, SPOT_ON
from liarsdice_cli.games.liarsdice.match_rules import MatchRules
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.table import Table
from tests.support.command_line import Ended, run_here

GAME = rules("common", 6, (1, 1, 1, 1), spot_on=True)
ROLLS = [(1,), (2,), (3,), (4,)]
BOTS = """
class Claims:
    \"\"\"Bids and calls, and has an answer of its own to each first bid when asked for a claim.\"\"\"

    def act(self, view, generator):
        return view.legal[0] if view.last is None else "call"

    def claims(self, view):
        if view.last.face == 3:
            raise RuntimeError("no idea")
        return {1: True, 2: False}.get(view.last.face, "perhaps")


class ByProbability:
    def distribution(self, view):
        return [1.0] + [0.0] * (len(view.actions) - 1)

    def claims(self, view):
        return True
"""


class Scripted:
    """A bot that makes the bids of a list in order and then calls. It claims spot-on after one given history."""

    def __init__(self, *bids: int, claims_after: Sequence[int] = ()) -> None:
        self.name, self.bids, self.claims_after = "scripted", list(bids), tuple(claims_after)
        self.asked: list[tuple[int, tuple[int, ...]]] = []

    def act(self, view: View, generator: np.random.Generator) -> int:
        assert view.claimer is None
        return self.bids.pop(0) if self.bids else CALL if view.history else 0

    def claims(self, view: View) -> bool:
        assert view.claimer == view.player
        self.asked.append((view.player, view.history))
        return view.history == self.claims_after


def ended(bots: Sequence[Any], **options: bool) -> tuple[Table, list[tuple[int, int]]]:
    """Play a round; return its table and the moves and claims in it."""
    moves: list[tuple[int, int]] = []
    table = Table.start(GAME, MatchRules(by_any=True, **options))
    end = one_by_one.play(
        table, bots, ROLLS, np.random.default_rng(0), lambda view, action: moves.append((view.player, action))
    )
    return end.table, moves


def test_every_player_but_the_bidder_and_the_next_is_asked_after_each_bid() -> None:
    bots = [Scripted(0), Scripted(1), Scripted(2), Scripted()]
    table, _ = ended(bots)
    assert [[history for _, history in bot.asked] for bot in bots] == [[(0, 1), (0, 1, 2)], [(0, 1, 2)], [(0,)], [(0,), (0, 1)]]
    assert all(player == seat for seat, bot in enumerate(bots) for player, _ in bot.asked)
    assert (table.ending, table.caller) == (CALL, 3)


@pytest.mark.parametrize(("bid", "loser"), [(0, 0), (3, 0), (4, 3), (7, 3)])
def test_a_claim_out_of_turn_ends_the_round(bid: int, loser: int) -> None:
    """1x1 and 1x4 are exact with these dice; 1x5 and 2x2 are not."""
    table, moves = ended([Scripted(bid), Honest(), Scripted(), Scripted(claims_after=(bid,))])
    assert moves == [(0, bid), (3, SPOT_ON)]
    assert (table.bidder, table.caller, table.claimer, table.loser) == (0, 3, 3, loser)


def test_the_first_willing_player_in_turn_order_makes_the_claim() -> None:
    table, _ = ended([Scripted(0), Honest(), Scripted(claims_after=(0,)), Scripted(claims_after=(0,))])
    assert table.claimer == 2


def test_without_the_rule_no_player_is_asked_out_of_turn() -> None:
    silent = Scripted(claims_after=(0,))
    end = one_by_one.play(Table.start(GAME), [Scripted(0), Honest(), silent, silent], ROLLS, np.random.default_rng(0))
    assert (silent.asked, end.table.claimer) == ([], None)


def test_a_correct_claim_wins_back_a_die_if_the_rule_is_on() -> None:
    table, _ = ended([Scripted(0), Honest(), Honest(), Scripted(claims_after=(0,))], spot_on_gains=True)
    assert (table.loser, table.gainer, table.next_round().opener) == (None, 3, 3)


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "claiming_bots.py").write_text(BOTS)
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("own")
def test_a_bot_in_its_own_process_claims_and_forfeits_if_its_method_fails() -> None:
    bot = UserBot("claiming_bots:Claims", 30)

    def end(bid: int, by_any: bool = True) -> one_by_one.RoundEnd:
        bots: list[Any] = [Scripted(bid), Honest(), Honest(), bot]
        return one_by_one.play(Table.start(GAME, MatchRules(by_any=by_any)), bots, ROLLS, np.random.default_rng(0))

    with one_by_one.ready([bot], np.random.SeedSequence(1).spawn(1)):
        right, silent, raising, unclear = map(end, range(4))
        assert (right.table.claimer, right.loser, silent.table.claimer) == (3, 0, None)
        assert [(one.loser, one.table.forfeited) for one in (raising, unclear)] == [(3, True)] * 2
        assert "no idea" in str(raising.failure)
        assert "'perhaps'" in str(unclear.failure)
        assert end(2, by_any=False).failure is None


@pytest.mark.slow
@pytest.mark.usefixtures("own")
def test_user_bots_claim_in_the_arena() -> None:
    def rounds_of(*options: str) -> Any:
        asked = ["--dice", "2,2,2", "--sides", 3, "--rules", "common", "--spot-on", "--rounds", 30, "--seed", 1, "--match"]
        answer = run_here("arena", "claiming_bots:ByProbability", "honest", "random", *asked, *options, "--json")
        assert (answer.code, answer.err) == (0, ""), answer
        return json.loads(answer.out)

    assert rounds_of("--spot-on-by", "next") == rounds_of() != rounds_of("--spot-on-by", "any")


class ClaimingPolicy(Honest):
    """A policy that claims every bid out of turn."""

    def claims(self, view: View) -> bool:
        return True


@pytest.mark.parametrize("gains", [False, True])
def test_policies_claim_out_of_turn_in_the_arena(gains: bool) -> None:
    bots = [ClaimingPolicy(), Random(), Random()]
    small = rules("common", 2, (2, 2, 2), spot_on=True)
    tallies = [
        play(small, bots, 20, True, np.random.SeedSequence(1), MatchRules(spot_on_gains=gains, by_any=by_any))
        for by_any in (False, True)
    ]
    assert tallies[0].rounds != tallies[1].rounds
    assert [tally.won.sum() for tally in tallies] == [60, 60]


def test_a_bot_in_a_library_session_is_asked_for_claims() -> None:
    me = Scripted(claims_after=(0,))
    with ld.play(GAME, me, ["random"], rounds=20, spot_on_by="any", seed=2) as session:
        while (dealt := session.deal()) is not None:
            session.play(dealt)
    assert me.asked
    with pytest.raises(UsageError, match="spot_on=True"), ld.play(rules("common", 6, (1, 1)), me, spot_on_by="any"):
        pass
    with pytest.raises(UsageError, match="spot_on=True"):
        ld.tournament(rules("common", 6), ["honest", "random"], spot_on_by="any")


def person(said: str, *options: object) -> Ended:
    game = ["play", *["random"] * 3, "--rules", "common", "--sides", 3, "--spot-on", "--spot-on-by", "any", "--rounds", 1]
    answer = run_here(*game, *options, input=said)
    assert (answer.code, answer.err) == (0, "") or "--json" in options, answer
    return answer


def test_the_user_is_asked_after_bids_of_others_but_not_before_their_own_turn() -> None:
    out = person("1x1\n\nno\ncall\n", "--seed", 6).out
    asked = [
        line for line in out.splitlines() if ("random" in line and " bids " in line) or "Spot-on?" in line or "Your bid" in line
    ]
    assert [line.split()[0] for line in asked] == ["Your", "random", "Your", "random", "Your", "random", "Your"]
    assert ["Spot-on?" in line for line in asked if line.startswith("Your")] == [False, True, True, False]


@pytest.mark.parametrize(("seed", "loser"), [(16, 1), (17, 2)])
def test_the_user_claims_wrongly_or_rightly(seed: int, loser: int) -> None:
    told = json.loads(person("1x1\nspot-on\n", "--seed", seed, "--json").out)
    (played,) = told["rounds"]
    assert (played["ended_by"], played["claimer"], played["loser"]) == ("spot-on", 1, loser)
    assert [one["action"] for one in told["decisions"]] == ["1x1"]


def test_the_question_for_a_claim_accepts_undo_help_and_quit() -> None:
    out = person("1x1\nundo\n1x2\nwhat\nq\n", "--seed", 6, "--hints").out
    assert out.count("Your last bid is taken back.") == 1
    assert "Type spot-on to claim that" in out
    assert "0 rounds played" in out
    hints = [line for line in out.splitlines() if "given your own dice" in line]
    assert hints
    assert all("spot-on with" in line for line in hints)


def test_undo_is_refused_before_the_user_has_bid_in_the_round() -> None:
    """The user opens the first round only."""
    out = person("1x1\nspot-on\nundo\n", "--seed", 6, "--rounds", 2).out
    assert "You have no move in this round to take back." in out


@pytest.mark.parametrize("command", ["play", "arena"])
def test_claims_out_of_turn_require_spot_on(command: str) -> None:
    answer = run_here(command, "honest", "random", "--spot-on-by", "any")
    assert (answer.code, answer.out) == (2, "")
    assert "give --spot-on too" in answer.err
