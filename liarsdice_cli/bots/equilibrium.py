"""A bot that plays an equilibrium: one that is solved for exactly, or one kept in a file."""

from __future__ import annotations

from dataclasses import replace

from liarsdice_cli.bots.protocol import OfStrategy
from liarsdice_cli.errors import Argument, LiarsDiceError, UsageError, counted
from liarsdice_cli.formats import files, kinds
from liarsdice_cli.games.liarsdice.rules import CHANCES, Rules
from liarsdice_cli.games.liarsdice.strategy import OfProfile, Strategy
from liarsdice_cli.games.liarsdice.tree import Counts, build, reduced_game
from liarsdice_cli.solvers import ladder
from liarsdice_cli.solvers.registry import EXACT
from liarsdice_cli.solvers.solution import Request, Solution

SOLVABLE = 3_000_000
"""The largest tree, in nodes, that is solved before play; some seconds."""
CHANCE = "multiset"
"""How the dice are dealt in the trees that are solved here: the way with the fewest nodes."""


class Equilibrium(OfStrategy):
    """Plays an exact equilibrium of the two-player game of every round, solved when it is first asked for.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> Equilibrium().strategy(rules("common", 2)).at([]).shape
    (4, 2)
    """

    name = "equilibrium"

    def __init__(self) -> None:
        self._strategies: dict[Rules, Strategy] = {}

    def check(self, rules: Rules) -> None:
        """See `Policy`."""
        _two(rules, self.name)
        self.strategy(rules)

    def strategy(self, rules: Rules) -> Strategy:
        """See `Policy`. Raises LiarsDiceError for a game of other than two players, and for one too large to solve."""
        if rules not in self._strategies:
            self._strategies[rules] = solved(rules).strategy()
        return self._strategies[rules]


def is_solvable(rules: Rules) -> bool:
    """Whether the game has two players and is small enough to be solved before play."""
    return rules.players == 2 and Counts.of(reduced_game(rules, CHANCE), CHANCE).nodes <= SOLVABLE


def solved(rules: Rules) -> Solution:
    """Solve the game exactly; raises as `Equilibrium.strategy`."""
    _two(rules, "equilibrium")
    small = reduced_game(rules, CHANCE)
    nodes = Counts.of(small, CHANCE).nodes
    if nodes > SOLVABLE:
        raise LiarsDiceError(
            f"the game of {rules} has {counted(nodes)} nodes, above the {SOLVABLE:,} that are solved before play: "
            "give fewer sides or dice, or rules with fewer bids, such as ",
            Argument("preset", "common"),
        )
    return ladder.solve(rules, Request(EXACT, chance=CHANCE))


class OfFile(OfStrategy):
    """Plays what a file (`liarsdice solve -o`) says: a strategy file (.ldz), or a profile; it is that of one game.

    name : the specification, `equilibrium:FILE`
    file : the file's name
    """

    one_game = True

    def __init__(self, name: str, file: str) -> None:
        self.name, self.file = name, file
        self._read: tuple[Rules, Strategy] | None = None

    def check(self, rules: Rules) -> None:
        """See `Policy`."""
        _two(rules, self.name)
        self.strategy(rules)

    def strategy(self, rules: Rules) -> Strategy:
        """See `Policy`. Raises LiarsDiceError, naming the file, for one that cannot be read or belongs to another game."""
        if self._read is None or self._read[0] != rules:
            self._read = rules, _strategy_of(self.file, rules)
        return self._read[1]


def _strategy_of(file: str, rules: Rules) -> Strategy:
    """The strategy in a strategy file, or in one that holds a profile of the rules, however their dice were dealt."""
    if file == files.PIPE:
        raise UsageError("equilibrium:- would read standard input: name a file")
    if kinds.holds(file, kinds.STRATEGY):
        kept = kinds.read(file, kinds.STRATEGY)
        if replace(kept.rules, payoffs=rules.payoffs) != rules:
            raise LiarsDiceError(f"{file} is for {kept.rules}, not for {rules}: give the options of its game")
        return kept
    refusal: LiarsDiceError | None = None
    for chance in CHANCES:
        small = reduced_game(rules, chance)
        nodes = Counts.of(small, chance).nodes
        if nodes > SOLVABLE:
            too_large = f"the game of {rules} has {counted(nodes)} nodes, too many to read {file} for: give fewer sides or dice"
            refusal = refusal or LiarsDiceError(too_large)
            continue
        tree = build(small, chance)
        try:
            profile = kinds.read(file, kinds.PROFILE, tree)
        except LiarsDiceError as error:
            refusal = error
            continue
        return OfProfile.of(rules, tree, profile.probabilities, reduced=small != rules)
    assert refusal is not None, "every way of dealing was refused for a reason"
    raise refusal


def _two(rules: Rules, name: str) -> None:
    if rules.players != 2:
        raise LiarsDiceError(
            f"{name} plays games of two players, not of {rules.players}: leave it out, or give ", Argument("dice", (1, 1))
        )
