"""Values and beliefs of profiles in exact fractions, against the tree traversal, which does not use rolls."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from liarsdice_cli.extensive import after_history
from liarsdice_cli.extensive.profile import Profile, from_sets
from liarsdice_cli.extensive.stream import CHANCE
from liarsdice_cli.extensive.trembles import RefinedProfile
from liarsdice_cli.games.liarsdice.continuations import Continuations
from liarsdice_cli.games.liarsdice.exact_strategy import ExactStrategy
from liarsdice_cli.games.liarsdice.rules import Rules, rules
from liarsdice_cli.games.liarsdice.tree import build
from liarsdice_cli.library.solving import solve
from liarsdice_cli.report.history import last_bid_true
from tests.support.house_rules import HOUSE
from tests.support.properties import mostly_slow


def behaviour(game: Rules) -> Profile:
    """Return a profile of long fractions that often leaves actions out, so that some histories are never reached."""
    tree, random = build(game), Random(game.sides)
    chosen = {}
    for row, player in enumerate(tree.infosets.player.tolist()):
        if player != CHANCE:
            weights = [random.randint(1, 10**6) * (random.random() < 0.6) for _ in range(tree.action_counts[row])]
            weights[random.randrange(len(weights))] += 1
            chosen[row] = [Fraction(weight, sum(weights)) for weight in weights]
    return from_sets(tree, chosen)


def refined(game: Rules) -> Profile:
    """Return a quasi-perfect equilibrium, which also gives the beliefs after mistakes."""
    profile = solve(game, refine="quasi-perfect").profile
    assert isinstance(profile, RefinedProfile)
    return profile


def check(game: Rules, profile: Profile) -> int:
    """Compare all histories; return the number of infosets with values in histories that are reached only by mistake."""
    everything, erring = Continuations(ExactStrategy(game, profile)), 0
    for history in game.bidding.histories():
        said = everything.after(history)
        page = after_history.after(profile, [str(game.bids[bid]) for bid in history])
        assert [column.tolist() for column in said.probabilities.T] == [row.probabilities for row in page.rows]
        for place, row in enumerate(page.rows):
            if row.values is None:
                assert said.values is said.last_bid_true is None
            else:
                assert said.values[:, place].tolist() == row.values
                assert not history or said.last_bid_true[place] == last_bid_true(page, row)
                erring += bool(said.mistaken)
        for player in range(game.players):
            held = said.beliefs(player)
            assert held is None or held.sum() == 1
    return erring


@pytest.mark.parametrize(
    "game",
    mostly_slow([rules("joker", 3), rules("common", 2, (2, 1)), rules("face-first", 2, (1, 2), payoffs="zero-sum"), *HOUSE], 9),
    ids=str,
)
def test_fractions_agree_with_the_tree_traversal(game: Rules) -> None:
    assert check(game, behaviour(game)) == 0


@pytest.mark.parametrize(
    "game", mostly_slow([rules("joker", 3), rules("common", 2, (2, 1)), rules("classic", 2, spot_on=True)]), ids=str
)
def test_fractions_after_mistakes_agree_with_the_tree_traversal(game: Rules) -> None:
    assert check(game, refined(game)) > 0


def test_a_history_reached_only_by_mistake_has_probability_0_and_names_the_player() -> None:
    game = rules("joker", 3)
    profile = refined(game)
    everything, opening = Continuations(ExactStrategy(game, profile)), after_history.after(profile, []).rows
    for bid in game.bidding.openings:
        taken = any(row.probabilities[bid] for row in opening)
        said = everything.after([bid])
        assert said.mistaken == (() if taken else (0,))
        assert (said.reach > 0) == taken
        assert said.beliefs(0) is not None
