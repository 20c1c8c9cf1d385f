"""The environment for PettingZoo: its conformance tests, the rules of the game, and the evaluation of a network."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import liarsdice_cli as ld

pettingzoo = pytest.importorskip("pettingzoo", reason="needs PettingZoo, an extra")
conformance = pytest.importorskip("pettingzoo.test")

GAMES = (
    ld.rules("common", 6),
    ld.rules("perudo", 6, (2, 1)),
    ld.rules("classic", 3, (1, 1, 1), spot_on=True),
    ld.rules("snyd", 6, (2, 2, 2, 2, 2, 2)),
    ld.rules("top-wild", 6, (5, 5), payoffs="zero-sum"),
    ld.rules("face-first", 6, (3, 3)),
    ld.rules("joker", 4, (1, 2, 3, 4)),
    ld.rules("dudo", 6, (1, 1)).palifico(),
    ld.rules("ones-low", 6, (2, 2)),
)
# PettingZoo warns of observations with masks, also for its own games
AS_ITS_OWN = ("ignore:Observation space for each agent", "ignore:Observation is not a NumPy array")


@pytest.mark.filterwarnings(*AS_ITS_OWN)
@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_the_conformance_tests_of_pettingzoo_pass(rules: ld.Rules) -> None:
    def make(render_mode: str | None = None) -> Any:
        return ld.interop.to_pettingzoo(rules, render_mode)

    conformance.api_test(make(), num_cycles=100)
    conformance.seed_test(make, num_cycles=50)
    conformance.render_test(make)


@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_the_rewards_of_a_round_follow_the_rules(rules: ld.Rules) -> None:
    env, generator = ld.interop.to_pettingzoo(rules), np.random.default_rng(1)
    for seed in range(20):
        env.reset(seed=seed)
        rolls, said = env.unwrapped.rolls, []
        for agent in env.agent_iter():
            observation, _, ended, _, _ = env.last()
            if ended:
                env.step(None)
                continue
            legal = np.flatnonzero(observation["action_mask"])
            said.append((agent, int(generator.choice(legal))))
            env.step(said[-1][1])
            paid = dict(env.rewards)
        *bids, (caller, ending) = said
        bidder, bid = bids[-1]
        matching = sum(rules.matching(roll, rules.bids[bid].face) for roll in rolls) - rules.bids[bid].quantity
        loser = {True: caller, False: bidder}[matching >= 0 if ending == rules.bid_count else matching != 0]
        assert paid[loser] == min(paid.values()) < max(paid.values())
        assert [agent for agent, _ in said] == [f"player_{place % rules.players}" for place in range(len(said))]


def test_an_illegal_action_loses() -> None:
    env = ld.interop.to_pettingzoo(ld.rules("common", 6, payoffs="zero-sum"))
    env.reset(seed=1)
    env.step(12)  # a call in the opening
    assert env.rewards["player_0"] == -1
    assert all(env.terminations.values())


def test_a_pickled_environment_keeps_its_rules() -> None:
    env = pickle.loads(pickle.dumps(ld.interop.to_pettingzoo(GAMES[1]).unwrapped))
    assert env.rules == GAMES[1]


def test_a_network_on_pettingzoo_observations_is_evaluated() -> None:
    """The network is uniform: it takes the observations of the environment and is as exploitable as random play."""
    rules = ld.rules("common", 3)

    def evenly(rows: np.ndarray) -> np.ndarray:
        return np.ones((len(rows), rules.bid_count + 1))

    env = ld.interop.to_pettingzoo(rules)
    env.reset(seed=2)
    observation, *_ = env.last()
    assert evenly(observation["observation"][None]).shape == (1, *observation["action_mask"].shape)
    judged = ld.exploitability(rules, ld.interop.from_tensors(evenly))
    assert float(judged.exploitability) == pytest.approx(float(ld.exploitability(rules, "random").exploitability))
