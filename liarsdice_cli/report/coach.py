"""Texts of the coach at a real table: the state of the match, recommendations with reasons, and the cost of mistakes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from liarsdice_cli.arena.real_table import RealTable
from liarsdice_cli.bots.advice import SAFE, Advice
from liarsdice_cli.bots.recommending import NEAR, Hand, Recommendation
from liarsdice_cli.draw.coach.sentences import sentence
from liarsdice_cli.formats.documents.playing import CalledBid, Coach, CoachedMove
from liarsdice_cli.formats.documents.playing import Hand as HandFields
from liarsdice_cli.formats.documents.playing import Recommendation as RecommendationFields
from liarsdice_cli.games.bidding import CALL, SPOT_ON
from liarsdice_cli.games.liarsdice.sentences import brief, match_sentences
from liarsdice_cli.report.play import Decision, mistakes, percent
from liarsdice_cli.report.rules import titled
from liarsdice_cli.text import numbered

_SENSIBLE = 0.25
"""Bids whose values are below the best by more than this are not listed."""
_MOST = 6
"""The most bids that are listed."""
_SAFE = "The kept solution lacks this bid: the advice is safe whatever the other dice are, and its numbers assume fair dice"
HELP = """\
2x3, 2 3     a bid by the player to move: at least two dice count as a 3
call, c      a call; then type the loser (lost NAME) or the dice shown
spot-on, s   a claim that the bid is exact, if the rules allow it;
             spot-on Cy if any player may claim it
dice 1 3 4   your dice, or after a call those of the others; 134 also works
new [NAME]   the next round; NAME opens it instead of the loser
undo, u      undo the last entry; repeat it to go back further
odds         the table of `liarsdice probability`, from probability alone
quit, q      quit, with a summary"""


def title(table: RealTable) -> Iterator[str]:
    """Yield the rules and the players."""
    yield f"{str(table.rules).removesuffix(', payoffs win')}. At the table: {', '.join(table.names)}."
    yield brief(table.rules)
    yield from list(match_sentences(table.match_rules))[1:]


def heading(table: RealTable) -> str:
    """Return the first line of a round."""
    dice = ", ".join(f"{table.names[seat]} {table.dice[seat]}" for seat in table.seats)
    palifico = f" {sentence('palifico')}" if table.is_palifico else ""
    return f"Round {table.number}. Dice: {dice}. {_about('opens', table, table.opener)}{palifico}"


def so_far(table: RealTable) -> str:
    """Return the bids of a round after an undo."""
    seats, rules = table.seats, table.rules
    bids = [f"{table.names[seats[turn % len(seats)]]} {rules.bids[bid]}" for turn, bid in enumerate(table.bids)]
    return f"Back to: {', '.join(bids) if bids else 'no bid yet'}{_ended(table)}."


def _ended(table: RealTable) -> str:
    if table.ending is None:
        return ""
    return ", called" if table.ending == CALL else ", claimed to be spot-on"


def ending(table: RealTable) -> str:
    """Return the loser of a round, and the winner if the match is over."""
    if table.gainer is not None:
        is_won = table.dice_left != table.dice
        won = _about("wins_back", table, table.gainer) if is_won else "No die is missing, so none is won back"
        return f"{_about('right', table, table.gainer)}. {sentence('none_lost')} {won}."
    assert table.loser is not None, "a player lost"
    lost = f"{_about('loses', table, table.loser)}."
    if not table.dice_left[table.me]:
        return f"{lost} {sentence('out')}"
    return f"{lost} {sentence('match_won')}" if table.is_over else lost


def question(table: RealTable) -> str:
    """Return the prompt for the next line."""
    if table.is_over:
        return f"{sentence('match_over')}; undo, or quit: "
    if table.is_settled:
        return "Enter for the next round: "
    if table.called and table.match_rules.spot_on_gains and table.ending == SPOT_ON:
        return f"{sentence('was_exact')} yes: {_about('wins_back', table, table.caller)}; no; or the others' dice: "
    if table.called:
        return f"{sentence('who_lost')} A name, or the others' dice: "
    if asks_dice(table):
        return f"{sentence('which_dice')} "
    whose = "Your" if table.mine else f"{table.who(table.turn)}'s"
    if table.history and table.rules.spot_on:
        return f"{whose} bid, call or spot-on: "
    return f"{whose} bid, or call: " if table.history else f"{whose} bid: "


def asks_dice(table: RealTable) -> bool:
    """Return whether the prompt asks for the coached player's dice: before the first bid, and when they are needed."""
    return table.own is None and (table.mine or not table.history) and table.turn is not None


def recommended(found: Recommendation, table: RealTable) -> Iterator[str]:
    """Yield the recommended action, its reason and value, and the likely dice of the others."""
    view = found.view
    yield f"{sentence('recommended', what=_what(found))} {sentence('keeps_in', share=roughly(_value(found)))}"
    yield f"  why: {reason(found, table)}"
    yield f"  keeps you in: {_values(found)}"
    if view.last is not None:
        share, fair = roughly(_last_true(found)), roughly(found.fair or 0)
        exactly = sentence("likely_spot_on", share=roughly(found.true[SPOT_ON])) if SPOT_ON in found.true else ""
        yield f"  {sentence('likely_true', bid=view.last, share=share, fair=fair)}{exactly}"
    silent = [hand for hand in found.hands if hand.player >= len(view.history)]
    for hand in found.hands:
        if hand not in silent:
            yield f"  {_holds(hand, found, table)}"
    if silent:
        names = ", ".join(table.names[table.seats[hand.player]] for hand in silent)
        yield f"  nothing is known about the players who have not bid: {names}"


def _what(found: Recommendation) -> str:
    if found.action < 0:
        return sentence("call" if found.action == CALL else "spot_on", s="", bid=found.view.last)
    return sentence("bid", s="", bid=_name(found, found.action))


def reason(found: Recommendation, table: RealTable) -> str:
    """Return one line with the reason, and why the action of the highest value is not recommended, if it is not."""
    if found.advice.basis == SAFE:
        return f"{_reason(found, table)}. {_SAFE}"
    return _reason(found, table) + _instead_of_best(found) + _otherwise(found)


def roughly(share: float) -> str:
    """Return a probability as a player says it, in whole percent.

    >>> roughly(0.952), roughly(0.001), roughly(0.999), roughly(0), roughly(1)
    ('95 %', 'under 1 %', 'over 99 %', '0 %', '100 %')
    """
    if 0 < share < 0.005:
        return sentence("under_one")
    return sentence("over_99") if 0.995 <= share < 1 else sentence("percent", percent=_hundredths(share))


def in_hundred(cost: float) -> str:
    """Return the cost of a move as a player says it, in rounds of a hundred.

    >>> in_hundred(0.014), in_hundred(0.2)
    ('1 round in a hundred', '20 rounds in a hundred')
    """
    rounds = _hundredths(cost)
    return sentence("in_hundred", rounds=numbered(rounds, "rounds")) if rounds else sentence("under_one_in_hundred")


def _hundredths(number: float) -> int:
    """Return a number in hundredths; halves are rounded up, as on the page."""
    return math.floor(100 * number + 0.5)


def _instead_of_best(found: Recommendation) -> str:
    """Return why the action of the highest value is not recommended; "" if it is."""
    advice, best = found.advice, found.advice.best
    if percent(found.value(best) or 0) == percent(_value(found)):
        return ""
    shares = dict(zip(advice.actions, map(float, advice.probabilities or ()), strict=True))
    return (
        f". {_name(found, best)} keeps you in {percent(found.value(best) or 0)} of the time, but a gain below {percent(NEAR)} "
        f"is within the error of a short computation. The computed strategy takes {_name(found, found.action)} "
        f"{roughly(shares[found.action])} of the time and {_name(found, best)} {roughly(shares[best])}"
    )


def _otherwise(found: Recommendation) -> str:
    """Return the probability of the last bid beyond which the other choice, a call or the best bid, is better; "" if none.

    A call keeps the player in unless the last bid is true, so it is as good as a bid of value v if that probability is 1 - v.
    """
    bids = [action for action in found.advice.actions if action >= 0]
    if not found.view.may_call or not bids or found.action == SPOT_ON:
        return ""
    best = max(bids, key=lambda bid: found.value(bid) or 0)
    other = found.action if found.action >= 0 else best
    even = 1 - (found.value(other) or 0)
    if not 0.005 <= even < 0.995:
        return ""
    if found.action == CALL:
        return f". You would bid {_name(found, best)} if {found.view.last} were more than {roughly(even)} likely"
    return f". You would call if {found.view.last} were less than {roughly(even)} likely"


def _reason(found: Recommendation, table: RealTable) -> str:
    view, bids = found.view, [action for action in found.advice.actions if action >= 0]
    best = max(bids, key=lambda bid: found.value(bid) or 0, default=None)
    others = "" if best is None else f"The best bid, {_name(found, best)}, keeps you in {_kept(found, best)}"
    if found.action == SPOT_ON:
        call = f"A call keeps you in {_kept(found, CALL)}"
        ways = ". ".join([call, *([others] if others else [])])
        return f"{view.last} is spot-on {roughly(found.true[SPOT_ON])} of the time. {ways}"
    if found.action == CALL:
        if best is None or not found.value(best):
            return f"{view.last}: {roughly(_last_true(found))} likely true, and no higher bid can be true"
        return f"{view.last}: only {roughly(_last_true(found))} likely true. {others}"
    following = table.names[table.seats[(view.player + 1) % view.rules.players]]
    parts = [f"{_name(found, found.action)}: {roughly(found.true[found.action])} likely true"]
    if found.called is not None:
        parts.append(f"{following} calls {roughly(found.called)} of the time")
    if view.may_call:
        parts.append(f"A call keeps you in {_kept(found, CALL)}")
    return ". ".join(parts)


def _kept(found: Recommendation, action: int) -> str:
    return f"{roughly(found.value(action) or 0)} of the time"


def priced(found: Recommendation, action: int) -> str:
    """Return the cost of a move."""
    cost, name = found.cost(action), _name(found, action)
    if cost is None:
        return sentence("unknown", action=name)
    if not cost:
        return sentence("best", action=name)
    share, best_share = (roughly(found.value(one) or 0) for one in (action, found.advice.best))
    best = _name(found, found.advice.best)
    return sentence("mistake", action=name, share=share, best=best, best_share=best_share, cost=in_hundred(cost))


def summary(table: RealTable, decided: Iterable[tuple[Recommendation, Decision]]) -> Iterator[str]:
    """Yield the result of the match and the cost of the mistakes."""
    losers = [*table.losers, *([table.loser] if table.is_settled else [])]
    lost = f": lost by {', '.join(table.who(seat) for seat in losers)}" if losers else ""
    yield f"{numbered(len(losers), 'rounds')} played{lost}."
    yield f"Dice left: {', '.join(f'{name} {dice}' for name, dice in zip(table.names, table.dice_left, strict=True))}."
    judged: list[tuple[Advice, Decision]] = []
    unknown = 0
    for found, decision in decided:
        if found.cost(decision.action) is None:
            unknown += 1
        else:
            judged.append((found.advice, decision))
    yield from mistakes(judged)
    if unknown:
        yield f"Not counted: {numbered(unknown, 'decisions')} with low bids, whose values are unknown."


def _values(found: Recommendation) -> str:
    """Return the best bids with their values, the best first, then the call, and spot-on if it is played."""
    rows = sorted(((found.value(bid) or 0, bid) for bid in found.advice.actions if bid >= 0), reverse=True)
    least = max(map(float, found.advice.values)) - _SENSIBLE
    parts = [f"{_name(found, bid)} {percent(value)}" for value, bid in rows[:_MOST] if value >= least]
    ends = [action for action in found.view.actions if action < 0]
    said = [f"{_name(found, ending)} {percent(found.value(ending) or 0)}" for ending in ends]
    return "; ".join([part for part in (", ".join(parts), *said) if part])


def _holds(hand: Hand, found: Recommendation, table: RealTable) -> str:
    """Return the likely dice of a player with the faces that matter."""
    view, bids = found.view, found.view.rules.bids
    faces = [view.last.face] if view.last is not None else []
    if found.action >= 0 and bids[found.action].face not in faces:
        faces.append(bids[found.action].face)
    seat = table.seats[hand.player]
    means = {face: (hand.expected(face), hand.expected(face, fair=True)) for face in faces}
    parts = [
        f"{hand.likeliest(face)} counting as {face} ({mean:.1f} on average, {fair:.1f} with fair dice)"
        for face, (mean, fair) in means.items()
    ]
    dice = table.dice[seat]
    return f"{table.names[seat]}, {dice} {'die' if dice == 1 else 'dice'}, most likely {'; '.join(parts)}"


def _value(found: Recommendation) -> float:
    return found.value(found.action) or 0.0


def _last_true(found: Recommendation) -> float:
    return found.true[CALL]


def _name(found: Recommendation, action: int) -> str:
    return found.view.rules.action_name(action)


def _about(name: str, table: RealTable, seat: int) -> str:
    """Return a sentence about the player in a seat."""
    if seat == table.me:
        return sentence(name, who="You", s="", were="were")
    return sentence(name, who=table.names[seat], s="s", were="was")


def coach_json(
    table: RealTable, line: str, error: str | None, found: Recommendation | None, decided: tuple[Recommendation, int] | None
) -> Coach:
    """Return the document of `coach` for one line of input.

    found   : the advice, if the coached player is to move
    decided : the coached player's move in this line, with the advice before it
    """
    return {
        **titled(table.rules),
        "input": line,
        "error": error,
        "round": table.number,
        "palifico": table.is_palifico,
        "players": [{"name": name, "dice": dice} for name, dice in zip(table.names, table.dice_left, strict=True)],
        "me": table.names[table.me],
        "opener": table.names[table.opener],
        "my_dice": None if table.own is None else list(table.own),
        "history": [str(table.rules.bids[bid]) for bid in table.bids],
        "called": table.called,
        "ended_by": None if table.ending is None else table.rules.action_name(table.ending),
        "spot_on": table.rules.spot_on,
        "bids": [] if table.turn is None else [str(bid) for bid in table.view.legal],
        "between": [table.names[table.bidder], table.names[table.caller]] if table.called else [],
        "turn": None if table.turn is None else table.names[table.turn],
        "loser": None if table.loser is None else table.names[table.loser],
        "gainer": None if table.gainer is None else table.names[table.gainer],
        "spot_on_gains": table.match_rules.spot_on_gains,
        "spot_on_by": table.match_rules.spot_on_by,
        "over": table.is_over,
        "move": None if decided is None else _move_json(*decided),
        "recommendation": None if found is None else _found_json(found, table),
    }


def _move_json(found: Recommendation, action: int) -> CoachedMove:
    return {
        "action": _name(found, action),
        "value": found.value(action),
        "ev_loss": found.cost(action),
        "best": _name(found, found.advice.best),
    }


def _found_json(found: Recommendation, table: RealTable) -> RecommendationFields:
    advice, view = found.advice, found.view
    shares = advice.probabilities or ()
    return {
        "action": _name(found, found.action),
        "reason": reason(found, table),
        "actions": [
            {"action": _name(found, action), "value": float(value), "frequency": float(share), "true": found.true[action]}
            for action, value, share in zip(advice.actions, advice.values, shares, strict=True)
        ],
        "last_bid": None if view.last is None else _last_bid_json(found),
        "next_calls": found.called,
        "hands": [_hand_json(hand, table) for hand in found.hands],
        "exploitability": found.exploitability,
        "iterations": found.iterations,
        "deals": found.deals,
    }


def _last_bid_json(found: Recommendation) -> CalledBid:
    exactly = found.true.get(SPOT_ON)
    return {"bid": str(found.view.last), "true": _last_true(found), "spot_on": exactly, "fair": found.fair}


def _hand_json(hand: Hand, table: RealTable) -> HandFields:
    seat = table.seats[hand.player]
    return {
        "name": table.names[seat],
        "dice": table.dice[seat],
        "faces": [
            {
                "face": face,
                "counts": counts.tolist(),
                "expected": hand.expected(face),
                "fair": hand.expected(face, fair=True),
            }
            for face, counts in hand.counts.items()
        ],
    }
