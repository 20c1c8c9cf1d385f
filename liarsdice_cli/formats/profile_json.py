"""Profiles as JSON files; `formats.documents` describes the fields."""

from __future__ import annotations

import json
from fractions import Fraction
from operator import index
from typing import Any, Literal

import numpy as np

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.extensive.number import Number
from liarsdice_cli.extensive.profile import BEST, EQUAL, LOCKED, Profile, from_sets, is_distribution
from liarsdice_cli.extensive.stream import CHANCE, Numbers
from liarsdice_cli.extensive.tree import GameTree
from liarsdice_cli.extensive.trembles import RefinedProfile
from liarsdice_cli.formats import files, json_text
from liarsdice_cli.formats.documents import schema
from liarsdice_cli.formats.documents.solutions import Infoset
from liarsdice_cli.formats.numbers import decoded, kept, shown
from liarsdice_cli.text import quoted

SCHEMA = schema("profile")
_MOST_COEFFICIENTS = 200
"""The most coefficients of a weight."""
_COMPLETED: dict[int, Literal["equal", "best response"]] = {EQUAL: "equal", BEST: "best response"}


def sets(profile: Profile) -> list[Infoset]:
    """Return the information sets of all players with their probabilities."""
    return [_set(profile, row) for row, player in enumerate(profile.tree.infosets.player.tolist()) if player != CHANCE]


def _set(profile: Profile, row: int) -> Infoset:
    tree, source = profile.tree, int(profile.source[row])
    found: Infoset = {
        "player": int(tree.infosets.player[row]) + 1,
        "number": int(tree.infosets.number[row]),
        "label": tree.infosets.labels[row],
        "actions": list(tree.actions_at(row).labels),
        "probabilities": [kept(number) for number in profile.at(row)],
    }
    if source == LOCKED:
        found["locked"] = True
    if source in _COMPLETED:
        found["completed"] = _COMPLETED[source]
    if isinstance(profile, RefinedProfile):
        found["weights"] = _written_weights(tree, profile.weights, row)
    return found


def dumps(profile: Profile, method: str) -> bytes:
    """Return the bytes of a file."""
    tree = profile.tree
    game = {"title": tree.title, "nodes": tree.nodes, "fingerprint": tree.fingerprint}
    content = {"schema": SCHEMA, "game": game, "method": method, "sets": sets(profile)}
    return (json.dumps(content, indent=1) + "\n").encode()


def read(name: str, tree: GameTree) -> Profile:
    """Return the profile of this game in a file.

    Raises LiarsDiceError for a file that is not a profile, and for the profile of another game.
    """
    where = files.shown(name)
    try:
        content = json_text.loads(files.read(name), parse_constant=_no_constant)
        given = content["sets"]
        schema, game = content["schema"], content.get("game", {})
        fingerprint, title = game.get("fingerprint"), str(game.get("title", ""))[:80]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise LiarsDiceError(f"{where} is not a profile: write one with `liarsdice solve GAME -o profile.json`") from error
    if schema != SCHEMA:
        raise LiarsDiceError(f"{where} has the schema {str(schema)[:40]!r}, not {SCHEMA!r}: solve the game again")
    if fingerprint not in (None, tree.fingerprint):
        kept, named = quoted(title), quoted(tree.title)
        other = f", {kept}, not to {named}" if kept != named else f" with the same title, {kept}"
        raise LiarsDiceError(f"{where} belongs to another game{other}: solve this game again")
    profile = from_sets(tree, _probabilities(given, tree, where, named=fingerprint is None))
    rows = _rows(tree)
    locked = [rows[entry["player"] - 1, entry["number"]] for entry in given if entry.get("locked") is True]
    profile.source[locked] = LOCKED
    weights = _weights(given, tree, where)
    return profile if weights is None else RefinedProfile(tree, profile.probabilities, profile.source, weights)


def _rows(tree: GameTree) -> dict[tuple[int, int], int]:
    """Return the row of every information set by its player and number."""
    return {key: row for row, key in enumerate(zip(tree.infosets.player.tolist(), tree.infosets.number.tolist(), strict=True))}


def _probabilities(given: Any, tree: GameTree, where: str, named: bool) -> dict[int, list[Any]]:
    """Return the probabilities by row of the information set, checked against the game.

    named : whether the actions that an entry lists must be those of the game; a fingerprint does not depend on their names
    """
    rows = _rows(tree)
    found: dict[int, list[Any]] = {}
    entries: list[Any] = given if isinstance(given, list) else [None]
    for entry in entries:
        try:
            key = (_whole(entry["player"]) - 1, _whole(entry["number"]))
            numbers = [_number(value, where) for value in entry["probabilities"]]
        except (KeyError, TypeError) as error:
            raise LiarsDiceError(f"{where}: every entry of `sets` needs player, number and probabilities") from error
        if key not in rows or key[0] == CHANCE:
            raise LiarsDiceError(f"{where}: player {key[0] + 1} has no information set {key[1]} in this game")
        row = rows[key]
        if row in found:
            raise LiarsDiceError(f"{where}: {tree.label_of(row)} is listed twice: give each information set once")
        if len(numbers) != tree.action_counts[row]:
            raise LiarsDiceError(
                f"{where}: {tree.label_of(row)} has {tree.action_counts[row]} action(s), but {len(numbers)} probabilities"
            )
        actions = list(tree.actions_at(row).labels)
        if named and entry.get("actions", actions) != actions:
            raise LiarsDiceError(
                f"{where}: {tree.label_of(row)} has the actions {quoted(', '.join(actions))}: list them in this order"
            )
        if not is_distribution(numbers):
            raise LiarsDiceError(
                f"{where}: the probabilities at {tree.label_of(row)} are {', '.join(map(shown, numbers))[:80]}: "
                "give numbers of 0 or more that add up to 1"
            )
        found[row] = numbers
    return found


def _whole(value: Any) -> int:
    """Return a whole number; TypeError for anything else, including true and false."""
    if isinstance(value, bool):
        raise TypeError
    return index(value)


def _number(value: Any, where: str) -> Number:
    try:
        return decoded(value)
    except LiarsDiceError as error:
        raise LiarsDiceError(f"{where}: ", *error.parts) from error


def _written_weights(tree: GameTree, weights: Numbers, row: int) -> list[str]:
    actions = weights[tree.first_action[row] : tree.first_action[row + 1]].tolist()
    return [" ".join(str(kept(weight)) for weight in np.trim_zeros(action, "b")) for action in actions]


def _weights(given: list[dict[str, Any]], tree: GameTree, where: str) -> Numbers | None:
    """Return the weights of trembles, 0 for sets without them; None if no set has any. The entries have been checked before."""
    if not any("weights" in entry for entry in given):
        return None
    rows = _rows(tree)
    found: dict[int, list[Fraction]] = {}
    for entry in given:
        row = rows[index(entry["player"]) - 1, index(entry["number"])]
        texts = entry.get("weights", [""] * int(tree.action_counts[row]))
        if not isinstance(texts, list) or len(texts) != tree.action_counts[row]:
            raise LiarsDiceError(f"{where}: {tree.label_of(row)} needs {tree.action_counts[row]} weights")
        for action, text in enumerate(texts, int(tree.first_action[row])):
            found[action] = _polynomial(text, where)
    weights = np.full((tree.actions + 1, max(map(len, found.values())) or 1), Fraction(0), object)
    weights[-1, 0] = Fraction(1)
    for action, coefficients in found.items():
        weights[action, : len(coefficients)] = coefficients
    return weights


def _polynomial(text: Any, where: str) -> list[Fraction]:
    """Return the coefficients that a text lists."""
    numbers = [_number(number, where) for number in text.split()] if isinstance(text, str) else [0.0]
    fractions = [number for number in numbers if isinstance(number, Fraction)]
    if len(fractions) < len(numbers) or len(numbers) > _MOST_COEFFICIENTS:
        raise LiarsDiceError(
            f"{where}: {quoted(str(text))} is not a weight: give up to {_MOST_COEFFICIENTS} fractions separated by blanks"
        )
    return fractions


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a number")
