"""The output of `liarsdice probability`: the probability of the last bid, the payoff of each raise, and advice."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from liarsdice_cli.bots.zero_intelligence.payoff import Raise
from liarsdice_cli.bots.zero_intelligence.situation import LastBid, Situation
from liarsdice_cli.formats.documents.playing import LastBid as LastBidFields
from liarsdice_cli.formats.documents.playing import Probability
from liarsdice_cli.formats.numbers import encoded, shown
from liarsdice_cli.report.rules import titled
from liarsdice_cli.report.tables import Hinted, table
from liarsdice_cli.text import numbered

if TYPE_CHECKING:
    from rich.console import RenderableType

_ROWS = 20
_UNLIKELY = Fraction(1, 20)


def probability_tables(situation: Situation, full: bool = False) -> Iterator[RenderableType]:
    """Yield the answer for a person; `full` shows all raises."""
    player_view = situation.player_view
    wild = f"{player_view.rules.wild} is wild" if player_view.rules.wild else "no wild face"
    known = f", {_dice(player_view.known)} known" if player_view.known else ""
    ordered = f", ordered by {player_view.rules.order}" if "order" in player_view.rules.changes else ""
    shape = f"{numbered(player_view.total, 'dice')}, {numbered(player_view.rules.sides, 'sides')}"
    yield f"{shape}, {wild}; {player_view.rules.name} rules{ordered}"
    hidden = f"{player_view.unknown} unknown, {player_view.next_dice} of them the next player's"
    yield f"own {_dice(player_view.own)}{known}; {hidden}"
    yield f"expected count of each face: {', '.join(f'{float(number):.4g}' for number in situation.expectations)}"
    yield from _believed(situation)
    yield ""
    if situation.about_last is not None:
        yield from _about(situation.about_last, situation.true)
        yield ""
    if situation.raises:
        yield from _raises(situation, full)
        yield ""
    yield f"recommended: {_verdict(situation, situation.call_pays)}: {_reason(situation)}"
    yield f"a player with level {float(situation.level):g} would {_by_level(situation)}"


def _believed(situation: Situation) -> Iterator[str]:
    """Yield the values of y0, each with the faces that share it."""
    faces: dict[int, list[int]] = {}
    for face in situation.player_view.rules.faces:
        faces.setdefault(situation.believed(face), []).append(face)
    each = "; ".join(f"{y0} on {', '.join(map(str, sorted(on)))}" for y0, on in faces.items())
    yield f"y0, the fewest matches among its unseen dice that the next player does not believe: {each}"


def _about(last: LastBid, true: Fraction) -> Iterator[str]:
    yield f"{last.bid}: {last.bid.quantity - last.missing} seen, {max(last.missing, 0)} missing"
    mean = f"{float(last.expected_unknown):.4g}, standard deviation {last.deviation:.4g}"
    yield f"  expected among the unknown, each matching with probability {last.chance}: {mean}"
    yield f"  true with probability {shown(true)}; normal approximation {last.true_normal:.6g}"
    yield f"  z-score {_decimal(last.z_score)}, {_decimal(last.page_z_score)} with the document's +0.5"


def _raises(situation: Situation, full: bool) -> Iterator[RenderableType]:
    """Yield the sensible raises, or all."""
    listed = situation.raises if full else [one for one in situation.raises if _sensible(situation, one)][:_ROWS]
    columns = ("raise", "true", "bad (p)", "next calls", "payoff (omega)")
    rows = ((str(one.bid), *map(_decimal, (1 - one.bad, one.bad, situation.called(one), one.omega))) for one in listed)
    yield table(columns, rows, right=True)
    if len(listed) < len(situation.raises):
        left = "true with probability 0.05 or more, but not certainly safe" if len(listed) < _ROWS else "the best"
        yield Hinted(f"{len(listed)} of {len(situation.raises)} raises, {left}", "; --full shows all")


def _sensible(situation: Situation, one: Raise) -> bool:
    """Return whether a raise may be called and is not very unlikely; true for the best one."""
    return one is situation.best or (one.omega < 0 and one.bad <= 1 - _UNLIKELY)


def _verdict(situation: Situation, called: bool) -> str:
    """Return the action in words."""
    if called:
        return "call"
    assert situation.best is not None, "who does not call has a raise"
    return f"{'bid' if situation.last is None else 'raise to'} {situation.best.bid}"


def _reason(situation: Situation) -> str:
    """Return the reason for the recommendation."""
    if situation.last is None:
        own = f"payoff {_decimal(situation.raises[0].omega)}; no other bid has a better one"
        return f"{own}; the formula considers only the next player's call, so it opens low"
    call = f"a call is worth {_decimal(-situation.true)}"
    if situation.best is None:
        return f"{call}, and there are too few dice for any raise"
    return f"{call}, the best raise, {situation.best.bid}, {_decimal(situation.best.omega)}"


def _by_level(situation: Situation) -> str:
    """Return the action of the founding document's rule, with its reason."""
    verdict = _verdict(situation, situation.calls_by_level)
    if situation.last is None:
        return f"{verdict}: the opening cannot call"
    if situation.best is None:
        return f"{verdict}: no raise is left"
    relation = "below" if situation.calls_by_level else "not below"
    return f"{verdict}: {_decimal(situation.true)} is {relation} {float(situation.level):g}"


def _decimal(number: Fraction | float | None) -> str:
    return "-" if number is None else f"{float(number):z.4f}"


def _dice(faces: tuple[int, ...]) -> str:
    return " ".join(map(str, faces))


def probability_json(situation: Situation) -> Probability:
    """Return the document of `probability`."""
    player_view = situation.player_view
    return {
        **titled(player_view.rules),
        "my_dice": list(player_view.own),
        "known": list(player_view.known),
        "unknown": player_view.unknown,
        "next_dice": player_view.next_dice,
        "level": encoded(situation.level),
        "expectations": [encoded(number) for number in situation.expectations],
        "thresholds": [situation.believed(face) for face in player_view.rules.faces],
        "last_bid": _last_json(situation),
        "raises": [
            {
                "bid": str(one.bid),
                "true": encoded(1 - one.bad),
                "called": encoded(situation.called(one)),
                "omega": encoded(one.omega),
            }
            for one in situation.raises
        ],
        "recommended": _action(situation, situation.call_pays),
        "reason": _reason(situation),
        "by_level": _action(situation, situation.calls_by_level),
    }


def _action(situation: Situation, called: bool) -> str:
    return "call" if called or situation.best is None else str(situation.best.bid)


def _last_json(situation: Situation) -> LastBidFields | None:
    last = situation.about_last
    if last is None:
        return None
    return {
        "bid": str(last.bid),
        "missing": last.missing,
        "chance": encoded(last.chance),
        "expected": encoded(last.expected),
        "deviation": last.deviation,
        "true": encoded(situation.true),
        "true_normal": last.true_normal,
        "z_score": last.z_score,
        "page_z_score": last.page_z_score,
    }
