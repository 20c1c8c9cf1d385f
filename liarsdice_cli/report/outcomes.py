"""The report of `liarsdice outcomes`: the path of play, its payoffs, and the tree with both marked."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from liarsdice_cli.extensive.path_of_play import PathOfPlay
from liarsdice_cli.formats.documents.solutions import PathOfPlay as PathFields
from liarsdice_cli.formats.documents.solutions import Solve, TraceNode
from liarsdice_cli.report.facts import game_info
from liarsdice_cli.report.solution import solution_lines, solve_json
from liarsdice_cli.report.tables import LONG, Hinted, cell
from liarsdice_cli.solvers.solution import Solution

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.tree import Tree

_SMALL = 60
"""The largest tree, in nodes, that is drawn whole; larger ones show the path of play and its alternatives."""


def outcomes_tables(play: PathOfPlay, solution: Solution, full: bool = False) -> Iterator[RenderableType]:
    """Yield the report for a terminal, with all nodes if `full`, otherwise with a drawing of the tree, whole if it is small."""
    yield f"Moves: {', '.join(play.moves())}"
    yield f"Outcome: {_vector(play, 0)}"
    yield ""
    yield from game_info(play.tree).lines()
    yield from solution_lines(solution)
    yield ""
    if full:
        yield from _trace(play)
        return
    whole = play.tree.nodes <= _SMALL
    yield _drawing(play, whole)
    if not whole:
        yield Hinted("only the path of play and its alternatives are drawn", "; --full lists all nodes")


def _vector(play: PathOfPlay, node: int) -> str:
    return f"({', '.join(map(str, play.payoffs(node)))})"


def _trace(play: PathOfPlay) -> Iterator[str]:
    """Yield the text of every node in pre-order, siblings by their labels."""
    yield "Trie:"
    for node, moves in play.preorder():
        yield "-" * 30
        yield f"Moves so far: {moves}"
        yield f"Outcome: {_vector(play, node)}"
        yield f"Move: {play.move_into(play.taken(node)) if play.children(node) else None}"


def _drawing(play: PathOfPlay, whole: bool) -> Tree:
    """Return a drawing of the tree with > before the move taken and = before those that are as good."""
    from rich.tree import Tree

    drawing = Tree(cell(_words(play, 0)))
    todo = [(0, 0, drawing)]
    while todo:
        node, depth, branch = todo.pop()
        children, best = play.children(node), dict.fromkeys(play.best(node))
        shown = children if whole else sorted({*children[:LONG], *islice(best, 1)})
        for child in shown:
            taken = child == play.taken(node)
            mark = "> " if taken else "= " if child in best else ""
            twig = branch.add(cell(f"{mark}{play.move_into(child)}: {_words(play, child)}", "bold" if taken else ""))
            if play.children(child) and (whole or (taken and depth < LONG)):
                todo.append((child, depth + 1, twig))
        if len(shown) < len(children):
            branch.add(f"... {len(children) - len(shown):,} more moves")
    return drawing


def _words(play: PathOfPlay, node: int) -> str:
    """Return the player to move at a node, and the payoffs from there."""
    who = f"{play.tree.players[int(play.tree.player[node])]} " if play.children(node) else ""
    return f"{who}{_vector(play, node)}"


def outcomes_json(play: PathOfPlay, solution: Solution, source: str, trace: bool = False) -> Solve:
    """Return the document of `outcomes` for the table `source`; `trace` is a shorter form of the profile's probabilities."""
    content = solve_json(solution, source)
    for profile in content["profiles"]:
        profile["probabilities"] = None
    path: PathFields = {"moves": play.moves(), "outcome": [str(number) for number in play.payoffs(0)]}
    if trace:
        path["trace"] = list(_trace_nodes(play))
    content["path_of_play"] = path
    return content


def _trace_nodes(play: PathOfPlay) -> Iterator[TraceNode]:
    """Yield all nodes in pre-order."""
    for node, moves in play.preorder():
        decision = bool(play.children(node))
        yield {
            "moves": moves,
            "player": int(play.tree.player[node]) + 1 if decision else None,
            "outcome": [str(number) for number in play.payoffs(node)],
            "move": play.move_into(play.taken(node)) if decision else None,
            "best": [play.move_into(child) for child in play.best(node)],
        }
