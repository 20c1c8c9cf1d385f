"""What `liarsdice rules` says: every preset in a line, or the rules of one in sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from liarsdice_cli.games.liarsdice.presets import PRESETS, words_of
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.sentences import Features, brief, example, example_lines, features, sentences
from liarsdice_cli.report.tables import table

if TYPE_CHECKING:
    from rich.console import RenderableType

_NAMES = Features(wild="wild", faces="faces", quantities="quantity", order="rise by")
"""What features are called."""


def presets_tables(presets: list[Rules]) -> Iterator[RenderableType]:
    """Every preset in a line."""
    sides, dice = presets[0].sides, presets[0].dice
    yield f"The presets with {sides} side{'s' * (sides != 1)} and dice {','.join(map(str, dice))}; faces from lowest to highest"
    rows = ((rules.name, *features(rules), PRESETS[rules.name].played_by) for rules in presets)
    yield table(("preset", *_NAMES, "played by"), rows)
    yield "liarsdice rules PRESET says what one means, with an example."


def rules_tables(rules: Rules, others: list[Rules]) -> Iterator[RenderableType]:
    """The rules in sentences, an example, who plays by them, and how other presets differ."""
    yield str(rules)
    yield ""
    yield from sentences(rules)
    yield ""
    yield "Example"
    yield from (f"  {line}" for line in example_lines(rules))
    yield ""
    changed = ", ".join(words_of(rules.changes))
    yield f"Played by: {PRESETS[rules.name].played_by}{f', but for: {changed}' if changed else ''}"
    yield "The other presets with the same sides and dice, where they differ:"
    yield table(("preset", *_NAMES), (_row(rules, other) for other in others))


def _row(rules: Rules, other: Rules) -> tuple[str, ...]:
    """The features of another preset that are not the same."""
    return (other.name, *(there if there != here else "" for here, there in zip(features(rules), features(other), strict=True)))


def presets_json(presets: list[Rules]) -> dict[str, Any]:
    """The content of `rules --json`; see docs/json.md."""
    return {"presets": [_json(rules) for rules in presets]}


def _json(rules: Rules) -> dict[str, Any]:
    shown = example(rules)
    return {
        "preset": rules.name,
        "title": str(rules),
        "played_by": PRESETS[rules.name].played_by,
        "sides": rules.sides,
        "dice": list(rules.dice),
        "wild": rules.wild,
        "faces": list(rules.faces),
        "max_quantity": rules.max_quantity,
        "order": rules.order,
        "wild_opening": rules.wild_opening,
        "stairs": rules.stairs,
        "fixed_face": rules.fixed_face,
        "spot_on": rules.spot_on,
        "brief": brief(rules),
        "sentences": list(sentences(rules)),
        "example": {
            "dice": [list(roll) for roll in shown.dice],
            "true": str(shown.true),
            "false": None if shown.false is None else str(shown.false),
        },
    }
