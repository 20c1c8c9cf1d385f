"""Run one input, and report what is wrong with how the program ends."""

from __future__ import annotations

import json
import re
import signal
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from liarsdice_cli.bots.specs import KINDS
from liarsdice_cli.text import printable
from tests.fuzz.reader import Reader
from tests.support.command_line import run_here

SECONDS = 120
"""An input that takes longer counts as a hang, even on a busy machine."""
_FILE = re.compile(r"INPUT[.a-z]*")
_KINDS = {kind.written.partition(":")[0] for kind in KINDS}


class HangError(BaseException):
    """The program took too long; no handler of errors may catch this."""


@contextmanager
def _limited() -> Iterator[None]:
    def late(number: int, frame: object) -> None:
        raise HangError

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def fault(reader: Reader, data: bytes, folder: Path) -> str:
    """Return in one line what is wrong with how the program handles an input, or ""."""
    commands = _commands(reader, data, folder)
    try:
        for arguments in commands:
            code, found = _run(reader, arguments, data, folder)
            if found or code != 0:
                return found
        return ""
    finally:
        for path in folder.iterdir():
            path.unlink()


def _run(reader: Reader, arguments: tuple[str, ...], data: bytes, folder: Path) -> tuple[int, str]:
    """Return the exit code of a command line, and what is wrong with how it ended."""
    before = set(folder.iterdir())
    try:
        with _limited(), warnings.catch_warnings():
            warnings.simplefilter("error")
            ended = run_here(*arguments, input=data if reader.is_typed else b"")
    except HangError:
        return 1, f"hangs: longer than {SECONDS} s"
    except BaseException as error:
        return 1, f"ends with {type(error).__name__}: {error}"[:200]
    lines = ended.err.splitlines()
    if "internal error" in ended.err or "Traceback" in ended.err:
        return 1, f"internal error: {ended.err[:200]}"
    if ended.code not in (0, 1, 2, 3):
        return 1, f"exit code {ended.code}"
    if ended.code in (1, 2) and (len(lines) != 1 or not lines[0].startswith("liarsdice: ")):
        return 1, f"an error of {len(lines)} lines: {ended.err[:200]!r}"
    if not all(printable(line) == line for line in (*lines, *ended.out.splitlines())):
        return 1, f"text that steers a terminal: {(ended.err + ended.out)[:200]!r}"
    if "--json" in arguments and ended.code in (0, 3) and not _is_json(ended.out):
        return 1, f"prints no JSON: {ended.out[:200]!r}"
    if (
        left := set(folder.iterdir())
        - before
        - ({folder / Path(one).name for one in arguments} if ended.code in (0, 3) else set())
    ):
        return 1, f"leaves {sorted(path.name for path in left)}"
    return ended.code, ""


def _is_json(text: str) -> bool:
    """Return whether a text is one JSON document, or one on each line; NaN and Infinity are no JSON."""
    try:
        for document in (text,) if text.startswith("{\n") else text.splitlines():
            json.loads(document, parse_constant=lambda name: 1 / 0)
    except (ValueError, ZeroDivisionError):
        return False
    return True


def _commands(reader: Reader, data: bytes, folder: Path) -> list[tuple[str, ...]]:
    """Return the command lines for an input, or none if it must not run; write a file with the input if they read one."""
    if reader.is_typed:
        return [reader.arguments]
    if reader.is_text:
        text = data.decode(errors="replace").replace("\0", "")
        if reader.names_bots and _names_code(text):
            return []
        return [tuple(one.replace("INPUT", text) for one in reader.arguments)]
    named = next(_FILE.search(one)[0] for one in reader.arguments if "INPUT" in one)
    (folder / named).write_bytes(data)
    return [
        tuple(one.replace(named, str(folder / named)).replace("OUTPUT", str(folder / "OUTPUT")) for one in line)
        for line in (reader.arguments, *reader.then)
    ]


def _names_code(bot: str) -> bool:
    """Return whether the name of a bot would be imported as a module; the fuzzer imports none."""
    while bot.startswith("best-response:"):
        bot = bot.removeprefix("best-response:")
    return ":" in bot and bot.partition(":")[0] not in _KINDS
