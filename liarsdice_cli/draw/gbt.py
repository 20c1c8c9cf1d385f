"""Writing Gambit's .gbt files, the workbooks of its graphical interface: a game, its colours and an equilibrium on it.

The interface lists the reduced strategies of every player when it opens a tree, so a game with too many of them never
opens. Such a game is cut for it (`openable`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import prod
from typing import IO
from xml.sax.saxutils import escape

import numpy as np

from liarsdice_cli.draw.colours import of_mover, rgb
from liarsdice_cli.errors import Argument, LiarsDiceError
from liarsdice_cli.extensive.collect import collect
from liarsdice_cli.extensive.recall import has_perfect_recall
from liarsdice_cli.extensive.strategic_form import count_strategies
from liarsdice_cli.extensive.stream import CHANCE, TERMINAL, Actions, TreeStream
from liarsdice_cli.extensive.subtree_view import SubtreeView, fractions_of, moves
from liarsdice_cli.extensive.tree import GameTree, InfoSets
from liarsdice_cli.formats.efg.writer import dumps as efg_text

MOST = 2_000
"""The most reduced strategies, of all players together, that are written: Gambit 16.7 opens 1,000 at once."""

_FORBIDDEN = str.maketrans({"&": "+", "<": "(", ">": ")", "\\": "/"})
"""Characters that versions of Gambit decode differently inside a workbook, and their substitutes."""

_LAYOUT = """<autolayout>
<nodes size="10" spacing="40" chance="dot" player="dot" terminal="dot"/>
<branches size="60" tine="60" branch="forktine" labels="horizontal"/>
<infosets connect="all" style="lines"/>
</autolayout>
<labels abovenode="isetid" belownode="value" abovebranch="label" belowbranch="probs"/>
<numbers decimals="4"/>
"""


def write(stream: TreeStream, out: IO[bytes], *options: object) -> None:
    """Write a workbook of the game alone, with its labels. Holds the game in memory; raises as `openable` does.

    options : those of other formats (`registry.GAME`), ignored: a workbook always has labels, and no sections
    """
    out.write(dumps_openable(SubtreeView.whole(collect(stream))))


def dumps_openable(part: SubtreeView, method: str = "", depth: int | None = None) -> bytes:
    """Return the workbook (`dumps`) of as much of a part as Gambit's interface can open; raises as `openable` does."""
    return dumps(openable(part, depth), method)


def dumps(part: SubtreeView, method: str = "") -> bytes:
    """Return the workbook; with a profile it shows the probability of each action and the value of each node.

    method : the name of the profile in the interface

    Probabilities are fractions, those of floats rounded to a denominator of a million at most.

    >>> from liarsdice_cli.formats.efg import parse
    >>> from liarsdice_cli.extensive.profile import from_sets
    >>> game = parse(b'EFG 2 R "coin" { "A" } p "" 1 1 "" { "H" "T" } 0 t "" 1 "" { 1 } t "" 2 "" { 0 }')
    >>> print(dumps(SubtreeView.whole(game, from_sets(game, {})), "equal").decode().splitlines()[-4])
    <profile type="behav">1/2,1/2</profile>
    """
    tree = _plain(replace(part.tree, title=part.title))
    game = escape(efg_text(tree.stream(), "full").decode())
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<gambit:document xmlns:gambit="http://gambit.sourceforge.net/" version="0.1">\n'
        f"{_colours(len(tree.players))}{_LAYOUT}<game>\n<efgfile>\n{game}</efgfile>\n{_analysis(part, method)}</game>\n"
        "</gambit:document>\n"
    ).encode()


def openable(part: SubtreeView, depth: int | None = None) -> SubtreeView:
    """Return the game, or the largest part of it that Gambit's interface can open.

    depth : cut the game after this number of moves; by default it is cut only if the whole game cannot be opened

    If there are too many strategies, the game ends after any action that the profile never takes. If there are still too
    many, those actions are removed. Both are also tried with the game cut after fewer and fewer moves. Raises
    LiarsDiceError if every attempt is too large.
    """
    if depth is not None and part.profile is None:
        raise LiarsDiceError("parts cut off take their payoffs from a profile: give one (liarsdice solve GAME -o game.gbt)")
    wanted = part if depth is None else part.cut(depth)
    if count(wanted.tree) <= MOST:
        return wanted
    if part.profile is None:
        raise LiarsDiceError(
            f"the game has {_shown(count(wanted.tree))} reduced strategies, and Gambit's interface opens about {MOST:,}: "
            "give a profile, so that a part of the game can be written (liarsdice solve GAME -o game.gbt)"
        )
    fitting = (smaller for smaller in _smaller(part, depth) if count(smaller.tree) <= MOST)
    found = next(fitting, None)
    if found is None:
        raise LiarsDiceError(
            f"the part has {_shown(count(wanted.tree))} reduced strategies, and Gambit's interface opens about {MOST:,}: "
            "give a smaller ",
            *(Argument("depth"), ", or a longer history after ", Argument("history")),
        )
    return found


def count(tree: GameTree) -> int:
    """Return the number of reduced strategies of all players together, or of pure strategies without perfect recall.

    >>> from liarsdice_cli.games.liarsdice import rules, tree
    >>> count(tree.build(rules.rules("classic", 2)))
    1000
    """
    players = range(len(tree.players))
    if has_perfect_recall(tree):
        return sum(count_strategies(tree, player) for player in players)
    return sum(prod(tree.action_counts[tree.infosets.player == player].tolist()) for player in players)


def _smaller(part: SubtreeView, depth: int | None) -> Iterator[SubtreeView]:
    """Yield smaller parts to write instead of one that is too large, best first."""
    for smaller in (part.followed(), part.taken()):
        if depth is not None:
            yield smaller.cut(depth)
            continue
        yield smaller
        yield from (smaller.cut(moved) for moved in range(int(moves(smaller.tree).max()) - 1, 1, -1))
    yield part.taken().cut(1)


def _shown(number: int) -> str:
    return f"{number:,}" if number < 10**15 else f"10^{len(str(number)) - 1}" if number < 10**4000 else "far too many"


def _colours(players: int) -> str:
    lines = []
    for number, mover in enumerate((TERMINAL, CHANCE, *range(players)), -1):
        red, green, blue = rgb(of_mover(mover).light)
        lines.append(f'<player id="{number}" red="{red}" green="{green}" blue="{blue}"/>\n')
    return f"<colors>\n{''.join(lines)}</colors>\n"


def _analysis(part: SubtreeView, method: str) -> str:
    """Return the profile in Gambit's order: by player, then by the first node of the set; "" without a profile."""
    if part.profile is None or not part.tree.players:
        return ""
    tree, sets = part.tree, part.tree.infosets
    rows = [row for row in np.lexsort((tree.first_node, sets.player)).tolist() if sets.player[row] != CHANCE]
    numbers = [number for row in rows for number in fractions_of(part.profile.at(row))]
    description = f"<description>{escape(_plain_label(method))}</description>\n" if _plain_label(method) else ""
    profile = ",".join(map(str, numbers))
    return f'<analysis type="list">\n{description}<profile type="behav">{profile}</profile>\n</analysis>\n'


def _plain_label(label: str) -> str:
    """Return a label that all versions of Gambit read alike: printable ASCII, single spaces, none at the ends."""
    ascii_only = "".join(letter if " " <= letter <= "~" else "?" for letter in label.translate(_FORBIDDEN))
    return " ".join(ascii_only.split())


def _plain(tree: GameTree) -> GameTree:
    """Return the game with plain labels, without those that must differ and no longer do."""
    sets = tree.infosets
    keys = [(player, _plain_label(label)) for player, label in zip(sets.player.tolist(), sets.labels, strict=True)]
    times = Counter(keys)
    labels = ["" if times[key] > 1 else key[1] for key in keys]
    nodes = {node: _plain_label(label) for node, label in tree.node_labels.items()}
    uses = Counter(nodes.values())
    return replace(
        tree,
        title=_plain_label(tree.title),
        comment=_plain_label(tree.comment),
        players=_distinct([_player(name) for name in tree.players]),
        action_lists=[Actions(_distinct(choices.labels), choices.probabilities) for choices in tree.action_lists],
        outcomes=[outcome._replace(label=_plain_label(outcome.label)) for outcome in tree.outcomes],
        infosets=InfoSets(sets.player, sets.number, sets.actions, labels),
        node_labels={node: label for node, label in nodes.items() if label and uses[label] == 1},
    )


def _player(name: str) -> str:
    plain = _plain_label(name)
    return f"{plain} (player)" if plain.lower() == "chance" else plain


def _distinct(labels: Sequence[str]) -> tuple[str, ...]:
    """Return plain labels that differ: an empty or repeated label gets its place as a number."""
    plain = [_plain_label(label) for label in labels]
    times = Counter(plain)
    return tuple(label if label and times[label] == 1 else f"{label} {place}".strip() for place, label in enumerate(plain, 1))
