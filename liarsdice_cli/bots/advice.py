"""The values of actions, to advise a person before a move and to say afterwards what it cost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from liarsdice_cli.bots.equilibrium import CHANCE, OfFile, is_solvable, solved
from liarsdice_cli.bots.protocol import Bot, View
from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive import after_history
from liarsdice_cli.extensive.number import Number
from liarsdice_cli.games.bidding import CALL
from liarsdice_cli.games.liarsdice import continuations
from liarsdice_cli.games.liarsdice.beliefs import RollsAfter
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.games.liarsdice.strategy import Strategy
from liarsdice_cli.games.liarsdice.tree import reduced_game
from liarsdice_cli.solvers.solution import Solution

if TYPE_CHECKING:
    from liarsdice_cli.solvers.public_tree.values import Values
    from liarsdice_cli.strategies.stored import Stored

EQUILIBRIUM = "equilibrium"
NEAR_EQUILIBRIUM = "near equilibrium"
FILE = "file"
SHOWDOWN = "showdown"
RESOLVED = "resolved"

_Known = dict[str, tuple[Number, Number]]
"""For the name of every action how often it is taken, and its value."""


@dataclass(frozen=True)
class Advice:
    """The value of each action to the player who moves, in the probability of not losing the round.

    basis         : EQUILIBRIUM, where the other plays the exact equilibrium and so does the player after this action;
                    NEAR_EQUILIBRIUM, the same with an ε-equilibrium of any number of players; FILE, the same with what
                    a file says; RESOLVED, the same with what was found of the rest of the round from what the bids tell;
                    or SHOWDOWN, as if every bid were called at once
    actions       : as `View.actions`; where the rest was solved, those whose values are known
    values        : of each action
    probabilities : with which the equilibrium takes each; None on the basis of showdowns
    regret        : what anybody could gain at most where the equilibrium is not exact, else 0
    file          : the name of the file, "" where none is the basis
    """

    basis: str
    actions: Sequence[int]
    values: Sequence[Number]
    probabilities: Sequence[Number] | None
    regret: Number = 0
    file: str = ""

    @property
    def best(self) -> int:
        """An action of the highest value; of several, one that the equilibrium takes."""
        shares = self.probabilities or [0] * len(self.actions)
        return max(zip(self.values, shares, self.actions, strict=True), key=lambda one: one[:2])[2]

    def cost(self, action: int) -> Number:
        """How much less than the best an action is worth."""
        return max(self.values) - self.values[self.actions.index(action)]


@dataclass(eq=False)
class Adviser:
    """Knows what a file says that one of the players goes by; else the equilibria of the games that it was asked about.

    file : who plays by it, or None

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> advice = Adviser().advice(View(rules("common", 3), (3,), (2,)))
    >>> advice.basis, str(advice.cost(CALL)), str(advice.cost(3))
    ('equilibrium', '1', '1')
    """

    file: OfFile | None = None
    _solved: dict[Rules, Solution] = field(default_factory=dict)
    _values: dict[Rules, Values] = field(default_factory=dict)
    _given: dict[View, Advice] = field(default_factory=dict)

    @classmethod
    def of(cls, seated: Iterable[Bot]) -> Adviser:
        """One who listens to the first of these players who goes by a file."""
        return cls(next((one for one in seated if isinstance(one, OfFile)), None))

    def knows(self, rules: Rules) -> bool:
        """Whether there is a file for this game, or an equilibrium that can be found here."""
        return self._kept(rules) is not None or is_solvable(rules)

    def game(self, rules: Rules) -> Solution:
        """The game solved; the first time takes a moment."""
        if rules not in self._solved:
            self._solved[rules] = solved(rules)
        return self._solved[rules]

    def advice(self, view: View) -> Advice:
        """By a file or an equilibrium, where there is one and the others can come here in it; else by showdowns."""
        if view not in self._given:
            self._given[view] = self._advice(view)
        return self._given[view]

    def _advice(self, view: View) -> Advice:
        found = None
        kept = self._kept(view.rules)
        if self.file is not None and kept is not None:
            found = _advice_or_none(FILE, view, self._in_file(view, kept), file=self.file.file)
        elif is_solvable(view.rules):
            found = self._by_equilibrium(view)
        if found is not None:
            return found
        return Advice(SHOWDOWN, view.actions, [_at_showdown(view, action) for action in view.actions], None)

    def _kept(self, rules: Rules) -> Strategy | None:
        """What the file says in a game; None without a file, and where it is another's."""
        try:
            return None if self.file is None else self.file.strategy(rules)
        except LiarsDiceError:
            return None

    def _in_file(self, view: View, kept: Strategy) -> _Known | None:
        from liarsdice_cli.strategies.stored import stored_in

        grown = stored_in(kept)
        if grown is None:
            return _known(continuations.after(kept, view.history), view)
        if any(bid not in grown.rules.bids for bid in view.bids):  # never true, and not in the file
            return None
        return self._on_public_tree(view, grown)

    def _by_equilibrium(self, view: View) -> Advice | None:
        most = reduced_game(view.rules, CHANCE).max_quantity
        if any(bid.quantity > most for bid in view.bids):  # never true, and not in the tree that was solved
            if any(bid.quantity <= most for bid in (view.bids[-1], *view.legal)):
                return None
            certain = [Fraction(action == CALL) for action in view.actions]
            return Advice(EQUILIBRIUM, view.actions, certain, certain)
        best = self.game(view.rules).best
        known = self._in_tree(view) if best.stored is None else self._on_public_tree(view, best.stored)
        basis = EQUILIBRIUM if best.stored is None else NEAR_EQUILIBRIUM
        return _advice_or_none(basis, view, known, best.judgement.max_regret or 0)

    def _in_tree(self, view: View) -> _Known | None:
        """For every action by its name how often the exact equilibrium takes it and what it is worth."""
        game = self.game(view.rules)
        page = after_history.after(game.best.in_tree, [str(bid) for bid in view.bids], roll_place(view))
        (row,) = page.rows
        if row.values is None:
            return None
        return {name: (share, value) for name, share, value in zip(page.actions, row.probabilities, row.values, strict=True)}

    def _on_public_tree(self, view: View, found: Stored) -> _Known | None:
        """The same of the strategies that a minimiser found."""
        from liarsdice_cli.solvers.public_tree.values import Values  # imports numba

        if view.rules not in self._values:
            self._values[view.rules] = Values(found)
        state = BettingState.parse(found.rules, [str(bid) for bid in view.bids])
        return _known(self._values[view.rules].after(state.history), view)


def _known(reading: RollsAfter, view: View) -> _Known | None:
    """What a reading says of the player's roll, its values as probabilities of not losing."""
    if reading.values is None:
        return None
    lost, won = map(float, reading.rules.payoffs_when_losing(0)[:2])
    names = reading.state.action_names
    shares, values = (table[:, roll_place(view)].tolist() for table in (reading.probabilities, reading.values))
    return {name: (share, (value - lost) / (won - lost)) for name, share, value in zip(names, shares, values, strict=True)}


def _advice_or_none(basis: str, view: View, known: _Known | None, regret: Number = 0, file: str = "") -> Advice | None:
    """The advice that these numbers are, if there are any; actions of which nothing is known are never taken, and lose."""
    if known is None:
        return None
    said = [known.get(view.rules.action_name(action), (Fraction(0), Fraction(0))) for action in view.actions]
    return Advice(basis, view.actions, [value for _, value in said], [share for share, _ in said], regret, file)


def roll_place(view: View) -> int:
    """Which of all rolls is the player's."""
    return [roll for roll, _ in view.rules.rolls(view.player)].index(view.roll)


def _at_showdown(view: View, action: int) -> Number:
    """The probability of winning if the action ends the round: a call, spot-on, or a bid that is called."""
    if action >= 0:
        return view.probability(view.rules.bids[action])
    assert view.last is not None, "there is a bid to call"
    return 1 - view.probability(view.last) if action == CALL else view.probability_exact(view.last)
