"""The game tree against closed forms, published node counts and a plain recursive unfolding."""

from __future__ import annotations

import pickle
import tracemalloc
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice, product
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import liarsdice_cli.extensive.tree
import liarsdice_cli.games.liarsdice.betting
from liarsdice_cli.errors import LiarsDiceError, UsageError
from liarsdice_cli.extensive.recall import has_perfect_recall
from liarsdice_cli.extensive.stream import CHANCE, NONE, TERMINAL, Block, TreeStream
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.games.bidding import Bidding
from liarsdice_cli.games.liarsdice import unfolding
from liarsdice_cli.games.liarsdice.betting import Betting, HistoryRange
from liarsdice_cli.games.liarsdice.presets import PRESETS
from liarsdice_cli.games.liarsdice.rules import DEALINGS, ORDERS, PAYOFFS, Rules, rules
from liarsdice_cli.games.liarsdice.tree import Counts, build, stream
from tests.support.properties import mostly_slow
from tests.support.random_games import patient
from tests.support.recall import is_absent_minded

SMALL = [
    (name, sides, dice)
    for name in PRESETS
    for sides, dice in [
        (1, (1, 1)),
        (2, (1, 1)),
        (3, (1, 1)),
        (2, (2, 1)),
        (2, (1, 2)),
        (2, (1, 1, 1)),
        (1, (2, 1, 1)),
        (2, (2, 2)),
    ]
    if not (name in ("joker", "perudo", "snyd") and sides == 1)
]
IN_EVERY_WAY = [(*game, chance) for game in SMALL for chance in DEALINGS]
MOST_NODES = 12_000


def with_house_rules(name: str, sides: int, dice: tuple[int, ...], **changes: Any) -> Iterator[Rules]:
    """Yield the rules of a preset, then its variants with each house rule that changes anything."""
    yield rules(name, sides, dice, **changes)
    if sides > 1 and rules(name, sides).wild in rules(name, sides).faces:
        yield rules(name, sides, dice, wild_opening=False, **changes)
    yield rules(name, sides, dice, fixed_face=True, **changes)
    yield rules(name, sides, dice, spot_on=True, **{**changes, "max_quantity": 1 if len(dice) > 2 else 2})
    if sides > 1 and len(set(dice)) > 1:
        yield rules(name, sides, dice, stairs=True, **{**changes, "max_quantity": 2})


@pytest.mark.parametrize(
    ("name", "sides", "nodes"),
    [
        ("classic", 2, 125),  # these three are printed in the 2015 post
        ("classic", 3, 9_208),
        ("classic", 4, 2_097_137),
        ("classic", 6, 4_947_802_324_957),
        ("common", 2, 125),
        ("common", 3, 1_144),
        ("common", 6, 294_877),
        ("joker", 6, 73_693),
    ],
)
def test_known_node_counts(name: str, sides: int, nodes: int) -> None:
    assert Counts.of(rules(name, sides)).nodes == nodes


@pytest.mark.parametrize("sides", [2, 3, 4])
def test_the_games_of_the_post_have_its_node_counts(sides: int) -> None:
    walked = sum(len(block.player) for block in stream(rules("classic", sides)).blocks())
    assert walked == {2: 125, 3: 9_208, 4: 2_097_137}[sides]


def test_a_tree_that_is_too_large_for_memory_is_refused() -> None:
    with pytest.raises(LiarsDiceError, match=r"1,677,721,576 nodes.*lower sides") as refused:
        build(rules("classic", 5))
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("game", "chance", "message"),
    [
        (rules("classic", 6), "ordered", "lower sides"),
        (rules("classic", 100), "multiset", "lower sides"),
        (rules("common", 6, (5, 5), max_quantity=1), "ordered", "dealing='multiset'"),
        (rules("common", 2, (1, 1)), "rolled", "ordered, multiset, staged"),
    ],
)
def test_a_stream_that_is_too_large_or_invalid_is_refused(game: Rules, chance: str, message: str) -> None:
    with pytest.raises((LiarsDiceError, UsageError), match=message) as refused:
        stream(game, chance)
    assert "\n" not in str(refused.value)


def test_counts_are_exact_at_any_size() -> None:
    counts = Counts.of(rules("common", 100, (50, 50)))
    assert counts.decision_nodes == 100**100 * 2**10_000
    assert counts.nodes == 100**100 * (2**10_001 - 1) + 1


# A plain unfolding. Nodes are nested tuples: ("chance", [(label, probability, node)]), ("end", payoffs) and
# ("decision", player, roll, history, [(action, node)]).


def unfold(game: Rules, chance: str) -> tuple[Any, ...]:
    """Unfold a game like the functions of the 2015 post: chance nodes for the rolls, then decision nodes with their actions."""
    faces = range(1, game.sides + 1)
    each: list[list[tuple[tuple[int, ...], Fraction]]] = []
    for count in game.dice:
        thrown = list(product(faces, repeat=count))
        if chance == "ordered":
            each.append([(dice, Fraction(1, len(thrown))) for dice in thrown])
        else:
            kinds = sorted({tuple(sorted(dice)) for dice in thrown})
            times = {kind: sum(tuple(sorted(dice)) == kind for dice in thrown) for kind in kinds}
            each.append([(kind, Fraction(times[kind], len(thrown))) for kind in kinds])

    def text(dice: tuple[int, ...]) -> str:
        return "".join(map(str, dice))

    def deal(rolls: tuple[tuple[int, ...], ...]) -> tuple[Any, ...]:
        if len(rolls) == game.players:
            return decision(game, rolls, ())
        return ("chance", [(text(dice), odds, deal((*rolls, dice))) for dice, odds in each[len(rolls)]])

    if chance == "staged":
        return deal(())
    branches = []
    for choice in product(*each):
        odds = Fraction(1)
        for _, share in choice:
            odds *= share
        rolls = tuple(dice for dice, _ in choice)
        branches.append(("|".join(map(text, rolls)), odds, deal(rolls)))
    return ("chance", branches)


def decision(game: Rules, rolls: tuple[tuple[int, ...], ...], history: tuple[Any, ...]) -> tuple[Any, ...]:
    player = len(history) % game.players
    higher = game.bids[game.bids.index(history[-1]) + 1 :] if history else game.bids
    if not history and not game.wild_opening:
        higher = tuple(bid for bid in higher if bid.face != game.wild)
    if history and game.fixed_face:
        higher = tuple(bid for bid in higher if bid.face == history[0].face)
    branches = [(str(bid), decision(game, rolls, (*history, bid))) for bid in higher]
    if history:
        if game.spot_on:
            branches.insert(0, ("spot-on", called(game, rolls, history[-1], player, spot_on=True)))
        branches.insert(0, ("call", called(game, rolls, history[-1], player)))
    return ("decision", player, tuple(sorted(rolls[player])), history, branches)


def called(game: Rules, rolls: tuple[tuple[int, ...], ...], bid: Any, caller: int, spot_on: bool = False) -> tuple[Any, ...]:
    matching = 0
    for roll in rolls:
        if game.stairs and sorted(roll) == list(range(1, len(roll) + 1)):
            matching += len(roll) + 1
        else:
            matching += sum(1 for die in roll if die == bid.face or die == game.wild)
    bidder = (caller + game.players - 1) % game.players
    bid_wins = matching != bid.quantity if spot_on else matching >= bid.quantity
    loser = caller if bid_wins else bidder
    won = Fraction(1) if game.payoffs == "win" else Fraction(1, game.players - 1)
    lost = Fraction(0) if game.payoffs == "win" else Fraction(-1)
    return ("end", tuple(lost if player == loser else won for player in range(game.players)))


def in_prefix_order(node: tuple[Any, ...], depth: int = 0) -> Iterator[tuple[int, tuple[Any, ...]]]:
    yield depth, node
    if node[0] != "end":
        for branch in node[-1]:
            yield from in_prefix_order(branch[-1], depth + 1)


def check_against_the_plain_unfolding(game: Rules, chance: str) -> None:
    tree = build(game, chance)
    plain = list(in_prefix_order(unfold(game, chance)))
    assert tree.nodes == len(plain)
    assert tree.depth.tolist() == [depth for depth, _ in plain]
    row_of: dict[Any, int] = {}
    for index, (_, node) in enumerate(plain):
        row, outcome = int(tree.infoset[index]), int(tree.outcome[index])
        if node[0] == "end":
            assert tree.player[index] == TERMINAL
            assert row == NONE
            assert tree.outcomes[outcome].payoffs == node[1]
            continue
        choices = tree.actions_at(row)
        assert outcome == NONE
        assert tree.arity[index] == len(node[-1])
        assert choices.labels == tuple(branch[0] for branch in node[-1])
        if node[0] == "chance":
            assert tree.player[index] == CHANCE
            assert choices.probabilities == tuple(branch[1] for branch in node[-1])
            assert sum(choices.probabilities) == 1
        else:
            _, player, roll, history, _ = node
            assert tree.player[index] == player
            assert choices.probabilities is None
            assert row_of.setdefault((player, roll, history), row) == row  # the knowledge of the player determines the infoset
            bids = "after " + " ".join(map(str, history)) if history else "opening"
            assert tree.infosets.labels[row] == f"P{player + 1} roll {''.join(map(str, roll))} {bids}"
    assert len(set(row_of.values())) == len(row_of) == np.count_nonzero(tree.infosets.player != CHANCE)  # and vice versa


@pytest.mark.parametrize(("name", "sides", "dice", "chance"), mostly_slow(IN_EVERY_WAY, 19))
def test_the_tree_is_the_plain_unfolding(name: str, sides: int, dice: tuple[int, ...], chance: str) -> None:
    small = Counts.of(rules(name, sides, dice), chance).nodes <= MOST_NODES
    for game in with_house_rules(name, sides, dice, max_quantity=None if small else 1):
        check_against_the_plain_unfolding(game, chance)


def test_the_plain_unfolding_agrees_with_the_post() -> None:
    bids = [(amount, die) for amount in range(1, 3) for die in range(1, 3)]
    assert [tuple(bid) for bid in rules("classic", 2).bids] == bids
    plain = unfold(rules("classic", 2), "ordered")
    assert [(label, odds) for label, odds, _ in plain[1]] == [(label, Fraction(1, 4)) for label in ("1|1", "1|2", "2|1", "2|2")]
    assert len(list(in_prefix_order(plain))) == 125


@st.composite
def small_rules(draw: st.DrawFn) -> Rules:
    name, sides, wild = draw(st.sampled_from([*PRESETS])), draw(st.integers(2, 3)), draw(st.sampled_from([None, "none", 1, 2]))
    assume((name, sides, wild) != ("snyd", 2, 2))  # 2 is the only face that can be bid, and no player could open
    game = rules(
        name,
        sides,
        draw(st.lists(st.integers(1, 2), min_size=2, max_size=4)),
        wild=wild,
        max_quantity=draw(st.integers(1, 4)),
        order=draw(st.sampled_from([None, *ORDERS])),
        payoffs=draw(st.sampled_from(PAYOFFS)),
        wild_opening=draw(st.sampled_from([None, False])),
        stairs=draw(st.sampled_from([None, True])),
        fixed_face=draw(st.booleans()),
        spot_on=draw(st.booleans()),
    )
    assume(Counts.of(game).nodes < 3_000)
    return game


@patient(60)
@given(game=small_rules(), chance=st.sampled_from(DEALINGS))
def test_the_tree_of_any_small_rules_is_the_plain_unfolding(game: Rules, chance: str) -> None:
    check_against_the_plain_unfolding(game, chance)
    check_counts(game, chance)


def check_counts(game: Rules, chance: str) -> None:
    counts, tree, streamed = Counts.of(game, chance), build(game, chance), stream(game, chance)
    assert counts.nodes == tree.nodes == streamed.nodes
    assert counts.chance_nodes == np.count_nonzero(tree.player == CHANCE)
    assert counts.terminal_nodes == np.count_nonzero(tree.player == TERMINAL)
    assert counts.decision_nodes == np.count_nonzero(tree.player >= 0)
    sets = [np.count_nonzero(tree.infosets.player == player) for player in range(game.players)]
    assert list(counts.infosets) == sets
    assert streamed.infosets == (np.count_nonzero(tree.infosets.player == CHANCE), *sets)
    assert len(np.unique(tree.infoset[tree.infoset != NONE])) == len(tree.infosets)


@pytest.mark.parametrize(("name", "sides", "dice", "chance"), mostly_slow(IN_EVERY_WAY, 17))
def test_closed_form_counts_agree_with_the_tree(name: str, sides: int, dice: tuple[int, ...], chance: str) -> None:
    for game in with_house_rules(name, sides, dice, max_quantity=2):
        check_counts(game, chance)


@pytest.mark.parametrize("payoffs", PAYOFFS)
@pytest.mark.parametrize(("name", "sides", "dice", "chance"), mostly_slow(IN_EVERY_WAY, 17))
def test_trees_have_perfect_recall_and_a_constant_sum(
    name: str, sides: int, dice: tuple[int, ...], chance: str, payoffs: str
) -> None:
    for game in with_house_rules(name, sides, dice, max_quantity=2, payoffs=payoffs):
        tree = build(game, chance)
        assert has_perfect_recall(tree)
        assert not any(is_absent_minded(tree, player) for player in range(2))
        assert tree.constant_sum == (0 if payoffs == "zero-sum" else len(dice) - 1)


@pytest.mark.parametrize("chance", DEALINGS)
def test_infosets_are_numbered_consecutively_in_an_order_that_solvers_can_traverse(chance: str) -> None:
    tree = build(rules("common", 2, (2, 1)), chance)
    for player in range(2):
        assert tree.infosets.number[tree.infosets.player == player].tolist() == list(
            range(1, 1 + np.count_nonzero(tree.infosets.player == player))
        )
    for node in range(tree.nodes):
        above, row = int(tree.parent[node]), tree.infoset[node]
        while above != NONE and row != NONE:
            if tree.player[above] == tree.player[node]:
                assert tree.infoset[above] < row
            above = int(tree.parent[above])


IN_BLOCKS = [
    (*game, chance, size)
    for game in [("classic", 2, (1, 1)), ("common", 3, (1, 1)), ("dudo", 2, (2, 1)), ("joker", 2, (1, 1, 1))]
    for chance in DEALINGS
    for size in (4, 8, 64, 1 << 10)
]


def columns(source: TreeStream, start: int = 0, stop: int | None = None) -> tuple[list[Any], list[str]]:
    """Join the blocks of a stream or of a part of it; return every column, and the labels at decision nodes."""
    parts: list[list[Any]] = [[], [], [], [], []]
    labels: list[str] = []
    for block in source.between(start, source.nodes if stop is None else stop):
        for column, part in zip(parts, block[:5], strict=True):
            column.extend(part.tolist())
        labels += block.labels(np.flatnonzero(block.player >= 0))
    return parts, labels


@pytest.mark.parametrize(("name", "sides", "dice", "chance", "size"), mostly_slow(IN_BLOCKS, 7))
def test_blocks_of_any_size_make_the_same_tree(
    monkeypatch: pytest.MonkeyPatch, name: str, sides: int, dice: tuple[int, ...], chance: str, size: int
) -> None:
    game = rules(name, sides, dice)
    whole = columns(stream(game, chance))
    tree = build(game, chance)
    assert columns(tree.stream())[0] == whole[0]
    for module in (liarsdice_cli.extensive.tree, liarsdice_cli.games.liarsdice.betting, unfolding):
        monkeypatch.setattr(module, "BLOCK", size)
    lengths = [len(block.player) for block in stream(game, chance).blocks()]
    assert max(lengths) <= max(size, len(dice))  # a block of chance nodes has at most one per player
    assert columns(stream(game, chance)) == whole
    assert columns(tree.stream()) == whole
    again = build(game, chance)
    assert again.fingerprint == tree.fingerprint
    assert list(again.infosets.labels) == list(tree.infosets.labels)


def test_a_stream_can_be_traversed_twice() -> None:
    source = stream(rules("common", 2, (2, 1)), "staged")
    assert columns(source) == columns(source)


@patient(60)
@given(game=small_rules(), chance=st.sampled_from(DEALINGS), block=st.sampled_from([4, 32, 1 << 16]), data=st.data())
def test_any_range_of_nodes_equals_that_part_of_the_whole(game: Rules, chance: str, block: int, data: st.DataObject) -> None:
    tree, source = build(game, chance), stream(game, chance)
    start = data.draw(st.integers(0, tree.nodes - 1))
    stop = data.draw(st.integers(start + 1, tree.nodes))
    whole = columns(source)
    with pytest.MonkeyPatch.context() as patch:
        for module in (liarsdice_cli.extensive.tree, liarsdice_cli.games.liarsdice.betting, unfolding):
            patch.setattr(module, "BLOCK", block)
        for some in (source, tree.stream()):
            part = columns(some, start, stop)
            assert part[0] == [column[start:stop] for column in whole[0]]
            before = sum(player >= 0 for player in whole[0][0][:start])
            moving = sum(player >= 0 for player in part[0][0])
            assert part[1] == whole[1][before : before + moving]


@pytest.mark.parametrize(("name", "sides", "dice", "chance"), mostly_slow(IN_EVERY_WAY, 17))
def test_outcome_nodes_are_the_first_nodes_of_the_outcomes(name: str, sides: int, dice: tuple[int, ...], chance: str) -> None:
    for game in with_house_rules(name, sides, dice, max_quantity=1):  # some outcomes never occur
        outcomes = columns(stream(game, chance))[0][3]
        firsts = [outcomes.index(row) if row in outcomes else len(outcomes) for row in range(len(dice))]
        assert stream(game, chance).outcome_nodes.tolist() == build(game, chance).stream().outcome_nodes.tolist() == firsts


def test_a_stream_is_pickled_in_few_bytes_and_restored_once() -> None:
    source = stream(rules("common", 6, (2, 1)), "multiset")
    data = pickle.dumps(source)
    assert len(data) < 1_000
    again = pickle.loads(data)
    assert (again.title, again.comment, again.nodes) == (source.title, source.comment, source.nodes)
    assert again is pickle.loads(data)  # only the first of many tasks for the same game unfolds it


def test_the_last_nodes_of_a_tree_that_is_too_large_for_memory_can_be_read() -> None:
    source = stream(rules("classic", 5))
    start, stop = source.nodes - 100_003, source.nodes - 99_999
    last = list(source.between(start, stop))
    assert sum(len(block.player) for block in last) == 4
    assert max(int(block.number.max()) for block in last) > 5 * 2**23


def test_blocks_of_a_tree_that_is_too_large_for_memory_take_little_memory() -> None:
    game = rules("classic", 5)
    tracemalloc.start()
    try:
        nodes = 0
        for block in islice(stream(game).blocks(), 50):
            nodes += check_block(block)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert nodes > 50_000
    assert peak < 50_000_000


def check_block(block: Block) -> int:
    size = len(block.player)
    assert size <= liarsdice_cli.extensive.tree.BLOCK
    assert all(len(column) == size for column in block[:5])
    assert len(block.labels(np.arange(min(3, size)))) == min(3, size)
    return size


@st.composite
def some_bidding(draw: st.DrawFn) -> Bidding:
    """Return a bidding with some openings and runs of some length, or a free one of up to 9 bids."""
    run, runs = draw(st.sampled_from([(1, 1), (9, 1), (5, 1), (4, 2), (3, 3), (1, 5), (2, 3), (1, 80), (2, 40), (4, 16)]))
    openings = draw(st.sets(st.integers(0, run * runs - 1), min_size=1))
    some = Bidding(run * runs, tuple(sorted(openings)), run)
    return some if run * runs > 9 else draw(st.sampled_from([Bidding.free(run * runs), some]))


@patient(80)
@given(bidding=some_bidding(), players=st.integers(2, 4), block=st.sampled_from([4, 16, 1 << 16]), data=st.data())
def test_histories_are_in_prefix_order(bidding: Bidding, players: int, block: int, data: st.DataObject) -> None:
    def extensions(history: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        yield history
        for bid in range(bidding.bids):
            if (
                (bid > history[-1] and bid // bidding.group_size == history[-1] // bidding.group_size)
                if history
                else bid in bidding.openings
            ):
                yield from extensions((*history, bid))

    expected = list(extensions(()))
    assert list(bidding.histories()) == expected
    betting = Betting(bidding, players)
    movers = [len(history) % players for history in expected]
    ranks = [movers[:place].count(mover) for place, mover in enumerate(movers)]
    columns = [
        [sum(1 << bid for bid in history) for history in expected],
        [history[-1] if history else -1 for history in expected],
        movers,
        ranks,
    ]
    for first in (0, data.draw(st.integers(0, len(expected) - 1))):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(liarsdice_cli.games.liarsdice.betting, "BLOCK", block)
            ranges = list(betting.ranges(first))
        begin, *others = [span.start for span in ranges]
        assert begin <= first < (others or [len(expected)])[0]
        for place, span in zip([begin, *others], ranges, strict=True):
            assert len(span.history) <= block // 2
            assert columns_of(span) == [column[place : place + len(span.history)] for column in columns]
        assert sum(len(span.history) for span in ranges) == len(expected) - begin
    assert [betting.rank(history) for history in expected] == ranks
    assert betting.histories == tuple(movers.count(player) for player in range(players))
    assert betting.decision_nodes == len(expected)
    assert betting.nodes == 2 * len(expected) - 1


def test_a_game_of_64_bids_is_unfolded() -> None:
    game = rules("classic", 32, fixed_face=True, max_quantity=2)
    histories = [" ".join(str(game.bids[bid]) for bid in history) for history in game.bidding.histories()]
    assert game.bid_count == 64
    tree = build(game, "multiset")
    labels = [
        f"P{player + 1} roll {roll} {f'after {history}' if history else 'opening'}"
        for player in range(2)
        for roll in range(1, 33)
        for history in histories
        if len(history.split()) % 2 == player
    ]
    assert sorted(label for label in tree.infosets.labels if label.startswith("P")) == sorted(labels)
    assert len(tree.player) == 1 + 32 * 32 * (2 * len(histories) - 1)


def columns_of(span: HistoryRange) -> list[list[int]]:
    """Return the mask, last bid, mover and rank of every history."""
    pattern = span.extensions
    last = np.where(pattern.last >= 0, span.lowest + pattern.last, span.prefix.bit_length() - 1)
    columns = (
        pattern.added.astype(object) << span.lowest | span.prefix,
        last,
        pattern.player,
        span.before[pattern.player] + pattern.rank,
    )
    assert columns[0][span.skipped :].tolist() == span.history.tolist()
    return [column[span.skipped :].tolist() for column in columns]


def test_the_last_bid_is_right_in_long_histories() -> None:
    betting = Betting(Bidding.free(52), 2)
    for first in (0, 2**51, 2**52 - 2):
        history, last, *_ = columns_of(next(betting.ranges(first)))
        assert last == [mask.bit_length() - 1 for mask in history]


def test_the_columns_of_a_tree_are_consistent() -> None:
    tree: GameTree = build(rules("common", 3))
    children: list[list[int]] = [[] for _ in range(tree.nodes)]
    for node, above in enumerate(tree.parent.tolist()):
        if above != NONE:
            assert tree.action[node] == tree.first_action[tree.infoset[above]] + len(children[above])
            assert tree.action_infoset[tree.action[node]] == tree.infoset[above]
            assert tree.action_player[tree.action[node]] == tree.player[above]
            children[above].append(node)
    assert [len(below) for below in children] == tree.arity.tolist()
    firsts = [tree.infoset.tolist().index(row) for row in range(len(tree.infosets))]
    assert tree.first_node.tolist() == firsts
    assert tree.depth.max() == 8
