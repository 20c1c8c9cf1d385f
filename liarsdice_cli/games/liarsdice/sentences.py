"""The rules of Liar's Dice in plain sentences, made from what `Rules` says: for a person at the table, in help and on pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from liarsdice_cli.games.liarsdice.bids import Bid
from liarsdice_cli.games.liarsdice.rules import Rules, is_stairs


class Features(NamedTuple):
    """In which presets differ, a few words each."""

    wild: str
    faces: str
    quantities: str
    order: str


def features(rules: Rules) -> Features:
    """What is wild, which faces can be bid, from lowest to highest, in which quantities, and by what bids rise first.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> features(rules("dudo"))
    Features(wild='1', faces='2..6, 1', quantities='1..2', order='quantity')
    """
    return Features(str(rules.wild or "none"), _runs(rules.faces), _runs(range(1, rules.max_quantity + 1)), rules.order)


def brief(rules: Rules) -> str:
    """What is wild and how bids rise: what one has to know to follow a game.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> brief(rules("joker", 6, (2, 2)))
    '1s are wild: they count for every bid; nobody can bid on them. Bids rise by quantity, then face: from 1x2 to 4x6.'
    """
    order = "" if rules.faces == tuple(sorted(rules.faces)) else f" ({_runs(rules.faces)})"
    order += f", on {rules.wild} as twice the quantity" if rules.halves else ""
    first, last = rules.bids[0], rules.bids[-1]
    more = "" if rules.wild_opening else f" Nobody opens on {rules.wild}."
    more += " Who says spot-on wins if exactly so many count." * rules.spot_on
    if rules.fixed_face:
        return f"{wild(rules)} Bids keep the face of the opening and rise by quantity, up to {rules.max_quantity}.{more}"
    return f"{wild(rules)} Bids rise by {_leading(rules)}, then {_following(rules)}{order}: from {first} to {last}.{more}"


def wild(rules: Rules) -> str:
    """Which dice are wild, and what a bid on them counts."""
    if rules.wild is None:
        return "No dice are wild."
    if rules.wild not in rules.faces:
        return f"{rules.wild}s are wild: they count for every bid; nobody can bid on them."
    return f"{rules.wild}s are wild: they count for every bid, and a bid on {rules.wild} counts {rules.wild}s alone."


def goal(rules: Rules) -> str:
    """When a player wins, from the player's side."""
    if rules.players > 2:
        spot_on = ", and if you wrongly say spot-on or somebody rightly says it of your bid" * rules.spot_on
        return f"You lose if your bid is called and false, or if you call a true one{spot_on}."
    spot_on = ", or rightly say that one is spot-on" * rules.spot_on
    return f"You win if your bid is called and true, or if you call a false one{spot_on}."


def sentences(rules: Rules) -> Iterator[str]:
    """All that the rules say, a sentence or two a line."""
    yield _dealt(rules)
    yield "Nobody sees the others' dice. Player 1 opens with a bid."
    bid = Bid(min(2, rules.max_quantity), rules.faces[-2:][0])
    count = "counts" if bid.quantity == 1 else "count"
    yield f"The bid {bid} says: of all {_dice(sum(rules.dice))}, at least {bid.quantity} {count} as {bid.face}."
    yield "The next player makes a higher bid, or calls: then all dice are shown."
    yield wild(rules)
    if rules.stairs:
        yield "All dice of a player together showing 1, 2, 3, ... are one more than they are,"
        yield "and count for every bid."
    yield f"Faces that can be bid, from lowest to highest: {_runs(rules.faces)}."
    yield f"Quantities: {_runs(range(1, rules.max_quantity + 1))}{_reach(rules)}."
    if rules.fixed_face:
        yield "Bids rise by quantity, and keep the face of the opening."
    else:
        yield from _rising(rules)
    if not rules.wild_opening:
        yield f"Nobody opens on {rules.wild}."
    if_true, if_false = (rules.loser("who bid", "who called", true) for true in (True, False))
    yield f"If the last bid is true, {if_true} loses; if it is false, {if_false} loses."
    if rules.spot_on:
        yield "Or the next player says spot-on, and all dice are shown: if exactly so many"
        yield "count as were bid, who bid loses, and who said it otherwise."
    yield _paid(rules)


def _rising(rules: Rules) -> Iterator[str]:
    """How bids rise where they may change the face."""
    yield f"Bids rise by {_leading(rules)}, those of the same {_leading(rules)} by {_following(rules)}."
    if rules.halves:
        yield f"A bid on {rules.wild} ranks as one of twice its quantity, after all others of that."
    yield f"The lowest is {rules.bids[0]}, the highest {rules.bids[-1]}."


class Example(NamedTuple):
    """Dice that are shown after a call.

    dice  : of all players, player 1 first
    true  : a bid that is true of them
    false : one that is higher and false; None where no bid is
    """

    dice: tuple[tuple[int, ...], ...]
    true: Bid
    false: Bid | None


def example(rules: Rules) -> Example:
    """Dice with a wild one, where there is such a face, or else with stairs, where they count; the highest bid on the first of
    them that is true, and a false one.

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
    """The example in words: what is shown, and who loses after either bid."""
    shown = example(rules)
    holding = [f"player {player} has {rules.roll_label(roll)}" for player, roll in enumerate(shown.dice, 1)]
    yield f"All dice are shown: {_listed(holding)}."
    yield from (_called(rules, shown.dice, bid) for bid in (shown.true, shown.false) if bid is not None)


def _called(rules: Rules, dice: Sequence[Sequence[int]], bid: Bid) -> str:
    """What comes of a call by player 2 of a bid by player 1."""
    true = rules.holds(bid, dice)
    loser = rules.loser(1, 2, true)
    ends = f"player {3 - loser} wins" if rules.players == 2 else f"player {loser} loses"
    counts = f"{'true' if true else 'false'} ({counting(rules, dice, bid.face)})"
    return f"Player 2 calls {bid} of player 1: {counts}, so {ends}."


def counting(rules: Rules, rolls: Sequence[Sequence[int]], face: int) -> str:
    """How many of all dice count for a bid on a face, and what stairs add.

    >>> from liarsdice_cli.games.liarsdice.rules import rules
    >>> counting(rules("common", 6, (2, 1), stairs=True), [(1, 2), (4,)], 4)
    '4 of 3 dice count, with stairs'
    """
    found = sum(rules.matching(roll, face) for roll in rolls)
    stairs = ", with stairs" * (rules.stairs and any(map(is_stairs, rolls)))
    return f"{found} of {_dice(sum(map(len, rolls)))} count{stairs}"


def _dealt(rules: Rules) -> str:
    sides = f"{rules.sides} side{'s' * (rules.sides != 1)}"
    if len(set(rules.dice)) == 1:
        return f"Each of {rules.players} players rolls {_dice(rules.dice[0])} with {sides}."
    return f"{rules.players} players roll {_listed(list(map(str, rules.dice)))} dice with {sides}."


def _reach(rules: Rules) -> str:
    """How the highest quantity compares with the dice."""
    dice, most = sum(rules.dice), rules.most_matching
    if rules.max_quantity == most:
        return ", the number of all dice" + f" and {most - dice} for stairs" * (most > dice)
    if rules.max_quantity < most:
        return ""
    only = f"there are only {_dice(dice)}" if most == dice else f"only {most} can count"
    return f"; {only}, so a bid on more is never true"


def _leading(rules: Rules) -> str:
    """By what bids rise first."""
    return "face" if rules.order == "face" else "quantity"


def _following(rules: Rules) -> str:
    """By what bids rise that are the same in what comes first."""
    return "quantity" if rules.order == "face" else "face"


def _paid(rules: Rules) -> str:
    """What the loser of a call gets, and what everybody else does."""
    lost, won = rules.payoffs_when_losing(0)[:2]
    return f"The loser gets {lost}, {'the winner' if rules.players == 2 else 'each of the others'} {won}."


def _dice(count: int) -> str:
    return "1 die" if count == 1 else f"{count} dice"


def _listed(parts: list[str]) -> str:
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def _runs(numbers: Sequence[int]) -> str:
    """Numbers with those that follow each other joined: 2..6, 1."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}..{run[-1]}" for run in runs)
