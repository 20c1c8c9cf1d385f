"""`liarsdice coach`: advice at a real table with its reasons, as bids are typed; a conversation, or JSON line by line."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from liarsdice_cli.cli.help import CommandWithExample
from liarsdice_cli.cli.option_table import option
from liarsdice_cli.cli.options import RuleOptions, gains_option, palifico_option, quiet_option, table_options
from liarsdice_cli.cli.printing import print_json, print_tables
from liarsdice_cli.cli.progress import display
from liarsdice_cli.cli.serving import Serving, serving_options
from liarsdice_cli.errors import LiarsDiceError, UsageError
from liarsdice_cli.system.terminals import hidden_keys
from liarsdice_cli.text import quoted

if TYPE_CHECKING:
    from liarsdice_cli.arena.real_table import RealTable
    from liarsdice_cli.library.coaching import Coach

_EXAMPLE = """
liarsdice coach Ann Bob me
liarsdice coach me Ann --dice 4,3 --rules dudo
liarsdice coach --serve --open
liarsdice coach --serve --lan
"""


@click.command(cls=CommandWithExample, example=_EXAMPLE)
@click.argument("names", nargs=-1, metavar="[NAME ...]")
@table_options(preset="ones-low", dice="5 for each player")
@palifico_option
@gains_option
@option("spot-on-by", default="next")
@option("time-limit", "for each recommendation", default=1.5)
@option("iterations")
@option("json", " One document for each line of input.")
@serving_options
@quiet_option
def command(
    names: tuple[str, ...],
    asked: RuleOptions,
    palifico: bool | None,
    spot_on_gains: bool,
    spot_on_by: str,
    time_limit: float,
    iterations: int | None,
    as_json: bool,
    serving: Serving,
    quiet: bool,
) -> int:
    """Get advice at a real table: type every bid as it is made. At your turn, read what to do, its value, and why.

    The NAMEs are the players in the order of play, the opener first; yours is me. Without names the program asks for them.
    Everyone has five dice unless --dice is given, and 1s are wild (ones-low) unless --rules is. Type ? for help.
    """
    from liarsdice_cli.cli.person import LeavesError, take_any_text
    from liarsdice_cli.games.liarsdice.dice import MOST_PLAYERS
    from liarsdice_cli.library.coaching import DICE, ME, PRESET, coach

    serving.check()
    if serving.serve and as_json:
        raise UsageError("--serve is for a browser, --json is for a program: give only one of them")
    if serving.opened and not serving.serve:
        raise UsageError("--open is for --serve")
    if as_json and not names:
        raise UsageError("--json asks no questions: name the players, such as Ann Bob me")
    take_any_text()
    table_rules: dict[str, Any] = {"palifico": palifico, "spot_on_gains": spot_on_gains, "spot_on_by": spot_on_by}
    thinking = partial(coach, time_limit=time_limit, iterations=iterations)
    if serving.serve and not names:
        if asked or spot_on_gains or spot_on_by != "next":
            raise UsageError("the page asks for the rules: leave their options out, or name the players, such as Ann Bob me")
        return _served(None, partial(thinking, palifico=palifico), serving, quiet)
    try:
        seated = _Seated(list(names), asked.dice, None) if names else _who_sits_there(asked)
    except LeavesError:
        return 0
    if not 2 <= len(seated.names) <= MOST_PLAYERS:
        raise UsageError(f"{len(seated.names)} player(s) at the table: name 2 to {MOST_PLAYERS}, such as Ann Bob {ME}")
    dice = seated.dice or (DICE,) * len(seated.names)
    rules = replace(asked, dice=dice, preset=asked.preset or PRESET).rules()
    if len(seated.names) == rules.players and ME not in seated.names:
        raise UsageError(f"none of {quoted(', '.join(seated.names))} is {ME}: write {ME} instead of your own name")
    one = thinking(seated.names, rules, opener=seated.opener, **table_rules)
    if serving.serve:
        return _served(one, thinking, serving, quiet)
    if as_json:
        return _documents(one)
    return _conversation(one, quiet)


@dataclass
class _Seated:
    """The players at the table; dice and opener are None for the defaults."""

    names: list[str]
    dice: tuple[int, ...] | None
    opener: str | None


def _who_sits_there(asked: RuleOptions) -> _Seated:
    """Ask for the players, the dice and the opener."""
    from liarsdice_cli.cli.person import asked as answer
    from liarsdice_cli.cli.person import say
    from liarsdice_cli.games.liarsdice.dice import MOST, MOST_PLAYERS
    from liarsdice_cli.library.coaching import DICE, ME

    while True:
        names = re.split(r"[\s,]+", answer("Who sits at the table, in the order of play? Type me for yourself: "))
        if 2 <= len(set(names)) == len(names) <= MOST_PLAYERS and ME in names and len(asked.dice or names) == len(names):
            break
        many = f"2 to {MOST_PLAYERS}" if asked.dice is None else str(len(asked.dice))
        say(f"Name {many} players, all different and one of them {ME}, such as Ann Bob me.")
    dice = asked.dice
    while dice is None:
        given = _faces(answer(f"How many dice does each player have? [{DICE}] ") or str(DICE), 99) or []
        each = given * (len(names) if len(given) == 1 else 1)
        if len(each) == len(names) and all(each) and sum(each) <= MOST:
            dice = tuple(each)
        else:
            say(f"Give one number for all, or {len(names)} in the order of play, such as {','.join('5' * len(names))}.")
    opener = None
    while opener is None:
        first = answer(f"Who opens? [{names[0]}] ") or names[0]
        if first in names:
            opener = first
        else:
            say(f"Choose from {', '.join(names)}.")
    return _Seated(names, dice, opener)


def _served(coach: Coach | None, made: Callable[..., Coach], serving: Serving, quiet: bool) -> int:
    """Serve the page until Ctrl-C. All functions are compiled before, because a thread that compiles cannot be ended well."""
    from liarsdice_cli.library.coaching import warm
    from liarsdice_cli.library.coaching_page import serve

    with serve(coach, serving.port, made=made, access=serving.access(quiet)) as server:
        with display(quiet, "compiling"):
            warm()
        serving.run(server, quiet)
    return 0


def _conversation(coach: Coach, quiet: bool) -> int:
    """Read lines and print advice until the person quits; return the exit code."""
    from liarsdice_cli.cli.person import LeavesError, say
    from liarsdice_cli.report import coach as text

    code = 0
    try:
        for line in text.title(coach.table):
            say(line)
        say("Type ? for help.")
        talk = _Talk(coach, quiet)
        while True:
            talk.turn()
    except LeavesError:
        pass
    except KeyboardInterrupt:
        click.echo()
        code = 130
    say("")
    for line in text.summary(coach.table, coach.decided):
        say(line)
    return code


@dataclass
class _Talk:
    """The conversation; `told` is the table that was printed last."""

    coach: Coach
    quiet: bool
    told: RealTable | None = None

    def turn(self) -> None:
        """Print the advice if the table has changed, then read a line and process it."""
        from liarsdice_cli.cli.person import HELP, asked, say
        from liarsdice_cli.report import coach as text

        if self.told != self.coach.table:
            try:
                self._tell()
            except LiarsDiceError as error:  # the entry is kept; without a first recommendation the coach cannot start
                if self.told is None:
                    raise
                say(f"{error}.")
            self.told = self.coach.table
        line = asked(text.question(self.coach.table))
        try:
            if line.casefold() in HELP:
                for one in text.HELP.splitlines():
                    click.echo(one)
            elif line.casefold() == "odds":
                self._odds()
            else:
                self._hear(line)
        except LiarsDiceError as error:
            say(f"{error}.")

    def _tell(self) -> None:
        """Print the heading of a new round and, at the person's turn, the recommendation."""
        from liarsdice_cli.cli.person import say
        from liarsdice_cli.report import coach as text

        table = self.coach.table
        before = self.told
        begins = before is None or before.number != table.number or bool(before.history and table.own is None)
        if table.turn is not None and not table.history and begins:
            click.echo()
            say(text.heading(table), bold=True)
            with display(self.quiet, "thinking about the opening"), hidden_keys(keep=True):
                self.coach.prepare()
        if table.mine and table.own is not None:
            with display(self.quiet, "thinking"), hidden_keys(keep=True):
                found = self.coach.recommendation()
            first, *rest = text.recommended(found, table)
            say(first, fg="green", bold=True)
            for line in rest:
                say(line, fg="cyan")

    def _hear(self, line: str) -> None:
        from liarsdice_cli.cli.person import UNDO, say
        from liarsdice_cli.report import coach as text

        before = len(self.coach.decided)
        with display(self.quiet, "listening"), hidden_keys(keep=True):
            _heard(self.coach, line)
        table = self.coach.table
        if line.casefold() in UNDO:
            say(text.so_far(table))
        elif len(self.coach.decided) > before:
            found, decision = self.coach.decided[-1]
            say(text.priced(found, decision.action), fg="yellow" if found.cost(decision.action) else None)
        elif table.is_settled:
            say(text.ending(table), bold=True)

    def _odds(self) -> None:
        """Print the table of the command `probability`."""
        from liarsdice_cli.report.probability import probability_tables

        print_tables(probability_tables(self.coach.probability()))


def _documents(coach: Coach) -> int:
    """Print a document for every line of input; return the exit code."""
    from liarsdice_cli.cli.person import typed
    from liarsdice_cli.library.coaching import reply
    from liarsdice_cli.report.coach import coach_json

    coach.prepare()
    while (line := typed()) and not _leaves(line.strip()):
        said = line.strip()
        answer = reply(partial(_heard, coach, said), lambda: coach)
        print_json("coach", coach_json(coach.table, said, *answer), indent=None)
        sys.stdout.flush()
    return 0


def _leaves(line: str) -> bool:
    from liarsdice_cli.cli.person import QUIT

    return line.casefold() in QUIT


def _heard(coach: Coach, line: str) -> None:
    """Apply a line of input to the coach; raises LeavesError if the person quits."""
    from liarsdice_cli.cli.person import UNDO, LeavesError, ending_of
    from liarsdice_cli.games.bidding import SPOT_ON
    from liarsdice_cli.games.liarsdice.bids import typed_bid
    from liarsdice_cli.report.coach import asks_dice

    table = coach.table
    word, _, rest = line.strip().partition(" ")
    word, rest = word.casefold(), rest.strip()
    faces = _faces(line, table.game.sides)
    if _leaves(line):
        raise LeavesError
    if word in UNDO and not rest:
        coach.undo()
    elif word in ("new", "n") or (not line and table.is_settled):
        coach.new(rest or None)
    elif word in ("lost", "l") and rest:
        coach.lost(rest)
    elif word in ("dice", "d"):
        _dice(coach, rest)
    elif (answer := _exactly(table, word)) is not None:
        coach.lost(table.who(answer))
    elif (ending := ending_of(line.strip().casefold())) is not None and ending in table.rules.bidding.final_actions:
        coach.hear(table.rules.action_name(ending))
    elif rest and ending_of(word) == SPOT_ON:
        coach.claim(rest)
    elif word == "bid" and rest:
        coach.hear(rest)
    elif table.called and not table.is_settled and not line.strip():
        raise UsageError(f"say who lost, {table.who(table.bidder)} or {table.who(table.caller)}, or give the others' dice")
    elif table.called and not table.is_settled:
        coach.lost(line) if faces is None else coach.shown(faces)
    elif asks_dice(table) and faces is not None:
        coach.dice(faces)
    elif asks_dice(table) and typed_bid(line) is None:
        raise UsageError(f"{quoted(line, 40)}: give the faces of your dice, such as {' '.join(['3'] * table.dice[table.me])}")
    else:
        coach.hear(line)


def _exactly(table: RealTable, word: str) -> int | None:
    """Return the seat that a yes or no names after a claim that can win back a die; None for other words or claims."""
    from liarsdice_cli.games.bidding import SPOT_ON

    if not (table.match_rules.spot_on_gains and table.ending == SPOT_ON) or table.is_settled:
        return None
    return {"yes": table.bidder, "y": table.bidder, "no": table.caller}.get(word)


def _dice(coach: Coach, rest: str) -> None:
    faces = _faces(rest, coach.table.game.sides)
    if faces is None:
        raise UsageError(f"dice {quoted(rest, 40)}: give the faces, such as dice 1 3 4")
    if coach.table.called and not coach.table.is_settled:
        coach.shown(faces)
    else:
        coach.dice(faces)


def _faces(text: str, sides: int) -> list[int] | None:
    """Return the faces in a text, separated by blanks or commas or, if they have one digit, not at all; None for others."""
    parts = re.split(r"[\s,]+", text.strip())
    if not all(re.fullmatch(r"[0-9]{1,40}", part) for part in parts):
        return None
    if sides < 10:
        return [int(digit) for part in parts for digit in part]
    return [int(part) for part in parts] if all(len(part) < 4 for part in parts) else None
