"""Whether the arrays of a game on the public tree fit into the machine."""

from __future__ import annotations

from dataclasses import replace

from liarsdice_cli.errors import Argument, LiarsDiceError
from liarsdice_cli.games.liarsdice.public import public_game
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.public_game import PublicGame
from liarsdice_cli.solvers.public_tree.solver import bytes_needed
from liarsdice_cli.solvers.regret.minimisers import Minimiser
from liarsdice_cli.system.memory import available, size


def fits(game: PublicGame, minimiser: Minimiser) -> bool:
    """Whether there is memory for the arrays now."""
    return bytes_needed(game, minimiser) <= available()


class ShortageError(LiarsDiceError):
    """The arrays of a game do not fit; `figures` says why, the message also what to do."""

    def __init__(self, figures: str, *cure: str | Argument) -> None:
        super().__init__(f"{figures}: ", *cure)
        self.figures = figures


def check(rules: Rules, minimiser: Minimiser) -> None:
    """Refuse rules of which the arrays do not fit: ShortageError."""
    game = public_game(rules)
    if not fits(game, minimiser):
        needed, free = size(bytes_needed(game, minimiser)), size(available())
        figures = f"the arrays of {minimiser.name} for this game take {needed}, and {free} are free"
        raise ShortageError(figures, *_cure(rules, minimiser))


def _cure(rules: Rules, minimiser: Minimiser) -> tuple[str | Argument, ...]:
    """The largest game of the kind that would fit, in words."""
    fewer = Argument("sides"), " or ", Argument("dice")
    for quantity in range(rules.max_quantity - 1, 0, -1):
        if fits(public_game(replace(rules, max_quantity=quantity)), minimiser):
            return Argument("max_quantity", quantity), " would fit (another game), as may fewer ", *fewer
    return "lower ", *fewer
