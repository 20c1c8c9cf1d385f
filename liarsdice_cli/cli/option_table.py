"""Every option of every command: one name, one meaning, one unit.

A command takes its options from here by `option`. It may add a note to an option's help, such as its
default, but not change it. The headings group the options on a command's help page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, NamedTuple, TypeVar

import click

from liarsdice_cli.cli.types import (
    ABOVE_0,
    BETWEEN_0_AND_1,
    CLUSTER,
    DECIMAL,
    DICE,
    FILE,
    PRESET,
    SIZE,
    WHOLE,
    WholeRange,
)
from liarsdice_cli.formats.registry import LABELS
from liarsdice_cli.games.liarsdice.match_rules import SPOT_ON_BY
from liarsdice_cli.games.liarsdice.rules import DEALINGS, ORDERS, PAYOFFS

_Function = TypeVar("_Function", bound=Callable[..., Any])

RULES, QUESTION, SOLVING, OUTPUT, ADVANCED = "Rules", "Options", "Solving", "Output", "Advanced"
HEADINGS = (QUESTION, RULES, SOLVING, OUTPUT, ADVANCED)
"""The headings of a help page, in this order."""


class _Row(NamedTuple):
    """An option: its heading, its help, and its settings for click; `metavar` is its unit."""

    heading: str
    help: str
    settings: dict[str, Any]
    names: tuple[str, ...] = ()


def _row(heading: str, help: str, *names: str, **settings: Any) -> _Row:
    return _Row(heading, help, settings, names)


def _flag(heading: str, help: str, *names: str, **settings: Any) -> _Row:
    return _Row(heading, help, settings | {"is_flag": True}, names)


def _switch(help: str, names: str) -> _Row:
    return _Row(RULES, help, {"default": None}, (names,))


TABLE: dict[str, _Row] = {
    # Rules
    "rules": _row(RULES, "Rule preset; `liarsdice rules` lists them", "preset", type=PRESET, metavar="PRESET"),
    "sides": _row(RULES, "Sides of each die", type=WHOLE, metavar="N"),
    "dice": _row(RULES, "Dice of each player", type=DICE, metavar="N,N"),
    "max-quantity": _row(RULES, "Highest quantity in a bid", type=WHOLE, metavar="N"),
    "wild": _row(RULES, "Wild face, or none", metavar="FACE"),
    "order": _row(RULES, "Bidding order", type=click.Choice(ORDERS)),
    "wild-opening": _switch("Allow or forbid an opening bid on the wild face", "--wild-opening/--no-wild-opening"),
    "stairs": _switch("Count a roll 1,2,3,... as one die more", "--stairs/--no-stairs"),
    "fixed-face": _switch("Keep the face of the opening bid", "--fixed-face/--any-face"),
    "spot-on": _switch("Allow the claim that a bid is exact", "--spot-on/--no-spot-on"),
    "spot-on-by": _row(RULES, "Players who may claim spot-on: the next, or all but the bidder", type=click.Choice(SPOT_ON_BY)),
    "spot-on-gains": _flag(
        RULES,
        "In matches with --spot-on: a right claim wins back a die, up to the starting number, and no player loses one",
    ),
    "palifico": _switch(
        "After a player drops to one die, play a round with no wild face and a fixed face", "--palifico/--no-palifico"
    ),
    "payoffs": _row(RULES, "Pay 1 and 0 (win), or +1 and -1 (zero-sum)", type=click.Choice(PAYOFFS)),
    "dealing": _row(RULES, "Chance branches: ordered rolls, multisets, or one player at a time", type=click.Choice(DEALINGS)),
    # The question
    "profile": _row(QUESTION, "Show the profile in FILE instead of solving the game", type=FILE, metavar="FILE"),
    "reached-only": _flag(QUESTION, "Leave out nodes that are never reached"),
    "from": _row(QUESTION, 'Start after HISTORY, such as "1x2 2x3"', "history", metavar="HISTORY", default=""),
    "depth": _row(QUESTION, "Cut off after N moves", type=WholeRange(0), metavar="N"),
    "beliefs": _row(
        QUESTION,
        'With --from: beliefs about the dice, as a strategy file (.ldz), a profile (.json) or lines such as "P2 roll 3: 1/2"',
        type=FILE,
        metavar="FILE",
    ),
    "lock": _row(
        QUESTION,
        'Fix a strategy at some information sets and solve the rest: "P2 roll 3 after 1x5: call 1", a file of such lines, a '
        "profile (.json), a strategy file (.ldz), or one player's strategy, P2=profile.json; repeatable",
        "locks",
        multiple=True,
        metavar="LOCK",
    ),
    "player": _row(QUESTION, "Player to solve for", type=WholeRange(1), metavar="N"),
    "coalition": _flag(QUESTION, "Let all opponents play as one and share their rolls (2 to 10 players)"),
    "opponent-max-bids": _row(
        QUESTION, "Bound the worst case by an opponent who must call after K bids", type=WholeRange(0), metavar="K"
    ),
    "max-risk": _row(QUESTION, "Largest loss below the value of the game against any opponent", metavar="P"),
    "opener": _row(QUESTION, "Player who opens the next round"),
    "match": _flag(QUESTION, "Play a match: the loser of a round loses a die and opens the next"),
    "rounds": _row(QUESTION, "Number of rounds", type=WholeRange(1), metavar="N"),
    "hints": _flag(QUESTION, "Show probabilities and an equilibrium's action before each move"),
    "seed": _row(QUESTION, "Random seed", type=WholeRange(0), metavar="N"),
    "serve": _flag(QUESTION, "Serve a page on this machine (127.0.0.1) until Ctrl-C"),
    "lan": _flag(QUESTION, "With --serve: also let phones on the local network open the page, which need its secret address"),
    "host": _row(ADVANCED, "With --lan: the address of this machine to serve at", metavar="ADDRESS"),
    "secret": _row(
        ADVANCED, "Keep the page's address: read its secret from FILE, or write a new one there", type=FILE, metavar="FILE"
    ),
    "port": _row(ADVANCED, "Port to serve on", type=WholeRange(0, 65535), default=0, metavar="N"),
    "open": _flag(OUTPUT, "Open the page in the browser", "opened"),
    "known": _row(QUESTION, "Dice that every player sees", default="", metavar="FACES"),
    "next": _row(QUESTION, "Dice of the next player", "next_dice", type=WHOLE, metavar="N"),
    "level": _row(QUESTION, "Probability below which a player calls", metavar="P"),
    "own": _row(QUESTION, "A's own roll in the computation of y0, from -8 to 8", type=DECIMAL, metavar="S"),
    "z-score": _row(QUESTION, "Level whose worst case to show", type=DECIMAL, metavar="Z"),
    "holds": _row(QUESTION, "Show the bid at which B should call, with the roll Y", "holding", type=DECIMAL, metavar="Y"),
    "calls": _row(QUESTION, "With --holds: show how often B wins by calling at K", "call", type=DECIMAL, metavar="K"),
    "turns": _row(QUESTION, "Player who moves at each depth, by name or number", default="", metavar="P,P,..."),
    "misere": _flag(QUESTION, "A player who cannot move wins"),
    "values": _row(
        QUESTION, "Show N values; use at least as many to prove a period", "count", type=WholeRange(1, 1_000_000), metavar="N"
    ),
    # Solving
    "method": _row(SOLVING, "Solving method; `liarsdice methods` lists them", default="auto", metavar="METHOD"),
    "target": _row(SOLVING, "Exploitability to reach, in the unit of the payoffs", type=DECIMAL, metavar="X"),
    "iterations": _row(SOLVING, "Stop after N iterations", type=WholeRange(1), metavar="N"),
    "time-limit": _row(SOLVING, "Time limit in seconds", type=ABOVE_0, metavar="SECONDS"),
    "refine": _row(
        SOLVING,
        "Take play after mistakes into account",
        type=click.Choice(("quasi-perfect", "sequential")),
    ),
    "max-profiles": _row(SOLVING, "Stop after N profiles", type=WholeRange(1), metavar="N"),
    "arithmetic": _row(ADVANCED, "Arithmetic to use", type=click.Choice(("rational", "float"))),
    "form": _row(ADVANCED, "Game form to solve", type=click.Choice(("extensive", "strategic"))),
    "tremble": _row(
        ADVANCED,
        "For regret minimisers: make every player err with probability P at every decision",
        type=BETWEEN_0_AND_1,
        metavar="P",
    ),
    "threads": _row(ADVANCED, "Threads on the public tree", type=WholeRange(1), metavar="N"),
    "memory": _row(ADVANCED, "Memory limit of the public tree or of each worker, such as 12GB", type=SIZE, metavar="SIZE"),
    "cluster": _row(
        ADVANCED,
        "Distribute the work: local:N for N processes here, auto or HOST:PORT for a Ray cluster",
        type=CLUSTER,
        metavar="WHERE",
    ),
    "checkpoint": _row(
        ADVANCED,
        "Save the solver's state in FILE regularly, and continue from FILE if it exists (public tree)",
        type=FILE,
        metavar="FILE",
    ),
    # Output
    "output": _row(OUTPUT, "File to write", "-o", type=FILE, metavar="FILE"),
    "infosets": _row(OUTPUT, "Mark information sets by dotted lines or by their numbers"),
    "labels": _row(OUTPUT, "Label the information sets in an .efg file", type=click.Choice(LABELS), default="auto"),
    "exact": _flag(OUTPUT, "Print exact values as fractions, however long"),
    "full": _flag(OUTPUT, "Show everything: long tables, rare actions, unreached information sets"),
    "json": _flag(OUTPUT, "Print JSON", "as_json"),
    "quiet": _flag(OUTPUT, "Print only errors on standard error", "-q"),
}


def option(name: str, note: str = "", **settings: Any) -> Callable[[_Function], _Function]:
    """Return the decorator that adds an option of the table.

    note     : text after the help, such as the files that a command can write
    settings : more settings for click; `default` is also shown, unless it is a flag or hidden by `show_default=False`
    """
    row = TABLE[name]
    own = row.settings | settings
    names = [one for one in row.names if "/" in one or one.startswith("-")]
    names += [] if names and "/" in names[0] else [f"--{name}"]
    names += [one for one in row.names if not one.startswith("-")]
    own.setdefault("show_default", own.get("default") not in (None, "", 0, ()) and not own.get("is_flag"))
    words = f"{row.help}: {note}." if note and not note.startswith(" ") else f"{row.help}.{note}"
    return click.option(*names, help=words, **own)


def stacked(*decorators: Callable[[Any], Any]) -> Callable[[_Function], _Function]:
    """Return the decorator that applies several decorators as if they stood above the function in this order."""

    def decorate(function: _Function) -> _Function:
        decorated: Any = function
        for decorator in reversed(decorators):
            decorated = decorator(decorated)
        result: _Function = decorated
        return result

    return decorate


def gathered(
    name: str, build: Callable[..., object], options: Mapping[str, Callable[[Any], Any]]
) -> Callable[[_Function], _Function]:
    """Return a decorator that adds options and passes them to the function as one argument.

    name    : the name of the argument
    build   : makes it from the values of all options, as keyword arguments
    options : the decorator that adds each option, by the option's parameter
    """

    def decorate(function: _Function) -> _Function:
        @wraps(function)
        def called(**values: Any) -> Any:
            own = build(**{parameter: values.pop(parameter) for parameter in options})
            return function(**{name: own}, **values)

        decorated: Any = stacked(*options.values())(called)
        result: _Function = decorated
        return result

    return decorate


def heading(name: str) -> str:
    """Return the heading of an option by its long name without dashes; unlisted options such as --help come last."""
    return TABLE[name].heading if name in TABLE else OUTPUT
