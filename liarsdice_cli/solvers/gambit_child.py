"""The child process in which a method of Gambit runs: a request and a game come in, profiles go out as JSON lines.

`gambit` starts it, says what it may be asked, and ends it. pygambit is imported here only.
"""

from __future__ import annotations

import gc
import io
import json
import math
import os
import re
import sys
import threading
import time
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, BinaryIO, NoReturn

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.solvers.gambit import BOTH, EITHER, EXACT, METHODS
from liarsdice_cli.system import memory, processes


def main() -> NoReturn:
    """The child: read a request and a game, run the method, and write JSON lines for `run` to standard output."""
    results = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what Gambit prints goes to standard error and cannot spoil the results
    source = sys.stdin.buffer
    request = json.loads(source.readline() or b'{"size": 1}')
    efg = source.read(request["size"])
    if len(efg) < request["size"]:
        os._exit(1)  # the parent is gone
    _guard(source, request["parent"])

    def send(message: Mapping[str, Any]) -> None:
        results.write(json.dumps(message).encode() + b"\n")
        results.flush()

    gc.disable()  # nothing here forms cycles, and looking for them in millions of nested tuples doubles the time
    try:
        serve(request, efg, send)
    except Exception as error:
        send({"error": str(error) or type(error).__name__})
    # Not sys.exit: the watching thread holds standard input, and taking a large game apart would take long.
    os._exit(0)


def _guard(source: BinaryIO, parent: int) -> None:
    """End this process with its parent, even a killed one, and before it needs more memory than the machine has."""

    def watch() -> None:
        source.read(1)  # returns only at the end of the pipe
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
    processes.end_with(parent)  # a thread that waits in `run`; none of ours runs while Gambit computes
    memory.limit_to_machine()  # the strategic form of a small tree fills any memory within a minute


def serve(request: Mapping[str, Any], efg: bytes, send: Callable[[Mapping[str, Any]], None]) -> None:
    """Run the requested method on the game, and send what it finds: messages as `gambit.run` reads them."""
    gambit = import_module("pygambit")
    if not gambit.__version__.startswith("17."):
        raise LiarsDiceError(f"pygambit {gambit.__version__} is installed")
    game = gambit.read_efg(io.BytesIO(efg))
    sets = _information_sets(gambit, game)
    sent = 0

    def found(profile: Any) -> None:
        nonlocal sent
        send({"profile": _encoded(profile.as_behavior() if request["form"] == "strategic" else profile, sets)})
        sent += 1
        if sent == request["stop_after"]:
            finish("")
            os._exit(0)  # the method is still at work

    def finish(note: str) -> None:
        send({"seconds": time.perf_counter() - started, "note": note})

    send({})
    started = time.perf_counter()
    result = _solve(gambit, game, request, found)
    # Every method has called `found` for its results, in their order; except logit and hp, which take no callback.
    results = result.equilibria if hasattr(result, "equilibria") else [result.equilibrium] * result.success
    for profile in results[sent:]:
        found(profile)
    finish("" if result.success else result.reason.name.lower().replace("_", " "))


def _information_sets(gambit: Any, game: Any) -> list[tuple[str, Any]]:
    """Pair the label of every information set with the selector by which Gambit finds it.

    pygambit 17 shows no labels of information sets, but it writes them; and in what it writes, the number of a set is
    its place in `get_infosets` (the order of first appearance, whatever numbers the game was read with).
    A selector is the path to a node. Do not walk over a profile instead (`for ... in profile`, `profile[player]`): the
    dictionaries made for that hash nested histories, in time exponential in the depth.
    """
    # Quotation marks inside a title or a label are written with a backslash, so only a node's line starts like this.
    lines = re.findall(r'^p "(?:[^"\\]|\\.)*" (\d+) (\d+) "(\d+)" ', game.to_efg(), re.MULTILINE)
    labels = {(int(player), int(number)): label for player, number, label in lines}
    return [
        (labels[player, number], gambit.H.path(*history.actions))
        for player, name in enumerate(game.players, start=1)
        for number, history in enumerate(game.get_infosets(name), start=1)
    ]


def _encoded(profile: Any, sets: list[tuple[str, Any]]) -> dict[str, list[Any]]:
    rows = {}
    for label, selector in sets:
        row = [p if isinstance(p, float) else str(p) for _, p in profile[selector]]
        if any(p not in (0.0, "0") for p in row) and all(isinstance(p, str) or math.isfinite(p) for p in row):
            rows[label] = row
    return rows


def _solve(gambit: Any, game: Any, request: Mapping[str, Any], found: Callable[[Any], None]) -> Any:
    """Call the function of pygambit that bears the method's name, with what that function takes."""
    name, method, bound = request["method"], METHODS[request["method"]], request["max_regret"]
    options: dict[str, Any] = {}
    if method.arithmetic == BOTH:
        options["rational"] = request["arithmetic"] == "rational"
    if method.forms == EITHER:
        options["use_strategic"] = request["form"] == "strategic"
    if bound is not None:
        options["maxregret"] = gambit.Rational(repr(bound)) if method.arithmetic == EXACT else bound
    if name == "hp":
        return _solve_hp(gambit, game, options)
    if name != "logit":
        options["nash_callback"] = found
    start = game.mixed_behavior_profile() if name == "liap-agent" else game
    if name in ("liap", "simpdiv"):
        start = game.mixed_strategy_profile(rational=name == "simpdiv")
    return getattr(gambit.nash, f"{name.replace('-', '_')}_solve")(start, **options)


def _solve_hp(gambit: Any, game: Any, options: Mapping[str, Any]) -> Any:
    prior = game.mixed_strategy_profile()
    try:
        return gambit.nash.hp_solve(prior, **options)
    except RuntimeError as error:
        if "best responses" not in str(error):
            raise
    golden = (math.sqrt(5) - 1) / 2  # its multiples modulo 1 hardly ever make two strategies equally good
    for player in game.players:
        names = game.get_strategies(player)
        prior[player] = {name: 1 + place * golden % 1 for place, name in enumerate(names, start=1)}
    return gambit.nash.hp_solve(prior.normalize(), **options)


if __name__ == "__main__":
    main()
