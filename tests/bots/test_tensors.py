"""Networks on information-state tensors, evaluated like the same strategy in any other form, and tables by strings."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import liarsdice_cli as ld
from liarsdice_cli.bots import tensors
from liarsdice_cli.bots.open_spiel_tables import Table
from liarsdice_cli.extensive.stream import Floats
from liarsdice_cli.games.bidding import CALL
from liarsdice_cli.games.liarsdice.histories import Histories
from liarsdice_cli.games.liarsdice.rules import Rules, rules
from liarsdice_cli.games.liarsdice.state import BettingState
from tests.support.policies import Whatever, histories, spoken

from_tensors = ld.interop.from_tensors


class Remembers:
    """A stand-in for a network: it looks up the probabilities of a strategy by the tensor of a state."""

    def __init__(self, strategy: Any) -> None:
        game: Rules = strategy.rules
        self.rows: dict[bytes, Floats] = {}
        for history in histories(game):
            state, said = BettingState(game, history), strategy.at(history)
            for place, (roll, _) in enumerate(game.rolls(state.mover)):
                row = np.full(tensors.action_count(game), 0.7)  # a network gives some number to illegal actions too
                row[[tensors.number_of(game, action) for action in state.actions]] = said[:, place]
                self.rows[tensors.tensor(game, state.mover, roll, history).tobytes()] = row

    def __call__(self, batch: Floats) -> Floats:
        return np.array([self.rows[row.tobytes()] for row in batch])


@pytest.mark.parametrize(
    "game", [rules("common", 2), rules("ones-low", 2, (2, 1)), rules("classic", 2, spot_on=True), rules("perudo", 2, (1, 2))]
)
def test_a_network_is_evaluated_like_its_strategy(game: Rules) -> None:
    strategy = Whatever(game, 4)
    found = ld.exploitability(game, from_tensors(Remembers(strategy)))
    assert found.payoffs == pytest.approx(ld.exploitability(game, strategy).payoffs, abs=1e-12)


class OfTorch:
    """The methods of a torch tensor that are used. It has a gradient, so it must be detached before it becomes an array."""

    def __init__(self, numbers: Any, steps: tuple[str, ...] = ()) -> None:
        self.numbers, self.steps = numbers, steps

    def __getattr__(self, step: str) -> Any:
        if step not in ("detach", "cpu", "double"):
            raise AttributeError(step)
        return lambda: OfTorch(self.numbers, (*self.steps, step))

    def numpy(self) -> Any:
        assert self.steps == ("detach", "cpu", "double")
        return self.numbers

    def new_tensor(self, numbers: Any) -> Any:
        return OfTorch(numbers)


class Module:
    """A stand-in for a torch module on some device."""

    def parameters(self) -> Any:
        yield OfTorch(None)

    def __call__(self, batch: OfTorch) -> OfTorch:
        return OfTorch(np.full((len(batch.numbers), 5), 0.25, np.float32))


def test_the_result_of_a_torch_module_is_detached_and_copied_to_the_cpu() -> None:
    game = rules("common", 2)
    assert ld.exploitability(game, from_tensors(Module())).payoffs == pytest.approx(ld.exploitability(game, "random").payoffs)


@pytest.mark.slow
def test_a_torch_module_is_evaluated() -> None:
    torch = pytest.importorskip("torch")
    game = rules("top-wild", 3)
    module = torch.nn.Sequential(torch.nn.Linear(tensors.width(game), 8), torch.nn.Linear(8, 7), torch.nn.Softmax(1))

    def by_hand(rows: Floats) -> Any:
        return module(torch.from_numpy(rows))

    found = [ld.exploitability(game, from_tensors(one)).payoffs for one in (module, by_hand)]
    assert found[0] == found[1]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["float32", "float64"])
def test_a_module_of_torch_is_judged_alike_on_a_gpu(kind: str) -> None:
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("no GPU")
    torch.manual_seed(1)
    game = rules("top-wild", 6)
    layers = (torch.nn.Linear(tensors.width(game), 128), torch.nn.ReLU(), torch.nn.Linear(128, 13), torch.nn.Softmax(1))
    module = torch.nn.Sequential(*layers).to(getattr(torch, kind))
    on_cpu = ld.exploitability(game, from_tensors(module)).payoffs
    on_gpu = module.to("cuda")

    def by_hand(rows: Floats) -> Any:
        return on_gpu(torch.as_tensor(rows, device="cuda", dtype=getattr(torch, kind)))

    for policy in (on_gpu, by_hand):
        assert ld.exploitability(game, from_tensors(policy)).payoffs == pytest.approx(on_cpu, abs=1e-6)


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda rows: np.ones((len(rows), 4)), r"in the opening: for tensors of shape \(2, 9\) an array of shape \(2, 4\)"),
        (lambda rows: np.zeros((len(rows), 5)), r"gives no probabilities in the opening with 1: one is not finite"),
        (lambda rows: np.tile([2.0, -1.0, 0, 0, 0], (len(rows), 1)), r"in the opening with 1: one is -1"),
        (lambda rows: rows["observation"], r"raised IndexError"),
    ],
)
def test_an_invalid_policy_is_refused(function: Any, words: str) -> None:
    with pytest.raises(ld.LiarsDiceError, match=words):
        ld.exploitability(rules("common", 2), from_tensors(function))


def test_a_table_by_strings_has_its_given_entries_and_is_uniform_elsewhere() -> None:
    game = rules("top-wild", 2, (2, 2))
    strategy = Whatever(game, 5)
    said = {key: tuple(zip(*pairs, strict=True)) for key, pairs in spoken(strategy, game.bid_count).items()}
    left_out = {key: entry for key, entry in said.items() if not key.startswith("12 1-2")}
    for history in ((), (0,), (1,), (1, 4), (0, 3, 5)):
        batch = Histories.of(game, [history])
        assert Table(said)(batch)[0] == pytest.approx(strategy.at(history).T)
        even = history[:1] == (1,)
        row = Table(left_out)(batch)[0, 1]
        assert row == pytest.approx(1 / len(row) if even else strategy.at(history).T[1])
    with pytest.raises(ld.LiarsDiceError, match="has the information state '12 9-1', which does not belong to top-wild"):
        Table({"12 9-1": ((8,), (1.0,))})(Histories.of(game, [()]))


def test_a_player_who_is_not_to_move_has_a_tensor_too() -> None:
    game = rules("top-wild", 2, (2, 1, 1))
    found = tensors.tensor(game, 2, (1,), (0, 3, CALL))
    assert np.flatnonzero(found).tolist() == [2, 3, 7, 10, 15]


def even(batch: Floats) -> Floats:
    return np.full((len(batch), 5), 1 / 5)


def test_policies_of_tensors_play_on_worker_processes_unless_they_cannot_be_sent() -> None:
    game = rules("common", 2)
    here, there = (
        ld.tournament(game, [from_tensors(even), "honest"], rounds=10, seed=1, cluster=on) for on in (None, "local:1")
    )
    assert (here.ahead == there.ahead).all()
    with pytest.raises(ld.LiarsDiceError, match=r"^one cannot be sent to a worker \(.*\): define .* leave out cluster$"):
        ld.tournament(game, [from_tensors(lambda batch: even(batch), "one"), "honest"], cluster="local:1")
