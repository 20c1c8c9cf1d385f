"""Texts of a game at the terminal: before and after a move, at the end of a round, and at the end of the game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from liarsdice_cli.arena.one_by_one import RoundEnd
from liarsdice_cli.arena.session import Round, Session
from liarsdice_cli.bots.advice import EQUILIBRIUM, FILE, NEAR_EQUILIBRIUM, RESOLVED, ROLLOUTS, SAFE, SHOWDOWN, Advice
from liarsdice_cli.bots.protocol import View
from liarsdice_cli.bots.recommending import NEAR
from liarsdice_cli.extensive.number import Number
from liarsdice_cli.games.bidding import CALL, SPOT_ON
from liarsdice_cli.games.liarsdice.bids import Bid
from liarsdice_cli.games.liarsdice.match_rules import MatchRules
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.sentences import beyond_rounds, brief, counting, goal
from liarsdice_cli.text import DIE_FACES, numbered

YOU = "you"
"""The name of the human player, who has the first seat."""
NO_EQUILIBRIUM = "no equilibrium is known: the game is too large to solve here; give equilibrium:FILE as an opponent instead"
_LIKELIEST = 6
"""Number of bids in a hint."""
_SENSIBLE = 0.05
"""Bids that are less probable than this, given the person's own dice, come last in the list of choices."""
_MANY = 30
"""The most bids in a list."""
_BASES = {
    EQUILIBRIUM: "Probability of winning the round against the exact equilibrium",
    NEAR_EQUILIBRIUM: "Probability of not losing the round if all others play the epsilon-equilibrium",
    FILE: "Probability of not losing the round if all others play the strategy file",
    RESOLVED: "Probability of not losing the round, by re-solving it with beliefs from the bids",
    SAFE: "Probability of not losing the round against fair dice, by safe re-solving after bids that the strategy file lacks",
    ROLLOUTS: "Probability of not losing the round, by playing it out against models of the others",
    SHOWDOWN: "Probability of winning if every bid is called at once and bids carry no information",
}
_EXACT = 1e-6
"""Costs and probabilities up to this size are rounding errors."""


@dataclass(frozen=True)
class Decision:
    """The person's action in a round, and the view before it."""

    round: int
    view: View
    action: int


def title(rules: Rules, names: Sequence[str]) -> str:
    """Return the rules and the opponents."""
    return f"{str(rules).removesuffix(', payoffs win')}. You play against {', '.join(names[1:])}."


def rules_lines(rules: Rules, match_rules: MatchRules) -> Iterator[str]:
    """Yield the rules in two lines, those of the match beyond its rounds, and how to play with more dice."""
    yield brief(rules)
    more = f" More: liarsdice rules {rules.name}{' with the same options' if rules.changes else ''}"
    beyond = list(beyond_rounds(match_rules))
    yield f"{goal(rules)}{'' if beyond else more}"
    if beyond:
        yield f"{' '.join(beyond)}{more}"
    if max(rules.dice) == 1:
        yield f"Each player has one die; for more, give --dice {','.join('2' * rules.players)}"


def heading(dealt: Round, session: Session, names: Sequence[str]) -> str:
    """Return the number of the round, the score, and each player's dice, beginning with the opener."""
    of = f" of {session.rounds}" if session.rounds is not None else ""
    score = f" {_score(session)} so far." if session.losers else ""
    table = dealt.table
    holding = ", ".join(f"{names[seat]} {table.dice[seat]}" for seat in table.seats)
    palifico = f" Palifico: {brief(table.rules)}" if table.rules.fixed_face and not session.rules.fixed_face else ""
    return f"Round {dealt.number}{of}.{score} Dice: {holding}.{palifico}"


def move(name: str, view: View, action: int) -> str:
    """Return another player's action."""
    if action == SPOT_ON:
        return f"{name} says that {view.last} is spot-on."
    return f"{name} calls {view.last}." if action == CALL else f"{name} bids {view.rules.bids[action]}."


def ending(dealt: Round, end: RoundEnd, names: Sequence[str], is_match: bool, glyphs: bool) -> Iterator[str]:
    """Yield the end of a round: all dice and whether the last bid is true or spot-on, or why a player forfeits."""
    if end.failure is not None and end.loser is not None:
        yield f"{names[end.loser]} {end.failure}, and forfeits the {'match' if is_match else 'round'}."
        return
    table, rules = end.table, end.table.rules
    for seat, roll in zip(table.seats, dealt.rolls, strict=True):
        yield f"  {names[seat]}: {dice_text(roll, rules.sides, glyphs)}"
    bid = rules.bids[table.bids[-1]]
    if table.gainer is not None:
        wins = "You win" if table.gainer == 0 else f"{names[table.gainer]} wins"
        back = "a die back" if table.dice_left[table.gainer] > table.dice[table.gainer] else "nothing back, with all dice left"
        yield f"{bid} is spot-on: {counting(rules, dealt.rolls, bid.face)}. {wins} {back}, and nobody loses one."
        return
    assert end.loser is not None, "nobody has won a die back"
    stands = end.loser == table.caller
    verdict = ("true" if stands else "false") if table.ending == CALL else ("not spot-on" if stands else "spot-on")
    lost = "You lose" if end.loser == 0 else f"{names[end.loser]} loses"
    yield f"{bid} is {verdict}: {counting(rules, dealt.rolls, bid.face)}. {lost} the round."


def dice_text(dice: Iterable[int], sides: int, glyphs: bool) -> str:
    """Return dice as glyphs with digits, or as digits alone.

    >>> dice_text((1, 6), 6, True), dice_text((1, 6), 6, False)
    ('⚀ 1  ⚅ 6', '[1] [6]')
    """
    drawn = glyphs and sides <= len(DIE_FACES)
    return " ".join(f"{DIE_FACES[die - 1]} {die} " if drawn else f"[{die}]" for die in dice).rstrip()


def choices(view: View) -> str:
    """Return the possible actions: likely bids first, then unlikely ones."""
    sensible = [bid for bid in view.legal if view.probability(bid) >= _SENSIBLE]
    hardly = [bid for bid in view.legal if bid not in sensible]
    if not view.legal:
        only = "call it, or say that it is spot-on" if view.may_say_spot_on else "only call it"
        return f"{view.last} is the highest bid: you can {only}."
    spot_on = " say that it is spot-on," * view.may_say_spot_on
    first = f"You may call {view.last},{spot_on} or bid " if view.may_call else "You open. Bids: "
    if not sensible:
        return f"{first}(hardly ever true) {_some(hardly)}"
    return f"{first}{_some(sensible)}" + (f"; hardly ever true: {_some(hardly)}" if hardly else "")


def _some(bids: Sequence[Bid]) -> str:
    """Return a list of bids, shortened in the middle if it is long."""
    names = [str(bid) for bid in bids]
    return " ".join(names if len(names) <= _MANY else [*names[: _MANY // 2], "...", names[-1]])


def bid_format(view: View) -> str:
    """Return the format of a bid, with an example."""
    highest = max(view.rules.bids, key=lambda bid: (bid.quantity, bid.face))
    example = view.legal[0] if view.legal else highest
    return f"a bid is quantity x face, such as {example} (at least {example.quantity} dice in all count as a {example.face})"


def refusal(view: View, bid: str | int | None) -> str:
    """Return why an action is not legal: a bid, written as `Bid` is, a call, or spot-on."""
    if not isinstance(bid, str):
        played = view.rules.spot_on or bid != SPOT_ON
        return "There is no bid to call yet: a round opens with a bid." if played else "These rules do not have spot-on."
    if bid not in map(str, view.rules.bids):
        faces = ", ".join(map(str, view.rules.faces))
        return f"{bid} is not a bid here: quantities go from 1 to {view.rules.max_quantity}, and faces are {faces}."
    number = [*map(str, view.rules.bids)].index(bid)
    return f"{view.state.refusal(number)}."


def probability_hints(view: View) -> Iterator[str]:
    """Yield the probability of the last bid and, in turn, the likeliest next bids, given the person's own dice."""
    if view.last is not None:
        exact = f", spot-on with {percent(view.probability_exact(view.last))}," if view.may_say_spot_on else ""
        yield f"{view.last} is true with probability {percent(view.probability(view.last))}{exact} given your own dice"
    if view.claimer is not None:
        return
    known = ((view.probability(bid), place, bid) for place, bid in enumerate(view.legal))
    likely = sorted(known, reverse=True)[:_LIKELIEST]
    if likely:
        yield f"bids most likely to be true: {', '.join(f'{bid} {percent(probability)}' for probability, _, bid in likely)}"


def equilibrium_hint(view: View, advice: Advice) -> str:
    """Return the actions of an equilibrium or a file, their value, and the value of a call."""
    if advice.basis == SHOWDOWN or advice.probabilities is None:
        return "the equilibrium never reaches this history: only probabilities are known"
    shares = zip(advice.actions, advice.probabilities, strict=True)
    taken = [f"{view.rules.action_name(action)} {percent(share)}" for action, share in shares if share > _least(advice)]
    wins = "wins" if view.rules.players == 2 else "does not lose"
    worth = f"{wins} {percent(max(advice.values))}"
    if view.may_call:
        worth += f"; calling {wins} {percent(advice.values[advice.actions.index(CALL)])}"
    return f"{_authority(advice)}: {', '.join(taken)} ({worth})"


def _authority(advice: Advice) -> str:
    """Return the source of the advice."""
    if advice.basis == FILE:
        return Path(advice.file).name
    if advice.basis == NEAR_EQUILIBRIUM:
        return f"epsilon-equilibrium, in which no player gains more than {percent(advice.regret)}"
    return "equilibrium"


def _least(advice: Advice) -> float:
    """Return the smallest meaningful number of an advice."""
    return NEAR if advice.basis in (NEAR_EQUILIBRIUM, FILE, RESOLVED, SAFE, ROLLOUTS) else _EXACT


def result(session: Session, names: Sequence[str]) -> Iterator[str]:
    """Yield the result of the game."""
    played = len(session.losers)
    yield f"{numbered(played, 'rounds')} played: {_score(session)}."
    if session.rounds is None:
        yield f"Dice left: {', '.join(f'{name} {count}' for name, count in zip(names, session.dice, strict=True))}."


def _score(session: Session) -> str:
    lost = session.losers.count(0)
    return f"{len(session.losers) - lost} won, {lost} lost"


def mistakes(judged: Sequence[tuple[Advice, Decision]]) -> Iterator[str]:
    """Yield the mistakes and their costs, grouped by the source of the advice."""
    for basis, meaning in _BASES.items():
        of_basis = [one for one in judged if one[0].basis == basis]
        if of_basis:
            yield from _mistakes(meaning, of_basis)


def _mistakes(meaning: str, judged: Sequence[tuple[Advice, Decision]]) -> Iterator[str]:
    bad = [(advice.cost(decision.action), advice, decision) for advice, decision in judged]
    bad = [one for one in bad if one[0] > _least(one[1])]
    yield f"{meaning}: {numbered(len(bad), 'mistakes')} in {numbered(len(judged), 'decisions')}."
    for cost, advice, decision in bad:
        view = decision.view
        after = f"after {view.last}" if view.last else "in the opening"
        best, won = _worth(advice, advice.best, view)
        did, kept = _worth(advice, decision.action, view)
        yield (
            f"  round {decision.round}, with {view.rules.roll_label(view.roll)} {after}: "
            f"{did} {kept}, {best} {won}: {percent(cost)} lost"
        )
    if len(bad) > 1:
        yield f"  in total {percent(sum(cost for cost, _, _ in bad))} of a round lost"


def _worth(advice: Advice, action: int, view: View) -> tuple[str, str]:
    """Return an action and the probability of winning with it, or of not losing with three or more players."""
    wins = "wins" if view.rules.players == 2 else "does not lose"
    return view.rules.action_name(action), f"{wins} {percent(advice.values[advice.actions.index(action)])}"


def percent(number: Number) -> str:
    """Return a probability in percent with one decimal.

    >>> percent(0.5), percent(1 / 3), percent(0.00001)
    ('50 %', '33.3 %', '< 0.1 %')
    """
    hundredths = 100 * float(number)
    if _EXACT < hundredths < 0.05:
        return "< 0.1 %"
    return f"{hundredths:.1f}".removesuffix(".0").replace("-0", "0") + " %"
