"""The document of a game at the terminal: all rounds with their bids, and the values of the person's decisions."""

from __future__ import annotations

from collections.abc import Sequence

from liarsdice_cli.arena.one_by_one import RoundEnd
from liarsdice_cli.arena.session import Round, Session
from liarsdice_cli.bots.advice import SHOWDOWN, Advice
from liarsdice_cli.formats.documents.playing import Play, PlayedDecision, PlayedRound
from liarsdice_cli.formats.numbers import encoded
from liarsdice_cli.report.play import Decision
from liarsdice_cli.report.rules import titled


def play_json(
    session: Session,
    names: Sequence[str],
    seed: int | None,
    rounds: Sequence[tuple[Round, RoundEnd]],
    judged: Sequence[tuple[Advice, Decision]],
) -> Play:
    """Return the document of `play`, with the finished rounds in order."""
    won = sum(loser != 0 for loser in session.losers)
    return {
        **titled(session.rules),
        "players": list(names),
        "match": session.rounds is None,
        "seed": seed,
        "finished": session.is_over,
        "won": won,
        "lost": len(session.losers) - won,
        "rounds": [_round(dealt, end) for dealt, end in rounds],
        "decisions": [_decision(advice, decision) for advice, decision in judged],
    }


def _round(dealt: Round, end: RoundEnd) -> PlayedRound:
    table = end.table
    bids = [table.rules.bids[bid] for bid in table.bids]
    return {
        "round": dealt.number,
        "seats": [seat + 1 for seat in table.seats],
        "dice": [list(roll) for roll in dealt.rolls],
        "bids": [str(bid) for bid in bids],
        "ended_by": None if table.ending is None else table.rules.action_name(table.ending),
        "claimer": None if table.claimer is None else table.claimer + 1,
        "true": table.rules.holds(bids[-1], dealt.rolls) if table.called else None,
        "loser": None if end.loser is None else end.loser + 1,
        "gainer": None if table.gainer is None else table.gainer + 1,
        "failure": "" if end.failure is None else str(end.failure),
    }


def _decision(advice: Advice, decision: Decision) -> PlayedDecision:
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
        "ev_loss": encoded(advice.cost(decision.action)),
        "actions": [
            {"action": rules.action_name(action), "not_lost": encoded(value), "probability": encoded(share)}
            for action, value, share in actions
        ],
    }
