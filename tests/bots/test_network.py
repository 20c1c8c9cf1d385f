"""Networks in ONNX files: batches, networks that cannot run, and the adapter for those of dudo.ai."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from benchmarks.dudo import Dudo
from liarsdice_cli.bots.forms import given
from liarsdice_cli.bots.network import Network
from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.games.liarsdice.histories import Histories
from liarsdice_cli.games.liarsdice.rules import rules
from liarsdice_cli.games.liarsdice.state import BettingState
from liarsdice_cli.library.exploitation import exploitability
from tests.support.command_line import assert_refused, document, run_here
from tests.support.policies import histories

REASON = "no network can be made or run: pip install onnx onnxruntime"


@pytest.fixture
def onnx():
    pytest.importorskip("onnxruntime", reason=REASON)
    return pytest.importorskip("onnx", reason=REASON)


def made(onnx, file, private, public, rows=False, across=False):
    """Write a network with random weights that maps two vectors to a number from -1 to 1; return its weights.

    rows   : whether the inputs and the output have an axis for a batch
    across : whether the value of a row depends on the other rows of its batch
    """
    helper, generator = onnx.helper, np.random.default_rng(private)
    weights = {
        "a": generator.normal(size=(private, 5)),
        "b": generator.normal(size=(public, 5)),
        "c": generator.normal(size=(5, 1)),
    }
    nodes = [
        helper.make_node("MatMul", ["priv", "a"], ["x"]),
        helper.make_node("MatMul", ["pub", "b"], ["y"]),
        helper.make_node("Mul", ["x", "y"], ["z"]),
        helper.make_node("Softmax", ["z"], ["s"], axis=0) if across else helper.make_node("Tanh", ["z"], ["s"]),
        helper.make_node("MatMul", ["s", "c"], ["t"]),
        helper.make_node("Tanh", ["t"], ["value"]),
    ]
    many = ["rows"] if rows else []
    inputs, outputs = (
        [helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [*many, size]) for name, size in sides]
        for sides in ((("priv", private), ("pub", public)), (("value", 1),))
    )
    kept = [onnx.numpy_helper.from_array(array.astype(np.float32), name) for name, array in weights.items()]
    graph = helper.make_graph(nodes, "tiny", inputs, outputs, kept)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)])
    model.ir_version = 8
    onnx.save(model, str(file))
    return weights


@pytest.mark.parametrize("rows", [True, False])
def test_a_batch_gives_every_row_its_own_value(onnx, rows, tmp_path, monkeypatch):
    from liarsdice_cli.bots import network

    monkeypatch.setattr(network, "ROWS", 7)
    weights = made(onnx, tmp_path / "tiny.onnx", 3, 4, rows)
    generator = np.random.default_rng(1)
    private, public = generator.normal(size=(20, 3)), generator.normal(size=(20, 4))
    found = Network(str(tmp_path / "tiny.onnx"))(priv=private, pub=public)
    expected = np.tanh(np.tanh((private @ weights["a"]) * (public @ weights["b"])) @ weights["c"])
    assert found == pytest.approx(expected, abs=1e-5)


def test_a_network_that_cannot_run_is_refused_by_name(onnx, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    made(onnx, "tiny.onnx", 3, 4)
    made(onnx, "across.onnx", 3, 4, across=True)
    (tmp_path / "torn.onnx").write_bytes((tmp_path / "tiny.onnx").read_bytes()[:50])
    few = {"priv": np.ones((9, 3)), "pub": np.arange(36).reshape(9, 4)}
    for file, words in (
        ("none.onnx", "cannot read none.onnx as a network"),
        ("torn.onnx", "cannot read torn.onnx as a network"),
    ):
        with pytest.raises(LiarsDiceError, match=words) as found:
            Network(file)
        assert len(str(found.value).splitlines()) == 1
    with pytest.raises(LiarsDiceError, match=r"^tiny.onnx takes priv, pub, not dice$"):
        Network("tiny.onnx")(dice=np.ones((2, 3)))
    with pytest.raises(LiarsDiceError, match=r"^across.onnx takes one row at a time"):
        Network("across.onnx")(**few)
    with pytest.raises(LiarsDiceError, match=r"^tiny.onnx cannot be run: "):
        Network("tiny.onnx")(**(few | {"priv": np.ones((9, 2))}))


def test_without_onnxruntime_the_error_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(LiarsDiceError, match=r"onnxruntime, which is not installed; run: pip install onnxruntime$"):
        Network("tiny.onnx")


def plainly(asked, network, history, roll):
    """Return the probabilities of dudo.ai's player, state by state: the bids, then the call, even in the opening."""
    bids, most, mover = asked.bid_count, max(asked.dice), len(history) % 2

    def state(moves):
        numbers = [[0.0] * (bids + 2) for _ in range(2)]
        for turn, action in enumerate(moves):
            numbers[turn % 2][action] = 1.0
        numbers[len(moves) % 2][bids + 1] = 1.0
        return [*numbers[0], *numbers[1]]

    private = [float(roll.count(face) > place) for face in range(1, 7) for place in range(most)]
    private += [float(mover == 0), float(mover == 1)]
    after = range(history[-1] + 1 if history else 0, bids + 1)
    states = [state(history), *(state((*history, action)) for action in after)]
    here, *there = network(priv=[private] * len(states), pub=states)[:, 0].tolist()
    better = [max(value - here, 0) for value in there]
    return [one / sum(better) if sum(better) else 1 / len(better) for one in better]


@pytest.mark.parametrize("dice", [(1, 1), (2, 1), (1, 2)])
def test_the_adapter_plays_like_the_player_of_dudo_ai(onnx, dice, tmp_path):
    asked = rules("ones-low", 6, dice)
    file = tmp_path / f"model_{dice[0]}{dice[1]}_joker.onnx"
    made(onnx, file, 6 * max(dice) + 2, 2 * (asked.bid_count + 2))
    network, bot = Network(str(file)), Dudo(str(tmp_path))
    strategy = given(bot).strategy(asked)
    generator = np.random.default_rng(5)
    for length in (0, 1, 2, 3, 5):
        history = tuple(sorted(generator.choice(asked.bid_count, length, replace=False).tolist()))
        said = strategy.at(history)
        for place, (roll, _) in enumerate(asked.rolls(length % 2)):
            *bids, call = plainly(asked, network, history, roll)
            if not history:
                assert bot.opening_calls[dice][roll] == pytest.approx(call, abs=1e-5)
                bids = [one / (1 - call) for one in bids]
            assert said[:, place] == pytest.approx([call, *bids] if history else bids, abs=1e-4)


@pytest.mark.slow
def test_a_network_is_evaluated_like_the_table_of_its_probabilities(onnx, tmp_path, monkeypatch):
    asked = rules("ones-low", 6)
    made(onnx, tmp_path / "model_11_joker.onnx", 8, 28)
    spec = f"benchmarks.dudo:Dudo:{tmp_path}"
    said = document(run_here("exploit", spec, "--rules", "ones-low", "--json"), "exploit")["bots"][0]
    strategy = given(Dudo(str(tmp_path))).strategy(asked)
    table = {history: strategy.at(history).T for history in histories(asked)}
    assert all(len(table[history][0]) == len(BettingState(asked, history).actions) for history in table)
    assert said["worst_case"] == pytest.approx(exploitability(asked, table).payoffs, abs=1e-6)


def test_a_game_without_a_network_is_refused(onnx, tmp_path):
    made(onnx, tmp_path / "model_11_joker.onnx", 8, 28)
    spec = f"benchmarks.dudo:Dudo:{tmp_path}"
    assert_refused(run_here("exploit", spec, "--rules", "common"), "dudo.ai plays ones-low with six sides", "--rules ones-low")
    assert_refused(run_here("exploit", spec, "--rules", "ones-low", "--dice", "2,1"), "model_21_joker.onnx as a network")


def test_a_batch_of_histories_gives_the_same_result_as_each_alone(onnx, tmp_path):
    asked = rules("ones-low", 6)
    made(onnx, tmp_path / "model_11_joker.onnx", 8, 28)
    bot = Dudo(str(tmp_path))
    some = [(0, 4, 7), (1, 2, 7), (3, 5, 7)]
    together = bot.distributions(Histories.of(asked, some))
    for row, history in zip(together, some, strict=True):
        assert row == pytest.approx(bot.distributions(Histories.of(asked, [history]))[0], abs=1e-5)
