"""One input, one run, one verdict: whatever is read, the program ends in good order."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from liarsdice_cli.bots.specs import KINDS
from liarsdice_cli.errors import printable
from tests.fuzz.readers import Reader
from tests.support.command_line import run_here

SECONDS = 30
"""After so long an input counts as one that hangs the program."""
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
    """What is wrong with how the program takes an input, in a line; "" for nothing."""
    arguments, here = _command(reader, data, folder)
    if arguments is None:
        return ""
    try:
        with _limited():
            ended = run_here(*arguments, input=data if reader.is_typed else b"")
    except HangError:
        return f"hangs: longer than {SECONDS} s"
    except BaseException as error:
        return f"ends with {type(error).__name__}: {error}"[:200]
    left = sorted(path.name for path in folder.iterdir() if path != here)
    for path in folder.iterdir():
        path.unlink()
    lines = ended.err.splitlines()
    if "internal error" in ended.err or "Traceback" in ended.err:
        return f"internal error: {ended.err[:200]}"
    if ended.code not in (0, 1, 2, 3):
        return f"exit code {ended.code}"
    if ended.code in (1, 2) and (len(lines) != 1 or not lines[0].startswith("liarsdice: ")):
        return f"an error of {len(lines)} lines: {ended.err[:200]!r}"
    if not all(printable(line) == line for line in (*lines, *ended.out.splitlines())):
        return f"text that steers a terminal: {(ended.err + ended.out)[:200]!r}"
    if left:
        return f"leaves {left}"
    return ""


def _command(reader: Reader, data: bytes, folder: Path) -> tuple[tuple[str, ...] | None, Path | None]:
    """The command line for an input, None where it shall not be run, and the file with the input."""
    if reader.is_typed:
        return reader.arguments, None
    if reader.is_text:
        text = data.decode(errors="replace").replace("\0", "")
        if reader.names_bots and _names_code(text):
            return None, None
        return tuple(one.replace("INPUT", text) for one in reader.arguments), None
    here = folder / next(_FILE.search(one)[0] for one in reader.arguments if "INPUT" in one)
    here.write_bytes(data)
    return tuple(one.replace(here.name, str(here)) for one in reader.arguments), here


def _names_code(bot: str) -> bool:
    """Whether the name of a bot is taken for a module to import; the fuzzer imports none."""
    while bot.startswith("best-response:"):
        bot = bot.removeprefix("best-response:")
    return ":" in bot and bot.partition(":")[0] not in _KINDS
