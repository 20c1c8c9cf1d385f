"""The output of `liarsdice model`: the normal model of zero intelligence, with a column for each number of other players."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from liarsdice_cli.bots.zero_intelligence.continuous import probability_level
from liarsdice_cli.bots.zero_intelligence.model import Model
from liarsdice_cli.formats.documents.playing import LevelMixture, ModelAnswer, NormalModel
from liarsdice_cli.formats.documents.playing import Model as ModelDocument
from liarsdice_cli.report.tables import table

if TYPE_CHECKING:
    from rich.console import RenderableType


@dataclass(frozen=True)
class Asked:
    """Additional numbers to show for each model.

    mixed   : whether to show the best distribution of levels, and answers to it
    holding : the roll of B for which to show an answer, or None
    call    : the bid at which B calls, instead of the best one, or None
    """

    mixed: bool = False
    holding: float | None = None
    call: float | None = None


def model_tables(models: Sequence[Model], asked: Asked) -> Iterator[RenderableType]:
    """Yield the answer for a person."""
    yield "A rolls N(0, 1), the others together N(0, s2); levels are z-scores unless stated otherwise"
    rows = ((name, *(_shown(number(one)) for one in models)) for name, number in _rows(models[0], asked))
    yield table(("", *(f"s2 = {one.others:g}" for one in models)), rows, right=True)
    if asked.mixed and len(models) == 1:
        levels = models[0].best_mixture.levels
        yield "the best distribution of levels"
        places = zip(levels.level.tolist(), levels.probability.tolist(), levels.weight.tolist(), strict=True)
        yield table(("level", "as a probability", "drawn with"), (tuple(map(_shown, one)) for one in places), right=True)


def _rows(first: Model, asked: Asked) -> Iterator[tuple[str, Callable[[Model], float]]]:
    """Yield the name of each number, with the function that returns it for a model."""
    yield f"y0, where calling and raising cost the same{f' with {first.own:g}' if first.own else ''}", lambda one: one.y0
    yield "its level, a probability, P(Y >= y0)", lambda one: one.indifference_level
    yield "the document's level for it, P(X >= y0)", lambda one: one.page_level
    yield "best fixed level", lambda one: one.best_level
    yield "best fixed level, a probability", lambda one: probability_level(one.best_level)
    level = "the best fixed level" if first.z_score is None else f"the level {first.z_score:g}"
    yield f"omega_A of {level}", lambda one: one.worst
    if asked.mixed:
        yield "omega_A of the best distribution of levels", lambda one: one.best_mixture.value
        yield "no distribution has more than", lambda one: one.best_mixture.ceiling
    if asked.holding is None:
        return
    holding, against = asked.holding, "the best distribution" if asked.mixed else level
    if asked.call is None:
        yield f"K, where B with {holding:g} calls against {against}", lambda one: one.answer(holding, asked.mixed)[0]
        yield "omega_B(K)", lambda one: one.answer(holding, asked.mixed)[1]
    else:
        call = asked.call
        yield f"omega_B({call:g}) of B with {holding:g} against {against}", lambda one: one.wins(holding, call, asked.mixed)


def _shown(number: float) -> str:
    return "never" if math.isinf(number) else f"{number:z.4f}"


def model_json(models: Sequence[Model], asked: Asked) -> ModelDocument:
    """Return the document of `model`."""
    return {"models": [_model_json(one, asked) for one in models]}


def _model_json(one: Model, asked: Asked) -> NormalModel:
    return {
        "others": one.others,
        "my_roll": one.own,
        "y0": one.y0,
        "indifference_level": one.indifference_level,
        "page_level": one.page_level,
        "best_level": one.best_level,
        "level": one.asked_level,
        "omega_a": one.worst,
        "mixture": _mixture_json(one) if asked.mixed else None,
        "answer": None if asked.holding is None else _answer_json(one, asked, asked.holding),
    }


def _mixture_json(one: Model) -> LevelMixture:
    mixture = one.best_mixture
    return {
        "levels": mixture.levels.level.tolist(),
        "weights": mixture.levels.weight.tolist(),
        "omega_a": mixture.value,
        "ceiling": mixture.ceiling,
    }


def _answer_json(one: Model, asked: Asked, holding: float) -> ModelAnswer:
    if asked.call is not None:
        return {"holding": holding, "call": asked.call, "omega_b": one.wins(holding, asked.call, asked.mixed)}
    call, wins = one.answer(holding, asked.mixed)
    return {"holding": holding, "call": None if math.isinf(call) else call, "omega_b": wins}
