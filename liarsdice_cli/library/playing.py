"""Play bots against each other, or against a person or program."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from liarsdice_cli.arena.games import AnyBot
from liarsdice_cli.arena.one_by_one import ready
from liarsdice_cli.arena.session import Session
from liarsdice_cli.arena.tournament import Result, Tournament, check, run
from liarsdice_cli.bots import specs
from liarsdice_cli.bots.protocol import Bot, Policy
from liarsdice_cli.errors import Argument, UsageError, check_number, check_time_limit, check_type, checked_items
from liarsdice_cli.games.liarsdice.match_rules import MatchRules
from liarsdice_cli.games.liarsdice.rules import Rules, check_rules
from liarsdice_cli.progress import SILENT, Progress, check_progress
from liarsdice_cli.system.cluster_names import cluster as workers_of

SECONDS = 5.0
"""The time limit for a move of a user's bot."""
_BOTS = "give names of bots or policies in a list, such as ['honest', 'random']"


def tournament(
    rules: Rules,
    bots: Sequence[str | Policy],
    *,
    rounds: int = 10_000,
    match: bool = False,
    palifico: bool | None = None,
    spot_on_gains: bool = False,
    spot_on_by: str = "next",
    seed: int | None = None,
    cluster: str | None = None,
    time_limit: float = SECONDS,
    progress: Progress = SILENT,
) -> Result:
    """Play every bot against every other; return win rates with intervals, and ratings.

    With three or more players, every combination of bots plays.

    bots          : names, as on the command line ("honest", "zero-intelligence:0.3", "package.module:Class"), or policies
    rounds        : the number of games of each combination, rounded up to a multiple of the players, because every deal is
                    played from every seat
    match         : whether a game is a match: the loser of each round gives up a die, until only one player has dice
    palifico      : whether a player who drops to one die in a match opens a round with no wild face and a fixed face; None for
                    the preset's own rule
    spot_on_gains : whether a right spot-on claim wins back a die in a match, and no player loses one
    spot_on_by    : the players who may claim spot-on: "next" for the next player, "any" for all but the bidder
    seed          : the random seed; None for a new one, which is in the result
    cluster       : where the games are played: "local:4" for four processes here, or a Ray cluster; None for this process
    time_limit    : the time limit in seconds for a move of a user's bot
    progress      : reports the games played

    Raises LiarsDiceError if a bot cannot play these rules, before the first game.

    >>> from liarsdice_cli import rules, tournament
    >>> result = tournament(rules("common", 6), ["honest", "random"], rounds=1000, seed=1)
    >>> result.standings()[0].rate > 0.6
    True
    """
    _check(rules, seed, time_limit)
    check_number("rounds", rounds, 1, optional=False)
    check_type("cluster", cluster, str | None, "give the workers as text, such as 'local:2', or leave it out")
    check_progress(progress)
    asked = tuple(_bot(one, time_limit) for one in checked_items("bots", bots, AnyBot | str, _BOTS))
    match_rules = MatchRules.of(rules.name, rules.spot_on, palifico, spot_on_gains, spot_on_by, match)
    seed = _new_seed() if seed is None else seed
    whole = Tournament(rules, asked, -(-rounds // rules.players), match, seed, match_rules)
    return run(whole, workers_of(cluster), progress)


@contextmanager
def play(
    rules: Rules,
    player: Bot,
    bots: Sequence[str | Policy] = (),
    *,
    rounds: int = 5,
    match: bool = False,
    palifico: bool | None = None,
    spot_on_gains: bool = False,
    spot_on_by: str = "next",
    seed: int | None = None,
    time_limit: float = SECONDS,
) -> Iterator[Session]:
    """Return a context with a session in which `player` plays against bots. It has the first seat and opens the first round.

    player : an object whose method `act(view, generator)` returns an action. With a method `claims(view)` it may also claim
             spot-on out of turn
    bots   : as in `tournament`, one for each other seat; a single one takes all other seats, and by default it is "honest"
    rounds : the number of rounds. A match ignores it: it ends when `player` or all others have no dice
    match, palifico, spot_on_gains, spot_on_by, seed, time_limit : as in `tournament`

    Raises UsageError if the number of bots does not fit the seats, and LiarsDiceError if a bot cannot play these rules.

    >>> from liarsdice_cli.bots.simple import Random
    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> with play(rules("common", 6), Random(), rounds=3, seed=1) as session:
    ...     while (dealt := session.deal()) is not None:
    ...         end = session.play(dealt)
    >>> len(session.losers)
    3
    """
    _check(rules, seed, time_limit)
    check_number("rounds", rounds, 1, optional=False)
    if not callable(getattr(player, "act", None)):
        raise UsageError(Argument("player"), f" is of the type {type(player).__name__}: give an object with a method act")
    sitting = checked_items("bots", bots, AnyBot | str, _BOTS)
    seated = [_bot(one, time_limit) for one in _seated(sitting, rules.players - 1)]
    for one in seated:
        check(one, rules, match)
    match_rules = MatchRules.of(rules.name, rules.spot_on, palifico, spot_on_gains, spot_on_by, match)
    dealing, acting, *making = np.random.SeedSequence(seed).spawn(2 + len(seated))
    generators = np.random.default_rng(dealing), np.random.default_rng(acting)
    with ready(seated, making):
        yield Session(rules, [player, *seated], None if match else rounds, *generators, match_rules)


def _check(rules: Rules, seed: int | None, time_limit: float) -> None:
    """Raise UsageError for arguments of wrong types that `tournament` and `play` have in common."""
    check_rules(rules)
    check_number("seed", seed, 0)
    check_time_limit(time_limit, optional=False)


def _seated(bots: Sequence[str | Policy], seats: int) -> list[str | Policy]:
    """Return the bots in the seats."""
    if len(bots) < 2:
        return [*bots, "honest"][:1] * seats
    if len(bots) != seats:
        raise UsageError(
            Argument("dice"),
            f" has {seats} seat(s) besides yours, but {len(bots)} bots are named: give a number of dice to each",
        )
    return list(bots)


def _bot(one: str | Policy, seconds: float) -> AnyBot:
    return specs.bot(one, seconds) if isinstance(one, str) else one


def _new_seed() -> int:
    import secrets

    return secrets.randbits(32)
