"""A strategy of Liar's Dice after a history: the actions of each roll and their values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from liarsdice_cli.formats.documents.solutions import Belief, Opponent, Reply, Shown
from liarsdice_cli.formats.ldz import Origin
from liarsdice_cli.formats.numbers import shown
from liarsdice_cli.games.liarsdice.beliefs import RollsAfter
from liarsdice_cli.report.tables import Fitting, below_each_other, rest, table

if TYPE_CHECKING:
    from rich.console import RenderableType

    from liarsdice_cli.formats.registry import KeptStrategy


def origin_line(kept: KeptStrategy) -> str:
    """Return the rules, the method and the proof of a strategy file."""
    return f"{kept.rules}; {kept.origin.method}, {proved(kept.origin)}"


def proved(origin: Origin) -> str:
    """Return the proof in a strategy file: bounds for two players, otherwise the largest regret.

    Different bounds that print alike are one number "to six digits", since they prove no more.

    >>> proved(Origin("dcfr+", 9, 0.49999999, 0.5)), proved(Origin("dcfr+", 9, 0.4, 0.5))
    ('value for player 1: 0.5 to six digits', 'value for player 1 from 0.4 to 0.5')
    >>> proved(Origin("exact", None, 0.5, 0.5))
    'value for player 1: 0.5'
    """
    if origin.regrets is not None:
        return f"no player could gain more than {max(origin.regrets):.3g}"
    lower, upper = f"{origin.lower:.6g}", f"{origin.upper:.6g}"
    if lower != upper:
        return f"value for player 1 from {lower} to {upper}"
    return f"value for player 1: {lower}{'' if origin.lower == origin.upper else ' to six digits'}"


_MOST_ROLLS = 60
"""The most rolls that are shown without --full: enough for three six-sided dice."""
_HARDLY = 0.005
"""Probabilities below this are left out of tables."""


def reading_tables(reading: RollsAfter, full: bool = False, start: Sequence[int] = ()) -> Iterator[RenderableType]:
    """Yield the actions of each roll after a history, then the beliefs about the other players, likely rolls first.

    start : history at which a subgame begins. The probability of reaching a later history is relative to it. Rolls that have no
            probability in the beliefs of the subgame are left out.
    """
    game, mover = reading.rules, reading.mover
    bids = " ".join(str(game.bids[bid]) for bid in reading.history)
    where = f"after {bids}" if bids else "opening"
    yield ""
    if not start:
        yield f"player {mover + 1}, {where}; reached with probability {shown(reading.reach)}"
    elif len(start) == len(reading.history):
        yield f"player {mover + 1}, {where}"
    else:
        since = game.bids[start[-1]]
        yield f"player {mover + 1}, {where}; reached from {since} with probability {shown(reading.reach)}"
    beliefs, called = reading.beliefs(mover), [] if reading.last_bid_true is None else ["last bid true"]
    held = [row for row in range(game.roll_count(mover)) if full or not start or beliefs is None or beliefs[row]]
    rows = held if full else held[:_MOST_ROLLS]
    head = [
        (
            game.roll_label(game.rolls(mover)[row][0]),
            "-" if beliefs is None else f"{beliefs[row]:.4f}",
            *([] if reading.last_bid_true is None else [f"{reading.last_bid_true[row]:.4f}"]),
            "-" if reading.value is None else f"{reading.value[row]:z.4f}",
        )
        for row in rows
    ]
    done = [_actions(reading, row, full) for row in rows]
    columns = ("roll", "probability", *called, "value", "actions (value)")
    wide = table(columns, ((*own, "  ".join(texts)) for own, texts in zip(head, done, strict=True)))
    yield Fitting(wide, table(columns, ((*own, below_each_other(texts)) for own, texts in zip(head, done, strict=True))))
    yield from rest(len(held) - len(rows))
    for other in reading.others:
        yield from _other(reading, other, full)


def _actions(reading: RollsAfter, row: int, full: bool) -> list[str]:
    """Return the actions of a roll with their probabilities and values."""
    texts = []
    for place, action in enumerate(reading.state.actions):
        probability = reading.probabilities[place, row]
        if probability >= _HARDLY or full:
            value = "-" if reading.values is None else f"{reading.values[place, row]:z.4f}"
            name = reading.rules.action_name(action)
            texts.append(f"{name} {probability:.3f} ({value})")
    return texts


def _other(reading: RollsAfter, other: int, full: bool) -> Iterator[RenderableType]:
    """Yield the beliefs about a player who does not move."""
    game = reading.rules
    beliefs = reading.beliefs(other)
    if beliefs is None:
        yield f"player {other + 1} never reaches this history; with trembles (solve --tremble 0.01) every history is reached"
        return
    if not reading.history:
        return
    likely = [row for row in sorted(range(len(beliefs)), key=lambda row: -beliefs[row]) if beliefs[row] >= _HARDLY or full]
    listed = likely if full else likely[:_MOST_ROLLS]
    rows = ((game.roll_label(game.rolls(other)[row][0]), f"{beliefs[row]:.4f}") for row in listed)
    yield table((f"player {other + 1} may hold", "probability"), rows)
    yield from rest(len(likely) - len(listed))


def reading_json(reading: RollsAfter) -> Shown:
    """Return the play after a history for a program."""
    others: list[Opponent] = [{"player": other + 1, "rolls": _beliefs(reading, other)} for other in reading.others]
    return {
        "history": [str(reading.rules.bids[bid]) for bid in reading.history],
        "player": reading.mover + 1,
        "reach": reading.reach,
        "actions": list(reading.state.action_names),
        "infosets": [_reply(reading, row, belief) for row, belief in enumerate(_beliefs(reading, reading.mover))],
        "others": others,
    }


def _reply(reading: RollsAfter, row: int, belief: Belief) -> Reply:
    return {
        "label": reading.rules.roll_label(belief["roll"]),
        "number": None,
        **belief,
        "probabilities": reading.probabilities[:, row].tolist(),
        "values": None if reading.values is None else reading.values[:, row].tolist(),
        "last_bid_true": None if reading.last_bid_true is None else float(reading.last_bid_true[row]),
    }


def _beliefs(reading: RollsAfter, player: int) -> list[Belief]:
    beliefs = reading.beliefs(player)
    return [
        {"roll": list(roll), "probability": None if beliefs is None else float(beliefs[row])}
        for row, (roll, _) in enumerate(reading.rules.rolls(player))
    ]
