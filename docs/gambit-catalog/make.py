"""`make gambit-catalog`: write the games below into catalog/, in the format of Gambit's catalogue of games.

Gambit's developer documentation and its catalogue follow these conventions. The path of a file is the game's name (the *slug*),
and tells where the game was published. The file contains the title and the description, the description in reStructuredText.
Sources are cited by keys of Gambit's bibliography.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from textwrap import fill
from typing import NamedTuple

import liarsdice_cli as ld
from liarsdice_cli.formats import files
from liarsdice_cli.formats.efg import write

HERE = Path(__file__).parent
SAMPLES = HERE.parents[1] / "sample_games"


class Entry(NamedTuple):
    """A game of the catalogue.

    slug        : its path in the catalogue
    game        : rules of Liar's Dice, or the name of a sample game
    title       : one line
    description : paragraphs, in lines of any length; {rules}, {names}, {nodes} and {value} are filled in
    value       : to player 1; the tests compute it again; empty for games without a value
    """

    slug: str
    game: ld.Rules | str
    title: str
    description: str
    value: str = ""


RULES = """Each player rolls dice in secret. The players then bid in turn. A bid names a quantity and a face, and claims
that at least that many of all dice show the face. It must be higher than the last bid, in quantity or, with the same
quantity, in face. Instead of bidding, a player may call the last bid. All dice are then shown. If the bid is true, the
bidder wins; otherwise the caller wins."""
NAMES = """The name of an information set has the player to move, its roll, and the bids so far; 2x3 is a bid of two threes."""

ENTRIES = (
    Entry(
        "folk/liarsdice/two_sides",
        ld.rules("classic", 2, payoffs="zero-sum"),
        "Liar's Dice: one die each, two sides",
        """Two players with one die each, whose sides are 1 and 2. {rules}

        It has {nodes} nodes. Both players win half of the time: the value is {value}.

        {names} A game of this kind with continuous rolls is analysed in :cite:p:`Fer70`.""",
        "0",
    ),
    Entry(
        "folk/liarsdice/three_sides",
        ld.rules("common", 3, max_quantity=1, payoffs="zero-sum"),
        "Liar's Dice: one die each, three sides, bids on one die",
        """Two players with one die each, whose sides are 1, 2 and 3. {rules} Here the quantity of a bid is always one: at
        least one die shows the face.

        It has {nodes} nodes. The value to the first player is {value}.

        {names}""",
        "1/3",
    ),
    Entry(
        "folk/liarsdice/joker_three_sides",
        ld.rules("joker", 3, payoffs="zero-sum"),
        "Liar's Dice: one die each, three sides, ones are wild",
        """Two players with one die each, whose sides are 1, 2 and 3; a 1 counts as any face and cannot be bid. {rules}

        It has {nodes} nodes. The value to the first player is {value}.

        {names}""",
        "1/3",
    ),
    Entry(
        "folk/liarsdice/three_players",
        ld.rules("joker", 2, (1, 1, 1), payoffs="zero-sum"),
        "Liar's Dice: three players, two sides, ones are wild",
        """Three players with one die each, whose sides are 1 and 2; a 1 counts as any face and cannot be bid, so that
        every bid is on 2. {rules} The loser of the call loses 1, and the other two players win one half each.

        It has {nodes} nodes. As a game of three players it has no value.

        {names}""",
    ),
    Entry(
        "books/kuhn1950/kuhn_poker",
        "kuhn-poker.efg",
        "Kuhn poker",
        """The simplified two-person poker of :cite:p:`Kuhn50`: three cards, one to each player; an ante of 1, and bets of
        1.

        In every equilibrium the second player bluffs with the lowest card. The value to the first player is {value}.""",
        "-1/18",
    ),
    Entry(
        "conf/soda/miltersen2006/guess_the_ace",
        "guess-the-ace.efg",
        "Guess the Ace (Miltersen and Sorensen 2006)",
        """A game of :cite:p:`MilSor06`, in which a Nash equilibrium need not be sensible. A deck of 52 cards is shuffled.
        Player 1 ends the game, or offers 1000 if player 2 guesses whether the top card is the ace of spades.

        Ending the game is best, and the value is {value}. In a Nash equilibrium player 2 may guess that it is the ace,
        since the guess is never made. That is not sequentially rational: the guess that it is another card is right 51
        times out of 52.""",
        "0",
    ),
)


def tree(entry: Entry) -> ld.GameTree:
    """Return the game with its title and description."""
    found = ld.read(str(SAMPLES / entry.game)) if isinstance(entry.game, str) else ld.build(entry.game)
    text = entry.description.format(rules=RULES, names=NAMES, nodes=found.nodes, value=entry.value)
    paragraphs = (fill(" ".join(paragraph.split()), 90) for paragraph in text.split("\n\n"))
    return replace(found, title=entry.title, comment="\n\n".join(paragraphs) + "\n")


def main() -> None:
    """Write every file."""
    for entry in ENTRIES:
        place = HERE / "catalog" / f"{entry.slug}.efg"
        place.parent.mkdir(parents=True, exist_ok=True)
        with files.output(str(place)) as out:
            write(tree(entry).stream(), out)
        print(place.relative_to(HERE))


if __name__ == "__main__":
    main()
