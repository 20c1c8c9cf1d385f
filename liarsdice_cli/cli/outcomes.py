"""`liarsdice outcomes`: a game given as combinations of moves with outcomes, solved by backward induction."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.options import FILE, json_option, quiet_option
from liarsdice_cli.cli.printing import print_json, print_lines, print_tables
from liarsdice_cli.formats import kinds

if TYPE_CHECKING:
    from rich.tree import Tree

    from liarsdice_cli.extensive.path_of_play import Play
    from liarsdice_cli.solvers.solution import Solution

_EXAMPLE = """
liarsdice outcomes game.csv
liarsdice outcomes game.csv --turns Ann,Bob,Ann --trace
liarsdice outcomes - -o game.efg
"""

_TREE = 60
"""Nodes up to which the whole tree is drawn; of larger ones the moves that are played, and what else could be."""


@click.command(cls=CommandWithExample, example=_EXAMPLE)
@click.argument("table", type=FILE)
@click.option("--turns", default="", metavar="P,P,...", help="Who moves at each depth, by name or number.  [default: in turn]")
@click.option("--trace", is_flag=True, help="List all nodes in pre-order with their outcomes and moves.")
@click.option("--full", is_flag=True, help="Draw a large tree whole.")
@click.option("-o", "--output", type=FILE, metavar="FILE", help=f"Write the game: {kinds.suffixes(kinds.GAME)}.")
@json_option
@quiet_option
def command(table: str, turns: str, trace: bool, full: bool, output: str | None, as_json: bool, quiet: bool) -> None:
    """Solve the game in TABLE (CSV or JSON, or - for standard input): combinations of moves and their payoffs.

    Backward induction finds the moves that are played, the outcome, and the best move at every node; all subgame-perfect
    payoffs where there are ties. The format is described in docs/sequential.md.
    """
    from liarsdice_cli.cli.writing import write_game
    from liarsdice_cli.system import collector

    with collector.paused():
        play, solution = _solved(table, turns)
    tree = play.tree
    if output is not None:
        write_game(tree.stream(), output, "auto", quiet)
    if as_json:
        print_json("outcomes", {"source": table} | _json(play, solution) | ({"trace": list(_entries(play))} if trace else {}))
        return
    print_lines(_lines(play, solution))
    if trace:
        print_lines(("", *_trace(play)))
    else:
        print_tables(("", _drawing(play, full or tree.nodes <= _TREE)))


def _solved(table: str, turns: str) -> tuple[Play, Solution]:
    """The game in the file, solved."""
    from liarsdice_cli.extensive.path_of_play import Play
    from liarsdice_cli.formats import outcome_table
    from liarsdice_cli.games import outcomes
    from liarsdice_cli.solvers.ladder import solve
    from liarsdice_cli.solvers.registry import BACKWARD
    from liarsdice_cli.solvers.solution import Request

    rows = outcome_table.read(table)
    order = outcomes.turns(turns, rows.players, rows.moves.shape[1])
    name = "standard input" if table == "-" else PurePath(table).name
    tree = outcomes.build(rows, order, f"The outcomes in {name}")
    solution = solve(tree, Request(BACKWARD))
    return Play(tree, solution.best.in_tree), solution


def _json(play: Play, solution: Solution) -> dict[str, Any]:
    from liarsdice_cli.report.facts import Facts
    from liarsdice_cli.report.solution import solution_json

    found = solution_json(solution)
    for key in (
        "profiles",
        "run_history",
        "parameters",
        "versions",
    ):  # `trace` says what the first does, shorter; nothing is minimised
        found.pop(key)
    outcome = [str(number) for number in play.payoffs(0)]
    return Facts.of(play.tree).json() | {"moves": play.moves(), "outcome": outcome} | found


def _lines(play: Play, solution: Solution) -> Iterator[str]:
    from liarsdice_cli.report.facts import Facts
    from liarsdice_cli.report.solution import solution_lines

    yield f"Moves: {', '.join(play.moves())}"
    yield f"Outcome: {_vector(play, 0)}"
    yield ""
    yield from Facts.of(play.tree).lines()
    yield from solution_lines(solution)


def _vector(play: Play, node: int) -> str:
    return f"({', '.join(map(str, play.payoffs(node)))})"


def _trace(play: Play) -> Iterator[str]:
    """Every node in pre-order, moves by name."""
    yield "Trie:"
    for node, moves in play.preorder():
        move = play.move_into(play.taken(node)) if play.children(node) else None
        yield f"{'-' * 30}\nMoves so far: {moves}\nOutcome: {_vector(play, node)}\nMove: {move}"


def _entries(play: Play) -> Iterator[dict[str, Any]]:
    """The same for a program."""
    for node, moves in play.preorder():
        decision = bool(play.children(node))
        yield {
            "moves": moves,
            "player": int(play.tree.player[node]) + 1 if decision else None,
            "outcome": [str(number) for number in play.payoffs(node)],
            "move": play.move_into(play.taken(node)) if decision else None,
            "best": [play.move_into(child) for child in play.best(node)],
        }


def _drawing(play: Play, whole: bool) -> Tree:
    """The tree with what is played marked: > before the move taken, = before those that are as good."""
    from rich.markup import escape
    from rich.tree import Tree

    from liarsdice_cli.report.profile import LONG

    def text(node: int, mark: str, move: str) -> str:
        who = f"{play.tree.players[int(play.tree.player[node])]} " if play.children(node) else ""
        line = escape(f"{mark}{move}{': ' if move else ''}{who}{_vector(play, node)}")
        return f"[bold]{line}[/bold]" if mark == "> " else line

    drawing = Tree(text(0, "", ""))
    todo = [(0, 0, drawing)]
    while todo:
        node, depth, branch = todo.pop()
        children, best = play.children(node), play.best(node)
        shown = children if whole else sorted({*children[:LONG], *best[:1]})
        for child in shown:
            mark = "> " if child == play.taken(node) else "= " if child in best else ""
            twig = branch.add(text(child, mark, play.move_into(child)))
            if play.children(child) and (whole or (child == play.taken(node) and depth < LONG)):
                todo.append((child, depth + 1, twig))
        if len(shown) < len(children):
            branch.add(f"... {len(children) - len(shown):,} more moves; --full draws all")
    return drawing
