"""A coach at a real table: it takes every bid, and recommends an action at the coached player's turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from numbers import Integral

from liarsdice_cli.arena.real_table import OVER, RealTable
from liarsdice_cli.bots.protocol import IllegalActionError, action_of
from liarsdice_cli.bots.recommending import Recommendation, recommend
from liarsdice_cli.bots.resolving import Resolving
from liarsdice_cli.bots.rollouts import Rollouts
from liarsdice_cli.bots.zero_intelligence.situation import Situation
from liarsdice_cli.errors import (
    Argument,
    ArgumentError,
    LiarsDiceError,
    UsageError,
    check_number,
    check_time_limit,
    check_type,
    checked_items,
)
from liarsdice_cli.games.bidding import FINAL_ACTION_NAMES, FINAL_ACTIONS
from liarsdice_cli.games.liarsdice.bids import Bid, typed_bid
from liarsdice_cli.games.liarsdice.dice import MOST_PLAYERS
from liarsdice_cli.games.liarsdice.match_rules import MatchRules
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.rules import rules as rules_of
from liarsdice_cli.library.probability import probability
from liarsdice_cli.report.play import Decision, bid_format, refusal
from liarsdice_cli.text import quoted

ME = "me"
"""The default name of the coached player."""
PRESET, DICE = "ones-low", 5
"""The default rules and number of dice."""
SECONDS = 1.5
"""The default time for a recommendation, so that it is shown within two seconds."""
DEALS = 4_000
"""The deals that rollouts play for a recommendation."""
_FACES = "give the face of each die, such as [3, 4]"
_SOLVING = 0.8
"""The share of the time for solving; the rest is for computing action values."""


@dataclass(frozen=True)
class _Moment:
    """The state that `undo` restores."""

    table: RealTable
    decided: tuple[tuple[Recommendation, Decision], ...] = ()


class Coach:
    """Follow a match at a real table and recommend actions. The function `coach` makes one.

    Faces are numbers, and a bid is a Bid or a text such as "2x3". Every method that enters something raises UsageError for an
    impossible entry and then changes nothing. `undo` takes back the last entry.
    """

    def __init__(self, table: RealTable, time_limit: float = SECONDS, iterations: int | None = None) -> None:
        self._moments = [_Moment(table)]
        self._resolving = Resolving("resolving", _SOLVING * time_limit, iterations)
        self._rollouts = Rollouts(deals=DEALS)
        self._found: tuple[RealTable, Recommendation] | None = None

    def __repr__(self) -> str:
        table = self.table
        return f"Coach({', '.join(table.names)}; {table.rules})"

    @property
    def table(self) -> RealTable:
        """The players with their dice, the bids of this round, and the player to move."""
        return self._moments[-1].table

    @property
    def decided(self) -> tuple[tuple[Recommendation, Decision], ...]:
        """The coached player's decisions, each with the recommendation for it."""
        return self._moments[-1].decided

    def dice(self, faces: Sequence[int]) -> None:
        """Enter the coached player's dice of this round, in any order."""
        self._then(self.table.with_own(checked_items("faces", faces, Integral, _FACES)))

    def hear(self, said: Bid | str) -> float | None:
        """Enter the action of the player to move: a bid, "call" or "spot-on". Return its cost if the coached player moves.

        The cost is the loss in the probability of not losing the round, compared with the best action. It is None for other
        players, before the coached player's dice are known, and for a bid without a known value.
        """
        table, view = self.table, self.table.view
        following = table.act(self._action(said))
        if not table.mine or table.own is None:
            self._then(following)
            return None
        found = self.recommendation()
        action = following.history[-1]
        self._moments.append(_Moment(following, (*self.decided, (found, Decision(table.number, view, action)))))
        return found.cost(action)

    def claim(self, name: str) -> None:
        """Enter that a player claims spot-on, by name or by its first letters; UsageError for a player who may not."""
        table, seat = self.table, self._seat("name", name)
        if seat == table.turn and table.history:
            self.hear("spot-on")
        else:
            self._then(table.claim(seat))

    def recommendation(self) -> Recommendation:
        """Return the recommended action, the value of every action, and the likely dice of the other players.

        Raises LiarsDiceError if another player is to move or the coached player's dice are not known. Cost: the time limit of
        the coach on the first call for a decision, nothing on later calls.
        """
        table = self.table
        if not table.mine:
            raise LiarsDiceError(OVER if table.turn is None else f"it is not your turn: {table.who(table.turn)} is to move")
        if table.own is None:
            raise LiarsDiceError("enter your dice first")
        if self._found is None or self._found[0] != table:
            self._found = table, recommend(self._bot, table.view)
        return self._found[1]

    def prepare(self) -> None:
        """Solve the game or the opening before the first bid, so that the first recommendation needs no wait.

        Cost: eight time limits of the coach, or the seconds in which a small game is solved, once for each number of dice.
        """
        if self.table.turn is None:
            return
        self._bot.check(self.table.rules)
        if isinstance(self._bot, Resolving) and self._bot.resolves_every_decision(self.table.rules):
            from liarsdice_cli.solvers.public_tree.values import Values  # imports numba

            Values(self._bot.resolver(self.table.rules).solved(()).strategy).after(())  # compiles the computation of values

    def probability(self) -> Situation:
        """Return the result of `ld.probability` for the coached player's dice; LiarsDiceError before they are known."""
        table = self.table
        if table.own is None:
            raise LiarsDiceError("enter your dice first")
        own = table.seats.index(table.me)
        following = table.rules.dice[(own + 1) % table.rules.players]
        unknown = sum(table.rules.dice) - len(table.own)
        return probability(table.own, unknown, table.view.last, rules=table.rules, next_dice=following)

    def lost(self, name: str) -> None:
        """Enter the loser of the round, by name or by its first letters."""
        self._then(self.table.lose(self._seat("name", name)))

    def shown(self, faces: Sequence[int]) -> None:
        """Enter the dice shown after a call, of all players or of all but the coached one. They determine the loser."""
        self._then(self.table.shown(checked_items("faces", faces, Integral, _FACES)))

    def new(self, opens: str | None = None) -> None:
        """Begin the next round. The loser gives up a die and opens, unless `opens` names another player."""
        self._then(self.table.next_round(None if opens is None else self._seat("opens", opens)))

    @property
    def has_entries(self) -> bool:
        """Whether there is an entry to take back."""
        return len(self._moments) > 1

    def undo(self) -> None:
        """Take back the last entry."""
        if not self.has_entries:
            raise UsageError("there is nothing to take back")
        self._moments.pop()

    def _then(self, table: RealTable) -> None:
        self._moments.append(_Moment(table, self.decided))

    def _seat(self, argument: str, name: str) -> int:
        check_type(argument, name, str, "give the name of a player as text")
        return self.table.seat(name)

    def _action(self, said: Bid | str) -> int:
        """Return CALL, SPOT_ON or the number of the bid; UsageError for an action that is not possible now."""
        view = self.table.view
        bid = typed_bid(said) if isinstance(said, str) else _bid(said)
        if self.table.turn is None or (bid is None and said not in FINAL_ACTION_NAMES):
            wrong = f"{quoted(str(said), 40)} is not a bid: {bid_format(view)}"
            raise UsageError(OVER if self.table.turn is None else wrong)
        try:
            return action_of(view, said if bid is None else bid)
        except IllegalActionError:
            refused = FINAL_ACTIONS[FINAL_ACTION_NAMES.index(str(said))] if bid is None else str(bid)
            raise UsageError(refusal(view, refused).rstrip(".")) from None

    @property
    def _bot(self) -> Resolving | Rollouts:
        """The bot that advises in this round."""
        return self._resolving if self.table.rules.players == 2 else self._rollouts


def _bid(said: Sequence[int]) -> Bid:
    """Return a bid of a quantity and a face; UsageError for anything else."""
    cure = 'give a bid, such as Bid(2, 3) or "2x3", or "call"'
    numbers = checked_items("said", said, Integral, cure)
    if len(numbers) != 2:
        raise ArgumentError("said", said, cure)
    return Bid(*numbers)


def coach(
    names: Sequence[str],
    rules: Rules | None = None,
    *,
    me: str = ME,
    opener: str | None = None,
    palifico: bool | None = None,
    spot_on_gains: bool = False,
    spot_on_by: str = "next",
    time_limit: float = SECONDS,
    iterations: int | None = None,
) -> Coach:
    """Return a coach for one player at a table of two to ten.

    rules      : with the dice of every seat; None for `ones-low` with six sides and five dice each
    me         : the name of the coached player
    opener     : the player who opens the first round; None for the first name
    palifico, spot_on_gains, spot_on_by : as in `tournament`. The advice assumes that only the next player claims spot-on
    time_limit : the time limit in seconds for a recommendation, for two players
    iterations : the most iterations for a recommendation. With it, recommendations do not depend on the clock

    For two players it recommends the action of the bot `resolving`, for more that of `rollout`. Raises UsageError for names
    that do not fit the table.

    >>> from liarsdice_cli import coach, rules
    >>> one = coach(["Ann", "me"], rules("common", 6, (1, 1)), iterations=50)
    >>> one.dice([3])
    >>> one.hear("2x3")
    >>> found = one.recommendation()
    >>> one.hear("call") == found.cost(found.view.actions[0])
    True
    >>> one.shown([3])
    >>> one.table.who(one.table.loser)
    'me'
    """
    names = checked_items("names", names, str, "give a name for each seat, such as ['Ann', 'me']")
    check_type("rules", rules, Rules | None, "give rules, such as rules('classic', 3), or leave them out")
    check_type("me", me, str, "give one of the names")
    check_type("opener", opener, str | None, "give one of the names, or leave it out")
    check_time_limit(time_limit, optional=False)
    check_number("iterations", iterations, 1)
    rules = rules_of(PRESET, 6, (DICE,) * len(names)) if rules is None and 2 <= len(names) <= MOST_PLAYERS else rules
    called, me = [" ".join(name.split()) for name in names], " ".join(me.split())
    if rules is None or len(called) != rules.players:
        seats = f"2 to {MOST_PLAYERS}" if rules is None else str(rules.players)
        raise UsageError(f"{len(called)} name(s) for a table of {seats}: give one to each seat, in the order of play")
    if len({name.casefold() for name in called}) < len(called) or "" in called:
        raise UsageError(f"{quoted(', '.join(called))}: give each player a different name")
    if me not in called:
        raise UsageError(
            f"none of {quoted(', '.join(called))} is {me}: give the name in your seat, such as ", Argument("me", called[0])
        )
    match_rules = MatchRules.of(rules.name, rules.spot_on, palifico, spot_on_gains, spot_on_by)
    table = RealTable.start(rules, match_rules, names=tuple(called), me=called.index(me))
    if opener is not None:
        try:
            table = replace(table, opener=table.seat(opener))
        except UsageError as error:
            raise UsageError(Argument("opener"), ": ", *error.parts) from None
    return Coach(table, time_limit, iterations)


def reply(
    enter: Callable[[], object], now: Callable[[], Coach | None]
) -> tuple[str | None, Recommendation | None, tuple[Recommendation, int] | None]:
    """Make an entry; return an error, the advice after it, and the coached player's action in it with the advice before it.

    enter : makes the entry, and raises LiarsDiceError for one that is refused
    now   : returns the coach, which an entry may replace; None without one

    Each part of the result may be None. An entry stands even if there is no advice after it: a second one would count twice.
    """
    coach, error, found = now(), None, None
    before = 0 if coach is None else len(coach.decided)
    try:
        enter()
    except LiarsDiceError as problem:
        error = str(problem)
    if (coach := now()) is None:
        return error, None, None
    try:
        if not coach.table.history:
            coach.prepare()
        found = coach.recommendation() if coach.table.mine and coach.table.own is not None else None
    except LiarsDiceError as problem:
        error = error or str(problem)
    decided = [(one, decision.action) for one, decision in coach.decided[before:]]
    return error, found, decided[-1] if decided else None


def warm() -> None:
    """Compile everything that a coach needs, or load it from the cache, so that no recommendation waits for compilation.

    Small and large tables use different float types, each with its own code. Cost: a second, or a quarter of a minute
    without a cache.
    """
    from liarsdice_cli.solvers.public_tree.values import Values  # imports numba

    for dice in (1, 2):
        resolver = Resolving("resolving", iterations=1).resolver(rules_of(PRESET, 6, (dice, dice)))
        Values(resolver.solved(()).strategy).after(())
