"""Whether the arrays of a game fit into the machine."""

from __future__ import annotations

from collections.abc import Callable

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.games.public_game import PublicGame
from liarsdice_cli.solvers.public_tree.solver import bytes_needed
from liarsdice_cli.solvers.regret.minimisers import Minimiser
from liarsdice_cli.system.memory import available, size

__all__ = ["available", "check", "fits"]


def fits(game: PublicGame, minimiser: Minimiser) -> bool:
    """Whether there is memory for the arrays now."""
    return bytes_needed(game, minimiser) <= available()


def check(game: PublicGame, minimiser: Minimiser, cure: Callable[[], str]) -> None:
    """Refuse a game whose arrays do not fit: LiarsDiceError with both figures.

    cure : says what to do instead
    """
    if not fits(game, minimiser):
        raise LiarsDiceError(
            f"the arrays of {minimiser.name} for this game take {size(bytes_needed(game, minimiser))}, and "
            f"{size(available())} are free: {cure()}"
        )
