"""The output of `liarsdice rules`: all presets in a table, or the rules of one in sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from liarsdice_cli.formats.documents.games import Example, Preset, Presets, Titled
from liarsdice_cli.formats.rule_fields import rules_json
from liarsdice_cli.games.liarsdice.presets import PRESETS, words_of
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.games.liarsdice.sentences import Features, brief, example, example_lines, features, sentences
from liarsdice_cli.report.tables import table
from liarsdice_cli.text import comma_list, numbered

if TYPE_CHECKING:
    from rich.console import RenderableType

_NAMES = Features(wild="wild", faces="faces", quantities="quantity", order="rise by")
"""The column heads of the features."""


def presets_tables(presets: list[Rules]) -> Iterator[RenderableType]:
    """Yield a table of all presets."""
    sides, dice = presets[0].sides, presets[0].dice
    yield f"The presets with {numbered(sides, 'sides')} and dice {comma_list(dice)}; faces from lowest to highest"
    rows = ((rules.name, *features(rules), PRESETS[rules.name].played_by) for rules in presets)
    yield table(("preset", *_NAMES, "played by"), rows)
    yield "liarsdice rules PRESET explains a preset, with an example."


def rules_tables(rules: Rules, match: list[str], others: list[Rules]) -> Iterator[RenderableType]:
    """Yield the rules in sentences, an example, the players of the preset, and the differences of other presets.

    match : the rules of a match in sentences
    """
    yield str(rules)
    yield ""
    yield from sentences(rules)
    yield from match
    yield ""
    yield "Example"
    yield from (f"  {line}" for line in example_lines(rules))
    yield ""
    changed = ", ".join(words_of(rules.changes))
    yield f"Played by: {PRESETS[rules.name].played_by}{f'; changed here: {changed}' if changed else ''}"
    yield "The other presets with the same sides and dice (only differences are shown):"
    yield table(("preset", *_NAMES), (_row(rules, other) for other in others))


def _row(rules: Rules, other: Rules) -> tuple[str, ...]:
    """Return a row with the features in which another preset differs."""
    return (other.name, *(there if there != here else "" for here, there in zip(features(rules), features(other), strict=True)))


def titled(rules: Rules) -> Titled:
    """Return the rules for a program, and the sentence for a person."""
    return {"rules": rules_json(rules), "title": str(rules)}


def presets_json(presets: list[Rules], matches: list[list[str]]) -> Presets:
    """Return the document of `rules`; `matches` are the rules of a match with each preset, in sentences."""
    return {"presets": [_json(rules, match) for rules, match in zip(presets, matches, strict=True)]}


def _json(rules: Rules, match: list[str]) -> Preset:
    return {
        **titled(rules),
        "played_by": PRESETS[rules.name].played_by,
        "wild": rules.wild,
        "faces": list(rules.faces),
        "max_quantity": rules.max_quantity,
        "order": rules.order,
        "wild_opening": rules.wild_opening,
        "stairs": rules.stairs,
        "fixed_face": rules.fixed_face,
        "spot_on": rules.spot_on,
        "brief": brief(rules),
        "sentences": [*sentences(rules), *match],
        "example": _example(rules),
    }


def _example(rules: Rules) -> Example:
    shown = example(rules)
    false = None if shown.false is None else str(shown.false)
    return {"dice": [list(roll) for roll in shown.dice], "true": str(shown.true), "false": false}
