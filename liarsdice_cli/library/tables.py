"""Tables of values, and win probabilities of matches: many games, each solved by `studies.valuation.value`."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import closing
from fractions import Fraction
from numbers import Integral
from typing import TYPE_CHECKING, Any

from liarsdice_cli.errors import Argument, ArgumentError, UsageError, check_type, checked_items
from liarsdice_cli.games.liarsdice.match_rules import MatchRules
from liarsdice_cli.games.liarsdice.presets import CHANGES
from liarsdice_cli.games.liarsdice.rules import Rules, rules
from liarsdice_cli.games.liarsdice.table import Table
from liarsdice_cli.progress import SILENT, Progress, check_progress
from liarsdice_cli.solvers.regret.convergence import Limits
from liarsdice_cli.solvers.request import Request
from liarsdice_cli.studies import endless, match_of_more, valuation
from liarsdice_cli.studies import match as matches
from liarsdice_cli.studies.match import Match
from liarsdice_cli.studies.match_of_more import MatchOfMore
from liarsdice_cli.studies.valuation import Valuation
from liarsdice_cli.studies.value_table import ValueTable

if TYPE_CHECKING:
    from liarsdice_cli.system.cluster import Cluster

_NO_VALUE = (
    "values are for two players, because equilibria of three or more players can have different payoffs; "
    "give two numbers, such as 2,1, or use liarsdice solve for one game"
)


def grid(
    names: Sequence[str],
    sides: Sequence[int],
    dice: Sequence[tuple[int, ...]],
    payoffs: str = "win",
    **changes: Any,
) -> list[Rules]:
    """Return all games of these presets, dice and sides, each once: sides change first, then dice, then presets.

    changes : rule fields for every game, as `rules` takes them; None for the preset's own

    Raises UsageError for rules that describe no game, and for more than two players, whose games have no value.

    >>> from liarsdice_cli import grid
    >>> [str(game) for game in grid(["joker"], [2, 3], [(2, 1)], "win")]
    ['joker rules, 2 sides, dice 2,1, payoffs win', 'joker rules, 3 sides, dice 2,1, payoffs win']
    """
    names = checked_items("names", names, str, "give presets in a list, such as ['joker']")
    sides = checked_items("sides", sides, Integral, "give numbers in a list, such as [2, 3]")
    dice = checked_items("dice", dice, Sequence, "give a pair for each game in a list, such as [(1, 1)]")
    for players in dice:
        if len(players) != 2:
            raise ArgumentError("dice", tuple(players), _NO_VALUE)
    shapes = ((name, side, one) for name in names for one in dice for side in sides)
    for name in changes:
        if name not in CHANGES:
            raise UsageError(f"{name} is not a rule: leave it out, or choose from {', '.join(CHANGES)}")
    given = {field: value for field, value in changes.items() if value is not None}
    games = (rules(*shape, payoffs=payoffs, **given) for shape in shapes)
    return list(dict.fromkeys(games))


def values(
    games: Sequence[Rules],
    *,
    table: ValueTable | None = None,
    progress: Progress = SILENT,
    **asked: Any,
) -> ValueTable:
    """Return the values of two-player games for player 1: exact fractions if that is quick, otherwise proved bounds.

    games    : rules, as `grid` lists them
    table    : what is known already, and the file in which all is kept as soon as it is known; what is known within the
               target is not solved again
    progress : receives the bounds of each game, in a stage for each, and counts the games that workers solve; a message says
               when the file of the table can no longer be written
    asked    : options of `solve`: `method`, `target`, `time_limit` for each game, `exact_max_nodes`, `threads`; with `cluster`
               each worker solves one game at a time

    Raises UsageError for other than two players, KeyboardInterrupt on Ctrl-C; what is done is in the table.

    >>> from liarsdice_cli import rules, values
    >>> [str(one.value) for one in values([rules("joker", sides, payoffs="zero-sum") for sides in (2, 3, 4)])]
    ['1', '1/3', '0']
    """

    from liarsdice_cli.system.cluster_names import cluster as workers_of

    games = checked_items("games", games, Rules, "give rules in a list, such as grid(['joker'], [2, 3], [(1, 1)])")
    _check_table(table)
    check_progress(progress)
    request, table = Request().updated(**asked), table or ValueTable()
    valuation.check(request)
    missing = [game for game in games if not table.settles(game, request.target)]
    table.expect(missing)
    place = workers_of(request.cluster)
    found = _one_by_one(missing, request, progress) if place is None else _on_workers(missing, request, place, progress)
    with closing(found) as solved:
        for one in solved:
            before = table.lost
            table.add(one)
            if table.lost and not before:
                progress.message(f"{table.lost}; solving continues")
    return table


def _check_table(table: object) -> None:
    check_type("table", table, ValueTable | None, "give a table of values, or leave it out")


def _one_by_one(games: Sequence[Rules], request: Request, progress: Progress) -> Generator[Valuation, None, None]:
    for number, game in enumerate(games, 1):
        progress.begin(f"game {number} of {len(games)}, {game}")
        yield valuation.value(game, request, progress)


def _on_workers(
    games: Sequence[Rules], request: Request, place: Cluster, progress: Progress
) -> Generator[Valuation, None, None]:
    progress.begin(f"solving {len(games)} games", len(games), "games")
    with closing(valuation.values(games, request, place)) as solved:
        for found in solved:
            progress.advance()
            yield found


def match(
    preset: str = "classic",
    sides: int = 6,
    dice: Sequence[int] = (2, 2),
    *,
    opener: str = "loser",
    palifico: bool | None = None,
    spot_on_gains: bool = False,
    table: ValueTable | None = None,
    **options: Any,
) -> Match | MatchOfMore:
    """Return the probabilities of winning a match from these dice on. The loser of a round gives up a die.

    opener   : the player who opens the next round: the "loser" or the "winner" of the last, or "alternate"
    palifico : whether a player who drops to one die opens a round without wild dice and with a fixed face; None for the
               preset's own
    spot_on_gains : whether a right spot-on claim wins back a die, for two players: the match is then valued by sweeps
               between bounds (see `studies.endless`), of which `target` is the distance
    table    : known values of rounds
    options  : rules of every round that differ from the preset (wild, max_quantity, order, wild_opening, stairs, fixed_face,
               spot_on), and the options of `values`

    With three or more players the result is a `MatchOfMore`: no value, but the chances if all play each round as if staying
    in were all that counts. Raises UsageError for rules that describe no game. Cost: that of all rounds.

    >>> from liarsdice_cli import match
    >>> match("joker", 2, (2, 1)).won_by_first(2, 1, 1).exact
    True
    """
    _check_table(table)
    dice = checked_items("dice", dice, Integral, "give a number for each player, such as (2, 2)")
    table = table or ValueTable()
    given = {field: options.pop(field) for field in CHANGES if field in options}
    changes = {field: value for field, value in given.items() if value is not None}
    match_rules = MatchRules.of(preset, changes.get("spot_on", False), palifico, spot_on_gains)
    matches.check(opener, match_rules)
    start = Table.start(rules(preset, sides, dice, **changes), match_rules)
    if match_rules.spot_on_gains or len(dice) > 2:
        return _without_values(start, opener, options)
    games = matches.as_known(matches.stages(start), table)
    values(games, table=table, **options)
    return Match(start, opener, [one for one in map(table.get, games) if one is not None])


def _without_values(start: Table, opener: str, options: dict[str, Any]) -> Match | MatchOfMore:
    """Return a match whose rounds cannot be valued one by one."""
    progress: Progress = options.pop("progress", SILENT)
    request = Request().updated(**options)
    if len(start.dice) > 2:
        if start.match_rules.spot_on_gains:
            raise UsageError(Argument("spot_on_gains"), " is computed only for two players: give two numbers of dice")
        return match_of_more.match_of_more(start, opener, request, progress)
    request.check_uses(["target"], Argument("spot_on_gains", True))
    Limits(request.target)  # refuses a target that cannot be met
    asked = request.target
    target = endless.TARGET if asked is None else Fraction(asked)
    return matches.endless_match(start, opener, target, progress)
