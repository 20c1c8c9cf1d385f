"""Diagrams as text for a terminal: one line for each node, with its branches below it."""

from __future__ import annotations

from collections.abc import Iterator

from liarsdice_cli.draw.diagram import Bar, Diagram, Node, Panel
from liarsdice_cli.extensive.stream import CHANCE, NONE, TERMINAL
from liarsdice_cli.text import DIE_FACES


def dumps(diagram: Diagram) -> bytes:
    """Return the tree as lines; middle dots mark the branches and rolls that the profile never reaches.

    >>> from liarsdice_cli.draw.diagram import SubtreeView, of_tree
    >>> from liarsdice_cli.formats.efg import parse
    >>> game = parse(b'EFG 2 R "coin" { "A" } p "" 1 1 "" { "H" "T" } 0 t "" 1 "" { 1 } t "" 2 "" { 0 }')
    >>> print(dumps(of_tree(SubtreeView.whole(game))).decode(), end="")
    coin
    A set 1
    ├── H → 1
    └── T → 0
    """
    lines = [diagram.title or "A game"]
    for panel in diagram.panels:
        lines += _panel(diagram, panel)
    if not diagram.reached_only and not all(node.reached for panel in diagram.panels for node in panel.nodes):
        lines += ["", "··  never reached"]
    return ("\n".join(lines) + "\n").encode()


def _panel(diagram: Diagram, panel: Panel) -> Iterator[str]:
    nodes = panel.nodes
    last_child = {node.parent: place for place, node in enumerate(nodes) if diagram.shows(node)}
    indents: list[str] = []  # of the branches below every node
    if panel.dice:
        rolls = " ".join(f"{name} {_dice(roll)}" for name, roll in zip(diagram.players, panel.dice, strict=True))
        yield f"\n{rolls} {_chances(nodes[0])}".rstrip()
    for place, node in enumerate(nodes):
        if not diagram.shows(node):
            indents.append("")
            continue
        above = "" if node.parent == NONE else indents[node.parent]
        last = last_child[node.parent] == place
        yield (above + _arm(node, last) + _words(diagram, node)).rstrip()
        indents.append(above if node.parent == NONE else above + ("    " if last else "│   "))
        stem = "│ " if place in last_child else "  "
        yield from (f"{indents[place]}{stem}{_bar(bar)}" for bar in node.bars)


def _arm(node: Node, last: bool) -> str:
    if node.parent == NONE:
        return ""
    return ("└" if last else "├") + ("── " if node.reached else "·· ")


def _words(diagram: Diagram, node: Node) -> str:
    branch = " ".join(filter(None, (node.branch, _chances(node)))) if node.parent != NONE else ""
    if node.mover == TERMINAL:
        return f"{branch} → {node.before_payoffs}{', '.join(node.payoffs)}".lstrip()
    who = "chance" if node.mover == CHANCE else diagram.players[node.mover]
    number = f" set {node.number}" if node.number and node.mover != CHANCE else ""
    paid = f", pays {', '.join(node.payoffs)}" if node.payoffs else ""
    return f"{branch}{': ' if branch else ''}{who}{number}{paid}"


def _chances(node: Node) -> str:
    return f"({node.chances})" if node.chances else ""


def _bar(bar: Bar) -> str:
    return f"{'' if bar.reached else '· '}{_dice(bar.dice) or bar.name}  {bar.words}"


def _dice(dice: str) -> str:
    """Return a roll as die faces if Unicode has them, otherwise unchanged."""
    return "".join(DIE_FACES[int(face) - 1] for face in dice) if dice and set(dice) <= set("123456") else dice
