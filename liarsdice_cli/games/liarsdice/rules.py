"""The rules of Liar's Dice: the only definition of the legal bids and of the winner of a call.

Dice are tuples of faces 1..sides; a roll is the sorted tuple of one player's dice. Players are numbered from 0 here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations_with_replacement
from math import comb, factorial, prod
from typing import Any, TypeVar

from liarsdice_cli.errors import (
    Argument,
    ArgumentError,
    UsageError,
    check_flags,
    check_one_of,
    check_type,
    check_within,
    is_whole,
)
from liarsdice_cli.extensive.renderable import Renderable
from liarsdice_cli.games.bidding import CALL, FINAL_ACTION_NAMES, FINAL_ACTIONS, Bidding
from liarsdice_cli.games.liarsdice.bids import Bid
from liarsdice_cli.games.liarsdice.dice import MOST, checked_dice, is_stairs, most_matching
from liarsdice_cli.games.liarsdice.presets import PRESETS, words_of
from liarsdice_cli.text import numbered

Roll = tuple[int, ...]
_Who = TypeVar("_Who")

ORDERS = ("quantity", "face", "halving")
"""How bids rise.

quantity : by quantity, and those of one quantity by face
face     : by face, and those of one face by quantity
halving  : by quantity, with wild bids in between at the rate of one to two, as in Perudo. After quantity q of another face,
           a bid on the wild face needs half of q, rounded up, or more. After k of the wild face, a bid on another face needs
           2k + 1 or more. So k of the wild face ranks just above all bids of 2k. If it cannot be bid, this is `quantity`
"""
PAYOFFS = ("win", "zero-sum")
_HOUSE = ("wild_opening", "stairs", "fixed_face", "spot_on")
DEALINGS = ("ordered", "multiset", "staged")
"""How the dice are dealt.

ordered  : one chance node, a branch for every ordered roll of all dice, as in the 2015 post
multiset : one chance node, a branch for every combination of the players' rolls
staged   : a chance node for the roll of every player in turn
"""
FEWEST_NODES = "multiset"
"""The dealing whose tree has the fewest nodes."""


@cache
def rolls_of(sides: int, dice: int) -> tuple[Roll, ...]:
    """Return the C(sides + dice - 1, dice) rolls of some dice in lexicographic order, which is the order of rolls everywhere.

    >>> rolls_of(2, 2)
    ((1, 1), (1, 2), (2, 2))
    """
    return tuple(combinations_with_replacement(range(1, sides + 1), dice))


@dataclass(frozen=True)
class Rules(Renderable):
    """One game of Liar's Dice. The function `rules` makes it, and checks and completes its arguments.

    name         : the preset that the rules are based on
    sides        : faces 1..sides
    dice         : number of dice of each player, in the order of their turns; the first player opens
    faces        : the faces that can be bid, from lowest to highest
    wild         : the face that matches every bid, or None
    max_quantity : the highest quantity that can be bid
    order        : how bids rise, one of `ORDERS`
    payoffs      : 'win' (1 for a winner, 0 for the loser) or 'zero-sum' (-1 for the loser, which the others share)
    wild_opening : whether the opening may be a bid on the wild face
    stairs       : whether a player's roll 1, 2, ..., n counts as n + 1 dice, for every face
    fixed_face   : whether all bids keep the face of the opening; bids are then ordered by face
    spot_on      : whether a player may also claim that the last bid is exactly right; see `final_action_names`
    """

    name: str
    sides: int
    dice: tuple[int, ...]
    faces: tuple[int, ...]
    wild: int | None
    max_quantity: int
    order: str
    payoffs: str
    wild_opening: bool
    stairs: bool
    fixed_face: bool
    spot_on: bool

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.dice)

    @cached_property
    def bids(self) -> tuple[Bid, ...]:
        """All bids from lowest to highest; `bidding` says which of them are legal after which."""
        quantities = range(1, self.max_quantity + 1)
        if self.order == "face":
            return tuple(Bid(quantity, face) for face in self.faces for quantity in quantities)
        return tuple(sorted((Bid(quantity, face) for quantity in quantities for face in self.faces), key=self._rank))

    def _rank(self, bid: Bid) -> tuple[int, bool, int]:
        """Return a key that rises with the bids: wild ones may count double, and then follow the others."""
        doubled = self.halves and bid.face == self.wild
        return bid.quantity * (1 + doubled), doubled, self.faces.index(bid.face)

    @property
    def halves(self) -> bool:
        """Whether a wild bid ranks as a bid of twice its quantity."""
        return self.order == "halving" and self.wild in self.faces

    @cached_property
    def bid_count(self) -> int:
        """The number of bids, computed without listing them."""
        return len(self.faces) * self.max_quantity

    @cached_property
    def bidding(self) -> Bidding:
        """The legal bids after each bid; bids are numbered by their position in `bids`.

        >>> rules("ones-low", 2).bidding.openings, rules("ones-low", 2, wild_opening=False).bidding.openings
        (range(0, 4), (1, 3))
        """
        run = self.max_quantity if self.fixed_face else self.bid_count
        can_open: Sequence[int] = range(self.bid_count)
        if not self.wild_opening:
            can_open = tuple(number for number in can_open if self.bids[number].face != self.wild)
        endings = len(FINAL_ACTIONS) if self.spot_on else 1
        return Bidding(self.bid_count, can_open, run, endings, tuple(bid.face for bid in self.bids))

    def without_impossible_bids(self) -> Rules:
        """Return the same game without bids on more dice than can count.

        Such a bid is false with any dice. Its maker loses to a call, and the next player wins by calling, never by claiming
        spot-on. So no player needs the bid, and a call is the best response to it after any history. An equilibrium of the
        smaller game, extended by these calls, is therefore an equilibrium of the whole game with the same values.
        """
        return replace(self, max_quantity=min(self.max_quantity, self.most_matching))

    @property
    def most_matching(self) -> int:
        """The most that can count for a bid: all dice, and one more for every player who can roll stairs.

        >>> rules("common", 6, (2, 1)).most_matching, rules("common", 6, (2, 1), stairs=True).most_matching
        (3, 5)
        """
        return most_matching(self.sides, self.dice, self.stairs)

    @property
    def as_preset(self) -> Rules:
        """The rules of the preset alone, with the same sides, dice and payoffs."""
        return rules(self.name, self.sides, self.dice, payoffs=self.payoffs)

    @property
    def is_palifico(self) -> bool:
        """Whether this is the `palifico` round of the preset."""
        return self.fixed_face and self == self.as_preset.palifico()

    def palifico(self) -> Rules:
        """Return the round that a player with a new last die opens: no face is wild, and bids keep the face of the opening.

        >>> str(rules("perudo", 6, (1, 3)).palifico())
        'perudo rules, 6 sides, dice 1,3, wild none, face fixed, payoffs win'
        """
        return self._with(wild="none", order=None, wild_opening=None, fixed_face=True)

    def with_dice(self, dice: Sequence[int]) -> Rules:
        """Return the same game with other dice; the highest quantity changes with them if it is the preset's own.

        >>> rules("common", 6, (2, 2)).with_dice((2, 1)).max_quantity
        3
        """
        return self._with(dice=dice)

    def _with(self, **changes: Any) -> Rules:
        """Return the rules with changes to the arguments of `rules`."""
        same: dict[str, Any] = {name: getattr(self, name) for name in ("dice", "order", "payoffs", *_HOUSE)}
        own = self.max_quantity == PRESETS[self.name].highest_quantity(self.sides, self.dice, self.stairs)
        same |= {"wild": self.wild or "none", "max_quantity": None if own else self.max_quantity}
        return rules(self.name, self.sides, **{**same, **changes})

    def counts(self, die: int, face: int) -> bool:
        """Return whether a die counts for a bid on the face: it shows the face, or it is wild."""
        return die in (face, self.wild)

    def matching(self, roll: Sequence[int], face: int) -> int:
        """Return the number of one player's dice that count for a bid on the face; stairs count as one more than all dice.

        >>> game = rules("common", 6, (3, 3), stairs=True)
        >>> game.matching((3, 5, 5), 5), game.matching((3, 1, 2), 5)
        (2, 4)
        """
        if self.stairs and is_stairs(roll):
            return len(roll) + 1
        return sum(self.counts(die, face) for die in roll)

    def holds(self, bid: Bid, rolls: Iterable[Sequence[int]], ending: int = CALL) -> bool:
        """Return whether a bid `stands` against a final action, given the rolls of all players; against a call: whether it is
        true.
        """
        return bool(self.stands(sum(self.matching(roll, bid.face) for roll in rolls) - bid.quantity, ending))

    @property
    def final_action_names(self) -> tuple[str, ...]:
        """The names of the actions that end a round after a bid: a call, and spot-on if the rules have it.

        If exactly the quantity of the bid counts, a spot-on claim wins and the bidder loses. Otherwise the claimer loses.
        """
        return FINAL_ACTION_NAMES[: self.bidding.final_action_count]

    @staticmethod
    def stands(surplus: Any, ending: int = CALL) -> Any:
        """Return whether a bid stands against a call or SPOT_ON, given the surplus: the dice that count minus the quantity.

        A bid stands against a call if it is true, and against a spot-on claim unless the surplus is 0. The surplus may be an
        array.

        >>> from liarsdice_cli.games.bidding import SPOT_ON
        >>> [Rules.stands(surplus) for surplus in (-1, 0, 1)], [Rules.stands(surplus, SPOT_ON) for surplus in (-1, 0, 1)]
        ([False, True, True], [True, False, True])
        """
        return surplus >= 0 if ending == CALL else surplus != 0

    def loser(self, bidder: _Who, caller: _Who, stands: bool) -> _Who:
        """Return the loser when `caller` ends the round: the caller if the bid `stands`, otherwise the bidder.

        Players may be single numbers or arrays.
        """
        return caller if stands else bidder

    def payoffs_when_losing(self, loser: int) -> tuple[Fraction, ...]:
        """Return the payoff of every player when `loser` loses.

        >>> [str(payoff) for payoff in rules("common", 6, (1, 1, 1), payoffs="zero-sum").payoffs_when_losing(0)]
        ['-1', '1/2', '1/2']
        """
        if self.payoffs == "win":
            return tuple(Fraction(player != loser) for player in range(self.players))
        share = Fraction(1, self.players - 1)
        return tuple(Fraction(-1) if player == loser else share for player in range(self.players))

    def rolls(self, player: int) -> list[tuple[Roll, Fraction]]:
        """Return the rolls of a player, from 0, with their probabilities, in lexicographic order.

        A roll with face f on k_f dice has the multinomial probability n! / (k_1! ... k_S!) / S^n.

        >>> [(roll, str(probability)) for roll, probability in rules("common", 2, (2, 1)).rolls(0)]
        [((1, 1), '1/4'), ((1, 2), '1/2'), ((2, 2), '1/4')]
        """
        count = self._dice_of(player)
        whole = self.sides**count
        return [
            (roll, Fraction(factorial(count) // prod(factorial(roll.count(face)) for face in set(roll)), whole))
            for roll in rolls_of(self.sides, count)
        ]

    def roll_count(self, player: int) -> int:
        """Return the number of rolls of a player, in closed form: C(sides + dice - 1, dice)."""
        count = self._dice_of(player)
        return comb(self.sides + count - 1, count)

    def _dice_of(self, player: int) -> int:
        if not (is_whole(player) and 0 <= player < self.players):
            raise ArgumentError("player", player, f"give a number from 0 to {self.players - 1}")
        return self.dice[player]

    def roll_label(self, roll: Sequence[int]) -> str:
        """Return the faces next to each other, with dashes if a face can have two digits."""
        return ("" if self.sides < 10 else "-").join(map(str, roll))

    def action_name(self, action: int) -> str:
        """Return "call", "spot-on", or the bid with this number, such as "1x2".

        >>> [rules("classic", 2).action_name(action) for action in (-1, -2, 0, 3)]
        ['call', 'spot-on', '1x1', '2x2']
        """
        return FINAL_ACTION_NAMES[CALL - action] if action <= CALL else str(self.bids[action])

    def __repr__(self) -> str:
        """Return the call of `rules` that makes these rules."""
        preset, sides, dice, *changes = (f"{name}={value!r}" for name, value in self.arguments.items())
        return f"rules({', '.join([preset, sides, dice, *changes, f'payoffs={self.payoffs!r}'])})"

    def __str__(self) -> str:
        """Return one line that names everything a value depends on."""
        parts = [f"{self.name} rules", numbered(self.sides, "sides"), f"dice {','.join(map(str, self.dice))}"]
        return ", ".join([*parts, *words_of(self.changes), f"payoffs {self.payoffs}"])

    @property
    def arguments(self) -> dict[str, object]:
        """The arguments of `rules` that make these rules, except payoffs.

        >>> rules("joker", 3, order="face").arguments
        {'preset': 'joker', 'sides': 3, 'dice': (1, 1), 'order': 'face'}
        """
        return {"preset": self.name, "sides": self.sides, "dice": self.dice, **self.changes}

    @property
    def changes(self) -> dict[str, int | str]:
        """The arguments of `rules` in which the game differs from its preset.

        >>> rules("joker", 3, order="face", max_quantity=2).changes
        {'order': 'face'}
        """
        preset = PRESETS[self.name]
        changed: dict[str, int | str] = {}
        if self.wild != preset.wild_face(self.sides):
            changed["wild"] = self.wild or "none"
        if self.max_quantity != preset.highest_quantity(self.sides, self.dice, self.stairs):
            changed["max_quantity"] = self.max_quantity
        if self.order != preset.order and not self.fixed_face:
            changed["order"] = self.order
        if self.wild_opening != (preset.wild_opening or self.wild not in self.faces):
            changed["wild_opening"] = self.wild_opening
        if self.stairs != preset.stairs:
            changed["stairs"] = self.stairs
        if self.fixed_face:
            changed["fixed_face"] = True
        if self.spot_on:
            changed["spot_on"] = True
        return changed


def rules(
    preset: str = "classic",
    sides: int = 6,
    dice: Sequence[int] = (1, 1),
    *,
    wild: int | str | None = None,
    max_quantity: int | None = None,
    order: str | None = None,
    payoffs: str = "win",
    wild_opening: bool | None = None,
    stairs: bool | None = None,
    fixed_face: bool = False,
    spot_on: bool = False,
) -> Rules:
    """Return the rules that a preset and the given changes describe.

    Every rule is a keyword argument, so that a call names the rules that it changes.

    wild         : a face, or 'none'; by default the preset's. The faces that can be bid follow the preset's pattern
    wild_opening : False forbids an opening on the wild face; no effect if that face cannot be bid at all
    stairs       : whether a roll 1, 2, ..., n counts as one die more; see `Rules.matching`
    fixed_face   : whether bids keep the face of the opening, so that they rise by quantity, for any `order`
    spot_on      : whether a player may claim that a bid is spot-on; see `Rules.final_action_names`

    Raises UsageError, naming the argument and its legal values, for rules that describe no game.

    >>> str(rules("joker", 6, (2, 1)))
    'joker rules, 6 sides, dice 2,1, payoffs win'
    >>> [str(bid) for bid in rules("dudo", 3).bids]
    ['1x2', '1x3', '1x1', '2x2', '2x3', '2x1']
    >>> [str(bid) for bid in rules("dudo", 3, order="halving").bids]
    ['1x2', '1x3', '2x2', '2x3', '1x1', '2x1']
    """
    check_one_of("preset", preset, PRESETS)
    fixed = PRESETS[preset]
    check_within("sides", sides, MOST)
    sides = int(sides)  # as in `checked_dice`
    dice = checked_dice(dice)
    check_flags(optional=True, wild_opening=wild_opening, stairs=stairs, fixed_face=fixed_face, spot_on=spot_on)
    face = fixed.wild_face(sides, wild)
    faces = fixed.faces_to_bid(face, sides)
    if not faces:
        least = Argument("sides", 2)
        raise UsageError(
            f"no face can be bid under {preset} rules with ", Argument("sides", sides), ": give ", least, " or more"
        )
    stairs = fixed.stairs if stairs is None else stairs
    if max_quantity is None:
        max_quantity = fixed.highest_quantity(sides, dice, stairs)
    check_within("max_quantity", max_quantity, MOST)
    max_quantity = int(max_quantity)
    order = fixed.order if order is None else order
    check_one_of("order", order, ORDERS)
    check_one_of("payoffs", payoffs, PAYOFFS)
    opens = face not in faces or (fixed.wild_opening if wild_opening is None else wild_opening)
    if not opens and len(faces) == 1:
        more = Argument("sides", sides + 1)
        raise UsageError(f"no opening bid is possible: {face} is wild and the only face; give ", more, " or more")
    order = "face" if fixed_face else order
    return Rules(preset, sides, dice, faces, face, max_quantity, order, payoffs, opens, stairs, bool(fixed_face), bool(spot_on))


def check_rules(rules: object) -> None:
    """Raise UsageError if an argument of the library that must be rules is anything else."""
    check_type("rules", rules, Rules, "give rules, such as rules('classic', 3)")
