"""Combinatorial games: published sequences, brute force on random small games, and periods checked beyond their proof."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, reduce
from itertools import combinations_with_replacement
from operator import xor
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarsdice_cli.errors import LiarsDiceError, UsageError
from liarsdice_cli.games.impartial import nim, subtraction, sums
from liarsdice_cli.games.impartial.heaps import Period
from liarsdice_cli.games.impartial.octal import Octal, digits
from liarsdice_cli.games.impartial.subtraction import Subtraction, misere, wins
from liarsdice_cli.games.perfect_information import unfold
from liarsdice_cli.library.impartial import nim as nim_game
from liarsdice_cli.solvers import backward
from tests.support.properties import examples


class Sequence(NamedTuple):
    """Published values from the heap `first` on, and the known period as (first heap, length)."""

    source: str
    game: str
    first: int
    values: str
    period: tuple[int, int] | None


LITERATURE = (
    Sequence(
        "OEIS A002186; Winning Ways, chapter 4; period 12 from 71 on: Guy and Smith 1956",
        "kayles",
        0,
        "0 1 2 3 1 4 3 2 1 4 2 6 4 1 2 7 1 4 3 2 1 4 6 7 4 1 2 8 5 4 7 2 1 8 6 7 4 1 2 3 1 4 7 2 1"
        " 8 2 7 4 1 2 8 1 4 7 2 1 4 2 7"
        " 4 1 2 8 1 4 7 2 1 8 6 7 4 1 2 8 1 4 7 2 1 8 2 7 4 1 2 8 1 4 7 2 1 8 2 7 4 1 2 8 1 4 7 2 1",
        (71, 12),
    ),
    Sequence(
        "OEIS A002187, whose a(n - 1) is Dawson's Kayles; period 34, the last exception a(51): Guy and Smith 1956",
        "dawson",
        1,
        "0 1 1 2 0 3 1 1 0 3 3 2 2 4 0 5 2 2 3 3 0 1 1 3 0 2 1 1 0 4 5 2 7 4 0 1 1 2 0 3 1 1 0 3 3"
        " 2 2 4 4 5 5 2 3 3 0 1 1 3 0 2"
        " 1 1 0 4 5 3 7 4 8 1 1 2 0 3 1 1 0 3 3 2 2 4 4 5 5 9 3 3 0 1 1 3 0 2 1 1 0 4 5 3 7 4 8 1 1"
        " 2 0 3 1 1 0 3 3 2 2 4 4 5 5",
        (53, 34),
    ),
    Sequence(
        "OEIS A002187: Dawson's Chess; period 34, the last exception a(51)",
        "0.137",
        0,
        "0 1 1 2 0 3 1 1 0 3 3 2 2 4 0 5 2 2 3 3 0 1 1 3 0 2 1 1 0 4 5 2 7 4 0 1 1 2 0 3 1 1 0 3 3 2 2 4 4 5 5",
        (52, 34),
    ),
    Sequence(
        "OEIS A002188; Grundy 1939; no period is known",
        "grundy",
        0,
        "0 0 0 1 0 2 1 0 2 1 0 2 1 3 2 1 3 2 4 3 0 4 3 0 4 3 0 4 1 2 3 1 2 4 1 2 4 1 2 4 1 5 4 1 5"
        " 4 1 5 4 1 0 2 1 0 2 1 5 2 1 3"
        " 2 1 3 2 4 3 2 4 3 2 4 3 2 4 3 2 4 3 2 4 5 2 4 5 2 4 3 7 4 3 7 4 3 7 4 3 5 2 3 5 2 3 5 2 3",
        None,
    ),
    Sequence(
        "OEIS A071453; period 48, the last exception 46",
        "0.117",
        1,
        "1 1 1 0 2 2 1 3 4 0 1 1 1 3 2 2 2 3 4 0 1 5 4 3 2",
        (47, 48),
    ),
    Sequence(
        "OEIS A071435; period 20, the last exception 496",
        "0.177",
        1,
        "1 1 2 2 3 1 1 4 4 3 2 2 1 1 4 2 2 6 4 4 1 1 2 2",
        (497, 20),
    ),
    Sequence("OEIS A125829; period 14 from 1 on", "0.115", 1, "1 1 1 0 1 1 1 2 2 2 1 2 2 2 1 1 1 0 1 1 1 2 2 2", (1, 14)),
    Sequence(
        "OEIS A046695: Couples are forever, no period known", "0.6", 0, "0 0 1 2 0 1 2 3 1 2 3 4 0 3 4 2 1 3 2 1 0 2 1 4", None
    ),
    Sequence("OEIS A002186: 4.4 is Kayles with one object more", "4.4", 1, "0 1 2 3 1 4 3 2 1 4 2 6 4 1 2 7 1 4 3 2", (72, 12)),
    Sequence("Ferguson, part I, section 1.1: g(n) = n mod 4", "1,2,3", 0, "0 1 2 3 0 1 2 3 0 1 2 3 0", (0, 4)),
    Sequence("Ferguson, part I, section 1.4: P-positions 0, 2 mod 7", "1,3,4", 0, "0 1 0 1 2 3 2 0 1 0 1 2 3 2", (0, 7)),
)


@pytest.mark.parametrize("known", LITERATURE, ids=lambda known: known.game)
def test_values_and_periods_match_the_literature(known: Sequence) -> None:
    game = sums.game(known.game, limit=2000)
    values = [int(number) for number in known.values.split()]
    assert list(game.values(known.first + len(values))[known.first : known.first + len(values)]) == values
    period = game.period()
    assert (period and (period.start, period.length)) == known.period


def test_fewer_values_are_searched_if_each_takes_longer() -> None:
    short, long = (sums.game(f"0.{'7' * digits}").limit for digits in (2, 200))
    assert (short, long * long * 200 <= 4 * short * short, long > 1000) == (20_000, True, True)


def test_sparse_values_of_grundys_game() -> None:
    """The values are those in Flammenkamp's table of Grundy's game."""
    table = {87: 7, 90: 7, 93: 7, 146: 6, 158: 11, 176: 7, 181: 12, 190: 12, 196: 10, 231: 10}
    values = sums.game("grundy").values(232)
    assert {heap: values[heap] for heap in table} == table


# Brute force from the rules alone


def mex(values: Iterable[int]) -> int:
    found = set(values)
    return next(value for value in range(len(found) + 1) if value not in found)


def splits(rest: int, unequal: bool = False) -> list[tuple[int, ...]]:
    return [(one, rest - one) for one in range(1, rest) if one < rest - one or (one == rest - one and not unequal)]


def octal_options(code: tuple[int, ...], unequal: bool) -> Callable[[int], list[tuple[int, ...]]]:
    def options(heap: int) -> list[tuple[int, ...]]:
        found: list[tuple[int, ...]] = []
        for taken, digit in enumerate(code):
            rest = heap - taken
            found += [()] if digit % 2 and rest == 0 and taken else []
            found += [(rest,)] if digit // 2 % 2 and rest > 0 else []
            found += splits(rest, unequal) if digit >= 4 else []
        return found

    return options


def grundy_by_rules(options: Callable[[int], list[tuple[int, ...]]], count: int) -> list[int]:
    values: list[int] = []
    for heap in range(count):
        values.append(mex(reduce(xor, (values[left] for left in option), 0) for option in options(heap)))
    return values


take_sets = st.sets(st.integers(1, 15), min_size=1, max_size=5).map(lambda take: tuple(sorted(take)))
codes = st.tuples(st.sampled_from((0, 4)), st.lists(st.integers(0, 7), max_size=4)).map(lambda code: (code[0], *code[1]))


@examples(300)
@given(take_sets)
def test_subtraction_games_match_brute_force(take: tuple[int, ...]) -> None:
    game = Subtraction(take)
    values = grundy_by_rules(lambda heap: [(heap - number,) for number in take if number <= heap], 400)
    assert list(game.values(400)[:400]) == values
    check_period(game.period(), values)
    lost = [misere_lost(take, chips) for chips in range(120)]
    for chips in range(120):
        assert wins(take, chips) == (values[chips] != 0)
        heap = misere(take, chips)
        assert (heap is not None and not wins(take, heap)) == lost[chips]
    assert game.grundy(10**9 + 7) == game.grundy(10**9 + 7 + 3 * period_of(game).length)


def period_of(game: Subtraction | Octal) -> Period:
    period = game.period()
    assert period is not None
    return period


@cache
def misere_lost(take: tuple[int, ...], chips: int) -> bool:
    after = [chips - number for number in take if number <= chips]
    return bool(after) and not any(misere_lost(take, left) for left in after)


@examples(80)
@given(codes.filter(any), st.booleans())
def test_octal_games_match_brute_force(code: tuple[int, ...], unequal: bool) -> None:
    game = Octal("game", code, unequal, limit=500)
    options = octal_options(code, unequal)
    values = grundy_by_rules(options, 160)
    assert list(game.values(160)[:160]) == values
    for heap in range(12):
        assert sorted(game.options(heap)) == sorted(options(heap))
    period = game.period()
    assert not (period and unequal)
    if period:
        check_period(period, list(Octal("game", code, limit=1500).values(1500)[:1500]))


def check_period(period: Period | None, values: list[int]) -> None:
    """Assert that the period holds beyond its proof, and that no shorter period and no earlier start does."""
    assert period is not None
    start, length = period.start, period.length
    assert values[start:-length] == values[start + length :]
    assert all(values[-200:] != values[-200 - shorter : -shorter] for shorter in range(1, length) if shorter < 200)
    assert start <= 1 or values[start - 1] != values[start - 1 + length]
    assert all(values[heap] == values[period.same(heap)] for heap in range(len(values)))


@examples(60)
@given(st.sets(st.integers(1, 700), min_size=1, max_size=5), st.integers(0, 2500))
def test_wins_with_moves_longer_than_a_block(take: set[int], chips: int) -> None:
    won = [False] * (chips + 1)
    for heap in range(chips + 1):
        won[heap] = any(number <= heap and not won[heap - number] for number in take)
    assert wins(tuple(take), chips) == won[chips]


def test_wins_agrees_with_the_period_on_a_large_heap() -> None:
    take = (1, 3, 8)
    game = Subtraction(take)
    assert all(wins(take, chips) == (game.grundy(chips) != 0) for chips in range(999_980, 1_000_001))


# Nim, normal and misere


@cache
def nim_lost(heaps: tuple[int, ...], misere: bool) -> bool:
    after = [
        tuple(sorted((*heaps[:place], left, *heaps[place + 1 :]))) for place, size in enumerate(heaps) for left in range(size)
    ]
    if not after:
        return not misere
    return not any(nim_lost(one, misere) for one in after)


@pytest.mark.parametrize("misere", [False, True])
def test_nim_up_to_four_heaps_of_five_matches_brute_force(misere: bool) -> None:
    for heaps in combinations_with_replacement(range(6), 4):
        assert nim.is_lost(heaps, misere) == nim_lost(heaps, misere)
        winning = [
            (place, left)
            for place, size in enumerate(heaps)
            for left in range(size)
            if nim_lost(tuple(sorted((*heaps[:place], left, *heaps[place + 1 :]))), misere)
        ]
        assert nim.winning_moves(heaps, misere) == winning


def test_nim_with_thousands_of_digits() -> None:
    big = 10**5000
    assert nim.is_lost((big, big))
    assert not nim.is_lost((big, big + 1))
    assert nim.winning_moves((big, big + 1)) == [(1, big)]


# Sums


parts = st.lists(st.sampled_from(("nim", "kayles", "dawson", "grundy", "0.137", "1,3")), min_size=1, max_size=3)


@examples(80)
@given(parts, st.data())
def test_sums_match_brute_force(names: list[str], data: st.DataObject) -> None:
    components = [sums.component(f"{name} {data.draw(st.integers(0, 6))}") for name in names]
    start = tuple(one.heaps for one in components)

    @cache
    def lost(position: sums.Position) -> bool:
        return not any(lost(after) for _, after in sums.moves(components, position))

    assert (sums.value(components) == 0) == lost(start)
    winning = sums.winning_moves(components)
    after_winning = [name for name, after in sums.moves(components, start) if lost(after)]
    assert len(winning) == len(after_winning)
    for move, name in zip(winning, after_winning, strict=True):
        assert f"{sums.shown(components[move.component].heaps[move.heap], move.left)} at" in name


@examples(40)
@given(parts.map(lambda names: names[:2]), st.data())
def test_the_tree_of_a_sum_has_the_same_winner(names: list[str], data: st.DataObject) -> None:
    components = [sums.component(f"{name} {data.draw(st.integers(0, 4))}") for name in names]
    start = tuple(one.heaps for one in components)
    tree = unfold("", start, lambda position, player: sums.moves(components, position))
    won = sums.value(components) != 0
    assert backward.solve(tree)[1].payoffs == ((int(won), int(not won)),)


def test_a_tree_that_is_too_large_is_refused_before_all_moves_are_generated() -> None:
    with pytest.raises(LiarsDiceError, match="more than"):
        nim_game([10**9]).tree()


def test_a_large_nim_heap_in_a_sum() -> None:
    components = [sums.component(f"nim {10**30}"), sums.component("kayles 9")]
    assert sums.winning_moves(components) == [sums.Move(0, 0, (4,))]
    assert sums.game("kayles").grundy(10**12) == sums.game("kayles").grundy(76 + (10**12 - 76) % 12)


# Bad input


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("0.78", "digit 8"),
        ("0.9", "digit 9"),
        ("1.7", "begins with 1"),
        ("0.0", "no move"),
        (".", "no move"),
        ("0.7x", "not an octal code"),
        ("1,0", "cannot take 0"),
        ("1,-2", "cannot take -2"),
        ("2,2", "2 is in the take set twice"),
        ("chess", "'chess' is not a game"),
        ("9999999", "too large for a take set"),
    ],
)
def test_invalid_games_are_usage_errors(name: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        sums.game(name)


def test_an_empty_take_set_is_refused() -> None:
    with pytest.raises(UsageError, match="so there is no move"):
        Subtraction(())


def test_a_value_without_a_proved_period_or_with_too_many_moves_is_refused() -> None:
    with pytest.raises(LiarsDiceError, match="prove no period"):
        sums.game("grundy", limit=100).grundy(101)
    with pytest.raises(LiarsDiceError, match="too many moves"):
        sums.winning_moves([sums.component("kayles 2000001")])


def test_octal_codes_are_read_as_digits() -> None:
    assert (digits("0.77"), digits(".07"), digits("4."), digits("4.7")) == ((0, 7, 7), (0, 0, 7), (4,), (4, 7))


def test_a_game_of_heaps_prints_its_name_and_its_period_once_it_is_proved() -> None:
    kayles = sums.game("kayles")
    assert repr(kayles) == "Octal(Kayles (0.77))"
    kayles.period()
    assert repr(kayles) == "Octal(Kayles (0.77); period 12 from heap 71)"
    assert repr(sums.game("1,2,3")) == "Subtraction(take 1, 2, 3)"


def test_misere_play_names_one_chip_in_the_singular() -> None:
    period = subtraction.TakeAway(Subtraction((1, 2)), 5, misere=True).period
    assert period is not None
    assert period.argument.endswith("is normal play with 1 chip fewer")
