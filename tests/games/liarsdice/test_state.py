"""The state of the betting: legal actions, written bids, refusals, and the information sets of the tree."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from liarsdice_cli.bots.protocol import IllegalActionError, View, action_of
from liarsdice_cli.errors import UsageError
from liarsdice_cli.extensive.stream import CHANCE, NONE
from liarsdice_cli.games.bidding import CALL, OPENING
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.state import BettingState, first_infoset
from liarsdice_cli.games.liarsdice.tree import build
from liarsdice_cli.report.play import refusal


def test_histories_are_read_from_written_bids():
    game = rules("joker", 3)
    assert BettingState.parse(game, ["1x2", "2x3"]).history == (0, 3)
    assert BettingState(game, [0]).actions == [CALL, 1, 2, 3]
    with pytest.raises(UsageError, match="'1x1' is not a bid of these rules"):
        BettingState.parse(game, ["1x1"])
    with pytest.raises(UsageError, match="1x2 cannot follow 2x2"):
        BettingState.parse(game, ["2x2", "1x2"])


def test_an_opening_that_house_rules_forbid_is_refused_with_the_rule():
    game = rules("ones-low", 3, wild_opening=False)
    with pytest.raises(UsageError, match="1x1 cannot open: the opening bid cannot be on 1, and the lowest bid now is 1x2"):
        BettingState.parse(game, ["1x1"])
    assert BettingState.parse(game, ["1x3", "2x1"]).history == (2, 3)
    with pytest.raises(IllegalActionError, match="bid 1x1 in the opening, but the opening bid cannot be on 1"):
        action_of(View(game, (1,)), "1x1")
    assert refusal(View(game, (1,)), "1x1") == "1x1 cannot open: the opening bid cannot be on 1, and the lowest bid now is 1x2."


def test_bids_that_change_a_fixed_face_are_refused():
    game = rules("common", 3, fixed_face=True)
    with pytest.raises(UsageError, match="2x3 cannot follow 1x2: bids must keep the face of the opening"):
        BettingState.parse(game, ["1x2", "2x3"])
    assert [action_of(View(game, (1,), (2,)), "2x2")] == BettingState(game, [2]).actions[1:]
    assert BettingState(game, [3]).actions == [CALL]


def test_a_refusal_names_the_lowest_bid():
    game = rules("ones-low", 3, wild_opening=False)
    with pytest.raises(UsageError, match="1x3 cannot follow 2x1: bids must rise, and the lowest bid now is 2x2"):
        BettingState.parse(game, ["1x2", "2x1", "1x3"])
    with pytest.raises(UsageError, match="1x2 cannot follow 2x2: bids must rise"):
        BettingState.parse(rules("common", 3, fixed_face=True), ["2x2", "1x2"])


@pytest.mark.parametrize("spot_on", [False, True])
def test_every_action_has_a_name_and_a_pure_strategy(spot_on):
    game = rules("perudo", 3, (1, 2), spot_on=spot_on)
    for history in game.bidding.histories(2):
        legal = BettingState(game, history).actions
        endings = ["call", "spot-on"][: 1 + spot_on] if history else []
        assert [game.action_name(action) for action in legal] == [
            *endings,
            *(str(game.bids[act]) for act in legal if act >= 0),
        ]
        chosen = np.array([legal[roll % len(legal)] for roll in range(BettingState(game, history).roll_count)])
        taken = BettingState(game, history).pure(chosen)
        assert taken.dtype == np.float64
        for roll, action in enumerate(chosen):
            assert taken[:, roll].tolist() == [float(act == action) for act in legal]


GAMES = [
    (rules("common", 2, (2, 1)), "multiset"),
    (rules("joker", 3, spot_on=True), "ordered"),
    (rules("ones-low", 2, wild_opening=False), "staged"),
    (rules("common", 2, (1, 1, 1), fixed_face=True), "staged"),
]


@pytest.mark.parametrize(("game", "dealing"), GAMES, ids=str)
def test_information_sets_names_and_actions_match_the_tree(game, dealing):
    tree, seen = build(game, dealing), []
    for history in game.bidding.histories():
        state = BettingState(game, history)
        after = "after " + " ".join(str(game.bids[bid]) for bid in history) if history else "opening"
        rows = first_infoset(tree) + state.infosets
        assert state.shape == (len(state.actions), len(rows))
        for row, (roll, _) in zip(rows.tolist(), game.rolls(state.mover), strict=True):
            assert tree.infosets.labels[row] == f"P{state.mover + 1} roll {game.roll_label(roll)} {after}"
            assert [*tree.actions_at(row).labels] == state.action_names
        seen += rows.tolist()
    assert sorted(seen) == np.flatnonzero(tree.infosets.player != CHANCE).tolist()


@pytest.mark.parametrize("game", [game for game, _ in GAMES], ids=str)
def test_children_are_the_histories_and_the_terminal_states(game):
    waiting, histories, ended = [BettingState(game)], [], 0
    while waiting:
        state = waiting.pop()
        if state.is_terminal:
            assert (state.actions, state.mover) == ([], NONE)
            assert state.last_bid == state.history[-2]
            ended += 1
            continue
        histories.append(state.history)
        assert state.last_bid == (state.history[-1] if state.history else OPENING)
        assert [state.index(action) for action in state.actions] == [*range(len(state.actions))]
        waiting += [state.child(action) for action in reversed(state.actions)]
    assert histories == [*game.bidding.histories()]
    assert ended == game.bidding.final_action_count * (len(histories) - 1)


def test_states_compare_by_rules_and_history_and_are_immutable():
    game = rules("common", 2)
    state = BettingState(game, [0, 2])
    assert state == BettingState(game, (0,)).child(2) != BettingState(rules("common", 3), [0, 2])
    assert len({state, BettingState(game, (0, 2)), BettingState(game)}) == 2
    with pytest.raises(FrozenInstanceError):
        state.history = ()
    with pytest.raises(ValueError, match="not in list"):
        state.index(1)
