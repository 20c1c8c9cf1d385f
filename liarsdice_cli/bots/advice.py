"""The values of actions, to advise a person before a move and to say afterwards what it cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from liarsdice_cli.bots.equilibrium import CHANCE, is_solvable, solved
from liarsdice_cli.bots.protocol import View
from liarsdice_cli.extensive import after_history
from liarsdice_cli.extensive.number import Number
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.strategy import CALL, action_name
from liarsdice_cli.games.liarsdice.tree import reduced_game
from liarsdice_cli.solvers.solution import Solution

EQUILIBRIUM = "equilibrium"
SHOWDOWN = "showdown"


@dataclass(frozen=True)
class Advice:
    """The value of each action to the player who moves, in the probability of winning the round.

    basis         : EQUILIBRIUM, where the other plays the equilibrium and so does the player after this action; or SHOWDOWN, as
                    if every bid were called at once
    actions       : as `View.actions`
    values        : of each action
    probabilities : with which the equilibrium takes each; None on the basis of showdowns
    """

    basis: str
    actions: Sequence[int]
    values: Sequence[Number]
    probabilities: Sequence[Number] | None

    @property
    def best(self) -> int:
        """An action of the highest value; of several, one that the equilibrium takes."""
        shares = self.probabilities or [0] * len(self.actions)
        return max(zip(self.values, shares, self.actions, strict=True), key=lambda one: one[:2])[2]

    def cost(self, action: int) -> Number:
        """How much less than the best an action is worth."""
        return max(self.values) - self.values[self.actions.index(action)]


class Adviser:
    """Knows the equilibria of the games that it was asked about.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> advice = Adviser().advice(View(rules("common", 6), (3,), (2,)))
    >>> advice.basis, str(advice.cost(CALL)), str(advice.cost(3))
    ('equilibrium', '1', '1')
    """

    def __init__(self) -> None:
        self._solved: dict[Rules, Solution] = {}

    def knows(self, rules: Rules) -> bool:
        """Whether the game has an equilibrium that can be found here."""
        return is_solvable(rules)

    def game(self, rules: Rules) -> Solution:
        """The game solved; the first time takes a moment."""
        if rules not in self._solved:
            self._solved[rules] = solved(rules)
        return self._solved[rules]

    def advice(self, view: View) -> Advice:
        """By the equilibrium, where there is one and the other can come here in it; else by showdowns."""
        if self.knows(view.rules):
            found = self._by_equilibrium(view)
            if found is not None:
                return found
        return Advice(SHOWDOWN, view.actions, [_at_showdown(view, action) for action in view.actions], None)

    def _by_equilibrium(self, view: View) -> Advice | None:
        most = reduced_game(view.rules, CHANCE).max_quantity
        if any(bid.quantity > most for bid in view.bids):  # never true, and not in the tree that was solved
            if any(bid.quantity <= most for bid in (view.bids[-1], *view.legal)):
                return None
            certain = [Fraction(action == CALL) for action in view.actions]
            return Advice(EQUILIBRIUM, view.actions, certain, certain)
        game = self.game(view.rules)
        place = [roll for roll, _ in view.rules.rolls(view.player)].index(view.roll)
        page = after_history.after(game.problem.tree, game.best.in_tree, [str(bid) for bid in view.bids], place)
        (row,) = page.rows
        if row.values is None:
            return None
        known = {name: (share, value) for name, share, value in zip(page.actions, row.probabilities, row.values, strict=True)}
        said = [known.get(action_name(view.rules, action), (Fraction(0), Fraction(0))) for action in view.actions]
        return Advice(EQUILIBRIUM, view.actions, [value for _, value in said], [share for share, _ in said])


def _at_showdown(view: View, action: int) -> Number:
    """The probability of winning if the action ends the round: a call, or a bid that is called."""
    if action == CALL:
        assert view.last is not None, "there is a bid to call"
        return 1 - view.probability(view.last)
    return view.probability(view.rules.bids[action])
