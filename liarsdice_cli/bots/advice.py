"""The values of actions, to advise a player before a move and to price the move afterwards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from liarsdice_cli.bots.equilibrium import OfFile, is_solvable, kept_solution, solved
from liarsdice_cli.bots.protocol import Bot, View
from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive import after_history
from liarsdice_cli.extensive.number import Number
from liarsdice_cli.games.bidding import CALL
from liarsdice_cli.games.liarsdice import continuations
from liarsdice_cli.games.liarsdice.beliefs import RollsAfter
from liarsdice_cli.games.liarsdice.payoffs import payoff_range, wins_at
from liarsdice_cli.games.liarsdice.rules import FEWEST_NODES, Rules
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
SAFE = "safe"
ROLLOUTS = "rollouts"

Known = dict[str, tuple[Number, Number]]
"""The probability and the value of every action, by its name."""


@dataclass(frozen=True)
class Advice:
    """The value of each action to the player to move: the probability of not losing the round.

    basis         : the strategies that all players follow after the action. EQUILIBRIUM: the exact equilibrium;
                    NEAR_EQUILIBRIUM: an ε-equilibrium; FILE: a strategy file; RESOLVED: the solution of the rest of the
                    round; SAFE: a solution that is safe whatever dice the opponent has, with values for fair dice;
                    ROLLOUTS: models of the others; SHOWDOWN: the next player calls every bid
    actions       : as `View.actions`; with RESOLVED, those whose values are known
    values        : the value of each action
    probabilities : the probability of each action in the strategy; None with SHOWDOWN
    regret        : the largest regret of a player in the strategies, as a probability; 0 if the equilibrium is exact
    file          : the name of the file; "" without one
    """

    basis: str
    actions: Sequence[int]
    values: Sequence[Number]
    probabilities: Sequence[Number] | None
    regret: Number = 0
    file: str = ""

    @property
    def best(self) -> int:
        """The action of the highest value; among several, the one with the highest probability.

        With SAFE the most frequent action: another one may be better against fair dice, and cost more against others.
        """
        shares = self.probabilities or [0] * len(self.actions)
        if self.basis == SAFE:
            return max(zip(shares, self.values, self.actions, strict=True))[2]
        return max(zip(self.values, shares, self.actions, strict=True), key=lambda one: one[:2])[2]

    def cost(self, action: int) -> Number:
        """Return by how much the value of an action is below that of the best one; with SAFE at least 0."""
        best, value = (self.values[self.actions.index(one)] for one in (self.best, action))
        return max(best - value, 0 * value)


@dataclass(eq=False)
class Adviser:
    """Advise from the strategy file of one of the bots, from kept solutions, or from equilibria, solved once for each game.

    file : the bot that plays from a file, or None

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
        """Return the adviser for a table: with the first of these bots that plays from a file."""
        return cls(next((one for one in seated if isinstance(one, OfFile)), None))

    def knows(self, rules: Rules) -> bool:
        """Return whether there is a file for this game, or the game is small enough to be solved."""
        return self._file_of(rules) is not None or is_solvable(rules)

    def game(self, rules: Rules) -> Solution:
        """Return the solution of a game; the first call solves it."""
        if rules not in self._solved:
            self._solved[rules] = solved(rules)
        return self._solved[rules]

    def advice(self, view: View) -> Advice:
        """Return advice from a file or an equilibrium that reaches this view; otherwise from showdowns."""
        if view not in self._given:
            self._given[view] = self._advice(view)
        return self._given[view]

    def _advice(self, view: View) -> Advice:
        found = None
        file = self._file_of(view.rules)
        if file is not None:
            found = advice_or_none(FILE, view, self._in_file(view, file.strategy(view.rules)), file=file.file)
        elif is_solvable(view.rules):
            found = self._by_equilibrium(view)
        if found is not None:
            return found
        return Advice(SHOWDOWN, view.actions, [_at_showdown(view, action) for action in view.actions], None)

    def _file_of(self, rules: Rules) -> OfFile | None:
        """Return the bot with a file for the game: that of the table, or the kept solution."""
        try:
            if self.file is not None and self.file.strategy(rules):
                return self.file
        except LiarsDiceError:
            pass  # it is for another game
        return kept_solution(rules)

    def _in_file(self, view: View, kept: Strategy) -> Known | None:
        from liarsdice_cli.strategies.stored import stored_in

        stored = stored_in(kept)
        if stored is None:
            return known_in(continuations.after(kept, view.history), view)
        if any(bid not in stored.rules.bids for bid in view.bids):  # an impossible bid, which is not in the file
            return None
        return self._on_public_tree(view, stored)

    def _by_equilibrium(self, view: View) -> Advice | None:
        best = self.game(view.rules).best
        basis = EQUILIBRIUM if best.stored is None else NEAR_EQUILIBRIUM
        regret = (best.judgement.max_regret or 0) / payoff_range(view.rules)
        most = reduced_game(view.rules, FEWEST_NODES).max_quantity
        if any(bid.quantity > most for bid in view.bids):  # an impossible bid, which is not in the solved tree
            if any(bid.quantity <= most for bid in (view.bids[-1], *view.legal)):
                return None
            certain = [Fraction(action == CALL) for action in view.actions]
            return Advice(basis, view.actions, certain, certain, regret)
        known = self._in_tree(view) if best.stored is None else self._on_public_tree(view, best.stored)
        return advice_or_none(basis, view, known, regret)

    def _in_tree(self, view: View) -> Known | None:
        """Return the probabilities of the exact equilibrium, and the values as probabilities of not losing."""
        game = self.game(view.rules)
        page = after_history.after(game.best.in_tree, [str(bid) for bid in view.bids], view.roll_index)
        (row,) = page.rows
        if row.values is None:
            return None
        wins = [wins_at(view.rules, value) for value in row.values]
        return {name: (share, value) for name, share, value in zip(page.actions, row.probabilities, wins, strict=True)}

    def _on_public_tree(self, view: View, found: Stored) -> Known | None:
        """Return the probabilities and values of strategies on the public tree."""
        from liarsdice_cli.solvers.public_tree.values import Values  # imports numba

        if view.rules not in self._values:
            self._values[view.rules] = Values(found)
        state = BettingState.parse(found.rules, [str(bid) for bid in view.bids])
        return known_in(self._values[view.rules].after(state.history), view)


def known_in(reading: RollsAfter, view: View) -> Known | None:
    """Return the numbers of the player's roll, with values as probabilities of not losing; None if play never gets there."""
    if reading.values is None:
        return None
    names = reading.state.action_names
    shares, values = (table[:, view.roll_index].tolist() for table in (reading.probabilities, reading.values))
    return {name: (share, wins_at(reading.rules, value)) for name, share, value in zip(names, shares, values, strict=True)}


def advice_or_none(basis: str, view: View, known: Known | None, regret: Number = 0, file: str = "") -> Advice | None:
    """Return the advice of these numbers, if there are any; an action without numbers has probability and value 0."""
    if known is None:
        return None
    said = [known.get(view.rules.action_name(action), (Fraction(0), Fraction(0))) for action in view.actions]
    return Advice(basis, view.actions, [value for _, value in said], [share for share, _ in said], regret, file)


def _at_showdown(view: View, action: int) -> Number:
    """Return the probability of winning if the round ends: by a call, by spot-on, or by a call of the bid."""
    if action >= 0:
        return view.probability(view.rules.bids[action])
    assert view.last is not None, "there is a bid to call"
    return 1 - view.probability(view.last) if action == CALL else view.probability_exact(view.last)
