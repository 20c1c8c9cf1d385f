"""`liarsdice play`: a person against bots, with hints before a move and what mistakes cost after the last."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.options import RuleOptions, WholeRange, bots_option, quiet_option, seconds_option, table_options
from liarsdice_cli.cli.progress import waiting

if TYPE_CHECKING:
    import numpy as np

    from liarsdice_cli.arena.games import AnyBot
    from liarsdice_cli.arena.one_by_one import RoundEnd
    from liarsdice_cli.bots.advice import Adviser
    from liarsdice_cli.bots.protocol import View
    from liarsdice_cli.cli.person import Decision, Person
    from liarsdice_cli.games.liarsdice.rules import Rules

_EXAMPLE = """
liarsdice play
liarsdice play equilibrium --rules common --hints
liarsdice play honest random --dice 5,5,5 --rules dudo --match
"""
_ROUNDS = 5
_LIKELIEST = 6
"""Bids that a hint shows the odds of."""


@click.command(cls=CommandWithExample, example=_EXAMPLE)
@click.argument("names", nargs=-1, metavar="[BOT ...]")
@table_options
@click.option("--rounds", type=WholeRange(1), metavar="N", help=f"Rounds to play.  [default: {_ROUNDS}]")
@click.option("--match", is_flag=True, help="Play until one has dice: the loser of a round loses a die and opens the next.")
@click.option("--hints", is_flag=True, help="Show odds, and what an equilibrium would do, before every move.")
@click.option("--seed", type=WholeRange(0), metavar="N", help="From which the dice and the bots follow.")
@seconds_option
@bots_option
@quiet_option
def command(
    names: tuple[str, ...],
    asked: RuleOptions,
    rounds: int | None,
    match: bool,
    hints: bool,
    seed: int | None,
    move_seconds: float,
    quiet: bool,
) -> int:
    """Play against the BOTs (see --bots), 2 to 6 players in all; you are the first of --dice, and open the first round.

    One BOT sits in all other seats; without any, it is honest. Ctrl-D or quit ends the game with its summary.
    """
    import numpy as np

    from liarsdice_cli.arena.tournament import check
    from liarsdice_cli.bots.specs import bot
    from liarsdice_cli.errors import UsageError

    if match and rounds is not None:
        raise UsageError("--match goes on until one has dice, so it takes no --rounds")
    if asked.dice is None:
        asked = replace(asked, dice=(1,) * (max(1, len(names)) + 1))
    rules = asked.rules()
    bots = [bot(name, move_seconds) for name in _seated(names, rules.players - 1)]
    with waiting("the bots get ready", quiet):
        for one in bots:
            check(one, rules, match)
    game = _Game(rules, bots, np.random.SeedSequence(seed), None if match else rounds or _ROUNDS, hints, quiet)
    return game.play()


def _seated(names: Sequence[str], seats: int) -> list[str]:
    """The names of the bots in all seats but the person's."""
    from liarsdice_cli.errors import UsageError

    if len(names) < 2:
        return [*names, "honest"][:1] * seats
    if len(names) != seats:
        raise UsageError(
            f"--dice has {seats} seat(s) beside yours, but {len(names)} bots are named: give a number of dice to each"
        )
    return list(names)


@dataclass(eq=False)
class _Game:
    """A game at the terminal.

    rules  : with the dice of every seat at the start; the person has the first
    rounds : how many, or None for a match
    """

    rules: Rules
    bots: list[AnyBot]
    seed: np.random.SeedSequence
    rounds: int | None
    hints: bool
    quiet: bool
    won: int = 0
    lost: int = 0
    told_none: bool = False
    dice: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        from liarsdice_cli.arena.tournament import named
        from liarsdice_cli.bots.advice import Adviser
        from liarsdice_cli.cli.person import YOU, Person

        self.dice = list(self.rules.dice)
        self.names = [YOU, *named([bot.name for bot in self.bots])]
        self.adviser: Adviser = Adviser()
        self.person: Person = Person(self._hints if self.hints else None)

    def play(self) -> int:
        """Play, and say what came of it; the exit code."""
        import numpy as np

        from liarsdice_cli.bots.user import UserBot
        from liarsdice_cli.cli.person import LeavesError, say

        dealing, acting, *making = self.seed.spawn(2 + len(self.bots))
        own = [(bot, seed) for bot, seed in zip(self.bots, making, strict=True) if isinstance(bot, UserBot)]
        code = 0
        try:
            for bot, seed in own:
                bot.begin(seed.generate_state(4).tolist())
            say(f"{str(self.rules).removesuffix(', payoffs win')}. You play against {', '.join(self.names[1:])}.")
            self._rounds(np.random.default_rng(dealing), np.random.default_rng(acting))
        except LeavesError:
            pass
        except KeyboardInterrupt:
            click.echo()
            code = 130
        finally:
            for bot, _ in own:
                bot.close()
        for line in self._summary():
            say(line)
        return code

    def _rounds(self, dealer: np.random.Generator, generator: np.random.Generator) -> None:
        """One round after the other; in a match with fewer and fewer dice."""
        opener = 0
        while True:
            self.person.round += 1
            loser, failed = self._round(opener, dealer, generator)
            self.won, self.lost = self.won + (loser != 0), self.lost + (loser == 0)
            if self.rounds is not None:
                if self.person.round == self.rounds:
                    return
                opener = (opener + 1) % len(self.dice)
                continue
            self.dice[loser] = 0 if failed else self.dice[loser] - 1
            opener = next(seat for seat in self._seats(loser) if self.dice[seat])
            if self.dice[0] == 0 or sum(map(bool, self.dice)) == 1:
                return

    def _seats(self, first: int) -> list[int]:
        return [(first + place) % len(self.dice) for place in range(len(self.dice))]

    def _round(self, opener: int, dealer: np.random.Generator, generator: np.random.Generator) -> tuple[int, bool]:
        """The seat that loses a round, and whether by a failure of its bot."""
        from liarsdice_cli.arena import one_by_one
        from liarsdice_cli.cli.person import say

        seats = [seat for seat in self._seats(opener) if self.dice[seat]]
        rules = self.rules.with_dice([self.dice[seat] for seat in seats])
        rolls = [tuple(sorted(dealer.integers(1, rules.sides + 1, self.dice[seat]).tolist())) for seat in seats]
        of = f" of {self.rounds}" if self.rounds is not None else ""
        click.echo()
        holding = ", ".join(f"{self.names[seat]} {self.dice[seat]}" for seat in seats)
        say(f"Round {self.person.round}{of}. Dice: {holding}.")
        players = [self.person if seat == 0 else self.bots[seat - 1] for seat in seats]

        def told(view: View, action: int) -> None:
            if seats[view.player]:
                bid = f"bids {view.rules.bids[action]}" if action >= 0 else f"calls {view.last}"
                say(f"{self.names[seats[view.player]]} {bid}.")

        end = one_by_one.play(rules, players, rolls, generator, told)
        for line in self._end(rules, seats, rolls, end):
            say(line)
        return seats[end.loser], end.failure is not None

    def _end(self, rules: Rules, seats: list[int], rolls: list[tuple[int, ...]], end: RoundEnd) -> Iterator[str]:
        """How a round ended."""
        from liarsdice_cli.cli.person import dice_text

        loser = "You lose" if seats[end.loser] == 0 else f"{self.names[seats[end.loser]]} loses"
        if end.failure is not None:
            what = "match" if self.rounds is None else "round"
            yield f"{self.names[seats[end.loser]]} {end.failure}, and forfeits the {what}."
            return
        for seat, roll in zip(seats, rolls, strict=True):
            yield f"  {self.names[seat]}: {dice_text(roll, rules.sides)}"
        bid = rules.bids[end.history[-1]]
        counted = rules.matching([die for roll in rolls for die in roll], bid.face)
        true = "true" if counted >= bid.quantity else "false"
        yield f"{bid} is {true}: {counted} of {sum(rules.dice)} dice count. {loser} the round."

    def _hints(self, view: View) -> Iterator[str]:
        """What the odds and an equilibrium say before a move."""
        from liarsdice_cli.bots.advice import EQUILIBRIUM
        from liarsdice_cli.formats.numbers import shown

        if view.last is not None:
            yield f"{view.last} is true with probability {_percent(view.probability(view.last))} by your own dice"
        known = ((view.probability(bid), place, bid) for place, bid in enumerate(view.legal))
        likely = sorted(known, reverse=True)[:_LIKELIEST]
        if likely:
            yield f"your likeliest bids: {', '.join(f'{bid} {_percent(chance)}' for chance, _, bid in likely)}"
        if not self.adviser.knows(view.rules):
            if not self.told_none:
                yield "no equilibrium to go by: that takes a game of two players that is small enough to solve"
            self.told_none = True
            return
        advice = self._advice(view)
        if advice.basis != EQUILIBRIUM or advice.probabilities is None:
            yield "the equilibrium never comes here, so only the odds speak"
            return
        taken = [
            f"{_action_text(view, action)} {shown(share)}"
            for action, share in zip(advice.actions, advice.probabilities, strict=True)
            if share
        ]
        yield f"equilibrium: {', '.join(taken)} (you win with probability {shown(max(advice.values))})"

    def _advice(self, view: View) -> Any:
        with waiting("solving the game", self.quiet):
            return self.adviser.advice(view)

    def _summary(self) -> Iterator[str]:
        """What came of the game, and what its mistakes cost."""
        from liarsdice_cli.bots.advice import EQUILIBRIUM, SHOWDOWN

        yield ""
        played = self.won + self.lost
        yield f"{played} round{'s' * (played != 1)} played: {self.won} won, {self.lost} lost."
        if self.rounds is None:
            yield f"Dice left: {', '.join(f'{name} {count}' for name, count in zip(self.names, self.dice, strict=True))}."
        bases = {
            EQUILIBRIUM: "In probability of winning the round against the exact equilibrium",
            SHOWDOWN: "By the odds alone, as if every bid were called at once and no bid told anything",
        }
        mistakes = [(self._advice(decision.view), decision) for decision in self.person.decisions]
        for basis, meaning in bases.items():
            judged = [(advice, decision) for advice, decision in mistakes if advice.basis == basis]
            if judged:
                yield from _mistakes(meaning, judged)


def _mistakes(meaning: str, judged: list[tuple[Any, Decision]]) -> Iterator[str]:
    """The decisions of one basis that were not the best."""
    from liarsdice_cli.formats.numbers import shown

    bad = [(advice.cost(decision.action), advice, decision) for advice, decision in judged]
    bad = [one for one in bad if one[0] > 1e-9]
    yield f"{meaning}: {len(bad)} mistake{'s' * (len(bad) != 1)} in {len(judged)} decision{'s' * (len(judged) != 1)}."
    for cost, advice, decision in bad:
        view = decision.view
        after = f"after {view.last}" if view.last else "in the opening"
        did = _action_text(view, decision.action)
        yield (
            f"  round {decision.round}, with {view.rules.roll_label(view.roll)} {after}: "
            f"{did} is worth {shown(cost)} less than {_action_text(view, advice.best)}"
        )
    if len(bad) > 1:
        yield f"  together {shown(sum(cost for cost, _, _ in bad))}"


def _action_text(view: View, action: int) -> str:
    return "call" if action < 0 else str(view.rules.bids[action])


def _percent(number: Any) -> str:
    return f"{100 * float(number):.1f}%"
