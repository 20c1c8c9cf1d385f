"""Test workbooks: Gambit reads them, the profile is in Gambit's order, and cutting a large game changes no value."""

from __future__ import annotations

import io
import re
from fractions import Fraction
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pygambit
import pytest
from hypothesis import assume, given

from liarsdice_cli.cli.main import run
from liarsdice_cli.draw import gbt
from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.evaluate import judge
from liarsdice_cli.extensive.profile import Profile, from_sets
from liarsdice_cli.extensive.stream import CHANCE
from liarsdice_cli.extensive.subtree_view import SubtreeView, fractions_of, moves
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.formats import efg
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.tree import build
from tests.support.gambit_walk import nodes_by_gambit, nodes_of
from tests.support.properties import mostly_slow
from tests.support.random_games import Game, games, patient, plain_labels, small_fractions, tree_of
from tests.support.solving import solve

ROOT = Path(__file__).parents[2]
SAMPLES = sorted((ROOT / "sample_games").glob("*.efg"))


@cache
def solved(preset: str, sides: int) -> tuple[GameTree, Profile]:
    tree = build(rules(preset, sides))
    return tree, solve(tree, "auto").solved[0].profile


def uneven(tree: GameTree) -> Profile:
    """Return a profile with different probabilities within each information set, so that a wrong order is detected."""
    rows = [row for row, player in enumerate(tree.infosets.player.tolist()) if player != CHANCE]
    sizes = {row: int(tree.action_counts[row]) for row in rows}
    return from_sets(tree, {row: [Fraction(2 * (k + 1), n * (n + 1)) for k in range(n)] for row, n in sizes.items()})


def numbers(workbook: bytes) -> list[Fraction]:
    """Return the profile in the workbook as a flat list."""
    (profile,) = ElementTree.fromstring(workbook).iter("profile")
    return [Fraction(number) for number in str(profile.text).split(",")]


def values_in(workbook: bytes) -> list[Fraction]:
    """Return the payoff of every player that Gambit computes for the game and the profile in a workbook."""
    game = pygambit.read_gbt(io.BytesIO(workbook))
    given = iter(numbers(workbook))
    profile = game.mixed_behavior_profile(rational=True)
    for player in game.players:
        for history in game.get_infosets(player):
            node = pygambit.H.path(*history.actions)
            profile.set_mixed_action(node, {action: str(next(given)) for action in game.get_actions(node)})
    assert next(given, None) is None
    payoffs = profile.payoffs
    return [Fraction(str(payoffs[player])) for player in game.players]


def sets_of(workbook: bytes) -> list[int]:
    """Return the number of information sets that Gambit reads, for each player."""
    game = pygambit.read_gbt(io.BytesIO(workbook))
    return [len(game.get_infosets(player)) for player in game.players]


@pytest.mark.parametrize(
    "path", mostly_slow([path for path in SAMPLES if "3-sides" not in path.name], 4), ids=lambda path: path.stem
)
def test_gambit_reads_the_game_and_the_profile_in_its_own_order(path: Path) -> None:
    tree = efg.read(str(path))
    profile = uneven(tree)
    workbook = gbt.dumps(SubtreeView.whole(tree, profile), "by hand")
    assert values_in(workbook) == list(judge(profile).payoffs)
    assert sets_of(workbook) == [int((tree.infosets.player == player).sum()) for player in range(len(tree.players))]


def test_a_game_that_gambit_can_open_is_written_whole() -> None:
    tree, profile = solved("classic", 2)
    part = gbt.openable(SubtreeView.whole(tree, profile))
    assert part.tree is tree
    assert part.title == tree.title
    assert gbt.count(tree) == 1000
    workbook = gbt.dumps(part, "backward")
    assert values_in(workbook) == [Fraction(1, 2), Fraction(1, 2)]
    text = workbook.decode()
    assert "<description>backward</description>" in text
    assert '<player id="1" red="207"' in text
    assert "CDATA" not in text
    assert not re.search(r"\de[+-]?\d", re.search(r"<profile.*</profile>", text)[0])  # type: ignore[index]


def test_no_empty_elements_are_written_without_a_method_or_a_profile() -> None:
    tree, profile = solved("classic", 2)
    assert b"<description>" not in gbt.dumps(SubtreeView.whole(tree, profile))
    assert b"<analysis" not in gbt.dumps(SubtreeView.whole(tree))


@pytest.mark.parametrize(
    ("preset", "sides", "history", "depth"),
    [
        ("classic", 3, [], None),
        ("classic", 3, [], 1),
        ("common", 3, [], 2),
        pytest.param("common", 6, [], None, marks=pytest.mark.slow),
        pytest.param("common", 6, [], 1, marks=pytest.mark.slow),
    ],
)
def test_a_part_has_the_value_of_the_whole_game(preset: str, sides: int, history: list[str], depth: int | None) -> None:
    tree, profile = solved(preset, sides)
    part = gbt.openable(SubtreeView.whole(tree, profile), depth)
    assert gbt.count(part.tree) <= gbt.MOST
    assert "(a part: " in part.title
    assert values_in(gbt.dumps(part)) == list(judge(profile).payoffs)
    assert part.tree.nodes > 10
    if depth is not None:
        assert moves(part.tree).max() == depth


@pytest.mark.slow
@pytest.mark.parametrize(("history", "depth"), [(["1x3"], None), (["1x6"], 1), (["1x2", "2x4"], None), (["2x5"], None)])
def test_a_subtree_of_six_sides_keeps_its_values_and_labels(history: list[str], depth: int | None) -> None:
    tree, profile = solved("common", 6)
    part = gbt.openable(SubtreeView.whole(tree, profile).after(history), depth)
    assert gbt.count(part.tree) <= gbt.MOST
    assert f"after {' '.join(history)}" in part.title
    assert part.profile is not None
    assert values_in(gbt.dumps(part)) == list(judge(part.profile).payoffs)
    labels = {label for label in part.tree.infosets.labels if label}
    assert labels <= set(tree.infosets.labels)
    assert all(" ".join(history) in label for label in labels)


@pytest.mark.parametrize(
    ("tree", "deepest"),
    [
        pytest.param(build(rules("common", 2)), 5, id="liars-dice"),
        pytest.param(efg.read(str(ROOT / "sample_games" / "twice-repeated-prisoners-dilemma.efg")), 3, id="paid-on-the-way"),
    ],
)
def test_a_cut_keeps_every_value(tree: GameTree, deepest: int) -> None:
    """Payoffs before the end of the game are counted once."""
    profile = uneven(tree)
    for depth in range(1, deepest + 1):
        part = SubtreeView.whole(tree, profile).cut(depth)
        assert part.profile is not None
        assert judge(part.profile).payoffs == judge(profile).payoffs


def test_actions_that_are_never_taken_end_the_game_without_changing_its_value() -> None:
    tree = build(rules("common", 3))
    given = {}  # 1x2 in the opening, then a call
    for row in np.flatnonzero(tree.infosets.player != CHANCE).tolist():
        taken = int(tree.infosets.labels[row].endswith("opening"))
        given[row] = [Fraction(action == taken) for action in range(tree.action_counts[row])]
    profile = from_sets(tree, given)
    part = SubtreeView.whole(tree, profile).after(["1x2"]).followed()
    smaller = gbt.openable(SubtreeView.whole(tree, profile).after(["1x2"]))
    assert smaller.tree.nodes == part.tree.nodes < whole_after(tree, profile, ["1x2"])[0].nodes
    assert part.profile is not None
    judgement = judge(part.profile)
    assert judgement.payoffs == judge(whole_after(tree, profile, ["1x2"])[1]).payoffs
    assert values_in(gbt.dumps(smaller)) == list(judgement.payoffs)


def whole_after(tree: GameTree, profile: Profile, history: list[str]) -> tuple[GameTree, Profile]:
    part = SubtreeView.whole(tree, profile).after(history)
    assert part.profile is not None
    return part.tree, part.profile


def test_the_deals_after_a_history_have_their_posterior_probabilities() -> None:
    tree = build(rules("common", 2))
    rows = {tree.infosets.labels[row]: row for row in range(len(tree.infosets))}
    opening = {"P1 roll 1 opening": [0, 1, 0, 0], "P1 roll 2 opening": [Fraction(2, 3), Fraction(1, 3), 0, 0]}
    profile = from_sets(tree, {rows[label]: [Fraction(number) for number in numbers] for label, numbers in opening.items()})
    deal = SubtreeView.whole(tree, profile).after(["1x2"]).tree.action_lists[0]
    assert deal == (("1|1", "1|2", "2|1", "2|2"), (Fraction(3, 8), Fraction(3, 8), Fraction(1, 8), Fraction(1, 8)))
    never = SubtreeView.whole(tree, profile).after(["2x2"]).tree.action_lists[0]
    assert never.probabilities == (Fraction(1, 4),) * 4


def test_floats_become_fractions_that_sum_to_one() -> None:
    tree = build(rules("classic", 2))
    rows = [row for row, player in enumerate(tree.infosets.player.tolist()) if player != CHANCE]
    profile = from_sets(tree, {row: [1 / tree.action_counts[row]] * int(tree.action_counts[row]) for row in rows})
    workbook = gbt.dumps(SubtreeView.whole(tree, profile))
    assert numbers(workbook)[:4] == [Fraction(1, 4)] * 4
    values_in(workbook)
    for distribution in ([1e-9, 1 - 1e-9], [1 / 3] * 3, [0.1] * 10):
        assert sum(fractions_of(distribution)) == 1


@pytest.mark.parametrize("label", ['<b> & ]]> "quoted" \\', "Chance", "  two  spaces ", "héé שלום", "\x00\x1b", ""])
def test_gambit_reads_workbooks_with_unusual_labels(label: str) -> None:
    text = 'EFG 2 R "T" { "P" "Q" } p "" 1 1 "I" { "A" "B" } 0 p "" 2 1 "J" { "C" } 0 t "" 1 "O" { 1 0 } t "" 2 "U" { 0 1 }'
    tree = efg.parse(text.encode())
    action_lists = [choices._replace(labels=tuple(label for _ in choices.labels)) for choices in tree.action_lists]
    sets = type(tree.infosets)(tree.infosets.player, tree.infosets.number, tree.infosets.actions, [label] * len(tree.infosets))
    game = GameTree(
        label, label, (label, label), action_lists, tree.outcomes, sets, tree.infoset, tree.outcome, {0: label, 1: label}
    )
    workbook = gbt.dumps(SubtreeView.whole(game, uneven(game)), label)
    assert sets_of(workbook) == [1, 1]
    ElementTree.fromstring(workbook)
    assert not re.search(r"&(amp|lt|gt);", workbook.decode())


@patient()
@given(games(names=plain_labels, payoffs=small_fractions, most_nodes=20, perfect_recall=True))
def test_gambit_reads_random_games_unchanged(game: Game) -> None:
    tree, out = tree_of(game), io.BytesIO()
    assume(gbt.count(tree) <= gbt.MOST)
    gbt.write(tree.stream(), out)
    assert nodes_by_gambit(pygambit.read_gbt(io.BytesIO(out.getvalue()))) == nodes_of(tree)
    (text,) = ElementTree.fromstring(out.getvalue()).iter("efgfile")
    assert efg.parse(str(text.text).encode()).fingerprint == tree.fingerprint


def test_gambit_reads_a_part_of_a_game_with_the_highest_infoset_number() -> None:
    lottery = f'c "" {2**31 - 1} "" {{ "up" 1/2 "down" 1/2 }} 0 '
    ends = 't "" 1 "" { 1 } t "" 2 "" { 2 } '
    below = f'p "" 1 1 "" {{ "a" "b" }} 0 p "" 1 2 "" {{ "c" "d" }} 0 {lottery} {ends} t "" 1 t "" 1 '
    tree = efg.parse(f'EFG 2 R "" {{ "A" }} c "" 7 "" {{ "x" 1/2 "y" 1/2 }} 0 {below} {below}'.encode())
    part = SubtreeView.whole(tree).after(["a"])
    assert part.tree.infosets.number.tolist() == [1, 2, 2**31 - 1]
    assert nodes_by_gambit(pygambit.read_gbt(io.BytesIO(gbt.dumps(part)))) == nodes_of(part.tree)


def test_a_part_requires_a_profile() -> None:
    tree = build(rules("classic", 3))
    with pytest.raises(LiarsDiceError, match="give a profile"):
        gbt.openable(SubtreeView.whole(tree))
    with pytest.raises(LiarsDiceError, match="give one"):
        gbt.openable(SubtreeView.whole(tree), 1)


# The command line


def test_solve_and_convert_write_the_same_workbook(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game, profile, one, two = (str(tmp_path / name) for name in ("game.efg", "profile.json", "one.gbt", "two.gbt"))
    assert run(["build", "--sides", "2", "-o", game]) == 0
    assert run(["solve", game, "-o", profile]) == 0
    assert run(["solve", game, "-o", one, "--from", "1x1"]) == 0
    assert run(["convert", game, profile, two, "--from", "1x1"]) == 0
    first, second = (re.sub("<description>.*", "", Path(name).read_text()) for name in (one, two))
    assert first == second
    assert "(a part: after 1x1)" in first
    assert run(["build", "--sides", "2", "-o", one]) == 0
    assert sets_of(Path(one).read_bytes()) == [16, 16]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("solve", "--sides", "2", "--depth", "2"), "ends in .gbt"),
        (("solve", "--sides", "2", "--from", "1x1", "-o", "a.json"), "ends in .gbt"),
        (("solve", "--sides", "2", "--from", "9x9", "-o", "a.gbt"), "'9x9' cannot follow"),
        (("build", "--sides", "3", "-o", "a.gbt"), "give a profile"),
        (("convert", "GAME", "a.json", "b.efg"), "only a workbook"),
        (("convert", "GAME", "b.efg", "--depth", "2"), "ends in .gbt"),
        (("convert", "GAME", "b.gbt", "--depth", "0"), "give one"),
    ],
)
def test_refusals(args: tuple[str, ...], words: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    game = str(ROOT / "sample_games" / "matching-pennies.efg")
    assert run([game if arg == "GAME" else arg.replace("a.gbt", str(tmp_path / "a.gbt")) for arg in args]) in (1, 2)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert words in captured.err
    assert not list(tmp_path.iterdir())
