"""A coach at a real table: hears every bid, and says what to do when it is one's turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from numbers import Integral, Real

from liarsdice_cli.arena.real_table import OVER, RealTable
from liarsdice_cli.bots.protocol import IllegalActionError, action_of
from liarsdice_cli.bots.recommending import Recommendation, recommend
from liarsdice_cli.bots.resolving import Resolver, Resolving
from liarsdice_cli.bots.zero_intelligence.situation import Situation
from liarsdice_cli.errors import Argument, ArgumentError, LiarsDiceError, UsageError, check_type, checked_items
from liarsdice_cli.games.bidding import FINAL_ACTION_NAMES, FINAL_ACTIONS
from liarsdice_cli.games.liarsdice.bids import Bid, typed_bid
from liarsdice_cli.games.liarsdice.presets import plays_palifico
from liarsdice_cli.games.liarsdice.rules import MOST_PLAYERS, Rules
from liarsdice_cli.games.liarsdice.rules import rules as rules_of
from liarsdice_cli.library.probability import probability
from liarsdice_cli.report.play import Decision, bid_format, refusal
from liarsdice_cli.text import quoted

ME = "me"
"""What the one who is coached is called."""
PRESET, DICE = "ones-low", 5
"""The rules and everybody's dice, where none are named."""
SECONDS = 1.5
"""For a recommendation, so that it is there within two."""
_SOLVING = 0.8
"""The part of the seconds that goes into solving; the rest is for reading what was found."""


@dataclass(frozen=True)
class _Moment:
    """All that undoing takes back."""

    table: RealTable
    decided: tuple[tuple[Recommendation, Decision], ...] = ()


class Coach:
    """Follows a match at a real table, and recommends what to do; `coach` makes one.

    Everything that is heard can be taken back by `undo`. Faces are numbers; a bid is a Bid, or text such as "2x3". What
    cannot be is refused with a UsageError that says why, and leaves all as it was.
    """

    def __init__(self, table: RealTable, time_limit: float = SECONDS, iterations: int | None = None) -> None:
        self._seconds, self._iterations = time_limit, iterations
        self._moments = [_Moment(table)]
        self._resolver: Resolver | None = None
        self._found: tuple[RealTable, Recommendation] | None = None

    def __repr__(self) -> str:
        table = self.table
        return f"Coach({', '.join(table.names)}; {table.rules})"

    @property
    def table(self) -> RealTable:
        """Who sits there with how many dice, the bids of this round, whose turn it is."""
        return self._moments[-1].table

    @property
    def decided(self) -> tuple[tuple[Recommendation, Decision], ...]:
        """What the one who is coached did, with what was recommended."""
        return self._moments[-1].decided

    def dice(self, faces: Sequence[int]) -> None:
        """The own dice of this round, in any order."""
        self._then(self.table.with_own(faces))

    def hear(self, said: Bid | str) -> float | None:
        """A bid, "call" or "spot-on", of whose turn it is; what it cost if that is the one who is coached.

        The cost is how much less likely one stays in with it than with the best; None for others, before the own dice are
        known, and for a bid whose value is not. Cost: a moment, to infer what the bid tells.
        """
        table, view = self.table, self.table.view
        following = table.act(self._action(said))
        if not table.mine:
            if not following.called:
                self._solver().hear(following.bids)  # before the table changes: if this fails, the bid can be entered again
            self._then(following)
            return None
        if table.own is None:
            self._then(following)
            return None
        found = self.recommendation()
        action = following.history[-1]
        self._moments.append(_Moment(following, (*self.decided, (found, Decision(table.number, view, action)))))
        return found.cost(action)

    def recommendation(self) -> Recommendation:
        """What to do now, what every action is worth, and what the others are likely to hold.

        Raises LiarsDiceError where it is not the turn of the one who is coached, or their dice are not known. Cost: the
        seconds that the coach was given; nothing if it was asked before.
        """
        table = self.table
        if not table.mine:
            raise LiarsDiceError(f"it is not your turn but that of {table.who(table.turn)}")
        if table.own is None:
            raise LiarsDiceError("say first which dice you have")
        if self._found is None or self._found[0] != table:
            self._found = table, recommend(self._solver(), table.view)
        return self._found[1]

    def prepare(self) -> None:
        """Think about the opening before anybody bids, so that the first recommendation does not wait for it.

        Cost: the seconds that the coach was given, once a round.
        """
        if self.table.turn is not None:
            from liarsdice_cli.solvers.public_tree.values import after  # imports numba

            after(self._solver().solved(()).strategy, ())  # so that what reads it is compiled, too

    def probability(self) -> Situation:
        """What probability alone says by the own dice, as the function does; LiarsDiceError before they are known."""
        table = self.table
        if table.own is None:
            raise LiarsDiceError("say first which dice you have")
        own = table.seats.index(table.me)
        following = table.rules.dice[(own + 1) % table.rules.players]
        unknown = sum(table.rules.dice) - len(table.own)
        return probability(table.own, unknown, table.view.last, rules=table.rules, next_dice=following)

    def lost(self, name: str) -> None:
        """Who lost the round, by the name or its beginning."""
        self._then(self.table.lose(self.table.seat(name)))

    def shown(self, faces: Sequence[int]) -> None:
        """The dice that were shown after a call, those of the others or all: who lost follows."""
        self._then(self.table.shown(faces))

    def new(self, opens: str | None = None) -> None:
        """The next round: who lost has a die less and opens, unless `opens` names another. Without a loser the same again."""
        self._then(self.table.next_round(None if opens is None else self.table.seat(opens)))

    def undo(self) -> None:
        """Take back the last thing that was heard."""
        if len(self._moments) == 1:
            raise UsageError("there is nothing to take back")
        self._moments.pop()

    def _then(self, table: RealTable) -> None:
        self._moments.append(_Moment(table, self.decided))

    def _action(self, said: Bid | str) -> int:
        """CALL, SPOT_ON or the number of the bid; UsageError for what cannot be done now."""
        view = self.table.view
        bid = typed_bid(said) if isinstance(said, str) else Bid(*said)
        if self.table.turn is None or (bid is None and said not in FINAL_ACTION_NAMES):
            raise UsageError(f"{quoted(str(said), 40)} is no bid: {bid_format(view)}" if self.table.turn is not None else OVER)
        try:
            return action_of(view, said if bid is None else bid)
        except IllegalActionError:
            refused = FINAL_ACTIONS[FINAL_ACTION_NAMES.index(str(said))] if bid is None else str(bid)
            raise UsageError(refusal(view, refused).rstrip(".")) from None

    def _solver(self) -> Resolver:
        """That of this round; one is kept, for each takes much memory."""
        if self._resolver is None or self._resolver.rules != self.table.rules:
            self._resolver = Resolving("resolving", _SOLVING * self._seconds, self._iterations).strategy(self.table.rules)
        return self._resolver


def coach(
    names: Sequence[str],
    rules: Rules | None = None,
    *,
    me: str = ME,
    opener: str | None = None,
    palifico: bool | None = None,
    time_limit: float = SECONDS,
    iterations: int | None = None,
) -> Coach:
    """A coach for one of those who sit at a table, two to six in the order of play.

    rules      : with the dice of every seat; None for `ones-low` with six sides and five dice each
    me         : the name of the one who is coached
    opener     : who opens the first round; None for the first
    palifico   : as in `play`
    time_limit : for a recommendation
    iterations : ends it too, if it is given; then what is recommended does not depend on the clock

    What others hold is inferred from how they may bid, and the rest of the round solved from there, as the bot `resolving`
    does. Raises UsageError for names that are not those of a table.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
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
    check_type("time_limit", time_limit, Real, "give a number of seconds")
    check_type("iterations", iterations, Integral | None, "give a whole number, or leave it out")
    rules = rules_of(PRESET, 6, (DICE,) * len(names)) if rules is None and 2 <= len(names) <= MOST_PLAYERS else rules
    called = [" ".join(name.split()) for name in names]
    if rules is None or len(called) != rules.players:
        seats = f"2 to {MOST_PLAYERS}" if rules is None else str(rules.players)
        raise UsageError(f"{len(called)} name(s) for a table of {seats}: give one to each seat, in the order of play")
    if len({name.casefold() for name in called}) < len(called) or "" in called:
        raise UsageError(f"{quoted(', '.join(called))}: give everybody a name of their own")
    if me not in called:
        raise UsageError(f"none of {quoted(', '.join(called))} is {me}: say so where you sit")
    if not time_limit > 0:
        raise ArgumentError("time_limit", time_limit, "give a number above 0")
    table = RealTable.of(rules, called, called.index(me), palifico=plays_palifico(rules.name, palifico))
    if opener is not None:
        try:
            table = replace(table, opener=table.seat(opener))
        except UsageError as error:
            raise UsageError(Argument("opener"), ": ", *error.parts) from None
    return Coach(table, time_limit, iterations)


def warm() -> None:
    """Compile all that a coach computes with, or load what is kept of it, so that nothing is compiled while people wait.

    Numbers are kept in one kind of float at a small table and in another at a larger one; each has code of its own. Cost: a
    second; a minute or two where nothing is kept yet.
    """
    for dice in (1, 2):
        one = coach([ME, "another"], rules_of(PRESET, 6, (dice, dice)), iterations=1)
        one.prepare()
        one.dice([1] * dice)
        one.recommendation()
