"""Subgames on the public tree: values, payoffs, and safe re-solving."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
import pytest

from liarsdice_cli.errors import LiarsDiceError, UsageError
from liarsdice_cli.extensive.stream import Floats
from liarsdice_cli.games.bidding import CALL
from liarsdice_cli.games.liarsdice.rules import Rules, rules
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.games.liarsdice.strategy import Strategy, Uniform
from liarsdice_cli.games.liarsdice.subgame import Subgame, subgame
from liarsdice_cli.library.solving import solve
from liarsdice_cli.solvers.public_tree.gadget import gadget
from liarsdice_cli.solvers.public_tree.responses import Responses
from liarsdice_cli.solvers.public_tree.values import Values
from liarsdice_cli.solvers.regret.convergence import Limits, run
from liarsdice_cli.solvers.regret.minimisers import minimiser
from liarsdice_cli.strategies.combined import Spliced
from liarsdice_cli.strategies.expansion import expanded
from liarsdice_cli.strategies.stored import StoredStrategy
from liarsdice_cli.studies.resolving import resolve
from tests.support.house_rules import each_house_of_any
from tests.support.properties import mostly_slow

GAMES = [("common", 4, (1, 1)), ("joker", 3, (2, 1)), ("top-wild", 3, (2, 1)), ("classic", 5, (1, 1)), ("dudo", 4, (1, 1))]


def _likely(game: Rules, strategy: Strategy, longest: int = 2) -> list[tuple[int, ...]]:
    """Return some histories that play often reaches."""
    found: list[tuple[int, ...]] = []
    waiting: list[tuple[int, ...]] = [()]
    while waiting:
        history = waiting.pop()
        said = strategy.at(history).max(axis=1)
        for action, share in zip(BettingState(game, history).actions, said, strict=True):
            if action != CALL and share > 0.05 and len(history) < longest and game.bids[action].quantity < sum(game.dice):
                waiting.append((*history, action))
        found += [history] if history else []
    return found[:8]


@pytest.mark.parametrize(("preset", "sides", "dice"), mostly_slow(GAMES))
def test_a_subgame_with_equilibrium_beliefs_has_the_equilibrium_value(preset: str, sides: int, dice: tuple[int, ...]) -> None:
    game = rules(preset, sides, dice, payoffs="zero-sum")
    equilibrium = expanded(solve(game, method="exact").strategy())
    histories = _likely(game, equilibrium)
    assert histories
    for history in histories:
        reading = Values(equilibrium).after(history)
        beliefs = reading.beliefs(reading.mover)
        assert reading.value is not None
        assert beliefs is not None
        worth = float(reading.value @ beliefs) * (1 if reading.mover == 0 else -1)
        bounds = solve(subgame(game, history, equilibrium), target=1e-4).judgement.bounds
        assert bounds is not None
        assert bounds[0] - 1e-9 <= worth <= bounds[1] + 1e-9


def _payoffs(rest: Subgame, strategy: Strategy) -> list[float]:
    """Return every player's payoff, deal by deal, by plain recursion."""
    game, found = rest.rules, np.zeros(rest.rules.players)
    rolls = [game.rolls(player) for player in range(game.players)]

    def walk(history: tuple[int, ...], deal: Sequence[int], share: float) -> None:
        mover = len(history) % game.players
        for action, said in zip(BettingState(game, history).actions, strategy.at(history)[:, deal[mover]], strict=True):
            if said == 0:
                continue
            if action >= 0:
                walk((*history, action), deal, share * said)
                continue
            bidder = (mover - 1) % game.players
            held = [rolls[player][roll][0] for player, roll in enumerate(deal)]
            stands = game.holds(game.bids[history[-1]], held, action)
            payoffs = game.payoffs_when_losing(game.loser(bidder, mover, stands))
            found[:] += share * said * np.array([float(one) for one in payoffs])

    for deal in np.ndindex(*(len(one) for one in rest.beliefs)):
        chance = prod(belief[roll] for belief, roll in zip(rest.beliefs, deal, strict=True))
        if chance > 0:
            walk(rest.history, deal, chance)
    return found.tolist()


@pytest.mark.parametrize("dice", [(1, 1), (1, 1, 1), (2, 1)])
def test_payoffs_and_regrets_match_plain_recursion(dice: tuple[int, ...]) -> None:
    game = rules("joker", 3, dice, payoffs="zero-sum")
    generator = np.random.default_rng(5)
    beliefs = {player + 1: generator.random(game.roll_count(player)) for player in range(len(dice))}
    rest = subgame(game, "1x2", beliefs)
    found = solve(rest, iterations=7)
    averages = found.best.stored
    assert averages is not None
    assert found.judgement.payoffs == pytest.approx(_payoffs(rest, averages), abs=1e-9)
    assert found.judgement.regrets == pytest.approx(_regrets(rest, averages), abs=1e-9)


@each_house_of_any
@pytest.mark.parametrize("opening", [True, False])
def test_payoffs_under_house_rules_match_plain_recursion(game: Rules, opening: bool) -> None:
    history = () if opening else (next(bid for bid in game.bidding.openings if game.bidding.following(bid)),)
    keeps = game.bidding.group_size < game.bid_count
    rest = subgame(game, history, bids=None if keeps else [bid for bid in subgame(game, history).bids if bid % 4])
    averages = solve(rest, iterations=5).best.stored
    assert averages is not None
    assert solve(rest, iterations=5).judgement.payoffs == pytest.approx(_payoffs(rest, averages), abs=1e-9)
    if keeps and not history:
        with pytest.raises(UsageError, match="no opening bid can be left out"):
            subgame(game, history, bids=[0, 1])


def _regrets(rest: Subgame, strategy: StoredStrategy) -> list[float]:
    """Return every player's regret, from best responses computed per history and roll, from the leaves up."""
    game = rest.rules

    def best(player: int, history: tuple[int, ...], reaches: Sequence[Floats]) -> Floats:
        mover = len(history) % game.players
        said, options = strategy.at(history), []
        for place, action in enumerate(BettingState(game, history).actions):
            later = [reach * said[place] if one == mover != player else reach for one, reach in enumerate(reaches)]
            if action < 0:
                options.append(_ended(game, history, action, player, later))
            elif mover == player or later[mover].any():
                options.append(best(player, (*history, action), later))
        values: Floats = np.max(options, axis=0) if mover == player else np.sum(options, axis=0)
        return values

    beliefs = list(rest.beliefs)
    top = [float(best(player, rest.history, beliefs) @ beliefs[player]) for player in range(game.players)]
    return [one - payoff for one, payoff in zip(top, _payoffs(rest, strategy), strict=True)]


def _ended(game: Rules, history: tuple[int, ...], ending: int, player: int, reaches: Sequence[Floats]) -> Floats:
    """Return a player's payoff for every roll with this ending, weighted by the others' reach probabilities."""
    mover = len(history) % game.players
    bidder, found = (mover - 1) % game.players, np.zeros(game.roll_count(player))
    rolls = [game.rolls(one) for one in range(game.players)]
    for deal in np.ndindex(*(len(one) for one in rolls)):
        share = prod(reaches[one][roll] for one, roll in enumerate(deal) if one != player)
        stands = game.holds(game.bids[history[-1]], [rolls[one][roll][0] for one, roll in enumerate(deal)], ending)
        found[deal[player]] += share * float(game.payoffs_when_losing(game.loser(bidder, mover, stands))[player])
    return found


def test_a_subgame_with_fewer_bids_makes_no_others() -> None:
    game = rules("common", 6, (2, 2))
    bids = [bid for bid in range(8, 24) if bid % 2]
    rest = subgame(game, "1x4", bids=bids)
    strategy = solve(rest, iterations=50).best.stored
    assert strategy is not None
    said = strategy.at(rest.history)
    left_out = [place for place, action in enumerate(BettingState(game, rest.history).actions) if action not in (CALL, *bids)]
    assert len(left_out) > 5
    assert not said[left_out].any()
    assert said.sum(axis=0) == pytest.approx(np.ones(21))
    reading = Values(strategy).after((*rest.history, bids[0]))
    assert reading.values is not None
    assert reading.values.shape == reading.probabilities.shape


@pytest.mark.slow
def test_a_subgame_of_a_large_game_is_solved_in_shards() -> None:
    game = rules("common", 6, (2, 2))
    rest = subgame(game, "1x3")
    found = solve(rest, target=2e-3)
    averages, bounds = found.best.stored, found.judgement.bounds
    assert averages is not None
    assert bounds is not None
    assert len(averages.store.shards) > 0
    reading = Values(averages).after(rest.history)
    assert reading.value is not None
    own = float(reading.value @ rest.beliefs[1])
    assert own == pytest.approx(float(found.judgement.payoffs[1] or 0), abs=1e-6)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"method": "exact"}, "needs a tree"),
        ({"method": "dcfr+", "form": "extensive"}, "needs a tree"),
        ({"refine": "quasi-perfect"}, "leave refine out"),
        ({"method": "double-oracle"}, "needs a tree"),
    ],
)
def test_options_that_need_a_tree_are_refused(asked: dict[str, str], words: str) -> None:
    with pytest.raises((UsageError, LiarsDiceError), match=words):
        solve(subgame(rules("common", 3), "1x2"), **asked)


@pytest.mark.parametrize(
    ("preset", "sides", "dice", "iterations"), mostly_slow([("joker", 4, (2, 1), 8), ("top-wild", 5, (1, 1), 4)])
)
def test_re_solving_does_not_increase_the_exploitability(
    preset: str, sides: int, dice: tuple[int, ...], iterations: int
) -> None:
    game = rules(preset, sides, dice)
    rough = solve(game, method="dcfr+", iterations=iterations, form="public tree").best.stored
    assert rough is not None
    gains = []
    for history in _likely(game, rough):
        for player in (1, 2):
            found = resolve(rough, " ".join(str(game.bids[bid]) for bid in history), player, target=2e-4)
            slack = 2 * found.run.last.bounds.exploitability
            assert found.after >= found.before - slack - 1e-9
            gains.append(found.after - found.before)
    assert max(gains) > 1e-3


def test_re_solving_keeps_a_strategy_that_would_become_more_exploitable() -> None:
    found = resolve(solve(rules("joker", 3, (2, 1))).strategy(), "1x3", iterations=1)
    assert found.stays
    assert repr(found).startswith("Resolved(player 2, Subgame(")
    assert repr(found).endswith(" after; the old strategy stays)")
    stayed = found.strategy
    judged = Responses(Values(stayed).game, stayed.store).judge()
    assert found.before == pytest.approx(1 - float(judged.best_responses[0] or 0), abs=1e-9)


@pytest.mark.slow
def test_re_solving_two_dice_each_is_safe_in_the_whole_game() -> None:
    game = rules("common", 6, (2, 2))
    rough = solve(game, method="dcfr+", iterations=12).best.stored
    assert rough is not None
    for history, player in (("1x3", 1), ("1x4", 2)):
        found = resolve(rough, history, player, target=1e-3)
        judged = Responses(Values(rough).game, found.strategy.store).judge()
        kept = max(found.before, found.after)  # `resolve` keeps the old strategy where the new one is worse
        assert kept == pytest.approx(1 - float(judged.best_responses[2 - player] or 0), abs=1e-9)
        assert found.after >= found.before - 2e-3


@pytest.mark.slow
def test_re_solving_without_the_gadget_game_is_not_safe() -> None:
    """The safety checked above can fail: it does if re-solving trusts the beliefs about the opponent's rolls."""
    game = rules("joker", 4, (2, 1))
    rough = solve(game, method="dcfr+", iterations=8, form="public tree").best.stored
    assert rough is not None
    worst = 0.0
    for history in _likely(game, rough):
        rest = subgame(game, history, rough)
        trusting = solve(rest, target=2e-4).best.stored
        assert trusting is not None
        for player in (0, 1):
            spliced = expanded(Spliced(game, rough, trusting, rest.history, (player,)))
            both = [1 - Responses(Values(one).game, one.store).payoffs(best=True)[1 - player] for one in (rough, spliced)]
            worst = min(worst, both[1] - both[0])
    assert worst < -1e-3


def test_the_bounds_of_the_gadget_game_are_consistent_and_converge() -> None:
    game = rules("common", 6)
    rough = expanded(Uniform(game))
    rest = subgame(game, "1x2", rough)
    solver, _ = gadget(rough, rest, 0, minimiser("dcfr+"))
    solver.compile()
    history = run(solver, Limits(iterations=300))
    assert history.last.bounds.exploitability < 2e-3
    lowers = [sample.bounds.lower for sample in history.samples]  # type: ignore[union-attr]
    assert max(lowers) <= min(sample.bounds.upper for sample in history.samples)  # type: ignore[union-attr]


def test_players_are_numbered_from_1() -> None:
    rough = solve(rules("common", 2)).strategy()
    assert [resolve(rough, "1x1", player).player for player in (1, 2, None)] == [1, 2, 2]


def test_invalid_re_solving_requests_are_refused() -> None:
    anything: Any = solve(rules("common", 2))
    with pytest.raises(LiarsDiceError, match="for two players"):
        resolve(Uniform(rules("common", 2, (1, 1, 1))), "1x1")
    with pytest.raises(UsageError, match=r"^strategy is a solution: give its strategy, solution\.strategy\(\)$"):
        resolve(anything, "1x1")
    with pytest.raises(UsageError, match="give 1 or 2"):
        resolve(Uniform(rules("common", 2)), "1x1", 3)
