"""A game at the terminal for a program: every round, every bid in it, and what a person's decisions were worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from liarsdice_cli.arena.one_by_one import RoundEnd
from liarsdice_cli.arena.session import Round, Session
from liarsdice_cli.bots.advice import SHOWDOWN, Advice
from liarsdice_cli.formats.numbers import encoded
from liarsdice_cli.report.play import Decision


@dataclass
class Record:
    """The rounds that were played to their end, in order."""

    rounds: list[tuple[Round, RoundEnd]] = field(default_factory=list)


def play_json(
    session: Session, names: Sequence[str], seed: int | None, record: Record, judged: Sequence[tuple[Advice, Decision]]
) -> dict[str, Any]:
    """The content of `play --json`; see docs/json.md. Seats count from 1, the person's."""
    won = sum(loser != 0 for loser in session.losers)
    return {
        "rules": str(session.rules).removesuffix(", payoffs win"),
        "players": list(names),
        "match": session.rounds is None,
        "seed": seed,
        "finished": session.is_over,
        "won": won,
        "lost": len(session.losers) - won,
        "rounds": [_round(dealt, end) for dealt, end in record.rounds],
        "decisions": [_decision(advice, decision) for advice, decision in judged],
    }


def _round(dealt: Round, end: RoundEnd) -> dict[str, Any]:
    """A round; lists with one entry a player begin with the one who opened."""
    table = end.table
    bids = [table.rules.bids[bid] for bid in table.bids]
    return {
        "round": dealt.number,
        "seats": [seat + 1 for seat in table.seats],
        "dice": [list(roll) for roll in dealt.rolls],
        "bids": [str(bid) for bid in bids],
        "ended_by": None if table.ending is None else table.rules.action_name(table.ending),
        "true": table.rules.holds(bids[-1], dealt.rolls) if table.called else None,
        "loser": end.loser + 1,
        "failure": "" if end.failure is None else str(end.failure),
    }


def _decision(advice: Advice, decision: Decision) -> dict[str, Any]:
    """What the person did, and what every action was worth."""
    rules = decision.view.rules
    shares = [None] * len(advice.actions) if advice.probabilities is None else advice.probabilities
    actions = zip(advice.actions, advice.values, shares, strict=True)
    return {
        "round": decision.round,
        "dice": list(decision.view.roll),
        "history": [str(rules.bids[bid]) for bid in decision.view.history],
        "action": rules.action_name(decision.action),
        "basis": "probability" if advice.basis == SHOWDOWN else advice.basis,
        "best": rules.action_name(advice.best),
        "cost": encoded(advice.cost(decision.action)),
        "actions": [
            {"action": rules.action_name(action), "wins": encoded(value), "probability": encoded(share)}
            for action, value, share in actions
        ],
    }
