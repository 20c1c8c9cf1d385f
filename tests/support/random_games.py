"""Random games in extensive form for hypothesis, in a plain form that is independent of the project's columns.

A `Game` holds the content of an .efg file node by node. `tree_of` converts it to the project's `GameTree`, and `text_of` to a
file in one of the many notations that the format allows.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from liarsdice_cli.extensive.profile import Profile, from_sets
from liarsdice_cli.extensive.stream import CHANCE, NONE, TERMINAL, Actions, Outcome
from liarsdice_cli.extensive.tree import GameTree, InfoSets
from tests.support.properties import WHOLE, examples


def patient(count: int = WHOLE) -> settings:
    """Return settings like `examples` for properties of whole games, on machines of any speed."""
    return examples(count, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])


ODD = 'ab1 "%{}\\,éλ\n\t'
labels = (st.text(alphabet=ODD, max_size=5) | st.text(max_size=3).filter(lambda text: text.isprintable())).filter(
    lambda text: not text.endswith("\\")
)
"""Labels that a file restores unchanged; it does not restore a backslash at the end."""
plain_labels = st.sampled_from(["", "a", "b c", "1x2", "%s", "50%"])
fractions = st.fractions(-20, 20, max_denominator=12) | st.sampled_from(
    [Fraction(10) ** 300, -(Fraction(10) ** -300), Fraction(1, 3**80), Fraction(22, 7**45)]
)
one_to_three = st.integers(1, 3)
small_fractions = st.fractions(-5, 5, max_denominator=4)


@dataclass(frozen=True)
class Node:
    """One node: its player (or TERMINAL), the numbers of its information set and its outcome (0 for none), and its label."""

    player: int
    number: int
    outcome: int
    label: str


@dataclass(frozen=True)
class Game:
    """A game: nodes in prefix order; labels and action_lists by (player, number); outcomes by number."""

    title: str
    comment: str
    players: tuple[str, ...]
    nodes: tuple[Node, ...]
    sets: dict[tuple[int, int], tuple[str, Actions]] = field(default_factory=dict)
    outcomes: dict[int, Outcome] = field(default_factory=dict)


@st.composite
def games(
    draw: st.DrawFn,
    *,
    players: st.SearchStrategy[int] = one_to_three,
    names: st.SearchStrategy[str] = labels,
    payoffs: st.SearchStrategy[Fraction] = fractions,
    least_nodes: int = 1,
    most_nodes: int = 40,
    perfect_recall: bool = False,
    constant_sum: bool = False,
    chance: bool = True,
    idle: bool = False,
) -> Game:
    """Draw a game with shared information sets, payoffs at inner nodes, labelled nodes, gaps in all numbers, chances of 0.

    perfect_recall : nodes share a set only if the player has seen and done the same before
    idle           : some players, perhaps all, never move
    """
    count = draw(players)
    numbers = draw(st.permutations([*range(-3, most_nodes), 1000, 2**31 - 1]))
    kinds = [player for player in range(count) if not idle or draw(st.booleans())]
    kinds += [CHANCE] if chance else []
    outcomes = {}
    for number in draw(st.lists(st.integers(-3, 12).filter(bool), unique=True, min_size=1, max_size=4)):
        vector = tuple(draw(st.lists(payoffs, min_size=count, max_size=count)))
        vector = (*vector[:-1], -sum(vector[:-1], Fraction(0))) if constant_sum else vector
        outcomes[number] = Outcome(draw(names), vector)
    sets: dict[tuple[int, int], tuple[str, Actions]] = {}
    memories: dict[tuple[int, int], Any] = {}
    nodes: list[Node] = []
    waiting: list[dict[int, Any]] = [dict.fromkeys(kinds)]
    while waiting:
        past = waiting.pop()
        label = draw(names) if draw(st.integers(0, 7)) == 0 else ""
        room = most_nodes - len(nodes) - len(waiting) - 1
        least = 1 if len(nodes) + len(waiting) + 1 < least_nodes else 0
        size = draw(st.integers(min(least, room), min(3, room))) if kinds else 0
        if size == 0:
            nodes.append(Node(TERMINAL, 0, draw(st.sampled_from([0, *outcomes, *outcomes])), label))
            continue
        player = draw(st.sampled_from(kinds))
        memory = past[player] if perfect_recall and player != CHANCE else None
        fitting = [key for key in sets if key[0] == player and len(sets[key][1].labels) == size and memories[key] == memory]
        new = (player, numbers[len(sets)])
        key = draw(st.sampled_from([*fitting, new]))
        if key == new:
            actions = tuple(draw(st.lists(names, min_size=size, max_size=size)))
            weights = draw(st.lists(st.integers(0, 4), min_size=size, max_size=size).filter(any))
            lottery = tuple(Fraction(weight, sum(weights)) for weight in weights) if player == CHANCE else None
            sets[key] = (draw(names), Actions(actions, lottery))
            memories[key] = memory
        inner = draw(st.sampled_from([0, 0, 0, *outcomes]))
        nodes.append(Node(player, key[1], inner, label))
        waiting.extend({**past, player: (key, branch)} for branch in reversed(range(size)))
    used = {node.outcome for node in nodes}
    kept = {number: outcome for number, outcome in outcomes.items() if number in used}
    return Game(
        draw(names), draw(names), tuple(draw(st.lists(names, min_size=count, max_size=count))), tuple(nodes), sets, kept
    )


def tree_of(game: Game) -> GameTree:
    """Return the project's columns of a game; sets in the order of their first node, outcomes in that of the game's table."""
    rows = {(node.player, node.number): NONE for node in game.nodes if node.player != TERMINAL}
    rows = {key: row for row, key in enumerate(rows)}
    action_lists = [game.sets[key][1] for key in rows]
    table = InfoSets(
        np.array([player for player, _ in rows], np.int8),
        np.array([number for _, number in rows], np.int64),
        np.arange(len(rows), dtype=np.int32),
        [game.sets[key][0] for key in rows],
    )
    place = {0: NONE} | {number: row for row, number in enumerate(game.outcomes)}
    return GameTree(
        game.title,
        game.comment,
        game.players,
        action_lists,
        list(game.outcomes.values()),
        table,
        np.array([rows.get((node.player, node.number), NONE) for node in game.nodes], np.int32),
        np.array([place[node.outcome] for node in game.nodes], np.int32),
        {index: node.label for index, node in enumerate(game.nodes) if node.label},
    )


def random_profile(
    tree: GameTree, seed: int, weights: Sequence[int] = (0, 0, 1, 3), exact: bool = True, given: float = 1
) -> Profile:
    """Return a profile with many zeros, the same for the same seed.

    weights : every action gets one of these at random, and one action of the set 1 more
    exact   : in fractions instead of floats
    given   : the probability that a set is given; other sets get equal probabilities
    """
    source = random.Random(seed)
    numbers: dict[int, list[Fraction | float]] = {}
    for row in np.flatnonzero(tree.infosets.player != CHANCE).tolist():
        if given == 1 or source.random() < given:
            drawn = [source.choice(weights) for _ in range(tree.action_counts[row])]
            drawn[source.randrange(len(drawn))] += 1
            numbers[row] = [Fraction(one, sum(drawn)) if exact else one / sum(drawn) for one in drawn]
    return from_sets(tree, numbers)


def described(game: Game, set_labels: bool = True) -> tuple[Any, ...]:
    """Return the whole content of a game's file, in an order that does not depend on the order of tables."""
    nodes = [
        (node.player, node.number, game.sets.get((node.player, node.number)), game.outcomes.get(node.outcome), node.label)
        for node in game.nodes
    ]
    if not set_labels:
        nodes = [(player, number, it and ("", it[1]), outcome, label) for player, number, it, outcome, label in nodes]
    return (game.title, game.comment, game.players, nodes)


def described_tree(tree: GameTree) -> tuple[Any, ...]:
    """Return the same as `described` from the project's columns."""
    nodes = []
    for index in range(tree.nodes):
        row, outcome = int(tree.infoset[index]), int(tree.outcome[index])
        table = tree.infosets
        known = None if row == NONE else (table.labels[row], tree.action_lists[table.actions[row]])
        number = 0 if row == NONE else int(table.number[row])
        ends = None if outcome == NONE else tree.outcomes[outcome]
        nodes.append((int(tree.player[index]), number, known, ends, tree.node_labels.get(index, "")))
    return (tree.title, tree.comment, tree.players, nodes)


def quoted(label: str) -> str:
    return '"' + label.replace('"', '\\"') + '"'


def number_texts(number: Fraction) -> list[str]:
    """Return notations of a number in an .efg file."""
    texts = [str(number), f"{number.numerator * 6}/{number.denominator * 6}"]
    if number >= 0:
        texts.append(f"+{number}")
    if number.denominator == 1 and abs(number) < 10**20:
        texts += [f"{number}.", f"{number}.00", f"{number}e0", f"{number}0E-1", f"{number}e+0"]
    if number.denominator in (2, 4, 5) and abs(number) < 1000:
        decimal = f"{float(number):.2f}"
        texts += [decimal, decimal.replace("0.", ".", 1) if decimal.startswith(("0.", "-0.")) else decimal]
        texts += [f"{float(number * 100):.0f}e-2", f"{float(number / 10):.3f}E+1"]
    return texts


def text_of(game: Game, draw: Callable[[st.SearchStrategy[Any]], Any]) -> bytes:
    """Return an .efg file of the game in a random notation.

    The brackets of a set or outcome are at its first node, its last node, all of its nodes, or random ones but at least one.
    """
    habit = draw(st.sampled_from(["first", "last", "all", "any"]))
    comma = draw(st.sampled_from([",", ""]))
    tokens = ["EFG", "2", draw(st.sampled_from("RD")), quoted(game.title), "{", *map(quoted, game.players), "}"]
    if game.comment or draw(st.booleans()):
        tokens.append(quoted(game.comment))
    set_places: dict[tuple[int, int], list[int]] = {}
    outcome_places: dict[int, list[int]] = {}
    for place, node in enumerate(game.nodes):
        set_places.setdefault((node.player, node.number), []).append(place)
        outcome_places.setdefault(node.outcome, []).append(place)

    def bracketed(places: list[int], place: int) -> bool:
        if habit == "all":
            return True
        where = places[0] if habit == "first" else places[-1]
        return place == where or (habit == "any" and draw(st.booleans()))

    for place, node in enumerate(game.nodes):
        key = (node.player, node.number)
        owner = {CHANCE: ["c"], TERMINAL: ["t"]}.get(node.player, ["p"])
        tokens += [*owner, quoted(node.label)]
        if node.player >= 0:
            tokens.append(str(node.player + 1))
        if node.player != TERMINAL:
            tokens.append(str(node.number))
            if bracketed(set_places[key], place):
                label, choices = game.sets[key]
                tokens += [quoted(label), "{"]
                for branch, action in enumerate(choices.labels):
                    tokens.append(quoted(action))
                    if choices.probabilities:
                        tokens.append(draw(st.sampled_from(number_texts(choices.probabilities[branch]))))
                tokens.append("}")
        tokens.append(str(node.outcome))
        if node.outcome and bracketed(outcome_places[node.outcome], place):
            outcome = game.outcomes[node.outcome]
            texts = [draw(st.sampled_from(number_texts(payoff))) for payoff in outcome.payoffs]
            tokens += [quoted(outcome.label), "{", *f"{comma} ".join(texts).split(), "}"]
    spaces = draw(st.sampled_from([" ", "\n", "\r\n", "\t", " \n \n"]))
    text = spaces.join(tokens)
    if draw(st.booleans()):  # one node a line, as most files are
        text = "\n".join(" ".join(line) for line in lines_of(tokens))
    mark = draw(st.sampled_from(["", "\ufeff"]))
    rest = draw(st.sampled_from(["", "\n", "\r\n\r\n", ' \nt "" 1\n', "\nsome text after the last node {"]))
    return (mark + text + rest).encode()


def lines_of(tokens: list[str]) -> list[list[str]]:
    lines: list[list[str]] = [[]]
    for token in tokens:
        if token in ("c", "p", "t"):
            lines.append([])
        lines[-1].append(token)
    return lines


@st.composite
def constant_sum_games(draw: st.DrawFn, most_nodes: int = 30) -> Game:
    """Draw two-player constant-sum games with perfect recall, payoffs at inner nodes, chances of 0 and one-action sets.

    There are few different payoffs, so that wins and losses are often certain.
    """
    shape = draw(
        games(players=st.just(2), names=st.just(""), payoffs=st.just(Fraction(0)), most_nodes=most_nodes, perfect_recall=True)
    )
    constant = draw(st.sampled_from([Fraction(0), Fraction(0), Fraction(1), Fraction(-1, 3)]))
    at_ends = draw(st.sampled_from([[0, 1], [-1, 1], [-1, 0, 1], [Fraction(-3, 2), Fraction(1, 3), 1]]))
    inside = draw(st.sampled_from([[0], [0, 0, 0, Fraction(1, 2)], [0, 0, 1, -1]]))
    numbers: dict[tuple[Fraction, Fraction], int] = {}
    nodes = []
    for node in shape.nodes:
        first = Fraction(draw(st.sampled_from(at_ends if node.player == TERMINAL else inside)))
        vector = (first, (constant if node.player == TERMINAL else 0) - first)
        nodes.append(replace(node, outcome=numbers.setdefault(vector, len(numbers) + 1)))
    sets = {}
    for key, (label, choices) in shape.sets.items():
        weights = draw(st.lists(st.integers(0, 3), min_size=len(choices.labels), max_size=len(choices.labels)).filter(any))
        lottery = tuple(Fraction(weight, sum(weights)) for weight in weights)
        sets[key] = (label, Actions(choices.labels, lottery if key[0] == CHANCE else None))
    return replace(shape, nodes=tuple(nodes), sets=sets, outcomes={row: Outcome("", pair) for pair, row in numbers.items()})


huge = st.sampled_from([sign * Fraction(10) ** power for sign in (1, -1) for power in (-400, 17, 200, 308, 400)])
"""Payoffs that floats round, and payoffs outside the range of floats."""
odd_labels = labels | st.sampled_from(
    [
        "",
        "a",
        "a",
        "\x1b[31m",
        "\u202eb",
        "a\nb",
        "</script>",
        "&lt;",
        "__proto__",
        "1x2",
        "call",
        "opening",
        "P1 set 1",
        "w" * 300,
    ]
)
"""Labels that could control a terminal, end a script, or be mistaken for another label."""


@st.composite
def unusual_files(draw: st.DrawFn) -> bytes:
    """Draw an .efg file of a legal but unusual game in a random notation."""
    payoffs = draw(st.sampled_from([small_fractions, small_fractions, fractions, huge, small_fractions | huge]))
    of_two = draw(st.booleans())
    most_nodes = draw(st.sampled_from([6, 12, 25, 50, 100]))
    game = draw(
        games(
            players=st.just(2) if of_two else st.integers(0, 4),
            names=draw(st.sampled_from([st.just(""), plain_labels, odd_labels])),
            payoffs=payoffs,
            least_nodes=draw(st.sampled_from([1, most_nodes // 2, most_nodes // 2])),
            most_nodes=most_nodes,
            perfect_recall=draw(st.booleans()),
            constant_sum=of_two and draw(st.booleans()),
            chance=draw(st.booleans()),
            idle=draw(st.booleans()),
        )
    )
    return text_of(game, draw)


def drawn(strategy: st.SearchStrategy[Any], count: int, number: int) -> list[Any]:
    """Return examples of a hypothesis strategy for use outside properties, the same for the same number."""
    found: list[Any] = []

    @seed(number)
    @settings(patient(), max_examples=count, phases=[Phase.generate], database=None)
    @given(strategy)
    def keep(example: Any) -> None:
        found.append(example)

    keep()
    return found
