"""Rounds of Liar's Dice as an environment of PettingZoo, for agents that learn. Needs the package pettingzoo."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import EzPickle, seeding
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from liarsdice_cli.bots.tensors import action_count, number_of, tensor, width
from liarsdice_cli.games.bidding import FINAL_ACTIONS
from liarsdice_cli.games.liarsdice.rules import Roll, Rules
from liarsdice_cli.games.liarsdice.state import BettingState

NAME = "liarsdice_v0"
"""The name of the environment and the version of its observations, rewards and actions."""


def environment(rules: Rules, render_mode: str | None = None) -> Any:
    """Return the environment, wrapped as PettingZoo wraps its own: an illegal action loses, and calls are kept in order."""
    raw = RoundEnvironment(rules, render_mode)
    worst = float(min(rules.payoffs_when_losing(0)))
    return wrappers.OrderEnforcingWrapper(wrappers.TerminateIllegalWrapper(raw, illegal_reward=worst))


class RoundEnvironment(AECEnv, EzPickle):
    """One round an episode, for the players of the rules in turn (Agent Environment Cycle).

    rules       : with the dice of every player; "player_0" opens
    render_mode : None, "ansi" for text, or "human" to print it after every action

    Observations are dictionaries: "observation", the information-state tensor of `bots.tensors` in float32, and "action_mask"
    in int8. Actions are numbers as OpenSpiel's: bids from the lowest up, then the call, then spot-on if the rules have it.
    At the end every player is rewarded with the payoff of the rules.

    Source: Terry et al. (2021), "PettingZoo: Gym for multi-agent reinforcement learning".
    """

    metadata = {"name": NAME, "render_modes": ["human", "ansi"], "is_parallelizable": False}  # noqa: RUF012 (as PettingZoo)

    def __init__(self, rules: Rules, render_mode: str | None = None) -> None:
        EzPickle.__init__(self, rules, render_mode)
        super().__init__()
        self.rules, self.render_mode = rules, render_mode
        self.possible_agents = [f"player_{player}" for player in range(rules.players)]
        self.agents = list(self.possible_agents)
        shapes = {
            "observation": spaces.Box(0, 1, (width(rules),), np.float32),
            "action_mask": spaces.Box(0, 1, (action_count(rules),), np.int8),
        }
        self.observation_spaces = {agent: spaces.Dict(shapes) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(action_count(rules)) for agent in self.possible_agents}
        self._generator, _ = seeding.np_random()
        self.rolls: list[Roll] = [rolls[0][0] for rolls in map(rules.rolls, range(rules.players))]
        self.state_of_play = BettingState(rules)

    def observation_space(self, agent: str) -> Any:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        """Roll the dice of a new round; a seed makes this and all later rolls repeatable."""
        if seed is not None:
            self._generator, _ = seeding.np_random(seed)
        self.rolls = [
            tuple(sorted(self._generator.integers(1, self.rules.sides + 1, dice).tolist())) for dice in self.rules.dice
        ]
        self.state_of_play = BettingState(self.rules)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations, self.truncations = dict.fromkeys(self.agents, False), dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> dict[str, Any]:
        """Return the observation of an agent; the mask of an agent that is not to move is all zeros."""
        player = self.possible_agents.index(agent)
        legal = np.zeros(action_count(self.rules), np.int8)
        if player == self.state_of_play.mover:
            legal[[number_of(self.rules, action) for action in self.state_of_play.actions]] = 1
        seen = tensor(self.rules, player, self.rolls[player], self.state_of_play.history)
        return {"observation": seen, "action_mask": legal}

    def step(self, action: int | None) -> None:
        """Take the action of the agent to move."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        assert action is not None, "an agent that is to move acts"
        self._cumulative_rewards[self.agent_selection] = 0.0
        numbers = {number_of(self.rules, one): one for one in self.state_of_play.actions}
        state = self.state_of_play = self.state_of_play.child(numbers[int(action)])
        player = self.possible_agents.index(self.agent_selection)
        if state.is_terminal:
            self.rewards = dict(zip(self.agents, map(float, self._payoffs(player)), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.possible_agents[(player + 1) % self.rules.players]
        self._accumulate_rewards()
        if self.render_mode == "human":
            print(self._text())

    def _payoffs(self, caller: int) -> Any:
        """Return the payoff of every player once one of them has ended the round."""
        ending = self.state_of_play.history[-1]
        assert ending in FINAL_ACTIONS, "the round is over"
        stands = self.rules.holds(self.rules.bids[self.state_of_play.last_bid], self.rolls, ending)
        return self.rules.payoffs_when_losing(self.rules.loser((caller - 1) % self.rules.players, caller, stands))

    def render(self) -> str | None:
        """Return the round as text in the mode "ansi"; print it in the mode "human"."""
        if self.render_mode == "human":
            print(self._text())
        return self._text() if self.render_mode == "ansi" else None

    def _text(self) -> str:
        dice = [self.rules.roll_label(roll) for roll in self.rolls]
        said = [self.rules.action_name(action) for action in self.state_of_play.history]
        players = [f"{agent} {roll}" for agent, roll in zip(self.possible_agents, dice, strict=True)]
        return f"{', '.join(players)}: {' '.join(said)}"

    def close(self) -> None:
        """Do nothing, because the environment holds no resources."""
