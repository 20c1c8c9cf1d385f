"""The values of actions, to advise a person before a move and to say afterwards what it cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from liarsdice_cli.bots.equilibrium import CHANCE, is_solvable, solved
from liarsdice_cli.bots.protocol import View
from liarsdice_cli.extensive import after_history
from liarsdice_cli.extensive.number import Number
from liarsdice_cli.games.liarsdice.grown import GrownStrategy
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.strategy import CALL, action_name, actions, history_of
from liarsdice_cli.games.liarsdice.tree import reduced_game
from liarsdice_cli.solvers.solution import Solution

if TYPE_CHECKING:
    from liarsdice_cli.solvers.public_tree.values import Values

EQUILIBRIUM = "equilibrium"
NEAR_EQUILIBRIUM = "near equilibrium"
SHOWDOWN = "showdown"

_Known = dict[str, tuple[Number, Number]]
"""For the name of every action how often it is taken, and its value."""


@dataclass(frozen=True)
class Advice:
    """The value of each action to the player who moves, in the probability of not losing the round.

    basis         : EQUILIBRIUM, where the other plays the exact equilibrium and so does the player after this action;
                    NEAR_EQUILIBRIUM, the same with an ε-equilibrium of any number of players; or SHOWDOWN, as if every bid
                    were called at once
    actions       : as `View.actions`
    values        : of each action
    probabilities : with which the equilibrium takes each; None on the basis of showdowns
    regret        : what anybody could gain at most where the equilibrium is not exact, else 0
    """

    basis: str
    actions: Sequence[int]
    values: Sequence[Number]
    probabilities: Sequence[Number] | None
    regret: Number = 0

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
        self._values: dict[Rules, Values] = {}

    def knows(self, rules: Rules) -> bool:
        """Whether the game has an equilibrium that can be found here."""
        return is_solvable(rules)

    def game(self, rules: Rules) -> Solution:
        """The game solved; the first time takes a moment."""
        if rules not in self._solved:
            self._solved[rules] = solved(rules)
        return self._solved[rules]

    def advice(self, view: View) -> Advice:
        """By an equilibrium, where one is found and the others can come here in it; else by showdowns."""
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
        best = self.game(view.rules).best
        known = self._in_tree(view) if best.averages is None else self._on_public_tree(view, best.averages)
        if known is None:
            return None
        said = [known.get(action_name(view.rules, action), (Fraction(0), Fraction(0))) for action in view.actions]
        basis = EQUILIBRIUM if best.averages is None else NEAR_EQUILIBRIUM
        return Advice(
            basis, view.actions, [value for _, value in said], [share for share, _ in said], best.judgement.max_regret or 0
        )

    def _in_tree(self, view: View) -> _Known | None:
        """For every action by its name how often the exact equilibrium takes it and what it is worth."""
        game = self.game(view.rules)
        page = after_history.after(game.best.in_tree, [str(bid) for bid in view.bids], _place(view))
        (row,) = page.rows
        if row.values is None:
            return None
        return {name: (share, value) for name, share, value in zip(page.actions, row.probabilities, row.values, strict=True)}

    def _on_public_tree(self, view: View, found: GrownStrategy) -> _Known | None:
        """The same of the strategies that a minimiser found."""
        from liarsdice_cli.solvers.public_tree.values import Values  # imports numba

        if view.rules not in self._values:
            self._values[view.rules] = Values(found)
        page = self._values[view.rules].after(history_of(found.rules, [str(bid) for bid in view.bids]))
        if page.values is None:
            return None
        names = [action_name(found.rules, action) for action in actions(found.rules, page.history)]
        columns = page.probabilities[:, _place(view)].tolist(), page.values[:, _place(view)].tolist()
        return {name: (share, value) for name, share, value in zip(names, *columns, strict=True)}


def _place(view: View) -> int:
    """Which of all rolls is the player's."""
    return [roll for roll, _ in view.rules.rolls(view.player)].index(view.roll)


def _at_showdown(view: View, action: int) -> Number:
    """The probability of winning if the action ends the round: a call, or a bid that is called."""
    if action == CALL:
        assert view.last is not None, "there is a bid to call"
        return 1 - view.probability(view.last)
    return view.probability(view.rules.bids[action])
