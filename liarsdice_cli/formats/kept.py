"""Solutions that a user keeps for the bots and the coach: strategy files in one folder, found by the rules of their game."""

from __future__ import annotations

import os
import re
from hashlib import sha256
from pathlib import Path

import click

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.games.liarsdice.payoffs import payoff_range
from liarsdice_cli.games.liarsdice.rules import Rules

FOR_BOTS = "bots"
"""The name of an output that stands for the file of the solved game."""
FOLDER = "LIARSDICE_SOLUTIONS"
"""The environment variable that names the folder. By default it is in the user's own folder for this program."""


def folder() -> Path:
    """Return the folder of kept solutions, which need not exist."""
    return Path(os.environ.get(FOLDER) or Path(click.get_app_dir("liarsdice"), "solutions"))


def file_of(rules: Rules) -> str:
    """Return the name of the file in which the solution of a game is kept; it does not depend on payoffs and impossible bids.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> Path(file_of(rules("common", 6, (2, 2)))).name
    'common-6-sides-dice-2-2-a332b2a0.ldz'
    """
    played = str(rules.without_impossible_bids()).removesuffix(f", payoffs {rules.payoffs}")
    name = re.sub(r"[^a-z0-9]+", "-", played.replace(" rules,", ""))
    return str(folder() / f"{name}-{sha256(played.encode()).hexdigest()[:8]}.ldz")


def is_kept(rules: Rules) -> bool:
    """Return whether the solution of a game is kept."""
    return Path(file_of(rules)).is_file()


def exploitability(rules: Rules) -> float | None:
    """Return the exploitability of the kept solution in payoffs of these rules; its largest regret for more players.

    It is None if no solution is kept, or its file is damaged or from another version.
    """
    from liarsdice_cli.formats.registry import read_strategy

    if not is_kept(rules):
        return None
    try:
        found = read_strategy(file_of(rules))
    except LiarsDiceError:
        return None
    return found.origin.exploitability * float(payoff_range(rules) / payoff_range(found.rules))


def place_for(rules: Rules) -> str:
    """Return `file_of`, in a folder that exists now; LiarsDiceError if it cannot be made."""
    try:
        folder().mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LiarsDiceError(
            f"cannot save a solution in {folder()}: {error.strerror or error}; set another folder in {FOLDER}"
        ) from error
    return file_of(rules)
