"""`liarsdice play`: a person against bots, with hints before a move and what mistakes cost after the last."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.option_table import option
from liarsdice_cli.cli.options import (
    RuleOptions,
    bot_time_option,
    gains_option,
    only_in_matches,
    palifico_option,
    quiet_option,
    table_options,
)
from liarsdice_cli.cli.printing import print_json
from liarsdice_cli.cli.progress import display
from liarsdice_cli.system.terminals import hidden_keys

if TYPE_CHECKING:
    from liarsdice_cli.arena.one_by_one import RoundEnd
    from liarsdice_cli.arena.session import Round, Session
    from liarsdice_cli.bots.advice import Advice, Adviser
    from liarsdice_cli.bots.protocol import View
    from liarsdice_cli.cli.person import Person
    from liarsdice_cli.report.play import Decision

_EXAMPLE = """
liarsdice play
liarsdice play equilibrium --rules common --hints
liarsdice play honest random --dice 5,5,5 --rules dudo --match
liarsdice play --json > game.json
"""
_ROUNDS = 5


@click.command(cls=CommandWithExample, example=_EXAMPLE)
@click.argument("names", nargs=-1, metavar="[BOT ...]")
@table_options(dice="1 for each player")
@option("rounds", f"  [default: {_ROUNDS}]")
@option("match")
@option("hints")
@palifico_option
@gains_option
@option("spot-on-by", default="next")
@option("seed")
@bot_time_option
@option("json", " The conversation goes to standard error.")
@quiet_option
def command(
    names: tuple[str, ...],
    asked: RuleOptions,
    rounds: int | None,
    match: bool,
    palifico: bool | None,
    spot_on_gains: bool,
    spot_on_by: str,
    hints: bool,
    seed: int | None,
    time_limit: float,
    as_json: bool,
    quiet: bool,
) -> int:
    """Play against the BOTs, 2 to 10 players in all. You have the first number of --dice and open the first round.

    One BOT takes all other seats; the default is honest, and `liarsdice bots` lists them. Everyone has one die unless --dice
    is given. Type undo to take back a bid; Ctrl-D or quit ends the game with its summary.
    """
    from liarsdice_cli.arena.tournament import named
    from liarsdice_cli.bots.advice import Adviser
    from liarsdice_cli.cli.person import Person, say, talking
    from liarsdice_cli.errors import UsageError
    from liarsdice_cli.games.liarsdice.dice import MOST_PLAYERS
    from liarsdice_cli.library.playing import play
    from liarsdice_cli.report.play import YOU
    from liarsdice_cli.report.played import play_json

    if match and rounds is not None:
        raise UsageError("a match ends when you or all others have no dice left: leave --rounds out")
    only_in_matches(palifico, match, spot_on_gains)
    if len(names) >= MOST_PLAYERS:
        raise UsageError(f"{len(names)} bots and you are more than {MOST_PLAYERS} players: name fewer bots")
    if asked.dice is None:
        asked = replace(asked, dice=(1,) * (max(1, len(names)) + 1))
    advise = _Advise(Adviser(), quiet)
    person = Person(advise.hints if hints else None)
    played: list[tuple[Round, RoundEnd]] = []
    table = play(
        asked.rules(),
        person,
        names,
        rounds=rounds or _ROUNDS,
        match=match,
        palifico=palifico,
        spot_on_gains=spot_on_gains,
        spot_on_by=spot_on_by,
        seed=seed,
        time_limit=time_limit,
    )
    with ExitStack() as seated:
        with display(quiet, "preparing the bots"), hidden_keys():
            session = seated.enter_context(table)
            advise.adviser = Adviser.of(session.bots[1:])
        called = [YOU, *named([one.name for one in session.bots[1:]])]
        with talking(as_json, quiet):
            code = _play_rounds(session, person, called, played)
    judged = [(advise.advice(decision.view), decision) for decision in person.decisions]
    if as_json:
        print_json("play", play_json(session, called, seed, played, judged))
        return code
    for line in _summary(session, called, judged):
        say(line)
    return code


def _play_rounds(session: Session, person: Person, names: list[str], played: list[tuple[Round, RoundEnd]]) -> int:
    """Play as long as there are rounds and the person stays, append the finished rounds, and return the exit code."""
    from liarsdice_cli.cli.person import LeavesError, say
    from liarsdice_cli.report import play as text

    try:
        say(text.title(session.rules, names), bold=True)
        for line in text.rules_lines(session.rules, session.match_rules):
            say(line)
        while (dealt := session.deal()) is not None:
            played.append((dealt, _round(session, dealt, person, names)))
    except LeavesError:
        pass
    except KeyboardInterrupt:
        click.echo()
        return 130
    return 0


def _round(session: Session, dealt: Round, person: Person, names: list[str]) -> RoundEnd:
    """Play a round, and tell what is seen of it; how it ended."""
    from liarsdice_cli.cli.person import TakesBackError, glyphs, say
    from liarsdice_cli.report import play as text

    person.round = dealt.number
    click.echo()
    say(text.heading(dealt, session, names), bold=True)

    def on_move(view: View, action: int) -> None:
        seat = dealt.table.seats[view.player]
        if seat:
            say(text.move(names[seat], view, action))

    history: tuple[int, ...] = ()
    end = None
    while end is None:
        try:
            end = session.play(dealt, on_move, history)
        except TakesBackError as back:
            history = back.history
    *shown, last = text.ending(dealt, end, names, session.rounds is None, glyphs())
    for line in shown:
        say(line)
    say(last, fg="red" if end.loser == 0 else "green", bold=True)
    return end


def _summary(session: Session, names: list[str], judged: Sequence[tuple[Advice, Decision]]) -> Iterator[str]:
    """Yield the result of the game and the cost of each mistake."""
    from liarsdice_cli.report.play import mistakes, result

    yield ""
    yield from result(session, names)
    yield from mistakes(judged)


@dataclass(eq=False)
class _Advise:
    """Asks for advice, with a word to who waits for it.

    told_none : whether it was said that there is no equilibrium
    """

    adviser: Adviser
    quiet: bool
    told_none: bool = False

    def advice(self, view: View) -> Advice:
        with display(self.quiet, "looking ahead"), hidden_keys():
            return self.adviser.advice(view)

    def hints(self, view: View) -> Iterator[str]:
        """Yield probabilities and an equilibrium's action before a move."""
        from liarsdice_cli.report.play import NO_EQUILIBRIUM, equilibrium_hint, probability_hints

        yield from probability_hints(view)
        if view.claimer is not None:
            return
        if self.adviser.knows(view.rules):
            yield equilibrium_hint(view, self.advice(view))
        elif not self.told_none:
            self.told_none = True
            yield NO_EQUILIBRIUM
