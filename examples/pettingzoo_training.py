"""Train a softmax policy in the PettingZoo environment, with its exact exploitability as a callback.

    python examples/pettingzoo_training.py

The policy learns in self-play by REINFORCE (Williams 1992), which need not find an equilibrium. Its exploitability measures the
distance from one. Win rates against fixed opponents do not.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

import liarsdice_cli as ld

RATE, ENTROPY = 0.05, 0.02


class Softmax:
    """Probabilities in proportion to exp(observation @ weights)."""

    def __init__(self, observations: int, actions: int) -> None:
        self.weights = np.zeros((observations, actions))

    def __call__(self, rows: np.ndarray) -> np.ndarray:
        """Return the probabilities of all actions for a batch of observations, illegal ones included."""
        logits = rows @ self.weights
        shares = np.exp(logits - logits.max(axis=1, keepdims=True))
        return shares / shares.sum(axis=1, keepdims=True)

    def legal(self, observation: dict[str, np.ndarray]) -> np.ndarray:
        """Return the probabilities of the legal actions at one observation."""
        shares = self(observation["observation"][None])[0] * observation["action_mask"]
        return shares / shares.sum()


def episode(env: Any, policy: Softmax, generator: np.random.Generator, seed: int) -> None:
    """Play one round of self-play, and update the policy."""
    env.reset(seed=seed)
    taken = []
    for agent in env.agent_iter():
        observation, _, ended, _, _ = env.last()
        if ended:
            break
        shares = policy.legal(observation)
        action = int(generator.choice(len(shares), p=shares))
        taken.append((agent, observation["observation"], shares, action))
        env.step(action)
    for agent, row, shares, action in taken:
        surprise = np.where(shares > 0, np.log(np.where(shares > 0, shares, 1)), 0)
        step = env.rewards[agent] * ((np.arange(len(shares)) == action) - shares)
        step -= ENTROPY * shares * (surprise - shares @ surprise)
        policy.weights += RATE * np.outer(row, step)


def train(rules: ld.Rules, episodes: int, every: int) -> list[float]:
    """Train a policy; return its exploitability at the start and then every `every` episodes."""
    env = ld.interop.to_pettingzoo(rules)
    policy = Softmax(env.observation_space("player_0")["observation"].shape[0], env.action_space("player_0").n)
    generator, found = np.random.default_rng(1), []
    for number in range(episodes + 1):
        if number % every == 0:
            judged = ld.exploitability(rules, ld.interop.from_tensors(policy))
            found.append(float(judged.exploitability))
            print(f"{number:,} episodes: exploitability {found[-1]:.4f}", flush=True)
        episode(env, policy, generator, number)
    return found


def main() -> None:
    """Train on the game that the options give."""
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("--sides", type=int, default=3)
    reader.add_argument("--episodes", type=int, default=20_000)
    given = reader.parse_args()
    train(ld.rules("top-wild", given.sides, payoffs="zero-sum"), given.episodes, given.episodes // 10)


if __name__ == "__main__":
    main()
