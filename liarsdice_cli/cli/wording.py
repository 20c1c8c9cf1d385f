"""Messages of the library with the options of the command line instead of the library's arguments."""

from __future__ import annotations

from liarsdice_cli.errors import Argument, ArgumentError, LiarsDiceError
from liarsdice_cli.text import brief

_OPTIONS = {
    "preset": "--rules",
    "no_profile": "--profile none",
    "history": "--from",
    "output": "-o",
    "holding": "--holds",
    "call": "--calls",
    "limit": "--values",
    "others": "OTHERS",
    "chips": "CHIPS",
    "take": "TAKE",
    "sweep": "LEVELS",
    "methods": "`liarsdice methods`",
}
"""Arguments whose option has another name. Names in capitals are arguments of a command; `methods` is a command."""


def worded(error: LiarsDiceError) -> str:
    """Return the message of an error with options; the message on a refused number becomes a sentence.

    >>> from liarsdice_cli.errors import ArgumentError, LiarsDiceError
    >>> worded(ArgumentError("max_quantity", 0, "give 1 or more"))
    '--max-quantity is 0: give 1 or more'
    >>> worded(LiarsDiceError("too large: lower ", Argument("dice"), ", or try ", Argument("preset", "common")))
    'too large: lower --dice, or try --rules common'
    """
    parts = [option(part) if isinstance(part, Argument) else part for part in error.parts]
    if isinstance(error, ArgumentError) and isinstance(error.argument.value, int | float):
        parts[0] = f"{option(Argument(error.argument.name))} is {brief(error.argument.value)}"
    return "".join(parts)


def option(argument: Argument) -> str:
    """Return the option of an argument, with its value as it is typed.

    >>> option(Argument("dice", (2, 1))), option(Argument("serve", True)), option(Argument("wild_opening", False))
    ('--dice 2,1', '--serve', '--no-wild-opening')
    """
    name = _OPTIONS.get(argument.name, f"--{argument.name.replace('_', '-')}")
    if argument.value is None or isinstance(argument.value, bool):
        return name if argument.value is not False else f"--no-{name.removeprefix('--')}"
    values = argument.value if isinstance(argument.value, tuple) else (argument.value,)
    return f"{name} {','.join(map(brief, values))}"
