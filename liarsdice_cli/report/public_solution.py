"""Solutions of the public tree as text and as JSON; the same words as `report`, for strategies too large for tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from liarsdice_cli.formats.numbers import shown
from liarsdice_cli.games.liarsdice.beliefs import RollsAfter
from liarsdice_cli.games.liarsdice.strategy import CALL, actions
from liarsdice_cli.report.solution import outward, run_history_json, run_history_lines
from liarsdice_cli.solvers.public_tree.memory import size
from liarsdice_cli.solvers.public_tree.responses import Verdict
from liarsdice_cli.solvers.public_tree.solution import PublicSolution

if TYPE_CHECKING:
    from rich.console import RenderableType


def solution_json(solution: PublicSolution, reason: str, pages: list[dict[str, Any]]) -> dict[str, Any]:
    """What `solve --json` holds beside the facts and the source of the game; `pages` are those that were asked for."""
    run_history = solution.run_history
    return {
        "method": solution.method,
        "arithmetic": "float",
        "form": "public tree",
        "reason": reason,
        "note": _resources(solution),
        "finished": run_history.ended in ("target", "iterations"),
        "exact": False,
        "seconds": round(run_history.last.seconds, 6),
        "subgame_perfect": None,
        "profiles": [verdict_json(solution.verdict) | {"probabilities": None, "shown": pages}],
        "course": run_history_json(run_history),
    }


def verdict_json(verdict: Verdict) -> dict[str, Any]:
    """The same fields as `report.judgement_json`."""
    return {
        "payoffs": list(verdict.payoffs),
        "regrets": list(verdict.regrets),
        "equilibrium": False,
        "exploitability": verdict.bounds.exploitability,
        "bounds": [verdict.bounds.lower, verdict.bounds.upper],
    }


def solution_lines(solution: PublicSolution, reason: str, players: tuple[str, ...]) -> Iterator[str]:
    """The same for a person."""
    chosen = f" (chosen: {reason})" if reason else ""
    yield f"method {solution.method} on the public tree{chosen}; {_resources(solution)}"
    yield f"{solution.run_history.last.seconds:.2f} s"
    yield from run_history_lines(solution.run_history)
    yield ""
    yield from verdict_lines(solution.verdict, players)


def verdict_lines(verdict: Verdict, players: tuple[str, ...]) -> Iterator[str]:
    """Payoffs and regrets of the strategies, the bounds that they prove, and how good they are."""
    width = max(map(len, (*players, "player")))
    yield f"  {'player':{width}}  {'payoff':10}  regret"
    for name, payoff, regret in zip(players, verdict.payoffs, verdict.regrets, strict=True):
        yield f"  {name:{width}}  {shown(payoff):10}  {shown(regret)}"
    low, high = outward(verdict.bounds.lower, -1), outward(verdict.bounds.upper, 1)
    yield f"  the value for {players[0]} lies from {low} to {high}"
    yield f"  exploitability, the mean of the two regrets: {shown(verdict.bounds.exploitability)}"


def _resources(solution: PublicSolution) -> str:
    threads = f"{solution.threads} thread{'s' if solution.threads > 1 else ''}"
    return f"{size(solution.memory)} of {solution.kind}, {threads}"


_HARDLY = 0.005
"""Probabilities below this are left out of tables."""


def reading_tables(reading: RollsAfter, full: bool = False) -> Iterator[RenderableType]:
    """What each roll does after a history, then what the other player may hold; likely rolls first there."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    game, mover = reading.rules, reading.mover
    bids = " ".join(str(game.bids[bid]) for bid in reading.history)
    where = f"after {bids}" if bids else "opening"
    yield f"\nplayer {mover + 1}, {where}; play comes here with probability {shown(reading.reach)}"
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for column in (
        "roll",
        "probability",
        *(["last bid true"] if reading.last_bid_true is not None else []),
        "value",
        "actions (value)",
    ):
        table.add_column(column)
    beliefs = reading.beliefs(mover)
    for row in range(game.roll_count(mover)):
        table.add_row(
            game.roll_label(game.rolls(mover)[row][0]),
            "-" if beliefs is None else f"{beliefs[row]:.4f}",
            *([] if reading.last_bid_true is None else [f"{reading.last_bid_true[row]:.4f}"]),
            "-" if reading.value is None else f"{reading.value[row]:.4f}",
            _actions(reading, row, full),
        )
    yield table
    yield from _other(reading, full)


def _actions(reading: RollsAfter, row: int, full: bool) -> str:
    """The actions of a roll with their probabilities and values."""
    texts = []
    for place, action in enumerate(actions(reading.rules, reading.history)):
        probability = reading.probabilities[place, row]
        if probability >= _HARDLY or full:
            value = "-" if reading.values is None else f"{reading.values[place, row]:.4f}"
            name = "call" if action == CALL else str(reading.rules.bids[action])
            texts.append(f"{name} {probability:.3f} ({value})")
    return "  ".join(texts)


def _other(reading: RollsAfter, full: bool) -> Iterator[RenderableType]:
    """What the player who does not move may hold."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    game, other = reading.rules, 1 - reading.mover
    beliefs = reading.beliefs(other)
    if beliefs is None:
        yield f"player {other + 1} never comes here"
        return
    if not reading.history:
        return
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column(f"player {other + 1} may hold")
    table.add_column("probability")
    for row in sorted(range(len(beliefs)), key=lambda row: -beliefs[row]):
        if beliefs[row] >= _HARDLY or full:
            table.add_row(game.roll_label(game.rolls(other)[row][0]), f"{beliefs[row]:.4f}")
    yield table


def reading_json(reading: RollsAfter) -> dict[str, Any]:
    """The same for a program, whole."""
    game, mover = reading.rules, reading.mover
    names = ["call" if action == CALL else str(game.bids[action]) for action in actions(game, reading.history)]
    own, his = (_rolls(reading, player) for player in (mover, 1 - mover))
    rows = [
        entry
        | {
            "probabilities": reading.probabilities[:, row].tolist(),
            "values": None if reading.values is None else reading.values[:, row].tolist(),
            "last_bid_true": None if reading.last_bid_true is None else float(reading.last_bid_true[row]),
        }
        for row, entry in enumerate(own)
    ]
    history = [str(game.bids[bid]) for bid in reading.history]
    head = {"history": history, "player": mover + 1, "reach": reading.reach, "actions": names}
    return head | {"rolls": rows, "other": his}


def _rolls(reading: RollsAfter, player: int) -> list[dict[str, Any]]:
    beliefs = reading.beliefs(player)
    return [
        {"roll": list(roll), "probability": None if beliefs is None else float(beliefs[row])}
        for row, (roll, _) in enumerate(reading.rules.rolls(player))
    ]
