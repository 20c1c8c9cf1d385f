"""Test writing and reading .efg files: their content, agreement with Gambit, and the positions of errors."""

from __future__ import annotations

import dataclasses
import gzip
import io
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.recall import has_perfect_recall
from liarsdice_cli.extensive.stream import CHANCE, NONE, Outcome, TreeStream
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.formats import efg, files
from liarsdice_cli.formats.efg.buffer import Buffer
from liarsdice_cli.formats.efg.filling import Filling
from liarsdice_cli.formats.efg.writer import LABELLED_NODES
from liarsdice_cli.formats.registry import LABELS
from liarsdice_cli.formats.writing import write
from liarsdice_cli.games.liarsdice.presets import PRESETS
from liarsdice_cli.games.liarsdice.rules import DEALINGS, PAYOFFS, Rules, rules
from liarsdice_cli.games.liarsdice.tree import build, stream
from tests.support.command_line import environment, run_here
from tests.support.gambit_walk import (
    CATALOGUE,
    SAMPLES,
    catalogue_name,
    game_in,
    game_of,
    large_ones_slow,
    nodes_by_gambit,
    nodes_of,
)
from tests.support.packed import members
from tests.support.processes import popen
from tests.support.progress import Recorded
from tests.support.properties import mostly_slow
from tests.support.random_games import Game, described, described_tree, games, patient, plain_labels, text_of, tree_of
from tests.support.recall import is_absent_minded

GOLDEN = Path(__file__).parents[1] / "golden" / "liars-dice-2-sides.efg"
PRESET_GAMES = [
    (name, sides, dice, chance)
    for name in PRESETS
    for sides, dice in [(2, (1, 1)), (3, (1, 1)), (2, (2, 1)), (2, (1, 1, 1))]
    for chance in DEALINGS
]
WRITTEN = [(*game, labels) for game in PRESET_GAMES for labels in LABELS]
FILES = [*CATALOGUE, *SAMPLES]


def small(name: str, sides: int, dice: tuple[int, ...]) -> Rules:
    return rules(name, sides, dice, max_quantity=2)


# Writing


def test_the_two_sided_game_matches_the_golden_file() -> None:
    assert efg.dumps(stream(rules("classic", 2))).decode() == GOLDEN.read_text()


def test_gambit_reads_the_golden_file_as_the_two_sided_game() -> None:
    game = game_of(GOLDEN.read_bytes())
    assert list(game.players) == ["Player 1", "Player 2"]
    assert [len(game.get_infosets(player)) for player in game.players] == [16, 16]
    assert nodes_by_gambit(game) == nodes_of(build(rules("classic", 2)))


@pytest.mark.parametrize("labels", mostly_slow(["full", "none"]))
@pytest.mark.parametrize(("name", "sides", "dice", "chance"), mostly_slow(PRESET_GAMES, 17))
def test_gambit_reads_every_preset_node_by_node(name: str, sides: int, dice: tuple[int, ...], chance: str, labels: str) -> None:
    source = stream(small(name, sides, dice), chance)
    assert nodes_by_gambit(game_of(efg.dumps(source, labels))) == nodes_of(build(small(name, sides, dice), chance))


@pytest.mark.parametrize(("name", "sides", "dice", "chance"), mostly_slow(PRESET_GAMES, 11))
def test_labels_are_valid_for_gambit(name: str, sides: int, dice: tuple[int, ...], chance: str) -> None:
    tree = build(small(name, sides, dice), chance)
    for player in range(-1, len(dice)):
        names = [label for label, owner in zip(tree.infosets.labels, tree.infosets.player, strict=True) if owner == player]
        named = [label for label in names if label]
        assert len(set(named)) == len(named)
        assert player == CHANCE or len(named) == len(names)
        check_labels(named)
    for choices in tree.action_lists:
        assert len(set(choices.labels)) == len(choices.labels)
        assert "" not in choices.labels
        check_labels([*choices.labels])
    check_labels([tree.title, tree.comment, *tree.players, *(outcome.label for outcome in tree.outcomes)])
    assert len({outcome.label for outcome in tree.outcomes}) == len(tree.outcomes)
    assert len(set(tree.players)) == len(tree.players)
    assert "Chance" not in tree.players


def check_labels(labels: list[str]) -> None:
    for label in labels:
        assert label.isascii()
        assert label.isprintable()
        assert label == label.strip()
        assert "  " not in label
        assert not set(label) & set('"\\&<>')


def test_brackets_are_repeated_with_full_labels_and_written_once_without_labels() -> None:
    source = stream(rules("common", 2))
    full, brief = (efg.dumps(source, labels).decode().splitlines()[3:] for labels in ("full", "none"))
    assert len(full) == len(brief) == 125
    assert all("{" in line for line in full)
    assert sum("{" in line for line in brief) == 1 + 32 + 2
    assert not any("roll" in line for line in brief)
    sets = [re.match(r'[pc] "" (?:\d )?\d+ "(.*?)" \{', line) for line in full]
    assert len({line[0] for line in sets if line}) == 33


@pytest.mark.parametrize(("sides", "labelled"), [(2, True), (3, True), (4, False)])
def test_only_small_games_get_labels_by_default(sides: int, labelled: bool) -> None:
    source = stream(rules("classic", sides))
    assert (source.nodes <= LABELLED_NODES) == labelled
    assert (b"P1 roll 1 opening" in efg.section(source, "auto", 0)) == labelled


def test_the_writer_reports_progress() -> None:
    progress = Recorded()
    efg.write(stream(rules("classic", 3)), io.BytesIO(), progress=progress)
    assert progress.done == 9_208


@pytest.mark.parametrize("labels", LABELS)
@pytest.mark.parametrize("chance", DEALINGS)
def test_a_tree_in_memory_and_a_stream_are_written_alike(chance: str, labels: str) -> None:
    for game in (rules("common", 2), rules("dudo", 2, (2, 1)), rules("joker", 2, (1, 1, 1))):
        assert efg.dumps(build(game, chance).stream(), labels) == efg.dumps(stream(game, chance), labels)


def test_writing_twice_gives_the_same_bytes() -> None:
    source = stream(rules("joker", 3), "staged")
    assert efg.dumps(source, "none") == efg.dumps(source, "none")


@pytest.mark.parametrize("size", [4, 64])
@pytest.mark.parametrize("labels", ["full", "none"])
def test_the_file_does_not_depend_on_the_block_size(monkeypatch: pytest.MonkeyPatch, size: int, labels: str) -> None:
    tree = efg.parse(next(path for path in SAMPLES if "twice-repeated" in path.name).read_bytes())
    expected = [efg.dumps(stream(rules("dudo", 3), "staged"), labels), efg.dumps(tree.stream(), labels)]
    for module in ("extensive.tree", "games.liarsdice.betting", "games.liarsdice.unfolding"):
        monkeypatch.setattr(f"liarsdice_cli.{module}.BLOCK", size)
    assert [efg.dumps(stream(rules("dudo", 3), "staged"), labels), efg.dumps(tree.stream(), labels)] == expected


def in_sections(source: TreeStream, labels: str, size: int) -> bytes:
    """Return the file made of sections of this size, the last written first, each from a stream of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("liarsdice_cli.formats.efg.writer.SECTION", size)
        count = efg.sections(source)
        assert count == -(-source.nodes // size)
        made = {index: efg.section(dataclasses.replace(source), labels, index) for index in reversed(range(count))}
    return b"".join(made[index] for index in range(count))


@pytest.mark.parametrize(("name", "sides", "dice", "chance", "labels"), mostly_slow(WRITTEN, 31))
def test_sections_in_order_make_the_file(name: str, sides: int, dice: tuple[int, ...], chance: str, labels: str) -> None:
    source = stream(small(name, sides, dice), chance)
    assert in_sections(source, labels, 97) == efg.dumps(source, labels)


@pytest.mark.parametrize(("chance", "labels"), mostly_slow(product(DEALINGS, LABELS), 5))
def test_a_section_can_be_one_node(chance: str, labels: str) -> None:
    for source in (stream(rules("common", 2), chance), stream(rules("dudo", 2, (1, 1, 1), max_quantity=1), chance)):
        assert in_sections(source, labels, 1) == efg.dumps(source, labels)


@patient(40)
@given(game=games(), size=st.integers(1, 20), labels=st.sampled_from(LABELS))
def test_sections_of_random_trees_make_the_file(game: Game, size: int, labels: str) -> None:
    source = tree_of(game).stream()
    assert in_sections(source, labels, size) == efg.dumps(source, labels)


Result = TypeVar("Result")


def last_first(function: Callable[[int], Result], tasks: Iterable[int]) -> Iterator[Result]:
    """Return the same as `map`, but do the last task first."""
    done = {task: function(task) for task in reversed([*tasks])}
    return iter([done[task] for task in sorted(done)])


@pytest.mark.parametrize("labels", ["full", "none"])
def test_packed_sections_are_members_in_any_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, labels: str) -> None:
    source = stream(rules("dudo", 3), "staged")
    whole = efg.dumps(source, labels)
    monkeypatch.setattr("liarsdice_cli.formats.efg.writer.SECTION", 200)
    for number, in_order in enumerate((map, last_first)):
        recorded = Recorded()
        with files.output(str(tmp_path / f"{number}.efg.gz")) as out:
            efg.write(source, out, labels, recorded, in_order)
        assert recorded.done == source.nodes
        assert len(recorded.counts) == efg.sections(source) > 5
    data = (tmp_path / "0.efg.gz").read_bytes()
    assert members(data) == [efg.section(source, labels, index) for index in range(efg.sections(source))]
    assert gzip.decompress(data) == whole
    assert data == (tmp_path / "1.efg.gz").read_bytes()
    assert efg.read(str(tmp_path / "0.efg.gz")).fingerprint == efg.parse(whole).fingerprint


def test_a_small_game_is_one_gzip_member(tmp_path: Path) -> None:
    assert run_here("build", "--sides", 3, "-o", tmp_path / "game.efg.gz") == (0, "", "")
    assert members((tmp_path / "game.efg.gz").read_bytes()) == [efg.dumps(stream(rules("classic", 3)))]


@pytest.mark.slow
def test_other_processes_make_the_same_sections() -> None:
    source, out = stream(rules("common", 6)), io.BytesIO()
    assert efg.sections(source) > 1
    with get_context("spawn").Pool(2) as pool:
        efg.write(source, out, in_order=pool.imap)
    assert out.getvalue() == efg.dumps(source)


def compiled(source: TreeStream, labels: str) -> bytes:
    """Return the file as the compiled loop writes it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("liarsdice_cli.formats.efg.writer.COMPILED", 0)
        return efg.dumps(dataclasses.replace(source), labels)


@pytest.mark.parametrize(("name", "sides", "dice", "chance", "labels"), mostly_slow(WRITTEN, 31))
def test_the_compiled_loop_writes_the_same_file(name: str, sides: int, dice: tuple[int, ...], chance: str, labels: str) -> None:
    for payoffs in PAYOFFS:
        source = stream(rules(name, sides, dice, max_quantity=2, payoffs=payoffs), chance)
        assert compiled(source, labels) == efg.dumps(source, labels)


@patient(40)
@given(game=games(), labels=st.sampled_from(LABELS))
def test_the_compiled_loop_writes_random_trees_the_same(game: Game, labels: str) -> None:
    source = tree_of(game).stream()
    assert compiled(source, labels) == efg.dumps(source, labels)


@pytest.mark.slow
def test_writing_a_small_game_does_not_import_numba() -> None:
    code = "import sys; from liarsdice_cli.cli.main import run; run(['build', '-q', '--rules', 'common'])"
    code = f"{code}; print('numba' in sys.modules, file=sys.stderr)"
    with popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()) as process:
        out, said = process.communicate(timeout=60)
    assert out == efg.dumps(stream(rules("common")))
    assert said.decode().split() == ["False"]


@pytest.mark.parametrize("width", [0, 7, 8, 9, 300])
def test_the_compiled_loop_puts_any_numbers_between_any_texts(width: int) -> None:
    texts = ["", "x" * width, "é" * width, "\n"]
    edges = [sign * (10**digits + offset) for digits in range(10) for offset in (-1, 0, 1) for sign in (1, -1)]
    numbers = [*range(-1_001, 10_002), *edges, 2**31 - 1, 1 - 2**31]
    before, after = ([(place // step) % len(texts) for place in range(len(numbers))] for step in (1, 3))
    expected = "".join(f"{texts[a]}{number}{texts[b]}" for a, number, b in zip(before, numbers, after, strict=True))
    filling, buffer = Filling(texts), Buffer()
    for _ in range(2):
        filling.fill(*map(np.array, (before[:5_000], numbers[:5_000], after[:5_000])), buffer)
        filling.fill(*map(np.array, (before[5_000:], numbers[5_000:], after[5_000:])), buffer)
        buffer.add("°".encode())
        assert buffer.taken().decode() == f"{expected}°"


def test_a_label_that_ends_in_a_backslash_is_closed() -> None:
    tree = dataclasses.replace(build(rules("common", 1)), title="a\\", comment='"\\', node_labels={2: "50%\\"})
    again = efg.parse(efg.dumps(tree.stream()))
    assert (again.title, again.comment, again.node_labels) == ("a\\_", '"\\_', {2: "50%\\_"})


# Round trips


def same_game(one: GameTree, other: GameTree, set_labels: bool = True) -> None:
    """Check that two games are equal up to the order of rows in the tables."""
    if not set_labels:
        one, other = (dataclasses.replace(tree, infosets=unlabelled(tree)) for tree in (one, other))
    assert described_tree(one) == described_tree(other)
    assert one.fingerprint == other.fingerprint
    assert one.parent.tolist() == other.parent.tolist()
    assert one.constant_sum == other.constant_sum


def unlabelled(tree: GameTree) -> Any:
    return dataclasses.replace(tree.infosets, labels=[""] * len(tree.infosets))


@pytest.mark.parametrize("payoffs", mostly_slow(PAYOFFS))
@pytest.mark.parametrize("labels", ["full", "none"])
@pytest.mark.parametrize(("name", "sides", "dice", "chance"), mostly_slow(PRESET_GAMES, 17))
def test_liars_dice_survives_a_round_trip(
    name: str, sides: int, dice: tuple[int, ...], chance: str, labels: str, payoffs: str
) -> None:
    game = rules(name, sides, dice, max_quantity=2, payoffs=payoffs)
    same_game(efg.parse(efg.dumps(stream(game, chance), labels)), build(game, chance), set_labels=labels != "none")


@pytest.mark.parametrize("path", mostly_slow(FILES, 3), ids=catalogue_name)
def test_files_survive_a_round_trip(path: Path) -> None:
    tree = efg.parse(path.read_bytes())
    same_game(efg.parse(efg.dumps(tree.stream(), "full")), tree)
    same_game(efg.parse(efg.dumps(tree.stream(), "none")), tree, set_labels=False)


@patient()
@given(game=games())
def test_random_trees_survive_a_round_trip(game: Game) -> None:
    tree = tree_of(game)
    assert described_tree(tree) == described(game)
    again = efg.parse(efg.dumps(tree.stream()))
    same_game(again, tree)
    brief = efg.parse(efg.dumps(tree.stream(), "none"))
    assert described_tree(brief) == described(game, set_labels=False)
    assert brief.fingerprint == tree.fingerprint


@patient()
@given(game=games(), data=st.data())
def test_random_notations_of_a_game_are_read(game: Game, data: st.DataObject) -> None:
    tree = efg.parse(text_of(game, data.draw))
    assert described_tree(tree) == described(game)
    assert tree.fingerprint == tree_of(game).fingerprint


@patient()
@given(game=games(names=st.just("")))
def test_gambit_reads_random_trees_node_by_node(game: Game) -> None:
    tree = tree_of(game)
    for labels in ("full", "none"):
        assert nodes_by_gambit(game_of(efg.dumps(tree.stream(), labels))) == nodes_of(tree)


@patient()
@given(game=games(names=plain_labels))
def test_the_fingerprint_depends_on_payoffs_and_infoset_numbers_but_not_on_labels(game: Game) -> None:
    tree = tree_of(game)
    bare = dataclasses.replace(
        tree, title="", comment="", players=("",) * len(tree.players), infosets=unlabelled(tree), node_labels={}
    )
    assert bare.fingerprint == tree.fingerprint
    outcomes = [outcome._replace(label="") for outcome in tree.outcomes]
    assert dataclasses.replace(tree, outcomes=outcomes).fingerprint == tree.fingerprint
    seen = set(tree.outcome.tolist()) - {NONE}
    for row in seen:
        others = [*tree.outcomes]
        others[row] = others[row]._replace(payoffs=tuple(payoff + 1 for payoff in others[row].payoffs))
        assert dataclasses.replace(tree, outcomes=others).fingerprint != tree.fingerprint
    changed = tree.infosets.number.copy()
    if len(changed):
        changed[0] += 31
        table = dataclasses.replace(tree.infosets, number=changed)
        assert dataclasses.replace(tree, infosets=table).fingerprint != tree.fingerprint


def test_the_fingerprint_depends_on_chance_probabilities() -> None:
    one, other = (
        efg.parse(b'EFG 2 R "" { "A" } c "" 1 "" { "a" %b "b" %b } 0 t "" 1 "" { 1 } t "" 2 "" { 0 }' % odds)
        for odds in [(b"1/2", b"1/2"), (b"1/3", b"2/3")]
    )
    assert one.fingerprint != other.fingerprint


# Reading


@pytest.mark.parametrize("path", large_ones_slow(FILES), ids=catalogue_name)
def test_files_of_gambits_catalogue_are_read_as_gambit_reads_them(path: Path) -> None:
    game, tree = game_in(path), efg.parse(path.read_bytes())
    assert nodes_by_gambit(game) == nodes_of(tree)
    assert list(game.players) == list(tree.players)
    assert game.title == tree.title
    for row, player in enumerate(game.players):
        assert len(game.get_infosets(player)) == np.count_nonzero(tree.infosets.player == row)
    assert game.is_perfect_recall == has_perfect_recall(tree)
    assert bool(game.is_const_sum) == (tree.constant_sum is not None)


def test_gambits_catalogue_and_the_samples_are_found() -> None:
    assert len(CATALOGUE) >= 32
    assert len(SAMPLES) >= 15


HEAD = 'EFG 2 R "game" { "A" "B" } '
PENNIES = """EFG 2 R "game" { "A" "B" }
p "" 1 1 "one" { "H" "T" } 0
p "" 2 1 "two" { "h" "t" } 0
t "" 1 "same" { 3, -1/2 }
t "" 2 "other" { -1, 1 }
p "" 2 1 "two" { "h" "t" } 0
t "" 2 "other" { -1, 1 }
t "" 1 "same" { 3, -1/2 }
"""
LUCK = """EFG 2 R "game" { "A" "B" }
c "" 1 "luck" { "x" 1/4 "y" 3/4 } 0
t "" 1 "" { 150, 1/1000 }
t "" 2 "" { 1/2, 5 }
"""
WELL_FORMED = [
    (
        "brackets only the first time",
        PENNIES,
        HEAD + 'p "" 1 1 "one" { "H" "T" } 0 p "" 2 1 "two" { "h" "t" } 0 t "" 1 "same" { 3 -1/2 } t "" 2 "other" { -1 1 } '
        'p "" 2 1 0 t "" 2 t "" 1',
    ),
    ("a set defined at its last node", PENNIES, PENNIES.replace('p "" 2 1 "two" { "h" "t" } 0', 'p "" 2 1 0', 1)),
    ("an outcome defined at its last node", PENNIES, PENNIES.replace(' "same" { 3, -1/2 }', "", 1)),
    ("no commas", PENNIES, PENNIES.replace(",", "")),
    ("CRLF", PENNIES, PENNIES.replace("\n", "\r\n")),
    ("everything on one line", PENNIES, PENNIES.replace("\n", " ")),
    ("a token a line", LUCK, "\n".join(re.findall(r'"[^"]*"|[^\s]+', LUCK))),
    ("a token a line, CRLF", LUCK, "\r\n".join(re.findall(r'"[^"]*"|[^\s]+', LUCK))),
    ("tabs and blank lines", PENNIES, "\n\n\t" + PENNIES.replace(" ", "\t ").replace("\n", "\t\n\n \n")),
    ("as little white space as there can be", PENNIES, re.sub(r' ?([{}"]) ?', r"\1", PENNIES.replace("\n", " "))),
    ("text after the last node", PENNIES, PENNIES + 'c "" 7 } nonsense { "\n'),
    ("another game after the last node", PENNIES, PENNIES + PENNIES),
    ("more nodes after the last node", PENNIES, PENNIES + 't "" 9\np "" 9 9 0\n'),
    ("D for R", PENNIES, PENNIES.replace(" R ", " D ")),
    ("a byte-order mark", PENNIES, "\ufeff" + PENNIES),
    ("an empty comment", PENNIES, PENNIES.replace("}\np", '}\n""\np', 1)),
    ("numbers with a sign", PENNIES, PENNIES.replace("1 1 ", "+1 +1 ").replace("{ 3", "{ +3")),
    ("numbers with zeros before them", PENNIES, PENNIES.replace('2 1 "two"', '02 001 "two"').replace("-1/2", "-01/02")),
    ("decimals", LUCK, LUCK.replace("150", "1.5E2").replace("1/1000", "1e-3").replace("1/2", ".5").replace(", 5", ", +5.")),
    ("exponents with a sign", LUCK, LUCK.replace("150", "1.5e+2").replace("1/2", "+5E-1").replace(", 5", ", 0.05E02")),
    ("chances in decimals", LUCK, LUCK.replace("1/4", ".25").replace("3/4", "7.5e-1")),
    (
        "numbers written differently in repeated brackets",
        PENNIES,
        PENNIES.replace("{ 3, -1/2 }", "{ 3.0 -.5 }", 1).replace("{ -1, 1 }", "{ -2/2, 1e0 }", 1),
    ),
]


@pytest.mark.parametrize(("usual", "text"), [row[1:] for row in WELL_FORMED], ids=[row[0] for row in WELL_FORMED])
def test_other_notations_of_the_same_game_are_read(usual: str, text: str) -> None:
    assert usual != text
    same_game(efg.parse(text.encode()), efg.parse(usual.encode()))


def test_gaps_and_negative_numbers_are_kept() -> None:
    text = PENNIES.replace("1 1 ", "1 -7 ").replace("2 1 ", "2 2147483647 ").replace('t "" 1', 't "" -2147483647')
    tree = efg.parse(text.encode())
    assert tree.infosets.number.tolist() == [-7, 2147483647]
    usual = efg.parse(PENNIES.encode())
    assert tree.infoset.tolist() == usual.infoset.tolist()
    assert tree.outcome.tolist() == usual.outcome.tolist()
    assert tree.fingerprint != usual.fingerprint
    same_game(efg.parse(efg.dumps(tree.stream())), tree)


def test_quotes_and_backslashes_in_labels_are_read() -> None:
    tree = efg.parse(rb'EFG 2 R "a \"b\" \c" { "\"" "\\x" } p "\n" 1 1 "50% \"" { "" "{" } 0 t "" 0 t "p \"\" 1" 0')
    assert tree.title == 'a "b" \\c'
    assert tree.players == ('"', "\\\\x")
    assert tree.node_labels == {0: "\\n", 2: 'p "" 1'}
    assert tree.infosets.labels == ['50% "']
    assert tree.action_lists[0].labels == ("", "{")
    same_game(efg.parse(efg.dumps(tree.stream())), tree)


def test_labels_in_latin_1_are_read() -> None:
    assert efg.parse('EFG 2 R "Fußball" { "é" } t "" 0'.encode("latin-1")).title == "Fußball"
    assert efg.parse('EFG 2 R "Fußball" { "é" } t "" 0'.encode()).players == ("é",)


def test_labels_may_span_lines() -> None:
    tree = efg.parse(b'EFG 2 R "two\nlines" { "A" } "a\n\ncomment\n" p "x\ny" 1 1 "" { "a\nb" } 0 t "" 0')
    assert (tree.title, tree.comment, tree.node_labels) == ("two\nlines", "a\n\ncomment\n", {0: "x\ny"})


def test_payoffs_at_inner_nodes_count() -> None:
    tree = efg.parse(
        b'EFG 2 R "" { "A" "B" } p "" 1 1 "" { "a" "b" } 1 "" { 1 2 } t "" 0 p "" 2 1 "" { "c" } 2 "" { -5 5 } t "" 1'
    )
    assert tree.outcome.tolist() == [0, NONE, 1, 0]
    assert tree.constant_sum is None
    tree = efg.parse(
        b'EFG 2 R "" { "A" "B" } p "" 1 1 "" { "a" "b" } 1 "" { 1 2 } t "" 0 p "" 2 1 "" { "c" } 2 "" { -5 5 } t "" 0'
    )
    assert tree.constant_sum == 3


def test_a_game_without_moves_is_read() -> None:
    tree = efg.parse(b'EFG 2 R "" { "A" "B" } t "end" 0')
    assert (tree.nodes, len(tree.infosets), tree.actions, tree.outcome.tolist()) == (1, 0, 0, [NONE])
    assert (tree.parent.tolist(), tree.action.tolist(), tree.depth.tolist()) == ([NONE], [NONE], [0])
    assert tree.constant_sum == 0
    same_game(efg.parse(efg.dumps(tree.stream())), tree)


def test_sets_and_outcomes_in_trailing_text_are_ignored() -> None:
    tree = efg.parse((PENNIES + 't "" 8 "" { 1 1 }\np "" 1 5 "" { "x" } 0\n').encode())
    assert (tree.nodes, len(tree.infosets), len(tree.outcomes)) == (7, 2, 2)


MOVE = 'p "" 1 1 "" { "a" "b" } 0 '
END = 't "" 1 "" { 1 2 } '
REFUSED = [
    ("", "1:1", "expected EFG"),
    (" \n ", "2:2", "expected EFG, the first word of an extensive game, but the file ends"),
    ('NFG 1 R "game" { "A" "B" }', "1:1", "expected EFG"),
    ('efg 2 R "" { "A" }', "1:1", "expected EFG"),
    ('EFG 3 R "" { "A" }', "1:5", "expected 2, the version"),
    ('EFG 2 Q "" { "A" }', "1:7", "expected R or D"),
    ('EFG 2 R { "A" }', "1:9", "the title of the game"),
    ('EFG 2 R "" "A" "B"', "1:12", "{ before the players"),
    ('EFG 2 R "" { "A" B }', "1:18", "} or the name of a player"),
    ('EFG 2 R "" { "A" "B"', "1:21", "} or the name of a player in quotes, but the file ends"),
    ('EFG 2 R "game { "A" }', "1:18", "{ before the players"),
    ('EFG 2 R "game', "1:9", "closing quote"),
    ('EFG 2 R "" { ' + '"P" ' * 101 + "}", "1:414", "at most 100 players"),
    (HEAD, "1:28", "1 more node"),
    (HEAD + MOVE, "1:54", "2 more node"),
    (HEAD + MOVE + END, "1:72", "1 more node"),
    (HEAD + "x " + END, "1:28", "a node, which begins with c, p or t"),
    (HEAD + "t", "1:29", "the label of the node"),
    (HEAD + 't ""', "1:32", "the number of an outcome"),
    (HEAD + 't "" x', "1:33", "the number of an outcome"),
    (HEAD + 't "" 1.5', "1:33", "the number of an outcome, a whole number"),
    (HEAD + 't "" 1 "" 1 2', "1:38", "{ before the payoffs"),
    (HEAD + 't "" 1 "" { 1 2', "1:43", "a payoff or }, but the file ends"),
    (HEAD + MOVE + END + 't "" 1 "" { 1 2', "1:87", "a payoff or }, but the file ends"),
    (HEAD + MOVE + 't "" 1 "" { 1 2\n' + END, "2:1", "a payoff or }, but found 't"),
    (HEAD + 't "" 1 "" { 1 "2" }', "1:42", "a payoff or }"),
    (HEAD + 't "" 1 "" { 1 2x }', "1:42", "a payoff or }"),
    (HEAD + 't "" 1 "" { 1 }', "1:28", "1 payoff(s) for 2 player(s)"),
    (HEAD + 't "" 1 "" { }', "1:28", "0 payoff(s) for 2 player(s)"),
    (HEAD + 't "" 1 "" { 1 2 3 }', "1:28", "3 payoff(s) for 2 player(s)"),
    (HEAD + 't "" 1 "" { 1/0 2 }', "1:40", "a denominator that is not 0"),
    (HEAD + 't "" 1 "" { 1/000 2 }', "1:40", "a denominator that is not 0"),
    (HEAD + 't "" 1 "" { 1.5/2 2 }', "1:40", "a payoff or }"),
    (HEAD + 't "" 1 "" { 1e5000 2 }', "1:40", "at most 4,000 digits"),
    (HEAD + 't "" 1 "" { 1 1e-99999999999999999999 }', "1:42", "at most 4,000 digits"),
    (HEAD + 't "" 1 "" { 1 ' + "9" * 4001 + " }", "1:42", "at most 4,000 digits"),
    (HEAD + 't "" 1 "" { nan 2 }', "1:40", "a payoff or }"),
    (HEAD + 't "" 1 "" { inf 2 }', "1:40", "a payoff or }"),
    (HEAD + 't "" 1', "1:28", "the payoffs of this outcome are never given"),
    (HEAD + 't "" 0 "" { 1 2 }', "1:28", "outcome 0 means no outcome"),
    (HEAD + 't "" 2147483648 "" { 1 2 }', "1:28", "not below 2,147,483,648"),
    (HEAD + 't "" 99999999999999999999999 "" { 1 2 }', "1:28", "not below 2,147,483,648"),
    (HEAD + 't "" ' + "9" * 5000 + ' "" { 1 2 }', "1:33", "the number of an outcome"),
    (HEAD + 'p "" 3 1 "" { "a" } 0 ' + END, "1:28", "there is no such player: give a number from 1 to 2"),
    (HEAD + 'p "" 0 1 "" { "a" } 0 ' + END, "1:28", "there is no such player: give a number from 1 to 2"),
    (HEAD + 'p "" -1 1 "" { "a" } 0 ' + END, "1:28", "there is no such player: give a number from 1 to 2"),
    (HEAD + 'p "" 99999999999999999999999 1 "" { "a" } 0 ' + END, "1:28", "there is no such player: give a number from 1 to 2"),
    (HEAD + 'p "" ' + "9" * 5000 + ' 1 "" { "a" } 0 ' + END, "1:33", "the number of a player"),
    (HEAD + 'p "" 1 2147483648 "" { "a" } 0 ' + END, "1:28", "not below 2,147,483,648"),
    (HEAD + 'p "" 1 -99999999999999999999999 "" { "a" } 0 ' + END, "1:28", "not below 2,147,483,648"),
    (HEAD + 'p "" 1 ' + "9" * 5000 + ' "" { "a" } 0 ' + END, "1:35", "the number of an information set"),
    (HEAD + 'p "" 1 1 "" { } 0 ' + END, "1:42", "the label of an action"),
    (HEAD + 'p "" 1 1 "" { "a" , "b" } 0 ' + END + END, "1:46", "} or the label of an action"),
    (HEAD + 'p "" 1 1 "" { "a" 1/2 "b" 1/2 } 0 ' + END + END, "1:46", "} or the label of an action"),
    (HEAD + 'p "" 1 1 "label" 0 ' + END, "1:45", "{ before the actions"),
    (HEAD + 'p "" 1 1 "" { "a" "b" 0 ' + END + END, "1:50", "} or the label of an action"),
    (HEAD + 'p "" 1 1 0 ' + END, "1:28", "the actions of this information set are never given"),
    (
        HEAD + MOVE + END + 'p "" 1 1 "" { "a" "c" } 0 ' + END + END + END,
        "1:72",
        "this information set has another label or other actions than before",
    ),
    (
        HEAD + MOVE + END + 'p "" 1 1 "x" { "a" "b" } 0 ' + END + END + END,
        "1:72",
        "this information set has another label or other actions than before",
    ),
    (HEAD + MOVE + END + 't "" 1 "" { 1 3 }', "1:72", "this outcome has another label or other payoffs than before"),
    (HEAD + MOVE + END + 't "" 1 "x" { 1 2 }', "1:72", "this outcome has another label or other payoffs than before"),
    (HEAD + 'c "" 1 "" { "a" "b" } 0 ' + END + END, "1:44", "the probability of the action 'a'"),
    (HEAD + 'c "" 1 "" { "a" 1/3 "b" 1/3 } 0 ' + END + END, "1:38", "they add up to 2/3"),
    (HEAD + 'c "" 1 "" { "a" 0.33 "b" 0.67000001 } 0 ' + END + END, "1:38", "add up to 1"),
    (HEAD + 'c "" 1 "" { "a" -1/2 "b" 3/2 } 0 ' + END + END, "1:38", "probabilities of 0 or more"),
    (HEAD + 'c "" 1 "" { "a" 1e3990 "b" 1e-3990 } 0 ' + END + END, "1:38", "add up to 1"),
    (HEAD + 'c "" 1 "" { "a" 1/0 } 0 ' + END, "1:44", "a denominator that is not 0"),
    (HEAD + f'c "" 1 "" {{ "{"a" * 500}" 1/0 }} 0 ' + END, "1:543", "the action 'aaa"),
    (HEAD + 'c "" 1 0 ' + END, "1:28", "the actions of this information set are never given"),
    ("\ufeff\ufeff" + PENNIES, "1:4", "expected EFG"),
    ("# a comment\n" + PENNIES, "1:1", "expected EFG"),
    (
        PENNIES.replace(
            'p "" 2 1 "two" { "h" "t" } 0\nt "" 2', 'p "" 2 1 "two" { "h" "t" } 0\nt "" 2 "other" { -1, 2 }\nt "" 2'
        ),
        "7:1",
        "another label or other payoffs than before",
    ),
    (PENNIES.replace('t "" 2 "other" { -1, 1 }\np', 't "" 2 "other" { -1, 1\np'), "6:1", "a payoff or }"),
    (PENNIES.replace('1 "same"', "1 same"), "4:8", "a node, which begins with c, p or t"),
]


@pytest.mark.parametrize(("text", "where", "message"), REFUSED)
def test_an_error_names_the_position_and_what_was_expected(text: str, where: str, message: str) -> None:
    for data in (text.encode(), text.replace("\n", "\r\n").encode()):
        with pytest.raises(LiarsDiceError) as refused:
            efg.parse(data, "game.efg")
        assert str(refused.value).startswith(f"game.efg:{where}: ")
        assert message in str(refused.value)
        assert len(str(refused.value)) < 200
        assert str(refused.value).isprintable()


@pytest.mark.parametrize(
    "data", [b"\x00\xff" * 500, bytes(range(256)) * 4, b"\x89PNG\r\n\x1a\n\x00", "EFG 2 R".encode("utf-16")]
)
def test_rubbish_is_refused_in_one_line(data: bytes) -> None:
    for text in (data, HEAD.encode() + data, HEAD.encode() + b't "" ' + data, b'EFG 2 R "' + data):
        with pytest.raises(LiarsDiceError) as refused:
            efg.parse(text, "game.efg")
        assert str(refused.value).isprintable()
        assert len(str(refused.value)) < 200


@pytest.mark.parametrize("usual", mostly_slow([PENNIES, LUCK, GOLDEN.read_text()[:400] + "\n", SAMPLES[0].read_text()], 2))
def test_a_file_cut_short_anywhere_is_refused_unless_its_tree_is_whole(usual: str) -> None:
    data = usual.encode()
    for end in range(len(data)):
        try:
            tree = efg.parse(data[:end], "game.efg")
        except LiarsDiceError as error:
            message = str(error)
        else:
            message = "game.efg:"
            assert tree.nodes == efg.parse(data).nodes
            assert end > len(data.rstrip()) - 40  # in the last line, after the number of a known outcome
        assert message.startswith("game.efg:")
        assert message.isprintable()


@pytest.mark.parametrize("size", mostly_slow([16, 1, 100]))
def test_files_are_read_the_same_in_chunks_of_any_size(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    usual = [efg.parse(path.read_bytes()).fingerprint for path in FILES]
    monkeypatch.setattr("liarsdice_cli.formats.efg.records.CHUNK", size)
    assert [efg.parse(path.read_bytes()).fingerprint for path in FILES] == usual
    for text, where, _ in REFUSED:
        with pytest.raises(LiarsDiceError, match=f"^text:{where}: "):
            efg.parse(text.encode())


def test_errors_name_the_first_wrong_position() -> None:
    wrong = PENNIES.replace('"same" { 3', '"same" { 3 3').replace('"two" { "h"', '"two" { h')
    with pytest.raises(LiarsDiceError, match=r"^text:3:"):
        efg.parse(wrong.encode())
    with pytest.raises(LiarsDiceError, match=r"^text:1:"):
        efg.parse(wrong.replace("\n", " ").encode())
    wrong = PENNIES.replace("2 1 ", "3 1 ").replace("{ -1, 1 }", "{ -1 }")
    with pytest.raises(LiarsDiceError, match=r"^text:3:1: there is no such player"):
        efg.parse(wrong.encode())


def chain(levels: int, sets: int, actions: bytes = b'"on" "off"') -> bytes:
    """Return a game of `levels` moves in a row, at each of which player 1 chooses on or off."""
    ends = [b't "" 1 "" { %d 0 }' % levels]
    moves = []
    for level in range(levels):
        number = level % sets + 1
        moves.append(b'p "" 1 %d "" { %b } 0' % (number, actions))
        if b"off" in actions:
            ends.append(b't "" 2 "" { 1 -1 }')
    return b"\n".join([b'EFG 2 R "chain" { "A" "B" }', *moves, *ends])


@pytest.mark.parametrize(
    ("levels", "actions", "joint"),
    mostly_slow([(20_000, b'"on"', b" "), *product([100_000], [b'"on"', b'"on" "off"'], [b" ", b"\n"])]),
)
def test_a_very_deep_tree_is_read_and_written(levels: int, actions: bytes, joint: bytes) -> None:
    nodes = levels * len(actions.split()) + 1
    tree = efg.parse(chain(levels, levels, actions).replace(b"\n", joint))
    assert tree.nodes == nodes
    assert int(tree.depth.max()) == levels
    assert tree.depth[:levels].tolist() == list(range(levels))
    assert has_perfect_recall(tree)
    assert (tree.constant_sum is None) == (len(actions) > 4)
    assert len(efg.dumps(tree.stream())) > nodes * 8


@pytest.mark.parametrize("levels", mostly_slow([20_000, 100_000]))
def test_a_deep_tree_of_one_set_is_absent_minded(levels: int) -> None:
    tree = efg.parse(chain(levels, 1))
    assert not has_perfect_recall(tree)
    assert is_absent_minded(tree, 0)
    assert not is_absent_minded(tree, 1)


def check_large_labels(size: int) -> None:
    letters = b"a" * size
    for label in (letters, b"\\" * size, b'\\"' * (size // 2), b"\n" * size, b'" ' * (size // 2)):
        data = b'EFG 2 R "' + label + b'x" { "A" } t "" 0'
        try:
            nodes = efg.parse(data).nodes
        except LiarsDiceError as error:
            nodes = len(str(error)) < 200
        assert nodes == 1
    for text in (
        b"{" + letters,
        letters,
        b'p "' + letters,
        b't "" 1 "" {' + letters + b"}",
        b't "" 1 "" { ' + b"1" * size + b" }",
    ):
        with pytest.raises(LiarsDiceError) as refused:
            efg.parse(HEAD.encode() + text)
        assert len(str(refused.value)) < 200
    assert efg.parse(HEAD.encode() + b'p "" 1 1 "" { "' + letters + b'" }' + b" " * size + b' 0 t "" 0').nodes == 2
    blank = HEAD.encode() + b" \n\t" * (size // 3)
    assert efg.parse(blank + b't "" 0').nodes == 1
    with pytest.raises(LiarsDiceError, match="1 more node"):
        efg.parse(blank)


@pytest.mark.parametrize("size", mostly_slow([100_000, 1_000_000, 30_000_000]))
def test_large_labels_and_lines_are_read_or_refused(size: int) -> None:
    check_large_labels(size)


FUZZED = [path.read_bytes() for path in FILES if path.stat().st_size < 2_000] + [GOLDEN.read_bytes()[:450], LUCK.encode()]
PIECES = [
    b'"',
    b"{",
    b"}",
    b"\\",
    b"\n",
    b"\r",
    b" ",
    b",",
    b"/",
    b"-",
    b".",
    b"e",
    b"0",
    b"1",
    b"9" * 20,
    b"p ",
    b"c ",
    b"t ",
    b"\x00",
    b"\xff",
    b'""',
    b"1e400",
    b"%s",
]


@st.composite
def spoilt_files(draw: st.DrawFn) -> bytes:
    data = draw(st.sampled_from(FUZZED))
    for _ in range(draw(st.integers(1, 4))):
        place, other = sorted(draw(st.tuples(st.integers(0, len(data)), st.integers(0, len(data)))))
        match draw(st.sampled_from(["delete", "insert", "swap", "cut", "copy line", "drop line", "replace"])):
            case "delete":
                data = data[:place] + data[place + draw(st.integers(1, 6)) :]
            case "insert":
                data = data[:place] + draw(st.sampled_from(PIECES) | st.binary(max_size=4)) + data[place:]
            case "replace":
                data = data[:place] + draw(st.sampled_from(PIECES) | st.binary(max_size=4)) + data[place + 1 :]
            case "swap":
                data = (
                    data[:place]
                    + data[other : other + 1]
                    + data[place + 1 : other]
                    + data[place : place + 1]
                    + data[other + 1 :]
                )
            case "cut":
                data = data[:place] if draw(st.booleans()) else data[:place] + data[other:]
            case "copy line":
                lines = data.split(b"\n")
                line = draw(st.integers(0, len(lines) - 1))
                data = b"\n".join([*lines[:line], lines[line], *lines[line:]])
            case "drop line":
                lines = data.split(b"\n")
                line = draw(st.integers(0, len(lines) - 1))
                data = b"\n".join([*lines[:line], *lines[line + 1 :]])
    return data


@patient(1_000)
@given(data=spoilt_files())
def test_a_corrupted_file_is_a_game_or_a_one_line_error(data: bytes) -> None:
    try:
        tree = efg.parse(data, "game.efg")
    except LiarsDiceError as error:
        message = str(error)
    else:
        message = "game.efg:"
        assert np.sum(tree.arity) == tree.nodes - 1
        assert all(label != "" for label in tree.node_labels.values())
        assert efg.parse(efg.dumps(tree.stream())).fingerprint == tree.fingerprint
    assert message.startswith("game.efg:")
    assert message.isprintable()
    assert len(message) < 250


@patient(500)
@given(data=spoilt_files())
def test_files_that_gambit_reads_are_read_alike(data: bytes) -> None:
    """Only Gambit reads `-`, `1-1` and `1e400` as whole numbers or payoffs, and numbers that run into the next word."""
    try:
        expected: Any = nodes_by_gambit(game_of(data))
    except (ValueError, ArithmeticError):
        return
    try:
        found: Any = nodes_of(efg.parse(data))
    except LiarsDiceError as error:
        expected, found = True, any(word in str(error) for word in ("number", "payoff", "probability", "version"))
    assert found == expected


@patient()
@given(lines=st.lists(st.sampled_from(PENNIES.splitlines() + LUCK.splitlines()[1:]), max_size=12))
def test_line_ends_make_no_difference(lines: list[str]) -> None:
    results: list[Any] = []
    for joint in ("\n", " ", "\r\n"):
        try:
            results.append(described_tree(efg.parse((HEAD + joint + joint.join(lines)).encode())))
        except LiarsDiceError:
            results.append("refused")
    assert results[0] == results[1] == results[2]


def test_numbers_of_thousands_of_digits_are_written(tmp_path: Path) -> None:
    """Python itself refuses to print integers of more than 4,300 digits."""
    tree = efg.parse(b'EFG 2 R "g" { "A" } p "" 1 1 "" { "l" } 0 t "" 1 "" { 1 }')
    huge = dataclasses.replace(tree, outcomes=[Outcome("", (Fraction(1, 10**4300 + 1),))])
    for name in ("huge.efg", "huge.nfg"):
        write(huge, tmp_path / name)
        assert f"1/1{4299 * '0'}1" in (tmp_path / name).read_text()
