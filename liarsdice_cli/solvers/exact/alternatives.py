"""Other equilibria: the largest probability of an action in any equilibrium, proved by linear programs.

The optimal plans of a player form a polytope. The largest ratio of an action's weight to that of the player's action before it,
over all optimal plans that reach the information set, is a linear program after scaling (Charnes and Cooper 1962). If the ratio
is 1, another equilibrium always takes the action. If it is less, no equilibrium that reaches the set takes it more often.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import inf

import numpy as np

from liarsdice_cli.extensive.evaluate import realization
from liarsdice_cli.extensive.profile import Profile
from liarsdice_cli.extensive.recall import sets_before
from liarsdice_cli.extensive.stream import NONE, Numbers
from liarsdice_cli.solvers.exact.perturbed import PerturbedProgram, Slack
from liarsdice_cli.solvers.exact.reduction import unreduced
from liarsdice_cli.solvers.exact.sequence_form import SequenceForm, require_sequence_form, sequence_form

_WORK = 100_000
"""The most columns of all programs together, which take some seconds. The clock does not decide which actions are examined."""


class Alternatives:
    """The other equilibria of a game, given one in fractions.

    Raises LiarsDiceError for games that are not of two players with constant sum and perfect recall. Cost: the sequence form.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> from liarsdice_cli.solvers.ladder import solve
    >>> profile = solve(rules("common", 2)).profile
    >>> row = profile.tree.row_called("P1 roll 2 opening")
    >>> {action: str(largest) for action, largest in Alternatives(profile).largest_probabilities([row])[row].items()}
    {'1x2': '1', '2x2': '1'}
    """

    def __init__(self, profile: Profile) -> None:
        self.profile, self.tree = profile, profile.tree
        require_sequence_form(self.tree, "looking for other equilibria")
        form = sequence_form(self.tree, unreduced(self.tree))
        plans = [self._plan(form, player) for player in (0, 1)]
        program = PerturbedProgram(form, trembles=False)
        above, best = program.slack((plans[0], plans[1]))
        mirrored = PerturbedProgram(_mirrored(form), trembles=False)
        self._programs = ((mirrored, Slack(above[::-1], best[::-1])), (program, Slack(above, best)))
        self._sides = form.sides
        self._known = [plans[0][:, 0]], [plans[1][:, 0]]  # optimal plans of both players

    def largest_probabilities(self, rows: Iterable[int]) -> dict[int, Mapping[str, Fraction]]:
        """Return the largest probability in any equilibrium of each action that the profile never takes but that costs nothing.

        rows : information sets, the most important first; those that the player's own actions never reach are skipped

        The keys are the row of the set and the label of the action. Actions without a proof are left out. Cost: a linear
        program per action, until `_WORK` is done.
        """
        found: dict[int, Mapping[str, Fraction]] = {}
        left = _WORK
        for row in rows:
            if left <= 0:
                break
            largest, work = self._at(row, left)
            left -= work
            if largest:
                found[row] = largest
        return found

    def _at(self, row: int, most: int) -> tuple[dict[str, Fraction], int]:
        """Return the largest probabilities at a set, and the number of columns of the programs that were solved.

        most : the number of columns after which no further program is solved
        """
        player = int(self.tree.infosets.player[row])
        side, known = self._sides[player], self._known[player]
        (number,) = np.flatnonzero(side.rows == row).tolist() or [NONE]
        before = int(side.before[number])
        if number == NONE or not known[0][before]:
            return {}, 0
        found, work = {}, 0
        for sequence in (1 + np.flatnonzero(side.set == number)).tolist():
            if known[0][sequence] or not self._programs[player][1].best[1][sequence]:
                continue
            if not any(plan[before] and plan[sequence] == plan[before] for plan in known):
                if work >= most:
                    break
                work += self._programs[player][0].columns
                if not self._maximise(player, sequence, before):
                    continue
            action = int(side.action[sequence - 1]) - int(self.tree.first_action[row])
            ratio = max(Fraction(plan[sequence]) / plan[before] for plan in known if plan[before])
            found[self.tree.actions_at(row).names[action]] = ratio
        return found, work

    def _maximise(self, player: int, sequence: int, before: int) -> bool:
        """Add the optimal plan with the largest ratio of a sequence to the known ones; return whether it was found."""
        program, slack = self._programs[player]
        plan = program.largest_ratio_plan(sequence, before, slack, inf)
        if plan is not None:
            self._known[player].append(plan)
        return plan is not None

    def _plan(self, form: SequenceForm, player: int) -> Numbers:
        """Return the realization plan of the profile as a column of Fractions."""
        weights = realization(self.tree, self.profile.probabilities, sets_before(self.tree, player), player)
        return np.array([Fraction(1), *weights[form.sides[player].action].tolist()], object)[:, None]


def _mirrored(form: SequenceForm) -> SequenceForm:
    """Return the same game with the players exchanged."""
    one, two = form.sides
    return SequenceForm((two, one), form.second, form.first, -form.payoff, form.scale)
