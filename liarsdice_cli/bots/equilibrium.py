"""A bot that plays an equilibrium, solved before play or read from a file."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from liarsdice_cli.bots.protocol import OfStrategy
from liarsdice_cli.errors import LiarsDiceError, UsageError, listed
from liarsdice_cli.formats import files, kept, registry
from liarsdice_cli.games.liarsdice.rules import DEALINGS, FEWEST_NODES, Rules
from liarsdice_cli.games.liarsdice.sentences import smaller
from liarsdice_cli.games.liarsdice.strategy import ProfileStrategy, Strategy
from liarsdice_cli.games.liarsdice.tree import Counts, build, reduced_game
from liarsdice_cli.solvers import ladder
from liarsdice_cli.solvers.public_tree.cost import expected
from liarsdice_cli.solvers.request import PUBLIC_TREE, Request
from liarsdice_cli.solvers.solution import Solution
from liarsdice_cli.strategies.combined import in_whole_game
from liarsdice_cli.text import counted

SOLVABLE = 3_000_000
"""The largest tree, in nodes, that is solved exactly before play; this takes seconds."""
NEAR, QUICK, OF_TWO = 0.01, 5.0, 30
"""Other games of two players are solved if they have at most `OF_TWO` bids and `public_tree.cost` expects an exploitability of
`NEAR` within `QUICK` seconds."""
BIDS = 24
"""The largest number of bids of games of more players that are solved before play; this takes a minute at most."""
ITERATIONS, OF_MANY = 500, 200
"""The number of iterations for these games, with two players and with more.

Then no player can gain more than 0.004 with two dice each and six sides, in any preset, payoffs 1 and 0. A target would make
the result depend on the clock, which times the bounds.
"""


class Equilibrium(OfStrategy):
    """Plays an equilibrium of the game of every round, solved when it is first needed.

    It is exact in small games of two players, and quasi-perfect in the smallest ones, so that it punishes mistakes. In larger
    games, and for three or more players, it is an ε-equilibrium: one that the user keeps (`formats.kept`), or one that is
    solved now.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> Equilibrium().strategy(rules("common", 2)).at([]).shape
    (4, 2)
    """

    name = "equilibrium"

    def __init__(self) -> None:
        self._strategies: dict[Rules, Strategy] = {}

    def check(self, rules: Rules) -> None:
        """Raise LiarsDiceError for a game that it cannot play."""
        self.strategy(rules)

    def strategy(self, rules: Rules) -> Strategy:
        """Return the equilibrium strategy; LiarsDiceError for a game that is too large to solve."""
        if rules not in self._strategies:
            self._strategies[rules] = _kept(rules) or solved(rules).strategy()
        return self._strategies[rules]


def is_known(rules: Rules) -> bool:
    """Return whether a solution is kept, or the game is small enough to be solved before play."""
    return is_solvable(rules) or kept.is_kept(rules)


def kept_solution(rules: Rules) -> OfFile | None:
    """Return the bot that plays the kept solution; None if there is none, or the game is solved exactly."""
    return None if is_exact(rules) or not kept.is_kept(rules) else OfFile("equilibrium", kept.file_of(rules))


def _kept(rules: Rules) -> Strategy | None:
    bot = kept_solution(rules)
    return None if bot is None else bot.strategy(rules)


def is_exact(rules: Rules) -> bool:
    """Return whether the game has two players and is small enough to be solved exactly before play."""
    return rules.players == 2 and _nodes(rules) <= SOLVABLE


def is_solvable(rules: Rules) -> bool:
    """Return whether the game is small enough to be solved before play, exactly or not."""
    possible = rules.without_impossible_bids()
    if rules.players == 2:
        is_quick = possible.bid_count <= OF_TWO and expected(possible, NEAR).processor_seconds <= QUICK
        return is_exact(rules) or is_quick
    return possible.bid_count <= BIDS


@lru_cache(maxsize=8)
def solved(rules: Rules) -> Solution:
    """Solve the game, exactly if that is quick; the result does not depend on the speed of the machine.

    The last results are cached, so that a bot and an adviser do not both solve the game.

    Raises LiarsDiceError for a game that is too large. `Solution.best` has the evaluation of a result that is not exact.
    """
    if is_exact(rules):
        return ladder.solve(rules, Request(dealing=FEWEST_NODES))
    if not is_solvable(rules):
        raise _too_large(rules)
    iterations = ITERATIONS if rules.players == 2 else OF_MANY
    found = ladder.solve(rules, Request(form=PUBLIC_TREE, iterations=iterations, dealing=FEWEST_NODES))
    if found.interrupted:
        raise KeyboardInterrupt
    return found


def _nodes(rules: Rules) -> int:
    return Counts.of(reduced_game(rules, FEWEST_NODES), FEWEST_NODES).nodes


def _too_large(rules: Rules) -> LiarsDiceError:
    reason = f"{rules.without_impossible_bids().bid_count:,} bids, more than the {BIDS} that can be solved before play"
    if rules.players == 2:
        reason = f"{counted(_nodes(rules))} nodes, too many to solve before play"
    return LiarsDiceError(
        f"the game of {rules} has {reason}: solve it once with `liarsdice solve ... -o bots`, or ",
        *smaller(rules.without_impossible_bids()),
    )


class OfFile(OfStrategy):
    """Plays from a file of one game (`liarsdice solve -o`): a strategy file (.ldz), or a profile.

    name : the specification, `equilibrium:FILE`
    file : the file's name
    """

    one_game = True

    def __init__(self, name: str, file: str) -> None:
        self.name, self.file = name, file
        self._read: tuple[Rules, Strategy] | None = None

    def check(self, rules: Rules) -> None:
        """Raise LiarsDiceError for a game that it cannot play."""
        self.strategy(rules)

    def strategy(self, rules: Rules) -> Strategy:
        """Return the strategy of the file; LiarsDiceError with its name if it cannot be read or belongs to another game."""
        if self._read is None or self._read[0] != rules:
            self._read = rules, strategy_in(self.file, rules)
        return self._read[1]


def strategy_in(file: str, rules: Rules) -> Strategy:
    """Return the strategy in a strategy file, or in a file with a profile of the rules with any dealing.

    Raises LiarsDiceError with the name of a file that cannot be read or belongs to another game.
    """
    if file == files.PIPE:
        raise UsageError("equilibrium:- would read standard input: name a file")
    if registry.holds(file, registry.STRATEGY):
        found = registry.read(file, registry.STRATEGY)
        played = replace(found.rules, payoffs=rules.payoffs)
        if played != rules and played != rules.without_impossible_bids():
            raise LiarsDiceError(f"{file} is for {found.rules}, not for {rules}: give ", *listed(found.rules.arguments))
        return in_whole_game(rules, found)
    refusal: LiarsDiceError | None = None
    for dealing in DEALINGS:
        small = reduced_game(rules, dealing)
        nodes = Counts.of(small, dealing).nodes
        if nodes > SOLVABLE:
            too_large = f"the game of {rules} has {counted(nodes)} nodes, too many to use {file}: give fewer sides or dice"
            refusal = refusal or LiarsDiceError(too_large)
            continue
        tree = build(small, dealing)
        try:
            profile = registry.read(file, registry.PROFILE, tree)
        except LiarsDiceError as error:
            refusal = error
            continue
        return in_whole_game(rules, ProfileStrategy.of(small, tree, profile.probabilities))
    assert refusal is not None, "every way of dealing was refused for a reason"
    raise refusal
