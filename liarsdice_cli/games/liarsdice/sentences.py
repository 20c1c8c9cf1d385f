"""The rules of Liar's Dice in plain sentences, for players, help and pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from liarsdice_cli.errors import Argument
from liarsdice_cli.games.liarsdice.bids import Bid
from liarsdice_cli.games.liarsdice.dice import is_stairs
from liarsdice_cli.games.liarsdice.match_rules import MatchRules
from liarsdice_cli.games.liarsdice.rules import Rules
from liarsdice_cli.text import numbered


class Features(NamedTuple):
    """The differences between presets, a few words each."""

    wild: str
    faces: str
    quantities: str
    order: str


def features(rules: Rules) -> Features:
    """Return the wild face, the faces that can be bid (lowest first), the quantities, and the order of bids.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> features(rules("dudo"))
    Features(wild='1', faces='2..6, 1', quantities='1..2', order='quantity')
    """
    return Features(str(rules.wild or "none"), _runs(rules.faces), _runs(range(1, rules.max_quantity + 1)), rules.order)


def brief(rules: Rules) -> str:
    """Return the wild face, stairs and the order of bids: enough to follow a game.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> brief(rules("joker", 6, (2, 2)))
    '1s are wild: they count for every bid, and cannot be bid. Bids rise by quantity, then face: from 1x2 to 4x6.'
    """
    order = "" if rules.faces == tuple(sorted(rules.faces)) else f" ({_runs(rules.faces)})"
    order += f", on {rules.wild} as twice the quantity" if rules.halves else ""
    first, last = rules.bids[0], rules.bids[-1]
    counted = wild(rules)
    if rules.stairs:
        counted += " Stairs (all dice of a player together show 1, 2, 3, ...) count as one die more, for every bid."
    more = "" if rules.wild_opening else f" The opening bid cannot be on {rules.wild}."
    more += " A player who says spot-on wins if the bid is exact." * rules.spot_on
    if rules.fixed_face:
        return f"{counted} Bids keep the face of the opening and rise by quantity, up to {rules.max_quantity}.{more}"
    return f"{counted} Bids rise by {_leading(rules)}, then {_following(rules)}{order}: from {first} to {last}.{more}"


def wild(rules: Rules) -> str:
    """Return a sentence on the wild dice and on the dice that count for a bid on the wild face."""
    if rules.wild is None:
        return "No dice are wild."
    if rules.wild not in rules.faces:
        return f"{rules.wild}s are wild: they count for every bid, and cannot be bid."
    return f"{rules.wild}s are wild: they count for every bid, and a bid on {rules.wild} counts {rules.wild}s alone."


def goal(rules: Rules) -> str:
    """Return the conditions under which a player wins or loses, in the second person."""
    if rules.players > 2:
        spot_on = ", or if you wrongly say spot-on, or another player rightly says it of your bid" * rules.spot_on
        return f"You lose if your bid is called and false, or if you call a true one{spot_on}."
    spot_on = ", or if you rightly say that one is spot-on" * rules.spot_on
    return f"You win if your bid is called and true, or if you call a false one{spot_on}."


def sentences(rules: Rules) -> Iterator[str]:
    """Yield all the rules, a sentence or two per line."""
    yield _dealt(rules)
    yield "Each player sees only their own dice. Player 1 opens with a bid."
    bid = Bid(min(2, rules.max_quantity), rules.faces[-2:][0])
    count = "counts" if bid.quantity == 1 else "count"
    yield f"The bid {bid} says: of all {numbered(sum(rules.dice), 'dice')}, at least {bid.quantity} {count} as {bid.face}."
    yield "The next player makes a higher bid, or calls: then all dice are shown."
    yield wild(rules)
    if rules.stairs:
        yield "If all dice of a player together show 1, 2, 3, ..., they count as one die more"
        yield "than they are, for every bid."
    yield f"Faces that can be bid, from lowest to highest: {_runs(rules.faces)}."
    yield f"Quantities: {_runs(range(1, rules.max_quantity + 1))}{_reach(rules)}."
    if rules.fixed_face:
        yield "Bids rise by quantity, and keep the face of the opening."
    else:
        yield from _rising(rules)
    if not rules.wild_opening:
        yield f"The opening bid cannot be on {rules.wild}."
    if_true, if_false = (rules.loser("the bidder", "the caller", true) for true in (True, False))
    yield f"If the last bid is true, {if_true} loses; if it is false, {if_false} loses."
    if rules.spot_on:
        yield "Or the next player says spot-on, and all dice are shown: if the bid is exact,"
        yield "the bidder loses; otherwise the player who said spot-on loses."
    yield _paid(rules)


def match_sentences(match_rules: MatchRules) -> Iterator[str]:
    """Yield the rules of a match that go beyond its rounds: palifico rounds, dice won back, and claims out of turn.

    >>> list(match_sentences(MatchRules(by_any=True)))[-1]
    'Any player except the bidder may say spot-on, even out of turn.'
    """
    yield "In a match the loser of a round gives up a die and opens the next round."
    yield from beyond_rounds(match_rules)


def beyond_rounds(match_rules: MatchRules) -> Iterator[str]:
    """Yield the rules that `match_rules` adds to those of the rounds."""
    if match_rules.palifico:
        yield "A player who drops to one die opens a palifico round: no wild face, a fixed face."
    if match_rules.spot_on_gains:
        yield "A player who rightly says spot-on wins back a die, up to the starting number,"
        yield "and opens the next round; no player loses a die then."
    if match_rules.by_any:
        yield "Any player except the bidder may say spot-on, even out of turn."


def _rising(rules: Rules) -> Iterator[str]:
    """Yield the order of bids that may change the face."""
    yield f"Bids rise by {_leading(rules)}, and bids of the same {_leading(rules)} by {_following(rules)}."
    if rules.halves:
        yield f"A bid on {rules.wild} ranks after the other bids of twice its quantity."
    yield f"The lowest is {rules.bids[0]}, the highest {rules.bids[-1]}."


class Example(NamedTuple):
    """Dice that are shown after a call.

    dice  : of all players, player 1 first
    true  : a bid that is true for these dice
    false : a higher bid that is false; None if there is none
    """

    dice: tuple[tuple[int, ...], ...]
    true: Bid
    false: Bid | None


def example(rules: Rules) -> Example:
    """Return example dice, the highest true bid on the first of their faces, and a false bid.

    The dice include a wild one if the rules have a wild face; otherwise they show stairs if stairs count.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> example(rules("joker"))
    Example(dice=((5,), (1,)), true=Bid(quantity=2, face=5), false=Bid(quantity=2, face=6))
    """
    plain = [face for face in rules.faces if face != rules.wild] or list(rules.faces)
    face, other = plain[-2:][0], plain[0]
    pattern = [face, rules.wild or other, other]
    all_dice = [pattern[place % 3] for place in range(sum(rules.dice))]
    if rules.stairs and rules.wild is None and rules.dice[0] <= rules.sides:
        all_dice[: rules.dice[0]] = range(1, rules.dice[0] + 1)
    ends = [sum(rules.dice[: player + 1]) for player in range(rules.players)]
    dice = tuple(tuple(sorted(all_dice[end - count : end])) for end, count in zip(ends, rules.dice, strict=True))
    true = max(bid for bid in rules.bids if bid.face == face and rules.holds(bid, dice))
    false = (rules.bids[bid] for bid in rules.bidding.following(rules.bids.index(true)))
    false = (bid for bid in false if not rules.holds(bid, dice))
    return Example(dice, true, next(false, None))


def example_lines(rules: Rules) -> Iterator[str]:
    """Yield the example in words: the dice, and the loser of a call after either bid."""
    shown = example(rules)
    holding = [f"player {player} has {rules.roll_label(roll)}" for player, roll in enumerate(shown.dice, 1)]
    yield f"All dice are shown: {_listed(holding)}."
    yield from (_called(rules, shown.dice, bid) for bid in (shown.true, shown.false) if bid is not None)


def _called(rules: Rules, dice: Sequence[Sequence[int]], bid: Bid) -> str:
    """Return the result of a call by player 2 after a bid by player 1."""
    true = rules.holds(bid, dice)
    loser = rules.loser(1, 2, true)
    ends = f"player {3 - loser} wins" if rules.players == 2 else f"player {loser} loses"
    counts = f"{'true' if true else 'false'} ({counting(rules, dice, bid.face)})"
    return f"Player 2 calls {bid} of player 1: {counts}, so {ends}."


def counting(rules: Rules, rolls: Sequence[Sequence[int]], face: int) -> str:
    """Return the number of dice that count for a bid on a face, in words, with a note if stairs add to it.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> counting(rules("common", 6, (2, 1), stairs=True), [(1, 2), (4,)], 4)
    '4 of 3 dice count, with stairs'
    """
    found = sum(rules.matching(roll, face) for roll in rolls)
    stairs = ", with stairs" * (rules.stairs and any(map(is_stairs, rolls)))
    return f"{found} of {numbered(sum(map(len, rolls)), 'dice')} count{stairs}"


def _dealt(rules: Rules) -> str:
    sides = numbered(rules.sides, "sides")
    if len(set(rules.dice)) == 1:
        return f"Each of {rules.players} players rolls {numbered(rules.dice[0], 'dice')} with {sides}."
    return f"{rules.players} players roll {_listed(list(map(str, rules.dice)))} dice with {sides}."


def _reach(rules: Rules) -> str:
    """Return how the highest quantity compares with the number of dice."""
    dice, most = sum(rules.dice), rules.most_matching
    if rules.max_quantity == most:
        return ", the number of all dice" + f" and {most - dice} for stairs" * (most > dice)
    if rules.max_quantity < most:
        return ""
    only = f"there are only {numbered(dice, 'dice')}" if most == dice else f"only {most} can count"
    return f"; {only}, so a bid on more is never true"


def _leading(rules: Rules) -> str:
    """Return the first criterion by which bids rise."""
    return "face" if rules.order == "face" else "quantity"


def _following(rules: Rules) -> str:
    """Return the second criterion by which bids rise."""
    return "quantity" if rules.order == "face" else "face"


def _paid(rules: Rules) -> str:
    """Return the payoffs of the loser of a call and of the others."""
    lost, won = rules.payoffs_when_losing(0)[:2]
    return f"The loser gets {lost}, {'the winner' if rules.players == 2 else 'each of the others'} {won}."


def smaller(game: Rules) -> tuple[str | Argument, ...]:
    """Return what to do about a game that is too large, as parts of a message; the preset common if it has fewer bids.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> "".join(map(str, smaller(rules("classic", 6, (1, 1)))))
    "give fewer sides or dice, or rules with fewer bids, such as preset='common'"
    """
    if game.bid_count > game.sides * sum(game.dice):
        return "give fewer sides or dice, or rules with fewer bids, such as ", Argument("preset", "common")
    return "give fewer sides or dice, or a lower ", Argument("max_quantity")


def _listed(parts: list[str]) -> str:
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def _runs(numbers: Sequence[int]) -> str:
    """Return numbers with consecutive ones joined: 2..6, 1."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}..{run[-1]}" for run in runs)
