"""The child process in which a method of Gambit runs: it receives a request and a game, and sends profiles.

`gambit` checks the request, starts the process and ends it. Only this process imports pygambit.
"""

from __future__ import annotations

import gc
import io
import math
import os
import re
import time
from collections.abc import Callable, Mapping
from fractions import Fraction
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

from liarsdice_cli.errors import LiarsDiceError
from liarsdice_cli.solvers.gambit_methods import BOTH, EITHER, EXACT, METHODS

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

RawProfile: TypeAlias = Mapping[int, tuple[Fraction, ...] | tuple[float, ...]]
"""Label of an information set -> probabilities of its actions, in the order of the file."""
Message: TypeAlias = tuple[str, Any]
"""("started", None), ("profile", RawProfile), ("finished", (seconds, note)) or ("error", text)."""


def work(connection: Connection, request: Mapping[str, Any]) -> None:
    """Receive a game (.efg text in bytes), run the requested method and send messages; then end this process.

    request : method, arithmetic, form, max_profiles, target, and the id of the parent process
    """
    from liarsdice_cli.system import memory, processes  # not needed to import this module, and slow to load

    efg = connection.recv_bytes()
    processes.end_with(request["parent"])  # while Gambit computes, no Python thread can notice the parent's end
    memory.limit_to_machine()  # the strategic form of a small tree fills any memory within a minute
    gc.disable()  # there are no cycles here, and searching millions of nested tuples for them doubles the time
    try:
        serve(request, efg, connection.send)
    except Exception as error:
        connection.send(("error", str(error) or type(error).__name__))
    os._exit(0)  # not sys.exit: freeing a large game takes long


def serve(request: Mapping[str, Any], efg: bytes, send: Callable[[Message], None]) -> None:
    """Run the requested method on the game and send the profiles that it finds."""
    gambit = import_module("pygambit")
    if not gambit.__version__.startswith("17."):
        raise LiarsDiceError(f"pygambit {gambit.__version__} is installed")
    game = gambit.read_efg(io.BytesIO(efg))
    sets = _information_sets(gambit, game)
    sent = 0

    def found(profile: Any) -> None:
        nonlocal sent
        send(("profile", _encoded(profile.as_behavior() if request["form"] == "strategic" else profile, sets)))
        sent += 1
        if sent == request["max_profiles"]:
            finish("")
            os._exit(0)  # the method is still running

    def finish(note: str) -> None:
        send(("finished", (time.perf_counter() - started, note)))

    send(("started", None))
    started = time.perf_counter()
    result = _solve(gambit, game, request, found)
    # Every method has called `found` for its results in this order, except logit and hp: they take no callback.
    results = result.equilibria if hasattr(result, "equilibria") else [result.equilibrium] * result.success
    for profile in results[sent:]:
        found(profile)
    finish("" if result.success else result.reason.name.lower().replace("_", " "))


def _information_sets(gambit: Any, game: Any) -> list[tuple[int, Any]]:
    """Return the label of every information set with its selector, the path to one of its nodes.

    pygambit 17 has no labels of information sets, but it writes them. In its text, the number of a set is its place in
    `get_infosets`: the order of first appearance, whatever the numbers in the file were. Do not iterate over a profile instead
    (`for ... in profile`, `profile[player]`): that hashes nested histories, in time exponential in the depth.
    """
    # Quotation marks inside a title or a label are written with a backslash, so only a node's line starts like this.
    lines = re.findall(r'^p "(?:[^"\\]|\\.)*" (\d+) (\d+) "(\d+)" ', game.to_efg(), re.MULTILINE)
    labels = {(int(player), int(number)): int(label) for player, number, label in lines}
    return [
        (labels[player, number], gambit.H.path(*history.actions))
        for player, name in enumerate(game.players, start=1)
        for number, history in enumerate(game.get_infosets(name), start=1)
    ]


def _encoded(profile: Any, sets: list[tuple[int, Any]]) -> RawProfile:
    """Return a profile of pygambit as numbers of Python, without the sets for which it has only 0 or NaN."""
    rows: dict[int, tuple[Any, ...]] = {}
    for label, selector in sets:
        row = tuple(p if isinstance(p, float) else Fraction(str(p)) for _, p in profile[selector])
        if any(row) and all(map(math.isfinite, row)):
            rows[label] = row
    return rows


def _solve(gambit: Any, game: Any, request: Mapping[str, Any], found: Callable[[Any], None]) -> Any:
    """Call the function of pygambit that has the method's name, with the arguments that it accepts."""
    name, method, target = request["method"], METHODS[request["method"]], request["target"]
    options: dict[str, Any] = {}
    if method.arithmetic == BOTH:
        options["rational"] = request["arithmetic"] == "rational"
    if method.forms == EITHER:
        options["use_strategic"] = request["form"] == "strategic"
    if target is not None:
        share = gambit.Rational(repr(target)) / (gambit.Rational(game.max_payoff - game.min_payoff) or 1)
        options["maxregret"] = share if method.arithmetic == EXACT else float(share)
    if name == "hp":
        return _solve_hp(gambit, game, options)
    if name != "logit":
        options["nash_callback"] = found
    start = game.mixed_behavior_profile() if name == "liap-agent" else game
    if name in ("liap", "simpdiv"):
        start = game.mixed_strategy_profile(rational=name == "simpdiv")
    return getattr(gambit.nash, f"{name.replace('-', '_')}_solve")(start, **options)


def _solve_hp(gambit: Any, game: Any, options: Mapping[str, Any]) -> Any:
    """Run hp from the centroid, or from unequal weights if a player has several best responses to the centroid."""
    prior = game.mixed_strategy_profile()
    try:
        return gambit.nash.hp_solve(prior, **options)
    except RuntimeError as error:
        if "best responses" not in str(error):
            raise
    golden = (math.sqrt(5) - 1) / 2  # multiples of it modulo 1 hardly ever make two strategies equally good
    for player in game.players:
        names = game.get_strategies(player)
        prior[player] = {name: 1 + place * golden % 1 for place, name in enumerate(names, start=1)}
    return gambit.nash.hp_solve(prior.normalize(), **options)
