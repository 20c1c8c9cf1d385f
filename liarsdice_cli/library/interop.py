"""Conversions to NumPy, pandas, PettingZoo, pygambit and OpenSpiel, and from the last two."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, cast, overload

import numpy as np

from liarsdice_cli.arena.tournament import Result, named
from liarsdice_cli.bots import open_spiel, tensors
from liarsdice_cli.bots.forms import given
from liarsdice_cli.bots.protocol import Policy
from liarsdice_cli.errors import Argument, LiarsDiceError, UsageError, check_one_of, check_type
from liarsdice_cli.extensive.profile import Profile, from_sets
from liarsdice_cli.extensive.stream import CHANCE, NONE
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.formats import efg
from liarsdice_cli.formats.rule_fields import changed_columns
from liarsdice_cli.games.bidding import CALL
from liarsdice_cli.games.liarsdice.rules import Rules, check_rules
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.games.liarsdice.strategy import Strategy
from liarsdice_cli.report.history import HistoryReport
from liarsdice_cli.solvers.regret.convergence import Bounds, RunHistory, Sample, SequentialBounds
from liarsdice_cli.solvers.solution import Solution
from liarsdice_cli.studies.valuation import Valuation
from liarsdice_cli.studies.value_table import ValueTable
from liarsdice_cli.system import packages

__all__ = [
    "from_openspiel",
    "from_pygambit",
    "from_tensors",
    "to_numpy",
    "to_openspiel",
    "to_pandas",
    "to_pettingzoo",
    "to_pygambit",
]

Arrays = Mapping[str, np.ndarray[Any, Any]]


def to_numpy(what: GameTree | Profile | Solution) -> Arrays:
    """Return the columns of a game or of a profile as arrays. For a solution, the first profile is taken.

    A tree has a row for every node, in prefix order:

    parent  : the row of the parent, -1 for the root
    player  : the player to move, from 1; 0 for chance, -1 for terminal nodes
    infoset : the row of the information set, -1 for none
    branch  : the position among the actions of the parent, -1 for the root
    chance  : the probability of the branch, 1 unless chance moves
    payoffs : the payoffs of all players at the node

    A profile has a row for every action of a player, with the columns `player`, `infoset`, `branch` and `probability`.
    Fractions become float64. Raises LiarsDiceError for payoffs that are too large for that. Cost: a few vector steps.

    >>> from liarsdice_cli import rules
    >>> from liarsdice_cli.games.liarsdice.tree import build
    >>> columns = to_numpy(build(rules("common", 1)))
    >>> columns["player"].tolist(), columns["payoffs"][2].tolist()
    ([0, 1, 2, -1, 1, -1, 2, -1], [0.0, 0.0])
    """
    if isinstance(what, GameTree):
        return _of_tree(what)
    profile = _profile(what)
    tree = profile.tree
    own = np.flatnonzero(tree.action_player != CHANCE)
    rows = tree.action_infoset[own]
    return {
        "player": tree.action_player[own] + 1,
        "infoset": rows,
        "branch": own - tree.first_action[rows],
        "probability": profile.probabilities[own].astype(np.float64),
    }


def _of_tree(tree: GameTree) -> Arrays:
    paid = [*(outcome.payoffs for outcome in tree.outcomes), (Fraction(0),) * len(tree.players)]  # the last one for NONE
    try:
        payoffs = np.array([[float(number) for number in vector] for vector in paid])
    except OverflowError as error:
        raise LiarsDiceError("a payoff is too large for floats: divide all payoffs by the same number") from error
    chances = tree.chance_probabilities.astype(np.float64)
    into = tree.action
    return {
        "parent": tree.parent,
        "player": np.where(tree.infoset == NONE, -1, tree.player + 1),
        "infoset": tree.infoset,
        "branch": np.where(into == NONE, NONE, into - tree.first_action[tree.infoset[tree.parent]]),
        "chance": chances[into],
        "payoffs": payoffs[tree.outcome],
    }


def _report_columns(report: HistoryReport) -> dict[str, Any]:
    """Return columns with a row for every roll and action."""
    pairs = [(roll, action) for roll in report.rolls for action in report.actions]
    return {
        "roll": [roll for roll, _ in pairs],
        "action": [action for _, action in pairs],
        "probability": report.probabilities.ravel(),
        "value": report.values.ravel(),
    }


def to_pandas(what: GameTree | Profile | Solution | HistoryReport | ValueTable | Result | RunHistory) -> Any:
    """Return a pandas DataFrame with labels instead of row numbers.

    A tree has a row for every node, and a profile or solution for every action. A table of values has a row for every game,
    with a column for each change to a preset that a game has. The result of a tournament has a row for every bot. A report of
    `strategy_at` has a row for every roll and action. The run history of a minimiser (`solution.run_history`) has a row for
    every sample, with the bounds for two players and the regrets for more. Fractions stay fractions, and equal names of players
    get numbers. Raises LiarsDiceError if pandas is not installed, and for a tree as `to_numpy` does.
    """
    pandas = packages.optional("pandas")
    if isinstance(what, HistoryReport):
        return pandas.DataFrame(_report_columns(what))
    if isinstance(what, GameTree):
        return pandas.DataFrame(dict(_node_columns(what)), index=pandas.RangeIndex(what.nodes, name="node"))
    if isinstance(what, ValueTable):
        changed = changed_columns(one.rules for one in what)
        return pandas.DataFrame([_value_row(one, changed) for one in what])
    if isinstance(what, RunHistory):
        return pandas.DataFrame(list(map(_sample_row, what.samples)))
    if isinstance(what, Result):
        return pandas.DataFrame([vars(one) for one in what.standings()])
    profile = _profile(what, "a table of values, the result of an arena, a run history")
    tree, players = profile.tree, named(profile.tree.players)
    rows = [row for row in range(len(tree.infosets)) if tree.infosets.player[row] != CHANCE]
    return pandas.DataFrame(
        [
            (players[tree.infosets.player[row]], tree.label_of(row), action, probability)
            for row in rows
            for action, probability in zip(tree.actions_at(row).names, profile.at(row), strict=True)
        ],
        columns=["player", "infoset", "action", "probability"],
    )


def _sample_row(one: Sample) -> dict[str, float]:
    row = {"iteration": one.iteration, "seconds": one.seconds, "exploitability": one.bounds.exploitability}
    if isinstance(one.bounds, SequentialBounds):
        row |= {"sequential_regret": one.bounds.regret}
    if isinstance(one.bounds, Bounds):
        return row | {"lower": one.bounds.lower, "upper": one.bounds.upper}
    return row | {f"regret {player}": regret for player, regret in enumerate(one.bounds.regrets, 1)}


def _node_columns(tree: GameTree) -> Iterator[tuple[str, Any]]:
    columns = _of_tree(tree)
    players = named(tree.players)
    names = ["chance", *players]
    labels = [tree.label_of(row) for row in range(len(tree.infosets))]
    yield "parent", columns["parent"]
    yield "player", [None if player < 0 else names[player] for player in columns["player"].tolist()]
    yield "infoset", [None if row == NONE else labels[row] for row in tree.infoset.tolist()]
    actions = [name for row in range(len(tree.infosets)) for name in tree.actions_at(row).names]
    yield "action", [None if action == NONE else actions[action] for action in tree.action.tolist()]
    yield "chance", columns["chance"]
    for place, name in enumerate(players):
        yield f"payoff of {name}", columns["payoffs"][:, place]


def _value_row(one: Valuation, changed: Sequence[str]) -> dict[str, Any]:
    shape = {"rules": one.rules.name, "sides": one.rules.sides, "dice": one.rules.dice, "payoffs": one.rules.payoffs}
    known = {name: getattr(one, name) for name in ("exact", "lower", "upper", "value", "method", "seconds")}
    changes = one.rules.changes
    return shape | known | {name: changes.get(name) for name in changed}


def to_pygambit(what: GameTree | Profile | Solution) -> Any:
    """Return a game, or a profile (of a solution: the first one) on its game, in the form of pygambit 17.

    Fractions become Gambit's rationals, floats stay floats. Raises LiarsDiceError if pygambit is not installed, and for labels
    that Gambit does not read. Cost: the game is written as text and read by Gambit, half a second for 100,000 nodes.

    >>> from liarsdice_cli import rules, solve
    >>> profile = to_pygambit(solve(rules("common", 2, payoffs="zero-sum")))
    >>> str(profile.payoffs["Player 1"]), str(profile.max_regret())
    ('0', '0')
    """
    gambit = packages.optional("pygambit")
    if isinstance(what, GameTree):
        return gambit.read_efg(io.BytesIO(efg.dumps(what.stream(), labels="full")))
    profile = _profile(what)
    number = (lambda it: gambit.Rational(it.numerator, it.denominator)) if profile.exact else float
    data = [
        [[number(it) for it in profile.at(row)] for row in profile.tree.sets_of(player)]
        for player in range(len(profile.tree.players))
    ]
    return to_pygambit(profile.tree).mixed_behavior_profile(data=data, rational=profile.exact)


def from_pygambit(what: Any, game: GameTree | None = None) -> GameTree | Profile:
    """Return a game of pygambit as a tree, or a behaviour profile of pygambit as a profile.

    game : the tree that `to_pygambit` was given, for a profile; by default it is converted from the profile's own game

    Information sets without probabilities in Gambit get equal ones, and are marked. Raises LiarsDiceError without pygambit or
    if the profile belongs to another game.

    >>> from liarsdice_cli import rules
    >>> from liarsdice_cli.games.liarsdice.tree import build
    >>> tree = build(rules("common", 2))
    >>> from_pygambit(to_pygambit(tree)).fingerprint == tree.fingerprint
    True
    """
    check_type("game", game, GameTree | None, "give the tree of the profile, or leave it out")
    gambit = packages.optional("pygambit")
    if isinstance(what, gambit.Game):
        return efg.parse(what.to_efg().encode())
    check_type("what", what, gambit.MixedBehaviorProfile, "give a game of pygambit, or a behaviour profile of it")
    tree = efg.parse(what.game.to_efg().encode()) if game is None else game
    given = {}
    for player, name in enumerate(what.game.players):
        rows, sets = tree.sets_of(player), list(what.game.get_infosets(name))
        if len(rows) != len(sets):
            raise LiarsDiceError(f"the profile belongs to another game: {name} has {len(sets)} information sets there")
        for row, history in zip(rows, sets, strict=True):
            numbers = [_number(it) for _, it in what[gambit.H.path(*history.actions)]]
            if any(numbers):
                given[row] = numbers
    return from_sets(tree, given)


@overload
def from_openspiel(what: Any) -> Rules: ...


@overload
def from_openspiel(what: Any, game: Any) -> Strategy: ...


def from_openspiel(what: Any, game: Any = None) -> Rules | Strategy:
    """Return the rules of a game of OpenSpiel, or the strategy of one of its policies.

    what : a game `liars_dice` or `liars_dice_ir`, or a policy in Python or C++, with a table or not, or a solver that has an
           average policy, such as MCCFR in C++
    game : the game of the policy: OpenSpiel's, or our rules, which are `top-wild` ("reset-face") or `face-first`
           ("reset-quantity") with the same number of dice for every player

    The rules are zero-sum, as OpenSpiel's payoffs are. Raises LiarsDiceError for other games and rules, if OpenSpiel is not
    installed, and, when the strategy is evaluated, if the policy returns no probabilities.
    """
    if game is None:
        check_type("what", what, open_spiel.OpenSpielGame, "give a game of OpenSpiel, or a policy and its game")
        return open_spiel.rules_of(what)
    check_type("game", game, open_spiel.OpenSpielGame | Rules, "give OpenSpiel's game, or rules such as rules('top-wild', 3)")
    if isinstance(game, Rules) or not open_spiel.is_policy(what):
        rules, bot = game if isinstance(game, Rules) else open_spiel.rules_of(game), given(what)
    else:
        rules, bot = open_spiel.rules_of(game), open_spiel.of(what, type(what).__name__, game)
    bot.check(rules)
    return bot.strategy(rules)


def from_tensors(function: Callable[[Any], Any], name: str | None = None) -> Policy:
    """Return the policy of a function from information-state tensors to probabilities, such as a neural network.

    function : takes an array (rows, width) in float32, laid out as OpenSpiel's `liars_dice` does: the player, each die and each
               action so far as ones and zeros. It returns an array (rows, actions): bids from the lowest up, then the call,
               then spot-on if the rules have it. NumPy, JAX, or torch on any device; a torch module is called with a tensor on
               its own device. Illegal actions are left out
    name     : in tables and messages; by default that of the function

    It plays all rules: those of OpenSpiel, and all of `to_pettingzoo`, whose observations are these tensors.

    >>> import numpy as np
    >>> from liarsdice_cli import exploitability, rules
    >>> evenly = from_tensors(lambda rows: np.ones((len(rows), 5)))
    >>> exploitability(rules("common", 2), evenly).payoffs == exploitability(rules("common", 2), "random").payoffs
    True
    """
    if not callable(function):
        raise UsageError(Argument("function"), f" is of the type {type(function).__name__}: give a function or a torch module")
    check_type("name", name, str | None, "give a name as text, or leave it out")
    return tensors.of(function, name or str(getattr(function, "__name__", None) or type(function).__name__))


def to_openspiel(what: Solution | Strategy) -> Any:
    """Return a solution or a strategy as a tabular policy of OpenSpiel's `liars_dice`, by its information-state strings.

    Raises LiarsDiceError for rules that OpenSpiel's game does not have, and if OpenSpiel is not installed. Cost: OpenSpiel
    lists all information states, and the strategy is computed after every history: for games with one die each and few sides.
    """
    check_type("what", what, Solution | Strategy, "give a solution or a strategy, such as solve(rules('top-wild', 2))")
    strategy = what.strategy() if isinstance(what, Solution) else what
    game = open_spiel.game(strategy.rules)
    from open_spiel.python.policy import TabularPolicy

    table = TabularPolicy(game)
    said: dict[tuple[int, ...], Any] = {}
    for state in table.states:
        history, roll = open_spiel.seen(strategy.rules, state)
        if history not in said:
            said[history] = strategy.at(history)
        row = table.policy_for_key(state.information_state_string())
        row[:] = 0
        for action, share in zip(BettingState(strategy.rules, history).actions, said[history][:, roll], strict=True):
            row[strategy.rules.bid_count if action == CALL else action] = share
    return table


def to_pettingzoo(rules: Rules, render_mode: str | None = None) -> Any:
    """Return the rounds of a game as an environment of PettingZoo, in which agents of its libraries learn.

    rules       : of any preset, with two to six players; a round is an episode, and every player is rewarded with its payoff
    render_mode : None, "ansi" for text, or "human" to print every action

    It keeps PettingZoo's AEC interface, with masks of legal actions; an illegal action loses. Observations are the tensors of
    `from_tensors`, so `exploitability` evaluates a trained network. Raises LiarsDiceError if pettingzoo is not installed.
    """
    check_rules(rules)
    check_type("render_mode", render_mode, str | None, "give 'ansi' or 'human', or leave it out")
    if render_mode is not None:
        check_one_of("render_mode", render_mode, ("ansi", "human"))
    packages.optional("pettingzoo")
    from liarsdice_cli.arena.environment import environment

    return environment(rules, render_mode)


def _profile(what: object, *more: str) -> Profile:
    """Return a profile, or the first one of a solution; raise UsageError for anything else."""
    others = ", ".join(["a profile", *more])
    check_type("what", what, Profile | Solution, f"give a tree, such as build(rules('classic', 3)), {others} or a solution")
    return what.profile if isinstance(what, Solution) else cast(Profile, what)


def _number(given: Any) -> Fraction | float:
    return given if isinstance(given, float) else Fraction(str(given))
