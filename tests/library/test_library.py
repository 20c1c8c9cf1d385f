"""The library in Python: the promises of docs/library.md, and agreement with the command line."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import liarsdice_cli as ld
from liarsdice_cli.bots.protocol import View
from liarsdice_cli.bots.simple import Honest
from liarsdice_cli.errors import UsageError
from liarsdice_cli.extensive.profile import LOCKED
from tests.support.command_line import run_here
from tests.support.progress import Recorded
from tests.support.properties import mostly_slow


def test_the_example_of_five_lines() -> None:
    rules = ld.rules("classic", sides=3)
    game = ld.build(rules)
    solution = ld.solve(game)
    assert solution.exact
    assert solution.value == Fraction(4, 9)
    assert sum(solution.profile["P1 roll 1 opening"].values()) == 1
    assert next(iter(solution.profile)) == "P1 roll 1 opening"
    assert repr(solution).startswith("Solution(exact value 4/9 by quasi-perfect")


def test_every_result_has_an_informative_repr(tmp_path: Path) -> None:
    rules = ld.rules("common", 2)
    solution, name = ld.solve(rules, iterations=50), str(tmp_path / "s.ldz")
    ld.write(solution, name)
    values = ld.values([rules])
    printed = {
        "value 0.": solution,
        "exploitability 1/8": ld.exploitability(rules, "honest"),
        "dice 1,1, payoffs win: 1/2": values,
        "value 0.4": ld.read_strategy(name),
        "player 1 wins with probability 1": ld.match("joker", 2, (2, 1)),
        "honest": ld.tournament(ld.rules("common"), ["honest", "random"], rounds=10, seed=1),
        "rules(preset='common', sides=2, dice=(1, 1), payoffs='win')": rules,
    }
    for words, thing in printed.items():
        assert words in repr(thing)
    assert eval(repr(rules), {"rules": ld.rules}) == rules


def test_information_sets_are_found_by_label_or_number() -> None:
    profile = ld.solve(ld.rules("common", 2)).profile
    assert profile["P1 set 1"] == profile["P1 roll 1 opening"]
    with pytest.raises(ld.LiarsDiceError, match="no information set of a player is called 'P3 set 1'"):
        profile["P3 set 1"]


def test_a_request_is_given_by_keyword_arguments() -> None:
    rules = ld.rules("common", 2)
    assert ld.solve(rules, method="lp").method == "lp"
    assert ld.solve(rules, method="lp", arithmetic="float").arithmetic == "float"
    with pytest.raises(TypeError):
        ld.solve(rules, methods="lp")


def test_a_game_of_three_players_has_no_value() -> None:
    three = ld.solve(ld.rules("common", 2, (1, 1, 1)), iterations=5)
    with pytest.raises(ld.LiarsDiceError, match="two players has a value"):
        three.value  # noqa: B018


@pytest.mark.parametrize(("name", "dice"), [("joker", (1, 1, 1)), ("common", (2, 1))])
def test_a_strategy_found_without_a_tree_becomes_a_profile_if_the_tree_is_small_enough(
    name: str, dice: tuple[int, ...], tmp_path: Path
) -> None:
    game = ld.rules(name, 2, dice)
    found = ld.solve(game, iterations=20)
    assert found.best.profile is None
    assert ld.judge(found.profile).payoffs == pytest.approx(found.judgement.payoffs, abs=1e-9)
    ld.write(found, str(tmp_path / "profile.json"))
    again = ld.read_profile(str(tmp_path / "profile.json"), found.problem.free_tree)
    assert again.probabilities == pytest.approx(found.profile.probabilities, abs=1e-12)
    assert len(ld.interop.to_numpy(found)["probability"]) == len(again.probabilities[again.tree.action_player >= 0])
    with pytest.raises(ld.LiarsDiceError, match="without a tree"):
        ld.solve(game, iterations=20, exact_max_nodes=10).profile  # noqa: B018


def test_numbers_of_numpy_make_the_same_rules() -> None:
    given = ld.rules("classic", np.int64(6), (np.int64(5), np.int64(5)), max_quantity=np.int64(9))
    assert given == ld.rules("classic", 6, (5, 5), max_quantity=9)
    assert ld.game_info(given).nodes == ld.game_info(ld.rules("classic", 6, (5, 5), max_quantity=9)).nodes > 0


@pytest.mark.parametrize(("name", "value"), [("tremble", 0.3), ("method", "lcp"), ("dealing", "staged"), ("max_profiles", 1)])
def test_values_refuse_options_that_they_do_not_use(name: str, value: object) -> None:
    of_rounds = [partial(ld.match, "joker", 2, dice) for dice in ((1, 1), (1, 1, 1))]
    for compute in (partial(ld.values, [ld.rules("common", 2)]), *of_rounds):
        with pytest.raises(UsageError, match=name):
            compute(**{name: value})


def test_logarithms_are_no_probabilities() -> None:
    policy = ld.interop.from_tensors(lambda batch: np.full((len(batch), 5), np.log(0.2)))
    with pytest.raises(ld.LiarsDiceError, match=r"one is -1\.6"):
        ld.exploitability(ld.rules("common", 2), policy)


def test_safe_exploitation_refuses_a_strategy_file_of_other_payoffs(tmp_path: Path) -> None:
    name = str(tmp_path / "s.ldz")
    ld.write(ld.solve(ld.rules("common", 2)), name)
    with pytest.raises(ld.LiarsDiceError, match="payoffs win: give payoffs='win'"):
        ld.safe_exploitation(ld.rules("common", 2, payoffs="zero-sum"), f"equilibrium:{name}", 0.1)


def test_the_strategy_of_a_subgame_is_judged_there_and_plays_no_whole_game() -> None:
    game = ld.rules("common", 3, (2, 1))
    part = ld.subgame(game, "1x1", ld.policy("random").strategy(game))
    solution = ld.solve(part, iterations=20)
    found = ld.judge(solution.strategy())
    assert found.payoffs == pytest.approx(solution.judgement.payoffs, abs=1e-9)
    assert found.regrets == pytest.approx(solution.judgement.regrets, abs=1e-9)
    with pytest.raises(ld.LiarsDiceError, match="plays only a subgame"):
        ld.exploitability(game, solution.strategy())


@pytest.mark.parametrize("file", ["part.ldz", "part.cert", "part.json"])
def test_the_solution_of_a_subgame_is_not_saved_or_explored(file: str, tmp_path: Path) -> None:
    solution = ld.solve(ld.subgame(ld.rules("common", 2), "1x1"), iterations=5)
    for what in (solution, solution.strategy())[: 1 if file == "part.json" else 2]:
        with pytest.raises(ld.UsageError, match="a subgame cannot be saved: use `liarsdice resolve`"):
            ld.write(what, tmp_path / file)
        with pytest.raises(ld.UsageError, match=r"which has no page: explore the whole game, or call .*'1x1'"):
            ld.explore(what)
    assert not any(tmp_path.iterdir())


def test_a_part_of_a_strategy_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ld.UsageError, match="depth is for a workbook"):
        ld.write(ld.solve(ld.rules("common", 2)), tmp_path / "kept.ldz", depth=1)


def test_a_profile_of_a_strategy_marks_the_locked_infosets() -> None:
    game = ld.rules("common", 2)
    found = ld.solve(game, iterations=20, lock="P2 roll 1 after 1x2: call 1/4, 2x1 3/4")
    assert found.best.profile is None
    assert found.profile["P2 roll 1 after 1x2"]["call"] == 1 / 4
    assert found.profile.count(LOCKED) == 1


@pytest.mark.parametrize("suffix", mostly_slow([".efg", ".nfg", ".gbt", ".efg.gz"], every=2))
def test_written_games_equal_those_of_the_command(suffix: str, tmp_path: Path) -> None:
    ours, theirs = tmp_path / f"ours{suffix}", tmp_path / f"theirs{suffix}"
    ld.write(ld.rules("classic", 2), str(ours))
    assert run_here("build", "--sides", 2, "-o", theirs).code == 0
    assert ours.read_bytes() == theirs.read_bytes()


def test_solutions_are_written_and_read_back(tmp_path: Path) -> None:
    rules = ld.rules("common", 3)
    game, solution = ld.build(rules), ld.solve(rules, form="extensive")
    for name in ("profile.json", "strategy.ldz", "game.gbt"):
        ld.write(solution, str(tmp_path / name), **({"depth": 1} if name.endswith("gbt") else {}))
    again = ld.read_profile(str(tmp_path / "profile.json"), game)
    assert ld.judge(again) == solution.judgement
    strategy = ld.read_strategy(str(tmp_path / "strategy.ldz"))
    found = ld.judge(strategy)
    assert found.bounds is not None
    assert [float(bound) for bound in found.bounds] == pytest.approx([float(solution.value)] * 2, abs=1e-4)
    with pytest.raises(ld.UsageError, match="for rules"):
        ld.write(ld.solve(game), str(tmp_path / "no.ldz"))


def test_the_strategy_of_a_bot_is_written_to_a_strategy_file(tmp_path: Path) -> None:
    rules, name = ld.rules("common", 3), str(tmp_path / "honest.ldz")
    ld.write(Honest().strategy(rules), name, method="by hand")
    assert ld.read_strategy(name).origin.method == "by hand"
    assert ld.judge(ld.read_strategy(name)).payoffs == pytest.approx(ld.judge(Honest().strategy(rules)).payoffs, abs=1e-4)


@pytest.mark.parametrize("tremble", [None, 0.05])
def test_a_strategy_file_written_again_keeps_its_origin_and_histories(tremble: float | None, tmp_path: Path) -> None:
    first, again, named = (str(tmp_path / f"{name}.ldz") for name in ("first", "again", "named"))
    ld.write(ld.solve(ld.rules("common", 3), method="dcfr+", iterations=20, tremble=tremble), first)
    kept = ld.read_strategy(first)
    ld.write(kept, again)
    found = ld.read_strategy(again)
    assert found.origin == kept.origin
    assert (kept.origin.method, kept.origin.iterations) == ("dcfr+", 20)
    assert found.store.histories == kept.store.histories
    assert found.with_mistakes == kept.with_mistakes == (tremble is not None)
    assert ld.judge(found).payoffs == pytest.approx(ld.judge(kept).payoffs, abs=1e-4)
    assert ld.explore(found).source == ld.explore(kept).source.replace(first, again)
    ld.write(kept, named, method="by hand")
    assert ld.read_strategy(named).origin == replace(kept.origin, method="by hand")
    assert ld.read_strategy(named).store.histories == kept.store.histories


def test_pictures_and_pages_equal_those_of_the_commands(tmp_path: Path) -> None:
    tree, page = tmp_path / "tree.svg", tmp_path / "page.html"
    ld.write(ld.picture(ld.rules("common", 2), history="1x2", depth=1), str(tree))
    assert run_here("draw", "--rules", "common", "--sides", 2, "--from", "1x2", "--depth", 1, "-o", "-").code == 0
    run_here("draw", "--rules", "common", "--sides", 2, "--from", "1x2", "--depth", 1, "-o", tmp_path / "theirs.svg")
    assert tree.read_bytes() == (tmp_path / "theirs.svg").read_bytes()
    ld.write(ld.explore(ld.rules("common", 2)), str(page))
    run_here("explore", "--rules", "common", "--sides", 2, "-o", tmp_path / "theirs.html")
    assert page.read_bytes() == (tmp_path / "theirs.html").read_bytes()


def test_the_explorer_takes_a_solution_a_profile_and_any_strategy() -> None:
    rules = ld.rules("common", 2)
    solution = ld.solve(rules)
    assert ld.explore(solution).source.startswith("Solved by method quasi-perfect; a quasi-perfect equilibrium")
    assert ld.explore(rules, profile=solution.profile, source="mine").source.startswith("mine; a quasi-perfect equilibrium")
    assert ld.explore(Honest().strategy(rules)).title == f"Liar's Dice: {rules}"
    of_tree = ld.explore(ld.solve(ld.build(rules)))
    assert of_tree.title == f"Liar's Dice: {rules}"
    assert b"information set" in of_tree.dumps()
    with ld.explore(rules).serve() as server:
        assert server.address.startswith("http://127.0.0.1:")


def test_locked_actions_are_played() -> None:
    game = ld.build(ld.rules("common", 3))
    found = ld.solve(game, lock="P1 roll 1 opening: 1x3 1")
    assert found.profile["P1 roll 1 opening"]["1x3"] == 1
    assert found.best.free is not None
    assert not found.best.free.is_equilibrium


def test_a_table_of_values_is_reused(tmp_path: Path) -> None:
    games = ld.grid(["joker", "common"], [2, 3], [(1, 1)])
    progress = Recorded()
    table = ld.values(games, progress=progress)
    assert [what for what, _, _ in progress.begun] == [f"game {number} of 4, {game}" for number, game in enumerate(games, 1)]
    assert [one.rules for one in table] == games
    again = ld.values(games, table=table, progress=progress)
    assert len(progress.begun) == 4
    said = json.loads(run_here("values", "--rules", "joker", "common", "--sides", "2..3", "--json").out)
    assert [one["value"] for one in said["games"]] == [str(one.value) for one in again]


def test_a_match_in_which_the_winner_opens() -> None:
    match = ld.match("joker", 2, (2, 1), opener="winner")
    said = json.loads(run_here("match", "--rules", "joker", "--sides", 2, "--dice", "2,1", "--opener", "winner", "--json").out)
    assert match.won_by_first(2, 1, 1).lower == 1
    assert said["match"]["opener"] == match.opener


class Caller(ld.Policy):
    """A user's policy that calls whenever it may, and otherwise makes the lowest bid."""

    name = "caller"

    def distribution(self, view: View) -> np.ndarray:
        return np.eye(len(view.actions))[0]


def test_user_policies_play_in_tournaments_and_sessions() -> None:
    rules = ld.rules("common", 6)
    first, second = (ld.tournament(rules, ["honest", Caller()], rounds=400, seed=7).standings() for _ in range(2))
    assert first == second
    with ld.play(rules, Caller(), ["honest"], rounds=4, seed=1) as session:
        while (dealt := session.deal()) is not None:
            assert session.play(dealt).failure is None
    assert len(session.losers) == 4
    with pytest.raises(ld.UsageError, match="1 seat"), ld.play(rules, Caller(), ["honest", "random"]):
        pass


def test_other_games_in_the_library(tmp_path: Path) -> None:
    table = tmp_path / "game.csv"
    table.write_text("move,move,Ann,Bob\nL,l,1,2\nL,r,3,0\nR,l,0,0\nR,r,2,1\n")
    assert ld.outcomes(str(table)).play.moves() == ["R", "r"]
    assert ld.impartial.nim([1, 1, 2], misere=True).is_lost is False
    assert ld.impartial.takeaway(8, [1, 2, 3]).winning == []
    assert ld.impartial.grundy("kayles").grundy(7) == 2
    with pytest.raises(ld.UsageError, match=r"^chips=-1: give a whole number of 0 or more"):
        ld.impartial.takeaway(-1, [1])
    assert "CHIPS is -1: give a whole number of 0 or more" in run_here("impartial", "takeaway", "-1", "1").err


def test_a_profile_is_explored_instead_of_a_solution() -> None:
    solution = ld.solve(ld.rules("common", 2))
    assert ld.explore(solution, profile=solution.profile, source="my profile").source.startswith("my profile")
    with pytest.raises(UsageError, match=r"^profile is for rules or a tree"):
        ld.explore(solution.strategy(), profile=solution.profile)


@pytest.mark.parametrize("game", [ld.rules("common", 2), ld.build(ld.rules("common", 2)), ld.solve(ld.rules("common", 2))])
def test_a_profile_of_another_game_is_not_explored(game: Any) -> None:
    for other in (ld.rules("common", 3), ld.build(ld.rules("common", 2), dealing="staged")):
        with pytest.raises(UsageError, match=r"^profile belongs to another game, "):
            ld.explore(game, profile=ld.solve(other).profile)


def test_a_strategy_keeps_the_name_of_its_method_in_every_format(tmp_path: Path) -> None:
    strategy = ld.solve(ld.rules("common", 2)).strategy()
    first, *others, last = (tmp_path / name for name in ("one.ldz", "two.cert", "three.ldz", "four.ldz"))
    ld.write(strategy, first, method="mine")
    for other in others:
        ld.write(ld.read_strategy(first), other)
        assert ld.read_strategy(other).origin.method == "mine"
        first = other
    ld.write(strategy, last)
    assert ld.read_strategy(last).origin.method == "unknown"


def test_files_are_named_by_text_or_by_path(tmp_path: Path) -> None:
    game, profile = tmp_path / "game.efg", tmp_path / "profile.json"
    ld.write(ld.rules("common", 2), game)
    tree = ld.read(game)
    assert tree.nodes == ld.read(str(game)).nodes
    ld.write(ld.solve(tree), profile)
    assert ld.read_profile(profile, tree).exact
    table = tmp_path / "table.csv"
    table.write_text("move,A,B\nleft,1,3\nright,3,2\n")
    assert repr(ld.outcomes(table)) == repr(ld.outcomes(str(table)))
