"""The presets of rules, the communities and programs that play them, and the words for changes to a preset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from liarsdice_cli.errors import ArgumentError
from liarsdice_cli.games.liarsdice.dice import MOST, most_matching


class Preset(NamedTuple):
    """The rules that a preset fixes for any number of sides, and the players of it; see `PRESETS`."""

    wild: str
    faces: str
    quantity: str
    order: str
    played_by: str
    wild_opening: bool = True
    stairs: bool = False
    palifico: bool = False

    def wild_face(self, sides: int, asked: int | str | None = None) -> int | None:
        """Return the wild face, or None: the preset's own unless a face or "none" is asked for.

        Raises ArgumentError for a face that the dice do not have.
        """
        if asked is None:
            return {"none": None, "lowest": 1, "highest": sides}[self.wild]
        faces: dict[str, int | None] = {"none": None} | {str(face): face for face in range(1, sides + 1)}
        if str(asked) not in faces:
            raise ArgumentError("wild", asked, f"there is no such face; give 1 to {sides}, or none")
        return faces[str(asked)]

    def faces_to_bid(self, wild: int | None, sides: int) -> tuple[int, ...]:
        """Return the faces that can be bid, in order: the preset may leave out 1 or the wild face, or put the wild face last.

        >>> PRESETS["joker"].faces_to_bid(1, 3), PRESETS["dudo"].faces_to_bid(1, 3)
        ((2, 3), (2, 3, 1))
        """
        faces = range(2 if self.faces == "from 2" else 1, sides + 1)
        if self.faces in ("all", "from 2") or wild is None:
            return tuple(faces)
        others = tuple(face for face in faces if face != wild)
        return others if self.faces == "without wild" else (*others, wild)

    def highest_quantity(self, sides: int, dice: Sequence[int], stairs: bool) -> int:
        """Return the highest quantity that can be bid: the most dice that can match, for some presets at least the sides.

        >>> [PRESETS[name].highest_quantity(6, (1, 1), stairs=False) for name in ("classic", "common")]
        [6, 2]
        """
        most = most_matching(sides, dice, stairs)
        return min(MOST, max(sides, most) if self.quantity == "sides" else most)


PRESETS: dict[str, Preset] = {
    "classic": Preset("none", "all", "sides", "quantity", "A Roll of the Liar's Dice"),
    "common": Preset("none", "all", "dice", "quantity", "pubs, without wild dice"),
    "joker": Preset("lowest", "without wild", "dice", "quantity", "snyd"),
    "top-wild": Preset("highest", "all", "dice", "quantity", "OpenSpiel reset-face, ReBeL"),
    "face-first": Preset("highest", "all", "dice", "face", "OpenSpiel reset-quantity"),
    "ones-low": Preset("lowest", "all", "dice", "quantity", "dudo.ai"),
    "dudo": Preset("lowest", "wild last", "dice", "quantity", "Neller and Lanctot 2013"),
    "perudo": Preset("lowest", "wild last", "dice", "halving", "Perudo, Board Game Arena", wild_opening=False, palifico=True),
    "snyd": Preset("none", "from 2", "dice", "quantity", "snyd, with stairs", stairs=True),
}
"""The rule presets by name.

classic    : the 2015 post "A Roll of the Liar's Dice"; quantities run to max(sides, number of dice)
common     : the usual pub game without wild dice
joker      : 1s match every face and cannot be bid
top-wild   : the highest face is wild
face-first : as top-wild, bids ordered by face and then by quantity
ones-low   : 1s are wild, a bid on 1 is the lowest of its quantity
dudo       : 1s are wild, a bid on 1 is the highest of its quantity
perudo     : as dudo, wild bids between the others by halving and doubling, and none to open with; palifico in matches
snyd       : nothing is wild, a player's dice that show 1, 2, ..., n count as n + 1 of any face; 1 cannot be bid

In all of them a bid on the wild face counts the wild dice alone. `games.liarsdice.sentences` says of any rules what they mean.
"""

OTHER_NAMES = {
    "openspiel": ("top-wild", "face-first"),
    "reset-face": ("top-wild",),
    "reset-quantity": ("face-first",),
    "rebel": ("top-wild",),
    "dudo.ai": ("ones-low",),
}
"""Names of the same games in other programs, with the presets that are these games or the closest ones."""


CHANGES = {
    "wild": "wild",
    "max_quantity": "quantity up to",
    "order": "ordered by",
    "wild_opening": "wild opening",
    "stairs": "stairs",
    "fixed_face": "face fixed",
    "spot_on": "spot-on",
}
"""The rule fields that a game may change from its preset, with their words, in the order of columns and options."""


def words_of(changes: Mapping[str, int | str]) -> list[str]:
    """Return the changes to a preset in words; see `Rules.changes`.

    >>> words_of({"wild": 2, "wild_opening": False, "stairs": True})
    ['wild 2', 'no wild opening', 'stairs']
    """
    return [
        f"{'' if value else 'no '}{CHANGES[name]}" if isinstance(value, bool) else f"{CHANGES[name]} {value}"
        for name, value in changes.items()
    ]
